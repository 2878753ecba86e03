"""The C interface by ctypes: what kymograph.h declares, as far as Python uses it. All of it is private."""

from __future__ import annotations

import ctypes as c
import math
import os
from typing import Any

from . import _place

# The interface that this package was written for, as KYMOGRAPH_ABI_MAJOR and …_MINOR.
_ABI = (0, 2)


class KymographError(Exception):
    """A recording could not be made or read, or a question has no answer. The message is the library's or `kymo`'s own.

    `code` is the library's (kymograph.h lists them), 0 if `kymo` was asked; `exit_code` is that of `kymo`, 0 if the
    library was asked.
    """

    def __init__(self, message: str, code: int = 0, exit_code: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.exit_code = exit_code


class Owner:
    """What owns an object of the library, which two copies would both free."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"A {type(self).__name__} cannot be copied or pickled. Pass the object itself, or open the file again.")


class Text(c.Structure):
    _fields_ = [("utf8", c.c_char_p), ("length", c.c_ssize_t)]

    @classmethod
    def of(cls, text: str | None) -> Text:
        """The text as the library takes it. It holds the bytes that it points to."""
        if text is None:
            return cls(None, 0)
        data = encoded(text)
        return cls(*data)

    def __str__(self) -> str:
        # As a number: Python would cut the text at its first zero byte.
        place = c.c_void_p.from_buffer(self).value
        return c.string_at(place, self.length).decode() if place else ""


class ErrorText(c.Structure):
    _fields_ = [("code", c.c_int32), ("message", c.c_char * 1020)]


class Options(c.Structure):
    _fields_ = [
        ("size", c.c_uint32), ("policy", c.c_int32), ("name", Text), ("software", Text), ("refresh_rate", c.c_double),
        ("viewport_width", c.c_double), ("viewport_height", c.c_double), ("limit_bytes", c.c_int64),
        ("limit_age_ns", c.c_int64), ("redaction", c.c_uint32), ("storage", c.c_uint32), ("salt", Text),
    ]


class PoseNumbers(c.Structure):
    _fields_ = [
        *((name, c.c_double) for name in
          ("center_x", "center_y", "width", "height", "alpha", "a", "b", "c", "d", "tx", "ty")),
        ("z_index", c.c_int32), ("flags", c.c_uint32),
    ]


class FrameNumbers(c.Structure):
    _fields_ = [
        ("size", c.c_uint32), ("phase", c.c_int32), ("time_ns", c.c_int64), ("progress", c.c_double),
        ("offset_x", c.c_double), ("offset_y", c.c_double), ("content_width", c.c_double),
        ("content_height", c.c_double),
    ]


class Field(c.Structure):
    _fields_ = [
        ("name", Text), ("kind", c.c_int32), ("flag", c.c_int32), ("integer", c.c_int64), ("number", c.c_double),
        ("text", Text),
    ]


class DecisionNumbers(c.Structure):
    _fields_ = [
        ("size", c.c_uint32), ("transition", c.c_int32), ("time_ns", c.c_int64), ("outcome", c.c_int32),
        ("rule_outcome", c.c_int32), ("rule", Text), ("decided_by", Text), ("rule_parameters", Text),
        ("threshold", c.c_double), ("progress", c.c_double), ("progress_velocity", c.c_double),
        ("progress_standard_error", c.c_double), ("margin_progress", c.c_double), ("margin_velocity", c.c_double),
    ]


class SessionNumbers(c.Structure):
    _fields_ = [
        ("size", c.c_uint32), ("is_clean", c.c_int32), ("number", c.c_int64), ("end_ns", c.c_int64),
        ("sample_count", c.c_int64), ("frame_count", c.c_int64), ("touch_count", c.c_int64), ("event_count", c.c_int64),
        ("lost_count", c.c_int64), ("key_count", c.c_int32), ("item_count", c.c_int32), ("name", Text), ("uuid", Text),
        ("software", Text), ("outcome", Text),
    ]


class KeyNumbers(c.Structure):
    _fields_ = [
        ("size", c.c_uint32), ("key", c.c_int32), ("role", c.c_int32), ("reserved", c.c_int32),
        ("sample_count", c.c_int64), ("name", Text), ("unit", Text),
    ]


_P, _S, _I32, _I64, _D, _L = c.c_void_p, c.c_char_p, c.c_int32, c.c_int64, c.c_double, c.c_ssize_t
_E = c.POINTER(ErrorText)

# Each function with its result and its arguments, without the `kymograph_` before its name.
FUNCTIONS: dict[str, tuple[object, ...]] = {
    "abi_version": (_I32,),
    "version": (_S,),
    "schema_version": (_I32,),
    "recorder_open": (_I32, _S, _L, c.POINTER(Options), c.POINTER(_P), _E),
    "recorder_finish": (_I32, _P, _E),
    "recorder_free": (None, _P),
    "recorder_sync": (_I32, _P, _E),
    "recorder_suspend": (_I32, _P, _E),
    "recorder_resume": (_I32, _P, _E),
    "recorder_trouble": (_I32, _P, _E),
    "recorder_now": (_I64, _P),
    "recorder_origin": (_I64, _P),
    "recorder_session": (_I64, _P),
    "recorder_key_of_role": (_I32, _P, _S, _L, _S, _L, _I32),
    "recorder_item": (_I32, _P, _S, _L),
    "record_value": (None, _P, _I32, _I64, _D, _I32),
    "record_values": (None, _P, c.c_size_t, _P, _L, _P, _L, _P, _L, _I32),
    "record_frame": (None, _P, c.POINTER(FrameNumbers), c.c_size_t, _P, _P),
    "record_touch": (None, _P, _I64, _I32, _D, _D, _I64),
    "record_event": (None, _P, _S, _L, _I64, _P, c.c_size_t, _I32),
    "record_decision": (None, _P, c.POINTER(DecisionNumbers)),
    "timeline_new": (_P, _P, _D),
    "timeline_free": (None, _P),
    "timeline_set_rule": (_I32, _P, _S, _L, _D, _D, _E),
    "timeline_start": (_I32, _P, _S, _L, _S, _L, _I64),
    "timeline_progress": (None, _P, _D, _I64),
    "timeline_value": (None, _P, _S, _L, _S, _L, _D, _I64),
    "timeline_touch": (None, _P, _I64, _I32, _D, _D, _I64),
    "timeline_release": (None, _P, _I32, _I64),
    "timeline_complete": (None, _P, _I32, _I64),
    "timeline_see": (None, _P, _S, _L, c.POINTER(PoseNumbers)),
    "timeline_frame": (None, _P, _I64, _I64),
    "timeline_needs_frame": (_I32, _P),
    "reader_open": (_I32, _S, _L, c.POINTER(_P), _E),
    "reader_free": (None, _P),
    "reader_session_count": (_I64, _P),
    "reader_session": (_I32, _P, _I64, c.POINTER(SessionNumbers), _E),
    "reader_key": (_I32, _P, _I64, _I64, c.POINTER(KeyNumbers), _E),
    "reader_load": (_I32, _P, _I64, _E),
    "reader_columns": (
        _I32, _P, _I32, c.POINTER(c.c_size_t), c.POINTER(_P), c.POINTER(_P), c.POINTER(_P), _E),
}


def _opened() -> c.CDLL:
    path = _place.library()
    try:
        library = c.CDLL(path)
        found = library.kymograph_abi_version()
    except (OSError, AttributeError) as error:
        raise ImportError(
            f"kymograph: {path} could not be loaded: {error}. Install the package on Linux (x86-64, glibc 2.35 or newer), "
            "or name a built library in KYMOGRAPH_LIBRARY_FILE.") from None
    if found >> 16 != _ABI[0] or found & 0xFFFF < _ABI[1]:
        raise ImportError(
            f"kymograph: {path} has the interface {found >> 16}.{found & 0xFFFF}, and this package needs {_ABI[0]}.{_ABI[1]}. "
            "Install package and library of the same version.")
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, "kymograph_" + name)
        function.restype, function.argtypes = result, arguments
    return library


lib = _opened()


def version() -> str:
    """The version of the library, which is that of the whole package."""
    return bytes(lib.kymograph_version()).decode()


def check(code: int, error: ErrorText) -> None:
    """Raises the sentence of a call that failed."""
    if code:
        raise KymographError(error.message.decode(errors="replace"), code)


def encoded(text: str | os.PathLike[str]) -> tuple[bytes, int]:
    """A text's bytes and their count, as two arguments. Surrogates stand for bytes of a path that are not UTF-8; half of
    any other surrogate becomes U+FFFD."""
    if isinstance(text, os.PathLike):
        data = os.fsencode(text)
    else:
        try:
            data = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            whole = "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)
            data = whole.encode()
    return data, len(data)


def real(number: Any) -> float:
    """A number as the library takes it: one that is too large for a float is none that is finite."""
    if isinstance(number, (str, bytes, bytearray)):
        raise TypeError(f"{number!r} is not a number.")
    try:
        return float(number)
    except OverflowError:
        return math.nan


def fits(number: int, bits: int = 64) -> bool:
    """Whether a whole number fits a signed number of so many bits."""
    return -(1 << bits - 1) <= number < 1 << bits - 1
