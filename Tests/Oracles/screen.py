#!/usr/bin/env python3
"""A real browser on a screen: does `kymo record --video` find in its picture the positions that the page itself reported?

    Tests/Oracles/screen.py KYMO [--keep FOLDER] [--tries N]

Starts Xvfb, records it losslessly with ffmpeg at 60 Hz, and lets `kymo watch --headed` drag a card there, which follows a
drawn dot 60 ms late and then swings to rest. The clip is tracked, and compared with the recording of the page. Each position
in the clip must be one that the page had, in the order of the page's frames and at about their times. The ways must be
equally long, and the lag to the dot must be in its interval.
Skipped without Xvfb, Chromium or ffmpeg with x11grab. It is tried again if a busy machine shows too few pictures of the
motion, or if the lag is outside of its interval, as one of ten may be.
"""
import argparse
import bisect
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from app_runs.screen import Screen
from report_page.browser import program

PAGE = pathlib.Path(__file__).resolve().parent / "screen_page" / "card.html"
WIDTH, HEIGHT = 600, 1000
# Of the page: the card's outline, the strip of squares in the corner as luma, and the dot's side, in px.
CARD = (90, 520, 200, 120)
STRIP = (b"\0" * 8 + b"\xff" * 8) * 4
DOT = 30
LAG_MS = 60
# The finger stands first, so that the dot can be marked.
ACTION = ["--drag", "#card", "0,-300", "--speed", "900", "--path", "throw", "--hold-first", "500"]
# Three frames, in seconds: how far the best shift of the times may be from the one between the two onsets, and the median
# picture from the frame that it shows.
FEW = 0.05
# On a busy machine a picture may show a frame so many seconds before or after.
OLDEST = 0.25
# A position in a frame that was not read counts as so far from it, in px: a frame that was read is preferred if it is nearer.
UNREAD = 0.5
# Bars, in px. A browser may draw whole pixels, which alone gives 0.29.
MOST_RMS, MOST_OFF, MOST_TRAVEL = 0.4, 1.0, 0.3
# Pictures in motion, so that there is something to compare.
LEAST_MOVING, MOST_UNREAD = 25, 0.3
MOST_MISSED = 0.03


class Wrong(Exception):
    pass


class TooBusy(Exception):
    """The clip shows too little."""


class Missed(Exception):
    """A true number is outside of its 90 % interval, as one of ten may be."""


def missing():
    """What this machine lacks, as a sentence; empty if nothing."""
    if not shutil.which("Xvfb"):
        return "Xvfb is missing (xvfb)"
    if not shutil.which("ffmpeg"):
        return "ffmpeg is missing (ffmpeg)"
    devices = subprocess.run(["ffmpeg", "-v", "error", "-devices"], capture_output=True, text=True).stdout
    if "x11grab" not in devices:
        return "this ffmpeg cannot record a screen (x11grab)"
    return "" if program() else "Chromium is missing (chromium)"


def run(*words, allowed=(0,), **settings):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **settings)
    if done.returncode not in allowed:
        raise Wrong(f"{' '.join(map(str, words[1:4]))} … ended with {done.returncode}: {done.stderr.strip()[-300:]}")
    return done


def film(kymo, screen, folder):
    """The clip of the screen, and the recording of the page."""
    clip, page = folder / "clip.mp4", folder / "page.kymo"
    for path in (clip, page):
        path.unlink(missing_ok=True)
    camera = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-y", "-f", "x11grab", "-framerate", "60", "-draw_mouse", "0", "-video_size",
         f"{WIDTH}x{HEIGHT}", "-i", screen.name, "-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-pix_fmt", "yuv420p",
         "-fps_mode", "passthrough", "-enc_time_base", "1/90000", str(clip)],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        # A fault of the page's own motion is no fault here.
        run(kymo, "watch", PAGE, *ACTION, "--clock", "real", "--headed", "--items", "#card, #dot", "--into", page,
            allowed=(0, 1), env={**os.environ, "DISPLAY": screen.name, "WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": "x11"})
    finally:
        said = camera.communicate(b"q", timeout=60)[1]
    if camera.returncode:
        raise Wrong(f"ffmpeg ended with {camera.returncode}: {said.decode(errors='replace')[-300:]}")
    return clip, page


def times(clip):
    """The time of each picture after the first one, in seconds."""
    rows = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", clip)
    found = sorted(float(row.strip(",")) for row in rows.stdout.split())
    return [one - found[0] for one in found]


def find_strip(clip):
    """The strip's place in each picture, None for one without it. The last place is the page's own."""
    reader = subprocess.Popen(
        ["ffmpeg", "-v", "fatal", "-i", str(clip), "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
        stdout=subprocess.PIPE)
    places = []
    while len(picture := reader.stdout.read(WIDTH * HEIGHT)) == WIDTH * HEIGHT:
        at = picture.find(STRIP)
        places.append((at % WIDTH, at // WIDTH) if at >= 0 else None)
    reader.wait()
    return places


class Track:
    """The places of an item in a recording by time: None in a frame in which it is gone or hidden. `unread` are the indices
    of frames that the page drew without being read."""

    def __init__(self, kymo, path, item):
        self.times, self.places, self.unread, place = [], [], set(), None
        for line in map(json.loads, run(kymo, "export", "ndjson", path).stdout.splitlines()):
            frame = line.get("frame")
            if not frame:
                continue
            if "items" in frame or any(one["id"] == item for one in frame.get("gone", [])):
                place = None
            for one in frame.get("items", []) + frame.get("changed", []):
                if one["id"] == item:
                    place = None if one.get("hidden") else tuple(one["center"])
            if frame.get("unread"):
                self.unread.add(len(self.times))
            self.times.append(line["t_ns"] / 1e9)
            self.places.append(place)

    def onset(self):
        """When it has left its first place by 2 px."""
        first = next(place for place in self.places if place)
        return next(time for time, place in zip(self.times, self.places) if place and math.dist(place, first) > 2)

    def at(self, moment):
        """The place in the newest frame of a moment."""
        return self.places[max(0, bisect.bisect_right(self.times, moment) - 1)]


def best_shift(clip, page):
    """From times of the clip to those of the page: the shift whose places agree best. It must be near that of the onsets."""
    about = page.onset() - clip.onset()

    def distance(shift):
        return statistics.fmean(
            abs(place[1] - page.at(moment + shift)[1]) for moment, place in zip(clip.times, clip.places) if place)

    shift = min((about + step / 1000 for step in range(-100, 101, 2)), key=distance)
    if abs(shift - about) > FEW:
        raise Wrong(f"the times agree best {1000 * (shift - about):.0f} ms away from the onset of the motion")
    return shift


def distance(page, index, place):
    """Of a place from the one in a frame of the page, in px. An unread frame has any place between its neighbours."""
    if index in page.unread:
        around = [page.places[one] for one in (index - 1, index + 1) if 0 <= one < len(page.places)]
        is_between = all(min(own[axis] for own in around) - 1 < place[axis] < max(own[axis] for own in around) + 1
                         for axis in (0, 1))
        return UNREAD if is_between else math.inf
    return math.dist(page.places[index], place) if page.places[index] else math.inf


def frames_shown(pictures, page, shift):
    """For each picture (its time and place) the index of the page's frame that it shows. No picture shows an earlier frame
    than the picture before, and the squares of the distances are least."""
    costs, steps = [0.0] * len(page.times), []
    for moment, place in pictures:
        # The page's recording begins after and ends before the pictures of the page at rest.
        moment = min(max(moment + shift, page.times[0]), page.times[-1])
        best, step, after = 0, [], []
        for index, time in enumerate(page.times):
            best = min(best, index, key=costs.__getitem__)
            step.append(best)
            after.append(costs[best] + distance(page, index, place) ** 2 if abs(time - moment) <= OLDEST else math.inf)
        costs = after
        steps.append(step)
    index = min(range(len(costs)), key=costs.__getitem__)
    if math.isinf(costs[index]):
        raise Wrong("a position is of no frame of the page about its time")
    shown = []
    for step in reversed(steps):
        shown.append(index)
        index = step[index]
    return shown[::-1]


def compare(clip, page):
    """Positions of the clip, from the page's own corner, against those that the page had. Returns the shift of the times."""
    shift = best_shift(clip, page)
    missed = sum(place is None for place in clip.places)
    if missed > MOST_MISSED * len(clip.places):
        raise Wrong(f"{missed} of {len(clip.places)} pictures have no position of the card")
    pictures = [(moment, place) for moment, place in zip(clip.times, clip.places) if place]
    off, late, unread = [], [], 0
    for (moment, place), index in zip(pictures, frames_shown(pictures, page, shift)):
        own = page.places[max(0, index - 1):index + 2]
        if index in page.unread:
            unread += 1
        elif max(one[1] for one in own) - min(one[1] for one in own) > 1:
            off.append(math.dist(place, page.places[index]))
            late.append(abs(moment + shift - page.times[index]))
    if len(off) < LEAST_MOVING or unread > MOST_UNREAD * len(off):
        raise TooBusy(f"{len(off)} pictures show the motion in frames that were read, and {unread} in others")
    rms, most, usual = math.sqrt(statistics.fmean(one * one for one in off)), max(off), statistics.median(late)
    ways = [track[-1][1] - track[0][1] for track in ([place for _, place in pictures], page.places)]
    print(f"card: {len(off)} pictures in motion are {rms:.3f} px rms, at most {most:.2f} px, and {1000 * usual:.0f} ms "
          f"(median) from a frame of the page; it moves {ways[0]:.2f} px, in the page {ways[1]:.2f} px; "
          f"{missed} of {len(clip.places)} pictures are without it, {unread} show a frame that the page did not read")
    if rms > MOST_RMS or most > MOST_OFF:
        raise Wrong(f"positions are off by {rms:.3f} px rms and {most:.2f} px, more than {MOST_RMS} and {MOST_OFF}")
    if usual > FEW:
        raise Wrong(f"the pictures are {1000 * usual:.0f} ms from the frames that they show, more than {1000 * FEW:.0f}")
    if abs(ways[0] - ways[1]) > MOST_TRAVEL:
        raise Wrong(f"the card moves {ways[0]:.2f} px in the clip and {ways[1]:.2f} px in the page")
    return shift


def check_lag(kymo, path):
    rows = json.loads(run(kymo, "show", f"{path}#1", "--json", allowed=(0, 1)).stdout)
    lags = [row for row in rows if row.get("about") == "card" and row.get("what") == "lag"]
    if not lags:
        raise Wrong("no lag to the dot is told")
    low, high = 1000 * lags[0]["low"], 1000 * lags[0]["high"]
    print(f"lag to the dot: {lags[0]['says']}; drawn are {LAG_MS} ms")
    if not low <= LAG_MS <= high:
        raise Missed(f"the lag of {LAG_MS} ms is not in {low:.1f} to {high:.1f} ms")


def attempt(kymo, screen, folder):
    clip, page = film(kymo, screen, folder)
    places = find_strip(clip)
    if not any(places):
        raise Wrong("the page is in no picture of the clip")
    corner = [place for place in places if place][-1]
    first, last = places.index(corner), len(places) - 1 - places[::-1].index(corner)
    moments = times(clip)
    x, y, width, height = CARD
    stretch = ["--from", f"{moments[first] - 0.0001:.6f}", "--to", f"{moments[last]:.6f}"]
    card = f"card={corner[0] + x},{corner[1] + y},{width}x{height}@{moments[first] + 0.0009:.6f}"
    own = Track(kymo, page, "card")
    alone, both = folder / "card.kymo", folder / "both.kymo"
    for path in (alone, both):
        path.unlink(missing_ok=True)
    # Code 3 reports pictures without a position, which are counted here.
    run(kymo, "record", "--video", clip, "--track", card, *stretch, "--into", alone, allowed=(0, 3))
    found = Track(kymo, alone, "card")
    found.places = [place and (place[0] - corner[0], place[1] - corner[1]) for place in found.places]
    shift = compare(found, own)

    dot = Track(kymo, page, "dot")
    shown = next(index for index, place in enumerate(dot.places) if place)
    mark = moments[first] + dot.times[shown] - shift + 0.25
    x, y = (round(dot.places[shown][axis] + corner[axis] - DOT / 2) for axis in (0, 1))
    run(kymo, "record", "--video", clip, "--track", card, "--track", f"finger={x},{y},{DOT}x{DOT}@{mark:.3f}", *stretch,
        "--into", both, allowed=(0, 3))
    check_lag(kymo, both)


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("kymo")
    asked.add_argument("--keep", type=pathlib.Path, help="a folder that keeps the clip and the recordings")
    asked.add_argument("--tries", type=int, default=3)
    options = asked.parse_args()
    if sentence := missing():
        print(f"skipped: {sentence}. Run Tools/setup --python")
        return
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kymo-screen-") as name:
        folder = options.keep or pathlib.Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        screen = Screen(WIDTH, HEIGHT)
        try:
            for rest in reversed(range(options.tries)):
                try:
                    attempt(os.path.abspath(options.kymo), screen, folder)
                    break
                except (TooBusy, Missed) as why:
                    if isinstance(why, Missed) and not rest:
                        raise Wrong(f"in each of {options.tries} clips a number is outside of its interval: {why}") from why
                    print(f"{'tried again' if rest else 'skipped'}: {why}")
        finally:
            screen.close()
    print(f"{time.monotonic() - begin:.0f} s")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"Wrong: {wrong}")
