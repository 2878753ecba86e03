#!/usr/bin/env python3
"""`auto` against the best single estimator, on motion of three kinds, told from held-out samples.

    Tests/Oracles/auto.py KYMO
    Tests/Oracles/auto.py --calibrate

Generates fast flings, slow drags and slow motion under noise (other seeds than the constants were
made from), and asks `kymo velocity --samples` for every estimator at many lifts, once with the whole
file and once with the file cut at the lift. The reference is the slope of the best parabola within
22 ms before and after the lift. In each group the median error of `auto`, as a share of the
recording's peak speed, must stay within 10 % of the best single estimator's, and its 90 % intervals
must hold the reference at 85 to 95 % of the lifts. Prints the table.

--calibrate prints the constants of EstimatorExperience.swift and AutoInterval.swift anew.
"""
import concurrent.futures
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

from velocity_models import calibration, motions
from velocity_models.estimators import reference

# As many recordings as below, three times as many in the long run.
SHARE = max(1, min(3, int(os.environ.get("KYMO_TEST_ROUNDS", "40")) // 40))
MOST_ABOVE_BEST = 1.10
HELD = (0.85, 0.95)


def groups():
    """Name, recordings, lifts a recording, and whether only the last 60 ms count."""
    def make(seed, kind, count, **more):
        dice = random.Random(seed)
        return [kind(dice, **more) for _ in range(count * SHARE)]
    yield "flings", make(101, motions.fling, 36), 99, True
    yield "sparse flings", make(102, motions.fling, 60, rate=60), 99, True
    yield "drags", make(103, motions.drag, 24), 8, False
    yield "noise", make(104, motions.noise, 12), 6, False


def ask(kymo, folder, stamps, values, lift, is_cut):
    """Rows of `kymo velocity`, by estimator, at the lift of the sample `lift`."""
    count = lift + 1 if is_cut else len(values)
    with tempfile.NamedTemporaryFile("w", suffix=".csv", dir=folder) as file:
        file.write("t_ns,value\n" + "".join(f"{t},{x!r}\n" for t, x in zip(stamps[:count], values[:count])))
        file.flush()
        answer = subprocess.run(
            [kymo, "velocity", file.name, "--lift", f"{stamps[lift]}ns", "--estimator", "all",
             "--format", "json"], capture_output=True, text=True, check=True)
    return {row["estimator"]: row for row in json.loads(answer.stdout)}


def chosen_lifts(dice, stamps, values, most, is_tail):
    """Samples with a reference: their positions and their slopes, and the largest slope."""
    times = [t / 1e9 for t in stamps]
    slopes = {i: reference(times, values, i, len(values) - 1) for i in range(1, len(values))}
    slopes = {i: slope for i, slope in slopes.items() if slope is not None}
    peak = max(map(abs, slopes.values()), default=0.0)
    if peak == 0:
        return {}, 1.0
    if is_tail:
        slopes = {i: slope for i, slope in slopes.items() if times[i] >= times[-1] - 0.06}
    kept = slopes if len(slopes) <= most else sorted(dice.sample(sorted(slopes), most))
    return {i: slopes[i] for i in kept}, peak


def judge(name, answers, is_cut):
    """One line of the table; whether the group holds."""
    errors, held, widths = {}, 0, []
    for rows, slope, peak in answers:
        for estimator, row in rows.items():
            errors.setdefault(estimator, []).append(abs((row["velocity"] or 0.0) - slope) / peak)
        auto = rows["auto"]
        if auto["low"] is not None:
            held += auto["low"] <= slope <= auto["high"]
            widths.append((auto["high"] - auto["low"]) / 2 / peak)
    medians = {estimator: statistics.median(found) for estimator, found in errors.items()}
    auto = medians.pop("auto")
    best = min(sorted(medians), key=medians.__getitem__)
    ratio, share = auto / medians[best], held / len(answers)
    holds = ratio <= MOST_ABOVE_BEST and HELD[0] <= share <= HELD[1]
    print(f"{name:14} {'cut' if is_cut else 'whole':6} {len(answers):5} {auto:8.4f} {best:>12} {medians[best]:8.4f}"
          f" {ratio:6.2f} {share:8.1%} {statistics.median(widths):7.3f}  {'ok' if holds else 'FAILED'}")
    return holds


def main(kymo):
    print("group          file   lifts     auto  best single    error  ratio     held   reach")
    failed = []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name, recordings, most, is_tail in groups():
            dice = random.Random(7)
            asked = []
            for stamps, values in recordings:
                lifts, peak = chosen_lifts(dice, stamps, values, most, is_tail)
                asked += [(stamps, values, lift, slope, peak) for lift, slope in lifts.items()]
            for is_cut in (False, True):
                rows = pool.map(lambda a: ask(kymo, folder, a[0], a[1], a[2], is_cut), asked)
                answers = [(row, a[3], a[4]) for row, a in zip(rows, asked)]
                if not judge(name, answers, is_cut):
                    failed.append(f"{name} ({'cut' if is_cut else 'whole'})")
    if failed:
        print("auto.py: beyond the limits on " + ", ".join(failed))
        return 1
    print("auto.py: within 10 % of the best single estimator, intervals hold 85 to 95 %")
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--calibrate"]:
        sys.exit(calibration.calibrate())
    sys.exit(main(sys.argv[1]))
