"""Recorded touches, sent into a page as Chromium's own touches at their own times."""
import csv
import io
import subprocess
import time

from report_page.browser import Browser

VIEWPORT = (360, 800)
KINDS = {"began": "touchStart", "moved": "touchMove", "ended": "touchEnd", "cancelled": "touchCancel"}
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

    def drive(self, reports):
        """Sends touches when they are due, each with its time, and waits for no answer but the last."""
        down, numbers = {}, set()
        start = time.time() + LEAD
        for moment, contact, phase, x, y in reports:
            due = start + moment / 1e9
            time.sleep(max(0, due - time.time()))
            if phase in ("began", "moved"):
                down[contact] = (x, y)
            points = [{"x": x, "y": y, "id": number} for number, (x, y) in sorted(down.items())]
            if phase in ("ended", "cancelled"):
                down.pop(contact, None)
                # A lift of one of several lists the one that lifts.
                points = [{"x": x, "y": y, "id": contact}] if down else []
            numbers.add(self.send("Input.dispatchTouchEvent", type=KINDS[phase], touchPoints=points, timestamp=due))
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
    answer = subprocess.run([kymo, "touches", str(path), "--format", "csv"], capture_output=True, text=True, check=True)
    return [(int(row["t_ns"]), int(row["contact"]), row["phase"], float(row["x"]), float(row["y"]))
            for row in csv.DictReader(io.StringIO(answer.stdout))]


def fitted(reports, factor=None):
    """The reports with the first at 0, and in the viewport: by a factor, or by one that makes them fit."""
    left, top = min(row[3] for row in reports), min(row[4] for row in reports)
    shift = (0, 0)
    if factor is None:
        width, height = max(row[3] for row in reports) - left, max(row[4] for row in reports) - top
        factor = min(1, (VIEWPORT[0] - 40) / (width or 1), (VIEWPORT[1] - 40) / (height or 1))
        shift = (20 - left * factor, 20 - top * factor)
    return [(row[0] - reports[0][0], row[1], row[2], row[3] * factor + shift[0], row[4] * factor + shift[1])
            for row in reports]


def as_csv(reports):
    """The reports as a gesture file."""
    rows = [f"{moment},{contact},{phase},{x!r},{y!r}" for moment, contact, phase, x, y in reports]
    return "\n".join(["t_ns,id,phase,x,y", *rows]) + "\n"
