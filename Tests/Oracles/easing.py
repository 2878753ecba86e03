#!/usr/bin/env python3
"""Easing curves, told again by each one's own published formula.

    Tests/Oracles/easing.py KYMO

Asks `kymo curve ease` for every curve of AHEasing, written out one by one as that library defines it, for
random Bezier curves, solved in exact fractions, and for random stairs, counted in exact fractions.
Curves must agree to 1e-12; stairs must be equal.
"""
import json
import math
import os
import random
import subprocess
import sys
from fractions import Fraction
from math import cos, pi, sin, sqrt

ROUNDS = int(os.environ.get("KYMO_TEST_ROUNDS", "40"))


def bounce(p):
    pieces = ((4 / 11, (121 / 16, 0, 0)), (8 / 11, (363 / 40, -99 / 10, 17 / 5)),
              (9 / 10, (4356 / 361, -35442 / 1805, 16061 / 1805)),
              (math.inf, (54 / 5, -513 / 25, 268 / 25)))
    a, b, c = next(terms for end, terms in pieces if p < end)
    return a * p * p + b * p + c


def both(first, second):
    return lambda p: first(p) if p < 0.5 else second(p)


CURVES = {
    "linear": lambda p: p,
    "quadraticIn": lambda p: p**2,
    "quadraticOut": lambda p: -p * (p - 2),
    "quadraticInOut": both(lambda p: 2 * p**2, lambda p: -2 * p**2 + 4 * p - 1),
    "cubicIn": lambda p: p**3,
    "cubicOut": lambda p: (p - 1)**3 + 1,
    "cubicInOut": both(lambda p: 4 * p**3, lambda p: (2 * p - 2)**3 / 2 + 1),
    "quarticIn": lambda p: p**4,
    "quarticOut": lambda p: 1 - (p - 1)**4,
    "quarticInOut": both(lambda p: 8 * p**4, lambda p: 1 - 8 * (p - 1)**4),
    "quinticIn": lambda p: p**5,
    "quinticOut": lambda p: (p - 1)**5 + 1,
    "quinticInOut": both(lambda p: 16 * p**5, lambda p: (2 * p - 2)**5 / 2 + 1),
    "sineIn": lambda p: sin((p - 1) * pi / 2) + 1,
    "sineOut": lambda p: sin(p * pi / 2),
    "sineInOut": lambda p: (1 - cos(p * pi)) / 2,
    "circularIn": lambda p: 1 - sqrt(1 - p**2),
    "circularOut": lambda p: sqrt((2 - p) * p),
    "circularInOut": both(lambda p: (1 - sqrt(1 - 4 * p**2)) / 2,
                          lambda p: (sqrt((3 - 2 * p) * (2 * p - 1)) + 1) / 2),
    "exponentialIn": lambda p: 2**(10 * (p - 1)) if p > 0 else 0,
    "exponentialOut": lambda p: 1 - 2**(-10 * p) if p < 1 else 1,
    "exponentialInOut": lambda p: p if p in (0, 1) else (
        2**(20 * p - 10) / 2 if p < 0.5 else 1 - 2**(10 - 20 * p) / 2),
    "elasticIn": lambda p: sin(13 * pi / 2 * p) * 2**(10 * (p - 1)),
    "elasticOut": lambda p: sin(-13 * pi / 2 * (p + 1)) * 2**(-10 * p) + 1,
    "elasticInOut": both(lambda p: sin(13 * pi * p) * 2**(20 * p - 10) / 2,
                         lambda p: (sin(-13 * pi * p) * 2**(10 - 20 * p) + 2) / 2),
    "backIn": lambda p: p**3 - p * sin(p * pi),
    "backOut": lambda p: 1 - ((1 - p)**3 - (1 - p) * sin((1 - p) * pi)),
    "backInOut": both(lambda p: ((2 * p)**3 - 2 * p * sin(2 * p * pi)) / 2,
                      lambda p: 1 - ((2 - 2 * p)**3 - (2 - 2 * p) * sin((2 - 2 * p) * pi)) / 2),
    "bounceIn": lambda p: 1 - bounce(1 - p),
    "bounceOut": bounce,
    "bounceInOut": both(lambda p: (1 - bounce(1 - 2 * p)) / 2, lambda p: (bounce(2 * p - 1) + 1) / 2),
}


def bezier(points, x):
    """y where the curve has this x: the t by 120 halvings, in fractions; outside along the ends."""
    x1, y1, x2, y2 = map(Fraction, points)
    x = Fraction(x)
    row = [(Fraction(0), Fraction(0)), (x1, y1), (x2, y2), (Fraction(1), Fraction(1))]
    if x < 0 or x > 1:
        # From the end on that side, the first of the other points that is another one.
        row = row if x < 0 else row[::-1]
        end = row[0]
        other = next(point for point in row if point != end)
        if other[0] == end[0]:
            return end[1]
        return end[1] + (x - end[0]) * (other[1] - end[1]) / (other[0] - end[0])

    def at(t, a, b):
        return 3 * (1 - t)**2 * t * a + 3 * (1 - t) * t**2 * b + t**3
    low, high = Fraction(0), Fraction(1)
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle, x1, x2) < x else (low, middle)
    return at(high, y1, y2)


def stairs(count, position, x):
    # The product is rounded as every renderer does it.
    step = math.floor(x * count) + (position in ("jump-start", "jump-both"))
    rises = count + {"jump-none": -1, "jump-both": 1}.get(position, 0)
    step = max(step, 0) if x >= 0 else step
    step = min(step, rises) if x <= 1 else step
    return float(Fraction(step, rises))


def ask(kymo, words, places):
    answer = subprocess.run(
        [kymo, "curve", "ease", *words, "--x", ",".join(map(repr, places)), "--format", "json"],
        capture_output=True, text=True, check=True)
    rows = json.loads(answer.stdout)
    assert [row["x"] for row in rows] == places, words
    return [row["y"] for row in rows]


def differs(words, places, found, expected, tolerance):
    for x, y, right in zip(places, found, expected):
        if abs(y - right) > tolerance * max(1, abs(right)):
            print(f"ease {' '.join(words)} at {x!r} is {y!r}, expected {float(right)!r}")
            return True
    return False


def main(kymo):
    dice = random.Random(11)
    inside = [n / 40 for n in range(41)] + [dice.random() for _ in range(60)]
    for name, curve in CURVES.items():
        if differs([name], inside, ask(kymo, [name], inside), map(curve, inside), 1e-12):
            return 1
    for _ in range(ROUNDS):
        # Points off the ends of 0 to 1 by a hundredth, so that no curve stands upright.
        points = [dice.uniform(0.01, 0.99), dice.uniform(-2, 3), dice.uniform(0.01, 0.99),
                  dice.uniform(-2, 3)]
        places = [-0.5, 0.0, 1.0, 1.5, 3.0] + [dice.random() for _ in range(5)]
        words = ["--bezier", ",".join(map(repr, points))]
        expected = [bezier(points, x) for x in places]
        if differs(words, places, ask(kymo, words, places), expected, 1e-12):
            return 1
        # Handles on the ends, on each other and upright; asked outside alone, where the ends decide.
        points = [dice.choice([0, 1, dice.random()]), dice.choice([0, 1, dice.uniform(-2, 3)]),
                  dice.choice([0, 1, dice.random()]), dice.choice([0, 1, dice.uniform(-2, 3)])]
        places = [-2.0, -0.25, 1.5, 3.0]
        words = ["--bezier", ",".join(map(repr, points))]
        expected = [bezier(points, x) for x in places]
        if differs(words, places, ask(kymo, words, places), expected, 1e-12):
            return 1
        count = dice.choice([2, 3, 4, 7, 10, 1000])
        position = dice.choice(["jump-start", "jump-end", "jump-none", "jump-both"])
        places = [n / count for n in range(-2, count + 3)][:40] + [dice.uniform(-1, 2), 1.0]
        words = ["--steps", f"{count},{position}"]
        expected = [stairs(count, position, x) for x in places]
        if differs(words, places, ask(kymo, words, places), expected, 0):
            return 1
    print(f"easing.py: {len(CURVES)} curves agree to 1e-12, so do {ROUNDS} Bezier curves; stairs are equal")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
