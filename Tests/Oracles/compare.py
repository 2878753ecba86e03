#!/usr/bin/env python3
"""What `kymo compare` says of two runs, told again by numpy, evo and dtaidistance over the same rows.

    Tests/Oracles/compare.py KYMO

Records random pairs of runs (springs, noise, delay, other rates, gaps, steps), reads the rows back with
Python's own sqlite3, and compares: association and RMSE with evo's absolute and relative pose errors, the
warp with dtaidistance, and everything else (time-weighted means, percentile, lag, gain, increments, step
response, velocities, hitches, elements) with numpy on the formulas as the documentation writes them.
"""
import json
import math
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

from packages import need

need()

import numpy as np  # noqa: E402
from dtaidistance import dtw  # noqa: E402
from evo.core import metrics, sync  # noqa: E402
from evo.core.trajectory import PoseTrajectory3D  # noqa: E402

from velocity_models.springs import spring  # noqa: E402

ROUNDS = int(os.environ.get("KYMO_TEST_ROUNDS", "8"))
LIMIT = 0.05
counts = {}


class Wrong(Exception):
    pass


def near(found, right, what, relative=1e-9, absolute=1e-12):
    counts[what] = counts.get(what, 0) + 1
    if found is None or right is None:
        if found is not None or right is not None:
            raise Wrong(f"{what} is {found!r}, expected {right!r}")
        return
    if not abs(found - right) <= absolute + relative * abs(right):
        raise Wrong(f"{what} is {found!r}, expected {right!r}")


# --- Runs ----------------------------------------------------------------------------------------

def rise(t, damping, stiffness):
    """A damped spring from 0 to 1."""
    frequency = math.sqrt(stiffness)
    return 1 + spring(t, -1, 0, frequency, damping / 2 / frequency)


def times(dice, rate, seconds, begin):
    step = 1 / rate
    t = begin + np.arange(int(seconds * rate)) * step
    t = t + np.array([dice.uniform(-0.2, 0.2) * step for _ in t])
    keep = [dice.random() > 0.04 for _ in t]
    keep[0] = keep[-1] = True
    return np.unique((t[keep] * 1e9).round().astype(np.int64))


def make_pair(dice):
    """Lines of two runs: one curve that differs by delay, shape, scale, rate or noise, and one of steps."""
    kind = dice.choice(["delay", "shape", "scale", "noise", "offset"])
    damping, stiffness = dice.uniform(5, 60), dice.uniform(100, 600)
    scale = 10 ** dice.uniform(-3, 3)
    runs = []
    for side in range(2):
        delay = dice.uniform(-0.03, 0.03) if side and kind == "delay" else 0
        factor = dice.uniform(0.8, 1.2) if side and kind == "scale" else 1
        add = dice.uniform(-0.1, 0.1) if side and kind == "offset" else 0
        d = damping * (dice.uniform(0.7, 1.4) if side and kind == "shape" else 1)
        noise = 0.01 if kind == "noise" else 0
        t = times(dice, dice.choice([60, 90, 120]), dice.uniform(1.0, 1.6), dice.uniform(0.2, 0.25))
        s = t / 1e9 - 0.4 - delay
        y = np.where(s > 0, rise(np.maximum(s, 0), d, stiffness), 0) * factor + add
        y = (y + np.array([dice.gauss(0, noise) for _ in t])) * scale
        lines = [{"t_ns": int(a), "key": "x", "unit": "pt", "value": float(b)} for a, b in zip(t, y)]
        n = dice.randrange(2, 9)
        at = sorted(dice.sample(range(0, 1_500_000_000), n))
        lines += [{"t_ns": a, "key": "page", "unit": "1", "value": dice.randrange(4)} for a in at]
        frame, now = 1e9 / 120, 0
        for step in range(100):
            x, w = float(50 * math.sin(step / 20 + delay)), 10.0 + side * dice.random()
            lines.append({"t_ns": int(now), "frame": {"progress": step / 100, "items": [
                {"id": "card", "frame": [x, 3.0, w, 20.0], "alpha": 1 - 0.1 * side * dice.random()}]}})
            now += frame * dice.choice([1, 1, 1, 1, 1, 2, 3, 1.02, 0.98])
        lines.sort(key=lambda line: line["t_ns"])
        runs.append(lines)
    return runs


def record(kymo, folder, name, lines):
    path = os.path.join(folder, name)
    text = "\n".join(json.dumps(line) for line in [{"kymograph": 1, "refreshRate": 120}] + lines)
    done = subprocess.run([kymo, "record", "--from-ndjson", "-", "--into", path], input=text,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Wrong(f"recording failed: {done.stderr}")
    return path


def read(path, key):
    with sqlite3.connect(path) as file:
        rows = file.execute("SELECT s.t_ns, s.value FROM plain_sample AS s JOIN key AS k ON k.session = s.session"
                            " AND k.key = (s.slot >> 2 & 1073741823) WHERE k.name = ? ORDER BY s.t_ns, s.slot",
                            (key,)).fetchall()
    last = {}
    for t, value in rows:
        last[t] = float(value)
    t = np.array(sorted(last), dtype=np.int64)
    return t, np.array([last[i] for i in t])


# --- Curves --------------------------------------------------------------------------------------

def held(at, t, y):
    return y[np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 1)]


def associate(a, b, step=False, shift=0.0):
    """Union of both times over the overlap, seconds since A's first sample, with both values."""
    origin = a[0][0]
    ta, tb = (a[0] - origin) / 1e9, (b[0] - origin) / 1e9
    low, high = max(ta[0], tb[0] - shift), min(ta[-1], tb[-1] - shift)
    t = np.unique(np.concatenate([[low, high], ta, tb - shift]))
    t = t[(t >= low) & (t <= high)]
    if step:
        return t, held(t, ta, a[1]), held(t + shift, tb, b[1])
    return t, np.interp(t, ta, a[1]), np.interp(t + shift, tb, b[1])


def mean_square(t, d, step=False):
    w = np.diff(t)
    e = d[:-1] if step else d[1:]
    return float(np.sum(w * (d[:-1] ** 2 + d[:-1] * e + e ** 2) / 3) / np.sum(w))


def check_curve(row, a, b, step):
    t, ya, yb = associate(a, b, step)
    d, w = yb - ya, np.diff(t)
    e = d[:-1] if step else d[1:]
    scale = float(np.max(np.abs(ya)) + np.max(np.abs(yb)))
    slack = 1e-9 * scale
    near(row["max"], float(np.max(np.abs(d))), "max", absolute=slack)
    near(row["rmse"], math.sqrt(mean_square(t, d, step)), "rmse", absolute=slack)
    near(row["bias"], float(np.sum(w * (d[:-1] + e) / 2) / np.sum(w)), "bias", absolute=slack)
    fine = 2000
    if not step:
        grid = np.linspace(t[0], t[-1], fine * 50)
        near(row["mean_abs"], float(np.trapezoid(np.abs(np.interp(grid, t, d)), grid) / (t[-1] - t[0])),
             "mean abs", relative=1e-4, absolute=1e-7 * scale)
    def share_within(most):
        """The share of the time for which the straight lines from d to e are within a distance."""
        low, high = np.minimum(d[:-1], e), np.maximum(d[:-1], e)
        length = np.maximum(0, np.minimum(high, most) - np.maximum(low, -most))
        flat = high == low
        inside = np.where(flat, np.abs(low) <= most, length / np.where(flat, 1, high - low))
        return float(np.sum(w * inside) / np.sum(w))
    if np.sum(w) > 0:
        margin = slack + 1e-6 * abs(row["p95"])
        if share_within(row["p95"] + margin) < 0.95 - 1e-9:
            raise Wrong(f"p95 {row['p95']} is too small")
        if row["p95"] > margin and share_within(row["p95"] - margin) > 0.95 + 1e-9:
            raise Wrong(f"p95 {row['p95']} is too large")
    for name, delta in [("frame_increment", 1 / 120), ("long_increment", 0.1)]:
        if t[-1] - delta <= t[0]:
            continue
        at = np.unique(np.concatenate([t, t - delta, [t[-1] - delta]]))
        at = at[(at >= t[0]) & (at <= t[-1] - delta)]
        if step:
            # In the middle of each piece, where rounding cannot make it another piece.
            middle = (at[:-1] + at[1:]) / 2
            change = (held(middle + delta, t, d) - held(middle, t, d)) / delta
            right = math.sqrt(np.sum(np.diff(at) * change ** 2) / (at[-1] - at[0]))
        else:
            right = math.sqrt(mean_square(at, (np.interp(at + delta, t, d) - np.interp(at, t, d)) / delta))
        near(row[name], right, "increments", relative=1e-6, absolute=1e-8 * scale / delta)
    if step or not row["range"]:
        return
    # The lag: no shift on a fine grid is better, and the residual is the one at the lag.
    lag = row["lag_s"]
    near(row["residual"], math.sqrt(mean_square(*pick(associate(a, b, shift=lag)))), "residual",
         relative=1e-6, absolute=slack)
    best = min(mean_square(*pick(associate(a, b, shift=s))) for s in np.arange(-LIMIT, LIMIT + 1e-9, 5e-4))
    if row["residual"] ** 2 > best * (1 + 1e-6) + slack ** 2:
        raise Wrong(f"a lag of {lag} leaves {row['residual']}, another {math.sqrt(best)}")
    counts["lag"] = counts.get("lag", 0) + 1
    fits = []
    for shift in (0.0, lag):
        t, ya, yb = associate(a, b, shift=shift)
        grid = np.linspace(t[0], t[-1], 50_001)
        ga, gb = np.interp(grid, t, ya), np.interp(grid, t, yb)
        gain, offset = np.polyfit(ga, gb, 1)
        fits.append((math.sqrt(float(np.mean((gb - gain * ga - offset) ** 2))), float(gain)))
    left = min(fits)[0]
    near(row["residual_after_gain"], left, "residual after gain", relative=1e-3, absolute=1e-6 * scale)
    if all(abs(gain - row["gain"]) > 1e-4 * abs(gain) for _, gain in fits):
        raise Wrong(f"gain is {row['gain']}, expected one of {fits}")
    counts["gain"] = counts.get("gain", 0) + 1


def pick(curves):
    t, ya, yb = curves
    return t, yb - ya


def check_evo(row, a, b):
    """evo on both runs at common instants: its errors are sums over samples, so an even grid is asked."""
    t, ya, yb = associate(a, b)
    grid = np.linspace(t[0], t[-1], 20_001)

    def path(y):
        xyz = np.column_stack([np.interp(grid, t, y), np.zeros_like(grid), np.zeros_like(grid)])
        return PoseTrajectory3D(xyz, np.tile([1.0, 0, 0, 0], (len(grid), 1)), grid)

    first, second = sync.associate_trajectories(path(ya), path(yb), max_diff=1e-6)
    error = metrics.APE(metrics.PoseRelation.translation_part)
    error.process_data((first, second))
    found = error.get_all_statistics()
    near(row["rmse"], found["rmse"], "evo ape rmse", relative=2e-3, absolute=1e-6 * row["range"])
    near(row["mean_abs"], found["mean"], "evo ape mean", relative=2e-3, absolute=1e-6 * row["range"])
    near(row["max"], found["max"], "evo ape max", relative=2e-2, absolute=1e-6 * row["range"])
    steps = round(0.1 / (grid[1] - grid[0]))
    error = metrics.RPE(metrics.PoseRelation.translation_part, delta=steps, delta_unit=metrics.Unit.frames,
                        all_pairs=True)
    error.process_data((first, second))
    found = error.get_all_statistics()
    near(row["long_increment"], found["rmse"] / (steps * (grid[1] - grid[0])), "evo rpe", relative=5e-3,
         absolute=1e-5 * row["range"])


def check_warp(row, a, b):
    t, ya, yb = associate(a, b)
    step = row["warp_step_ms"] / 1000
    median = min(float(np.sort(np.diff(x[0] / 1e9))[(len(x[0]) - 2) // 2]) for x in (a, b))
    near(step, max(median, LIMIT / 8), "warp step", relative=1e-6)
    count = int((t[-1] - t[0]) / step + 1e-6) + 1
    grid = np.minimum(t[-1], t[0] + step * np.arange(count))
    band = int(LIMIT / step + 1e-6)
    cost = dtw.distance(np.interp(grid, t, ya), np.interp(grid, t, yb), window=band + 1,
                        inner_dist="euclidean")
    near(row["warp_cost"], cost / count, "dtw", relative=1e-6, absolute=1e-9 * row["range"])
    if row["warp_ms"] > band * step * 1000 + 1e-6:
        raise Wrong("the warp leaves its band")


# --- Motion, hitches, elements -------------------------------------------------------------------

def first_reach(t, y, level, up):
    hit = np.nonzero(y >= level if up else y <= level)[0][0]
    if hit == 0:
        return t[0]
    return t[hit - 1] + (level - y[hit - 1]) / (y[hit] - y[hit - 1]) * (t[hit] - t[hit - 1])


def check_motion(found, side, run):
    t, y = run[0] / 1e9, run[1]
    way, extent = y[-1] - y[0], np.max(y) - np.min(y)
    has_way = way != 0 and abs(way) >= 0.1 * extent
    if has_way:
        up = way > 0
        rise = first_reach(t, y, y[0] + 0.9 * way, up) - first_reach(t, y, y[0] + 0.1 * way, up)
        near(found["rise_ms" + side], rise * 1000, "rise", absolute=1e-4)
        beyond = (np.max(y) - y[-1] if up else y[-1] - np.min(y)) / abs(way) * 100
        if extent > 0.5:
            near(found["overshoot_percent" + side], max(0.0, float(beyond)), "overshoot", absolute=1e-6)
        elif found["overshoot_percent" + side] is not None:
            raise Wrong("nobody sees half a point, and it has an overshoot")
    # The values have the unit pt: half a point is the least band.
    reference = abs(way) if has_way else float(np.max(np.abs(y - y[-1])))
    for name, share in [("settle_2_ms", 0.02), ("settle_5_ms", 0.05)]:
        band = max(share * reference, 0.5)
        out = np.nonzero(np.abs(y - y[-1]) > band)[0]
        right = 0.0
        if len(out):
            i = out[-1]
            edge = y[-1] + math.copysign(band, y[i] - y[-1])
            right = t[i] + (edge - y[i]) / (y[i + 1] - y[i]) * (t[i + 1] - t[i]) - t[0]
        near(found[name + side], float(right) * 1000, "settle", absolute=1e-4)
    steepest = 0.0
    for i in range(len(t)):
        later = np.nonzero(run[0] - run[0][i] >= 4_000_000)[0]
        if len(later):
            slope = (y[later[0]] - y[i]) / (t[later[0]] - t[i])
            steepest = slope if abs(slope) > abs(steepest) else steepest
    near(found["peak_velocity_per_s" + side], float(steepest), "peak velocity", relative=1e-5)


def check_smoothness(found, path):
    with sqlite3.connect(path) as file:
        t = np.array([row[0] for row in file.execute("SELECT t_ns FROM frame ORDER BY frame")])
        moving = np.array([row[0] != 0 for row in file.execute("SELECT phase FROM frame ORDER BY frame")])
    gaps = np.diff(t)
    if moving.any():
        gaps = gaps[moving[:-1]]
    for name, share in [("interval_p50_ms", 50), ("interval_p90_ms", 90), ("interval_p95_ms", 95), ("interval_p99_ms", 99)]:
        near(found[name], float(np.percentile(gaps, share, method="inverted_cdf")) / 1e6, "intervals")
    expected = 1e9 / 120
    frames = np.maximum(1, np.floor(gaps / expected + 0.5))
    near(found["hitch_ms_per_s"], float(np.sum(frames - 1) * expected / np.sum(gaps) * 1000), "hitch ratio")
    near(found["jank_percent"], float(np.mean(gaps > 2.05 * expected) * 100), "jank")
    near(found["growths"], int(np.sum(frames[1:] > frames[:-1])) + int(frames[0] > 1), "growths",
         absolute=1)


def check_layout(row, pathA, pathB):
    sides = []
    for path in (pathA, pathB):
        with sqlite3.connect(path) as file:
            rows = file.execute("SELECT f.t_ns, a.center_x, a.center_y, a.width, a.height, a.alpha FROM frame AS f"
                                " JOIN plain_attribute AS a USING (session, frame) WHERE change < 2 ORDER BY f.t_ns").fetchall()
        rows = np.array(rows, dtype=float)
        sides.append((rows[:, 0] / 1e9, rows[:, 1:]))
    (ta, a), (tb, b) = sides
    t = np.unique(np.concatenate([ta, tb]))
    t = t[(t >= max(ta[0], tb[0])) & (t <= min(ta[-1], tb[-1]))]
    pa = np.column_stack([np.interp(t, ta, a[:, i]) for i in range(5)])
    pb = np.column_stack([np.interp(t, tb, b[:, i]) for i in range(5)])
    distance = np.hypot(pb[:, 0] - pa[:, 0], pb[:, 1] - pa[:, 1])
    near(row["layout_distance_pt"], float(np.max(distance)), "element distance", absolute=1e-6)
    near(row["rms_distance_pt"], math.sqrt(mean_square(t, pb[:, 0] - pa[:, 0]) + mean_square(t, pb[:, 1] - pa[:, 1])),
         "element rms", absolute=1e-6)
    size = np.maximum(np.abs(pb[:, 2] - pa[:, 2]), np.abs(pb[:, 3] - pa[:, 3]))
    near(row["size_error_pt"], float(np.max(size)), "element size", absolute=1e-9)
    near(row["alpha_error"], float(np.max(np.abs(pb[:, 4] - pa[:, 4]))), "element alpha", absolute=1e-9)
    low = np.maximum(pa[:, :2] - pa[:, 2:4] / 2, pb[:, :2] - pb[:, 2:4] / 2)
    high = np.minimum(pa[:, :2] + pa[:, 2:4] / 2, pb[:, :2] + pb[:, 2:4] / 2)
    shared = np.prod(np.maximum(0, high - low), axis=1)
    union = pa[:, 2] * pa[:, 3] + pb[:, 2] * pb[:, 3] - shared
    near(row["iou"], float(np.min(shared / union)), "element iou", absolute=1e-6)


def check(kymo, folder, dice, number):
    runs = make_pair(dice)
    a = record(kymo, folder, f"a{number}.kymo", runs[0])
    b = record(kymo, folder, f"b{number}.kymo", runs[1])
    done = subprocess.run([kymo, "compare", a, b, "--align", "none", "--all", "--json"], capture_output=True,
                          text=True)
    if done.returncode not in (0, 1):
        raise Wrong(done.stderr)
    rows = json.loads(done.stdout)
    keys = {row["key"]: row for row in rows if row["row"] == "key"}
    for key, step in [("x", False), ("page", True)]:
        sides = read(a, key), read(b, key)
        row = keys[key]
        if row["interpolation"] != ("hold" if step else "linear"):
            raise Wrong(f"{key} is read {row['interpolation']}")
        if row.get("max") is None:
            continue
        check_curve(row, *sides, step)
        if not step:
            check_evo(row, *sides)
            check_warp(row, *sides)
            for side, run in zip(["_a", "_b"], sides):
                check_motion(row["motion"][0], side, run)
    verdict = rows[-1]
    check_smoothness(verdict["smoothness_a"], a)
    check_smoothness(verdict["smoothness_b"], b)
    for row in rows:
        if row["row"] == "item":
            check_layout(row, a, b)


def main():
    kymo = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            dice = random.Random(number)
            try:
                check(kymo, folder, dice, number)
            except Wrong as wrong:
                sys.exit(f"compare.py: round {number}: {wrong}")
    said = ", ".join(f"{count} of {what}" for what, count in sorted(counts.items()))
    print(f"compare.py: {ROUNDS} pairs of runs agree: {said}")


main()
