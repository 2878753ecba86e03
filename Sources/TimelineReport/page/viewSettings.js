// How it is looked at: what the time axis counts, the ranges of the curves, the plot of two keys.

/** Fills the lists of the time axis and of the ranges.
 * @param {Player} player */
function fillLooks(player) {
  for (const [kind, words] of Object.entries(axisNames)) {
    if (!player.axis.knows(kind)) continue;
    element("option", words, byId("axis")).value = kind;
  }
  for (const [mode, words] of Object.entries(rangeModes)) element("option", words, byId("range-mode")).value = mode;
  const known = player.keyNames.filter((name) => player.hasValues(name));
  for (const name of known) element("option", bothEnds(name, 40), byId("range-key")).value = name;
  byId("range-row").hidden = byId("range-of-all").hidden = known.length === 0;
  showRange(player);
}

/** @param {Player} player */
function setAxis(player, kind) {
  player.axis.kind = player.axis.knows(kind) ? kind : "start";
  byId("axis").value = player.axis.kind;
  document.body.dataset.axis = player.axis.kind;
  player.lanes.relabel();
  player.tell();
}

/** @param {Player} player */
function setRangeMode(player, mode) {
  player.ranges.mode = Object.hasOwn(rangeModes, mode) ? mode : "own";
  byId("range-mode").value = player.ranges.mode;
  document.body.dataset.range = player.ranges.mode;
  showRange(player);
  player.redrawPlots();
  player.lanes.drawCursor();
}

/** Puts the range of the named key into the fields: set by hand, or greyed the one that it has by itself.
 * @param {Player} player */
function showRange(player) {
  const name = byId("range-key").value;
  const hand = player.ranges.byHand.get(name);
  const now = player.ranges.of(name)?.told;
  for (const [field, end] of /** @type {const} */ ([[byId("range-low"), "low"], [byId("range-high"), "high"]])) {
    field.value = String(hand?.[end] ?? "");
    field.placeholder = figure(now?.[end]);
  }
  byId("range-auto").disabled = !hand;
}

/** @param {Player} player */
function connectLooks(player) {
  on("axis", (event) => { setAxis(player, event.target.value); player.remember(); }, "change");
  on("range-mode", (event) => { setRangeMode(player, event.target.value); player.remember(); }, "change");
  on("range-key", () => showRange(player), "change");
  const set = (low, high) => {
    player.ranges.set(byId("range-key").value, low, high);
    player.redrawPlots();
    player.lanes.drawCursor();
    player.remember();
  };
  const typed = () => {
    const [low, high] = [byId("range-low"), byId("range-high")];
    const ends = [low, high].map(({ value, placeholder }) => Number(value === "" ? placeholder : value));
    const isRange = ends[0] < ends[1];
    for (const field of [low, high]) field.setCustomValidity(isRange ? "" : "The range must end above its start.");
    if (low.value === "" && high.value === "") set(NaN, NaN);
    else if (isRange) set(...ends);
    else high.reportValidity();
    byId("range-auto").disabled = !player.ranges.byHand.has(byId("range-key").value);
  };
  on("range-low", typed, "change");
  on("range-high", typed, "change");
  on("range-auto", () => { set(NaN, NaN); showRange(player); });
  on("key-filter", () => fillKeyBoxes(player), "input");
  const choose = () => { player.xy.choose([byId("xy-x").value, byId("xy-y").value]); player.remember(); };
  on("xy-x", choose, "change");
  on("xy-y", choose, "change");
  on("xy-equal", () => player.xy.drawBase(), "change");
  on("xy-details", () => {
    document.body.dataset.xyOpen = String(player.xy.isOpen);
    player.layOutStages();
    player.lanes.layOut();
    player.xy.layOut();
    player.draw();
    if (document.body.dataset.ready) player.remember();
  }, "toggle");
}
