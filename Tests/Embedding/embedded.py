"""The library for C, by ctypes, as far as the lock scripts need it. KYMOGRAPH_LIBRARY names the library."""
import ctypes as c
import os
import struct

library = c.CDLL(os.environ["KYMOGRAPH_LIBRARY"])
NUL = -1


class Error(c.Structure):
    _fields_ = [("code", c.c_int32), ("message", c.c_char * 1020)]


class Refused(Exception):
    pass


HANDLE, TEXT, SIZE, ERROR = c.c_void_p, c.c_char_p, c.c_ssize_t, c.POINTER(Error)
for name, result, *arguments in [
    ("recorder_open", c.c_int32, TEXT, SIZE, c.c_void_p, c.POINTER(HANDLE), ERROR),
    ("recorder_key", c.c_int32, HANDLE, TEXT, SIZE, TEXT, SIZE),
    ("recorder_sync", c.c_int32, HANDLE, ERROR),
    ("recorder_finish", c.c_int32, HANDLE, ERROR),
    ("recorder_free", None, HANDLE),
    ("record_value", None, HANDLE, c.c_int32, c.c_int64, c.c_double, c.c_int32),
    ("reader_open", c.c_int32, TEXT, SIZE, c.POINTER(HANDLE), ERROR),
    ("reader_free", None, HANDLE),
    ("reader_load", c.c_int32, HANDLE, c.c_int64, ERROR),
    ("reader_columns", c.c_int32, HANDLE, c.c_int32, c.POINTER(c.c_size_t), c.c_void_p, c.c_void_p, c.c_void_p, ERROR),
]:
    function = getattr(library, "kymograph_" + name)
    function.restype, function.argtypes = result, arguments


def call(function, *arguments):
    """Calls a function whose last argument is an error, and raises its sentence."""
    error = Error()
    if getattr(library, "kymograph_" + function)(*arguments, error):
        raise Refused(error.message.decode())


# kymograph_recorder_options with nothing given but its size and, at byte 84, rows, which the other SQLite reads.
ROWS = struct.pack("<I80xI16x", 104, 1)


class Recorder:
    """Records values of the key x, each at the time in nanoseconds that it is."""

    def __init__(self, path):
        self.handle = HANDLE()
        call("recorder_open", os.fsencode(path), NUL, ROWS, self.handle)
        self.key = library.kymograph_recorder_key(self.handle, b"x", NUL, b"1", NUL)

    def record(self, numbers):
        for number in numbers:
            library.kymograph_record_value(self.handle, self.key, number, number, 0)

    def sync(self):
        call("recorder_sync", self.handle)

    def finish(self):
        call("recorder_finish", self.handle)
        library.kymograph_recorder_free(self.handle)


class Reader:
    """A recording that is open for reading."""

    def __init__(self, path):
        self.handle = HANDLE()
        call("reader_open", os.fsencode(path), NUL, self.handle)

    def count(self, session=1):
        """How many values of its first key a session has."""
        call("reader_load", self.handle, session)
        count = c.c_size_t()
        call("reader_columns", self.handle, 0, count, None, None, None)
        return count.value

    def close(self):
        library.kymograph_reader_free(self.handle)
