"""What is true of a session: values that hold, transitions, outcomes and releases, told from its lines or its plain rows."""
import bisect
import json
from dataclasses import dataclass, field

from truth_runs import rules

MS = 1_000_000
ENDS = {"finish": "finished", "cancel": "cancelled", None: "open"}


@dataclass
class Release:
    """One release; `decision` is the recorded one."""
    transition: int
    time: int
    outcome: str
    progress: float | None
    derived: str | None = None
    decision: dict | None = None

    @property
    def decided_by(self):
        named = self.decision["decidedBy"] if self.decision else "app"
        return "app" if named == "script" else named

    @property
    def rule(self):
        return self.decision["rule"] if self.decision else None

    @property
    def velocity(self):
        return self.decision.get("progressVelocity") if self.decision else None

    @property
    def numbers(self):
        """The rule's recorded numbers, by their names in scenario files."""
        return {**self.decision["parameters"], "threshold": self.decision["threshold"]}

    @property
    def is_whole(self):
        """Whether the rule is known and all that it compares is recorded: then, and only then, it can be decided again."""
        if not self.decision or self.rule not in rules.NEEDS:
            return False
        given = {**self.numbers, **({"v": self.velocity} if "progressVelocity" in self.decision else {})}
        return all(name in given for name in rules.NEEDS[self.rule])

    @property
    def is_foreign(self):
        """Whether nothing may decide it again: an app's own rule, or a known one without all of its limits."""
        if not self.decision:
            return False
        if self.rule not in rules.KNOWN:
            return True
        return any(name != "v" and name not in self.numbers for name in rules.NEEDS.get(self.rule, []))

    def again(self):
        return rules.decide(self.rule, self.numbers, self.progress, self.velocity)


@dataclass
class Transition:
    number: int
    start: int | None
    last: int = 1 << 62
    asked: list = field(default_factory=list)
    decisions: list = field(default_factory=list)
    completed: str | None = None

    @property
    def outcome(self):
        """The decision's; without one that of the only event."""
        if self.decisions:
            return self.decisions[-1]["outcome"]
        if self.completed:
            return self.completed
        return self.asked[0][1] if len(self.asked) == 1 else None

    @property
    def is_contradicted(self):
        """Whether the event that ends it says otherwise than its decision."""
        return bool(self.decisions and self.asked and self.asked[-1][1] != self.decisions[-1]["outcome"])


class Timeline:
    """A session. Samples are (t, value, phase) by key, touches (t, contact, phase, x, y)."""

    def __init__(self, name):
        self.name = name
        self.samples, self.units, self.touches, self.frames, self.items = {}, {}, [], 0, set()
        self.events, self.decisions = [], []
        self.is_app = True
        self.end = 0
        self.traits = []

    # Reading.

    @staticmethod
    def of_lines(name, lines):
        """From an app's lines; equal times keep their order."""
        found = Timeline(name)
        for line in sorted(lines, key=lambda one: one["t_ns"]):
            t = line["t_ns"]
            found.end = max(found.end, t)
            if "key" in line:
                found.samples.setdefault(line["key"], []).append((t, float(line["value"]), line.get("phase", "driving")))
                found.units.setdefault(line["key"], line.get("unit", ""))
            elif "touch" in line:
                one = line["touch"]
                found.touches.append((t, one["contact"], one["phase"], one["x"], one["y"]))
            elif "frame" in line:
                found.frames += 1
                found.items |= {item["id"] for item in line["frame"]["items"]}
            elif "event" in line:
                found.events.append((t, line["event"], line))
            elif "decision" in line:
                one = dict(line["decision"], t=t)
                one.setdefault("transition", 0)
                one.setdefault("decidedBy", "rule")
                one.setdefault("ruleOutcome", one["outcome"])
                one["parameters"] = json.loads(one.get("ruleParameters", "{}"))
                found.decisions.append(one)
        found.build()
        return found

    @staticmethod
    def of_rows(name, base, session):
        """From the plain rows of a recording, as a stock SQLite reads them."""
        found = Timeline(name)
        found.is_app = False
        for t, key, value, phase, unit in base.execute(
                "SELECT t_ns, key, value, phase, unit FROM samples WHERE session = ? ORDER BY t_ns, ordinal", (session,)):
            found.samples.setdefault(key, []).append((t, value, phase))
            found.units[key] = unit
        found.touches = base.execute("SELECT t_ns, contact, phase, x, y FROM touches WHERE session = ? ORDER BY t_ns, sequence",
                                     (session,)).fetchall()
        found.frames = base.execute("SELECT count(*) FROM frames WHERE session = ?", (session,)).fetchone()[0]
        found.items = {row[0] for row in base.execute("SELECT item FROM items WHERE session = ?", (session,))}
        found.events = [(t, event, json.loads(fields or "{}")) for t, event, fields in base.execute(
            "SELECT t_ns, event, fields FROM events WHERE session = ? ORDER BY t_ns, sequence", (session,))]
        names = {"transition": "transition", "outcome": "outcome", "decided_by": "decidedBy", "rule": "rule",
                 "rule_outcome": "ruleOutcome", "threshold": "threshold", "progress": "progress",
                 "progress_velocity": "progressVelocity", "progress_standard_error": "progressStandardError",
                 "margin_progress": "marginProgress", "margin_velocity": "marginVelocity", "margin_threshold": "marginThreshold",
                 "margin_sigma": "marginSigma", "flip_velocity": "flipVelocity", "flip_progress": "flipProgress"}
        for row in base.execute(f"SELECT t_ns, rule_parameters, {', '.join(names)} FROM decisions WHERE session = ?"
                                " ORDER BY t_ns, sequence", (session,)):
            found.decisions.append({"t": row[0], "parameters": json.loads(row[1] or "{}"), **dict(zip(names.values(), row[2:]))})
        found.end = base.execute("SELECT end_ns FROM sessions WHERE session = ?", (session,)).fetchone()[0]
        found.build()
        return found

    # Truth.

    def held(self, key, t):
        """The last value at or before an instant; None before the first."""
        rows = self.samples.get(key, [])
        place = bisect.bisect_right(rows, t, key=lambda row: row[0])
        return rows[place - 1][1] if place else None

    def build(self):
        starts = [t for t, event, _ in self.events if event == "start"]
        first = Transition(0, None, last=starts[0] - 1 if starts else 1 << 62)
        before = [t for t, event, _ in self.events if event in ("finish", "cancel") and t <= first.last]
        decided_before = [one for one in self.decisions if one["t"] <= first.last]
        self.transitions = [first] if before or decided_before else []
        # Only an event makes a row of the view `transitions` of what comes before the first start.
        self.has_rows = bool(before) or not decided_before
        for place, start in enumerate(starts):
            last = starts[place + 1] - 1 if place + 1 < len(starts) else 1 << 62
            self.transitions.append(Transition(len(self.transitions), start, last))
        for t, event, fields in self.events:
            if event in ("finish", "cancel"):
                self.at(t).asked.append((t, event))
            if event == "completion" and "finished" in fields:
                self.at(t).completed = "finish" if fields["finished"] else "cancel"
        for one in self.decisions:
            if self.is_app:
                self.at(one["t"]).decisions.append(one)
            else:
                next(found for found in self.transitions if found.number == one["transition"]).decisions.append(one)
        self.releases = []
        for transition in self.transitions:
            self.releases += [Release(one["transition"], one["t"], one["outcome"], one["progress"], decision=one)
                              for one in transition.decisions]
            if not transition.decisions and len(transition.asked) == 1 and self.is_app:
                derived = self.derive(transition)
                self.releases += [derived] if derived else []
        self.releases.sort(key=lambda one: one.time)

    def at(self, t):
        return next(found for found in self.transitions if (found.start or -1) <= t <= found.last)

    @property
    def outcome(self):
        """The session's: that of its last transition."""
        return ENDS[self.transitions[-1].outcome] if self.transitions else "none"

    def contacts(self):
        """Landing, lift (None: never) and whether it was cancelled, of each contact."""
        found, down = [], {}
        for t, contact, phase, _, _ in self.touches:
            if phase == "began":
                down[contact] = [t, None, False]
                found.append(down[contact])
            elif phase in ("ended", "cancelled"):
                down.pop(contact)[1:] = [t, phase == "cancelled"]
        return found

    def derive(self, transition):
        """The release without a decision: at the last lift up to 100 ms before the event or 1 ms after it, else at the
        event; without contacts at the last driving value before the first settling one."""
        asked, outcome = transition.asked[0]
        landed = [one for one in self.contacts() if one[0] <= asked + MS]
        lifts = [one for one in landed if one[1] is not None and one[1] >= (transition.start or 0)]
        is_down = any(one[1] is None for one in landed)
        time, derived = asked, "event"
        if lifts:
            lift = max(lifts, key=lambda one: one[1])
            if lift[2] and outcome == "finish" and lift[1] <= asked + MS:
                return None
            if -MS <= asked - lift[1] <= 100 * MS:
                time, derived = lift[1], "lift"
        elif not is_down:
            rows = [row for row in self.samples.get("progress", []) if (transition.start or 0) <= row[0] <= transition.last]
            settles = next((place for place, row in enumerate(rows) if row[2] == "settling"
                            and any(before[2] == "driving" for before in rows[:place])), None)
            if settles is not None:
                time, derived = [row for row in rows[:settles] if row[2] == "driving"][-1][0], "phase"
        # An app sets the lift's progress while it handles the lift, so a driving value up to the event is the lift's.
        rows = [row for row in self.samples.get("progress", []) if row[0] <= asked and (row[0] <= time or row[2] == "driving")]
        return Release(transition.number, time, outcome, rows[-1][1] if rows else None, derived)

    def overshoot(self, release):
        """How far the progress went beyond its target from a release up to the next start, and the longer of its two ways
        there: from the transition's first value, and from the value at the release. The longer one says which side is beyond:
        a cancel that is asked for below 0 comes back upwards. Of several values at one instant the last one counts."""
        target = 1 if release.outcome == "finish" else 0
        transition = next(one for one in self.transitions if one.number == release.transition)
        rows = list({row[0]: row for row in self.samples.get("progress", [])
                     if (transition.start or 0) <= row[0] <= transition.last}.values())
        values = [row[1] for row in rows if row[0] >= release.time]
        if not values:
            return 0.0, 0.0
        ways = [target - rows[0][1], target - next((row[1] for row in reversed(rows) if row[0] <= release.time), values[0])]
        way = max(ways, key=abs)
        return max(0.0, max(values) - target if way > 0 else target - min(values)), abs(way)
