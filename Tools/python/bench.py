#!/usr/bin/env python3
"""Measures what recording and reading cost from Python, in nanoseconds of the thread's processor time, beside a bare call
of the library through ctypes in the same run.

    Tools/python/bench.py        with the package installed, and numpy

Each number is the least of several rounds. The bars: a value costs at most 1.8 times a bare call, a value of a numpy array
10 ns, and a sample that is read into numpy 150 ns.
"""
import pathlib
import tempfile
import time

import numpy

import kymograph
from kymograph._library import lib

ROUNDS = 9
# Ten minutes of 20 keys at 120 Hz.
KEYS, FRAMES = 20, 72_000


def least(work, count, before=lambda: None):
    """Nanoseconds of this thread for one of `count`."""
    best = float("inf")
    for _ in range(ROUNDS):
        before()
        start = time.thread_time_ns()
        work(count)
        best = min(best, (time.thread_time_ns() - start) / count)
    return best


def row(name, nanoseconds, remark=""):
    print(f"{name:48} {nanoseconds:10.1f} ns  {remark}", flush=True)


def measure_recording(folder):
    recorder = kymograph.Recorder(folder / "bench.kymo")
    key, record, handle = recorder.key("x"), lib.kymograph_record_value, recorder._handle
    number = key.number
    times, values = numpy.arange(100_000) * 1000, numpy.random.default_rng(1).normal(size=100_000)
    items = {f"item {index}": (index, index, 10, 10) for index in range(200)}

    def bare(count):
        for step in range(count):
            record(handle, number, step, 0.5, 1)

    def by_key(count):
        for step in range(count):
            key(0.5, step, 1)

    def by_name(count):
        for step in range(count):
            recorder.value("x", 0.5, at=step)

    def by_batches(count):
        for start in range(0, count, 16):
            recorder.values("x", times[start:start + 16], values[start:start + 16])

    def by_frames(count):
        for step in range(count):
            recorder.frame(items, at=step)

    call = least(bare, 50_000, recorder.sync)
    row("a bare call through ctypes", call)
    for name, work in [("key(value, at)", by_key), ("recorder.value(name, value, at)", by_name)]:
        found = least(work, 50_000, recorder.sync)
        row(name, found, f"{found / call:.2f} calls, bar 1.8: {'met' if found <= 1.8 * call else 'missed'}")
    found = least(lambda count: recorder.values("x", times[:count], values[:count]), 50_000, recorder.sync)
    row("numpy, 50,000 in a call", found, f"bar 10 ns: {'met' if found <= 10 else 'missed'}")
    row("numpy, every other of 100,000", least(lambda _: recorder.values("x", times[::2], values[::2]), 50_000, recorder.sync))
    row("numpy, 16 in a call", least(by_batches, 48_000, recorder.sync))
    row("a frame of 200 elements, for each", least(by_frames, 20, recorder.sync) / 200)
    recorder.finish()


def measure_reading(folder):
    path = folder / "read.kymo"
    chance, times = numpy.random.default_rng(7), (numpy.arange(FRAMES) * 1e9 / 120).astype("int64")
    curves = [numpy.sin(times / 1e9 * (key + 1) / 3) + chance.normal(size=FRAMES) * 0.01 for key in range(KEYS)]
    with kymograph.Recorder(path, wait=True, pack=False) as recorder:
        for start in range(0, FRAMES, 1200):
            for key in range(KEYS):
                recorder.values(f"key {key}", times[start:start + 1200], curves[key][start:start + 1200])

    def read(_):
        with kymograph.open(path) as recording:
            return [recording[0].samples(f"key {key}").numpy() for key in range(KEYS)]

    for name in ["plain", "sealed"]:
        if name == "sealed":
            kymograph.kymo("file", "pack", path)
        found = least(read, KEYS * FRAMES)
        columns = read(None)
        assert all(numpy.array_equal(columns[key].value, curves[key]) for key in range(KEYS))
        assert all(numpy.array_equal(columns[key].t_ns, times) for key in range(KEYS))
        row(f"{KEYS * FRAMES:,} samples into numpy, {name}", found, f"bar 150 ns: {'met' if found <= 150 else 'missed'}")


def main():
    with tempfile.TemporaryDirectory() as place:
        measure_recording(pathlib.Path(place))
        measure_reading(pathlib.Path(place))


if __name__ == "__main__":
    main()
