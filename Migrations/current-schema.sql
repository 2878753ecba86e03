CREATE TABLE block (
  session INTEGER NOT NULL,
  first_frame INTEGER NOT NULL,  -- of the segment
  property TEXT NOT NULL,
  checksum INTEGER NOT NULL,     -- of data
  data BLOB NOT NULL,
  UNIQUE (session, first_frame, property)
) STRICT;

CREATE TABLE decision (
  session INTEGER NOT NULL,
  sequence INTEGER NOT NULL,   -- counted from 0 in the order given
  t_ns INTEGER NOT NULL,       -- the lift, or the step that asked
  transition INTEGER NOT NULL, -- counted from 0
  outcome TEXT NOT NULL CHECK (outcome IN ('finish', 'cancel')),
  decided_by TEXT NOT NULL,    -- rule, script, touch, time
  rule TEXT NOT NULL,
  rule_outcome TEXT NOT NULL CHECK (rule_outcome IN ('finish', 'cancel')),
  threshold ANY NOT NULL CHECK (typeof(threshold) = 'real'),  -- in the unit of what it compares
  progress ANY NOT NULL CHECK (typeof(progress) = 'real'),
  progress_velocity ANY CHECK (typeof(progress_velocity) IN ('real', 'null')),  -- per second
  -- How far each lay from the other outcome, positive where the outcome stands; NULL: no change of
  -- it alone makes the other outcome.
  margin_progress ANY CHECK (typeof(margin_progress) IN ('real', 'null')),
  rule_parameters TEXT,        -- every parameter of the rule, JSON object; NULL: of version 1
  -- Of the progress's velocity, per second.
  progress_standard_error ANY CHECK (typeof(progress_standard_error) IN ('real', 'null')),
  margin_velocity ANY CHECK (typeof(margin_velocity) IN ('real', 'null')),    -- per second
  margin_threshold ANY CHECK (typeof(margin_threshold) IN ('real', 'null')),  -- in its unit
  margin_sigma ANY CHECK (typeof(margin_sigma) IN ('real', 'null')),          -- standard errors
  flip_velocity ANY CHECK (typeof(flip_velocity) IN ('real', 'null')),        -- per second
  flip_progress ANY CHECK (typeof(flip_progress) IN ('real', 'null')),
  projected_progress ANY CHECK (typeof(projected_progress) IN ('real', 'null')),
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE estimate (
  session INTEGER NOT NULL,
  sequence INTEGER NOT NULL,   -- counted from 0 in the order given
  t_ns INTEGER NOT NULL,       -- the lift, or the step that asked
  transition INTEGER NOT NULL, -- counted from 0
  key INTEGER NOT NULL,
  estimator TEXT NOT NULL,
  value ANY NOT NULL CHECK (typeof(value) = 'real'),                -- in the key's unit
  velocity ANY CHECK (typeof(velocity) IN ('real', 'null')),        -- units per second; NULL: none
  low ANY CHECK (typeof(low) IN ('real', 'null')),                  -- of the 90 % interval
  high ANY CHECK (typeof(high) IN ('real', 'null')),                -- of the 90 % interval
  sample_count INTEGER NOT NULL,
  lift_gap_ns INTEGER,         -- from the newest sample to the lift
  target ANY CHECK (typeof(target) IN ('real', 'null')),            -- NULL: the key freezes
  remaining ANY CHECK (typeof(remaining) IN ('real', 'null')),      -- target minus value
  relative_velocity ANY CHECK (typeof(relative_velocity) IN ('real', 'null')),  -- per second
  settle_time_s ANY CHECK (typeof(settle_time_s) IN ('real', 'null')),          -- seconds
  -- Units per second; NULL: cannot be told.
  standard_error ANY CHECK (typeof(standard_error) IN ('real', 'null')),
  leave_one_out_low ANY CHECK (typeof(leave_one_out_low) IN ('real', 'null')),
  leave_one_out_high ANY CHECK (typeof(leave_one_out_high) IN ('real', 'null')),
  clamped_velocity ANY CHECK (typeof(clamped_velocity) IN ('real', 'null')),
  confidence ANY CHECK (typeof(confidence) IN ('real', 'null')),    -- 0 to 1
  chosen TEXT,                 -- what auto chose, with its horizon
  opposes_displacement INTEGER NOT NULL DEFAULT 0 CHECK (opposes_displacement IN (0, 1)),
  lift_artefact INTEGER NOT NULL DEFAULT 0 CHECK (lift_artefact IN (0, 1)),  -- suspected
  -- How many samples were left out, by reason.
  left_out_age INTEGER NOT NULL DEFAULT 0,
  left_out_gap INTEGER NOT NULL DEFAULT 0,
  left_out_duplicate INTEGER NOT NULL DEFAULT 0,
  left_out_backward INTEGER NOT NULL DEFAULT 0,
  left_out_resampled INTEGER NOT NULL DEFAULT 0,
  left_out_history INTEGER NOT NULL DEFAULT 0,
  left_out_not_finite INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  session INTEGER NOT NULL,
  sequence INTEGER NOT NULL,  -- counted from 0 in the order given
  t_ns INTEGER NOT NULL,
  kind TEXT NOT NULL,         -- start, finish, decision, warning, ...
  fields TEXT NOT NULL,       -- JSON object
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE frame (
  session INTEGER NOT NULL,
  frame INTEGER NOT NULL,    -- counted from 0 in the order given
  t_ns INTEGER NOT NULL,     -- display instant
  phase INTEGER NOT NULL CHECK (phase BETWEEN 0 AND 2),     -- 0 idle, 1 driving, 2 settling
  is_key INTEGER NOT NULL CHECK (is_key IN (0, 1)),         -- 1: every present element has a row
  progress ANY CHECK (typeof(progress) IN ('real', 'null')),  -- NULL outside a transition
  content_offset_x ANY NOT NULL CHECK (typeof(content_offset_x) = 'real'),  -- points
  content_offset_y ANY NOT NULL CHECK (typeof(content_offset_y) = 'real'),  -- points
  content_width ANY NOT NULL CHECK (typeof(content_width) = 'real'),        -- points
  content_height ANY NOT NULL CHECK (typeof(content_height) = 'real'), began_ns INTEGER, unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1)),      -- points
  PRIMARY KEY (session, frame)
) STRICT, WITHOUT ROWID;

CREATE TABLE item (
  session INTEGER NOT NULL,
  item INTEGER NOT NULL,  -- counted from 0
  category TEXT NOT NULL CHECK (category IN ('cell', 'supplementary', 'decoration')),
  element_kind TEXT,      -- NULL for a cell
  id TEXT NOT NULL,       -- stays with the element through moves
  PRIMARY KEY (session, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE item_summary (
  session INTEGER NOT NULL,
  item INTEGER NOT NULL,
  frame_count INTEGER NOT NULL,  -- frames that it was in
  change_count INTEGER NOT NULL, -- of them, those in which something of it changed
  first_ns INTEGER NOT NULL,     -- the earliest frame that it was in
  last_ns INTEGER NOT NULL,
  min_center_x REAL NOT NULL, max_center_x REAL NOT NULL,  -- points
  min_center_y REAL NOT NULL, max_center_y REAL NOT NULL,
  min_width REAL NOT NULL, max_width REAL NOT NULL,
  min_height REAL NOT NULL, max_height REAL NOT NULL,
  min_alpha REAL NOT NULL, max_alpha REAL NOT NULL,
  travelled REAL NOT NULL,       -- points that its center moved, frame by frame
  PRIMARY KEY (session, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE journal (
  session INTEGER NOT NULL,
  lane INTEGER NOT NULL,      -- one for each thread that recorded
  consumed INTEGER NOT NULL,  -- words of eight bytes since the lane began
  PRIMARY KEY (session, lane)
) STRICT, WITHOUT ROWID;

CREATE TABLE key (
  session INTEGER NOT NULL,
  key INTEGER NOT NULL,   -- counted from 0
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('progress', 'animated', 'custom')),
  unit TEXT NOT NULL,     -- of the key's values; 1: no unit
  PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE key_summary (
  session INTEGER NOT NULL,
  key INTEGER NOT NULL,
  sample_count INTEGER NOT NULL,
  first_ns INTEGER NOT NULL,    -- the earliest sample's instant
  last_ns INTEGER NOT NULL,     -- the latest sample's instant
  min_interval_ns INTEGER,      -- between samples that follow each other in time, equal times left
  max_interval_ns INTEGER,      -- out; NULL: there are no two different times
  first_value ANY NOT NULL CHECK (typeof(first_value) = 'real'),  -- in the key's unit
  last_value ANY NOT NULL CHECK (typeof(last_value) = 'real'),
  min_value ANY NOT NULL CHECK (typeof(min_value) = 'real'),
  max_value ANY NOT NULL CHECK (typeof(max_value) = 'real'),
  PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE label (
  session INTEGER NOT NULL,
  transition INTEGER NOT NULL,  -- its number, as in decision
  label TEXT NOT NULL CHECK (label IN ('finish', 'cancel', 'unsure')),
  note TEXT,
  at_ns INTEGER NOT NULL,       -- when it was said, nanoseconds since 1970-01-01T00:00:00Z
  PRIMARY KEY (session, transition)
) STRICT, WITHOUT ROWID;

CREATE TABLE layout (
  session INTEGER NOT NULL,
  position INTEGER NOT NULL,  -- counted from 0
  name TEXT NOT NULL,         -- the name that events use
  type TEXT NOT NULL,         -- flow, fixed, ...
  parameters TEXT NOT NULL,   -- JSON
  PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE loss (
  session INTEGER NOT NULL,
  sequence INTEGER NOT NULL,  -- counted from 0 in the order written
  what TEXT NOT NULL
    CHECK (what IN ('sample', 'frame', 'touch', 'event', 'decision', 'estimate')),
  key INTEGER,                -- of lost samples; NULL for the rest
  first_ns INTEGER NOT NULL,  -- the earliest instant among them
  last_ns INTEGER NOT NULL,   -- the latest instant among them
  count INTEGER NOT NULL,
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE migration (
  step INTEGER PRIMARY KEY,  -- counted from 1
  name TEXT NOT NULL,        -- the step's file name
  checksum TEXT NOT NULL     -- FNV-1a, 64 bit, of the step's text, as 16 hexadecimal digits
) STRICT;

CREATE TABLE origin (
  session INTEGER PRIMARY KEY,
  uuid TEXT NOT NULL,   -- of the session that it came from
  file TEXT,            -- where that was
  engine_version TEXT,  -- that recorded that one
  changes TEXT NOT NULL -- JSON array of what was changed, each PATH=VALUE
) STRICT;

CREATE TABLE "plain_attribute" (
  session INTEGER NOT NULL,
  frame INTEGER NOT NULL,
  item INTEGER NOT NULL,
  change INTEGER NOT NULL CHECK (change BETWEEN 0 AND 2),  -- 0 changed, 1 as before, 2 gone
  index_section INTEGER,  -- all below NULL when gone
  index_item INTEGER,
  center_x ANY CHECK (typeof(center_x) IN ('real', 'integer', 'null')),  -- points, in the content
  center_y ANY CHECK (typeof(center_y) IN ('real', 'integer', 'null')),  -- points, downwards
  width ANY CHECK (typeof(width) IN ('real', 'integer', 'null')),        -- points, before transform
  height ANY CHECK (typeof(height) IN ('real', 'integer', 'null')),      -- points, before transform
  alpha ANY CHECK (typeof(alpha) IN ('real', 'integer', 'null')),        -- 0 to 1, as computed
  z_index INTEGER,
  hidden INTEGER CHECK (hidden IN (0, 1)),
  -- x' = a*x + c*y + tx, y' = b*x + d*y + ty, tx and ty in points; all six NULL: the identity, or
  -- transform_3d.
  transform_a ANY CHECK (typeof(transform_a) IN ('real', 'integer', 'null')),
  transform_b ANY CHECK (typeof(transform_b) IN ('real', 'integer', 'null')),
  transform_c ANY CHECK (typeof(transform_c) IN ('real', 'integer', 'null')),
  transform_d ANY CHECK (typeof(transform_d) IN ('real', 'integer', 'null')),
  transform_tx ANY CHECK (typeof(transform_tx) IN ('real', 'integer', 'null')),
  transform_ty ANY CHECK (typeof(transform_ty) IN ('real', 'integer', 'null')),
  transform_3d TEXT,  -- JSON array of 16 numbers, column by column; NULL: flat
  PRIMARY KEY (session, frame, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE "plain_sample" (
  session INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  -- ordinal << 32 | key << 2 | phase. ordinal: 0, 1, ... in the order given, for values of one key at
  -- one instant. phase: 0 idle, 1 driving, 2 settling.
  slot INTEGER NOT NULL,
  value ANY NOT NULL CHECK (typeof(value) IN ('real', 'integer')),  -- in the key's unit
  PRIMARY KEY (session, t_ns, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE removal (
  sequence INTEGER PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('limit', 'delete', 'trim')),
  is_whole INTEGER NOT NULL CHECK (is_whole IN (0, 1)),  -- 0: a part of the session
  session INTEGER NOT NULL,  -- its number, never given again
  uuid TEXT NOT NULL,
  name TEXT,
  wall_clock_ns INTEGER,     -- the session's start
  first_ns INTEGER NOT NULL, -- what was taken out, in the session's time
  last_ns INTEGER NOT NULL,
  row_count INTEGER NOT NULL -- samples, frames, attributes, touches and events taken out
) STRICT;

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

CREATE TABLE segment (
  session INTEGER NOT NULL,
  first_frame INTEGER NOT NULL,  -- the key frame
  last_frame INTEGER NOT NULL,
  row_count INTEGER NOT NULL,    -- rows of attributes in it, the key frame's included
  precision TEXT NOT NULL CHECK (precision IN ('exact', 'float32', '1/1024')), is_part INTEGER NOT NULL DEFAULT 0 CHECK (is_part IN (0, 1)),
  PRIMARY KEY (session, first_frame)
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
  session INTEGER PRIMARY KEY,      -- position in the file, counted from 1
  uuid TEXT NOT NULL UNIQUE,        -- 36 characters, RFC 9562
  name TEXT,                        -- for people; need not be unique
  schema_version INTEGER NOT NULL,  -- of the program that recorded
  wall_clock_ns INTEGER,            -- start, nanoseconds since 1970-01-01T00:00:00Z
  clock TEXT NOT NULL,              -- what times were read from: virtual, device, app
  refresh_rate REAL,                -- frames per second
  viewport_width REAL,              -- points
  viewport_height REAL,             -- points
  scenario TEXT,                    -- the scenario file's text
  gesture_source TEXT,              -- name and format of the gesture file
  device TEXT,                      -- the device that was touched
  software TEXT NOT NULL,           -- the program that recorded, with its version
  engine_version TEXT,              -- NULL: an app recorded its own values
  transition TEXT,                  -- how poses and transforms are mixed, JSON
  settle TEXT,                      -- the settle's parameters, JSON
  release TEXT,                     -- release rule and estimator, JSON
  -- The clean-close mark: all NULL until the recorder has finished.
  end_ns INTEGER,                   -- the session's last instant
  outcome TEXT CHECK (outcome IN ('finished', 'cancelled', 'open', 'none')),
  sample_count INTEGER,             -- rows that the session has in each table
  frame_count INTEGER,
  attribute_count INTEGER,
  touch_count INTEGER,
  event_count INTEGER,
  lost_count INTEGER                -- what was given and could not be kept
, precision TEXT NOT NULL DEFAULT 'exact'
  CHECK (precision IN ('exact', 'float32', '1/1024')), redaction TEXT) STRICT;

CREATE TABLE touch (
  session INTEGER NOT NULL,
  sequence INTEGER NOT NULL,  -- counted from 0 in the order given
  t_ns INTEGER NOT NULL,
  contact INTEGER NOT NULL,   -- counted from 0 in the order of landing
  slot INTEGER,               -- the device's own
  tracking_id INTEGER,        -- the device's own
  phase TEXT NOT NULL CHECK (phase IN ('began', 'moved', 'ended', 'cancelled')),
  x ANY NOT NULL CHECK (typeof(x) = 'real'),  -- the recording's units
  y ANY NOT NULL CHECK (typeof(y) = 'real'), resampled INTEGER NOT NULL DEFAULT 0 CHECK (resampled IN (0, 1)), heard_ns INTEGER, touch_heard_ns INTEGER,  -- the recording's units, downwards
  PRIMARY KEY (session, sequence)
) STRICT, WITHOUT ROWID;

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

CREATE INDEX decision_by_time ON decision (session, t_ns, sequence);

CREATE INDEX frame_by_time ON frame (session, t_ns, frame);

CREATE INDEX transition_by_number ON transition (session, number, sequence);

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
WHERE NOT EXISTS (SELECT 1 FROM segment)
  OR NOT EXISTS (SELECT 1 FROM sealed_guard AS s WHERE s.session = g.session);

CREATE VIEW decisions AS
SELECT d.session, d.t_ns, d.transition, d.outcome, d.decided_by, d.rule, d.rule_outcome, d.threshold,
  d.progress, d.progress_velocity, d.margin_progress, d.sequence, d.rule_parameters,
  d.progress_standard_error, d.margin_velocity, d.margin_threshold, d.margin_sigma, d.flip_velocity,
  d.flip_progress, d.projected_progress, l.label
FROM decision AS d LEFT JOIN label AS l ON l.session = d.session AND l.transition = d.transition;

CREATE VIEW estimates AS
SELECT e.session, e.t_ns, e.transition, k.name AS key, e.estimator, e.value, e.velocity, e.low,
  e.high, e.sample_count, e.lift_gap_ns, e.target, e.remaining, e.relative_velocity,
  e.settle_time_s, k.unit, e.sequence, e.standard_error, e.leave_one_out_low,
  e.leave_one_out_high, e.clamped_velocity, e.confidence, e.chosen, e.opposes_displacement,
  e.lift_artefact, e.left_out_age, e.left_out_gap, e.left_out_duplicate, e.left_out_backward,
  e.left_out_resampled, e.left_out_history, e.left_out_not_finite
FROM estimate AS e JOIN key AS k ON k.session = e.session AND k.key = e.key;

CREATE VIEW events AS
SELECT session, t_ns, kind AS event, fields, sequence FROM event;

CREATE VIEW frames AS
SELECT session, frame, t_ns,
  CASE phase WHEN 0 THEN 'idle' WHEN 1 THEN 'driving' WHEN 2 THEN 'settling' END AS phase,
  progress, content_offset_x, content_offset_y, content_width, content_height,
  is_key AS is_key_frame, began_ns, unread
FROM frame;

CREATE VIEW items AS
SELECT i.session, i.item, i.category, i.element_kind, i.id, s.frame_count, s.change_count,
  s.first_ns, s.last_ns, s.min_center_x, s.max_center_x, s.min_center_y, s.max_center_y,
  s.min_width, s.max_width, s.min_height, s.max_height, s.min_alpha, s.max_alpha, s.travelled
FROM item AS i LEFT JOIN item_summary AS s ON s.session = i.session AND s.item = i.item;

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

CREATE VIEW keys AS
SELECT k.session, k.name AS key, k.role, k.unit, k.key AS number, s.sample_count, s.first_ns,
  s.last_ns, s.first_value, s.last_value, s.min_value, s.max_value
FROM key AS k LEFT JOIN key_summary AS s ON s.session = k.session AND s.key = k.key;

CREATE VIEW labels AS
SELECT session, transition, label, note, at_ns FROM label;

CREATE VIEW layouts AS
SELECT session, position, name, type, parameters FROM layout;

CREATE VIEW losses AS
SELECT l.session, l.what, k.name AS key, l.first_ns, l.last_ns, l.count, l.sequence
FROM loss AS l LEFT JOIN key AS k ON k.session = l.session AND k.key = l.key
UNION ALL
SELECT session, CASE is_whole WHEN 1 THEN 'session' ELSE 'trimmed' END, NULL, first_ns, last_ns,
  row_count, sequence
FROM removal;

CREATE VIEW origins AS
SELECT session, uuid, file, engine_version, changes FROM origin;

CREATE VIEW samples AS
SELECT g.session, s.t_ns,
  (SELECT k.name FROM key AS k WHERE k.session = s.session AND k.key = (s.slot >> 2 & 1073741823)) AS key,
  CAST(s.value AS REAL) AS value,
  CASE s.slot & 3 WHEN 0 THEN 'idle' WHEN 1 THEN 'driving' WHEN 2 THEN 'settling' END AS phase,
  (SELECT k.role FROM key AS k WHERE k.session = s.session AND k.key = (s.slot >> 2 & 1073741823)) AS role,
  (SELECT k.unit FROM key AS k WHERE k.session = s.session AND k.key = (s.slot >> 2 & 1073741823)) AS unit,
  s.slot >> 32 AS ordinal
FROM session AS g CROSS JOIN plain_sample AS s ON s.session = g.session
WHERE NOT EXISTS (SELECT 1 FROM sample_segment)
  OR NOT EXISTS (SELECT 1 FROM sealed_sample_guard AS x WHERE x.session = g.session);

CREATE VIEW sealed_guard AS
SELECT s.session FROM segment AS s, json_each('{}', 'the poses of session ' || s.session
  || ' are sealed from frame ' || s.first_frame
  || ' on: run kymo file unpack, ask with kymo sql, or ask the view key_poses');

CREATE VIEW sealed_sample_guard AS
SELECT s.session FROM sample_segment AS s, json_each('{}', 'the samples of session ' || s.session
  || ' are sealed from ' || s.first_ns
  || ' ns on: run kymo file unpack, ask with kymo sql, or ask the view key_samples');

CREATE VIEW sessions AS
SELECT session, uuid, name, wall_clock_ns, clock, refresh_rate, viewport_width, viewport_height,
  software, engine_version, device, gesture_source, scenario, transition, settle, release,
  schema_version, end_ns, outcome, end_ns IS NOT NULL AS is_clean, lost_count, precision, redaction,
  (SELECT CAST(total(g.row_count) AS INTEGER) FROM segment AS g WHERE g.session = s.session)
    + (SELECT CAST(total(g.row_count) AS INTEGER) FROM sample_segment AS g WHERE g.session = s.session)
    AS sealed_row_count
FROM session AS s;

CREATE VIEW touches AS
SELECT session, t_ns, contact, slot, tracking_id, phase, x, y, sequence, resampled, heard_ns, touch_heard_ns
FROM touch;

CREATE VIEW transitions AS
SELECT session, number AS transition, from_layout, to_layout, began, start_ns, release_ns, settle_ns,
  completion_ns, outcome, decided_by, retargeted_from, sequence
FROM transition;

