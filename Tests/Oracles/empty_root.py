#!/usr/bin/env python3
"""kymo as one static executable, in a root in which there is nothing else: no library, no /proc, no /tmp.

    Tests/Oracles/empty_root.py KYMO

Links the objects of KYMO once more as the static build of the article Install does, and records, reads, compares, seals, draws
and recovers in an empty root. What it writes must be what the program outside writes, byte for byte.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = ["sqlite3", "m", "FoundationEssentials", "_FoundationCShims", "_FoundationCollections"]
SCENARIO = ROOT / "Tests/Fixtures/gallery/pinch.json"
TOUCHES = ROOT / "Tests/Fixtures/gallery/pinch.csv"


class Wrong(Exception):
    pass


def link(kymo, program):
    """Links the objects that made KYMO; the compiler is not run again."""
    objects = pathlib.Path(kymo).resolve().parent / "kymo.product" / "Objects.LinkFileList"
    if not objects.exists():
        raise Wrong(f"{objects} is missing: build kymo with swift build first")
    words = ["swiftc", "-static-executable", "-emit-executable", f"@{objects}", "-o", str(program),
             *[f"-l{name}" for name in LIBRARIES], "-Xlinker", "--defsym", "-Xlinker", "main=kymo_main"]
    answer = subprocess.run(words, capture_output=True, text=True)
    if answer.returncode != 0:
        raise Wrong(f"linking failed: {answer.stderr[-2000:]}")
    headers = subprocess.run(["readelf", "-lW", str(program)], capture_output=True, text=True).stdout
    if not headers or "INTERP" in headers:
        raise Wrong("the program asks for a loader, so it is not static")


def inside(root, *words):
    enter = ["chroot", str(root)] if os.getuid() == 0 else ["unshare", "--map-root-user", "chroot", str(root)]
    environment = {"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": "1", "KYMO_UUID": "00000000-0000-4000-8000-000000000001"}
    return subprocess.run([*enter, "/kymo", *words], capture_output=True, env=environment, timeout=300)


def outside(kymo, folder, *words):
    environment = {"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": "1", "KYMO_UUID": "00000000-0000-4000-8000-000000000001"}
    return subprocess.run([kymo, *words], capture_output=True, cwd=folder, env=environment, timeout=300)


def main():
    kymo = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        root, beside = pathlib.Path(folder) / "root", pathlib.Path(folder) / "beside"
        root.mkdir()
        beside.mkdir()
        link(kymo, root / "kymo")
        for place in [root, beside]:
            for file in [SCENARIO, TOUCHES]:
                shutil.copy(file, place / file.name)
        runs = [
            (["--version"], 0), (["help", "record"], 0), (["no-such-command"], 2), ([], 2),
            (["record", "--scenario", "pinch.json", "--gesture", "pinch.csv", "--into", "a.kymo", "--name", "pinch"], 0),
            (["show", "a.kymo"], 0), (["velocity", "a.kymo", "--json"], 0), (["compare", "a.kymo", "a.kymo"], 0),
            (["sql", "a.kymo", "SELECT count(*) AS n FROM attributes"], 0), (["plot", "a.kymo"], 0),
            (["export", "csv", "a.kymo", "--table", "samples"], 0),
            (["report", "a.kymo", "-o", "a.html"], 0), (["file", "pack", "a.kymo"], 0), (["file", "doctor", "--deep", "a.kymo"], 0),
            (["file", "recover", "a.kymo", "-o", "b.kymo"], 0), (["show", "nothing.kymo"], 4),
        ]
        for words, code in runs:
            own, other = inside(root, *words), outside(kymo, beside, *words)
            if own.returncode != code or other.returncode != code:
                raise Wrong(f"kymo {' '.join(words)} ends with {own.returncode} inside, {other.returncode} outside, not "
                            f"{code}: {own.stderr.decode(errors='replace')[:300]}")
            if (own.stdout, own.stderr) != (other.stdout, other.stderr):
                raise Wrong(f"kymo {' '.join(words)} says something else inside:\n{own.stdout[:300]} {own.stderr[:300]}\n"
                            f"{other.stdout[:300]} {other.stderr[:300]}")
        for name in ["a.kymo", "b.kymo", "a.html"]:
            if (root / name).read_bytes() != (beside / name).read_bytes():
                raise Wrong(f"{name} is not the same inside and outside")
        print(f"{len(runs)} runs in an empty root, as outside; the program has {(root / 'kymo').stat().st_size} bytes "
              "with its symbols")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"Tests/Oracles/empty_root.py: {wrong}")
