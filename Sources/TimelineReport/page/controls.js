// Header, lists, check boxes, and what keys and pointers do.

function element(name, text, parent) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  parent?.append(made);
  return made;
}

function fact(list, name, value) {
  const row = element("div", null, list);
  element("dt", name, row);
  element("dd", value, row);
}

function fillHeader(player) {
  const isPair = player.runs.length > 1;
  const names = player.runs.map((run) => {
    const label = `${plain(run.file)} · ${run.name ? plain(run.name) : `session ${run.number}`}`;
    return isPair ? `${run.letter}: ${label}` : label;
  });
  byId("title").textContent = names.join("   —   ");
  document.title = `${names.join(" / ")} · Kymograph`;
  const releases = byId("releases");
  for (const run of player.runs) {
    for (const decision of run.decisions.slice(0, 6)) {
      const button = element("button", null, element("li", null, releases));
      button.type = "button";
      if (isPair) element("span", run.letter, button).className = "run";
      element("span", decision.outcome, button).className = "outcome";
      element("span", releaseWords(decision, run), button);
      button.title = "Go there; ± is the 90 % interval of the velocity";
      button.addEventListener("click", () => {
        player.pause();
        player.seek(decision.t - player.layers.find((layer) => layer.run === run).shift);
        player.remember();
      });
    }
    const more = run.decisions.length - 6;
    if (more > 0) element("p", `and ${plural(more, "more release")}, in the list of markers below`, element("li", null, releases));
    if (run.decisions.length === 0) {
      element("p", (isPair ? `${run.letter}: ` : "") + "No release: nothing was decided in this session.", element("li", null, releases));
    }
  }
  if (player.page.verdict) {
    byId("verdict").textContent = player.page.verdict;
    byId("verdict").hidden = false;
  }
  const facts = byId("facts");
  for (const run of player.runs) {
    if (isPair) element("div", null, facts).className = "run";
    if (isPair) fact(facts, run.letter, "");
    fact(facts, "software", plain(run.software));
    fact(facts, "frames", `${run.frameCount}${run.refreshRate ? ` at ${figure(run.refreshRate)} Hz` : ""}`);
    fact(facts, "duration", `${seconds(run.end - run.start)} s`);
    fact(facts, "items", String(run.itemRows.length));
    fact(facts, "keys", String(run.keys.length));
    fact(facts, "gaps", String(run.gaps));
    fact(facts, "update hitches", hitchWords(run));
    fact(facts, "outcome", run.outcome ?? "not closed");
    fact(facts, "clock", plain(run.clock));
  }
  if (isPair) fact(facts, "aligned on", `${player.page.alignment}: B is moved by ${figure((player.page.anchorA - player.page.anchorB) / 1e6)} ms, and by the lag`);
  if (player.page.isStretched) {
    element("li", "The verdict is of B with its time stretched; this page moves B as a whole.", byId("remarks"));
  }
  for (const run of player.runs) {
    for (const remark of run.remarks) element("li", (isPair ? `${run.letter}: ` : "") + plain(remark, 400), byId("remarks"));
  }
}

/** Hitches as told from the times of updates: nothing here knows when the display presented them. */
function hitchWords({ hitchCount, hitchRatio, hitchBand }) {
  return hitchRatio === null ? "–" : `${hitchCount} (${figure(hitchRatio)} ms/s, ${hitchBand})`;
}

function fillLists(player) {
  const list = byId("event-rows");
  const rows = player.layers.flatMap((layer) => layer.run.markers.map((marker) => ({ marker, layer })))
    .sort((a, b) => a.marker.t - a.layer.shift - (b.marker.t - b.layer.shift));
  for (const { marker, layer } of rows.slice(0, listLimit)) {
    const row = element("li", null, list);
    const button = element("button", `${seconds(marker.t)} s`, row);
    button.type = "button";
    button.addEventListener("click", () => {
      player.pause();
      player.seek(marker.t - layer.shift);
      player.remember();
    });
    element("span", (player.layers.length > 1 ? `${layer.letter} ` : "")
      + (marker.kind === "release" ? "release: " : "") + marker.short, row);
  }
  if (rows.length > listLimit) element("li", `and ${rows.length - listLimit} more`, list);
  const notes = byId("notes");
  for (const run of player.runs) {
    const letter = player.runs.length > 1 ? `${run.letter}: ` : "";
    for (const note of run.notes) element("li", letter + note, notes);
  }
  element("li", "An update hitch is an interval between two recorded frames of one and a half expected ones or more while something moved; the ratio is milliseconds of lateness in a second of motion. When the display presented them is not known here.", notes);
  element("li", "Values of a key between two samples are on the straight line between them. Driven stretches are drawn bold, settling ones dashed; a fan is the 90 % interval of a velocity.", notes);
}

function fillKeyBoxes(player) {
  const boxes = byId("key-boxes");
  boxes.hidden = player.keyNames.length === 0;
  for (const name of player.keyNames) {
    const label = element("label", null, boxes);
    const box = element("input", null, label);
    box.type = "checkbox";
    box.checked = player.chosen.has(name);
    box.setAttribute("aria-label", `curve ${plain(name, 60)}`);
    const swatch = element("i", null, label);
    swatch.style.background = player.keyVariable(name);
    element("span", plain(name, 60) + (player.hasValues(name) ? "" : " (no value)"), label);
    box.addEventListener("change", () => {
      if (box.checked) player.chosen.add(name);
      else player.chosen.delete(name);
      // Lanes stand in the order of the keys, whatever the order of the clicks.
      player.chosen = new Set(player.keyNames.filter((one) => player.chosen.has(one)));
      player.lanes.arrange();
      fillSelection(player);
      player.draw();
    });
  }
}

function fillSelection(player) {
  const { selection } = player;
  byId("selection").hidden = !selection;
  if (!selection) return;
  byId("selection-title").textContent =
    `Selection ${seconds(selection.from)} s to ${seconds(selection.to)} s (${figure((selection.to - selection.from) / 1e6)} ms)`;
  const rows = byId("selection-rows");
  rows.replaceChildren();
  for (const name of player.chosen) {
    for (const layer of player.layers) {
      const index = layer.run.keyIndex.get(name);
      if (index === undefined) continue;
      const facts = statistics(layer.run.curve(index), selection.from + layer.shift, selection.to + layer.shift);
      const row = element("tr", null, rows);
      const unit = unitOf(layer.run.keys[index].unit);
      element("td", (player.layers.length > 1 ? `${layer.letter} ` : "") + plain(name, 60), row);
      for (const value of [facts?.low, facts?.high, facts?.mean]) element("td", `${figure(value ?? null)} ${unit}`, row);
      element("td", facts?.slope === undefined ? "–" : velocityWords(facts.slope, null, null, layer.run.keys[index].unit), row);
    }
  }
}

/** Smallest, largest, mean over time and the least-squares slope per second of the samples of a stretch. */
function statistics(curve, from, to) {
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
    if (i > first) area += ((curve.v[i] + curve.v[i - 1]) / 2) * ((curve.t[i] - curve.t[i - 1]) / 1e9);
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

function fillItems(player) {
  const rows = byId("item-rows");
  rows.replaceChildren();
  const { run } = player.front;
  for (const pose of player.stages[0].shown.slice(0, listLimit)) {
    const row = element("tr", null, rows);
    element("td", run.items.get(pose.item)?.label ?? String(pose.item), row);
    element("td", `${figure(pose.x)}, ${figure(pose.y)}`, row);
    element("td", `${figure(pose.width)}, ${figure(pose.height)}`, row);
    element("td", figure(pose.alpha), row);
    element("td", String(pose.z), row);
    element("td", [pose.hidden ? "hidden" : "", pose.matrix ? "transformed" : ""].filter(Boolean).join(", "), row);
  }
}

// MARK: Keys

const keyTable = [
  ["space", "play or pause"], ["← →", "one recorded frame back or on"], ["shift ← →", "ten frames"],
  ["[ ]", "marker before or after"], ["R", "the release, the next one after it"], ["Home End", "beginning, end"],
  ["< >", "slower, faster (also − +)"], ["L", "loop the selection, or everything"],
  ["I O", "selection starts, ends here"], ["Escape", "no selection"], ["Z X F", "zoom in, out, fit"],
  ["S", "swap A and B"], ["V", "onion skin or side by side"], ["?", "these keys"],
];

function press(player, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return false;
  const target = event.target;
  const isLag = target === byId("lag");
  const isControl = /^(SELECT|TEXTAREA)$/.test(target.tagName) || isLag;
  const isPressable = /^(BUTTON|SUMMARY)$/.test(target.tagName) || target.type === "checkbox";
  const step = event.shiftKey ? 10 : 1;
  const actions = {
    ArrowLeft: () => player.step(-step), ArrowRight: () => player.step(step),
    "[": () => player.toMarker(-1), "]": () => player.toMarker(1),
    Home: () => { player.pause(); player.seek(player.start); player.remember(); },
    End: () => { player.pause(); player.seek(player.end); player.remember(); },
    "<": () => player.setSpeed(player.speed + 1), ">": () => player.setSpeed(player.speed - 1),
    "-": () => player.setSpeed(player.speed + 1), "+": () => player.setSpeed(player.speed - 1),
    l: () => player.setLoop(!player.isLooping), s: () => player.swap(), r: () => player.toRelease(),
    v: () => player.layers.length > 1 && player.setView(document.body.dataset.view === "side" ? "onion" : "side"),
    i: () => player.select(player.time, player.selection?.to ?? player.end),
    o: () => player.select(player.selection?.from ?? player.start, player.time),
    z: () => player.zoom(0.5), x: () => player.zoom(2), f: () => player.show(player.start, player.end - player.start),
    Escape: () => player.select(null), "?": () => byId("help").showModal(),
    " ": () => (player.isPlaying ? player.pause() : player.play()),
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const action = actions[key];
  if (!action) return false;
  // A control that is focused keeps the keys that it understands itself.
  if (target.tagName === "SELECT" && key.length === 1) return false;
  if (isControl && /^(Arrow|Home|End| )/.test(key)) return false;
  if (isPressable && key === " ") return false;
  action();
  return true;
}

function connect(player) {
  const on = (id, action, type = "click") => byId(id).addEventListener(type, action);
  document.addEventListener("keydown", (event) => {
    if (press(player, event)) event.preventDefault();
  });
  on("play", () => (player.isPlaying ? player.pause() : player.play()));
  on("step-back", () => player.step(-1));
  on("step-on", () => player.step(1));
  on("marker-back", () => player.toMarker(-1));
  on("marker-on", () => player.toMarker(1));
  on("to-release", () => player.toRelease());
  byId("to-release").disabled = player.runs.every((run) => run.decisions.length === 0);
  on("loop", () => player.setLoop(!player.isLooping));
  on("speed", (event) => player.setSpeed(event.target.selectedIndex), "change");
  on("keys", () => byId("help").showModal());
  on("scrub", (event) => { player.pause(); player.seek(Number(event.target.value) * 1e6); }, "input");
  on("scrub", () => player.remember(), "change");
  on("zoom-in", () => player.zoom(0.5));
  on("zoom-out", () => player.zoom(2));
  on("zoom-fit", () => player.show(player.start, player.end - player.start));
  on("select-start", () => player.select(player.time, player.selection?.to ?? player.end));
  on("select-end", () => player.select(player.selection?.from ?? player.start, player.time));
  on("select-clear", () => player.select(null));
  for (const id of ["show-hidden", "show-names", "show-touches"]) on(id, () => player.draw(), "change");
  on("show-content", () => { player.layOutStages(); player.draw(); }, "change");
  on("item-details", () => player.draw(), "toggle");
  for (const [keys, words] of keyTable) {
    const row = element("tr", null, byId("help-rows"));
    const cell = element("td", null, row);
    for (const key of keys.split(" ")) element("kbd", key, cell);
    element("td", words, row);
  }
  connectPlot(player);
  if (player.runs.length > 1) connectPair(player, on);
  addEventListener("hashchange", () => player.followFragment(false));
  const refresh = () => {
    player.ratio = Math.min(3, window.devicePixelRatio || 1);
    player.readColors();
    player.layOutStages();
    player.lanes.arrange();
    player.draw();
  };
  addEventListener("resize", refresh);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  player.setSpeed(0);
  player.setLoop(false);
  document.body.dataset.front = "A";
  document.body.dataset.motion = player.reduced ? "reduced" : "full";
}

function connectPair(player, on) {
  byId("pair").hidden = false;
  on("view", (event) => player.setView(event.target.value), "change");
  on("swap", () => player.swap());
  const first = player.page.lag * 1e3;
  const most = Math.max(250, Math.ceil(Math.abs(first) * 2));
  Object.assign(byId("lag"), { min: String(-most), max: String(most) });
  on("lag", (event) => player.setLag(Number(event.target.value)), "input");
  on("lag-reset", () => player.setLag(first));
  const best = player.page.bestLag;
  if (best !== null && best !== undefined) {
    byId("lag-best").hidden = false;
    byId("lag-best").textContent = `Best lag ${(best * 1e3).toFixed(1)} ms`;
    on("lag-best", () => player.setLag(best * 1e3));
  }
  const list = byId("residual-key");
  for (const name of player.keyNames.filter((one) => player.runs.every((run) => run.keyIndex.has(one)))) {
    const option = element("option", plain(name, 60), list);
    option.value = name;
  }
  list.disabled = list.options.length === 0;
  on("residual-key", (event) => {
    player.residualKey = event.target.value;
    player.lanes.arrange();
    player.draw();
  }, "change");
  player.setLag(first);
}

/** Dragging in the lanes moves in time; with shift it selects; the wheel with control zooms. */
function connectPlot(player) {
  const plot = byId("plot");
  let from = null;
  const timeOf = (event) => player.lanes.time(event.clientX - plot.getBoundingClientRect().left);
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    plot.setPointerCapture(event.pointerId);
    player.pause();
    from = event.shiftKey ? timeOf(event) : null;
    if (from === null) player.seek(timeOf(event));
  });
  plot.addEventListener("pointermove", (event) => {
    if (!plot.hasPointerCapture(event.pointerId)) return;
    if (from === null) player.seek(timeOf(event));
    else player.select(from, timeOf(event));
  });
  plot.addEventListener("pointerup", () => player.remember());
  plot.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) {
      if (Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
      const { from: start, to } = player.window;
      player.show(start + (event.deltaX / plot.clientWidth) * (to - start), to - start);
    } else {
      player.zoom(event.deltaY > 0 ? 1.25 : 0.8, timeOf(event));
    }
    event.preventDefault();
  }, { passive: false });
}

const player = new Player();

// For tests and for the curious: reads the state, draws at once.
globalThis.kymograph = {
  /** Goes to a time in seconds and draws before it returns. */
  seek(time) {
    player.seek(time * 1e9);
    cancelAnimationFrame(player.waiting);
    player.waiting = 0;
    player.draw();
  },
  /** The elements of run "A" or "B" at the time of the moment, with their numbers and corners in points. */
  items(letter = "A") {
    const { run, shift } = player.layers.find((layer) => layer.letter === letter);
    const place = run.placeAt(player.time + shift);
    if (place < 0) return [];
    return run.poses(run.order[place]).map((pose) => ({
      ...pose, ...run.items.get(pose.item), corners: corners(pose),
    }));
  },
  /** A key's value at the time of the moment. */
  value(name, letter = "A") {
    const { run, shift } = player.layers.find((layer) => layer.letter === letter);
    const index = run.keyIndex.get(name);
    return index === undefined ? null : run.value(index, player.time + shift);
  },
  /** Moves the clock on as playing would, by seconds of the display's time. */
  advance(time) {
    player.advance(time * 1e9 * speeds[player.speed]);
  },
};
