-- Version 5: what grew faster than a recording, or was asked more often than needed. A recorder finds decisions
-- by their time and transitions by their number. The guards are asked once a query where nothing is sealed, and
-- name the command of today. A sample's key is looked up when a query asks for a column of it.

CREATE INDEX decision_by_time ON decision (session, t_ns, sequence);
CREATE INDEX transition_by_number ON transition (session, number, sequence);

DROP VIEW sealed_guard;
DROP VIEW sealed_sample_guard;
DROP VIEW attributes;
DROP VIEW samples;

CREATE VIEW sealed_guard AS
SELECT s.session FROM segment AS s, json_each('{}', 'the poses of session ' || s.session
  || ' are sealed from frame ' || s.first_frame
  || ' on: run kymo file unpack, ask with kymo sql, or ask the view key_poses');

CREATE VIEW sealed_sample_guard AS
SELECT s.session FROM sample_segment AS s, json_each('{}', 'the samples of session ' || s.session
  || ' are sealed from ' || s.first_ns
  || ' ns on: run kymo file unpack, ask with kymo sql, or ask the view key_samples');

-- Whether anything is sealed is asked once; only if so, each session's guard is.
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
