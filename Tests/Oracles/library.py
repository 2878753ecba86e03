#!/usr/bin/env python3
"""The library for C, as other people's compilers and tools see it.

    Tests/Oracles/library.py KYMO

Needs .build/whole/library, which Tools/library --whole makes. Its symbols are those of the header; the header compiles as
C99, C17, C++11 and C++20 by gcc and clang without a warning; the programs of Tests/Embedding do everything wrong that a
caller may, count allocations, and try the locks beside another SQLite in the process; the program of the manual's article
is compiled and run. With KYMO_TEST_ROUNDS of 100 or more the lock scripts run 20 times each, and misuse under valgrind and
AddressSanitizer.
"""
import ctypes
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EMBEDDING = os.path.join(ROOT, "Tests/Embedding")
ARTICLE = os.path.join(ROOT, "Sources/Kymograph/Kymograph.docc/Articles/RecordFromC.md")
LIBRARY = os.path.join(ROOT, ".build/whole/library")
SHARED = os.path.join(LIBRARY, "lib/libkymograph.so.0")
IS_LONG = int(os.environ.get("KYMO_TEST_ROUNDS", "0")) >= 100
PATIENCE_SECONDS = 600
# What the library may load: the C and C++ runtimes. SQLite and Swift's runtime are inside of it.
NEEDED = {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
STANDARDS = [("gcc", "c99"), ("gcc", "c17"), ("clang", "c99"), ("clang", "c17"),
             ("g++", "c++11"), ("g++", "c++20"), ("clang++", "c++11"), ("clang++", "c++20")]
# The sorts of mistakes in misuse.c: one event each, but for numbers that are not finite (two keys, an element, a touch, a
# decision) and each mistake in the order of a timeline's calls.
WARNINGS = sorted(
    ["noFrame", "unknownContact", "unknownItem", "unknownKey", "detached", "completed-twice", "released-twice"]
    + ["nonFinite"] * 5 + ["not-in-transition"] * 2 + ["start-during-transition"] * 2)

sys.path.insert(0, EMBEDDING)
import abi  # noqa: E402


class Wrong(Exception):
    pass


def run(words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_SECONDS, **more)
    if done.returncode:
        raise Wrong(f"{' '.join(words)}: code {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def build(compiler, standard, source, program, *flags):
    """Compiles a C source, as C++ if the compiler is one, and links it to the library."""
    language = "c++" if "++" in compiler else "c"
    run([compiler, "-x", language, f"-std={standard}", "-O1", "-Wall", "-Wextra", *flags, "-Werror",
         f"-I{LIBRARY}/include", "-c", source, "-o", program + ".o"])
    run([compiler, *[flag for flag in flags if flag.startswith("-fsanitize")], program + ".o", f"-L{LIBRARY}/lib",
         "-lkymograph", "-lpthread", "-lm", f"-Wl,-rpath,{LIBRARY}/lib", "-o", program])
    return program


def check_symbols():
    names = run(["nm", "-D", "--defined-only", SHARED]).splitlines()
    exported = sorted(re.sub("@@?KYMOGRAPH_0$", "", line.split()[-1]) for line in names if " A " not in line)
    declared = abi.functions(abi.interface(open(abi.HEADER, encoding="utf-8").read()))
    if exported != declared:
        raise Wrong(f"the library exports {sorted(set(exported) ^ set(declared))} besides or in place of the header's")
    dynamic = run(["readelf", "-d", SHARED])
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", dynamic))
    if not needed <= NEEDED or "NODELETE" not in dynamic or "[libkymograph.so.0]" not in dynamic:
        raise Wrong(f"the library needs {sorted(needed)}, or lacks its name or NODELETE")
    with open(SHARED, "rb") as library:
        if b"_RegexParser" in library.read():
            raise Wrong("the library has Swift's regular expressions, a tenth of its size; find what uses _StringProcessing")
    return len(exported)


def check_versions(kymo, folder):
    """Program and library of one package agree, and a newer recording is refused with a sentence."""
    library = ctypes.CDLL(SHARED)
    library.kymograph_version.restype = ctypes.c_char_p
    version, schema = library.kymograph_version().decode(), library.kymograph_schema_version()
    printed = run([kymo, "--version"])
    if f"kymo {version} " not in printed or f"recording schema {schema}," not in printed:
        raise Wrong(f"the library is {version} with schema {schema}, the program says: {printed}")
    path = os.path.join(folder, "newer.kymo")
    line = '{"kymograph": 1, "name": "n"}\n{"t_ns": 1, "key": "y", "value": 1}\n'
    run([kymo, "record", "--from-ndjson", "-", "--into", path], input=line)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {schema + 1}")
    connection.close()
    handle, error = ctypes.c_void_p(), ctypes.create_string_buffer(1024)
    code = library.kymograph_recorder_open(
        os.fsencode(path), ctypes.c_ssize_t(-1), None, ctypes.byref(handle), error)
    sentence = error.raw[4:].split(b"\0")[0].decode()
    if code != 6 or handle or path not in sentence or "newer" not in sentence:
        raise Wrong(f"a recording of schema {schema + 1} was answered with code {code}: {sentence}")
    return sentence


def check_misuse(kymo, folder):
    path = os.path.join(folder, "misuse.kymo")
    misuse = build("gcc", "gnu17", os.path.join(EMBEDDING, "misuse.c"), os.path.join(folder, "misuse"))
    run([misuse, path, "20000"], cwd=folder)
    run([kymo, "file", "doctor", path, "--deep"])
    events = json.loads(run([kymo, "list", "events", path, "--json"]))
    codes = sorted(event["code"] for event in events if event["event"] in ("warning", "error"))
    if codes != WARNINGS:
        raise Wrong(f"misuse is warned of by {codes}")
    redacted = path + "-redacted.kymo"
    connection = sqlite3.connect(redacted)
    touches, items = (connection.execute(f"SELECT count(*) FROM {view}").fetchone()[0] for view in ("touches", "items"))
    connection.close()
    if touches or items != 2 or b"secret" in open(redacted, "rb").read():
        raise Wrong(f"a redacted recording has {touches} touches and {items} items, or a name that was to be hashed")
    if IS_LONG:
        run(["valgrind", "--error-exitcode=9", "-q", misuse, os.path.join(folder, "valgrind.kymo"), "500"], cwd=folder)
        sanitized = build("clang", "gnu17", os.path.join(EMBEDDING, "misuse.c"), os.path.join(folder, "misuse-asan"),
                          "-fsanitize=address")
        run([sanitized, os.path.join(folder, "asan.kymo"), "20000"], cwd=folder)


def check_allocations(folder):
    source = os.path.join(EMBEDDING, "allocations.c")
    counted = run([build("gcc", "gnu17", source, os.path.join(folder, "allocations")), os.path.join(folder, "count.kymo")])
    if counted != "values 0 series 0 frames 0\n":
        raise Wrong(f"recording allocates: {counted}")


def check_locks(kymo, folder):
    exclude = build("gcc", "gnu17", os.path.join(EMBEDDING, "exclude.c"), os.path.join(folder, "exclude"))
    run([exclude, os.path.join(folder, "exclude.kymo")])
    environment = {**os.environ, "KYMOGRAPH_LIBRARY": SHARED, "PYTHONDONTWRITEBYTECODE": "1"}
    for turn in range(20 if IS_LONG else 1):
        for words in (["hazard.py", kymo, folder, "kill"], ["hazard.py", kymo, folder, "finish"],
                      ["together.py", kymo, folder, str(20 + turn % 2)], ["orphan.py", folder]):
            run([sys.executable, os.path.join(EMBEDDING, words[0]), *words[1:]], env=environment)


def check_article(kymo, folder):
    """The program of the article is compiled as the article says, run, and its recording read."""
    text = open(ARTICLE, encoding="utf-8").read()
    source, = re.findall(r"```c\n(.*?)```", text, flags=re.S)
    place = os.path.join(folder, "article")
    os.mkdir(place)
    with open(os.path.join(place, "sheet.c"), "w", encoding="utf-8") as file:
        file.write(source)
    environment = {**os.environ, "PKG_CONFIG_PATH": f"{LIBRARY}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{LIBRARY}/lib",
                   "PATH": f"{os.path.dirname(kymo)}:{os.environ['PATH']}"}
    # Commands of a shell, each followed by the output that the article shows.
    for block in re.findall(r"```text\n(.*?)```", text, flags=re.S):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M):
            printed = run(["sh", "-c", command], cwd=place, env=environment)
            if printed != shown:
                raise Wrong(f"the article shows for '{command}':\n{shown}it printed:\n{printed}")


def main():
    kymo = os.path.abspath(sys.argv[1])
    if not os.path.exists(SHARED):
        print("skipped: there is no library; Tools/library --whole makes it, with Swift 6.3 or newer")
        return
    print(f"interface: {abi.compare()}")
    print(f"symbols: {check_symbols()} functions of the header, nothing else")
    folder = tempfile.mkdtemp(prefix="kymo-library-")
    try:
        for compiler, standard in STANDARDS:
            run([build(compiler, standard, os.path.join(EMBEDDING, "header.c"), os.path.join(folder, "header"),
                       "-Wpedantic")])
        print(f"header: no warning of {len(STANDARDS)} compilers and standards")
        print(f"versions: {check_versions(kymo, folder)}")
        check_misuse(kymo, folder)
        check_allocations(folder)
        print("misuse: no signal, each sort warned of once, a healthy file; no allocation in values and frames")
        check_locks(kymo, folder)
        print("locks: nothing lost, refused or wrong beside another SQLite")
        check_article(kymo, folder)
        print("article: its program records, and its commands print what it shows")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main()
    except (Wrong, abi.Wrong) as wrong:
        sys.exit(f"Wrong: {wrong}")
