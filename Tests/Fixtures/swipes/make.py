#!/usr/bin/env python3
"""Writes the lines of four sessions beside itself: a sheet that people swipe up, on two devices, in two builds.

    make.py [FOLDER]

Everything is modelled. A finger throws the sheet with a speed that depends on the device; the sheet shows the place that
the finger had one frame before (build 1.4) or two (build 1.5), and settles by a critically damped spring that keeps the
speed. Build 1.5 draws some frames late. The same call writes the same bytes.
"""
import json
import math
import pathlib
import random
import sys

DEVICES = {"phone": (390, 844, 1400), "tablet": (820, 1180, 2300)}  # points, and the finger's points per second at the lift
BUILDS = {"1.4": (1, 0.0), "1.5": (2, 0.08)}  # frames of delay, and the share of frames that are late
SWIPES, FRAME_HZ, TOUCH_HZ, PACE = 3, 60, 120, 14.0
SHAKE, REST = 0.3, 0.55  # points; seconds from the lift to the end


class Swipe:
    """A finger's way, which grows with the square of time, so that it is fastest at the lift, and the settle behind it."""

    def __init__(self, begin, width, height, speed, chance):
        self.begin, self.distance = begin, height * 0.7
        self.reach = self.distance * chance.uniform(0.35, 0.75)
        self.length = 2 * self.reach / (speed * chance.uniform(0.8, 1.2))
        self.steps = int(self.length * TOUCH_HZ)
        self.lift = self.steps / TOUCH_HZ + 0.004
        self.x, self.y = width / 2 + chance.uniform(-40, 40), height * 0.85
        self.shakes = [chance.uniform(-SHAKE, SHAKE) for _ in range(self.steps + 1)]
        self.end = begin + self.lift + REST
        self.progress = round(self.finger(self.steps) / self.distance, 6)
        self.target = self.distance if self.progress > 0.5 else 0.0

    def way(self, time):
        return self.reach * min(max(time / self.length, 0), 1) ** 2

    def finger(self, step):
        return self.way(step / TOUCH_HZ) + (self.shakes[step] if step else 0)

    def shown(self, time):
        """How far the sheet is, in points."""
        if time <= self.lift:
            return self.way(time)
        left, velocity = self.way(self.lift) - self.target, 2 * self.way(self.lift) / self.lift
        time -= self.lift
        return self.target + (left + (velocity + PACE * left) * time) * math.exp(-PACE * time)

    def lines(self, number):
        """Events, touches, values and the decision, each with its time in seconds."""
        def row(time, **what):
            return self.begin + time, what

        yield row(0, event="start", to="open")
        for step in range(self.steps + 1):
            y, time = round(self.y - self.finger(step), 2), step / TOUCH_HZ
            yield row(time, touch={"contact": number, "phase": "moved" if step else "began", "x": round(self.x, 1), "y": y})
            yield row(time, key="progress", value=round(self.finger(step) / self.distance, 6), unit="1", phase="driving")
        yield row(self.lift, touch={"contact": number, "phase": "ended", "x": round(self.x, 1), "y": y})
        outcome = "finish" if self.target else "cancel"
        yield row(self.lift, decision={
            "outcome": outcome, "transition": number, "rule": "progress", "threshold": 0.5, "progress": self.progress,
            "progressVelocity": round(2 * self.way(self.lift) / self.lift / self.distance, 3),
            "marginProgress": round(abs(self.progress - 0.5), 6),
            "ruleParameters": json.dumps({"rule": "progress", "threshold": 0.5, "distance": self.distance})})
        yield row(self.lift + 0.001, event=outcome)
        yield row(self.lift + REST, event="completion")


def session(device, build):
    """The lines of a session, in the order of their times."""
    width, height, speed = DEVICES[device]
    delay, late = BUILDS[build]
    chance, swipes, lines, end = random.Random(f"{device} {build}"), [], [], 0.1
    for number in range(SWIPES):
        swipes.append(Swipe(end, width, height, speed, chance))
        lines += swipes[-1].lines(number)
        end = swipes[-1].end
    frame = 0
    while frame / FRAME_HZ < end:
        time = frame / FRAME_HZ
        swipe = next((swipe for swipe in swipes if swipe.begin <= time < swipe.end), None)
        offset, what = 0.0, {"phase": "idle"}
        if swipe:
            offset = swipe.shown(time - delay / FRAME_HZ - swipe.begin)
            phase = "driving" if time <= swipe.begin + swipe.lift else "settling"
            what = {"phase": phase, "progress": round(offset / swipe.distance, 6)}
            if phase == "settling":
                lines.append((time, {"key": "progress", "value": what["progress"], "phase": phase}))
        what["items"] = [{"id": "sheet", "frame": [0, round(height - 120 - offset, 2), width, height]}]
        lines.append((time, {"frame": what}))
        frame += 3 if swipe and chance.random() < late else 1
    header = {"kymograph": 1, "name": f"{device}-{build}", "refreshRate": FRAME_HZ, "viewport": [width, height],
              "device": device, "software": f"sheet {build}"}
    rows = [{"t_ns": round(time * 1e6) * 1000, **what} for time, what in sorted(lines, key=lambda line: line[0])]
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in [header, *rows])


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    for device in DEVICES:
        for build in BUILDS:
            (folder / f"{device}-{build}.ndjson").write_text(session(device, build))


if __name__ == "__main__":
    main()
