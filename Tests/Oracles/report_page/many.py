"""A page of many releases: how much its script does when it opens and when all of them are shown, by counts."""

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
