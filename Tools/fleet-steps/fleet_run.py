"""Tools/fleet run: a list of recordings becomes facts on Spark. The steps are those of the article ManyRecordings."""
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from fleet_facts import columns, fact, latest, spark_columns
from fleet_worker import Work, rows_command
from listing import Unusable, listing, say, shown

HERE = pathlib.Path(__file__).resolve().parent
# What one task reads, unless there are too few of them for the cores.
PART_BYTES = 64 << 20
# What opening a file is worth: a task of a thousand tiny files is no smaller than one of 64 MB.
OPEN_BYTES = 64 << 10
TASKS_A_CORE = 2
# Names that go through Arrow at once; of files that come as bytes fewer, since a batch stands in memory.
NAMES_A_BATCH = 200
CONTENTS_A_BATCH = 64
# A task that failed is tried again so often, on one machine, too; Spark's own number elsewhere.
ATTEMPTS = 4
MOST_NAMED = 20


def session(master, settings):
    """Spark, set as the article ManyRecordings says. What the caller sets wins."""
    local = re.fullmatch(r"local(\[(\d+|\*)\])?", master)
    if local:
        master = f"local[{local.group(2) or 1},{ATTEMPTS}]"
    # Spark's workers take the python3 of the path otherwise, which has no Arrow.
    for name in ["PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"]:
        os.environ.setdefault(name, sys.executable)
    chosen = {
        "spark.ui.enabled": "false", "spark.log.level": "ERROR", "spark.sql.session.timeZone": "UTC",
        "spark.ui.showConsoleProgress": str(sys.stderr.isatty()).lower(),
        # Adaptive execution makes one task of a list of names, since it is small.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.files.openCostInBytes": str(OPEN_BYTES), "spark.sql.files.maxPartitionBytes": str(PART_BYTES),
        # Folders are named by text; 1e5 is no number there, and 2026-02-30 no day.
        "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
        "spark.driver.maxResultSize": "0"}
    if master.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        chosen |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    from pyspark.sql import SparkSession
    builder = SparkSession.builder.master(master).appName("kymo fleet")
    for name, value in (chosen | settings).items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def end(spark):
    """Ends Spark, and what a local cluster leaves in the installed package."""
    identity, master = spark.sparkContext.applicationId, spark.sparkContext.master
    spark.stop()
    if master.startswith("local-cluster"):
        import pyspark
        home = os.environ.get("SPARK_HOME") or os.path.dirname(pyspark.__file__)
        shutil.rmtree(os.path.join(home, "work", identity), ignore_errors=True)


def question(kymo, flags):
    """The name of the question, as rows bear it. Flags that kymo does not take end the run before it begins."""
    if not os.access(kymo, os.X_OK):
        raise Unusable(f"There is no program {kymo}.")
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(rows_command(kymo, 1, flags), input=f"{folder}/none.kymo\0".encode(),
                             capture_output=True)
    found = re.search(rb'"task":"([0-9a-f]+)"', run.stdout)
    if not found:
        raise Unusable(run.stderr.decode(errors="replace").strip() or f"{kymo} rows says nothing",
                       2 if run.returncode == 2 else 4)
    return found.group(1).decode()


def sent_along(spark, flags, folder):
    """Files that flags name go to every executor, which fetches them from a folder that stays while Spark works. By the
    place of their flag, what they are called there."""
    places = {}
    for place, flag in enumerate(flags[:-1]):
        if flag not in ("--check", "--tolerances"):
            continue
        path, mark, selected = flags[place + 1], "", ""
        if not os.path.exists(path):
            path, mark, selected = path.rpartition("#")
        name = f"{place}-{os.path.basename(path)}"
        spark.sparkContext.addFile(shutil.copy(path, os.path.join(folder, name)))
        places[place + 1] = name + mark + selected
    return places


class Facts:
    """The folder of facts; any file system that Spark writes."""

    def __init__(self, spark, folder, columns=None):
        self.spark, self.columns = spark, columns
        self.folder = folder if is_address(folder) else os.path.abspath(folder)

    def runs(self):
        """The runs that ended, oldest first."""
        jvm = self.spark.sparkContext._jvm
        found = jvm.org.apache.hadoop.fs.Path(self.folder + "/run=*/_SUCCESS")
        system = found.getFileSystem(self.spark.sparkContext._jsc.hadoopConfiguration())
        return sorted(status.getPath().getParent().toString() for status in system.globStatus(found) or [])

    def read(self, runs):
        """Facts of some runs, as they stand; where no columns are given, with those of any of the runs."""
        reader = self.spark.read.option("basePath", self.folder)
        reader = reader.schema(self.columns + ", run STRING") if self.columns else reader.option("mergeSchema", "true")
        return reader.parquet(*runs)


def is_address(text):
    return re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*://", text) is not None


def stored(spark, source):
    """The files of an object store: a table of their names, and how their contents are read."""
    def reader():
        # What cannot be read ends no run: it has no row, and is named when files are counted. Hadoop's local file system
        # has such names, with a colon in them.
        return (spark.read.format("binaryFile").option("recursiveFileLookup", "true")
                .option("pathGlobFilter", "*.kymo").option("ignoreCorruptFiles", "true")
                .option("ignoreMissingFiles", "true"))
    import pyarrow as pa
    from pyspark.sql import functions as F
    files = reader().load(source)
    known = files.select(
        F.col("path").cast("binary").alias("listed"), F.col("length").alias("bytes"),
        (F.unix_micros("modificationTime") * 1000).alias("mtime_ns"))
    # binaryFile passes over empty files; the names of all are in the listing, as addresses.
    known = known.toArrow()
    # file:///a and file:/a are one file; Spark writes either.
    names = [re.sub("^file:/+", "file:/", urllib.parse.unquote(address)).encode() for address in files.inputFiles()]
    empty = without(pa.table({"listed": pa.array(names, pa.binary())}), known, ["listed"])
    for column in ["bytes", "mtime_ns"]:
        empty = empty.append_column(column, pa.array([0] * len(empty), pa.int64()))
    return pa.concat_tables([known.cast(empty.schema), empty]), reader


def cut(names, cores):
    """Gives each of a sorted list of names its task: runs of about equal bytes."""
    import numpy
    import pyarrow as pa
    weights = names["bytes"].combine_chunks().fill_null(0).to_numpy().astype(numpy.float64) + OPEN_BYTES
    total = weights.sum()
    tasks = int(min(len(weights), max(numpy.ceil(total / PART_BYTES), TASKS_A_CORE * cores)))
    before = numpy.concatenate([[0.0], numpy.cumsum(weights)[:-1]])
    place = numpy.minimum((before * tasks / total).astype(numpy.int32), tasks - 1)
    return names.append_column("part", pa.array(place, pa.int32())), tasks


def run(options, flags, watch=lambda spark: None):
    """Returns the exit code."""
    kymo = os.path.abspath(options.kymo)
    task = question(kymo, flags)
    as_bytes = is_address(options.source)
    if as_bytes and "--export" in flags:
        raise Unusable("--export writes files beside kymo, which is on no machine in particular when recordings come out "
                       "of an object store. Leave it out.")
    known = None if as_bytes else listing(options.source)
    spark = session(options.master, dict(setting.split("=", 1) for setting in options.conf))
    try:
        return steps(spark, options, flags, kymo, task, known, watch)
    finally:
        end(spark)


def steps(spark, options, flags, kymo, task, known, watch):
    context = spark.sparkContext
    for file in ["fleet_facts.py", "fleet_worker.py"]:
        context.addPyFile(str(HERE / file))
    context.addFile(kymo)
    sent = tempfile.TemporaryDirectory(prefix="kymo-fleet-")
    row = columns(kymo)
    kept = spark_columns(fact(row))
    work = Work(os.path.basename(kymo), flags, row, task, sent_along(spark, flags, sent.name), options.build)

    # List.
    wanted, reader = (known, None) if known is not None else stored(spark, options.source)
    if not len(wanted):
        raise Unusable(f"{options.source} has no file that ends in .kymo.")

    # Resume.
    facts = Facts(spark, options.out, kept)
    todo = not_done(wanted, facts, task).sort_by("listed")
    if not len(todo):
        print(f"listed {len(wanted)}: {len(wanted)} were read before, 0 files to do")
        return 0

    # Split and work.
    if reader is None:
        names, tasks = cut(todo, context.defaultParallelism)
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(NAMES_A_BATCH))
        rows = (spark.createDataFrame(names.select(["part", "listed"])).repartitionById(tasks, "part")
                .select("listed").mapInArrow(work.by_path, kept))
    else:
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", str(CONTENTS_A_BATCH))
        rows = contents(spark, reader, todo, options.source, len(wanted)).mapInArrow(
            work.by_bytes, kept)
    watch(spark)

    # Write. Times of two runs do not compare otherwise.
    identity = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%S.%fZ")
    folder = f"{facts.folder}/run={identity}"
    rows.write.mode("errorifexists").partitionBy("day", "build").parquet(folder)

    # Account.
    written = facts.read([folder])
    written.createOrReplaceTempView("written")
    files, bad, rows, different = spark.sql(
        "SELECT count(*), coalesce(sum(bad), 0), coalesce(sum(n), 0), coalesce(sum(different), 0) FROM (SELECT listed, "
        "max(CASE WHEN exit = 0 THEN 0 ELSE 1 END) AS bad, count(*) AS n, count(DISTINCT coalesce(session, -1)) AS "
        "different FROM written GROUP BY listed) AS file").first()
    print(f"listed {len(wanted)}: {len(wanted) - len(todo)} were read before, {files - bad} good, {bad} bad; "
          f"{rows} rows in run={identity}")
    if rows != different:
        say(f"{rows - different} rows are in run={identity} twice; delete it, and run again.")
    if files != len(todo):
        missing = without(todo, written.select("listed").distinct().toArrow(), ["listed"])["listed"].to_pylist()
        for name in missing[:MOST_NAMED]:
            say(f"no row of {shown(name)}")
        if len(missing) > MOST_NAMED:
            say(f"and of {len(missing) - MOST_NAMED} more")
    return 0 if rows == different and files == len(todo) else 3


def without(table, other, keys):
    """Rows of a table that another has not; what is missing in both is the same."""
    import pyarrow as pa

    def filled(whole):
        return pa.table([whole[key].fill_null(b"" if key == "listed" else -1) for key in keys], names=keys)
    return filled(table).join(filled(other), keys, join_type="left anti")


def not_done(wanted, facts, task):
    """What no ended run has read as it is now with the same question. A file that its reader crashed on, or that took too
    long, is read again: on another machine it may go well."""
    runs = facts.runs()
    if not runs:
        return wanted
    from pyspark.sql import functions as F
    facts.read(runs).where(F.col("task") == task).createOrReplaceTempView("asked")
    done = facts.spark.sql(
        f"SELECT listed, bytes, mtime_ns FROM ({latest('asked')}) AS newest GROUP BY listed, bytes, mtime_ns "
        "HAVING max(CASE WHEN exit IN (124, 139) THEN 1 ELSE 0 END) = 0").toArrow()
    return without(wanted, done, ["listed", "bytes", "mtime_ns"])


def contents(spark, reader, todo, source, listed_count):
    """Names, sizes, times and contents of what is to be done. Without content: the empty ones, and those too large."""
    import pyarrow.compute as pc
    from fleet_worker import MOST_CONTENT
    from pyspark.sql import functions as F
    has_content = pc.and_(pc.greater(todo["bytes"], 0), pc.less_equal(todo["bytes"], MOST_CONTENT))
    without = spark.createDataFrame(todo.filter(pc.invert(has_content))).withColumn(
        "content", F.lit(None).cast("binary"))
    paths = [name.decode() for name in todo.filter(has_content)["listed"].to_pylist()]
    if not paths:
        return without
    # A first run names the folder, a later one the files, as they are and not as patterns.
    files = (reader().load(source) if len(todo) == listed_count
             else reader().option("__globPaths__", "false").load(paths))
    read = files.where((F.col("length") > 0) & (F.col("length") <= MOST_CONTENT)).select(
        F.col("path").cast("binary").alias("listed"), F.col("length").alias("bytes"),
        (F.unix_micros("modificationTime") * 1000).alias("mtime_ns"), "content")
    return read.unionByName(without)
