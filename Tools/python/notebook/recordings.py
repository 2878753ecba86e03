"""Makes the recordings of the notebook, from the fixtures of the repository: `recordings.make(FOLDER)`."""

from __future__ import annotations

import pathlib

import kymograph

FIXTURES = pathlib.Path(__file__).resolve().parents[3] / "Tests/Fixtures"
SWIPES = ["phone-1.4", "phone-1.5", "tablet-1.4", "tablet-1.5"]
PINCHES = ["pinch-open", "pinch-back"]


def make(folder: str | pathlib.Path) -> pathlib.Path:
    """Records the lines of an app into swipes.kymo, and two pinches by the engine into pinch.kymo. Returns the folder."""
    folder = pathlib.Path(folder)
    for name in SWIPES:
        kymograph.kymo("record", from_ndjson=FIXTURES / "swipes" / f"{name}.ndjson", into=folder / "swipes.kymo")
    for name in PINCHES:
        kymograph.kymo(
            "record", scenario=FIXTURES / "scenarios/grid-to-detail.pinch.json",
            gesture=FIXTURES / "gestures" / f"{name}.evemu", into=folder / "pinch.kymo", name=name)
    return folder
