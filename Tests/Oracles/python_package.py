#!/usr/bin/env python3
"""The Python package, from its wheel: against SQLite, the program, numpy, pandas, Arrow, pytest and mypy.

    Tests/Oracles/python_package.py KYMO [--library LIBRARY]

Packs KYMO and the library of `Tools/library --whole` into a wheel, installs it without the network into an environment
that has nothing else, and records, reads, is killed and forks there; every number must come back bit for bit. Then the
same package beside numpy, pandas and pyarrow, and without each of them in turn; its declarations, which are the header's;
the types by mypy; the fixtures of pytest with a page in Chromium; the Python of the manual; and the notebook, whose answers
must be those of the queries in the manual.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from packages import need

need()

from export_checks.checking import check, findings, tally
from python_checks import wheel

LIBRARY = wheel.ROOT / ".build/whole/library/lib/libkymograph.so.0"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kymo", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path, default=LIBRARY)
    options = parser.parse_args()
    if not options.library.exists():
        print(f"skipped: there is no {options.library}; Tools/library --whole makes it, with Swift 6.3 or newer")
        return 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        wheel.try_bytes(folder)
        python = wheel.install(folder, options.library.resolve(), options.kymo.resolve())
        if findings:
            return 1
        # The package of that environment is read in this one, too, with its entry points.
        os.environ["PYTHONPATH"] = str(next(python.parents[1].glob("lib/python3*/site-packages")))
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.path.insert(0, os.environ["PYTHONPATH"])
        bare = folder / "recordings"
        bare.mkdir()
        run = subprocess.run([str(python), str(pathlib.Path(wheel.__file__).with_name("bare.py")), str(bare)],
                             env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"})
        check("the package does without others", run.returncode == 0, run.returncode)
        wheel.try_commands(python, bare / "swipes.kymo", options.kymo.resolve())

        from python_checks import arrays, declarations, in_pytest, manual, type_checks

        declarations.main()
        arrays.main(bare)
        type_checks.main(folder, wheel.ROOT / "Tools/python", python)
        in_pytest.main(folder)
        manual.main(folder)
        os.chdir("/")
    print(f"{tally()} checks of the Python package, {len(findings)} do not hold.")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
