#!/usr/bin/env python3
"""The player in a real terminal of the system's, looked at through a terminal emulator that is not ours.

    Tests/Oracles/player.py KYMO

Runs `kymo replay` on a controlling pseudo-terminal and reads its screen with pyte. What each key must show is
worked out from `kymo replay --format json` and `kymo list events --json`. Ends of every kind must leave the terminal
as it was. Casts are read by their own reader and shown by the same emulator; SVGs are read as XML.
"""
import errno
import fcntl
import json
import math
import os
import pathlib
import pty
import select
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import xml.etree.ElementTree as ElementTree

from packages import need

need()

import pyte  # noqa: E402 (only there once the packages are)

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "Fixtures"
# A program that is silent for so many seconds has failed; nothing waits for it but a failure.
PATIENCE = 120
LEAVE = b"\x1b[?1049l"


class Wrong(Exception):
    pass


class Terminal:
    """A program on a terminal of its own, in a session of its own, with a shell's place above it.

    The child that leads the session starts the program in a process group of its own, as a shell with job
    control does, and tells how it ended.
    """

    def __init__(self, words, columns=80, rows=24, environment=None):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.reports, told = os.pipe()
        self.leader, self.master = pty.fork()
        if self.leader == 0:
            # Whatever happens there, the checks and what they clean up are this process's alone.
            try:
                self.lead(words, told, environment or {})
            finally:
                os._exit(1)
        os.close(told)
        self.resize(columns, rows, tell=False)
        self.told = b""
        self.group = int(self.report())

    @staticmethod
    def lead(words, told, environment):
        # What others of our programs read from must not stay open here.
        os.closerange(3, told)
        os.closerange(told + 1, 1024)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        ready, go = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(go)
            os.read(ready, 1)
            # As a shell starts what is in front; what runs in a script's background ignores interrupts.
            for number in [signal.SIGTTOU, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT]:
                signal.signal(number, signal.SIG_DFL)
            os.environ.update({"TERM": "xterm-256color", **environment})
            os.execv(words[0], words)
        os.setpgid(child, child)
        os.tcsetpgrp(0, child)
        os.write(told, f"{child}\n".encode())
        os.close(go)
        while True:
            _, status = os.waitpid(child, os.WUNTRACED)
            if os.WIFSTOPPED(status):
                os.write(told, b"stopped\n")
            else:
                os.write(told, f"{os.waitstatus_to_exitcode(status)}\n".encode())
                os._exit(0)

    def report(self):
        """The next thing that the leader tells."""
        while b"\n" not in self.told:
            ready, _, _ = select.select([self.reports, self.master], [], [], PATIENCE)
            if not ready:
                raise Wrong(f"nothing happens any more; the screen:\n{self.text()}")
            if self.master in ready:
                self.read()
            if self.reports in ready:
                data = os.read(self.reports, 4096)
                if not data:
                    raise Wrong("the leader is gone")
                self.told += data
        line, self.told = self.told.split(b"\n", 1)
        return line.decode()

    def read(self):
        try:
            data = os.read(self.master, 1 << 16)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        self.raw += data
        self.stream.feed(data)
        return data

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def status(self):
        return self.screen.display[-1]

    def until(self, holds, what):
        """Reads until the screen is as it must be."""
        while not holds(self):
            ready, _, _ = select.select([self.master], [], [], PATIENCE)
            if not ready or not self.read():
                raise Wrong(f"{what}: the screen stays\n{self.text()}")

    def press(self, keys):
        os.write(self.master, keys.encode())

    def kill(self, number):
        os.kill(self.group, number)

    def resize(self, columns, rows, tell=True):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if tell:
            self.screen.resize(rows, columns)

    def settings(self):
        return termios.tcgetattr(self.master)

    def close(self):
        """Lets go; a program that is still there loses its terminal."""
        if self.master >= 0:
            os.close(self.master)
            self.master = -1
        os.close(self.reports)
        os.waitpid(self.leader, 0)


def ask(*words):
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode != 0:
        raise Wrong(f"{' '.join(words)}: {run.stderr}")
    return run.stdout


def expect(found, right, what):
    if found != right:
        raise Wrong(f"{what} is {found!r}, expected {right!r}")


def seconds(nanoseconds):
    return f"{(nanoseconds + 500_000) // 1_000_000 / 1000:.3f} s"


def short(number):
    """Four significant digits, and one behind the point at least."""
    if number == round(number):
        return str(round(number))
    if abs(number) < 1e-4:
        return f"{number:.4g}"
    return f"{number:.{max(1, 3 - math.floor(math.log10(abs(number))))}f}".rstrip("0").rstrip(".")


class Run:
    def __init__(self, kymo, path):
        self.kymo, self.path = kymo, path
        self.frames = json.loads(ask(kymo, "replay", path, "--format", "json"))
        self.keys = json.loads(ask(kymo, "replay", path, "--keys", "--format", "json"))
        events = json.loads(ask(kymo, "list", "events", path, "--json"))
        shown = {"gestureBegan", "start", "decision", "settle", "completion", "mark", "error", "warning"}
        self.markers = sorted({event["t_ns"] for event in events if event["event"] in shown})

    def value(self, key, time):
        values = [row["value"] for row in self.keys if row["key"] == key and row["t_ns"] <= time]
        return short(values[-1]) if values else "–"

    def shows(self, time):
        """Whether the screen is that of an instant: time, frame, phase and value."""
        count = sum(frame["t_ns"] <= time for frame in self.frames)
        phase = self.frames[count - 1]["phase"]
        number = self.value("progress", time)

        def holds(terminal):
            status = terminal.status()
            return (f" {seconds(time)} of " in status
                    and f"  frame {count} of {len(self.frames)}  {phase}" in status
                    and any(f"progress  {number}" in line for line in terminal.screen.display))
        return holds


def keys_move(kymo, path):
    run = Run(kymo, path)
    times = [frame["t_ns"] for frame in run.frames]
    markers = run.markers
    terminal = Terminal([kymo, "replay", path, "--pause-at", "0", "--key", "progress"], 100, 30)
    end = max(times[-1], markers[-1])
    place = 0
    for keys, what, time in [
        ("\x1b[C", "right", times[1]), ("\x1b[C", "right again", times[2]), ("\x1b[D", "left", times[1]),
        (".", "full stop", times[11]), ("\x1b[1;2C", "shift right", times[21]), (",", "comma", times[11]),
        ("\x1b[1;2D", "shift left", times[1]), ("\x1bOF", "end", end), ("\x1b[H", "home", 0),
        ("5", "5", end // 2), ("0", "0", 0), ("G", "G", end), ("g", "g", 0),
    ]:
        terminal.press(keys)
        terminal.until(run.shows(time), f"{what} goes to {seconds(time)}")
        place = time
    for marker in [time for time in markers if time > place]:
        terminal.press("]")
        terminal.until(run.shows(marker), f"] goes to {seconds(marker)}")
        place = marker
    for marker in [time for time in reversed(markers) if time < place]:
        terminal.press("[")
        terminal.until(run.shows(marker), f"[ goes to {seconds(marker)}")
    for keys, shown in [("<", "  1/4×  "), ("<", "  1/10×  "), ("<", "  1/60×  "), ("=", "  1×  "), (">", "  2×  "),
                        (">", "  4×  "), ("m", "stops at markers"), ("L", "  loop")]:
        terminal.press(keys)
        terminal.until(lambda t: shown in t.status(), f"{keys} shows {shown!r}")
    terminal.press("3a7b")
    first, second = end // 10 * 3 + end % 10 * 3 // 10, end // 10 * 7 + end % 10 * 7 // 10
    loop = f"loop {seconds(first)[:-2]}–{seconds(second)[:-2]}"
    terminal.until(lambda t: loop in t.status(), f"a and b show {loop}")
    terminal.press("?")
    terminal.until(lambda t: "space      play, pause" in t.text(), "? shows the keys")
    terminal.press("\x1b")
    terminal.until(lambda t: "space      play, pause" not in t.text(), "escape takes the help away")
    terminal.press("vv")
    terminal.until(lambda t: "progress  " not in "\n".join(t.screen.display[1:-2]), "v leaves the stage alone")
    terminal.press("vcmL=0 ")
    terminal.until(lambda t: t.status().startswith("‖") and f" {seconds(end)} of" in t.status(),
                   "space plays to the end and stops there")
    terminal.press("q")
    expect(terminal.report(), "0", "the code after q")
    terminal.close()


def keys_label(kymo, folder):
    path = record(kymo, "grid-to-detail.pinch.json", "pinch-open.evemu", f"{folder}/labelled.kymo")
    terminal = Terminal([kymo, "replay", path, "--pause-at", "0", "--key", "progress"], 100, 30)

    def said():
        with sqlite3.connect(path) as database:
            return database.execute("SELECT transition, label FROM labels").fetchall()

    for key, words, rows in [
        ("f", "was meant to finish", [(0, "finish")]), ("c", "was meant to cancel", [(0, "cancel")]),
        ("u", "is labelled unsure", [(0, "unsure")]), ("n", "has no label any more", []),
        ("C", "was meant to cancel", [(0, "cancel")]),
    ]:
        terminal.press("d")
        terminal.until(lambda t: "What was meant?" in t.text(), "d asks")
        terminal.press(key)
        terminal.until(lambda t: f" s {words}. Written into labelled.kymo" in t.text(), f"{key} labels")
        expect(said(), rows, f"the recording after {key}")
    terminal.press("d\x1b")
    terminal.until(lambda t: "What was meant?" not in t.text() and "written" not in t.text(), "escape ends it")
    terminal.press("]")
    terminal.press("]")
    terminal.until(lambda t: "(meant: cancel)" in t.text(), "the head tells of it")
    os.chmod(path, 0o444)
    terminal.press("du")
    terminal.until(lambda t: "Written into labelled.kymo.labels.csv" in t.text(), "what cannot be written stays")
    expect(said(), [(0, "cancel")], "the recording that cannot be written")
    expect(pathlib.Path(path + ".labels.csv").read_text().splitlines()[1].split(",")[1:3], ["0", "unsure"], "the CSV")
    terminal.press("q")
    expect(terminal.report(), "0", "the code after q")
    terminal.close()
    left = sorted(name for name in os.listdir(folder) if name.startswith("labelled"))
    expect(left, ["labelled.kymo", "labelled.kymo.labels.csv"], "what lies there afterwards")


def sizes_change(kymo, path):
    terminal = Terminal([kymo, "replay", path, "--pause-at", "0.1"], 80, 24)
    terminal.until(lambda t: "0.100 s of" in t.status(), "80x24 is drawn")
    for columns, rows in [(20, 8), (300, 100), (1, 1), (40, 12), (132, 43), (80, 24)]:
        terminal.resize(columns, rows)
        terminal.until(lambda t: t.status().strip()[:1] in ("‖", "…"), f"{columns}x{rows} is drawn")
        if columns >= 20:
            terminal.until(lambda t: "0.100 s" in t.status(), f"{columns}x{rows} has its status")
    terminal.press("q")
    expect(terminal.report(), "0", "the code after q")
    terminal.close()


def terminal_is_put_back(kymo, path):
    ends = [("q", None, "0"), ("\x03", None, "130")]
    ends += [(None, number, str(-number)) for number in
             [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT, signal.SIGTRAP,
              signal.SIGBUS, signal.SIGILL, signal.SIGFPE]]
    ends.append((None, signal.SIGINT, "130"))
    for keys, number, code in ends:
        terminal = Terminal([kymo, "replay", path, "--loop"])
        terminal.until(lambda t: t.status().startswith("▶"), "it plays")
        during = terminal.settings()
        if during[3] & (termios.ICANON | termios.ECHO | termios.ISIG):
            raise Wrong("the terminal is not raw while playing")
        if keys:
            terminal.press(keys)
        else:
            terminal.kill(number)
        expect(terminal.report(), code, f"the code after {keys or signal.Signals(number).name!r}")
        while select.select([terminal.master], [], [], 0)[0] and terminal.read():
            pass
        after = terminal.settings()
        if not after[3] & termios.ICANON or not after[3] & termios.ECHO or not after[3] & termios.ISIG:
            raise Wrong(f"the terminal is not as before after {keys or signal.Signals(number).name}")
        if not terminal.raw.rstrip().endswith(LEAVE):
            raise Wrong(f"the screen is not left after {keys or signal.Signals(number).name}")
        terminal.close()


def stops_and_goes_on(kymo, path):
    for stop in ["key", "signal"]:
        terminal = Terminal([kymo, "replay", path, "--pause-at", "0.1"])
        terminal.until(lambda t: "0.100 s of" in t.status(), "it is drawn")
        if stop == "key":
            terminal.press("\x1a")
        else:
            terminal.kill(signal.SIGTSTP)
        expect(terminal.report(), "stopped", f"what a {stop} does")
        if not terminal.settings()[3] & termios.ICANON:
            raise Wrong("a stopped player keeps the terminal raw")
        if not terminal.raw.rstrip().endswith(LEAVE):
            raise Wrong("a stopped player keeps the screen")
        terminal.screen.reset()
        terminal.kill(signal.SIGCONT)
        terminal.until(lambda t: "0.100 s of" in t.status(), "it is drawn again")
        terminal.press("q")
        expect(terminal.report(), "0", "the code after q")
        terminal.close()


def lost_terminal_ends_it(kymo, path):
    terminal = Terminal([kymo, "replay", path, "--loop"])
    terminal.until(lambda t: t.status().startswith("▶"), "it plays")
    os.close(terminal.master)
    terminal.master = -1
    ready, _, _ = select.select([terminal.reports], [], [], PATIENCE)
    if not ready:
        raise Wrong("a player without a terminal goes on")
    expect(os.read(terminal.reports, 100).decode().strip(), str(-signal.SIGHUP), "how a lost terminal ends it")
    terminal.close()


def work_is_shown(kymo, path):
    """What takes longer says so on a terminal, in no pipe, and an interrupt ends it with 130."""
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    terminal = Terminal([kymo, "sql", path, endless])
    terminal.until(lambda t: "kymo sql … " in t.text(), "a sign of life")
    terminal.kill(signal.SIGINT)
    expect(terminal.report(), "130", "how an interrupt ends it")
    terminal.close()
    limited = endless.replace("FROM n)", "FROM n WHERE i < 3000000)")
    terminal = Terminal([kymo, "sql", path, limited])
    terminal.until(lambda t: "3000000" in t.text(), "the answer")
    expect("kymo sql" in terminal.text(), False, "whether the sign of life stays")
    expect(terminal.report(), "0", "the code after the answer")
    terminal.close()
    quiet = subprocess.run([kymo, "sql", path, limited], capture_output=True, text=True)
    expect((quiet.returncode, quiet.stderr), (0, ""), "a pipe")


def follows_a_recorder(kymo, folder):
    path = f"{folder}/live.kymo"
    recorder = subprocess.Popen([kymo, "record", "--from-ndjson", "-", "--into", path],
                                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    lines = [{"kymograph": 1, "name": "live"}]

    def give(rows):
        recorder.stdin.write("".join(json.dumps(row) + "\n" for row in rows).encode())
        recorder.stdin.flush()

    def sample(number):
        return {"t_ns": number * 100_000_000, "key": "progress", "value": number / 100}

    give(lines + [sample(number) for number in range(5)])
    while not os.path.exists(path) or "progress" not in subprocess.run(
            [kymo, "list", "keys", path, "--json"], capture_output=True, text=True).stdout:
        if recorder.poll() is not None:
            raise Wrong("the recorder has ended")
    terminal = Terminal([kymo, "replay", path, "--follow", "--speed", "1000"], 100, 20)
    terminal.until(lambda t: "recording" in t.status() and "0.400 s of 0.400 s" in t.status(),
                   "it waits at the end of what is there")
    give([sample(number) for number in range(5, 31)])
    terminal.until(lambda t: "3.000 s of 3.000 s" in t.status() and "progress  0.3" in t.text(), "it plays on")
    recorder.stdin.close()
    expect(recorder.wait(), 0, "the recorder's code")
    terminal.until(lambda t: "recorder finished" in t.status(), "it says that the recorder has finished")
    terminal.press("q")
    expect(terminal.report(), "0", "the code after q")
    terminal.close()


def follows_a_killed_recorder(kymo, folder):
    path = f"{folder}/killed.kymo"
    recorder = subprocess.Popen([kymo, "record", "--from-ndjson", "-", "--into", path],
                                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    rows = [{"kymograph": 1, "name": "killed"}]
    rows += [{"t_ns": number * 100_000_000, "key": "progress", "value": number / 100} for number in range(5)]
    recorder.stdin.write("".join(json.dumps(row) + "\n" for row in rows).encode())
    recorder.stdin.flush()
    while not os.path.exists(path) or "progress" not in subprocess.run(
            [kymo, "list", "keys", path, "--json"], capture_output=True, text=True).stdout:
        if recorder.poll() is not None:
            raise Wrong("the recorder has ended")
    terminal = Terminal([kymo, "replay", path, "--follow", "--speed", "1000"], 100, 20)
    terminal.until(lambda t: "recording" in t.status() and "0.400 s of 0.400 s" in t.status(),
                   "it waits at the end of what is there")
    told = json.loads(subprocess.run([kymo, "show", path, "--json"], capture_output=True, text=True).stdout)
    expect(told[0]["recorder"], "recording", "what info says of the recorder")
    recorder.kill()
    recorder.wait()
    terminal.until(lambda t: "recorder was ended" in t.status() and "recording" not in t.status(),
                   "it says that the recorder was ended")
    terminal.press("q")
    expect(terminal.report(), "0", "the code after q")
    terminal.close()
    told = json.loads(subprocess.run([kymo, "show", path, "--json"], capture_output=True, text=True).stdout)
    expect(told[0]["recorder"], "ended", "what info says of the recorder")


def casts_show_the_run(kymo, path, other):
    for words, columns, rows in [([path], 80, 24), ([path, "--speed", "0.5"], 40, 12), ([path, other], 120, 40),
                                 ([path], 20, 8)]:
        text = ask(kymo, "replay", *words, "--cast", "-", "--size", f"{columns}x{rows}")
        lines = [json.loads(line) for line in text.splitlines()]
        expect(lines[0]["version"], 3, "the version of the cast")
        expect((lines[0]["term"]["cols"], lines[0]["term"]["rows"]), (columns, rows), "its size")
        screen = pyte.Screen(columns, rows)
        stream = pyte.Stream(screen)
        last = None
        for interval, code, data in lines[1:]:
            if not isinstance(interval, (int, float)) or interval < 0 or code not in "omx":
                raise Wrong(f"{interval}, {code} is no event")
            if code == "o" and "?25h" not in data:
                stream.feed(data)
                last = list(screen.display)
        # The last picture is what the player shows at the end.
        terminal = Terminal([kymo, "replay", *[word for word in words if not word[0].isdigit() and word != "--speed"],
                             "--pause-at", "0"] + (["--speed", "0.5"] if "--speed" in words else []), columns, rows)
        terminal.press("G")
        terminal.until(lambda t: list(t.screen.display) == last, f"the end of the cast {words}")
        terminal.press("q")
        expect(terminal.report(), "0", "the code after q")
        terminal.close()


def hostile_names_stay_text(kymo, folder):
    path = f"{folder}/hostile.kymo"
    name = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e漢字e\u0301👩‍👩‍👧"
    rows = [{"kymograph": 1, "name": name}]
    rows += [{"t_ns": number * 100_000_000, "key": name, "value": number} for number in range(5)]
    subprocess.run([kymo, "record", "--from-ndjson", "-", "--into", path], check=True, stdout=subprocess.DEVNULL,
                   input="".join(json.dumps(row) + "\n" for row in rows).encode())
    terminal = Terminal([kymo, "replay", path, "--pause-at", "0.2"], 60, 14)
    terminal.until(lambda t: "0.200 s" in t.status() and "漢" in t.text(), "a hostile name is drawn")
    for bad in [b"\x1b]", b"\x07", b"\xc2\x9b", "\u202e".encode()]:
        if bad in terminal.raw:
            raise Wrong(f"{bad!r} reached the terminal")
    terminal.press("q")
    expect(terminal.report(), "0", "the code after q")
    terminal.close()
    for words in [["plot", path, "-o", "-"], ["plot", path]]:
        text = ask(kymo, *words)
        if "\x1b" in text or "\u202e" in text:
            raise Wrong(f"{words[0]} lets a hostile name through")
        if "-o" in words:
            ElementTree.fromstring(text)


def drawings_are_xml(kymo, folder, path, other):
    for words in [["plot", path], ["plot", path, other]]:
        ElementTree.fromstring(ask(kymo, *words, "-o", "-"))
    root = ElementTree.fromstring(ask(kymo, "plot", "--film", path, "--frames", "9", "-o", "-"))
    pictures = [group for group in root.iter("{http://www.w3.org/2000/svg}g") if group.get("class") == "picture"]
    expect(len(pictures), 9, "the pictures of a strip of nine")


def record(kymo, scenario, gesture, path):
    ask(kymo, "record", "--scenario", str(FIXTURES / "scenarios" / scenario), "--gesture",
        str(FIXTURES / "gestures" / gesture), "--into", path, "--name", "pinch")
    return path


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: player.py KYMO")
    kymo = os.path.abspath(sys.argv[1])
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = record(kymo, "grid-to-detail.pinch.json", "pinch-open.evemu", f"{folder}/open.kymo")
        other = record(kymo, "grid-to-detail.pinch.json", "pinch-back.evemu", f"{folder}/back.kymo")
        checks = [
            ("keys", lambda: keys_move(kymo, path)), ("sizes", lambda: sizes_change(kymo, path)),
            ("labels", lambda: keys_label(kymo, folder)),
            ("ends", lambda: terminal_is_put_back(kymo, path)), ("stops", lambda: stops_and_goes_on(kymo, path)),
            ("lost terminal", lambda: lost_terminal_ends_it(kymo, path)),
            ("work", lambda: work_is_shown(kymo, path)),
            ("follow", lambda: follows_a_recorder(kymo, folder)),
            ("follow a killed recorder", lambda: follows_a_killed_recorder(kymo, folder)),
            ("casts", lambda: casts_show_the_run(kymo, path, other)),
            ("hostile names", lambda: hostile_names_stay_text(kymo, folder)),
            ("drawings", lambda: drawings_are_xml(kymo, folder, path, other)),
        ]
        for name, check in checks:
            try:
                check()
                print(f"ok      {name}", flush=True)
            except Wrong as wrong:
                failures += 1
                print(f"WRONG   {name}: {wrong}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
