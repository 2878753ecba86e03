"""Another SQLite in the recorder's process opens and closes the recording. Nothing may be lost by it.

    hazard.py KYMO FOLDER kill|finish

Python's sqlite3 is the other SQLite. A process beside it then looks at the file, and a second recorder asks for it. With
SQLite's usual locks its log would be deleted by the first, and the second would get in.
"""
import os
import signal
import sqlite3
import subprocess
import sys

FIRST, ALL, STEP = 10_000, 100_000, 20_000


def look(path):
    connection = sqlite3.connect(path)
    count = connection.execute("SELECT count(*) FROM samples").fetchone()[0]
    connection.close()
    return count


def record(path, end):
    """The child: records, looks by its own SQLite, records on, and ends as it is told."""
    import embedded

    recorder = embedded.Recorder(path)
    recorder.record(range(FIRST))
    recorder.sync()
    assert look(path) == FIRST
    print("ready", flush=True)
    sys.stdin.readline()
    for start in range(FIRST, ALL, STEP):
        recorder.record(range(start, min(start + STEP, ALL)))
        recorder.sync()
    assert os.path.exists(path + "-wal"), "the log is gone"
    if end == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    recorder.finish()


def main(kymo, folder, end):
    path = os.path.join(folder, "hazard.kymo")
    for name in os.listdir(folder):
        if name.startswith("hazard.kymo"):
            os.unlink(os.path.join(folder, name))
    child = subprocess.Popen(
        [sys.executable, __file__, "--record", path, end], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if child.stdout.readline() != "ready\n":
        sys.exit("the recorder ended early")
    looker = [sys.executable, "-c", f"import sqlite3; sqlite3.connect({path!r}).execute('SELECT 1 FROM samples').close()"]
    subprocess.run(looker, check=True)
    assert os.path.exists(path + "-wal"), "the log is gone"
    line = '{"kymograph": 1, "name": "second"}\n{"t_ns": 1, "key": "y", "value": 1}\n'
    second = subprocess.run(
        [kymo, "record", "--from-ndjson", "-", "--into", path], input=line, capture_output=True, text=True)
    assert second.returncode != 0 and "being recorded" in second.stderr, (second.returncode, second.stderr)
    child.stdin.write("\n")
    child.stdin.flush()
    code = child.wait()
    assert code == (-signal.SIGKILL if end == "kill" else 0), code
    rows = subprocess.run([kymo, "sql", path, "SELECT count(*) FROM samples"], capture_output=True, text=True, check=True)
    assert str(ALL) in rows.stdout, rows.stdout
    subprocess.run([kymo, "file", "doctor", path, "--deep"], check=end != "kill", capture_output=True, text=True)


if sys.argv[1] == "--record":
    record(*sys.argv[2:])
else:
    main(*sys.argv[1:])
