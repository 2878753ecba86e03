"""Release rules by their formulas, as the article ReleaseRules and their sources have them; nothing is read from the program."""
import math

OTHER = {"finish": "cancel", "cancel": "finish"}
# The numbers that a rule compares beside threshold and progress; "v" is the velocity.
NEEDS = {
    "progress": [], "kwin": [], "kwin-overview": [],
    "velocity": ["velocityThreshold", "v"], "flutter-cupertino": ["velocityThreshold", "v"],
    "projection": ["decelerationRate", "v"], "projection-discrete": ["decelerationRate", "v"],
    "niri": ["decelerationRate", "v"], "omniwm": ["velocityThreshold", "v"],
    "cosmic": ["velocityThreshold", "distance", "outputLength", "v"],
    "compose": ["velocityThreshold", "distance", "v"],
    "flutter-dismissible": ["velocityThreshold", "distance", "v"],
}
# All names of the program; any other is an app's own.
KNOWN = [*NEEDS, "gnome", "hyprland", "wayfire"]


def decide(rule, numbers, progress, velocity):
    """Outcome, criterion and where it is projected to (None without a projection)."""
    threshold = numbers["threshold"]
    v = velocity or 0.0
    if abs(v) < (numbers.get("minimumVelocity") or 0):
        v = 0.0
    top = numbers.get("maximumVelocity")
    if top is not None and abs(v) > top:
        v = math.copysign(max(0.0, top), v)
    limit = numbers.get("velocityThreshold")

    def answer(finishes, criterion, place=None):
        return "finish" if finishes else "cancel", criterion, place

    if rule == "progress":
        return answer(progress > threshold, "progress")
    if rule == "kwin":
        return answer(min(abs(progress), 1) >= threshold, "progress")
    if rule == "kwin-overview":
        return answer(min(progress, 1) > threshold, "progress")
    if rule == "velocity":
        if abs(v) > limit:
            return answer(v > 0, "velocity")
        return answer(progress > threshold, "progress")
    if rule == "flutter-cupertino":
        if abs(v) >= limit:
            return answer(v > 0, "velocity")
        return answer(progress >= threshold, "progress")
    if rule in ("projection", "niri", "projection-discrete", "omniwm"):
        rate = numbers.get("decelerationRate")
        if rule == "omniwm":
            if progress > 1 or progress < 0:
                return answer(progress > 1, "progress")
            if abs(v) >= limit:
                return answer(v >= limit, "velocity")
        if rate is None:
            ahead = 0.15
        elif rule == "projection-discrete":
            ahead = rate / (1 - rate) / 1000
        else:
            ahead = -1 / (1000 * math.log(rate))
        place = progress + v * ahead
        past = place >= threshold if rule in ("niri", "omniwm") else place > threshold
        return answer(past, "projection", place)
    points = numbers.get("distance")
    if rule == "cosmic":
        points = points or 150
        speed = v * points / (numbers.get("outputLength") or 1920)
        if abs(speed) >= limit:
            return answer(speed > 0, "velocity")
        return answer(min(max(progress, 0), 1) > threshold, "progress")
    speed = abs(v) * (points or 1)
    if rule == "compose":
        place = min(max(progress, 0), 1)
        if v == 0:
            return answer(place >= 0.5, "progress")
        if speed >= limit:
            return answer(place > 0 if v > 0 else place >= 1, "velocity")
        if place in (0, 1):
            return answer(place == 1, "progress")
        return answer(place >= threshold if v > 0 else not 1 - place >= threshold, "progress")
    if rule == "flutter-dismissible":
        if progress >= 1 or progress <= 0:
            return answer(progress >= 1, "progress")
        if speed >= limit and speed - abs(numbers.get("crossVelocity") or 0) >= 400:
            return answer(v > 0 and threshold < 1, "velocity" if v < 0 or threshold < 1 else "progress")
        return answer(progress > threshold, "progress")
    raise KeyError(rule)


def flips(rule, numbers, progress, velocity, place, of):
    """Whether the outcome changes at a place of the progress or of the velocity, and nowhere nearer."""
    def outcome(at):
        return decide(rule, numbers, at, velocity)[0] if of == "progress" else decide(rule, numbers, progress, at)[0]

    here = progress if of == "progress" else velocity or 0.0
    now, step = outcome(here), 1e-9 * max(1, abs(place))
    nearer = [here + (place - here) * share for share in (0.1, 0.3, 0.5, 0.7, 0.9, 0.99)]
    if abs(place - here) > 100 * step and any(outcome(at) != now for at in nearer):
        return False
    return any(outcome(at) != now for at in (place - step, place, place + step))


def compared(rule, numbers, progress, velocity):
    """The number that the progress is compared with, where it decides."""
    threshold = numbers["threshold"]
    if rule == "compose":
        return 0.5 if not velocity else threshold if velocity > 0 else 1 - threshold
    return -threshold if rule == "kwin" and progress < 0 else threshold


def borders(rule, numbers, progress, velocity):
    """The progresses at which the rule's outcome changes, nearest to the one that was decided by; none: it has none there."""
    threshold = numbers["threshold"]
    ahead = decide(rule, {**numbers, "velocityThreshold": 1e9}, 0.5, 1)[2]
    places = [threshold, -threshold, 1 - threshold, 0, 0.5, 1]
    if ahead is not None:
        places.append(threshold - (velocity or 0.0) * (ahead - 0.5))
    return [place for place in places if flips(rule, numbers, progress, velocity, place, "progress")]
