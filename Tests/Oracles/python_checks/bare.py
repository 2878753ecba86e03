"""What the package does without any other package: run in an environment that has the wheel alone.

    bare.py FOLDER

Records, reads, is killed, forks and is used wrongly. Everything that is read is compared bit for bit with what was
recorded, with SQLite's own answer to the views, and with the program's.
"""
import array
import copy
import gc
import importlib.util
import json
import math
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import kymograph
from export_checks.checking import check, findings, tally

MS = 1_000_000
EXTREMES = [0.0, -0.0, 5e-324, -2.5e-310, 1.7976931348623157e308, 0.1, 1 / 3, -1.0, 2.0**53 + 1]


def bits(numbers):
    return [struct.pack("<d", number) for number in numbers]


def refused(words, call, kind, *parts):
    """The call raises an error of the kind, whose sentence has the parts."""
    try:
        call()
    except kind as error:
        check(words, all(part in str(error) for part in parts), error)
    else:
        check(words, False, "nothing was raised")


def record_swipe(path, name, threshold, seed=0):
    """A swipe through a timeline, whose release has a decision and estimates."""
    chance = random.Random(seed)
    with kymograph.Recorder(path, name=name, viewport=(390, 844), refresh_rate=60, pack=False) as recorder:
        with recorder.timeline(distance=390) as timeline:
            timeline.rule("progress", threshold)
            timeline.start("grid", "detail", at=0)
            timeline.touch(7, "began", 9, 800, at=0)
            progress = 0.0
            for step in range(1, 25):
                at = step * 8 * MS + chance.randrange(1000)
                progress = 1 - math.cos(step / 24 * 1.2)
                timeline.touch(7, "moved", 9, 800 - 390 * progress, at=at)
                timeline.progress(progress, at=at)
                timeline.value("scale", 1 + progress, at=at)
                timeline.see("card", (0, 800 - 390 * progress, 390, 100))
                timeline.frame(at=at, next=at + 8 * MS)
            finish = progress > threshold
            timeline.touch(7, "ended", 9, 800 - 390 * progress, at=195 * MS)
            timeline.release(finish, at=197 * MS)
            for step in range(26, 60):
                rest = progress + (finish - progress) * (1 - math.exp(-(step - 25) / 6))
                timeline.progress(rest, at=step * 8 * MS)
                timeline.see("card", kymograph.Pose(0, 800 - 390 * rest, 390, 100, alpha=0.5, z=2))
                timeline.frame(at=step * 8 * MS)
            timeline.complete(finish, at=480 * MS)
            timeline.frame(at=488 * MS)


def try_values(folder):
    """Values by every call: each bit comes back, and SQLite and the program read the same."""
    path, chance = folder / "values.kymo", random.Random(7)
    times = sorted(chance.sample(range(10**10), 900))
    values = EXTREMES + [struct.unpack("<d", struct.pack("<Q", chance.randrange(1, 0x7FEF << 48)))[0] for _ in range(891)]
    with kymograph.Recorder(path, name="values", pack=False) as recorder:
        key = recorder.key("by key", "pt")
        for time, value in zip(times, values):
            key(value, time, 1)
            recorder.value("by name", value, at=time, phase="settling")
        recorder.values("by list", times, values)
        recorder.values("by array", array.array("q", times), array.array("d", values), phase="driving")
        check("the recorder's session is the first", recorder.session == 1)
        refused("times without values are refused", lambda: recorder.values("x", [1], []), ValueError, "1 times and 0")
        refused("times in seconds are refused", lambda: recorder.values("x", [0.5], [1]), TypeError)
        refused("an unknown phase is refused", lambda: recorder.values("x", [1], [1], "moving"), ValueError, "driving")
    with kymograph.open(path) as recording, sqlite3.connect(path) as database:
        session = recording["values"]
        check("keys have their units", session.keys["by key"] == "pt" and session.keys["by list"] == "1", session.keys)
        for name, phase in [("by key", 1), ("by name", 2), ("by list", 0), ("by array", 1)]:
            samples = session.samples(name)
            check(f"{name}: times", list(samples.t_ns) == times)
            check(f"{name}: values, bit for bit", bits(samples.value) == bits(values))
            check(f"{name}: phases", set(samples.phase) == {phase}, set(samples.phase))
            rows = database.execute("SELECT t_ns, value FROM samples WHERE key = ? ORDER BY t_ns, ordinal", (name,)).fetchall()
            # SQLite keeps a real that is a whole number as an integer, which has no -0.
            check(f"{name}: as SQLite reads them",
                  [row[0] for row in rows] == times and [row[1] for row in rows] == list(samples.value))
        rows = session.sql("SELECT value FROM samples WHERE key = 'by list' ORDER BY t_ns, ordinal")
        check("values as the program's JSON has them", [row["value"] for row in rows] == values)
        check("samples iterate as pairs", list(session.samples("by key"))[3] == (times[3], values[3]))
    database.close()
    kymograph.kymo("file", "pack", path)
    with kymograph.open(path) as recording:
        check("packed values come back, bit for bit", bits(recording[0].samples("by key").value) == bits(values))


def try_packing(folder):
    """A recorder packs unless it is told not to, and both read alike."""
    path = folder / "packing.kymo"
    for pack in [None, True, False]:
        with kymograph.Recorder(path, **({} if pack is None else {"pack": pack})) as recorder:
            recorder.values("x", range(0, 30_000_000_000, 10_000_000), [step * 0.1 for step in range(3000)])
    with kymograph.open(path) as recording:
        sealed = [row["sealed_row_count"] for row in recording[0].sql("SELECT sealed_row_count FROM sessions ORDER BY session")]
        check("a recorder packs unless it is told not to", sealed[0] == sealed[1] > 2900 and sealed[2] == 0, sealed)
        for session in recording:
            check("packed values are the values", bits(session.samples("x").value) == bits([step * 0.1 for step in range(3000)]))


def try_records(folder):
    """Frames, touches, events and decisions, as the views of SQLite have them."""
    path = folder / "records.kymo"
    pose = kymograph.Pose(10, 20, 30, 40, alpha=0.25, z=-3, hidden=True, transform=(1, 0.5, -0.5, 1, 3, 4))
    with kymograph.Recorder(path, name="Größe ☃", viewport=(390, 844), refresh_rate=120, software="test 1",
                            pack=False) as recorder:
        recorder.frame({"card": (0, 700, 390, 144), "badge": pose}, at=0, progress=0.25, phase="driving", offset=(1, 2),
                       content_size=(390, 2000))
        recorder.frame({"card": (0, 690.5, 390, 144)}, at=8 * MS)
        recorder.touch(0, "began", 9, 800.5, at=1)
        recorder.touch(0, "cancelled", 9, 700, at=2)
        recorder.event("mark", at=3, text="two\nlines", count=-(2**63), share=0.1, yes=True, no=False, nothing=None)
        recorder.decision("cancel", at=4, rule="velocity", threshold=0.4, progress=0.3, velocity=-1.25, margin_velocity=0.5,
                          rule_outcome="finish", decided_by="app", parameters={"window": 0.1})
        check("a recorder tells its time", 0 <= recorder.now and recorder.origin > 0)
        check("there is no trouble", recorder.trouble is None, recorder.trouble)
        recorder.sync()
        recorder.suspend()
        recorder.resume()
    recording = kymograph.open(path)
    session = recording[0]
    check("a session knows itself",
          (session.name, session.software, session.is_clean, session.counts["frame"], session.counts["touch"]) ==
          ("Größe ☃", "test 1", True, 2, 2), vars(session))
    check("a session is found by its name", recording["Größe ☃"] is session and len(recording) == 1)
    with sqlite3.connect(path) as database:
        database.row_factory = sqlite3.Row
        for view, order, rows in [
            ("frames", "frame", session.frames()), ("attributes", "frame, item", session.poses()),
            ("touches", "sequence", session.touches()), ("decisions", "sequence", session.decisions()),
            ("transitions", "sequence", session.transitions()), ("estimates", "sequence", session.estimates()),
        ]:
            cursor = database.execute(f"SELECT * FROM {view} ORDER BY {order}")
            names = [column[0] for column in cursor.description]
            check(f"{view}: the columns of the view", rows.names == names, rows.names)
            check(f"{view}: the rows of the view", list(rows) == [dict(row) for row in cursor], rows)
    database.close()
    badge = session.poses()[1]
    check("a pose is the one that was given",
          (badge["center_x"], badge["center_y"], badge["alpha"], badge["z_index"], badge["hidden"], badge["transform_tx"]) ==
          (25, 40, 0.25, -3, 1, 3), badge)
    event = next(row for row in session.events() if row["event"] == "mark")
    check("an event has its fields", (event["text"], event["count"], event["share"], event["yes"], event["no"],
                                      event["nothing"]) == ("two\nlines", -(2**63), 0.1, True, False, None), event)
    decision = session.decisions()[0]
    check("a decision has its numbers",
          (decision["outcome"], decision["rule_outcome"], decision["progress_velocity"], decision["margin_velocity"],
           decision["margin_progress"], decision["rule_parameters"]) ==
          ("cancel", "finish", -1.25, 0.5, None, '{"window": 0.1}'), decision)


def try_limits(folder):
    """Numbers and names that no recording can have, copies, a suspended recorder, a fork."""
    path = folder / "limits.kymo"
    with kymograph.Recorder(path) as recorder:
        recorder.value("a", 1, at=2**64 + 7)
        recorder.value("a", 10**400, at=5)
        recorder.value("a", 3, at=2**63 - 1)
        recorder.key("a")(10**400, at=8)
        recorder.values("list", [1, 2**70, 3], [1, 2, 10**400])
        recorder.touch(2**64, "moved", 9, 9, at=2)
        recorder.touch(2**32, "began", 1, 1, at=1)
        recorder.decision("finish", at=5, transition=2**32 + 3)
        recorder.decision("finish", at=5, progress=10**400)
        recorder.frame({"card": (0, 0, 10**400, 1)}, at=9)
        recorder.value("half\ud800", 1, at=1)
        recorder.value("long" + "g" * 65_536, 1, at=1)
        for owner in [recorder, recorder.timeline()]:
            refused("a copy is refused", lambda: copy.copy(owner), TypeError, "cannot be copied")
            refused("a deep copy is refused", lambda: copy.deepcopy(owner), TypeError, "cannot be copied")
    recording = kymograph.open(path)
    session = recording[-1]
    refused("a copy is refused", lambda: copy.copy(recording), TypeError, "Recording")
    found = {key: list(session.samples(key)) for key in session.keys}
    check("what is left is right", found == {"a": [(2**63 - 1, 3)], "list": [(1, 1)], "half\ufffd": [(1, 1)]}, found)
    check("no touch and no decision is left", (session.touches(), session.decisions()) == ([], []))
    codes = {row["code"] for row in session.events() if row["event"] == "warning"}
    check("each sort has a warning", codes == {"timeRange", "nonFinite", "unknownContact", "transitionRange", "longName"}, codes)
    check("a value whose name was left out is counted", [
        (row["what"], row["key"], row["count"]) for row in session.view("losses")] == [("sample", None, 1)])
    with kymograph.Recorder(folder / "suspended.kymo") as recorder:
        recorder.value("a", 1, at=1)
        recorder.suspend()
        refused("a suspended recorder is not finished", recorder.finish, kymograph.KymographError, "suspended")
        recorder.resume()
    check("a resumed one is", kymograph.open(folder / "suspended.kymo")[-1].is_clean)
    refused("hashes need a salt", lambda: kymograph.Recorder(folder / "hashed.kymo", hash_names=True),
            kymograph.KymographError, "salt")
    child = os.fork()
    if not child:
        # The descriptors of the parent's reader are closed here, and these files get their numbers.
        files = [open(folder / f"own{number}.txt", "w") for number in range(6)]
        del recording, session
        gc.collect()
        for file in files:
            file.write("mine")
            file.flush()
        os._exit(0)
    check("a child that frees the parent's reader keeps its own files", os.waitpid(child, 0)[1] == 0)
    check("the parent's reader goes on", list(session.samples("list")) == [(1, 1)])


def try_whole_recordings(folder):
    """A recording answers as `kymo COMMAND FILE` does."""
    recording = kymograph.open(folder / "swipes.kymo")
    last = recording[-1]
    check("velocity of the last session", recording.velocity() == last.velocity() != [])
    check("fits of the last session", recording.fit() == last.fit())
    check("a recording is like itself", recording.compare(recording).passed)


def try_older(folder):
    """Recordings of every older schema, sealed ones and what was left of killed recorders."""
    fixtures = pathlib.Path(__file__).resolve().parents[2] / "Fixtures/recordings"
    for file in fixtures.iterdir():
        shutil.copy(file, folder)
    paths = sorted(folder.glob("v*.kymo"))
    check("there are recordings of five schemas", {path.name[:2] for path in paths} >= {f"v{number}" for number in range(1, 6)})
    for path in paths:
        with kymograph.open(path) as recording:
            session = recording[0]
            found = [(key, time, value) for key in sorted(session.keys) for time, value in session.samples(key)]
            rows = session.sql("SELECT key, t_ns, value FROM samples ORDER BY key, t_ns, ordinal")
        check(f"{path.name}: samples are the program's", found == [tuple(row.values()) for row in rows] != [], len(rows))


def try_analysis(folder):
    """Answers are the program's, and stored estimates are what `kymo velocity` computes."""
    path, count = folder / "swipes.kymo", 0
    for seed, (name, threshold) in enumerate([("low", 0.5), ("high", 0.9)]):
        record_swipe(path, name, threshold, seed)
    recording = kymograph.open(path)
    for session in recording:
        stored = {row["key"]: row for row in session.estimates()}
        for row in session.velocity():
            if row["key"] in stored:
                for field in ["velocity", "low", "high", "value"]:
                    count += bits([row[field]]) == bits([stored[row["key"]][field]])
    check("stored estimates are those of kymo velocity, bit for bit", count == 16, count)
    low, high = recording["low"], recording["high"]

    def program(*words):
        return json.loads(kymograph.kymo(*words, "--json"))

    file = f"{path}#"
    check("velocity", low.velocity(key="progress", estimator="lsq1") ==
          program("velocity", file + "low", "--key", "progress", "--estimator", "lsq1"))
    check("fit", low.fit(key="progress")["fits"] == program("fit", file + "low", "--key", "progress")["fits"])
    verdict = low.compare(high, key=["progress", "scale"])
    check("compare", not verdict.passed and {row["row"] for row in verdict} >= {"decision", "key"}, verdict)
    check("a session is the same as itself", low.compare(low).passed)
    swept = recording.rule_try(rule="progress", set={"release.threshold": "0.1,0.95"})
    check("rule try", [row["finishes"] for row in swept if row["kind"] == "sweep"] == [2, 0], swept)
    check("rule tune", recording.rule_tune()["labels"]["unlabelled"] == 2)
    check("show", low.show() == kymograph.kymo("show", file + "low") and "'high'" in recording.show())
    check("replay", low.replay(key="item.card.center.y", rate=60)[0]["key"] == "item.card.center.y")
    check("releases", [row["outcome"] for row in recording.sql("SELECT outcome FROM releases")] == ["finish", "cancel"])
    picture = low.plot("progress")
    check("plot", picture == kymograph.kymo("plot", file + "low", key="progress", out="-") and "<svg" in picture)
    check("a notebook draws a session, a recording and rows",
          "data:image/svg" in low._repr_html_() and "<td>high</td>" in recording._repr_html_() and
          "<th>key</th>" in low.velocity()._repr_html_())
    low.report(folder / "low.html")
    check("report", (folder / "low.html").read_text().startswith("<!"))
    golden = recording.check(golden=f"{path}#low", subset=True)
    check("check", not golden.passed and any(row["finding"] == "fail" for row in golden), golden)
    rules = [{"settles_by": "progress", "by_ms": 500}, {"continuous": "progress"}]
    check("assert_motion passes", kymograph.assert_motion(low, rules).passed)
    refused("assert_motion says which number fails and by how much",
            lambda: kymograph.assert_motion(path, [{"settles_by": "progress", "by_ms": 1}]), AssertionError,
            "settled_ms", "is above", "swipes.kymo.report.html")
    check("a failure writes a page", (folder / "swipes.kymo.report.html").exists())
    error = kymograph.KymographError
    refused("a wrong rule is the program's sentence",
            lambda: kymograph.assert_motion(path, [{"setles_by": "progress"}]), error, "setles_by")
    refused("a wrong key is the program's sentence", lambda: low.velocity(key="progess"), error, "Did you mean progress?")
    refused("a wrong flag is the program's sentence", lambda: low.velocity(nothing=True), error, "--nothing")
    refused("wrong SQL is the program's sentence", lambda: low.sql("SELECT none FROM keys"), error, "no such column")
    refused("a missing session names those that there are", lambda: recording["mid"], KeyError, "low, high")
    refused("a missing key names those that there are", lambda: low.samples("mid"), KeyError, "progress, scale")
    refused("a missing file", lambda: kymograph.open(folder / "none.kymo"), error, "none.kymo")
    refused("a file that is not a recording", lambda: kymograph.open(__file__), error, "bare.py")
    refused("a folder that is missing", lambda: kymograph.Recorder(folder / "none" / "a.kymo"), error, "folder")
    check("an answer without rows has columns", low.sql("SELECT * FROM labels").names[:2] == ["session", "transition"])


def try_kill(folder):
    """What a call has recorded when it returns is there after a kill."""
    path = folder / "killed.kymo"
    child = subprocess.run([sys.executable, "-c", f"""
import kymograph, os
recorder = kymograph.Recorder({str(path)!r})
key = recorder.key("x")
for number in range(60_000): key(number, number)
recorder.event("mark", at=60_000, text="last")
os.kill(os.getpid(), 9)
"""])
    check("the child was killed", child.returncode == -signal.SIGKILL, child.returncode)
    with kymograph.open(path) as recording:
        session = recording[-1]
        samples = session.samples("x")
        check("60,000 values of a killed Python are there", list(samples.value) == list(range(60_000)), len(samples))
        check("a killed session says that it is not clean", not session.is_clean and session.end_ns is None)
        check("the last event is there", session.events()[-1]["text"] == "last")


def try_together(folder):
    """Threads, a second SQLite, a second recorder, a reader beside the recorder, a fork."""
    path = folder / "together.kymo"
    recorder = kymograph.Recorder(path, pack=False)

    def work(number):
        key = recorder.key(f"thread {number}")
        for step in range(4_000):
            key(step, step)
            if step % 1000 == 0:
                recorder.event("mark", at=step)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recorder.sync()
    database = sqlite3.connect(path)
    count = database.execute("SELECT count(*) FROM samples").fetchone()[0]
    database.close()
    check("another SQLite of the process reads all that was synced", count == 16_000, count)
    refused("a second recorder is refused after another SQLite has closed the file",
            lambda: kymograph.Recorder(path), kymograph.KymographError, "being recorded")
    live = kymograph.open(path)
    before = len(live[0].samples("thread 0"))
    recorder.value("thread 0", 1, at=10_000)
    recorder.sync()
    check("a reader sees what is recorded beside it", len(live[0].samples("thread 0")) == before + 1 == 4_001, before)
    child = os.fork()
    if child == 0:
        recorder.value("thread 0", 2, at=20_000)
        recorder.finish()
        with kymograph.Recorder(folder / "child.kymo") as own:
            own.value("x", 1)
        os._exit(0)
    check("a forked child records into a file of its own", os.waitpid(child, 0)[1] == 0)
    recorder.finish()
    recorder.finish()
    recorder.value("thread 0", 3, at=30_000)
    recorder.event("after the end")
    with kymograph.open(path) as recording:
        check("nothing of the threads is lost, and nothing of the child or after the end is there",
              [len(recording[0].samples(f"thread {number}")) for number in range(4)] == [4_001, 4_000, 4_000, 4_000])
    with kymograph.open(folder / "child.kymo") as recording:
        check("the child's recording has its value", list(recording[0].samples("x").value) == [1])
    refused("a closed recording says so", lambda: recording[0].samples("x"), kymograph.KymographError)


def try_misuse(folder):
    """Numbers that are not finite, and strange names."""
    path = folder / "-odd#1 name.kymo"
    os.chdir(folder)
    with kymograph.Recorder(path.name, name="a'b\"c") as recorder:
        recorder.value("x", math.nan, at=1)
        recorder.value("x", math.inf, at=2)
        recorder.value("", 1, at=3)
        recorder.value("nul\0inside", 2, at=3)
        recorder.touch(0, "moved", math.nan, 0, at=4)
        refused("a value that is not a number is refused", lambda: recorder.value("x", "1"), Exception)
        refused("a pose of three numbers is refused", lambda: recorder.frame({"a": (1, 2, 3)}), ValueError)
    recording = kymograph.open(path.name)
    session = recording["a'b\"c"]
    check("numbers that are not finite are left out, with a warning",
          list(session.samples("x").value) == [] and any(row["event"] == "warning" for row in session.events()))
    check("a name with a zero byte stays whole", list(session.samples("nul\0inside").value) == [2], session.keys)
    check("a path with a dash and a hash is asked by", "1 name" in session.show() and len(session.sql("SELECT 1 AS one")) == 1)


def try_agreement(folder):
    """A program of another version is refused, with both versions."""
    stub = folder / "other-kymo"
    stub.write_text("#!/bin/sh\necho 'kymo 9.9.9 (engine 2, recording schema 6, SQLite 3.40.1)'\n")
    stub.chmod(0o755)
    for program, words in [(stub, ["9.9.9", kymograph.__version__]), (folder / "none", ["could not be started"])]:
        run = subprocess.run([sys.executable, "-c", "import kymograph; kymograph.kymo('help')"], capture_output=True, text=True,
                             env={**os.environ, "KYMOGRAPH_PROGRAM_FILE": str(program)})
        check(f"{program.name} is refused", run.returncode == 1 and all(word in run.stderr for word in words), run.stderr)
    run = subprocess.run([sys.executable, "-c", "import kymograph"], capture_output=True, text=True,
                         env={**os.environ, "KYMOGRAPH_LIBRARY_FILE": str(stub)})
    check("a library that is none is refused", "could not be loaded" in run.stderr, run.stderr)


def try_absence(folder):
    """Without the packages the arrays are refused with what to install."""
    session = kymograph.open(folder / "swipes.kymo")[0]
    for call, package in [("numpy", "numpy"), ("pandas", "pandas"), ("arrow", "pyarrow")]:
        check(f"{package} is not here", importlib.util.find_spec(package) is None)
        refused(f"without {package} an array is refused", getattr(session.touches(), call), ImportError, package, "pip install")


def main():
    folder = pathlib.Path(sys.argv[1])
    check("the package is the installed one", str(sys.prefix) in kymograph.__file__, kymograph.__file__)
    trials = [
        try_values, try_packing, try_records, try_limits, try_older, try_analysis, try_whole_recordings, try_kill, try_together,
        try_misuse, try_agreement, try_absence]
    for trial in trials:
        trial(folder)
    print(f"{tally()} checks without other packages, {len(findings)} do not hold.")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
