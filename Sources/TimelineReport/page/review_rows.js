// The rows of a review: what the report was given, in what order, and which of them are asked for.

/** @type {Review} */
const review = dataOf("review");

/** The states of a row, the worst first. */
const states = ["missing", "unreadable", "flipped", "failed", "warned", "passed"];

/** A row as the report was given it, under names. */
function namedRow(fields, place) {
  const [state, path, session, uuid, name, golden, worst, others, ratio, transition, outcome, goldenOutcome, margin,
    velocity, hitch, curve, page] = fields;
  const isRun = state !== "missing" && state !== "unreadable";
  const file = session === null ? path : `${path}#${session}`;
  return {
    place, state, path, session, uuid, name, worst, others: others ?? 0, isRun, page: page ?? null,
    golden: golden === null || golden === undefined ? null : review.sessions[golden],
    transition: transition ?? null, outcome: outcome ?? null, goldenOutcome: goldenOutcome ?? null,
    // Infinite where something must not be at all.
    ratio: worst === null || !isRun ? null : ratio ?? Infinity,
    margin: margin ?? null, velocity: velocity ?? null, hitch: hitch ?? null, curve: curve ?? null,
    // A copy of a file has the same uuid.
    file, key: file,
    words: [name, file, uuid, worst, curve?.[0], state, outcome].join("\n").toLowerCase(),
  };
}

const allRows = review.rows.map(namedRow);

/** What rows can be sorted by: their own order, a name, or a number, of which those without one come last. */
const orders = {
  worst: { name: "worst first", of: (row) => row.place },
  name: { name: "name", of: (row) => (row.name ?? "") + "\n" + row.file },
  beyond: { name: "beyond its limit", of: (row) => row.ratio, isDown: true },
  decision: { name: "decision", of: (row) => row.outcome },
  margin: { name: "margin", of: (row) => (row.margin === null ? null : Math.abs(row.margin)) },
  hitch: { name: "hitches", of: (row) => row.hitch, isDown: true },
  velocity: { name: "velocity", of: (row) => row.velocity, isDown: true },
};

/** Which rows can be asked for beside those of a state. */
const sieves = {
  all: () => true,
  marked: (row, marks) => marks.isMarked(row),
  unmarked: (row, marks) => !marks.isMarked(row),
};
for (const state of states) sieves[state] = (row) => row.state === state;

/** The rows that hold all words, in an order; `-ORDER` is the other way round. */
function chosenRows({ show, words, order }, marks) {
  const parts = words.toLowerCase().split(/\s+/).filter((word) => word !== "");
  const rows = allRows.filter((row) => sieves[show](row, marks) && parts.every((word) => row.words.includes(word)));
  const { of, isDown } = orders[order.replace(/^-/, "")];
  if (order === "worst") return rows;
  const sign = order.startsWith("-") !== Boolean(isDown) ? -1 : 1;
  const values = new Map(rows.map((row) => [row, of(row)]));
  return rows.sort((left, right) => {
    const [a, b] = [values.get(left), values.get(right)];
    if (a === b) return left.place - right.place;
    if (a === null) return 1;
    if (b === null) return -1;
    return a < b ? -sign : sign;
  });
}
