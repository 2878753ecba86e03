"""Where the package's library and program are. A checkout has none of its own and names them in the environment."""

from __future__ import annotations

import os
import pathlib

_FOLDER = pathlib.Path(__file__).parent / "_bin"


def library() -> str:
    """The path of the library: $KYMOGRAPH_LIBRARY_FILE, or the package's own."""
    return os.environ.get("KYMOGRAPH_LIBRARY_FILE") or str(_FOLDER / "libkymograph.so.0")


def program() -> str:
    """The path of the program: $KYMOGRAPH_PROGRAM_FILE, or the package's own."""
    return os.environ.get("KYMOGRAPH_PROGRAM_FILE") or str(_FOLDER / "kymo")
