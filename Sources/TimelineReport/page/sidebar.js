// What lies under the lanes: check boxes of curves, the selection, items, markers, notes.

/** Whose clock the times of a run are from; an app may name its own. */
const clockNames = {
  virtual: "computed by the engine, not measured", device: "the touch device's own", app: "the app's own",
};
/** With more keys than this the boxes can be searched. */
const filterFrom = 12;
/** So many boxes stand there at once, so that the tabulator gets past them. */
const boxesAtOnce = 40;

/** The list of events on the report's clock: made anew when B is moved.
 * @param {Player} player */
function fillEvents(player) {
  const list = byId("event-rows");
  list.replaceChildren();
  const rows = player.layers.flatMap((layer) => layer.run.markers.map((marker) => ({ marker, layer })))
    .sort((a, b) => a.marker.t - a.layer.shift - (b.marker.t - b.layer.shift));
  for (const { marker, layer } of rows.slice(0, listLimit)) {
    const row = element("li", null, list);
    const button = element("button", `${seconds(marker.t - layer.shift)} s`, row);
    button.type = "button";
    button.addEventListener("click", () => goTo(player, layer.run, marker.t));
    element("span", player.head(layer) + markerWords(marker, layer), row);
  }
  if (rows.length > listLimit) element("li", `and ${rows.length - listLimit} more`, list);
}

/** @param {Player} player */
function fillLists(player) {
  fillEvents(player);
  byId("item-summary").textContent = player.runs.length > 1
    ? "Elements on the stage now, largest distance between A and B first" : "Elements on the stage now, last to rest first";
  const notes = byId("notes");
  for (const run of player.runs) {
    const letter = player.head(run, ": ");
    for (const note of run.notes) element("li", letter + note, notes);
    const clock = Object.hasOwn(clockNames, run.clock) ? clockNames[run.clock] : `from the clock "${plain(run.clock)}"`;
    element("li", `${letter}Times are ${clock}.`, notes);
  }
  element("li", "An update hitch is an interval between two recorded frames that is at least 1.5 times the expected one while something moved. The expected interval is the display's if it was recorded, and otherwise the steady rate around it. The ratio is milliseconds late per second of motion. The times at which the display presented the frames are not known.", notes);
  element("li", "A key's value holds until its next sample. Curves are drawn straight from sample to sample, and B − A is read on these lines. An app's key without a unit that takes at most 16 whole numbers is drawn in steps. Driven stretches are bold, and settling stretches are dashed. A fan shows the 90 % interval of a velocity. If an element follows a finger, the finger's curve is dashed from the position at which the element rested. The bracket is the lag. The tangents at the lift are the speed of the finger and the speed with which the element continues. The broad pale line under the settle is the spring that was fitted to it.", notes);
  element("li", "A diamond is a release whose decision was recorded: full if it finished, hollow if it was cancelled. A hollow circle is a release that was derived: from the lift, an event or the phases.", notes);
}

/** The check boxes of the curves: those that are shown, and of the others as many as can be looked over.
 * @param {Player} player */
function fillKeyBoxes(player) {
  const boxes = byId("key-boxes");
  boxes.hidden = player.keyNames.length === 0;
  const sought = byId("key-filter").value.trim().toLowerCase();
  byId("key-search").hidden = player.keyNames.length <= filterFrom;
  const found = player.keyNames.filter((name) => name.toLowerCase().includes(sought));
  const shown = new Set([...player.chosen, ...found.slice(0, boxesAtOnce)]);
  const list = byId("key-list");
  list.replaceChildren();
  for (const name of player.keyNames) if (shown.has(name)) keyBox(player, name, list);
  const left = found.filter((name) => !shown.has(name)).length;
  byId("key-more").textContent = left > 0 ? `and ${plural(left, "more curve")}: type a part of the name` : "";
}

/** @param {Player} player */
function keyBox(player, name, list) {
  const label = element("label", null, list);
  label.title = plain(name, 400);
  const box = element("input", null, label);
  box.type = "checkbox";
  box.checked = player.chosen.has(name);
  box.setAttribute("aria-label", `curve ${plain(name, 400)}`);
  const swatch = element("i", null, label);
  swatch.style.background = player.keyVariable(name);
  element("span", bothEnds(name, 60) + (player.hasValues(name) ? "" : " (no value)"), label);
  box.addEventListener("change", () => {
    if (box.checked) player.chosen.add(name);
    else player.chosen.delete(name);
    // Lanes stand in the order of the keys, whatever the order of the clicks.
    player.chosen = new Set(player.keyNames.filter((one) => player.chosen.has(one)));
    player.lanes.arrange();
    player.draw();
  });
}

/** What each curve does in the selection, at the foot of its lane below the selection, a line for each run.
 * @param {Player} player */
function fillSelection(player) {
  const { selection, lanes, layers } = player;
  const box = byId("selection");
  box.hidden = !selection;
  box.replaceChildren();
  if (!selection) return;
  const tell = (text, left, top) => {
    const words = element("p", text, box);
    words.style.left = `${Math.max(0, Math.min(left, lanes.width - words.offsetWidth))}px`;
    words.style.top = `${top}px`;
  };
  tell(`${seconds(selection.from)} to ${seconds(selection.to)} s, ${figure((selection.to - selection.from) / 1e6)} ms`, lanes.x(selection.to) + 8, 2);
  for (const lane of lanes.lanes) {
    if (lane.kind !== "curve") continue;
    const words = layers.flatMap((layer) => {
      const { run, shift } = layer;
      const index = run.keyIndex.get(lane.name);
      if (index === undefined) return [];
      const { holds, unit } = run.keys[index];
      const facts = statistics(run.curve(index), holds, selection.from + shift, selection.to + shift);
      const value = (one) => `${figure(one ?? null)} ${unitOf(unit)}`.trimEnd();
      const slope = facts?.slope === undefined ? "–" : velocityWords(facts.slope, null, null, unit);
      return `${player.head(layer)}min ${value(facts?.low)}, max ${value(facts?.high)},`
        + `${narrowWindow.matches ? "\n" : " "}mean ${value(facts?.mean)}, slope ${slope}`;
    });
    tell(words.join("\n"), lanes.x(selection.from), lane.top + lane.height - lane.foot);
  }
}

/** Smallest, largest, mean over time and the least-squares slope per second of the samples of a stretch. */
function statistics(curve, holds, from, to) {
  const first = lastAtMost(curve.t, from - 1) + 1;
  const last = lastAtMost(curve.t, to);
  if (last < first) return null;
  let [low, high, area] = [Infinity, -Infinity, 0];
  let [sumT, sumV, sumTT, sumTV] = [0, 0, 0, 0];
  const origin = curve.t[first];
  for (let i = first; i <= last; i++) {
    const [t, v] = [(curve.t[i] - origin) / 1e9, curve.v[i]];
    low = Math.min(low, v);
    high = Math.max(high, v);
    sumT += t;
    sumV += v;
    sumTT += t * t;
    sumTV += t * v;
    const height = holds ? curve.v[i - 1] : (curve.v[i] + curve.v[i - 1]) / 2;
    if (i > first) area += height * ((curve.t[i] - curve.t[i - 1]) / 1e9);
  }
  const count = last - first + 1;
  const length = (curve.t[last] - origin) / 1e9;
  const spread = count * sumTT - sumT * sumT;
  return {
    low, high, mean: length > 0 ? area / length : sumV / count,
    slope: spread > 0 ? (count * sumTV - sumT * sumV) / spread : undefined,
  };
}

function offsetWords(run, frame) {
  const [x, y] = [run.frames.x[frame], run.frames.y[frame]];
  return x === 0 && y === 0 ? "" : `, scrolled to ${figure(x)}, ${figure(y)}`;
}
