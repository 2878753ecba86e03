"""How a page can be looked at: the time axis, the ranges of curves, one key against another, many and odd keys."""
import json
import math
import pathlib
import urllib.parse

from report_page.rows import Recording

GESTURES = pathlib.Path(__file__).resolve().parent.parent.parent / "Fixtures" / "gestures"
CLOCK = "document.getElementById('clock').textContent"
HASH = "location.hash"


def choose(browser, name, value):
    """Chooses in a list, or types into a field, as a person does."""
    browser.evaluate(f"(() => {{ const e = document.getElementById('{name}'); e.value = {json.dumps(value)};"
                     "e.dispatchEvent(new Event('input')); e.dispatchEvent(new Event('change')); })()")


def label(browser, name):
    """The words beside a curve: its name, its value and its range."""
    return browser.evaluate(
        "[...document.querySelectorAll('#labels > div')].find((e) => e.querySelector('b')?.textContent === "
        f"{json.dumps(name)})?.innerText ?? ''")


def test_axis(browser, page, recording, check):
    release = recording.rows("decisions")[0]["t_ns"]
    browser.open(page, "#t=0.25&axis=release")
    words = f"{(250_000_000 - release) / 1e9:.3f} s from release, frame"
    check("the address chooses the axis", browser.evaluate(CLOCK).startswith(words), browser.evaluate(CLOCK))
    ruler = browser.evaluate("document.querySelector('#labels b').textContent")
    check("the ruler says what it counts", ruler == "s from release", ruler)
    browser.press("t")
    check("T counts the next thing, and takes no focus", browser.evaluate("document.activeElement.tagName") == "BODY")
    check("frames are counted", browser.evaluate(CLOCK).startswith("frame 31 of 129, 0.250 s"), browser.evaluate(CLOCK))
    check("and the address keeps that", browser.evaluate(HASH) == "#t=0.250&axis=frame", browser.evaluate(HASH))
    choose(browser, "axis", "start")
    check("the recording's own clock needs no word", browser.evaluate(HASH) == "#t=0.250", browser.evaluate(HASH))


def test_time_of_day(browser, place, check):
    kinds = "[...document.getElementById('axis').options].map((o) => o.value)"
    browser.open(place.page("no-clock", place.record_lines("no-clock", {}, [{"t_ns": 0, "key": "k", "value": 1}])))
    check("what the file does not know is not offered", browser.evaluate(kinds) == ["start", "clock"], str(browser.evaluate(kinds)))
    path = place.folder / "day.kymo"
    place.run("record", "--scenario", place.folder / "pinch.json", "--gesture", GESTURES / "pinch-open.evemu",
              "--into", path, "--wall-clock", "2026-01-31T23:59:59.900Z")
    browser.open(place.page("day", path), "#t=0.25&axis=clock")
    words = browser.evaluate(CLOCK)
    check("the time of day goes over midnight", words.startswith("00:00:00.150 UTC"), words)
    check("that page is quiet", browser.complaints() == [], str(browser.complaints()))


def test_ranges(browser, page, recording, check):
    browser.open(page, "#t=0.25")
    browser.press("y")
    check("Y takes the next range", browser.state()["range"] == "visible", str(browser.state()))
    choose(browser, "range-mode", "own")
    choose(browser, "range-key", "progress")
    choose(browser, "range-low", "-0.5")
    choose(browser, "range-high", "2")
    check("a range is set by hand", "-0.5 … 2" in label(browser, "progress") and "set" in label(browser, "progress"),
          label(browser, "progress"))
    check("and kept in the address", browser.evaluate(HASH) == "#t=0.250&range=progress,-0.5,2", browser.evaluate(HASH))
    choose(browser, "range-low", "7")
    check("one that ends below its beginning is not taken", "-0.5 … 2" in label(browser, "progress"))
    browser.evaluate("document.getElementById('range-auto').click()")
    check("and taken back", "set" not in label(browser, "progress") and browser.evaluate(HASH) == "#t=0.250",
          label(browser, "progress"))
    choose(browser, "range-mode", "shared")
    x, y = label(browser, "PositionX").split("\n"), label(browser, "PositionY").split("\n")
    check("keys of one unit share a range", x[-2:] == y[-2:] and x[-1] == "shared", f"{x} {y}")
    choose(browser, "range-mode", "visible")
    browser.evaluate("document.getElementById('plot').focus()")
    browser.press("z")
    browser.press("z")
    start, end = (round(float(part) * 1e9) for part in browser.state()["window"].split("…"))
    recording.value_at("PositionX", 0)
    seen = [value for time, value in recording.curves["PositionX"] if start <= time <= end]
    told = label(browser, "PositionX").split("\n")[-2].split(" ")
    near = all(math.isclose(float(text), value, rel_tol=0.006, abs_tol=1e-4)
               for text, value in [(told[0], min(seen)), (told[2], max(seen))])
    check("what is visible has its own range", near, f"{told} for {min(seen)} {max(seen)}")
    check("in the address too", browser.evaluate(HASH).endswith("&y=visible"), browser.evaluate(HASH))


def test_xy(browser, page, recording, check):
    browser.open(page, "#t=0.25&xy=progress,PositionY")
    check("the address opens the plot", browser.evaluate("document.getElementById('xy-details').open"))
    for moment in [50_000_000, 250_000_000, recording.rows("decisions")[0]["t_ns"], 900_000_000]:
        browser.evaluate(f"kymograph.seek({moment / 1e9!r})")
        shown = [float(part) for part in browser.state()["xy"].split(",")]
        right = [recording.value_at(key, moment) for key in ["progress", "PositionY"]]
        near = all(abs(a - b) <= 1e-5 for a, b in zip(shown, right))
        check(f"the dot is where both keys are at {moment} ns", near, f"{shown} for {right}")
    drawn = ("(() => { const c = document.getElementById('xy-base'); const d = c.getContext('2d').getImageData("
             "0, 0, c.width, c.height).data; let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; })()")
    check("the path is drawn", browser.evaluate(drawn) > 300, str(browser.evaluate(drawn)))
    choose(browser, "xy-x", "scale")
    check("another key goes into the address", browser.evaluate(HASH).endswith("&xy=scale,PositionY"), browser.evaluate(HASH))
    browser.look(width=360, height=740)
    browser.state()
    wide = browser.evaluate("document.scrollingElement.scrollWidth")
    check("a narrow window has room for it", wide <= 360, str(wide))
    browser.look()
    browser.press("p")
    browser.state()
    check("P closes it", not browser.evaluate("document.getElementById('xy-details').open")
          and "xy=" not in browser.evaluate(HASH), browser.evaluate(HASH))


def test_steps(browser, place, check):
    """Every value holds until the next sample; only B minus A is read on lines, and on steps as for compare."""
    path = place.record_lines("steps", {}, [
        {"t_ns": t * 10**8, "key": key, "value": value, "unit": "1"} for t in range(9)
        for key, value in [("page", t // 3), ("way", t * 1.5), ("count", t * 3)]])
    page = place.page("steps", path)
    for moment, values in [(0.25, [0, 3, 6]), (0.299999, [0, 3, 6]), (0.3, [1, 4.5, 9]), (0.8, [2, 12, 24])]:
        browser.open(page, f"#t={moment}")
        shown = browser.evaluate("['page', 'way', 'count'].map((key) => kymograph.value(key))")
        near = all(abs(a - b) < 1e-4 for a, b in zip(shown, values))
        check(f"values hold at {moment}", near, f"{shown} for {values}")
    other = place.record_lines("stairs", {}, [
        {"t_ns": t * 10**8, "key": "page", "value": (t + 1) // 3, "unit": "1"} for t in range(9)])
    browser.open(place.page("step-pair", path, other), "#t=0.25")
    told = json.loads(place.run("compare", path, other, "--json", "--key", "page", code=1).stdout)[0]
    check("the residual of steps is that of compare", float(browser.state()["residualMax"]) == told["max"] == 1
          and told["interpolation"] == "hold", f"{browser.state()['residualMax']} {told}")
    browser.open(page, "#t=0.1")
    browser.press("i")
    browser.evaluate("kymograph.seek(0.7)")
    browser.press("o")
    row = browser.evaluate("document.getElementById('selection').textContent")
    # Two tenths of a second at 0, three at 1, one at 2, over six.
    check("their mean is over the time that they hold", f"mean {5 / 6:.3f}, slope" in row, row)


def test_strange_addresses(browser, page, check):
    for fragment in ["#axis=clock&t=0.1", "#axis=constructor&y=toString", "#xy=none,progress", "#xy=%", "#range=progress,1",
                     "#range=progress,2,1", "#range=%E0%A4%A,0,1", "#range=progress,NaN,Infinity", "#=&&=&t", "#y=shared&axis=%"]:
        browser.open(page, fragment)
        state = browser.state()
        check(f"{fragment} is harmless", state.get("ready") == "true" and browser.complaints() == [],
              f"{state} {browser.complaints()}")


def test_many_keys(browser, place, check):
    """A thousand keys, some of them with long names."""
    names = [f"module{i // 100}.part{i // 10 % 10}.key{i}" for i in range(998)]
    names += ["com.example.application.view.controller.transition.progress." * 3 + end for end in ["x", "y"]]
    path = place.record_lines("thousand", {}, [
        {"t_ns": t * 10**7, "key": name, "value": math.sin(t + i)} for t in range(3) for i, name in enumerate(names)])
    page = place.page("thousand", path)
    browser.open(page)
    check("a thousand keys are quiet", browser.complaints() == [], str(browser.complaints()))
    boxes = browser.evaluate("document.querySelectorAll('#key-list input').length")
    check("the tabulator gets past them", boxes <= 44, str(boxes))
    choose(browser, "key-filter", "key777")
    found = browser.evaluate("[...document.querySelectorAll('#key-list label')].map((e) => e.textContent)")
    check("a key is found by its name", "module7.part7.key777" in found and len(found) == 5, str(found))
    browser.evaluate("[...document.querySelectorAll('#key-list input')].at(-1).click()")
    browser.press("m")
    browser.evaluate("document.getElementById('key-filter').focus()")
    browser.press("f")
    check("typing there is no command", browser.evaluate("document.getElementById('key-filter').value").endswith("f"))
    choose(browser, "key-filter", "progress.x")
    browser.evaluate("[...document.querySelectorAll('#key-list input')].at(-1).click()")
    cut = browser.evaluate("[...document.querySelectorAll('#labels b.key')].filter((e) => "
                           "e.getBoundingClientRect().right > e.parentElement.getBoundingClientRect().right + 1 || "
                           "e.getBoundingClientRect().height > 70).map((e) => e.textContent)")
    check("names are not cut", cut == [], str(cut))
    ends = browser.evaluate("[...document.querySelectorAll('#labels b.key')].at(-1).textContent")
    check("a long name keeps its end", ends.endswith("progress.x"), ends)
    hostile = urllib.parse.quote("a,b&c=</script>%", safe="")
    path = place.record_lines("comma", {}, [{"t_ns": t * 10**7, "key": "a,b&c=</script>%", "value": t} for t in range(9)])
    browser.open(place.page("comma", path), f"#t=0.04&range={hostile},-3,30")
    check("any name goes through the address",
          "-3 … 30" in label(browser, "a,b&c=</script>%"), label(browser, "a,b&c=</script>%"))


def frame(time, x, width):
    return {"t_ns": time, "frame": {"contentOffset": [0, 0], "contentSize": [100, 100], "items": [
        {"id": "i", "frame": [x, 0, width, 50], "alpha": 1, "zIndex": 0, "hidden": False}]}}


def test_extremes(browser, place, check):
    """What lies at the ends of what numbers can hold is shown without a complaint, however it is looked at."""
    def values(key, value):
        return [{"t_ns": t * 10**7, "key": key, "value": value(t)} for t in range(20)]
    cases = {
        "huge-values": (None, values("k", lambda t: (-1) ** t * 1.7e308) + values("j", lambda t: 1e17 + 16 * t)
                        + values("tiny", lambda t: 5e-324 * t)),
        "huge-frames": ([100, 100], [frame(0, 1e300, 50), frame(10**7, -1e300, 1e300), frame(2 * 10**7, 0, 1e-300)]),
        "huge-times": (None, [{"t_ns": 0, "key": "k", "value": 1}, {"t_ns": 9 * 10**18, "key": "k", "value": 2},
                              frame(9 * 10**18, 0, 9)]),
        "backwards": ([100, 100], [frame(5 * 10**7, 0, 50), frame(10**7, 10, 50), frame(9 * 10**7, 20, 50)]),
        "no-viewport": ([0, 0], [frame(0, 0, 0)]), "one-sample": (None, [{"t_ns": 0, "key": "k", "value": 3}]),
        "level": (None, values("k", lambda t: 3) + values("j", lambda t: 3)),
        "many-marks": (None, [{"t_ns": t * 10**6, "event": "mark", "text": f"mark {t}"} for t in range(900)])}
    for name, (viewport, lines) in cases.items():
        page = place.page(name, place.record_lines(name, {"viewport": viewport} if viewport else {}, lines))
        for fragment in ["", "#axis=clock&xy=k,k&y=visible", "#axis=frame&xy=k,j&y=shared&t=0.05"]:
            browser.open(page, fragment)
            ready = browser.state().get("ready")
            for key in ["ArrowRight", "]", "[", "r", "End", "z", "z", "x", "f", "i", "o", "Escape", "p", "p", "Home"]:
                browser.press(key)
            text = browser.evaluate("document.body.innerText")
            odd = [word for word in ["NaN", "Infinity", "undefined"] if word in text]
            check(f"{name}{fragment} is shown", ready == "true" and browser.complaints() == [] and odd == [],
                  f"{ready} {browser.complaints()} {odd}")


def test_many_releases(browser, page, check):
    """The first releases stand in the head; the others are one press away and push nothing out of sight."""
    browser.open(page)
    browser.state()
    words = browser.evaluate("[...document.querySelectorAll('#releases button')].map((e) => e.textContent)")
    check("of thirty releases two are told and the rest counted",
          len(words) == 3 and words[2] == "and 28 more releases, in the list of markers", str(words))
    check("of a transition that ran by time no threshold is given", "progress 1, velocity" in words[0]
          and words[0].endswith("decided by time") and not browser.evaluate("kymograph.words('progress').some(({ text }) => text.includes('threshold'))"), words[0])
    browser.evaluate("[...document.querySelectorAll('#releases button')].at(-1).click()")
    rows = browser.evaluate("[...document.querySelectorAll('#event-rows li')].filter((e) => e.checkVisibility())"
                            ".map((e) => e.textContent).filter((e) => e.includes('release: At'))")
    check("the list has them all", len(rows) == 30, str(len(rows)))


def test_first_sight(browser, place, pages, check):
    """What is seen without scrolling, on a desk and on a phone."""
    for width, height in [(1280, 800), (390, 844)]:
        browser.look(width=width, height=height)
        for page in pages:
            browser.open(page)
            browser.state()
            places = browser.evaluate(
                "['#releases', '#stage-A', '#scrub'].map((s) => { const b = document.querySelector(s).getBoundingClientRect();"
                "return [b.top, b.bottom]; })")
            check(f"{page.stem}: the release is seen at once at {width}", places[0][1] < 300, str(places))
            check(f"{page.stem}: and the stage", places[1][0] < height - 120, str(places))
            check(f"{page.stem}: and the slider, on a desk", width < 900 or places[2][1] < height, str(places))
            browser.picture(place.folder / f"{page.stem}-{width}.png")
    browser.look()


def test_looks(browser, place, page, path, check):
    recording = Recording(path)
    test_axis(browser, page, recording, check)
    test_time_of_day(browser, place, check)
    test_ranges(browser, page, recording, check)
    test_xy(browser, page, recording, check)
    test_steps(browser, place, check)
    test_strange_addresses(browser, page, check)
    test_extremes(browser, place, check)
    test_many_keys(browser, place, check)
