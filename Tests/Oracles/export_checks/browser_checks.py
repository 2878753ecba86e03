"""Keyframes and moving pictures, played by a real Chromium without network."""
import json
import sys

from export_checks.checking import check
from export_checks.stage import boxes, shown_frames
from report_page.browser import Browser, program
from report_page.rows import Recording

NAMES = ["pinch", "insert", "circle", "follow", "turns", "layers"]
# Both ends of an edge, the turn of a few hundred points, and the single precision that a browser counts with.
POINTS = 0.35

PAGE = """<!doctype html><meta charset="utf-8"><style>body{margin:0}#stage{position:relative}</style>
<div id="stage"></div><script>
const data = %s;
const stage = document.getElementById("stage");
new Function("data", "stage", data.usage.split(" where stage")[0])(data, stage);
const elements = [...stage.children];
const animations = elements.map((element) => element.getAnimations()[0]);
for (const animation of animations) animation.pause();
globalThis.look = (time) => {
  for (const animation of animations) animation.currentTime = time;
  return elements.map((element, index) => {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    return [data.items[index].id, box.left, box.top, box.right, box.bottom, Number(style.opacity),
            Number(style.zIndex)];
  });
};
</script>"""

PICTURE = """((time) => {
  document.documentElement.pauseAnimations();
  document.documentElement.setCurrentTime(time);
  return [...document.querySelectorAll("g.item")].map((item) => {
    const box = item.querySelector("rect").getBoundingClientRect();
    const isThere = getComputedStyle(item).display !== "none";
    return [item.dataset.id, box.left, box.top, box.right, box.bottom,
            isThere ? Number(getComputedStyle(item.querySelector("g")).opacity) : 0, Number(item.dataset.z)];
  });
})"""


def compare(name, recording, look):
    """Holds what is seen against the rows at up to 40 frames."""
    frames = shown_frames(recording)
    start = frames[0]["t_ns"]
    worst, wrong, seen_boxes, detail = 0, 0, 0, ""
    for frame in frames[:: max(1, len(frames) // 40)]:
        # Two microseconds later, since a browser's time is rounded to one.
        seen = {}
        for id, left, top, right, bottom, opacity, order in look((frame["t_ns"] - start + 2000) / 1e6):
            if opacity > 0:
                seen[id] = ((left, top, right, bottom), opacity, order)
        known = {id: found for id, found in boxes(recording, frame).items() if found[1] > 0.001}
        if not set(known) <= set(seen) or any(s[1] > 0.002 for id, s in seen.items() if id not in known):
            wrong += 1
            detail = f"at {frame['t_ns']}: {set(known) ^ set(seen)}"
        for id, (box, alpha, row) in known.items():
            if id in seen:
                seen_boxes += 1
                error = max(abs(a - b) for a, b in zip(seen[id][0], box))
                if error > worst:
                    worst, detail = error, f"{id!r} at {frame['t_ns']}: {seen[id][0]} for {box}"
                if abs(seen[id][1] - alpha) > 0.002 or seen[id][2] != row["z_index"]:
                    wrong += 1
                    detail = f"{id!r} at {frame['t_ns']}: {seen[id]} for {alpha} {row['z_index']}"
    check(f"{name}: items, opacity and order", wrong == 0, detail)
    check(f"{name}: boxes", worst <= POINTS, f"{worst} {detail}")
    check(f"{name}: boxes were looked at", seen_boxes > 10, seen_boxes)


def run(exports, recordings):
    if program() is None:
        sys.exit("Chromium is missing; Tools/setup --python installs it.")
    browser = Browser()
    try:
        browser.look(width=1000, height=900)
        for name in NAMES:
            path = recordings[name]
            recording = Recording(path)
            out = exports.export("waapi", path)
            page = exports.folder / f"{name}-waapi.html"
            page.write_text(PAGE % out.read_text().replace("</", "<\\/"))
            browser.open(page)
            compare(f"waapi of {name}", recording,
                    lambda time: browser.evaluate(f"look({json.dumps(time)})"))
            browser.picture(exports.folder / f"{name}-waapi.png")
            check(f"waapi of {name}: no complaints", browser.complaints() == [], browser.complaints())
            out = exports.export("svg", path)
            picture = out.rename(exports.folder / f"{name}-picture.svg")
            browser.open(picture)
            compare(f"svg of {name}", recording,
                    lambda time: browser.evaluate(f"{PICTURE}({json.dumps(time / 1000)})"))
            check(f"svg of {name}: no complaints", browser.complaints() == [], browser.complaints())
            check(f"svg of {name}: names are only names", browser.evaluate("globalThis.hacked") is None)
            frames = shown_frames(recording)
            browser.evaluate(f"{PICTURE}({(frames[len(frames) // 2]['t_ns'] - frames[0]['t_ns']) / 1e9})")
            browser.picture(exports.folder / f"{name}-svg.png")
    finally:
        browser.close()
