#!/usr/bin/env python3
"""Many recordings through Spark and through a pipe: the same rows, bit for bit, and a report that counts them right.

    Tests/Oracles/fleet.py KYMO [FOLDER]

200 recordings, 8 of them bad, and some whose names would rather be something else, are read by `kymo rows` through a
pipe, with one child and with two, and by Tools/fleet on Spark. What the report says of them is computed again by SciPy,
and its page is opened in Chromium, its Markdown by a parser of GitHub's kind. Then the files' bytes go through Spark, a
kymo and an executor are killed, and Spark makes the report. It takes minutes and a Java, so it runs with KYMO_TEST_ROUNDS
of 100 or more (Tools/test --long) alone. FOLDER keeps all of it.
"""
import base64
import collections
import json
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from packages import need

need()

import duckdb  # noqa: E402
import numpy  # noqa: E402
from markdown_it import MarkdownIt  # noqa: E402
from scipy import stats  # noqa: E402

from report_page.browser import Browser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".build" / "fleet" / "bin" / "python3"
IS_LONG = int(os.environ.get("KYMO_TEST_ROUNDS", "0")) >= 100
FILES, BAD = 200, 8
FLAGS = ["--metrics", "--releases", "--try", "--rule velocity", "--try", "--set release.threshold=0.9", "--values", "progress"]
ODD = [b"blank  name.kymo", b"new\nline.kymo", b"a#1.kymo", b"no-\xff\xfe-text.kymo", "ü %41+ \u202e.kymo".encode(),
       b"<script>globalThis.hacked=1<!-- | `b` **c** [d](http:e) @f.kymo"]
HOSTILE = "</bdi><script>globalThis.hacked=1</script>|`x` ../../x\n| a | b |"

findings = []
checks = 0


def check(words, holds, detail=""):
    global checks
    checks += 1
    if not holds:
        findings.append(words)
        print(f"  NOT: {words}: {str(detail)[:2000]}")


def run(words, text=None, code=0, env=None):
    answer = subprocess.run([str(word) for word in words], capture_output=True, input=text,
                            env={**os.environ, **(env or {})})
    said = answer.stderr.decode(errors="replace")
    check(f"{' '.join(map(str, words[:3]))} ends with {code}", answer.returncode in (code if isinstance(code, tuple) else [code]), f"{answer.returncode} {said[-1500:]}")
    return answer.stdout


# --- Recordings -------------------------------------------------------------------------------------

def make(kymo, lab):
    """Recordings, and a few of them again under odd names: good ones, and bad ones whose sentence has the name."""
    run([ROOT / "Tools" / "many-files", "corpus", lab, str(FILES), str(BAD)], env={"kymo": kymo})
    (lab / "list.txt").unlink()
    good = next(path for path in sorted(lab.glob("day-*/*.kymo")) if path.is_file() and path.stat().st_size > 100_000)
    # Their names are the first of their kind, which the report shows.
    odd = lab / "A" / "build=odd"
    odd.mkdir(parents=True)
    for name in ODD:
        shutil.copy(good, os.fsencode(odd) + b"/" + name)
        with open(os.fsencode(odd) + b"/bad " + name, "wb") as file:
            file.write(b"no recording")
    lines = [{"kymograph": 1, "name": HOSTILE, "software": HOSTILE, "device": HOSTILE, "refreshRate": 100},
             {"t_ns": 0, "key": HOSTILE, "value": 1}, {"t_ns": 10**9, "key": HOSTILE, "value": -0.0}]
    run([kymo, "record", "--from-ndjson", "-", "--into", lab / "A" / "hostile.kymo"],
        text="".join(json.dumps(line) + "\n" for line in lines).encode())
    # Frames that came late: the lines of a recording, without some.
    late = lab / "build=late"
    late.mkdir()
    whole = run([kymo, "export", "ndjson", good.as_posix() + "#1"]).decode().split("\n")
    dice = random.Random(19)
    for place in range(15):
        kept = [line for line in whole if '"changed"' not in line or dice.random() > place / 50]
        run([kymo, "record", "--from-ndjson", "-", "--into", late / f"{place}.kymo"], text="\n".join(kept).encode())
    # Half of the gestures belong to another build, so that the report has two.
    (lab / "day-1").rename(lab / "build=2")
    return good


def names(lab):
    return sorted(subprocess.run(["find", lab, "-name", "*.kymo", "-print0"], capture_output=True, check=True)
                  .stdout.rstrip(b"\0").split(b"\0"))


# --- Rows -------------------------------------------------------------------------------------------

def bits(value):
    """A value to compare: numbers by their bits, whatever form they have; what is absent is null."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return struct.pack("<d", value) if abs(value) < 2**53 else str(int(value))
    if isinstance(value, dict):
        return {key: bits(item) for key, item in value.items() if item is not None}
    return [bits(item) for item in value]


def keyed(rows):
    return {(base64.b64decode(row["path_b64"]) if row.get("path_b64") else row["path"].encode(), row.get("session")):
            bits(row) for row in rows}


def piped(kymo, paths, jobs):
    # -0 is a number of its own: JSON's reader has no whole number for it.
    text = run([kymo, "rows", "-0", "-j", jobs, *FLAGS], text=b"".join(path + b"\0" for path in paths), code=(1, 3))
    rows = [json.loads(line, parse_int=lambda digits: -0.0 if digits == "-0" else int(digits))
            for line in text.decode().split("\n")[:-1]]
    return text, rows


def stored(facts, newest_only=True):
    """Facts by a stock DuckDB, as anybody would read them."""
    base = duckdb.connect()
    table = base.execute(
        "SELECT *, dense_rank() OVER (PARTITION BY listed ORDER BY run DESC) AS age FROM "
        "read_parquet(?, hive_partitioning = true, hive_types_autocast = false)", [f"{facts}/run=*/*/*/*.parquet"])
    columns = [column[0] for column in table.description]
    rows = [dict(zip(columns, row)) for row in table.fetchall()]
    return [row for row in rows if row["age"] == 1 or not newest_only]


def plain(rows, left_out=("listed", "day", "build", "run", "age")):
    return [{key: value for key, value in row.items() if key not in left_out} for row in rows]


def compare(words, found, right):
    check(f"{words}: as many rows", len(found) == len(right), f"{len(found)} for {len(right)}")
    found, right = keyed(found), keyed(right)
    check(f"{words}: the same files and sessions", found.keys() == right.keys(), str(found.keys() ^ right.keys()))
    different = [key for key in found.keys() & right.keys() if found[key] != right[key]]
    detail = [(key, [(name, found[key].get(name), right[key].get(name)) for name in {*found[key], *right[key]}
                     if found[key].get(name) != right[key].get(name)]) for key in different[:1]]
    check(f"{words}: the same bits", not different, f"{len(different)} differ, {detail}")


def spark(plan):
    said = run([PYTHON, ROOT / "Tests" / "Oracles" / "fleet_runs" / "driver.py"], text=json.dumps(plan).encode())
    lines = said.decode().split("\n")[:-1]
    print("    " + "\n    ".join(lines))
    return lines


# --- Report -----------------------------------------------------------------------------------------

def short(value):
    """Four significant digits, as the report has them below ten thousand."""
    return f"{value:.4g}" if value else "0"


def tables(markdown):
    """The cells of each table of a page, by its heading, as a reader of GitHub's kind sees them."""
    found, heading, rows = {}, None, None
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[place + 1].content
            rows = found.setdefault(heading, [])
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline" and tokens[place - 1].type in ("td_open", "th_open"):
            kinds = {child.type for child in token.children}
            check("a cell is text or code, and nothing else", kinds <= {"text", "code_inline"}, token.content)
            rows[-1].append("".join(child.content for child in token.children))
    return found


def expected(rows):
    """What the report must say, from the pipe's rows alone."""
    def build(row):
        found = re.search(r"/build=(\w+)/", row["path"])
        # A build is a folder's name.
        return found.group(1) if found else re.sub(r"[^\w.+ -]", "_", row["software"])[:50].strip()

    velocities, hitches, flips = (collections.defaultdict(list) for _ in range(3))
    for row in rows:
        for metric in row.get("metrics") or []:
            if metric["value"] is not None and metric["name"] == "release_velocity_per_s" and metric["role"] == "progress":
                velocities[build(row), metric["unit"]].append(metric["value"])
            if metric["value"] is not None and metric["name"] == "hitch_ms_per_s":
                hitches[build(row)].append(metric["value"])
        for gesture in row.get("whatif") or []:
            flips[gesture["flags"], build(row)].append(gesture["flips"] and gesture["recorded_decision"])
    yield "Release velocity", [
        [*key, f"{len(values):,}", *(short(numpy.percentile(values, rank)) for rank in (5, 25, 50, 75, 95))]
        for key, values in velocities.items()]

    def judged(answers):
        lost, gained = answers.count("finish"), answers.count("cancel")
        p = stats.binomtest(lost, lost + gained).pvalue if lost + gained else 1
        return [str(len(answers)), str(lost), str(gained), "< 0.0001" if p < 1e-4 else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"]
    yield "Flips", [[*key, *judged(answers)] for key, answers in flips.items()]

    def interval(values):
        ranked, n = sorted(values), len(values)
        low = int(numpy.floor(n / 2 - 0.98 * numpy.sqrt(n)))
        if low < 1:
            return "–"
        # Its purpose: in 95 of 100 samples it has the true median in it.
        check("a median's interval covers it", 1 - 2 * stats.binom.cdf(low - 1, n, 0.5) >= 0.95, str((n, low)))
        return f"{short(ranked[low - 1])} to {short(ranked[n - low])}"
    yield "Hitches", [
        [key, str(len(values)), short(numpy.percentile(values, 50)), interval(values),
         short(numpy.percentile(values, 90)), short(numpy.percentile(values, 95))] for key, values in hitches.items()]
    bad = collections.defaultdict(set)
    for row in rows:
        if row["exit"]:
            bad[row["exit"], row["error"].replace(row["path"], "…")].add(row.get("path_b64") or row["path"])
    yield "Bad files", [[str(len(files)), str(code)] for (code, _), files in bad.items()]


def test_report(facts, folder, rows):
    page, text = folder / "fleet.html", folder / "fleet.md"
    run([ROOT / "Tools" / "fleet", "report", facts, "-o", page, "-o", text])
    found = tables(text.read_text())
    for heading, right in expected(rows):
        said = [row[:2] if heading == "Bad files" else row for row in found[heading][1:]]
        check(f"the report's table of {heading}", sorted(said) == sorted(right),
              f"{[row for row in said if row not in right]} for {[row for row in right if row not in said]}")
    check("there are flips to judge", any(row[3] != "0" or row[4] != "0" for row in found["Flips"][1:]), found["Flips"])
    check("there are hitches to count", any(row[2] not in ("0", row[4]) for row in found["Hitches"][1:]), found["Hitches"])
    examples = [row[3] for row in found["Bad files"][1:]]
    check("a bad file is named whole", any(example.endswith("/bad " + ODD[-1].decode()) for example in examples), examples)
    browser = Browser()
    try:
        for dark in [False, True]:
            for width in [1400, 390]:
                browser.look(dark=dark, width=width)
                browser.open(page)
                check("a name is no markup", browser.evaluate("globalThis.hacked ?? document.scripts.length") == 0)
                check(f"the page is as wide as the window, {width}",
                      browser.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                      browser.evaluate("document.documentElement.scrollWidth"))
                check("the page is quiet", browser.complaints() == [], browser.complaints())
                browser.picture(folder / f"fleet-{width}{'-dark' if dark else ''}.png")
        cells = browser.evaluate("[...document.querySelectorAll('section')].map((s) => [...s.querySelectorAll('tbody tr')]"
                                 ".map((r) => [...r.cells].map((c) => c.textContent)))")
        check("page and Markdown say the same", cells == [found[heading][1:] for heading in list(found)[1:]],
              str(cells)[:600])
        check("plots are drawn", browser.evaluate("document.querySelectorAll('.plot svg rect').length") > 4)
    finally:
        browser.close()


# --- All of it --------------------------------------------------------------------------------------

def test(kymo, folder):
    lab, facts = folder / "lab", folder / "facts"
    lab.mkdir()
    good = make(kymo, lab)
    paths = names(lab)
    golden, limits = folder / "golden.kymo", folder / "limits.json"
    shutil.copy(good, golden)
    limits.write_text(json.dumps({"version": 1, "rules": [{"key": "progress", "rms": 1e-6}]}))
    FLAGS.extend(["--check", f"{golden}#1", "--tolerances", str(limits)])
    text, rows = piped(kymo, paths, 1)
    check("two children write what one does", piped(kymo, paths, 2)[0] == text)
    bad = len({row.get("path_b64") or row["path"] for row in rows if row["exit"]})
    sizes = {row["exit"] for row in rows}
    check("there are good and bad ones", sizes == {0, 4} and bad >= BAD - 2 + len(ODD), f"{sizes} {bad}")

    plan = {"master": "local[2]", "kymo": kymo, "flags": FLAGS, "out": str(facts), "runs": [
        {"source": str(lab)}, {"source": str(lab)},
        {"source": str(lab), "copy": [str(good), str(lab / "one-more.kymo")]}]}
    said = spark(plan)
    files = len(paths)
    check("listed is good and bad", said[1].startswith(
        f"listed {files}: 0 were read before, {files - bad} good, {bad} bad; {len(rows)} rows in run="), said)
    check("a second run has nothing to do", said[3] == f"listed {files}: {files} were read before, 0 files to do", said)
    check("one file more is one file", said[5].startswith(
        f"listed {files + 1}: {files} were read before, 1 good, 0 bad; "), said)
    check("each run ends with 0", [line.split(",")[0] for line in said[2::2]] == ["code: 0"] * 3, said)
    more = piped(kymo, [os.fsencode(lab / "one-more.kymo"), paths[0], b"/gone.kymo"], 1)[1]
    rows += [row for row in more if row["path"].endswith("one-more.kymo")]
    compare("local[2]", plain(stored(facts)), rows)
    test_report(facts, folder, rows)
    test_mistakes(kymo, folder, lab)
    test_long(kymo, folder, lab, facts, rows, plan)


def test_question(kymo):
    """Tools/fleet calls the program as it is today, which needs no Spark to try."""
    sys.path.insert(0, str(ROOT / "Tools" / "fleet-steps"))
    sys.dont_write_bytecode = True
    from fleet_run import question
    check("the program takes the call of Tools/fleet", re.fullmatch("[0-9a-f]{16}", question(kymo, FLAGS)), "")


def test_mistakes(kymo, folder, lab):
    """What cannot be begun ends before Spark starts, and says why."""
    def fails(words, code, said):
        answer = subprocess.run([ROOT / "Tools" / "fleet", *map(str, words)], capture_output=True, text=True)
        check(f"{' '.join(map(str, words))} ends with {code}", answer.returncode == code, answer.stderr)
        check(f"and says so: {said}", said in answer.stderr and "Traceback" not in answer.stderr, answer.stderr)

    begun = ["run", "--kymo", kymo, "--out", folder / "none"]
    fails([*begun, "--in", lab], 2, "something to ask")
    fails([*begun, "--in", lab, "--", "--metric"], 2, "--metric")
    fails([*begun, "--in", lab, "--", "--try", "--rule nothing"], 2, "nothing")
    fails([*begun, "--in", lab, "--", "--check", folder / "gone.kymo", "--tolerances", folder / "limits.json"], 4, "gone.kymo")
    fails([*begun, "--in", folder / "gone", "--", "--metrics"], 4, "There is no file or folder")
    fails([*begun[:2], "/gone/kymo", *begun[3:], "--in", lab, "--", "--metrics"], 4, "no program /gone/kymo")
    (folder / "list.csv").write_text("name,bytes\na,1\n")
    fails([*begun, "--in", folder / "list.csv", "--", "--metrics"], 4, "no column path")
    (folder / "empty").mkdir()
    fails([*begun, "--in", folder / "empty", "--", "--metrics"], 4, "names no recording")
    fails(["report", folder / "empty", "-o", folder / "x.html"], 4, "no facts of a run that ended")
    fails(["report", folder / "facts", "-o", folder / "gone" / "x.html"], 4, "cannot be written")
    fails(["report", folder / "facts", "-o", folder / "x.kymo"], 2, ".html or .md")
    check("nothing was written", not (folder / "none").exists())


def test_long(kymo, folder, lab, facts, rows, plan):
    spark_report = folder / "spark.md"
    run([ROOT / "Tools" / "fleet", "report", facts, "-o", spark_report, "--master", "local[2]"])
    check("Spark and DuckDB say the same", spark_report.read_text() == (folder / "fleet.md").read_text())
    for kind, master in [("kymo", "local[2]"), ("executor", "local-cluster[2,1,1024]")]:
        out = folder / f"facts-{kind}"
        said = spark({**plan, "master": master, "out": str(out), "kill": kind, "part_bytes": 1 << 20,
                      "runs": [{"source": str(lab)}]})
        check(f"a {kind} was killed", said[-1] not in ("killed: None", ""), said)
        compare(f"a killed {kind}", plain(stored(out)), rows)
    # As bytes, and through the command itself. A folder is no object; what no longer is there, neither; Spark's paths are
    # text.
    out = folder / "facts-bytes"
    run([ROOT / "Tools" / "fleet", "run", "--kymo", kymo, "--in", f"file://{lab}", "--out", out, "--master", "local[2]",
         "--", *FLAGS], code=3)
    # A name with a colon is none that Hadoop opens; the run names it and ends with 3.
    found = plain(stored(out), ("listed", "day", "build", "run", "age", "mtime_ns"))
    for row in found:
        row["path"] = row["path"].removeprefix("file:")
        if row["error"]:
            row["error"] = row["error"].replace("file:", "")
    right = [{key: value for key, value in row.items() if key != "mtime_ns"} for row in rows
             if "path_b64" not in row and ":" not in row["path"] and os.path.isfile(row["path"])]
    compare("bytes", found, right)


def main():
    kymo = os.path.abspath(sys.argv[1])
    test_question(kymo)
    if not IS_LONG:
        print("the rest is not run: it is part of Tools/test --all --long")
        return 1 if findings else 0
    with tempfile.TemporaryDirectory(prefix="kymo-fleet-") as place:
        folder = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else pathlib.Path(place)
        folder.mkdir(parents=True, exist_ok=True)
        run([ROOT / "Tools" / "fleet", "setup"])
        test(kymo, folder)
    print(f"{checks} checks, {len(findings)} failed")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
