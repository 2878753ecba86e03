"""Usual drags and releases, which kinds of pages share."""
import math

from library_pages.curves import Spring

# From one item of a carousel to the next, in px.
PITCH = 390


def sign(dice):
    return dice.choice([-1, 1])


def throw(page, dice, long=False, **more):
    """A usual throw; `long` is one of enough frames for everything to be told."""
    way = sign(dice) * dice.uniform(*((160, 300) if long else (110, 260)))
    length = dice.uniform(*((0.22, 0.45) if long else (0.11, 0.3)))
    page.drag(way, length, dice.choice(["throw", "drag", "even"]), **more)
    return way


def spring_behind(page, dice, start, goal, speed, ratio=None):
    return Spring(start, goal, speed, dice.uniform(140, 380), ratio or dice.choice([0.6, 0.75, 0.9, 1.0, 1.1]))


def last_place(page, driven):
    """Where a page that shows at once what it hears has its element when the settle begins."""
    return page.dice.choice([driven[-1], page.finger.reports[-1].along])


def planted_jump(page, dice):
    number = dice.randint(6, 12)
    page.plant("jump", frame=page.release + number)
    return number, sign(dice) * dice.uniform(28, 60)


def banded(place, limit=390, stiff=0.55):
    """The rubber band of UIScrollView: c x d / (c x + d)."""
    return math.copysign(stiff * abs(place) * limit / (stiff * abs(place) + limit), place)
