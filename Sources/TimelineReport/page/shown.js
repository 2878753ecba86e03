// What the stage shows: the time of the moment, or the one on which the pointer rests.

/** How far off a run's nearest release is. */
function awayWords(run, time) {
  const nearest = run.nearestDecision(time);
  if (!nearest) return "";
  const away = Math.abs(nearest.t - time);
  const side = nearest.t > time ? "before" : "after";
  return away < 5e5 ? `, at its ${nearest.outcome}` : `, ${seconds(away)} s ${side} its ${nearest.outcome}`;
}

/** @param {Player} player */
function setGlance(player, time) {
  player.glance = time === null ? null : Math.min(player.end, Math.max(player.start, Math.round(time)));
  document.body.dataset.glance = player.glance === null ? "" : (player.glance / 1e9).toFixed(9);
}

/** Shows a time on the stage and nowhere else, while nothing plays; null: the time of the moment again.
 * @param {Player} player */
function glanceAt(player, time) {
  const before = player.glance;
  setGlance(player, player.isPlaying ? null : time);
  if (player.glance === before || player.waiting || player.glancing) return;
  player.glancing = requestAnimationFrame(() => {
    player.glancing = 0;
    drawStage(player);
    tellWork(player);
  });
}

/** The stage, and what is said below it.
 * @param {Player} player */
function drawStage(player) {
  const options = {
    hidden: byId("show-hidden").checked, names: byId("show-names").checked, touches: byId("show-touches").checked,
    chosen: player.item,
  };
  const layers = player.layers.map((layer) => ({ ...layer, time: player.shownTime + layer.shift }));
  if (document.body.dataset.view === "side" && layers.length > 1) {
    layers.forEach((layer, i) => player.stages[i].draw([layer], player.colors, options));
  } else {
    player.stages[0].draw(layers, player.colors, options);
  }
  captions(player);
  tellItem(player);
}

/** What was unpacked and drawn so far, for programs.
 * @param {Player} player */
function tellWork(player) {
  document.body.dataset.chunkReads = String(player.runs.reduce((sum, run) => sum + run.chunkReads, 0));
  document.body.dataset.redraws = String(player.lanes.redraws);
}

/** Which frame each stage shows; of two runs also how they are drawn, and how far off the release of each is.
 * @param {Player} player */
function captions(player) {
  const isPair = player.layers.length > 1;
  const isOnion = isPair && document.body.dataset.view === "onion";
  byId("caption-A").replaceChildren();
  byId("caption-B").replaceChildren();
  player.layers.forEach(({ run, shift, letter, color }, i) => {
    const time = player.shownTime + shift;
    const at = run.placeAt(time);
    const frame = run.frameCount === 0 ? "no frames" : at < 0 ? "before the first frame" : `frame ${at + 1} at ${seconds(run.frameTimes[at])} s`;
    const offset = at < 0 ? "" : offsetWords(run, run.order[at]);
    const caption = element("div", null, byId(i === 0 || isOnion ? "caption-A" : "caption-B"));
    if (isOnion) {
      const swatch = element("i", null, caption);
      swatch.style.borderColor = color;
      if (i === 0) swatch.style.background = color;
    }
    const name = isOnion ? `${letter}, ${i === 0 ? "filled" : "outlined"}: ` : isPair ? `${letter}: ` : "";
    element("span", name + frame + offset + (isPair ? awayWords(run, time) : ""), caption);
  });
}
