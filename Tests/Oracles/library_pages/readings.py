"""What the program says of a page's element: numbers with their intervals, faults, and the words of both."""
import json
import math
import pathlib
import re
import subprocess

# Words by which a number that stands in a row is not given to people.
UNTOLD = re.compile(r"too (few|short|slow) to tell|cannot be told|speed at the lift: too")
BEHIND = re.compile(r", (\d+) ms \((\d+) to (\d+)\) behind the finger")
ROWS = {"lag": "lag", "kept": "hand_over", "overshoot": "overshoot", "rest": "settle"}
QUANTITIES = ["lag", "lag ms", "kept", "overshoot", "rest"]


class Reading:
    """A number with its interval."""

    def __init__(self, value, low, high, says):
        self.value, self.low, self.high, self.says = value, low, high, says

    @property
    def width(self):
        return self.high - self.low

    def holds(self, truth):
        """Whether the interval has a part of what is true."""
        slack = 1e-6 + 1e-9 * abs(truth[1])
        return self.low <= max(truth) + slack and self.high >= min(truth) - slack


class Answer:
    """All rows of a page by one program."""

    def __init__(self, program, page, folder):
        lines, file = pathlib.Path(folder, f"{page.index}.ndjson"), pathlib.Path(folder, f"{page.index}.kymo")
        lines.write_text(page.text())
        file.unlink(missing_ok=True)
        self.errors, self.rows = [], []
        for words in (["record", "--from-ndjson", lines, "--into", file], ["show", f"{file}#1", "--json"]):
            done = subprocess.run([program, *words], capture_output=True, text=True)
            if done.returncode:
                self.errors.append(f"{words[0]} ended with {done.returncode}: {done.stderr.strip()[:200]}")
        if not self.errors:
            self.rows = [row for row in json.loads(done.stdout) if row["what"]]

    @property
    def faults(self):
        return [row for row in self.rows if row["fault"]]

    def words(self):
        return [f"{'!' if row['fault'] else ' '} {row['about']}: {row['says']}" for row in self.rows if row["says"]]

    def reading(self, quantity, subject):
        """The number of a quantity of an element. `None`: it is not given."""
        rows = [row for row in self.rows if row["about"] == subject and row["what"] == ROWS.get(quantity, "lag")]
        if not rows or UNTOLD.search(rows[0]["says"]):
            return None
        row = rows[0]
        if quantity == "lag ms":
            found = BEHIND.search(row["says"])
            # They are printed as whole numbers.
            return found and Reading(float(found[1]), float(found[2]) - 0.5, float(found[3]) + 0.5, row["says"])
        if quantity == "lag" and row["unit"] != "frames":
            return None
        ends = [row["value"], row["low"], row["high"]]
        if any(end is None or not math.isfinite(end) for end in ends):
            return None
        return Reading(*ends, row["says"] or f"{row['what']} {row['value']:.1f} ({row['low']:.1f} to {row['high']:.1f})")
