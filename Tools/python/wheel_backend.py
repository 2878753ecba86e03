"""Builds the wheel, for `Tools/wheel` and for pip: the package, the library and the program, in one order and without a
clock, so that equal files give equal bytes. It needs nothing but Python 3.11.

    wheel_backend.py FOLDER        with $KYMOGRAPH_LIBRARY_FILE and $KYMOGRAPH_PROGRAM_FILE
"""

import base64
import hashlib
import os
import pathlib
import re
import sys
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The newest of glibc's symbols that the library asks for is of 2.35 (_dl_find_object).
TAG = "py3-none-manylinux_2_35_x86_64"
# The first instant that a ZIP can say.
INSTANT = (1980, 1, 1, 0, 0, 0)


def _version():
    text = (ROOT / "Sources/TimelineModel/PackageVersion.swift").read_text()
    return re.search(r'text: StaticString = "(.*)"', text)[1]


def _binaries():
    """The two files that are built elsewhere, by their places in the wheel."""
    for variable, place in [("KYMOGRAPH_LIBRARY_FILE", "libkymograph.so.0"), ("KYMOGRAPH_PROGRAM_FILE", "kymo")]:
        path = os.environ.get(variable)
        if not path or not os.path.isfile(path):
            sys.exit(f"wheel_backend.py: {variable} names no file. Call Tools/wheel, which builds it.")
        yield f"kymograph/_bin/{place}", pathlib.Path(path).read_bytes()


def _about(project, version):
    lines = ["Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version}",
             f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}",
             f"License-Expression: {project['license']}", "License-File: LICENSE"]
    for extra, needs in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {need}; extra == '{extra}'" for need in needs)]
    return "\n".join(lines) + "\n"


def _entries(project):
    groups = {"console_scripts": project["scripts"], **project["entry-points"]}
    return "\n".join(f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in entries.items())
                     for group, entries in groups.items())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """What PEP 517 asks of a backend. Returns the name of the wheel that it has written."""
    with open(HERE / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    version = _version()
    name = f"{project['name']}-{version}"
    about = f"{name}.dist-info/"
    files = {f"kymograph/{path.name}": path.read_bytes()
             for path in sorted((HERE / "kymograph").iterdir()) if path.suffix in (".py", ".typed")}
    files |= dict(_binaries())
    files |= {
        about + "METADATA": _about(project, version).encode(),
        about + "WHEEL": f"Wheel-Version: 1.0\nGenerator: kymograph\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode(),
        about + "entry_points.txt": _entries(project).encode(),
        about + "licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
    }
    record = "".join(
        f"{place},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for place, data in files.items())
    files[about + "RECORD"] = f"{record}{about}RECORD,,\n".encode()
    wheel = pathlib.Path(wheel_directory) / f"{name}-{TAG}.whl"
    # Under another name until it is whole.
    begun = wheel.with_suffix(".part")
    with zipfile.ZipFile(begun, "w") as archive:
        for place, data in files.items():
            entry = zipfile.ZipInfo(place, INSTANT)
            entry.create_system = 3
            entry.external_attr = (0o100755 if "/_bin/" in place else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 6)
    begun.replace(wheel)
    return wheel.name


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    print(folder / build_wheel(folder))
