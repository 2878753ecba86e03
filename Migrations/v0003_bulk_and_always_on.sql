-- Smaller rows, sealed seconds, the crash journal's bookkeeping, and what recordings that are always
-- on need. This step has shipped: it is never edited, a change is a new step.
--
-- Numbers that are whole, not -0.0 and fit 32 bits are stored as integers in sample and attribute: one
-- to five bytes in place of nine. The views cast them back.

DROP VIEW samples;
DROP VIEW attributes;
DROP VIEW items;
DROP VIEW losses;
DROP VIEW sessions;

ALTER TABLE session ADD COLUMN precision TEXT NOT NULL DEFAULT 'exact'
  CHECK (precision IN ('exact', 'float32', '1/1024'));  -- of sealed poses: bits, or points
ALTER TABLE session ADD COLUMN redaction TEXT;          -- what was left out on purpose, JSON array

ALTER TABLE sample RENAME TO sample_2;

CREATE TABLE sample (
  session INTEGER NOT NULL,
  t_ns INTEGER NOT NULL,
  -- ordinal << 32 | key << 2 | phase. ordinal: 0, 1, ... in the order given, for values of one key at
  -- one instant. phase: 0 idle, 1 driving, 2 settling.
  slot INTEGER NOT NULL,
  value ANY NOT NULL CHECK (typeof(value) IN ('real', 'integer')),  -- in the key's unit
  PRIMARY KEY (session, t_ns, slot)
) STRICT, WITHOUT ROWID;

INSERT INTO sample SELECT session, t_ns, ordinal << 32 | key << 2 | phase, value FROM sample_2
ORDER BY 1, 2, 3;

DROP TABLE sample_2;

ALTER TABLE attribute RENAME TO attribute_2;

CREATE TABLE attribute (
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

INSERT INTO attribute SELECT * FROM attribute_2;

DROP TABLE attribute_2;

-- A second or less of attributes that was packed: from a key frame, whose rows stay in attribute as
-- they are, to the frame before the next.
CREATE TABLE segment (
  session INTEGER NOT NULL,
  first_frame INTEGER NOT NULL,  -- the key frame
  last_frame INTEGER NOT NULL,
  row_count INTEGER NOT NULL,    -- rows of attributes in it, the key frame's included
  precision TEXT NOT NULL CHECK (precision IN ('exact', 'float32', '1/1024')),
  PRIMARY KEY (session, first_frame)
) STRICT, WITHOUT ROWID;

-- One property of every row in a segment; the block 'rows' says which rows there are.
CREATE TABLE block (
  session INTEGER NOT NULL,
  first_frame INTEGER NOT NULL,  -- of the segment
  property TEXT NOT NULL,
  checksum INTEGER NOT NULL,     -- of data
  data BLOB NOT NULL,
  UNIQUE (session, first_frame, property)
) STRICT;

-- What each element did, written when a session is closed.
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

-- How much of a session's crash journal is in the tables. No rows once the session is closed.
CREATE TABLE journal (
  session INTEGER NOT NULL,
  lane INTEGER NOT NULL,      -- one for each thread that recorded
  consumed INTEGER NOT NULL,  -- words of eight bytes since the lane began
  PRIMARY KEY (session, lane)
) STRICT, WITHOUT ROWID;

-- What was taken out of the file on purpose.
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

CREATE VIEW sessions AS
SELECT session, uuid, name, wall_clock_ns, clock, refresh_rate, viewport_width, viewport_height,
  software, engine_version, device, gesture_source, scenario, transition, settle, release,
  schema_version, end_ns, outcome, end_ns IS NOT NULL AS is_clean, lost_count, precision, redaction
FROM session;

CREATE VIEW samples AS
SELECT s.session, s.t_ns, k.name AS key, CAST(s.value AS REAL) AS value,
  CASE s.slot & 3 WHEN 0 THEN 'idle' WHEN 1 THEN 'driving' WHEN 2 THEN 'settling' END AS phase,
  k.role, k.unit, s.slot >> 32 AS ordinal
FROM sample AS s JOIN key AS k ON k.session = s.session AND k.key = (s.slot >> 2 & 1073741823);

CREATE VIEW items AS
SELECT i.session, i.item, i.category, i.element_kind, i.id, s.frame_count, s.change_count,
  s.first_ns, s.last_ns, s.min_center_x, s.max_center_x, s.min_center_y, s.max_center_y,
  s.min_width, s.max_width, s.min_height, s.max_height, s.min_alpha, s.max_alpha, s.travelled
FROM item AS i LEFT JOIN item_summary AS s ON s.session = i.session AND s.item = i.item;

CREATE VIEW attributes AS
SELECT a.session, a.frame, f.t_ns, i.category, i.element_kind, i.id,
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
FROM attribute AS a
JOIN frame AS f ON f.session = a.session AND f.frame = a.frame
JOIN item AS i ON i.session = a.session AND i.item = a.item;

-- 'session': a whole session was taken out; 'trimmed': a part of it.
CREATE VIEW losses AS
SELECT l.session, l.what, k.name AS key, l.first_ns, l.last_ns, l.count, l.sequence
FROM loss AS l LEFT JOIN key AS k ON k.session = l.session AND k.key = l.key
UNION ALL
SELECT session, CASE is_whole WHEN 1 THEN 'session' ELSE 'trimmed' END, NULL, first_ns, last_ns,
  row_count, sequence
FROM removal;
