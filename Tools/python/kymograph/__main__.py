"""The program `kymo` of this package: the commands `kymograph` and `kymo`, and `python -m kymograph`."""

from __future__ import annotations

import os
import sys

from ._place import program


def main() -> None:
    """Becomes the program, with the words of the command line."""
    path = program()
    try:
        os.execv(path, ["kymo", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"kymograph: {path} could not be started: {error.strerror}. Install the package again.")


if __name__ == "__main__":
    main()
