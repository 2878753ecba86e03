"""A page with an element that a finger drags: how it follows, how it goes on, and what is true of it."""
import random

from library_pages.browser import Finger, Lines, Screen
from library_pages.curves import Cubic

LOSSES = [0.0, 0.05, 0.2]
# A share of the finger's speed between these is neither lost nor kept.
GREY = (0.45, 0.8)
# A finger that is slower has no speed to keep, in px/s.
SLOW = 150
CARD = (40, 300, 220, 160)


def boxed(value, axis="x", box=CARD, **more):
    """What the recorder writes of an element that is moved along an axis."""
    x, y, width, height = box
    place = [x + value, y] if axis == "x" else [x, y + value]
    return {"frame": [round(one, 3) for one in place] + [width, height]} | more


def is_in_window(state):
    """Whether any of an element is in the window."""
    if "frame" in state:
        x, y, width, height = state["frame"]
    else:
        (width, height), (x, y) = state["size"], state["center"]
        x, y = x - width / 2, y - height / 2
    return x < 390 and x + width > 0 and y < 844 and y + height > 0


class Page:
    """A page of a kind. `truth` has for each quantity the bounds of what is true, `planted` a set of ids for each fault, of
    which one has to be named, and `allowed` ids that are no false alarms."""

    def __init__(self, seed, index, kind, make, loss, is_faulty):
        self.seed, self.index, self.kind, self.loss, self.is_faulty = seed, index, kind, loss, is_faulty
        self.dice = random.Random(f"{seed} {index}")
        self.truth, self.planted, self.allowed, self.traits, self.steps = {}, [], set(), [], []
        self.is_steady = loss == 0 and self.dice.random() < 0.6
        self.rate = 1 / 0.0167 if self.is_steady else self.dice.choice([60, 60, 60, 120, 90])
        self.axis = self.dice.choice(["x", "x", "y"])
        self.subject = "card"
        make(self, self.dice, is_faulty)

    @property
    def name(self):
        loss = f"{100 * self.loss:.0f} % lost"
        return f"page {self.index}, {self.kind}, {loss}, {'faulty' if self.is_faulty else 'well made'} ({', '.join(self.traits)})"

    def plant(self, *ids, frame=None, before=2, after=2, item=None):
        """Plants a fault, which has to be named if the frames about its own were all read, and a jump if it is in the window.
        Else it may be named."""
        if "jump" in ids and frame is not None:
            self.steps.append((item or self.subject, frame, set(ids)))
        if frame is None or self.sees(frame, before, after):
            self.planted.append(set(ids))
        else:
            self.allowed |= set(ids)

    def sees(self, frame, before, after):
        near = self.frames[max(0, frame - before):frame + after + 1]
        return all(one.is_read for one in near) and all(
            other.time - one.time < 1.5 * self.screen.period for one, other in zip(near, near[1:]))

    def open(self, seconds):
        """Begins a page that is recorded for so long."""
        self.screen = Screen(self.dice, self.rate, self.loss, self.is_steady, seconds)
        self.frames, self.lines = self.screen.frames, Lines(self.rate, self.is_steady)
        self.traits += ["steady" if self.is_steady else f"{self.rate:.0f} Hz"]
        return self.frames

    def drag(self, way, length, path="throw", hold=0.0, across=0.0, seconds=2.2, place=(200, 400), by_touches=False,
             is_cancelled=False, press=0.0):
        """Opens the page and drags; sets what the page knows of the finger in each frame, and the first that knows of the lift."""
        self.open(0.5 + press + length + hold + seconds)
        grain = self.dice.choice([0, 0, 1 / 3, 1])
        self.finger = Finger(self.dice, self.screen, 0.3 + self.dice.uniform(0, 0.02), way, length, path, hold, across, grain,
                             self.is_steady, press)
        if is_cancelled:
            self.finger.take_away(self.screen)
        self.lines.act(self.finger, self.subject, self.axis, place)
        self.known = [self.finger.known(frame.began, by_touches) for frame in self.frames]
        self.heard = [report.along for report in self.known]
        self.release = self.screen.first_that_knows(self.finger.lift_heard)
        self.landing = self.screen.first_that_knows(self.finger.reports[0].heard)
        self.traits += [f"{path} {way:.0f} px in {1000 * length:.0f} ms"] + ([f"hold {1000 * hold:.0f} ms"] if hold else [])

    # --- How it follows --------------------------------------------------------------------------

    def follow(self, to=lambda place: place, delay=0, share=1.0, every=1, phase=0, jump=0.0):
        """The places of an element until the lift, and its lag: of a line, `delay` frames late, by a `share` of what is left in
        each frame, or in one of `every` frames."""
        shown, place, updated = [], to(0.0), 0
        ages, own, reads = [], [], [i for i in range(self.landing, self.release) if self.frames[i].is_read]
        for i in range(self.release):
            target = to(self.heard[i]) + (jump if abs(self.heard[i]) > 0.01 else 0)
            if delay:
                source = max(0, i - delay)
                place = to(self.heard[source]) + (jump if abs(self.heard[source]) > 0.01 else 0)
            elif every > 1:
                source = updated = i if (i + phase) % every == 0 else updated
                place = to(self.heard[source])
            else:
                source = i
                place += share * (target - place)
            shown.append(place)
            moves = self.known[i] is not self.finger.reports[0] and self.frames[i].time <= self.finger.stops
            if moves and i in reads and self.known[source] is not self.finger.reports[0]:
                more = (1 - share) / share * self.screen.period
                ages.append(self.frames[i].time - self.known[source].time + more)
                own.append(i - source)
        lag = (1 - share) / share + delay if every == 1 else sum(own) / max(1, len(own))
        middle = [sum(ages) / max(1, len(ages)), sorted(ages)[len(ages) // 2] if ages else 0]
        fresh = [self.frames[i].time - self.known[i].time for i in reads if self.known[i] is not self.finger.reports[0]
                 and self.frames[i].time <= self.finger.stops]
        middle.append(lag * self.screen.period + sum(fresh) / max(1, len(fresh)))
        # Where a frame was not read, so many frames of the page are fewer of the recording's.
        seen = sum(self.frames[i].is_read for i in range(self.landing, self.release)) / max(1, self.release - self.landing)
        self.truth["lag"] = (lag * seen, lag)
        if ages:
            self.truth["lag ms"] = (1000 * min(middle) - 1, 1000 * max(middle) + 1)
        return shown

    # --- How it goes on --------------------------------------------------------------------------

    def go_on(self, driven, curve, gain=1.0, begins="heard", jump=None, is_planted=False, measures=True):
        """The places of all frames: those of the drag, and a curve from the lift on. `jump` is a frame behind it and px."""
        first = self.release
        start = self.frames[first].time if begins == "frame" else self.finger.lift_heard
        values = driven[:first] + [curve.at(frame.time - start) for frame in self.frames[first:]]
        if jump:
            values = [value + (jump[1] if i >= first + jump[0] else 0) for i, value in enumerate(values)]
        held = driven[-1] if driven else 0.0
        if measures:
            self.measure(values, curve, start, held, driven[0])
        if abs(self.finger.speed) > SLOW:
            kept = curve.speed / (gain * self.finger.speed)
            self.truth["kept"] = (100 * kept, 100 * kept)
            if is_planted:
                self.plant("hand_over", frame=first, before=1, after=2)
            elif GREY[0] < kept < GREY[1]:
                self.allowed.add("hand_over")
        return values

    def measure(self, values, curve, start, held, home):
        """Rest and overshoot of a curve, between what goes on and what frames show of it."""
        rest = start + curve.rest(held)
        seen = next((frame.time for frame in self.frames if frame.is_read and frame.time >= rest), rest)
        self.truth["rest"] = (1000 * (rest - self.finger.lift), 1000 * (seen - self.finger.lift))
        after = [value for value, frame in zip(values[self.release:], self.frames[self.release:]) if frame.is_read]
        path = max(curve.target - home, curve.target - held, key=abs)
        if abs(path) > 0.3 * (max(values) - min(values)) and after:
            sign = 1 if path > 0 else -1
            shown = max(0.0, max((value - curve.target) * sign for value in after))
            whole = max(shown, max((place - curve.target) * sign for place in curve.places))
            self.truth["overshoot"] = (100 * shown / abs(path), 100 * whole / abs(path))

    def declare(self, curve, item="card", kind="CSSTransition", frame=None, name="transform"):
        """A curve that the browser runs from a frame on, which is the one behind the lift."""
        first = self.release if frame is None else frame
        seen = first if self.is_steady else first + 1
        seen = next((i for i in range(seen, len(self.frames)) if self.frames[i].is_read), first)
        self.lines.declare(self.frames[seen].time, item, kind, name if kind == "CSSTransition" else "", curve.duration,
                           curve.easing, curve.delay, start=self.frames[first].time)

    def throw_speed(self, gain=1.0, low=0.85, high=1.1):
        """A speed that a well made page goes on with: about the finger's."""
        return gain * self.finger.speed * self.dice.uniform(low, high)

    def show(self, values, box=CARD, scrolls=None, **others):
        """Writes the frames, with the element that follows first. Other elements come as lists of states."""
        items = {self.subject: [boxed(value, self.axis, box) for value in values]} if values else {}
        items |= others
        for name, frame, ids in self.steps:
            if name in items and not any(is_in_window(state) for state in items[name][frame - 1:frame + 1]) and ids in self.planted:
                self.planted.remove(ids)
                self.allowed |= ids
        self.lines.show(self.screen, items, scrolls=scrolls)

    def text(self):
        return self.lines.text()


def cubic(start, target, duration, points=(0.2, 0.8, 0.2, 1)):
    return Cubic(start, target, duration, points)
