"""What a recording says, read with Python's own sqlite3 from the plain rows."""
import bisect
import json
import sqlite3


class Recording:
    """One session of an expanded recording."""

    def __init__(self, path, session=1):
        self.base = sqlite3.connect(path)
        self.base.row_factory = sqlite3.Row
        self.session = session
        self.facts = self.rows("sessions")[0]
        self.frames = self.rows("frames", "ORDER BY frame")
        self.times = [row["t_ns"] for row in self.frames]
        self.changes = {}
        for row in self.rows("attributes", "ORDER BY frame"):
            self.changes.setdefault(row["frame"], []).append(row)

    def rows(self, view, order="", where=""):
        return self.base.execute(
            f"SELECT * FROM {view} WHERE session = ? {where} {order}", (self.session,)).fetchall()

    def items_at(self, time):
        """The elements of the frame that is shown at a time: the newest row of each since the key frame."""
        shown = bisect.bisect_right(self.times, time) - 1
        if shown < 0:
            return {}
        first = max(i for i in range(shown + 1) if self.frames[i]["is_key_frame"])
        items = {}
        for frame in self.frames[first:shown + 1]:
            for row in self.changes.get(frame["frame"], []):
                if row["change"] == "gone":
                    items.pop(row["item"], None)
                else:
                    items[row["item"]] = row
        return items

    def value_at(self, key, time):
        """The value of the last sample at or before a time; None before the first."""
        if not hasattr(self, "curves"):
            self.curves = {}
            for row in self.rows("samples", "ORDER BY t_ns, ordinal"):
                self.curves.setdefault(row["key"], []).append((row["t_ns"], row["value"]))
        rows = self.curves.get(key, [])
        place = bisect.bisect_right(rows, (time, float("inf"))) - 1
        return None if place < 0 else rows[place][1]

    def line_at(self, key, time):
        """The value on the straight line between two samples, as B minus A reads it; None outside."""
        before = self.value_at(key, time)
        rows = self.curves[key]
        place = bisect.bisect_left(rows, (time, -float("inf")))
        if before is None or place == len(rows):
            return None
        if rows[place][0] == time:
            return before
        (start, low), (end, high) = rows[place - 1], rows[place]
        return low + (high - low) * (time - start) / (end - start)

    def span(self, key):
        values = [value for _, value in self.curves[key]]
        return max(values) - min(values)


def corners(row):
    """The four corners of a row of `attributes`, through its transform and perspective."""
    if row["transform_3d"]:
        m = json.loads(row["transform_3d"])
    else:
        a, b, c, d, tx, ty = (row["transform_" + name] for name in ["a", "b", "c", "d", "tx", "ty"])
        m = [a, b, 0, 0, c, d, 0, 0, 0, 0, 1, 0, tx, ty, 0, 1]
    places = []
    for sx, sy in [(-1, -1), (1, -1), (1, 1), (-1, 1)]:
        x, y = sx * row["width"] / 2, sy * row["height"] / 2
        w = m[3] * x + m[7] * y + m[15]
        places.append((row["center_x"] + (m[0] * x + m[4] * y + m[12]) / w,
                       row["center_y"] + (m[1] * x + m[5] * y + m[13]) / w))
    return places
