"""A recorder is killed while a child that it forked lives on: the file must be free for the next recorder.

    orphan.py FOLDER
"""
import os
import signal
import sys

import embedded


def main(folder):
    path = os.path.join(folder, "orphan.kymo")
    for name in os.listdir(folder):
        if name.startswith("orphan.kymo"):
            os.unlink(os.path.join(folder, name))
    ready, tell_ready = os.pipe()
    wait_for_end, end = os.pipe()
    parent = os.fork()
    if not parent:
        os.close(end)
        recorder = embedded.Recorder(path)
        recorder.record(range(1000))
        if not os.fork():
            # The child lives until the test has its answer.
            os.write(tell_ready, b"x")
            os.read(wait_for_end, 1)
            os._exit(0)
        os.read(wait_for_end, 1)
        os._exit(1)
    os.read(ready, 1)
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    again = embedded.Recorder(path)
    again.record(range(10))
    again.finish()
    reader = embedded.Reader(path)
    counts = reader.count(1), reader.count(2)
    assert counts == (1000, 10), counts
    reader.close()
    os.close(end)


main(sys.argv[1])
