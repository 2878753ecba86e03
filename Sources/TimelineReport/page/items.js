// The items: their list, and the one that was chosen with its values and its curves.

/** What of a chosen item is drawn as a curve: the name, the unit, and where it stands in a pose. */
const itemCurves = [["x", "pt"], ["y", "pt"], ["width", "pt"], ["height", "pt"], ["alpha", "1"]];
/** An item is at rest where no side of it is farther from its last place than this, in points, */
const restLength = 0.5;
/** and its alpha no farther from its last one than this. */
const restAlpha = 0.01;

/** How far apart two poses are, in points; infinite where one is missing. */
function distance(one, other) {
  if (!one || !other) return Infinity;
  return Math.max(...["x", "y", "width", "height"].map((name) => Math.abs(one[name] - other[name])));
}

/** With more poses than this the head does not say which item is last: every one of them is looked at for that. */
const restLimit = 300_000;

/** Which item is the last to come to rest, for the head. */
function restWords(run) {
  if (run.frameCount * run.itemRows.length > restLimit) return "";
  const found = run.lastToRest();
  if (!found) return "";
  const [first, ...more] = found.items.map((item) => run.items.get(item)?.label ?? String(item));
  return `${first}${more.length > 0 ? ` and ${more.length} more` : ""} at ${seconds(found.time)} s`;
}

/** Chooses an item: its values stand under the stage, and its curves are lanes; null: none.
 * @param {Player} player */
function chooseItem(player, item) {
  for (const run of player.runs) {
    for (const key of run.keys.filter(({ ofItem }) => ofItem)) run.keyIndex.delete(key.name);
    run.keys = run.keys.filter(({ ofItem }) => !ofItem);
  }
  player.keyNames = player.keyNames.filter((name) => !player.itemKeys.has(name));
  player.chosen = new Set([...player.chosen].filter((name) => !player.itemKeys.has(name)));
  player.itemKeys = new Set();
  player.item = item;
  if (item) addItemCurves(player, item);
  document.body.dataset.item = item?.id ?? "";
  fillKeyBoxes(player);
  player.lanes.arrange();
  player.draw();
  player.remember();
}

/** @param {Player} player */
function addItemCurves(player, item) {
  const names = itemCurves.map(([name]) => {
    let own = `${item.label} ${name}`;
    while (player.keyNames.includes(own)) own += "\u2032";
    player.itemKeys.add(own);
    player.keyNames.push(own);
    player.chosen.add(own);
    return own;
  });
  for (const run of player.runs) {
    const handle = run.handleOf(item);
    const poses = handle === undefined ? [] : run.posesOf(handle);
    poses.sort((a, b) => run.frames.t[a.frame] - run.frames.t[b.frame]);
    if (poses.length === 0) continue;
    const t = Float64Array.from(poses, ({ frame }) => run.frames.t[frame]);
    const phase = Uint8Array.from(poses, ({ frame }) => run.frames.phase[frame]);
    itemCurves.forEach(([name, unit], i) => {
      const v = Float64Array.from(poses, ({ pose }) => pose[name]);
      run.keyIndex.set(names[i], run.keys.length);
      run.keys.push({
        name: names[i], ofItem: true, unit, holds: false, blocks: [[0, 0, v.length]], curve: { t, v, phase },
        low: v.reduce((least, value) => Math.min(least, value)), high: v.reduce((most, value) => Math.max(most, value)),
      });
    });
  }
}

/** Chooses an item, or drops it where it is chosen already.
 * @param {Player} player */
function toggleItem(player, item) {
  const isChosen = item && player.item && item.id === player.item.id && item.category === player.item.category;
  chooseItem(player, isChosen ? null : item);
}

/** A run's poses at the time of the moment, or at another one.
 * @param {Player} player */
function posesNow(player, { run, shift }, time = player.time) {
  const place = run.placeAt(time + shift);
  return place < 0 ? [] : run.poses(run.order[place]);
}

/** The values of the chosen item, a line for each run.
 * @param {Player} player */
function tellItem(player) {
  const { item, layers } = player;
  byId("item").hidden = !item;
  if (!item) return;
  byId("item-title").replaceChildren();
  element("i", null, byId("item-title")).style.background = item.fill;
  element("span", item.label, byId("item-title"));
  byId("item-values").replaceChildren();
  for (const layer of layers) {
    const handle = layer.run.handleOf(item);
    const pose = posesNow(player, layer, player.shownTime).find((one) => one.item === handle);
    const words = pose ? [
      `center ${figure(pose.x)}, ${figure(pose.y)} pt`, `size ${figure(pose.width)} × ${figure(pose.height)} pt`,
      `alpha ${figure(pose.alpha)}`, `z ${pose.z}`, ...stateWords(layer, pose, player.shownTime),
    ] : ["not on the stage"];
    const span = layer.run.motions().get(handle);
    words.push(span ? `moves ${spanWords(span, layer)}` : "never moves");
    element("p", player.head(layer) + words.join(", "), byId("item-values"));
  }
}

function spanWords({ from, to }, { shift }) {
  return `${seconds(from - shift)} to ${seconds(to - shift)} s`;
}

function stateWords({ run, shift }, pose, time) {
  return [pose.hidden ? "hidden" : "", pose.matrix ? "transformed" : "", ...ownWords(run, pose.item, time + shift)].filter(Boolean);
}

/** The list of items: of one run the last to come to rest first, of two what is farthest apart.
 * @param {Player} player */
function fillItems(player) {
  const { layers } = player;
  const isPair = layers.length > 1;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.item;
  const head = byId("item-head");
  head.replaceChildren();
  for (const word of ["item", ...(isPair ? ["session", "distance A–B"] : []), "center x, y", "width, height", "alpha", "z", "moving", "state, own attributes"]) {
    element("th", word, head);
  }
  const items = new Map();
  for (const layer of layers) {
    for (const pose of posesNow(player, layer)) {
      const item = layer.run.items.get(pose.item) ?? { id: String(pose.item), label: String(pose.item), category: "", kind: null, fill: "" };
      const name = JSON.stringify([item.id, item.category, item.kind]);
      if (!items.has(name)) items.set(name, { item, poses: new Map() });
      items.get(name).poses.set(layer, pose);
    }
  }
  const order = ({ poses }) => (isPair
    ? distance(poses.get(layers[0]), poses.get(layers[1]))
    : layers[0].run.motions().get(poses.get(layers[0]).item)?.to ?? -Infinity);
  const sorted = [...items.values()].map((one) => ({ ...one, order: order(one) }))
    .sort((a, b) => (a.order === b.order ? 0 : b.order - a.order));
  const rows = byId("item-rows");
  rows.replaceChildren();
  for (const { item, poses, order: apart } of sorted.slice(0, listLimit)) {
    for (const layer of [...layers].sort((a, b) => (a.letter < b.letter ? -1 : 1))) {
      const pose = poses.get(layer);
      if (!pose) continue;
      const row = element("tr", null, rows);
      const button = element("button", item.label, element("td", null, row));
      button.type = "button";
      button.dataset.item = `${item.id} ${layer.letter}`;
      button.title = "Its values and its curves";
      button.addEventListener("click", () => toggleItem(player, item));
      if (button.dataset.item === focused) button.focus();
      if (isPair) {
        element("td", layer.letter, row);
        element("td", apart === Infinity ? "only here" : `${figure(apart)} pt`, row);
      }
      element("td", `${figure(pose.x)}, ${figure(pose.y)}`, row);
      element("td", `${figure(pose.width)}, ${figure(pose.height)}`, row);
      element("td", figure(pose.alpha), row);
      element("td", String(pose.z), row);
      const span = layer.run.motions().get(pose.item);
      element("td", span ? spanWords(span, layer) : "–", row);
      element("td", stateWords(layer, pose, player.time).join(", "), row);
    }
  }
}

/** What an item has of the app's own at a time: the keys item.ID.NAME. */
function ownWords(run, item, time) {
  return (run.ownKeys.get(run.items.get(item)?.id) ?? []).map(({ name, index }) => {
    return `${plain(name, 40)} ${figure(run.heldValue(index, time))} ${unitOf(run.keys[index].unit)}`.trimEnd();
  });
}
