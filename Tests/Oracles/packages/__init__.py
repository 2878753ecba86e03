"""Packages of PyPI that oracles need: kept in a virtual environment in the build folder, made once."""
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[3] / ".build" / "oracle-packages"
REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"


def install():
    """Makes the environment that the requirements ask for, where it is missing or another one.

    What cannot be installed ends the program with a message and a failure: an oracle that is not asked is no
    oracle.
    """
    noted = FOLDER / "installed.txt"
    wanted = REQUIREMENTS.read_text()
    if noted.exists() and noted.read_text() == wanted:
        return
    print(f"Installing {' '.join(wanted.split())} into {FOLDER}", flush=True)
    for step in [
        [sys.executable, "-m", "venv", str(FOLDER)],
        [str(FOLDER / "bin" / "python3"), "-m", "pip", "install", "-q", "--disable-pip-version-check",
         "-r", str(REQUIREMENTS)],
    ]:
        if subprocess.run(step).returncode != 0:
            sys.exit(f"The packages of {REQUIREMENTS} could not be installed; see the message above.")
    noted.write_text(wanted)


def need():
    """Goes on in the environment. The program begins anew in it, so this is called before anything else."""
    install()
    if pathlib.Path(sys.prefix).resolve() != FOLDER.resolve():
        python = FOLDER / "bin" / "python3"
        os.execv(python, [str(python), *sys.argv])
