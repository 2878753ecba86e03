"""numpy, pandas and Arrow: arrays in and out, and what is said if one of them is missing."""
import math
import os
import sqlite3
import sys
from unittest import mock

import numpy
import pandas
import pyarrow

import kymograph
from export_checks.checking import check


def try_arrays(folder):
    path = folder / "arrays.kymo"
    chance = numpy.random.default_rng(3)
    times = numpy.cumsum(chance.integers(1, 10**9, 6000)).astype("int64")
    values = chance.integers(0, 0x7FEF << 48, 6000, dtype="uint64").view("float64")
    small = chance.normal(size=6000)
    table = numpy.zeros(6000, [("t", "i8"), ("pad", "i4"), ("v", "f8")])
    table["t"], table["v"] = times, values
    series = pandas.DataFrame({"t": times, "v": values})
    whole = {
        "plain": (times, values), "backward": (times[::-1], values[::-1]), "fields": (table["t"], table["v"]),
        "read only": (numpy.broadcast_to(times, (1, 6000))[0], values), "pandas": (series["t"], series["v"]),
        "arrow": (pyarrow.array(times), pyarrow.array(values)),
        "narrow": (times.astype("uint64"), small.astype("float32")), "swapped": (times.astype(">i8"), values.astype(">f8")),
    }
    with kymograph.Recorder(path) as recorder:
        for name, columns in whole.items():
            recorder.values(name, *columns, phase="driving")
        recorder.values("strided", times[::3], values[::3])
        recorder.values("empty", times[:0], values[:0])
        for wrong, kind in [((times * 1.0, values), TypeError), ((times.reshape(2, -1), values), ValueError),
                            ((times, values[1:]), ValueError)]:
            try:
                recorder.values("wrong", *wrong)
                check("a wrong array is refused", False, kind)
            except kind as error:
                check("a wrong array is refused with a sentence", str(error).endswith("."), error)
    session = kymograph.open(path)[-1]
    for name in whole:
        t, v, phase = session.samples(name).numpy()
        right = small.astype("float32").astype("float64") if name == "narrow" else values
        check(f"{name}: times and values come back, bit for bit",
              numpy.array_equal(t, times) and numpy.array_equal(v.view("u8"), right.view("u8")) and set(phase) == {1})
    strided = session.samples("strided")
    check("every third", numpy.array_equal(strided.numpy().t_ns, times[::3]))
    check("an array stays when the recording is closed", strided.numpy().value.flags.writeable)
    frame = session.samples("plain").pandas()
    check("pandas: index, values and phases", frame.index.name == "t_ns" and frame["phase"].eq("driving").all() and
          numpy.array_equal(frame["value"].to_numpy(), values) and numpy.array_equal(frame.index, times))
    arrow = session.samples("plain").arrow()
    check("Arrow: names, types and values", arrow.schema.names == ["t_ns", "value", "phase"] and
          arrow["t_ns"].to_pylist() == times.tolist() and numpy.array_equal(arrow["value"].to_numpy(), values) and
          arrow["phase"].to_pylist()[0] == "driving" and arrow["t_ns"].type == pyarrow.int64())
    empty = session.samples("empty")
    check("a key without values has tables without rows", len(empty.pandas()) == len(empty.arrow()) == len(empty) == 0)


def try_rows(folder):
    """Rows of the program as arrays and tables, as SQLite has them."""
    path = folder / "swipes.kymo"
    session = kymograph.open(path)["low"]
    with sqlite3.connect(path) as database:
        right = pandas.read_sql_query(
            "SELECT t_ns, center_y, alpha, id FROM attributes WHERE session = 1 ORDER BY frame, item", database)
        count = database.execute("SELECT count(*) FROM touches WHERE session = 1").fetchone()[0]
    database.close()
    poses = session.poses()
    frame = poses.pandas()[["t_ns", "center_y", "alpha", "id"]]
    check("pandas reads poses as SQLite does", frame.equals(right.astype(frame.dtypes.to_dict())), frame.dtypes)
    arrays = session.touches().numpy()
    check("numpy: types of columns", len(arrays["t_ns"]) == count and arrays["t_ns"].dtype == numpy.int64 and
          arrays["phase"].dtype == object and arrays["x"].dtype.kind in "if")
    margins = session.decisions().numpy()["margin_velocity"]
    check("numpy: a column of numbers has their type without a number, too",
          math.isnan(margins[0]) and margins.dtype == numpy.float64)
    check("numpy: text is text, and nothing stays None", session.decisions().numpy()["label"][0] is None)
    progress = session.frames().numpy()["progress"]
    check("numpy: a missing number among numbers is NaN", math.isnan(progress[-1]) and progress.dtype == numpy.float64)
    table = session.velocity().arrow()
    check("Arrow: rows of an answer", table.num_rows == len(session.velocity()) and "velocity" in table.schema.names)
    check("an answer without rows is a frame with columns",
          list(session.sql("SELECT * FROM labels").pandas().columns)[0] == "session")


def try_masked(folder):
    """Masked values, and times beyond 64 bits or masked, are left out."""
    path = folder / "masked.kymo"
    masked = numpy.ma.masked_array([1.0, 99.0, 3.0], [0, 1, 0])
    with kymograph.Recorder(path) as recorder:
        recorder.values("value", numpy.arange(3), masked)
        recorder.values("time", numpy.ma.masked_array([4, 99, 6], [0, 1, 0]), numpy.array([1.0, 2.0, 3.0]))
        recorder.values("none", numpy.ma.masked_array([7, 8], False), numpy.ma.masked_array([1, 2], numpy.ma.nomask))
        recorder.values("large", numpy.array([2**63 + 5, 1], "u8"), numpy.array([1.0, 2.0]))
        recorder.values("objects", numpy.array([1, 2**64], object), [1, 10**400])
    session = kymograph.open(path)[-1]
    found = {name: (list(session.samples(name).t_ns), list(session.samples(name).value)) for name in session.keys}
    check("masked and too large numbers are left out", found == {
        "value": ([0, 2], [1, 3]), "time": ([4, 6], [1, 3]), "none": ([7, 8], [1, 2]), "large": ([1], [2]),
        "objects": ([1], [1])}, found)
    warnings = sorted(row["code"] for row in session.events() if row["event"] == "warning")
    check("each sort has a warning", warnings == ["nonFinite", "timeRange"], warnings)


def try_types(folder):
    """The columns of views have the same types, whatever the values are."""
    path = folder / "types.kymo"
    with kymograph.Recorder(path) as recorder:
        recorder.frame({"card": (0, 0, 10, 10)}, at=1, progress=0)
        recorder.touch(0, "began", 1, 2, at=2)
    whole = kymograph.open(path)[-1]
    with kymograph.Recorder(path) as recorder:
        recorder.frame({"card": (0.5, 0.25, 10.5, 10)}, at=1, progress=0.5)
        recorder.touch(0, "began", 1.5, 2.5, at=2)
    real = kymograph.open(path)[-1]
    for ask in ["attributes", "frames", "touches", "decisions", "releases", "transitions", "estimates"]:
        one, two = getattr(whole, ask)(), getattr(real, ask)()
        check(f"{ask}: numpy's types", {name: column.dtype for name, column in one.numpy().items()} ==
              {name: column.dtype for name, column in two.numpy().items()})
        check(f"{ask}: pandas' types are numpy's", dict(one.pandas().dtypes) == dict(two.pandas().dtypes) ==
              {name: column.dtype for name, column in one.numpy().items()}, one.pandas().dtypes)
        check(f"{ask}: Arrow's types", one.arrow().schema == two.arrow().schema)
    check("poses is the former name of attributes", list(whole.poses()) == list(whole.attributes()))
    kinds = {"INTEGER": {"integer", "optional integer"}, "REAL": {"real"}, "ANY": {"real"}, "TEXT": {"text"}}
    views = whole.sql("SELECT name FROM sqlite_master WHERE type = 'view' AND name NOT LIKE '%guard'")
    for view in [row["name"] for row in views] + ["releases"]:
        for column in whole.sql(f"PRAGMA table_info({view})"):
            if column["type"]:
                check(f"{view}.{column['name']} has the type of the schema",
                      kymograph._views.kind(view, column["name"]) in kinds[column["type"]], column)


def try_absence(folder):
    """Each package missing in turn: the others work, and the missing one is named."""
    session = kymograph.open(folder / "swipes.kymo")[0]
    calls = {"numpy": session.touches().numpy, "pandas": session.touches().pandas, "pyarrow": session.touches().arrow}
    for missing in calls:
        with mock.patch.dict(sys.modules, {missing: None}):
            for package, call in calls.items():
                try:
                    result = call()
                    check(f"without {missing}, {package} works", package != missing and len(result) > 0)
                except ImportError as error:
                    check(f"without {missing}, only {missing} is missing", package == missing and "pip install" in str(error),
                          error)


def main(folder):
    os.chdir(folder)
    for trial in [try_arrays, try_rows, try_masked, try_types, try_absence]:
        trial(folder)
