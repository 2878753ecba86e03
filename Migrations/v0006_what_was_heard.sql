-- Version 6: what a program had heard when it made a frame. A touch says when the program's handlers were told of
-- its place, a frame when its callbacks ran; a frame that was over before it could be read says so.

ALTER TABLE touch ADD COLUMN heard_ns INTEGER;        -- NULL: not known
ALTER TABLE touch ADD COLUMN touch_heard_ns INTEGER;  -- likewise, by handlers of touch events
ALTER TABLE frame ADD COLUMN began_ns INTEGER;        -- NULL: not known
ALTER TABLE frame ADD COLUMN unread INTEGER NOT NULL DEFAULT 0 CHECK (unread IN (0, 1));

DROP VIEW touches;
DROP VIEW frames;

CREATE VIEW touches AS
SELECT session, t_ns, contact, slot, tracking_id, phase, x, y, sequence, resampled, heard_ns, touch_heard_ns
FROM touch;

CREATE VIEW frames AS
SELECT session, frame, t_ns,
  CASE phase WHEN 0 THEN 'idle' WHEN 1 THEN 'driving' WHEN 2 THEN 'settling' END AS phase,
  progress, content_offset_x, content_offset_y, content_width, content_height,
  is_key AS is_key_frame, began_ns, unread
FROM frame;
