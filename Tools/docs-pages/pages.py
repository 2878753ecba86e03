#!/usr/bin/env python3
"""Writes the articles of the manual as plain HTML, which a browser opens from a folder without a server.

    Tools/docs-pages/pages.py CATALOG FOLDER

CATALOG is the folder with Kymograph.md, Articles and Resources. A name between double backticks leads to its page in
FOLDER/api, if DocC has written it. A link that leads nowhere ends the program before it writes anything.
"""
import html
import pathlib
import re
import shutil
import string
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Tests/Oracles"))

from packages import need  # noqa: E402

need("markdown-it-py")

from markdown_it import MarkdownIt  # noqa: E402

# What DocC reads and a reader does not see.
HIDDEN_DIRECTIVES = ("Metadata", "Options", "Comment")
GENERATOR = '<meta name="generator" content="Tools/docs">'
API_HINT = "Pages of the API need a web server"


def hide_directive(state, first, last, silent):
    """A block rule: `@Metadata { … }` is left out."""
    line = state.getLines(first, first + 1, 0, False)
    if not line.startswith(tuple(f"@{name}" for name in HIDDEN_DIRECTIVES)):
        return False
    depth = 0
    for end in range(first, last):
        line = state.getLines(end, end + 1, 0, False)
        depth += line.count("{") - line.count("}")
        if depth <= 0:
            break
    state.line = end + 1
    return True


MARKDOWN = MarkdownIt("commonmark", {"xhtmlOut": False}).enable("table")
MARKDOWN.block.ruler.before("paragraph", "directive", hide_directive)
MARKDOWN.add_render_rule("table_open", lambda *_: '<div class="table">\n<table>\n')
MARKDOWN.add_render_rule("table_close", lambda *_: "</table>\n</div>\n")


def plain(inline):
    """The text of an inline token without its marks."""
    return "".join(child.content for child in inline.children)


class Page:
    """A page of the catalog, as tokens of Markdown with its title and the anchors of its headings."""

    def __init__(self, path):
        self.path, self.name = path, path.stem
        self.file = "index.html" if path.stem == "Kymograph" else f"{path.stem}.html"
        self.tokens = [token for token in MARKDOWN.parse(path.read_text()) if token.type != "html_block"
                       or not token.content.lstrip().startswith("<!--")]
        heading = next(token for token in self.tokens if token.type == "inline")
        self.title = plain(heading)
        # The title of the first page is the name of a module.
        heading.children = MARKDOWN.parseInline(self.title)[0].children
        self.anchors = set()
        for token, text in zip(self.tokens, self.tokens[1:]):
            if token.type == "heading_open":
                anchor = words = re.sub(r"\W+", "-", plain(text)).strip("-")
                while anchor in self.anchors:
                    anchor += f"-{words}"
                self.anchors.add(anchor)
                token.attrSet("id", anchor)

    def html(self, tokens):
        return MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})

    def abstract(self):
        """The sentence below the title."""
        return next(self.html([token]) for token in self.tokens[3:] if token.type == "inline")


class Manual:
    def __init__(self, catalog, folder):
        self.catalog, self.folder, self.faults = catalog, folder, []
        self.landing = Page(catalog / "Kymograph.md")
        paths = sorted((catalog / "Articles").glob("*.md"))
        self.pages = {page.name: page for page in [self.landing, *map(Page, paths)]}
        self.pictures = {}
        self.groups = self.take_topics()
        self.order = [page for _, pages in self.groups for page in pages]
        for page in self.pages.values():
            if page not in [self.landing, *self.order]:
                self.blame(page, None, f"{page.name} is not in the topics of Kymograph.md; add it to a group")
            for token in page.tokens:
                self.translate(page, token)

    def blame(self, page, token, words):
        line = f":{token.map[0] + 1}" if token and token.map else ""
        self.faults.append(f"{page.path.relative_to(self.catalog)}{line}: {words}.")

    def take_topics(self):
        """Takes the groups below the heading Topics out of the first page."""
        tokens, groups = self.landing.tokens, []
        begin = next(index for index, token in enumerate(tokens) if token.content == "Topics") - 1
        for token, text in zip(tokens[begin:], tokens[begin + 1:]):
            if token.type == "heading_open" and token.tag == "h3":
                groups.append((plain(text), []))
            for name in re.findall(r"<doc:(\w+)>", token.content):
                if name in self.pages:
                    groups[-1][1].append(self.pages[name])
                else:
                    self.blame(self.landing, token, f"<doc:{name}> leads nowhere")
        del tokens[begin:]
        return groups

    def translate(self, page, token):
        """Turns what only DocC knows into Markdown's own, in a token of a page."""
        if token.type in ("html_block", "html_inline"):
            self.blame(page, token, f"DocC does not show HTML: {token.content.strip()}")
        children = token.children or []
        for index, child in enumerate(children):
            if child.type == "html_inline" and not child.content.startswith("<!--"):
                self.blame(page, token, f"DocC does not show HTML: {child.content}")
            elif child.type == "link_open":
                self.turn_link(page, token, child, children[index + 1])
            elif child.type == "image":
                child.attrSet("src", self.picture(page, token, child.attrGet("src")))
            elif child.type == "code_inline" and child.markup == "``":
                self.turn_symbol(child)

    def turn_link(self, page, token, link, text):
        target = link.attrGet("href")
        if re.match(r"https?://|mailto:", target):
            return
        name, _, anchor = target.removeprefix("doc:").partition("#")
        wanted = page if target.startswith("#") else self.pages.get(name)
        if not wanted or (anchor and anchor not in wanted.anchors):
            return self.blame(page, token, f"the link {target} leads nowhere")
        link.attrSet("href", wanted.file + (f"#{anchor}" if anchor else ""))
        if link.markup == "autolink":
            text.content = wanted.title

    def turn_symbol(self, code):
        """A public symbol is a link, if DocC has written its page. DocC's script knows the folder, not its index.html."""
        symbol = code.content
        code.content = symbol.split("/")[-1]
        path = f"api/documentation/{symbol.lower()}/"
        if (self.folder / path).is_dir():
            shown = html.escape(code.content)
            code.type = "html_inline"
            code.content = f'<a href="{html.escape(path)}" title="{API_HINT}"><code>{shown}</code></a>'

    def picture(self, page, token, name):
        """The file of a picture, which Markdown may name without its ending."""
        found = [path for path in sorted((self.catalog / "Resources").iterdir()) if name in (path.name, path.stem)]
        if len(found) != 1:
            self.blame(page, token, f"the picture {name} is {'not' if not found else 'more than once'} in Resources")
            return name
        self.pictures[found[0].name] = found[0]
        return f"pictures/{found[0].name}"

    def contents(self, current):
        """The groups as lists of links."""
        text = ""
        for group, pages in self.groups:
            text += f"<h2>{html.escape(group)}</h2>\n<ul>\n"
            for page in pages:
                mark = ' aria-current="page"' if page is current else ""
                text += f'<li><a href="{page.file}"{mark}>{html.escape(page.title)}</a></li>\n'
            text += "</ul>\n"
        if (self.folder / "api").is_dir():
            text += (f"<h2>API</h2>\n<ul>\n<li><a href=\"api/documentation/kymograph/\">Symbols of the modules</a> "
                     f"{API_HINT}.</li>\n</ul>\n")
        return text

    def articles(self):
        """The groups with the abstract of each article, for the first page."""
        text = ""
        for group, pages in self.groups:
            text += f"<h2>{html.escape(group)}</h2>\n<dl class=\"articles\">\n"
            for page in pages:
                text += f'<dt><a href="{page.file}">{html.escape(page.title)}</a></dt>\n<dd>{page.abstract()}</dd>\n'
            text += "</dl>\n"
        return text

    def turn(self, page):
        """Links to the pages before and after an article."""
        at = self.order.index(page)
        before = f'<a href="{self.order[at - 1].file}">← {html.escape(self.order[at - 1].title)}</a>' if at else ""
        after = "".join(f'<a href="{page.file}">{html.escape(page.title)} →</a>' for page in self.order[at + 1:at + 2])
        return f'<div class="turn"><span>{before}</span><span>{after}</span></div>\n'

    def write(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.glob("*.html"):
            if GENERATOR in old.read_text():
                old.unlink()
        template = string.Template((HERE / "page.html").read_text())
        for page in self.pages.values():
            is_first = page is self.landing
            body = page.html(page.tokens) + (self.articles() if is_first else self.turn(page))
            title = page.title if is_first else f"{page.title} – {self.landing.title}"
            (self.folder / page.file).write_text(template.substitute(
                title=html.escape(title), body=body, contents=self.contents(page)))
        shutil.copyfile(HERE / "style.css", self.folder / "style.css")
        shutil.rmtree(self.folder / "pictures", ignore_errors=True)
        (self.folder / "pictures").mkdir()
        for name, path in self.pictures.items():
            shutil.copyfile(path, self.folder / "pictures" / name)


def main():
    if len(sys.argv) != 3:
        print("Tools/docs-pages/pages.py: give the catalog and a folder for the pages.", file=sys.stderr)
        return 2
    manual = Manual(*map(pathlib.Path, sys.argv[1:]))
    for fault in manual.faults:
        print(f"Tools/docs: {fault}", file=sys.stderr)
    if not manual.faults:
        manual.write()
    return 1 if manual.faults else 0


if __name__ == "__main__":
    sys.exit(main())
