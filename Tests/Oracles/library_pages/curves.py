"""How something comes to rest: springs, decays, tweens and cubic curves by their formulas, with rest and overshoot."""
import functools
import math

from velocity_models.springs import spring

# The band of a rest as the documentation of `settle` defines it: a share of the furthest distance, and at least so many px.
BAND, LEAST_BAND = 0.02, 0.5
STEP = 0.001


class Curve:
    """A way from `start` at the speed `speed` to `target`; `at` gives the place after so many seconds."""

    # How long it is looked at, in seconds.
    lasts = 5.0

    def __init__(self, start, target, speed=0.0):
        self.start, self.target, self.speed = start, target, speed

    def at(self, passed):
        return self.target

    @functools.cached_property
    def places(self):
        """Places in small steps, to where nothing changes any more."""
        return [self.at(i * STEP) for i in range(math.ceil(self.lasts / STEP) + 2)]

    def rest(self, held):
        """When it is in its band for good, in seconds from its beginning. `held` is what was shown last before it."""
        reach = max(abs(held - self.target), max(abs(place - self.target) for place in self.places))
        band = max(BAND * reach, LEAST_BAND)
        outside = [i for i, place in enumerate(self.places) if abs(place - self.target) > band]
        return (outside[-1] + 1) * STEP if outside else 0.0


class Spring(Curve):
    def __init__(self, start, target, speed, stiffness, ratio):
        super().__init__(start, target, speed)
        self.frequency, self.ratio = math.sqrt(stiffness), ratio

    def at(self, passed):
        return self.target + spring(max(0, passed), self.start - self.target, self.speed, self.frequency, self.ratio)


class Decay(Curve):
    """A throw that friction slows down, until half a pixel is left."""

    def __init__(self, start, speed, constant):
        super().__init__(start, start + speed * constant, speed)
        self.constant = constant

    def at(self, passed):
        left = (self.start - self.target) * math.exp(-max(0, passed) / self.constant)
        return self.target + (left if abs(left) > 0.5 else 0)


class Tween(Curve):
    """An ease-out of a power, by a script."""

    def __init__(self, start, target, duration, power):
        super().__init__(start, target, power * (target - start) / duration)
        self.duration = self.lasts = duration
        self.power = power

    def at(self, passed):
        left = (1 - min(1, max(0, passed / self.duration))) ** self.power
        return self.target + (self.start - self.target) * left


class Sine(Curve):
    """A sine in and out, by a script."""

    def __init__(self, start, target, duration):
        super().__init__(start, target)
        self.duration = self.lasts = duration

    def at(self, passed):
        return self.target + (self.start - self.target) * (1 + math.cos(math.pi * min(1, max(0, passed / self.duration)))) / 2


class Cubic(Curve):
    """A cubic curve of CSS, which the browser runs."""

    def __init__(self, start, target, duration, points, delay=0.0):
        x, y = points[:2] if points[0] or points[1] else points[2:]
        super().__init__(start, target, (y / x if x else 0) * (target - start) / duration)
        self.duration, self.points, self.delay, self.lasts = duration, points, delay, duration + delay

    @property
    def easing(self):
        names = {(0, 0, 1, 1): "linear", (0.25, 0.1, 0.25, 1): "ease", (0.42, 0, 0.58, 1): "ease-in-out",
                 (0, 0, 0.58, 1): "ease-out", (0.42, 0, 1, 1): "ease-in"}
        return names.get(tuple(self.points)) or f"cubic-bezier({', '.join(f'{one:g}' for one in self.points)})"

    def at(self, passed):
        return self.start + (self.target - self.start) * self.share((passed - self.delay) / self.duration)

    def share(self, time):
        if time <= 0 or time >= 1:
            return min(1.0, max(0.0, time))
        x1, y1, x2, y2 = self.points
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = (low + high) / 2
            if 3 * x1 * middle * (1 - middle) ** 2 + 3 * x2 * middle ** 2 * (1 - middle) + middle ** 3 < time:
                low = middle
            else:
                high = middle
        return 3 * y1 * low * (1 - low) ** 2 + 3 * y2 * low ** 2 * (1 - low) + low ** 3


class Edge(Curve):
    """A decay that meets an edge, goes on by a spring beyond it and comes back to it."""

    def __init__(self, start, speed, constant, edge, stiffness):
        super().__init__(start, edge, speed)
        self.throw = Decay(start, speed, constant)
        share = (self.throw.target - edge) / (self.throw.target - start)
        self.meets = constant * math.log(1 / share) if 0 < share < 1 else math.inf
        if self.meets == math.inf:
            self.target = self.throw.target
        else:
            self.back = Spring(edge, edge, speed * share, stiffness, 1.0)

    def at(self, passed):
        return self.throw.at(passed) if passed < self.meets else self.back.at(passed - self.meets)


class Then(Curve):
    """One way, a pause, and another one."""

    def __init__(self, one, pause, other):
        super().__init__(one.start, other.target, one.speed)
        self.one, self.begins, self.other = one, pause, other

    def at(self, passed):
        return self.one.at(passed) if passed < self.begins else self.other.at(passed - self.begins)
