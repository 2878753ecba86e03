"""What a row of `kymo rows` is as a fact: its columns, for Arrow and for Spark, and where facts stand.

No import of Arrow or Spark at the top: executors have the one, reports on one machine not the other.
"""

# A list has one element, a structure names its fields in the order in which kymo writes them.
DECISION = {
    "criterion": "text", "margin": "double", "marginProgress": "double", "marginVelocity": "double",
    "marginThreshold": "double", "marginSigma": "double", "flipProgress": "double", "flipVelocity": "double"}
METRIC = {
    "name": "text", "key": "text", "role": "text", "transition": "long", "unit": "text", "value": "double"}
CANDIDATE = {
    "name": "text", "estimator": "text", "horizon_ns": "long", "medianError": "double", "score": "double",
    "places": "long"}
RELEASE = {
    "transition": "long", "t_ns": "long", "key": "text", "pointer": "long", "axis": "text", "item": "text",
    "attribute": "text", "unit": "text", "value": "double", "estimator": "text", "velocity": "double",
    "low": "double", "high": "double", "samples": "long", "liftGap_ns": "long", "standardError": "double",
    "leaveOneOutLow": "double", "leaveOneOutHigh": "double", "confidence": "double",
    "clampedVelocity": "double", "chosen": "text",
    "leftOut": {
        "age": "long", "gap": "long", "duplicate": "long", "backward": "long", "resampled": "long",
        "history": "long", "notFinite": "long"},
    "opposesDisplacement": "flag", "liftArtefact": "flag", "decision": "text", "decidedBy": "text",
    "recordedDecision": "text", "derived": "text", "rule": "text", "ruleDecision": "text", **DECISION,
    "projectedProgress": "double", "target": "double", "remaining": "double", "relativeVelocity": "double",
    "settleTime_s": "double", "settleDefinition": "text",
    "ranking": {"chosen": "text", "isFallback": "flag", "note": "text", "entries": [CANDIDATE]}}
GESTURE = {
    "flags": "text", "transition": "long", "t_ns": "long", "estimator": "text", "rule": "text",
    "recordedDecision": "text", "derived": "text", "decidedBy": "text", "decision": "text", "flips": "flag",
    "progress": "double", "velocity": "double", **DECISION, "label": "text", "wrong": "flag",
    "recordedWrong": "flag"}
LABEL = {
    "transition": "long", "t_ns": "long", "decision": "text", "label": "text", "wrong": "flag", "note": "text",
    "at": "text"}
VERDICT = {
    "finding": "text", "subject": "text", "measure": "text", "value": "double", "limit": "double",
    "rule": "long", "ruleName": "text", "ruleID": "text", "says": "text"}
EXPECTED = {
    "rule": "long", "ruleID": "text", "kind": "text", "subject": "text", "measure": "text", "pass": "flag",
    "skipped": "flag", "instant": "double", "number": "double", "limit": "double", "margin": "double", "says": "text"}
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
    "expect": {"pass": "flag", "failures": "long", "verdicts": [EXPECTED]},
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
