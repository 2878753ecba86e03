"""Runs of Tools/fleet in one start of Spark, in the packages of Tools/fleet; a plan in JSON comes from standard input.

master, kymo, flags, out, part_bytes (how small parts are), kill ("executor", "kymo" or null: what is ended with -9 once
it works), and runs: each with its source, and a file that is copied to another before it begins.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tools" / "fleet-steps"))
sys.dont_write_bytecode = True

import fleet_run  # noqa: E402
from listing import listing  # noqa: E402

VICTIMS = {"executor": b"CoarseGrainedExecutorBackend", "kymo": b"\0rows\0-0\0-j\0"}


def kin():
    """Processes that this one started, and those that these started, with their command lines."""
    parents, found = {}, {os.getpid()}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                parents[int(entry)] = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    for process in sorted(found - {os.getpid()}):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as file:
                yield process, file.read()
        except OSError:
            continue


class Killer(threading.Thread):
    """Ends one process of a kind, once the first tasks are done."""

    def __init__(self, kind):
        super().__init__(daemon=True)
        self.kind, self.killed = kind, None

    def watch(self, spark):
        self.tracker = spark.sparkContext.statusTracker()
        self.start()

    def has_begun(self):
        stages = map(self.tracker.getStageInfo, self.tracker.getActiveStageIds())
        return any(stage and 2 <= stage.numCompletedTasks < stage.numTasks for stage in stages)

    def run(self):
        while self.killed is None:
            time.sleep(0.02)
            if not self.has_begun():
                continue
            for process, words in kin():
                # The kymo that Spark's worker started, not a child of its own.
                if VICTIMS[self.kind] in words:
                    os.kill(process, signal.SIGKILL)
                    self.killed = process
                    break


plan = json.load(sys.stdin)
if plan.get("part_bytes"):
    fleet_run.PART_BYTES = plan["part_bytes"]
task = fleet_run.question(plan["kymo"], plan["flags"])
start = time.monotonic()
spark = fleet_run.session(plan["master"], {"spark.executor.memory": "1g"})
print(f"session: {time.monotonic() - start:.1f} s", flush=True)
killer = Killer(plan["kill"]) if plan.get("kill") else None
try:
    for run in plan["runs"]:
        if "copy" in run:
            shutil.copy2(*run["copy"])
        options = argparse.Namespace(source=run["source"], out=plan["out"], build=r"build=([^/]+)")
        known = None if fleet_run.is_address(run["source"]) else listing(run["source"])
        start = time.monotonic()
        code = fleet_run.steps(spark, options, plan["flags"], plan["kymo"], task, known,
                               killer.watch if killer else lambda _: None)
        print(f"code: {code}, {time.monotonic() - start:.1f} s", flush=True)
finally:
    fleet_run.end(spark)
if killer:
    print(f"killed: {killer.killed}")
