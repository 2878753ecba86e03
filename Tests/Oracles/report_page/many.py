"""A page of many releases: how much its script does when it opens and when all of them are shown, by counts.

And a page of many elements that move at once: what their picture takes, by counts.
"""
import math

FRAME = 8_333_333
STEPS = 24
KEYS = ["progress", "key 1", "key 2"]


def gestures(count):
    """So many gestures of a fifth of a second each: a finger drives three keys, lifts, and they settle."""
    for gesture in range(count):
        first = gesture * (STEPS + 2) * FRAME
        # How far it gets differs, and with that what is decided.
        most = 0.4 + 0.4 * (gesture * 37 % 101) / 101
        yield {"t_ns": first, "event": "start", "to": "open"}
        for step in range(STEPS):
            time, is_driven = first + step * FRAME, step < STEPS // 2
            way = most * min(step, 11) ** 2 / 121
            if is_driven:
                yield {"t_ns": time, "touch": {"contact": gesture, "phase": "moved" if step else "began", "x": 9, "y": 300 * way}}
            value = way if is_driven else 1 - (1 - way) / (step - 10)
            for number, key in enumerate(KEYS):
                yield {"t_ns": time, "key": key, "value": value * (number + 1), "phase": "driving" if is_driven else "settling"}
            if step == STEPS // 2 - 1:
                yield {"t_ns": time + FRAME // 2, "touch": {"contact": gesture, "phase": "ended", "x": 9, "y": 300 * way}}
                yield {"t_ns": time + FRAME // 2, "decision": {
                    "outcome": "finish" if way >= 0.6 else "cancel", "rule": "progress", "threshold": 0.6, "progress": way}}


def calls(browser, act):
    """How often functions of the page were called while something is done."""
    browser.call("Profiler.takePreciseCoverage")
    act()
    scripts = browser.call("Profiler.takePreciseCoverage")["result"]
    counts = {}
    for script in scripts:
        if not script["url"].startswith("file:"):
            continue
        for function in script["functions"]:
            name = function["functionName"]
            counts[name] = counts.get(name, 0) + function["ranges"][0]["count"]
    return counts


def test_growth(browser, place, check):
    """Four times as many releases take at most four times as much; those that cannot be told apart are drawn once."""
    opened, shown = {}, {}
    browser.look()
    browser.call("Profiler.enable")
    browser.call("Profiler.startPreciseCoverage", callCount=True, detailed=False)
    for count in [250, 1000]:
        path = place.record_lines(f"gestures-{count}", {"refreshRate": 120}, gestures(count))
        page = place.page(f"gestures-{count}", path)
        opened[count] = calls(browser, lambda: (browser.open(page), browser.state()))
        check("the page of many releases is quiet", browser.complaints() == [], str(browser.complaints()))
        check("its lanes are drawn once when it opens", browser.state()["redraws"] == "1", browser.state()["redraws"])
        shown[count] = calls(browser, lambda: (browser.press("f"), browser.state()))
    browser.call("Profiler.stopPreciseCoverage")
    browser.call("Profiler.disable")
    for words, counts, most in [("opens", opened, 600), ("shows all of them", shown, 400)]:
        few, many = (sum(counts[count].values()) for count in (250, 1000))
        print(f"  a page of 250, 1000 releases {words} in {few}, {many} calls of functions")
        check(f"four times as many releases take at most four times as much when a page {words}", many <= 4.2 * few,
              f"{many} of {few}")
        check(f"a page {words} in at most {most} calls a release", many <= most * 1000, str(many))
    width = browser.evaluate("document.getElementById('plot').clientWidth")
    dots = shown[1000]["dot"]
    check("a lane has no more releases than columns of pixels", dots <= len(KEYS) * width < 1000 * len(KEYS), f"{dots} {width}")


# So many elements move at once; their picture takes so many calls of the canvas and of the page's functions each.
ITEMS, MOST_DRAWN, MOST_CALLED = 3000, 2.2, 24
COUNT_DRAWN = """(() => {
  let count = 0;
  const { prototype } = CanvasRenderingContext2D;
  for (const name of Object.keys(prototype)) {
    const { value } = Object.getOwnPropertyDescriptor(prototype, name);
    if (typeof value !== "function") continue;
    prototype[name] = function (...given) { count++; return value.apply(this, given); };
  }
  kymograph.seek(0.5);
  return count;
})()"""
COUNT_PICTURES = """(async () => {
  const picture = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < 2000) {
    kymograph.seek((performance.now() - start) / 2100);
    await picture();
    count++;
  }
  return count / (performance.now() - start) * 1000;
})()"""


def moving():
    """A second of elements that all move, each with its own opacity."""
    for frame in range(61):
        share = frame / 60
        items = []
        for number in range(ITEMS):
            x, y = number % 60 * 16 + 8 * math.sin(6 * share + number / 100), number // 60 * 19 + 8 * math.cos(5 * share + number / 50)
            items.append({"id": f"cell-{number}", "frame": [round(x, 3), round(y, 3), 15, 18],
                          "alpha": round(0.5 + 0.5 * abs(math.sin(3 * share + number)), 3)})
        yield {"t_ns": frame * 16_666_667, "frame": {"phase": "driving", "progress": share, "items" if frame == 0 else "changed": items}}


def test_items(browser, place, check):
    """A picture of 3,000 elements takes few calls an element."""
    path = place.record_lines("items-3000", {"refreshRate": 60, "viewport": [1000, 1000]}, moving())
    browser.look()
    browser.open(place.page("items-3000", path))
    check("the page of many elements is quiet", browser.complaints() == [], str(browser.complaints()))
    rate = browser.evaluate(COUNT_PICTURES)
    browser.call("Profiler.enable")
    browser.call("Profiler.startPreciseCoverage", callCount=True, detailed=False)
    browser.evaluate("kymograph.seek(0.25)")
    called = sum(calls(browser, lambda: browser.evaluate("kymograph.seek(0.26)")).values()) / ITEMS
    browser.call("Profiler.stopPreciseCoverage")
    browser.call("Profiler.disable")
    drawn = browser.evaluate(COUNT_DRAWN) / ITEMS
    print(f"  {ITEMS} elements move at {rate:.0f} pictures a second; each takes {drawn:.2f} calls of the canvas and {called:.1f} of functions")
    check(f"an element takes at most {MOST_DRAWN} calls of the canvas", drawn <= MOST_DRAWN, str(drawn))
    check(f"an element takes at most {MOST_CALLED} calls of functions", called <= MOST_CALLED, str(called))
