"""The virtual environment of Tools/fleet: pinned packages of PyPI in the build folder, and a Java for Spark."""
import os
import pathlib
import subprocess
import sys

TOOLS = pathlib.Path(__file__).resolve().parent.parent
FOLDER = TOOLS.parent / ".build" / "fleet"
REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"
NOTE = FOLDER / "installed.txt"


def is_ready():
    return NOTE.exists() and NOTE.read_text() == REQUIREMENTS.read_text()


def install():
    """Makes the environment, where it is missing or another one. Nothing uses the network afterwards."""
    if subprocess.run([TOOLS / "setup", "--java"]).returncode != 0:
        sys.exit(4)
    if is_ready():
        return
    print(f"Tools/fleet: installing {' '.join(REQUIREMENTS.read_text().split())} into {FOLDER}", flush=True)
    for step in [
        [sys.executable, "-m", "venv", "--clear", FOLDER],
        # Spark comes as source; the wheel that pip makes of it says nothing more of value.
        [FOLDER / "bin" / "python3", "-m", "pip", "install", "-q", "--disable-pip-version-check",
         "-r", REQUIREMENTS],
    ]:
        if subprocess.run(step).returncode != 0:
            print(f"Tools/fleet: the packages of {REQUIREMENTS} could not be installed; see the message above.",
                  file=sys.stderr)
            sys.exit(4)
    NOTE.write_text(REQUIREMENTS.read_text())


def need():
    """Goes on in the environment. The program begins anew in it."""
    if pathlib.Path(sys.prefix).resolve() == FOLDER.resolve():
        return
    if not is_ready():
        print("Tools/fleet: its packages are missing or of other versions. Run Tools/fleet setup.", file=sys.stderr)
        sys.exit(4)
    python = FOLDER / "bin" / "python3"
    os.execv(python, [str(python), *sys.argv])
