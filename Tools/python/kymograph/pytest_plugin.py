"""Fixtures for pytest: a path for a recording, and the recorder of a Playwright page."""

from __future__ import annotations

import contextlib
import functools
import json
import pathlib
import tempfile
from typing import Any, Callable, ContextManager, Iterator

import pytest

from ._program import ask, kymo
from ._read import Session, open


@functools.cache
def _script(name: str) -> str:
    """The text of a browser recorder, as `kymo web-recorder` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        kymo("web-recorder", out=folder)
        return (pathlib.Path(folder) / name).read_text()


# Waits for the frame after the first one, which shows where all is before the block moves anything: a recorder that
# finds what moves has nothing to compare with before. A page that is hidden has no frames: a second is enough for it.
_FRAMES = """() => new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  setTimeout(resolve, 1000);
})"""


class RecordedPage:
    """What a recorded page has become: `path`, and once the recording has ended its `session`."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path

    @property
    def session(self) -> Session:
        return open(self.path)[-1]


@contextlib.contextmanager
def record_page(page: Any, path: pathlib.Path, items: str = "auto", **options: object) -> Iterator[RecordedPage]:
    """Records a page of Playwright's synchronous interface while the block runs.

    items: "auto" finds what moves; else a CSS selector. options: those of `kymo.start` in the article "Record a web page".
    A page that is loaded anew within the block loses what was recorded before.
    """
    # As text of a call and not as an element: no policy of the page forbids it.
    page.evaluate(_script("record.min.js"))
    if items == "auto":
        page.evaluate(_script("record-auto.min.js"))
    page.evaluate(f"() => {{ kymo.start({json.dumps({'items': items, **options})}); }}")
    page.evaluate(_FRAMES)
    recorded = RecordedPage(path)
    yield recorded
    lines = page.evaluate("() => kymo.stop()")
    ask(["record", "--from-ndjson", "-", "--into", str(path)], input=lines)


@pytest.fixture
def kymo_path(tmp_path: pathlib.Path) -> pathlib.Path:
    """A path for a recording of this test."""
    return tmp_path / "test.kymo"


@pytest.fixture
def recorded_page(kymo_path: pathlib.Path) -> Callable[..., ContextManager[RecordedPage]]:
    """Records a Playwright page: `with recorded_page(page) as recorded:`, then `assert_motion(recorded.path, …)`."""

    def record(page: Any, items: str = "auto", **options: object) -> ContextManager[RecordedPage]:
        return record_page(page, kymo_path, items, **options)

    return record
