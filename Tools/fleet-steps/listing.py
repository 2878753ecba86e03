"""Which files are asked for: a folder, a pattern or a manifest, on file systems that every machine of a run sees."""
import csv
import glob
import os
import sys

ENDING = b".kymo"


class Unusable(Exception):
    """What was asked cannot be begun; a sentence says why, and an exit code."""

    def __init__(self, sentence, code=4):
        super().__init__(sentence)
        self.code = code


def names(source):
    """The files that a source names, as bytes, with size and time of change where a manifest knows them."""
    path = os.fsencode(source)
    if os.path.isdir(path):
        top = os.path.abspath(path)
        # As `find -name '*.kymo'` lists them, folders of such a name included.
        for folder, folders, files in os.walk(top):
            for name in folders + files:
                if name.endswith(ENDING):
                    yield os.path.join(folder, name), None, None
    elif os.path.isfile(path) and path.endswith(b".csv"):
        yield from of_table(source)
    elif os.path.isfile(path):
        if path.endswith(ENDING):
            yield os.path.abspath(path), None, None
            return
        # Read as it is listed: names may have any byte.
        with open(path, "rb") as file:
            text = file.read()
        end = b"\0" if b"\0" in text else b"\n"
        for name in text.removesuffix(end).split(end) if text else []:
            yield os.path.abspath(name) if name else name, None, None
    else:
        found = glob.glob(path, recursive=True)
        if not found:
            raise Unusable(f"There is no file or folder {source}, and it is no pattern that any file matches.")
        for name in found:
            yield os.path.abspath(name), None, None


def of_table(source):
    """A manifest with columns: path, and perhaps bytes and mtime_ns, so that no file is looked at."""
    csv.field_size_limit(1 << 30)
    with open(source, newline="", encoding="utf-8", errors="surrogateescape") as file:
        table = csv.DictReader(file)
        if "path" not in (table.fieldnames or []):
            raise Unusable(f"{source} has no column path; a manifest in CSV has path, and perhaps bytes and mtime_ns.")
        for line in table:
            try:
                size, changed = (int(line[name]) if line.get(name) else None for name in ["bytes", "mtime_ns"])
            except ValueError:
                raise Unusable(f"{source}, line {table.line_num}: bytes and mtime_ns are whole numbers.") from None
            path = os.fsencode(line["path"] or "")
            yield os.path.abspath(path) if path else path, size, changed


def look(name):
    """Size and time of change as `kymo rows` gives them; None where there is no such file."""
    for path in [name, name.rpartition(b"#")[0]]:
        try:
            facts = os.stat(path)
        except (OSError, ValueError):
            continue
        return facts.st_size, facts.st_mtime_ns
    return None, None


def listing(source):
    """A table of names, each once, in the order of their bytes."""
    import pyarrow as pa
    found = {}
    for name, size, changed in names(source):
        if name not in found:
            found[name] = (size, changed) if size is not None and changed is not None else look(name)
    order = sorted(found)
    if not order:
        raise Unusable(f"{source} names no recording. A folder is searched for files that end in .kymo.")
    return pa.table({
        "listed": pa.array(order, pa.binary()), "bytes": pa.array([found[name][0] for name in order], pa.int64()),
        "mtime_ns": pa.array([found[name][1] for name in order], pa.int64())})


def shown(name):
    """A name for people: one line, nothing that a terminal obeys."""
    text = name.decode(errors="backslashreplace") if isinstance(name, bytes) else name
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def say(text):
    print(f"Tools/fleet: {text}", file=sys.stderr, flush=True)
