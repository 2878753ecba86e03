#!/usr/bin/env python3
"""Recordings with known truth, put through every command that says something of a session.

    Tests/Oracles/truth.py KYMO [--seed N] [--only FILE] [--keep FOLDER] [--pages N [--first PAGE]]

An app's lines (own rules, events that are missing, late or contradictory, contacts that are lifted, cancelled or never
lifted, keys that hold or jump, flicks, swings past the end, several transitions) and the engine's scenarios are recorded
and read by record, info, sessions, replay, velocity, describe, compare, whatif, export, SQL and the page. Outcomes,
instants, numbers and reasons are taken from rows and sentences, and compared with what the lines themselves say. Of
wording only outcomes, names and numbers count: a number in a sentence that nobody recorded is a contradiction.
100 sessions; KYMO_TEST_ROUNDS of 500 makes 1,000 of them.

Modelled pages and apps are then asked for speed, settle, overshoot, onset, jump, lag and late frames: all commands that
print one have to print the same digits, and as many of them as they did. 16 pages, or 300 with KYMO_TEST_ROUNDS of 500.
--pages asks only so many pages, and --first begins at another page than 0.
"""
import argparse
import os
import pathlib
import random
import sqlite3
import sys
import tempfile

from report_page.browser import Browser, program as browser_program
from truth_runs import checks, page, quantities
from truth_runs.app_runs import AppRun
from truth_runs.calls import Findings, Program, same
from truth_runs.engine_runs import EngineRun
from truth_runs.timeline import Timeline

ROUNDS = 2 * int(os.environ.get("KYMO_TEST_ROUNDS", "50"))
# Sessions of a recording, of which the last is the engine's.
SESSIONS = 5
# One session of so many is opened as a page.
PAGES = 5
# One recording of so many is copied, sealed and recorded again.
COPIES = 4
# Pages that all commands are asked about.
QUANTITY_PAGES = 300 if ROUNDS >= 1000 else quantities.COUNTED_PAGES
SHOWN = 4


def record_app(program, path, number, run):
    """Records an app's lines; what `record` says of them is compared at once."""
    timeline = Timeline.of_lines(run.name, run.lines)
    timeline.traits = run.traits
    lines = f"{path}.{number}.ndjson"
    (pathlib.Path(program.folder) / lines).write_text(run.text())
    where = (path, number, run.name)
    rows = program.rows("record", "--from-ndjson", lines, "--into", path, codes=(0, 3), where=where)
    if program.findings.check("record: a row", where, len(rows) == 1, rows):
        row = rows[0]
        program.findings.check("record: outcome", where, row["outcome"] == timeline.outcome, f"{row['outcome']} for {timeline.outcome}")
        right = [timeline.frames, sum(map(len, timeline.samples.values())), len(timeline.touches), len(timeline.events)]
        found = [row[name] for name in ["frames", "samples", "touches", "events"]]
        program.findings.check("record: counts", where, found == right, f"{found} for {right}")
    return timeline


def record_engine(program, path, number, run):
    """Records a scenario; its truth are the plain rows, and where the finger was at each lift."""
    where = (path, number, run.name)
    plan = f"{path}.{number}.scenario.json"
    folder = pathlib.Path(program.folder)
    (folder / plan).write_text(run.text())
    more = []
    if run.touches:
        (folder / f"{plan}.csv").write_text("\n".join(run.touches) + "\n")
        more = ["--gesture", f"{plan}.csv"]
    rows = program.rows("record", "--scenario", plan, *more, "--into", path, where=where)
    with sqlite3.connect(folder / path) as base:
        timeline = Timeline.of_rows(run.name, base, number)
    timeline.traits = run.traits
    check = program.findings.check
    check("record: outcome", where, [row["outcome"] for row in rows] == [timeline.outcome], f"{rows} for {timeline.outcome}")
    if run.lifts:
        check("engine: a release for each lift", where, [one.time for one in timeline.releases] == [t for t, _, _ in run.lifts],
              f"{[one.time for one in timeline.releases]} for {run.lifts}")
        for release, (_, progress, is_cancelled) in zip(timeline.releases, run.lifts):
            check("engine: a cancelled contact cancels", where, not is_cancelled or release.outcome == "cancel", release.outcome)
            # The second gesture leads back from where the first one led to.
            if release.transition == 0:
                check("engine: progress at the lift", where, same(release.progress, progress, 1e-9, 1e-9), f"{release.progress} for {progress}")
    for release in timeline.releases:
        if release.is_whole:
            check("engine: outcome by the formula", where, release.again()[0] == release.decision["ruleOutcome"],
                  f"{release.decision['ruleOutcome']} for {release.again()} of {release.rule} {release.numbers}")
            if release.decided_by == "rule":
                check("engine: the rule's outcome is done", where, release.outcome == release.decision["ruleOutcome"], release.outcome)
    return timeline


def check_capital(program, findings, dice, path):
    """A key `Progress` alone: what needs a progress ends with 2 and names it."""
    run = AppRun(dice, "capital")
    lines = f"{path}.ndjson"
    text = run.text().replace('"key": "progress"', '"key": "Progress"')
    if '"Progress"' not in text or '"decision"' in text:
        return
    (pathlib.Path(program.folder) / lines).write_text(text)
    where = (path, 1, run.name)
    program.run("record", "--from-ndjson", lines, "--into", path, codes=(0, 3), where=where)
    for words in [["velocity", path, "--rule", "progress"], ["rule", "try", path, "--rule", "progress"]]:
        _, errors = program.run(*words, codes=(2,), where=where)
        findings.check(f"{words[0]}: names the key Progress", where, "Progress" in errors, errors)


def run_file(program, findings, browser, seed, index, count):
    """One recording of up to five sessions."""
    dice = random.Random(f"{seed}/{index}")
    path, runs = f"truth-{seed}-{index}.kymo", {}
    for number in range(1, count + 1):
        is_engine = number == SESSIONS or count == 1 and dice.random() < 0.2
        run = (EngineRun if is_engine else AppRun)(dice, f"{'engine' if is_engine else 'app'} {seed}-{index}-{number}")
        runs[number] = (run.name, (record_engine if is_engine else record_app)(program, path, number, run))
    base = sqlite3.connect(f"file:{program.folder}/{path}?mode=ro", uri=True)
    checks.check_listings(findings, program, path, runs, base)
    base.close()
    checks.check_whatif(findings, program, path, runs, dice)
    if index % COPIES == 0:
        checks.check_copies(findings, program, path, runs, dice)
    paged = dice.randrange(1, PAGES + 1)
    for number, (name, timeline) in runs.items():
        where = (path, number, name)
        checks.check_values(findings, program, where, dice, timeline)
        by_release = checks.check_velocity(findings, program, where, timeline)
        checks.check_describe(findings, program, where, timeline, by_release)
        if browser and number == paged:
            page.check_page(findings, program, browser, where, dice, timeline)
    for first in range(1, count, 2):
        checks.check_compare(findings, program, path, runs, first, first + 1)
    if index % 2 == 0:
        check_capital(program, findings, dice, f"capital-{seed}-{index}.kymo")
    return runs


def run_sessions(program, findings, words):
    """Recordings with known truth; returns how many sessions they have."""
    browser = Browser() if browser_program() else sys.exit("truth.py: there is no Chromium; Tools/setup --python installs it")
    count = 0
    for index in range((ROUNDS + SESSIONS - 1) // SESSIONS):
        size = min(SESSIONS, ROUNDS - index * SESSIONS)
        if words.only in (None, index):
            remove(program, f"*-{words.seed}-{index}.kymo*")
            count += len(run_file(program, findings, browser, words.seed, index, size))
            if not words.keep:
                remove(program, f"*-{words.seed}-{index}.kymo*")
    browser.close()
    return count


def remove(program, pattern):
    for old in pathlib.Path(program.folder).glob(pattern):
        old.unlink()


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("kymo")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--only", type=int, help="only this recording of five sessions, counted from 0")
    asked.add_argument("--pages", type=int, help="only so many modelled pages")
    asked.add_argument("--first", type=int, default=0, help="the first of the modelled pages, counted from 0")
    asked.add_argument("--keep", help="a folder that keeps lines, scenarios, recordings and pages")
    asked.add_argument("--all", action="store_true", help="every contradiction, not the first few of a kind")
    words = asked.parse_args()
    findings = Findings()
    with tempfile.TemporaryDirectory() as folder:
        folder = words.keep or folder
        os.makedirs(folder, exist_ok=True)
        program = Program(os.path.abspath(words.kymo), os.path.abspath(folder), findings)
        count = run_sessions(program, findings, words) if words.pages is None else 0
        if words.only is None:
            pages = range(words.first, words.first + (QUANTITY_PAGES if words.pages is None else words.pages))
            said = quantities.ask_pages(program, words.seed, pages, bool(words.keep))
    shown = {}
    for name, where, detail in findings.all:
        shown[name] = shown.get(name, 0) + 1
        if words.all or shown[name] <= SHOWN:
            print(f"{name}: {' '.join(map(str, where)) if where else ''}: {detail}")
    for name, number in findings.counts().most_common():
        print(f"{number:6} {name}")
    if words.only is None:
        print(said)
    print(f"seed {words.seed}: {count} sessions, {findings.checks} checks, {len(findings.all)} contradictions")
    sys.exit(1 if findings.all else 0)


if __name__ == "__main__":
    main()
