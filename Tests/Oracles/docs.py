#!/usr/bin/env python3
"""The manual as plain HTML, as a reader of a folder sees it.

    Tests/Oracles/docs.py

Tools/docs writes the articles twice; every byte must be the same. Python's own parser of HTML follows each link and each
anchor from the first page, and must reach every article. The blocks of an article are in its page letter for letter.
Chromium opens pages from the disk, on a screen and on a phone. Mistakes put into a copy of the catalog must be found.
"""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from export_checks.checking import check, findings, tally
from report_page.browser import Browser, program

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOG = ROOT / "Sources/Kymograph/Kymograph.docc"
PATIENCE_SECONDS = 600
# A line at the end of an article, and the words of the error.
MISTAKES = [
    ("Read <doc:Nowhere>.", "the link doc:Nowhere leads nowhere"),
    ("Read [this](doc:Install#Nothing).", "the link doc:Install#Nothing leads nowhere"),
    ("Read [this](#Nothing).", "the link #Nothing leads nowhere"),
    ("Read [this](Tests/README.md).", "the link Tests/README.md leads nowhere"),
    ("![A picture](nothing)", "the picture nothing is not in Resources"),
    ("<b>bold</b>", "DocC does not show HTML"),
]


def same(words, got, wanted):
    check(words, got == wanted, f"{got!r} instead of {wanted!r}")


class Page(html.parser.HTMLParser):
    """The links, anchors, tables and blocks of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors, self.tags, self.blocks, self.words = [], [], [], [], ""
        self.open = []
        self.feed(path.read_text())
        self.close()

    def handle_starttag(self, tag, attributes):
        facts = dict(attributes)
        self.tags.append(tag)
        self.links += [facts[name] for name in ("href", "src") if name in facts]
        self.anchors += [facts["id"]] if "id" in facts else []
        if tag not in ("meta", "link", "img", "br", "hr"):
            self.open.append(tag)
        if tag == "pre":
            self.blocks.append("")

    def handle_endtag(self, tag):
        if tag != self.open.pop():
            raise ValueError(f"</{tag}> at {self.getpos()} closes another element")

    def handle_data(self, data):
        if "pre" in self.open:
            self.blocks[-1] += data
        elif "code" not in self.open:
            self.words += data


def write(folder):
    done = subprocess.run([ROOT / "Tools/docs", folder, "--no-api"], capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    same(f"Tools/docs: {done.stderr}", [done.returncode, done.stdout], [0, f"{folder}/index.html\n"])
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def try_links(folder):
    """Every relative link leads to a file and an anchor, and the first page leads to all."""
    pages = {path.name: Page(path) for path in folder.glob("*.html")}
    ahead, reached = ["index.html"], set()
    while ahead:
        name = ahead.pop()
        if name in reached:
            continue
        reached.add(name)
        for link in pages[name].links if name in pages else []:
            if re.match("https?:", link):
                continue
            target, _, anchor = link.partition("#")
            target = target or name
            check(f"{name}: {link} is a relative link to a file", re.match(r"[\w/.-]+$", target)
                  and (folder / target).is_file())
            check(f"{name}: {link} is an anchor", not anchor or anchor in pages[target].anchors)
            ahead.append(target)
    same("the files that the first page leads to", sorted(reached),
         sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()))
    for name, page in pages.items():
        same(f"anchors of {name}", len(page.anchors), len(set(page.anchors)))
        same(f"what only DocC reads in {name}", re.findall(r"<doc:|``|<!--|^@\w+", page.words, re.M), [])
    return pages


def try_articles(pages):
    """An article's page has its title, its blocks and its tables."""
    for path in (CATALOG / "Articles").glob("*.md"):
        text, page = path.read_text(), pages[f"{path.stem}.html"]
        fences = re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S)
        same(f"blocks of {path.name}", page.blocks, fences)
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
        same(f"tables of {path.name}", page.tags.count("table"), len(re.findall(r"^\|[-|: ]+\|$", prose, re.M)))
        same(f"headings of {path.name}", sum(page.tags.count(f"h{depth}") for depth in (1, 3, 4)),
             len(re.findall(r"^(?:#|###|####) ", prose, re.M)))


def try_browser(folder):
    if not program():
        return print("skipped: Chromium is not installed")
    browser = Browser()
    try:
        for name in ("index", "Commands"):
            for width in (1280, 390):
                browser.look(width=width, height=800, dark=width == 390)
                browser.open(folder / f"{name}.html")
                words = f"{name} on {width} pixels"
                same(f"{words}: pictures that are not shown", browser.evaluate(
                    "[...document.images].filter(image => !image.naturalWidth).length"), 0)
                same(f"{words}: pixels beyond the edge",
                     browser.evaluate("document.documentElement.scrollWidth - innerWidth"), 0)
                same(f"{words}: the style sheet", browser.evaluate("getComputedStyle(document.body).maxWidth !== 'none'"), True)
                same(f"{words}: errors", [one for one in browser.complaints() if not one.startswith("request file:")], [])
        browser.evaluate("document.querySelector('nav a[href=\"Install.html\"]').click()")
        browser.wait_for("document.title.startsWith('Install')", True)
        same("the page behind a link", browser.evaluate("location.pathname.split('/').pop()"), "Install.html")
    finally:
        browser.close()


def try_mistakes(folder):
    catalog = folder / "catalog"
    shutil.copytree(CATALOG, catalog)
    article = catalog / "Articles/Concepts.md"
    text = article.read_text()
    line = text.count("\n") + 2
    article.write_text(text + "".join(f"\n{words}\n" for words, _ in MISTAKES))
    done = subprocess.run([ROOT / "Tools/docs-pages/pages.py", catalog, folder / "none"], capture_output=True, text=True,
                          timeout=PATIENCE_SECONDS)
    same("the exit code after mistakes", done.returncode, 1)
    found = "".join(re.sub(r": DocC.*", ": DocC does not show HTML.", one) + "\n" for one in done.stderr.splitlines())
    wanted = [f"Tools/docs: Articles/Concepts.md:{line + 2 * number}: {words}." for number, (_, words) in enumerate(MISTAKES)]
    same("the errors", sorted(set(found.splitlines())), sorted(wanted))
    same("pages after mistakes", (folder / "none").exists(), False)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        first = write(folder / "pages")
        # An article that is gone leaves no page behind.
        shutil.copy(folder / "pages/Install.html", folder / "pages/Gone.html")
        same("the same bytes again", write(folder / "pages") == first, True)
        pages = try_links(folder / "pages")
        try_articles(pages)
        try_browser(folder / "pages")
        try_mistakes(folder)
    print(f"{len(pages)} pages; {tally()} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
