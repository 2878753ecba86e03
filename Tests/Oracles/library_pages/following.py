"""Kinds of pages by how an element follows a finger, as libraries make them."""
import math

from library_pages.browser import PATHS
from library_pages.curves import Cubic, Decay, Spring
from library_pages.gestures import banded, last_place, planted_jump, sign, spring_behind, throw
from library_pages.page import cubic


def edge_band(page, dice, faulty):
    """At an edge it resists and goes back; the fault is a step on the way back."""
    throw(page, dice)
    stiff = dice.choice([0.55, 0.5, 1.0, 0])
    def band(place):
        return banded(place, stiff=stiff) if stiff else math.copysign(abs(place) ** 0.85, place)
    driven = page.follow(band)
    start = band(page.finger.reports[-1].along)
    if dice.random() < 0.5:
        curve = Cubic(start, 0, dice.uniform(0.25, 0.4), dice.choice([(0.2, 0.8, 0.2, 1), (0.25, 0.46, 0.45, 0.94)]))
        page.declare(curve)
        begins = "frame"
    else:
        curve, begins = Spring(start, 0, 0, dice.uniform(150, 300), 1.0), "heard"
    values = page.go_on(driven, curve, begins=begins, jump=planted_jump(page, dice) if faulty else None, measures=not faulty)
    page.truth.pop("kept", None)
    page.allowed.discard("hand_over")
    page.show(values)


def arms(page, dice, _):
    """A page whose first move only begins the drag: it stands still for it, and is at the finger from the next one on."""
    way = throw(page, dice)
    first = next(i for i in range(len(page.frames)) if abs(page.heard[i]) > 0.01)
    begins = next(i for i in range(first + 1, len(page.frames)) if page.heard[i] != page.heard[first])
    driven = [0 if i < begins else value for i, value in enumerate(page.follow())]
    goal = way + math.copysign(dice.uniform(60, 200), way)
    page.show(page.go_on(driven, spring_behind(page, dice, last_place(page, driven), goal, page.throw_speed())))


def attracted(page, dice, _):
    """A carousel that the finger attracts behind a threshold of 10 px, smoothed: in each frame it keeps a part of its speed and
    adds a part of the distance."""
    way = throw(page, dice, long=dice.random() < 0.5)
    friction, duration = 0.3, 0.75
    page.follow()
    driven, place, speed = [], 0.0, 0.0
    for heard in page.heard[:page.release]:
        distance = (heard if abs(heard) > 10 else 0) - place
        speed = friction * (speed + distance / duration)
        place += speed
        driven.append(place)
    # At a constant speed it is so many frames behind.
    own, period = duration * (1 / friction - 1) - 1, 1000 * page.screen.period
    page.truth["lag"] = (own - 0.15, own + 0.35)
    low, high = page.truth["lag ms"]
    page.truth["lag ms"] = (low + (own - 0.15) * period, high + (own + 0.35) * period)
    goal = way + math.copysign(dice.uniform(60, 200), way)
    values = page.go_on(driven, spring_behind(page, dice, driven[-1], goal, page.throw_speed()))
    page.show(values)


def throttle(page, dice, faulty):
    every = dice.choice([4, 5, 6]) if faulty else dice.choice([2, 3])
    way = throw(page, dice, long=True)
    driven = page.follow(every=every, phase=dice.randrange(every))
    page.traits.append(f"every {every}th frame")
    if faulty:
        page.plant("steps")
        page.allowed.add("lag")
    goal = way + math.copysign(dice.uniform(60, 200), way)
    page.show(page.go_on(driven, spring_behind(page, dice, driven[-1], goal, page.throw_speed())))


def lerp(page, dice, faulty):
    share = dice.uniform(0.2, 0.32) if faulty else dice.uniform(0.55, 0.9)
    way = throw(page, dice, long=True)
    driven = page.follow(share=share)
    page.traits.append(f"lerp {share:.2f}")
    if faulty:
        page.plant("lag")
    goal = way + math.copysign(dice.uniform(60, 200), way)
    if dice.random() < 0.5:
        page.show(page.go_on(driven, spring_behind(page, dice, driven[-1], goal, page.throw_speed())))
        return
    # A lerp that goes on to where the finger was.
    values = list(driven)
    for _ in page.frames[page.release:]:
        left = page.finger.reports[-1].along - values[-1]
        values.append(values[-1] + share * left if abs(left) > 0.1 else page.finger.reports[-1].along)
    page.truth = {name: page.truth[name] for name in page.truth if name.startswith("lag")}
    page.allowed.add("hand_over")
    page.show(values)


def delay(page, dice, faulty):
    frames = dice.choice([2, 3, 4]) if faulty else dice.choice([0, 1])
    way = throw(page, dice, long=True)
    driven = page.follow(delay=frames)
    page.traits.append(f"{frames} frames late")
    if faulty:
        page.plant("lag")
    goal = way + math.copysign(dice.uniform(60, 200), way)
    page.show(page.go_on(driven, spring_behind(page, dice, driven[-1], goal, page.throw_speed())))


def gain(page, dice, faulty):
    factor = dice.choice([0.4, 0.5, 0.7, 1.5])
    way = throw(page, dice, long=True)
    driven = page.follow(lambda place: factor * place)
    page.traits.append(f"gain {factor}")
    goal = factor * way + math.copysign(dice.uniform(60, 200), way)
    speed = dice.uniform(0, 0.2) * factor * page.finger.speed if faulty else page.throw_speed(factor)
    page.show(page.go_on(driven, spring_behind(page, dice, driven[-1], goal, speed), gain=factor, is_planted=faulty))


def dead_zone(page, dice, faulty):
    zone = dice.uniform(8, 20)
    way = throw(page, dice, long=True)
    if faulty:
        driven = page.follow(jump=sign(dice) * dice.uniform(16, 40))
        page.plant("pickup_jump")
    else:
        driven = page.follow(lambda place: math.copysign(max(0, abs(place) - zone), place))
    goal = way + math.copysign(dice.uniform(60, 200), way)
    page.show(page.go_on(driven, spring_behind(page, dice, driven[-1], goal, page.throw_speed())))


def hold(page, dice, faulty):
    way = sign(dice) * dice.uniform(120, 260)
    page.drag(way, dice.uniform(0.2, 0.45), dice.choice(["drag", "even", "throw"]), hold=dice.uniform(0.15, 0.5))
    driven = page.follow(delay=dice.choice([3, 4]) if faulty else dice.choice([0, 0, 1]))
    if faulty:
        page.plant("lag")
    if dice.random() < 0.4:
        values = driven + [page.finger.reports[-1].along] * (len(page.frames) - len(driven))
    else:
        goal = dice.choice([0, way + math.copysign(120, way)])
        values = page.go_on(driven, spring_behind(page, dice, driven[-1], goal, 0))
    page.show(values)


def press_first(page, dice, faulty):
    """A finger that presses for a while before it moves."""
    way = sign(dice) * dice.uniform(140, 260)
    page.drag(way, dice.uniform(0.22, 0.4), dice.choice(["drag", "even"]), press=dice.uniform(0.3, 0.6))
    driven = page.follow(delay=dice.choice([3, 4]) if faulty else dice.choice([0, 1]))
    if faulty:
        page.plant("lag")
    goal = way + math.copysign(dice.uniform(60, 200), way)
    page.show(page.go_on(driven, spring_behind(page, dice, driven[-1], goal, page.throw_speed())))


def restarts(page, dice, faulty):
    """The fault: a transition that starts again with each move, so that the element hardly follows."""
    way = throw(page, dice, long=True)
    if not faulty:
        driven = page.follow()
        curve = cubic(page.finger.reports[-1].along, way, 0.2)
        page.show(page.go_on(driven, curve, begins="frame", measures=False))
        page.truth.pop("kept", None)
        page.allowed.add("hand_over")
        return
    duration = dice.choice([0.3, 0.4])
    shown, start, since, target = [], 0.0, 0.0, 0.0
    for i, frame in enumerate(page.frames):
        curve = Cubic(start, target, duration, (0.42, 0, 0.58, 1))
        value = curve.at(frame.time - since)
        if page.heard[i] != target:
            start, since, target = value, frame.time, page.heard[i]
            again = Cubic(start, target, duration, (0.42, 0, 0.58, 1))
            if frame.is_read:
                page.declare(again, frame=i)
        shown.append(value)
    page.plant("no_follower", "lag")
    page.allowed |= {"lag", "no_follower"}
    page.show(shown)


def leak(page, dice, faulty):
    page.axis = "x"
    way = sign(dice) * dice.uniform(160, 280)
    across = dice.choice([-1, 1]) * dice.uniform(40, 80)
    page.drag(way, dice.uniform(0.22, 0.4), dice.choice(["throw", "drag"]), across=across)
    driven = page.follow()
    curve = spring_behind(page, dice, driven[-1], way + math.copysign(140, way), page.throw_speed(), 1.0)
    values = page.go_on(driven, curve)
    part = dice.uniform(0.15, 0.6) if faulty else 0.0
    if faulty:
        page.plant("axis_leak")
    last = page.finger.reports[-1].across
    away = [part * report.across for report in page.known[:page.release]]
    away += [part * Spring(last, 0, 0, 220, 1.0).at(frame.time - page.finger.lift_heard) for frame in page.frames[page.release:]]
    box = (40, 300, 220, 160)
    page.show(None, card=[{"frame": [round(box[0] + x, 3), round(box[1] + y, 3), box[2], box[3]]} for x, y in zip(values, away)])


def touch_slop(page, dice, faulty):
    """A page that listens to touches: the browser keeps the first px, and the page counts from where it is told."""
    way = sign(dice) * dice.uniform(160, 280)
    page.drag(way, dice.uniform(0.22, 0.4), dice.choice(["throw", "drag"]), by_touches=True)
    driven = page.follow(delay=dice.choice([3, 4]) if faulty else 0)
    page.truth.pop("lag ms", None)
    if faulty:
        page.plant("lag")
    goal = way + math.copysign(dice.uniform(60, 200), way)
    page.show(page.go_on(driven, spring_behind(page, dice, driven[-1], goal, page.throw_speed())))


def knob(page, dice, faulty):
    """A slider whose knob comes to the finger that presses its track; the fault is one that jumps away from under it."""
    page.axis, page.subject = "x", "knob"
    box, way = (40, 380, 40, 40), dice.uniform(80, 160)
    away = dice.uniform(40, 120)
    place = (60 + dice.uniform(-12, 12), 400) if faulty else (60 + away, 400)
    page.drag(way, dice.uniform(0.22, 0.45), dice.choice(["drag", "even"]), place=place)
    driven = page.follow()
    page.truth = {name: page.truth[name] for name in page.truth if name == "lag"}
    if faulty:
        page.plant("pickup_jump", "jump")
    # It is at the finger from the press on.
    driven = [value + (away if i >= page.landing else 0) for i, value in enumerate(driven)]
    page.show(driven + [page.finger.reports[-1].along + away] * (len(page.frames) - len(driven)), box)


def values_of_slider(page, dice, _):
    """A slider with steps, which is as far as the finger but for half a step."""
    page.axis, page.subject = "x", "knob"
    step = dice.choice([2.73, 5, 10, 25, 40])
    page.drag(dice.uniform(100, 220), dice.uniform(0.25, 0.5), dice.choice(["drag", "even"]), place=(60, 400))
    driven = page.follow(lambda place: step * round(place / step))
    page.truth.clear()
    page.traits.append(f"steps of {step} px")
    last = step * round(page.finger.reports[-1].along / step)
    page.show(driven + [last] * (len(page.frames) - len(driven)), (40, 380, 40, 40))


def native(page, dice, faulty):
    """A finger that the browser takes to scroll: the page scrolls, and on. The fault is an element that has followed until then."""
    page.axis = "y"
    way, length = -dice.uniform(180, 320), dice.uniform(0.15, 0.35)
    page.drag(way, length, dice.choice(["throw", "drag"]), seconds=3, is_cancelled=True)
    taken, lift = page.finger.reports[-1], page.finger.begin + length
    around = [{"item": "card", "selector": "#card", "touchAction": "auto" if faulty else dice.choice(["auto", "pan-y"])},
              {"item": "body#1", "selector": "body", "touchAction": "auto"}]
    page.lines.add(page.finger.lift_heard, event="taken", around=around)
    if faulty:
        driven = page.follow()
        page.truth.clear()
        # Nobody says of a shorter way that it was followed.
        shown = [abs(value) for value, frame in zip(driven, page.frames) if frame.is_read]
        (page.planted.append if max(shown) > 6 else page.allowed.update)({"finger_taken"})
        page.allowed |= {"lag", "hand_over"}
        curve = Cubic(driven[-1], 0, 0.25, (0.25, 0.1, 0.25, 1))
        page.declare(curve)
        page.show(driven + [curve.at(f.time - page.frames[page.release].time) for f in page.frames[page.release:]])
        return
    shape, end_speed = PATHS[page.finger.path]
    fling = Decay(way - taken.along, end_speed * way / length, 0.4)
    places = []
    for frame in page.frames:
        along = way * shape(min(1, max(0, (frame.time - page.finger.begin) / length))) - taken.along
        on = fling.at(frame.time - lift) if frame.time > lift else along
        places.append(max(0, -on) if frame.time > taken.time else 0)
    page.lines.show(page.screen, {}, offsets=[[0, round(place)] for place in places])
