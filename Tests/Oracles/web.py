#!/usr/bin/env python3
"""The browser recorder, in a real Chromium without network that is driven by recorded touches.

    Tests/Oracles/web.py KYMO [--runs N] [--gestures FOLDER] [--cost | --write]

Writes the recorder out with `kymo web-recorder`, puts it into the pages of Tests/Fixtures/pages, and sends the fixtures'
gestures, and those of FOLDER (../shared/gestures), through the DevTools protocol, as `kymo export cdp` writes them:
every touch must come back with its place and its time, and with a lift velocity that the original's interval holds.
Then releases, a page that is changed and driven again, elements that turn, the ring, which frame is read,
everything else that a page does, pages whose names and libraries hide what the recorder works by, and items that
nobody has named (record-auto.js). The .min.js files must be what the packaged minifier makes of the others; --write
makes them anew. --cost prints what reading a frame of many elements takes, and fails where items that nobody has named
take more than their bar.
There are N runs of each gesture; 20 of the first and 3 of the others, or 20 of each where KYMO_TEST_ROUNDS is set.
"""
import argparse
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile

from packages import need

need()

import minify

from export_checks.checking import check, findings, tally
from report_page.browser import program
from web_page.auto import print_auto_cost, test_auto
from web_page.driving import TouchBrowser, as_csv, fitting, mapped, read_gesture
from web_page.looks import test_elements, test_turning, test_ways
from web_page.others import (
    test_arguments, test_callbacks, test_phases, test_selectors, test_spoilt, test_wandering)
from web_page.place import ROOT, WEB, Place

GESTURES = ROOT / "Tests/Fixtures/gestures"
# Each gesture with the factor that makes points of its units; nothing: one by which it fits.
FIXTURES = {
    "drag-flick.getevent.txt": 1 / 3, "swipe.pointer.ndjson": 1, "drag-rest.evemu": 1 / 3, "drag-short.csv": 1,
    "pinch-open.evemu": 1 / 3, "pinch-back.evemu": 1 / 3,
}
MANY_RUNS, FEW_RUNS = 20, 3
# The scripts with the most bytes of each without what only a person reads: the recorder fits into a bookmark.
SCRIPTS = {"record": 11 * 1024, "record-auto": 24_000}
# A browser's clock has steps of a tenth of a millisecond, and both ends are rounded.
MOST_DELAY = 300_000
# Runs of a gesture that may be driven again since a time was farther off: the browser makes a time of the page's out of
# two clocks, one after the other, and a busy machine may stop it in between.
MOST_REPEATS = 2
# How much of the frames may be read when the page has gone on already.
FEWEST_RIGHT = 0.99


def single(number):
    """A number as a browser keeps places."""
    return struct.unpack("f", struct.pack("f", number))[0]


def minified(name):
    # The semicolon parts it from what somebody writes behind it, in a bookmark that has no line ends.
    return minify.string("application/javascript", (WEB / f"{name}.js").read_text()) + ";\n"


def test_files(place):
    for name, most in SCRIPTS.items():
        made = (WEB / f"{name}.min.js").read_text()
        check(f"{name}.min.js is what the minifier makes of {name}.js; --write makes it anew", made == minified(name))
        size = len(made.encode())
        check(f"{name}.min.js is small enough", size <= most, size)
        print(f"  {name}.min.js has {size} bytes")
    for name in [*(f"{name}{end}" for name in SCRIPTS for end in [".js", ".min.js"]), "record.html"]:
        check(f"kymo web-recorder writes {name}", (place.folder / name).read_bytes() == (WEB / name).read_bytes())


def velocities(place, name, text):
    """The velocities of a gesture file's lifts, by contact and axis."""
    path = place.folder / name
    path.write_text(text)
    rows = json.loads(place.run("velocity", path, "--json").stdout)
    return {(row["pointer"], row["axis"]): row for row in rows}


def with_ends_later(reports, delay):
    """The reports with each contact's last place and its lift at another time."""
    last = {}
    for number, (_, contact, *_) in enumerate(reports):
        last.setdefault(contact, []).append(number)
    ends = {number for numbers in last.values() for number in numbers[-2:]}
    return sorted(((row[0] + (delay if number in ends else 0), *row[1:]) for number, row in enumerate(reports)),
                  key=lambda row: row[0])


def test_touches(browser, place, path, factor, runs):
    """All touches arrive, where and when they were, and lift as fast."""
    raw = read_gesture(place.kymo, path)
    factor, shift = (factor, (0, 0)) if factor else fitting(raw)
    reports, calls = mapped(raw, factor, shift), place.touches(path, factor, shift)
    # A place at the edge of the estimator's window may be in or out, so the original is also asked with an edge that
    # is as much earlier or later as a browser's clock may have it.
    originals = [velocities(place, "original.csv", as_csv(with_ends_later(reports, delay)))
                 for delay in [0, -MOST_DELAY, MOST_DELAY]]
    original = originals[0]
    delays, speeds, repeats = [], {key: [] for key in original}, 0
    while len(delays) < runs:
        run = len(delays)
        browser.open(place.page("sheet.html"))
        browser.evaluate("kymo.start()")
        browser.frames()
        browser.drive(calls)
        browser.frames()
        lines = browser.evaluate("kymo.stop()")
        rows = [json.loads(line) for line in lines.splitlines()]
        touches = [row for row in rows if "touch" in row]
        words = f"{path.name}, run {run + 1}: "
        check(words + "every touch arrives once", len(touches) == len(reports), f"{len(touches)} of {len(reports)}")
        if len(touches) != len(reports):
            return
        # Touches of one instant come in the order of the browser.
        told = sorted((row["touch"]["contact"], row["t_ns"], row["touch"]) for row in touches)
        known = sorted((contact, moment, phase, x, y) for moment, contact, phase, x, y in reports)
        check(words + "phases are as they were", [touch["phase"] for _, _, touch in told] == [row[2] for row in known])
        wrong = [(touch, row) for (_, _, touch), row in zip(told, known)
                 if (touch["x"], touch["y"]) != (single(row[3]), single(row[4]))]
        check(words + "places are as they were", not wrong, wrong[:1])
        begin = min(moment for _, moment, _ in told)
        delay = max(abs(moment - begin - row[1]) for (_, moment, _), row in zip(told, known))
        if delay > MOST_DELAY and repeats < MOST_REPEATS:
            repeats += 1
            print(f"  {words}a time is off by {delay / 1e6:.3f} ms; driven again")
            continue
        delays.append(delay)
        check(words + "times are within 0.3 ms", delays[-1] <= MOST_DELAY, f"{delays[-1] / 1e6} ms")
        again = as_csv([(moment, contact, touch["phase"], touch["x"], touch["y"])
                        for moment, contact, touch in sorted(
                            ((moment, contact, touch) for contact, moment, touch in told), key=lambda row: row[0])])
        for key, row in velocities(place, "again.csv", again).items():
            speeds[key].append(row["velocity"] or 0)
            holds = any(held["low"] <= row["velocity"] <= held["high"] if held["low"] is not None
                        else row["velocity"] == held["velocity"] for held in (rows[key] for rows in originals))
            check(words + f"the lift velocity of {key} is in the original's interval", holds,
                  f"{row['velocity']} for {original[key]['low']} to {original[key]['high']}")
    if delays:
        key = max(original, key=lambda key: abs(original[key]["velocity"] or 0))
        row = original[key]
        print(f"  {path.name}: {len(delays)} of {runs} runs, {len(reports)} touches, times off by at most "
              f"{max(delays) / 1e6:.3f} ms; velocity {row['velocity'] or 0:.1f} [{row['low'] or 0:.1f} … "
              f"{row['high'] or 0:.1f}], driven {min(speeds[key]):.1f} … {max(speeds[key]):.1f} px/s")


def drive_sheet(browser, place, gesture, wishes="", options="{}"):
    """What the recorder says of a gesture on the sheet, once that has come to rest."""
    browser.open(place.page("sheet.html"), "#" + wishes)
    browser.evaluate(f"kymo.start({options})")
    browser.frames()
    browser.drive(place.touches(GESTURES / gesture, FIXTURES[gesture]))
    browser.evaluate("new Promise((done) => (function look() { "
                     "/completion/.test(kymo.text()) ? done() : requestAnimationFrame(look) })())")
    return browser.evaluate("kymo.stop()")


def test_releases(browser, place):
    """One release, derived from the lift, that every command knows."""
    for name, gesture, wishes, outcome in [
        ("finishes", "drag-flick.getevent.txt", "", "finish"), ("cancels", "drag-rest.evemu", "axis=x", "cancel"),
        ("raised", "drag-flick.getevent.txt", "threshold=0.9", "cancel"),
    ]:
        path = place.record(name, drive_sheet(browser, place, gesture, wishes))
        releases = place.rows("sql", path, "SELECT * FROM releases")
        check(f"a sheet that {name} has one release, derived from the lift",
              [(row["outcome"], row["derived"]) for row in releases] == [(outcome, "lift")], releases)
        touches = [row for row in place.rows("list", "touches", path) if row["phase"] == "ended"]
        check("it is at the lift", releases and releases[0]["t_ns"] == touches[-1]["t_ns"], releases)
        velocity = place.rows("velocity", path, "--key", "progress")[0]
        check("velocity answers", velocity["derived"] == "lift" and velocity["decision"] == outcome, velocity)
        gestures = place.rows("rule", "try", path, "--set", "release.threshold=0.7")
        check("whatif counts it", len(gestures) == 1 and gestures[0]["derived"] == "lift", gestures)
        check("doctor finds nothing", place.run("file", "doctor", path, code=None).returncode == 0)
    path = place.record("told", drive_sheet(browser, place, "drag-flick.getevent.txt", "rule"))
    releases = place.rows("sql", path, "SELECT * FROM releases")
    check("a decision of the page's own stands before what is derived",
          [(row["outcome"], row["derived"]) for row in releases] == [("finish", None)], releases)
    released = place.rows("velocity", path, "--key", "progress")[0]
    check("and it has the page's rule", (released["rule"], released["flip_progress"]) == ("progress", 0.5), released)


def test_loop(browser, place):
    """The same touches into a page whose threshold has changed: the comparison says what that did."""
    for wishes in ["", "&rule"]:
        runs = []
        for threshold in ["0.5", "0.9", "0.5"]:
            lines = drive_sheet(browser, place, "drag-flick.getevent.txt", f"threshold={threshold}{wishes}")
            runs.append(place.record(f"loop-{len(runs)}{wishes[1:]}", lines))
        released = [place.rows("velocity", path, "--key", "progress")[0] for path in runs]
        check("the lift is as fast before and after", all(
            row["low"] <= released[0]["velocity"] <= row["high"] for row in released), released)
        check("the decision is another", [row["decision"] for row in released] == ["finish", "cancel", "finish"])
        changed = place.run("compare", *runs[:2], "--key", "progress", code=None)
        check("compare says that the decision changed", changed.returncode == 1 and changed.stdout.startswith(
            "Different: the decision changed from finish to cancel"), changed.stdout[:300])
        same = place.run("compare", runs[0], runs[2], "--key", "progress", code=None)
        check("and of the first threshold again that it did not", "decision changed" not in same.stdout,
              same.stdout[:300])


def test_taken_away(browser, place):
    """A page that leaves its fingers to the browser loses them, and the lines say so."""
    lines = drive_sheet(browser, place, "drag-flick.getevent.txt", "touch=auto")
    rows = [json.loads(line) for line in lines.splitlines()]
    phases = [row["touch"]["phase"] for row in rows if "touch" in row]
    check("the contact ends cancelled", phases[-1] == "cancelled" and phases.count("cancelled") == 1, phases)
    places = [(row["touch"]["x"], row["touch"]["y"]) for row in rows if "touch" in row]
    check("where it was last, not where the browser puts the event", places[-1] == places[-2] != (0, 0), places)
    warnings = [row for row in rows if row.get("event") == "warning"]
    check("a warning says why", len(warnings) == 1 and warnings[0]["code"] == "pointercancel", warnings)
    path = place.record("taken", lines)
    releases = place.rows("sql", path, "SELECT * FROM releases")
    check("the release is a cancel", [row["outcome"] for row in releases] == ["cancel"], releases)
    check("the warning is in the recording", any(row["event"] == "warning" for row in place.rows("list", "events", path)))


def test_ring(browser, place):
    """What is bounded by time or by bytes can be read all the same, from a whole frame on."""
    for name, options in [("second", "{seconds: 1}"), ("tenth", "{seconds: 0.1}"), ("bytes", "{bytes: 4000}")]:
        lines = drive_sheet(browser, place, "drag-rest.evemu", "axis=x", options)
        rows = [json.loads(line) for line in lines.splitlines()]
        frames = [row["frame"] for row in rows if "frame" in row]
        check(f"{name}: the first frame has all items, and no other",
              "items" in frames[0] and frames[0]["items"][0]["id"] == "sheet"
              and all("changed" in frame for frame in frames[1:]), frames[:2])
        times = [row["t_ns"] for row in rows[1:]]
        check(f"{name}: lines are in the order of time", times == sorted(times))
        path = place.record(f"ring-{name}", lines)
        if name == "second":
            releases = place.rows("sql", path, "SELECT * FROM releases")
            check("second: the release is the lift, though the touch began before", [
                (row["outcome"], row["derived"]) for row in releases] == [("cancel", "lift")], releases)
            check("second: doctor finds nothing", place.run("file", "doctor", path, code=None).returncode == 0)
        if name == "bytes":
            check("bytes: no more than that", len("\n".join(lines.splitlines()[1:])) <= 4300, len(lines))
        else:
            span = float(options[:-1].split()[1]) * 1e9
            check(f"{name}: no more than that", times[-1] - times[0] <= span + 50e6, times[-1] - times[0])
    # What the frames that are gone showed is what the first one that is kept says.
    browser.open(place.page("turning.html"))
    browser.evaluate("kymo.start({items: '.card', bytes: 12000})")
    browser.frames(60)
    browser.evaluate("document.getElementById('upright').remove()")
    browser.frames(60)
    lines = browser.evaluate("kymo.stop()")
    first = next(json.loads(line)["frame"] for line in lines.splitlines() if '"frame":{' in line)
    found = {item["id"]: item for item in first["items"]}
    check("an item that has not changed for long is still there, one that is gone is not",
          "quarter" in found and "upright" not in found and len(found) == 8, sorted(found))
    place.record("ring-turning", lines)


def test_which_frame(browser, place):
    """A frame shows what the page made of it, whoever comes first."""
    for order in ["first", "last"]:
        for by in ["transform", "place"]:
            browser.open(place.page("moving.html"), f"#count=20&by={by}&{order}")
            lines = browser.evaluate("measure(1500)")["lines"]
            right, count = 0, 0
            for line in lines.splitlines():
                row = json.loads(line)
                for item in row.get("frame", {}).get("changed", []):
                    if item["id"] != "e7":
                        continue
                    count += 1
                    # The page's own function, of the frame's own time.
                    step = int(row["t_ns"] / 1e6 * 4 + 0.5)
                    known = [160 + step % 67 / 4, 20 + step % 59 / 4]
                    right += max(abs(item["frame"][axis] - known[axis]) for axis in [0, 1]) < 0.01
            print(f"  recorder {order}, by {by}: {right} of {count} frames are the page's own")
            check(f"recorder {order}, by {by}: frames show what the page made of them",
                  count > 20 and right >= FEWEST_RIGHT * count, f"{right} of {count}")
            place.record(f"moving-{order}-{by}", lines)


def test_pad(browser, place):
    """The pad's file is the gesture that was drawn on it."""
    path = GESTURES / "two-fingers.evemu"
    reports = mapped(read_gesture(place.kymo, path), 1 / 6)
    browser.open(place.page("record.html"))
    check("the pad loads nothing and complains of nothing", browser.complaints() == [], browser.complaints())
    browser.drive(place.touches(path, 1 / 6))
    browser.frames()
    path = place.folder / "pad.ndjson"
    path.write_text(browser.evaluate("gestureText()"))
    told = read_gesture(place.kymo, path)
    check("the pad gives back all touches", len(told) == len(reports), f"{len(told)} of {len(reports)}")
    check("where they were", sorted((row[1], row[3], row[4]) for row in told)
          == sorted((row[1], single(row[3]), single(row[4])) for row in reports), told[:3])
    check("and says how many", browser.evaluate("told.textContent").startswith(f"{len(reports)} points in "))
    picture = browser.evaluate("canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data"
                               ".reduce((sum, part) => sum + (part > 0), 0)")
    check("and draws them", picture > 1000, picture)


def print_cost(browser, place):
    """What reading a frame takes when every element moves in every frame."""
    print(f"{'elements':>8}  {'moved by':<9}  {'read, ms: median':>16}  {'95 %':>6}  {'bytes a frame':>13}")
    for count in [20, 200, 1000]:
        for by in ["transform", "place", "turn"]:
            browser.open(place.page("moving.html"), f"#count={count}&by={by}")
            found = browser.evaluate("measure(3000)")
            costs = sorted(found["costs"])
            size = len(found["lines"]) / max(1, len(costs))
            print(f"{count:>8}  {by:<9}  {statistics.median(costs):>16.2f}  "
                  f"{costs[int(len(costs) * 0.95)]:>6.2f}  {size:>13.0f}")


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("kymo")
    parser.add_argument("--runs", type=int, default=MANY_RUNS if "KYMO_TEST_ROUNDS" in os.environ else None)
    parser.add_argument("--gestures", type=pathlib.Path, default=ROOT.parent / "shared/gestures")
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def main():
    wishes = arguments()
    if wishes.write:
        for name in SCRIPTS:
            (WEB / f"{name}.min.js").write_text(minified(name))
        return 0
    if program() is None:
        print("Chromium is missing; Tools/setup --python installs it", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        place = Place(wishes.kymo, folder)
        browser = TouchBrowser()
        try:
            if wishes.cost:
                print_cost(browser, place)
                return 0 if print_auto_cost(browser, place) else 1
            test_files(place)
            for number, (name, factor) in enumerate(FIXTURES.items()):
                runs = wishes.runs or (FEW_RUNS if number else MANY_RUNS)
                test_touches(browser, place, GESTURES / name, factor, runs)
            for path in sorted(wishes.gestures.glob("*.ev*")):
                test_touches(browser, place, path, None, wishes.runs or FEW_RUNS)
            test_releases(browser, place)
            test_loop(browser, place)
            test_taken_away(browser, place)
            test_ring(browser, place)
            test_which_frame(browser, place)
            test_turning(browser, place)
            test_elements(browser, place)
            test_ways(browser, place)
            test_pad(browser, place)
            test_auto(browser, place)
            for test in [test_selectors, test_callbacks, test_spoilt, test_phases, test_arguments, test_wandering]:
                test(browser, place)
        finally:
            browser.close()
    print(f"{tally()} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
