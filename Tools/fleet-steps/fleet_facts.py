"""What a row of `kymo rows` is as a fact: its columns, for Arrow and for Spark, and where facts stand.

No import of Arrow or Spark at the top: executors have the one, reports on one machine not the other.
"""

# A list has one element, a structure names its fields in the order in which kymo writes them.
DECISION = {
    "criterion": "text", "margin": "double", "margin_progress": "double", "margin_velocity": "double",
    "margin_threshold": "double", "margin_sigma": "double", "flip_progress": "double", "flip_velocity": "double"}
METRIC = {
    "name": "text", "key": "text", "role": "text", "transition": "long", "unit": "text", "value": "double"}
CANDIDATE = {
    "name": "text", "estimator": "text", "horizon_ns": "long", "median_error": "double", "score": "double",
    "places": "long"}
RELEASE = {
    "transition": "long", "t_ns": "long", "key": "text", "pointer": "long", "axis": "text", "item": "text",
    "attribute": "text", "unit": "text", "value": "double", "estimator": "text", "velocity": "double",
    "low": "double", "high": "double", "samples": "long", "lift_gap_ns": "long", "standard_error": "double",
    "leave_one_out_low": "double", "leave_one_out_high": "double", "confidence": "double",
    "clamped_velocity": "double", "chosen": "text",
    "left_out": {
        "age": "long", "gap": "long", "duplicate": "long", "backward": "long", "resampled": "long",
        "history": "long", "not_finite": "long"},
    "opposes_displacement": "flag", "lift_artefact": "flag", "decision": "text", "decided_by": "text",
    "recorded_decision": "text", "derived": "text", "rule": "text", "rule_decision": "text", **DECISION,
    "projected_progress": "double", "target": "double", "remaining": "double", "relative_velocity": "double",
    "settle_time_s": "double", "settle_definition": "text",
    "ranking": {"chosen": "text", "is_fallback": "flag", "note": "text", "entries": [CANDIDATE]}}
GESTURE = {
    "flags": "text", "transition": "long", "t_ns": "long", "estimator": "text", "rule": "text",
    "recorded_decision": "text", "derived": "text", "decided_by": "text", "decision": "text", "flips": "flag",
    "progress": "double", "velocity": "double", **DECISION, "label": "text", "wrong": "flag",
    "recorded_wrong": "flag"}
LABEL = {
    "transition": "long", "t_ns": "long", "decision": "text", "label": "text", "wrong": "flag", "note": "text",
    "at": "text"}
VERDICT = {
    "finding": "text", "kind": "text", "subject": "text", "measure": "text", "value": "double", "limit": "double",
    "margin": "double", "instant_s": "double", "rule": "long", "rule_name": "text", "rule_id": "text",
    "skipped": "flag", "says": "text"}
ROW = {
    "work": "long", "path": "text", "path_b64": "text", "bytes": "long", "mtime_ns": "long", "beside": "text",
    "sessions": "long",
    "session": "long", "uuid": "text", "name": "text", "software": "text", "device": "text", "start": "text",
    "clean": "flag", "exit": "long", "task": "text", "metrics": [METRIC], "releases": [RELEASE],
    "whatif": [GESTURE],
    "check": {
        "golden": "long", "golden_uuid": "text", "grade": "text", "failures": "long", "warnings": "long",
        "verdicts": [VERDICT]},
    "labels": [LABEL],
    "requirements": {"pass": "flag", "failures": "long", "verdicts": [VERDICT]},
    "samples": [{"key": "text", "role": "text", "unit": "text", "t_ns": ["long"], "value": ["double"]}],
    "export": {"format": "text", "file": "text", "bytes": "long", "losses": ["text"]},
    "notes": ["text"], "error": "text"}
# What a fact has beside its row: the name that was listed, byte for byte, and the folders it stands in.
FACT = {**ROW, "listed": "bytes", "day": "text", "build": "text"}

SPARK = {"text": "STRING", "long": "BIGINT", "double": "DOUBLE", "flag": "BOOLEAN", "bytes": "BINARY"}


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
    return {"text": pa.string(), "long": pa.int64(), "double": pa.float64(), "flag": pa.bool_(),
            "bytes": pa.binary()}[kind]


def arrow_schema(fields):
    import pyarrow as pa
    return pa.schema([(name, arrow_type(kind)) for name, kind in fields.items()])


def latest(facts, by="listed"):
    """SQL: of every path the facts of the newest run that read it."""
    return (f"SELECT * FROM (SELECT *, dense_rank() OVER (PARTITION BY {by} ORDER BY run DESC) AS age FROM {facts}) "
            "AS aged WHERE age = 1")
