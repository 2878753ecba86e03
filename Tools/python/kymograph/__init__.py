"""Record gesture-driven motion, read it back, and measure it.

    with kymograph.Recorder("run.kymo") as recorder:
        recorder.value("progress", 0.3)

    session = kymograph.open("run.kymo")[-1]
    session.samples("progress").pandas()
    session.velocity(key="progress")

Times are integer nanoseconds of a session's clock, lengths are points, and y points down. Recording and reading need no
other package; numpy, pandas and pyarrow are imported if you ask for their arrays and tables.
"""

from ._answers import Rows, Verdict
from ._library import KymographError, version as _version
from ._program import KymographWarning, kymo
from ._read import Columns, Picture, Recording, Samples, Session, open
from ._record import Key, Pose, Recorder
from ._timeline import Timeline
from .testing import assert_motion

__version__ = _version()

__all__ = [
    "Columns", "Key", "KymographError", "KymographWarning", "Picture", "Pose", "Recorder", "Recording", "Rows", "Samples",
    "Session", "Timeline", "Verdict", "assert_motion", "kymo", "open",
]
