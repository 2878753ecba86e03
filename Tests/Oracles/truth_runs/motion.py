"""Motion after a release: how far past its end, and when it rests, in the sentences and rows of compare."""
import re

from truth_runs.calls import is_near

# Less than this past the end is no overshoot that anybody must name.
LEAST = 0.1


def target(release):
    return 1 if release.outcome == "finish" else 0


def after(timeline, release):
    """The samples of the progress from a release to the next start."""
    last = next((one.last for one in timeline.transitions if one.number == release.transition), 1 << 62)
    return [(t, value) for t, value, _ in timeline.samples.get("progress", []) if release.time <= t <= last]


def percent_beyond(timeline, release):
    """An overshoot in percent of the longer way."""
    beyond, way = timeline.overshoot(release)
    return 100 * beyond / way if way else 0.0


def comes_to_rest(timeline, release):
    """Whether the progress ends where the outcome leads, in samples behind the release."""
    rows = after(timeline, release)
    return len(rows) > 2 and abs(rows[-1][1] - target(release)) < 1e-6


def check_words(findings, where, text, a, b):
    """The words of `compare` for what B does otherwise: "progress swings 33 % past 0"."""
    found = re.search(r"progress swings (\S+) % past (-?[\d.]+)", text)
    if not found or len(b.releases) != 1:
        return
    release = b.releases[0]
    if comes_to_rest(b, release):
        right = percent_beyond(b, release)
        findings.check("compare: overshoot in words", where, is_near(float(found[2]), target(release), 1e-6, 1e-6)
                       and abs(float(found[1]) - right) <= 0.51, f"{text} for {right}, {release.outcome}")


def check_motion(findings, where, motion, sides):
    """The overshoot in rows, which no cancel and no finish is without when it swings."""
    for one in motion:
        for letter, timeline in sides.items():
            release = next((it for it in timeline.releases if it.transition == one["transition"]), None)
            percent = one.get("overshoot_percent_" + letter.lower())
            if release is None or len(timeline.transitions) > 1 or not comes_to_rest(timeline, release):
                continue
            (beyond, _), right = timeline.overshoot(release), percent_beyond(timeline, release)
            if beyond >= LEAST:
                findings.check("compare: overshoot", where, percent is not None and is_near(percent, right, 1e-3, 0.1),
                               f"{letter} {percent} for {right}, {release.outcome}")
            elif beyond == 0 and percent is not None:
                findings.check("compare: overshoot", where, percent < 0.5, f"{letter} {percent} for none, {release.outcome}")
