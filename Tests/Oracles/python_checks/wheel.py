"""The wheel: equal bytes twice, and an environment that has nothing else."""
import hashlib
import os
import pathlib
import subprocess
import sys
import venv
import zipfile

from export_checks.checking import check

ROOT = pathlib.Path(__file__).resolve().parents[3]
# Small programs stand for the large ones where only the bytes' order counts.
STAND_INS = {"KYMOGRAPH_LIBRARY_FILE": "/bin/true", "KYMOGRAPH_PROGRAM_FILE": "/bin/false"}


def pack(folder, files):
    """Builds a wheel of two files as Tools/wheel does. Returns its path."""
    run = subprocess.run(
        [sys.executable, str(ROOT / "Tools/python/wheel_backend.py"), str(folder)], capture_output=True, text=True,
        env={**os.environ, **files})
    check("a wheel is built", run.returncode == 0, run.stderr)
    return pathlib.Path(run.stdout.strip())


def install(folder, library, kymo):
    """Installs the wheel into an environment of its own, without the network. Returns its Python."""
    built = subprocess.run(
        [str(ROOT / "Tools/wheel"), str(folder / "dist"), str(library), str(kymo)], capture_output=True, text=True)
    check("Tools/wheel packs a library and a program", built.returncode == 0, built.stderr)
    wheel = pathlib.Path(built.stdout.strip())
    venv.create(folder / "bare", with_pip=False, symlinks=True)
    python = folder / "bare/bin/python"
    run = subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--disable-pip-version-check", "--no-index",
         "--no-compile", str(wheel)], capture_output=True, text=True)
    check("pip installs the wheel without the network", run.returncode == 0, run.stderr)
    return python


def try_bytes(folder):
    """Two wheels of equal files are equal, and everything in one is in its RECORD, with its hash."""
    one, other = pack(folder / "one", STAND_INS), pack(folder / "other", STAND_INS)
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in [one, other]}
    check("two wheels of equal files are equal, byte for byte", len(digests) == 1, digests)
    with zipfile.ZipFile(one) as archive:
        names = archive.namelist()
        record = archive.read(next(name for name in names if name.endswith("RECORD"))).decode()
        check("RECORD lists every file of the wheel",
              sorted(line.split(",")[0] for line in record.splitlines()) == sorted(names), record)
        check("the program is executable in the wheel", archive.getinfo("kymograph/_bin/kymo").external_attr >> 16 & 0o111)
        check("the type marker is in the wheel", "kymograph/py.typed" in names, names)
    run = subprocess.run([str(ROOT / "Tools/wheel"), "--nothing"], capture_output=True, text=True)
    check("Tools/wheel refuses an unknown option", run.returncode == 1 and "--nothing" in run.stderr, run.stderr)


def try_commands(python, recording, kymo):
    """The entry points are the program: same bytes, same exit codes."""
    folder = python.parent
    for words in [["show", str(recording)], ["sql", str(recording), "SELECT nothing"]]:
        right = subprocess.run([str(kymo), *words], capture_output=True)
        for command in [[str(folder / "kymograph")], [str(folder / "kymo")], [str(python), "-m", "kymograph"]]:
            found = subprocess.run([*command, *words], capture_output=True, env={"PATH": "/usr/bin:/bin"})
            check(f"{command[-1]} {words[0]} is kymo {words[0]}",
                  (found.returncode, found.stdout, found.stderr) == (right.returncode, right.stdout, right.stderr),
                  found.stderr)
