#!/usr/bin/env python3
"""The shipped gestures, made again and read again.

    Tests/Oracles/gestures.py KYMO

Runs Tools/make-gestures and compares byte by byte; then reads every evemu fixture with a reader of
its own and compares the touches with those that `kymo record` and `kymo list touches` give.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIXTURES = os.path.join(ROOT, "Tests/Fixtures/gestures")
SCENARIO = os.path.join(ROOT, "Tests/Fixtures/scenarios/grid-to-detail.pinch.json")


def read_evemu(path):
    """[(ns since the first touch, contact, phase, x, y)], by the slot protocol."""
    slot, slots, landed, frame, rows = 0, {}, 0, {}, []
    for line in open(path, encoding="ascii"):
        if not line.startswith("E:"):
            continue
        time, kind, code, value = line.split("#")[0].split()[1:]
        seconds, micros = time.split(".")
        kind, code, value = int(kind, 16), int(code, 16), int(value)
        state = slots.setdefault(slot, {})
        if (kind, code) == (3, 0x2F):
            slot = value
        elif (kind, code) == (3, 0x39):
            frame[slot] = "began" if value >= 0 else "ended"
        elif kind == 3 and code in (0x35, 0x36):
            state["x" if code == 0x35 else "y"] = value
            frame.setdefault(slot, "moved")
        elif (kind, code) == (0, 0):
            for index in sorted(frame):
                state = slots[index]
                if frame[index] == "began":
                    state["contact"], landed = landed, landed + 1
                rows.append(((int(seconds) * 10**6 + int(micros)) * 1000, state["contact"],
                             frame[index], state["x"], state["y"]))
            frame = {}
    return [(row[0] - rows[0][0],) + row[1:] for row in rows]


def main(kymo):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([os.path.join(ROOT, "Tools/make-gestures"), folder], check=True)
        made = sorted(os.listdir(folder))
        for name in made:
            with open(os.path.join(folder, name), "rb") as new, \
                    open(os.path.join(FIXTURES, name), "rb") as old:
                if new.read() != old.read():
                    print(f"{name} is not what Tools/make-gestures writes")
                    return 1
    recordings = [name for name in sorted(os.listdir(FIXTURES)) if name.endswith(".evemu")]
    for name in recordings:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "touches.kymo")
            path = os.path.join(FIXTURES, name)
            subprocess.run([kymo, "record", "--scenario", SCENARIO, "--gesture", path, "--into", file],
                           check=True, capture_output=True)
            answer = subprocess.run([kymo, "list", "touches", file, "--format", "json"], check=True,
                                    capture_output=True, text=True)
        found = [(row["t_ns"], row["contact"], row["phase"], row["x"], row["y"])
                 for row in json.loads(answer.stdout)]
        if found != read_evemu(path):
            print(f"{name}: the touches differ")
            print("\n".join(f"  {a}  {b}" for a, b in zip(found, read_evemu(path)) if a != b))
            return 1
    print(f"gestures.py: {len(made)} files made alike, {len(recordings)} recordings read alike")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
