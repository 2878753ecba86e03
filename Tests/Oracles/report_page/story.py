"""The story at the head of a page, and what a page draws of it: held against `kymo show` and against motion of known lag."""
import json
import math

FRAME = 1 / 60
#: The finger lands, goes this far down in points, and lifts, in seconds; the card follows so many seconds later.
LANDING, WAY, DRAG, LAG = 0.1, 240, 0.3, 0.04
#: The share of its speed that the card keeps, and the spring that it goes on by, in 1/s² and 1/s.
KEPT, STIFFNESS, DAMPING = 0.3, 260, 27
HOSTILE = "<img src=x onerror=globalThis.hacked=1>"
LINES = ("[...document.querySelectorAll('.story li')].map((e) => ({ text: (e.querySelector('a') ?? e).textContent,"
         "isFault: e.className === 'fault', href: e.querySelector('a')?.getAttribute('href') ?? null }))")


def finger(time):
    """How far down the finger is after its landing: faster and faster, and from half of the time on at one speed."""
    share = min(max(time / DRAG, 0), 1)
    return WAY * (share * share if share < 0.5 else share - 0.25) * 4 / 3


def card(time, lift_speed):
    """How far down the card is, by the time after the landing: late behind the finger, then by a spring to 300 points."""
    if time <= DRAG:
        return finger(time - LAG)
    x, v, t = finger(DRAG - LAG), lift_speed * KEPT, DRAG
    while t < time:
        step = min(1e-4, time - t)
        v += (STIFFNESS * (300 - x) - DAMPING * v) * step
        x += v * step
        t += step
    return x


def dragged(place, name, drags=1, item="card", more=()):
    """Drags of a card, two seconds each, beside an element that rests; one of two keys never changes."""
    lines = []
    speed = (finger(DRAG) - finger(DRAG - 1e-6)) / 1e-6
    for number in range(drags):
        start = 2 * number
        for k in range(int(DRAG * 125) + 1):
            time = k / 125
            lines.append({"t_ns": round((start + LANDING + time) * 1e9), "touch": {
                "contact": number, "phase": "began" if k == 0 else "moved", "x": 150, "y": 200 + finger(time)}})
        lines.append({"t_ns": round((start + LANDING + DRAG) * 1e9), "touch": {
            "contact": number, "phase": "ended", "x": 150, "y": 200 + finger(DRAG)}})
        for k in range(118):
            time = k * FRAME
            y = 100 + (card(time - LANDING, speed) if time > LANDING else 0)
            lines.append({"t_ns": round((start + time) * 1e9), "frame": {
                "contentOffset": [0, 0], "contentSize": [390, 844], "items": [
                    {"id": item, "frame": [20, y, 300, 200], "alpha": 1, "zIndex": 1, "hidden": False},
                    {"id": "rest", "frame": [20, 700, 300, 100], "alpha": 1, "zIndex": 0, "hidden": False}]}})
            for key, value in [("scale", 2), ("way", y - 100)]:
                lines.append({"t_ns": round((start + time) * 1e9), "key": key, "value": value})
    lines.sort(key=lambda line: line["t_ns"])
    return place.record_lines(name, {"viewport": [390, 844], "refreshRate": 60}, lines + list(more))


def told(place, path):
    """The story as `kymo show` prints it: { text, isFault, time }, time in seconds of the session."""
    found = []
    rows = place.run("show", f"{path}#1").stdout.split("\n")
    begin = next(i for i, row in enumerate(rows) if row.startswith("did: "))
    for row in rows[begin + 2:]:
        if not row.startswith(("!", " ")):
            continue
        text, _, at = row[2:].partition(" [")
        found.append({"text": text, "isFault": row[0] == "!",
                      "time": float(at.split(" ")[0]) if at else None})
    return found


def test_head(browser, place, check):
    path = dragged(place, "dragged")
    page = place.page("dragged", path)
    browser.open(page)
    check("a page with a story is quiet", browser.complaints() == [], str(browser.complaints()))
    lines, shown = told(place, path), browser.evaluate(LINES)
    check("the head has the story of kymo show, line for line",
          [(one["text"], one["isFault"]) for one in lines] == [(one["text"], one["isFault"]) for one in shown] and lines,
          f"{shown} for {lines}")
    check("it begins with what follows the finger and how late", any(
        "follows y" in one["text"] and "behind the finger" in one["text"] for one in shown), str(shown))
    check("a line is a link if it has an instant, and no other",
          [one["time"] is None for one in lines] == [one["href"] is None for one in shown], str(shown))
    for number, line in enumerate(lines):
        if line["time"] is None:
            continue
        browser.evaluate("kymograph.seek(0)")
        browser.evaluate(f"document.querySelectorAll('.story li')[{number}].querySelector('a').click()")
        check(f"'{line['text'][:30]}' goes to its instant", abs(float(browser.state()["time"]) - line["time"]) < 0.0011,
              f"{browser.state()['time']} for {line['time']}")
    browser.open(place.page("hostile-story", dragged(place, "hostile-story", item=HOSTILE)))
    check("a hostile name in a story does nothing",
          browser.evaluate("typeof globalThis.hacked + document.images.length") == "undefined0"
          and browser.complaints() == [] and browser.evaluate(LINES), str(browser.complaints()))
    browser.open(place.page("storyless", place.record_lines("storyless", {}, [{"t_ns": 0, "key": "k", "value": 1}])))
    check("a session without frames has no story", browser.evaluate("document.querySelectorAll('.story').length") == 0)
    return path, page


def test_glance(browser, place, page, check):
    """The stage shows the time under the pointer as long as it rests on the time line."""
    browser.open(page, "#t=0.1")
    place_of = "kymograph.placeOf('way', 0.35)"
    x, y = browser.evaluate(place_of)
    card_at = "kymograph.places().find(({ item }) => item.id === 'card').points[0][1]"
    caption = "document.getElementById('caption-A').textContent"
    before = (browser.state()["time"], browser.evaluate(card_at), browser.evaluate(caption))

    def move(left, top):
        browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=left, y=top)
        return browser.state()

    state = move(x, y)
    check("the time of the moment stays while the pointer rests on the time line", state["time"] == before[0], str(state))
    frame = max(k for k in range(118) if k * FRAME <= float(state["glance"])) if state["glance"] else -1
    check("the stage goes along with the pointer", abs(float(state["glance"] or 0) - 0.35) < 0.01
          and browser.evaluate(caption) == f"frame {frame + 1} at {frame * FRAME:.3f} s"
          and browser.evaluate(card_at) > before[1] + 10, f"{state['glance']} {browser.evaluate(caption)}")
    state = move(5, 5)
    check("and goes back when the pointer leaves", state["glance"] == ""
          and (state["time"], browser.evaluate(card_at), browser.evaluate(caption)) == before, str(state))
    move(x, y)
    browser.press("ArrowRight")
    state = browser.state()
    check("a step shows its frame, wherever the pointer rests", state["glance"] == ""
          and browser.evaluate(caption) == f"frame {int(state['frame']) + 1} at {float(state['time']):.3f} s",
          f"{state} {browser.evaluate(caption)}")
    browser.press(" ")
    state = move(x + 3, y)
    check("while it plays, the pointer moves nothing", state["glance"] == "", str(state))
    browser.press(" ")
    move(5, 5)


def test_opening(browser, place, page, check):
    browser.open(page)
    lift = LANDING + DRAG
    check("a page opens at the lift if nothing was decided", abs(float(browser.state()["time"]) - lift) < 1e-6,
          str(browser.state()))
    browser.open(place.page("five", dragged(place, "five", drags=5)))
    state = browser.state()
    start, end = map(float, state.get("window", "0…0").split("…"))
    check("a session of many gestures opens at its first release", abs(float(state["time"]) - lift) < 1e-6, str(state))
    check("and looks at its first gesture, with as much on either side as to the next",
          start == 0 and abs(end - (lift + 2)) < 1e-3, state.get("window", ""))
    browser.press("r")
    check("R goes to the next lift", abs(float(browser.state()["time"]) - lift - 2) < 1e-6, str(browser.state()))
    browser.press("f")
    check("F shows all of it", browser.state()["window"].endswith(f"…{8 + 117 * FRAME:.6f}"), browser.state()["window"])


def test_lanes(browser, place, page, check):
    """Lanes: the subject, what is at fault, then the keys; what never changes is one line, which unfolds."""
    browser.open(page)
    names = "kymograph.lanes().filter(({ kind }) => kind === 'curve' || kind === 'folded').map(({ kind, name }) => name ?? kind)"
    fold = "document.querySelector('#labels .fold')"
    check("the subject comes first, then the keys, and what is constant is folded",
          browser.evaluate(names) == ["card: way along y", "way", "folded"], str(browser.evaluate(names)))
    check("the fold says how many there are", browser.evaluate(f"{fold}.textContent") == "1 constant ▸"
          and browser.evaluate(f"{fold}.ariaExpanded") == "false", browser.evaluate(f"{fold}.textContent"))
    browser.evaluate(f"{fold}.click()")
    check("it unfolds into lanes", browser.evaluate(names) == ["card: way along y", "scale", "way", "folded"]
          and browser.evaluate(f"{fold}.ariaExpanded") == "true", str(browser.evaluate(names)))
    browser.evaluate(f"{fold}.click()")
    check("and folds again", browser.evaluate(names) == ["card: way along y", "way", "folded"], str(browser.evaluate(names)))
    # An element that is thrown by 40 points in one frame on its way is at fault, and no finger drives it.
    jump = [{"t_ns": round(k * FRAME * 1e9), "frame": {"contentOffset": [0, 0], "contentSize": [390, 844], "items": [
        {"id": name, "frame": [80 - 60 * math.cos(math.pi * k / 60) + (40 if name == "jumpy" and k >= 30 else 0), top, 60, 60], "alpha": 1,
         "zIndex": 0, "hidden": False} for name, top in [("calm", 100), ("jumpy", 300)]]}} for k in range(60)]
    values = [{"t_ns": round(k * FRAME * 1e9), "key": "k", "value": k} for k in range(60)]
    browser.open(place.page("jumpy", place.record_lines("jumpy", {"viewport": [390, 844], "refreshRate": 60}, sorted(
        jump + values, key=lambda line: line["t_ns"]))))
    found = browser.evaluate(names)
    check("what is at fault stands before the keys, others behind them",
          found == ["jumpy: way along x", "k", "calm: way along x"], str(found))
    marks = browser.evaluate("[...document.querySelectorAll('#event-rows li span')].map((e) => e.textContent)")
    check("and its fault is marked", any(text.startswith("fault: jumpy: jumps 4") for text in marks), str(marks))


def test_subject(browser, place, page, check):
    """The finger over the subject from where that rested, the lag that was put in, and both speeds at the lift."""
    browser.open(page)
    [drag] = browser.evaluate("kymograph.drags('card: way along y')")
    right = [(LANDING + k / 125, finger(k / 125)) for k in range(int(DRAG * 125) + 1)] + [(LANDING + DRAG, finger(DRAG))]
    worst = max((max(abs(a - c), abs(b - d)) for (a, b), (c, d) in zip(drag["finger"], right)), default=9)
    check("the finger's curve is its way from the landing on", len(drag["finger"]) == len(right) and worst < 0.01,
          f"{worst} {len(drag['finger'])}")
    value, low, high = drag["lag"]
    check("the lag that was put in is in its interval", low <= LAG <= high and abs(value - LAG) < 0.005, str(drag["lag"]))
    check("it is drawn in mid-drag", LANDING < drag["middle"] < LANDING + DRAG, str(drag["middle"]))
    speeds = {one["of"]: one for one in drag["tangents"]}
    lift = (finger(DRAG) - finger(DRAG - 1e-6)) / 1e-6
    for name, speed in [("finger", lift), ("subject", lift * KEPT)]:
        value, low, high = speeds[name]["speed"]
        check(f"the tangent of the {name} has its speed at the lift", low <= speed <= high
              and abs(speeds[name]["t"] - LANDING - DRAG) < FRAME + 1e-6, f"{speeds[name]} for {speed}")
    worst = max((abs(value - card(at - LANDING, lift)) for at, value in drag["spring"]), default=99)
    ends = [drag["spring"][0][0], drag["spring"][-1][0]]
    check("the spring of the settle runs from the lift to the rest, on the card's way",
          worst < 1 and abs(ends[0] - LANDING - DRAG) < 2.5 * FRAME and ends[1] > ends[0] + 0.2, f"{worst} {ends}")
    words = [word["text"] for word in browser.evaluate("kymograph.words('card: way along y')")]
    check("lag and both speeds are told in the lane", any("ms (" in word for word in words)
          and any(word.startswith("let go at") for word in words) and any("keeps" in word for word in words)
          and any(word.startswith("spring: stiffness 26") and ", damping 27" in word for word in words), str(words))
    rows = browser.evaluate("[...document.querySelectorAll('#event-rows li span')].map((e) => e.textContent)")
    check("a release without a decision is a marker that says so", any("derived from its contact" in row for row in rows),
          str(rows))
    legend = browser.evaluate("document.getElementById('notes').textContent")
    check("the notes say how spring and derived release are drawn", "pale line under the settle" in legend
          and "hollow circle is a release that was derived" in legend)
    named = browser.evaluate("""[...document.querySelectorAll('#labels > div')].filter((box) => box.querySelector('.legend'))
        .map((box) => [box.querySelector('b').textContent, box.querySelector('.legend').textContent])""")
    check("the finger's curve has its entry beside the lane's name", [name.replace("\u200b", "") for name, _ in named]
          == ["card: way along y"] and named[0][1] == "finger", str(named))
    value = browser.evaluate("kymograph.value('card: way along y')")
    speed = (finger(DRAG) - finger(DRAG - 1e-6)) / 1e-6
    check("the curve is the card's way", abs(value - card(DRAG, speed)) < 1e-3, f"{value} for {card(DRAG, speed)}")
    browser.open(page)
    browser.look(width=360, height=740)
    browser.state()
    wide = browser.evaluate("document.scrollingElement.scrollWidth")
    check("a narrow window has room for it", wide <= 360, str(wide))
    browser.picture(place.folder / "dragged-narrow.png")
    browser.look()
    browser.open(page)
    browser.picture(place.folder / "dragged.png")
    browser.open(place.folder / "five.html")
    drags = browser.evaluate("kymograph.drags('card: way along y')")
    spans = [(drag["finger"][0][0], drag["finger"][-1][0]) for drag in drags]
    check("each contact has a curve of its own", len(spans) == 5 and all(
        abs(start - 2 * number - LANDING) < 1e-6 and abs(end - start - DRAG) < 1e-6
        for number, (start, end) in enumerate(spans)), str(spans))


def test_outlined(browser, place, page, check):
    """B's outlines have names where they lie apart from A's items, and none where they lie on them."""
    def later(line):
        return {**line, "t_ns": line["t_ns"] + 1}
    other = place.record_lines("elsewhere", {"viewport": [390, 844], "refreshRate": 60}, [later(
        {"t_ns": round(k * FRAME * 1e9), "frame": {"contentOffset": [0, 0], "contentSize": [390, 844], "items": [
            {"id": "card", "frame": [20, 400, 300, 200], "alpha": 1, "zIndex": 1, "hidden": False},
            {"id": "rest", "frame": [20, 700, 300, 100], "alpha": 1, "zIndex": 0, "hidden": False}]}}) for k in range(118)])
    browser.open(place.page("outlined", place.folder / "dragged.kymo", other), "#t=0.05")
    browser.state()
    found = browser.evaluate("kymograph.outlined().map(({ text }) => text)")
    check("an outline apart from its item has its name", found == ["card"], str(found))
    browser.picture(place.folder / "outlined.png")
    browser.evaluate("document.getElementById('show-names').click()")
    browser.state()
    check("and none if names are off", browser.evaluate("kymograph.outlined().length") == 0)


def test_story(browser, place, check):
    path, page = test_head(browser, place, check)
    test_glance(browser, place, page, check)
    test_opening(browser, place, page, check)
    test_lanes(browser, place, page, check)
    test_subject(browser, place, page, check)
    test_outlined(browser, place, page, check)
