// Words and numbers as the report shows them.

/** A number in at most four digits, without an exponent where people would not write one. */
function figure(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return value.toPrecision(3);
  if (size >= 100) return String(Math.round(value * 10) / 10);
  // Halves go up, as in the words of kymo; toPrecision would look at what stands behind them in binary.
  const scale = 10 ** (2 - Math.floor(Math.log10(size)));
  return size === 0 ? "0" : String(Number((Math.sign(value) * Math.round(size * scale) / scale).toPrecision(3)));
}

/** A key's value as `figure` has it; what is too small for the steps in which the report keeps a key's range is 0. */
function valueFigure(value, range) {
  return figure(range && Math.abs(value) < (range.high - range.low) * 2e-6 ? 0 : value);
}

/** Where in a range a value is, from 0 to 1. Halves, so that no range overflows. */
function shareOf(value, { low, high }) {
  return (value / 2 - low / 2) / (high / 2 - low / 2);
}

/** Nanoseconds as seconds with milliseconds. */
function seconds(nanoseconds) {
  return (nanoseconds / 1e9).toFixed(3);
}

/** The parts of an address's fragment, [name, value] each. */
function addressParts(fragment) {
  return fragment.replace(/^#/, "").split("&").map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  });
}

/** A part of an address as it was before it was written there; empty if it cannot be read. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function plural(count, word) {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

// Letters that turn the direction of what follows, or show nothing: a name must not rearrange the report.
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A name from the recording, with a sign for every letter that cannot be seen. */
function plain(name, limit = 120) {
  const text = String(name).replace(unseen, "\u25a1");
  return text.length > limit ? text.slice(0, limit - 1) + "…" : text;
}

/** The same with both its ends, in which names mostly differ. */
function bothEnds(name, limit) {
  const text = plain(name, 1e4);
  if (text.length <= limit) return text;
  const head = Math.floor((limit - 1) / 3);
  return `${text.slice(0, head)}…${text.slice(text.length - (limit - 1 - head))}`;
}

/** A velocity with its 90 % interval; by time, or by what a compositor measures. */
function velocityWords(velocity, low, high, unit, by = "/s") {
  if (velocity === null || velocity === undefined) return "no velocity";
  const per = `${unit && unit !== "1" ? plain(unit, 12) : ""}${by}`;
  const half = (high - low) / 2;
  const shown = half.toFixed(decimals(velocity));
  // Without an interval, or where it is narrower than the digits that are shown.
  if (low === null || high === null || low === undefined || high === undefined || Number(shown) === 0) {
    return `${figure(velocity)} ${per}`;
  }
  const isEven = Math.abs((high + low) / 2 - velocity) <= 0.02 * half;
  return isEven
    ? `${figure(velocity)} ± ${shown} ${per}`
    : `${figure(velocity)} (${figure(low)} to ${figure(high)}) ${per}`;
}

/** How many decimals `figure` shows of a number. */
function decimals(value) {
  const text = figure(value);
  const dot = text.indexOf(".");
  return dot < 0 || text.includes("e") ? 0 : text.length - dot - 1;
}

/** The threshold that decided at a release, in the unit of its key; null where a velocity did, or no key is known. */
function limitOf({ criterion, flipProgress, threshold, thresholdKey }) {
  if (criterion === "velocity" || thresholdKey === null) return null;
  return criterion === "progress" ? flipProgress ?? threshold : threshold;
}

/** Whether a threshold says anything of a decision: not where time, a script or the app went the rule's way by itself. */
function isOfRule({ by, outcome, ruleOutcome }) {
  return by === "rule" || outcome !== ruleOutcome;
}

/** What decided at a release, and how far that was from the other outcome. */
function decidedParts(decision) {
  const { criterion, threshold, progress, projected, marginProgress } = decision;
  const parts = [`progress ${figure(progress)}`];
  if (!isOfRule(decision)) return parts;
  if (criterion === "velocity") {
    parts.push(decidedWords(decision));
  } else if (criterion === "progress" || (criterion !== null && projected !== null)) {
    if (projected !== null) parts.push(`projected to ${figure(projected)}`);
    parts.push(`${parts.pop()} (${marginWords(decision)} ${figure(limitOf(decision))})`);
  } else {
    parts.push(`rule ${plain(decision.rule, 40)} with threshold ${figure(threshold)}, as recorded`);
    if (marginProgress !== null) parts.push(`margin ${figure(marginProgress)}`);
  }
  if (decision.rule !== "progress" && criterion !== null) parts.push(`rule ${plain(decision.rule, 40)}`);
  return parts;
}

/** By how much what was reached is past the threshold, or short of it: the margin, whose side no sign says. */
function marginWords(decision) {
  const [reached, limit] = [decision.projected ?? decision.progress, limitOf(decision)];
  const margin = Math.abs(reached - limit);
  return margin === 0 ? "at the threshold" : `${figure(margin)} ${reached < limit ? "short of" : "past"} the threshold`;
}

/** A decision by the velocity, in words. Its margin leads to the velocity that flips it, mostly farther off than the threshold. */
function decidedWords({ velocityThreshold, velocityThresholdUnit, marginVelocity }) {
  const by = byReports(velocityThresholdUnit) ?? "/s";
  const margin = marginVelocity === null ? "" : `, ${figure(Math.abs(marginVelocity))} ${by} from flipping`;
  return `speed past the threshold ${figure(velocityThreshold)} ${velocityThresholdUnit.replace(/^1/, "")}${margin}`;
}

/** What a unit ends with that counts reports in place of time. */
function byReports(unit) {
  return /\/\d* ?reports?$/.exec(unit ?? "")?.[0];
}

/** Who estimated a speed, unless it is the estimator of all stories. */
function estimatorWords(name) {
  return name === undefined || name === "lsq-span" ? "" : ` by ${name}`;
}

/** The sentence of a release, on the run's own clock or on one that is ahead of it by a shift. */
function releaseWords(decision, run, shift = 0) {
  const parts = [`At ${seconds(decision.t - shift)} s: ${decision.outcome}`];
  if (decision.derived !== null) {
    if (decision.progress !== null) parts.push(`progress ${figure(decision.progress)}`);
  } else {
    parts.push(...decidedParts(decision));
  }
  const estimate = run.progressEstimates.of(decision);
  const velocity = estimate ? estimate.velocity : decision.velocity;
  const by = estimate ? estimate.by ?? undefined : byReports(decision.velocityThresholdUnit);
  const own = estimatorWords(estimate?.estimator);
  parts.push(velocity === null ? "no velocity" : "velocity " + velocityWords(velocity, estimate?.low, estimate?.high, "1", by) + own);
  const fingers = decision.fingerSpeeds;
  if (fingers.length > 0) parts.push(`${fingers.length > 1 ? "fingers" : "finger"} ${fingers.map(figure).join(" and ")} ${decision.fingerUnit}/s${estimatorWords(decision.fingersBy)}`);
  if (decision.derived !== null) parts.push(`derived from the ${decision.derived}`);
  else if (decision.by !== "rule") parts.push(`decided by ${decision.by === "app" ? "the app" : plain(decision.by, 40)}`);
  if (decision.derived === null && decision.ruleOutcome !== decision.outcome) parts.push(`the rule decided ${decision.ruleOutcome}`);
  return parts.join(", ");
}
