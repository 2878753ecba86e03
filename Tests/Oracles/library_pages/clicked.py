"""Kinds of pages that answer a click, as libraries make them."""
from library_pages.curves import Cubic, Spring, Tween
from library_pages.page import boxed

CLICK = 0.4
EASE, OUT = (0.25, 0.1, 0.25, 1), (0.2, 0.8, 0.2, 1)


def click(page, seconds=2.0, target="go"):
    page.open(CLICK + seconds)
    heard = page.lines.click(CLICK + page.dice.uniform(0, 0.02), page.screen, target)
    return heard, page.screen.first_that_knows(heard)


def at(page, curve, start):
    return [curve.at(frame.time - start) for frame in page.frames]


def stagger(page, dice, faulty):
    """Rows that come in one after the other by declared animations."""
    _, first = click(page)
    gap, rows = dice.choice([0.03, 0.05, 0.08]), {}
    uneven = [0, 1, 2, 3, 4] if not faulty else [0, 1, 2 + dice.choice([0.9, 1.4]), 3 + 1.4, 4 + 0.2]
    for row in range(5):
        curve = Cubic(dice.choice([60]), 0, 0.3, OUT, delay=gap * uneven[row])
        rows[f"row{row}"] = [boxed(value, "x", (20, 100 + 60 * row, 300, 50)) for value in at(page, curve, page.frames[first].time)]
        page.declare(curve, item=f"row{row}", kind="CSSAnimation", frame=first)
    if faulty:
        page.plant("uneven_stagger")
    page.show(None, **rows)


def panel(page, dice, faulty):
    """A panel that a spring or a transition opens; the fault is that it waits for it."""
    heard, first = click(page)
    wait = dice.uniform(0.16, 0.35) if faulty else 0
    first = page.screen.first_that_knows(heard + wait) if wait else first
    if dice.random() < 0.5:
        curve = Spring(-280, 0, 0, dice.uniform(180, 400), dice.choice([0.7, 1.0]))
    else:
        curve = Cubic(-280, 0, 0.3, OUT)
        page.declare(curve, item="panel", frame=first)
    if faulty:
        page.plant("start")
    page.show(None, panel=[boxed(value, "x", (0, 0, 280, 844)) for value in at(page, curve, page.frames[first].time)])


def constant(page, dice, faulty):
    """A menu that goes a long way; the fault is that it does so at constant speed, declared or by a script."""
    _, first = click(page)
    start, duration = page.frames[first].time, dice.uniform(0.2, 0.5)
    if dice.random() < 0.5:
        curve = Cubic(-280, 0, duration, (0, 0, 1, 1) if faulty else OUT)
        page.declare(curve, item="menu", frame=first)
    else:
        curve = Tween(-280, 0, duration, 1 if faulty else 3)
    if faulty:
        page.plant("linear")
    page.show(None, menu=[boxed(value, "x", (0, 0, 280, 844)) for value in at(page, curve, start)])


def collapse(page, dice, faulty):
    """Rows below an accordion go up; the fault is a step behind a pause, as of a padding that is taken away at the end."""
    _, first = click(page, 2.4)
    curve = Cubic(0, -160, 0.3, EASE)
    start = page.frames[first].time
    pause = 0.3 + dice.uniform(0.17, 0.35)
    more = dice.uniform(30, 60)
    then = page.screen.first_that_knows(start + pause)
    again = Tween(0, -more, 0.25, 3)
    values = at(page, curve, start)
    for i in range(then, len(values)):
        values[i] += -more if faulty else again.at(page.frames[i].time - page.frames[then].time)
    for name in ["below1", "below2"]:
        page.declare(curve, item=name, frame=first)
    if faulty:
        page.plant("jump", frame=then)
    page.show(None, **{name: [boxed(value, "y", (0, y, 390, 80)) for value in values] for name, y in (("below1", 400), ("below2", 490))})


def toast(page, dice, faulty):
    """A toast that fades in; the fault is that it is there before, or that it blinks."""
    _, first = click(page)
    start = page.frames[first].time
    blink = page.screen.first_that_knows(start + 0.5)
    states = []
    is_blink = dice.random() < 0.5
    ahead = dice.choice([2, 3, 4])
    for i, frame in enumerate(page.frames):
        begin = start + (ahead + 0.5) * page.screen.period if faulty and not is_blink else start
        share = min(1, max(0, (frame.time - begin) / 0.25))
        if faulty and not is_blink and start <= frame.time < begin:
            share = 1
        if faulty and is_blink and i == blink:
            share = 0.1
        state = {"frame": [40, 700, 310, 60]}
        state |= {"alpha": round(share, 3)} if share < 1 else {}
        states.append(state | ({"hidden": True} if i < first else {}))
    if faulty:
        page.plant("flash", frame=blink if is_blink else first, before=1, after=1 if is_blink else ahead)
    page.show(None, toast=states)


def interrupted(page, dice, faulty):
    """Two clicks; the second one turns the motion round, with its speed or from rest."""
    _, first = click(page, 2.6)
    one = Spring(0, 260, 0, 120, 1.0)
    begin = page.frames[first].time
    again = page.lines.click(begin + dice.uniform(0.12, 0.2), page.screen, "go")
    second = page.screen.first_that_knows(again)
    # A page goes on from the place that it showed last, with the speed of that instant or without any.
    shown = page.frames[second - 1].time
    place, before = one.at(shown - begin), one.at(shown - begin - 1e-4)
    other = Spring(place, 0, 0 if faulty else (place - before) / 1e-4, 120, 1.0)
    turn = again if faulty else shown
    values = [one.at(f.time - begin) if i < second else other.at(f.time - turn) for i, f in enumerate(page.frames)]
    if faulty:
        page.plant("interrupted", frame=second, before=3, after=2)
    page.show(None, drawer=[boxed(value, "x", (-260, 0, 260, 844)) for value in values])


def runs_twice(page, dice, faulty):
    """A badge that pops; the fault is that it pops again as its list is made anew."""
    _, first = click(page)
    start = page.frames[first].time
    times = [0, dice.uniform(0.1, 0.25)] if faulty else [0]
    up = Cubic(0, 1, 0.3, OUT)
    states = []
    for frame in page.frames:
        begun = [start + one for one in times if frame.time >= start + one]
        share = up.at(frame.time - begun[-1]) if begun else 1.0
        size = 40 * (0.5 + 0.5 * share)
        states.append({"frame": [round(300 - size / 2, 3), round(60 - size / 2, 3), round(size, 3), round(size, 3)]})
    for one in times:
        i = page.screen.first_that_knows(start + one)
        page.lines.declare(page.frames[i].time, "badge", "CSSAnimation", "pop", 0.3, up.easing, start=start + one)
    if faulty:
        page.plant("runs_twice")
        # It is smaller again at once, which is what running again means.
        page.allowed.add("jump")
    page.show(None, badge=states)


def late_frame(page, dice, faulty):
    """A long task in mid-motion: the page's own work, or a task that waited for a machine that did something else."""
    page.is_steady = False
    heard, first = click(page)
    curve = Cubic(0, 240, 0.45, OUT)
    start = page.frames[first].time
    at_frame = first + dice.randint(4, 8)
    length = dice.uniform(0.05, 0.09)
    begin = page.frames[at_frame].time
    page.frames[:] = [frame for frame in page.frames if not begin + 0.002 < frame.time < begin + length]
    page.lines.task(begin + 0.002, "FunctionCall", length, length * 0.9 if faulty else dice.uniform(0.0005, 0.003))
    page.declare(curve, item="tile", frame=first)
    if faulty:
        page.plant("late_frame")
    page.show(None, tile=[boxed(curve.at(frame.time - start)) for frame in page.frames])
