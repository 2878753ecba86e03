"""What a row of `kymo rows` is as a fact: its columns, for Arrow and for Spark, and where facts stand.

No import of Arrow or Spark at the top: executors have the one, reports on one machine not the other.
"""

import json
import subprocess


def columns(kymo):
    """The columns of a row of `kymo rows`, as the program has them: a list has one element, a structure names its fields."""
    said = subprocess.run([kymo, "list-columns"], capture_output=True, text=True, check=True).stdout
    return {column["name"]: column_type(column["type"]) for column in map(json.loads, said.splitlines())}


def column_type(kind):
    if isinstance(kind, str):
        return kind
    if "list" in kind:
        return [column_type(kind["list"])]
    return {column["name"]: column_type(column["type"]) for column in kind["object"]}


def fact(row):
    """What a fact has beside its row: the name that was listed, byte for byte, and the folders it stands in."""
    return {**row, "listed": "bytes", "day": "text", "build": "text"}


SPARK = {"text": "STRING", "integer": "BIGINT", "number": "DOUBLE", "flag": "BOOLEAN", "bytes": "BINARY"}


def spark_type(kind):
    if isinstance(kind, list):
        return f"ARRAY<{spark_type(kind[0])}>"
    if isinstance(kind, dict):
        return "STRUCT<" + ", ".join(f"`{name}`: {spark_type(field)}" for name, field in kind.items()) + ">"
    return SPARK[kind]


def spark_columns(fields):
    return ", ".join(f"`{name}` {spark_type(kind)}" for name, kind in fields.items())


def arrow_type(kind):
    import pyarrow as pa
    if isinstance(kind, list):
        return pa.list_(arrow_type(kind[0]))
    if isinstance(kind, dict):
        return pa.struct([(name, arrow_type(field)) for name, field in kind.items()])
    return {"text": pa.string(), "integer": pa.int64(), "number": pa.float64(), "flag": pa.bool_(),
            "bytes": pa.binary()}[kind]


def arrow_schema(fields):
    import pyarrow as pa
    return pa.schema([(name, arrow_type(kind)) for name, kind in fields.items()])


def latest(facts, by="listed"):
    """SQL: of every path the facts of the newest run that read it."""
    return (f"SELECT * FROM (SELECT *, dense_rank() OVER (PARTITION BY {by} ORDER BY run DESC) AS age FROM {facts}) "
            "AS aged WHERE age = 1")
