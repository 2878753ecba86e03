"""Speed, settle, overshoot, onset, jump, lag and late frames: every command that prints one prints the same digits.

A reading is a number that a command printed: the quantity, what it is about, the command with the path of the number, and
the step of its last digit. Two readings of one quantity and subject agree if their digits agree at the coarser step: JSON
has all digits, stories have whole ms and px/s, tables have four digits, and the sentences of verdicts have six.

    quantity     commands and the paths of its number
    speed        velocity, rows --releases: velocity, low, high; show, report: "let go at", "goes on at", "keeps", "The progress
                 moved at"; report: drags, estimates, decisions.fingerSpeeds; check hands_over: kept_percent, says; compare:
                 velocity; rows --metrics, compare A -- B, tolerances: release_velocity_per_s; rule try, rows --try: velocity;
                 list estimates: velocity
    settle       show, report: fact settle, "at rest", "within 2 %"; check settles_by: settled_ms; compare, rows --metrics, rerun,
                 golden, tolerances: settle_2_ms
    overshoot    show, report: fact overshoot, "overshoot"; check overshoot, compare, rows --metrics, rerun, golden, tolerances:
                 overshoot_percent
    onset        show, report: facts start and stagger, "starts", "apart"; check stagger: gap_ms, instant_s
    jump         show, report: fact jump, "jumps", "jumped by"; check continuous: excess_pt
    lag          show, report: fact lag, "behind the finger", "of it the page's", drags.lag; check follows: lag_ms
    late frames  show, report: "late", "longest", lateFrames, hitchRatio; check hitch: longest_ms, hitch_ms_per_s; compare:
                 smoothness; rows --metrics, compare A -- B, tolerances: hitch_ms_per_s, jank_percent, interval_p95_ms

Some words mean other subjects, which are compared among themselves alone. A key settles by its own values, an element by what
the page had heard. `settle_time_s` is a model's, and so is the velocity of a fit, which prints nothing else of these.
`lag_ms` of compare is the shift of two curves. The own lag of a page is in frames: lag_ms less it is how old the places were
that frames showed, and that is held by the lines. `jank_percent` and percentiles are of all intervals, `late` is a count.
Decisions compare a velocity that the app recorded, if it recorded one. A speed without an estimator's name is that of
`lsq-span`; `release_velocity_per_s` is documented to be by the session's own. A story names no jump of a frame in which an
element moves by less than 4 px. `kymo watch` prints the story of `kymo show`, and a film has its first fault as a title.
"""
import collections
import concurrent.futures
import pathlib
import random
import re

from truth_runs.calls import Findings, Program
from truth_runs.quantity_pages import EngineScenario, Page
from truth_runs.quantity_questions import NO_JUMP, WITHIN, Questions
from truth_runs.quantity_readings import judge

# One page of so many is a scenario of the engine.
ENGINES = 8
# How many numbers of the first pages of a seed a command prints at least.
COUNTED_SEED, COUNTED_PAGES = 1, 16
COUNTS = {
    "check": {"jump": 6, "lag": 28, "late frames": 64, "onset": 48, "overshoot": 134, "settle": 134, "speed": 18},
    "check --json": {"jump": 6, "lag": 106, "late frames": 64, "onset": 112, "overshoot": 134, "settle": 134, "speed": 72},
    "check --tolerances": {"late frames": 16, "overshoot": 35, "settle": 35, "speed": 19},
    "compare": {"overshoot": 70, "settle": 70},
    "compare --json": {"late frames": 128, "overshoot": 105, "settle": 115, "speed": 79},
    "compare base --json": {"late frames": 48, "overshoot": 21, "settle": 21, "speed": 19},
    "compare new --json": {"late frames": 48, "overshoot": 21, "settle": 21, "speed": 19},
    "list estimates": {"settle": 4, "speed": 12},
    "plot --film": {"jump": 1},
    "report": {"jump": 6, "lag": 342, "late frames": 136, "onset": 34, "overshoot": 25, "settle": 58, "speed": 606},
    "rerun": {"overshoot": 10, "settle": 17},
    "rows --check": {"late frames": 4, "overshoot": 19, "settle": 23},
    "rows --metrics": {"late frames": 96, "overshoot": 42, "settle": 42, "speed": 38},
    "rows --releases": {"settle": 14, "speed": 308},
    "rows --requirements": {"jump": 6, "lag": 84, "late frames": 64, "onset": 80, "overshoot": 134, "settle": 134, "speed": 72},
    "rows --try": {"speed": 18},
    "rule try": {"speed": 18},
    "show": {"jump": 6, "lag": 150, "late frames": 64, "onset": 34, "overshoot": 25, "settle": 58, "speed": 246},
    "show --json": {"jump": 12, "lag": 270, "late frames": 72, "onset": 70, "overshoot": 129, "settle": 208, "speed": 324},
    "velocity": {"speed": 140},
    "velocity --estimator lsq-span": {"speed": 162},
    "velocity --json": {"settle": 14, "speed": 308},
}


def record(program, page, number, path, where):
    folder = pathlib.Path(program.folder)
    if isinstance(page, EngineScenario):
        plan = f"{path}.{number}.scenario.json"
        (folder / plan).write_text(page.text())
        (folder / f"{plan}.csv").write_text(page.gesture)
        program.run("record", "--scenario", plan, "--gesture", f"{plan}.csv", "--into", path, where=where)
    else:
        program.run("record", "--from-ndjson", "-", "--into", path, text=page.text(), codes=(0, 3), where=where)


def ask_page(program, seed, index):
    """Two versions of a page in one recording, and what all commands print of them."""
    path = f"quantity-{seed}-{index}.kymo"
    make = EngineScenario if index % ENGINES == ENGINES - 1 else Page
    pages = [make(random.Random(f"{seed} {index}"), softer) for softer in (1.0, 1.6)]
    for number, page in enumerate(pages, 1):
        record(program, page, number, path, (path, index, page.traits))
    return Questions(program, index, pages, path).ask()


def ask_pages(program, seed, pages, keeps):
    """Asks all commands about many pages, and returns a sentence with the counts."""
    findings, folder, total, wrong = program.findings, pathlib.Path(program.folder), 0, 0
    printed = collections.Counter()

    def ask(index):
        own = Program(program.path, program.folder, Findings())
        for old in folder.glob(f"quantity-{seed}-{index}.kymo*"):
            old.unlink()
        readings = ask_page(own, seed, index)
        for old in [] if keeps else folder.glob(f"quantity-{seed}-{index}.kymo*"):
            old.unlink()
        return index, own.findings, readings

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for index, own, readings in pool.map(ask, pages):
            findings.all += own.all
            findings.checks += own.checks
            if index < COUNTED_PAGES:
                printed.update((one.command, one.quantity) for one in readings if is_counted(one))
            count, pairs = judge(readings)
            findings.checks, total, wrong = findings.checks + count - len(pairs), total + count, wrong + len(pairs)
            for one, other in pairs:
                name = re.sub(r"(?<=card)\d", "N", one.subject.split(" #")[0])
                findings.check(f"{one.quantity} of {name}", (f"seed {seed}, page {index}",), False,
                               f"{one.subject}: {one.command} {one.value!r} ({one.path}), {other.command} {other.value!r} ({other.path})")
    fewer = 0
    if seed == COUNTED_SEED and set(range(COUNTED_PAGES)) <= set(pages):
        for command, counts in COUNTS.items():
            for quantity, least in counts.items():
                number = printed[command, quantity]
                fewer += not findings.check(f"{command} prints fewer of {quantity}", (), number >= least, f"{number}, and it was {least}")
    return f"seed {seed}: {len(pages)} pages, {total} comparisons, {wrong} contradictions of quantities, {fewer} lower counts"


def is_counted(reading):
    """Whether a command printed it. Jumps of keys are not counted: a jump that is none any more need not be printed."""
    return reading.path not in (NO_JUMP, WITHIN) and reading.command != "the lines" and not (
        reading.quantity == "jump" and reading.subject.startswith("key"))
