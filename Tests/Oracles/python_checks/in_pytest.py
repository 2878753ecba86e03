"""The fixtures of pytest, with a page in Playwright, and what a failing requirement prints."""
import subprocess
import sys

from export_checks.checking import check
from report_page.browser import program

# A page without names: the recorder finds the sheet by itself. Its policy forbids scripts of others.
PAGE = """<!doctype html><meta http-equiv="Content-Security-Policy" content="script-src 'nonce-1'">
<body style="margin: 0"><div id="sheet" style="position: absolute; width: 300px; height: 300px; background: #48c"></div>
<script nonce="1">
  const sheet = document.getElementById("sheet");
  let begin = null, y = 0;
  onpointerdown = (event) => { begin = event.clientY - y; };
  onpointermove = (event) => { if (begin !== null) { y = event.clientY - begin; sheet.style.top = y + "px"; } };
  onpointerup = () => { begin = null; };
</script>
"""
TESTS = """
import pytest
from kymograph import assert_motion
from playwright.sync_api import sync_playwright

@pytest.fixture(scope="module")
def opened():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto("file://" + FOLDER + "/page.html")
        yield page
        browser.close()

@pytest.fixture
def page(opened):
    opened.reload()
    return opened

def drag(page):
    page.mouse.move(150, 150)
    page.mouse.down()
    for y in range(150, 450, 10):
        page.mouse.move(150, y)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    page.mouse.up()

@pytest.mark.parametrize("items", ["auto", "#sheet"])
def test_the_sheet_follows_the_finger(page, recorded_page, items):
    with recorded_page(page, items=items, name="drag") as recorded:
        drag(page)
    assert recorded.session.name == "drag"
    assert recorded.session.counts["touch"] > 10
    moved = {row["id"] for row in recorded.session.poses()}
    assert moved == {"sheet"}, moved
    assert_motion(recorded.path, [{"before": "event.viewport", "after": "release", "optional": True},
                                  {"stays_in": "item.sheet.frame", "rect": [0, 0, 390, 844]}])

def test_that_fails(page, recorded_page):
    with recorded_page(page) as recorded:
        drag(page)
    assert_motion(recorded.path, [{"stays_in": "item.sheet.frame", "rect": [0, 0, 10, 10]}])

def test_a_path_is_given(kymo_path):
    assert kymo_path.parent.is_dir() and not kymo_path.exists()
"""


def main(folder):
    folder = folder / "pytest"
    folder.mkdir()
    (folder / "page.html").write_text(PAGE)
    head = f"PROGRAM, FOLDER = {program()!r}, {str(folder)!r}\n"
    (folder / "test_page.py").write_text(head + TESTS)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", str(folder / "temporary"),
         "test_page.py"], cwd=folder, capture_output=True, text=True)
    text = run.stdout
    check("three tests of a page pass, and the one that must fails", "1 failed, 3 passed" in text, text[-3000:] + run.stderr)
    check("a failing requirement says number and limit, and where the page is",
          "is above" in text and ".report.html" in text and "pytest_plugin.py" not in text.split("FAILED")[0], text[-3000:])
