"""What the package declares for ctypes is what the header has: arguments, results, fields and constants."""
import ctypes
import re

from kymograph import _library, _record
from export_checks.checking import check

from .wheel import ROOT

STRUCTS = {
    "kymograph_text": _library.Text, "kymograph_error": _library.ErrorText, "kymograph_recorder_options": _library.Options,
    "kymograph_pose": _library.PoseNumbers, "kymograph_frame": _library.FrameNumbers, "kymograph_field": _library.Field,
    "kymograph_decision": _library.DecisionNumbers, "kymograph_session": _library.SessionNumbers,
    "kymograph_key_info": _library.KeyNumbers,
}
NUMBERS = {
    "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64, "double": ctypes.c_double,
    "size_t": ctypes.c_size_t, "ptrdiff_t": ctypes.c_ssize_t, "char": ctypes.c_char, "const char *": ctypes.c_char_p,
}
# Handles, and arrays whose addresses numpy gives, stand as void *.
POINTERS = (ctypes.c_void_p, ctypes._Pointer)


def fits(declared, kind):
    """Whether a type of ctypes stands for one of C."""
    kind = kind.strip()
    if kind == "void":
        return declared is None
    if kind in NUMBERS:
        return declared is NUMBERS[kind]
    if kind in STRUCTS:
        return declared is STRUCTS[kind]
    match = re.fullmatch(r"(?:const )?(kymograph_\w+) \*", kind)
    if match and match[1] in STRUCTS and declared is not ctypes.c_void_p:
        return declared is ctypes.POINTER(STRUCTS[match[1]])
    return kind.endswith("*") and issubclass(declared, POINTERS)


def try_functions(lines):
    found = {}
    for line in lines:
        match = re.fullmatch(r"function (.*?)(kymograph_\w+)\((.*)\)", line)
        if match:
            arguments = [] if match[3] == "void" else [re.sub(r"\w+$", "", argument) for argument in match[3].split(", ")]
            found["".join(match[2].split("kymograph_", 1))] = (match[1], arguments)
    for name, (result, *arguments) in _library.FUNCTIONS.items():
        check(f"{name} is a function of the header", name in found)
        right_result, right = found[name]
        check(f"{name} has the header's result", fits(result, right_result), (result, right_result))
        check(f"{name} has the header's arguments",
              len(right) == len(arguments) and all(map(fits, arguments, right)), (arguments, right))
    # A frame is recorded as a whole from Python, and the role of a key is always said.
    left_out = {"frame_begin", "frame_pose", "frame_end", "recorder_key"}
    check("every other function is declared", set(found) - set(_library.FUNCTIONS) == left_out,
          set(found) - set(_library.FUNCTIONS))


def try_structs(lines):
    fields = {name: [] for name in STRUCTS}
    for line in lines:
        if line.startswith("struct "):
            _, struct, place, rest = line.split(" ", 3)
            fields[struct].append((int(place), *re.fullmatch(r"(.*?)\s*(\w+)(?:\[\d+\])?", rest).groups()))
    for name, struct in STRUCTS.items():
        right = [(field, kind) for _, kind, field in sorted(fields[name])]
        declared = [(field, getattr(kind, "_type_", kind) if issubclass(kind, ctypes.Array) else kind)
                    for field, kind in struct._fields_]
        check(f"{name} has the header's fields", [field for field, _ in declared] == [field for field, _ in right] and
              all(fits(kind, of) for (_, kind), (_, of) in zip(declared, right)), (declared, right))


def try_constants(lines):
    right = dict(line.split()[1:] for line in lines if line.startswith("constant "))
    ours = {**_record.PHASES, **_record.TOUCHES, **_record.OUTCOMES, **_record.ROLES}
    for name, number in ours.items():
        check(f"{name} is the header's number", right[f"KYMOGRAPH_{name.upper()}"] == str(number), number)
    check("finished is the header's code", right["KYMOGRAPH_FINISHED"] == str(_record._FINISHED))


def main():
    lines = (ROOT / "Tests/Embedding/abi.txt").read_text().splitlines()
    for trial in [try_functions, try_structs, try_constants]:
        trial(lines)
