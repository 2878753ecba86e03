"""Packages of PyPI that oracles need: kept in a virtual environment in the build folder, made once."""
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[3] / ".build" / "oracle-packages"
REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"
# Packages whose scripts pages load; nobody imports them, so they come without what they depend on.
PAGES = REQUIREMENTS.with_name("pages.txt")


def is_noted(folder, wanted):
    noted = folder / "installed.txt"
    return noted.exists() and noted.read_text() == wanted


def environment(names):
    """The folder of an environment and its requirements. If only some packages are named, it is one with these alone,
    unless the one with all packages is there."""
    wanted = REQUIREMENTS.read_text()
    if not names or is_noted(FOLDER, wanted):
        return FOLDER, wanted
    some = [line for line in wanted.splitlines(keepends=True) if line.split("==")[0] in names]
    return FOLDER.with_name("-".join(["packages", *names])), "".join(some)


def install(*names):
    """Makes the environment that the requirements ask for, where it is missing or another one.

    What cannot be installed ends the program with a message and a failure: an oracle that is not asked is no
    oracle.
    """
    folder, wanted = environment(names)
    if is_noted(folder, wanted):
        return folder
    print(f"Installing {' '.join(wanted.split())} into {folder}", file=sys.stderr, flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    requirements = folder / "requirements.txt"
    requirements.write_text(wanted)
    for step in [
        [sys.executable, "-m", "venv", str(folder)],
        [str(folder / "bin" / "python3"), "-m", "pip", "install", "-q", "--disable-pip-version-check",
         # Python compiles what it imports, which is a small part of the packages.
         "--no-compile", "-r", str(requirements)],
    ]:
        if subprocess.run(step).returncode != 0:
            sys.exit(f"The packages of {REQUIREMENTS} could not be installed; see the message above.")
    (folder / "installed.txt").write_text(wanted)
    return folder


def need(*names):
    """Goes on in the environment. The program begins anew in it, so this is called before anything else."""
    folder = install(*names)
    if pathlib.Path(sys.prefix).resolve() != folder.resolve():
        python = folder / "bin" / "python3"
        os.execv(python, [str(python), *sys.argv])


def page_packages(install=False):
    """The folder of the packages whose scripts pages load, installed on demand; None where it is missing."""
    folder, wanted = FOLDER.with_name("page-packages"), PAGES.read_text()
    if is_noted(folder, wanted):
        return folder
    if not install:
        return None
    print(f"Installing {' '.join(wanted.split())} into {folder}", file=sys.stderr, flush=True)
    step = [str(FOLDER / "bin" / "python3"), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile", "--no-deps",
            "--upgrade", "--target", str(folder), "-r", str(PAGES)]
    if subprocess.run(step).returncode != 0:
        sys.exit(f"The packages of {PAGES} could not be installed; see the message above.")
    (folder / "installed.txt").write_text(wanted)
    return folder
