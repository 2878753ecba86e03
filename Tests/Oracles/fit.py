#!/usr/bin/env python3
"""Fitted settles, fitted again by SciPy.

    Tests/Oracles/fit.py KYMO

Records random springs and decays, rounded to a step, as an app would, and asks `kymo fit` for them. SciPy's own
least squares, over all numbers at once and from the known truth, must come to the same numbers on the same samples,
and its Jacobian to the same intervals. Words are taken apart and turned back: each system's formula, as its
documentation has it, must draw the fitted curve again.
"""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from packages import need

need()

import numpy as np  # noqa: E402
from scipy import integrate, optimize, stats  # noqa: E402

from velocity_models.springs import spring  # noqa: E402

ROUNDS = int(os.environ.get("KYMO_TEST_ROUNDS", "10"))
AT_REST = 6


class Wrong(Exception):
    pass


def near(found, right, tolerance, what):
    if not abs(found - right) <= tolerance:
        raise Wrong(f"{what} is {found!r}, expected {right!r} within {tolerance:g}")


def settle(t, frequency, ratio, target, start, velocity):
    return target + spring(t, start - target, velocity, frequency, ratio)


def decay(t, rate, target, start):
    return target + (start - target) * np.exp(-rate * t)


def fit(kymo, folder, times, values, model):
    lines = [{"kymograph": 1, "name": "settle"}]
    lines += [{"t_ns": round(t * 1e9), "key": "x", "value": float(v), "unit": "pt"}
              for t, v in zip(times, values)]
    path = os.path.join(folder, "settle.kymo")
    if os.path.exists(path):
        os.remove(path)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    subprocess.run([kymo, "record", "--from-ndjson", "-", "--into", path], input=text, text=True,
                   check=True, capture_output=True)
    answer = subprocess.run([kymo, "fit", path, "--key", "x", "--from", "0", "--model", model, "--json"],
                            capture_output=True, text=True)
    if answer.returncode != 0:
        raise Wrong(f"fit ends with {answer.returncode}: {answer.stderr}")
    return json.loads(answer.stdout)["fits"][0]


def standard_errors(jacobian, residuals, step):
    """As the manual says: the rounding's variance at least, neighbours' correlation, and HC3."""
    count, width = jacobian.shape
    inverse = np.linalg.inv(jacobian.T @ jacobian)
    squares = residuals @ residuals
    rho = min(0.9, max(0, residuals[1:] @ residuals[:-1] / squares))
    variance = max(squares / (count - width), step * step / 12) * (1 + rho) / (1 - rho)
    leverage = np.einsum("ij,jk,ik->i", jacobian, inverse, jacobian)
    parts = (jacobian @ inverse) * (residuals / (1 - leverage))[:, None]
    return np.sqrt(np.maximum(variance * np.diag(inverse), (parts * parts).sum(axis=0)))


def check(found, curve, truth, names, logs, times, values, step):
    change = max(i for i in range(1, len(values)) if values[i] != values[i - 1])
    times, values = times[:change + AT_REST + 1], values[:change + AT_REST + 1]
    if found["sample_count"] != len(times):
        raise Wrong(f"{found['sample_count']} samples, expected {len(times)}")
    scale = np.maximum(1e-3, np.abs(truth))
    best = optimize.least_squares(lambda p: curve(times, *(p * scale)) - values, np.array(truth) / scale,
                                  xtol=1e-15, ftol=1e-15, gtol=1e-15)
    solved, left = best.x * scale, best.fun
    near(found["rms"], math.sqrt(left @ left / len(times)), 1e-9 * (1 + step), "rms")
    errors = standard_errors(best.jac / scale, left, step) * stats.t.ppf(0.95, len(times) - len(truth))
    for name, value, error, is_log in zip(names, solved, errors, logs):
        number = found["parameters"][name]
        near(number["value"], value, max(1e-7 * abs(value), 0.003 * error), name)
        low, high = (value * math.exp(-error / value), value * math.exp(error / value)) if is_log \
            else (value - error, value + error)
        near(number["low"], low, 0.02 * error, f"{name}, low")
        near(number["high"], high, 0.02 * error, f"{name}, high")
    return solved


def words(found):
    return {word["system"]: word["text"] for word in found["words"]}


def numbers(text):
    return [float(word) for word in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", text)]


def moves(stiffness, damping, start, target, velocity, times):
    """A mass of 1 on a spring, integrated."""
    done = integrate.solve_ivp(lambda _, y: [y[1], -stiffness * (y[0] - target) - damping * y[1]],
                               (0, times[-1]), [start, velocity], t_eval=times, rtol=1e-9, atol=1e-9)
    return done.y[0]


def check_spring_words(found, solved, times):
    text = words(found)
    frequency, ratio, target, start, velocity = solved
    right, room = settle(times, *solved), 2e-3 * abs(target - start) + 1e-3 * abs(velocity) / frequency
    relative = velocity / (target - start)

    def same(what, *motion):
        near(np.abs(moves(*motion, times) - right).max(), 0, room, what)

    duration, bounce = numbers(text["SwiftUI"])
    damping = 1 - bounce if bounce >= 0 else 1 / (1 + bounce)
    omega = 2 * math.pi / duration
    same("SwiftUI", omega**2, 2 * damping * omega, start, target, velocity)
    mass, stiffness, friction, first = numbers(text["CASpringAnimation"])[:4]
    near(first, relative, 1e-4 * abs(relative), "Core Animation's velocity")
    same("Core Animation", stiffness / mass, friction / mass, start, target, first * (target - start))
    mass, stiffness, friction, first = numbers(text["UIKit"])[:4]
    same("UIKit", stiffness / mass, friction / mass, start, target, first * (target - start))
    damping, stiffness = numbers(text["Compose"])
    same("Compose", stiffness, 2 * damping * math.sqrt(stiffness), start, target, velocity)
    mass, stiffness, friction, first, last, speed = numbers(text["Flutter"])
    same("Flutter", stiffness / mass, friction / mass, first, last, speed)
    mass, stiffness, friction, speed = numbers(text["Motion"])
    same("Motion", stiffness / mass, friction / mass, start, target, speed)
    last, mass, stiffness, friction, speed = numbers(text["Reanimated"])
    same("Reanimated", stiffness / mass, friction / mass, start, last, speed)


def check_decay_words(found, solved, times):
    text = words(found)
    rate, target, start = solved
    velocity, right, room = rate * (target - start), decay(times, *solved), 2e-3 * abs(target - start)

    def same(what, values):
        near(np.abs(values - right).max(), 0, room, what)

    left = numbers(text["UIKit"])[0]
    same("UIKit", start + velocity * (left**(1000 * times) - 1) / (1000 * math.log(left)))
    # FloatExponentialDecaySpec.
    friction = -4.2 * numbers(text["Compose"])[0]
    same("Compose", start - velocity / friction + velocity / friction * np.exp(friction * times))
    drag, first, speed = numbers(text["Flutter"])
    same("Flutter", first + speed * drag**times / math.log(drag) - speed / math.log(drag))
    speed, power, constant = numbers(text["Motion"])
    same("Motion", start + power * speed - power * speed * np.exp(-1000 * times / constant))
    speed, left = numbers(text["Reanimated"])
    # Its own integral of v(t) = v0 deceleration^(t in ms).
    same("Reanimated", start + speed * (left**(1000 * times) - 1) / (1000 * math.log(left)))


def main(kymo):
    dice = random.Random(20)
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(ROUNDS):
            step = dice.choice([1, 0.5, 0.25, 0.125])
            way, start = dice.uniform(150, 400) * dice.choice([-1, 1]), dice.uniform(0, 100)
            frequency, ratio = dice.uniform(7, 20), dice.choice([dice.uniform(0.2, 0.9), dice.uniform(1.05, 1.5)])
            truth = [frequency, ratio, start + way, start, dice.uniform(0.5, 5) * way]
            times = np.arange(0, 2 * math.pi / frequency * 1.8 + 0.2, 1 / 60)
            times = np.round(times * 1e9) / 1e9
            values = np.round(settle(times, *truth) / step) * step
            found = fit(kymo, folder, times, values, "spring")
            names = ["angular_frequency", "damping_ratio", "target", "from", "velocity"]
            solved = check(found, settle, truth, names, [True, True, False, False, False], times, values, step)
            check_spring_words(found, solved, times)
            truth = [dice.uniform(2.5, 9), start + way, start]
            times = np.round(np.arange(0, 5 / truth[0], 1 / 60) * 1e9) / 1e9
            values = np.round(decay(times, *truth) / step) * step
            found = fit(kymo, folder, times, values, "decay")
            solved = check(found, decay, truth, ["rate", "target", "from"], [True, False, False], times, values, step)
            check_decay_words(found, solved, times)
    print(f"fit.py: {ROUNDS} springs and as many decays agree with SciPy, intervals to 2 %, and so do their words")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Wrong as wrong:
        sys.exit(f"fit.py: {wrong}")
