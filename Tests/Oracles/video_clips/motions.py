"""Motions as closed forms of the time in seconds. Before 0 each is at its start."""
import math


def spring(start, end, stiffness, damping, velocity=0.0):
    """A mass of 1."""
    root = math.sqrt(stiffness)
    ratio = damping / (2 * root)
    way = start - end

    def at(t):
        if t <= 0:
            return start
        if ratio < 1:
            turn = root * math.sqrt(1 - ratio * ratio)
            return end + math.exp(-ratio * root * t) * (
                way * math.cos(turn * t) + (velocity + ratio * root * way) / turn * math.sin(turn * t))
        if ratio == 1:
            return end + math.exp(-root * t) * (way + (velocity + root * way) * t)
        apart = root * math.sqrt(ratio * ratio - 1)
        slow, fast = -ratio * root + apart, -ratio * root - apart
        part = (velocity - fast * way) / (slow - fast)
        return end + part * math.exp(slow * t) + (way - part) * math.exp(fast * t)

    return at


def decay(start, velocity, rate):
    return lambda t: start + velocity / rate * (1 - math.exp(-rate * max(0.0, t)))


def bezier(start, end, duration, x1, y1, x2, y2):
    """A cubic Bézier curve as CSS has it, solved by halving."""

    def along(s, a, b):
        return 3 * (1 - s) ** 2 * s * a + 3 * (1 - s) * s * s * b + s**3

    def at(t):
        share = min(1.0, max(0.0, t / duration))
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if along(middle, x1, x2) < share else (low, middle)
        return start + (end - start) * along((low + high) / 2, y1, y2)

    return at


def dragged(start, way, seconds, end, stiffness, damping, lag=0.0):
    """A finger goes its way in some seconds, fastest at the lift, and the element behind it. Then a spring with its speed."""

    def finger(t):
        return start + way * min(1.0, max(0.0, t / seconds)) ** 1.6

    settle = spring(start + way, end, stiffness, damping, 1.6 * way / seconds)

    def element(t):
        return finger(t - lag) if t < seconds + lag else settle(t - lag - seconds)

    return finger, element
