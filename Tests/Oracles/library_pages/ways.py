"""How far an element goes: read by the second client, in kymo's recording, and in a sentence."""
import dataclasses
import json
import math
import re

# Two that went the same way agree within so many px, and a sentence may round.
TOLERANCE = 3
# What appears while it moves is first seen a frame earlier or later: a share of its way.
LATE = 0.1
# So much of a finger's first way a busy browser keeps from the page, which shows in how far an element goes meanwhile.
SLOP = 20
# An element that goes less stays where it was.
LEAST = 4
# What moves in so many frames does not go at once.
STEPS = 5


@dataclasses.dataclass(frozen=True)
class Way:
    """The way of an element's middle from where it is first seen to where it rests, in px."""
    first: tuple
    rest: tuple
    farthest: float
    first_box: tuple
    rest_box: tuple
    # In how many frames it moved.
    steps: int
    # It was not there from the beginning.
    appears: bool

    @staticmethod
    def of(boxes, may_be_empty=False):
        """The way through boxes [x, y, width, height] of each frame, of which some are None. What has no size is not
        there, unless it may carry others."""
        seen = [box for box in boxes if box and (may_be_empty or box[2] or box[3])]
        if not seen:
            return None
        middles = [(x + width / 2, y + height / 2) for x, y, width, height in seen]
        return Way(middles[0], middles[-1], max(math.dist(middles[0], middle) for middle in middles),
                   tuple(seen[0]), tuple(seen[-1]), sum(one != other for one, other in zip(middles, middles[1:])),
                   boxes[0] is None or not (boxes[0][2] or boxes[0][3]))

    @property
    def parts(self):
        return self.rest[0] - self.first[0], self.rest[1] - self.first[1]

    @property
    def length(self):
        return math.hypot(*self.parts)

    @property
    def sizes(self):
        return self.first_box[2:], self.rest_box[2:]

    @property
    def only_resizes(self):
        """Whether a corner stays where it was, so that its size says it all."""
        edges = [((x, y, x + width, y + height)) for x, y, width, height in [self.first_box, self.rest_box]]
        stays = [abs(one - other) <= 1 for one, other in zip(*edges)]
        return (stays[0] or stays[2]) and (stays[1] or stays[3]) and self.sizes[0] != self.sizes[1]

    @property
    def is_back(self):
        return self.length < LEAST < self.farthest

    @property
    def tolerance(self):
        return TOLERANCE + (LATE * self.farthest if self.appears else 0)

    def unwrapped(self, length):
        """The way of an endless strip as it is seen: without the whole lengths by which it jumps to the same picture."""
        if not length:
            return self
        parts = [part - length * round(part / length) for part in self.parts]
        rest = tuple(first + part for first, part in zip(self.first, parts))
        return dataclasses.replace(self, rest=rest, farthest=math.dist(self.first, rest))

    def agrees(self, other, glides):
        """Whether another client saw the same: as far from the first place at rest, and meanwhile. Of what glides only
        the direction."""
        if glides:
            cosine = sum(one * two for one, two in zip(self.parts, other.parts)) / (self.length * other.length or 1)
            return cosine > 0.95
        most = max(self.tolerance, other.tolerance)
        return math.dist(self.parts, other.parts) <= most and abs(self.farthest - other.farthest) <= most + SLOP

    def is_in(self, text, zooms):
        """Whether a sentence says it."""
        found = [abs(number) for number in numbers(text)]
        if self.is_back:
            return re.search(r"\bback\b|rests at (\(0, 0\)|-?0) px", text) is not None
        if (zooms or self.only_resizes or self.length < LEAST) and all(
                any(abs(number - side) <= self.tolerance for number in found) for side in self.sizes[1]):
            return True
        # Along one axis, the way's larger part stands for it.
        ways = [self.length, max(map(abs, self.parts))]
        if self.has_size(found):
            ways += self.corner_ways
        return any(abs(number - way) <= self.tolerance for number in found for way in ways)

    def has_size(self, found):
        """Whether numbers contain both sizes of an element that is resized. With them, the way of any corner says where
        its middle goes."""
        return self.sizes[0] != self.sizes[1] and all(
            any(abs(number - side) <= self.tolerance for number in found) for size in self.sizes for side in size)

    @property
    def corner_ways(self):
        """How far the corners and the middles of the sides go."""
        edges = [[[box[axis] + share * box[axis + 2] for share in (0, 0.5, 1)] for axis in (0, 1)]
                 for box in (self.first_box, self.rest_box)]
        return [math.hypot(edges[1][0][i] - edges[0][0][i], edges[1][1][j] - edges[0][1][j])
                for i in range(3) for j in range(3)]

    def __str__(self):
        parts = "({:+.1f}, {:+.1f}) px".format(*self.parts)
        first, rest = self.sizes
        sizes = "" if first == rest else ", {:.0f}×{:.0f} to {:.0f}×{:.0f}".format(*first, *rest)
        return f"{parts}{sizes}, at most {self.farthest:.1f} px away"


def numbers(text):
    """The numbers of a sentence, without those of intervals, times and shares."""
    text = re.sub(r"\([-\d.]+ to [-\d.]+\)", "", text).replace("×", " ")
    return [float(number) for number in re.findall(r"(?<![\w.#])[+-]?\d+(?:\.\d+)?(?![\d.]| ?(?:ms|s|frames?|px/s)\b| ?[%°])", text)]


def recorded(lines):
    """The boxes of each element in each frame of a recording's lines, by its name."""
    boxes, now, count = {}, {}, 0
    for row in map(json.loads, lines.splitlines()):
        if "frame" not in row or row["frame"].get("unread"):
            continue
        for item in row["frame"].get("items", []) + row["frame"].get("changed", []):
            now[item["id"]] = None if item.get("hidden") else box_of(item)
        for name in now:
            boxes.setdefault(name, [None] * count).append(now[name])
        count += 1
    return boxes


def box_of(item):
    """An element's box: of one that is turned, around its middle."""
    if "center" in item:
        (x, y), (width, height) = item["center"], item["size"]
        return [x - width / 2, y - height / 2, width, height]
    return item["frame"]
