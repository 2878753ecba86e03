"""An app of Tools/embed: run on a screen with a gesture, and its recording asked by the program."""
import json
import math
import os
import pathlib
import subprocess
import sys
import threading

from .screen import hurry

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = ROOT / "Tools/embed/gtk"
MARK = "// recorder"
STRICT = ["-Wall", "-Wextra", "-Werror"]
TRAVEL = 440  # pixels that progress 1 of the sheet stands for
# More than this later than meant, an event belongs to another frame.
LATE_MS = 2
ATTEMPTS = 5
SECONDS = 20


class Wrong(Exception):
    pass


class TooBusy(Wrong):
    """Other processes took the time that the pointer needed."""


def run(words, code=0, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **more)
    if done.returncode not in (code if isinstance(code, tuple) else (code,)):
        raise Wrong(f"{' '.join(map(str, words))}: code {done.returncode}: {done.stdout}{done.stderr}")
    return done


def flags(kind, library):
    """The flags of pkg-config, --cflags or --libs, for libadwaita, and for the library if there is one."""
    folders = [f"{library}/lib/pkgconfig"] if library else []
    environment = {**os.environ, "PKG_CONFIG_PATH": ":".join([*folders, os.environ.get("PKG_CONFIG_PATH", "")])}
    packages = ["libadwaita-1", *(["kymograph"] if library else [])]
    # A warning is an error, but for the headers of others.
    return [flag.replace("-I", "-isystem", 1)
            for flag in run(["pkg-config", kind, *packages], env=environment).stdout.split()]


def compile_app(source, program, library=None):
    run(["cc", "-std=gnu17", "-O1", *STRICT, "-I", SOURCES, *flags("--cflags", library), source, "-o", program, *flags("--libs", library),
         "-lm", *([f"-Wl,-rpath,{library}/lib"] if library else [])])


def check_header(library):
    """The header compiles by itself, as C and as C++."""
    for compiler, language in [("cc", "c"), ("g++", "c++")]:
        run([compiler, *STRICT, *flags("--cflags", library), "-include", SOURCES / "kymograph_gtk.h", "-fsyntax-only",
             "-x", language, "/dev/null"])


def count_recorder_lines(name, folder):
    """The lines of an app that record it. Without them it must be an app that knows nothing of Kymograph."""
    lines = (SOURCES / f"{name}.c").read_text(encoding="utf-8").splitlines(keepends=True)
    rest = [line for line in lines if MARK not in line]
    plain = folder / f"{name}-plain.c"
    plain.write_text("".join(rest), encoding="utf-8")
    compile_app(plain, folder / f"{name}-plain")
    return len(lines) - len(rest)


class App:
    """An app whose command takes the path of the recording."""

    def __init__(self, name, command, environment, screen, kymo):
        self.name, self.command, self.screen, self.kymo = name, command, screen, kymo
        self.environment = {**os.environ, "DISPLAY": screen.name, **environment}
        self.latest, self.repeats = 0, 0

    @classmethod
    def of_gtk(cls, name, folder, library, screen, kymo):
        compile_app(SOURCES / f"{name}.c", folder / name, library)
        return cls(name, [folder / name], {"STEADY": "1", "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo",
                                           "GSETTINGS_BACKEND": "memory", "ADW_DISABLE_PORTAL": "1"}, screen, kymo)

    @classmethod
    def of_qt(cls, library, screen, kymo):
        """The QML sheet; None if PySide6, or a library that it needs, is missing."""
        # Without a display's pace Qt's usual driver runs an animation by the count of frames, not by time.
        app = cls("QML sheet", [sys.executable, ROOT / "Tools/embed/qt/sheet.py"],
                  {"QT_QPA_PLATFORM": "xcb", "QT_QUICK_BACKEND": "software", "QSG_USE_SIMPLE_ANIMATION_DRIVER": "1",
                   "PYTHONPATH": str(ROOT / "Tools/python"), "PYTHONDONTWRITEBYTECODE": "1",
                   "KYMOGRAPH_LIBRARY_FILE": str(library / "lib/libkymograph.so.0"), "KYMOGRAPH_PROGRAM_FILE": kymo},
                  screen, kymo)
        words = "import PySide6.QtQuick, PySide6.QtGui as gui; gui.QGuiApplication([])"
        done = subprocess.run([sys.executable, "-c", words], env=app.environment, capture_output=True)
        return None if done.returncode else app

    def record(self, gesture, touches, path):
        """Runs the app with a gesture, and returns the lines that it printed. A gesture of which an event was late is not
        the gesture that was meant: it is played again, whatever the app made of it."""
        for _ in range(ATTEMPTS):
            path.unlink(missing_ok=True)
            late, lines = self.attempt(gesture, touches, path)
            self.latest = max(self.latest, late)
            if late <= LATE_MS:
                return lines
            self.repeats += 1
        raise TooBusy(f"the machine is too busy: in {ATTEMPTS} attempts an event was more than {LATE_MS} ms late")

    def attempt(self, gesture, touches, path):
        environment = {**self.environment, **gesture.spring.environment(), "SESSION": gesture.name,
                       "OPEN": str(int(gesture.is_open))}
        with subprocess.Popen([*self.command, path], env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as app:
            patience = threading.Timer(SECONDS, app.kill)
            patience.start()
            hurry(app.pid)
            ready = app.stdout.readline().split()
            late = self.screen.play(touches, int(ready[1]) * 1000) if ready else 0
            lines = []
            while not lines or lines[-1][0] != "done":
                if not (line := app.stdout.readline()):
                    raise Wrong(f"{self.name}, {gesture.name}: it did not settle within {SECONDS} s: {ready} {lines}")
                lines.append(line.split())
            app.terminate()
            app.wait()
            patience.cancel()
            if app.returncode:
                raise Wrong(f"{self.name}, {gesture.name}: it ended with {app.returncode}")
        return late, lines

    def ask(self, *words, code=0):
        return json.loads(run([self.kymo, *words, "--json"], code=code).stdout)

    def decision(self, path):
        """finish or cancel, of a recording without a warning whose release is derived from the lift."""
        events = self.ask("list", "events", path)
        if wrong := [event for event in events if event["event"] in ("warning", "error")]:
            raise Wrong(f"{path.name}: {wrong}")
        rows = self.ask("velocity", path, "--key", "progress")
        if len(rows) != 1 or rows[0]["derived"] != "lift":
            raise Wrong(f"{path.name}: not one release that is derived from the lift: {rows}")
        completed, = (event["finished"] for event in events if event["event"] == "completion")
        if completed != (rows[0]["decision"] == "finish"):
            raise Wrong(f"{path.name}: it was released to {rows[0]['decision']}, and completed otherwise")
        return rows[0]["decision"]

    def velocity(self, path):
        """The velocity at the lift by the toolkit's own formula, progress per second."""
        return self.ask("velocity", path, "--key", "progress", "--preset", "gnome")[0]["velocity"]

    def fit(self, gesture, path):
        """[(parameter of the spring, true number, low, high of the fit's interval)]; NaN if no model with such a number fits."""
        fit, = self.ask("fit", path, "--key", "progress", code=(0, 1))["fits"]
        none = {"low": math.nan, "high": math.nan}
        found = {name: (fit["parameters"] if fit["fits"] else {}).get(name, none) for name in gesture.spring.parameters()}
        return [(name, true, found[name]["low"], found[name]["high"])
                for name, true in gesture.spring.parameters().items()]

    def recorded_touches(self, path):
        rows = self.ask("list", "touches", path)
        return [((row["t_ns"] - rows[0]["t_ns"]) / 1e6, row["phase"], row["x"], row["y"]) for row in rows]

    def differs(self, one, other):
        """Why `kymo compare` says that two recordings differ; empty if the progress, the sheet's position and the decision
        are the same within a frame."""
        done = run([self.kymo, "compare", one, other, "--key", "progress,item.card.center.y"], code=(0, 1))
        return done.stdout.splitlines()[0] if done.returncode else ""
