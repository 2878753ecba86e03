#!/usr/bin/env python3
"""What `kymo export` writes, read by programs that nobody here wrote, against the recordings' plain rows.

    Tests/Oracles/export.py KYMO [FOLDER]

CSV by Python's csv, pandas and DuckDB; NDJSON by json, and recorded again by `kymo record`; Chrome traces by
json and the rules of the format; Lottie by rlottie's pixels and python-lottie's geometry; keyframes and SVG in
a real Chromium. The rows are read by Python's own sqlite3. FOLDER keeps what was written, and pictures.
"""
import csv
import io
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
from decimal import Decimal

from packages import need

need()

from export_checks import browser_checks, lottie_checks
from export_checks.checking import check, findings, tally
from export_checks.recordings import make_recordings
from report_page.rows import Recording

TABLES = {
    "samples": "ORDER BY t_ns, ordinal", "frames": "ORDER BY frame", "attributes": "ORDER BY frame, item",
    "events": "ORDER BY sequence", "touches": "ORDER BY sequence", "decisions": "ORDER BY sequence",
}


def bits(value):
    """A value so that equal means equal bits."""
    return struct.pack("<d", value) if isinstance(value, float) else value


def as_stored(text, stored):
    """A cell as the kind of value that the row holds."""
    if stored is None:
        return None if text == "" else text
    if isinstance(stored, float):
        return float(text)
    return type(stored)(text)


class Exports:
    """The program, and where its files go."""

    def __init__(self, kymo, folder):
        self.kymo, self.folder = kymo, pathlib.Path(folder)

    def export(self, kind, recording, *flags, code=0, suffix=""):
        """Writes a file, and holds that standard output says the same bytes."""
        out = self.folder / f"{recording.stem}{suffix}.{kind}"
        words = [self.kymo, "export", kind, str(recording), *map(str, flags)]
        answer = subprocess.run([*words, "-o", str(out), "--force"], capture_output=True)
        name = f"export {kind} {recording.stem} {' '.join(map(str, flags))}"
        check(f"{name} ends with {code}", answer.returncode == code,
              f"{answer.returncode} {answer.stderr.decode()}")
        plain = subprocess.run(words, capture_output=True)
        check(f"{name} is the same on standard output", plain.stdout == out.read_bytes(), len(plain.stdout))
        return out


# --- CSV -----------------------------------------------------------------------------------------

def check_csv(exports, path):
    import duckdb
    import pandas

    recording = Recording(path)
    for table, order in TABLES.items():
        out = exports.export("csv", path, "--table", table, suffix="-" + table)
        data = out.read_bytes()
        stored = recording.rows(table, order)
        rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
        name = f"csv {table} of {path.stem}"
        check(f"{name}: as many rows", len(rows) == len(stored), f"{len(rows)} of {len(stored)}")
        check(f"{name}: lines end in CR LF", data.endswith(b"\r\n"), data[-4:])
        wrong = 0
        for row, known in zip(rows, stored):
            for column, text in row.items():
                if bits(as_stored(text, known[column])) != bits(known[column]):
                    wrong += 1
                    if wrong < 4:
                        print("   ", table, column, repr(text), repr(known[column]))
        check(f"{name}: Python's csv reads every cell to the bit", wrong == 0, wrong)
        if not rows:
            continue
        numbers = [c for c in rows[0] if any(isinstance(r[c], float) for r in stored)]
        frame = pandas.read_csv(out, keep_default_na=False, na_values={c: [""] for c in numbers},
                                dtype=dict.fromkeys(numbers, "float64"))
        check(f"{name}: pandas has as many rows", len(frame) == len(stored), len(frame))
        relation = duckdb.sql(f"SELECT * FROM read_csv('{out}', header=true, all_varchar=true)")
        answer = [dict(zip(relation.columns, row)) for row in relation.fetchall()]
        check(f"{name}: DuckDB has as many rows", len(answer) == len(stored), len(answer))
        for column in numbers:
            known = [r[column] for r in stored]
            read = [None if math.isnan(v) else v for v in frame[column]]
            check(f"{name}: pandas reads {column} to the bit", list(map(bits, read)) == list(map(bits, known)))
            cast = duckdb.sql(f"SELECT CAST(NULLIF({column}, '') AS DOUBLE) FROM relation").fetchall()
            check(f"{name}: DuckDB reads {column} to the bit",
                  [bits(r[0]) for r in cast] == list(map(bits, known)))


def check_wide(exports, path):
    recording = Recording(path)
    out = exports.export("csv", path, "--wide", suffix="-wide")
    rows = list(csv.reader(io.StringIO(out.read_text(), newline="")))
    for place, key in enumerate(rows[0][2:], 2):
        wide = [(int(r[1]), bits(float(r[place]))) for r in rows[1:] if r[place] != ""]
        known = [(r["t_ns"], bits(r["value"]))
                 for r in recording.rows("samples", "ORDER BY t_ns, ordinal") if r["key"] == key]
        check(f"wide csv of {path.stem}: {key}", wide == known, f"{len(wide)} of {len(known)}")


# --- NDJSON --------------------------------------------------------------------------------------

POSE = ["center_x", "center_y", "width", "height", "alpha", "z_index", "hidden", "index_section",
        "index_item", "transform_a", "transform_b", "transform_c", "transform_d", "transform_tx", "transform_ty",
        "transform_3d"]


def folded(recording):
    """Every frame with what is there, from the rows of attributes."""
    names = {r["item"]: (r["category"], r["element_kind"], r["id"]) for r in recording.rows("items")}
    present, frames = {}, []
    for frame in recording.frames:
        if frame["is_key_frame"]:
            present = {}
        for row in recording.changes.get(frame["frame"], []):
            if row["change"] == "gone":
                present.pop(names[row["item"]], None)
            else:
                present[names[row["item"]]] = tuple(bits(row[c]) for c in POSE)
        frames.append((frame["t_ns"], frame["phase"], frame["progress"], dict(present)))
    return frames


def check_ndjson(exports, path):
    recording = Recording(path)
    out = exports.export("ndjson", path)
    lines = [json.loads(line) for line in out.read_text().split("\n") if line]
    name = f"ndjson of {path.stem}"
    check(f"{name}: header first", lines[0]["kymograph"] == 1)
    timed = [line for line in lines if "t_ns" in line]
    samples = [(line["t_ns"], line["key"], bits(float(line["value"])), line.get("phase", "driving"))
               for line in timed if "key" in line and "event" not in line]
    known = [(r["t_ns"], r["key"], bits(r["value"]), r["phase"]) for r in recording.rows("samples")]
    check(f"{name}: all samples", sorted(samples) == sorted(known), f"{len(samples)} of {len(known)}")
    check(f"{name}: in the order of time",
          all(a["t_ns"] <= b["t_ns"] for a, b in zip(timed, timed[1:])) or "backwards" in path.stem)
    check(f"{name}: all frames", sum("frame" in line for line in timed) == len(recording.frames))
    check(f"{name}: all touches", sum("touch" in line for line in timed) == len(recording.rows("touches")))
    check(f"{name}: all events", sum("event" in line for line in timed) == len(recording.rows("events")))
    # Back into a recording: everything stands there again.
    back = exports.folder / f"{path.stem}-again.kymo"
    back.unlink(missing_ok=True)
    answer = subprocess.run([exports.kymo, "record", "--from-ndjson", str(out), "--into", str(back)],
                            capture_output=True, text=True)
    check(f"{name}: is recorded again", answer.returncode == 0 and answer.stderr == "", answer.stderr)
    subprocess.run([exports.kymo, "file", "unpack", str(back)], capture_output=True, check=True)
    again = Recording(back)
    for view in ["samples", "frames", "touches", "decisions", "estimates", "keys", "items"]:
        rows = [tuple(map(bits, r)) for r in recording.rows(view)]
        same = [tuple(map(bits, r)) for r in again.rows(view)]
        if view == "frames":
            # Which frames are key frames is the recorder's own affair.
            rows, same = [r[:-1] for r in rows], [r[:-1] for r in same]
        check(f"{name}: the same {view} again", rows == same, f"{len(rows)} and {len(same)}")
    rows = [[(r["t_ns"], r["event"], json.loads(r["fields"])) for r in side.rows("events", "ORDER BY sequence")]
            for side in (recording, again)]
    check(f"{name}: the same events again", rows[0] == rows[1])
    check(f"{name}: the same poses in every frame again", folded(recording) == folded(again))
    facts = ["name", "clock", "refresh_rate", "viewport_width", "viewport_height", "software", "device", "outcome",
             "end_ns", "wall_clock_ns", "scenario", "transition", "settle", "release", "engine_version",
             "gesture_source"]
    differing = [f for f in facts if recording.facts[f] != again.facts[f]]
    check(f"{name}: the same facts of the session again", differing == [], differing)
    answer = subprocess.run([exports.kymo, "compare", str(path), str(back)], capture_output=True, text=True)
    check(f"{name}: compare finds no difference", answer.returncode in (0, 2) and
          (answer.returncode == 0 or not known), answer.stdout + answer.stderr)


# --- Chrome --------------------------------------------------------------------------------------

def check_chrome(exports, path, code=0):
    recording = Recording(path)
    out = exports.export("chrome", path, code=code)
    trace = json.loads(out.read_text(), parse_float=Decimal)
    events = trace["traceEvents"]
    name = f"chrome trace of {path.stem}"
    check(f"{name}: every event has its fields", all(
        {"ph", "pid", "tid", "name"} <= e.keys() and (e["ph"] == "M" or "ts" in e) for e in events))
    check(f"{name}: only known kinds of events", {e["ph"] for e in events} <= set("MCbei"))
    check(f"{name}: one process", {e["pid"] for e in events} == {recording.session})
    counters = {}
    for event in events:
        if event["ph"] == "C":
            time = Decimal(event["ts"]) * 1000
            check(f"{name}: whole nanoseconds", time == int(time), time) if time != int(time) else None
            counters.setdefault(event["name"], []).append((int(time), event["args"]))
    for key in recording.rows("keys"):
        rows = [(r["t_ns"], bits(r["value"]))
                for r in recording.rows("samples", "ORDER BY t_ns, ordinal") if r["key"] == key["key"]]
        label = key["key"] if key["unit"] in ("1", "") else f"{key['key']} ({key['unit']})"
        read = [(t, bits(float(a["value"]))) for t, a in counters.get(label, [])]
        check(f"{name}: the counter {label}", read == rows, f"{len(read)} of {len(rows)}")
    begun, spans = {}, []
    for event in events:
        key = (event.get("cat"), event.get("id"))
        if event["ph"] == "b":
            check(f"{name}: {key} begins once", key not in begun) if key in begun else None
            begun[key] = event
        elif event["ph"] == "e":
            start = begun.pop(key, None)
            check(f"{name}: {key} had begun", start is not None and start["ts"] <= event["ts"]) \
                if start is None or start["ts"] > event["ts"] else None
            spans.append((event["cat"], event["name"]))
    check(f"{name}: every span ends", begun == {}, list(begun)[:3])
    for contact in {r["contact"] for r in recording.rows("touches")}:
        check(f"{name}: contact {contact} has a span", ("touch", f"contact {contact}") in spans)
    ids = {r["id"] for r in recording.rows("attributes")}
    check(f"{name}: every item has a span", ids == {n for c, n in spans if c == "item"}, len(ids))
    instants = [e for e in events if e["ph"] == "i"]
    check(f"{name}: an instant for every event and decision",
          len(instants) == len(recording.rows("events")) + len(recording.rows("decisions")), len(instants))


def main():
    kymo = sys.argv[1]
    keep = sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        exports = Exports(kymo, folder)
        recordings = make_recordings(kymo, folder)
        for name, path in recordings.items():
            print(f"  {name}", flush=True)
            check_csv(exports, path)
            check_wide(exports, path)
            check_ndjson(exports, path)
            check_chrome(exports, path, code=3 if name == "backwards" else 0)
        for name in ["pinch", "insert", "turns", "layers"]:
            lottie_checks.run(exports, recordings[name])
        browser_checks.run(exports, recordings)
    print(f"{tally()} checks, {len(findings)} failed")
    sys.exit(1 if findings else 0)


main()
