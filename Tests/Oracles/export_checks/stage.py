"""Where items stand on the stage at a recorded frame, from the plain rows."""
from report_page.rows import corners


def shown_frames(recording):
    """Frames that a stage can show: of equal times the last, and none that is earlier than one before."""
    frames = []
    for frame in recording.frames:
        if frames and frame["t_ns"] < frames[-1]["t_ns"]:
            continue
        if frames and frame["t_ns"] == frames[-1]["t_ns"]:
            frames.pop()
        frames.append(frame)
    return frames


def boxes(recording, frame):
    """Bounding boxes (left, top, right, bottom), opacity and row of what is visible, by identifier."""
    found = {}
    for row in recording.items_at(frame["t_ns"]).values():
        if row["hidden"]:
            continue
        places = [(x - frame["content_offset_x"], y - frame["content_offset_y"]) for x, y in corners(row)]
        xs, ys = [p[0] for p in places], [p[1] for p in places]
        found[row["id"]] = ((min(xs), min(ys), max(xs), max(ys)), max(0, min(1, row["alpha"])), row)
    return found
