"""Motion after a release: how far past its end, and when it rests, in the sentences and rows of describe and compare."""
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


def check_swings(findings, where, command, text, timeline):
    """An overshoot in a sentence is that of the samples, and a large one is named."""
    release = timeline.releases[-1] if timeline.releases else None
    if release is None or not comes_to_rest(timeline, release):
        return
    found = re.search(r"'progress' from [^;]*?, overshoot (-?[\d.]+) ?%", text)
    beyond, _ = timeline.overshoot(release)
    if not found:
        findings.check(f"{command}: an overshoot is named", where, beyond < LEAST or " more" in text, f"{beyond}: {text}")
        return
    right = percent_beyond(timeline, release)
    findings.check(f"{command}: overshoot", where, is_near(float(found[1]), right, 6e-3, 0.06),
                   f"{found[0]} for {right}, {release.outcome}")


def check_settle(findings, where, command, text, timeline):
    """"within 2 % 0.3 s after the release": nothing leaves the band behind it, and something is outside of it before."""
    found = re.search(r"'progress' from [^;]*?within 2 % (-?[\d.]+) s after the release", text)
    if not found or len(timeline.releases) != 1 or timeline.transitions[-1].number != timeline.releases[0].transition:
        return
    release, rows = timeline.releases[0], after(timeline, timeline.releases[0])
    if len(rows) < 3:
        return
    settled, end = release.time / 1e9 + float(found[1]), rows[-1][1]
    values = [value for _, value in rows]
    everything = [value for _, value, _ in timeline.samples["progress"]]
    start = timeline.transitions[-1].start or 0
    own = [value for at, value, _ in timeline.samples["progress"] if at >= start]
    ways = [1, abs(end - own[0]), max(own) - min(own), abs(end - values[0]), abs(end - (timeline.held("progress", release.time) or 0)), abs(end - everything[0]),
            max(values) - min(values), max(everything) - min(everything)]
    # The sentence has milliseconds, and a sample may be nearer than that to it.
    earlier = [value for t, value in rows if t / 1e9 < settled + 1e-3][-2:]

    def rests(way):
        is_outside = float(found[1]) == 0 or len(earlier) < 2 or any(abs(value - end) >= 0.02 * way * 0.999 for value in earlier)
        return is_outside and all(abs(value - end) <= 0.02 * way * 1.001 + 1e-9 for t, value in rows if t / 1e9 > settled + 1e-3)

    holds = any(rests(way) for way in ways)
    findings.check(f"{command}: settled", where, holds, f"{found[0]} of a release at {release.time}")


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
