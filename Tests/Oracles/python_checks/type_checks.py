"""The types of the package, by mypy, and of a program that uses it rightly and wrongly."""
import os
import subprocess
import sys

from export_checks.checking import check

RIGHT = """
import kymograph
with kymograph.Recorder("x.kymo", viewport=(390, 844)) as recorder:
    recorder.key("x")(1.0, 5)
    recorder.frame({"card": (0, 1, 2, 3), "badge": kymograph.Pose(0, 1, 2, 3)})
session = kymograph.open("x.kymo")["name"]
first: int = session.samples("x").t_ns[0]
passed: bool = session.compare(session, key=["x"]).passed
kymograph.assert_motion(session, [{"hitch": "frames"}])
"""
WRONG = """
kymograph.Recorder(3)
session.samples(1)
session.number.lower()
"""


def main(folder, package, python):
    folder = folder / "types"
    folder.mkdir()
    (folder / "user.py").write_text(RIGHT + WRONG)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(folder / "cache")]
    # The package is checked where it is written, a user's program against what is installed.
    run = subprocess.run([*command, "--config-file", str(package / "pyproject.toml"), str(package / "kymograph")],
                         capture_output=True, text=True, cwd=folder, env={**os.environ, "PYTHONPATH": ""})
    check("mypy finds nothing in the package", run.returncode == 0, run.stdout + run.stderr)
    run = subprocess.run([*command, "--python-executable", str(python), "user.py"],
                         capture_output=True, text=True, cwd=folder, env={**os.environ, "PYTHONPATH": ""})
    first = RIGHT.count("\n")
    lines = {line.split(":")[1] for line in run.stdout.splitlines() if ": error:" in line}
    check("mypy finds each of three mistakes, and nothing in right calls",
          lines == {str(first + number) for number in (2, 3, 4)}, run.stdout + run.stderr)
