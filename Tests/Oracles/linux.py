#!/usr/bin/env python3
"""Touches of Linux, by the programs that own the formats.

    Tests/Oracles/linux.py KYMO

Every recording of evemu among the fixtures, and those in ../shared/gestures, is read and written by `kymo export evemu`;
evemu's library reads the file: the device can be touched, every event is there, and the touches are the same. One is
played into a pipe. libinput-analyze-touch-down-state says of recordings of libinput which slots are touched when, and
regular expressions count and sum up what libinput's debug-events say; kymo must agree with both.
"""
import collections
import ctypes
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from export_checks.checking import check, findings, tally
from gestures import read_evemu

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests/Fixtures/gestures"
SHARED = ROOT.parent / "shared/gestures"
TOUCH_DOWN_STATE = "/usr/libexec/libinput/libinput-analyze-touch-down-state"
SLOT, X, Y, TRACKING_ID, TOUCH = (3, 0x2F), (3, 0x35), (3, 0x36), (3, 0x39), (1, 0x14A)


class Event(ctypes.Structure):
    """struct input_event of a 64 bit kernel."""
    _fields_ = [("seconds", ctypes.c_long), ("micros", ctypes.c_long), ("type", ctypes.c_ushort),
                ("code", ctypes.c_ushort), ("value", ctypes.c_int)]


class Evemu:
    """A file as evemu's library reads it."""
    c, library = ctypes.CDLL(None), ctypes.CDLL("libevemu.so.3")
    c.fopen.restype = library.evemu_new.restype = ctypes.c_void_p
    for name, count in [("evemu_read", 2), ("evemu_read_event", 2), ("evemu_play", 2), ("evemu_delete", 1)]:
        getattr(library, name).argtypes = [ctypes.c_void_p] * count
    for name, count in [("evemu_has_event", 2), ("evemu_has_prop", 1), ("evemu_get_abs_maximum", 1),
                        ("evemu_get_abs_minimum", 1)]:
        getattr(library, name).argtypes = [ctypes.c_void_p] + [ctypes.c_int] * count
    library.evemu_play.argtypes = [ctypes.c_void_p, ctypes.c_int]

    def __init__(self, path):
        self.path = path
        self.device = self.library.evemu_new(b"")
        file = self.c.fopen(str(path).encode(), b"r")
        self.was_read = self.library.evemu_read(self.device, ctypes.c_void_p(file)) > 0
        self.events, event = [], Event()
        while self.library.evemu_read_event(file, ctypes.byref(event)) > 0:
            self.events.append((event.seconds * 10**6 + event.micros, event.type, event.code, event.value))
        self.c.fclose(ctypes.c_void_p(file))

    def can(self, event):
        return bool(self.library.evemu_has_event(self.device, *event))

    def bounds(self, axis):
        return (self.library.evemu_get_abs_minimum(self.device, axis),
                self.library.evemu_get_abs_maximum(self.device, axis))

    def play(self):
        """What a player sends: each event of the file, paced as it says."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            file = self.c.fopen(str(self.path).encode(), b"r")
            self.library.evemu_play(file, writer)
            os._exit(0)
        os.close(writer)
        with open(reader, "rb") as pipe:
            sent = pipe.read()
        os.waitpid(child, 0)
        return [record[2:] for record in struct.iter_unpack("qqHHi", sent)]


def written_events(path):
    """The events of a file, by its text."""
    rows = [line.split("#")[0].split()[1:] for line in path.read_text().splitlines() if line.startswith("E:")]
    return [(int(time.replace(".", "")), int(kind, 16), int(code, 16), int(value))
            for time, kind, code, value in rows]


class Kymo:
    def __init__(self, program):
        self.program = program

    def run(self, *words, code=0):
        run = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True)
        check(f"kymo {' '.join(map(str, words[:2]))} ends with {code}", run.returncode == code, run.stderr[:300])
        return run

    def touches(self, path, *flags, code=0):
        rows = json.loads(self.run("list", "touches", path, "--json", *flags, code=code).stdout or "[]")
        return [tuple(row[name] for name in ["t_ns", "contact", "phase", "x", "y"]) for row in rows]


def test_evemu(kymo, folder):
    recordings = sorted([*FIXTURES.glob("*.evemu"), *SHARED.glob("*.evemu"), *SHARED.glob("*.events")])
    for path in FIXTURES.glob("*.evemu"):
        device = Evemu(path)
        check(f"{path.name} describes a touch screen", device.was_read and all(
            map(device.can, [SLOT, X, Y, TRACKING_ID, TOUCH])))
        check(f"{path.name} begins where no pause is lost", device.events[0][0] == 1)
    played = False
    for path in recordings:
        out = folder / f"{path.stem}.evemu"
        original = kymo.touches(path)
        kymo.run("export", "evemu", path, "-o", out)
        device = Evemu(out)
        check(f"{out.name} is read by evemu's library", device.was_read)
        check("its device can be touched", all(map(device.can, [SLOT, X, Y, TRACKING_ID, TOUCH])))
        check("it is a screen", device.library.evemu_has_prop(device.device, 1) == 1)
        check("every event is read", device.events == written_events(out), len(device.events))
        check("it begins where no pause is lost", device.events[0][0] == 1)
        for axis, index in [(X[1], 3), (Y[1], 4)]:
            low, high = device.bounds(axis)
            check("its axes hold every place", all(low <= row[index] <= high for row in original))
        check("our reader gives the same touches", kymo.touches(out) == original)
        check("so does a reader that shares nothing with it", read_evemu(out) == original)
        if not played:
            played = True
            check("a player sends every event", device.play() == [row[1:] for row in device.events])
    for path, words in [("swipe.pointer.ndjson", "rounded to whole units"), ("drag-short.csv", "rounded to whole units")]:
        out = folder / f"{path}.evemu"
        run = kymo.run("export", "evemu", FIXTURES / path, "-o", out, code=3)
        check(f"{path} says what was rounded", words in run.stderr, run.stderr)
        worst = max(abs(a - b) for old, new in zip(kymo.touches(FIXTURES / path), kymo.touches(out))
                    for a, b in zip(old[3:], new[3:]))
        check("and no place is off by more than half a unit", worst <= 0.5, worst)
        check("evemu's library reads it", Evemu(out).events == written_events(out))
    print(f"  {len(recordings)} recordings of evemu written, read by libevemu and read again alike")


def libinput_record(events):
    """The events as a recording of libinput, with nothing that its tools do not ask for."""
    head = ("version: 1\nndevices: 1\nlibinput:\n  version: \"1.22.1\"\ndevices:\n- node: /dev/input/event0\n  evdev:\n"
            "    name: \"panel\"\n    id: [6, 0, 0, 0]\n    codes:\n      3: [47, 53, 54, 57]\n    absinfo:\n"
            "      47: [0, 9, 0, 0, 0]\n    properties: []\n  hid: null\n  udev:\n    properties: []\n  quirks:\n  events:\n")
    lines, begins = [], True
    for time, kind, code, value in events:
        if begins:
            lines.append("  - evdev:\n")
        lines.append(f"    - [{time // 10**6:3}, {time % 10**6:6}, {kind:3}, {code:3}, {value:7}]\n")
        begins = (kind, code) == (0, 0)
    return head + "".join(lines)


def touched(text):
    """[(microseconds, the slots that are touched)], as libinput's own tool prints them."""
    rows = []
    for line in text.splitlines():
        match = re.match(r"\s*(\d+)\.(\d{6}) \|[^|]*\|(.*)\|", line)
        if match:
            rows.append((int(match[1] + match[2]), {
                slot for slot, cell in enumerate(match[3].split("|")) if cell.strip()}))
    return rows


def test_touch_down_state(kymo, folder):
    files = [FIXTURES / "two-fingers.libinput-record.yml"]
    for path in sorted([*FIXTURES.glob("*.evemu"), *SHARED.glob("*.evemu"), *SHARED.glob("*.events")]):
        events = written_events(path)
        if not any(row[1:3] == TRACKING_ID for row in events):
            continue
        first = events[0][0]
        files.append(folder / f"{path.stem}.yml")
        files[-1].write_text(libinput_record([(row[0] - first, *row[1:]) for row in events]))
    for path in files:
        run = subprocess.run(["/usr/bin/python3", TOUCH_DOWN_STATE, path], capture_output=True, text=True)
        check(f"libinput's tool reads {path.name}", run.returncode == 0, run.stderr[-300:])
        rows = json.loads(kymo.run("list", "touches", path, "--json").stdout)
        down, states = set(), []
        for number, row in enumerate(rows):
            down = down - {row["slot"]} if row["phase"] == "ended" else down | {row["slot"]}
            is_last = number + 1 == len(rows) or rows[number + 1]["t_ns"] != row["t_ns"]
            if is_last and (not states or states[-1][1] != down):
                states.append((row["t_ns"] // 1000, set(down)))
        reported = touched(run.stdout)
        first = reported[0][0] if reported else 0
        check(f"{path.name}: the same slots are touched at the same times",
              states == [(time - first, slots) for time, slots in reported], (states[:4], reported[:4]))
    print(f"  {len(files)} recordings of libinput: slots touched as its own tool says")


GESTURE = re.compile(r"(event\d+)\s+GESTURE_(SWIPE|PINCH)_(BEGIN|UPDATE|END)\s+(?:\d+\s+)?\+\s*([\d.]+)s\s+\d+(.*)")
DELTA = re.compile(r"\s*(-?[\d.]+)/\s*(-?[\d.]+)\s+\(\s*(-?[\d.]+)/\s*(-?[\d.]+) unaccelerated\)")
SCROLL = re.compile(r"(event\d+)\s+POINTER_SCROLL_FINGER\s+(?:\d+\s+)?\+\s*([\d.]+)s\s+vert (-?[\d.]+)\S* horiz (-?[\d.]+)")


def test_debug_events(kymo):
    for path in sorted(FIXTURES.glob("*.libinput-events.txt")):
        for first, deltas in [(1, "accelerated"), (3, "unaccelerated")]:
            rows = kymo.touches(path, "--deltas", deltas)
            counts, ends, sums, open_gestures = collections.Counter(), [], [0.0, 0.0], set()
            for line in path.read_text().splitlines():
                if match := GESTURE.search(line):
                    fingers = 2 if match[2] == "PINCH" else 1
                    counts[match[3]] += fingers
                    counts["cancelled"] += fingers * match[5].endswith("cancelled")
                    if match[3] == "BEGIN":
                        sums = [0.0, 0.0]
                    elif match[2] not in open_gestures:
                        # Without its first line a gesture begins at (0, 0), with a touch of its own.
                        sums = [0.0, 0.0]
                        counts["BEGIN"] += fingers * (match[3] == "UPDATE")
                    open_gestures = (open_gestures | {match[2]}) - ({match[2]} if match[3] == "END" else set())
                    if delta := DELTA.match(match[5]):
                        sums = [sums[0] + float(delta[first]), sums[1] + float(delta[first + 1])]
                    if match[3] == "END":
                        ends.append(tuple(round(number, 6) for number in sums))
                elif match := SCROLL.search(line):
                    counts["scroll"] += 1
                    step = [float(match[4]), float(match[3])]
                    counts["BEGIN"] += not counts["scrolling"] and step != [0, 0]
                    sums = [a + b for a, b in zip(sums, step)] if counts["scrolling"] else step
                    counts["scrolling"] = int(step != [0, 0])
                    if step == [0, 0]:
                        ends.append(tuple(round(number, 6) for number in sums))
            check(f"{path.name}: a touch for every line, of a pinch two, and for the beginning of a scroll",
                  len(rows) == sum(counts[name] for name in ["BEGIN", "UPDATE", "END", "scroll"]), len(rows))
            check("as many are cancelled", sum(row[2] == "cancelled" for row in rows) == counts["cancelled"])
            last = [row for row in rows if row[2] in ("ended", "cancelled")]
            centres, number = [], 0
            while number < len(last):
                # The fingers of a pinch lift together; between them is the centre.
                pair = last[number:number + 2]
                many = 2 if len(pair) == 2 and pair[0][0] == pair[1][0] else 1
                centres.append(tuple(round(sum(row[axis] for row in pair[:many]) / many, 6) for axis in (3, 4)))
                number += many
            check(f"{path.name}: the {deltas} sums are as far", centres == ends, (centres, ends))
    print("  libinput's debug-events counted and summed up alike")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    kymo = Kymo(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        test_evemu(kymo, pathlib.Path(name))
        test_touch_down_state(kymo, pathlib.Path(name))
    test_debug_events(kymo)
    print(f"{tally()} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
