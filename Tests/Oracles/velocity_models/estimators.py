"""The estimators' formulas over a window of (seconds, place), told independently of the program."""
import math

GAP = 0.040 + 1e-12     # A longer pause forgets what was before it.
REACH = 0.022 + 1e-9    # How far the reference looks back and ahead.


def fit_slope(times, values, degree, weights=None, at=None):
    """Slope at a time (the newest) of the least-squares polynomial, by the normal equations."""
    at = times[-1] if at is None else at
    degree = min(degree, len(times) - 1)
    if degree < 1:
        return None
    span = max(abs(t - at) for t in times)
    size = degree + 1
    matrix = [[0.0] * (size + 1) for _ in range(size)]
    for i, (t, x) in enumerate(zip(times, values)):
        weight = weights[i] ** 2 if weights else 1.0
        powers = [1.0]
        for _ in range(2 * degree):
            powers.append(powers[-1] * (t - at) / span)
        for row in range(size):
            for column in range(size):
                matrix[row][column] += weight * powers[row + column]
            matrix[row][size] += weight * powers[row] * (x - values[-1])
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(matrix[row][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        if abs(matrix[i][i]) < 1e-12:
            return None
        for row in range(size):
            if row != i:
                factor = matrix[row][i] / matrix[i][i]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], matrix[i])]
    return matrix[1][size] / matrix[1][1] / span


def lsq(degree):
    return lambda t, x, u: fit_slope(t, x, degree)


def weighted(weight):
    def estimate(t, x, u):
        last = len(t) - 1
        weights = [weight((t[-1] - t[i]) * 1e3, (t[i + 1] - t[i]) * 1e3 if i < last else None)
                   for i in range(last + 1)]
        return fit_slope(t, x, 2, weights)
    return estimate


def rising(milliseconds):
    return min(1.0, 0.5 + 0.05 * max(0.0, milliseconds))


def central(age, _):
    return rising(age) if age < 10 else 1.0 if age < 50 else rising(60 - age)


def restricted(t, x, u):
    slope = fit_slope(t, x, 2)
    return 0.0 if slope * (x[-1] - x[0]) < 0 else slope


def impulse(form):
    def estimate(t, x, u):
        work = u[0] * abs(u[0]) / 2
        for before, segment in zip(u, u[1:]):
            carried = math.copysign(math.sqrt(2 * abs(work)), work)
            work += (segment - (carried if form == "carried" else before)) * abs(segment)
        return math.copysign(math.sqrt(2 * abs(work)), work)
    return estimate


def integrating(order):
    def estimate(t, x, u):
        velocity = acceleration = None
        time, place = t[0], x[0]
        for now, here in zip(t[1:], x[1:]):
            step = now - time
            if step <= 0.002:
                continue
            segment, time, place = (here - place) / step, now, here
            if velocity is None:
                velocity = segment
                continue
            share = step / (0.010 + step)
            if order == 1:
                velocity += (segment - velocity) * share
                continue
            pull = (segment - velocity) / step
            acceleration = pull if acceleration is None else acceleration + (pull - acceleration) * share
            velocity += acceleration * step * share
        return velocity
    return estimate


def legacy(t, x, u):
    average, before = None, 0.0
    for now, here in zip(t[1:], x[1:]):
        duration = now - t[0]
        if duration >= 0.010:
            average = ((average or 0.0) * before + here - x[0]) / (before + duration)
            before = duration
    return average


def mean(t, x, u):
    return (x[-1] - x[0]) / (t[-1] - t[0])


def mean5(t, x, u):
    return sum(u[-5:]) / len(u[-5:])


def blend(*shares):
    return lambda t, x, u: sum(a * b for a, b in zip(reversed(shares), reversed(u)))


def swiftui(t, x, u):
    return u[0] if len(u) == 1 else 0.75 * u[-2] + 0.25 * u[-1]


def kalman(size):
    def estimate(t, x, u):
        state = [x[0]] + [0.0] * (size - 1)
        spread = [[float(i == j) for j in range(size)] for i in range(size)]
        for before, now, here in zip(t, t[1:], x[1:]):
            dt = (now - before) * 1e3
            move = [[dt ** (j - i) / math.factorial(j - i) if j >= i else 0.0 for j in range(size)]
                    for i in range(size)]
            push = [dt * dt / 2, dt, 1.0][3 - size:]    # Each step adds to the highest derivative.
            state = [sum(a * b for a, b in zip(row, state)) for row in move]
            moved = [[sum(row[k] * spread[k][j] for k in range(size)) for j in range(size)]
                     for row in move]
            spread = [[sum(moved[i][k] * move[j][k] for k in range(size)) + 0.01 * push[i] * push[j]
                       for j in range(size)] for i in range(size)]
            gain = [row[0] / (spread[0][0] + 1) for row in spread]
            error = here - state[0]
            state = [a + g * error for a, g in zip(state, gain)]
            spread = [[spread[i][j] - gain[i] * spread[0][j] for j in range(size)]
                      for i in range(size)]
        return state[1] * 1e3
    return estimate


def one_euro(t, x, u):
    place, inner, moved = x[0], 0.0, 0.0
    for before, now, here in zip(t, t[1:], x[1:]):
        step = now - before
        inner += ((here - place) / step - inner) * step / (step + 1 / (2 * math.pi))
        cutoff = 4.7 + 0.01 * abs(inner)
        moved = (here - place) * step / (step + 1 / (2 * math.pi * cutoff))
        place += moved
    return moved / (t[-1] - t[-2])


# Name in the program, formula, horizons in milliseconds (0: the 100 ms of the android window).
FORMULAS = [
    ("lsq1", lsq(1), (0, 20, 30, 40, 60, 150, 200, 300)),
    ("lsq2", lsq(2), (0, 30, 40, 50, 60, 80, 150)),
    ("lsq3", lsq(3), (0,)),
    ("lsq2Restricted", restricted, (0,)),
    ("wlsq2Delta", weighted(lambda age, step: 1.0 if step is None else rising(step)), (0,)),
    ("wlsq2Central", weighted(central), (0,)),
    ("wlsq2Recent", weighted(lambda age, _: 1.0 if age < 50 else 0.5 + 0.01 * max(0, 100 - age)), (0,)),
    ("int1", integrating(1), (0,)),
    ("int2", integrating(2), (0,)),
    ("legacy", legacy, (0,)),
    ("impulse", impulse("carried"), (0, 40)),
    ("impulse2017", impulse("segments"), (0,)),
    ("mean", mean, (0, 150)),
    ("mean5", mean5, (0,)),
    ("ios3", blend(0.60, 0.35, 0.05), (0,)),
    ("macos3", blend(0.15, 0.65, 0.20), (0,)),
    ("swiftui", swiftui, (0,)),
    ("twoPoint", lambda t, x, u: u[-1], (0,)),
    ("kalmanConstantVelocity", kalman(2), (0,)),
    ("kalmanConstantAcceleration", kalman(3), (0,)),
    ("oneEuro", one_euro, (0,)),
]
CANDIDATES = [(name, formula, horizon) for name, formula, horizons in FORMULAS for horizon in horizons]
SPREAD = [("twoPoint", 0), ("swiftui", 0), ("lsq1", 30), ("lsq2", 40), ("lsq2", 60), ("lsq1", 60),
          ("lsq1", 0)]


def window(times, index, name, horizon):
    """The first sample that counts for a candidate at a place."""
    reach, history = (horizon or 100) / 1e3, 20 if horizon <= 100 else 120
    if name == "legacy":
        reach = 0.2
    if name in ("int1", "int2", "oneEuro"):
        reach, history = 1.0, 1000
    first = index
    while (first > 0 and index - first + 1 < history and times[index] - times[first - 1] <= reach + 1e-12
           and times[first] - times[first - 1] <= GAP):
        first -= 1
    return first


def answers(times, values, index):
    """What every candidate says at a place; 0, a value at rest, where it says nothing."""
    windows, found = {}, []
    for name, formula, horizon in CANDIDATES:
        first = window(times, index, name, horizon)
        if first not in windows:
            t, x = times[first:index + 1], values[first:index + 1]
            windows[first] = t, x, [(b - a) / (q - p) for a, b, p, q in zip(x, x[1:], t, t[1:])]
        t, x, u = windows[first]
        found.append((formula(t, x, u) or 0.0) if u else 0.0)
    return found


def reference(times, values, index, last):
    """The slope of the parabola within 22 ms before and after a place, seeing no further than `last`;
    None with fewer than three samples in reach or none after the place."""
    first = end = index
    while first > 0 and times[index] - times[first - 1] <= REACH:
        first -= 1
    while end < last and times[end + 1] - times[index] <= REACH:
        end += 1
    if end == index or end - first < 2:
        return None
    return fit_slope(times[first:end + 1], values[first:end + 1], 2, at=times[index])
