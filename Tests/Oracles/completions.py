#!/usr/bin/env python3
"""Completions and manual pages, as real shells and mandoc see them.

    Tests/Oracles/completions.py KYMO

In bash, zsh and fish the completions of Tools/completions are loaded, and a line is completed as a person does it with the
tab key: commands, flags, values, files with blanks, sessions behind `#`, and the keys of the recording that the line names.
A shell that is missing is skipped. mandoc -Tlint finds nothing in the manual pages. Each answer of the program takes at most
50 ms of processor time: the median of 20 calls counts.
"""
import os
import pathlib
import pty
import re
import resource
import select
import shlex
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

from export_checks.checking import check, findings, tally

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "Tools/completions"
FIXTURES = ROOT / "Tests/Fixtures"
MOST_MILLISECONDS = 50
PATIENCE_SECONDS = 30
# The program waits for a second, and a reader for five.
LONGEST_WAIT_SECONDS = 4
# A line before the tab key, and the words that the shell must then offer for its end.
OFFERS = [
    ("kymo vel", ["velocity"]),
    ("kymograph rule t", ["try", "tune"]),
    ("kymo li", ["list"]),
    ("kymo list ke", ["keys"]),
    ("kymo rule t", ["try", "tune"]),
    ("kymo help con", ["concepts"]),
    ("kymo compare a.kymo --exa", ["--exact"]),
    ("kymo velocity pinch.kymo --preset co", ["compose", "cosmic"]),
    ("kymo export lo", ["lottie"]),
    ("kymo show pin", ["pinch.kymo"]),
    ("kymo show pinch.kymo#", ["pinch.kymo#1", "pinch.kymo#2", "pinch.kymo#last", "pinch.kymo#open", "pinch.kymo#shut"]),
    ("kymo list keys pinch.kymo --key Pos", ["PositionX", "PositionY"]),
    ("kymo compare pinch.kymo pinch.kymo --key finger.y,prog", ["finger.y,progress"]),
    ("kymo rows --export-dir fol", ["folder/"]),
    ("kymo pla", []),
    ("kymo check --exp", []),
    ("kymo .wor", []),
]
# A line before the tab key, and the line after it.
LINES = [
    ("kymo vel", "kymo velocity "),
    ("kymograph vel", "kymograph velocity "),
    ("kymo show two", r"kymo show two\ words.kymo "),
    (r"kymo show two\ words.kymo#l", r"kymo show two\ words.kymo#last "),
    ('kymo show "two words.kymo#la', 'kymo show "two words.kymo#last"'),
    ("kymo check a --golden=pinch.kymo#la", "kymo check a --golden=pinch.kymo#last "),
    ("kymo check a --golden=pin", "kymo check a --golden=pinch.kymo "),
    ("kymo compare a --format=nd", "kymo compare a --format=ndjson "),
    ("kymo show pinch.kymo#la", "kymo show pinch.kymo#last "),
    ("kymo show ~/pinch.kymo#la", "kymo show ~/pinch.kymo#last "),
]

def same(words, got, wanted):
    check(words, got == wanted, f"{got!r} instead of {wanted!r}")


def place(program, folder):
    """A folder with recordings, which is the home folder too, and a `kymo` on the path, by both of its names."""
    (folder / "bin").mkdir()
    for name in ("kymo", "kymograph"):
        (folder / "bin" / name).symlink_to(program)
    (folder / "folder").mkdir()
    for name, gesture in [("open", "pinch-open"), ("shut", "pinch-back")]:
        subprocess.run(
            [program, "record", "--scenario", FIXTURES / "scenarios/grid-to-detail.pinch.json", "--gesture",
             FIXTURES / f"gestures/{gesture}.evemu", "--into", folder / "pinch.kymo", "--name", name],
            check=True, stdout=subprocess.DEVNULL)
    shutil.copy(folder / "pinch.kymo", folder / "two words.kymo")
    return {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "HOME": str(folder), "TERM": "xterm", "LC_ALL": "C.UTF-8",
            "TMPDIR": str(folder)}


class Terminal:
    """A shell on a terminal of its own."""

    def __init__(self, words, folder, environment):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, environment)

    def send(self, text):
        os.write(self.descriptor, text.encode())

    def read_until(self, mark):
        """What the shell wrote up to a pattern."""
        text, end = "", time.monotonic() + PATIENCE_SECONDS
        while not re.search(mark, text):
            if not select.select([self.descriptor], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"no {mark!r} in {text!r}")
            try:
                text += os.read(self.descriptor, 1 << 16).decode(errors="replace")
            except OSError as error:
                raise TimeoutError(f"the shell ended after {text!r}") from error
        return text

    def end(self):
        os.close(self.descriptor)
        os.waitpid(self.pid, 0)


# A key prints the line as it is then. The mark is in two parts, so that its echo is not taken for it.
BASH = r"""
PS1='> '
bind 'set bell-style none'
bind 'set completion-query-items 0'
bind 'set page-completions off'
source "$SCRIPTS/kymo.bash"
show() { printf '\nLINE<%s>\n' "$READLINE_LINE" > "$HOME/line"; READLINE_LINE=; READLINE_POINT=0; echo DO""NE; }
bind -x '"\C-g": show'
echo REA""DY
"""
ZSH = r"""
PS1='> '
unsetopt beep list_beep zle_bracketed_paste
setopt interactive_comments
fpath=("$SCRIPTS" $fpath)
autoload -Uz compinit && compinit -u -d "$HOME/zcompdump"
zstyle ':completion:*' list-prompt ''
LISTMAX=1000
show() { print -r -- "LINE<$BUFFER>" > "$HOME/line"; BUFFER=; print DO""NE }
zle -N show
bindkey '^G' show
bindkey '^I' complete-word
compadd() {
  local -a __offered
  builtin compadd -O __offered "$@"
  print -rl -- $__offered >> "$HOME/words"
  builtin compadd "$@"
}
print REA""DY
"""


def lines_in(shell, script, folder, environment):
    """Lines after the tab key in a shell on a terminal."""
    environment = environment | {"SCRIPTS": str(SCRIPTS)}
    (folder / "start").write_text(script)
    terminal = Terminal([shell, *(["--norc", "--noprofile"] if shell == "bash" else ["-f"])], folder, environment)
    try:
        terminal.send("source ./start\n")
        terminal.read_until("READY")
        for line, wanted in LINES:
            terminal.send(line + "\t\x07")
            terminal.read_until("DONE")
            got = re.search(r"LINE<(.*)>", (folder / "line").read_text(), re.S).group(1)
            # A blank after the word and a backslash before its # are habits of the shell.
            same(f"{shell}: {line}", got.rstrip().replace(r"\#", "#"), wanted.rstrip())
        if shell == "zsh":
            for line, wanted in OFFERS:
                (folder / "words").write_text("")
                terminal.send(line + "\t\x07")
                terminal.read_until("DONE")
                got = set((folder / "words").read_text().split("\n")) - {""}
                same(f"zsh offers for {line}", sorted(got), sorted(word.rstrip("/") for word in wanted))
    finally:
        terminal.end()


def offers_in_bash(folder, environment):
    """Words by the completion's function, called as bash calls it."""
    for line, wanted in OFFERS:
        script = """source "$1"; compopt() { :; }
            COMP_LINE=$2; COMP_POINT=${#COMP_LINE}; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _kymo kymo; printf '%s\\n' "${COMPREPLY[@]}" """
        run = subprocess.run(["bash", "-c", script, "bash", SCRIPTS / "kymo.bash", line], cwd=folder, env=environment,
                             capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        same(f"bash's errors for {line}", run.stderr, "")
        same(f"bash offers for {line}", sorted(set(run.stdout.split("\n")) - {""}), sorted(word.rstrip("/") for word in wanted))


def offers_in_fish(folder, environment):
    for line, wanted in OFFERS + [(line, [shlex.split(wanted)[-1]]) for line, wanted in LINES]:
        run = subprocess.run(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", SCRIPTS / "kymo.fish", line],
                             cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        same(f"fish's errors for {line}", run.stderr, "")
        got = sorted(word.split("\t")[0] for word in run.stdout.split("\n") if word)
        same(f"fish offers for {line}", got, sorted(wanted))


def times(program, folder):
    worst = 0
    for line, _ in OFFERS:
        spent = []
        for _ in range(20):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([program, ".complete", *line.split(" ")[1:]], cwd=folder, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent.append(1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
        worst = max(worst, statistics.median(spent))
    print(f"The slowest answer takes {worst:.0f} ms of processor time.")
    same(f"answers within {MOST_MILLISECONDS} ms", worst <= MOST_MILLISECONDS, True)


def locked(program, folder):
    """Whoever locks a recording keeps no shell waiting."""
    shutil.copy(folder / "pinch.kymo", folder / "locked.kymo")
    holder = sqlite3.connect(folder / "locked.kymo", isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("PRAGMA journal_mode = DELETE")
    holder.execute("BEGIN EXCLUSIVE")
    begin = time.monotonic()
    run = subprocess.run([program, ".complete", "show", "locked.kymo#"], cwd=folder, capture_output=True, text=True)
    same("a locked recording", [run.stdout, run.stderr, run.returncode], ["", "", 0])
    same("a locked recording is given up in time", time.monotonic() - begin < LONGEST_WAIT_SECONDS, True)
    holder.close()


def manual_pages(program, folder):
    text = subprocess.run([program, ".manual-pages", "January 31, 2026"], capture_output=True, text=True, check=True).stdout
    pages = folder / "man"
    pages.mkdir()
    for part in text.split('.\\" FILE ')[1:]:
        name, page = part.split("\n", 1)
        (pages / name).write_text(page)
    names = sorted(page.name for page in pages.iterdir())
    # In their folder, so that it finds the pages that they refer to.
    run = subprocess.run(["mandoc", "-Tlint", *names], cwd=pages, capture_output=True, text=True)
    same("mandoc -Tlint", run.stdout + run.stderr, "")
    print(f"mandoc read {len(names)} manual pages.")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        environment = place(program, folder)
        for shell, trials in [
            ("bash", [lambda: offers_in_bash(folder, environment), lambda: lines_in("bash", BASH, folder, environment)]),
            ("zsh", [lambda: lines_in("zsh", ZSH, folder, environment)]),
            ("fish", [lambda: offers_in_fish(folder, environment)]),
            ("mandoc", [lambda: manual_pages(program, folder)]),
        ]:
            if not shutil.which(shell):
                print(f"{shell} is not installed; skipped")
                continue
            for trial in trials:
                trial()
        times(program, folder)
        locked(program, folder)
    print(f"{tally()} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
