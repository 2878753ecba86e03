"""Recomputes the constants of `auto` from generated motion and prints them as Swift source."""
import math
import random
import statistics

from . import motions
from .estimators import CANDIDATES, SPREAD, answers, reference

SPARSE = 0.012              # Seconds from place to place; see EstimatorExperience.swift.
KINDS = ("flings", "sparseFlings", "drags", "noise")


class Recording:
    """A recording with every candidate's answer and the reference at its places."""

    def __init__(self, stamps, values, only=None):
        self.times = [t / 1e9 for t in stamps]
        self.values = values
        last = len(values) - 1
        self.references, self.answers = {}, {}
        for place in range(1, last + 1):
            if only is not None and place not in only:
                continue
            slope = reference(self.times, values, place, last)
            if slope is not None:
                self.references[place] = slope
            self.answers[place] = answers(self.times, values, place)
        self.peak = max(map(abs, self.references.values()), default=0.0)

    def errors(self, places):
        return [[abs(v - self.references[p]) / self.peak for v in self.answers[p]] for p in places]


def sampled(dice, make, places):
    stamps, values = make(dice)
    count = len(values)
    only = set(range(1, count)) if count <= places else set(dice.sample(range(1, count), places))
    return Recording(stamps, values, only)


def half_error(errors):
    """(mean of the roots)^2, between the median and the mean."""
    return (sum(map(math.sqrt, errors)) / len(errors)) ** 2


def centred(values):
    mean = sum(values) / len(values)
    return [v - mean for v in values]


def experience(recordings, tail=None):
    """Mean and deviation of each candidate's error on one kind of motion, as logarithms."""
    pooled, single = [], []
    for recording in recordings:
        places = [p for p in recording.references if p > 1
                  and (tail is None or recording.times[p] >= recording.times[-1] - tail)]
        if recording.peak == 0 or len(places) < 2:
            continue
        columns = list(zip(*recording.errors(places)))
        pooled.append(columns)
        single.append(centred([math.log(half_error(c) + 0.001) for c in columns]))
    means = []
    for candidate in range(len(CANDIDATES)):
        errors = [e for columns in pooled for e in columns[candidate]]
        means.append((math.log(half_error(errors)) + math.log(statistics.median(errors))) / 2)
    deviations = [statistics.pstdev(column) for column in zip(*single)]
    return list(zip(centred(means), deviations))


def best(tables, recording, found, newest):
    """The candidate that the program would choose with these held-out errors."""
    rows = list(zip(*found)) or [()] * len(CANDIDATES)
    count = len(found)
    steps = [b - a for a, b in zip(recording.times, recording.times[1:newest + 1])][-10:]
    fling = "sparseFlings" if statistics.median(steps) > SPARSE else "flings"
    kinds = (fling, "drags", "noise")
    if count < 5:
        return min(range(len(rows)), key=lambda c: tables[fling][c][0])
    logs = centred([math.log(half_error(row) + 0.001) for row in rows])
    told = count / (count + 5)
    distance = [sum(((l - m) / d) ** 2 for l, (m, d) in zip(logs, tables[k])) / len(logs) for k in kinds]
    weights = [math.exp(-4 * told * (d - min(distance))) for d in distance]
    shares = [told * w / sum(weights) for w in weights]
    shares[0] += 1 - told
    scores = [(count * l + 15 * sum(s * tables[k][c][0] for s, k in zip(shares, kinds))) / (count + 15)
              for c, l in enumerate(logs)]
    return min(range(len(scores)), key=scores.__getitem__)


def from_median(values):
    middle = statistics.median(values)
    return sum(abs(v - middle) for v in values) / len(values)


def typical_errors(tables, recordings):
    """Errors in units of the scale at the last 60 ms of flings that are cut there."""
    members = [i for i, (name, _, horizon) in enumerate(CANDIDATES) if (name, horizon) in SPREAD]
    sizes = []
    for recording in recordings:
        times, values = recording.times, recording.values
        for lift in recording.references:
            if times[lift] < times[-1] - 0.06:
                continue
            found = {}
            for place in range(2, lift):
                slope = reference(times, values, place, lift)
                if slope is not None:
                    found[place] = slope
            count = len(found)
            if count > 10:
                continue
            peak = max(map(abs, found.values()), default=0.0) or 1.0
            errors = [[abs(v - slope) / peak for v in recording.answers[p]] for p, slope in found.items()]
            chosen = best(tables, recording, errors, lift)
            own = half_error([row[chosen] for row in errors]) * peak if errors else 0.0
            told = count / (count + 3)
            speed = max(abs(values[i] - values[i - 1]) / (times[i] - times[i - 1])
                        for i in range(max(1, lift - 2), lift + 1))
            scale = from_median([recording.answers[lift][m] for m in members]) \
                + 0.3 * own * told + 0.1 * speed * (1 - told)
            if scale > 0:
                sizes.append(abs(recording.answers[lift][chosen] - recording.references[lift]) / scale)
    sizes.sort()
    return [sizes[len(sizes) * i // 20] for i in range(1, 20)]


def calibrate():
    dice = random.Random(2012)
    flings = [Recording(*motions.fling(dice)) for _ in range(500)]
    sparse = [Recording(*motions.fling(dice, rate=60)) for _ in range(300)]
    dense = [r for r in flings if r.times[-1] / (len(r.times) - 1) <= SPARSE]
    drags = [sampled(dice, motions.drag, 120) for _ in range(80)]
    noise = [sampled(dice, motions.noise, 120) for _ in range(30)]
    tables = {"flings": experience(dense, 0.06), "sparseFlings": experience(sparse, 0.06),
              "drags": experience(drags), "noise": experience(noise)}
    for index, (name, _, horizon) in enumerate(CANDIDATES):
        cells = ", ".join("(%.2f, %.2f)" % tables[kind][index] for kind in KINDS)
        print(f"    Self(.{name}, {horizon}, {cells}),")
    for name, recordings in (("typicalErrors", dense), ("typicalSparseErrors", sparse)):
        print(f"{name}: " + ", ".join("%.2f" % e for e in typical_errors(tables, recordings)))
