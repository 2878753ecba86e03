#!/usr/bin/env python3
"""The page of `kymo check --review`, opened from disk in a real Chromium without network, and gone through by keyboard alone.

    Tests/Oracles/review.py KYMO [FOLDER]

Records 200 runs with bad files and hostile names among them. States and order are worked out again from the rows of
`kymo check`. Then what a person does: moving, opening, accepting, labelling, undoing, searching, the address, coming
back later, saving; what is saved is given to `kymo golden accept`, and the golden recording is checked again. FOLDER keeps
the page and a picture. Times are printed and never judged.
"""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from report_page.browser import Browser, program
from review_page.speed import times

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "Fixtures"
HOSTILE = "::error::</script><script>globalThis.hacked=1</script><img src=x onerror=globalThis.hacked=1>\u202e\"'&=1,\r\n"
findings = []
checks = 0


def check(words, holds, detail=""):
    global checks
    checks += 1
    if not holds:
        findings.append(words)
        print(f"  NOT: {words}: {detail}")


class Workplace:
    def __init__(self, kymo, folder):
        self.kymo, self.folder = kymo, pathlib.Path(folder)

    def run(self, *words, code=0, text=None):
        answer = subprocess.run([self.kymo, *map(str, words)], capture_output=True, text=True, input=text, cwd=self.folder)
        check("kymo " + " ".join(map(str, words[:2])) + f" ends with {code}", answer.returncode == code,
              f"{answer.returncode} {answer.stderr}")
        return answer

    def record(self, name, kind, gesture, session):
        self.run("record", "--scenario", FIXTURES / "scenarios" / f"grid-to-detail.{kind}.json", "--gesture",
                 FIXTURES / "gestures" / gesture, "--into", name, "--name", session)

    def lines(self, name, session, end):
        """A run of one key, 30 samples to an end."""
        rows = [{"kymograph": 1, "name": session}]
        rows += [{"t_ns": i * 16_666_667, "key": "progress", "role": "progress", "value": end * (1 - math.exp(-i / 6))}
                 for i in range(30)]
        self.run("record", "--from-ndjson", "-", "--into", name, text="".join(json.dumps(row) + "\n" for row in rows))


def make(place):
    """The runs' names, in the order of the command line."""
    place.record("golden.kymo", "pinch", "pinch-open.evemu", "pinch")
    place.lines("golden.kymo", "curve", 1)
    place.lines("golden.kymo", HOSTILE, 1)
    place.lines("golden.kymo", "gone", 1)
    names = []
    for i in range(188):
        # Every tenth is off, each by another distance.
        place.lines(f"run-{i:03}.kymo", "curve", 1 + (i / 500 if i % 10 == 5 else 0))
        names.append(f"run-{i:03}.kymo")
    place.record("same.kymo", "pinch", "pinch-open.evemu", "pinch")
    place.record("flip.kymo", "pinch", "pinch-back.evemu", "pinch")
    place.lines("hostile.kymo", HOSTILE, 1.5)
    place.lines("new.kymo", "of no golden session", 1)
    (place.folder / "a 'quoted' # name.kymo").write_bytes((place.folder / "run-015.kymo").read_bytes())
    (place.folder / "empty.kymo").write_bytes(b"")
    (place.folder / "garbage.kymo").write_bytes(b"no recording" * 100)
    (place.folder / "cut.kymo").write_bytes((place.folder / "run-000.kymo").read_bytes()[:9000])
    return names + ["same.kymo", "flip.kymo", "hostile.kymo", "new.kymo", "a 'quoted' # name.kymo", "empty.kymo",
                    "garbage.kymo", "cut.kymo", "nowhere.kymo"]


def expected(place, names):
    """State and worst ratio of each row by what `kymo check` prints, which is another way through the same runs."""
    answer = place.run("check", *names, "--golden", "golden.kymo", "--tolerances", "rules.json", "--all", "--format",
                       "ndjson", code=1)
    runs = {}
    for row in map(json.loads, answer.stdout.splitlines()):
        found = runs.setdefault((row["file"], row["session"]), [])
        found.append(row)
    states = {}
    for name, rows in runs.items():
        grades = {row["finding"] for row in rows}
        beyond = [row for row in rows if row["finding"] == "fail"]
        ratios = [row["value"] / row["limit"] if row["value"] is not None and row["limit"] else math.inf for row in beyond]
        if "error" in grades:
            state = "unreadable"
        elif any(row["measure"] == "missing" and row["file"] == "golden.kymo" for row in rows):
            state = "missing"
        elif any(row["measure"] == "decision" and row["finding"] != "pass" for row in rows):
            state = "flipped"
        else:
            state = "failed" if "fail" in grades else "warned" if "warn" in grades else "passed"
        states[name] = (state, max(ratios, default=0))
    return states


SHOWN = """[...document.querySelectorAll("tr.run")].map((row) => ({state: row.dataset.state,
  place: Number(row.dataset.place), selected: row.ariaSelected, text: row.innerText,
  page: row.querySelector("a")?.getAttribute("href") ?? null}))"""


class Page:
    def __init__(self, browser, path):
        self.browser, self.path = browser, path

    def open(self, fragment=""):
        self.browser.open(self.path, fragment)
        check("the page is quiet and loads nothing", self.browser.complaints() == [], str(self.browser.complaints()))

    def press(self, *keys):
        for key in keys:
            self.browser.press(key, shift=key in "G?")
        self.browser.state()

    def selected(self):
        return next((row for row in self.browser.evaluate(SHOWN) if row["selected"] == "true"), None)

    def status(self):
        return self.browser.evaluate("document.getElementById('status').textContent")

    def count(self):
        return int(self.browser.evaluate("document.getElementById('table').getAttribute('aria-rowcount')")) - 1

    def address(self):
        """What stands behind the address's #, once it is kept."""
        self.browser.evaluate("new Promise((done) => setTimeout(done, 400))")
        return self.browser.evaluate("location.hash")

    def all(self):
        """Every row, by J from the first to the last; those around the selected one are in the document."""
        self.press("g")
        rows = {}
        while len(rows) < self.count():
            rows |= {row["place"]: row for row in self.browser.evaluate(SHOWN)}
            before = self.selected()["place"]
            self.press(*"jjjjjjjj")
            if self.selected()["place"] == before:
                break
        return [rows[place] for place in sorted(rows)]


def test_rows(page, states):
    page.open()
    check("the first row is selected", page.selected()["place"] == 0)
    check("the search has no focus", page.browser.evaluate("document.activeElement.id") != "search")
    rows = page.all()
    check("there is a row for each run and file", len(rows) == len(states), f"{len(rows)} {len(states)}")
    found = [row["state"] for row in rows]
    order = ["missing", "unreadable", "flipped", "failed", "warned", "passed"]
    check("states are in their order", found == sorted(found, key=order.index), str(found[:30]))
    check("states are those of kymo check", sorted(found) == sorted(state for state, _ in states.values()),
          str({state: found.count(state) for state in order}))
    failed = [row for row in rows if row["state"] == "failed"]
    ratios = [next(ratio for (file, session), (_, ratio) in states.items() if f"{file}#{session}" in row["text"])
              for row in failed]
    check("what failed is sorted by its ratio", ratios == sorted(ratios, reverse=True) and len(ratios) > 15, str(ratios))
    for row, ratio in zip(failed, ratios):
        check("a row says its ratio", ratio == math.inf or f"{ratio:.3g}"[:3] in row["text"], f"{ratio} {row['text']!r}")
    nodes = page.browser.evaluate("document.querySelectorAll('*').length")
    check("the document stays small", nodes < 2000, str(nodes))
    runs = [row for row in rows if row["state"] not in ["missing", "unreadable"]]
    check("the worst 50 have pages", [row["page"] is not None for row in runs] == [i < 50 for i in range(len(runs))])
    check("no name has become a part of the page", page.browser.evaluate("globalThis.hacked") is None)
    return rows


def test_opening(page, rows):
    page.press("g")
    page.press(*"j" * next(place for place, row in enumerate(rows) if row["state"] == "flipped"))
    address = page.address()
    check("the address names the run", "run=" in address, address)
    flipped = page.selected()
    page.press("Enter")
    for _ in range(500):
        if page.browser.evaluate("document.title + document.body?.dataset.state").startswith("Kymograph report"):
            break
    where = page.browser.evaluate("location.pathname")
    check("Enter opens the full report", where.endswith(flipped["page"].removeprefix("./")), where)
    check("which has both runs", page.browser.evaluate("Boolean(document.getElementById('run-B'))"))
    check("and is quiet", page.browser.complaints() == [], str(page.browser.complaints()))
    page.open(address)
    check("the address leads back to the run", page.selected()["text"] == flipped["text"])
    page.press("G")
    check("the last run has no page", page.selected()["page"] is None)
    page.press("Enter")
    command = page.browser.evaluate("document.getElementById('command-text').value")
    check("Enter gives the command for one", command.startswith("kymo report golden.kymo#") and command.endswith("-o run.html"),
          command)
    page.browser.press("Escape")
    page.browser.state()
    return command


def test_finding(page, rows):
    page.open()
    page.press("/")
    page.press(*"failed quoted")
    check("search takes all words", page.count() == 1 and "quoted" in page.selected()["text"], str(page.count()))
    check("and stands in the address", "q=failed%20quoted" in page.address(), page.address())
    page.press("Enter")
    page.press("j")
    check("keys are keys again", page.status() == "" and page.selected()["place"] == 0)
    page.press("/", "Escape")
    check("Escape empties the search", page.count() == len(rows))
    page.open("#show=failed&sort=-margin&q=run")
    check("the address brings filter, words and order back",
          {row["state"] for row in page.all()} == {"failed"} and page.browser.evaluate("document.getElementById('search').value") == "run")
    page.open("#show=__proto__&sort=constructor&q=%E0%A4%A&run=%")
    check("an address that says nothing shows everything", page.count() == len(rows), str(page.count()))
    page.open("#show=passed&sort=name")
    names = [row["text"].split("\n")[2] for row in page.all()]
    check("sorting by name", len(names) > 100, names[:3])
    page.press("w")
    check("W is worst first", "sort" not in page.address(), page.address())


def test_marking(page, rows, place, folder):
    page.open()
    flipped = next(i for i, row in enumerate(rows) if row["state"] == "flipped")
    unreadable = next(i for i, row in enumerate(rows) if row["state"] == "unreadable")
    page.press("g", *"j" * unreadable, "a")
    check("what could not be read is not accepted", "Only a session" in page.status(), page.status())
    page.press("g", *"j" * flipped, "a")
    check("A accepts", "accepted" in page.selected()["text"], page.selected()["text"])
    page.press("a")
    check("A again takes it back", "accepted" not in page.selected()["text"])
    page.press("z")
    check("Z takes back that", "accepted" in page.selected()["text"])
    page.press("d", "f")
    check("D and F label", "label: finish" in page.selected()["text"], page.status())
    page.press("d", "c")
    check("another label takes its place", "label: cancel" in page.selected()["text"])
    page.press("d", "x")
    check("D and another key do nothing", "label: cancel" in page.selected()["text"])
    page.press("z")
    check("Z brings the label back", "label: finish" in page.selected()["text"])
    # Two runs for one golden session: the second takes the place of the first.
    failed = [i for i, row in enumerate(rows) if row["state"] == "failed" and "run-" in row["text"]]
    for i in failed[:2]:
        page.press("g", *"j" * i, "a")
    check("one session for a golden session", "instead of" in page.status(), page.status())
    new = next(i for i, row in enumerate(rows) if "new.kymo" in row["text"])
    page.press("g", *"j" * new, "a", "d", "u")
    check("a run without a release has no label", "no release" in page.status(), page.status())
    hostile = next(i for i, row in enumerate(rows) if "hostile.kymo" in row["text"])
    page.press("g", *"j" * hostile, "a")
    page.open("#show=marked")
    check("marks are there when the page is opened again", page.count() == 4, str(page.count()))
    page.open("#show=unmarked")
    check("and the others can be asked for", page.count() == len(rows) - 4, str(page.count()))
    page.browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    for button, name in [("save-accept", "accept.txt"), ("save-labels", "labels.csv")]:
        page.browser.evaluate(f"document.getElementById('{button}').focus()")
        page.press(" ")
        for _ in range(500):
            page.browser.state()
            if (folder / name).exists() and (folder / name).stat().st_size > 0:
                break
        check(f"{name} is saved", (folder / name).exists(), page.status())
    labels = list(csv.reader((folder / "labels.csv").open()))
    uuid = json.loads(place.run("show", "flip.kymo", "--json").stdout)[0]["uuid"]
    check("the labels are a table", labels[0] == ["uuid", "transition", "label", "note", "at"]
          and [row[:4] for row in labels[1:]] == [[uuid, "0", "finish", ""]], str(labels))


def test_requirements(place, browser, folder):
    (folder / "motion.json").write_text(json.dumps({"requirements": 1, "rules": [
        {"overshoot": "progress", "max_percent": 5, "target": 1}]}))
    words = ["check", "run-000.kymo", "hostile.kymo", "--requirements", "motion.json"]
    place.run(*words, "--review", "required.html", code=1)
    page = Page(browser, folder / "required.html")
    page.open()
    check("a requirement that is not met comes first", "overshoot_percent" in page.selected()["text"]
          and page.count() == 2, page.selected()["text"])
    page.press("a")
    check("without a golden recording nothing is accepted", "no golden recording" in page.status(), page.status())
    place.run(*words, "--golden", "golden.kymo", "--subset", "--review", "both.html", code=1)
    for name in ["required", "both"]:
        browser.open(folder / f"{name}-pages" / "run-00001.html")
        remarks = browser.evaluate("document.getElementById('remarks').textContent")
        check(f"the full report of {name} marks it", "overshoot_percent" in remarks, remarks)
        check(f"the full report of {name} is quiet", browser.complaints() == [], str(browser.complaints()))


def test_accepting(place, names):
    before = json.loads(place.run("list", "sessions", "golden.kymo", "--json").stdout)
    kept = (place.folder / "golden.kymo").read_bytes()
    place.run("golden", "accept", "accept.txt", "--golden", "golden.kymo", "--dry-run")
    check("a dry run changes nothing", (place.folder / "golden.kymo").read_bytes() == kept)
    place.run("golden", "accept", "accept.txt", "--golden", "golden.kymo")
    after = json.loads(place.run("list", "sessions", "golden.kymo", "--json").stdout)
    check("the new golden session is there", len(after) == len(before) + 1, str(len(after)))
    place.run("golden", "accept", "accept.txt", "--golden", "golden.kymo", code=1)
    for more in [["--review", "after.html"], ["--tolerances", "rules.json"]]:
        place.run("check", "flip.kymo", "hostile.kymo", "new.kymo", "--golden", "golden.kymo", "--subset", *more)


def main():
    if program() is None:
        print("Chromium is missing; Tools/setup --python installs it", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else temporary).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        place = Workplace(str(pathlib.Path(sys.argv[1]).resolve()), folder)
        names = make(place)
        (folder / "rules.json").write_text(json.dumps({"version": 1, "rules": [
            {"key": "*", "max_abs": 0.005}, {"metric": "decision", "must": "match"}]}))
        states = expected(place, names)
        words = ["check", *names, "--golden", "golden.kymo", "--tolerances", "rules.json", "--review", "review.html"]
        place.run(*words, "-j", "2", code=1)
        text = (folder / "review.html").read_bytes()
        place.run(*words, "-j", "1", code=1)
        check("the same runs make the same page, whatever -j", (folder / "review.html").read_bytes() == text)
        check("the page keeps to its size", len(text) <= 60_000 + 500 * len(states), str(len(text)))
        browser = Browser()
        try:
            page = Page(browser, folder / "review.html")
            rows = test_rows(page, states)
            test_opening(page, rows)
            test_finding(page, rows)
            test_marking(page, rows, place, folder)
            browser.picture(folder / "review.png")
            test_requirements(place, browser, folder)
            print("  " + times(browser, folder / "review.html"))
        finally:
            browser.close()
        test_accepting(place, names)
    print(f"{checks} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
