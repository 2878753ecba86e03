"""Calls of the program, what they print as numbers and words, and what was found wrong."""
import collections
import json
import re
import subprocess


class Findings:
    """What contradicts the truth: a check's name, where, and what was printed."""

    def __init__(self):
        self.all, self.checks = [], 0

    def check(self, name, where, holds, detail=""):
        self.checks += 1
        if not holds:
            self.all.append((name, where, str(detail)))
        return holds

    def counts(self):
        return collections.Counter(name for name, _, _ in self.all)


class Program:
    """The program, called in a folder."""

    def __init__(self, path, folder, findings):
        self.path, self.folder, self.findings = path, folder, findings

    def run(self, *words, codes=(0,), text=None, where=""):
        """Standard output and error of one call that must end with one of the codes."""
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, text=True, input=text, cwd=self.folder)
        self.findings.check("exit code of " + words[0], where, done.returncode in codes,
                            f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr.strip()[:300]}")
        return done.stdout, done.stderr

    def rows(self, *words, codes=(0,), where=""):
        out, _ = self.run(*words, "--json", codes=codes, where=where)
        try:
            return json.loads(out) if out.strip() else []
        except json.JSONDecodeError:
            self.findings.check("JSON of " + words[0], where, False, out[:200])
            return []


NUMBER = re.compile(r"(?<![\w.'])[-−]?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*\w')")


def numbers(text):
    """The numbers of a sentence; not those within names in quotes or within words."""
    text = re.sub(r"'[^']*'", "''", text)
    return [float(found.replace("−", "-")) for found in NUMBER.findall(text)]


def is_near(found, right, relative=5.1e-4, absolute=5.1e-4):
    return right is not None and abs(found - right) <= max(absolute, relative * abs(right))


def has(text, right, relative=5.1e-4, absolute=5.1e-4):
    """Whether a sentence has a number, or the same without its sign."""
    return any(is_near(found, right, relative, absolute) or is_near(-found, right, relative, absolute) for found in numbers(text))


def invented(text, allowed, relative=5.1e-4, absolute=5.1e-4):
    """The numbers of a sentence that are none of those allowed, with either sign."""
    allowed = [one for one in allowed if one is not None]
    return [found for found in numbers(text) if not any(
        is_near(found, one, relative, absolute) or is_near(-found, one, relative, absolute) for one in allowed)]


def same(found, right, relative=1e-9, absolute=1e-12):
    """Whether two numbers or nothings are the same."""
    if found is None or right is None:
        return found is right
    return abs(found - right) <= absolute + relative * abs(right)
