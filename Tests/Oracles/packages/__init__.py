"""Packages of PyPI that an oracle needs: kept in a virtual environment in the build folder, made once."""
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[3] / ".build" / "oracle-packages"


def need(*packages):
    """Goes on in an environment that has the packages ("scipy==1.17.1"); makes it first where it is missing.

    The program begins anew in it, so this is called before anything else. What cannot be installed ends the
    program with a message and a failure: an oracle that is not asked is no oracle.
    """
    python = FOLDER / "bin" / "python3"
    noted = FOLDER / "kymo-packages"
    there = noted.read_text().split() if noted.exists() else []
    missing = [package for package in packages if package not in there]
    if missing:
        print(f"Installing {' '.join(missing)} into {FOLDER}", flush=True)
        steps = [] if python.exists() else [[sys.executable, "-m", "venv", str(FOLDER)]]
        steps.append([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *missing])
        for step in steps:
            if subprocess.run(step).returncode != 0:
                sys.exit(f"{' '.join(missing)} could not be installed; see the message above.")
        noted.write_text("\n".join(there + missing) + "\n")
    if pathlib.Path(sys.prefix).resolve() != FOLDER.resolve():
        os.execv(python, [str(python), *sys.argv])
