"""Numbers as commands print them: their digits, the tables that have them, and whether two of them agree."""
import collections
import math
import re

# Numbers in JSON have all digits; sums of them may differ in the last one.
EXACT = 1e-9

# The quantity, what it is about, the command, the path of the number, the number, and the step of its last digit.
Reading = collections.namedtuple("Reading", "quantity subject command path value step")


def decimals(text):
    """The step of the last digit of a number that is printed with its decimals."""
    mantissa, _, exponent = text.lower().partition("e")
    places = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - places)


def significant(text, digits):
    """The step of a number of so many digits, whose zeros at the end are not printed."""
    value = abs(float(text))
    return 10.0 ** (math.floor(math.log10(value)) - digits + 1) if value else 10.0 ** -digits


def table(text):
    """The rows of the tables in a text, each as the words of its columns."""
    lines, rows = text.split("\n"), []
    for i, line in enumerate(lines):
        if i and line.startswith("─") and set(line) <= {"─", " "}:
            spans = [match.span() for match in re.finditer("─+", line)]
            names = [lines[i - 1][a:b].strip() for a, b in spans]
            for row in lines[i + 1:]:
                # Sentences may follow at once.
                if not row.strip() or any(row[b:b + 2].strip() for _, b in spans[:-1]):
                    break
                # The last column may be wider than its rule.
                cells = [row[a:b if b < spans[-1][1] else None].strip() for a, b in spans]
                rows.append(dict(zip(names, cells)))
    return rows


def agree(one, other):
    """Whether two readings are one number, rounded to their steps."""
    size = max(abs(one.value), abs(other.value))
    return abs(one.value - other.value) <= (one.step + other.step) / 2 + EXACT * size + EXACT


def judge(readings):
    """The pairs of commands that contradict each other, and how many were compared."""
    groups = collections.defaultdict(list)
    for reading in readings:
        groups[reading.quantity, reading.subject].append(reading)
    count, wrong = 0, []
    for group in groups.values():
        for place, one in enumerate(group):
            for other in group[:place]:
                if one.command == other.command and one.path == other.path:
                    continue
                count += 1
                if not agree(one, other):
                    wrong.append((other, one))
    return count, wrong
