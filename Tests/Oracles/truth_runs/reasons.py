"""A release in sentences and in numbers: what may be said of it, and what may not."""
import re

from truth_runs import rules
from truth_runs.calls import has, invented, is_near, same

WORDS = {"finish": r"\bfinish(ed)?\b", "cancel": r"\bcancel(led)?\b"}


def reason_numbers(release, row=None):
    """Every number that may stand in the sentence of a release."""
    allowed = [release.time / 1e9, release.progress]
    if not release.decision:
        return allowed
    one = release.decision
    allowed += [one["threshold"], one["progress"], release.velocity]
    allowed += [value for value in one["parameters"].values() if isinstance(value, (int, float))]
    allowed += [one.get(name) for name in ["marginProgress", "marginVelocity", "marginThreshold", "marginSigma", "flipVelocity",
                                           "flipProgress", "projectedProgress", "progressStandardError"]]
    if not release.is_whole:
        if not release.is_foreign:
            allowed += [release.progress - one["threshold"], release.numbers.get("velocityThreshold")]
        if row and not release.is_foreign and release.velocity is None:
            # Of a known rule only the velocity was not recorded: the estimate takes its part.
            allowed += [row.get(name) for name in ["rule_velocity", "velocity", "projected_progress", "margin_velocity", "flip_velocity",
                                                   "margin_progress", "flip_progress", "margin_threshold", "margin_sigma"]]
        return allowed
    _, _, place = release.again()
    allowed += [place, 0, 1, place - one["threshold"] if place is not None else None, release.progress - one["threshold"],
                min(max(release.progress, 0), 1)]
    asked = release.rule, release.numbers, release.progress, release.velocity
    for border in [rules.compared(*asked), *rules.borders(*asked)]:
        allowed += [border, release.progress - border]
    if place is not None:
        ahead = rules.decide(release.rule, {**release.numbers, "velocityThreshold": 1e9}, 0, 1)[2] or 0
        allowed += [(one["threshold"] - release.progress) / ahead if ahead else None, one["threshold"] - (release.velocity or 0) * ahead]
    if row:
        allowed += [row.get(name) for name in ["flip_progress", "flip_velocity", "margin_progress", "margin_velocity", "margin_threshold",
                                               "margin_sigma", "projected_progress"]]
    limit = release.numbers.get("velocityThreshold")
    if limit is not None and release.velocity is not None:
        allowed += [limit, abs(release.velocity) - limit, release.velocity - limit, release.velocity + limit]
    if release.rule in ("cosmic", "compose", "flutter-dismissible"):
        allowed += [release.numbers.get("distance") or {"cosmic": 150}.get(release.rule, 1)]
    return allowed


def check_sentence(findings, where, command, text, release, timeline, row=None, relative=5.1e-4, absolute=5.1e-4):
    """The sentence of one release, by any command."""
    check = findings.check
    head = re.split(r"\bbut\b|\bwould\b|; the event|rule said", text)[0]
    check(f"{command}: outcome", where, re.search(WORDS[release.outcome], head), f"{release.outcome}: {text}")
    other = rules.OTHER[release.outcome]
    if release.decision and release.is_whole:
        again, criterion, place = release.again()
        is_said = bool(re.search(WORDS[other], text.replace(head, "", 1)) and re.search(r"would have (said|decided)|rule said", text))
        says = release.decision["ruleOutcome"]
        # The page shows on which side of the threshold it was, and an app may have recorded what its rule says as it liked.
        is_due = command != "page" and says == again
        check(f"{command}: another outcome by the rule", where, is_said == (again != release.outcome) or not is_said and not is_due
              or says != again, f"the rule says {again}: {text}")
        # It knows what decided only of recordings that keep that; of others it gives rule and threshold.
        if command != "page" or "with threshold" not in text and (release.decision["decidedBy"] == "rule" or says != release.outcome):
            if criterion == "progress":
                check(f"{command}: reason", where, has(text, release.progress, relative, absolute), f"{release.progress}: {text}")
                check_side(findings, where, command, text, release, relative, absolute)
            elif criterion == "velocity":
                limit = release.numbers["velocityThreshold"]
                check(f"{command}: reason", where, has(text, limit, relative, absolute), f"limit {limit}: {text}")
            else:
                check(f"{command}: reason", where, has(text, place, relative, absolute), f"projected to {place}: {text}")
    elif release.decision and release.is_foreign and (command != "page" or release.decision["decidedBy"] == "rule"):
        # The page gives no rule for what a script or the app decided.
        check(f"{command}: names the rule", where, release.rule in text, f"{release.rule}: {text}")
        check(f"{command}: gives the recorded threshold", where, has(text, release.decision["threshold"], relative, absolute),
              f"{release.decision['threshold']}: {text}")
        check(f"{command}: decides nothing again", where, not re.search(r"would have|is (not )?above", text), text)
    elif not release.decision:
        check(f"{command}: says by what it is derived", where, command == "page" or f"derived from the {release.derived}" in text,
              f"{release.derived}: {text}")
        check(f"{command}: a derived release has no reason", where, not re.search(r"threshold|would have", text), text)
    borders = check_thresholds(findings, where, command, text, release)
    wrong = invented(text, reason_numbers(release, row) + borders, relative, absolute)
    check(f"{command}: number from nowhere", where, not wrong, f"{wrong}: {text}")
    if not any(touch[2] == "cancelled" for touch in timeline.touches):
        check(f"{command}: a cancelled contact that is not there", where, not re.search(r"contact was cancelled|taken away", text), text)


def check_side(findings, where, command, text, release, relative, absolute):
    """"progress 0.6 is above the threshold 0.5": the number is the rule's, on the page the one at which the outcome changes, and
    the side is right."""
    found = re.search(r"progress \S+ is (not above|above|below|at) (?:the threshold )?(-?[\d.]+)", text)
    shown = re.search(r"\(([\d.]+ short of|[\d.]+ past|at) the threshold ([-−]?[\d.]+)\)", text) if command == "page" else None
    if not found and not shown:
        return
    side, limit = (found or shown)[1].split(" ", 1)[-1 if shown else 0], float((found or shown)[2].replace("−", "-"))
    asked = release.rule, release.numbers, release.progress, release.velocity
    right = [rules.compared(*asked)] if found else rules.borders(*asked) or [release.numbers["threshold"]]
    right = [one for one in right if is_near(limit, one, relative, absolute)]
    findings.check(f"{command}: decided by another number", where, right, f"{release.rule} {release.numbers}: {text}")
    holds = {"above": lambda one: release.progress > one, "past": lambda one: release.progress > one,
             "not": lambda one: release.progress <= one, "short of": lambda one: release.progress < one,
             "below": lambda one: release.progress < one, "at": lambda one: release.progress == one}[side]
    findings.check(f"{command}: side of a number", where, not right or any(map(holds, right)), f"{release.progress}: {text}")


def check_thresholds(findings, where, command, text, release):
    """"with a threshold below 0.839": on that side of the number the rule decides the other outcome, and on the other side not.
    Gives the number."""
    found = re.search(r"with a threshold (?:at or )?(below|above) (-?[\d.]+\d)", text)
    if not found:
        return []
    border = float(found[2])
    if not release.is_whole:
        # The progress itself is a border, rounded to the side that is named.
        return [border] if abs(border - release.progress) < 0.001 else []
    again = release.again()[0]
    # The number is printed with three digits, rounded to the side that is named.
    beside = -0.001 if found[1] == "below" else 0.001

    def outcome(threshold):
        return rules.decide(release.rule, {**release.numbers, "threshold": threshold}, release.progress, release.velocity)[0]

    findings.check(f"{command}: thresholds of the other outcome", where,
                   outcome(border + beside / 1e6) == rules.OTHER[again] and outcome(border - beside) == again, text)
    return [border]


def check_numbers(findings, where, command, row, release, names):
    """What a row of `velocity` or `whatif` decides again; `names` are its columns for outcome, progress and velocity."""
    check = findings.check
    outcome, progress, velocity = names
    if not release.decision:
        return
    if release.is_foreign:
        check(f"{command}: another rule than the recorded", where, row["rule"] in (None, release.rule), f"{row['rule']} for {release.rule}")
        check(f"{command}: decides again what it cannot", where, row[outcome] in (None, release.decision["ruleOutcome"])
              and row["criterion"] is None, f"{row[outcome]} by {row['criterion']} of the rule {release.rule}")
        # The lines of a recording have other names than rows.
        for name, known in {"margin": "marginProgress", "margin_progress": "marginProgress", "margin_velocity": "marginVelocity",
                            "margin_threshold": "marginThreshold", "flip_progress": "flipProgress",
                            "flip_velocity": "flipVelocity"}.items():
            check(f"{command}: {name} from nowhere", where, row[name] is None or same(row[name], release.decision.get(known)),
                  f"{row[name]} of the rule {release.rule}")
        if release.velocity is not None:
            check(f"{command}: velocity of the decision", where, row[velocity] is None or same(row[velocity], release.velocity),
                  f"{row[velocity]} for {release.velocity}")
        return
    check(f"{command}: rule", where, row["rule"] == release.rule, f"{row['rule']} for {release.rule}")
    if not release.is_whole:
        return
    again, criterion, place = release.again()
    check(f"{command}: rule outcome", where, row[outcome] == again, f"{row[outcome]} for {again}")
    check(f"{command}: criterion", where, row["criterion"] == criterion, f"{row['criterion']} for {criterion}")
    check(f"{command}: progress of the decision", where, same(row[progress], release.progress), f"{row[progress]} for {release.progress}")
    if rules.NEEDS[release.rule]:
        check(f"{command}: velocity of the decision", where, same(row[velocity], release.velocity),
              f"{row[velocity]} for {release.velocity}")
    if "projected_progress" in row and place is not None:
        check(f"{command}: projected progress", where, is_near(row["projected_progress"] or 0, place, 1e-9, 1e-9),
              f"{row['projected_progress']} for {place}")
    agrees = again == row.get("decision", again) or command == "whatif"
    for of, here in [("progress", release.progress), ("velocity", release.velocity)]:
        flip, margin = row["flip_" + of], row["margin_" + of]
        if flip is None or here is None:
            check(f"{command}: margin_{of}", where, margin is None, f"{margin} without a flip")
            continue
        check(f"{command}: flip_{of}", where, rules.flips(release.rule, release.numbers, release.progress, release.velocity, flip,
                                                         of), f"{flip} for {release.rule} {release.numbers}")
        right = abs(flip - here) * (1 if agrees else -1)
        check(f"{command}: margin_{of}", where, margin is not None and abs(margin - right) <= 1e-9 * (1 + abs(right)),
              f"{margin} for {right}")
