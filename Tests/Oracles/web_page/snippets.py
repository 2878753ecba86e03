"""Blocks of the manual, and how a script of Playwright's is run."""
import contextlib
import dataclasses
import functools
import http.server
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import threading

import markdown_it
import playwright

from report_page.browser import program
from web_page.place import ROOT

# Playwright's package for Node, with a Node of its own, is a part of the one for Python.
DRIVER = pathlib.Path(playwright.__file__).parent / "driver"


@dataclasses.dataclass
class Snippet:
    """A fenced block as it is printed."""
    path: pathlib.Path
    line: int
    language: str
    text: str

    @property
    def name(self):
        return f"{self.path.stem}-{self.line}"

    def __str__(self):
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def snippets_of(path):
    tokens = markdown_it.MarkdownIt().parse(path.read_text())
    return [Snippet(path, token.map[0] + 1, token.info.split()[0] if token.info else "", token.content)
            for token in tokens if token.type in ["fence", "code_block"]]


def console_lines(snippet):
    """The commands of the article that a snippet is from."""
    return [line[2:] for block in snippets_of(snippet.path) if block.language == "console"
            for line in block.text.replace("\\\n", "").splitlines() if line.startswith("$ ")]


@contextlib.contextmanager
def server(folder, port):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *words):
            pass

        def do_GET(self):
            # A browser asks for an icon by itself.
            if self.path == "/favicon.ico":
                self.send_response(204)
                self.end_headers()
            else:
                super().do_GET()

    try:
        one = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Quiet, directory=folder))
    except OSError:
        # Somebody else has this port.
        one = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    thread = threading.Thread(target=one.serve_forever)
    thread.start()
    try:
        yield one.server_address[1]
    finally:
        one.shutdown()
        thread.join()
        one.server_close()


def browsers(folder):
    """Where Playwright looks for its own build of Chromium lies the packaged one."""
    known = json.loads((DRIVER / "package/browsers.json").read_text())["browsers"]
    revision = next(one["revision"] for one in known if one["name"] == "chromium-headless-shell")
    for build in ["chrome-headless-shell-linux64", "chrome-headless-shell-linux-arm64"]:
        path = folder / f"chromium_headless_shell-{revision}" / build / "chrome-headless-shell"
        path.parent.mkdir(parents=True)
        path.write_text(f'#!/bin/sh\nexec {shlex.quote(program())} "$@"\n')
        path.chmod(0o755)
    return folder


def run_playwright(place, folder, snippet, commands):
    """Runs a script in a folder with the recorder and what the article's commands make; its answer and new files."""
    for name in ["record.js", "record.min.js"]:
        shutil.copy(place.folder / name, folder)
    for command in commands:
        words = [str(ROOT / word) if word.startswith("Tests/") else word for word in shlex.split(command)[1:]]
        subprocess.run([place.kymo, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (folder / "node_modules").mkdir()
    (folder / "node_modules/playwright").symlink_to(DRIVER / "package")
    before = {path.name for path in folder.iterdir()} | {"drive.mjs", "browsers"}
    with server(folder, 8000) as port:
        (folder / "drive.mjs").write_text(snippet.text.replace("localhost:8000", f"localhost:{port}"))
        answer = subprocess.run(
            [DRIVER / "node", "drive.mjs"], cwd=folder, capture_output=True, text=True, timeout=120,
            env=os.environ | {"PLAYWRIGHT_BROWSERS_PATH": str(browsers(folder / "browsers"))})
    files = {path.name: path.read_text() for path in folder.iterdir() if path.name not in before and path.is_file()}
    return answer, files
