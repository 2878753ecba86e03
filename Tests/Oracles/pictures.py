#!/usr/bin/env python3
"""The pictures of the manual, made again and compared with those that are committed.

    Tests/Oracles/pictures.py KYMO [FOLDER]

An SVG must have the same bytes. A PNG must have the same size and look the same: the edge of a letter may be a little
darker or lighter in another Chromium, but no word, number, curve or colour may differ. FOLDER keeps the new pictures.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from packages import need

need()

import numpy  # noqa: E402 (only there once the packages are)
from PIL import Image, ImageFilter  # noqa: E402
from scipy.ndimage import uniform_filter  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESOURCES = ROOT / "Sources/Kymograph/Kymograph.docc/Resources"
# A pixel differs visibly if one of its colours, after a blur over neighbours, differs by more than this, of 255.
VISIBLE = 25
# So many visibly different pixels in a square with sides of so many pixels are another letter or digit.
LETTER, SQUARE = 14, 13
# So often is a picture that differs made again: a browser rounds the times of a watched page's events by chance.
RETAKES = 2


def pixels(path):
    with Image.open(path) as image:
        return numpy.asarray(image.convert("RGB").filter(ImageFilter.BoxBlur(1)), dtype=int)


def difference(old, new):
    """How two pictures differ, or None."""
    if old.suffix == ".svg":
        return None if old.read_bytes() == new.read_bytes() else "it has other bytes"
    one, other = pixels(old), pixels(new)
    if one.shape != other.shape:
        (height, width, _), (new_height, new_width, _) = one.shape, other.shape
        return f"it is {width} x {height} pixels, now {new_width} x {new_height}"
    visible = (numpy.abs(one - other).max(axis=2) > VISIBLE).astype(float)
    counts = uniform_filter(visible, SQUARE, mode="constant") * SQUARE**2
    if round(counts.max()) < LETTER:
        return None
    row, column = numpy.unravel_index(counts.argmax(), counts.shape)
    return f"{int(visible.sum())} pixels differ visibly, most of them near ({column}, {row})"


def make(kymo, folder, *names):
    program = {**os.environ, "kymo": str(pathlib.Path(kymo).resolve())}
    made = subprocess.run([ROOT / "Tools/pictures", "--into", folder, *names], env=program)
    if made.returncode != 0:
        sys.exit(f"  NOT: Tools/pictures exits with {made.returncode}")


def main(kymo, folder):
    make(kymo, folder)
    committed, now = ({path.name for path in pathlib.Path(place).iterdir()} for place in (RESOURCES, folder))
    findings = [f"{name} is not committed; make it with: Tools/pictures {name}" for name in sorted(now - committed)]
    findings += [f"{name} is not made by Tools/pictures; remove it" for name in sorted(committed - now)]

    def stale():
        pairs = {name: difference(RESOURCES / name, pathlib.Path(folder) / name) for name in sorted(committed & now)}
        return {name: words for name, words in pairs.items() if words}

    found = stale()
    for _ in range(RETAKES):
        again = [name for name in found if name.endswith(".png")]
        if again:
            make(kymo, folder, *again)
            found = stale()
    findings += [f"{name} is out of date: {words}. Make it again with Tools/pictures {name}, and look at it"
                 for name, words in found.items()]
    for finding in findings:
        print(f"  NOT: {finding}")
    print(f"{len(committed | now)} pictures, {len(findings)} findings")
    sys.exit(1 if findings else 0)


if len(sys.argv) not in (2, 3):
    sys.exit(__doc__)
if len(sys.argv) == 3:
    os.makedirs(sys.argv[2], exist_ok=True)
    main(sys.argv[1], sys.argv[2])
with tempfile.TemporaryDirectory() as temporary:
    main(sys.argv[1], temporary)
