"""The screen of a terminal as a page."""
import html
import itertools
import json
import pathlib
import re

import pyte

PAPER, INK, DIM = "#ffffff", "#3c434d", "#59626e"
# The hues of the page, by the names that pyte gives them.
HUES = {
    "default": INK, "red": "#8c1500", "green": "#007f6e", "magenta": "#c0259f", "cyan": "#1b4fc4", "af8700": "#8f6a00",
}
FIRST_BRAILLE, LAST_BRAILLE = 0x2800, 0x28FF
FULL_BLOCK = "█"
# The width of a letter of DejaVu Sans Mono, of the size of the font.
LETTER = 0.602
# The column and the row of the dot of each bit (Unicode, Braille Patterns).
DOTS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]


def first_screen(cast):
    """What stands in the terminal after the first output."""
    lines = map(json.loads, pathlib.Path(cast).read_text().splitlines())
    term = next(lines)["term"]
    screen = pyte.Screen(term["cols"], term["rows"])
    output = next(data for _, code, data in lines if code == "o")
    # pyte does not know faint letters, and the player has none in italics.
    pyte.Stream(screen).feed(re.sub("\x1b\\[(0(?:;1)?);2(?=[;m])", "\x1b[\\1;3", output))
    return screen


def page_of_cast(cast, path, width, height):
    """Draws the first screen of an asciicast on a page of this size, and returns the page's path."""
    screen = first_screen(cast)
    across, down = width / screen.columns, height / screen.lines
    marks = []
    for row in range(screen.lines):
        cells = [screen.buffer[row][column] for column in range(screen.columns)]
        column = 0
        for look, run in itertools.groupby(cells, key=lambda cell: (cell.fg, cell.bold, cell.reverse, cell.italics)):
            run = list(run)
            name, bold, reverse, dim = look
            hue = DIM if dim and name == "default" else HUES[name]
            x, y = column * across, row * down
            if reverse:
                marks.append(rectangle(x, y, len(run) * across, down, hue))
                hue = PAPER
            for number, cell in enumerate(run):
                marks.append(character(cell.data, x + number * across, y, across, down, hue, bold))
            column += len(run)
    style = f"font: {across / LETTER:g}px monospace; white-space: pre"
    path.write_text(
        f'<!doctype html><meta charset="utf-8"><body style="margin: 0; background: {PAPER}">'
        f'<svg width="{width}" height="{height}" style="{style}">{"".join(marks)}</svg>')
    return path


def rectangle(x, y, width, height, hue):
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{hue}"/>'


def character(text, x, y, across, down, hue, bold):
    """A cell's character. Dots of Braille, which few fonts have, and blocks are drawn."""
    if text in ("", " "):
        return ""
    if FIRST_BRAILLE <= ord(text[0]) <= LAST_BRAILLE:
        bits = ord(text[0]) - FIRST_BRAILLE
        places = [(x + (column + 0.5) * across / 2, y + (row + 0.5) * down / 4)
                  for bit, (column, row) in enumerate(DOTS) if bits >> bit & 1]
        return "".join(f'<circle cx="{cx:g}" cy="{cy:g}" r="{across / 7:g}" fill="{hue}"/>' for cx, cy in places)
    if text == FULL_BLOCK:
        return rectangle(x, y, across, down, hue)
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:g}" y="{y + down * 0.78:g}" fill="{hue}"{weight}>{html.escape(text)}</text>'
