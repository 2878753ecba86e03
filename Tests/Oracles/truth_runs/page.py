"""The page of `report`: values that hold under the cursor, the sentence of each release, thresholds in their lanes."""
import json
import pathlib
import re

from truth_runs import rules
from truth_runs.calls import is_near
from truth_runs.reasons import check_sentence

# The page shows three digits.
RELATIVE, ABSOLUTE = 6e-3, 6e-4


def check_page(findings, program, browser, where, dice, timeline):
    check = findings.check
    path, number, _ = where
    name = f"{path}.{number}.html"
    program.run("report", f"{path}#{number}", "-o", name, "--force", codes=(0, 3), where=where)
    if not check("page: written", where, (pathlib.Path(program.folder) / name).exists()):
        return
    browser.open(f"{program.folder}/{name}")
    check("page: complaints", where, browser.complaints() == [], browser.complaints())
    times = sorted({t for rows in timeline.samples.values() for t, _, _ in rows})
    gaps = [(one, other) for one, other in zip(times, times[1:]) if other - one > 1000]
    asked = [(one + other) // 2 for one, other in dice.sample(gaps, min(4, len(gaps)))]
    keys = list(timeline.samples)
    for t in asked:
        found = browser.evaluate(f"kymograph.seek({t / 1e9!r}), {json.dumps(keys)}.map((key) => kymograph.value(key))")
        for key, value in zip(keys, found):
            held = timeline.held(key, t)
            values = [row[1] for row in timeline.samples[key]]
            slack = (max(values) - min(values)) / 2 ** 20 + 1e-12
            check("page: a value holds", where, (value is None) == (held is None)
                  and (held is None or abs(value - held) <= slack), f"{key} at {t} ns is {value}, held is {held}")
    texts = browser.evaluate("[...document.querySelectorAll('#releases button[data-outcome]')].map((b) => [b.dataset.outcome, b.textContent])")
    shown = timeline.releases[:2]
    if check("page: a sentence for each release", where, len(texts) == len(shown), f"{texts} for {len(shown)}"):
        for (outcome, text), release in zip(texts, shown):
            check("page: outcome", where, outcome == release.outcome, f"{outcome} for {release.outcome}")
            reason = re.split(r", (?:velocity|fingers?|finger's) (?=[-−\d±–])|, meant ", text)[0]
            reason = reason.removeprefix(outcome)
            # Fingers and their speeds are no reason.
            reason = re.split(r",? fingers?\b", reason)[0]
            check_sentence(findings, where, "page", reason, release, timeline, None, RELATIVE, ABSOLUTE)
    head = browser.evaluate("document.getElementById('releases').textContent")
    if timeline.releases:
        check("page: says that nothing was decided", where, not re.search(r"nothing was decided|no decision was recorded", head), head)
    outcome = browser.evaluate("[...document.querySelectorAll('#facts dt')].find((e) => e.textContent === 'outcome')?.nextSibling.textContent")
    check("page: outcome of the session", where, outcome == timeline.outcome, f"{outcome} for {timeline.outcome}")
    for key in keys:
        words = browser.evaluate(f"(() => {{ try {{ return kymograph.words({json.dumps(key)}).map((w) => w.text) }} catch {{ return [] }} }})()")
        for text in words:
            if "threshold" not in text:
                continue
            limits = [float(found) for found in re.findall(r"threshold (-?[\d.]+)", text)]
            due = [one.numbers.get(which) for one in timeline.releases if one.decision and one.rule in rules.KNOWN and key == "progress"
                   for which in ("threshold", "velocityThreshold")]
            due += [one.decision["threshold"] for one in timeline.releases if one.decision and one.rule == key]
            # Some rules decide by an end of the way, by a half of it at rest, or by the way back.
            due += [place for one in timeline.releases if key == "progress" and one.is_whole
                    for place in rules.borders(one.rule, one.numbers, one.progress, one.velocity)]
            check("page: a threshold in the lane of another number", where,
                  all(any(is_near(limit, one, RELATIVE, ABSOLUTE) for one in due if one is not None) for limit in limits) and (limits or due),
                  f"{key}: {text}, {[(one.rule, one.numbers) for one in timeline.releases if one.decision]}")
