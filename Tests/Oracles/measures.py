#!/usr/bin/env python3
"""Settles, overshoots, starts, jumps and late frames, told again by numpy, and the same in every command.

    Tests/Oracles/measures.py KYMO [--seed N]

Makes pages by chance: a sheet that a finger throws, a key that goes with it, cards that start one after the other, frames
that are missing, a jump. The numbers of `show`, `check`, `compare`, `rows` and the page are compared with numpy on the lines
themselves, by the formulas as the documentation writes them, and with each other. 40 pages, or KYMO_TEST_ROUNDS.
"""
import argparse
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from packages import need

need()

import numpy as np  # noqa: E402
from scipy.integrate import solve_ivp  # noqa: E402

ROUNDS = int(os.environ.get("KYMO_TEST_ROUNDS", "40"))
counts = {}


class Wrong(Exception):
    pass


def near(found, right, what, absolute=1e-6, relative=1e-9):
    counts[what] = counts.get(what, 0) + 1
    if found is None or right is None:
        if found is not right:
            raise Wrong(f"{what} is {found!r}, expected {right!r}")
    elif not abs(found - right) <= absolute + relative * abs(right):
        raise Wrong(f"{what} is {found!r}, expected {right!r}")


# --- Pages ---------------------------------------------------------------------------------------

class Page:
    """A sheet that a finger throws up, and cards that answer a click."""

    def __init__(self, dice):
        self.dice, self.lines = dice, []
        self.rate = dice.choice([60, 90, 120])
        self.has_jump = dice.random() < 0.4
        self.gap = dice.choice([0.025, 0.04, 0.06])
        count = int(2.6 * self.rate)
        self.times = [round(i / self.rate * 1e9) for i in range(count)]
        missing = dice.sample(range(int(1.9 * self.rate), int(2.4 * self.rate)), dice.choice([0, 0, 1, 2]))
        self.times = [t for i, t in enumerate(self.times) if i not in missing]
        self.write()

    def add(self, ns, **line):
        self.lines.append((ns, {"t_ns": ns} | line))

    def write(self):
        dice = self.dice
        start, length, way = 0.1003, dice.uniform(0.1, 0.3), -dice.uniform(120, 320)
        power, delivery = dice.uniform(1, 2), 0.001
        self.add(round(start * 1e9), event="action", fields={"kind": "swipe", "target": "sheet"})
        steps = np.append(np.arange(0, length, 0.008), length)
        places = [(round((start + s) * 1e9), way * (s / length) ** power) for s in steps]
        told = [(t + round(delivery * 1e9), p) for t, p in places]
        lift = places[-1][0] + 4_000_000
        self.lift, self.heard = lift, lift + round(delivery * 1e9)
        for i, ((t, p), (h, _)) in enumerate(zip(places, told)):
            self.add(t, touch={"contact": 0, "phase": "moved" if i else "began", "x": 195, "y": 600 + p, "heard_ns": h})
        self.add(lift, touch={"contact": 0, "phase": "ended", "x": 195, "y": 600 + way, "heard_ns": self.heard})
        self.add(lift, decision={"outcome": "finish", "rule": "progress", "threshold": 0.5, "progress": 0.8})
        click = 1_400_000_000
        self.click = click
        self.add(click, event="action", fields={"kind": "click", "target": "go"})
        for wait, phase in ((0, "began"), (16_000_000, "ended")):
            self.add(click + wait, touch={"contact": 1, "phase": phase, "x": 50, "y": 50, "heard_ns": click + wait + 1_000_000})
        stiffness, ratio = dice.uniform(150, 500), dice.uniform(0.5, 1.1)
        damping, target, speed = 2 * ratio * math.sqrt(stiffness), way - dice.uniform(30, 200), power * way / length
        passed = [(t - lift) / 1e9 for t in self.times if t >= self.heard]
        first = [p for h, p in told if h <= max(t for t in self.times if t < self.heard)][-1]
        path = solve_ivp(lambda _, s: [s[1], stiffness * (target - s[0]) - damping * s[1]], (0, passed[-1]), [first, speed],
                         t_eval=passed, rtol=1e-9, atol=1e-9).y[0]
        jump = dice.choice([-1, 1]) * dice.uniform(12, 30) if self.has_jump else 0
        late = dice.randint(4, 7)
        self.jump, settle = jump, list(path[:late]) + list(path[late:] + jump)
        self.sheet = [([p for h, p in told if h <= t] or [0.0])[-1] for t in self.times if t < self.heard] + settle
        self.sheet = [round(value * 4096) / 4096 for value in self.sheet]
        self.cards = []
        for number in range(4):
            own, size = (click + 20_000_000) / 1e9 + number * self.gap, 160
            shares = [min(1, max(0, (t / 1e9 - own) / 0.3)) for t in self.times]
            self.cards.append([round(size * s * s * (3 - 2 * s), 4) for s in shares])
        for i, t in enumerate(self.times):
            items = [{"id": "sheet", "frame": [0, 500 + self.sheet[i], 390, 700]}]
            items += [{"id": f"card{n + 1}", "frame": [20 + card[i], 20 + 50 * n, 100, 40]} for n, card in enumerate(self.cards)]
            self.add(t, frame={"began_ns": t + 300_000, "items": items})
            self.add(t, key="way", unit="pt", value=self.sheet[i])

    def text(self):
        head = {"kymograph": 1, "name": "page", "refreshRate": self.rate, "clock": "performance.now"}
        return "\n".join(json.dumps(line) for line in [head] + [line for _, line in sorted(self.lines, key=lambda one: one[0])])


# --- The formulas --------------------------------------------------------------------------------

def settle(t, y, held, origin, percent=2.0):
    """Seconds from the release to the last crossing of the band, and the overshoot in percent of the longer way."""
    reach = np.max(np.abs(y[held:] - y[-1]))
    band = max(percent / 100 * reach, 0.5)
    out = np.nonzero(np.abs(y[held:] - y[-1]) > band)[0]
    rest = t[held]
    if len(out):
        i = held + out[-1]
        edge = y[-1] + math.copysign(band, y[i] - y[-1])
        rest = t[i] + (edge - y[i]) / (y[i + 1] - y[i]) * (t[i + 1] - t[i])
    whole, left = y[-1] - y[0], y[-1] - y[held]
    way = whole if abs(whole) >= abs(left) else left
    after = y[held + 1:]
    beyond = max(0.0, float(np.max((after - y[-1]) * np.sign(way))))
    return max(0.0, rest - origin), beyond / abs(way) * 100


def onset(t, y):
    """The crossing of 2 % of the extent."""
    least = max(0.02 * (np.max(y) - np.min(y)), 0.05)
    i = int(np.nonzero(np.abs(y - y[0]) > least)[0][0])
    a, b = abs(y[i - 1] - y[0]), abs(y[i] - y[0])
    return t[i - 1] + (least - a) / (b - a) * (t[i] - t[i - 1])


def excess(t, y, i):
    """How far the step from i - 1 to i leaves what its neighbours lead to."""
    length, speed = np.diff(t), np.diff(y) / np.diff(t)
    k, allowed = i - 1, []
    allowed.append((speed[k - 1], speed[k + 1]))
    for one, other in ((k - 1, k - 2), (k + 1, k + 2)):
        share = (length[k] + length[one]) / (length[one] + length[other])
        allowed.append((speed[one], speed[one] + (speed[one] - speed[other]) * share))
    beyond = min(max(0, min(a, b) - speed[k], speed[k] - max(a, b)) for a, b in allowed)
    return beyond * min(length[k], max(length[k - 1], length[k + 1]))


# --- Commands ------------------------------------------------------------------------------------

class Program:
    def __init__(self, kymo, folder):
        self.kymo, self.folder = kymo, folder

    def run(self, *words, codes=(0,), text=None):
        done = subprocess.run([self.kymo, *words], capture_output=True, text=True, input=text, cwd=self.folder)
        if done.returncode not in codes:
            raise Wrong(f"kymo {' '.join(words)}: {done.returncode} {done.stderr}")
        return done.stdout

    def rows(self, *words, codes=(0,)):
        return json.loads(self.run(*words, "--json", codes=codes))


RULES = [
    {"settles_by": "way", "by_ms": 9000}, {"overshoot": "way", "max_percent": 900},
    {"settles_by": "item.sheet.center.y", "by_ms": 9000}, {"overshoot": "item.sheet.center.y", "max_percent": 900},
    {"follows": "item.sheet.center.y", "lag_ms": 900, "within_pt": 900}, {"hands_over": "item.sheet.center.y", "share": 9},
    {"continuous": "item.sheet.center"},
    {"stagger": [f"item.card{n}.center" for n in range(1, 5)], "step_ms": 40, "tolerance_ms": 900},
    {"hitch": "frames", "longest_ms": 900, "max_ms_per_s": 900}]


def check(program, dice, number):
    page, path = Page(dice), f"page{number}.kymo"
    program.run("record", "--from-ndjson", "-", "--into", path, text=page.text())
    (pathlib.Path(program.folder) / "rules.json").write_text(json.dumps({"requirements": 1, "rules": RULES}))
    facts = [row for row in program.rows("show", f"{path}#1") if row["what"]]
    judged = program.rows("check", path, "--requirements", "rules.json", "--all", codes=(0, 1))
    compared = program.rows("compare", f"{path}#1", f"{path}#1", "--all", codes=(0, 1))
    t, sheet = np.array(page.times) / 1e9, np.array(page.sheet)

    def fact(about, what):
        return next((row for row in facts if row["about"] == about and row["what"] == what), {"value": None})["value"]

    def verdict(measure, subject=None):
        return next(row["value"] for row in judged if row["measure"] == measure and subject in (None, row["subject"]))

    # The sheet: from the frame that had not heard of the lift, until the next contact lands.
    held = int(np.searchsorted(np.array(page.times) + 300_000, page.heard)) - 1
    landing = int(np.searchsorted(np.array(page.times) + 300_000, 100_300_000 + 1_000_000)) - 1
    own = slice(landing, int(np.searchsorted(page.times, page.click)))
    rest, over = settle(t[own], sheet[own], held - landing, page.lift / 1e9)
    near(fact("sheet", "settle"), rest * 1000, "settle of show", absolute=2e-4)
    near(fact("sheet", "overshoot"), over, "overshoot of show", absolute=1e-6)
    # A requirement says of the sheet what the story says.
    sheet_y = "item.sheet.center.y"
    near(verdict("settled_ms", sheet_y), fact("sheet", "settle"), "settle of check and show")
    near(verdict("overshoot_percent", sheet_y), fact("sheet", "overshoot"), "overshoot of check and show")
    near(verdict("kept_percent"), fact("sheet", "hand_over"), "hand-over of check and show")
    follow = re.search(r"follows y, (\d+) ms", next(row["says"] for row in facts if row["what"] == "lag"))
    if follow:
        near(math.floor(verdict("lag_ms") + 0.5), float(follow[1]), "lag of check and show")
    # The key: from its newest value at the decision.
    at = int(np.searchsorted(page.times, page.lift, side="right")) - 1
    rest, over = settle(t, sheet, at, page.lift / 1e9)
    motion = next(row for row in compared if row["row"] == "key" and row["key"] == "way")["motion"][0]
    near(motion["settle_2_ms_a"], rest * 1000, "settle of compare", absolute=2e-4)
    near(motion["settle_5_ms_a"], settle(t, sheet, at, page.lift / 1e9, 5.0)[0] * 1000, "settle of compare", absolute=2e-4)
    near(motion["overshoot_percent_a"], over, "overshoot of compare", absolute=1e-6)
    near(verdict("settled_ms", "way"), motion["settle_2_ms_a"], "settle of check and compare")
    near(verdict("overshoot_percent", "way"), motion["overshoot_percent_a"], "overshoot of check and compare")
    listed = program.run("rows", "--metrics", text=f"{path}\n")
    numbers = {row["name"]: row["value"] for row in json.loads(listed.splitlines()[0])["metrics"] if row["key"] == "way"}
    near(numbers["settle_2_ms"], motion["settle_2_ms_a"], "settle of rows and compare")
    near(numbers["overshoot_percent"], motion["overshoot_percent_a"], "overshoot of rows and compare")
    # Cards.
    after = slice(int(np.searchsorted(page.times, page.click + 16_000_000 - 500_000)) - 1, None)
    starts = [onset(t[after], np.array(card)[after]) for card in page.cards]
    gaps = np.diff(starts) * 1000
    near(fact("card1 to card4", "stagger"), float(np.mean(gaps)), "stagger of show", absolute=1e-3)
    found = {row["subject"]: row["value"] for row in judged if row["measure"] == "gap_ms"}
    for n, gap in enumerate(gaps):
        near(found[f"item.card{n + 2}.center"], float(gap), "stagger of check", absolute=1e-3)
        near(float(gap), page.gap * 1000, "stagger and its truth", absolute=2.5)
    # A jump.
    jumps = [row for row in facts if row["what"] == "jump"]
    if page.has_jump:
        i = int(np.argmax([0] * (held + 3) + [excess(t, sheet, i) for i in range(held + 3, len(t) - 3)]))
        right = float(excess(t, sheet, i))
        # What hardly moves for a frame is no jump for a story.
        if abs(sheet[i] - sheet[i - 1]) >= 4 and right > 8:
            near(jumps[0]["value"] if jumps else None, right, "jump of show", absolute=1e-6)
        near(verdict("excess_pt"), right, "jump of check", absolute=1e-6)
        near(right, abs(page.jump), "jump and its truth", absolute=0.5 * abs(page.jump))
    elif jumps or verdict("excess_pt") > 8:
        raise Wrong(f"a page without a jump has {jumps} {verdict('excess_pt')}")
    # Frames.
    late = np.floor(np.diff(t) * page.rate + 0.5)
    times = np.diff(t)
    first = int(np.searchsorted(page.times, 100_300_000, side="right")) - 1
    said = next(row["says"] for row in facts if row["what"] == "frames")
    count = int(np.sum(late[first:] > 1))
    if count and not said.startswith(f"{count} of ") or not count and "none late" not in said:
        raise Wrong(f"late frames: {said!r} for {count}")
    counts["late frames of show"] = counts.get("late frames of show", 0) + 1
    ratio = float(np.sum(np.maximum(1, late) - 1) / page.rate / np.sum(times) * 1000)
    near(compared[-1]["smoothness_a"]["hitch_ms_per_s"], ratio, "hitches of compare")
    near(verdict("hitch_ms_per_s"), ratio, "hitches of check")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kymo")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(os.path.abspath(options.kymo), folder)
        for number in range(ROUNDS):
            try:
                check(program, random.Random(f"{options.seed} {number}"), number)
            except Wrong as wrong:
                sys.exit(f"measures.py: seed {options.seed}, page {number}: {wrong}")
    said = ", ".join(f"{count} of {what}" for what, count in sorted(counts.items()))
    print(f"measures.py: seed {options.seed}, {ROUNDS} pages agree: {said}")


if __name__ == "__main__":
    main()
