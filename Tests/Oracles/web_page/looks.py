"""What the recorder sees of elements (how they are turned, whether they are there, what moves them), and the ways in
and out of a recording."""
import json
import math

from export_checks.checking import check
from web_page.place import ROOT

FLICK = ROOT / "Tests/Fixtures/gestures/drag-flick.getevent.txt"

# A thousandth of a pixel for each rounded number, and a browser's own sixty-fourths.
NEAR = 0.05


def frames_of(lines):
    """Each frame with everything that is on it: (ns, frame, {id: item})."""
    shown = {}
    for line in lines.splitlines():
        row = json.loads(line)
        if "frame" not in row:
            continue
        frame = row["frame"]
        if "items" in frame:
            shown = {}
        for item in frame.get("items", frame.get("changed", [])):
            shown[item["id"]] = item
        for item in frame.get("gone", []):
            del shown[item["id"]]
        yield row["t_ns"], frame, dict(shown)


def corners(item):
    """The four corners of an item, from the top left one on with the clock."""
    if "frame" in item:
        x, y, width, height = item["frame"]
        return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    (x, y), (width, height), (a, b, c, d, *_) = item["center"], item["size"], item["transform"]
    points = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    return [(x + a * right + c * down, y + b * right + d * down) for right, down in points]


def middle(item):
    return item.get("center") or [item["frame"][0] + item["frame"][2] / 2, item["frame"][1] + item["frame"][3] / 2]


def test_turning(browser, place):
    """Corners are where the marks in them are, however an element is turned."""
    browser.open(place.page("turning.html"))
    browser.evaluate("kymo.start({items: '.card, .card > i, #drawn, circle'})")
    browser.frames(40)
    browser.evaluate("scrollTo(0, 300)")
    browser.frames(40)
    lines = browser.evaluate("kymo.stop()")
    names = ["turned", "property", "scaled", "inside", "padded", "bordered", "upright", "quarter", "drawn"]
    worst, turned, count = dict.fromkeys(names, 0.0), set(), 0
    for _, frame, shown in frames_of(lines):
        count += 1
        for name in names:
            turned |= {name} if "transform" in shown[name] else set()
            marks = [middle(shown[f"{name}.{corner}"]) for corner in range(4)]
            found = corners(shown[name])
            if name == "upright":
                # Scaled alone it is a frame, whose corners are where they are.
                check("an element that is only scaled is a frame", "frame" in shown[name], shown[name])
            worst[name] = max(worst[name], *(math.dist(one, other) for one, other in zip(found, marks)))
    check("frames were read", count > 40, count)
    check("what turns has a transform, what does not has a frame", turned == set(names) - {"upright"}, turned)
    for name in names:
        check(f"the corners of '{name}' are where its marks are", worst[name] <= NEAR, worst[name])
    print(f"  turned elements: corners off by at most {max(worst.values()):.4f} px")
    last = list(frames_of(lines))[-1]
    check("the document was scrolled, and what stands in it stays where it is", last[1]["contentOffset"] == [0, 300]
          and last[2]["quarter"] == list(frames_of(lines))[0][2]["quarter"], last[1])
    check("turned in space it is the box around it", "frame" in last[2]["space"], last[2]["space"])
    check("opacity is that of what is around it, too", abs(last[2]["inside"]["alpha"] - 0.25) < 1e-6, last[2]["inside"])
    path = place.record("turning", lines)
    items = place.rows("replay", path, "--items", "--at", str(last[0]) + "ns")
    row = next(row for row in items if row["id"] == "turned")
    check("the recording has the size and the transform", row["size"] == last[2]["turned"]["size"]
          and row["transform"] == last[2]["turned"]["transform"], row)


ELEMENTS = """<!doctype html><meta charset="utf-8"><title>elements</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { margin: 0; height: 3000px } .b { width: 50px; height: 50px; position: absolute; left: 10px; top: 10px }
#fading { transition: opacity 200ms linear; opacity: 1 }
@keyframes glide { from { translate: 0 0 } to { translate: 100px 0 } }
#gliding { animation: glide 300ms linear forwards; animation-play-state: paused }</style>
<div class="b" data-kymo="plain"></div><div class="b" data-kymo="twin"></div><div class="b" data-kymo="twin"></div>
<div class="b" id="fading" data-kymo="fading"></div><div class="b" id="gliding" data-kymo="gliding"></div>
<div class="b" data-kymo="low" style="z-index: -3; visibility: hidden"></div>
<form data-kymo="form"><input name="id"></form><span data-kymo></span>
<script src="record.min.js"></script>"""


def test_elements(browser, place):
    """Elements come, go and hide; animations, the viewport and what is no JSON are told."""
    page = place.folder / "elements.html"
    page.write_text(ELEMENTS)
    browser.open(page)
    browser.evaluate("kymo.value('before', 1); kymo.event('before'); kymo.start()")
    browser.frames(4)
    browser.evaluate("""(() => {
      const plain = document.querySelector("[data-kymo=plain]");
      plain.remove();
      document.body.insertAdjacentHTML("beforeend", '<p class="b" data-kymo="new"></p>');
      document.querySelector("[data-kymo=fading]").style.opacity = 0;
      document.querySelector("[data-kymo=gliding]").style.animationPlayState = "running";
      document.querySelectorAll("[data-kymo=twin]")[1].style.display = "none";
      const circle = {}; circle.itself = circle;
      kymo.event("circle", circle);
      kymo.event("frame", {event: "no", t_ns: "no", endless: Infinity});
      kymo.event("constructor");
      kymo.value("nothing", NaN); kymo.value("nothing", undefined);
      kymo.value("height", 3, {unit: "px"}); kymo.value("height", 4);
      kymo.event("start"); kymo.value("progress", 0.5); kymo.event("cancel"); kymo.value("progress", 0.25);
      plain.dataset.kymo = "other"; document.body.append(plain);
    })()""")
    browser.evaluate("new Promise((done) => setTimeout(done, 500))")
    browser.call("Emulation.setDeviceMetricsOverride", width=800, height=360, deviceScaleFactor=2, mobile=True)
    browser.frames(6)
    browser.evaluate("scrollTo(0, 120.5); kymo.event('frame'); "
                     "document.dispatchEvent(new Event('visibilitychange'))")
    browser.frames(4)
    lines = browser.evaluate("kymo.stop()")
    browser.call("Emulation.setDeviceMetricsOverride", width=360, height=800, deviceScaleFactor=3, mobile=True)
    rows = [json.loads(line) for line in lines.splitlines()]
    header, all_frames = rows[0], list(frames_of(lines))
    first, last = all_frames[0][2], all_frames[-1][2]
    check("the header says what the recording was made in", header["viewport"] == [360, 800]
          and header["name"] == "elements" and 30 < header["refreshRate"] < 250, header)
    check("nothing is told before the start", "before" not in lines)
    check("items of one name are told apart", {"twin", "twin#2"} <= set(first), sorted(first))
    check("an item without a name is its tag and a number", "span#1" in first and "form" in first, sorted(first))
    check("what left, came and was renamed is told",
          {"new", "other"} <= set(last) and "plain" not in last, sorted(last))
    check("what is not displayed is hidden where it was", last["twin#2"].get("hidden")
          and last["twin#2"]["frame"] == first["twin#2"]["frame"], last["twin#2"])
    check("order and visibility are told", (first["low"]["zIndex"], first["low"]["hidden"]) == (-3, True), first["low"])
    check("an animation that stays is where it ended", last["gliding"]["frame"][0] == 110, last["gliding"])
    keys = {}
    for row in rows:
        if "key" in row:
            keys.setdefault(row["key"], []).append(row)
    for name in ["animation:opacity@fading", "animation:glide@gliding"]:
        values = [row["value"] for row in keys.get(name, [])]
        check(f"{name} is a curve that rises", len(values) > 5 and values == sorted(values), values)
        marks = [row["text"] for row in rows if row.get("event") == "mark" and row["text"].startswith(name)]
        check(f"{name} is marked, and its end", marks == [name, f"{name}: finish"], marks)
    opacities = [shown["fading"].get("alpha", 1) for _, _, shown in all_frames]
    check("opacity is seen on its way", opacities == sorted(opacities, reverse=True)
          and any(0.1 < alpha < 0.9 for alpha in opacities), opacities)
    check("a value that is no number is left out", "nothing" not in keys)
    check("the unit goes on", [row["unit"] for row in keys["height"]] == ["px", "px"], keys["height"])
    check("what follows a cancel settles", [row["phase"] for row in keys["progress"]] == ["driving", "settling"],
          keys["progress"])
    events = {row["event"]: row for row in rows if "event" in row}
    check("fields that are no JSON leave the event", set(events["circle"]) == {"t_ns", "event"}, events["circle"])
    check("no field takes the place of time or kind", events["frame"]["event"] == "frame"
          and isinstance(events["frame"]["t_ns"], int) and "constructor" in events, events)
    check("a new viewport is told", events["viewport"]["size"] == [800, 360] and events["viewport"]["dpr"] == 2,
          events.get("viewport"))
    check("visibility is told", events["visibility"]["state"] == "visible", events.get("visibility"))
    scrolled = all_frames[-1][1]
    check("scrolling is told, to whole pixels where the browser has no others",
          scrolled["contentOffset"][1] in [120, 120.5, 121] and scrolled["contentSize"] == [800, 3000], scrolled)
    path = place.record("elements", lines)
    kinds = {row["event"] for row in place.rows("list", "events", path)}
    check("the recording has them all", {"viewport", "visibility", "mark", "circle"} <= kinds, kinds)
    check("a second recording is one of its own", browser.evaluate(
        "kymo.start(); kymo.value('again', 1); kymo.stop()").count("\n") == 2)


def touches_of(lines):
    return [json.loads(line)["touch"] for line in lines.splitlines() if '"touch":' in line]


def test_ways(browser, place):
    """A mouse, a recording that begins in the midst of a gesture, a progress that is asked for, and every way out."""
    page = place.page("sheet.html")

    def mouse(kind, x, buttons=0):
        button = "none" if kind == "mouseMoved" and not buttons else "left"
        browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=100, buttons=buttons, button=button, clickCount=1)

    for options, phases in [("", ["began", "moved", "moved", "ended"]), ("{mouse: false}", [])]:
        browser.open(page)
        browser.evaluate(f"kymo.start({options})")
        mouse("mouseMoved", 50)
        mouse("mousePressed", 60, 1)
        mouse("mouseMoved", 70, 1)
        browser.frames()
        mouse("mouseMoved", 80, 1)
        browser.frames()
        mouse("mouseReleased", 80)
        mouse("mouseMoved", 90)
        browser.frames()
        touches = touches_of(browser.evaluate("kymo.stop()"))
        check(f"a mouse with {options or 'no wishes'} is told while it is pressed",
              [touch["phase"] for touch in touches] == phases, touches)

    calls = place.touches(FLICK, 1 / 3).splitlines(True)
    browser.open(page)
    browser.drive("".join(calls[:10]))
    # The last of them may wait for a frame.
    browser.frames()
    browser.evaluate("kymo.start()")
    later = [json.loads(line) for line in calls[10:]]
    begin = later[0]["t_ns"]
    browser.drive("".join(json.dumps(line | {"t_ns": line["t_ns"] - begin}) + "\n" for line in later))
    browser.frames()
    lines = browser.evaluate("kymo.stop()")
    phases = [touch["phase"] for touch in touches_of(lines)]
    check("a finger that was down already lands with its first move",
          phases == ["began"] + ["moved"] * (len(later) - 2) + ["ended"], phases)
    place.record("midst", lines)

    browser.open(page)
    browser.evaluate("globalThis.share = 0.25; kymo.start({progress: () => share, name: 'asked', software: 'page 2'})")
    browser.frames(3)
    browser.evaluate("kymo.event('start'); share = 0.5")
    browser.frames(3)
    lines = browser.evaluate("kymo.stop()")
    rows = [json.loads(line) for line in lines.splitlines()]
    check("a progress that is asked for is a key, and stands in the frames",
          [row["value"] for row in rows if row.get("key") == "progress"] == [0.25, 0.5]
          and {row["frame"].get("progress") for row in rows if "frame" in row} == {0.25, 0.5}, rows[:4])
    check("the header has the names that were wished for",
          (rows[0]["name"], rows[0]["software"]) == ("asked", "page 2"), rows[0])
    path = place.record("asked", lines)
    check("and the recording has its name", place.rows("list", "sessions", path)[0]["name"] == "asked")

    plain = place.folder / "plain.html"
    plain.write_text(ELEMENTS.replace('<script src="record.min.js"></script>', ""))
    browser.open(plain)
    # As a bookmark is kept: without what an address cannot have.
    bookmark = "javascript:" + (place.folder / "record.min.js").read_text() + "kymo.start();void 0"
    browser.evaluate(f"location.href = {json.dumps(bookmark)}; 0")
    browser.frames(5)
    place.record("bookmark", browser.evaluate("kymo.stop()"))
    check("it works as a bookmark", "plain" in list(frames_of(browser.evaluate("kymo.text()")))[-1][2])

    ways = browser.evaluate("""(async () => {
      const seen = {};
      URL.createObjectURL = (blob) => { seen.download = blob.text(); return "#"; };
      globalThis.fetch = async (address, wishes) => { seen.post = [address, wishes.method, wishes.body]; };
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { seen.copy = text; } } });
      console.log = (text) => { seen.log = text; };
      kymo.download("run.ndjson"); kymo.log(); await kymo.copy(); await kymo.post("/here");
      return { ...seen, download: await seen.download };
    })()""")
    lines = browser.evaluate("kymo.text()")
    check("every way out has the same lines", ways == {
        "download": lines, "copy": lines, "log": lines, "post": ["/here", "POST", lines]}, str(ways)[:300])
