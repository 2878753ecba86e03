#!/usr/bin/env python3
"""Recordings asked by stock SQLite, of which nothing is ours: the right answer, or a sentence, never a wrong number.

    Tests/Oracles/stock.py KYMO

- Each query of the manual, and a look at every view, on a recording of each scenario
  of the gallery: Python's sqlite3 and APSW's SQLite, the newest there is, must give the answer of `kymo sql`.
- Random queries (joins, windows, limits, EXISTS, unions, WITH) on a plain file, a sealed one, one that has a
  session of each, and one that an older program sealed and `kymo file migrate` brought to today's schema: both
  libraries and SQLite's shell with -safe must give what the expanded file gives, or fail with the guard's sentence.
  What fails must touch a session that is sealed.
- Datasette serves every view of the sealed file but those that the guard is for, and says its sentence there.

There are 2,000 random queries, or as many as KYMO_TEST_ROUNDS says where that is more.
"""
import asyncio
import glob
import json
import math
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from packages import need

need()

import apsw  # noqa: E402
from datasette.app import Datasette  # noqa: E402

ROUNDS = max(2000, int(os.environ.get("KYMO_TEST_ROUNDS", "0")))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SENTENCE = "are sealed from"
VIEWS = ["sessions", "layouts", "keys", "samples", "key_samples", "items", "frames", "attributes", "key_poses", "touches", "events",
         "decisions", "estimates", "transitions", "losses", "labels", "origins"]
GUARDED = ["attributes", "samples"]


class Wrong(Exception):
    pass


def run(*words, **more):
    answer = subprocess.run(words, capture_output=True, text=True, timeout=600, **more)
    if answer.returncode != 0:
        raise Wrong(f"{' '.join(words)[:200]}: {answer.returncode} {answer.stderr[:400]}")
    return answer.stdout


def python(path):
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def newest(path):
    return apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)


LIBRARIES = [("sqlite3 " + sqlite3.sqlite_version, python), ("APSW " + apsw.sqlite_lib_version(), newest)]


# --- The gallery ---------------------------------------------------------------------------------

def manual_queries():
    """Every SELECT of the texts that a user reads, but those on `releases`, which only kymo sql has."""
    found = []
    for path in ["README.md", *glob.glob("Sources/**/*.md", root_dir=ROOT, recursive=True)]:
        text = open(os.path.join(ROOT, path), encoding="utf-8").read()
        found += re.findall(r'"(SELECT [^"]+)"', text)
        # A line of a quoted query may begin with SELECT, too.
        text = re.sub(r'"SELECT [^"]+"', "", text)
        found += re.findall(r"^ {4}(SELECT .*?;)", text, re.DOTALL | re.MULTILINE)
    # A backslash at the end of a line lets a command go on in the next one.
    queries = sorted({" ".join(query.replace("\\\n", " ").split()) for query in found})
    queries = [query for query in queries if "releases" not in query and "sqlite_schema" not in query and "…" not in query]
    if len(queries) < 5:
        raise Wrong(f"only {len(queries)} queries were found in the manual")
    return queries


def objects(database, query):
    """The rows as objects, as kymo sql --json has them."""
    rows, cursor = [], database.execute(query)
    for row in cursor:
        rows.append(dict(zip([column[0] for column in cursor.description], row)))
    return rows


def alike(left, right):
    """Whether rows are the same; newer SQLites round the last bits of a sum in another way."""
    if isinstance(left, float) or isinstance(right, float):
        return left is not None and right is not None and math.isclose(left, right, rel_tol=1e-12)
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, dict):
        return isinstance(right, dict) and left.keys() == right.keys() and all(alike(left[k], right[k]) for k in left)
    return left == right


def check_gallery(kymo, folder):
    queries = manual_queries() + [f"SELECT * FROM {view}" for view in VIEWS]
    count = 0
    for scenario in sorted(glob.glob(os.path.join(ROOT, "Tests/Fixtures/gallery/*.json"))):
        path = os.path.join(folder, "gallery.kymo")
        touches = [name for name in [scenario[:-4] + "csv"] if os.path.exists(name)]
        words = [kymo, "record", "--scenario", scenario, "--into", path]
        for name in touches:
            words += ["--gesture", name]
        run(*words)
        for table in ["segment", "sample_segment"]:
            if python(path).execute(f"SELECT count(*) FROM {table}").fetchone()[0]:
                raise Wrong(f"{scenario}: {table} has rows")
        for query in queries:
            ours = json.loads(run(kymo, "sql", path, query, "--json"))
            for name, connect in LIBRARIES:
                theirs = objects(connect(path), query)
                if not (alike(theirs, ours) if "sum(" in query or "avg(" in query else theirs == ours):
                    raise Wrong(f"{name}, {os.path.basename(scenario)}: {query}\n{theirs[:2]}\n{ours[:2]}")
                count += 1
        os.remove(path)
    if count < 300:
        raise Wrong(f"only {count} answers were compared")
    print(f"gallery: {count} answers as kymo sql gives them ({len(queries)} queries)")


# --- Random queries ------------------------------------------------------------------------------

ITEMS, FRAMES, RATE = 20, 130, 60


def lines(dice, name):
    """A session whose items move, with some that come and go, three keys, touches and a decision."""
    yield json.dumps({"kymograph": 1, "name": name})
    for frame in range(FRAMES):
        t = frame * 1_000_000_000 // RATE
        items = [
            {"id": f"cells/{i}", "center": [round(dice.uniform(0, 400), 2), i * 40], "size": [40, 40],
             "alpha": dice.choice([0, 0.5, 1])}
            for i in range(ITEMS) if not (i % 5 == 0 and frame % 7 == 0)]
        yield json.dumps({"t_ns": t, "frame": {"progress": frame / FRAMES, "items": items}})
        for key in ["progress", "x", "scale"]:
            yield json.dumps({"t_ns": t, "key": key, "value": dice.uniform(-1, 2)})
        if frame % 10 == 0:
            yield json.dumps({"t_ns": t, "touch": {"contact": 0, "phase": "began" if frame == 0 else "moved",
                                                    "x": frame, "y": 3}})


def make_files(kymo, folder):
    """Pairs of a file to ask and the truth, and which sessions of it are sealed."""
    dice = random.Random(20)
    plain = os.path.join(folder, "plain.kymo")
    for name in ["one", "two", "three"]:
        run(kymo, "record", "--from-ndjson", "-", "--into", plain, input="\n".join(lines(dice, name)))
    files = [(plain, plain, [])]
    for name, sealed in [("mixed", [2]), ("sealed", [1, 2, 3])]:
        path = os.path.join(folder, name + ".kymo")
        shutil.copy(plain, path)
        for session in sealed:
            run(kymo, "file", "pack", f"{path}#{session}")
        files.append((path, plain, sealed))
    old = os.path.join(ROOT, "Tests/Fixtures/recordings/v3-sealed.kymo")
    if os.path.exists(old):
        path, truth = os.path.join(folder, "migrated.kymo"), os.path.join(folder, "expanded.kymo")
        shutil.copy(old, path)
        run(kymo, "file", "migrate", path)
        shutil.copy(path, truth)
        run(kymo, "file", "unpack", truth)
        sealed = [row[0] for row in python(path).execute("SELECT DISTINCT session FROM segment")]
        files.append((path, truth, sealed))
    for path, truth, sealed in files:
        for session, count in python(path).execute("SELECT session, sealed_row_count FROM sessions"):
            if (count > 0) != (session in sealed):
                raise Wrong(f"{path}: sealed_row_count of session {session} is {count}")
        if len(sealed) < len(files) and "mixed" in path and sealed != [2]:
            raise Wrong("the mixed file is not mixed")
    return files


COLUMNS = {
    "session": [1, 2, 3], "frame": [0, 1, 60, 61, 111, 129], "t_ns": [0, 16666666, 1_000_000_000, 2_100_000_000],
    "item": [0, 3, 5, 19], "id": ["'cells/0'", "'cells/3'", "'cells/19'"], "center_x": [0, 100.5, 250],
    "center_y": [0, 40, 400], "width": [40], "alpha": [0, 0.5, 1], "change": ["'changed'", "'same'", "'gone'"],
    "z_index": [0], "hidden": [0, 1], "category": ["'cell'"], "index_item": [0, 7], "transform_a": [1],
}
SOURCES = [
    "attributes a", "attributes a JOIN frames f ON f.session = a.session AND f.frame = a.frame",
    "frames f JOIN attributes a USING (session, frame)",
    "items i LEFT JOIN attributes a ON a.session = i.session AND a.item = i.item",
    "sessions s JOIN attributes a ON a.session = s.session", "(SELECT * FROM attributes) a",
    "(SELECT * FROM attributes ORDER BY t_ns DESC, session, item LIMIT 500) a",
    "attributes b JOIN attributes a ON a.session = b.session AND a.frame = b.frame AND a.item = b.item",
    "(SELECT *, row_number() OVER (PARTITION BY session, item ORDER BY frame DESC) AS n FROM attributes) a",
    "keys k JOIN attributes a ON a.session = k.session AND k.number = a.item",
    "frames f LEFT JOIN attributes a ON a.session = f.session AND a.frame = f.frame",
    "(SELECT * FROM attributes WHERE session = 1 UNION ALL SELECT * FROM attributes WHERE session = 2) a",
    "(SELECT DISTINCT * FROM attributes) a",
    "(SELECT * FROM attributes WHERE session = 1 INTERSECT SELECT * FROM attributes WHERE alpha > 0) a",
    "(SELECT * FROM attributes WHERE session = 3 EXCEPT SELECT * FROM attributes WHERE frame > 60) a",
    "key_poses a", "key_poses k JOIN attributes a USING (session, frame, item)",
    "(SELECT *, lag(center_x) OVER (PARTITION BY session, item ORDER BY frame) AS before FROM attributes) a",
]
CHOICES = ["count(*)", "max(a.center_x), count(a.width)", "a.frame, a.item, a.center_x", "a.id, count(*)",
           "min(a.t_ns)", "a.session, a.alpha", "1", "total(a.alpha)", "avg(a.center_y), a.session",
           "group_concat(DISTINCT a.id)", "a.transform_a, a.hidden"]


SAMPLE_COLUMNS = {
    "session": [1, 2, 3], "t_ns": [0, 16666666, 1_000_000_000, 1_500_000_000], "value": [0, 0.5, 1.25],
}
SAMPLE_SOURCES = [
    "samples a", "samples a JOIN keys k ON k.session = a.session AND k.key = a.key",
    "keys k JOIN samples a USING (session)", "sessions s JOIN samples a ON a.session = s.session",
    "frames f JOIN samples a ON a.session = f.session AND a.t_ns = f.t_ns",
    "frames f LEFT JOIN samples a ON a.session = f.session AND a.t_ns > f.t_ns AND a.t_ns < f.t_ns + 20000000",
    "(SELECT *, lag(value) OVER (PARTITION BY session, key ORDER BY t_ns, ordinal) AS before FROM samples) a",
    "(SELECT * FROM samples ORDER BY t_ns DESC, key, session LIMIT 99) a", "(SELECT DISTINCT * FROM samples) a",
    "(SELECT * FROM samples WHERE session = 1 UNION ALL SELECT * FROM samples WHERE session = 3) a",
    "(SELECT * FROM samples WHERE session = 2 EXCEPT SELECT * FROM samples WHERE value > 0.5) a",
    "samples a JOIN attributes b ON b.session = a.session AND b.t_ns = a.t_ns AND b.item = 3",
    "(SELECT session, min(t_ns) AS t_ns, min(min_value) AS value, key, sum(sample_count) AS n FROM key_samples"
    " GROUP BY session, key) a",
    "key_samples q JOIN samples a ON a.session = q.session AND a.key = q.key AND a.t_ns = q.t_ns",
]
SAMPLE_CHOICES = ["count(*)", "max(a.value), min(a.t_ns)", "a.t_ns, a.key, a.value", "1", "avg(a.value), a.session",
                  "total(a.value), count(DISTINCT a.key)"]


def random_sample_query(dice):
    source, choice = dice.choice(SAMPLE_SOURCES), dice.choice(SAMPLE_CHOICES)
    where = [condition(dice, SAMPLE_COLUMNS) for _ in range(dice.randint(0, 2))]
    if dice.random() < 0.3:
        where.append(f"a.key = {dice.choice(['progress', 'x', 'none'])!r}")
    if dice.random() < 0.1:
        where.append(f"EXISTS (SELECT 1 FROM samples x WHERE x.session = a.session AND x.t_ns < {dice.randint(0, 99999999)})")
    query = f"SELECT {choice} FROM {source}" + (f" WHERE {' AND '.join(where)}" if where else "")
    if choice == "avg(a.value), a.session":
        query += " GROUP BY a.session"
    dressed = dice.random()
    if dressed < 0.15 and choice == "a.t_ns, a.key, a.value":
        query += " ORDER BY 1, 2, 3 LIMIT 4"
    elif dressed < 0.3:
        query = f"SELECT EXISTS ({query})"
    elif dressed < 0.4:
        query = (f"SELECT (SELECT count(*) FROM ({query})), (SELECT value FROM samples WHERE session = "
                 f"{dice.randint(1, 3)} AND key = 'x' AND t_ns <= 1000000000 ORDER BY t_ns DESC LIMIT 1)")
    return query


def condition(dice, columns=COLUMNS):
    column = dice.choice([c for c in columns if c != "change"])
    value = dice.choice(columns[column])
    return f"a.{column} {dice.choice(['=', '<', '>', '<=', '>=', '<>', 'IS'])} {value}"


def random_query(dice):
    source, choice = dice.choice(SOURCES), dice.choice(CHOICES)
    where = [condition(dice) for _ in range(dice.randint(0, 3))]
    if dice.random() < 0.3:
        where.append(f"a.session = {dice.randint(1, 3)}")
    if dice.random() < 0.1:
        where.append(f"EXISTS (SELECT 1 FROM attributes x WHERE x.session = a.session AND x.frame = {dice.randint(0, 129)})")
    if dice.random() < 0.1:
        where.append(f"a.item IN (SELECT item FROM attributes WHERE session = {dice.randint(1, 3)} AND frame < 9)")
    query = f"SELECT {choice} FROM {source}" + (f" WHERE {' AND '.join(where)}" if where else "")
    if choice in ["a.id, count(*)"]:
        query += " GROUP BY a.id"
    elif choice == "avg(a.center_y), a.session":
        query += " GROUP BY a.session"
    if choice == "group_concat(DISTINCT a.id)":
        query = f"SELECT length(names) FROM ({query.replace('group_concat(DISTINCT a.id)', 'group_concat(DISTINCT a.id) AS names')})"
    dressed = dice.random()
    if dressed < 0.15:
        query = f"SELECT * FROM ({query}) ORDER BY 1 LIMIT 3" if "," not in choice else query + " ORDER BY 1, 2, 3 LIMIT 3" \
            if choice == "a.frame, a.item, a.center_x" else query
    elif dressed < 0.3:
        query = f"SELECT EXISTS ({query})"
    elif dressed < 0.4:
        query = (f"SELECT (SELECT count(*) FROM ({query})), (SELECT frame FROM attributes WHERE session = "
                 f"{dice.randint(1, 3)} AND item = 3 AND frame <= 111 ORDER BY frame DESC LIMIT 1)")
    elif dressed < 0.5:
        query = f"WITH q AS ({query}) SELECT count(*) FROM q"
    return query


def answer(database, query):
    """The rows in an order of their own; the sentence; or what else went wrong."""
    try:
        return sorted(repr(row) for row in database.execute(query))
    except (sqlite3.Error, apsw.Error) as error:
        return "sentence" if SENTENCE in str(error) else f"{type(error).__name__}: {error}"


def touches_sealed(query, sealed):
    return bool(sealed) and re.search(r"\b(attributes|samples)\b", query) is not None


def check_random(files):
    dice = random.Random(int(os.environ.get("KYMO_TEST_SEED", "16")))
    queries = [dice.choice([random_query, random_sample_query])(dice) for _ in range(ROUNDS)]
    expected_of = {}
    for path, truth, sealed in files:
        answers = {}
        for name, connect in LIBRARIES:
            if (name, truth) not in expected_of:
                right = connect(truth)
                expected_of[name, truth] = [answer(right, query) for query in queries]
            asked = connect(path)
            same = raised = 0
            for query, expected in zip(queries, expected_of[name, truth]):
                if isinstance(expected, str):
                    raise Wrong(f"{name}: the expanded file answers {expected} to {query}")
                got = answer(asked, query)
                if got == "sentence":
                    if not touches_sealed(query, sealed):
                        raise Wrong(f"{name}, {path}: a false alarm for {query}")
                    raised += 1
                elif got == expected:
                    same += 1
                else:
                    raise Wrong(f"{name}, {path}: {query}\ngives {got[:2] if isinstance(got, list) else got}, not {expected[:2]}")
            answers[name] = (same, raised)
        for query in queries[: max(20, ROUNDS // 10)]:
            shell = subprocess.run(["sqlite3", "-safe", "-readonly", path, query], capture_output=True, text=True)
            if shell.returncode != 0:
                if SENTENCE not in shell.stderr or not touches_sealed(query, sealed):
                    raise Wrong(f"sqlite3 -safe, {path}: {shell.stderr} for {query}")
            else:
                plain = subprocess.run(["sqlite3", "-safe", "-readonly", truth, query], capture_output=True, text=True)
                if sorted(shell.stdout.splitlines()) != sorted(plain.stdout.splitlines()):
                    raise Wrong(f"sqlite3 -safe, {path}: another answer to {query}")
        print(f"{os.path.basename(path)}: {len(queries)} queries, (right, refused) by {answers}")
        if sealed and any(raised == 0 for _, raised in answers.values()):
            raise Wrong(f"{path}: nothing was refused")


def check_datasette(path):
    async def ask():
        service = Datasette([path], settings={"sql_time_limit_ms": 20000})
        for view in VIEWS:
            response = await service.client.get(f"/{os.path.basename(path)[:-5]}/{view}.json?_shape=array")
            if view in GUARDED:
                if response.status_code != 400 or SENTENCE not in response.text:
                    raise Wrong(f"Datasette, {view}: {response.status_code} {response.text[:200]}")
            elif response.status_code != 200:
                raise Wrong(f"Datasette, {view}: {response.status_code} {response.text[:200]}")
        await service.invoke_startup()
    asyncio.run(ask())
    print(f"Datasette serves {len(VIEWS) - len(GUARDED)} views of a sealed file, and the sentence for {', '.join(GUARDED)}")


def main():
    kymo = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        check_gallery(kymo, folder)
        files = make_files(kymo, folder)
        check_random(files)
        check_datasette(files[2][0])


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"Tests/Oracles/stock.py: {wrong}")
