// Which curves are lanes, and in which order: what a finger drives, what is at fault, then the others.

/** Curves of keys that are shown at first, where a session has many. */
const curvesAtFirst = 4;
/** So many curves of the story are shown at first. */
const toldAtFirst = 4;
/** How early a curve of the story stands; keys stand before the last of these. */
const roleRank = { subject: 0, fault: 1, other: 3 };
const keyRank = 2;
/** Curves that never change become lanes by so many at once. */
const constantsAtOnce = 20;

/** Adds the curves of a run's story to its keys, each under a name that no key has. */
function addStoryCurves(run) {
  const names = new Set(run.keys.map(({ name }) => name));
  for (const curve of run.story?.curves ?? []) {
    let name = `${plain(curve.item, 40)}: ${curve.attribute}`;
    while (names.has(name)) name += "\u2032";
    names.add(name);
    for (const drag of curve.drags) {
      for (const instant of ["start", "lift", "last", "middle"]) drag[instant] = Number(drag[instant]);
      for (const instant of drag.spring ? ["start", "end"] : []) drag.spring[instant] = Number(drag.spring[instant]);
    }
    run.keys.push({ ...curve, name, isTold: true, holds: false, curve: null });
  }
}

/** The keys of a name, one of each run that has it.
 * @param {Player} player */
function keysNamed(player, name) {
  return player.runs.flatMap((run) => run.keys.filter((key) => key.name === name));
}

/** Puts the names of curves in order, and chooses those that are lanes at first.
 * @param {Player} player */
function arrangeKeys(player) {
  const rank = (name) => Math.min(...keysNamed(player, name).map(({ role, isTold }) => (isTold ? roleRank[role] : keyRank)));
  player.ranks = new Map(player.keyNames.map((name) => [name, rank(name)]));
  const rankOf = (name) => player.ranks.get(name) ?? keyRank;
  player.keyNames.sort((a, b) => rankOf(a) - rankOf(b));
  player.constants = player.keyNames.filter((name) => isConstant(player, name));
  // How large the content is, and its insets, are there for whoever looks for them.
  const shown = player.keyNames.filter((name) => player.hasValues(name) && !player.constants.includes(name)
    && !/^viewport\.content(Size|Inset)\./.test(name));
  const isFirst = (name) => rankOf(name) < keyRank;
  player.chosen = new Set([
    ...shown.filter(isFirst).slice(0, toldAtFirst), ...shown.filter((name) => !isFirst(name)).slice(0, curvesAtFirst),
  ]);
}

/** Whether a key has one and the same value all along, in all runs that have it.
 * @param {Player} player */
function isConstant(player, name) {
  const keys = keysNamed(player, name).filter(({ blocks }) => blocks.length > 0);
  return keys.length > 0 && keys.every(({ low, high }) => low === keys[0].low && high === low);
}

/** The constant curves that are not lanes of their own.
 * @param {Player} player */
function foldedNames(player) {
  return player.constants.filter((name) => !player.chosen.has(name));
}

/** Folds the constant curves, or makes lanes of the first of them.
 * @param {Player} player */
function foldConstants(player, isFolded) {
  const isShown = (name) => (isFolded ? player.chosen.has(name) && !player.constants.includes(name)
    : player.chosen.has(name) || player.constants.slice(0, constantsAtOnce).includes(name));
  player.chosen = new Set(player.keyNames.filter(isShown));
  fillKeyBoxes(player);
  player.lanes.arrange();
  player.draw();
}
