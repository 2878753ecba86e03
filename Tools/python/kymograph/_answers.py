"""Rows of the program's JSON, and what numpy, pandas and Arrow make of them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Iterable

if TYPE_CHECKING:
    import numpy
    import pandas
    import pyarrow


def need(module: str, extra: str) -> Any:
    """A package that is not the standard library's, imported when it is asked for."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise ImportError(f"{module} is missing. Install it: pip install 'kymograph[{extra}]'.", name=module) from None


class Rows(list[dict[str, Any]]):
    """Rows of an answer, each with its fields by name: a list, and a table of any library that you have.

    A field that has no value is None, in pandas a missing value.
    """

    def __init__(self, rows: Iterable[dict[str, Any]] = (), names: Iterable[str] | None = None) -> None:
        super().__init__(rows)
        found = dict.fromkeys(name for row in self for name in row)
        # The names of all columns, which an answer without rows has, too.
        self.names: list[str] = list(found) if names is None else list(names)

    def columns(self) -> dict[str, list[Any]]:
        """Each column as a list."""
        return {name: [row.get(name) for row in self] for name in self.names}

    def numpy(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """Each column as an array: int64, float64 (None is NaN), bool, or objects for text."""
        np = need("numpy", "numpy")

        return {name: _array(np, values) for name, values in self.columns().items()}

    def pandas(self) -> pandas.DataFrame:
        """A data frame with a column for each field."""
        pd = need("pandas", "pandas")

        frame: pandas.DataFrame = pd.DataFrame(self.columns(), columns=self.names)
        return frame

    def arrow(self) -> pyarrow.Table:
        """An Arrow table with a column for each field."""
        pa = need("pyarrow", "arrow")

        return pa.table({name: pa.array(_alike(values)) for name, values in self.columns().items()})

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self.names)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_shown(row.get(name)))}</td>" for name in self.names) + "</tr>"
            for row in self[:_MOST_SHOWN])
        rest = f"<p>{len(self)} rows; the first {_MOST_SHOWN} are shown.</p>" if len(self) > _MOST_SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


class Verdict(Rows):
    """Rows of a comparison or a check, and the answer: `passed` is whether the program's exit code was 0."""

    def __init__(self, rows: Iterable[dict[str, Any]], passed: bool) -> None:
        super().__init__(rows)
        self.passed = passed


# Rows that a notebook shows of an answer.
_MOST_SHOWN = 60


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _array(np: Any, values: list[Any]) -> Any:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool} and None not in values:
        return np.array(values, bool)
    if kinds == {int} and None not in values:
        return np.array(values, np.int64)
    if kinds and kinds <= {int, float}:
        return np.array([np.nan if value is None else value for value in values], np.float64)
    result = np.empty(len(values), object)
    result[:] = values
    return result


def _alike(values: list[Any]) -> list[Any]:
    """Numbers of one type, which Arrow asks for: whole numbers among others are made floats."""
    kinds = {type(value) for value in values if value is not None}
    return [None if value is None else float(value) for value in values] if kinds == {int, float} else values
