"""Recorder, readers and another SQLite in one process, beside a process that reads: nothing may be lost, refused or wrong.

    together.py KYMO FOLDER TURNS      TURNS: how often 500 values are recorded and read
"""
import os
import sqlite3
import subprocess
import sys
import threading

import embedded

COUNT = 500
LOOKER = """
import os, sqlite3, sys
looks = 0
while not looks or not os.path.exists(sys.argv[1] + ".done"):
    connection = sqlite3.connect(sys.argv[1], timeout=60)
    count, newest = connection.execute("SELECT count(*), max(value) FROM samples").fetchone()
    connection.close()
    assert count == (newest + 1 if count else 0), (count, newest)
    looks += 1
"""


def main(kymo, folder, turns):
    path = os.path.join(folder, "together.kymo")
    for name in os.listdir(folder):
        if name.startswith("together.kymo"):
            os.unlink(os.path.join(folder, name))
    recorder = embedded.Recorder(path)
    recorder.sync()
    beside = subprocess.Popen([sys.executable, "-c", LOOKER, path], stderr=subprocess.PIPE, text=True)
    wrong, is_done = [], threading.Event()

    def look():
        try:
            while not is_done.is_set():
                connection = sqlite3.connect(path, timeout=60)
                count, newest = connection.execute("SELECT count(*), max(value) FROM samples").fetchone()
                connection.close()
                assert count == (newest + 1 if count else 0), (count, newest)
        except Exception as error:  # told by the main thread
            wrong.append(error)

    thread = threading.Thread(target=look)
    thread.start()
    early = embedded.Reader(path)
    total = 0
    for _ in range(turns):
        recorder.record(range(total, total + COUNT))
        total += COUNT
        recorder.sync()
        reader = embedded.Reader(path)
        assert reader.count() == total, (reader.count(), total)
        reader.close()
    is_done.set()
    thread.join()
    assert not wrong, wrong
    assert os.path.exists(path + "-wal"), "the log is gone"
    open(path + ".done", "w").close()
    problem = beside.communicate()[1]
    assert beside.returncode == 0, problem
    # The recording is finished with readers open in the process, or with none.
    late = embedded.Reader(path)
    if turns % 2:
        early.close()
        late.close()
    recorder.finish()
    if turns % 2 == 0:
        assert late.count() == total
        early.close()
        late.close()
    reader = embedded.Reader(path)
    assert reader.count() == total, (reader.count(), total)
    reader.close()
    subprocess.run([kymo, "file", "doctor", path, "--deep"], check=True, capture_output=True)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
