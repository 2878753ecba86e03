#!/usr/bin/env python3
"""The interface of kymograph.h in lines: functions, constants, and the fields of structs in their order.

    Tests/Embedding/abi.py           compare abi.txt with the header, and with that of the last release
    Tests/Embedding/abi.py --write   write abi.txt from the header

A release may add lines. Within one major number none may be taken away or changed; fields are added at the end of a struct
that begins with `size`.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEADER = os.path.join(ROOT, "Sources/KymographCHeader/kymograph.h")
LINES = os.path.join(HERE, "abi.txt")


class Wrong(Exception):
    pass


def interface(header):
    """The header's interface, sorted."""
    text = re.sub(r"/\*.*?\*/", " ", header, flags=re.S)
    lines = []
    for declaration in re.findall(r"^KYMOGRAPH_API ([^;]*);", text, flags=re.M):
        lines.append("function " + re.sub(r"\s+", " ", declaration))
    for body in re.findall(r"\benum \{(.*?)\}", text, flags=re.S):
        lines += [f"constant {name} {value}" for name, value in re.findall(r"(KYMOGRAPH_\w+)\s*=\s*(\d+)", body)]
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, flags=re.S):
        place = 0
        for kind, names in re.findall(r"\s*(\w[\w ]*[ *])([\w, \[\]]+);", body):
            for field in names.split(","):
                lines.append(f"struct {name} {place} {kind.strip()} {field.strip()}")
                place += 1
    lines.append("version " + " ".join(re.findall(r"KYMOGRAPH_ABI_M\w+ (\d+)", text)))
    return sorted(lines)


def functions(lines):
    """The names of the functions."""
    return sorted(re.search(r"(kymograph_\w+)\(", line).group(1) for line in lines if line.startswith("function "))


def broken(released, now):
    """What a program that was built with the released interface would miss in the new one."""
    if major(released) != major(now):
        return []
    return [line for line in released if not line.startswith("version ") and line not in now]


def major(lines):
    return next(line.split()[1] for line in lines if line.startswith("version "))


def compare():
    """Compares the header with abi.txt, and that with the one of the last release."""
    now = interface(open(HEADER, encoding="utf-8").read())
    kept = open(LINES, encoding="utf-8").read().splitlines()
    if now != kept:
        differences = sorted(set(now) ^ set(kept))
        raise Wrong(f"abi.txt is not the header's interface; run Tests/Embedding/abi.py --write: {differences}")
    # The comparison itself: each of these changes is one that a program would notice.
    for line in (kept[0], kept[len(kept) // 2], kept[-2]):
        if not broken(kept, [other for other in kept if other != line]):
            raise Wrong(f"nobody would notice that '{line}' is gone")
    if broken(kept, kept + ["function void kymograph_new(void)"]):
        raise Wrong("a function that was added is taken for a break")
    git = ["git", "-C", ROOT]
    tag = subprocess.run([*git, "describe", "--tags", "--abbrev=0", "--match", "v*"], capture_output=True, text=True)
    released = subprocess.run(
        [*git, "show", f"{tag.stdout.strip()}:Tests/Embedding/abi.txt"], capture_output=True, text=True)
    if tag.returncode or released.returncode:
        return f"{len(kept)} lines; no release has them yet"
    lost = broken(released.stdout.splitlines(), kept)
    if lost:
        raise Wrong(f"the interface of {tag.stdout.strip()} is broken: {lost}")
    return f"{len(kept)} lines, with all those of {tag.stdout.strip()}"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        with open(LINES, "w", encoding="utf-8") as file:
            file.write("\n".join(interface(open(HEADER, encoding="utf-8").read())) + "\n")
    else:
        print(compare())
