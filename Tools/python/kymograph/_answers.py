"""Rows of the program's JSON, and what numpy, pandas and Arrow make of them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Callable, Iterable

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

    def __init__(
        self, rows: Iterable[dict[str, Any]] = (), names: Iterable[str] | None = None,
        kind: Callable[[str], str] | None = None,
    ) -> None:
        super().__init__(rows)
        # The type of each column, if it is known beside the values: that of the views.
        self._kind = kind
        found = dict.fromkeys(name for row in self for name in row)
        # The names of all columns, which an answer without rows has, too.
        self.names: list[str] = list(found) if names is None else list(names)

    def columns(self) -> dict[str, list[Any]]:
        """Each column as a list."""
        return {name: [row.get(name) for row in self] for name in self.names}

    def numpy(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """Each column as an array: int64, float64 (None is NaN), bool, or objects for text.

        The columns of a view always have the same types: int64, float64 for real numbers and for whole numbers that may be
        missing, and objects for text. Columns of other answers have the types of their values.
        """
        np = need("numpy", "numpy")

        return {name: self._array(np, name, values) for name, values in self.columns().items()}

    def pandas(self) -> pandas.DataFrame:
        """A data frame with a column for each field."""
        pd = need("pandas", "pandas")

        columns: dict[str, Any] = dict(self.columns())
        if self._kind:
            types = {"integer": "int64", "text": "object"}
            columns = {
                name: pd.Series(values, dtype=types.get(self._kind(name), "float64")) for name, values in columns.items()}
        frame: pandas.DataFrame = pd.DataFrame(columns, columns=self.names)
        return frame

    def arrow(self) -> pyarrow.Table:
        """An Arrow table with a column for each field."""
        pa = need("pyarrow", "arrow")

        def column(name: str, values: list[Any]) -> Any:
            if self._kind is None:
                return pa.array(_alike(values))
            kind = self._kind(name)
            if kind == "real":
                return pa.array([None if value is None else float(value) for value in values], pa.float64())
            return pa.array(values, pa.string() if kind == "text" else pa.int64())

        return pa.table({name: column(name, values) for name, values in self.columns().items()})

    def _array(self, np: Any, name: str, values: list[Any]) -> Any:
        if self._kind is None:
            return _array(np, values)
        kind = self._kind(name)
        if kind == "integer":
            return np.array(values, np.int64)
        if kind == "text":
            return _objects(np, values)
        return np.array([np.nan if value is None else value for value in values], np.float64)

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
    return _objects(np, values)


def _objects(np: Any, values: list[Any]) -> Any:
    result = np.empty(len(values), object)
    result[:] = values
    return result


def _alike(values: list[Any]) -> list[Any]:
    """Numbers of one type, which Arrow asks for: whole numbers among others are made floats."""
    kinds = {type(value) for value in values if value is not None}
    return [None if value is None else float(value) for value in values] if kinds == {int, float} else values
