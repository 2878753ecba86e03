#!/usr/bin/env python3
"""Recordings in folders that cannot be written, opened by programs that know nothing of us.

    Tests/Oracles/read_only.py KYMO

Makes a finished recording and one whose recorder was killed, takes every right to write away, and opens
both as a user who is not root: with Python's sqlite3, with SQLite's own shell, and with kymo. Everybody must
see the same rows, SQLite's own check must find nothing, and no byte of any file may change.
"""
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCENARIO = os.path.join(ROOT, "Tests/Fixtures/scenarios/grid-to-detail.script.json")
# The user and group "nobody" of every Linux; they own nothing.
NOBODY = 65534
VIEWS = ["sessions", "keys", "samples", "items", "frames", "touches", "events", "estimates", "losses"]
# A quarter of a minute is more than a busy machine needs to take some lines in.
PATIENCE_SECONDS = 60


class Wrong(Exception):
    pass


def as_nobody():
    """Gives every right of root up, in a child process."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def run(words, **more):
    environment = {**os.environ, "HOME": "/nonexistent"}
    return subprocess.run(
        words, capture_output=True, text=True, preexec_fn=as_nobody, env=environment, timeout=120, **more)


def kymo_count(kymo, path, view):
    answer = run([kymo, "sql", path, f"SELECT count(*) AS n FROM {view}", "--json"])
    if answer.returncode != 0:
        raise Wrong(f"kymo sql of {view}: {answer.returncode} {answer.stderr}")
    return json.loads(answer.stdout)[0]["n"]


def in_child(work):
    """Runs a piece of work in a child process as nobody and gives back what it returns, as JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            as_nobody()
            answer = {"value": work()}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        with os.fdopen(writing, "w") as pipe:
            json.dump(answer, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = json.load(pipe)
    os.waitpid(child, 0)
    return answer


def python_counts(address, is_uri):
    database = sqlite3.connect(address, uri=is_uri)
    check = database.execute("PRAGMA integrity_check").fetchall()
    if check != [("ok",)]:
        raise Wrong(f"integrity_check says {check}")
    return {view: database.execute(f"SELECT count(*) FROM {view}").fetchone()[0] for view in VIEWS}


def counts_by_python(path, is_unchanging):
    ways = [(path, False), (f"file:{path}?mode=ro", True)]
    if is_unchanging:
        ways.append((f"file:{path}?immutable=1", True))
    answers = []
    for address, is_uri in ways:
        answer = in_child(lambda: python_counts(address, is_uri))
        if "error" in answer:
            raise Wrong(f"Python's sqlite3 with {address}: {answer['error']}")
        answers.append(answer["value"])
    if any(answer != answers[0] for answer in answers):
        raise Wrong(f"Python's sqlite3 counts differently: {answers}")
    return answers[0]


def counts_by_shell(path, *flags):
    query = "PRAGMA integrity_check; " + " UNION ALL ".join(
        f"SELECT '{view}=' || count(*) FROM {view}" for view in VIEWS)
    answer = run(["sqlite3", *flags, path, query])
    if answer.returncode != 0 or answer.stderr:
        raise Wrong(f"sqlite3 {' '.join(flags)}: {answer.returncode} {answer.stderr}")
    check, *lines = answer.stdout.split()
    if check != "ok":
        raise Wrong(f"sqlite3's integrity_check says {answer.stdout}")
    return {name: int(count) for name, count in (line.split("=") for line in lines)}


def fingerprints(folder):
    prints = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            prints[name] = hashlib.sha256(file.read()).hexdigest()
    return prints


def protect(folder):
    for name in os.listdir(folder):
        os.chmod(os.path.join(folder, name), 0o444)
    os.chmod(folder, 0o555)


def record(kymo, folder):
    path = os.path.join(folder, "run.kymo")
    answer = subprocess.run(
        [kymo, "record", "--scenario", SCENARIO, "--into", path], capture_output=True, text=True)
    if answer.returncode != 0:
        raise Wrong(f"record: {answer.stderr}")
    return path


def record_and_kill(kymo, folder):
    """Takes lines in until some of them are in the tables and more of them only in the crash journal."""
    path = os.path.join(folder, "run.kymo")
    recorder = subprocess.Popen(
        [kymo, "record", "--from-ndjson", "-", "--into", path], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL)
    lines = [{"kymograph": 1, "name": "killed", "viewport": [320, 480]}]
    lines += [
        {"t_ns": step * 8_333_333, "key": "alpha", "value": step / 1000, "unit": "1"}
        for step in range(1000)
    ]
    # Each line is taken in before the pipe is read again, so a long tail pushes the first ones through.
    recorder.stdin.write("".join(json.dumps(line) + "\n" for line in lines).encode())
    recorder.stdin.flush()
    patience = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < patience:
        try:
            if kymo_count(kymo, path, "samples") > 900:
                break
        except Wrong:
            pass
        time.sleep(0.05)
    else:
        raise Wrong("the recorder takes nothing in")
    os.kill(recorder.pid, signal.SIGKILL)
    recorder.wait()
    return path


def check(kymo, path, is_finished):
    folder = os.path.dirname(path)
    protect(folder)
    before = fingerprints(folder)
    plain = counts_by_python(path, is_finished)
    shells = [counts_by_shell(path), counts_by_shell(path, "-readonly")]
    if any(shell != plain for shell in shells):
        raise Wrong(f"sqlite3 counts {shells}, Python {plain}")
    if plain["samples"] == 0 or plain["sessions"] != 1:
        raise Wrong(f"nothing is there: {plain}")
    for view in VIEWS:
        ours = kymo_count(kymo, path, view)
        # What is only in the crash journal is seen by kymo alone.
        if ours < plain[view] or (is_finished and ours != plain[view]):
            raise Wrong(f"kymo counts {ours} {view}, SQLite {plain[view]}")
    for words in (["show"], ["list", "sessions"], ["list", "keys"], ["list", "events"], ["replay"], ["replay", "--keys"], ["file", "doctor"]):
        flags = [word for word in words if word.startswith("--")]
        answer = run([kymo, *words[:len(words) - len(flags)], path, *flags])
        if answer.returncode not in (0, 1, 3) or not answer.stdout:
            raise Wrong(f"kymo {words}: {answer.returncode} {answer.stderr}")
    if fingerprints(folder) != before:
        raise Wrong("a file has changed")
    return plain


def check_without_index(kymo, path):
    """Files that were copied without the index of their log: SQLite cannot open them where it cannot write
    one, and kymo says what to do."""
    os.chmod(os.path.dirname(path), 0o755)
    os.remove(path + "-shm")
    os.chmod(os.path.dirname(path), 0o555)
    answer = run([kymo, "show", path])
    if answer.returncode != 4 or "Copy both files" not in answer.stderr:
        raise Wrong(f"without -shm: {answer.returncode} {answer.stderr}")


def main():
    if shutil.which("sqlite3") is None:
        raise Wrong("SQLite's shell sqlite3 is missing; Tools/setup --python installs it")
    place = tempfile.mkdtemp(prefix="kymo-read-only-")
    try:
        os.chmod(place, 0o755)
        # Another user may not reach the build folder.
        kymo = shutil.copy(sys.argv[1], os.path.join(place, "kymo"))
        os.chmod(kymo, 0o755)
        for name, make in (("finished", record), ("killed", record_and_kill)):
            folder = os.path.join(place, name)
            os.mkdir(folder)
            # Whoever records may be read by everybody; `nobody` looks at the rows on the way.
            os.chmod(folder, 0o755)
            path = make(kymo, folder)
            plain = check(kymo, path, name == "finished")
            print(f"{name}: {plain['samples']} samples by sqlite3 and Python, no byte changed")
            if name == "killed":
                check_without_index(kymo, path)
    finally:
        for folder in ("finished", "killed"):
            if os.path.isdir(os.path.join(place, folder)):
                os.chmod(os.path.join(place, folder), 0o755)
        shutil.rmtree(place)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"Wrong: {wrong}")
