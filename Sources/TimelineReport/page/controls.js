// What keys and pointers do.

const keyTable = [
  ["space", "play or pause"], ["← →", "previous or next recorded frame"], ["shift ← →", "ten frames"],
  ["[ ]", "previous or next marker"], ["R", "next release"], ["Home End", "beginning, end"],
  ["< >", "slower, faster (also − +)"], ["L", "loop the selection, or everything"],
  ["I O", "set selection start or end"], ["Escape", "leave a control, or on the curves clear the selection, then the chosen element"], ["Z X F", "zoom in, out, fit"],
  ["D", "label the release at the cursor: then F finish, C cancel, U unsure, N none"],
  ["M", "more controls"], ["T", "next unit of the time axis"], ["Y", "next value axis"], ["P", "X–Y plot of two keys"],
  ["S", "swap A and B"], ["V", "onion skin or side by side"], ["?", "this list"],
];

/** Those that do nothing for one run. */
const keysOfPairs = new Set(["S", "V"]);

/** What the keys do, by their names.
 * @param {Player} player */
function actionsOf(player, step) {
  return {
    ArrowLeft: () => player.step(-step), ArrowRight: () => player.step(step),
    "[": () => player.toMarker(-1), "]": () => player.toMarker(1),
    Home: () => { player.pause(); player.seek(player.start); player.remember(); },
    End: () => { player.pause(); player.seek(player.end); player.remember(); },
    "<": () => player.setSpeed(player.speed + 1), ">": () => player.setSpeed(player.speed - 1),
    "-": () => player.setSpeed(player.speed + 1), "+": () => player.setSpeed(player.speed - 1),
    l: () => player.setLoop(!player.isLooping), s: () => swap(player), r: () => player.toRelease(),
    d: () => player.labelling.ask(),
    v: () => player.layers.length > 1 && player.setView(document.body.dataset.view === "side" ? "onion" : "side"),
    i: () => player.select(player.time, player.selection?.to ?? player.end),
    t: () => chooseNext(byId("axis")), y: () => chooseNext(byId("range-mode")), m: () => showMenu(byId("menu").hidden), p: () => byId("xy-details").querySelector("summary")?.click(),
    o: () => player.select(player.selection?.from ?? player.start, player.time),
    z: () => player.zoom(0.5), x: () => player.zoom(2), f: () => player.show(player.start, player.end - player.start),
    Escape: () => (player.selection || !player.item ? player.select(null) : chooseItem(player, null)), "?": () => byId("help").showModal(),
    " ": () => (player.isPlaying ? player.pause() : player.play()),
  };
}

/** Chooses what comes next in a list, which needs no focus for that. */
function chooseNext(list) {
  list.selectedIndex = (list.selectedIndex + 1) % list.length;
  list.dispatchEvent(new Event("change"));
}

/** Shows or hides what is seldom needed. */
function showMenu(isShown) {
  byId("menu").hidden = !isShown;
  byId("more").setAttribute("aria-expanded", String(isShown));
}

/** Gives the focus back to the curves, where each key does what the list of keys says. */
function focusCurves() {
  byId("plot").focus({ preventScroll: true });
}

/** Buttons that do what a key does. */
const buttonKeys = /** @type {const} */ ([
  ["play", " "], ["step-back", "ArrowLeft"], ["step-on", "ArrowRight"], ["marker-back", "["], ["marker-on", "]"], ["to-release", "r"],
  ["loop", "l"], ["keys", "?"], ["more", "m"], ["zoom-in", "z"], ["zoom-out", "x"], ["zoom-fit", "f"], ["select-start", "i"],
  ["select-end", "o"], ["select-clear", "Escape"],
]);

/** @param {Player} player */
function press(player, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return false;
  const target = event.target;
  const isLag = target === byId("lag");
  const isControl = target.tagName === "SELECT" || isLag;
  const isPressable = /^(BUTTON|SUMMARY)$/.test(target.tagName) || target.type === "checkbox";
  const isField = target.matches("input[type=number], input[type=search]");
  if (event.key === "Escape" && (isControl || isField || byId("menu").contains(target))) {
    showMenu(false);
    focusCurves();
    return true;
  }
  if (isField) return false;
  const actions = actionsOf(player, event.shiftKey ? 10 : 1);
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (player.labelling.isAsking && !/^(Shift|CapsLock)$/.test(key) && player.labelling.answer(key)) return true;
  const action = actions[key];
  if (!action) return false;
  // A control that is focused keeps the keys that it understands itself.
  if (target.tagName === "SELECT" && key.length === 1) return false;
  if (isControl && /^(Arrow|Home|End| )/.test(key)) return false;
  if (isPressable && key === " ") return false;
  action();
  return true;
}

/** @param {Player} player */
function connect(player) {
  document.addEventListener("keydown", (event) => {
    if (press(player, event)) event.preventDefault();
  });
  // A list that was opened with the pointer gives the keys back once something is chosen.
  let isPointed = false;
  document.addEventListener("pointerdown", () => { isPointed = true; }, true);
  document.addEventListener("keydown", () => { isPointed = false; }, true);
  document.addEventListener("change", ({ target }) => {
    if (isPointed && target instanceof HTMLSelectElement) focusCurves();
  });
  for (const [id, key] of buttonKeys) on(id, () => actionsOf(player, 1)[key]());
  byId("to-release").disabled = player.runs.every((run) => releasesOf(run).length === 0);
  on("meant", ({ target }) => player.labelling.set(target.value === "" ? null : target.value), "change");
  on("save-labels", () => player.labelling.save());
  on("speed", (event) => player.setSpeed(event.target.selectedIndex), "change");
  on("scrub", (event) => { player.pause(); player.seek(Number(event.target.value) * 1e6); }, "input");
  on("scrub", () => player.remember(), "change");
  for (const id of /** @type {const} */ (["show-hidden", "show-names", "show-touches"])) on(id, () => player.draw(), "change");
  on("show-content", () => { player.layOutStages(); player.draw(); }, "change");
  on("item-details", () => player.draw(), "toggle");
  for (const [keys, words] of keyTable) {
    if (player.runs.length < 2 && keysOfPairs.has(keys)) continue;
    const row = element("tr", null, byId("help-rows"));
    const cell = element("td", null, row);
    for (const key of keys.split(" ")) element("kbd", key, cell);
    element("td", words, row);
  }
  for (const stage of player.stages) {
    stage.canvas.addEventListener("click", ({ offsetX, offsetY }) => toggleItem(player, stage.itemAt(offsetX, offsetY)));
  }
  connectPlot(player);
  connectLooks(player);
  if (player.runs.length > 1) connectPair(player);
  addEventListener("hashchange", () => player.followFragment(false));
  const refresh = () => {
    player.ratio = Math.min(3, window.devicePixelRatio || 1);
    player.readColors();
    if (!narrowWindow.matches) byId("fact-details").open = true;
    player.layOutStages();
    player.lanes.arrange();
    player.xy.layOut();
    player.draw();
  };
  addEventListener("resize", refresh);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  player.setSpeed(0);
  player.setLoop(false);
  document.body.dataset.front = "A";
  document.body.dataset.motion = player.reduced ? "reduced" : "full";
}

/** @param {Player} player */
function connectPair(player) {
  byId("pair").hidden = false;
  on("view", (event) => player.setView(event.target.value), "change");
  on("swap", () => swap(player));
  const first = player.page.lag * 1e3;
  const most = Math.max(250, Math.ceil(Math.abs(first) * 2));
  Object.assign(byId("lag"), { min: String(-most), max: String(most) });
  on("lag", (event) => setLag(player, Number(event.target.value)), "input");
  on("lag-reset", () => setLag(player, first));
  const best = player.page.bestLag;
  if (best !== null && best !== undefined) {
    byId("lag-best").hidden = false;
    byId("lag-best").textContent = `Best match ${(best * 1e3).toFixed(1)} ms`;
    on("lag-best", () => setLag(player, best * 1e3));
  }
  const list = byId("residual-key");
  for (const name of player.keyNames.filter((one) => player.runs.every((run) => run.keyIndex.has(one)))) {
    const option = element("option", bothEnds(name, 40), list);
    option.value = name;
  }
  list.disabled = list.options.length === 0;
  list.value = player.residualKey ?? "";
  on("residual-key", (event) => {
    player.residualKey = event.target.value;
    player.lanes.arrange();
    player.draw();
  }, "change");
  setLag(player, first);
}

/** Dragging in the lanes moves in time; with shift it selects; the wheel with control zooms.
 * @param {Player} player */
function connectPlot(player) {
  const plot = byId("plot");
  let from = null;
  const timeOf = (event) => player.lanes.time(event.clientX - plot.getBoundingClientRect().left);
  plot.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    plot.setPointerCapture(event.pointerId);
    player.lanes.pointer = null;
    player.pause();
    from = event.shiftKey ? timeOf(event) : null;
    if (from === null) player.seek(timeOf(event));
  });
  const hover = (place) => {
    player.lanes.pointer = place;
    player.lanes.drawCursor();
    glanceAt(player, place && player.lanes.time(Math.max(gutter, place[0])));
  };
  plot.addEventListener("pointerleave", () => hover(null));
  plot.addEventListener("pointermove", (event) => {
    if (!plot.hasPointerCapture(event.pointerId)) {
      const { left, top } = plot.getBoundingClientRect();
      if (event.pointerType !== "touch") hover([event.clientX - left, event.clientY - top]);
      return;
    }
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
