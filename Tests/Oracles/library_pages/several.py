"""Kinds of pages with several elements that a finger moves, and how the others answer it."""
import math

from library_pages.browser import Finger
from library_pages.curves import Cubic, Decay, Spring
from library_pages.gestures import PITCH, last_place, sign, spring_behind, throw
from library_pages.page import boxed


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
              list=[still for _ in values], scrolls={"list": before + 1})


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
            page.plant("jump", frame=at, item=f"slide{number}")
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
        page.plant("jump", frame=at, item="mark")
    mark = [{"frame": [round(20 + one, 3), round(620 + value, 3), 60, 40]} for one, value in zip(own, values)]
    page.lines.add(page.frames[max(0, page.landing - 1)].time, event="carried", item="mark", by="sheet")
    page.show(values, (0, 600, 390, 700), mark=mark)


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
            page.plant("jump", frame=at, item=f"row{row}")
        page.declare(up, item=f"row{row}", frame=begin)
        others[f"row{row}"] = [boxed(value, "y", (0, 100 + 64 * row, 390, 60)) for value in own]
    page.show(values, (0, 100, 390, 60), **others)


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


def caught(page, dice, faulty):
    """A second finger catches what still moves, where it is; the fault is that it goes to where it should rest first."""
    page.axis = "x"
    way = sign(dice) * dice.uniform(70, 120)
    page.drag(way, dice.uniform(0.15, 0.3), dice.choice(["throw", "drag"]), seconds=3)
    driven = page.follow()
    goal = math.copysign(210, way)
    curve = Spring(last_place(page, driven), goal, page.throw_speed(), dice.uniform(100, 160), 1.0)
    values = page.go_on(driven, curve, measures=False)
    again = Finger(dice, page.screen, page.finger.lift + dice.uniform(0.1, 0.2), -way * dice.uniform(0.7, 1), dice.uniform(0.25, 0.4),
                   "drag", is_steady=page.is_steady)
    lands, lifts = page.screen.first_that_knows(again.reports[0].heard), page.screen.first_that_knows(again.lift_heard)
    # It lands in the middle of what the window shows of the card.
    x, _, width, _ = boxed(values[lands - 1])["frame"]
    page.lines.act(again, page.subject, "x", ((max(0, x) + min(390, x + width)) / 2, 400))
    base = goal if faulty else values[lands - 1]
    if faulty:
        if abs(goal - values[lands - 1]) > 16:
            page.plant("pickup_jump", "jump", frame=lands)
        page.allowed |= {"pickup_jump", "jump", "interrupted"}
    for i in range(lands, lifts):
        values[i] = base + again.known(page.frames[i].began).along
    back = Spring(values[lifts - 1], 0, again.speed, 200, 1.0)
    values[lifts:] = [back.at(frame.time - again.lift_heard) for frame in page.frames[lifts:]]
    # The share that the second lift keeps is told of the same element.
    page.truth = {name: page.truth[name] for name in page.truth if name.startswith("lag")}
    page.show(values)


def parallax(page, dice, faulty):
    """Layers that go with a finger, each by its own share; the fault is that one of them is late."""
    page.axis, page.subject = "x", "front"
    way = sign(dice) * dice.uniform(160, 280)
    page.drag(way, dice.uniform(0.22, 0.4), dice.choice(["throw", "drag"]))
    driven = page.follow()
    goal = way + math.copysign(dice.uniform(80, 200), way)
    values = page.go_on(driven, spring_behind(page, dice, last_place(page, driven), goal, page.throw_speed(), 1.0))
    late, layers = dice.choice([3, 4]) if faulty else 0, {}
    for number, part in enumerate([0.6, 0.35], 1):
        own = [part * values[max(0, i - (late if number == 1 else 0))] for i in range(len(values))]
        layers[f"layer{number}"] = [boxed(value, "x", (-100, 100 * number, 600, 90)) for value in own]
    if faulty:
        page.plant("lag")
        # What goes on late keeps the speed that it had later.
        page.allowed.add("hand_over")
    page.show(values, (40, 400, 220, 160), **layers)


def resized(page, dice, faulty):
    """A sheet whose height goes with the finger; its middle goes half as far."""
    page.axis, page.subject = "y", "sheet"
    way = -dice.uniform(140, 260)
    page.drag(way, dice.uniform(0.2, 0.4), dice.choice(["throw", "drag"]), place=(200, 640))
    driven = page.follow(delay=dice.choice([3, 4]) if faulty else 0)
    if faulty:
        page.plant("lag")
    goal = way - dice.uniform(60, 160)
    values = page.go_on(driven, spring_behind(page, dice, driven[-1], goal, page.throw_speed(), 1.0))
    sheet = [{"frame": [0, round(620 + value, 3), 390, round(224 - value, 3)]} for value in values]
    page.show(None, sheet=sheet)


def turned(page, dice, faulty):
    """A card of a stack that turns as it is dragged, and is thrown out or goes back."""
    page.axis = "x"
    way = sign(dice) * dice.uniform(140, 240)
    page.drag(way, dice.uniform(0.16, 0.35), dice.choice(["throw", "drag"]), across=dice.uniform(-20, 20))
    driven = page.follow()
    goal = math.copysign(620, way)
    jump = None
    if faulty:
        # It is soon out of the window.
        jump = dice.randint(3, 5), sign(dice) * dice.uniform(28, 60)
        page.plant("jump", frame=page.release + jump[0])
    values = page.go_on(driven, spring_behind(page, dice, last_place(page, driven), goal, page.throw_speed(), 1.0), jump=jump,
                        measures=not faulty)
    if faulty:
        page.truth.pop("kept", None)
    last = page.finger.reports[-1].across
    down = [report.across for report in page.known[:page.release]]
    down += [last] * (len(values) - len(down))
    states = []
    for across, along in zip(down, values):
        turn = along / 390 * 0.25
        cos, sin = round(math.cos(turn), 9), round(math.sin(turn), 9)
        place = {"center": [round(195 + along, 3), round(400 + across, 3)], "size": [300, 400]}
        states.append(place | {"transform": [cos, sin, -sin, cos, 0, 0]} if along else {"frame": [45, 200, 300, 400]})
    page.show(None, card=states)
