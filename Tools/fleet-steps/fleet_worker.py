"""What runs on executors: lists of files become facts, by `kymo rows`."""
import base64
import io
import os
import re
import subprocess
import tempfile

import fleet_facts as facts

# A larger block is not read back: Arrow's reader counts bytes in 32 bits.
MOST_OUTPUT = 2**31 - 1
# What is larger does not come out of an object store in one piece: Spark's arrays end at 2 GiB, and each stands in memory
# more than once.
MOST_CONTENT = 1 << 30
# A file's name may have 255 bytes, and a letter up to four.
BUILD_LETTERS = 50


def rows_command(kymo, children, flags):
    """The command that reads names, each ended by a zero byte, and prints rows."""
    return [kymo, "rows", "-0", "-j", str(children), *flags]


class Work:
    """How an executor asks kymo: flags of `kymo rows`, the columns of its rows, the name of the question, how a build is
    known by its path."""

    def __init__(self, kymo, flags, row, task, files=(), build=None):
        self.kymo, self.flags, self.row, self.task = kymo, flags, row, task
        self.files, self.build = dict(files), build

    def command(self):
        # What the driver sent along stands in a folder that only the executor knows.
        from pyspark import SparkFiles
        flags = [SparkFiles.get(self.files[place]) if place in self.files else flag
                 for place, flag in enumerate(self.flags)]
        return rows_command(SparkFiles.get(self.kymo), 1, flags)

    def by_path(self, batches):
        """Batches of names become batches of facts."""
        for batch in batches:
            names = batch.column("listed").to_pylist()
            yield from self.facts(self.rows(names), None).to_batches()

    def by_bytes(self, batches):
        """Batches of files' contents become batches of facts."""
        import pyarrow as pa
        for batch in batches:
            with tempfile.TemporaryDirectory(prefix="kymo-fleet-") as folder:
                shown, refused = {}, []
                for place, (name, size, changed) in enumerate(zip(
                        *(batch.column(column).to_pylist() for column in ["listed", "bytes", "mtime_ns"]))):
                    if size > MOST_CONTENT:
                        refused.append(self.refusal(name, size, changed))
                        continue
                    path = f"{folder}/{place}.kymo"
                    with open(path, "wb") as file:
                        content = batch.column("content")[place]
                        file.write(content.as_buffer() if content.is_valid else b"")
                    os.utime(path, ns=(changed, changed))
                    shown[path.encode()] = name
                rows = self.rows(list(shown))
                if refused:
                    more = pa.Table.from_pylist(refused, schema=facts.arrow_schema({**self.row, "listed": "bytes"}))
                    rows = pa.concat_tables([rows, more])
                yield from self.facts(rows, shown).to_batches()

    def refusal(self, name, size, changed):
        path = name.decode()
        return {"work": 1, "path": path, "bytes": size, "mtime_ns": changed, "exit": 4, "task": self.task,
                "listed": name,
                "error": f"{path} has {size} bytes, more than the {MOST_CONTENT} that are read out of an object store "
                         "in one piece. Copy it to a disk, or pack it."}

    def rows(self, names):
        """What kymo says of files: its rows as a table, each with the name that was listed."""
        import pyarrow as pa
        # A name with # may mean a session of another file: only alone it is clear which rows are its own.
        plain = [name for name in names if b"#" not in name]
        groups = ([plain] if plain else []) + [[name] for name in names if b"#" in name]
        tables = [self.group(group) for group in groups]
        return pa.concat_tables(tables) if tables else facts.arrow_schema(
            {**self.row, "listed": "bytes"}).empty_table()

    def group(self, names):
        import pyarrow as pa
        import pyarrow.json
        command = self.command()
        # A file: a list that is longer than a pipe would need a thread that writes it.
        with tempfile.TemporaryFile() as names_file:
            names_file.write(b"".join(name + b"\0" for name in names))
            names_file.seek(0)
            run = subprocess.run(command, stdin=names_file, capture_output=True)
        said = run.stderr.decode(errors="replace")[-2000:]
        # 4 is also said where not one file could be read, and 1 where a check fails: rows there are all the same.
        if run.returncode not in (0, 1, 3, 4) or not run.stdout:
            raise RuntimeError(f"kymo rows ended with {run.returncode}: {said}")
        if len(run.stdout) > MOST_OUTPUT:
            raise RuntimeError(f"kymo rows wrote {len(run.stdout)} bytes about {len(names)} files; ask for fewer samples")
        table = pyarrow.json.read_json(
            io.BytesIO(run.stdout), read_options=pyarrow.json.ReadOptions(block_size=len(run.stdout) + 1),
            parse_options=pyarrow.json.ParseOptions(
                explicit_schema=facts.arrow_schema(self.row), unexpected_field_behavior="error"))
        found = [base64.b64decode(coded) if coded else path.encode()
                 for path, coded in zip(table["path"].to_pylist(), table["path_b64"].to_pylist())]
        if len(names) == 1:
            found = names * len(found)
        if set(found) != set(names):
            raise RuntimeError(f"kymo rows ended with {run.returncode}, and some of its {len(names)} files have no row: "
                               f"{said}")
        return table.append_column("listed", pa.array(found, pa.binary()))

    def facts(self, rows, shown):
        """Rows with the folders they belong into. What was read from a copy gets its own name back."""
        import pyarrow as pa
        columns = {name: rows[name] for name in rows.schema.names}
        if shown is not None:
            copies = rows["listed"].to_pylist()
            names = [shown.get(copy, copy) for copy in copies]

            def own(text, place):
                copy = copies[place]
                return text if text is None or copy not in shown else text.replace(copy.decode(), names[place].decode())

            columns["listed"] = pa.array(names, pa.binary())
            for column in ["path", "error"]:
                columns[column] = pa.array(
                    [own(text, place) for place, text in enumerate(rows[column].to_pylist())], pa.string())
            columns["notes"] = pa.array(
                [notes and [own(note, place) for note in notes] for place, notes in enumerate(rows["notes"].to_pylist())],
                pa.list_(pa.string()))
        paths = columns["path"].to_pylist() if shown is not None else rows["path"].to_pylist()
        columns["day"] = pa.array(
            [day_of(path, start) for path, start in zip(paths, rows["start"].to_pylist())], pa.string())
        columns["build"] = pa.array(
            [build_of(path, software, self.build) for path, software in zip(paths, rows["software"].to_pylist())],
            pa.string())
        schema = facts.arrow_schema(facts.fact(self.row))
        return pa.table([columns[name] for name in schema.names], schema=schema)


def day_of(path, start):
    """The day of `day=…` in the path, else that on which the session began."""
    found = re.search(r"(?:^|/)day=(\d{4}-\d{2}-\d{2})(?:/|$)", path)
    return found.group(1) if found else start[:10] if start else None


def build_of(path, software, pattern):
    """What the pattern finds in the path (its first group, where it has one), else the session's software.

    It becomes the name of a folder: other signs than letters, digits, blank, _ . + - become _, and the rest is cut.
    """
    found = re.search(pattern, path) if pattern else None
    text = (found.group(1) if found.re.groups else found.group()) if found else software
    return re.sub(r"[^\w.+ -]", "_", text)[:BUILD_LETTERS].strip() or None if text else None
