"""Requirements of motion in tests."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any, Mapping, Sequence, Union

from ._answers import Verdict
from ._program import YES, ask, ask_json
from ._read import Recording, Session, _argument
from ._record import Recorder

Requirements = Union[str, "os.PathLike[str]", Sequence[Mapping[str, Any]]]


def assert_motion(
    recording: str | os.PathLike[str] | Recording | Session | Recorder, requirements: Requirements, *,
    strict: bool = False, page: str | os.PathLike[str] | None = None,
) -> Verdict:
    """Asserts that a recording, or one session of it, meets requirements, as `kymo check --requirements` judges.

        assert_motion("swipe.kymo", [{"follows": "item.card.center.y"}, {"settles_by": "progress", "by_ms": 520}])

    recording: a path, FILE#SESSION, a Recording, a Session, or a Recorder that has finished. requirements: a file, or a
    list of them. strict: what is too short to tell fails, too. page: where a failure writes a report that marks it;
    RECORDING.report.html if it is left out.

    Returns the verdicts. Raises AssertionError with a sentence for each number that fails, and KymographError if recording
    or requirements cannot be read.
    """
    __tracebackhide__ = True
    path = recording if isinstance(recording, (str, os.PathLike)) else recording.path if isinstance(
        recording, (Recording, Recorder)) else recording.recording.path
    selector = recording.selector if isinstance(recording, (Recording, Session)) else _argument(os.fspath(path))
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(requirements, (str, os.PathLike)):
            rules = os.fspath(requirements)
        else:
            rules = os.path.join(folder, "requirements.json")
            pathlib.Path(rules).write_text(json.dumps({"requirements": 1, "rules": list(requirements)}))
        words = ["check", selector, "--requirements", rules, *(["--strict"] if strict else [])]
        rows, code = ask_json([*words, "--all"])
        verdict = Verdict(rows, code == YES)
        if verdict.passed:
            return verdict
        shown = os.fspath(page) if page is not None else os.fspath(path).partition("#")[0] + ".report.html"
        ask([*words, "--page", _argument(shown)])
    sentences = [row["says"] for row in verdict if row["finding"] == "fail"]
    raise AssertionError("\n".join([f"{selector} does not meet its requirements:", *sentences, f"See {shown}."]))
