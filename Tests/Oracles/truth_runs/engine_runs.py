"""Sessions of the engine: a gesture that a scenario's rule decides, a script that asks for an end, a timed transition."""
import json

MS = 1_000_000
BASE = {
    "scenario": 1, "viewport": [320, 480], "refreshRate": 60,
    "sections": [{"id": "photos", "items": 3}],
    "layouts": {"grid": {"type": "flow", "itemSize": [50, 50]}, "detail": {"type": "flow", "itemSize": [320, 200]}},
    "initialLayout": "grid",
}
LIMITS = {"velocity": (0.3, 3), "flutter-cupertino": (0.3, 3), "omniwm": (0.3, 2), "compose": (60, 600), "flutter-dismissible": (400, 900),
          "cosmic": (0.01, 0.3)}
RULES = ["progress", "velocity", "projection", "projection-discrete", "flutter-cupertino", "kwin", "kwin-overview", "niri", "omniwm",
         "compose", "flutter-dismissible", "cosmic"]


class EngineRun:
    """A scenario, perhaps with a gesture file, and where its progress is known to be at the lift."""

    def __init__(self, dice, name):
        self.dice, self.name, self.traits = dice, name, ["engine"]
        self.rule = {"rule": dice.choice(RULES), "threshold": round(dice.uniform(0.25, 0.75), 3)}
        if self.rule["rule"] in LIMITS:
            self.rule["velocityThreshold"] = round(dice.uniform(*LIMITS[self.rule["rule"]]), 3)
        damping = dice.choice([12, 20, 35])
        self.scenario = dict(BASE, name=name, release=self.rule, transition={"type": "follow", "keys": ["PositionX"]},
                             settle={"type": "spring", "mass": 1, "stiffness": 300, "damping": damping})
        self.touches, self.lifts = None, []
        kind = dice.choices(["gesture", "script", "timed"], [6, 3, 1])[0]
        self.traits += [kind, self.rule["rule"]]
        getattr(self, "make_" + kind)()

    def make_gesture(self):
        dice = self.dice
        self.scenario["gesture"] = {
            "recognizer": "pan", "to": "detail", "progress": {"of": "translation.y", "from": 0, "to": 400},
            "keys": {"PositionX": {"of": "translation.x", "finishTarget": 0, "cancelTarget": 0}}}
        self.touches = ["t_ns,id,phase,x,y"]
        begin = 0
        for number in range(dice.choice([1, 1, 2])):
            count, far = dice.randrange(6, 25), dice.uniform(40, 420)
            power, x, y, t = dice.choice([1, 2, 3]), 100.0, 50.0, begin
            for i in range(count):
                t = begin + i * 8_333_333
                x, y = round(100 + 5 * i / count, 1), round(50 + far * (i / (count - 1)) ** power, 1)
                self.touches.append(f"{t},{number},{'moved' if i else 'began'},{x},{y}")
            t += dice.choice([1, 4, 30, 60]) * MS
            is_cancelled = dice.random() < 0.12
            if not is_cancelled and dice.random() < 0.2:
                # Where the finger is lifted counts.
                y = round(y + dice.uniform(-8, 8), 1)
                self.traits.append("lifted at another place")
            if is_cancelled:
                self.traits.append("contact cancelled")
            self.touches.append(f"{t},{number},{'cancelled' if is_cancelled else 'ended'},{x},{y}")
            self.lifts.append((t, (y - 50) / 400, is_cancelled))
            begin = t + 2_500 * MS

    def make_script(self):
        dice = self.dice
        steps = [{"at": 0, "do": "start", "to": "detail"}]
        t, p, goal = 0.0, 0.0, dice.uniform(0.1, 0.9)
        for i in range(dice.randrange(3, 12)):
            t, p = round(t + 0.016, 3), round(goal * (i + 1) / 12, 3)
            steps.append({"at": t, "do": "progress", "value": p})
            if dice.random() < 0.3:
                steps.append({"at": t, "do": "value", "key": "PositionX", "value": round(20 * p, 2)})
        steps.append({"at": round(t + dice.choice([0, 0.01, 0.05]), 3), "do": dice.choice(["finish", "cancel"])})
        self.scenario["script"] = steps

    def make_timed(self):
        self.scenario["script"] = [{"at": 0.05, "do": "animate", "to": "detail", "duration": 0.3}]

    def text(self):
        return json.dumps(self.scenario, indent=1)
