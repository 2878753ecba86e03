"""Tools/fleet cost: what a session costs through a pipe and through Spark, what Spark's start costs, and from how many
sessions on more cores are worth it."""
import argparse
import os
import subprocess
import tempfile
import time

from fleet_run import end, question, session, steps
from fleet_worker import rows_command
from listing import listing

CORES = [(2, 64), (8, 64), (16, 256)]
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds():
    """What this process and all that it started have taken, those that ended included."""
    facts = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                words = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        facts[int(entry)] = int(words[1]), sum(map(int, words[11:15]))
    kin = {os.getpid()}
    while more := {process for process, (parent, _) in facts.items() if parent in kin} - kin:
        kin |= more
    return sum(facts[process][1] for process in kin if process in facts) / TICKS


class Stretch:
    """Prints a row: what was done, seconds by the clock on the wall and of the processor, and rows."""

    def __init__(self, words):
        self.words, self.rows = words, ""

    def __enter__(self):
        self.wall, self.processor = time.monotonic(), processor_seconds()
        return self

    def __exit__(self, kind, problem, trace):
        if kind is None:
            self.wall, self.processor = time.monotonic() - self.wall, processor_seconds() - self.processor
            print(f"| {self.words} | {self.wall:.1f} s | {self.processor:.1f} s | {self.rows} |", flush=True)


def cost(options, flags):
    known = listing(options.source)
    names = b"".join(name + b"\0" for name in known["listed"].to_pylist())
    kymo = os.path.abspath(options.kymo)
    task = question(kymo, flags)
    print("| work | wall | processor | rows |\n|---|---|---|---|")
    for children in ["1", "2"]:
        with Stretch(f"pipe, children: {children}") as pipe:
            run = subprocess.run(rows_command(kymo, children, flags), input=names, capture_output=True)
            pipe.rows = run.stdout.count(b"\n")
    a_session = pipe.processor / max(1, pipe.rows)
    with tempfile.TemporaryDirectory(prefix="kymo-fleet-") as out:
        with Stretch("Spark's start") as start:
            spark = session(options.master, dict(setting.split("=", 1) for setting in options.conf))
        try:
            with Stretch("its first job, of nothing") as first:
                spark.range(0, 64, 1, 4).mapInArrow(lambda batches: batches, "id long").count()
            with Stretch("list, work, write, account") as whole:
                code = steps(spark, argparse.Namespace(source=options.source, out=out, build=options.build), flags, kymo,
                             task, known, lambda _: None)
                whole.rows = pipe.rows
            with Stretch("the same again: 0 files"):
                steps(spark, argparse.Namespace(source=options.source, out=out, build=options.build), flags, kymo, task,
                      known, lambda _: None)
        finally:
            end(spark)
        size = sum(os.path.getsize(os.path.join(folder, file)) for folder, _, files in os.walk(out) for file in files)
    recorded = sum(known["bytes"].fill_null(0).to_pylist())
    print(f"\nA session: {a_session * 1e3:.2f} ms of the processor, {recorded / max(1, pipe.rows) / 1e3:.0f} kB of recording, "
          f"{size / max(1, pipe.rows) / 1e3:.1f} kB of facts.")
    fixed = start.wall + first.wall
    for here, there in CORES:
        sessions = fixed / (a_session * (1 / here - 1 / there))
        print(f"{here} cores here, {there} there: worth it from {sessions:,.0f} sessions on ({fixed:.0f} s until Spark works).")
    return code
