-- Version 2: what an estimate rests on, every margin of a decision, and resampled touches.

DROP VIEW touches;
DROP VIEW decisions;
DROP VIEW estimates;

ALTER TABLE touch ADD COLUMN
  resampled INTEGER NOT NULL DEFAULT 0 CHECK (resampled IN (0, 1));

ALTER TABLE decision RENAME TO decision_1;

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

-- Columns that are new stand last, so a row goes over as it is.
INSERT INTO decision
SELECT *, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM decision_1;

DROP TABLE decision_1;

ALTER TABLE estimate RENAME TO estimate_1;

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

INSERT INTO estimate
SELECT *, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM estimate_1;

DROP TABLE estimate_1;

CREATE VIEW touches AS
SELECT session, t_ns, contact, slot, tracking_id, phase, x, y, sequence, resampled FROM touch;

CREATE VIEW decisions AS
SELECT session, t_ns, transition, outcome, decided_by, rule, rule_outcome, threshold, progress,
  progress_velocity, margin_progress, sequence, rule_parameters, progress_standard_error,
  margin_velocity, margin_threshold, margin_sigma, flip_velocity, flip_progress, projected_progress
FROM decision;

CREATE VIEW estimates AS
SELECT e.session, e.t_ns, e.transition, k.name AS key, e.estimator, e.value, e.velocity, e.low,
  e.high, e.sample_count, e.lift_gap_ns, e.target, e.remaining, e.relative_velocity,
  e.settle_time_s, k.unit, e.sequence, e.standard_error, e.leave_one_out_low,
  e.leave_one_out_high, e.clamped_velocity, e.confidence, e.chosen, e.opposes_displacement,
  e.lift_artefact, e.left_out_age, e.left_out_gap, e.left_out_duplicate, e.left_out_backward,
  e.left_out_resampled, e.left_out_history, e.left_out_not_finite
FROM estimate AS e JOIN key AS k ON k.session = e.session AND k.key = e.key;
