-- Version 4: a row for each transition, made of what events and decisions say of it; views that fail for a
-- session whose rows are sealed, where stock SQLite would answer from a part of them; what people say of a
-- gesture, and what a session was made from.

DROP VIEW samples;
DROP VIEW attributes;
DROP VIEW sessions;
DROP VIEW decisions;

-- Their rows may be a part only: nobody should ask them by mistake.
ALTER TABLE sample RENAME TO plain_sample;
ALTER TABLE attribute RENAME TO plain_attribute;

-- 1: it goes on within a second, from its first frame's rows on, none of which stand in plain_attribute.
ALTER TABLE segment ADD COLUMN is_part INTEGER NOT NULL DEFAULT 0 CHECK (is_part IN (0, 1));

-- Samples of a stretch of time that were packed; plain_sample has none of them. No two of a session have an
-- instant in common. Where there are any, plain_sample has a row of no session, 0: SQLite from 3.51 on may answer
-- a join with an empty table before it asks a guard.
CREATE TABLE sample_segment (
  session INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,  -- the earliest of their instants
  last_ns INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  phases TEXT NOT NULL,       -- JSON array of [t_ns, phase]: from each instant on; phase as in plain_sample
  checksum INTEGER NOT NULL,  -- of head, which has those of the parts of data
  head BLOB NOT NULL,         -- which instants and keys there are, and where in data
  data BLOB NOT NULL,
  UNIQUE (session, first_ns)
) STRICT;

-- What a key did in one second of a packed stretch.
CREATE TABLE sample_second (
  session INTEGER NOT NULL,
  segment_ns INTEGER NOT NULL,  -- first_ns of the stretch
  key INTEGER NOT NULL,
  second INTEGER NOT NULL,      -- of the session's time, rounded down
  first_value ANY NOT NULL CHECK (typeof(first_value) IN ('real', 'integer')),  -- in the key's unit
  last_value ANY NOT NULL CHECK (typeof(last_value) IN ('real', 'integer')),
  min_value ANY NOT NULL CHECK (typeof(min_value) IN ('real', 'integer')),
  max_value ANY NOT NULL CHECK (typeof(max_value) IN ('real', 'integer')),
  sample_count INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,
  last_ns INTEGER NOT NULL,
  PRIMARY KEY (session, segment_ns, key, second)
) STRICT, WITHOUT ROWID;

-- What a person says that a gesture meant.
CREATE TABLE label (
  session INTEGER NOT NULL,
  transition INTEGER NOT NULL,  -- its number, as in decision
  label TEXT NOT NULL CHECK (label IN ('finish', 'cancel', 'unsure')),
  note TEXT,
  at_ns INTEGER NOT NULL,       -- when it was said, nanoseconds since 1970-01-01T00:00:00Z
  PRIMARY KEY (session, transition)
) STRICT, WITHOUT ROWID;

-- What a session was run again from.
CREATE TABLE origin (
  session INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL,   -- of the session that it came from
  file TEXT,            -- where that was
  engine_version TEXT,  -- that recorded that one
  changes TEXT NOT NULL -- JSON array of what was changed, each PATH=VALUE
) STRICT;

CREATE TABLE transition (
  session INTEGER NOT NULL,
  sequence INTEGER NOT NULL,  -- of its event start; without one, of the first that asked for its end
  number INTEGER NOT NULL,    -- as an event says, else counted from 0; decisions and estimates name it
  from_layout TEXT,           -- NULL, here and below: no event says it
  to_layout TEXT,
  began TEXT CHECK (began IN ('interactive', 'animated', 'push', 'pop')),
  start_ns INTEGER,
  release_ns INTEGER,         -- of its last decision; a release that is derived is not written here
  settle_ns INTEGER,          -- when its first settle began
  completion_ns INTEGER,
  outcome TEXT CHECK (outcome IN ('finish', 'cancel')),  -- NULL: open, or not known
  decided_by TEXT,
  retargeted_from INTEGER,    -- the number of the one that it took over from
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;

-- A transition is what follows an event start, up to the next one. What comes before the first start is one
-- if its end was asked for. Settle, completion and retarget that say a number are of the last transition
-- before them that has it, a decision at the instant of a start is of the one before if that has its number.
-- Recorders, repairs and readers of older recordings run the text below with sources of their own.
INSERT INTO transition
WITH source AS (SELECT * FROM event), decided AS (SELECT * FROM decision), earlier AS (SELECT 0 AS count),
valid AS (
  SELECT session, t_ns, sequence, kind, CASE WHEN json_valid(fields) THEN fields ELSE '{}' END AS fields
  FROM source
  WHERE kind IN ('start', 'finish', 'cancel', 'settle', 'completion', 'retarget', 'push', 'pop')
    OR kind = 'animation' AND instr(fields, 'retarget')),
given AS (
  SELECT session, t_ns, 0 AS late, sequence, kind, kind IN ('start', 'finish', 'cancel') AS is_mark,
    CASE WHEN json_type(fields, '$.transition') = 'integer'
      AND fields ->> '$.transition' BETWEEN 0 AND 2147483647 THEN fields ->> '$.transition' END AS stated,
    CASE json_type(fields, '$.from') WHEN 'text' THEN fields ->> '$.from' END AS from_layout,
    CASE json_type(fields, '$.to') WHEN 'text' THEN fields ->> '$.to' END AS to_layout,
    CASE WHEN json_type(fields, '$.animated') = 'true' THEN 'animated'
      WHEN json_type(fields, '$.interactive') = 'true' OR json_type(fields, '$.transforms') = 'text'
      THEN 'interactive' END AS word,
    CASE kind WHEN 'finish' THEN 1 WHEN 'cancel' THEN 0
      WHEN 'retarget' THEN CASE fields ->> '$.outcome' WHEN 'finish' THEN 1 WHEN 'cancel' THEN 0 END
      WHEN 'completion' THEN CASE json_type(fields, '$.finished') WHEN 'true' THEN 1 WHEN 'false' THEN 0 END
      WHEN 'animation' THEN fields ->> '$.cause' = 'retarget' END AS yes
  FROM valid
  UNION ALL
  SELECT session, t_ns, 1, sequence, 'decision', 0, transition, NULL, NULL, decided_by, outcome = 'finish'
  FROM decided),
placed AS (
  SELECT *, row_number() OVER given AS place, sum(kind = 'start') OVER given AS stretch,
    lag(kind) OVER beginning AS call, lag(t_ns) OVER beginning AS call_ns,
    lag(to_layout) OVER beginning AS call_to
  FROM given
  WINDOW given AS (PARTITION BY session ORDER BY t_ns, late, sequence ROWS UNBOUNDED PRECEDING),
    beginning AS (PARTITION BY session, kind IN ('start', 'push', 'pop') ORDER BY t_ns, late, sequence)),
numbered AS (
  SELECT *, max(CASE kind WHEN 'start' THEN t_ns END) OVER stretch AS start_ns,
    coalesce(min(CASE WHEN is_mark THEN place << 31 | stated END) OVER stretch & 2147483647,
      max(0, stretch - 1 + max(stretch = 0 AND is_mark) OVER (PARTITION BY session)
        + (SELECT count FROM earlier))) AS number
  FROM placed WINDOW stretch AS (PARTITION BY session, stretch)),
followed AS (
  SELECT *, max(number) OVER (PARTITION BY session ORDER BY stretch
    GROUPS BETWEEN 1 PRECEDING AND 1 PRECEDING) AS before
  FROM numbered),
owned AS (
  SELECT *, CASE
    WHEN kind = 'decision'
      THEN stretch - coalesce(t_ns = start_ns AND number <> stated AND before = stated, 0)
    WHEN is_mark OR stated IS NULL OR kind IN ('push', 'pop', 'animation') THEN stretch
    ELSE max(CASE WHEN is_mark THEN stretch END) OVER (PARTITION BY session,
      CASE WHEN is_mark THEN number ELSE stated END ORDER BY place) END AS owner
  FROM followed)
SELECT session,
  coalesce(max(CASE kind WHEN 'start' THEN sequence END), min(CASE WHEN is_mark THEN sequence END))
    AS sequence,
  max(CASE WHEN is_mark THEN number END) AS number,
  max(CASE kind WHEN 'start' THEN from_layout END) AS from_layout,
  max(CASE kind WHEN 'start' THEN to_layout END) AS to_layout,
  max(CASE kind WHEN 'start' THEN
    CASE WHEN call_ns = t_ns AND call_to = to_layout AND call <> 'start' THEN call ELSE word END END)
    AS began,
  max(CASE kind WHEN 'start' THEN t_ns END) AS start_ns,
  max(CASE kind WHEN 'decision' THEN t_ns END) AS release_ns,
  min(CASE kind WHEN 'settle' THEN t_ns END) AS settle_ns,
  min(CASE kind WHEN 'completion' THEN t_ns END) AS completion_ns,
  CASE coalesce(nullif(min(CASE kind WHEN 'completion' THEN place << 2 | coalesce(yes, 2) END) & 3, 2),
      max(CASE WHEN kind IN ('finish', 'cancel', 'retarget') THEN place << 1 | yes END) & 1,
      max(CASE kind WHEN 'decision' THEN place << 1 | yes END) & 1)
    WHEN 1 THEN 'finish' WHEN 0 THEN 'cancel' END AS outcome,
  substr(max(CASE kind WHEN 'decision' THEN printf('%019d', place) || word END), 20) AS decided_by,
  max(CASE WHEN kind = 'animation' AND yes AND t_ns = start_ns THEN before END) AS retargeted_from
FROM owned WHERE owner IS NOT NULL GROUP BY session, owner HAVING owner > 0 OR max(is_mark);

CREATE VIEW transitions AS
SELECT session, number AS transition, from_layout, to_layout, began, start_ns, release_ns, settle_ns,
  completion_ns, outcome, decided_by, retargeted_from, sequence
FROM transition;

-- Fails with a sentence for a session that has sealed poses, at run time: no SELECT can raise an error, but
-- json_each puts a path that is none into its own. first_frame, which no query fixes, keeps the text from
-- being computed beforehand.
CREATE VIEW sealed_guard AS
SELECT s.session FROM segment AS s, json_each('{}', 'the poses of session ' || s.session
  || ' are sealed from frame ' || s.first_frame
  || ' on: run kymo expand, ask with kymo sql, or ask the view key_poses');

-- CROSS JOIN asks the guard before any row is looked for, whatever the query says of the others.
CREATE VIEW attributes AS
SELECT g.session, a.frame, f.t_ns, i.category, i.element_kind, i.id,
  CASE a.change WHEN 0 THEN 'changed' WHEN 1 THEN 'same' WHEN 2 THEN 'gone' END AS change,
  a.index_section, a.index_item, CAST(a.center_x AS REAL) AS center_x,
  CAST(a.center_y AS REAL) AS center_y, CAST(a.width AS REAL) AS width,
  CAST(a.height AS REAL) AS height, CAST(a.alpha AS REAL) AS alpha, a.z_index, a.hidden,
  CASE WHEN a.transform_3d IS NULL AND a.change < 2
    THEN coalesce(CAST(a.transform_a AS REAL), 1.0) END AS transform_a,
  CASE WHEN a.transform_3d IS NULL AND a.change < 2
    THEN coalesce(CAST(a.transform_b AS REAL), 0.0) END AS transform_b,
  CASE WHEN a.transform_3d IS NULL AND a.change < 2
    THEN coalesce(CAST(a.transform_c AS REAL), 0.0) END AS transform_c,
  CASE WHEN a.transform_3d IS NULL AND a.change < 2
    THEN coalesce(CAST(a.transform_d AS REAL), 1.0) END AS transform_d,
  CASE WHEN a.transform_3d IS NULL AND a.change < 2
    THEN coalesce(CAST(a.transform_tx AS REAL), 0.0) END AS transform_tx,
  CASE WHEN a.transform_3d IS NULL AND a.change < 2
    THEN coalesce(CAST(a.transform_ty AS REAL), 0.0) END AS transform_ty,
  a.transform_3d, a.item
FROM session AS g CROSS JOIN plain_attribute AS a ON a.session = g.session
JOIN frame AS f ON f.session = a.session AND f.frame = a.frame
JOIN item AS i ON i.session = a.session AND i.item = a.item
WHERE NOT EXISTS (SELECT 1 FROM sealed_guard AS s WHERE s.session = g.session);

-- Every element that is present in a key frame: one pose a second, plain rows in every recording.
CREATE VIEW key_poses AS
SELECT a.session, a.frame, f.t_ns, i.category, i.element_kind, i.id, a.index_section, a.index_item,
  CAST(a.center_x AS REAL) AS center_x, CAST(a.center_y AS REAL) AS center_y,
  CAST(a.width AS REAL) AS width, CAST(a.height AS REAL) AS height, CAST(a.alpha AS REAL) AS alpha,
  a.z_index, a.hidden,
  CASE WHEN a.transform_3d IS NULL THEN coalesce(CAST(a.transform_a AS REAL), 1.0) END AS transform_a,
  CASE WHEN a.transform_3d IS NULL THEN coalesce(CAST(a.transform_b AS REAL), 0.0) END AS transform_b,
  CASE WHEN a.transform_3d IS NULL THEN coalesce(CAST(a.transform_c AS REAL), 0.0) END AS transform_c,
  CASE WHEN a.transform_3d IS NULL THEN coalesce(CAST(a.transform_d AS REAL), 1.0) END AS transform_d,
  CASE WHEN a.transform_3d IS NULL THEN coalesce(CAST(a.transform_tx AS REAL), 0.0) END AS transform_tx,
  CASE WHEN a.transform_3d IS NULL THEN coalesce(CAST(a.transform_ty AS REAL), 0.0) END AS transform_ty,
  a.transform_3d, a.item
FROM frame AS f
JOIN plain_attribute AS a ON a.session = f.session AND a.frame = f.frame
JOIN item AS i ON i.session = a.session AND i.item = a.item
WHERE f.is_key = 1 AND a.change < 2;

-- The same for a session that has sealed samples.
CREATE VIEW sealed_sample_guard AS
SELECT s.session FROM sample_segment AS s, json_each('{}', 'the samples of session ' || s.session
  || ' are sealed from ' || s.first_ns
  || ' ns on: run kymo expand, ask with kymo sql, or ask the view key_samples');

CREATE VIEW samples AS
SELECT g.session, s.t_ns, k.name AS key, CAST(s.value AS REAL) AS value,
  CASE s.slot & 3 WHEN 0 THEN 'idle' WHEN 1 THEN 'driving' WHEN 2 THEN 'settling' END AS phase,
  k.role, k.unit, s.slot >> 32 AS ordinal
FROM session AS g CROSS JOIN plain_sample AS s ON s.session = g.session
CROSS JOIN key AS k ON k.session = s.session AND k.key = (s.slot >> 2 & 1073741823)
WHERE NOT EXISTS (SELECT 1 FROM sealed_sample_guard AS x WHERE x.session = g.session);

-- What each key did in each second, in every recording. A second that is in two packed stretches, or packed
-- in part, has a row for each part.
CREATE VIEW key_samples AS
SELECT p.session, k.name AS key, p.first_ns AS t_ns, p.last_ns, p.sample_count, p.first_value,
  p.last_value, p.min_value, p.max_value, k.role, k.unit
FROM (
  SELECT session, key, first_ns, last_ns, sample_count, CAST(first_value AS REAL) AS first_value,
    CAST(last_value AS REAL) AS last_value, CAST(min_value AS REAL) AS min_value,
    CAST(max_value AS REAL) AS max_value
  FROM sample_second
  UNION ALL
  SELECT DISTINCT session, key, min(t_ns) OVER seconds, max(t_ns) OVER seconds, count(*) OVER seconds,
    first_value(value) OVER seconds, last_value(value) OVER seconds, min(value) OVER seconds,
    max(value) OVER seconds
  FROM (SELECT session, t_ns, slot, slot >> 2 & 1073741823 AS key, CAST(value AS REAL) AS value,
    t_ns / 1000000000 - (t_ns % 1000000000 < 0) AS second FROM plain_sample)
  WINDOW seconds AS (PARTITION BY session, key, second ORDER BY t_ns, slot
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS p
JOIN key AS k ON k.session = p.session AND k.key = p.key;

CREATE VIEW sessions AS
SELECT session, uuid, name, wall_clock_ns, clock, refresh_rate, viewport_width, viewport_height,
  software, engine_version, device, gesture_source, scenario, transition, settle, release,
  schema_version, end_ns, outcome, end_ns IS NOT NULL AS is_clean, lost_count, precision, redaction,
  (SELECT CAST(total(g.row_count) AS INTEGER) FROM segment AS g WHERE g.session = s.session)
    + (SELECT CAST(total(g.row_count) AS INTEGER) FROM sample_segment AS g WHERE g.session = s.session)
    AS sealed_row_count
FROM session AS s;

CREATE VIEW decisions AS
SELECT d.session, d.t_ns, d.transition, d.outcome, d.decided_by, d.rule, d.rule_outcome, d.threshold,
  d.progress, d.progress_velocity, d.margin_progress, d.sequence, d.rule_parameters,
  d.progress_standard_error, d.margin_velocity, d.margin_threshold, d.margin_sigma, d.flip_velocity,
  d.flip_progress, d.projected_progress, l.label
FROM decision AS d LEFT JOIN label AS l ON l.session = d.session AND l.transition = d.transition;

CREATE VIEW labels AS
SELECT session, transition, label, note, at_ns FROM label;

CREATE VIEW origins AS
SELECT session, uuid, file, engine_version, changes FROM origin;
