#!/usr/bin/env python3
"""Real apps record themselves: a bottom sheet and a stock carousel on GTK 4 and libadwaita, and a sheet in QML.

    Tests/Oracles/apps.py KYMO [--library FOLDER]

Needs FOLDER, .build/whole/library unless given, which Tools/library --whole makes, and libadwaita, Xvfb and libXtst; it is
skipped without them. The apps of Tools/embed/gtk run on a screen without a display, and a pointer plays fixed gestures on
them. The velocity at the lift must be the toolkit's own to six digits, the decision the toolkit's own, and the parameters
of the app's spring in the intervals of `kymo fit`. The sheet has at most 12 lines of the recorder's, and is an app without
them. With KYMO_TEST_ROUNDS of 100 or more all twelve gestures are played, and each as it was recorded once more: the
decision must be the same, and `kymo compare` must find the same motion within a frame. The QML sheet of Tools/embed/qt follows if
PySide6 is installed. Qt tells an app no time of its animations, so its springs are counted, without a bar.
"""
import argparse
import ctypes
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from app_runs.app import App, TRAVEL, TooBusy, Wrong, check_header, count_recorder_lines
from app_runs.gestures import GESTURES, QML, SWIPES
from app_runs.screen import PointedScreen

LIBRARY = pathlib.Path(__file__).resolve().parents[2] / ".build/whole/library"
IS_LONG = int(os.environ.get("KYMO_TEST_ROUNDS", "0")) >= 100
MOST_LINES = 12
SHORT = ("short flick", "slow drag", "small drag, cancelled")
# Of twelve gestures. An interval of 90 % may miss a true number; the app's main loop may be late by a frame once.
LEAST_FITTED = 10 / 12
LEAST_REPEATED = 9 / 10


def missing(library):
    """What this machine lacks, as a sentence; empty if nothing."""
    if not (library / "lib/libkymograph.so.0").exists():
        return f"there is no {library}; Tools/library --whole makes it, with Swift 6.3 or newer"
    if not shutil.which("pkg-config") or subprocess.run(["pkg-config", "--exists", "libadwaita-1"]).returncode:
        return "libadwaita is missing (libadwaita-1-dev)"
    if not shutil.which("Xvfb"):
        return "Xvfb is missing (xvfb)"
    try:
        ctypes.CDLL("libXtst.so.6")
    except OSError:
        return "libXtst is missing (libxtst6)"
    return ""


def outcome(gesture):
    return "finish" if gesture.finishes else "cancel"


def play(app, gesture, path):
    """Plays a gesture and checks the decision. Returns the app's printed lines, and whether each true parameter of the
    spring is in the interval of the fit."""
    lines = app.record(gesture, gesture.touches(), path)
    if (decision := app.decision(path)) != outcome(gesture):
        raise Wrong(f"{app.name}, {gesture.name}: the app decided {lines}, the recording says {decision}")
    fit = app.fit(gesture, path)
    found = ", ".join(f"{name} {true:.4g} ({low:.4g} to {high:.4g})" for name, true, low, high in fit)
    is_fitted = all(low <= true <= high for _, true, low, high in fit)
    print(f"  {gesture.name}: {decision}; {found}{'' if is_fitted else ' MISSED'}")
    return lines, is_fitted


def check_velocity(app, gesture, lines, path):
    """libadwaita 1.2 gives pixels per millisecond."""
    own = next(float(line[1]) for line in lines if line[0] == "end-swipe") * 1000 / TRAVEL
    found = app.velocity(path)
    if not math.isclose(own, found, rel_tol=5e-7, abs_tol=1e-9):
        raise Wrong(f"{gesture.name}: the tracker's velocity is {own:.6g}/s, kymo velocity says {found:.6g}/s")
    return found


def check_sheet(app, folder):
    gestures = GESTURES if IS_LONG else [gesture for gesture in GESTURES if gesture.name in SHORT]
    fitted, repeated = 0, 0
    for number, gesture in enumerate(gestures):
        path, again = folder / f"sheet-{number}.kymo", folder / f"again-{number}.kymo"
        lines, is_fitted = play(app, gesture, path)
        fitted += is_fitted
        velocity = check_velocity(app, gesture, lines, path)
        if not IS_LONG:
            continue
        check_velocity(app, gesture, app.record(gesture, app.recorded_touches(path), again), again)
        if app.decision(again) != outcome(gesture):
            raise Wrong(f"{gesture.name}: played as it was recorded, it is decided otherwise")
        difference = app.differs(path, again)
        repeated += not difference
        print(f"    {velocity:.6g}/s as the tracker's; once more: {difference or 'the same'}")
    print(f"sheet: {len(gestures)} velocities to six digits; {fitted} springs of {len(gestures)}")
    if fitted < LEAST_FITTED * len(gestures):
        raise Wrong(f"only {fitted} of {len(gestures)} springs are in the intervals of the fit")
    if IS_LONG:
        print(f"  played as recorded: {len(gestures)} decisions the same, {repeated} motions within a frame")
        if repeated < LEAST_REPEATED * len(gestures):
            raise Wrong(f"only {repeated} of {len(gestures)} gestures give the same motion once more")


def check_carousel(app, folder):
    for number, gesture in enumerate(SWIPES):
        if not play(app, gesture, folder / f"carousel-{number}.kymo")[1]:
            raise Wrong(f"the carousel's {gesture.name}: a parameter of its spring is not in the interval of the fit")
    print(f"carousel: {len(SWIPES)} swipes, decided by the widget")


def check_qml(app, folder):
    fitted = sum(play(app, gesture, folder / f"qml-{number}.kymo")[1] for number, gesture in enumerate(QML))
    print(f"QML sheet: {len(QML)} decisions; {fitted} springs of {len(QML)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kymo")
    parser.add_argument("--library", type=pathlib.Path, default=LIBRARY)
    options = parser.parse_args()
    if sentence := missing(options.library):
        print(f"skipped: {sentence}")
        return
    with tempfile.TemporaryDirectory(prefix="kymo-apps-") as name:
        folder = pathlib.Path(name)
        check_header(options.library)
        count = count_recorder_lines("sheet", folder)
        print(f"lines: {count} of the recorder's in the sheet, which is an app without them")
        if count > MOST_LINES:
            raise Wrong(f"the sheet has {count} lines of the recorder's, more than {MOST_LINES}")
        screen = PointedScreen()
        try:
            library, kymo = options.library.resolve(), os.path.abspath(options.kymo)
            apps = [App.of_gtk(name, folder, library, screen, kymo) for name in ("sheet", "carousel")]
            check_sheet(apps[0], folder)
            check_carousel(apps[1], folder)
            if IS_LONG and (qml := App.of_qt(library, screen, kymo)):
                apps.append(qml)
                check_qml(qml, folder)
            elif IS_LONG:
                print("skipped: the QML sheet, since PySide6 or a library of Qt's for X11 is missing")
        except TooBusy as busy:
            if screen.is_prompt:
                raise
            print(f"skipped: {busy}; run it as root, whose pointer comes before other processes")
            return
        finally:
            screen.close()
        print(f"pointer: {'before' if screen.is_prompt else 'among'} other processes, at most "
              f"{max(app.latest for app in apps):.1f} ms late, {sum(app.repeats for app in apps)} gestures played again")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"Wrong: {wrong}")
