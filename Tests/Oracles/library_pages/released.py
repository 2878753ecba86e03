"""Kinds of pages by how an element goes on when a finger lets it go, as libraries make them."""
import math

from library_pages.curves import Cubic, Decay, Edge, Sine, Spring, Then, Tween
from library_pages.gestures import PITCH, banded, last_place, planted_jump, sign, spring_behind, throw


def spring_throw(page, dice, faulty):
    way = throw(page, dice)
    driven = page.follow()
    goal = way + math.copysign(dice.uniform(60, 240), way)
    speed = dice.uniform(0, 0.2) * page.finger.speed if faulty else page.throw_speed()
    curve = spring_behind(page, dice, last_place(page, driven), goal, speed)
    page.show(page.go_on(driven, curve, begins=dice.choice(["heard", "frame"]), is_planted=faulty))


def declared_throw(kind):
    """A curve that the browser runs begins as fast as the finger; the fault is that it begins elsewhere than the element is."""
    def make(page, dice, faulty):
        way = throw(page, dice)
        driven = page.follow()
        start = page.finger.reports[-1].along
        points, duration = dice.choice([(0.2, 0.8, 0.2, 1), (0.16, 0.84, 0.44, 1), (0.1, 0.7, 0.1, 1)]), dice.uniform(0.2, 0.4)
        goal = start + abs(page.finger.speed) * math.copysign(duration * points[0] / points[1] * dice.uniform(0.9, 1.6), way)
        curve = Cubic(0 if faulty else start, goal, duration, points)
        page.declare(curve, kind=kind)
        values = page.go_on(driven, curve, begins="frame", measures=not faulty)
        if faulty:
            page.truth.pop("kept", None)
            page.allowed.add("hand_over")
            page.plant("jump", frame=page.release)
        page.show(values)
    return make


def snap_ease(page, dice, faulty):
    """A carousel that goes on to its next item by `ease`, as most do; the fault is a step in mid-motion."""
    way = throw(page, dice)
    driven = page.follow()
    points = dice.choice([(0.25, 0.1, 0.25, 1), (0.42, 0, 0.58, 1), (0, 0, 0.58, 1), (0.4, 0, 0.2, 1)])
    curve = Cubic(page.finger.reports[-1].along, math.copysign(PITCH, way), dice.uniform(0.3, 0.6), points)
    page.declare(curve)
    values = page.go_on(driven, curve, begins="frame", jump=planted_jump(page, dice) if faulty else None, measures=not faulty)
    page.allowed.discard("hand_over")
    if faulty:
        page.truth.pop("kept", None)
    page.show(values)


def decay(page, dice, faulty):
    throw(page, dice, seconds=4.4)
    driven = page.follow()
    # Some maps begin with half of the finger's speed.
    share = dice.choice([1, 1, 0.5])
    if share == 1 or dice.random() < 0.5:
        curve = Decay(last_place(page, driven), share * page.throw_speed(), dice.choice([0.325, 0.325, 0.2, 0.5]))
    else:
        start, duration = page.finger.reports[-1].along, dice.uniform(0.4, 0.8)
        curve = Tween(start, start + share * page.throw_speed() * duration / 5, duration, 5)
    page.show(page.go_on(driven, curve, jump=planted_jump(page, dice) if faulty else None, measures=not faulty))
    page.allowed.discard("hand_over")
    if faulty:
        page.truth.pop("kept", None)


def snap(page, dice, faulty):
    """Items of one pitch; the throw chooses one, and a spring goes there."""
    way = throw(page, dice)
    driven = page.follow()
    pitch = dice.choice([PITCH, 300, 180])
    goal = math.copysign(pitch * max(1, round(abs(way + 0.12 * page.finger.speed) / pitch)), way)
    curve = spring_behind(page, dice, last_place(page, driven), goal, page.throw_speed(), dice.choice([0.8, 0.9, 1.0]))
    page.show(page.go_on(driven, curve, jump=planted_jump(page, dice) if faulty else None, measures=not faulty))
    if faulty:
        page.truth.pop("kept", None)


def wrap(page, dice, faulty):
    """An endless carousel: at the end of its step the track jumps by all its slides, which shows the same picture."""
    way = math.copysign(dice.uniform(120, 260), sign(dice))
    page.axis = "x"
    page.subject = "track"
    page.drag(way, dice.uniform(0.12, 0.3), dice.choice(["throw", "drag"]))
    driven = page.follow()
    count = dice.choice([3, 4, 5])
    duration = dice.uniform(0.25, 0.45)
    points = (0.165, 0.84, 0.44, 1)
    start = page.finger.reports[-1].along
    curve = Cubic(start, math.copysign(PITCH, way), duration, points)
    page.declare(curve, item="track")
    values = page.go_on(driven, curve, begins="frame", measures=False)
    page.truth.pop("overshoot", None)
    end = page.frames[page.release].time + duration
    at = page.screen.first_that_knows(end + 0.004) if dice.random() < 0.5 else page.screen.first_that_knows(end + 0.02) + 1
    shift = -math.copysign(count * PITCH, way)
    if faulty:
        shift = dice.choice([-1, 1]) * dice.uniform(40, 150)
        at = page.release + dice.randint(5, 8)
        page.plant("jump", frame=at)
        page.truth.pop("kept", None)
    values = [value + (shift if i >= at else 0) for i, value in enumerate(values)]
    slide = (0 if faulty else -PITCH, 200, (count + 2) * PITCH, 300)
    page.show(values, slide)


def flick(page, dice, faulty):
    way = sign(dice) * (dice.uniform(100, 150) if faulty else dice.uniform(60, 150))
    page.drag(way, dice.uniform(0.09, 0.12) if faulty else dice.uniform(0.06, 0.11), "throw")
    driven = page.follow()
    goal = way + math.copysign(dice.uniform(100, 300), way)
    speed = dice.uniform(0, 0.15) * page.finger.speed if faulty else page.throw_speed()
    page.show(page.go_on(driven, spring_behind(page, dice, last_place(page, driven), goal, speed), is_planted=faulty))


def snap_back(page, dice, faulty):
    """A slow short drag that goes back; the fault is a far fast throw that does."""
    if faulty:
        way, length = sign(dice) * dice.uniform(200, 260), dice.uniform(0.11, 0.16)
        page.drag(way, length, "throw")
        page.plant("flick_cancelled")
    else:
        way = sign(dice) * dice.uniform(50, 90)
        page.drag(way, dice.uniform(0.25, 0.45), dice.choice(["drag", "stopping"]))
    driven = page.follow()
    start = page.finger.reports[-1].along
    if dice.random() < 0.5:
        curve = Cubic(start, 0, dice.uniform(0.2, 0.4), dice.choice([(0.25, 0.1, 0.25, 1), (0.2, 0.8, 0.2, 1)]))
        page.declare(curve)
        values = page.go_on(driven, curve, begins="frame")
    else:
        values = page.go_on(driven, Spring(start, 0, 0, dice.uniform(150, 300), dice.choice([0.8, 1.0])))
    page.truth.pop("kept", None)
    page.allowed.discard("hand_over")
    if faulty:
        page.allowed.add("hand_over")
    page.show(values)


def long_declared(page, dice, _):
    """A declared duration of more than a second."""
    way = throw(page, dice, seconds=3)
    driven = page.follow()
    duration, start = dice.uniform(1.1, 1.6), page.finger.reports[-1].along
    goal = start + math.copysign(max(120, abs(page.finger.speed) * duration * 0.06), way)
    curve = Cubic(start, goal, duration, (0.05, 0.9, 0.1, 1))
    page.declare(curve, kind=dice.choice(["CSSTransition", "Animation"]))
    page.show(page.go_on(driven, curve, begins="frame"))


def slow_spring(page, dice, faulty):
    way = throw(page, dice, seconds=4)
    driven = page.follow()
    goal = way + math.copysign(dice.uniform(150, 300), way)
    stiffness, ratio = (dice.uniform(8, 16), 1.0) if faulty else (dice.uniform(200, 500), dice.choice([0.5, 0.7, 1.0]))
    values = page.go_on(driven, Spring(driven[-1], goal, page.throw_speed(), stiffness, ratio))
    if page.truth["rest"][0] > 1100:
        page.plant("settle")
    elif faulty:
        page.allowed.add("settle")
    page.show(values)


def fast_inertia(page, dice, faulty):
    """Momentum that is faster than the finger, as of lists that add it up."""
    throw(page, dice, seconds=4)
    driven = page.follow()
    speed = page.throw_speed(low=1.5, high=2.6)
    if dice.random() < 0.5:
        curve = Decay(driven[-1], speed, 0.3)
    else:
        curve = Tween(driven[-1], driven[-1] + speed * 0.7 / 4, 0.7, 4)
    page.show(page.go_on(driven, curve, jump=planted_jump(page, dice) if faulty else None, measures=not faulty))
    if faulty:
        page.truth.pop("kept", None)


def edge_bounce(page, dice, _):
    """Momentum that meets an edge and comes back to it."""
    way = throw(page, dice, seconds=3.4)
    driven = page.follow()
    speed = page.throw_speed()
    edge = way + speed * 0.325 * dice.uniform(0.4, 0.7)
    curve = Edge(last_place(page, driven), speed, 0.325, edge, dice.uniform(150, 260))
    page.show(page.go_on(driven, curve))


def revert(page, dice, _):
    """Something that is dropped nowhere goes back to its place, by a script with a sine in and out."""
    way = sign(dice) * dice.uniform(80, 240)
    page.drag(way, dice.uniform(0.45, 0.8), dice.choice(["drag", "even"]))
    driven = page.follow()
    curve = Sine(page.finger.reports[-1].along, 0, dice.uniform(0.25, 0.5))
    values = page.go_on(driven, curve, begins=dice.choice(["heard", "frame"]))
    page.truth.pop("kept", None)
    page.allowed.discard("hand_over")
    page.show(values)


def drop(page, dice, _):
    """A row that takes its free place at once as it is let go."""
    page.axis, page.subject = "y", "row0"
    way = sign(dice) * dice.uniform(90, 200)
    page.drag(way, dice.uniform(0.25, 0.6), dice.choice(["drag", "stopping"]))
    driven = page.follow()
    place = driven[-1] + sign(dice) * dice.uniform(8, 26)
    page.show(driven[:page.release] + [place] * (len(page.frames) - page.release))


def pull_refresh(page, dice, faulty):
    """Pulled down against a resistance, it waits with its wheel, and goes back; the fault is a step instead of that."""
    page.axis = "y"
    page.drag(dice.uniform(150, 240), dice.uniform(0.25, 0.45), "drag", seconds=2.8, place=(200, 120))
    driven = page.follow(lambda place: banded(place, 300, 0.5))
    start = banded(page.finger.reports[-1].along, 300, 0.5)
    to, wait = Cubic(start, 60, 0.25, (0.2, 0.8, 0.2, 1)), dice.uniform(0.7, 1.1)
    page.declare(to)
    back = Tween(60, 0, 0.001 if faulty else 0.3, 1 if faulty else 3)
    curve = Then(to, wait, back)
    if faulty:
        page.plant("jump", frame=page.screen.first_that_knows(page.frames[page.release].time + wait))
    values = page.go_on(driven, curve, begins="frame", measures=False)
    page.truth.pop("kept", None)
    page.allowed.discard("hand_over")
    page.show(values)
