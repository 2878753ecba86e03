"""Recorded touches, sent into a page as Chromium's own touches at their own times."""
import csv
import io
import json
import subprocess
import time

from report_page.browser import Browser

VIEWPORT = (360, 800)
# How long before the first touch the sending is planned, in seconds.
LEAD = 0.03


class TouchBrowser(Browser):
    """A browser that takes itself for a phone."""

    def __init__(self):
        super().__init__()
        self.call("Emulation.setDeviceMetricsOverride", width=VIEWPORT[0], height=VIEWPORT[1],
                  deviceScaleFactor=3, mobile=True)
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)

    def frames(self, count=2):
        """Waits until so many frames are over."""
        self.evaluate(f"new Promise((done) => {{ let left = {count}; (function next() {{ "
                      "left-- > 0 ? requestAnimationFrame(next) : done() })() })")

    def drive(self, lines):
        """Sends what `kymo export cdp` wrote: each line when it is due, with its time, and waits for no answer but
        the last."""
        numbers = set()
        start = time.time() + LEAD
        for line in map(json.loads, lines.splitlines()):
            due = start + line["t_ns"] / 1e9
            time.sleep(max(0, due - time.time()))
            numbers.add(self.send(line["method"], **line["params"], timestamp=due))
        answers = [event for event in self.events if event.get("id") in numbers]
        while len(answers) < len(numbers):
            event = self.receive()
            (answers if event.get("id") in numbers else self.events).append(event)
        refused = [answer["error"] for answer in answers if "error" in answer]
        if refused:
            raise RuntimeError(f"Chromium refused touches: {refused[0]}")
        self.events = [event for event in self.events if event.get("id") not in numbers]


def read_gesture(kymo, path):
    """[(ns, contact, phase, x, y)] of a gesture file, in its own units."""
    answer = subprocess.run([kymo, "list", "touches", str(path), "--format", "csv"], capture_output=True, text=True, check=True)
    return [(int(row["t_ns"]), int(row["contact"]), row["phase"], float(row["x"]), float(row["y"]))
            for row in csv.DictReader(io.StringIO(answer.stdout))]


def fitting(reports):
    """The factor and the shift that bring a gesture into the viewport."""
    left, top = min(row[3] for row in reports), min(row[4] for row in reports)
    width, height = max(row[3] for row in reports) - left, max(row[4] for row in reports) - top
    factor = min(1, (VIEWPORT[0] - 40) / (width or 1), (VIEWPORT[1] - 40) / (height or 1))
    return factor, (20 - left * factor, 20 - top * factor)


def mapped(reports, factor, shift=(0, 0)):
    """The reports with the first at 0, and in CSS pixels."""
    return [(row[0] - reports[0][0], row[1], row[2], row[3] * factor + shift[0], row[4] * factor + shift[1])
            for row in reports]


def as_csv(reports):
    """The reports as a gesture file."""
    rows = [f"{moment},{contact},{phase},{x!r},{y!r}" for moment, contact, phase, x, y in reports]
    return "\n".join(["t_ns,id,phase,x,y", *rows]) + "\n"
