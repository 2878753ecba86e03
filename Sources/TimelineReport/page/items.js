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

Object.assign(Run.prototype, {
  /** Calls back for each pose that is kept, or for those of one item, chunk by chunk. */
  eachPose(each, only = null) {
    this.chunks.forEach((chunk, number) => {
      const [, , first, frameCount, keptCount] = chunk;
      for (const element of this.chunkCache.get(number) ?? this.unpack(chunk)) {
        if (only !== null && element.item !== only) continue;
        for (let k = 0; k < keptCount; k++) {
          const at = element.places ? element.places[k] : k;
          if (at >= 0) each(this.pose(element, at, at, 0), first + (k === keptCount - 1 ? frameCount - 1 : k * this.stride));
        }
      }
    });
  },

  /** From when to when each item moves, in nanoseconds, by its handle; items that never do are left out. */
  motions() {
    if (this.motionSpans) return this.motionSpans;
    const starts = this.departures(new Set(this.items.keys()), false);
    const ends = this.departures(new Set(starts.keys()), true);
    this.motionSpans = new Map([...starts].map(([item, first]) => {
      const last = Math.max(first, ends.get(item) ?? first);
      return [item, { from: this.frames.t[first], to: this.frames.t[last] }];
    }));
    return this.motionSpans;
  },

  /** The first frame that shows each item elsewhere than its first one does, or seen from the end; reads no further than it must. */
  departures(items, isFromEnd) {
    const found = new Map();
    const rests = new Map();
    const limits = [...Array(4).fill(restLength * this.lengthSteps), restAlpha * this.alphaSteps];
    for (let i = 0; i < this.chunks.length && found.size < items.size; i++) {
      const number = isFromEnd ? this.chunks.length - 1 - i : i;
      const [, , first, frameCount, keptCount] = this.chunks[number];
      for (const { item, places, columns } of this.chunkCache.get(number) ?? this.unpack(this.chunks[number])) {
        if (!items.has(item) || found.has(item)) continue;
        for (let j = 0; j < keptCount; j++) {
          const k = isFromEnd ? keptCount - 1 - j : j;
          const at = places ? places[k] : k;
          if (at < 0) continue;
          if (!rests.has(item)) rests.set(item, limits.map((_, n) => cell(columns[n], at)));
          const rest = rests.get(item);
          if (!limits.some((limit, n) => Math.abs(cell(columns[n], at) - rest[n]) > limit)) continue;
          found.set(item, first + (k === keptCount - 1 ? frameCount - 1 : k * this.stride));
          break;
        }
      }
    }
    return found;
  },

  /** Which items come to rest last of those that are in sight at the end, and when; null where none moves. */
  lastToRest() {
    const end = this.frameCount - 1;
    const view = end < 0 ? null : this.viewportAt(this.frames.t[end]) ?? this.extent();
    if (!view) return null;
    const [left, top] = [this.frames.x[end], this.frames.y[end]];
    const spans = this.motions();
    const moved = this.poses(end).filter((pose) => spans.has(pose.item) && !pose.hidden && pose.alpha > restAlpha
      && Math.abs(pose.x - left - view.width / 2) < (pose.width + view.width) / 2
      && Math.abs(pose.y - top - view.height / 2) < (pose.height + view.height) / 2);
    if (moved.length === 0) return null;
    const time = Math.max(...moved.map(({ item }) => spans.get(item).to));
    return { time, items: moved.map(({ item }) => item).filter((item) => spans.get(item).to === time) };
  },

  /** The handle of an item that may be another run's; undefined where this run has none of its name. */
  handleOf({ id, category, kind }) {
    for (const [handle, item] of this.items) {
      if (item.id === id && item.category === category && item.kind === kind) return handle;
    }
    return undefined;
  },
});

Object.assign(Player.prototype, {
  /** Chooses an item: its values stand under the stage, and its curves are lanes; null: none. */
  chooseItem(item) {
    for (const run of this.runs) {
      for (const key of run.keys.filter(({ ofItem }) => ofItem)) run.keyIndex.delete(key.name);
      run.keys = run.keys.filter(({ ofItem }) => !ofItem);
    }
    this.keyNames = this.keyNames.filter((name) => !this.itemKeys.has(name));
    this.chosen = new Set([...this.chosen].filter((name) => !this.itemKeys.has(name)));
    this.itemKeys = new Set();
    this.item = item;
    if (item) this.addItemCurves(item);
    document.body.dataset.item = item?.id ?? "";
    fillKeyBoxes(this);
    this.lanes.arrange();
    this.draw();
    this.remember();
  },

  addItemCurves(item) {
    const names = itemCurves.map(([name]) => {
      let own = `${item.label} ${name}`;
      while (this.keyNames.includes(own)) own += "\u2032";
      this.itemKeys.add(own);
      this.keyNames.push(own);
      this.chosen.add(own);
      return own;
    });
    for (const run of this.runs) {
      const handle = run.handleOf(item);
      const poses = [];
      if (handle !== undefined) run.eachPose((pose, frame) => poses.push({ pose, frame }), handle);
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
  },

  /** Chooses an item, or drops it where it is chosen already. */
  toggleItem(item) {
    const isChosen = item && this.item && item.id === this.item.id && item.category === this.item.category;
    this.chooseItem(isChosen ? null : item);
  },

  /** A run's poses at the time of the moment, or at another one. */
  posesNow({ run, shift }, time = this.time) {
    const place = run.placeAt(time + shift);
    return place < 0 ? [] : run.poses(run.order[place]);
  },

  /** The values of the chosen item, a line for each run. */
  tellItem() {
    const { item, layers } = this;
    byId("item").hidden = !item;
    if (!item) return;
    byId("item-title").replaceChildren();
    element("i", null, byId("item-title")).style.background = item.fill;
    element("span", item.label, byId("item-title"));
    byId("item-values").replaceChildren();
    for (const layer of layers) {
      const handle = layer.run.handleOf(item);
      const pose = this.posesNow(layer, this.shownTime).find((one) => one.item === handle);
      const words = pose ? [
        `center ${figure(pose.x)}, ${figure(pose.y)} pt`, `size ${figure(pose.width)} × ${figure(pose.height)} pt`,
        `alpha ${figure(pose.alpha)}`, `z ${pose.z}`, ...stateWords(layer, pose, this.shownTime),
      ] : ["not on the stage"];
      const span = layer.run.motions().get(handle);
      words.push(span ? `moves ${spanWords(span, layer)}` : "never moves");
      element("p", (layers.length > 1 ? `${layer.letter} ` : "") + words.join(", "), byId("item-values"));
    }
  },
});

function spanWords({ from, to }, { shift }) {
  return `${seconds(from - shift)} to ${seconds(to - shift)} s`;
}

function stateWords({ run, shift }, pose, time) {
  return [pose.hidden ? "hidden" : "", pose.matrix ? "transformed" : "", ...ownWords(run, pose.item, time + shift)].filter(Boolean);
}

/** The list of items: of one run the last to come to rest first, of two what is farthest apart. */
function fillItems(player) {
  const { layers } = player;
  const isPair = layers.length > 1;
  const focused = document.activeElement?.dataset.item;
  const head = byId("item-head");
  head.replaceChildren();
  for (const word of ["item", ...(isPair ? ["run", "distance A–B"] : []), "center x, y", "width, height", "alpha", "z", "moving", "state, own attributes"]) {
    element("th", word, head);
  }
  const items = new Map();
  for (const layer of layers) {
    for (const pose of player.posesNow(layer)) {
      const item = layer.run.items.get(pose.item) ?? { id: String(pose.item), label: String(pose.item) };
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
      button.addEventListener("click", () => player.toggleItem(item));
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
