#!/usr/bin/env python3
"""Computes velocities, flow layouts and settles a second time, from the formulas alone, and compares.

Usage: velocity_and_flow.py PATH-OF-KYMO

Nothing here is shared with the program: least squares are solved in exact fractions, Student's quantile
comes from the incomplete beta function, rows are broken and springs are evaluated by the textbook.
The cases are random with fixed seeds. Ends with 1 at the first difference and shows the input.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

from velocity_models.springs import spring

MILLISECOND = 1_000_000


def run(program, *arguments, text=None):
    """The program's JSON answer."""
    result = subprocess.run([program, *arguments, "--json"], input=text, capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        fail(f"exit code {result.returncode}: {result.stderr.strip()}", " ".join(arguments), text)
    return json.loads(result.stdout)


def fail(what, *details):
    print(f"DIFFERENT {what}")
    for detail in details:
        print(f"  {detail}")
    sys.exit(1)


def close(a, b, tolerance):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= tolerance * max(1, abs(a), abs(b))


def all_close(a, b, tolerance=1e-9):
    return len(a) == len(b) and all(close(x, y, tolerance) for x, y in zip(a, b))


# Velocity


def window(samples, lift):
    """The samples that count: 20 at most, 100 ms back from the newest, none before a gap of over 40 ms."""
    kept = []
    for time, value in samples:
        if time > lift or (kept and time < kept[-1][0]):
            continue
        if kept and time == kept[-1][0]:
            kept.pop()
        elif kept and time - kept[-1][0] > 40 * MILLISECOND:
            kept = []
        kept.append((time, value))
    return [s for s in kept[-20:] if kept[-1][0] - s[0] <= 100 * MILLISECOND]


def solve(matrix, right):
    """Gauss and Jordan in exact fractions."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = next(r for r in range(i, len(rows)) if rows[r][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(len(rows)):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def incomplete_beta(a, b, x):
    """Regularised, by its continued fraction (Abramowitz and Stegun 26.5.8)."""
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    fraction = 1.0
    for m in range(200, 0, -1):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        fraction = 1 + even / (1 + odd / fraction)
    return front / (1 - (a + b) * x / (a + 1) / fraction)


def student_95(freedom):
    """Student's t that 95 % of the values stay below."""
    low, high = 1e-9, 1000.0
    for _ in range(200):
        middle = (low + high) / 2
        below = 1 - incomplete_beta(freedom / 2, 0.5, freedom / (freedom + middle * middle)) / 2
        low, high = (middle, high) if below < 0.95 else (low, middle)
    return low


def lsq2(samples):
    """Slope of the fitted parabola at the newest sample, and its 90 % interval."""
    degree = min(2, len(samples) - 1)
    times = [Fraction(t - samples[-1][0], 10**9) for t, _ in samples]
    values = [Fraction(x) for _, x in samples]
    normal = [[sum(t ** (i + j) for t in times) for j in range(degree + 1)] for i in range(degree + 1)]
    fit = solve(normal, [sum(t**i * x for t, x in zip(times, values)) for i in range(degree + 1)])
    freedom = len(samples) - degree - 1
    if freedom == 0:
        return float(fit[1]), None, None
    residuals = sum((x - sum(c * t**i for i, c in enumerate(fit))) ** 2 for t, x in zip(times, values))
    spread = solve(normal, [Fraction(i == 1) for i in range(degree + 1)])[1]
    reach = student_95(freedom) * math.sqrt(residuals / freedom * spread)
    return float(fit[1]), float(fit[1]) - reach, float(fit[1]) + reach


def impulse(samples):
    """Velocity of the kinetic energy that the segments left."""
    work = None
    speed = lambda w: math.copysign(math.sqrt(2 * abs(w)), w)
    for (t0, x0), (t1, x1) in zip(samples, samples[1:]):
        u = (x1 - x0) / ((t1 - t0) / 1e9)
        work = u * abs(u) / 2 if work is None else work + (u - speed(work)) * abs(u)
    return speed(work)


def random_samples(source):
    time, value, velocity = source.choice([0, source.randrange(10**15)]), 0.0, source.uniform(-3000, 3000)
    samples, slowest = [], source.choice([4, 16]) * MILLISECOND  # 4 ms: more than 20 samples in 100 ms
    for _ in range(source.choice([2, 3, 4, 5, 8, 15, 25, 40])):
        samples.append((time, round(value, source.choice([0, 3, 9]))))
        step = source.choice([slowest // 2, source.randrange(2 * MILLISECOND, slowest)])
        if source.random() < 0.08:  # twice, backwards, and around the longest gap that does not count as a stop
            step = source.choice([0, -3 * MILLISECOND, 40 * MILLISECOND, 40 * MILLISECOND + 1, 60 * MILLISECOND])
        time, value, velocity = time + step, value + velocity * step / 1e9 + source.gauss(0, 0.3), velocity * 0.95
    return samples


def check_velocities(program, rounds):
    source = random.Random(1)
    for _ in range(rounds):
        samples = random_samples(source)
        newest = max(time for time, _ in samples)
        lift = newest + source.choice([0, 5 * MILLISECOND, 40 * MILLISECOND, 90 * MILLISECOND])
        text = "t_ns,value\n" + "".join(f"{time},{value!r}\n" for time, value in samples)
        arguments = ["velocity", "-", "--estimator", "all", "--lift", f"{lift}ns"]
        answers = {row["estimator"]: row for row in run(program, *arguments, text=text)}
        used = window(samples, lift)
        if lift - used[-1][0] > 40 * MILLISECOND:
            wanted = {"lsq2": (0, None, None), "impulse": (0,)}
        elif len(used) < 2:
            wanted = {"lsq2": (None, None, None), "impulse": (None,)}
        else:
            wanted = {"lsq2": lsq2(used), "impulse": (impulse(used),)}
        for estimator, numbers in wanted.items():
            answer = answers[estimator]
            for name, number in zip(("velocity", "low", "high"), numbers):
                if not close(answer[name], number, 1e-6):
                    fail(f"{estimator} {name} {answer[name]}, not {number}", f"lift {lift}", text)
    print(f"ok velocities: lsq2 with its interval, impulse, {rounds} recordings")


# Flow layout


def flow(viewport, counts, layout):
    """Frames by kind and index path, and the content size; computed as (across, along) the scroll direction."""
    vertical = layout["scrollDirection"] == "vertical"
    turn = (lambda pair: tuple(pair)) if vertical else (lambda pair: (pair[1], pair[0]))
    top, left, bottom, right = layout["sectionInset"]
    before, start = turn((left, top))
    after, end = turn((right, bottom))
    across = turn(viewport)[0]
    inner = across - before - after
    gap, line = layout["minimumInteritemSpacing"], layout["minimumLineSpacing"]
    frames, along = {}, 0.0

    def place(kind, path, origin, size):
        frames[kind, path] = [*turn(origin), *turn(size)]

    for section, count in enumerate(counts):
        header, footer = turn(layout["headerReferenceSize"])[1], turn(layout["footerReferenceSize"])[1]
        if header > 0:
            place("header", (section, 0), (0, along), (across, header))
        along += header + start
        own = layout["itemSizes"][section] if section < len(layout["itemSizes"]) else []
        sizes = [turn(size) for size in own] + [turn(layout["itemSize"])] * (count - len(own))
        rows, used = [], 0
        for item, (width, _) in enumerate(sizes):
            if rows and used + gap + width <= inner * (1 + 1e-9):
                rows[-1].append(item)
                used += gap + width
            else:
                rows.append([item])
                used = width
        for row in rows:
            widths = [sizes[item][0] for item in row]
            height = max(sizes[item][1] for item in row)
            capacity = len(row)  # of a grid: a row that is not full keeps the gap of the full ones
            if len(set(sizes)) == 1:
                capacity = max(1, math.floor((inner + gap) / (widths[0] + gap) * (1 + 1e-9)))
            elif row is rows[-1] and len(row) > 1:
                capacity = 0  # the last row of mixed sizes keeps the least gap
            spread = (inner - sum(widths) / len(row) * capacity) / (capacity - 1) if capacity > 1 else 0
            at = before
            if capacity == 1 and widths[0] <= inner:
                at += (inner - widths[0]) / 2
            for item, width in zip(row, widths):
                place("cell", (section, item), (at, along + (height - sizes[item][1]) / 2), (width, sizes[item][1]))
                at += width + max(gap, spread)
            along += height + (0 if row is rows[-1] else line)
        along += end
        if footer > 0:
            place("footer", (section, 0), (0, along), (across, footer))
        along += footer
    return frames, list(turn((across, along)))


def random_flow(source):
    number = lambda low, high: source.choice([source.randint(low, high), round(source.uniform(low, high), 3)])
    counts = [source.choice([0, 1, 2, 5, 8, 13, 30]) for _ in range(source.randint(0, 4))]
    layout = {
        "type": "flow",
        "scrollDirection": source.choice(["vertical", "horizontal"]),
        "itemSize": [number(1, 150), number(1, 150)],
        "itemSizes": [],
        "minimumLineSpacing": number(0, 40),
        "minimumInteritemSpacing": number(0, 40),
        "sectionInset": [number(0, 30) for _ in range(4)],
        "headerReferenceSize": [source.choice([0, number(1, 60)]) for _ in range(2)],
        "footerReferenceSize": [source.choice([0, number(1, 60)]) for _ in range(2)],
    }
    if source.random() < 0.4:
        layout["itemSizes"] = [[[number(1, 200), number(1, 150)] for _ in range(count)] for count in counts]
    viewport = [number(100, 800), number(100, 800)]
    if source.random() < 0.3:  # exactly so wide that n items fit
        width, n = layout["itemSize"][0], source.randint(2, 9)
        layout.update(scrollDirection="vertical", sectionInset=[0, 0, 0, 0])
        viewport[0] = n * width + (n - 1) * layout["minimumInteritemSpacing"]
    return viewport, counts, layout


def check_flows(program, rounds):
    source, checked = random.Random(2), 0
    for _ in range(rounds):
        viewport, counts, layout = random_flow(source)
        sections = [{"id": f"s{index}", "items": count} for index, count in enumerate(counts)]
        text = json.dumps({"scenario": 1, "viewport": viewport, "sections": sections, "layouts": {"flow": layout}})
        *rows, summary = run(program, "scenario", "layout", "-", "--content", text=text)
        frames, size = flow(viewport, counts, layout)
        if not all_close(summary["content_size"], size):
            fail(f"content size {summary['content_size']}, not {size}", text)
        found = {(row["element_kind"] or row["category"], tuple(row["index_path"])): row["frame"] for row in rows}
        if found.keys() != frames.keys():
            fail("elements", found.keys() ^ frames.keys(), text)
        lonely = lone_last_items(counts, frames, layout)
        for key, frame in frames.items():
            if key in lonely:
                continue
            checked += 1
            if not all_close(found[key], frame):
                fail(f"{key} {found[key]}, not {frame}", text)
    print(f"ok flow layouts: {rounds} layouts, {checked} frames")


def lone_last_items(counts, frames, layout):
    """Single items in a last row of mixed sizes: no source tells their place, so none is asked for."""
    axis = 1 if layout["scrollDirection"] == "vertical" else 0
    middle = lambda frame: frame[axis] + frame[axis + 2] / 2
    lonely = set()
    for section, count in enumerate(counts):
        if layout["itemSizes"] and count:
            last = frames["cell", (section, count - 1)]
            if count == 1 or abs(middle(frames["cell", (section, count - 2)]) - middle(last)) > 1e-6:
                lonely.add(("cell", (section, count - 1)))
    return lonely


# Settle


def check_settles(program, rounds):
    source, checked = random.Random(3), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            mass, stiffness, damping = source.choice(
                [(1, 100, 20), (1, 100, 10), (1, 100, 30), (2, 50, 5), (1, source.uniform(20, 500), source.uniform(4, 60))]
            )
            rate = source.choice([60, 90, 120, 59.94])
            finishes = source.random() < 0.5
            script = [{"at": 0, "do": "start", "to": "list"}]
            speed, first = source.uniform(-4, 4), source.uniform(0, 1)
            for k in range(10):
                at, progress = k / 120, first + speed * k / 120
                script.append({"at": at, "do": "progress", "value": progress})
                key = {"key": "x", "value": 100 * progress, "finishTarget": 7, "cancelTarget": -3}
                script.append({"at": at, "do": "value", **key})
            lift = 9 / 120 + source.uniform(0, 0.03)
            script.append({"at": lift, "do": "finish" if finishes else "cancel"})
            settle = {"type": "spring", "mass": mass, "stiffness": stiffness, "damping": damping}
            layouts = {"grid": {"type": "flow"}, "list": {"type": "flow", "itemSize": [300, 40]}}
            scenario = {"scenario": 1, "viewport": [320, 480], "refreshRate": rate, "sections": [{"id": "a", "items": 2}]}
            scenario |= {"layouts": layouts, "initialLayout": "grid", "settle": settle, "script": script}
            path, text = os.path.join(folder, f"{number}.kymo"), json.dumps(scenario)
            run(program, "record", "--scenario", "-", "--into", path, text=text)
            values = run(program, "replay", path, "--keys")
            for release in run(program, "velocity", path):
                target = {"progress": (0, 1), "x": (-3, 7)}[release["key"]][finishes]
                frequency, ratio = math.sqrt(stiffness / mass), damping / 2 / math.sqrt(stiffness * mass)
                rows = [v for v in values if v["key"] == release["key"] and v["phase"] == "settling"]
                for row in rows[:-1]:
                    checked += 1
                    t = (row["t_ns"] - round(lift * 1e9)) / 1e9
                    wanted = target + spring(t, release["value"] - target, release["velocity"], frequency, ratio)
                    if not close(row["value"], wanted, 1e-9):
                        fail(f"{row['key']} at {row['t_ns']} ns {row['value']}, not {wanted}", text)
                if rows[-1]["value"] != target:
                    fail(f"{release['key']} ends at {rows[-1]['value']}, not at {target}", text)
            times = [row["t_ns"] for row in run(program, "replay", path)]
            if times != [math.floor(k * 1e9 / rate + 0.5) for k in range(len(times))]:
                fail(f"frame times at {rate} Hz", times, text)
    print(f"ok settles: {rounds} runs, {checked} values")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = os.path.abspath(sys.argv[1])
    check_velocities(program, 300)
    check_flows(program, 200)
    check_settles(program, 40)


if __name__ == "__main__":
    main()
