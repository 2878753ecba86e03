"""The timeline: what a user interface does, in whatever order it calls."""

from __future__ import annotations

import ctypes as c
import math
from types import TracebackType

from ._library import ErrorText, check, encoded, lib
from ._record import TOUCHES, Place, Recorder, _named, pose_numbers


class Timeline:
    """Numbers transitions and contacts, finds the phase, dates the release by the lift, and estimates velocities there.

    Times are nanoseconds of the session, and now if they are left out. The time of a value is the one that it was computed
    for: the event's while a finger is down, the frame's afterwards. One thread at a time may use it. Close it before the
    recorder is finished; `with recorder.timeline() as timeline:` does.
    """

    def __init__(self, recorder: Recorder, distance: float = 0) -> None:
        self._recorder = recorder
        self._handle = c.c_void_p(lib.kymograph_timeline_new(recorder._handle, distance))

    def _at(self, at: int | None) -> int:
        return self._recorder.now if at is None else at

    def rule(self, name: str, threshold: float | None = None, velocity_threshold: float | None = None) -> None:
        """The rule that the app decides by, by its name in scenario files; each release then has a decision with margins."""
        error = ErrorText()
        check(lib.kymograph_timeline_set_rule(
            self._handle, *encoded(name), math.nan if threshold is None else threshold,
            math.nan if velocity_threshold is None else velocity_threshold, c.byref(error)), error)

    def start(self, from_: str, to: str, at: int | None = None) -> int:
        """A transition begins. Returns its number, from 0."""
        return int(lib.kymograph_timeline_start(self._handle, *encoded(from_), *encoded(to), self._at(at)))

    def progress(self, value: float, at: int | None = None) -> None:
        """The transition's progress, 0 to 1, or beyond if it overshoots."""
        lib.kymograph_timeline_progress(self._handle, value, self._at(at))

    def value(self, name: str, value: float, at: int | None = None, unit: str = "1") -> None:
        """Any other number that moves."""
        lib.kymograph_timeline_value(self._handle, *encoded(name), *encoded(unit), value, self._at(at))

    def touch(self, contact: int, phase: str, x: float, y: float, at: int | None = None) -> None:
        """A report of a contact, in points; `contact` is any number that stands for it while it is down."""
        lib.kymograph_timeline_touch(self._handle, contact, _named(TOUCHES, "phase", phase), x, y, self._at(at))

    def release(self, finish: bool | None, at: int | None = None) -> None:
        """The app finishes (True) or cancels (False); None: a widget decides by itself, and `complete` says how."""
        lib.kymograph_timeline_release(self._handle, 2 if finish is None else int(finish), self._at(at))

    def complete(self, finished: bool, at: int | None = None) -> None:
        """The transition is over; finished: whether it ended at its target."""
        lib.kymograph_timeline_complete(self._handle, int(finished), self._at(at))

    def see(self, item: str, place: Place | None) -> None:
        """An element's pose from now on, as a Pose or x, y, width, height; None: it is gone."""
        numbers = None if place is None else c.byref(pose_numbers(place))
        lib.kymograph_timeline_see(self._handle, *encoded(item), numbers)

    def frame(self, at: int | None = None, next: int = 0) -> None:
        """A frame is shown; next: when the next one is expected, 0 if that is not known."""
        lib.kymograph_timeline_frame(self._handle, self._at(at), next)

    @property
    def needs_frame(self) -> bool:
        """Whether it wants another frame: something moves, or no frame has shown its end yet."""
        return bool(lib.kymograph_timeline_needs_frame(self._handle))

    def close(self) -> None:
        """Records a release that waited for the rest of its transition; later calls do nothing."""
        handle, self._handle = self._handle, c.c_void_p()
        lib.kymograph_timeline_free(handle)

    def __enter__(self) -> Timeline:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self.close()
