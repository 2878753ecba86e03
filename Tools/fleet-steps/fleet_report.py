"""Tools/fleet report: facts as HTML and as Markdown. DuckDB and Spark are asked the same questions."""
import glob
import math
import os
import tempfile

from fleet_facts import latest
from listing import Unusable

# A report names this many builds and sentences; it says how many more there are.
MOST_BUILDS = 40
MOST_SENTENCES = 40
RANKS = [5, 25, 50, 75, 95]

# Each of a list becomes a row; the one word in which the engines differ.
VIEWS = {
    "latest": latest("fact"),
    "metric": "SELECT build, m.name AS name, m.role AS role, m.unit AS unit, m.value AS value FROM "
              "(SELECT build, {explode}(metrics) AS m FROM latest WHERE exit = 0) AS each_metric WHERE m.value IS NOT NULL",
    "gesture": "SELECT build, w.flags AS flags, w.recorded_decision AS recorded, w.flips AS flips, w.velocity AS velocity "
               "FROM (SELECT build, {explode}(whatif) AS w FROM latest WHERE exit = 0) AS each_gesture",
}
PERCENTILES = ", ".join(
    f"percentile_cont({rank / 100}) WITHIN GROUP (ORDER BY value) AS p{rank}" for rank in RANKS)
COUNTS = (
    "SELECT count(*) AS files, coalesce(sum(bad), 0) AS bad, coalesce(sum(n), 0) AS sessions FROM (SELECT listed, "
    "max(CASE WHEN exit = 0 THEN 0 ELSE 1 END) AS bad, sum(CASE WHEN exit = 0 THEN 1 ELSE 0 END) AS n FROM latest "
    "GROUP BY listed) AS file")
VELOCITIES = (
    f"SELECT build, unit, count(*) AS n, {PERCENTILES} FROM {{velocities}} GROUP BY build, unit "
    "ORDER BY n DESC, build, unit")
# Of the velocity that the recording has of the progress; where no metrics were asked for, that by which the first
# question was decided.
BY_METRICS = ("(SELECT build, unit, value FROM metric WHERE name = 'release_velocity_per_s' AND role = 'progress') "
              "AS velocity")
BY_GESTURES = ("(SELECT build, '1/s' AS unit, velocity AS value FROM gesture WHERE velocity IS NOT NULL AND flags = "
               "(SELECT min(flags) FROM gesture)) AS velocity")
FLIPS = (
    "SELECT flags, build, count(*) AS n, "
    "sum(CASE WHEN flips AND recorded = 'finish' THEN 1 ELSE 0 END) AS lost, "
    "sum(CASE WHEN flips AND recorded = 'cancel' THEN 1 ELSE 0 END) AS gained "
    "FROM gesture GROUP BY flags, build ORDER BY flags, n DESC, build")
# The interval of a median by ranks, n/2 -+ 1.96 sqrt(n)/2 (Conover, Practical Nonparametric Statistics, on quantiles),
# rounded outwards. Too few values have none.
HITCHES = (
    "SELECT build, max(n) AS n, max(p50) AS p50, max(p90) AS p90, max(p95) AS p95, "
    "max(CASE WHEN place = low THEN value END) AS low, max(CASE WHEN place = n + 1 - low THEN value END) AS high "
    "FROM (SELECT ranked.build, value, place, n, p50, p90, p95, floor(n / 2e0 - 0.98 * sqrt(n)) AS low "
    "FROM (SELECT build, value, row_number() OVER (PARTITION BY build ORDER BY value) AS place "
    "FROM metric WHERE name = 'hitch_ms_per_s') AS ranked JOIN (SELECT build, count(*) AS n, "
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY value) AS p50, "
    "percentile_cont(0.9) WITHIN GROUP (ORDER BY value) AS p90, "
    "percentile_cont(0.95) WITHIN GROUP (ORDER BY value) AS p95 "
    "FROM metric WHERE name = 'hitch_ms_per_s' GROUP BY build) AS whole ON ranked.build = whole.build) AS placed "
    "GROUP BY build ORDER BY n DESC, build")
# A sentence names its file, which is no part of what is wrong.
BAD = (
    "SELECT says, exit, count(DISTINCT listed) AS files, min(path) AS example FROM (SELECT replace(error, path, '…') AS "
    "says, exit, listed, path FROM latest WHERE exit <> 0) AS bad GROUP BY says, exit ORDER BY files DESC, says, exit")


class DuckDB:
    """Facts on this machine."""
    explode = "unnest"

    def __init__(self, folder):
        import duckdb
        runs = sorted(os.path.dirname(path) for path in glob.glob(glob.escape(folder) + "/run=*/_SUCCESS"))
        self.runs = [os.path.basename(run) for run in runs]
        files = [file for run in runs for file in glob.glob(glob.escape(run) + "/**/*.parquet", recursive=True)]
        if not files:
            raise Unusable(f"{folder} has no facts of a run that ended. Tools/fleet run writes them.")
        self.scratch = tempfile.TemporaryDirectory(prefix="kymo-fleet-")
        self.base = duckdb.connect(config={
            "autoinstall_known_extensions": "false", "autoload_known_extensions": "false",
            "temp_directory": self.scratch.name})
        names = ", ".join("'" + glob.escape(file).replace("'", "''") + "'" for file in files)
        self.base.execute(
            "CREATE VIEW fact AS SELECT * REPLACE (coalesce(build, 'unknown') AS build) FROM read_parquet("
            f"[{names}], hive_partitioning = true, hive_types_autocast = false, union_by_name = true)")

    def view(self, name, text):
        self.base.execute(f"CREATE VIEW {name} AS {text}")

    def rows(self, text):
        answer = self.base.execute(text)
        names = [column[0] for column in answer.description]
        return [dict(zip(names, row)) for row in answer.fetchall()]

    def end(self):
        self.base.close()
        self.scratch.cleanup()


class Spark:
    """Facts wherever Spark reads them."""
    explode = "explode"

    def __init__(self, folder, master, settings):
        from fleet_run import Facts, session
        from pyspark.sql import functions as F
        self.spark = session(master, settings)
        facts = Facts(self.spark, folder)
        runs = facts.runs()
        self.runs = [run.rsplit("/", 1)[1] for run in runs]
        if not runs:
            raise Unusable(f"{folder} has no facts of a run that ended. Tools/fleet run writes them.")
        facts.read(runs).withColumn("build", F.coalesce("build", F.lit("unknown"))).createOrReplaceTempView("fact")

    def view(self, name, text):
        self.spark.sql(text).createOrReplaceTempView(name)

    def rows(self, text):
        return [row.asDict() for row in self.spark.sql(text).collect()]

    def end(self):
        from fleet_run import end
        end(self.spark)


def mcnemar(lost, gained):
    """The exact two-sided p of McNemar's test: of lost + gained tosses of a coin, the fewer or less of one side, twice.

    Terms are added from the largest on, each from the one before, until they do not count any more.
    """
    n, fewer = lost + gained, min(lost, gained)
    if n == 0:
        return 1.0
    term = math.exp(math.lgamma(n + 1) - math.lgamma(fewer + 1) - math.lgamma(n - fewer + 1) - n * math.log(2))
    total = 0.0
    for k in range(fewer, -1, -1):
        total += term
        term *= k / (n - k + 1)
        if term < total * 1e-17:
            break
    return min(1.0, 2 * total)


def findings(engine):
    """What a report says, before it has a form."""
    for name, text in VIEWS.items():
        engine.view(name, text.format(explode=engine.explode))
    counts = engine.rows(COUNTS)[0]
    by_metrics = engine.rows(VELOCITIES.format(velocities=BY_METRICS))
    velocities = by_metrics or engine.rows(VELOCITIES.format(velocities=BY_GESTURES))
    flips = engine.rows(FLIPS)
    for row in flips:
        row["p"] = mcnemar(row["lost"], row["gained"])
    return {
        "newest": engine.runs[-1], "runs": len(engine.runs),
        **{name: int(value) for name, value in counts.items()},
        "velocities_are": "metrics" if by_metrics else "gestures",
        **few("velocities", velocities, MOST_BUILDS), **few("flips", flips, MOST_BUILDS),
        **few("hitches", engine.rows(HITCHES), MOST_BUILDS), **few("sentences", engine.rows(BAD), MOST_SENTENCES)}


def few(name, rows, most):
    return {name: rows[:most], f"more_{name}": max(0, len(rows) - most)}


def report(options):
    from fleet_run import is_address
    if options.master is None and is_address(options.facts):
        raise Unusable(f"{options.facts} is not on this machine. Say --master, and Spark reads it.")
    engine = (DuckDB(options.facts) if options.master is None else
              Spark(options.facts, options.master, dict(setting.split("=", 1) for setting in options.conf)))
    try:
        found = findings(engine)
    finally:
        engine.end()
    from fleet_page import html_of, markdown_of
    for output in options.outputs:
        text = html_of(found) if output.endswith(".html") else markdown_of(found)
        beside = f"{output}.part-{os.getpid()}"
        try:
            with open(beside, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            os.replace(beside, output)
        except OSError as problem:
            raise Unusable(f"{output} cannot be written: {problem.strerror}.") from None
    print(f"{found['files']} files, {found['bad']} bad, {found['sessions']} sessions; wrote {', '.join(options.outputs)}")
    return 0
