"""Pages and apps whose motion is modelled, as lines: drags, throws and clicks, and what answers them, by a seed."""
import json
import math

from velocity_models.springs import spring

CLICK = 2_600_000_000
END = 3.7
NAMED = ["lsq2", "impulse", "ios3", "kalman-cv", "two-point"]
STALL = 4


def nanoseconds(seconds):
    return round(seconds * 1e9)


class Page:
    """A sheet that a finger moves and lets go, a key that goes with it, and cards that answer a click.

    `softer` makes the same page with another spring, as a second version of it. A page tells when it heard of each touch,
    an app does not."""

    def __init__(self, dice, softer=1.0):
        self.lines, self.shown, self.softer = [], [], softer
        self.is_app = dice.random() < 0.35
        self.rate = dice.choice([60, 60, 90, 120])
        self.axis = dice.choice(["y", "y", "x"])
        self.estimator = dice.choice(NAMED) if dice.random() < 0.25 else None
        self.rule = dice.choice([None, "progress", "velocity"])
        self.response = dice.choices(["at once", "late", "lerp"], [5, 3, 2])[0]
        self.late = dice.choice([1, 2, 3]) if self.response == "late" else 0
        self.share = round(dice.uniform(0.2, 0.6), 3)
        self.gain = dice.choice([1, 1, 1, 0.5])
        self.settle = dice.choices(["spring", "bouncy", "eased", "back", "loses speed"], [4, 3, 2, 2, 1])[0]
        self.length = dice.choice([0.1, 0.16, 0.24, 0.42])
        self.way = -dice.uniform(120, 320) if self.axis == "y" else dice.choice([-1, 1]) * dice.uniform(120, 260)
        self.power = dice.choice([1.0, 1.3, 1.6, 2.0])
        self.hold = dice.choice([0, 0, 0, 0, 0.12])
        self.reports, self.grain = dice.choice([60, 125, 125, 240]), dice.choice([0, 0, 0.5])
        self.noise = dice.choice([0, 0, 0.3])
        self.jump = dice.choice([-1, 1]) * dice.uniform(12, 40) if dice.random() < 0.25 else 0
        self.jump_at = dice.randint(4, 9)
        self.cards = dice.choice([0, 4])
        self.gaps = dice.choice([(0.03, 0.03, 0.03), (0.05, 0.05, 0.05), (0.02, 0.11, 0.04), (0, 0, 0)])
        self.fading = dice.choice([0.2, 0.32])
        self.scrolls = dice.random() < 0.12
        count, self.missing = int(END * self.rate), set()
        if dice.random() < 0.4:
            self.missing = {dice.randrange(int(2.2 * self.rate), count - 3) for _ in range(dice.randint(1, 3))}
        if dice.random() < 0.15:
            self.missing.add(int(0.9 * self.rate))
        self.frames = [nanoseconds(i / self.rate) for i in range(count) if i not in self.missing]
        self.stiffness = dice.uniform(150, 420) / softer
        self.ratio = dice.uniform(0.35, 0.6) if self.settle == "bouncy" else dice.uniform(0.75, 1.1)
        self.goal = self.way + math.copysign(dice.uniform(40, 220), self.way)
        self.delivery = 4_000_000 if self.is_app else dice.choice([1_200_000, 1_200_000, 5_000_000, 12_000_000])
        self.begin = 0.1003
        self.dice = dice
        self.write()

    @property
    def traits(self):
        found = ["app" if self.is_app else "page", f"{self.rate} Hz", self.axis, self.response, self.settle]
        found += [f"estimator {self.estimator}"] if self.estimator else []
        found += [f"rule {self.rule}"] if self.rule else []
        for name in ["hold", "jump", "cards", "scrolls", "missing", "noise", "grain"]:
            found += [name] if getattr(self, name) else []
        return ", ".join(found)

    def add(self, ns, **line):
        self.lines.append((ns, {"t_ns": ns} | line))

    def finger(self):
        """Reports, the last of which is the lift: instants and places along the axis and across it."""
        steps = [i / self.reports for i in range(math.ceil(self.length * self.reports))] + [self.length]
        found = []
        for i, s in enumerate(steps):
            along = self.way * (s / self.length) ** self.power + (self.dice.gauss(0, self.noise) if i else 0)
            along = round(along / self.grain) * self.grain if self.grain else along
            found.append((nanoseconds(self.begin + s), along, 0.2 * self.way * s / self.length))
        lift = found[-1][0] + nanoseconds(0.004 + self.hold)
        return found, lift

    def touch(self, ns, contact, phase, along, across):
        x, y = (200 + along, 420 + across) if self.axis == "x" else (200 + across, 700 + along)
        heard = {} if self.is_app else {"heard_ns": ns + self.delivery}
        self.add(ns, touch={"contact": contact, "phase": phase, "x": x, "y": y} | heard)

    def write(self):
        places, lift = self.finger()
        self.places, self.lift = places, lift
        if self.is_app:
            self.add(0, event="start", to="open")
        else:
            self.add(nanoseconds(self.begin), event="action", fields={"kind": "swipe", "target": "sheet"})
        for i, (t, along, across) in enumerate(places):
            self.touch(t, 0, "moved" if i else "began", along, across)
        self.touch(lift, 0, "ended", places[-1][1], places[-1][2])
        speed = 0 if self.hold else self.power * self.way / self.length
        if self.rule:
            decision = {"outcome": "cancel" if self.settle == "back" else "finish", "rule": self.rule, "threshold": 0.2,
                        "progress": round(abs(places[-1][1]) / 420, 4)}
            if self.rule == "velocity":
                # A session that names an estimator has its velocities, and no number of the app's own.
                if not self.estimator:
                    decision["progressVelocity"] = round(abs(speed) / 420, 4)
                decision["ruleParameters"] = json.dumps({"rule": "velocity", "threshold": 0.2, "velocityThreshold": 0.5})
            self.add(lift, decision=decision)
        elif self.is_app:
            self.add(lift, event="cancel" if self.settle == "back" else "finish")
        if self.cards and not self.is_app:
            self.add(CLICK, event="action", fields={"kind": "click", "target": "go"})
            for wait, phase in ((0, "began"), (16_000_000, "ended")):
                self.add(CLICK + wait, touch={"contact": 1, "phase": phase, "x": 50, "y": 50, "heard_ns": CLICK + wait + 1_000_000})
        self.move(places, lift, speed)

    def move(self, places, lift, speed):
        """What the sheet shows in each frame: the place that it knows, or the settle from the newest one."""
        known = [(t + self.delivery, along * self.gain) for t, along, _ in places]
        history, shown, begun, number = [0.0] * (self.late + 1), 0.0, None, 0
        goal = 0.0 if self.settle == "back" else self.goal * self.gain
        for t in self.frames:
            target = ([place for heard, place in known if heard <= t + 300_000] or [0.0])[-1]
            history.append(target)
            if t + 300_000 < lift + self.delivery:
                shown = shown + self.share * (target - shown) if self.response == "lerp" else history[-1 - self.late]
            else:
                begun = begun or (t, shown)
                number += 1
                shown = self.rest(t / 1e9 - lift / 1e9, t / 1e9 - begun[0] / 1e9, begun[1], goal, speed * self.gain)
                shown += self.jump if number >= self.jump_at else 0
            self.frame(t, shown)

    def rest(self, since, passed, begin, goal, speed):
        if self.settle == "eased":
            share = min(1, since / (0.35 * self.softer))
            return goal + (begin - goal) * (1 - share) ** 3
        speed = 0 if self.settle == "loses speed" else speed
        return goal + spring(since, begin - goal, speed, math.sqrt(self.stiffness), self.ratio)

    def frame(self, t, shown):
        shown = round(shown * 4096) / 4096
        self.shown.append(shown)
        place = [shown, 500] if self.axis == "x" else [0, 500 + shown]
        items = [{"id": "sheet", "frame": place + [390, 700]}]
        begin = CLICK / 1e9 + 0.02
        for card in range(self.cards):
            begin += self.gaps[card - 1] if card else 0
            share = min(1, max(0, (t / 1e9 - begin) / self.fading))
            items.append({"id": f"card{card + 1}", "frame": [20 + round(160 * share * share * (3 - 2 * share), 4), 20 + 50 * card, 100, 40]})
        line = {"items": items}
        phase = "settling" if t >= self.lift else "driving" if t >= nanoseconds(self.begin) else "idle"
        if self.is_app:
            line["phase"] = phase
        else:
            line["began_ns"] = t + 300_000
        if self.scrolls:
            line |= {"contentOffset": [0, round(max(0, -shown) if self.axis == "y" else 0, 3)], "contentSize": [390, 4000]}
        self.add(t, frame=line)
        self.add(t, key="way", unit="pt", value=shown)
        if self.is_app:
            self.add(t, key="progress", unit="1", value=round(abs(shown) / 420, 6), phase=phase)

    def ages(self):
        """The mean age of the newest place that a frame of the drag knew, in ms: of all frames in which the finger had moved,
        and of those in which it had come further than 2 px. Behind a finger that rests nothing is behind."""
        begun = [t for t in self.frames if self.places[0][0] + self.delivery <= t + 300_000 < self.lift + self.delivery]
        newest = [[place for place in self.places if place[0] + self.delivery <= t + 300_000][-1] for t in begun]
        found, before = [], None
        for t, (at, along, _) in zip(begun, newest):
            goes_on = any(at < other[0] <= t and abs(other[1] - along) > 0.5 for other in self.places)
            if at > self.places[0][0] and (at != before or goes_on):
                found.append((t - at, along))
            before = at
        return [sum(age for age, along in found if abs(along) > least) / 1e6 / max(1, sum(abs(along) > least for _, along in found))
                for least in (0, 2)]

    def stalls(self, second):
        """Whether the sheet moves by less than 4 px in the frame of an instant."""
        place = min(range(len(self.frames)), key=lambda i: abs(self.frames[i] - second * 1e9))
        return place > 0 and abs(self.shown[place] - self.shown[place - 1]) < STALL

    def text(self):
        head = {"kymograph": 1, "name": "page", "refreshRate": self.rate}
        head |= {"viewport": [390, 844]} if self.is_app else {"clock": "performance.now"}
        if self.estimator:
            head["recorded"] = {"release": json.dumps({"estimator": self.estimator, "window": "android"})}
        return "\n".join(json.dumps(line) for line in [head] + [line for _, line in sorted(self.lines, key=lambda one: one[0])])


class EngineScenario:
    """A scenario with a gesture, whose session names the estimator that the engine used."""

    def __init__(self, dice, softer=1.0):
        far, power, count = dice.uniform(150, 400), dice.choice([1, 1.5, 2]), dice.randrange(8, 30)
        self.rate, self.estimator = dice.choice([60, 120]), dice.choice(["lsq2", "lsq2", "impulse"])
        release = {"rule": dice.choice(["progress", "velocity", "projection"]), "threshold": 0.5, "estimator": self.estimator}
        if release["rule"] == "velocity":
            release["velocityThreshold"] = 1.0
        self.scenario = {
            "scenario": 1, "viewport": [320, 480], "refreshRate": self.rate, "sections": [{"id": "photos", "items": 3}],
            "layouts": {"grid": {"type": "flow", "itemSize": [50, 50]}, "detail": {"type": "flow", "itemSize": [320, 200]}},
            "initialLayout": "grid", "name": "page", "release": release, "transition": {"type": "follow", "keys": ["PositionX"]},
            "settle": {"type": "spring", "mass": 1, "stiffness": round(300 / softer), "damping": dice.choice([12, 20, 35])},
            "gesture": {"recognizer": "pan", "to": "detail", "progress": {"of": "translation.y", "from": 0, "to": 400},
                        "keys": {"PositionX": {"of": "translation.x", "finishTarget": 0, "cancelTarget": 0}}}}
        rows, t, y = ["t_ns,id,phase,x,y"], 0, 50
        for i in range(count):
            t, y = i * 8_333_333, round(50 + far * (i / (count - 1)) ** power, 1)
            rows.append(f"{t},0,{'moved' if i else 'began'},{round(100 + 12 * i / count, 1)},{y}")
        rows.append(f"{t + dice.choice([1, 4]) * 1_000_000},0,ended,112,{y}")
        self.gesture, self.traits = "\n".join(rows) + "\n", f"engine, {self.rate} Hz, {self.estimator}, {release['rule']}"

    def text(self):
        return json.dumps(self.scenario)
