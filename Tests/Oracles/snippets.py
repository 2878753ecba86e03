#!/usr/bin/env python3
"""The browser snippets of the manual, as they are printed, in a real Chromium.

    Tests/Oracles/snippets.py KYMO

Takes every block of HTML and JavaScript out of README, the articles and the other pages of text, and the example at
the head of record.js. A page is opened, dragged by recorded touches, and recorded: no error, frames, and the outcome
that the touches mean. A script of Playwright's runs under its own Node and drives the pages of the manual over a server
on this machine; any other script runs in a page with the recorder. A block in a language that nobody runs is an error.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from packages import need

need()

from export_checks.checking import check, findings, tally
from report_page.browser import program
from web_page.driving import TouchBrowser
from web_page.place import ROOT, WEB, Place
from web_page.snippets import Snippet, console_lines, run_playwright, snippets_of

GESTURES = ROOT / "Tests/Fixtures/gestures"
# What a page of the manual makes of a gesture: far enough down, taken back, and too short.
OUTCOMES = {"drag-flick.getevent.txt": "finished", "drag-rest.evemu": "cancelled", "drag-short.csv": "cancelled"}
FACTORS = {"drag-flick.getevent.txt": 1 / 3, "drag-rest.evemu": 1 / 3, "drag-short.csv": 1}
JAVASCRIPT = "/usr/share/javascript/"
# Words of languages that a browser does not read; library.py compiles C, and python_package.py runs Python.
OTHERS = {"", "c", "console", "csv", "json", "mermaid", "python", "sh", "sql", "swift", "text", "toml", "yaml", "yml"}


def texts():
    """The pages of text that a person reads."""
    pages = [path for folder in ["Sources", "Tests", "Tools", "Migrations"] for path in (ROOT / folder).rglob("*.md")]
    check("the manual is found", len(pages) > 30, len(pages))
    return sorted([*ROOT.glob("*.md"), *pages])


def judge(place, name, lines, outcome):
    """What a page handed out becomes a recording with frames, a transition and its outcome, without a warning."""
    path = place.record(name, lines)
    sessions = place.rows("list", "sessions", path)
    check(f"{name}: the outcome is what the touches mean", [row["outcome"] for row in sessions] == [outcome], sessions)
    rows = place.rows("sql", path, "SELECT t_ns, phase FROM frames")
    check(f"{name}: there are frames", len(rows) > 10, len(rows))
    check(f"{name}: some of them drive, and some settle", {"driving", "settling"} <= {row["phase"] for row in rows})
    releases = place.rows("sql", path, "SELECT * FROM releases")
    check(f"{name}: there is one release", len(releases) == 1, releases)
    check(f"{name}: no warning is in it", not any(row["event"] == "warning" for row in place.rows("list", "events", path)))
    check(f"{name}: doctor finds nothing", place.run("file", "doctor", path, code=None).returncode == 0)


def test_page(browser, place, snippet):
    """A page that is dragged."""
    path = place.folder / "sheet.html"
    path.write_text(snippet.text)
    for gesture, outcome in OUTCOMES.items():
        browser.open(path)
        check(f"{snippet}: it names the recorder", "kymo" in browser.evaluate("Object.keys(window)"))
        browser.drive(place.touches(GESTURES / gesture, FACTORS[gesture]))
        browser.evaluate("new Promise((done) => setTimeout(done, 600))")
        errors = [text for text in browser.complaints() if not re.search(r"^request file:.*/record(\.min)?\.js$", text)]
        check(f"{snippet}: the page complains of nothing", not errors, errors)
        judge(place, f"{snippet.name}-{gesture.split('.')[0]}", browser.evaluate("kymo.stop()"), outcome)


def test_script(browser, place, snippet):
    """A script of the recorder's, in a page that has it."""
    page = place.folder / "scripted.html"
    page.write_text('<!doctype html><meta charset="utf-8"><title>scripted</title>\n'
                    '<p class="card" data-kymo="card">card</p><script src="record.min.js"></script>\n'
                    '<script src="record-auto.min.js"></script>\n')
    browser.open(page)
    browser.evaluate(f"(async () => {{ {snippet.text}\n }})()")
    browser.frames(4)
    errors = [text for text in browser.complaints() if not text.startswith("request ")]
    check(f"{snippet}: the page complains of nothing", not errors, errors)
    place.record(snippet.name, browser.evaluate("kymo.stop()"))


def test_playwright(place, snippet, pages):
    """A script of Playwright's, with the file of touches that the same article makes."""
    commands = [line for line in console_lines(snippet) if line.startswith("kymo export cdp")]
    check(f"{snippet}: its article makes the touches", len(commands) == 1, commands)
    for name, html in pages:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "sheet.html").write_text(html)
            answer, files = run_playwright(place, pathlib.Path(folder), snippet, commands)
            check(f"{snippet} with {name}: it ends with 0 and complains of nothing",
                  answer.returncode == 0 and not answer.stderr, f"{answer.returncode} {answer.stderr[:600]}")
            check(f"{snippet} with {name}: it writes one recording", len(files) == 1, files)
            for text in files.values():
                judge(place, f"{snippet.name}-{name}", text, "finished")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kymo")
    kymo = pathlib.Path(parser.parse_args().kymo).resolve()
    if program() is None:
        print("Chromium is missing; Tools/setup --python installs it", file=sys.stderr)
        return 1
    snippets = [snippet for path in texts() for snippet in snippets_of(path)]
    known = OTHERS | {"html", "js"}
    check("every language of the manual is known", {snippet.language for snippet in snippets} <= known,
          {snippet.language for snippet in snippets} - known)
    # A page of Debian's libraries is watched by libraries.py.
    pages = [snippet for snippet in snippets if snippet.language == "html" and JAVASCRIPT not in snippet.text]
    scripts = [snippet for snippet in snippets if snippet.language == "js"]
    head = re.findall(r"^//   (\S.*)$", (WEB / "record.js").read_text().split("(() => {")[0], re.MULTILINE)
    check("record.js begins with an example", len(head) > 2, head)
    scripts.append(Snippet(WEB / "record.js", 6, "js", "\n".join(head) + "\n"))
    for snippet in snippets:
        # What looks like a script but is not marked as one would be run by nobody.
        if snippet.language in ["", "text"]:
            check(f"{snippet}: HTML and scripts are marked as such",
                  not re.search(r"<script|kymo\.start\(", snippet.text))
    check("the manual has a page and a script of Playwright's", pages and any(
        '"playwright"' in snippet.text for snippet in scripts))
    with tempfile.TemporaryDirectory() as folder:
        place = Place(kymo, folder)
        browser = TouchBrowser()
        try:
            for snippet in pages:
                test_page(browser, place, snippet)
            for snippet in scripts:
                if '"playwright"' not in snippet.text:
                    test_script(browser, place, snippet)
        finally:
            browser.close()
        served = [(snippet.name, snippet.text) for snippet in pages]
        served.append(("the fixture", place.page("sheet.html").read_text()))
        for snippet in scripts:
            if '"playwright"' in snippet.text:
                test_playwright(place, snippet, served)
    print(f"  {len(pages)} pages and {len(scripts)} scripts of the manual ran")
    print(f"{tally()} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
