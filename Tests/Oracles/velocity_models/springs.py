"""The damped spring in closed form, by complex roots: the only second form of it that oracles use."""
import math


def spring(t, offset, speed, frequency, ratio):
    """The distance from the target after `t` seconds, which are a number or an array.

    `offset` and `speed` are those at 0, `frequency` is in radians per second, and `ratio` is 1 at critical damping."""
    root = complex(ratio * ratio - 1) ** 0.5
    # Near critical damping the two roots cancel, and the error of this form is that of the square.
    if abs(root) < 1e-6:
        return (offset + (speed + frequency * offset) * t) * math.e ** (-frequency * t)
    slow, fast = frequency * (-ratio + root), frequency * (-ratio - root)
    share = (speed - fast * offset) / (slow - fast)
    return (share * math.e ** (slow * t) + (offset - share) * math.e ** (fast * t)).real
