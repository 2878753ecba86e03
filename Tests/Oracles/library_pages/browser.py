"""A browser as far as its recorder sees it: frames of which some are lost, a finger whose places are heard, and lines."""
import json
import math


def nanoseconds(seconds):
    return round(seconds * 1e9)


def exact(seconds):
    """A time as the page's clock tells it, in steps of 0.1 ms."""
    return round(seconds * 1e4) / 1e4


class Frame:
    """A frame whose callbacks ran: its time, when they began, and whether it was read before the next one."""

    def __init__(self, time, began, is_read=True):
        self.time, self.began, self.is_read = time, began, is_read


class Screen:
    """The frames of a page. A share of them is lost: to a busy thread, to a recorder that comes too late, or callbacks run
    late and hear of the finger one frame later."""

    def __init__(self, dice, rate, loss, is_steady, end):
        self.period, self.frames, self.late_hearing = 1 / rate, [], set()
        phase = 0 if is_steady else dice.uniform(0, self.period)
        lost, count = "", int(end / self.period)
        for number in range(count):
            time = exact(phase + number * self.period)
            lost = (lost if lost and dice.random() < 0.25 else dice.choice(["gap", "gap", "unread", "late"])) \
                if dice.random() < loss and number > 5 else ""
            if lost == "gap":
                continue
            if is_steady:
                began = exact(time + 0.003)
            elif lost == "late":
                began = exact(time + dice.uniform(0.4, 0.85) * self.period)
            else:
                began = exact(time + dice.choice([0.0004, 0.0006, 0.001, 0.0028]))
            if lost == "late":
                self.late_hearing.add(len(self.frames))
            self.frames.append(Frame(time, began, lost != "unread"))

    def first_that_knows(self, heard):
        """The number of the first frame whose callbacks know what was heard at an instant."""
        return next((i for i, frame in enumerate(self.frames) if frame.began >= heard - 1e-9), len(self.frames))


PATHS = {
    # A way of 1 by a time of 1, and the speed at its end.
    "throw": (lambda u: u ** 1.6, 1.6),
    "drag": (lambda u: (1 - math.cos(0.8 * math.pi * u)) / (1 - math.cos(0.8 * math.pi)),
             0.8 * math.pi * math.sin(0.8 * math.pi) / (1 - math.cos(0.8 * math.pi))),
    "even": (lambda u: u, 1.0),
    "stopping": (lambda u: (1 - math.cos(math.pi * u)) / 2, 0.0),
}


class Report:
    def __init__(self, time, along, across, heard=0.0, touch=None):
        self.time, self.along, self.across, self.heard, self.touch = time, along, across, heard, touch


class Finger:
    """One contact: its reports, when the page heard of each, and the lift."""

    # A browser keeps the first px from handlers of touches.
    SLOP = 12.0

    def __init__(self, dice, screen, begin, way, length, path="throw", hold=0.0, across=0.0, grain=0.0, is_steady=True,
                 press=0.0):
        shape, end_speed = PATHS[path]
        self.begin, self.way, self.length, self.hold, self.path = begin, way, length, hold, path
        self.is_cancelled = False
        self.speed = 0.0 if hold else end_speed * way / length
        period = dice.choice([0.008, 0.008, 1 / 60]) if length > 0.2 else 0.008
        count = max(2, round(length / period))
        self.reports = []
        for i in range(count + 1):
            share = i / count
            along = way * shape(share)
            along = round(along / grain) * grain if grain else along
            self.reports.append(Report(begin + (press if i else 0) + share * length, along, across * shape(share)))
        # When it moves no more, and when it is lifted.
        self.stops = begin + press + length
        self.lift = self.stops + 0.004 + hold
        self.hear(dice, screen, is_steady)

    def hear(self, dice, screen, is_steady):
        """Moves are heard just before a frame's callbacks, landing and lift at once unless the thread is busy."""
        soon = 0.0 if is_steady else dice.choice([0.0008, 0.0015, 0.0015, 0.004])
        self.reports[0].heard = self.reports[0].touch = self.at_once(screen, self.begin + soon, 0.0006)
        self.lift_heard = self.at_once(screen, self.lift + soon)
        waiting = self.reports[1:]
        for number, frame in enumerate(screen.frames):
            early = 0 if is_steady else 0.0003
            heard = frame.began - early if number not in screen.late_hearing else frame.began + 0.0004
            batch = [report for report in waiting if report.time + soon <= frame.began - early and heard < self.lift_heard]
            waiting = [report for report in waiting if report not in batch]
            self.take(batch, heard)
        self.take(waiting, self.lift_heard)

    def take_away(self, screen):
        """The browser takes the finger as it has left the slop; the page hears of no more than that."""
        last = next(i for i, report in enumerate(self.reports) if abs(report.along) > self.SLOP)
        self.reports = self.reports[:last + 1]
        self.end, self.lift = self.lift, self.reports[-1].time + 0.001
        self.lift_heard, self.is_cancelled = max(self.at_once(screen, self.lift), self.reports[-1].heard), True

    def take(self, batch, heard):
        for report in batch:
            report.heard = exact(heard)
        if batch and abs(batch[-1].along) >= self.SLOP:
            batch[-1].touch = exact(heard)

    def at_once(self, screen, time, before_frame=0.0002):
        """Within a gap the thread is busy, so what happens there is heard before the next frame."""
        after = [frame for frame in screen.frames if frame.began >= time]
        before = [frame for frame in screen.frames if frame.began < time]
        if before and after and after[0].time - before[-1].time > 1.5 * screen.period and time > before[-1].time + screen.period:
            return exact(after[0].began - before_frame)
        return exact(time)

    def known(self, began, by_touches=False):
        """The newest report that handlers know when callbacks begin."""
        heard = [report for report in self.reports
                 if (report.touch if by_touches else report.heard) is not None
                 and (report.touch if by_touches else report.heard) <= began + 1e-9]
        return heard[-1] if heard else self.reports[0]


class Lines:
    """The lines of a recording, in any order until they are handed out."""

    def __init__(self, rate, is_steady):
        self.rate, self.lines, self.items = rate, [], []
        self.add(0, event="action", kind="open", target="page.html", clock="steady" if is_steady else "real",
                 viewport=[390, 844], pointer="touch", dpr=1, reducedMotion=False, dark=False, slowdown=1, items="auto")

    def add(self, time, **line):
        self.lines.append((nanoseconds(time), len(self.lines), {"t_ns": nanoseconds(time)} | line))

    def act(self, finger, target, axis, place, kind="drag"):
        way = [finger.way, 0] if axis == "x" else [0, finger.way]
        self.add(finger.begin, event="action", kind=kind, target=f"#{target}", item=target, way=way, path="throw",
                 duration_ms=round(1000 * finger.length), hold_ms=round(1000 * finger.hold), x=place[0], y=place[1],
                 end_ns=nanoseconds(finger.end if finger.is_cancelled else finger.lift))
        self.touches(finger, axis, place)

    def touches(self, finger, axis, place, contact=0):
        def touch(time, phase, report, heard, by_touch):
            along, across = (report.along, report.across)
            x, y = (place[0] + along, place[1] + across) if axis == "x" else (place[0] + across, place[1] + along)
            more = {} if by_touch is None else {"touchHeard_ns": nanoseconds(by_touch)}
            self.add(time, touch={"contact": contact, "trackingID": 2, "phase": phase, "x": x, "y": y,
                                  "heard_ns": nanoseconds(heard)} | more)
        for number, report in enumerate(finger.reports):
            touch(report.time, "moved" if number else "began", report, report.heard, report.touch)
        touch(finger.lift, "cancelled" if finger.is_cancelled else "ended", finger.reports[-1], finger.lift_heard, finger.lift_heard)

    def click(self, time, screen, target):
        """A tap; returns when the page heard of its lift."""
        finger = Finger.__new__(Finger)
        heard = finger.at_once(screen, time)
        for at, phase in ((time - 0.016, "began"), (time, "ended")):
            self.add(at, touch={"contact": 0, "trackingID": 3, "phase": phase, "x": 60, "y": 60,
                                "heard_ns": nanoseconds(finger.at_once(screen, at))})
        self.add(time - 0.016, event="action", kind="click", target=f"#{target}", item=target, x=60, y=60,
                 end_ns=nanoseconds(time))
        return heard

    def declare(self, time, item, kind, name, duration, easing, delay=0.0, iterations=1, start=None, properties=("transform",)):
        self.add(time, event="animation", item=item, kind=kind, name=name, properties=list(properties),
                 duration_ms=round(1000 * duration, 3), delay_ms=round(1000 * delay, 3), easing=easing, iterations=iterations,
                 start_ns=nanoseconds(time if start is None else start))

    def task(self, time, name, seconds, busy, function="f", line=9):
        self.add(time, event="task", name=name, function=function, url="page.html", line=line,
                 duration_ms=round(1000 * seconds, 3), cpu_ms=round(1000 * busy, 3))

    def show(self, screen, items, offsets=None, phase="idle", scrolls=None):
        """The frames. `items` has for each name a list with the fields for each frame, which are written from the frame before
        its first change on. An item that never changes is none, but `scrolls` has the first frame of one that scrolls."""
        texts, shown, is_first = {}, {}, True
        for name, states in items.items():
            first = next((i for i in range(1, len(states)) if states[i] != states[0] and screen.frames[i].is_read), None)
            first = (scrolls or {}).get(name, first)
            if first is not None:
                texts[name] = max((i for i in range(first) if screen.frames[i].is_read), default=0)
        items = {name: items[name] for name in texts}
        self.items = list(items)
        for number, frame in enumerate(screen.frames):
            offset = offsets[number] if offsets else [0, 0]
            body = {"phase": phase, "began_ns": nanoseconds(frame.began), "contentOffset": offset, "contentSize": [390, 3000]}
            if not frame.is_read:
                self.add(frame.time, frame=body | {"unread": True, "changed": []})
                continue
            changed = []
            for name, states in items.items():
                if number >= texts[name] and shown.get(name) != states[number]:
                    shown[name] = states[number]
                    changed.append({"id": name} | states[number])
            self.add(frame.time, frame=body | {"items" if is_first else "changed": changed})
            is_first = False
        self.end = screen.frames[-1].time

    def text(self):
        head = {"kymograph": 1, "name": "page", "refreshRate": round(self.rate, 2), "viewport": [390, 844],
                "clock": "performance.now", "device": "model", "software": "record.js"}
        self.add(self.end, event="action", kind="end", rested=True)
        self.add(self.end, event="uncovered", elements=20, skipped=0, movers=0, canvas=0, iframes=0)
        declared = [{"declare": "item", "id": name} for name in self.items]
        lines = [line for _, _, line in sorted(self.lines, key=lambda one: one[:2])]
        return "\n".join(json.dumps(line) for line in [head, *declared, *lines])
