// Two runs on one clock: which is in front, by how much B is later, and B minus A.

/** Samples of a run in the window up to which the residual is told at each of them. */
const residualLimit = 4000;

/** @param {Player} player */
function swap(player) {
  if (player.layers.length < 2) return;
  player.layers.reverse();
  document.body.dataset.front = player.front.letter;
  byId("swap").setAttribute("aria-pressed", String(player.front.letter === "B"));
  player.lanes.arrange();
  player.xy.drawBase();
  player.layOutStages();
  player.tell();
  player.draw();
}

/** @param {Player} player */
function setLag(player, milliseconds) {
  player.lagNanoseconds = Math.round(milliseconds * 1e6);
  byId("lag").value = milliseconds;
  byId("lag-words").textContent = `${milliseconds.toFixed(1)} ms`;
  document.body.dataset.lag = milliseconds.toFixed(3);
  player.place();
  fillEvents(player);
  tellReleases(player);
  player.redrawPlots();
  player.seek(player.time);
}

/** B minus A of a key, at A's and B's samples, or where they are too many on an even grid.
 * @param {Player} player */
function residual(player, name) {
  const { from, to } = player.window;
  const parts = player.layers.map(({ run, shift }) => {
    const t = run.keyIndex.has(name) ? run.curve(run.keyIndex.get(name)).t : new Float64Array();
    return t.subarray(lastAtMost(t, from + shift - 1) + 1, lastAtMost(t, to + shift) + 1);
  });
  if (parts.some(({ length }) => length === 0)) return [];
  const times = parts.some(({ length }) => length > residualLimit)
    ? Array.from({ length: residualLimit }, (_, i) => from + ((to - from) * i) / (residualLimit - 1))
    : parts.flatMap((part, i) => Array.from(part, (time) => time - player.layers[i].shift)).sort((a, b) => a - b);
  /** @type {Point[]} */
  const points = [];
  for (const time of times) {
    const value = residualAt(player, name, time);
    if (value !== null) points.push([time, value]);
  }
  return points;
}

/** B minus A at a time, each read on its line between samples; null if one has none there.
 * @param {Player} player */
function residualAt(player, name, time) {
  let difference = 0;
  for (const { run, shift, letter } of player.layers) {
    const value = run.valueOnLine(run.keyIndex.get(name), time + shift);
    if (value === null) return null;
    difference += letter === "B" ? value : -value;
  }
  return difference;
}
