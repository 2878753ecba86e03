"""A bottom sheet in QML: a DragHandler moves it, the app decides, and a SpringAnimation settles it.

    python3 sheet.py sheet.kymo

The lines marked "recorder" record it into the file that the first argument names. SPRING and DAMPING in the environment are
those of the animation, OPEN=1 begins with an open sheet, SESSION is the session's name.
"""
import os
import signal
import sys

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtQml import QQmlApplicationEngine
from kymograph_qt import Recording  # recorder

QML = """
import QtQuick

Window {
  id: window
  width: 360
  height: 640
  visible: true
  flags: Qt.FramelessWindowHint
  color: "lightgray"
  property real progress: %(progress)s
  readonly property real travel: 440
  signal begun()
  signal released(bool open)
  signal ended()

  Rectangle {
    objectName: "card"
    width: 360
    height: 520
    radius: 16
    y: window.height - 80 - window.progress * window.travel
  }
  Item {
    anchors.fill: parent
    DragHandler {
      target: null
      dragThreshold: 4
      xAxis.enabled: false
      property real from: 0
      onActiveChanged: {
        if (active) {
          settle.stop()
          from = window.progress
          window.begun()
        } else {
          const open = window.progress - centroid.velocity.y / window.travel * 0.15 > 0.5
          window.released(open)
          settle.to = open ? 1 : 0
          settle.start()
        }
      }
      onActiveTranslationChanged: if (active) window.progress = from - activeTranslation.y / window.travel
    }
  }
  SpringAnimation {
    id: settle
    target: window
    property: "progress"
    spring: %(spring)s
    damping: %(damping)s
    epsilon: 0.0005
    onStopped: window.ended()
  }
}
"""
STATES = ["closed", "open"]


class Sheet(QObject):
    def __init__(self, window, path):
        super().__init__(window)
        self.window = window
        self.was_open = self.is_open()
        window.begun.connect(self.begin)
        window.released.connect(self.release)
        window.ended.connect(self.end)
        self.recording = Recording(window, path, os.environ.get("SESSION"), distance=440)  # recorder
        self.recording.watch(window.findChild(QObject, "card"), "card")  # recorder
        window.progressChanged.connect(lambda: self.recording.progress(window.property("progress")))  # recorder

    def is_open(self):
        return self.window.property("progress") > 0.5

    def begin(self):
        self.recording.start(STATES[self.was_open], STATES[not self.was_open], self.window.property("progress"))  # recorder
        print("begin", flush=True)

    def release(self, is_open):
        self.recording.release(is_open != self.was_open)  # recorder
        print("release", int(is_open), flush=True)

    def end(self):
        self.recording.complete(self.is_open() != self.was_open)  # recorder
        self.was_open = self.is_open()
        print("done", int(self.was_open), flush=True)


def main():
    app = QGuiApplication(sys.argv)
    engine = QQmlApplicationEngine()
    numbers = {"progress": int(os.environ.get("OPEN", "0")), "spring": float(os.environ.get("SPRING", "3")),
               "damping": float(os.environ.get("DAMPING", "0.25"))}
    engine.loadData((QML % numbers).encode())
    sheet = Sheet(engine.rootObjects()[0], sys.argv[1])
    signal.signal(signal.SIGTERM, lambda *_: app.quit())
    wake = QTimer()  # Python sees a signal only when it runs
    wake.timeout.connect(lambda: None)
    wake.start(50)
    QTimer.singleShot(300, lambda: print("ready", 0, flush=True))
    app.exec()
    sheet.recording.finish()  # recorder


if __name__ == "__main__":
    main()
