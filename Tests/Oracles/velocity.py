#!/usr/bin/env python3
"""Velocities at a lift, told again from the formulas, by every estimator under every preset.

    Tests/Oracles/velocity.py KYMO

Makes random drags (uneven times, rests, doubled and backward times) and asks `kymo velocity --samples
--preset P --estimator all`. The windows are told again from the peers' rules; the fits are solved in
exact fractions, impulse in long decimals, the rest in plain floating point with matrices written out.
Velocities must agree to nine digits (those of the filters to seven), standard errors to six.
"""
import decimal
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
from decimal import Decimal
from fractions import Fraction

ROUNDS = int(os.environ.get("KYMO_TEST_ROUNDS", "12"))
MS = 1_000_000
NEVER = None
decimal.getcontext().prec = 50

FITS = {"lsq1": 1, "lsq2": 2, "lsq3": 3, "lsq-span": 3, "lsq2-restricted": 2,
        "wlsq2-delta": 2, "wlsq2-central": 2, "wlsq2-recent": 2}
# The fits of lsq-span by degree and milliseconds: those whose first is the value, and those that the interval holds.
OF_VALUE = [(3, 100), (3, 80), (2, 60), (1, 25)]
OF_INTERVAL = [(2, 40), (2, 60), (3, 80), (3, 100), (4, 100)]
LEAST_ERROR = Fraction(15, 100)
PRESETS = ["android", "flutter", "compose", "chromium", "firefox", "gnome", "swiftui", "rngh",
           "niri", "cosmic", "hyprland", "wayfire"]
REPORTS = {"mean-steps", "step-mean", "last-two"}


# --- Drags ---------------------------------------------------------------------------------------

def make_drag(dice):
    """Rows (time in ns, value as text) and the lift."""
    rows, time, value, speed = [], dice.randrange(0, 10**12), dice.uniform(-500, 500), 0.0
    for _ in range(dice.choice([0, 1, 2, 3, 4, 5, 10, 30, 60])):
        rows.append((time, repr(round(value, 3))))
        kind = dice.random()
        step = dice.randrange(3_000_000, 11_000_000)
        if kind < 0.05:
            step = dice.randrange(40_000_000, 90_000_000)      # A rest.
        elif kind < 0.08:
            step = 0                                            # The same time again.
        elif kind < 0.11:
            step = -dice.randrange(1, 9_000_000)                # The clock stepped back.
        elif kind < 0.13:
            step = 40_000_000                                   # Just the stop gap.
        time += step
        speed += dice.gauss(0, 300)
        value += speed * max(step, 0) / 1e9 + dice.gauss(0, 0.3)
    rest = dice.choice([0, 0, 8_000_000, 39_999_999, 60_000_000, 80_000_000, 120_000_000])
    return rows, max([t for t, _ in rows], default=0) + rest


# --- Windows -------------------------------------------------------------------------------------

def rules(preset, estimator):
    """The peer's rules for an estimator, all in ns."""
    window = dict(horizon=100 * MS, closed=True, origin="newest", segments=False, gap=40 * MS,
                  lift=None, reached=False, history=20, least=2, few=0.0, doubled="keep",
                  backward="keep", wait=2 * MS, decay=1.0)
    filters = estimator in ("int1", "int2", "one-euro")
    if estimator in REPORTS or preset in ("niri", "cosmic", "hyprland", "wayfire"):
        window.update(horizon=NEVER, gap=NEVER, history=10**9)
        if estimator == "mean-steps" or estimator not in REPORTS and preset in ("niri", "cosmic"):
            window.update(horizon=150 * MS, segments=True, backward="drop",
                          origin="newest" if preset == "cosmic" else "lift")
    elif preset == "android":
        window.update(few=None, doubled="replace", backward="leave")
        if estimator == "legacy":
            window.update(horizon=200 * MS)
        if filters:
            window.update(horizon=1000 * MS, history=1000)
    elif preset == "flutter":
        window.update(least=3 if estimator in FITS else 2)
        if estimator in ("ios3", "macos3"):
            window.update(horizon=NEVER, gap=NEVER, lift=40 * MS)
    elif preset == "compose":
        window.update(least=3 if estimator in FITS else 2)
        if estimator.startswith("impulse"):
            window.update(horizon=40 * MS)
    elif preset == "chromium":
        window.update(lift=80 * MS, reached=True, wait=2000)
        if filters:
            window.update(horizon=1000 * MS, history=1000)
    elif preset == "firefox":
        window.update(closed=False, origin="lift", segments=True, gap=NEVER, history=6,
                      doubled=5 * MS, backward="leave")
    elif preset == "gnome":
        window.update(horizon=150 * MS, origin="lift", gap=NEVER, history=10**9, backward="leave")
    elif preset == "swiftui":
        window.update(horizon=NEVER, gap=NEVER, lift=2000 * MS, reached=True, history=3,
                      doubled="replace", backward="leave", decay=0.998)
    elif preset == "rngh":
        window.update(horizon=300 * MS, least=3 if estimator in FITS else 2)
    if estimator == "lsq-span" and window["history"] == 20:
        window["history"] = 640
    return window


def select(rows, lift, rule):
    """The samples that count, whether the finger had stopped, and the pause before the lift."""
    ordered, before, gone = [], None, 0.0
    for time, text in rows:
        if time > lift:
            continue
        place = float(text)
        sample = (time, place - gone)
        step, before = place - (before or 0), place
        if not ordered:
            ordered.append(sample)
            continue
        newest = ordered[-1][0]
        if time < newest and rule["backward"] == "drop":        # Movement and all.
            gone += step
            continue
        if time < newest and rule["backward"] == "leave":
            continue
        if isinstance(rule["doubled"], int) and time <= newest + rule["doubled"]:
            continue
        if time == newest and rule["doubled"] == "replace":
            ordered[-1] = sample
            continue
        ordered.append(sample)
    if not ordered:
        return [], False, 0
    newest = ordered[-1][0]
    pause = lift - newest
    most = rule["lift"] if rule["lift"] is not None else rule["gap"]
    if len(ordered) > 1 and stops(pause, most, rule):
        return [], True, pause
    chosen = []
    origin = lift if rule["origin"] == "lift" else newest
    for sample in reversed(ordered):
        if len(chosen) == rule["history"]:
            break
        if chosen and stops(abs(chosen[0][0] - sample[0]), rule["gap"], rule):
            break
        aged = chosen[0] if rule["segments"] and chosen else sample
        age = origin - aged[0]
        if rule["horizon"] is not NEVER and (chosen or rule["origin"] == "lift"):
            if age > rule["horizon"] or (age == rule["horizon"] and not rule["closed"]):
                break
        chosen.insert(0, sample)
    return chosen, False, pause


def stops(pause, most, rule):
    return most is not NEVER and (pause > most or (rule["reached"] and pause == most))


# --- Formulas ------------------------------------------------------------------------------------

def weights(name, samples):
    newest, found = samples[-1][0], []
    for index, (time, _) in enumerate(samples):
        age = Fraction(newest - time, MS)
        weight = Fraction(1)
        if name == "wlsq2-delta" and index < len(samples) - 1:
            step = max(Fraction(0), Fraction(samples[index + 1][0] - time, MS))
            weight = min(Fraction(1), Fraction(1, 2) + step / 20)
        elif name == "wlsq2-central":
            if age < 10:
                weight = Fraction(1, 2) + max(Fraction(0), age) / 20
            elif age >= 50:
                weight = Fraction(1, 2) + max(Fraction(0), 60 - age) / 20
        elif name == "wlsq2-recent" and age >= 50:
            weight = Fraction(1, 2) + max(Fraction(0), 100 - age) / 100
        found.append(weight)
    return found


def fit(name, samples, most=None, least=Fraction(0)):
    """Slope at the newest sample and its standard error, by the normal equations in fractions."""
    degree = min(most or FITS[name], len({t for t, _ in samples}) - 1)
    if degree < 1:
        return None, None
    newest = samples[-1][0]
    points = [(Fraction(t - newest, 10**9), Fraction(x)) for t, x in samples]
    w = [one * one for one in weights(name, samples)]
    size = degree + 1
    matrix = [[sum(u * s ** (i + j) for u, (s, _) in zip(w, points)) for j in range(size)]
              + [sum(u * x * s**i for u, (s, x) in zip(w, points))]
              + [Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    for i in range(size):                                       # Gauss and Jordan, exact.
        pivot = next(r for r in range(i, size) if matrix[r][i] != 0)
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        matrix[i] = [cell / matrix[i][i] for cell in matrix[i]]
        for r in range(size):
            if r != i:
                matrix[r] = [a - matrix[r][i] * b for a, b in zip(matrix[r], matrix[i])]
    slope, free = matrix[1][size], len(samples) - size
    error = None
    if free > 0:
        left = sum(u * (x - sum(matrix[j][size] * s**j for j in range(size))) ** 2
                   for u, (s, x) in zip(w, points))
        error = math.sqrt(float(max(left / free, least * least) * matrix[1][size + 2]))
    if name == "lsq2-restricted" and slope * (points[-1][1] - points[0][1]) < 0:
        slope = Fraction(0)
    return float(slope), error


def look(samples, degree, milliseconds):
    """Slope, standard error and degrees of freedom over the last milliseconds; none if there is no freedom."""
    newest, near = samples[-1][0], []
    for sample in reversed(samples):
        if newest - sample[0] > milliseconds * MS:
            break
        near.insert(0, sample)
    if len(near) <= degree + 1 or len({t for t, _ in near}) <= degree:
        return None
    return fit("lsq-span", near, degree, LEAST_ERROR) + (len(near) - degree - 1,)


def spanned(samples):
    """Slope, standard error, and the ends of the interval of lsq-span."""
    value = next((found for found in (look(samples, *one) for one in OF_VALUE) if found), None)
    if value is None:
        return fit("lsq1", samples)[0], None, None, None
    slope, error, free = value
    slopes = [found[0] for found in (look(samples, *one) for one in OF_INTERVAL) if found]
    reach = student(free) * error
    return slope, error, min(slopes + [slope - reach]), max(slopes + [slope + reach])


def student(free):
    """The 95 % quantile of Student's t, by integration of its density."""
    scale = math.exp(math.lgamma((free + 1) / 2) - math.lgamma(free / 2)) / math.sqrt(free * math.pi)

    def share(end, steps=2000):
        width, total = end / steps, 0.0
        for index in range(steps + 1):
            weight = 1 if index in (0, steps) else 4 if index % 2 else 2
            total += weight * (1 + (index * width) ** 2 / free) ** (-(free + 1) / 2)
        return total * width / 3 * scale

    low, high = 0.0, 7.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < 0.45 else (low, middle)
    return low


def segments(samples):
    """The velocity of each segment, nil where no time passes forward."""
    return [(b[1] - a[1]) / ((b[0] - a[0]) / 1e9) if b[0] > a[0] else None
            for a, b in zip(samples, samples[1:])]


def impulse(samples, form):
    steps = [(Decimal(b[1]) - Decimal(a[1])) / (Decimal(b[0] - a[0]) / 10**9)
             for a, b in zip(samples, samples[1:]) if b[0] > a[0]]
    if not steps:
        return None

    def speed(work):
        root = (2 * abs(work)).sqrt()
        return -root if work < 0 else root

    work, before = steps[0] * abs(steps[0]) / 2, steps[0]
    for step in steps[1:]:
        work += (step - (speed(work) if form == "impulse" else before)) * abs(step)
        before = step
    return float(speed(work))


def integrated(samples, order, wait):
    (time, place), velocity, acceleration = samples[0], None, None
    for now, there in samples[1:]:
        if now <= time + wait:
            continue
        step = (now - time) / 1e9
        segment = (there - place) / step
        time, place = now, there
        if velocity is None:
            velocity = segment
            continue
        share = step / (0.010 + step)
        if order == 1:
            velocity += (segment - velocity) * share
        else:
            pull = (segment - velocity) / step
            acceleration = pull if acceleration is None \
                else acceleration + (pull - acceleration) * share
            velocity += acceleration * step * share
    return velocity


def legacy(samples):
    average, before = None, 0
    for time, place in samples[1:]:
        duration = time - samples[0][0]
        if duration >= 10 * MS:
            velocity = (place - samples[0][1]) / (duration / 1e9)
            average = ((average or 0) * before + velocity * duration) / (before + duration)
            before = duration
    return average


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def kalman(samples, order):
    state = [0.0] * order
    p = [[float(i == j) for j in range(order)] for i in range(order)]
    time, first, innovations = samples[0][0], samples[0][1], []
    for now, there in samples[1:]:
        if now <= time:
            continue
        dt, time = (now - time) / 1e6, now
        f = [[1, dt, dt * dt / 2], [0, 1, dt], [0, 0, 1]]
        f = [row[:order] for row in f[:order]]
        g = [dt * dt / 2, dt, 1][-order:]
        state = [row[0] for row in product(f, [[x] for x in state])]
        p = product(product(f, p), list(zip(*f)))
        p = [[p[i][j] + 0.01 * g[i] * g[j] for j in range(order)] for i in range(order)]
        s = p[0][0] + 1
        gain = [row[0] / s for row in p]
        y = there - first - state[0]
        innovations.append(y * y / s)
        state = [x + k * y for x, k in zip(state, gain)]
        p = [[p[i][j] - gain[i] * p[0][j] for j in range(order)] for i in range(order)]
    if not innovations:
        return None, None
    error = None
    if len(innovations) >= order:
        error = math.sqrt(p[1][1] * sum(innovations) / len(innovations)) * 1000
    return state[1] * 1000, error


def one_euro(samples):
    (time, place), speed, answer = samples[0], 0.0, None

    def share(step, cutoff):
        return 1 / (1 + 1 / (2 * math.pi * cutoff * step))

    for now, there in samples[1:]:
        if now <= time:
            continue
        step, time = (now - time) / 1e9, now
        speed += ((there - place) / step - speed) * share(step, 1)
        moved = (there - place) * share(step, 4.7 + 0.01 * abs(speed))
        place, answer = place + moved, moved / step
    return answer


def blend(samples, shares):
    steps = [0, 0, 0] + [u or 0 for u in segments(samples)]
    return sum(a * b for a, b in zip(steps[-3:], shares)) if len(samples) > 1 else None


def mean_steps(samples, rule, lift):
    if len(samples) < 2:
        return None
    end = lift if rule["origin"] == "lift" else samples[-1][0]
    span = end - samples[1][0]
    return (samples[-1][1] - samples[0][1]) / (span / 1e9) if span > 0 else 0.0


def single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


def step_mean(samples):
    """The lengths of the steps from 5 pixels on, averaged in single precision as they come."""
    mean, lengths, way = 0.0, [], 0.0
    for (_, a), (_, b) in zip(samples, samples[1:]):
        way += b - a
        if lengths or abs(way) >= 5:
            mean = single((single(mean * len(lengths)) + abs(b - a)) / (len(lengths) + 1))
            lengths.append(abs(b - a))
    if len(lengths) < 2:
        return mean, None
    middle = sum(lengths) / len(lengths)
    return mean, math.sqrt(sum((x - middle) ** 2 for x in lengths)
                           / (len(lengths) - 1) / len(lengths))


def last_two(samples):
    heard, steps = 0.0, []
    for (_, a), (_, b) in zip(samples, samples[1:]):
        heard += abs(b - a)
        if steps or heard / 256 > 0.05:
            steps.append(b - a)
    return sum(steps[-2:]) if steps else 0.0


def formula(name, samples, rule, lift):
    """The velocity, and its standard error where it is not the jackknife's."""
    if name == "mean-steps":
        return mean_steps(samples, rule, lift), None
    if name == "step-mean":
        return step_mean(samples)
    if name == "last-two":
        return last_two(samples), None
    if name == "lsq-span":
        return spanned(samples)[:2]
    if name in FITS:
        return fit(name, samples)
    if name in ("kalman-cv", "kalman-ca"):
        return kalman(samples, 2 if name == "kalman-cv" else 3)
    steps = [u for u in segments(samples) if u is not None]
    if name in ("int1", "int2"):
        return integrated(samples, int(name[-1]), rule["wait"]), None
    if name == "mean":
        span = samples[-1][0] - samples[0][0]
        return ((samples[-1][1] - samples[0][1]) / (span / 1e9) if span > 0 else None), None
    found = {
        "legacy": lambda: legacy(samples),
        "impulse": lambda: impulse(samples, name),
        "impulse-2017": lambda: impulse(samples, name),
        "mean5": lambda: sum(steps[-5:]) / len(steps[-5:]) if steps else None,
        "ios3": lambda: blend(samples, [0.60, 0.35, 0.05]),
        "macos3": lambda: blend(samples, [0.15, 0.65, 0.20]),
        "swiftui": lambda: (0.75 * steps[-2] + 0.25 * steps[-1] if len(steps) > 1
                            else steps[-1] if steps else None),
        "two-point": lambda: steps[-1] if steps else None,
        "one-euro": lambda: one_euro(samples),
    }[name]()
    return found, None


def jackknife(name, samples, rule, lift):
    if len(samples) < 3:
        return None
    rests = [formula(name, samples[:i] + samples[i + 1:], rule, lift)[0]
             for i in range(len(samples))]
    if None in rests:
        return None
    mean, count = sum(rests) / len(rests), len(rests)
    return math.sqrt(sum((v - mean) ** 2 for v in rests) * (count - 1) / count)


def expectation(name, preset, rows, lift):
    """Velocity, standard error (None where none is told), samples, and the scale of a digit."""
    rule = rules(preset, name)
    samples, stopped, pause = select(rows, lift, rule)
    if stopped:
        return 0.0, None, 0, 1
    steps = [abs(u) for u in segments(samples) if u is not None]
    scale = max(steps, default=0)
    velocity, error = (formula(name, samples, rule, lift) if len(samples) >= rule["least"]
                       else (None, None))
    if velocity is None:
        return rule["few"], None, len(samples), scale
    if name not in FITS and not name.startswith("kalman") and name not in (
            "step-mean", "last-two", "one-euro"):
        error = jackknife(name, samples, rule, lift)
    idle = rule["decay"] ** (pause / 1e6)
    return velocity * idle, None if error is None else error * idle, len(samples), scale


# --- The comparison ------------------------------------------------------------------------------

def agree(found, expected, scale, share):
    if found is None or expected is None:
        return found is expected
    return abs(found - expected) <= share * max(abs(expected), scale)


def ask(kymo, rows, lift, preset):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write("t_ns,value\n" + "".join(f"{t},{x}\n" for t, x in rows))
        file.flush()
        answer = subprocess.run(
            [kymo, "velocity", file.name, "--lift", f"{lift}ns", "--preset", preset,
             "--estimator", "all", "--format", "json"],
            capture_output=True, text=True, check=True)
    return {row["estimator"]: row for row in json.loads(answer.stdout)}


def main(kymo):
    dice, told, held = random.Random(7), 0, 0
    for number in range(ROUNDS):
        rows, lift = make_drag(dice)
        if not rows:                                            # A header alone is no table.
            continue
        for preset in PRESETS:
            for name, row in ask(kymo, rows, lift, preset).items():
                if name == "auto":                              # Told by its own oracle.
                    continue
                velocity, error, count, scale = expectation(name, preset, rows, lift)
                share = 1e-9 if name in FITS or name.startswith("impulse") else 1e-7
                right = (agree(row["velocity"], velocity, scale, share) and row["samples"] == count
                         and ("standard_error" not in row
                              or agree(row["standard_error"], error, scale, 1e-6)))
                if name == "lsq-span" and error is not None:
                    rule = rules(preset, name)
                    samples, _, pause = select(rows, lift, rule)
                    ends = [end * rule["decay"] ** (pause / 1e6) for end in spanned(samples)[2:]]
                    right = right and all(agree(row[field], end, scale, 1e-6)
                                          for field, end in zip(("low", "high"), ends))
                    held += 1
                if not right:
                    print(f"drag {number}: {name} under {preset} is {row}, expected {velocity} "
                          f"+- {error} from {count} samples; lift {lift}")
                    print("\n".join(f"  {t},{x}" for t, x in rows))
                    return 1
                told += 1
    if told == 0 or held == 0:
        print("velocity.py: nothing was told")
        return 1
    print(f"velocity.py: {ROUNDS} drags, {told} velocities and {held} intervals agree")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
