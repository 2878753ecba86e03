#!/usr/bin/env python3
"""Real gesture libraries, watched, against positions that a second client reads.

    Tests/Oracles/libraries.py KYMO [--only PAGE] [--all] [--show | --write]

The pages of library_pages load libraries of Debian's packages, and of two PyPI packages. `kymo watch` acts on each of
them, and Playwright sends the same input to the same page and reads the boxes of the elements in each frame. The
libraries are well made, so no line may be a fault. The recording has to contain the way and the rest that Playwright
saw, and a line of the story has to give that way. The page compared with itself is the same.

With KYMO_TEST_ROUNDS of 100, or --all, these are all libraries, otherwise a few calls. A library that is not
installed is left out, with a word; Tools/setup --python installs them in long tests. --show prints every answer.
The commands of the article WatchALibrarysPage are run too, and --write writes what they print into it.
"""
import argparse
import asyncio
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from packages import need, page_packages

need()

from export_checks.checking import check, findings, tally
from library_pages.cases import CASES
from library_pages.second_client import SecondClient
from library_pages.ways import LEAST, STEPS, Way, recorded
from report_page.browser import program
from web_page.place import ROOT
from web_page.snippets import snippets_of

IS_LONG = int(os.environ.get("KYMO_TEST_ROUNDS", "0")) >= 100
ARTICLE = ROOT / "Sources/Kymograph/Kymograph.docc/Articles/WatchALibrarysPage.md"
PAGES = pathlib.Path(__file__).resolve().parent / "library_pages"
JAVASCRIPT = "/usr/share/javascript/"
# A page writes this for the folder of the PyPI packages.
PACKAGES = "PACKAGES/"
# So often the second client may try again: its time is real, so a busy machine may keep a touch from it.
TRIES = 3
ROOT_WORDS = "kymo watch: the browser runs without its sandbox"


def page_of(name, folder):
    """The page as a file with the libraries' places in it, or what it lacks."""
    return written((PAGES / f"{name}.html").read_text(), name, folder)


def written(text, name, folder):
    packages = page_packages(install=IS_LONG) if PACKAGES in text else None
    if PACKAGES in text and packages is None:
        return None, "the PyPI packages"
    text = text.replace(PACKAGES, f"{packages}/")
    paths = [part.split('"')[0].split("?")[0] for mark in ['src="', 'href="'] for part in text.split(mark)[1:]]
    missing = [path for path in paths if path.startswith("/") and not pathlib.Path(path).exists()]
    if missing:
        return None, missing[0].removeprefix(JAVASCRIPT)
    path = pathlib.Path(folder) / f"{name}.html"
    path.write_text(text)
    return path, None


def without_numbers(lines):
    return [re.sub(r"-?\d+(\.\d+)?", "0", line) for line in lines]


def test_article(kymo, folder, writes):
    """The commands of the article print what is below them, apart from numbers; --write writes that into it."""
    snippets = [snippet for snippet in snippets_of(ARTICLE) if snippet.language in ["html", "text"]]
    text = ARTICLE.read_text()
    for snippet in snippets:
        if snippet.language == "html":
            page, lacking = written(snippet.text, "carousel", folder)
            if page is None:
                print(f"  left out, as {lacking} is not installed: {ARTICLE.name}")
                return
            continue
        answers = []
        for step in re.split(r"^\$ ", snippet.text, flags=re.MULTILINE)[1:] if snippet.text.startswith("$ ") \
                else [snippet.text] if snippet.text.startswith("sed ") else []:
            command, *lines = step.rstrip("\n").split("\n")
            answer = subprocess.run(
                ["bash", "-c", f"kymo() {{ {shlex.quote(kymo)} \"$@\"; }}; {command}"], cwd=folder,
                capture_output=True, text=True)
            printed = answer.stdout.rstrip("\n").split("\n") if answer.stdout else []
            check(f"{ARTICLE.name}: {command} prints what is below it",
                  writes or without_numbers(printed) == without_numbers(lines), answer.stdout + answer.stderr)
            answers += [f"$ {command}" if snippet.text.startswith("$ ") else command, *printed]
        if writes and answers:
            text = text.replace(f"```text\n{snippet.text}```", "```text\n" + "\n".join(answers) + "\n```")
    if writes:
        ARTICLE.write_text(text)


def watch(kymo, page, case, *words):
    answer = subprocess.run([kymo, "watch", str(page), *case.words, *map(str, words)], capture_output=True, text=True)
    errors = [line for line in answer.stderr.splitlines() if not line.startswith(ROOT_WORDS)]
    return answer.returncode, answer.stdout, errors


def test_faults(kymo, page, case, folder, show):
    """The story of a well-made page has no fault; its facts, and what was recorded."""
    file = pathlib.Path(folder) / "watched.kymo"
    file.unlink(missing_ok=True)
    code, text, errors = watch(kymo, page, case, "--into", file)
    if show:
        print("\n".join([f"$ kymo watch {case.name}", text.rstrip(), *errors, f"exit {code}"]))
    check(f"{case.name}: the page is watched", code in [0, 1], errors)
    faults = [line for line in text.splitlines() if line.startswith("!")]
    check(f"{case.name}: no fault", code == 0 and not faults, "\n    ".join(faults))
    lines = subprocess.run([kymo, "export", "ndjson", str(file)], capture_output=True, text=True).stdout
    return text, recorded(lines)


def sentences(text):
    """The name and the sentence of each line of a story."""
    return [line[2:].partition(": ")[::2] for line in text.splitlines() if line[:2] in ["! ", "  "]]


def too_sudden(case, text, rows):
    """Lines that say "at once" of a subject that the second client saw on its way in several frames."""
    found = []
    for index, subject in enumerate(case.subjects):
        way = Way.of([row[index] for row in rows])
        if way and way.steps >= STEPS and way.farthest > LEAST:
            found += [f"{name}: {words}" for name, words in sentences(text)
                      if subject.is_named(name) and re.search(r"moves .*at once", words)]
    return found


def test_way(case, text, boxes, rows):
    """The recording and the story have the way that the second client read: what is missing, for one subject at least,
    and whether the two clients agree."""
    told = sentences(text)
    missing, agrees = [], False
    for index, subject in enumerate(case.subjects):
        way = Way.of([row[index] for row in rows])
        if way is None or way.farthest < 1 and way.sizes[0] == way.sizes[1]:
            missing.append(f"{subject.selector}: the second client saw no motion")
            continue
        ways = [Way.of(track, may_be_empty=True) for name, track in boxes.items() if subject.is_named(name)]
        near = [one for one in ways if one and way.agrees(one, case.glides)]
        if not near:
            missing.append(f"{subject.selector}: read {way}; recorded {', '.join(str(one) for one in ways if one) or 'nothing'}")
            continue
        agrees = True
        # How far it glides is another number each time: the story has to say what was recorded.
        wanted = [one.unwrapped(case.wraps) for one in (near if case.glides else [way, *near])]
        if any(subject.is_named(name) and one.is_in(words, case.zooms) for name, words in told for one in wanted):
            return [], True
        missing.append(f"{subject.selector}: read {way}; no line says it")
    return missing, agrees


async def test_case(client, kymo, page, case, folder, show):
    text, boxes = test_faults(kymo, page, case, folder, show)
    for _ in range(TRIES):
        rows = await client.watch(page.as_uri(), case)
        missing, agrees = test_way(case, text, boxes, rows)
        if agrees:
            break
    sudden = too_sudden(case, text, rows)
    check(f"{case.name}: nothing goes at once that takes its time", not sudden, "; ".join(sudden))
    check(f"{case.name}: the main motion is told", not missing, "; ".join(missing))
    code, text, errors = watch(kymo, page, case, "--against", page)
    check(f"{case.name}: the page is the same as itself", code == 0 and text.startswith("the same"),
          "\n    ".join(text.splitlines()[:3] + errors))


async def run(wishes, cases):
    watched = set()
    with tempfile.TemporaryDirectory() as folder:
        async with SecondClient() as client:
            for case in cases:
                page, lacking = page_of(case.page, folder)
                if page is None:
                    print(f"  left out, as {lacking} is not installed: {case.name}")
                    continue
                watched.add(case.library)
                await test_case(client, wishes.kymo, page, case, folder, wishes.show)
    return watched


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kymo")
    parser.add_argument("--only", metavar="PAGE")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--write", action="store_true")
    wishes = parser.parse_args()
    wishes.kymo = str(pathlib.Path(wishes.kymo).resolve())
    if program() is None:
        print("Chromium is missing; Tools/setup --python installs it", file=sys.stderr)
        return 1
    if IS_LONG or wishes.all or wishes.write:
        with tempfile.TemporaryDirectory() as folder:
            test_article(wishes.kymo, folder, wishes.write)
    if wishes.write:
        return 0
    cases = [case for case in CASES if (wishes.all or wishes.only or IS_LONG or case.is_short)
             and wishes.only in [None, case.page]]
    watched = asyncio.run(run(wishes, cases))
    if IS_LONG:
        check("at least ten libraries are watched", len(watched) >= 10, sorted(watched))
    print(f"{len(cases)} calls, {len(watched)} libraries: {', '.join(sorted(watched)) or 'none'}")
    print(f"{tally()} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
