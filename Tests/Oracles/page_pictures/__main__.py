"""Takes pictures of pages with Chromium: python3 Tests/Oracles/page_pictures <LIST

A line of LIST has, with tabs between: the picture, the page, the size WxH or WxH+X+Y, and the fragment of the address.
A page may also be an asciicast, whose first screen is shown. The same page gives the same picture on each machine: the
fonts are those of a package, without hints, and nothing moves.
"""
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from packages import need

need()

from fonts import config  # noqa: E402 (only there once the packages are)
from PIL import Image  # noqa: E402
from report_page.browser import Browser, program  # noqa: E402
from terminal import page_of_cast  # noqa: E402

COLOURS = 128
# How wide the page is of which a picture shows a part.
WINDOW = 1200
# Chromium draws on: until nothing waits any more, and fonts are there.
SETTLED = "document.fonts.ready.then(() => true)"


def take(browser, folder, out, page, size, fragment):
    numbers = re.fullmatch(r"(\d+)x(\d+)(?:\+(\d+)\+(\d+))?", size).groups()
    width, height, x, y = (int(number or 0) for number in numbers)
    if page.endswith(".cast"):
        page = page_of_cast(page, pathlib.Path(folder) / "terminal.html", width, height)
    browser.look(max(width + x, WINDOW if x else 0), height + y, reduced=True)
    browser.open(page, fragment)
    browser.evaluate(SETTLED)
    browser.state()
    browser.picture(out)
    with Image.open(out) as image:
        image = image.convert("RGB").crop((x, y, x + width, y + height))
    # Without dithering, text keeps its edges.
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(out, optimize=True)


def main():
    if program() is None:
        print("Chromium is not on this machine; install it with Tools/setup --python", file=sys.stderr)
        sys.exit(3)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FONTCONFIG_FILE"] = config(folder)
        browser = Browser()
        try:
            for line in sys.stdin:
                take(browser, folder, *line.rstrip("\n").split("\t"))
        finally:
            browser.close()


main()
