"""What each command says of a session, beside its truth."""
import json
import re

from truth_runs.calls import has, invented, is_near, numbers, same
from truth_runs.motion import check_motion, check_words
from truth_runs.reasons import WORDS, check_numbers, check_sentence


def check_listings(findings, program, path, runs, base):
    """`sessions`, `info` in both forms, the views by the program and by a stock SQLite, of all sessions of a recording."""
    check = findings.check
    plain, told = program.rows("list", "sessions", path), program.rows("show", path, codes=(0, 3))
    out, errors = program.run("show", path, codes=(0, 3))
    parts = {int(number): part for number, part in re.findall(r"^#(\d+) (.*(?:\n(?!#\d).*)*)", out, re.M)}
    releases = program.rows("sql", path, "SELECT * FROM releases ORDER BY session, t_ns")
    sql = {view: program.rows("sql", path, f"SELECT * FROM {view}") for view in ["sessions", "transitions"]}
    for number, (name, timeline) in runs.items():
        where = (path, number, name)
        by_number = [next((row for row in rows if row["session"] == number), None) for rows in (plain, told)]
        for command, row in zip(["sessions", "show"], by_number):
            if check(f"{command}: session", where, row is not None):
                check(f"{command}: outcome", where, row["outcome"] == timeline.outcome, f"{row['outcome']} for {timeline.outcome}")
        check_counts(findings, where, by_number[0], timeline)
        check_releases(findings, where, "info", by_number[1]["releases"], timeline)
        check_keys(findings, where, by_number[1]["keys"], timeline)
        check_headline(findings, where, parts.get(number, ""), errors, timeline)
        rows = [row for row in releases if row["session"] == number]
        check_releases(findings, where, "sql releases", rows, timeline)
        for release, row in zip(timeline.releases, rows):
            one = release.decision
            check("sql releases: rule and threshold", where,
                  (row["rule"], row["threshold"]) == ((one["rule"], one["threshold"]) if one else (None, None)), row)
        stock = dict(base.execute("SELECT session, outcome FROM sessions").fetchall())
        ours = {row["session"]: row["outcome"] for row in sql["sessions"]}
        for command, found in [("stock sessions", stock[number]), ("sql sessions", ours.get(number))]:
            check(f"{command}: outcome", where, found == timeline.outcome, f"{found} for {timeline.outcome}")
        right = {one.number: one.outcome for one in timeline.transitions}
        if timeline.has_rows:
            stock = dict(base.execute("SELECT transition, outcome FROM transitions WHERE session = ?", (number,)).fetchall())
            ours = {row["transition"]: row["outcome"] for row in sql["transitions"] if row["session"] == number}
            for command, found in [("stock transitions", stock), ("sql transitions", ours)]:
                check(f"{command}: outcome", where, found == right, f"{found} for {right}")


def check_copies(findings, program, path, runs, dice):
    """A merged and sealed copy, and what an export makes when it is recorded again, have the same truth."""
    check = findings.check
    copy, again = f"copy-{path}", f"again-{path}"
    program.run("file", "merge", path, "--into", copy, codes=(0, 3))
    program.run("file", "pack", copy, codes=(0, 1, 3))
    for number in runs:
        out, _ = program.run("export", "ndjson", f"{path}#{number}", codes=(0, 3))
        program.run("record", "--from-ndjson", "-", "--into", again, codes=(0, 3), text=out)
    ask = "SELECT session, t_ns, transition, outcome, decided_by, progress, derived, rule, threshold FROM releases"
    right = program.rows("sql", path, ask)
    for name, other in [("merge and seal", copy), ("export and record", again)]:
        found = program.rows("sql", other, ask)
        check(f"{name}: releases", (path, name), found == right, [(one, two) for one, two in zip(found, right) if one != two][:2])
        rows = {row["session"]: row["outcome"] for row in program.rows("list", "sessions", other)}
        outcomes = {number: timeline.outcome for number, (_, timeline) in runs.items()}
        check(f"{name}: outcome", (path, name), rows == outcomes, f"{rows} for {outcomes}")
    number, (name, timeline) = dice.choice(sorted(runs.items()))
    times = [t for rows in timeline.samples.values() for t, _, _ in rows]
    t = dice.randrange(min(times), max(times) + 1) if times else 0
    for other in (copy, again):
        for row in program.rows("replay", f"{other}#{number}", "--keys", "--at", f"{t / 1e9:.9f}"):
            held = timeline.held(row["key"], t)
            check("replay --at of a copy: a value holds", (other, number, name), row["value"] == held, f"{row['key']} at {t} is {row['value']}, held is {held}")


def check_counts(findings, where, row, timeline):
    right = {"samples": sum(map(len, timeline.samples.values())), "frames": timeline.frames, "touches": len(timeline.touches),
             "releases": len(timeline.releases), "derived": sum(one.derived is not None for one in timeline.releases)}
    found = {name: row[name] for name in right}
    findings.check("sessions: counts", where, found == right, f"{found} for {right}")


def check_releases(findings, where, command, rows, timeline):
    """Rows of releases against the true ones, in order."""
    check = findings.check
    if not check(f"{command}: number of releases", where, len(rows) == len(timeline.releases),
                 f"{[(row['t_ns'], row['outcome']) for row in rows]} for {[(one.time, one.outcome) for one in timeline.releases]}"):
        return
    for row, release in zip(rows, timeline.releases):
        check(f"{command}: outcome", where, row["outcome"] == release.outcome, f"{row['outcome']} for {release.outcome}")
        check(f"{command}: instant of a release", where, row["t_ns"] == release.time, f"{row['t_ns']} for {release.time} by {release.derived}")
        check(f"{command}: derived", where, row["derived"] == release.derived, f"{row['derived']} for {release.derived}")
        check(f"{command}: progress of a release", where, same(row["progress"], release.progress),
              f"{row['progress']} for {release.progress} at {release.time}, derived {release.derived}")
        check(f"{command}: who decided", where, row["decided_by"] == release.decided_by, f"{row['decided_by']} for {release.decided_by}")


def check_keys(findings, where, rows, timeline):
    found = {row["key"]: row for row in rows}
    for key, samples in timeline.samples.items():
        values = [value for _, value, _ in samples]
        row = found.get(key)
        if findings.check("info: keys", where, row is not None, key):
            right = [len(values), samples[0][0], samples[-1][0], min(values), max(values), values[-1]]
            given = [row[name] for name in ["samples", "first_ns", "last_ns", "min", "max", "last"]]
            findings.check("info: figures of a key", where, given == right, f"{key}: {given} for {right}")


def check_headline(findings, where, text, errors, timeline):
    """What `info` writes for people of one session."""
    check = findings.check
    head = text.split("\n")[0]
    told = re.findall(r"(finish|cancel) at (-?[\d.]+) s", head)
    if told:
        right = [(one.outcome, one.time / 1e9) for one in timeline.releases]
        check("info: head", where, len(told) == len(right) and all(
            outcome == word and is_near(float(time), t) for (outcome, time), (word, t) in zip(told, right)), f"{head} for {right}")
    elif timeline.releases:
        counts = [sum(one.outcome == word for one in timeline.releases) for word in ("finish", "cancel")]
        found = [int((re.search(rf"(\d+) {word}", head) or [0, 0])[1]) for word in ("finish", "cancel")]
        check("info: head", where, found == counts, f"{head} for {counts}")
    if timeline.releases:
        check("info: says that nothing was decided", where, not re.search(r"nothing was decided|without a lift", text), text)
    contradicted = [one for one in timeline.transitions if one.is_contradicted]
    if contradicted and timeline.is_app:
        words = [line for line in (text + "\n" + errors).split("\n") if all(re.search(word, line) for word in WORDS.values())
                 and line != head]
        check("info: names event and decision that contradict each other", where, words, text)


def check_values(findings, program, where, dice, timeline):
    """`replay --keys`, `velocity --at` and the exports: a value holds until the next one."""
    check = findings.check
    path, number, _ = where
    target = f"{path}#{number}"
    rows = program.rows("replay", target, "--keys", where=where)
    found = {}
    for row in rows:
        found.setdefault(row["key"], []).append((row["t_ns"], row["value"]))
    right = {key: [row[:2] for row in rows] for key, rows in timeline.samples.items()}
    check("replay: recorded values", where, found == right, "other rows than the recorded ones")
    times = sorted({t for rows in timeline.samples.values() for t, _, _ in rows})
    if not times:
        return
    asked = [dice.randrange(times[0], times[-1] + 1), dice.choice(times)]
    if any(later - earlier > 1 for earlier, later in zip(times, times[1:])):
        first = dice.choice([i for i in range(len(times) - 1) if times[i + 1] - times[i] > 1])
        asked.append((times[first] + times[first + 1]) // 2)
    for t in asked:
        for row in program.rows("replay", target, "--keys", "--at", f"{t / 1e9:.9f}", where=where):
            held = timeline.held(row["key"], row["t_ns"])
            check("replay --at: a value holds", where, row["t_ns"] == t and held is not None and row["value"] == held,
                  f"{row['key']} at {t} ns is {row['value']}, held is {held}")
    t = asked[0]
    for row in program.rows("velocity", target, "--at", f"{t / 1e9:.9f}", codes=(0, 1, 3), where=where):
        if row["key"] and row["item"] is None and row["value"] is not None:
            held = timeline.held(row["key"], t)
            check("velocity --at: a value holds", where, row["value"] == held, f"{row['key']} at {t} ns is {row['value']}, held is {held}")
    check_exports(findings, program, where, timeline, right)


def check_exports(findings, program, where, timeline, right):
    path, number, _ = where
    target = f"{path}#{number}"
    out, _ = program.run("export", "ndjson", target, codes=(0, 3), where=where)
    found, decisions = {}, []
    for line in map(json.loads, out.splitlines()):
        if "key" in line:
            found.setdefault(line["key"], []).append((line["t_ns"], line["value"]))
        if "decision" in line:
            decisions.append((line["decision"]["outcome"], line["decision"]["rule"], line["decision"]["threshold"]))
        if "recorded" in line:
            outcome = line["recorded"].get("outcome")
            findings.check("export ndjson: outcome", where, outcome == timeline.outcome, f"{outcome} for {timeline.outcome}")
    findings.check("export ndjson: recorded values", where, found == right, "other values than the recorded ones")
    recorded = [(one["outcome"], one["rule"], one["threshold"]) for one in timeline.decisions]
    findings.check("export ndjson: decisions", where, decisions == recorded, f"{decisions} for {recorded}")
    out, _ = program.run("export", "csv", target, "--wide", codes=(0, 3), where=where)
    names, *rows = [line.split(",") for line in out.splitlines() if line] or [[]]
    for row in rows:
        t = int(row[1])
        for key, cell in zip(names[2:], row[2:]):
            now = [value for other, value in right[key] if other == t] or [timeline.held(key, t)]
            findings.check("export csv --wide: a value holds", where, cell == "" or float(cell) in now,
                           f"{key} at {t} ns is {cell}, held is {timeline.held(key, t)}")


def check_velocity(findings, program, where, timeline):
    """`velocity` in rows and in sentences; the rows of the progress come back, by release."""
    check = findings.check
    path, number, _ = where
    target = f"{path}#{number}"
    rows = program.rows("velocity", target, codes=(0, 1, 3), where=where)
    out, errors = program.run("velocity", target, codes=(0, 1, 3), where=where)
    by_release = []
    for release in timeline.releases:
        mine = [row for row in rows if (row["t_ns"], row["transition"]) == (release.time, release.transition)]
        chosen = next((row for row in mine if row["key"] == "progress"), None)
        by_release.append(chosen or next(iter(mine), None))
        for row in mine[:1] + ([chosen] if chosen and chosen is not mine[0] else []):
            check("velocity: outcome", where, row["decision"] == release.outcome, f"{row['decision']} for {release.outcome}")
            check("velocity: derived", where, row["derived"] == release.derived, f"{row['derived']} for {release.derived}")
            check("velocity: recorded outcome", where, row["recorded_decision"] in (None, release.outcome), row["recorded_decision"])
            check_numbers(findings, where, "velocity", row, release, ["rule_decision", "rule_progress", "rule_velocity"])
        for row in mine:
            if row["key"] and row["item"] is None and row["value"] is not None:
                held = [timeline.held(row["key"], release.time)] + ([release.progress] if row["key"] == "progress" else [])
                check("velocity: value at a release", where, row["value"] in held, f"{row['key']} is {row['value']}, held is {held}")
        if "progress" in timeline.samples and not timeline.traits.count("capital"):
            check("velocity: a row of the progress", where, chosen is not None, f"none at {release.time}")
    known = {(one.time, one.transition) for one in timeline.releases}
    extra = {(row["t_ns"], row["transition"]) for row in rows if row["transition"] is not None or row["decision"]} - known
    check("velocity: rows of a release that is none", where, not extra, extra)
    lines = [line for line in out.split("\n") if line.startswith("At ")]
    if not timeline.releases:
        check("velocity: a sentence of a release that is none", where, not any(re.search(r": (finish|cancel)", line) for line in lines), lines)
    elif check("velocity: a sentence for each release", where, len(lines) == len(timeline.releases), f"{lines} for {len(timeline.releases)}"):
        for line, release, row in zip(lines, timeline.releases, by_release):
            check_sentence(findings, where, "velocity", line, release, timeline, row)
            check("velocity: instant in words", where, is_near(float(re.match(r"At (-?[\d.]+)", line)[1]), release.time / 1e9), line)
    return by_release


def check_whatif(findings, program, path, runs, dice):
    """`whatif` by each session's own rule, and by one that is given."""
    check = findings.check
    threshold = round(dice.uniform(0.2, 0.8), 3)
    for flags in [[], ["--rule", "progress", "--set", f"release.threshold={threshold}"]]:
        rows = [row for row in program.rows("rule", "try", path, *flags, codes=(0, 1, 3)) if row.get("kind") == "gesture"]
        for number, (name, timeline) in runs.items():
            where = (path, number, name)
            for release in timeline.releases:
                mine = [row for row in rows if (row["session"], row["transition"], row["t_ns"])
                        == (number, release.transition, release.time)]
                is_own = release.progress is not None and release.decided_by not in ("touch", "time")
                if not mine:
                    is_due = is_own and (flags or not release.decision or release.is_whole) and not (flags and release.is_foreign)
                    check("whatif: a gesture that can be decided again", where, not is_due or is_taken(timeline, release),
                          f"none for {release.outcome} at {release.time} by {release.rule}, {flags}")
                for row in mine:
                    check("whatif: recorded outcome", where, row["recorded_decision"] == release.outcome,
                          f"{row['recorded_decision']} for {release.outcome}")
                    if flags or not release.decision:
                        limit = threshold if flags else 0.5
                        right = "finish" if release.progress is not None and release.progress > limit else "cancel"
                        check("whatif: decided by another rule", where, row["decision"] == right and same(row["progress"], release.progress),
                              f"{row['decision']} of {row['progress']} for {right} of {release.progress}, {flags}")
                    else:
                        check_numbers(findings, where, "whatif", row, release, ["decision", "progress", "velocity"])


def is_taken(timeline, release):
    """Whether the contact of a derived release was cancelled: nobody decided that."""
    return not release.decision and any(one[2] and one[1] <= release.time + 100_000_000 for one in timeline.contacts())


def check_describe(findings, program, where, timeline, by_release):
    """`describe` in sentences."""
    check = findings.check
    path, number, _ = where
    rows = program.rows("show", f"{path}#{number}", codes=(0, 3), where=where)
    told = {}
    for row in rows:
        told.setdefault(row["about"], []).append(row["says"])
    head = " ".join(told.get("session", []))
    outcome = re.search(r"outcome (\w+)", head)
    check("describe: outcome", where, outcome and outcome[1] == timeline.outcome, f"{head} for {timeline.outcome}")
    decided = told.get("decided", [])
    sentences = [text for text in decided if text.startswith("At ")]
    more = sum(int(text.split()[0]) for text in decided if re.match(r"\d+ more release", text))
    check("describe: a sentence for each release", where, len(sentences) + more == len(timeline.releases),
          f"{decided} for {len(timeline.releases)}")
    for text, release, row in zip(sentences, timeline.releases, by_release):
        reason, _, estimate = text.partition(" The progress moved at ")
        check_sentence(findings, where, "describe", reason, release, timeline, row)
        if estimate and row and row["velocity"] is not None:
            wrong = invented(estimate, [row["velocity"], row["low"], row["high"], row["samples"], 90])
            check("describe: the estimate is that of velocity", where, not wrong, f"{wrong}: {estimate} for {row['velocity']}")


def check_compare(findings, program, path, runs, first, second):
    """`compare` of two sessions: decisions of both, what is said to differ, and motion past the end."""
    check = findings.check
    (name, a), (_, b) = runs[first], runs[second]
    where = (path, f"{first} and {second}", name)
    rows = program.rows("compare", f"{path}#{first}", f"{path}#{second}", codes=(0, 1, 3), where=where)
    decisions = [row for row in rows if row["row"] == "decision"]
    sides = {"A": a, "B": b}
    for row in decisions:
        for letter, timeline in sides.items():
            # Releases are paired in their order, whichever transitions had none.
            mine = timeline.releases[row["transition"]:row["transition"] + 1]
            right = [one.outcome for one in mine[-1:]] or [None] + [
                one.outcome for one in timeline.transitions if one.number == row["transition"]]
            check("compare: outcome", where, row["decision_" + letter.lower()] in right, f"{letter} {row['decision_' + letter.lower()]} for {right}")
            if not mine:
                continue
            release = mine[-1]
            check("compare: derived", where, row["derived_" + letter.lower()] == release.derived, f"{row['derived_' + letter.lower()]} for {release.derived}")
            check("compare: progress of a release", where, same(row["progress_" + letter.lower()], release.progress),
                  f"{row['progress_' + letter.lower()]} for {release.progress}, derived {release.derived}")
            recomputed, threshold = row["recomputed_" + letter.lower()], row["threshold_" + letter.lower()]
            right = release.decision["threshold"] if release.decision else None
            check("compare: threshold", where, threshold in (None, right) or not release.decision, f"{threshold} for {right}")
            if release.is_foreign:
                check("compare: decides again what it cannot", where, recomputed is None, f"{recomputed} by {release.rule}")
            elif release.is_whole:
                check("compare: decided again", where, recomputed in (None, release.again()[0]), f"{recomputed} for {release.again()[0]}")
    outcomes = [[one.outcome for one in timeline.releases] for timeline in (a, b)]
    verdict = next((row for row in rows if row["row"] == "verdict"), None)
    if not check("compare: verdict", where, verdict is not None):
        return
    if outcomes[0] != outcomes[1]:
        check("compare: other decisions are a difference", where, verdict["same"] is False, f"same, with {outcomes}")
    hints = " ".join(verdict["hints"])
    is_due = any(one.decision and (one.is_whole and one.again()[0] != one.decision["ruleOutcome"] or not one.is_whole and not one.is_foreign
                                   or one.is_whole and one.again()[0] != one.outcome) for one in a.releases + b.releases)
    check("compare: a rule that says otherwise", where, is_due or "own rule says" not in hints, hints)
    for one in verdict["failures"]:
        check_words(findings, where, one["says"], a, b)
    for row in rows:
        if row["row"] == "key" and row["key"] == "progress":
            check_motion(findings, where, row.get("motion", []), sides)
