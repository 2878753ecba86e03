#!/usr/bin/env python3
"""Screen recordings with known motion: are the positions that `kymo record --video` measures those that were drawn?

    Tests/Oracles/video.py KYMO [--clips N] [--first N] [--seed S] [--family NAME] [--keep FOLDER] [--all]

Draws elements over pages in 21 families, encodes them with ffmpeg (H.264, HEVC, VP8, VP9, GIF, FFV1), and tracks each
element. Compared with what was drawn are positions, their 90 % intervals, times, repeated pictures, lags behind a drawn
finger, and the numbers of `kymo fit`. An element that is gone must not be found. A rectangle of one colour must be refused.
The same clip gives the same bytes twice.
42 clips, or 210 with KYMO_TEST_ROUNDS of 100.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from packages import need

need("numpy", "matplotlib")
# One thread each, because several clips are drawn at a time.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from video_clips import clips  # noqa: E402

IS_LONG = int(os.environ.get("KYMO_TEST_ROUNDS", "50")) >= 100
CLIPS = len(clips.FAMILIES) * (10 if IS_LONG else 2)
# An element that is drawn so far from where it was found was taken for another one, in pixels.
FALSE = 2.0
# Less of it is seen: it is gone.
GONE = 0.15
# Families in which nothing may be found that is not there.
STRICT = ("cut", "decoy", "scene", "leave")
BEHIND = re.compile(r"(-?[\d.]+) ms \((-?[\d.]+) to (-?[\d.]+)\) behind")
IDENTITY = ["--uuid", "6b594d4f-0007-4000-8000-000000000001", "--wall-clock", "2026-05-01T00:00:00Z"]


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300)


class Recording:
    """The poses of a recording, by the time of their frame."""

    def __init__(self, kymo, path, size):
        done = run(kymo, "export", "ndjson", path)
        if done.returncode:
            raise RuntimeError(f"kymo export ended with {done.returncode}: {done.stderr.strip()[:200]}")
        self.times, self.poses, self.unread, errors, state = [], [], set(), {}, None
        for line in map(json.loads, done.stdout.splitlines()):
            frame = line.get("frame")
            if frame:
                if any(one["id"] == "el" for one in frame.get("gone", [])) or "items" in frame:
                    state = None
                for one in frame.get("items", []) + frame.get("changed", []):
                    state = one if one["id"] == "el" else state
                if frame.get("unread"):
                    self.unread.add(len(self.times))
                self.times.append(line["t_ns"] / 1e9)
                self.poses.append(state)
            elif line.get("key", "").startswith("item.el.error_"):
                errors[line["t_ns"] / 1e9, line["key"][-1]] = line["value"]
        self.errors = [(errors.get((t, "x")), errors.get((t, "y"))) for t in self.times]
        self.width = size[0]

    def pose(self, index):
        """The center, scale, opacity and turn."""
        one = self.poses[index]
        a, b = one.get("transform", [1, 0])[:2]
        return (*one["center"], one["size"][0] / self.width, one.get("alpha", 1.0), math.atan2(b, a))


class Score:
    """What one clip came to."""

    def __init__(self, truth):
        self.family, self.name, self.is_poor = truth.clip.family, truth.clip.name, truth.clip.is_poor
        self.problems, self.refused = [], None
        self.count = self.clear = self.missed = self.false = self.wrong_times = 0
        self.rms = self.largest = self.coverage = None
        self.said, self.repeats, self.lag, self.fit = 0, 0, None, None
        self.width = None

    def compare(self, truth, found):
        if len(found.times) != len(truth.times):
            self.problems.append(f"{len(found.times)} frames of {len(truth.times)} pictures")
            return
        self.wrong_times = sum(abs(one - two) > 0.51 * truth.tick for one, two in zip(found.times, truth.times))
        self.wrong_times += len(found.times) - len(set(found.times))
        rows = []
        for index, (true, seen) in enumerate(zip(truth.poses, truth.seen)):
            if truth.is_clear[index]:
                self.clear += 1
                self.missed += found.poses[index] is None
            if found.poses[index] is None:
                continue
            self.count += 1
            x, y, *_ = found.pose(index)
            rows.append((x - true[0], y - true[1], *found.errors[index], seen))
        if not rows:
            return
        near = [row for row in rows if math.hypot(row[0], row[1]) < 3 and row[4] >= 0.3] or rows
        # The rectangle has whole pixels, and sets the origin only.
        dx, dy = (statistics.median(row[axis] for row in near) for axis in (0, 1))
        if max(abs(dx), abs(dy)) > 1:
            self.problems.append(f"the origin is off by {dx:.2f}, {dy:.2f} px")
        self.false = sum(math.hypot(row[0] - dx, row[1] - dy) >= FALSE or row[4] < GONE for row in rows)
        off = [(row[axis] - (dx, dy)[axis], row[2 + axis]) for row in near for axis in (0, 1)]
        if any(half is None for _, half in off):
            self.problems.append("a position has no error")
            return
        self.rms = math.sqrt(statistics.fmean(one * one for one, _ in off))
        self.largest = max(abs(one) for one, _ in off)
        self.coverage = statistics.fmean(abs(one) <= half for one, half in off)
        self.width = statistics.median(half for _, half in off)
        self.repeats = len(truth.repeats)
        self.said = len(found.unread & set(truth.repeats))
        wrong = found.unread - truth.all_repeats
        if wrong:
            self.problems.append(f"{len(wrong)} pictures are no repeats")

    def ask_fit(self, kymo, path, model):
        attribute, kind, numbers = model
        done = run(kymo, "fit", path, "--key", f"item.el.{attribute}", "--json")
        self.fit = {"kind": None, "right": kind, "numbers": []}
        try:
            one = json.loads(done.stdout)["fits"][0]
        except (ValueError, KeyError, IndexError):
            return
        named = one.get("model") or "none"
        self.fit["kind"] = named if one.get("fits", True) else f"nearest {named}"
        if named.split()[0].lower().startswith(kind):
            for name, true in numbers.items():
                number = (one.get("parameters") or {}).get(name)
                if number:
                    low, high = number.get("low"), number.get("high")
                    holds = low is not None and high is not None and low <= true <= high
                    self.fit["numbers"].append((name, number["value"] / true - 1, holds))

    def ask_lag(self, kymo, path, lag):
        done = run(kymo, "show", f"{path}#1", "--json")
        rows = [row for row in json.loads(done.stdout or "[]") if row.get("about") == "el" and row.get("what") == "lag"]
        self.lag = {"true": 1000 * lag, "says": rows[0]["says"] if rows else None, "holds": None}
        if rows:
            found = BEHIND.search(rows[0]["says"] or "")
            low, high = ((float(found[2]), float(found[3])) if found
                         else (rows[0]["low"], rows[0]["high"]) if rows[0].get("unit") == "ms" else (None, None))
            if low is not None:
                # Whole milliseconds are printed.
                self.lag["holds"] = low - 0.5 <= 1000 * lag <= high + 0.5

    def line(self):
        numbers = "" if self.rms is None else (
            f"{self.rms:7.3f} {self.largest:7.2f} {self.coverage:5.2f} {self.width:6.3f}")
        text = f"{self.name:18} {self.clear:5} {self.count:5} {self.missed:5} {self.false:5} {numbers:29}"
        if self.fit:
            text += f" {self.fit['kind']}" + "".join(
                f" {name} {100 * error:+.2f}%{'' if holds else ' OUT'}" for name, error, holds in self.fit["numbers"])
        if self.repeats:
            text += f" {self.said} of {self.repeats} repeats"
        if self.lag:
            text += f" lag {self.lag['true']:.0f} ms: {self.lag['says']}"
        if self.refused is not None:
            text += f" refused: {self.refused}"
        return text + "".join(f" ! {problem}" for problem in self.problems)


def measure(job):
    kymo, seed, index, folder = job
    clip = clips.make(seed, index)
    truth = clip.write(folder)
    score = Score(truth)
    x, y, width, height = truth.rectangle
    where = f"el={x},{y},{width}x{height}" + ("@end" if clip.marked_at_end else "")
    words = ["record", "--video", truth.path, "--track", where, *IDENTITY]
    if clip.finger:
        words += ["--track", finger_track(clip)]
    path = f"{folder}/{clip.name}.kymo"
    pathlib.Path(path).unlink(missing_ok=True)
    done = run(kymo, *words, "--into", path)
    if clip.must_refuse:
        score.refused = done.returncode == 1 and "one colour" in done.stderr
        return score
    if done.returncode not in (0, 3):
        score.problems.append(f"kymo record ended with {done.returncode}: {done.stderr.strip()[:200]}")
        return score
    score.compare(truth, Recording(kymo, path, truth.rectangle[2:]))
    if clip.model:
        score.ask_fit(kymo, path, clip.model)
    if clip.lag is not None:
        score.ask_lag(kymo, path, clip.lag)
    if index % 5 == 0:
        again = f"{folder}/{clip.name}-again.kymo"
        pathlib.Path(again).unlink(missing_ok=True)
        run(kymo, *words, "--into", again)
        with open(path, "rb") as one, open(again, "rb") as two:
            if one.read() != two.read():
                score.problems.append("the same clip gives other bytes")
    return score


def finger_track(clip):
    """The dot's outline while it stands."""
    at = next(t for t in (index / 100 for index in range(100)) if clip.finger(t)) + 0.05
    x, y = clip.finger(at)
    return f"finger={round(x - 13)},{round(y - 13)},26x26@{at:.3f}"


# ---- Bars


def share(values):
    values = list(values)
    return sum(values) / len(values) if values else 1.0


def quantile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, math.ceil(part * len(values)) - 1)] if values else 0.0


def bars(scores):
    """Each: what it is, its number, whether more is better, the bar. The bars are those that the design was accepted with."""
    measured = [score for score in scores if score.rms is not None]
    usual = [score.rms for score in measured if not score.is_poor]
    fits = [score.fit for score in scores if score.fit]
    numbers = [number for fit in fits for number in fit["numbers"]]
    poses = max(1, sum(score.count for score in scores))
    refusals = [score.refused for score in scores if score.refused is not None]
    lags = [score.lag["holds"] for score in scores if score.lag]
    return [
        ("clips without a problem", share(not score.problems for score in scores), True, 1.0),
        ("one-colour rectangles refused", share(refusals), True, 1.0),
        ("median rms, px", quantile([score.rms for score in measured], 0.5), False, 0.05),
        ("90 % of rms, px", quantile(usual, 0.9), False, 0.12),
        ("90 % of rms, poor clips, px", quantile([score.rms for score in measured if score.is_poor], 0.9), False, 0.25),
        ("median coverage", quantile([score.coverage for score in measured], 0.5), True, 0.88),
        ("clips with coverage of at least 0.8", share(score.coverage >= 0.8 for score in measured), True, 0.85),
        ("frames with a wrong time", sum(score.wrong_times for score in scores), False, 0),
        ("false positions, of all", sum(score.false for score in scores) / poses, False, 0.002),
        ("false positions if the element goes", sum(score.false for score in scores if score.family in STRICT), False, 0),
        ("seen frames missed", sum(score.missed for score in scores) / max(1, sum(score.clear for score in scores)), False, 0.03),
        ("motions whose kind is named", share(
            fit["kind"] is not None and fit["kind"].lower().startswith(fit["right"]) for fit in fits), True, 0.85),
        ("median error of a parameter", quantile([abs(error) for _, error, _ in numbers], 0.5), False, 0.01),
        ("90 % of these", quantile([abs(error) for _, error, _ in numbers], 0.9), False, 0.04),
        ("parameters inside their interval", share(holds for _, _, holds in numbers), True, 0.8),
        ("repeats that are said", sum(score.said for score in scores) / max(1, sum(score.repeats for score in scores))
         if any(score.repeats for score in scores) else 1.0, True, 0.9),
        ("lags inside their interval", share(bool(holds) for holds in lags), True, 0.8),
    ]


def report(scores, is_all):
    print(f"{'clip':18} {'clear':>5} {'found':>5} {'miss':>5} {'false':>5} {'rms':>7} {'largest':>7} {'cover':>5} {'half':>6}")
    for score in scores:
        if is_all or score.problems or score.false:
            print(score.line())
    broken = []
    for name, number, is_more, bar in bars(scores):
        holds = number >= bar if is_more else number <= bar
        print(f"{'' if holds else 'broken: '}{name}: {number:.4g} (bar: {'at least' if is_more else 'at most'} {bar:g})")
        if not holds:
            broken.append(name)
    return broken


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("kymo")
    asked.add_argument("--clips", type=int, default=CLIPS)
    asked.add_argument("--first", type=int, default=0, help="the first clip, counted from 0")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--family", help="only clips of this family")
    asked.add_argument("--keep", help="a folder that keeps clips and recordings")
    asked.add_argument("--all", action="store_true", help="a line for each clip")
    words = asked.parse_args()
    if not shutil.which("ffmpeg"):
        print("ffmpeg is not installed, so no clip was made. Run Tools/setup --python")
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = words.keep or folder
        os.makedirs(folder, exist_ok=True)
        jobs = [(words.kymo, words.seed, index, folder) for index in range(words.first, words.first + words.clips)
                if words.family in (None, clips.FAMILIES[index % len(clips.FAMILIES)].__name__)]
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            broken = report(list(pool.map(measure, jobs)), words.all)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
