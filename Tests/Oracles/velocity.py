#!/usr/bin/env python3
"""Velocities at a lift, told again with exact fractions and 50 digits.

    Tests/Oracles/velocity.py KYMO

Makes random drags (uneven times, rests, doubled and backward times), asks `kymo velocity --samples`
for lsq2 and impulse, and computes both from their definitions: lsq2 by solving the normal equations
in fractions, impulse by its recurrence in long decimals. Answers must agree to nine digits.
"""
import decimal
import json
import os
import random
import subprocess
import sys
import tempfile
from decimal import Decimal
from fractions import Fraction

ROUNDS = int(os.environ.get("KYMO_TEST_ROUNDS", "40"))
HORIZON, STOP_GAP, HISTORY = 100_000_000, 40_000_000, 20
decimal.getcontext().prec = 50


def make_drag(dice):
    """Rows (time in ns, value as text) and the lift."""
    rows, time, value, speed = [], dice.randrange(0, 10**12), dice.uniform(-500, 500), 0.0
    for _ in range(dice.choice([0, 1, 2, 3, 4, 5, 10, 30, 60])):
        rows.append((time, repr(round(value, 3))))
        kind = dice.random()
        step = dice.randrange(6_000_000, 11_000_000)
        if kind < 0.05:
            step = dice.randrange(40_000_000, 90_000_000)      # A rest.
        elif kind < 0.10:
            step = 0                                            # The same time again.
        elif kind < 0.14:
            step = -dice.randrange(1, 9_000_000)                # The clock stepped back.
        time += step
        speed += dice.gauss(0, 300)
        value += speed * max(step, 0) / 1e9 + dice.gauss(0, 0.3)
    lift = max([t for t, _ in rows], default=0) + dice.choice([0, 8_000_000, 39_999_999, 60_000_000])
    return rows, lift


def select(rows, lift):
    """The samples that count, and whether the finger had stopped."""
    ordered = []
    for time, text in rows:
        if time > lift or (ordered and time < ordered[-1][0]):
            continue
        if ordered and time == ordered[-1][0]:
            ordered.pop()
        # The text is read as the nearest double first, as the program does.
        ordered.append((time, Fraction(float(text))))
    if not ordered:
        return [], False
    newest = ordered[-1][0]
    stopped = len(ordered) > 1 and lift - newest > STOP_GAP
    chosen = [ordered[-1]]
    for sample in reversed(ordered[:-1]):
        if (len(chosen) == HISTORY or newest - sample[0] > HORIZON
                or chosen[0][0] - sample[0] > STOP_GAP):
            break
        chosen.insert(0, sample)
    return chosen, stopped


def lsq2(samples):
    degree = min(2, len(samples) - 1)
    if degree < 1:
        return None
    newest = samples[-1][0]
    points = [(Fraction(t - newest, 10**9), x) for t, x in samples]
    size = degree + 1
    matrix = [[sum(s ** (i + j) for s, _ in points) for j in range(size)]
              + [sum(x * s**i for s, x in points)] for i in range(size)]
    for i in range(size):                                       # Gauss and Jordan, exact.
        pivot = next(r for r in range(i, size) if matrix[r][i] != 0)
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        matrix[i] = [cell / matrix[i][i] for cell in matrix[i]]
        for r in range(size):
            if r != i:
                matrix[r] = [a - matrix[r][i] * b for a, b in zip(matrix[r], matrix[i])]
    return float(matrix[1][-1])


def impulse(samples):
    segments = [Decimal((b[1] - a[1]).numerator) / Decimal((b[1] - a[1]).denominator)
                / (Decimal(b[0] - a[0]) / 10**9) for a, b in zip(samples, samples[1:])]
    if not segments:
        return None

    def speed(work):
        root = (2 * abs(work)).sqrt()
        return -root if work < 0 else root

    work = segments[0] * abs(segments[0]) / 2
    for segment in segments[1:]:
        work += (segment - speed(work)) * abs(segment)
    return float(speed(work))


def agree(found, expected, scale):
    if found is None or expected is None:
        return found is expected
    return abs(found - expected) <= 1e-9 * max(abs(expected), scale)


def main(kymo):
    dice = random.Random(7)
    for number in range(ROUNDS):
        rows, lift = make_drag(dice)
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("t_ns,value\n" + "".join(f"{t},{x}\n" for t, x in rows))
            file.flush()
            answer = subprocess.run(
                [kymo, "velocity", "--samples", file.name, "--lift", str(lift), "--format", "json"],
                capture_output=True, text=True, check=True)
        found = {row["estimator"]: row["velocity"] for row in json.loads(answer.stdout)}
        samples, stopped = select(rows, lift)
        steps = [abs(float(b[1] - a[1])) / (b[0] - a[0]) * 1e9 for a, b in zip(samples, samples[1:])]
        for name, compute in (("lsq2", lsq2), ("impulse", impulse)):
            expected = 0.0 if stopped else compute(samples)
            if not agree(found[name], expected, max(steps, default=0)):
                print(f"drag {number}: {name} is {found[name]}, expected {expected}; lift {lift}")
                print("\n".join(f"  {t},{x}" for t, x in rows))
                return 1
    print(f"velocity.py: {ROUNDS} drags, lsq2 and impulse agree to nine digits")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
