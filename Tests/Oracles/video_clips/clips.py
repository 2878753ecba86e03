"""Families of clips, and what is true in each picture."""
import dataclasses
import math
import random
import zlib

import numpy as np

from . import drawing, motions
from .encoding import CODECS, codecs, encode


@dataclasses.dataclass
class Clip:
    """One clip. Lengths are in pixels before it is made smaller, times in seconds."""

    family: str
    name: str
    theme: drawing.Theme
    texture: drawing.Texture
    # The center, scale, opacity and turn at a time.
    motion: object
    size: tuple = (240, 480)
    seconds: float = 1.1
    fps: float = 60
    codec: str = "x264"
    quality: int = 22
    shrink: float = 1.0
    # A share of pictures that are left out, or repeat the one before; a standard deviation of times.
    dropped: float = 0.0
    repeated: float = 0.0
    jitter: float = 0.0
    # An app at this rate, recorded at the clip's.
    app_rate: float = 0.0
    noise: float = 0.0
    # Whether a compositor moves it as a layer.
    by_layer: bool = True
    # The page's offset at a time, and things that are drawn under and over the element.
    page_moves: object = None
    under: object = None
    over: object = None
    finger: object = None
    # From when on the clip shows another page without the element.
    cut: float = math.inf
    # The share of the element that nothing covers, at a time.
    uncovered: object = None
    # Several things look like the element: it need not be found.
    is_ambiguous: bool = False
    # The picture in which the element is marked is the last one.
    marked_at_end: bool = False
    # The part of the texture that is marked, from its center. None: its outline.
    part: tuple = None
    # What the motion is: the key's attribute, the model's name, and its parameters.
    model: tuple = None
    # The element's lag behind the finger, in seconds.
    lag: float = None
    must_refuse: bool = False
    is_poor: bool = False

    def __post_init__(self):
        self.random = random.Random(zlib.crc32(self.name.encode()))

    def times(self):
        """The time of each picture in the file, and the instant that it shows."""
        at = [index / self.fps for index in range(round(self.seconds * self.fps))]
        if self.jitter:
            at = [0.0] + sorted(max(0.004, t + self.random.gauss(0, self.jitter)) for t in at[1:])
        at = [t for index, t in enumerate(at) if index in (0, len(at) - 1) or self.random.random() >= self.dropped]
        # Two pictures have two ticks.
        base = CODECS[self.codec][2]
        ticks = [round(t * base) for t in at]
        for index in range(1, len(ticks)):
            ticks[index] = max(ticks[index], ticks[index - 1] + 1)
        at = [tick / base for tick in ticks]
        shown = list(at)
        for index in range(1, len(at)):
            if self.repeated and self.random.random() < self.repeated:
                shown[index] = shown[index - 1]
            if self.app_rate:
                shown[index] = math.floor(at[index] * self.app_rate + 1e-6) / self.app_rate
        return at, shown

    def state(self, t):
        values = tuple(float(value) for value in self.motion(t))
        return values + (1.0, 1.0, 0.0)[len(values) - 2:]

    def write(self, folder):
        """Encodes it, and returns what is true."""
        width, height = self.size
        noise = np.random.default_rng(zlib.crc32(self.name.encode()))
        page = drawing.page(self.theme, width, height + (400 if self.page_moves else 0))
        other = drawing.page(self.theme, width, height) if self.cut < math.inf else None
        ground = np.zeros((height, width), np.float32)
        page.draw(ground, width / 2, page.height / 2)
        after = np.zeros((height, width), np.float32)
        if other:
            other.draw(after, width / 2, height / 2)
        at, shown = self.times()
        finger = drawing.dot(self.theme) if self.finger else None
        frames, states, last = [], [], None
        for index, instant in enumerate(shown):
            states.append(self.state(instant))
            if last is not None and instant == last:
                frames.append(frames[-1])
                continue
            last = instant
            frame = (after if instant >= self.cut else ground).copy()
            if self.page_moves and instant < self.cut:
                dx, dy = self.page_moves(instant)
                frame[:] = self.theme.paper
                page.draw(frame, width / 2 + dx, page.height / 2 + dy)
            if self.under:
                self.under(frame, instant)
            x, y, scale, alpha, turn = states[-1]
            if instant < self.cut:
                self.texture.draw(frame, x, y, scale, alpha, turn, self.by_layer)
            if self.over:
                self.over(frame, instant, states[-1])
            place = self.finger(instant) if self.finger else None
            if place:
                finger.draw(frame, *place)
            if self.noise:
                frame += noise.normal(0, self.noise / 255, frame.shape).astype(np.float32)
            frames.append((np.clip(frame, 0, 1) * 255 + 0.5).astype(np.uint8))
        path = encode(frames, at, f"{folder}/{self.name}", self.codec, self.quality, self.shrink)
        return Truth(self, path, at, shown, states)


class Truth:
    """What is true of a clip, in pixels of the file."""

    def __init__(self, clip, path, at, shown, states):
        self.clip, self.path, self.times = clip, path, at
        self.tick = 1 / CODECS[clip.codec][2]
        factor = clip.shrink
        self.size = tuple(int(length * factor) // 2 * 2 for length in clip.size)
        self.reference = len(at) - 1 if clip.marked_at_end else 0
        x, y, scale, alpha, turn = states[self.reference]
        dx, dy, width, height = clip.part or (0, 0, clip.texture.width, clip.texture.height)
        cosine, sine = math.cos(turn) * scale, math.sin(turn) * scale
        left = (x + cosine * dx - sine * dy - width * scale / 2) * factor
        top = (y + sine * dx + cosine * dy - height * scale / 2) * factor
        right, bottom = left + width * scale * factor, top + height * scale * factor
        # Somebody marks whole pixels.
        self.rectangle = [round(left), round(top), round(right) - round(left), round(bottom) - round(top)]
        ox = self.rectangle[0] + self.rectangle[2] / 2 - x * factor
        oy = self.rectangle[1] + self.rectangle[3] / 2 - y * factor
        self.poses, self.seen, self.is_clear = [], [], []
        for instant, (px, py, ps, pa, pt) in zip(shown, states):
            size, angle = ps / scale, pt - turn
            c, s = math.cos(angle) * size, math.sin(angle) * size
            cx, cy = px * factor + c * ox - s * oy, py * factor + s * ox + c * oy
            self.poses.append((cx, cy, size, pa / alpha if alpha else pa, angle))
            w, h = self.rectangle[2] * size, self.rectangle[3] * size
            inside = (max(0.0, min(cx + w / 2, self.size[0]) - max(cx - w / 2, 0))
                      * max(0.0, min(cy + h / 2, self.size[1]) - max(cy - h / 2, 0)) / (w * h))
            free = clip.uncovered(instant) if clip.uncovered else 1.0
            self.seen.append(0.0 if instant >= clip.cut or pa < 0.03 else inside * free)
            self.is_clear.append(self.seen[-1] > 0.999 and self.poses[-1][3] > 0.1 and not clip.is_ambiguous)
        moves = [math.dist(one[:2], two[:2]) for one, two in zip(self.poses, self.poses[2:])]
        # A repeat can be told if the element was on its way before and after.
        self.repeats = [index for index in range(2, len(at) - 1)
                        if shown[index] == shown[index - 1] and shown[index - 1] != shown[index - 2]
                        and min(self.way(index - 2, index - 1), self.way(index - 1, self.after(shown, index))) > 1.3]
        self.all_repeats = {index for index in range(1, len(at)) if shown[index] == shown[index - 1]}

    def after(self, shown, index):
        """The next picture that shows something else."""
        while index + 1 < len(shown) and shown[index] == shown[index - 1]:
            index += 1
        return index

    def way(self, one, two):
        return math.dist(self.poses[one][:2], self.poses[two][:2])


# ---- Families


def start_of(rng):
    """The motion begins between two pictures."""
    return rng.uniform(0.15, 0.24)


def after(start, motion):
    return lambda t: motion(t - start)


def pick(rng, *names):
    return rng.choice([name for name in names if name in codecs()] or ["x264"])


def quality(rng, codec):
    return {"x264": rng.choice((18, 20, 23)), "hevc": 24, "vp9": 32, "vp8": 20}.get(codec, 0)


def some_card(rng, theme, size):
    return drawing.card(theme, round(size[0] * rng.uniform(0.6, 0.8)), round(size[0] * rng.uniform(0.3, 0.42)))


def some_spring(rng, low=0.45, high=0.95):
    stiffness = rng.uniform(140, 380)
    return stiffness, 2 * rng.uniform(low, high) * math.sqrt(stiffness)


def upwards(rng, size, height):
    """Where something begins and ends, well inside of the page."""
    top, bottom = 45 + height / 2, size[1] - 15 - height / 2
    return bottom - rng.uniform(0, 20), top + rng.uniform(0, 40)


def with_spring(rng, theme, size, texture=None, **more):
    texture = texture or some_card(rng, theme, size)
    stiffness, damping = some_spring(rng)
    first, last = upwards(rng, size, texture.height)
    x = size[0] / 2 + rng.uniform(-8, 8)
    y = after(start_of(rng), motions.spring(first, last, stiffness, damping))
    settings = {"texture": texture, "motion": lambda t: (x, y(t)), "size": size,
                "model": ("center.y", "spring", {"stiffness": stiffness, "damping": damping}),
                "by_layer": rng.random() < 0.6}
    return settings | more


def plain(rng, theme, size):
    codec = pick(rng, "x264", "x264", "hevc", "vp8", "vp9", "gif", "ffv1")
    fps = 50 if codec == "gif" else rng.choice((30, 60, 60, 120))
    return with_spring(rng, theme, size, codec=codec, quality=quality(rng, codec), fps=fps)


def poor(rng, theme, size):
    codec = pick(rng, "x264", "x264", "hevc")
    return with_spring(rng, theme, size, codec=codec, quality=30, is_poor=True)


def half(rng, theme, size):
    return with_spring(rng, theme, (390, 844), shrink=0.5, quality=rng.choice((23, 28)), is_poor=True)


def vfr(rng, theme, size):
    return with_spring(rng, theme, size, dropped=0.25, jitter=0.002)


def dup(rng, theme, size):
    if rng.random() < 0.3:
        return with_spring(rng, theme, size, app_rate=48)
    return with_spring(rng, theme, size, repeated=0.15)


def busy(rng, theme, size):
    made = with_spring(rng, theme, size)
    kind = rng.choice(("parallax", "content", "covered", "noise"))
    motion, first = made["motion"], made["motion"](0)[1]
    if kind == "parallax":
        made["page_moves"] = lambda t: (0, 0.4 * (motion(t)[1] - first))
    elif kind == "content":
        inner = drawing.button(theme, 24)
        wide = made["texture"].width / 2 - 20
        made["over"] = lambda frame, t, state: inner.draw(frame, state[0] + wide * math.sin(7 * t), state[1] + 8)
    elif kind == "covered":
        front = drawing.photo(theme, round(0.3 * size[0]), 60)

        def place(t):
            return (0.1 + 0.7 * t) * size[0], size[1] * 0.45

        def uncovered(t):
            (x, y), (u, v) = motion(t), place(t)
            width = (made["texture"].width + front.width) / 2 - abs(x - u)
            height = (made["texture"].height + front.height) / 2 - abs(y - v)
            return 0.5 if width > 0 and height > 0 else 1.0

        made["over"] = lambda frame, t, state: front.draw(frame, *place(t))
        made["uncovered"] = uncovered
    else:
        made["noise"] = 3.5
    return made


def cut(rng, theme, size):
    texture = some_card(rng, theme, size)
    x, y = size[0] / 2 + rng.uniform(-9, 9), size[1] / 2 + rng.uniform(-60, 60)
    speed = rng.uniform(-60, 60)
    return {"texture": texture, "motion": lambda t: (x, y + speed * t), "size": size, "cut": rng.uniform(0.5, 0.8)}


def decoy(rng, theme, size):
    """A thing that looks like the element stays when the element goes."""
    texture = drawing.row(theme, size[0] - 16, 48)
    factor = rng.choice((0.8, 0.9, 1.15))
    x, first = size[0] / 2, rng.uniform(100, 160)
    instead = size[1] - rng.uniform(80, 120)
    return {"texture": texture, "motion": lambda t: (x, first + 40 * t), "size": size, "cut": rng.uniform(0.5, 0.8),
            "under": lambda frame, t: texture.draw(frame, x, instead, factor)}


def drag(rng, theme, size):
    texture = some_card(rng, theme, size)
    stiffness, damping = some_spring(rng, 0.7, 1.0)
    seconds, begin = rng.uniform(0.28, 0.4), rng.uniform(0.15, 0.25)
    lag = rng.choice((0.0, 0.0, 0.033, 0.05))
    way = rng.uniform(90, 140)
    x = size[0] / 2 + rng.uniform(-8, 8)
    first = size[1] * 0.3
    finger, element = motions.dragged(0, way, seconds, rng.choice((0.0, way + 60)), stiffness, damping, lag)
    at = (x + rng.uniform(-60, 60), first + rng.uniform(-14, 14))
    return {"texture": texture, "motion": lambda t: (x, first + element(t - begin)), "size": size, "lag": lag,
            "finger": lambda t: (at[0], at[1] + finger(t - begin)) if begin - 0.1 <= t < begin + seconds else None}


def flat(rng, theme, size):
    """One colour: with its edges it can be followed, and without them it cannot."""
    # Its edges are all that it has, so no photo of the same grey is behind them. Half of the pages are empty.
    theme.has_pictures = False
    theme.has_texts = rng.random() < 0.5
    side = round(rng.uniform(0.4, 0.5) * size[0])
    made = with_spring(rng, theme, size, drawing.square(theme, side))
    if rng.random() < 0.5:
        made |= {"part": (0, 0, side - 20, side - 20), "must_refuse": True, "model": None}
    return made


def fling(rng, theme, size):
    texture = drawing.row(theme, size[0] - 12, 50) if rng.random() < 0.5 else drawing.bubble(theme, 130, 40)
    rate = rng.uniform(4, 7)
    first = rng.uniform(90, 120)
    y = after(start_of(rng), motions.decay(first, (size[1] - 120 - first) * rate, rate))
    x = size[0] / 2
    return {"texture": texture, "motion": lambda t: (x, y(t)), "size": size, "model": ("center.y", "decay", {"rate": rate})}


def leave(rng, theme, size):
    texture = some_card(rng, theme, size)
    x, y = size[0] / 2, size[1] * rng.uniform(0.3, 0.7)
    begin, angle = start_of(rng), rng.choice((0.0, math.pi, math.pi / 2))
    reach = rng.uniform(700, 1100)

    def motion(t):
        gone = reach * max(0.0, t - begin) ** 1.5
        return x + gone * math.cos(angle), y + gone * math.sin(angle)

    return {"texture": texture, "motion": motion, "size": size}


def scale(rng, theme, size):
    texture = drawing.photo(theme, round(size[0] * 0.5), round(size[0] * 0.42))
    stiffness, damping = some_spring(rng)
    last = rng.choice((0.85, 1.3, 1.5))
    factor = after(start_of(rng), motions.spring(1.0, last, stiffness, damping))
    x, y = size[0] / 2 + rng.uniform(-5, 5), size[1] / 2 + rng.uniform(-50, 50)
    model = ("width", "spring", {"stiffness": stiffness, "damping": damping}) if last > 1.2 else None
    return {"texture": texture, "motion": lambda t: (x, y, factor(t)), "size": size, "model": model}


def scene(rng, theme, size):
    """Another page with things of the same kind slides over all."""
    texture = some_card(rng, theme, size)
    x, y = size[0] / 2, rng.uniform(130, 330)
    fresh = drawing.page(theme, *size)
    other = some_card(rng, theme, size)
    begin = rng.uniform(0.35, 0.5)
    slide = after(begin, motions.bezier(size[0] * 1.0, 0, 0.25, 0.25, 0.1, 0.25, 1))

    def over(frame, t, state):
        if t >= begin:
            left = slide(t)
            fresh.draw(frame, size[0] / 2 + left, size[1] / 2)
            other.draw(frame, size[0] / 2 + left, y + 70)

    def uncovered(t):
        share = (slide(t) - x + texture.width / 2) / texture.width
        return min(1.0, max(0.0, share)) if t >= begin else 1.0

    return {"texture": texture, "motion": lambda t: (x, y), "size": size, "over": over, "uncovered": uncovered}


def scroll(rng, theme, size):
    """A row of a list that moves. The rows differ, or are alike."""
    are_alike = rng.random() < 0.25
    texture = drawing.rows(theme, size[0], 48, 8, are_alike)
    rate = rng.uniform(3, 5)
    first = size[1] / 2 + 60
    y = after(start_of(rng), motions.decay(first, -rng.uniform(100, 150) * rate, rate))
    x = size[0] / 2
    return {"texture": texture, "motion": lambda t: (x, y(t)), "size": size, "part": (0, 24, size[0], 48), "by_layer": False,
            "is_ambiguous": are_alike, "model": None if are_alike else ("center.y", "decay", {"rate": rate})}


def sheet(rng, theme, size):
    texture = drawing.drawer(theme, size[0], round(size[1] * rng.uniform(0.35, 0.5)))
    stiffness, damping = some_spring(rng, 0.8, 1.0)
    rest = size[1] - texture.height / 2
    y = after(start_of(rng), motions.spring(size[1] + texture.height / 2 + 8, rest, stiffness, damping))
    return {"texture": texture, "motion": lambda t: (size[0] / 2, y(t)), "size": size, "marked_at_end": True, "by_layer": False,
            "model": ("center.y", "spring", {"stiffness": stiffness, "damping": damping})}


def small(rng, theme, size):
    texture = drawing.button(theme, rng.choice((28, 34, 40)))
    stiffness, damping = some_spring(rng)
    x = after(start_of(rng), motions.spring(40, size[0] - 50, stiffness, damping))
    y = size[1] - rng.uniform(60, 120)
    return {"texture": texture, "motion": lambda t: (x(t), y), "size": size,
            "model": ("center.x", "spring", {"stiffness": stiffness, "damping": damping})}


def spring(rng, theme, size):
    texture = rng.choice((drawing.bubble, drawing.photo))(theme, round(size[0] * 0.5), 56)
    stiffness, damping = some_spring(rng, 0.3, 1.2)
    first, last = upwards(rng, size, texture.height)
    way = rng.uniform(0.3, 0.9) * (last - first)
    y = after(start_of(rng), motions.spring(first, first + way, stiffness, damping))
    x = size[0] / 2 + rng.uniform(-30, 30)
    return {"texture": texture, "motion": lambda t: (x, y(t)), "size": size, "fps": rng.choice((60, 120)),
            "model": ("center.y", "spring", {"stiffness": stiffness, "damping": damping})}


def turn(rng, theme, size):
    texture = drawing.photo(theme, round(size[0] * 0.45), round(size[0] * 0.35))
    share = after(start_of(rng), motions.spring(0, 1, *some_spring(rng)))
    angle = rng.choice((-1, 1)) * rng.uniform(0.1, 0.2)
    x, y = size[0] * 0.4, size[1] / 2
    return {"texture": texture, "motion": lambda t: (x + 40 * share(t), y, 1, 1, angle * share(t)), "size": size}


def fade(rng, theme, size):
    texture = some_card(rng, theme, size)
    share = after(start_of(rng), motions.bezier(0, 1, 0.5, 0.25, 0.1, 0.25, 1))
    x, y, comes = size[0] / 2, size[1] / 2, rng.random() < 0.5
    return {"texture": texture, "size": size, "marked_at_end": comes,
            "motion": lambda t: (x, y + 30 * share(t), 1, share(t) if comes else 1 - share(t))}


def curve(rng, theme, size):
    texture = some_card(rng, theme, size)
    first, last = upwards(rng, size, texture.height)
    duration = rng.uniform(0.3, 0.5)
    x = size[0] / 2
    points = rng.choice(((0.25, 0.1, 0.25, 1), (0.4, 0, 0.2, 1), (0, 0, 0.58, 1)))
    y = after(start_of(rng), motions.bezier(first, last, duration, *points))
    return {"texture": texture, "motion": lambda t: (x, y(t)), "size": size,
            "model": ("center.y", "bezier", {"duration": duration})}


FAMILIES = (plain, poor, half, vfr, dup, busy, cut, decoy, drag, flat, fling, leave, scale, scene, scroll, sheet, small, spring,
            turn, fade, curve)
SIZES = ((240, 480), (240, 480), (240, 480), (390, 844))


def make(seed, index, sizes=SIZES):
    family = FAMILIES[index % len(FAMILIES)]
    number = index // len(FAMILIES)
    name = f"{family.__name__}-{seed}-{number}"
    rng = random.Random(name)
    theme = drawing.Theme(random.Random(f"theme {name}"))
    return Clip(family=family.__name__, name=name, theme=theme, **family(rng, theme, rng.choice(sizes)))
