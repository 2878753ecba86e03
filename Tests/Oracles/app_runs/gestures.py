"""Twelve gestures for the sheet with the spring that settles each, and a few for the carousel and the QML sheet."""
import cmath
import dataclasses
import math

from .screen import FRAME_NS

# Two reports in a frame of GTK, as of a mouse with 120 Hz. GTK gives an app the moves of a frame as one at its end, and a
# settle begins at the nearest frame. So reports and lifts stay away from the ends and the middles of frames: the same
# gesture has the same moves and the same settle each time.
REPORT_MS = FRAME_NS / 2e6
LIFT_MS = 3  # after the last report
X = 180


@dataclasses.dataclass(frozen=True)
class Spring:
    """AdwSpringParams."""
    damping_ratio: float
    mass: float
    stiffness: float

    def environment(self):
        return {name.upper(): str(value) for name, value in dataclasses.asdict(self).items()}

    def parameters(self):
        """The same motion in the names of `kymo fit`, which cannot determine a mass."""
        frequency = math.sqrt(self.stiffness / self.mass)
        return {"damping_ratio": self.damping_ratio, "angular_frequency": frequency, "response": 2 * math.pi / frequency}


@dataclasses.dataclass(frozen=True)
class QMLSpring:
    """SpringAnimation, which moves a mass of 1 in steps of 16 ms: v += spring * rest - damping * v; x += v * step."""
    spring: float
    damping: float

    def environment(self):
        return {"SPRING": str(self.spring), "DAMPING": str(self.damping)}

    def parameters(self):
        """The spring in continuous time that passes through all steps, from the eigenvalues of a step."""
        step = 0.016
        trace = 2 - self.damping - step * self.spring
        eigenvalue = (trace + cmath.sqrt(trace**2 - 4 * (1 - self.damping))) / 2
        rate = cmath.log(eigenvalue) / step
        return {"damping_ratio": -rate.real / abs(rate), "angular_frequency": abs(rate),
                "response": 2 * math.pi / abs(rate)}


@dataclasses.dataclass(frozen=True)
class Gesture:
    name: str
    strokes: tuple  # (milliseconds, pixels per millisecond), one after the other; up or to the left is positive
    finishes: bool
    spring: Spring | QMLSpring
    is_open: bool = False
    is_sideways: bool = False

    def touches(self):
        """[(milliseconds, phase, x, y)] as Screen.play takes them: a press on the sheet's edge, moves, a lift."""
        start = 320 if self.is_sideways else 200 if self.is_open else 600
        moved, at = 0, 0
        rows = [(0, "began", *self.point(start))]
        for milliseconds, speed in self.strokes:
            for _ in range(round(milliseconds / REPORT_MS)):
                at += REPORT_MS
                moved += speed * REPORT_MS
                if speed:
                    rows.append((at, "moved", *self.point(start - moved)))
        return rows + [(at + LIFT_MS, "ended", *rows[-1][2:])]

    def point(self, along):
        return (round(along), 300) if self.is_sideways else (X, round(along))


FLICK = ((120, 2),)
USUAL = Spring(0.8, 0.5, 300)
GESTURES = [
    Gesture("flick", FLICK, True, USUAL),
    Gesture("flick, soft spring", FLICK, True, Spring(0.6, 0.5, 200)),
    Gesture("flick, critical spring", FLICK, True, Spring(1, 0.5, 500)),
    # The first move is below the tracker's threshold of 16 pixels, and counts for its velocity.
    Gesture("short flick", ((16, 0.7), (64, 2)), True, Spring(0.7, 1, 400)),
    Gesture("drag, then flick", ((200, 0.3), (80, 1.8)), True, Spring(0.9, 1, 250)),
    Gesture("slow drag", ((640, 0.5),), True, USUAL),
    Gesture("slow drag, held", ((480, 0.6), (240, 0)), True, Spring(0.5, 1, 300)),
    Gesture("small drag, cancelled", ((400, 0.25),), False, Spring(0.5, 1, 300)),
    Gesture("drag, held, cancelled", ((240, 0.7), (240, 0)), False, Spring(0.7, 0.5, 200)),
    Gesture("drag and back, cancelled", ((160, 1.2), (96, -1)), False, USUAL),
    Gesture("flick down", ((120, -2),), True, USUAL, is_open=True),
    Gesture("small drag down, cancelled", ((400, -0.25),), False, Spring(0.6, 0.5, 200), is_open=True),
]
SWIPES = [
    Gesture("swipe", ((120, 1.5),), True, Spring(0.8, 0.5, 200), is_sideways=True),
    Gesture("small swipe, cancelled", ((400, 0.25),), False, Spring(0.8, 0.5, 200), is_sideways=True),
]
QML = [
    Gesture("flick", FLICK, True, QMLSpring(3, 0.25)),
    Gesture("slow drag", ((640, 0.5),), True, QMLSpring(3, 0.25)),
    Gesture("small drag, cancelled", ((400, 0.25),), False, QMLSpring(2, 0.2)),
]
