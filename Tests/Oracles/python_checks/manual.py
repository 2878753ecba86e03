"""The Python of the manual, and the notebook, whose numbers are those of the queries in "Query with SQL"."""
import contextlib
import io
import json
import os
import re
import subprocess
import sys

import nbclient
import nbformat

import kymograph
from export_checks.checking import check
from report_page.browser import program

from .wheel import ROOT

ARTICLES = ROOT / "Sources/Kymograph/Kymograph.docc/Articles"
NOTEBOOK = ROOT / "Tools/python/notebook"
# What gives the test of the article a page.
CONFTEST = """
import pytest
from playwright.sync_api import sync_playwright

@pytest.fixture
def page():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": 390, "height": 844})
        browser.close()
"""
# A cell at the end of the notebook that hands its numbers out.
NUMBERS = """
import json
print("NUMBERS " + json.dumps({
    "by_device": velocities.groupby("device")["velocity"].size().to_dict(), "near": near.values.tolist(),
    "lag": by_build.reset_index().values.tolist(), "hitches": hitches.reset_index().values.tolist(),
    "runs": {name: len(run) for name, run in aligned.items()}, "passed": comparison.passed}))
"""


def try_article(folder):
    """Each block of Python, one after another, in one program."""
    folder = folder / "article"
    folder.mkdir()
    os.chdir(folder)
    text = (ARTICLES / "RecordAndReadFromPython.md").read_text()
    blocks = re.findall(r"(?:<!-- file: (\S+) -->\n)?```python\n(.*?)```", text, re.DOTALL)
    check("the article has its blocks", len(blocks) >= 8, len(blocks))
    names = {}
    for name, block in blocks:
        if name:
            (folder / name).write_text(block)
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, "RecordAndReadFromPython.md", "exec"), names)
        except Exception as error:
            check("a block of the article runs", False, f"{type(error).__name__}: {error} in {block}")
    check("the article's recordings are there", len(kymograph.open("run.kymo")) == 2 and names["late"] > 0, names.keys())
    (folder / "conftest.py").write_text(f"PROGRAM = {program()!r}\n" + CONFTEST)
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_sheet.py"], cwd=folder,
                         capture_output=True, text=True)
    check("the article's test passes", run.returncode == 0, run.stdout + run.stderr)


def queries():
    """The queries of the article, in their order."""
    text = (ARTICLES / "QueryWithSQL.md").read_text().replace("\\\n", "")
    return re.findall(r'^\$ kymo sql swipes\.kymo "(.*?)"$', text, re.MULTILINE)


def near(one, other):
    """Equal, numbers to a millionth: sums are not added in the same order."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= 1e-6 * max(abs(one), abs(other), 1)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(near, one, other))
    return one == other


def try_notebook(folder):
    """The notebook is executed, draws five pictures, and has the answers that the queries have."""
    notebook = nbformat.read(NOTEBOOK / "five-questions.ipynb", 4)
    check("the notebook is kept without outputs", not any(cell.get("outputs") for cell in notebook.cells))
    notebook.cells.append(nbformat.v4.new_code_cell(NUMBERS))
    try:
        nbclient.NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(NOTEBOOK)}},
                                extra_arguments=["--IPKernelApp.log_level=ERROR"]).execute()
    except nbclient.exceptions.CellExecutionError as error:
        check("the notebook runs", False, error)
        return
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = sum("image/png" in output.get("data", {}) for output in outputs)
    check("the notebook draws a picture for each question", pictures == 5, pictures)
    pages = "".join(output.get("data", {}).get("text/html", "") for output in outputs)
    check("the notebook shows sessions", "data:image/svg" in pages and "phone-1.4" in pages)
    printed = "".join(output.get("text", "") for output in outputs)
    found = json.loads(printed.partition("NUMBERS ")[2])

    sys.path.insert(0, str(NOTEBOOK))
    import recordings

    place = folder / "notebook"
    place.mkdir()
    swipes = kymograph.open(recordings.make(place) / "swipes.kymo")
    device, margins, lag, hitches, runs = [[list(row.values()) for row in swipes.sql(query)] for query in queries()]
    check("releases by device", found["by_device"] == {row[0]: row[1] for row in device}, device)
    check("gestures near flipping", near(found["near"], margins), (found["near"], margins))
    check("lag behind the finger", near(found["lag"], lag), (found["lag"], lag))
    check("hitches by build", near(found["hitches"], hitches), (found["hitches"], hitches))
    check("two runs on one clock", len(runs) == 11 and min(found["runs"].values()) > 30 and not found["passed"], runs)


def try_fixture(folder):
    """The lines of the swipes are what the script makes."""
    made = folder / "swipes"
    made.mkdir()
    fixtures = ROOT / "Tests/Fixtures/swipes"
    subprocess.run([sys.executable, str(fixtures / "make.py"), str(made)], check=True)
    files = sorted(path.name for path in fixtures.glob("*.ndjson"))
    check("four sessions of swipes are what the script makes", len(files) == 4 and
          all((made / name).read_bytes() == (fixtures / name).read_bytes() for name in files), files)


def main(folder):
    for trial in [try_article, try_notebook, try_fixture]:
        trial(folder)
