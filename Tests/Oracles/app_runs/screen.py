"""A screen without a display (Xvfb), and a pointer on it that keeps its own time."""
import ctypes
import os
import subprocess
import time

BUTTON = 1
FRAME_NS = 16_667_000  # GTK's interval where no display tells one


def hurry(process):
    """Lets a process run before others, so that events come at their times on a busy machine. False if it may not."""
    try:
        os.sched_setscheduler(process, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(1))
        return True
    except OSError:
        return False


class Screen:
    """Xvfb on a free number, as long as the object is open."""

    def __init__(self, width=800, height=800):
        reader, writer = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
            pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            self.name = ":" + pipe.readline().strip()

    def close(self):
        self.server.terminate()
        self.server.wait()


class PointedScreen(Screen):
    """One with a pointer that is played."""

    def __init__(self):
        super().__init__()
        self.is_prompt = all(map(hurry, (0, self.server.pid)))
        self.x11, self.test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x11.XOpenDisplay(self.name.encode()))
        if not self.display:
            raise OSError(f"Xvfb's screen {self.name} cannot be opened")
        self.root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.display))

    def close(self):
        self.x11.XCloseDisplay(self.display)
        super().close()

    def play(self, touches, frame_ns):
        """Plays [(milliseconds, phase, x, y)], phase being began, moved or ended, from 2 ms after the start of a frame on.
        frame_ns is a frame's time on the monotonic clock. Returns by how many milliseconds the latest event was late."""
        late = 0
        soon = time.monotonic_ns() + FRAME_NS
        zero = soon + (frame_ns - soon) % FRAME_NS + 2_000_000
        for at, phase, x, y in touches:
            # The server stamps whole milliseconds, so each event is sent in the middle of its own.
            due = (zero // 10**6 + round(at)) * 10**6 + 500_000
            while (wait := due - time.monotonic_ns()) > 0:
                if wait > 400_000:
                    time.sleep((wait - 300_000) / 1e9)
            if phase == "moved":
                self.test.XTestFakeMotionEvent(self.display, -1, round(x), round(y), ctypes.c_ulong(0))
            elif phase == "began":
                self.test.XTestFakeMotionEvent(self.display, -1, round(x), round(y), ctypes.c_ulong(0))
                self.test.XTestFakeButtonEvent(self.display, BUTTON, True, ctypes.c_ulong(0))
            else:
                self.test.XTestFakeButtonEvent(self.display, BUTTON, False, ctypes.c_ulong(0))
            self.x11.XFlush(self.display)
            late = max(late, (time.monotonic_ns() - due) / 1e6)
        return late
