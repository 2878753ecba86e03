#!/usr/bin/env python3
"""Pages as libraries make them, with known truth, under lost frames: do the intervals hold it, and are faults those planted?

    Tests/Oracles/coverage.py KYMO [--pages N] [--first P] [--seed S] [--kind NAME] [--baseline KYMO2] [--keep FOLDER]
                          [--all] [--bars]

A model of a page, of a browser that loses 0, 5 or 20 % of its frames, and of a finger writes the lines of the recorder. The
element follows by rAF, late, by a lerp or in steps, and goes on by a spring, a decay, a tween, a transition or the like: 50
kinds, each well made and with a planted fault. The own lag in frames, the lag in ms, the kept speed, the overshoot and the
rest are known by formula. For each the oracle counts how often it is given, how often its printed 90 % interval has the
truth, and how wide it is; and which planted faults are named, and what is called a fault that is none.
150 pages, or 300 with KYMO_TEST_ROUNDS of 100.
"""
import argparse
import collections
import concurrent.futures
import math
import os
import statistics
import sys
import tempfile

from library_pages.kinds import KINDS
from library_pages.page import LOSSES, Page
from library_pages.readings import QUANTITIES, Answer

Numbers = collections.namedtuple("Numbers", "given holds width")
Bars = collections.namedtuple("Bars", "quantities named alarms")
# What the program meets on the first pages of seed 1, by how many they are: how often a number is given, how many percent of
# its intervals hold what is true, the median of their widths; the percentage of planted faults that are named; false alarms.
BARS = {
    150: Bars({
        "lag": Numbers(106, 85, 0.082),
        "lag ms": Numbers(96, 85, 8),
        "kept": Numbers(58, 85, 23.387),
        "overshoot": Numbers(82, 85, 1),
        "rest": Numbers(82, 85, 33.334),
    }, named=96, alarms=0),
    300: Bars({
        "lag": Numbers(213, 85, 0.082),
        "lag ms": Numbers(192, 85, 8),
        "kept": Numbers(114, 85, 23.075),
        "overshoot": Numbers(164, 85, 1),
        "rest": Numbers(164, 85, 33.334),
    }, named=96, alarms=0),
}
# How many percent of the intervals should hold what is true, and how many percent of the faults should be named.
GOAL, NAMED = 85, 95
SHOWN = 2
PAGES = 300 if int(os.environ.get("KYMO_TEST_ROUNDS", "50")) >= 100 else 3 * len(KINDS)


def make_page(seed, index):
    number, (kind, make, can_be_faulty) = index // len(KINDS), KINDS[index % len(KINDS)]
    is_faulty = can_be_faulty and (index % len(KINDS) + number % len(LOSSES) + number // len(LOSSES)) % 2 == 1
    return Page(seed, index, kind, make, LOSSES[number % len(LOSSES)], is_faulty)


class Score:
    """What one program says of all pages."""

    def __init__(self):
        self.given = {name: [] for name in QUANTITIES}
        self.asked, self.outside = collections.Counter(), []
        self.planted, self.missed, self.alarms, self.errors = 0, [], [], []

    def take(self, page, answer):
        self.errors += [(page, error) for error in answer.errors]
        for name, truth in page.truth.items():
            self.asked[name] += 1
            reading = answer.reading(name, page.subject)
            if reading is None:
                continue
            self.given[name].append((page.loss, reading.width, reading.holds(truth)))
            if not reading.holds(truth):
                ends = " to ".join(f"{end:.2f}" for end in sorted(set(round(end, 2) for end in truth)))
                self.outside.append((page, f"{name}: {reading.low:.2f} to {reading.high:.2f} for a true {ends}: {reading.says}"))
        named = {row["what"] for row in answer.faults}
        for ids in page.planted:
            self.planted += 1
            if not ids & named:
                self.missed.append((page, f"{' or '.join(sorted(ids))} is not named: " + "; ".join(answer.words())))
        right = set().union(*page.planted, page.allowed)
        self.alarms += [(page, f"{row['what']}: {row['about']}: {row['says']}") for row in answer.faults if row["what"] not in right]

    def numbers(self, name):
        """How often a quantity is given, in how many percent its interval holds the truth, and the median of its width."""
        found = self.given[name]
        return Numbers(len(found), self.holding(name), statistics.median([width for _, width, _ in found]) if found else 0.0)

    def holding(self, name, *losses):
        found = [holds for loss, _, holds in self.given[name] if not losses or loss in losses]
        return 100 * sum(found) / len(found) if found else 100.0

    def named(self):
        return 100 * (self.planted - len(self.missed)) / self.planted if self.planted else 100.0


def ask(program, pages, folder):
    score = Score()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for page, answer in zip(pages, pool.map(lambda page: Answer(program, page, folder), pages)):
            score.take(page, answer)
    return score


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("kymo")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--pages", type=int, default=PAGES)
    asked.add_argument("--first", type=int, default=0, help="the first page, counted from 0")
    asked.add_argument("--kind", help="only pages of this kind")
    asked.add_argument("--baseline", help="another program, beside which the numbers stand")
    asked.add_argument("--keep", help="a folder that keeps lines and recordings")
    asked.add_argument("--bars", action="store_true", help="the bars that the program meets, as this source has them")
    asked.add_argument("--all", action="store_true", help="every failure, not the first few of a kind")
    words = asked.parse_args()
    pages = [make_page(words.seed, index) for index in range(words.first, words.first + words.pages)
             if words.kind in (None, KINDS[index % len(KINDS)][0])]
    with tempfile.TemporaryDirectory() as folder:
        folder = words.keep or folder
        os.makedirs(folder, exist_ok=True)
        score = ask(words.kymo, pages, folder)
        other = ask(words.baseline, pages, folder) if words.baseline else None
    report(score, other, words.all)
    if words.bars:
        print(bars_of(score, words.pages))
    is_whole = (words.seed, words.first, words.kind) == (1, 0, None) and words.pages in BARS
    broken = check(score, BARS[words.pages]) if is_whole else []
    for text in broken:
        print(f"broken: {text}")
    sys.exit(1 if broken or score.errors else 0)


def bars_of(score, count):
    """What a score meets, as this source has it. More than the goals is not asked for."""
    text = f"    {count}: Bars({{\n"
    for name in QUANTITIES:
        found = score.numbers(name)
        holds, width = min(GOAL, math.floor(found.holds)), math.ceil(1000 * found.width) / 1000
        text += f'        "{name}": Numbers({found.given}, {holds}, {width:g}),\n'
    return text + f"    }}, named={min(NAMED, math.floor(score.named()))}, alarms={len(score.alarms)}),"


def check(score, bars):
    """The bars that a score breaks."""
    broken = []
    for name, bar in bars.quantities.items():
        found = score.numbers(name)
        if found.given < bar.given:
            broken.append(f"{name} is given {found.given} times, and was {bar.given} times")
        if found.holds < bar.holds:
            broken.append(f"{name}: {found.holds:.1f} % of the intervals hold what is true, less than {bar.holds} %")
        if found.width > bar.width:
            broken.append(f"{name}: the median width is {found.width:.3f}, and was {bar.width}")
    if score.named() < bars.named:
        broken.append(f"{score.named():.1f} % of the planted faults are named, less than {bars.named} %")
    if len(score.alarms) > bars.alarms:
        broken.append(f"{len(score.alarms)} false alarms, more than {bars.alarms}")
    return broken


def report(score, other, is_all):
    for title, found in (("outside", score.outside), ("missed", score.missed), ("false alarm", score.alarms), ("error", score.errors)):
        shown = collections.Counter()
        for page, text in found:
            shown[page.kind] += 1
            if is_all or shown[page.kind] <= SHOWN:
                print(f"{title}: {page.name}: {text}")
    by_loss = "/".join(f"{100 * loss:.0f}" for loss in LOSSES)
    print(f"{'quantity':10} {'asked':>6} {'given':>6} {'holds %':>8} {'at ' + by_loss + ' % lost':>16} {'width':>8}"
          + ("   baseline: given, holds, width" if other else ""))
    for name in QUANTITIES:
        found = score.numbers(name)
        parts = "/".join(f"{score.holding(name, loss):.0f}" for loss in LOSSES)
        line = f"{name:10} {score.asked[name]:6} {found.given:6} {found.holds:8.1f} {parts:>16} {found.width:8.3f}"
        print(line + ("      {:6} {:8.1f} {:8.3f}".format(*other.numbers(name)) if other else ""))
    for title, one in (("", score), ("baseline: ", other)):
        if one:
            print(f"{title}{one.planted - len(one.missed)} of {one.planted} planted faults named, {len(one.alarms)} false alarms "
                  f"on {len({page.index for page, _ in one.alarms})} pages, {len(one.errors)} errors")


if __name__ == "__main__":
    main()
