"""Kinds of pages that a finger drags, as libraries make them. Each function sets a page's lines, truth and planted faults."""
import math

from library_pages.browser import PATHS
from library_pages.curves import Cubic, Decay, Edge, Sine, Spring, Then, Tween
from library_pages.page import boxed, cubic

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


def script_scroll(page, dice, faulty):
    """A list that a script scrolls with the finger, and on by a decay. A header goes with it, at once or late."""
    page.axis = "y"
    page.drag(-dice.uniform(140, 280), dice.uniform(0.2, 0.4), dice.choice(["throw", "drag"]), seconds=3.4)
    driven = page.follow()
    page.truth.clear()
    curve = Decay(driven[-1], page.throw_speed(), 0.325)
    values = [max(0, round(-one)) for one in page.go_on(driven, curve, measures=False)]
    page.truth.clear()
    for i in range(1, len(values)):
        if values[i] != values[i - 1] and page.frames[i].is_read:
            page.lines.add(page.frames[i].time, key="scroll:y@list", value=values[i], phase="driving", unit="px")
    before = next(i for i in range(1, len(values)) if values[i]) - 1
    page.lines.add(page.frames[before].time, key="scroll:y@list", value=0, phase="driving", unit="px")
    late = dice.choice([3, 4, 5]) if faulty else 0
    part = dice.uniform(0.3, 0.5)
    header = [-part * values[max(0, i - late)] for i in range(len(values))]
    if faulty:
        page.plant("scroll_lag")
    still = {"frame": [0, 100, 390, 700]}
    page.show(None, header=[boxed(value, "y", (0, 0, 390, 300)) for value in header],
              list=[still for _ in values])


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


def planted_jump(page, dice):
    number = dice.randint(6, 12)
    page.plant("jump", frame=page.release + number)
    return number, sign(dice) * dice.uniform(28, 60)


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


def banded(place, limit=390, stiff=0.55):
    """The rubber band of UIScrollView: c x d / (c x + d)."""
    return math.copysign(stiff * abs(place) * limit / (stiff * abs(place) + limit), place)


def edge_band(page, dice, faulty):
    """At an edge it resists and goes back; the fault is a step on the way back."""
    throw(page, dice)
    stiff = dice.choice([0.55, 0.5, 1.0])
    driven = page.follow(lambda place: banded(place, stiff=stiff))
    start = banded(page.finger.reports[-1].along, stiff=stiff)
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


def sortable(page, dice, faulty):
    """A row hangs on the finger, the others step aside by declared transitions, and the row is laid down by one."""
    page.axis, page.subject = "y", "row0"
    height = dice.choice([52, 64])
    rows = dice.choice([2, 3])
    way = height * (rows + dice.uniform(-0.25, 0.25))
    page.drag(way, dice.uniform(0.3, 0.6), dice.choice(["drag", "stopping"]), place=(200, 126))
    driven = page.follow(delay=dice.choice([3, 4]) if faulty else 0)
    if faulty:
        page.plant("lag")
    duration = dice.choice([0.15, 0.2])
    others = {}
    for row in range(1, rows + 2):
        passed = next((i for i in range(page.release) if page.heard[i] > height * (row - 0.5)), None)
        start = page.frames[passed].time if passed is not None else math.inf
        curve = Cubic(0, -height, duration, (0.25, 0.1, 0.25, 1))
        others[f"row{row}"] = [boxed(curve.at(frame.time - start), "y", (0, 100 + row * height, 390, height)) for frame in page.frames]
        if passed is not None:
            page.declare(curve, item=f"row{row}", frame=passed)
    curve = Cubic(driven[-1] if faulty else page.finger.reports[-1].along, rows * height, duration, (0.25, 0.1, 0.25, 1))
    page.declare(curve, item="row0")
    values = page.go_on(driven, curve, begins="frame")
    # A row that is laid down into its place keeps no speed.
    page.truth.pop("kept", None)
    page.allowed.discard("hand_over")
    page.show(values, (0, 100, 390, height), **others)


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


def flick(page, dice, faulty):
    way = sign(dice) * (dice.uniform(100, 150) if faulty else dice.uniform(60, 150))
    page.drag(way, dice.uniform(0.09, 0.12) if faulty else dice.uniform(0.06, 0.11), "throw")
    driven = page.follow()
    goal = way + math.copysign(dice.uniform(100, 300), way)
    speed = dice.uniform(0, 0.15) * page.finger.speed if faulty else page.throw_speed()
    page.show(page.go_on(driven, spring_behind(page, dice, last_place(page, driven), goal, speed), is_planted=faulty))


def siblings(page, dice, faulty):
    """A carousel of slides that each move, alike."""
    page.axis, page.subject = "x", "slide1"
    way = sign(dice) * dice.uniform(120, 260)
    page.drag(way, dice.uniform(0.14, 0.35), dice.choice(["throw", "drag"]))
    driven = page.follow()
    curve = spring_behind(page, dice, last_place(page, driven), math.copysign(PITCH, way), page.throw_speed(), 1.0)
    values = page.go_on(driven, curve)
    others = {}
    for number in range(2, 6):
        own, box = values, ((number - 1) * 200, 200, 190, 300)
        if faulty and number == 3:
            at, size = page.release + dice.randint(5, 9), sign(dice) * dice.uniform(30, 60)
            own = [value + (size if i >= at else 0) for i, value in enumerate(values)]
            page.plant("jump", frame=at)
        others[f"slide{number}"] = [boxed(value, "x", box) for value in own]
    page.show(values, (0, 200, 190, 300), **others)


def carried(page, dice, faulty):
    """A sheet with a mark that moves in it by itself; the mark's frames have both motions."""
    page.axis, page.subject = "y", "sheet"
    way = -dice.uniform(140, 260)
    page.drag(way, dice.uniform(0.16, 0.4), dice.choice(["throw", "drag"]), place=(200, 640))
    driven = page.follow()
    curve = spring_behind(page, dice, last_place(page, driven), way - dice.uniform(80, 200), page.throw_speed(), 0.9)
    values = page.go_on(driven, curve)
    part = dice.uniform(0.15, 0.4)
    own = [-part * value for value in values]
    if faulty:
        at, size = page.release + dice.randint(5, 9), sign(dice) * dice.uniform(30, 60)
        own = [value + (size if i >= at else 0) for i, value in enumerate(own)]
        page.plant("jump", frame=at)
    mark = [{"frame": [round(20 + one, 3), round(620 + value, 3), 60, 40]} for one, value in zip(own, values)]
    page.lines.add(page.frames[max(0, page.landing - 1)].time, event="carried", item="mark", by="sheet")
    page.show(values, (0, 600, 390, 700), mark=mark)


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


def edge_bounce(page, dice, _):
    """Momentum that meets an edge and comes back to it."""
    way = throw(page, dice, seconds=3.4)
    driven = page.follow()
    speed = page.throw_speed()
    edge = way + speed * 0.325 * dice.uniform(0.4, 0.7)
    curve = Edge(last_place(page, driven), speed, 0.325, edge, dice.uniform(150, 260))
    page.show(page.go_on(driven, curve))


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


def swipe_away(page, dice, faulty):
    """A row that is thrown out, and the rows below it close the gap; the fault is that one of them does so in a step."""
    page.axis, page.subject = "x", "row0"
    page.drag(-dice.uniform(140, 220), dice.uniform(0.14, 0.3), dice.choice(["throw", "drag"]))
    driven = page.follow()
    start = page.finger.reports[-1].along
    curve = Cubic(start, -PITCH, max(0.1, min(0.3, (PITCH + start) / max(300, abs(page.finger.speed)) * 1.3)), (0.2, 0.8, 0.2, 1))
    page.declare(curve, item="row0")
    values = page.go_on(driven, curve, begins="frame", is_planted=False)
    begin = page.screen.first_that_knows(page.frames[page.release].time + curve.duration + 0.01)
    others = {}
    at = begin + dice.randint(4, 6)
    for row in range(1, 4):
        up = Cubic(0, -64, 0.25, (0.25, 0.1, 0.25, 1))
        own = [up.at(frame.time - page.frames[begin].time) for frame in page.frames]
        if faulty and row == 2:
            own = [value + (36 if i >= at else 0) for i, value in enumerate(own)]
            page.plant("jump", frame=at)
        page.declare(up, item=f"row{row}", frame=begin)
        others[f"row{row}"] = [boxed(value, "y", (0, 100 + 64 * row, 390, 60)) for value in own]
    page.show(values, (0, 100, 390, 60), **others)


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


def revert(page, dice, _):
    """Something that is dropped nowhere goes back to its place, by a script with a sine in and out."""
    way = sign(dice) * dice.uniform(80, 240)
    page.drag(way, dice.uniform(0.2, 0.45), dice.choice(["drag", "throw", "even"]))
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


def swipe_starts(page, dice, _):
    """Panels that go by a declared transition once the finger has come far enough, while it still moves."""
    page.axis, page.subject = "x", "panel1"
    way = sign(dice) * dice.uniform(150, 240)
    page.drag(way, dice.uniform(0.14, 0.4), dice.choice(["throw", "drag"]))
    least = dice.uniform(15, 60)
    begins = next(i for i in range(len(page.frames)) if abs(page.heard[i]) > least)
    curve = Cubic(0, math.copysign(PITCH, way), 0.3, dice.choice([(0.215, 0.61, 0.355, 1), (0.25, 0.1, 0.25, 1)]))
    values = [curve.at(frame.time - page.frames[begins].time) for frame in page.frames]
    page.declare(curve, item="panel1", frame=begins)
    page.declare(curve, item="panel2", frame=begins)
    page.show(values, (0, 200, PITCH, 300), panel2=[boxed(one, "x", (-math.copysign(PITCH, way), 200, PITCH, 300)) for one in values])


def native(page, dice, faulty):
    """A finger that the browser takes to scroll: the page scrolls, and on. The fault is an element that has followed until then."""
    page.axis = "y"
    way, length = -dice.uniform(180, 320), dice.uniform(0.15, 0.35)
    page.drag(way, length, dice.choice(["throw", "drag"]), seconds=3, is_cancelled=True)
    taken, lift = page.finger.reports[-1], page.finger.begin + length
    if faulty:
        driven = page.follow()
        page.truth.clear()
        # Of less than so much nobody says that it followed.
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


# The kinds, with whether a fault can be planted.
KINDS = [
    ("spring", spring_throw, True), ("transition", declared_throw("CSSTransition"), True),
    ("WAAPI", declared_throw("Animation"), True), ("script scroll", script_scroll, True), ("decay", decay, True),
    ("snap", snap, True), ("wrap", wrap, True), ("edge band", edge_band, True), ("throttle", throttle, True),
    ("lerp", lerp, True), ("delay", delay, True), ("gain", gain, True), ("dead zone", dead_zone, True),
    ("sortable", sortable, True), ("hold", hold, True), ("flick", flick, True), ("siblings", siblings, True),
    ("carried", carried, True), ("snap back", snap_back, True), ("long declared", long_declared, False),
    ("slow spring", slow_spring, True), ("fast inertia", fast_inertia, True), ("restarts", restarts, True),
    ("edge bounce", edge_bounce, False), ("pull to refresh", pull_refresh, True), ("leak", leak, True),
    ("swipe away", swipe_away, True), ("touches", touch_slop, True),
    ("snap by ease", snap_ease, True), ("revert", revert, False), ("drop", drop, False), ("knob", knob, True),
    ("slider", values_of_slider, False), ("swipe starts", swipe_starts, False),
    ("native scroll", native, True),
]
