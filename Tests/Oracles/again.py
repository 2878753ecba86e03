#!/usr/bin/env python3
"""Recordings of `kymo watch` that `kymo watch --again` repeats: the story must be the same.

    Tests/Oracles/again.py KYMO [--all] [--busy]

Four gestures of Tests/Fixtures and eleven that are modelled here are made on four pages of Tests/Fixtures: 60
recordings. Each is repeated, and the lines of the two stories are held against each other. A number on the edge of two
roundings may turn its last digit, so one recording of twenty may differ. By default a quarter of
them is made; --all, or a KYMO_TEST_ROUNDS of 100 or more, makes all.

--busy, which --all does too, swipes four pages ten times each while twelve processes keep the machine busy: on the
controlled clock each page must tell the same story to the byte.
"""
import argparse
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from export_checks.checking import check, findings, tally

ROOT = pathlib.Path(__file__).resolve().parents[2]
GESTURES = ROOT / "Tests/Fixtures/gestures"
PAGES = ROOT / "Tests/Fixtures/pages/watch"
# Each with the factor that makes points of its units.
RECORDED = {"drag-flick.getevent.txt": 1 / 3, "drag-rest.evemu": 1 / 3, "drag-short.csv": 1, "swipe.pointer.ndjson": 1}
# A page and the element on which a gesture lands.
TARGETS = {"sheet": "#sheet", "sheet-lerp": "#sheet", "sheet-speed": "#sheet", "pager-lerp": "#pages"}
# So many of twenty recordings may tell another story when they are repeated.
MOST_OTHERS = 1
# So many processes make the machine busy.
BUSY = 12


def modelled():
    """Eleven gestures: a way in px, a length in ms, a power of its curve, and how long it rests before the lift."""
    hand = random.Random(52)
    ways = [(0, -240), (0, -60), (30, -300), (0, 120), (-200, 10), (180, 0), (-40, -20), (0, -400), (220, -30), (-260, 0), (0, -150)]
    for number, way in enumerate(ways):
        length = hand.choice([90, 140, 220, 420, 700])
        yield f"modelled-{number}", way, length, hand.choice([1, 1.6, 2.4]), hand.choice([0, 0, 120])


def write_modelled(folder):
    names = []
    for name, (across, down), length, power, rest in modelled():
        step = 8.3
        lines = ["t_ns,id,phase,x,y"]
        count = max(2, math.ceil(length / step))
        for index in range(count + 1):
            share = (index / count) ** power
            phase = "began" if index == 0 else "moved"
            lines.append(f"{round(index * length / count * 1e6)},0,{phase},{200 + across * share:.2f},{500 + down * share:.2f}")
        lines.append(f"{round((length + rest + 4) * 1e6)},0,ended,{200 + across:.2f},{500 + down:.2f}")
        path = folder / f"{name}.csv"
        path.write_text("\n".join(lines) + "\n")
        names.append(path)
    return names


def story(kymo, folder, *words):
    answer = subprocess.run([kymo, "watch", *map(str, words)], capture_output=True, text=True, timeout=120, cwd=folder)
    if answer.returncode not in (0, 1):
        return f"{answer.returncode}: {answer.stderr[:300]}"
    # What was done is told by the name of a gesture's file.
    return "\n".join(line for line in answer.stdout.splitlines() if not line.startswith("did: "))


def check_busy(kymo, folder):
    """Swipes pages while the machine has more to do than it can."""
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        for page in ["sheet", "sheet-lerp", "sheet-speed", "sheet-delay"]:
            stories = {story(kymo, folder, PAGES / f"{page}.html", "--swipe", "#sheet", "up", "--clock", "steady") for _ in range(10)}
            check(f"{page} tells the same story ten times beside {BUSY} busy processes", len(stories) == 1, stories)
    finally:
        for process in load:
            process.kill()
            process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kymo")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--busy", action="store_true")
    wishes = parser.parse_args()
    kymo = os.path.abspath(wishes.kymo)
    is_all = wishes.all or int(os.environ.get("KYMO_TEST_ROUNDS", "0")) >= 100
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        gestures = [(GESTURES / name, scale) for name, scale in RECORDED.items()]
        gestures += [(path, 1) for path in write_modelled(folder)]
        calls = [(page, selector, *gesture) for page, selector in TARGETS.items() for gesture in gestures]
        calls = calls if is_all else calls[::4]
        others = []
        for number, (page, selector, gesture, scale) in enumerate(calls):
            file = f"{number}.kymo"
            first = story(kymo, folder, PAGES / f"{page}.html", "--gesture", gesture, "--on", selector, "--scale", scale,
                          "--into", file)
            again = story(kymo, folder, "--again", file)
            if first != again or first[:2].isdigit():
                others.append(f"{page} {gesture.name}\n{first}\n--again\n{again}")
        if is_all or wishes.busy:
            check_busy(kymo, folder)
        print(f"{len(calls) - len(others)} of {len(calls)} recordings tell the same story when they are repeated")
        check("a recording that is repeated tells the same story", len(others) <= -(-len(calls) * MOST_OTHERS // 20),
              "\n\n".join(others))
        for other in others:
            print(other)
    print(f"{tally()} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
