"""The timeline: what a user interface does, in whatever order it calls."""

from __future__ import annotations

import ctypes as c
import math
from types import TracebackType
from typing import Any

from ._library import ErrorText, Owner, check, encoded, fits, lib, real
from ._record import TOUCHES, Place, Recorder, _named, pose_numbers


class Timeline(Owner):
    """Numbers transitions and contacts, finds the phase, dates the release by the lift, and estimates velocities there.

    Times are nanoseconds of the session, and now if they are left out. The time of a value is the one that it was computed
    for: the event's while a finger is down, the frame's afterwards. One thread at a time may use it. Close it before the
    recorder is finished; `with recorder.timeline() as timeline:` does.
    """

    def __init__(self, recorder: Recorder, distance: float = 0) -> None:
        self._recorder = recorder
        self._handle = c.c_void_p(lib.kymograph_timeline_new(recorder._handle, real(distance)))

    def _call(self, function: Any, at: int | None, *before: Any) -> Any:
        """Calls a function whose last argument is the time; a time beyond 64 bits is left out with a warning."""
        time = self._recorder._time(at)
        return None if time is None else function(self._handle, *before, time)

    def rule(self, name: str, threshold: float | None = None, velocity_threshold: float | None = None) -> None:
        """The rule that the app decides by, by its name in scenario files; each release then has a decision with margins."""
        error = ErrorText()
        check(lib.kymograph_timeline_set_rule(
            self._handle, *encoded(name), math.nan if threshold is None else real(threshold),
            math.nan if velocity_threshold is None else real(velocity_threshold), c.byref(error)), error)

    def start(self, from_: str, to: str, at: int | None = None) -> int:
        """A transition begins. Returns its number, from 0, or -1 if it was left out."""
        number = self._call(lib.kymograph_timeline_start, at, *encoded(from_), *encoded(to))
        return -1 if number is None else int(number)

    def progress(self, value: float, at: int | None = None) -> None:
        """The transition's progress, 0 to 1, or beyond if it overshoots."""
        self._call(lib.kymograph_timeline_progress, at, real(value))

    def value(self, name: str, value: float, at: int | None = None, unit: str = "1") -> None:
        """Any other number that moves."""
        self._call(lib.kymograph_timeline_value, at, *encoded(name), *encoded(unit), real(value))

    def touch(self, contact: int, phase: str, x: float, y: float, at: int | None = None) -> None:
        """A report of a contact, in points; `contact` is any number that stands for it while it is down."""
        number = _named(TOUCHES, "phase", phase)
        if not fits(contact):
            return self._recorder._warn(
                "unknownContact", "A touch came with a contact's number beyond 64 bits, and was left out.")
        self._call(lib.kymograph_timeline_touch, at, contact, number, real(x), real(y))

    def release(self, finish: bool | None, at: int | None = None) -> None:
        """The app finishes (True) or cancels (False); None: a widget decides by itself, and `complete` says how."""
        self._call(lib.kymograph_timeline_release, at, 2 if finish is None else int(finish))

    def complete(self, finished: bool, at: int | None = None) -> None:
        """The transition is over; finished: whether it ended at its target."""
        self._call(lib.kymograph_timeline_complete, at, int(finished))

    def see(self, item: str, place: Place | None) -> None:
        """An element's pose from now on, as a Pose or x, y, width, height; None: it is gone."""
        numbers = None if place is None else c.byref(pose_numbers(place))
        lib.kymograph_timeline_see(self._handle, *encoded(item), numbers)

    def frame(self, at: int | None = None, next: int = 0) -> None:
        """A frame is shown; next: when the next one is expected, 0 if that is not known."""
        time = self._recorder._time(at)
        if time is not None:
            lib.kymograph_timeline_frame(self._handle, time, next if fits(next) else 0)

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
