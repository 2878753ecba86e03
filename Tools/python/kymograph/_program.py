"""Questions to the program `kymo`, which a child process answers: so Python has the program's own numbers."""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import warnings
from typing import Any, Iterable, Mapping

from . import _place
from ._library import KymographError, lib, version

# Exit codes of `kymo`: yes, no, wrong usage, done with losses, unreadable.
YES, NO, LOSSES = 0, 1, 3


class KymographWarning(UserWarning):
    """`kymo` has answered, but left something out; the message says what."""


def flags(options: Mapping[str, object]) -> list[str]:
    """The program's flags: `key="progress"` is `--key progress`, `strict=True` is `--strict`, a list repeats its flag, and a
    mapping gives PATH=VALUE. `_` stands for `-`; a `_` at the end keeps a name apart from Python's words (`from_`)."""
    words: list[str] = []
    for name, value in options.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, Mapping):
            for path, number in value.items():
                words += [flag, f"{path}={number}"]
        elif isinstance(value, (list, tuple)):
            for part in value:
                words += [flag, _word(part)]
        else:
            words += [flag, _word(value)]
    return words


def kymo(*words: object, **options: object) -> str:
    """What the program prints: `kymo("show", "run.kymo#1")` is the command line `kymo show run.kymo#1`.

    A no (exit code 1) is an answer. Wrong usage and an unreadable file raise KymographError with the program's sentence;
    what was left out is a KymographWarning.
    """
    return ask(words, options)[0]


def ask(words: Iterable[object], options: Mapping[str, object] = {}, input: str | None = None) -> tuple[str, int]:
    """What the program prints, and its exit code."""
    _require_agreement()
    done = _run([*map(_word, words), *flags(options)], input)
    if done.returncode not in (YES, NO, LOSSES):
        raise KymographError(_sentence(done) or f"kymo ended with {done.returncode}.", exit_code=done.returncode)
    if done.returncode == LOSSES and done.stderr.strip():
        warnings.warn(_sentence(done), KymographWarning, stacklevel=3)
    return done.stdout, done.returncode


def ask_json(words: Iterable[object], options: Mapping[str, object] = {}) -> tuple[Any, int]:
    """What the program answers with --json, and its exit code."""
    text, code = ask([*words, "--json"], options)
    try:
        return json.loads(text), code
    except json.JSONDecodeError:
        raise KymographError(f"kymo {next(iter(words))} answered without JSON: {text[:80]!r}.", exit_code=code) from None


def _word(value: object) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _sentence(done: subprocess.CompletedProcess[str]) -> str:
    return re.sub(r"\A(kymo: )", "", done.stderr.strip())


def _run(words: list[str], input: str | None = None) -> subprocess.CompletedProcess[str]:
    path = _place.program()
    try:
        return subprocess.run(
            [path, *words], input=input, stdin=subprocess.DEVNULL if input is None else None, capture_output=True, text=True,
            encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise KymographError(
            f"{path} could not be started: {error.strerror}. Install the package again, or name a program in "
            "KYMOGRAPH_PROGRAM_FILE.") from None


@functools.cache
def _require_agreement() -> None:
    """Refuses a program of another version, whose recordings and numbers may be other ones."""
    text = _run(["--version"]).stdout
    found = re.match(r"kymo (\S+) \(.*recording schema (\d+)", text)
    ours = (version(), str(lib.kymograph_schema_version()))
    if not found or found.groups() != ours:
        raise KymographError(
            f"{_place.program()} is {text.strip() or 'another program'}, and the library is {ours[0]} with recording schema "
            f"{ours[1]}. Use program and library of the same version.")
