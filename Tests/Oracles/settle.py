#!/usr/bin/env python3
"""Settles, told again by other means.

    Tests/Oracles/settle.py KYMO

Asks `kymo curve settle` for random springs, decays, timing curves and cubics. Springs are integrated in small
steps (Runge-Kutta) and written with complex exponentials; settling times are searched for step by step,
or told by each peer's own algorithm; decays are summed up; cubics are solved from their four conditions.
For `--like` each system's rule of rest is followed frame by frame on a spring that is walked in small steps, and each
printed line is read back.
"""
import cmath
import json
import math
import os
import random
import subprocess
import sys
from math import exp, log, pi, sqrt

ROUNDS = int(os.environ.get("KYMO_TEST_ROUNDS", "40"))
LONGEST = 102.4


class Wrong(Exception):
    pass


def ask(kymo, *words):
    words = [word if isinstance(word, str) else repr(word) for word in words]
    answer = subprocess.run([kymo, "curve", "settle", *words, "--json"], capture_output=True, text=True)
    if answer.returncode != 0:
        raise Wrong(f"settle {' '.join(words)}: {answer.stderr}")
    return json.loads(answer.stdout)


def near(found, right, tolerance, what):
    if found is None or right is None:
        if found is not right:
            raise Wrong(f"{what} is {found!r}, expected {right!r}")
    elif abs(found - right) > tolerance * max(1, abs(right)):
        raise Wrong(f"{what} is {found!r}, expected {right!r}")


class Spring:
    """A spring around 0, by the two roots of its equation."""

    def __init__(self, mass, stiffness, damping, offset, velocity):
        self.k, self.c = stiffness / mass, damping / mass
        self.beta, self.w0 = self.c / 2, sqrt(self.k)
        self.y, self.v = offset, velocity
        root = cmath.sqrt(self.beta**2 - self.k)
        self.slow, self.fast = -self.beta + root, -self.beta - root
        self.b = (velocity - self.slow * offset) / (self.fast - self.slow)
        self.a = offset - self.b

    def at(self, t):
        first, second = self.a * cmath.exp(self.slow * t), self.b * cmath.exp(self.fast * t)
        return (first + second).real, (first * self.slow + second * self.fast).real

    def walked(self, end):
        """Place and velocity after a time, by fourth-order steps."""
        count = max(100, math.ceil(end * max(self.w0, self.beta, self.c) * 200))
        step = end / count
        x, v = self.y, self.v
        for _ in range(count):
            x, v = runge_kutta(self.k, self.c, x, v, step)
        return x, v

    def swings(self):
        return self.beta < self.w0


def runge_kutta(k, c, x, v, step):
    def force(x, v):
        return -k * x - c * v
    v1, f1 = v, force(x, v)
    v2, f2 = v + f1 * step / 2, force(x + v1 * step / 2, v + f1 * step / 2)
    v3, f3 = v + f2 * step / 2, force(x + v2 * step / 2, v + f2 * step / 2)
    v4, f4 = v + f3 * step, force(x + v3 * step, v + f3 * step)
    return x + (v1 + 2 * v2 + 2 * v3 + v4) * step / 6, v + (f1 + 2 * f2 + 2 * f3 + f4) * step / 6


def last_time(holds, end, step):
    """The last time at which something holds, found step by step and then by halving."""
    count = math.ceil(end / step)
    for n in range(count, -1, -1):
        if holds(n * step):
            low, high = n * step, (n + 1) * step
            for _ in range(80):
                middle = (low + high) / 2
                low, high = (middle, high) if holds(middle) else (low, middle)
            return high
    return 0.0


def core_animation(spring, distance, epsilon):
    rate = spring.v / -spring.y if spring.y else 0.0
    if spring.swings():
        wd = sqrt(spring.k - spring.beta**2)
        return log((1 + abs(spring.beta - rate) / wd) / epsilon) / spring.beta
    # The first step of 0.1 s from which on the way left is below epsilon of the distance: of the spring as it is.
    way = max(abs(spring.y), 0) or 1
    end = last_time(lambda t: abs(spring.at(t)[0]) / way >= epsilon, LONGEST, 0.01)
    return min(LONGEST, max(0.1, math.ceil(end / 0.1) * 0.1))


def swiftui(spring, epsilon):
    """Spring+VectorArithmetic.swift of OpenSwiftUI; epsilon is a length, the way goes from 0 to D."""
    way = -spring.y
    if spring.swings():
        magnitude = abs(way * spring.beta - spring.v) + abs(way)
        return max(0, -log(epsilon / magnitude) / spring.beta)
    # A step at which the value has been below for more than a second is the end.
    time, settled = 0.0, None
    for _ in range(1024):
        if abs(spring.at(time)[0]) >= epsilon:
            settled = None
        elif settled is None:
            settled = time
        elif time - settled > 1:
            return settled
        time += 0.1
    return math.ceil(last_time(lambda t: abs(spring.at(t)[0]) >= epsilon,
                               40 / -spring.slow.real, 0.05) / 0.1) * 0.1


def compose(spring, delta):
    """SpringEstimation.kt, in seconds and not cut to milliseconds."""
    p0, v0 = abs(spring.y), -spring.v if spring.y < 0 else spring.v
    if spring.swings():
        r, wd = -spring.beta, sqrt(spring.k - spring.beta**2)
        return log(delta / math.hypot(p0, (v0 - r * p0) / wd)) / r
    r1, r2 = spring.slow.real, spring.fast.real
    c2 = (r1 * p0 - v0) / (r1 - r2)
    c1 = p0 - c2
    guesses = [log(abs(delta / c)) / r for c, r in ((c1, r1), (c2, r2)) if c != 0]
    time = max(guesses)
    share = (c1 * r1) / (-c2 * r2)
    turn = log(share) / (r2 - r1) if share > 0 else math.nan
    signed = -delta
    if turn > 0:
        peak = c1 * exp(r1 * turn) + c2 * exp(r2 * turn)
        if -peak < delta:
            if c2 > 0 and c1 < 0:
                time = 0.0
        else:
            time = log(-(c2 * r2 * r2) / (c1 * r1 * r1)) / (r1 - r2)
            signed = delta
    if abs(c1 * r1 * exp(r1 * time) + c2 * r2 * exp(r2 * time)) < 0.0001:
        return time
    for _ in range(100):
        slope = c1 * r1 * exp(r1 * time) + c2 * r2 * exp(r2 * time)
        change = (c1 * exp(r1 * time) + c2 * exp(r2 * time) + signed) / slope
        time -= change
        if abs(change) <= 0.001:
            break
    return time


def flutter(spring, distance, speed):
    end = 25 / min(spring.beta, -spring.slow.real)
    step = 0.03 / max(spring.w0, spring.beta)

    def busy(t):
        x, v = spring.at(t)
        return abs(x) >= distance or abs(v) >= speed
    return last_time(busy, end, step)


def frames(seconds, first, last, holds):
    return next((n * seconds for n in range(first, last + 1) if holds(n * seconds)), None)


def motion(spring, delta, speed):
    return frames(0.05, 0, 399, lambda t: abs(spring.at(t)[0]) <= delta
                  and abs(spring.at(t)[1]) <= speed)


def rebound(spring, delta, speed):
    """Steps of a millisecond, looked at every 16."""
    x, v = spring.y, spring.v
    for n in range(1, 6401):
        for _ in range(16):
            x, v = runge_kutta(spring.k, spring.c, x, v, 0.001)
        if abs(x) <= delta and abs(v) <= speed:
            return n * 0.016
    return None


def pop(spring, threshold):
    def done(t):
        x, v = spring.at(t)
        force = (v - spring.at(t - 0.001)[1]) / 0.001
        if abs(x) < threshold / 2 and v * v < 25 * threshold and force**2 < 625 * threshold**2:
            return True
        before = spring.at(t - 1 / 60)[0]
        return abs(x) < threshold / 5 and abs(x - before) < threshold / 5
    return frames(1 / 60, 1, 6144, done)


def fluid(spring, distance):
    stiffness = min(spring.k, 45000.0)
    damping = 2 * (spring.beta / spring.w0) * sqrt(stiffness)
    # Offsets run from the start towards the target, as in the original.
    value, offset = -spring.y, 0.0
    velocity, force = spring.v, 0.0
    for n in range(1, 30721):
        half = velocity + force / 600
        offset += half / 300
        force = -damping * half + stiffness * (value - offset)
        velocity = half + force / 600
        if max(velocity**2, force**2) <= 0.0036 and abs(value - offset) <= 0.01 * distance:
            return n / 300
    return None


def libadwaita(spring, epsilon):
    """calculate_duration of adw-spring-animation.c; places are at whole milliseconds, its answer is not cut.

    The target is 0 here, so that no digits of small offsets are lost to it.
    """
    start = -log(epsilon) / spring.beta
    if spring.beta <= spring.w0:
        return start

    def oscillate(milliseconds):
        return spring.at(int(milliseconds) / 1000)[0]
    time, here = start, oscillate(start * 1000)
    for _ in range(1000):
        slope = (oscillate((time + 0.001) * 1000) - here) / 0.001
        time = (slope * time - here) / slope
        here = oscillate(time * 1000)
        if abs(here) <= epsilon:
            return time
    return None


def wave(spring):
    if spring.swings():
        return log(10000) / spring.beta
    return 1.25 * log(10000) / spring.w0


def check_spring(kymo, dice, kind):
    mass, w0 = 10**dice.uniform(-2, 2), 10**dice.uniform(0, 1.6)
    ratio = {"under": dice.uniform(0.03, 0.95), "over": dice.uniform(1.05, 6),
             "critical": 1.0}[kind]
    stiffness, damping = mass * w0 * w0, 2 * ratio * w0 * mass
    start, target = dice.uniform(-3, 3), dice.uniform(-3, 3)
    if dice.random() < 0.3:
        start, target = start * 200, target * 200
    distance = abs(target - start)
    velocity = dice.choice([0.0, dice.gauss(0, 5) * distance, dice.gauss(0, 1) * distance])
    place = ["--start", start, "--target", target, "--velocity", velocity]
    words = ["--mass", mass, "--stiffness", stiffness, "--damping", damping]
    times = [0.0] + sorted(dice.uniform(0, 6 / w0 / min(ratio, 1)) for _ in range(4))
    rows = ask(kymo, *place, *words, "--at", ",".join(map(repr, times)))
    # A critical spring is integrated; by its roots it would be nothing through nothing.
    nearby = damping * (1 + 1e-6) if kind == "critical" else damping
    spring = Spring(mass, stiffness, nearby, start - target, velocity)
    scale = distance + abs(velocity) / w0
    for row, time in zip(rows, times):
        if kind != "critical":
            x, v = spring.at(time)
            near((row["value"] - target) / scale, x / scale, 1e-9, f"value at {time} of {words}")
            near(row["velocity"] / scale / w0, v / scale / w0, 1e-9, f"velocity of {words}")
        exact = Spring(mass, stiffness, nearby, start - target, velocity)
        exact.c = damping / mass
        x, v = exact.walked(time) if time else (start - target, velocity)
        near((row["value"] - target) / scale, x / scale, 1e-7, f"walked value of {words}")
        near(row["velocity"] / scale / w0, v / scale / w0, 1e-7, f"walked velocity of {words}")
    # The same spring told in other ways.
    for other in (["--damping-ratio", ratio, "--stiffness", stiffness, "--mass", mass],
                  ["--damping-ratio", ratio, "--response", 2 * pi / w0],
                  ["--duration", 2 * pi / w0,
                   "--bounce", 1 - ratio if ratio <= 1 else 1 / ratio - 1]):
        for row, same in zip(rows, ask(kymo, *place, *other, "--at", ",".join(map(repr, times)))):
            near(same["value"] / scale, row["value"] / scale, 1e-9, f"value of {other}")
    if kind != "critical":
        check_times(kymo, dice, place, words, spring, distance)


def check_times(kymo, dice, place, words, spring, distance):
    epsilon, speed = 10**dice.uniform(-4, -1.5), 10**dice.uniform(-4, -1) * max(1, spring.w0)
    found = {row["definition"]: row["settle_time_s"] for row in ask(
        kymo, *place, *words, "--settling-times", "--epsilon", epsilon, "--velocity-epsilon", speed)}
    expected = {
        "core-animation": (core_animation(spring, distance, epsilon), 1e-9),
        "swiftui": (swiftui(spring, epsilon), 1e-9),
        "compose": (max(0, compose(spring, epsilon)), 1e-3),
        "flutter": (flutter(spring, epsilon, speed), 1e-7),
        "motion": (motion(spring, epsilon, speed), 1e-9),
        "rebound": (rebound(spring, epsilon, speed), 1e-9),
        "pop": (pop(spring, epsilon), 1e-9),
        "libadwaita": (libadwaita(spring, epsilon), 1e-9),
        "wave": (wave(spring), 1e-9), "fluid": (fluid(spring, distance), 1e-9),
    }
    if sorted(found) != sorted(expected):
        raise Wrong(f"the definitions are {sorted(found)}")
    for name, (right, tolerance) in expected.items():
        near(found[name], right, tolerance, f"{name} of {place} {words} {epsilon} {speed}")


FRAME = 1 / 60


def walked_frames(k, c, x, v, holds, frame=FRAME, first=1, last=6144):
    """The first frame at which something holds, on a spring that is walked in 64 steps a frame."""
    for n in range(last + 1):
        if n >= first and holds(x, v):
            return n * frame
        for _ in range(64):
            x, v = runge_kutta(k, c, x, v, frame / 64)
    return None


def react_spring(k, c, distance, velocity):
    """SpringValue.advance at 60 Hz: each frame takes the ceiling of its milliseconds in steps of one."""
    precision = min(1, distance / 1000)
    x, v = 0.0, velocity / 1000
    for frame in range(1, 6145):
        for _ in range(math.ceil(1000 / 60)):
            if abs(v) <= precision / 10 and abs(distance - x) <= precision:
                return frame * FRAME
            v += -k * 1e-6 * (x - distance) - c * 1e-3 * v
            x += v
    return None


def check_like(kymo, dice):
    """The value goes from 0 to the distance; offsets are seen from the target."""
    mass, w0, distance = 10**dice.uniform(-1, 1), 10**dice.uniform(0.5, 1.5), dice.choice([1.0, 3.0, 250.0])
    ratio = dice.choice([dice.uniform(0.15, 0.95), 1.0, dice.uniform(1.1, 3)])
    velocity = dice.choice([0.0, dice.gauss(0, 5) * distance])
    k, c = w0 * w0, 2 * ratio * w0
    line = f"mass {mass!r} stiffness {mass * k!r} damping {mass * c!r}"
    words = ["--like", line, "--target", distance, "--velocity", velocity]
    rows = {row["system"]: row for row in ask(kymo, *words)}
    # React Native and Reanimated run what creeps as critical.
    calm = min(c, 2 * w0)
    swings = ratio < 1
    fine = distance < 5
    delta, speed = (0.005, 0.01) if fine else (0.5, 2)
    start = 0.5 * k * distance**2 + 0.5 * velocity**2

    def near_target(limit, pace):
        return lambda x, v: abs(x) <= limit and (not swings or abs(v) <= pace)
    expected = {
        "react-native": walked_frames(
            k, calm, -distance, velocity, lambda x, v: abs(x) <= 0.001 and abs(v) <= 0.001),
        "reanimated": walked_frames(
            k, calm, -distance, velocity, lambda x, v: (0.5 * k * x * x + 0.5 * v * v) / start <= 6e-9),
        "react-spring": react_spring(k, c, distance, velocity),
        "motion": walked_frames(k, c, -distance, velocity, near_target(delta, speed), 0.05, 0, 399),
        "popmotion": walked_frames(k, c, -distance, velocity, near_target(min(distance / 100, 0.4), 2)),
    }
    if velocity == 0:
        share = distance / 1000
        expected["hyprland"] = walked_frames(
            k, c, -distance, 0.0, lambda x, v: abs(x) <= share and abs(v) <= share)
    nearby = c * (1 + 1e-6) if ratio == 1 else c
    spring = Spring(1, k, nearby, -distance, velocity)
    expected["flutter"] = flutter(spring, 0.001, 0.001)
    if ratio != 1:
        expected["compose"] = max(0, compose(spring, 0.01))
    if swings:
        expected["core-animation"] = core_animation(spring, distance, 0.001)
        expected["uikit"] = expected["core-animation"]
        expected["libadwaita"] = libadwaita(spring, 0.001)
        if velocity == 0:
            expected["swiftui"] = fluid(spring, distance)
    for system, right in expected.items():
        found = rows[system]["rest_s"]
        if (found is None) != (right is None) or found is not None and abs(found - right) > FRAME * 1.001:
            raise Wrong(f"{system} of {words} rests after {found!r}, expected {right!r}")
    # Each line that is exact is the same spring when it is read back.
    if not any(row["exact"] for row in rows.values()):
        raise Wrong(f"no line of {words} is exact")
    for system, row in rows.items():
        if row["exact"]:
            again = {row["system"]: row for row in ask(
                kymo, "--like", row["line"], "--system", system, "--target", distance)}
            near(again["flutter"]["rest_s"], rows["flutter"]["rest_s"], 1e-7, f"{row['line']} of {words}")


def check_settling_duration(kymo, dice):
    ratio, time = dice.uniform(0.05, 0.98), 10**dice.uniform(-1, 1)
    found = ask(kymo, "--settling-duration", time, "--damping-ratio", ratio, "--settling-times")
    near(next(row["settle_time_s"] for row in found if row["definition"] == "swiftui"), time, 1e-9,
         f"the settling duration at {ratio}")


def check_decay(kymo, dice):
    rate, velocity = dice.choice([0.998, 0.99, dice.uniform(0.9, 0.9999)]), dice.gauss(0, 1000)
    start, count = dice.uniform(-50, 50), dice.randrange(1, 900)
    words = ["--decay", rate, "--velocity", velocity, "--start", start, "--at", count / 1000]
    total, pace = start, velocity
    for _ in range(count):
        pace *= rate
        total += pace / 1000
    row = ask(kymo, *words, "--discrete")[0]
    near(row["value"], total, 1e-9, f"the sum of {words}")
    near(row["velocity"], pace, 1e-9, f"the velocity of {words}")
    # Simpson's rule over the velocity.
    steps, width = 10000, count / 1000 / 10000
    area = sum((1 if n in (0, steps) else 4 if n % 2 else 2) * velocity * rate**(1000 * n * width)
               for n in range(steps + 1)) * width / 3
    near(ask(kymo, *words)[0]["value"], start + area, 1e-9, f"the integral of {words}")


def check_cubic(kymo, dice):
    start, target, seconds = dice.uniform(-5, 5), dice.uniform(-5, 5), 10**dice.uniform(-1, 1)
    velocity = dice.gauss(0, 4) * (target - start) / seconds
    for held in ([], ["--no-overshoot"]):
        end = seconds
        if held and velocity * (target - start) > 0:
            end = min(end, 3 * (target - start) / velocity)
        time = dice.uniform(0.01, 0.99) * end
        words = ["--cubic", "--duration", seconds, "--start", start, "--target", target, "--velocity",
                 velocity, "--at", f"0,{time!r},{end!r}", *held]
        # a + b t + c t^2 + d t^3 with start, velocity, target and rest.
        rest = target - start - velocity * end
        d = (-velocity * end - 2 * rest) / end**3
        c = (rest - d * end**3) / end**2
        rows = ask(kymo, *words)
        near(rows[1]["value"], start + velocity * time + c * time**2 + d * time**3, 1e-9,
             f"the cubic {words}")
        near(rows[1]["velocity"], velocity + 2 * c * time + 3 * d * time**2, 1e-8, f"{words}")
        near(rows[0]["velocity"], velocity, 0, f"the start of {words}")
        near(rows[2]["value"], target, 1e-9, f"the end of {words}")


def check_timing(kymo, dice):
    progress, seconds, speed = dice.random(), dice.uniform(0.1, 2), dice.uniform(0.2, 4)
    for target, share in ((1, 1 - progress), (0, progress)):
        words = ["--timing", "ease-in-out", "--duration", seconds, "--completion-speed", speed,
                 "--start", progress, "--target", target]
        end = share * seconds / speed
        near(ask(kymo, *words, "--settling-times")[0]["settle_time_s"], end, 1e-12, f"{words}")
        u = dice.random()
        # The curve's x at the parameter u is the share of the time.
        x, y = 3 * (1 - u)**2 * u * 0.42 + 3 * (1 - u) * u * u * 0.58 + u**3, 3 * u * u - 2 * u**3
        slope = (6 * u - 6 * u * u) / (3 * (1 - u)**2 * 0.42 + 6 * (1 - u) * u * 0.16 + 3 * u * u * 0.42)
        row = ask(kymo, *words, "--at", x * end)[0]
        near(row["value"], progress + (target - progress) * y, 1e-9, f"{words}")
        near(row["velocity"], (target - progress) * slope / end, 1e-8, f"the velocity of {words}")


def main(kymo):
    dice = random.Random(23)
    try:
        for number in range(ROUNDS):
            for kind in ("under", "over", "critical"):
                check_spring(kymo, dice, kind)
            check_like(kymo, dice)
            check_settling_duration(kymo, dice)
            check_decay(kymo, dice)
            check_cubic(kymo, dice)
            check_timing(kymo, dice)
    except Wrong as wrong:
        print(wrong)
        return 1
    print(f"settle.py: {ROUNDS} rounds of springs, settling times, lines of systems, decays, cubics and curves agree")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
