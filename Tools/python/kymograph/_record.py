"""The recorder: values, frames, touches, events and decisions of one session."""

from __future__ import annotations

import array
import ctypes as c
import dataclasses
import json
import math
import os
from types import TracebackType
from typing import TYPE_CHECKING, Any, Mapping, Sequence, Union

from ._library import (
    DecisionNumbers, ErrorText, Field, FrameNumbers, Options, Owner, PoseNumbers, Text, check, encoded, fits, lib, real)

if TYPE_CHECKING:
    from ._timeline import Timeline

PHASES = {"idle": 0, "driving": 1, "settling": 2}
TOUCHES = {"began": 0, "moved": 1, "ended": 2, "cancelled": 3}
OUTCOMES = {"cancel": 0, "finish": 1}
ROLES = {"custom": 0, "animated": 1, "progress": 2}

_record_value = lib.kymograph_record_value
_now = lib.kymograph_recorder_now


@dataclasses.dataclass(frozen=True)
class Pose:
    """Where an element is: its rectangle in points before the transform, y down, and how it is drawn."""

    x: float
    y: float
    width: float
    height: float
    alpha: float = 1
    z: int = 0
    hidden: bool = False
    # Affine, about the center: a, b, c, d, tx, ty.
    transform: tuple[float, float, float, float, float, float] | None = None


Place = Union[Pose, Sequence[float]]


def pose_numbers(place: Place) -> PoseNumbers:
    """A pose, or x, y, width, height, as the library takes it."""
    if isinstance(place, Pose):
        pose = place
    else:
        x, y, width, height = place
        pose = Pose(x, y, width, height)
    flags = (1 if pose.hidden else 0) | (2 if pose.transform is not None else 0)
    x, y, width, height, alpha = map(real, (pose.x, pose.y, pose.width, pose.height, pose.alpha))
    return PoseNumbers(
        x + width / 2, y + height / 2, width, height, alpha if fits(pose.z, 32) else math.nan,
        *map(real, pose.transform or (1, 0, 0, 1, 0, 0)), pose.z if fits(pose.z, 32) else 0, flags)


class Key:
    """A key of a recorder. Call it with a value: it is the quickest way to record one from a loop."""

    __slots__ = ("_recorder", "number")

    def __init__(self, recorder: Recorder, number: int) -> None:
        self._recorder = recorder
        self.number = number

    def __call__(self, value: float, at: int | None = None, phase: int = 0) -> None:
        """Records a value at a time in nanoseconds of the session, or now; phase 0 is idle, 1 driving, 2 settling."""
        handle = self._recorder._handle
        if at is not None and not _LEAST <= at <= _MOST:
            return self._recorder._warn_of_time()
        try:
            _record_value(handle, self.number, _now(handle) if at is None else at, value, phase)
        except c.ArgumentError:
            # One that is too large for a float is left out with a warning, as infinity is; text is not a number.
            if not _is_too_large(value):
                raise
            _record_value(handle, self.number, _now(handle) if at is None else at, math.nan, phase)


class Recorder(Owner):
    """Records one session into a file, which is made, or gets one more session.

        with kymograph.Recorder("run.kymo", viewport=(390, 844)) as recorder:
            recorder.value("progress", 0.3)

    `at` is in nanoseconds of the session, and now if it is left out. What a call has recorded survives a kill of the
    process from the moment that it has returned. A call never raises because of a number: one that is not finite is left
    out, and the recording gets a `warning` event. Any thread may record; frames come from one thread at a time.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, name: str | None = None, viewport: tuple[float, float] | None = None,
        refresh_rate: float = 0, software: str | None = None, wait: bool = False, max_bytes: int = 0, max_age_ns: int = 0,
        touches: bool = True, hash_names: bool = False, salt: str | None = None, pack: bool = True,
    ) -> None:
        """Opens or makes the recording.

        name: the session's, for people. viewport: width and height in points. refresh_rate: frames per second.
        wait: a call waits for the disk rather than lose a value. max_bytes, max_age_ns: beyond them the oldest seconds are
        taken out; 0 is no limit. touches=False leaves touches out; hash_names replaces names of elements and texts by
        hashes, and needs a salt. pack=False keeps samples and poses in rows, which every SQLite tool reads: the file is some
        ten times larger, and hours of it are read slowly.

        Raises KymographError if the file cannot be opened, or is being recorded by another recorder.
        """
        self._handle = c.c_void_p()
        self._keys: dict[str, Key] = {}
        self._items: dict[str, int] = {}
        self._warned: set[str] = set()
        width, height = viewport or (0, 0)
        options = Options(
            size=c.sizeof(Options), policy=int(wait), name=Text.of(name), software=Text.of(software or "python"),
            refresh_rate=real(refresh_rate), viewport_width=real(width), viewport_height=real(height),
            limit_bytes=min(max_bytes, _MOST), limit_age_ns=min(max_age_ns, _MOST), redaction=(0 if touches else 1) | (2 if hash_names else 0),
            storage=int(not pack), salt=Text.of(salt))
        error = ErrorText()
        check(lib.kymograph_recorder_open(
            *encoded(os.fspath(path)), c.byref(options), c.byref(self._handle), c.byref(error)), error)
        self.path = os.fspath(path)

    # Time and names

    @property
    def now(self) -> int:
        """The session's time, in nanoseconds."""
        return int(_now(self._handle))

    @property
    def origin(self) -> int:
        """What time.monotonic_ns() shows at the session's zero: subtract it from the times of a toolkit."""
        return int(lib.kymograph_recorder_origin(self._handle))

    @property
    def session(self) -> int:
        """The session's number in the file, from 1."""
        return int(lib.kymograph_recorder_session(self._handle))

    def key(self, name: str, unit: str = "1", role: str | None = None) -> Key:
        """A key by its name, made if it is new. Unit and role hold from the first call.

        role: "progress", "animated" (a value that a layout moves) or "custom"; a key named progress has the role progress
        unless you say another one.
        """
        key = self._keys.get(name)
        if key is None:
            role = role or ("progress" if name == "progress" else "custom")
            key = self._keys[name] = Key(self, lib.kymograph_recorder_key_of_role(
                self._handle, *encoded(name), *encoded(unit), _named(ROLES, "role", role)))
        return key

    def _item(self, name: str) -> int:
        number = self._items.get(name)
        if number is None:
            number = self._items[name] = int(lib.kymograph_recorder_item(self._handle, *encoded(name)))
        return number

    # Records

    def value(self, name: str, value: float, at: int | None = None, phase: str = "idle", unit: str = "1") -> None:
        """Records a value of a key. phase: "idle", "driving" (a finger moves it) or "settling"."""
        (self._keys.get(name) or self.key(name, unit))(value, at, PHASES[phase])

    def values(self, name: str, times_ns: Any, values: Any, phase: str = "idle", unit: str = "1") -> None:
        """Records a series of one key in one call. times_ns: whole numbers; values: numbers; both of one length.

        Takes lists, array.array, and numpy arrays of any stride, which are not copied if they are int64 and float64.
        """
        times, numbers = _columns(name, times_ns, values)
        if times.count < _length(times_ns):
            self._warn_of_time()
        key = c.c_int32(self.key(name, unit).number)
        lib.kymograph_record_values(
            self._handle, times.count, c.byref(key), 0, times.address, times.stride, numbers.address, numbers.stride,
            _named(PHASES, "phase", phase))

    def frame(
        self, items: Mapping[str, Place], at: int | None = None, progress: float | None = None, phase: str = "idle",
        offset: tuple[float, float] = (0, 0), content_size: tuple[float, float] = (0, 0),
    ) -> None:
        """Records all elements on the screen: by name a Pose, or x, y, width, height. One that is missing is gone."""
        time = self._time(at)
        if time is None:
            return
        frame = FrameNumbers(
            c.sizeof(FrameNumbers), _named(PHASES, "phase", phase), time, math.nan if progress is None else real(progress),
            *map(real, offset), *map(real, content_size))
        numbers = (c.c_int32 * len(items))(*map(self._item, items))
        poses = (PoseNumbers * len(items))(*map(pose_numbers, items.values()))
        lib.kymograph_record_frame(self._handle, c.byref(frame), len(items), numbers, poses)

    def touch(self, contact: int, phase: str, x: float, y: float, at: int | None = None) -> None:
        """Records a report of a contact, in points. Contacts count from 0 in the order in which they land.

        phase: "began", "moved", "ended" or "cancelled".
        """
        number, time = _named(TOUCHES, "phase", phase), self._time(at)
        if time is not None:
            # The library leaves out a contact below 0, with a warning.
            lib.kymograph_record_touch(self._handle, contact if fits(contact) else -1, number, real(x), real(y), time)

    def event(self, event: str, at: int | None = None, important: bool = False, **fields: object) -> None:
        """Records an event ("mark", "start", a name of your own) with fields: None, bool, int, float or text.

        An important one is on the disk when the call returns.
        """
        records = (Field * len(fields))()
        for record, (name, value) in zip(records, fields.items()):
            record.name = Text.of(name)
            if isinstance(value, bool):
                record.kind, record.flag = 1, value
            elif isinstance(value, int) and -(2**63) <= value < 2**63:
                record.kind, record.integer = 2, value
            elif isinstance(value, (int, float)):
                record.kind, record.number = 3, real(value)
            elif value is not None:
                record.kind, record.text = 4, Text.of(str(value))
        time = self._time(at)
        if time is not None:
            lib.kymograph_record_event(self._handle, *encoded(event), time, records, len(fields), important)

    def decision(
        self, outcome: str, at: int | None = None, *, transition: int = 0, rule: str = "progress", threshold: float = 0.5,
        progress: float = 0, rule_outcome: str | None = None, decided_by: str = "rule", velocity: float | None = None,
        standard_error: float | None = None, margin_progress: float | None = None, margin_velocity: float | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        """Records a release decision, "finish" or "cancel", and what it was made from. A timeline writes its own.

        decided_by: "rule", "app" or "touch". velocity and its standard error are progress per second.
        """
        outcome_number = _named(OUTCOMES, "outcome", outcome)
        time = self._time(at)
        if time is None:
            return
        if not fits(transition, 32):
            return self._warn("transitionRange", "A decision came with a transition's number beyond 32 bits, and was left out.")
        lib.kymograph_record_decision(self._handle, c.byref(DecisionNumbers(
            c.sizeof(DecisionNumbers), transition, time, outcome_number,
            outcome_number if rule_outcome is None else _named(OUTCOMES, "outcome", rule_outcome), Text.of(rule),
            Text.of(decided_by), Text.of(json.dumps(parameters) if parameters else None), real(threshold), real(progress),
            *(math.nan if number is None else real(number)
              for number in (velocity, standard_error, margin_progress, margin_velocity)))))

    def timeline(self, distance: float = 0) -> Timeline:
        """A timeline for a user interface; distance: how many points progress 1 stands for, 0 if that is not known."""
        from ._timeline import Timeline

        return Timeline(self, distance)

    # Upkeep

    def sync(self) -> None:
        """Waits until the disk has everything."""
        self._ask(lib.kymograph_recorder_sync)

    def suspend(self) -> None:
        """Lets go of the file, for an app in the background, until resume()."""
        self._ask(lib.kymograph_recorder_suspend)

    def resume(self) -> None:
        """Takes the file again."""
        self._ask(lib.kymograph_recorder_resume)

    @property
    def trouble(self) -> str | None:
        """The newest trouble of the writer since you asked last, as a sentence: a full disk, a slow one."""
        error = ErrorText()
        return error.message.decode() if lib.kymograph_recorder_trouble(self._handle, c.byref(error)) else None

    def finish(self) -> None:
        """Ends the session and makes one file of the recording; a second call does nothing.

        Raises KymographError if the disk is full; you may then call it again. Later records are ignored. It also raises if
        the recorder is suspended (code 20): resume it first. If another program reads an older state of the file, it waits at
        most 5 seconds and then raises (code 21): the recording is complete, but only together with the file PATH-wal next to
        it.
        """
        error = ErrorText()
        code = lib.kymograph_recorder_finish(self._handle, c.byref(error))
        if code != _FINISHED:
            check(code, error)

    # Numbers that the library cannot take

    def _time(self, at: int | None) -> int | None:
        """A time, or None after a warning for one beyond 64 bits."""
        if at is None:
            return self.now
        if _LEAST <= at <= _MOST:
            return at
        self._warn_of_time()
        return None

    def _warn_of_time(self) -> None:
        self._warn("timeRange", "A time was beyond 64 bits or masked, and its record was left out.")

    def _warn(self, code: str, message: str) -> None:
        """Keeps a warning event, once for each sort."""
        if code not in self._warned:
            self._warned.add(code)
            self.event("warning", at=0, code=code, message=message)

    def _ask(self, function: Any) -> None:
        error = ErrorText()
        check(function(self._handle, c.byref(error)), error)

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.finish()

    def __del__(self) -> None:
        # Not in finish(): another thread may be inside of a call, and holds this object as long as it is.
        handle = getattr(self, "_handle", None)
        if handle:
            lib.kymograph_recorder_free(handle)

    def __repr__(self) -> str:
        return f"<Recorder of session {self.session} in {self.path!r}>"


# KYMOGRAPH_FINISHED
_FINISHED = 16

# The times that the library takes, in nanoseconds.
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1


def _named(numbers: Mapping[str, int], what: str, name: str) -> int:
    try:
        return numbers[name]
    except KeyError:
        raise ValueError(f"There is no {what} {name!r}; there are {', '.join(numbers)}.") from None


@dataclasses.dataclass(frozen=True)
class _Column:
    """Numbers in memory, and what holds them."""

    address: int
    count: int
    stride: int
    owner: object


def _is_too_large(number: Any) -> bool:
    try:
        float(number)
    except OverflowError:
        return True
    except (TypeError, ValueError):
        pass
    return False


def _length(data: Any) -> int:
    return len(data)


def _columns(name: str, times_ns: Any, values: Any) -> tuple[_Column, _Column]:
    """Times and values as the library reads them. A masked value is not a number, and a time that is masked or beyond 64
    bits is left out with its value."""
    if not hasattr(times_ns, "__len__"):
        times_ns = list(times_ns)
    if not hasattr(values, "__len__"):
        values = list(values)
    if _length(times_ns) != _length(values):
        raise ValueError(
            f"{name}: there are {_length(times_ns)} times and {_length(values)} values. Give as many of both.")
    if _is_masked(times_ns) or _is_masked(values):
        import numpy as np

        if _is_masked(values):
            values = np.ma.filled(values.astype("f8"), np.nan)
        if _is_masked(times_ns):
            kept = ~np.ma.getmaskarray(times_ns)
            times_ns, values = np.ma.getdata(times_ns)[kept], np.asarray(values)[kept]
    try:
        return _column(times_ns, "q"), _column(values, "d")
    except OverflowError:
        pairs = [(int(time), real(value)) for time, value in zip(times_ns, values) if _LEAST <= time <= _MOST]
    return _column([time for time, _ in pairs], "q"), _column([value for _, value in pairs], "d")


def _is_masked(data: Any) -> bool:
    # numpy's masked arrays; a data frame has a function of that name.
    return hasattr(data, "fill_value") and hasattr(data, "mask") and hasattr(data, "__array__")


def _column(data: Any, code: str) -> _Column:
    """Numbers as the library reads them; `code` is that of array.array, q for times and d for values."""
    if hasattr(data, "__array__"):  # numpy, pandas, Arrow
        import numpy as np

        given = np.asarray(data)
        if code == "q" and given.dtype.kind not in "iu" and given.size:
            if given.dtype.kind == "O" and all(isinstance(time, int) for time in given):
                raise OverflowError
            raise TypeError(f"Times are whole nanoseconds, not {given.dtype}. Multiply seconds by 1e9 and use astype('int64').")
        if code == "q" and given.dtype.kind == "u" and given.size and int(given.max()) > _MOST:
            raise OverflowError
        numbers = given.astype("<i8" if code == "q" else "<f8", copy=False)
        if numbers.ndim != 1:
            raise ValueError(f"Times and values are arrays of one dimension, not of {numbers.ndim}.")
        address, _ = numbers.__array_interface__["data"]
        return _Column(address, len(numbers), numbers.strides[0], numbers)
    if not (isinstance(data, array.array) and data.typecode == code):
        data = array.array(code, data)
    address, count = data.buffer_info()
    return _Column(address, count, data.itemsize, data)
