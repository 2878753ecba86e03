"""Kymograph in a Qt Quick app with PySide6: the touches and frames of a window, and the poses of the items that you watch.

    recording = Recording(window, "app.kymo", "first run", distance=440)
    recording.watch(card, "card")
    recording.start("closed", "open", 0)
    recording.progress(0.4)
    recording.release(True)
    recording.complete(True)
    recording.finish()

Everything is called from Qt's thread.
"""
import time

import kymograph
import PySide6.QtQuick  # so that items have their methods
from PySide6.QtCore import QEvent, QObject, Qt

PHASES = {QEvent.Type.MouseButtonPress: "began", QEvent.Type.MouseMove: "moved", QEvent.Type.MouseButtonRelease: "ended"}


class Recording(QObject):
    """Begins a session; `distance` is the pixels that progress 1 stands for. It records the pointer's left button."""

    def __init__(self, window, path, name=None, distance=0):
        super().__init__(window)
        self.window, self.watched = window, {}
        self.recorder = kymograph.Recorder(path, name=name, viewport=(window.width(), window.height()))
        self.timeline = self.recorder.timeline(distance)
        self.is_down, self.event_ns, self.first_move_ns = False, 0, None
        window.installEventFilter(self)
        window.afterAnimating.connect(self.frame)

    @property
    def value_ns(self):
        """The time that a value of this moment is computed for: the event's while a button is down, and now afterwards,
        because Qt's animations compute their values for the moment."""
        return self.event_ns if self.is_down else max(self.event_ns, self.recorder.now)

    def eventFilter(self, _, event):
        phase = PHASES.get(event.type())
        if phase and (event.button() if phase != "moved" else event.buttons()) & Qt.MouseButton.LeftButton:
            # Qt gives the low bits of CLOCK_MONOTONIC's milliseconds.
            now_ms = time.monotonic_ns() // 10**6
            age_ms = (now_ms - event.timestamp() + 2**31) % 2**32 - 2**31
            self.event_ns = (now_ms - age_ms) * 10**6 - self.recorder.origin
            self.timeline.touch(0, phase, event.position().x(), event.position().y(), self.event_ns)
            self.is_down = phase != "ended"
            if phase == "began":
                self.first_move_ns = None
            elif self.first_move_ns is None:
                self.first_move_ns = self.event_ns
        return False

    def start(self, from_, to, progress):
        """A transition begins at a progress at rest, with the first move: Qt calls it a drag only beyond a threshold."""
        at = self.first_move_ns if self.is_down and self.first_move_ns is not None else self.value_ns
        self.timeline.start(from_, to, at)
        if at < self.value_ns:
            self.timeline.progress(progress, at)

    def progress(self, value):
        self.timeline.progress(value, self.value_ns)

    def release(self, finish):
        self.timeline.release(finish, self.value_ns)

    def complete(self, finished):
        self.timeline.complete(finished, self.value_ns)

    def watch(self, item, name):
        """Records the place of an item from now on."""
        self.watched[name] = item

    def frame(self):
        if not self.timeline.needs_frame:
            return
        for name, item in self.watched.items():
            place = item.mapRectToScene(item.boundingRect())
            self.timeline.see(name, (place.x(), place.y(), place.width(), place.height()))
        self.timeline.frame()
        if self.timeline.needs_frame:
            self.window.update()

    def finish(self):
        """Ends the session, once."""
        self.window.afterAnimating.disconnect(self.frame)
        self.window.removeEventFilter(self)
        self.timeline.close()
        self.recorder.finish()
