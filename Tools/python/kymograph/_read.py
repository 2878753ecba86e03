"""Recordings and their sessions: samples by the library, everything else by the program."""

from __future__ import annotations

import array
import base64
import ctypes as c
import functools
import html
import os
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple

from . import _views
from ._answers import Rows, Verdict, need
from ._library import ErrorText, KeyNumbers, KymographError, Owner, SessionNumbers, check, encoded, lib
from ._program import YES, ask, ask_json
from ._record import PHASES

if TYPE_CHECKING:
    import numpy
    import pandas
    import pyarrow


class Columns(NamedTuple):
    """Samples as numpy arrays: int64 nanoseconds, float64, and uint8 (0 idle, 1 driving, 2 settling)."""

    t_ns: numpy.ndarray[Any, Any]
    value: numpy.ndarray[Any, Any]
    phase: numpy.ndarray[Any, Any]


@dataclass(frozen=True, repr=False)
class Samples:
    """The values of one key in the order of their times. The arrays are copies that nobody else holds."""

    key: str
    unit: str
    # Nanoseconds of the session.
    t_ns: array.array[int]
    value: array.array[float]
    # 0 idle, 1 driving, 2 settling.
    phase: array.array[int]

    def __len__(self) -> int:
        return len(self.t_ns)

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return zip(self.t_ns, self.value)

    def numpy(self) -> Columns:
        """The columns as numpy arrays on the same memory."""
        np = need("numpy", "numpy")

        return Columns(np.asarray(self.t_ns), np.asarray(self.value), np.asarray(self.phase))

    def pandas(self) -> pandas.DataFrame:
        """A data frame with the columns value and phase, indexed by t_ns."""
        pd = need("pandas", "pandas")

        columns = self.numpy()
        return pd.DataFrame(
            {"value": columns.value, "phase": pd.Categorical.from_codes(columns.phase.astype("int8"), list(PHASES))},
            index=pd.Index(columns.t_ns, name="t_ns"))

    def arrow(self) -> pyarrow.Table:
        """An Arrow table of t_ns, value and phase."""
        pa = need("pyarrow", "arrow")

        def column(numbers: array.array[Any], kind: Any) -> Any:
            return pa.Array.from_buffers(kind, len(numbers), [None, pa.py_buffer(numbers)])

        phases = pa.DictionaryArray.from_arrays(column(self.phase, pa.int8()), list(PHASES))
        return pa.table({
            "t_ns": column(self.t_ns, pa.int64()), "value": column(self.value, pa.float64()), "phase": phases})

    def __repr__(self) -> str:
        return f"<Samples of {self.key!r} in {self.unit!r}: {len(self)}>"


class Picture(str):
    """An SVG as text, which a notebook draws."""

    def _repr_html_(self) -> str:
        # As a picture of its own: the styles of two SVGs in one page would mix.
        data = base64.b64encode(self.encode("utf-8", "surrogateescape")).decode()
        return f'<img src="data:image/svg+xml;base64,{data}">'


class _Questions:
    """What may be asked of a recording and of one of its sessions alike. Flags of `kymo` are given by their names:
    `key="progress"`, `strict=True`, `set={"release.threshold": 0.4}`.

    A question of a whole recording is that of the command line `kymo COMMAND FILE`: `velocity` and `fit` take its last
    session, and `compare` and `check` its sessions. Each answer is of one state of the file, and a new question of the newest."""

    @property
    def selector(self) -> str:
        """FILE or FILE#UUID, as `kymo` takes it."""
        raise NotImplementedError

    def show(self, **flags: object) -> str:
        """`kymo show`: the motion in words, or the sessions of a recording."""
        return ask(["show", self.selector], flags)[0]

    def check(self, requirements: str | os.PathLike[str] | None = None, **flags: object) -> Verdict:
        """`kymo check`: sessions against requirements, `golden=` and `tolerances=`, which are files."""
        rows, code = ask_json(["check", self.selector, "--all"], {"requirements": requirements, **flags})
        return Verdict(rows, code == YES)

    def velocity(self, **flags: object) -> Rows:
        """`kymo velocity`: the velocity of each key and contact at each release, and the decision."""
        return Rows(ask_json(["velocity", self.selector], flags)[0])

    def fit(self, **flags: object) -> dict[str, Any]:
        """`kymo fit`: the spring, decay or curve of each settle, in "fits"."""
        answer: dict[str, Any] = ask_json(["fit", self.selector], flags)[0]
        return answer

    def compare(self, other: Session | Recording, **flags: object) -> Verdict:
        """`kymo compare`: this one (a) and another one (b); `passed` is whether they are the same."""
        rows, code = ask_json(["compare", self.selector, other.selector, "--all"], flags)
        return Verdict(rows, code == YES)

    def rule_try(self, **flags: object) -> Rows:
        """`kymo rule try`: how another rule decides, as in `rule="velocity", set={"release.velocityThreshold": 0.5}`.

        towards="left", or a release.distance below 0, judges the touches in one direction, here and in the others.
        """
        return Rows(ask_json(["rule", "try", self.selector], flags)[0])

    def rule_tune(self, **flags: object) -> dict[str, Any]:
        """`kymo rule tune`: the rule that decides labelled gestures best."""
        answer: dict[str, Any] = ask_json(["rule", "tune", self.selector], flags)[0]
        return answer


class Session(_Questions):
    """One session of a recording."""

    def __init__(self, recording: Recording, numbers: SessionNumbers) -> None:
        self.recording = recording
        self.number = int(numbers.number)
        self.name, self.uuid, self.software = str(numbers.name), str(numbers.uuid), str(numbers.software)
        # finished, cancelled, open or none, as the view `sessions` says it; empty until its recorder has finished.
        self.outcome = str(numbers.outcome)
        # Whether its recorder finished. Until then the end and the counts are not known.
        self.is_clean = bool(numbers.is_clean)
        self.end_ns = int(numbers.end_ns) if self.is_clean else None
        self.counts: dict[str, int] = {
            what: int(getattr(numbers, what + "_count")) for what in ("sample", "frame", "touch", "event", "lost")
        } if self.is_clean else {}

    @property
    def selector(self) -> str:
        # Numbers change if a session before this one is taken out; a UUID does not.
        return f"{_argument(self.recording.path)}#{self.uuid}"

    # Samples, by the library

    @property
    def keys(self) -> dict[str, str]:
        """The unit of each recorded key, by its name."""
        return {str(key.name): str(key.unit) for key in self.recording._key_numbers(self.number)}

    def samples(self, key: str) -> Samples:
        """All values of a recorded key. Raises KeyError if the session has no such key.

        The first call reads all keys of the session. Of item.ID.ATTRIBUTE and of finger.x, ask `replay(key=…)`.
        """
        return self.recording._samples(self, key)

    # Rows, by the program

    def frames(self) -> Rows:
        """The frames of the display, as the view `frames` has them."""
        return self._view("frames", "frame")

    def attributes(self) -> Rows:
        """What became of each element in each frame, as the view `attributes` has it."""
        return self._view("attributes", "frame, item")

    def poses(self) -> Rows:
        """The former name of `attributes()`."""
        return self.attributes()

    def view(self, name: str) -> Rows:
        """The session's rows of a view, by its name in SQL: `items`, `labels`, `losses`, `key_samples` and others."""
        if not name.isidentifier():
            raise ValueError(f"There is no view {name!r}. The article \"The file and its views\" lists them.")
        return self._view(name, None)

    def touches(self) -> Rows:
        """The reports of contacts, as the view `touches` has them."""
        return self._view("touches", "sequence")

    def transitions(self) -> Rows:
        """The transitions, as the view `transitions` has them."""
        return self._view("transitions", "sequence")

    def decisions(self) -> Rows:
        """The recorded release decisions, as the view `decisions` has them."""
        return self._view("decisions", "sequence")

    def releases(self) -> Rows:
        """The decisions, and the releases that are derived if none was recorded."""
        return self._view("releases", "t_ns")

    def estimates(self) -> Rows:
        """The velocities that were recorded at releases, as the view `estimates` has them."""
        return self._view("estimates", "sequence")

    def events(self) -> Rows:
        """The events with their fields, as `kymo list events` has them."""
        return Rows(ask_json(["list", "events", self.selector])[0])

    def sql(self, query: str) -> Rows:
        """`kymo sql` of the whole file: `WHERE session = {session.number}` asks for this session."""
        return self.recording.sql(query)

    def _view(self, name: str, order: str | None) -> Rows:
        rows = self.recording.sql(
            f"SELECT * FROM {name} WHERE session = (SELECT session FROM sessions WHERE uuid = '{self.uuid}')"
            + (f" ORDER BY {order}" if order else ""))
        return Rows(rows, rows.names, functools.partial(_views.kind, name))

    # Analysis, by the program

    def replay(self, **flags: object) -> Rows:
        """`kymo replay`: what was on the display, as in `key="finger.y,item.card.center.y", rate=120`, `at=0.25`."""
        return Rows(ask_json(["replay", self.selector], flags)[0])

    def plot(self, *keys: str, **flags: object) -> Picture:
        """`kymo plot`: curves as SVG; of all keys, or of those that you name."""
        return Picture(ask(["plot", self.selector, "--out", "-"], {"key": list(keys), **flags})[0])

    def report(self, path: str | os.PathLike[str], **flags: object) -> None:
        """`kymo report`: writes an HTML report that plays the session. A report that `kymo` made is replaced."""
        ask(["report", self.selector, "--out", _argument(os.fspath(path))], flags)

    def _repr_html_(self) -> str:
        try:
            picture = self.plot()._repr_html_()
        except KymographError:  # nothing moves
            picture = ""
        words = {"sample": "samples", "frame": "frames", "touch": "touches", "event": "events", "lost": "lost"}
        counts = ", ".join(f"{count} {words[what]}" for what, count in self.counts.items())
        about = ", ".join(filter(None, [self.outcome or "not finished", counts]))
        return f"<p><b>#{self.number} {html.escape(self.name)}</b> {html.escape(about)}</p>{picture}"

    def __repr__(self) -> str:
        return f"<Session {self.number} {self.name!r}: {self.outcome or 'not finished'}>"


class Recording(_Questions, Owner):
    """A recording that is open for reading, also while it is recorded. Its sessions are those of the moment of opening.

    Every call reads one state of the file and lets go of it: no other program waits while you hold the answer. A loop over
    rows or samples goes over a copy, so ask again for newer rows. In a child process that fork made, open it again.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._handle, error = c.c_void_p(), ErrorText()
        # The reader is for one thread at a time, and ctypes lets go of Python's lock.
        self._lock = threading.Lock()
        self._loaded: int | None = None
        check(lib.kymograph_reader_open(*encoded(self.path), c.byref(self._handle), c.byref(error)), error)
        self.sessions: list[Session] = []
        self._key_counts: dict[int, int] = {}
        for index in range(lib.kymograph_reader_session_count(self._handle)):
            numbers = SessionNumbers(size=c.sizeof(SessionNumbers))
            check(lib.kymograph_reader_session(self._handle, index, c.byref(numbers), c.byref(error)), error)
            session = Session(self, numbers)
            self.sessions.append(session)
            self._key_counts[session.number] = int(numbers.key_count)

    @property
    def selector(self) -> str:
        return _argument(self.path)

    def sql(self, query: str) -> Rows:
        """`kymo sql`: rows of the views, which the article "The file and its views" lists."""
        rows, _ = ask_json(["sql", self.selector, query])
        if rows:
            return Rows(rows)
        # Rows would name the columns; without any a header does.
        header, _ = ask(["sql", self.selector, query], {"format": "csv"})
        return Rows((), header.rstrip("\n").split(",") if header.strip() else ())

    def close(self) -> None:
        """Closes the file for the library; the program's answers stay available. A second call does nothing."""
        with self._lock:
            handle, self._handle = self._handle, c.c_void_p()
            lib.kymograph_reader_free(handle)

    def _key_numbers(self, session: int) -> list[KeyNumbers]:
        with self._lock:
            return self._locked_keys(session)

    def _locked_keys(self, session: int) -> list[KeyNumbers]:
        keys, error = [], ErrorText()
        for index in range(self._key_counts[session]):
            key = KeyNumbers(size=c.sizeof(KeyNumbers))
            check(lib.kymograph_reader_key(self._handle, session, index, c.byref(key), c.byref(error)), error)
            keys.append(key)
        return keys

    def _samples(self, session: Session, name: str) -> Samples:
        with self._lock:
            error = ErrorText()
            # A session that is being recorded may have grown since.
            if self._loaded != session.number or not session.is_clean:
                self._loaded = None
                check(lib.kymograph_reader_load(self._handle, session.number, c.byref(error)), error)
                self._loaded = session.number
            keys = {str(key.name): key for key in self._locked_keys(session.number)}
            if name not in keys:
                names = ", ".join(keys) or "none"
                raise KeyError(f"{self.path}: session {session.number} has no key {name!r}; it has {names}.")
            count, times, values, phases = c.c_size_t(), c.c_void_p(), c.c_void_p(), c.c_void_p()
            check(lib.kymograph_reader_columns(
                self._handle, keys[name].key, c.byref(count), c.byref(times), c.byref(values), c.byref(phases),
                c.byref(error)), error)
            return Samples(
                name, str(keys[name].unit), _copied("q", times, count.value), _copied("d", values, count.value),
                _copied("B", phases, count.value))

    def __getitem__(self, which: int | str) -> Session:
        """A session by its place from 0, from the end if it is negative, or the last one of a name."""
        if isinstance(which, int):
            return self.sessions[which]
        for session in reversed(self.sessions):
            if session.name == which:
                return session
        names = ", ".join(dict.fromkeys(session.name for session in self.sessions))
        raise KeyError(f"{self.path} has no session {which!r}; it has {names or 'none'}.")

    def __iter__(self) -> Iterator[Session]:
        return iter(self.sessions)

    def __len__(self) -> int:
        return len(self.sessions)

    def __enter__(self) -> Recording:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.kymograph_reader_free(self._handle)

    def _repr_html_(self) -> str:
        return Rows({
            "session": session.number, "name": session.name, "outcome": session.outcome or None,
            "seconds": None if session.end_ns is None else session.end_ns / 1e9, **session.counts,
        } for session in self)._repr_html_()

    def __repr__(self) -> str:
        return f"<Recording {self.path!r}: {len(self)} sessions>"


def open(path: str | os.PathLike[str]) -> Recording:
    """Opens a recording: its sessions are `recording[-1]`, `recording["name"]`, or a loop over it."""
    return Recording(path)


def _argument(path: str) -> str:
    """A path that no program takes for a flag."""
    return "./" + path if path.startswith("-") else path


def _copied(code: str, pointer: c.c_void_p, count: int) -> array.array[Any]:
    numbers = array.array(code)
    if count and pointer.value:
        numbers.frombytes((c.c_char * (count * numbers.itemsize)).from_address(pointer.value))
    return numbers
