"""Sessions as an app writes them: everything that may be missing, late, contradictory or unknown, by a seed."""
import json
import math

from velocity_models.springs import spring

MS = 1_000_000
FOREIGN = ["scale", "halfway", "my-app", "photos.dismiss"]
VIEWPORT = [390, 844]


class AppRun:
    """The lines of one session and what is peculiar about it."""

    def __init__(self, dice, name):
        self.dice, self.name, self.lines, self.traits = dice, name, [], []
        self.rate = dice.choice([60, 60, 90, 120])
        self.has_progress = dice.random() > 0.04
        self.role = {"role": "custom"} if dice.random() < 0.12 else {}
        self.has_frames = dice.random() < 0.4
        self.others = [key for key in ["PositionX", "scale", "page", "blur"] if dice.random() < 0.4]
        self.named = set()
        self.contact = 0
        t = dice.choice([0, 0, dice.randrange(50) * MS])
        self.count = dice.choices([1, 2, 3], [0.65, 0.25, 0.1])[0]
        for number in range(self.count):
            t = self.transition(number, t) + dice.randrange(20, 120) * MS
        if self.role:
            self.traits.append("progress of role custom")
        self.lines.sort(key=lambda line: line["t_ns"])
        # Lines may come up to 200 ms late; those of one instant keep their order.
        self.written = list(self.lines)
        if self.chance(0.1, "lines out of order"):
            late = [0 if "unit" in line or self.is_tied(place) or dice.random() > 0.1 else dice.randrange(1, 190) * MS
                    for place, line in enumerate(self.lines)]
            order = sorted(range(len(self.lines)), key=lambda place: self.lines[place]["t_ns"] + late[place])
            self.written = [self.lines[place] for place in order]

    def chance(self, share, trait):
        """A throw of the dice that is noted where it is so."""
        if self.dice.random() < share:
            self.traits.append(trait)
            return True
        return False

    def is_tied(self, place):
        """Whether another line has the instant of this one."""
        t = self.lines[place]["t_ns"]
        return any(0 <= other < len(self.lines) and self.lines[other]["t_ns"] == t for other in (place - 1, place + 1))

    def add(self, t, **line):
        self.lines.append({"t_ns": t, **line})

    def value(self, t, key, value, unit="1", phase=None):
        if key == "progress" and not self.has_progress:
            return
        more = {} if key in self.named else {"unit": unit}
        self.named.add(key)
        # A line without a role has that of the key's name.
        more.update(self.role if key == "progress" else {})
        self.add(t, key=key, value=value, **more, **({"phase": phase} if phase else {}))

    def transition(self, number, begin):
        dice = self.dice
        step = 1e9 / self.rate
        if self.count > 1 or not self.chance(0.1, "no start"):
            self.add(begin, event="start", to="open")
        count = dice.randrange(5, 30)
        times = [begin + round(i * step + dice.uniform(-0.15, 0.15) * step * (i > 0)) for i in range(count)]
        touches = dice.choices(["lifted", "cancelled", "absent", "never lifts"], [0.62, 0.13, 0.18, 0.07])[0]
        if touches != "lifted":
            self.traits.append(f"touches {touches}")
        second = dice.randrange(3, count) if touches != "absent" and self.chance(0.15, "two contacts") else None
        drive = self.drive(count)
        for i, (t, p) in enumerate(zip(times, drive)):
            self.value(t, "progress", p, phase="driving" if dice.random() < 0.2 else None)
            self.keys(t, i, p)
            if dice.random() < 0.02:
                self.value(t, "progress", round(p + 0.01, 4))
            if touches != "absent":
                self.add(t, touch={"contact": self.contact, "phase": "moved" if i else "began", "x": 200,
                                   "y": round(800 - 400 * p, 3)})
            if second and 1 <= i <= second:
                self.add(t + 1, touch={"contact": 90 + number, "phase": ["began", "moved", "ended"][(i > 1) + (i == second)],
                                       "x": 100, "y": round(800 + 400 * p, 3)})
            self.frame(t, p)
        lift = times[-1] + dice.choice([0, 1, 3, 8]) * MS
        if touches in ("lifted", "cancelled"):
            self.add(lift, touch={"contact": self.contact, "phase": "ended" if touches == "lifted" else "cancelled",
                                  "x": 200, "y": round(800 - 400 * drive[-1], 3)})
        self.contact += 1
        outcome = dice.choice(["finish", "cancel"])
        decided = self.decide(number, lift, drive, step, touches, outcome) if dice.random() < 0.6 else None
        asked = None
        if dice.random() < (0.75 if decided else 0.88):
            wait = dice.choices([0, 2, 16, 60, 99, 100, 101, 180, -0.5, -1, -2], [3, 4, 3, 2, 1, 1, 2, 2, 1, 1, 1])[0]
            if touches == "absent" or lift - times[-1] < 3 * MS:
                # An event comes after the last driving value, so that no other one could be meant.
                wait = max(0, wait)
            if wait > 100 or wait < 0:
                self.traits.append(f"event {wait} ms after the lift")
            asked = lift + round(wait * MS)
            other = decided and self.chance(0.2, "event contradicts decision")
            self.add(asked, event={"finish": "cancel", "cancel": "finish"}[outcome] if other else outcome)
        else:
            self.traits.append("no event")
        # The motion goes on from the lift or from the event.
        released = lift if self.chance(0.4, "settles before the event") else max(lift, asked or 0)
        return max(asked or 0, self.settle(outcome if decided or asked is not None else None, released, times[-1], drive, step))

    def drive(self, count):
        """What the finger does: it drags, flicks, holds or comes back."""
        dice = self.dice
        kind, far = dice.choice(["drag", "flick", "hold", "back"]), dice.uniform(0.1, 0.95)
        found = []
        # The first value that an app sets is often not 0: the finger had moved.
        first = dice.choice([0, 0, 0, dice.uniform(0.01, 0.09)])
        for i in range(count):
            s = i / (count - 1)
            share = {"drag": s, "flick": s ** 3, "hold": min(1, 1.6 * s), "back": math.sin(min(1, 1.3 * s) * 2.4) / 1.0}[kind]
            found.append(round(first + (far - first) * share, 4))
        return found

    def keys(self, t, i, p):
        """Other keys: one that is set now and then, one that jumps, one of whole numbers."""
        dice = self.dice
        if "PositionX" in self.others and (i == 0 or dice.random() < 0.3):
            self.value(t, "PositionX", round(120 * p + dice.uniform(-3, 3), 2), "pt")
        if "scale" in self.others and dice.random() < 0.6:
            self.value(t, "scale", round(1 + p, 4), "1")
        if "page" in self.others and (i == 0 or dice.random() < 0.1):
            self.value(t, "page", dice.randrange(4), "1")
        if "blur" in self.others and i in (3, 4):
            self.value(t, "blur", [0, 10][i - 3], "")

    def frame(self, t, p):
        if self.has_frames and self.dice.random() < 0.8:
            y = round(800 - 500 * p, 2)
            self.add(t, frame={"progress": p, "items": [{"id": "sheet", "frame": [0, y, 390, 144], "alpha": 1}]})

    def decide(self, number, lift, drive, step, touches, outcome):
        """A decision line; its outcome is the given one, the rule's or not."""
        dice = self.dice
        kind = dice.choices(["own", "progress", "velocity", "velocity without limit", "velocity without velocity", "projection",
                             "projection without rate", "cupertino", "touch", "compose", "compose at rest"],
                            [5, 4, 3, 3, 1, 2, 1, 2, 1, 1, 1])[0]
        p = drive[-1]
        if self.chance(0.06, "progress is rounded"):
            p = round(p, 2)
        v = round((drive[-1] - drive[-3]) / (2 * step) * 1e9 * dice.uniform(0.5, 1.5), 3)
        if dice.random() < 0.3:
            v = round(-v - dice.uniform(0, 2), 3)
        threshold = round(dice.choice([0.5, dice.uniform(0.2, 0.8)]), 3)
        line = {"outcome": outcome, "rule": kind.split()[0], "threshold": threshold, "progress": p}
        rule = {"rule": line["rule"], "threshold": threshold, "distance": None, "minimumVelocity": 0, "maximumVelocity": None}
        if kind == "own":
            line["rule"] = dice.choice(FOREIGN)
            line["threshold"] = round(dice.uniform(1.1, 2.5), 2)
            if dice.random() < 0.3:
                line["progressVelocity"] = v
        elif kind == "touch":
            line.update(rule="progress", decidedBy="touch", outcome="cancel")
        elif kind != "progress" and kind != "velocity without velocity":
            line["progressVelocity"] = 0 if kind == "compose at rest" else v
        if line["rule"] == "compose":
            rule.update(velocityThreshold=round(dice.uniform(60, 600), 1), distance=400)
        if kind in ("velocity", "velocity without velocity", "cupertino"):
            line["rule"] = rule["rule"] = "flutter-cupertino" if kind == "cupertino" else "velocity"
            rule["velocityThreshold"] = round(dice.uniform(0.3, 3), 2)
        if kind == "projection":
            rule["decelerationRate"] = dice.choice([0.998, 0.99])
        if kind in ("velocity", "velocity without velocity", "cupertino", "projection") or line["rule"] == "compose" \
                or kind == "progress" and dice.random() < 0.5:
            line["ruleParameters"] = json.dumps(rule)
        if number:
            line["transition"] = number
        if kind != "touch" and dice.random() < 0.2:
            line["decidedBy"] = dice.choice(["script", "app"])
        self.traits.append(f"decision by {kind}")
        if kind != "touch" and dice.random() < 0.1:
            line["ruleOutcome"] = dice.choice(["finish", "cancel"])
        if kind == "own" and self.chance(0.3, "margins of an own rule"):
            line.update(marginProgress=round(dice.uniform(0, 0.4), 3), flipProgress=round(dice.uniform(0, 1), 3))
        self.add(lift + dice.choice([0, 0, 1, 2]) * MS, decision=line)
        # A system that takes the touch away never finishes.
        if kind == "touch":
            self.lines[-1]["decision"]["outcome"] = outcome
            if touches != "cancelled":
                self.traits.append("decided by touch without a cancelled contact")
        return line

    def settle(self, outcome, released, driven, drive, step):
        """What comes after: a spring to the end that the outcome asks for, with or without overshoot, or nothing."""
        dice = self.dice
        if outcome is None or self.chance(0.08, "nothing settles"):
            return max(released, driven) + round(step)
        target = 1 if outcome == "finish" else 0
        swings = self.chance(0.4, f"{outcome} overshoots")
        stiffness = dice.uniform(100, 400)
        ratio = dice.uniform(0.15, 0.5) if swings else 1
        speed = dice.uniform(0, 10) * (1 if target else -1) if swings else 0
        phase = None if self.chance(0.12, "settle is recorded as driving") else "settling"
        count = dice.randrange(20, 50)
        for i in range(1, count + 1):
            t = max(released, driven) + round(i * step)
            left = spring(i * step / 1e9, drive[-1] - target, speed, math.sqrt(stiffness), ratio)
            x = target + left if i < count else target
            self.value(t, "progress", round(x, 5), phase=phase)
            if "PositionX" in self.others and i % 7 == 0:
                self.value(t, "PositionX", round(120 * x, 2), "pt", phase)
            if i == count // 2 and "page" in self.others:
                self.value(t, "page", 1, "1", phase)
        return max(released, driven) + round(count * step)

    def text(self):
        header = {"kymograph": 1, "name": self.name, "refreshRate": self.rate, "viewport": VIEWPORT}
        return "".join(json.dumps(line) + "\n" for line in [header, *self.written])
