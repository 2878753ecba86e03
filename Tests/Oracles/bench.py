#!/usr/bin/env python3
"""What `kymo compare` says of many runs, told again by SciPy, and by counting where SciPy only approximates.

    Tests/Oracles/bench.py KYMO

Records sessions whose keys end at random numbers (normal, far-flung, tied, all equal, some missing), so that
each key is one case of `--metric final_value`, unpaired and `--paired`. Medians, intervals, p values, shifts,
Holm's adjustment, geometric means and numbers of runs must agree to nine digits; bootstrap intervals must be
those of the same generator written again here, and lie where SciPy's own bootstrap puts them.
"""
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile

from packages import need

need()

import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402

ROUNDS = int(os.environ.get("KYMO_TEST_ROUNDS", "12"))
KEYS = 24
FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Fixtures")
MASK = 2**64 - 1
counts = {}


class Wrong(Exception):
    pass


def near(found, right, what, tolerance=1e-9):
    counts[what] = counts.get(what, 0) + 1
    if found is None or right is None:
        if found is not right:
            raise Wrong(f"{what} is {found!r}, expected {right!r}")
    elif abs(found - right) > tolerance * max(abs(right), 1e-12):
        raise Wrong(f"{what} is {found!r}, expected {right!r}")


# --- Made recordings -----------------------------------------------------------------------------

def number(dice, kind, side):
    shift = side * dice[1]
    if kind == "normal":
        return dice[0].gauss(10, 2) + shift
    if kind == "ties":
        return float(dice[0].randrange(4)) + (shift > 1)
    if kind == "flung":
        return math.exp(dice[0].gauss(0, 3)) * (1 + shift)
    if kind == "around zero":
        return dice[0].gauss(0, 1)
    if kind == "huge":
        return dice[0].uniform(-1, 1) * 1e300
    return 3.0                                                      # "equal"


KINDS = ["normal", "normal", "ties", "ties", "flung", "around zero", "huge", "equal"]


def make(kymo, path, side, size, kinds, dice, missing):
    """A recording of `size` sessions; returns a list of {key: number} for each."""
    sessions = []
    for place in range(size):
        told = {key: number((dice, shift), kind, side) for key, (kind, shift) in kinds.items()
                if dice.random() >= missing}
        lines = [json.dumps({"kymograph": 1, "name": f"run {place}", "refreshRate": 100})]
        lines += [json.dumps({"t_ns": 0, "key": key, "value": value}) for key, value in told.items()]
        run = subprocess.run([kymo, "record", "--from-ndjson", "-", "--into", path],
                             input="\n".join(lines) + "\n", capture_output=True, text=True)
        if run.returncode != 0:
            raise Wrong(f"record: {run.stderr}")
        sessions.append(told)
    return sessions


def bench(kymo, *words):
    run = subprocess.run([kymo, "compare", *words, "--format", "json"], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        raise Wrong(f"bench {' '.join(words)}: {run.stderr}")
    answer = json.loads(run.stdout)
    if (answer["significant"] > 0) != (run.returncode == 1):
        raise Wrong(f"{answer['significant']} significant rows, but exit code {run.returncode}")
    return answer


# --- Told again ----------------------------------------------------------------------------------

def two_sided(weights, found):
    """Twice the smaller tail of a distribution given as {sum: weight}."""
    total = sum(weights.values())
    below = sum(w for s, w in weights.items() if s <= found)
    above = sum(w for s, w in weights.items() if s >= found)
    return min(1.0, 2 * min(below, above) / total)


def sums_of_choices(ranks, size):
    """How often each sum comes out when `size` of the ranks are chosen; whole numbers in Python's own."""
    ways = [{} for _ in range(size + 1)]
    ways[0][0] = 1
    for rank in ranks:
        for taken in range(size, 0, -1):
            for total, count in ways[taken - 1].items():
                ways[taken][total + rank] = ways[taken].get(total + rank, 0) + count
    return ways[size]


def sums_of_subsets(ranks):
    ways = {0: 1}
    for rank in ranks:
        more = dict(ways)
        for total, count in ways.items():
            more[total + rank] = more.get(total + rank, 0) + count
        ways = more
    return ways


def mann_whitney(base, new):
    count = len(base) + len(new)
    statistic = stats.mannwhitneyu(base, new, method="asymptotic").statistic
    if count > 60:
        return statistic, stats.mannwhitneyu(base, new, method="asymptotic").pvalue
    if len(set(base + new)) == count:
        return statistic, stats.mannwhitneyu(base, new, method="exact").pvalue
    ranks = stats.rankdata(base + new)
    if math.comb(count, len(base)) < 3000:
        sums = np.array([ranks[list(chosen)].sum()
                         for chosen in itertools.combinations(range(count), len(base))])
        found = ranks[: len(base)].sum()
        return statistic, min(1, 2 * min((sums <= found).mean(), (sums >= found).mean()))
    doubled = [int(2 * rank) for rank in ranks]
    return statistic, two_sided(sums_of_choices(doubled, len(base)), sum(doubled[: len(base)]))


def wilcoxon(differences):
    ranked = [d for d in differences if d != 0]
    sizes = [abs(d) for d in ranked]
    ranks = stats.rankdata(sizes)
    statistic = sum(rank for rank, d in zip(ranks, ranked) if d > 0)
    if len(ranked) > 100:
        return statistic, stats.wilcoxon(ranked, method="asymptotic", correction=True).pvalue
    if len(set(sizes)) == len(sizes):
        return statistic, stats.wilcoxon(ranked, method="exact").pvalue
    return statistic, two_sided(sums_of_subsets([int(2 * rank) for rank in ranks]), int(2 * statistic))


def shift(pairs, weights, level):
    """Median of all pairs, and the interval that a distribution without ties gives, if any."""
    pairs = np.sort(np.asarray(pairs))
    total = sum(weights.values())
    tail, best = 0, None
    for place in range(len(pairs)):
        tail += weights.get(place, 0)
        if tail / total > (1 - level) / 2:
            break
        best = (place, tail / total)
    middle = len(pairs) // 2
    median = pairs[middle] if len(pairs) % 2 else pairs[middle - 1] / 2 + pairs[middle] / 2
    if best is None:
        return median, None, None, None
    return median, pairs[best[0]], pairs[-1 - best[0]], 1 - 2 * best[1]


def median_interval(values, level):
    values, n, best = sorted(values), len(values), None
    for rank in range(1, n // 2 + 1):
        coverage = stats.binom.cdf(n - rank, n, 0.5) - stats.binom.cdf(rank - 1, n, 0.5)
        if coverage >= level:
            best = (values[rank - 1], values[n - rank], coverage)
    return best or (None, None, None)


def holm(values):
    tests = sorted((p, place) for place, p in enumerate(values) if p is not None)
    adjusted, largest = [None] * len(values), 0.0
    for rank, (p, place) in enumerate(tests):
        largest = max(largest, min(1.0, (len(tests) - rank) * p))
        adjusted[place] = largest
    return adjusted


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)

    def drawn(self, values):
        return [values[(self.next() * len(values)) >> 64] for _ in values]


def bootstrap(groups, figure, seed, resamples, level):
    dice, groups = SplitMix64(seed), [sorted(group) for group in groups]
    told = []
    for _ in range(resamples):
        value = figure(*[dice.drawn(group) for group in groups])
        if value is not None and math.isfinite(value):
            told.append(value)
    if 2 * len(told) < resamples:
        return None, None
    return tuple(np.quantile(told, [(1 - level) / 2, (1 + level) / 2]))


def change(base, new):
    before = float(np.median(base))
    return (float(np.median(new)) - before) / abs(before) if before != 0 else None


def runs_needed(variance, median, level, power, effect, smallest):
    if median == 0 or not math.isfinite(variance):
        return None
    z = stats.norm.isf(level / 2) + stats.norm.isf(1 - power)
    runs = math.ceil((z * math.sqrt(variance) / (effect * abs(median))) ** 2 * math.pi / 3)
    if runs > 1_000_000:
        return None
    runs = max(1, runs)
    while smallest(runs) > level:
        runs += 1
    return runs


# --- Checks --------------------------------------------------------------------------------------

def check_side(side, told, answer, is_drawn):
    level = answer["level"]
    if side["values"] != told:
        raise Wrong(f"values {side['values']} expected {told}")
    values = [value for value in told if value is not None]
    near(side["n"], len(values), "n")
    near(side["median"], middle(values), "median")
    low, high, coverage = median_interval(values, level)
    near(side["low"], low, "median low")
    near(side["high"], high, "median high")
    near(side["coverage"], coverage, "median coverage")
    near(side["p90"], quantile(values, 0.9), "p90")
    if is_drawn and values:
        low, high = bootstrap([values], lambda drawn: quantile(drawn, 0.9), answer["seed"],
                              answer["resamples"], level)
        near(side["p90_low"], low, "bootstrap of p90")
        near(side["p90_high"], high, "bootstrap of p90")


def middle(values):
    values, n = sorted(values), len(values)
    if n == 0:
        return None
    return values[n // 2] if n % 2 else values[n // 2 - 1] / 2 + values[n // 2] / 2


def quantile(values, share):
    if not values:
        return None
    with np.errstate(over="ignore"):
        return float(np.quantile(values, share))


def check_scipy_bootstrap(row, base, new):
    """Where SciPy's bootstrap distribution has the ends of ours."""
    resampled = stats.bootstrap(
        (np.array(base), np.array(new)),
        lambda a, b, axis: (np.median(b, axis=axis) - np.median(a, axis=axis)) / np.abs(np.median(a, axis=axis)),
        vectorized=True, n_resamples=20000, method="percentile", rng=np.random.default_rng(5))
    told = resampled.bootstrap_distribution
    for end, share in [(row["change_low_percent"] / 100, 0.025), (row["change_high_percent"] / 100, 0.975)]:
        counts["SciPy's bootstrap"] = counts.get("SciPy's bootstrap", 0) + 1
        # Four standard errors of a share of 0.025 in 2000 drawings are 0.014.
        edge = 1e-9 * max(1, abs(end))
        if (told < end - edge).mean() > share + 0.014 or (told <= end + edge).mean() < share - 0.014:
            raise Wrong(f"bootstrap end {end} is not where SciPy has the share {share}")


def check(answer, base_told, new_told, paired, dice):
    rows = answer["rows"]
    raw = []
    for row in rows:
        key = row["key"]
        base = [told.get(key) for told in base_told]
        new = [told.get(key) for told in new_told]
        is_identical = len(base) == len(new) and sorted(one for one in base if one is not None) == sorted(
            one for one in new if one is not None)
        is_drawn = dice.random() < 0.1
        check_side(row["base"], base, answer, is_drawn)
        check_side(row["new"], new, answer, is_drawn)
        pairs = [(b, n) for b, n in zip(base, new) if b is not None and n is not None]
        base, new = [b for b in base if b is not None], [n for n in new if n is not None]
        level = answer["level"]
        if paired:
            differences = [n - b for b, n in pairs]
            near(row["pairs"], len(pairs), "pairs")
            test = wilcoxon(differences) if any(differences) else (None, None)
            halves = [d / 2 for d in differences]
            means = [halves[i] + halves[j] for i in range(len(halves)) for j in range(i, len(halves))]
            told = (shift(means, sums_of_subsets(range(1, len(pairs) + 1)), level)
                    if pairs else (None,) * 4)
            wanted = (None if len(pairs) < 2 else
                      runs_needed(variance(differences), middle([b for b, _ in pairs]),
                                  answer["level_of_one_test"], answer["power"], answer["effect"],
                                  lambda n: 2.0 ** (1 - n)))
            there = len(pairs)
        else:
            constant = len(set(base + new)) < 2
            test = mann_whitney(base, new) if base and new and not constant else (None, None)
            differences = np.subtract.outer(new, base).ravel() if base and new else []
            exact = len(base) + len(new) <= 60
            if len(differences) and exact:
                size = min(len(base), len(new))
                ways = sums_of_choices(range(1, len(base) + len(new) + 1), size)
                ways = {total - size * (size + 1) // 2: count for total, count in ways.items()}
                told = shift(differences, ways, level)
            elif len(differences):
                told = (middle(list(differences)), row["shift_low"], row["shift_high"], row["shift_coverage"])
                if not 0.95 <= told[3] < 0.96:
                    raise Wrong(f"coverage {told[3]}")
            else:
                told = (None,) * 4
            wanted = None
            if len(base) > 1 and len(new) > 1:
                pooled = ((len(base) - 1) * variance(base) + (len(new) - 1) * variance(new)) / (
                    len(base) + len(new) - 2)
                wanted = runs_needed(2 * pooled, middle(base), answer["level_of_one_test"], answer["power"],
                                     answer["effect"], lambda n: min(1, 2 / math.comb(2 * n, n)))
            there = min(len(base), len(new))
            if is_drawn and base and new and middle(base) != 0:
                low, high = bootstrap([base, new], change, answer["seed"], answer["resamples"], level)
                near(row["change_low_percent"], low and low * 100, "bootstrap of the change", 1e-8)
                near(row["change_high_percent"], high and high * 100, "bootstrap of the change", 1e-8)
                if len(base) > 4 and len(new) > 4 and min(map(abs, base)) > 1e-3 and max(base) < 1e9:
                    check_scipy_bootstrap(row, base, new)
        near(row["statistic"], test[0], "statistic")
        near(row["p"], test[1], "p paired" if paired else "p")
        for name, value in zip(["shift", "shift_low", "shift_high", "shift_coverage"], told):
            near(row[name], None if value is None else float(value), name, 1e-9)
        # More runs of what is identical would show nothing.
        near(row["more_runs"], None if wanted is None or is_identical else max(0, wanted - there), "more runs")
        raw.append(test[1])
    for row, adjusted in zip(rows, holm(raw)):
        near(row["adjusted_p"], adjusted, "Holm")
        if row["significant"] != (adjusted is not None and adjusted < answer["alpha"]):
            raise Wrong(f"significant is {row['significant']} at {adjusted}")
    check_means(answer)


def variance(values):
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.var(values, ddof=1))


def check_means(answer):
    for mean in answer["geomeans"]:
        rows = [row for row in answer["rows"] if row["unit"] == mean["unit"]]
        sides = [[row[side]["median"] for row in rows] for side in ("base", "new")]
        if all(value is not None and value > 0 for side in sides for value in side):
            near(mean["base"], float(stats.gmean(sides[0])), "geometric mean")
            near(mean["new"], float(stats.gmean(sides[1])), "geometric mean")
        elif mean["base"] is not None or not mean["refused"]:
            raise Wrong(f"a geometric mean of {sides}")


def check_decisions(kymo, folder, dice):
    """Releases of real gestures: McNemar's test and Fisher's."""
    gestures = ["pinch-open.evemu", "pinch-back.evemu"]
    for round_number in range(2):
        sides = [[dice.randrange(2) for _ in range(9)] for _ in range(2)]
        paths = []
        for name, outcomes in zip(("base", "new"), sides):
            path = os.path.join(folder, f"decided-{name}-{round_number}.kymo")
            for outcome in outcomes:
                subprocess.run(
                    [kymo, "record", "--scenario", f"{FIXTURES}/scenarios/grid-to-detail.pinch.json",
                     "--gesture", f"{FIXTURES}/gestures/{gestures[outcome]}", "--into", path],
                    check=True, capture_output=True)
            paths.append(path)
        finished = [[1 - outcome for outcome in side] for side in sides]
        row = bench(kymo, paths[0], "--", paths[1], "--metric", "decision")["rows"][0]
        table = [[sum(side), len(side) - sum(side)] for side in finished]
        tails = [stats.fisher_exact(table, alternative).pvalue for alternative in ("less", "greater")]
        near(row["p"], min(1, 2 * min(tails)) if len(set(sum(finished, []))) > 1 else None, "Fisher")
        row = bench(kymo, paths[0], "--", paths[1], "--metric", "decision", "--paired")["rows"][0]
        gained = sum(b < n for b, n in zip(*finished))
        lost = sum(b > n for b, n in zip(*finished))
        near(row["gained"], gained, "flips")
        near(row["lost"], lost, "flips")
        near(row["p"], stats.binomtest(gained, gained + lost).pvalue if gained + lost else None, "McNemar")


def check_power(dice):
    """The number of runs really shows the effect about as often as it says."""
    for spread in (0.05, 0.1):
        runs = runs_needed(2 * spread**2, 1.0, 0.05, 0.8, 0.05, lambda n: 2 / math.comb(2 * n, n))
        rng = np.random.default_rng(dice.randrange(2**32))
        base = rng.normal(1, spread, (4000, runs))
        new = rng.normal(1.05, spread, (4000, runs))
        seen = (stats.mannwhitneyu(base, new, axis=1, method="asymptotic").pvalue < 0.05).mean()
        counts["power"] = counts.get("power", 0) + 1
        if not 0.74 < seen < 0.86:
            raise Wrong(f"{runs} runs a side show the effect in {seen:.3f} of all tries, not in 0.8")


def main():
    kymo = sys.argv[1]
    dice = random.Random(20)
    cases = 0
    # Hundreds of small recordings wait for the disk, unless they lie in memory.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        for round_number in range(ROUNDS):
            sizes = (34, 38) if round_number == 0 else (dice.randrange(1, 13), dice.randrange(1, 13))
            paired = round_number % 3 == 2
            if paired:
                sizes = (sizes[0], sizes[0])
            kinds = {f"k{place:02}": (dice.choice(KINDS), dice.choice([0, 0.5, 3]))
                     for place in range(KEYS)}
            missing = dice.choice([0, 0, 0.2])
            paths = [os.path.join(folder, f"{side}-{round_number}.kymo") for side in ("base", "new")]
            told = [make(kymo, path, side, size, kinds, dice, missing)
                    for side, (path, size) in enumerate(zip(paths, sizes))]
            words = [paths[0], "--", paths[1], "--metric", "final_value", "--seed", str(dice.randrange(2**40))]
            answer = bench(kymo, *words, *(["--paired"] if paired else []))
            check(answer, *told, paired, dice)
            cases += len(answer["rows"])
        check_decisions(kymo, folder, dice)
        check_power(dice)
    told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    print(f"{cases} cases in {ROUNDS} benches agree: {told}.")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"bench.py: {wrong}")
