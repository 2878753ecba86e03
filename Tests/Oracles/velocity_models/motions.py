"""Generated recordings of three kinds: fast flings, slow drags, slow motion under noise.

Each is (times in ns, values). The flings' rates, time scales and errors are set so that the named
estimators do about as well on them as on recorded phone flings, the drags' likewise for touch
screens and pads (the ranking in the project's notes on velocity); no recording went into them.
"""
import math


def profile(dice, kind, end, scale, peak):
    """Places of a finger that speeds up towards `end`."""
    if kind == "power":
        exponent, length, drift = dice.uniform(0.7, 3.5), 2 * scale * dice.uniform(0.7, 1.5), dice.uniform(0, 0.05)
        return lambda t: peak * (length / (exponent + 1)
                                 * max(0.0, (t - end + length) / length) ** (exponent + 1) + drift * t)
    if kind == "jerk":                                  # Least jerk: 10 s^3 - 15 s^4 + 6 s^5.
        length, share = scale * dice.uniform(2.5, 4.5), dice.uniform(0.35, 0.9)

        def place(t):
            s = min(1.0, max(0.0, (t - end) / length + share))
            return peak * length / 1.875 * s**3 * (10 - 15 * s + 6 * s * s)
        return place
    if kind == "ramp":
        rate, middle = 1 / (scale * dice.uniform(0.16, 0.4) + 0.003), end - dice.uniform(-0.01, 0.08)
        return lambda t: peak / rate * math.log1p(math.exp(min(50.0, max(-50.0, rate * (t - middle)))))
    width, middle = scale * dice.uniform(0.7, 1.1), end - dice.uniform(-0.02, 0.06)
    return lambda t: peak * width * math.sqrt(math.pi / 2) * (1 + math.erf((t - middle) / width / math.sqrt(2)))


def fling(dice, kind=None, rate=None):
    kind = kind or dice.choice(["power", "jerk", "ramp", "bump"])
    rate = (rate or dice.choice([60, 60, 60, 83, 100, 100, 120, 120, 120, 125, 180, 240])) * dice.uniform(0.95, 1.05)
    step, scale = 1 / rate, dice.uniform(0.015, 0.06)
    count = min(dice.randint(5, 25), max(5, int(0.3 / step)))
    peak = dice.uniform(300, 9000) * dice.choice([-1, 1])
    jitter = dice.choice([0, 0.03, 0.03, 0.08, 0.08, 0.15, 0.25]) * step
    times = [0.0]
    for index in range(1, count):
        times.append(max(times[-1] + 0.0015, index * step + dice.gauss(0, jitter)))
    place = profile(dice, kind, times[-1], scale, peak)
    shake, phase = dice.uniform(6, 18) * 2 * math.pi, dice.uniform(0, 6)
    sway = peak * dice.uniform(0, 0.12) / shake
    noise, grain = dice.choice([0, 0.15, 0.15, 0.4, 1]), dice.choice([0, 0.25, 1])
    values = [place(t) + sway * math.sin(shake * t + phase) + dice.gauss(0, noise) for t in times]
    if dice.random() < 0.35:                            # The slop before a drag begins.
        slop = math.copysign(dice.uniform(0, 12), peak)
        values = values[:1] + [x + slop for x in values[1:]]
    if dice.random() < 0.15:                            # The contact shrinks as it lifts.
        values[-1] += (values[-1] - values[-2]) * dice.uniform(-0.6, 0.9)
    if grain:
        values = [round(x / grain) * grain for x in values]
    stamp, whole = dice.choice([0, 0.2e-3, 0.5e-3, 1e-3]), dice.random() < 0.3
    stamps = []
    for t in times:
        t += dice.gauss(0, stamp)
        t = round(t, 3) if whole else t
        stamps.append(max(t, stamps[-1] + 0.001) if stamps else t)
    return [round((t - stamps[0]) * 1e9) for t in stamps], values


def wander(dice, count, step, memory):
    """A smooth random speed with variance about 1."""
    share, first, second, found = 1 - math.exp(-step / memory), 0.0, 0.0, []
    for _ in range(count + 300):
        first += (dice.gauss(0, 1) - first) * share
        second += (first - second) * share
        found.append(second)
    found = found[300:]
    size = math.sqrt(sum(v * v for v in found) / count) or 1.0
    return [v / size for v in found]


def drag_speeds(dice, kind, count, step):
    if kind == "smooth":
        return wander(dice, count, step, dice.uniform(0.03, 0.25))
    if kind == "steady":
        sign, drift = dice.choice([-1, 1]), wander(dice, count, step, dice.uniform(0.04, 0.25))
        return [sign * (1 + 0.3 * d) * min(1.0, i * step / 0.12, (count - i) * step / 0.25)
                for i, d in enumerate(drift)]
    if kind == "swing":
        turn, drift = 2 * math.pi * dice.uniform(0.3, 2.5), wander(dice, count, step, 0.06)
        return [math.sin(turn * i * step) + 0.12 * d for i, d in enumerate(drift)]
    speeds = []
    while len(speeds) < count:                          # Strokes, with rests between some of them.
        length, height = int(dice.uniform(0.15, 1.2) / step) + 4, dice.uniform(0.2, 1) * dice.choice([-1, 1])
        power = dice.uniform(0.6, 2)
        speeds += [height * (4 * i / length * (1 - i / length)) ** power for i in range(length)]
        if dice.random() < 0.4:
            speeds += [0.0] * int(dice.uniform(0.02, 0.4) / step)
    return speeds[:count]


def drag(dice, kind=None):
    """Whole device units; a finger that rests sends nothing, unless its other axis moves."""
    kind = kind or dice.choice(["smooth", "steady", "swing", "strokes"])
    step = 1 / dice.uniform(60, 140)
    count = int(dice.uniform(1.5, 8) / step)
    speeds = drag_speeds(dice, kind, count, step)
    peak = 10 ** dice.uniform(1.8, 4) / (max(map(abs, speeds)) or 1.0)
    noise, stamp = dice.choice([0, 0.2, 0.4, 0.8]), dice.choice([0.1e-3, 0.5e-3, 1.5e-3])
    smoothing = dice.uniform(0.3, 0.8) if dice.random() < 0.4 else 1.0
    repeats = dice.choice([0, 0, 0.5, 0.95])
    place = shown = dice.uniform(500, 3000)
    times, values = [], []
    for index, speed in enumerate(speeds):
        place += speed * peak * step
        shown += (place + dice.gauss(0, noise) - shown) * smoothing
        time, value = round((index * step + dice.gauss(0, stamp)) * 1e6) * 1000, float(round(shown))
        if times and (time <= times[-1] + 500_000 or value == values[-1] and dice.random() >= repeats):
            continue
        times.append(time)
        values.append(value)
    return (times, values) if len(times) > 40 else drag(dice, kind)


def noise(dice):
    """sin(t) or slower, true speed at most 1, under normal or uniform noise."""
    step, turn = 1 / dice.choice([60, 90, 100, 120, 160, 200]), dice.choice([1.0, 1.0, 0.6])
    size, jitter = 10 ** dice.uniform(-2, -0.7), dice.choice([0, 0, 0.4])
    even = dice.random() < 0.4
    times = [(index + dice.uniform(0, jitter)) * step for index in range(int(dice.uniform(5, 10) / step))]
    values = [math.sin(turn * t) + (dice.uniform(-1.73, 1.73) if even else dice.gauss(0, 1)) * size for t in times]
    return [round(t * 1e9) for t in times], values
