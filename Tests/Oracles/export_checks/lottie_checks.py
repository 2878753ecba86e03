"""Lottie files, drawn by rlottie and taken apart by python-lottie."""
import json
import math

from export_checks.checking import check
from export_checks.stage import boxes, shown_frames
from report_page.rows import Recording

# What the program promises by default, and four digits behind the point.
TOLERANCE = 0.05 + 0.0001
# An edge moves with the center, half the size and the turn; and a pixel is a pixel.
PIXELS = 1.5


def value(property, time):
    """A value as a list; python-lottie gives vectors and numbers."""
    found = property.get_value(time)
    return found.components if hasattr(found, "components") else [found]


def geometry(path, recording, name):
    """Center, size, turn and opacity at every frame that was recorded, by python-lottie."""
    import lottie.objects

    animation = lottie.objects.Animation.load(json.loads(path.read_text()))
    rate = animation.frame_rate
    frames = shown_frames(recording)
    start = frames[0]["t_ns"]
    worst = {"center": 0, "edges": 0, "opacity": 0}
    missing = 0
    for frame in frames:
        # A millionth of a frame later: at the very end of a held keyframe python-lottie still has the old value.
        time = (frame["t_ns"] - start) * rate / 1e9 + 1e-6
        there = {}
        for layer in animation.layers:
            if layer.in_point <= time + 1e-9 and time + 1e-9 < layer.out_point:
                there[layer.name] = layer.transform
        known = boxes(recording, frame)
        missing += set(there) != set(known)
        for id, (box, alpha, row) in known.items():
            if id not in there:
                continue
            transform = there[id]
            x, y = value(transform.position, time)[:2]
            width, height = value(transform.scale, time)[:2]
            angle = math.radians(value(transform.rotation, time)[0])
            half_x = (abs(width * math.cos(angle)) + abs(height * math.sin(angle))) / 2
            half_y = (abs(width * math.sin(angle)) + abs(height * math.cos(angle))) / 2
            edges = (x - half_x, y - half_y, x + half_x, y + half_y)
            worst["center"] = max(worst["center"], abs(x - (box[0] + box[2]) / 2), abs(y - (box[1] + box[3]) / 2))
            worst["edges"] = max(worst["edges"], *(abs(a - b) for a, b in zip(edges, box)))
            worst["opacity"] = max(worst["opacity"], abs(value(transform.opacity, time)[0] - 100 * alpha))
    longest = max((math.hypot(b[0][2] - b[0][0], b[0][3] - b[0][1])
                   for f in frames for b in boxes(recording, f).values()), default=0)
    check(f"{name}: the same items at every frame", missing == 0, f"{missing} of {len(frames)}")
    check(f"{name}: python-lottie's centers", worst["center"] <= TOLERANCE, worst["center"])
    # The turn's tolerance is an angle.
    bound = 1.5 * TOLERANCE + longest / 2 * math.radians(TOLERANCE)
    check(f"{name}: python-lottie's edges", worst["edges"] <= bound, f"{worst['edges']} over {bound}")
    check(f"{name}: python-lottie's opacity", worst["opacity"] <= TOLERANCE, worst["opacity"])


def pixels(exports, path, recording, name):
    """Items alone, drawn by rlottie at whole frames, where their boxes were recorded."""
    from rlottie_python import LottieAnimation

    ids = sorted({r["id"] for r in recording.rows("attributes")})
    chosen = ids if len(ids) <= 4 else ids[:: max(1, len(ids) // 4)][:4]
    frames = shown_frames(recording)
    start = frames[0]["t_ns"]
    looked = 0
    for place, id in enumerate(chosen):
        out = exports.export("lottie", path, "--items", id, suffix=f"-{place}")
        animation = LottieAnimation.from_data(out.read_text())
        width, height = animation.lottie_animation_get_size()
        rate = animation.lottie_animation_get_framerate()
        for number, frame in enumerate(frames):
            drawn = (frame["t_ns"] - start) * rate / 1e9
            # rlottie draws whole frames only.
            if abs(drawn - round(drawn)) > 1e-4 or number % max(1, len(frames) // 12):
                continue
            data = animation.lottie_animation_render(round(drawn))
            known = boxes(recording, frame).get(id)
            columns, rows = [], []
            for y in range(height):
                line = data[y * width * 4:(y + 1) * width * 4][3::4]
                solid = [x for x, alpha in enumerate(line) if alpha > 2]
                if solid:
                    rows.append(y)
                    columns += [solid[0], solid[-1]]
            if known is None and any(layer["op"] == drawn for layer in json.loads(out.read_text())["layers"]):
                # rlottie draws a layer in the frame of its end, too.
                continue
            if known is None or known[1] < 0.03:
                check(f"{name}: {id!r} is not drawn at {drawn}", rows == [], len(rows))
                continue
            left, top, right, bottom = known[0]
            box = (max(0, left), max(0, top), min(width, right), min(height, bottom))
            if box[2] - box[0] < 1 or box[3] - box[1] < 1:
                continue
            looked += 1
            seen = (min(columns), min(rows), max(columns) + 1, max(rows) + 1) if rows else None
            check(f"{name}: rlottie draws {id!r} at frame {drawn}",
                  seen and all(abs(a - b) <= PIXELS for a, b in zip(seen, box)), f"{seen} for {box}")
    check(f"{name}: rlottie's pixels were looked at", looked >= 3, looked)


def run(exports, path):
    recording = Recording(path)
    name = f"lottie of {path.stem}"
    out = exports.export("lottie", path)
    document = json.loads(out.read_text())
    check(f"{name}: layers lie within the animation", all(
        0 <= layer["ip"] < layer["op"] <= document["op"] + 1e-9 for layer in document["layers"]))
    geometry(out, recording, name)
    pixels(exports, path, recording, name)
    from rlottie_python import LottieAnimation

    animation = LottieAnimation.from_file(str(out))
    frame = animation.lottie_animation_get_totalframe() // 2
    width, height = animation.lottie_animation_get_size()
    check(f"{name}: rlottie draws something", any(animation.lottie_animation_render(frame)))
    write_png(exports.folder / f"{path.stem}-lottie.png", width, height,
              animation.lottie_animation_render(frame))


def write_png(path, width, height, data):
    """Premultiplied blue, green, red, alpha on white, as a PNG."""
    import struct
    import zlib

    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            blue, green, red, alpha = data[(y * width + x) * 4:(y * width + x) * 4 + 4]
            rows += bytes(min(255, part + 255 - alpha) for part in (red, green, blue))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b""))
