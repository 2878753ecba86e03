"""All commands, asked about one modelled page; what they print of its quantities is collected as readings."""
import html
import json
import math
import pathlib
import re

from truth_runs.quantity_pages import CLICK, EngineScenario
from truth_runs.quantity_readings import Reading, decimals, significant, table

# A speed that names no estimator is that of this one.
USUAL = "lsq-span"
# A jump at most so large need not be printed.
LEAST_JUMP = 8.0
NO_JUMP, WITHIN = "no row", "within the limit"


class Questions:
    """All commands, asked about one page; what they print is collected as readings."""

    def __init__(self, program, index, pages, path):
        self.program, self.index, self.pages, self.path = program, index, pages, path
        # What two versions have in common is asked of the first.
        page = self.page = pages[0]
        self.where = (path, index, page.traits)
        self.readings = []
        self.is_engine = isinstance(page, EngineScenario)
        self.keys = ["progress", "PositionX"] if self.is_engine else ["way"] + (["progress"] if page.is_app else [])

    def add(self, quantity, subject, command, path, value, step=0.0, scale=1.0):
        if value is not None:
            self.readings.append(Reading(quantity, subject, command, path, value * scale, step * abs(scale)))

    def text(self, quantity, subject, command, path, found, scale=1.0, digits=None):
        """A number as it is written: with all its decimals, or with so many digits."""
        found = found.replace("−", "-")
        if found in ("", "–"):
            return
        step = significant(found, digits) if digits else decimals(found)
        self.add(quantity, subject, command, path, float(found), step, scale)

    def interval(self, quantity, subject, number, command, path, row, names=("value", "low", "high"), scale=1.0):
        """A number and the ends of its interval, by the names of a row's columns."""
        for part, name in zip(("", " low", " high"), names):
            self.add(quantity, f"{subject}{part} #{number}", command, f"{path}{name}", row[name], scale=scale)

    def ask(self):
        self.sessions = [f"{self.path}#1", f"{self.path}#2"]
        for number in (1, 2):
            self.ask_show(number)
            self.ask_velocity(number)
        self.ask_recorded()
        self.ask_requirements()
        self.ask_compare()
        self.ask_rows()
        self.ask_tolerances()
        self.ask_page()
        if "progress" in self.keys:
            self.ask_rule()
            self.ask_rerun()
        self.relate_lags()
        return self.largest_jumps()

    def largest_jumps(self):
        """The readings, of several jumps of a subject the largest: a requirement names no other."""
        largest = {}
        for one in self.readings:
            if one.quantity == "jump":
                kind = (one.subject, one.command, one.step)
                largest[kind] = max(largest.get(kind, one), one, key=lambda reading: reading.value)
        return [one for one in self.readings if one.quantity != "jump" or one == largest[one.subject, one.command, one.step]]

    def relate_lags(self):
        """A lag less the page's own frames is how long places took from the finger to the frame, as the lines say."""
        def found(subject, command):
            asked = ("lag", subject, command, 0.0)
            return [one.value for one in self.readings if (one.quantity, one.subject, one.command, one.step) == asked]

        for number in (1, 2):
            own = found(f"sheet, own frames #{number}", "show --json")
            for lag in found(f"sheet #{number}", "check --json") if own and not self.is_engine else []:
                ages = self.page.ages()
                age = min(ages, key=lambda one: abs(lag - own[0] * 1000 / self.page.rate - one))
                subject = f"sheet, less its own frames #{number}"
                self.add("lag", subject, "check --json", "lag_ms less own frames", lag - own[0] * 1000 / self.page.rate)
                self.add("lag", subject, "the lines", "mean age of places", age, 2e-3)

    # --- show, and the page's story ------------------------------------------------------------------------------

    def ask_show(self, number):
        session = self.sessions[number - 1]
        rows = self.program.rows("show", session, where=self.where)
        facts = [row for row in rows if row["what"]]
        for row in facts:
            self.fact(row, number)
        for row in rows:
            self.sentence("show --json", row["about"], row["says"], number)
        if not any(row["what"] == "jump" and row["about"] == "sheet" for row in facts) and not self.is_engine:
            self.add("jump", f"sheet #{number}", "show --json", NO_JUMP, 0.0, 2 * LEAST_JUMP)
        text, _ = self.program.run("show", session, where=self.where)
        for line in text.split("\n"):
            about, _, words = line.lstrip("! ").partition(": ")
            self.sentence("show", about, re.sub(r" \[[\d.]+ s\]$", "", words), number)

    def fact(self, row, number):
        what, about, path = row["what"], row["about"], f"{row['about']}.{row['what']}"
        subject = f"{about} #{number}"
        if what == "settle":
            # What still moved at the click comes to rest twice.
            self.is_first = "the click" not in row["says"] or about != "sheet"
            self.add(what, subject, "show --json", path, row["value"] if self.is_first else None)
        elif what == "overshoot":
            self.add(what, subject, "show --json", path, row["value"] if self.is_first else None)
        elif what == "start" and self.clicked(row):
            self.add("onset", subject, "show --json", path, row["value"])
            self.add("onset", subject, "show --json", f"{path}.t_ns", max(0, row["t_ns"] / 1e6 - self.clicked_ms))
        elif what == "stagger" and row["value"]:
            self.add("onset", f"gaps, mean #{number}", "show --json", path, row["value"])
        elif what == "jump":
            self.add("jump", subject, "show --json", path, row["value"])
        elif what == "hand_over":
            self.interval("speed", f"kept by {about}", number, "show --json", f"{path}.", row)
        elif what == "flick_cancelled":
            self.add("speed", f"finger, without sign #{number}", "show --json", path, row["value"])
        elif what == "lag":
            is_time = row["unit"] == "s"
            name = about if is_time else f"{about}, own frames"
            self.interval("lag", name, number, "show --json", f"{path}.", row, scale=1000 if is_time else 1)

    @property
    def clicked_ms(self):
        """The instant that reactions to the click count from: its lift."""
        return (CLICK if self.page.is_app else CLICK + 16_000_000) / 1e6

    def clicked(self, row):
        return not self.is_engine and self.page.cards and row["t_ns"] and row["t_ns"] > CLICK

    def sentence(self, command, about, words, number):
        """The numbers of a sentence of a story, in `show`, in its rows and on the page."""
        subject = f"{about} #{number}"

        def found(quantity, pattern, *subjects, **more):
            match = re.search(pattern, words)
            for name, part in zip(subjects, match.groups() if match else ()):
                self.text(quantity, f"{name} #{number}", command, f"{about}: {match.group(0)}", part, **more)
            return match

        number_ = r"(-?\d+(?:\.\d+)?)"
        speed = f"finger {self.axis}"
        if about == "moved":
            self.moved(command, words, number)
        elif about == "decided":
            self.decided(command, words, number)
            match = re.search(r"The progress moved at (-?[\d.e-]+)/s by '?([\w-]+)'?(?:, 90 % interval (-?[\d.e-]+) to (-?[\d.e-]+))?", words)
            if match:
                name = f"progress by {match.group(2)}"
                self.text("speed", f"{name} #{number}", command, match.group(0), match.group(1), digits=4)
                for part, text in (("low", match.group(3)), ("high", match.group(4))):
                    if text:
                        self.text("speed", f"{name} {part} #{number}", command, match.group(0), text, digits=4)
        elif about == "unusual":
            for name, size in re.findall(r"'([\w.]+)' (?:and \d+ more )?jumped by (?:up to )?([\d.e-]+)", words):
                self.text("jump", f"key {name} #{number}", command, f"unusual: '{name}' jumped by", size, digits=4)
        elif about == "frames":
            found("late frames", r"(\d+) of (\d+) late.*; longest (\d+) ms", "count", "frames since the first act", "longest")
            found("late frames", r"(\d+), (none) late", "frames since the first act")
            if "none late" in words:
                self.add("late frames", f"count #{number}", command, words, 0.0)
        elif "not a fault" not in words:
            match = re.search(r"let go at (-?\d+) \S+/s \((-?\d+) to (-?\d+)\) at its last report", words)
            if match:
                by = re.search(r"at its last report(?: by ([\w-]+))?", words).group(1) or USUAL
                for part, text in zip(("", " low", " high"), match.groups()):
                    self.text("speed", f"{speed} by {by}{part} #{number}", command, match.group(0), text)
            found("speed", r"thrown at (-?\d+) ", f"{speed} by {USUAL}")
            found("speed", r"let go at (-?\d+) \S+/s$", f"{speed} by {USUAL}")
            found("speed", rf"goes on at (-?\d+)", f"{about} goes on")
            found("speed", r"keeps (-?\d+) % \((-?\d+) to (-?\d+)\)", f"kept by {about}", f"kept by {about} low", f"kept by {about} high")
            found("lag", r"(-?\d+) ms \((-?\d+) to (-?\d+)\) behind the finger", about, f"{about} low", f"{about} high")
            found("lag", r"([\d.]+) frames \(([\d.]+) to ([\d.]+)\) of it the page's", f"{about}, own frames", f"{about}, own frames low",
                  f"{about}, own frames high")
            alone = re.search(r"alike, (\S+) at rest (\d+) ms", words)
            resting = alone.group(1) if alone else about
            if " to " not in resting and not (resting == "sheet" and "after the click" in words):
                found("settle", r"at rest (\d+) ms after the", resting)
                found("overshoot", r"overshoot ([\d.]+) %", resting)
            if not self.is_engine and self.page.cards:
                found("onset", r"starts (\d+) ms after the click", about)
            found("onset", r"one after the other, (-?\d+) ms apart", "gaps, mean")
            uneven = re.search(r"start unevenly, ([-\d, ]+) ms apart", words)
            for place, gap in enumerate(uneven.group(1).split(", ") if uneven else []):
                self.text("onset", f"gap {place + 2} #{number}", command, uneven.group(0), gap)
            found("jump", r"jumps (?:back )?(\d+) \S+ in one frame", about)

    def moved(self, command, words, number):
        for part in words.split("; "):
            match = re.match(r"'([\w.]+)' from", part)
            if not match:
                continue
            settle = re.search(r"within 2 % ([\d.]+) s after the release", part)
            if settle:
                self.add("settle", f"key {match.group(1)} #{number}", command, f"moved: {settle.group(0)}", float(settle.group(1)) * 1000, 1.0)
            over = re.search(r"overshoot ([\d.e-]+) %", part)
            if over:
                self.text("overshoot", f"key {match.group(1)} #{number}", command, f"moved: {over.group(0)}", over.group(1), digits=4)

    def decided(self, command, words, number):
        """The velocity that a rule compared, in the sentence of a decision."""
        match = re.search(r"progress -?[\d.e-]+ at (-?[\d.e-]+)/s ", words)
        if match:
            self.add("speed", f"progress, as the rule compares it #{number}", command, match.group(0), float(match.group(1)), 1e-3)

    @property
    def axis(self):
        return "y" if self.is_engine else self.page.axis

    # --- velocity --------------------------------------------------------------------------------------------------

    def velocity_subject(self, row):
        if row["axis"]:
            return f"finger {row['axis']}" if row["pointer"] in (0, "0") else None
        return row["key"]

    def velocities(self, rows, command, number, is_text=False):
        """Rows of velocities; of the two axes of a finger also the speed."""
        both = {row["axis"]: row for row in rows if row["pointer"] == 0 and row.get("velocity") is not None}
        if len(both) == 2 and not is_text:
            speed = math.hypot(both["x"]["velocity"], both["y"]["velocity"])
            self.add("speed", f"finger, both axes, by {both['x']['estimator']} #{number}", command, "velocity, of both rows", speed)
        for row in rows:
            name = self.velocity_subject(row)
            if name is None or "velocity" not in row or row["velocity"] is None:
                continue
            for part, column in (("", "velocity"), (" low", "low"), (" high", "high")):
                subject = f"{name} by {row['estimator']}{part} #{number}"
                if is_text:
                    self.text("speed", subject, command, column, row[column])
                else:
                    self.add("speed", subject, command, column, row[column])
            if "--estimator" in command:
                continue
            if row.get("rule_velocity") not in (None, "", "–") and row["key"] == "progress" and not is_text:
                self.add("speed", f"progress, as the rule compares it #{number}", command, "rule_velocity", row["rule_velocity"])
            if row.get("settle_time_s") and not is_text:
                self.add("settle", f"model of {name} #{number}", command, "settle_time_s", row["settle_time_s"], scale=1000)

    def ask_velocity(self, number):
        session = self.sessions[number - 1]
        self.velocities(self.program.rows("velocity", session, where=self.where), "velocity --json", number)
        if self.page.estimator:
            self.velocities(self.program.rows("velocity", session, "--estimator", USUAL, where=self.where), f"velocity --estimator {USUAL}", number)
        if number == 1:
            text, _ = self.program.run("velocity", session, where=self.where)
            rows = [{**row, "axis": row["axis"].replace("–", "")} for row in table(text) if "velocity" in row and "axis" in row]
            self.velocities(rows, "velocity", number, is_text=True)
            self.decided("velocity", text, number)

    def ask_recorded(self):
        """Estimates that the engine recorded."""
        for row in self.program.rows("list", "estimates", self.sessions[0], where=self.where) if self.is_engine else []:
            self.interval("speed", f"{row['key']} by {row['estimator']}", 1, "list estimates", "", row, ("velocity", "low", "high"))
            if row["settle_time_s"]:
                self.add("settle", f"model of {row['key']} #1", "list estimates", "settle_time_s", row["settle_time_s"], scale=1000)

    # --- check -------------------------------------------------------------------------------------------------------

    def rules(self):
        rules = [{"hitch": "frames", "longest_ms": 0, "max_ms_per_s": 0}]
        for key in self.keys:
            rules += [{"settles_by": key, "by_ms": 1}, {"overshoot": key, "max_percent": 0}, {"continuous": key}]
        if self.is_engine:
            return rules
        element = f"item.sheet.center.{self.page.axis}"
        rules += [{"settles_by": element, "by_ms": 1}, {"overshoot": element, "max_percent": 0},
                  {"continuous": "item.sheet.center"}, {"follows": element, "lag_ms": 0, "source": f"finger.{self.page.axis}"},
                  {"hands_over": element, "share": 0.001, "source": f"finger.{self.page.axis}"}]
        if self.page.cards:
            lifted = self.clicked_ms / 1000
            # What an app does without a touch belongs to the drag before it.
            since = {} if self.page.is_app else {"from": lifted}
            rules += [{"settles_by": f"item.card{n}.center.x", "by_ms": 1} | since for n in range(1, 5)]
            rules += [{"overshoot": f"item.card{n}.center.x", "max_percent": 0} | since for n in range(1, 5)]
            rules += [{"stagger": [f"item.card{n}.center" for n in range(1, 5)], "step_ms": 0, "tolerance_ms": 0}]
        return rules

    def requirement(self, row, command, number, is_text=False):
        subject = re.sub(r"^item\.(\w+)\.center(\.[xy])?$", r"\1", row["subject"])
        if subject in self.keys:
            subject = f"key {subject}"

        def add(quantity, name, column="value", scale=1.0):
            if row.get(column) in (None, "", "–"):
                return
            if is_text:
                self.text(quantity, f"{name} #{number}", command, f"{row['measure']}.{column}", row[column], scale=scale, digits=4)
            else:
                self.add(quantity, f"{name} #{number}", command, f"{row['measure']}.{column}", row[column], scale=scale)

        measure = row["measure"]
        if measure in ("settled_ms", "overshoot_percent"):
            add({"settled_ms": "settle", "overshoot_percent": "overshoot"}[measure], subject)
        elif measure.startswith("excess"):
            value = float(row["value"]) if row["value"] not in (None, "–") else 0
            if subject.startswith("key"):
                add("jump", subject)
            elif value > LEAST_JUMP and subject == "sheet":
                # A story has no jump in a frame in which the element hardly moves.
                if not self.pages[number - 1].stalls(float(row["instant_s"])):
                    add("jump", subject)
            elif subject == "sheet" and not is_text:
                self.add("jump", f"{subject} #{number}", command, WITHIN, 0.0, 2 * LEAST_JUMP)
        elif measure == "lag_ms":
            for part, column in (("", "value"), (" low", "low"), (" high", "high")):
                add("lag", subject + part, column)
        elif measure == "kept_percent":
            for part, column in (("", "value"), (" low", "low"), (" high", "high")):
                add("speed", f"kept by {subject}{part}", column)
            goes = re.search(r"it goes on at (-?[\d.e+-]+) ", row.get("says", ""))
            if goes:
                self.text("speed", f"{subject} goes on #{number}", command, goes.group(0), goes.group(1), digits=6)
        elif measure == "gap_ms" and row["value"] not in (None, "–"):
            place = int(row["subject"].split(".")[1][4:])
            add("onset", f"gap {place}")
            if not is_text:
                self.gaps.setdefault((number, command), {})[place] = (row["value"], row["instant_s"] * 1000 - self.clicked_ms)
        elif measure == "longest_ms":
            add("late frames", "longest")
        elif measure == "hitch_ms_per_s":
            add("late frames", "hitch ratio")

    def ask_requirements(self):
        name = f"{self.path}.rules.json"
        (pathlib.Path(self.program.folder) / name).write_text(json.dumps({"requirements": 1, "rules": self.rules()}))
        self.gaps = {}
        asked = ["check", self.path, "--requirements", name, "--all"]
        for row in self.program.rows(*asked, codes=(0, 1), where=self.where):
            self.requirement(row, "check --json", row["session"])
        text, _ = self.program.run(*asked, codes=(0, 1), where=self.where)
        for row in table(text):
            if "measure" in row:
                self.requirement(row, "check", int(row["session"]), is_text=True)
        self.gap_relations()

    def gap_relations(self):
        """The mean of the gaps, and from one onset and the gaps behind it the onset of the first element."""
        for (number, command), gaps in self.gaps.items():
            if len(gaps) == 3:
                self.add("onset", f"gaps, mean #{number}", command, "mean of gap_ms", sum(gap for gap, _ in gaps.values()) / 3)
            if 2 in gaps:
                self.add("onset", f"card1 #{number}", command, "instant_s less gap_ms", gaps[2][1] - gaps[2][0])

    # --- compare, golden, rows ---------------------------------------------------------------------------------------

    def compared_keys(self):
        return self.keys + ([] if self.is_engine else [f"item.sheet.center.{self.page.axis}", f"finger.{self.page.axis}"])

    def key_subject(self, key):
        if key.startswith("item."):
            return "sheet"
        return None if key.startswith("finger.") else f"key {key}"

    def ask_compare(self):
        asked = ["compare", *self.sessions, "--all", "--estimator", "all", "--key", ",".join(self.compared_keys())]
        rows = self.program.rows(*asked, codes=(0, 1), where=self.where)
        for row in rows:
            if row["row"] == "verdict":
                for side, number in (("a", 1), ("b", 2)):
                    smooth = row[f"smoothness_{side}"]
                    self.add("late frames", f"hitch ratio #{number}", "compare --json", "smoothness.hitch_ms_per_s", smooth["hitch_ms_per_s"])
                    self.add("late frames", f"longest #{number}", "compare --json", "smoothness.interval_max_ms", smooth["interval_max_ms"])
                    self.add("late frames", f"jank #{number}", "compare --json", "smoothness.jank_percent", smooth["jank_percent"])
                    self.add("late frames", f"95 % #{number}", "compare --json", "smoothness.interval_p95_ms", smooth["interval_p95_ms"])
            if row["row"] == "decision":
                for side, number in (("a", 1), ("b", 2)):
                    if row[f"settle_time_s_{side}"]:
                        self.add("settle", f"model of progress #{number}", "compare --json", "settle_time_s", row[f"settle_time_s_{side}"], scale=1000)
            if row["row"] != "key":
                continue
            subject = self.key_subject(row["key"])
            for motion in row["motion"][:1]:
                for column, quantity in (("settle_2_ms", "settle"), ("overshoot_percent", "overshoot")):
                    for side, number in (("a", 1), ("b", 2)):
                        if subject:
                            self.add(quantity, f"{subject} #{number}", "compare --json", column, motion[f"{column}_{side}"])
                    values = [motion[f"{column}_a"], motion[f"{column}_b"]]
                    if subject and None not in values:
                        self.add(quantity, f"{subject}, difference", "compare --json", f"{column} of b less a", abs(values[1] - values[0]))
            for one in row["velocity"]:
                if one["estimator"] in (USUAL, self.page.estimator):
                    name = "finger " + row["key"][-1] if row["key"].startswith("finger") else row["key"]
                    for side, number in (("a", 1), ("b", 2)):
                        self.add("speed", f"{name} by {one['estimator']} #{number}", "compare --json", "velocity", one[side])
                    if one["estimator"] == (self.page.estimator or USUAL) and None not in (one["a"], one["b"]):
                        self.add("speed", f"{name}, difference", "compare --json", "velocity of b less a", abs(one["b"] - one["a"]))
            for one in row["judgements"]:
                self.judged(one, "compare --json")
        text, _ = self.program.run(*asked, codes=(0, 1), where=self.where)
        # A stretch has its rows behind those of the one before; the other commands are asked about the first one.
        seen = set()
        for row in table(text):
            name = (row.get("key"), row.get("figure"))
            if name in seen:
                continue
            seen.add(name)
            quantity = {"settle_2_ms": "settle", "overshoot_percent": "overshoot"}.get(row.get("figure"))
            subject = self.key_subject(row["key"]) if quantity else None
            for side, number in (("a", 1), ("b", 2)):
                if subject and row[side] not in ("–", ""):
                    self.text(quantity, f"{subject} #{number}", "compare", row["figure"], row[side], digits=4)
        groups = self.program.run("compare", self.sessions[0], "--", self.sessions[1], "--all-metrics", "--json", codes=(0, 1), where=self.where)[0]
        for row in json.loads(groups)["rows"]:
            if row["transition"]:
                continue
            for side, number in (("base", 1), ("new", 2)):
                value = (row[side] or {}).get("median")
                self.metric(row["metric"], row["key"], value, f"compare {side} --json", number, is_size=True)

    def metric(self, name, key, value, command, number, is_size=False):
        quantity = {"settle_2_ms": "settle", "overshoot_percent": "overshoot"}.get(name)
        if value is None:
            return
        if quantity and key in self.keys:
            self.add(quantity, f"key {key} #{number}", command, name, value)
        elif name == "release_velocity_per_s" and key in self.keys:
            # A row of metrics has no column for an estimator: it is the session's own.
            by = self.page.estimator or USUAL
            size = ", without sign" if is_size else ""
            self.add("speed", f"{key} by {by}{size} #{number}", command, name, value)
        elif name in ("hitch_ms_per_s", "jank_percent", "interval_p95_ms"):
            self.add("late frames", {"h": "hitch ratio", "j": "jank", "i": "95 %"}[name[0]] + f" #{number}", command, name, value)

    def judged(self, row, command):
        """The difference of two sessions in a number, as a verdict has it."""
        quantity = {"settle_2_ms": "settle", "overshoot_percent": "overshoot"}.get(row["measure"])
        subject = self.key_subject(row["subject"]) if row["subject"] else None
        if quantity and subject and row["value"] is not None:
            self.add(quantity, f"{subject}, difference", command, f"{row['measure']}.value", row["value"])
        if row["measure"] == "hitch_ms_per_s" and row["value"] is not None:
            self.add("late frames", "hitch ratio #2", command, "hitch_ms_per_s.value", row["value"])
        if row["measure"] == "release_velocity_per_s" and row["value"] is not None and row["subject"] in self.keys:
            self.add("speed", f"{row['subject']}, difference", command, "release_velocity_per_s.value", row["value"])

    def ask_rows(self):
        listed = ["rows", "--metrics", "--releases", "--requirements", f"{self.path}.rules.json"]
        if "progress" in self.keys:
            listed += ["--try", "--rule progress"]
        text, _ = self.program.run(*listed, codes=(0, 1), text=f"{self.path}\n", where=self.where)
        for line in text.splitlines():
            row = json.loads(line)
            number = row["session"]
            for one in row["metrics"]:
                if one["transition"]:
                    continue
                self.metric(one["name"], one["key"], one["value"], "rows --metrics", number)
            self.velocities(row["releases"], "rows --releases", number)
            for one in row["expect"]["verdicts"]:
                self.requirement(one, "rows --requirements", number)
            for one in row.get("whatif") or []:
                self.tried(one, "rows --try", number)
        self.gap_relations()

    def ask_tolerances(self):
        rules = [{"metric": name, "key": "*", "fail": 0} for name in ("settle_2_ms", "overshoot_percent", "release_velocity_per_s")]
        rules += [{"metric": "hitch_ms_per_s", "fail": 0}]
        name = f"{self.path}.limits.json"
        (pathlib.Path(self.program.folder) / name).write_text(json.dumps({"version": 1, "measures": 2, "rules": rules}))
        asked = ["check", self.sessions[1], "--golden", self.sessions[0], "--tolerances", name, "--all", "--key", ",".join(self.compared_keys())]
        for row in self.program.rows(*asked, codes=(0, 1), where=self.where):
            self.judged(row, "check --tolerances")
        text, _ = self.program.run("rows", "--check", self.sessions[0], "--tolerances", name, codes=(0, 1), text=f"{self.sessions[1]}\n", where=self.where)
        for line in text.splitlines():
            for row in json.loads(line)["check"]["verdicts"]:
                self.judged(row, "rows --check")
        out = f"{self.path}.learned.json"
        rows = self.program.rows("golden", "learn", self.path, "--allow-wide", "-o", out, "--force", codes=(0, 1), where=self.where)
        for row in rows:
            if row.get("n") == 1 and row["measure"] != "hitch_ms_per_s":
                self.judged({"measure": row["measure"], "subject": row["subject"], "value": row["max"]}, "golden learn")

    # --- page, rule, rerun -------------------------------------------------------------------------------------------

    def ask_page(self):
        """A page that plays both sessions, and the title of a film."""
        folder, out = pathlib.Path(self.program.folder), f"{self.path}.html"
        self.program.run("report", *self.sessions, "-o", out, "--force", codes=(0, 3), where=self.where)
        text = (folder / out).read_text()
        for number, side in ((1, "A"), (2, "B")):
            found = re.search(rf'<script type="application/json" id="run-{side}">(.*?)</script>', text, re.S)
            self.page_of(json.loads(found.group(1)), number)
        self.program.run("plot", self.sessions[0], "--film", "-o", f"{self.path}.svg", "--force", where=self.where)
        title = html.unescape(re.search(r"<title>(.*?)</title>", (folder / f"{self.path}.svg").read_text()).group(1))
        first = re.search(r" faults?: (.*?): (.*?) \[[\d.]+ s\]$", title)
        if first:
            self.sentence("plot --film", first.group(1), first.group(2), 1)

    def page_of(self, run, number):
        """What a page has of one session."""
        self.add("late frames", f"hitch ratio #{number}", "report", "hitchRatio", run["hitchRatio"])
        self.add("late frames", f"count #{number}", "report", "lateFrames, length", float(len(run["lateFrames"])))
        story = run.get("story") or {}
        for line in story.get("lines", []):
            about, _, words = line["text"].partition(": ")
            self.sentence("report", about, words, number)
        finger = f"finger {self.axis} by {USUAL}"
        for curve in story.get("curves", []):
            item = curve["item"]
            for drag in curve.get("drags", []):
                for name, quantity, subject, scale in (("lag", "lag", item, 1000), ("letGo", "speed", finger, 1), ("goesOn", "speed", f"{item} goes on", 1)):
                    for part, value in zip(("", " low", " high"), drag.get(name) or []):
                        self.add(quantity, f"{subject}{part} #{number}", "report", f"drags.{name}", value, scale=scale)
                for words in drag.get("speedWords") or []:
                    self.sentence("report", item, words, number)
                if drag.get("lagWords"):
                    self.sentence("report", item, f"{drag['lagWords']} behind the finger", number)
        for row in run["estimates"]["rows"]:
            row = dict(zip(run["estimates"]["columns"], row))
            if isinstance(row["key"], int) and row["key"] < len(run["keys"]):
                name = run["keys"][row["key"]]["name"]
                by = row["estimator"]
                self.interval("speed", f"{name} by {by}", number, "report", "estimates.", row, ("velocity", "low", "high"))
        for row in run["decisions"]["rows"]:
            row = dict(zip(run["decisions"]["columns"], row))
            by = row["fingersBy"]
            for value in row["fingerSpeeds"] or []:
                self.add("speed", f"finger, both axes, by {by} #{number}", "report", "decisions.fingerSpeeds", value)

    def tried(self, row, command, number):
        if row.get("velocity") is not None:
            self.add("speed", f"progress, as the rule compares it #{number}", command, "velocity", row["velocity"])
            # The column says by which estimator that is, unless the app measured it.
            if row["estimator"]:
                self.add("speed", f"progress by {row['estimator']} #{number}", command, "velocity, with its estimator", row["velocity"])

    def ask_rule(self):
        asked = ["rule", "try", self.path, "--rule", "velocity", "--set", "release.velocityThreshold=0.5"]
        for row in self.program.rows(*asked, where=self.where):
            if row["kind"] == "gesture":
                self.tried(row, "rule try", row["session"])

    def ask_rerun(self):
        out = f"{self.path}.again.kymo"
        for key in self.keys:
            (pathlib.Path(self.program.folder) / out).unlink(missing_ok=True)
            rows = self.program.rows("rerun", self.sessions[0], "--into", out, "--key", key, codes=(0, 2, 3), where=self.where)
            for row in rows:
                if row["run"] == "recorded":
                    self.add("settle", f"key {key} #1", "rerun", "settle_2_ms", row["settle_2_ms"])
                    self.add("overshoot", f"key {key} #1", "rerun", "overshoot_percent", row["overshoot_percent"])
                    if row["settle_time_s"]:
                        self.add("settle", f"model of {key} #1", "rerun", "settle_time_s", row["settle_time_s"], scale=1000)
