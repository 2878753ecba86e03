"""Where the recorder, its pages and what they recorded lie."""
import json
import pathlib
import shutil
import subprocess

from export_checks.checking import check

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = ROOT / "Tests/Fixtures/pages"
WEB = ROOT / "Tools/web"


class Place:
    """A folder with the recorder as `kymo web-recorder` writes it, and the pages beside it."""

    def __init__(self, kymo, folder):
        self.kymo, self.folder = kymo, pathlib.Path(folder)
        self.run("web-recorder", "-o", self.folder)

    def run(self, *words, code=0):
        answer = subprocess.run([self.kymo, *map(str, words)], capture_output=True, text=True)
        if code is not None:
            check(f"kymo {words[0]} ends with {code} and says nothing else",
                  answer.returncode == code and not answer.stderr, f"{words} {answer.returncode} {answer.stderr}")
        return answer

    def rows(self, *words):
        return json.loads(self.run(*words, "--json").stdout)

    def touches(self, path, factor, shift=(0, 0)):
        """A gesture as the lines by which a page is driven."""
        return self.run("export", "cdp", path, "--scale", repr(factor), "--translate",
                        ",".join(repr(float(part)) for part in shift)).stdout

    def page(self, name):
        if (PAGES / name).exists():
            shutil.copy(PAGES / name, self.folder / name)
        return self.folder / name

    def record(self, name, lines):
        """A recording of what the recorder handed out."""
        text, path = self.folder / f"{name}.ndjson", self.folder / f"{name}.kymo"
        text.write_text(lines)
        self.run("record", "--from-ndjson", text, "--into", path)
        return path
