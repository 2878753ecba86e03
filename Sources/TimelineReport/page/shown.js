// What the stage shows: the time of the moment, or the one on which the pointer rests.

/** How far off a run's nearest release is. */
function awayWords({ decisions }, time) {
  const away = ({ t }) => Math.abs(t - time);
  const nearest = decisions.reduce((best, one) => (best && away(best) <= away(one) ? best : one), null);
  if (!nearest) return "";
  const side = nearest.t > time ? "before" : "after";
  return away(nearest) < 5e5 ? `, at its ${nearest.outcome}` : `, ${seconds(away(nearest))} s ${side} its ${nearest.outcome}`;
}

Object.assign(Player.prototype, {
  setGlance(time) {
    this.glance = time === null ? null : Math.min(this.end, Math.max(this.start, Math.round(time)));
    document.body.dataset.glance = this.glance === null ? "" : (this.glance / 1e9).toFixed(9);
  },

  /** Shows a time on the stage and nowhere else, while nothing plays; null: the time of the moment again. */
  glanceAt(time) {
    const before = this.glance;
    this.setGlance(this.isPlaying ? null : time);
    if (this.glance === before || this.waiting || this.glancing) return;
    this.glancing = requestAnimationFrame(() => {
      this.glancing = 0;
      this.drawStage();
      this.tellWork();
    });
  },

  /** The stage, and what is said below it. */
  drawStage() {
    const options = {
      hidden: byId("show-hidden").checked, names: byId("show-names").checked, touches: byId("show-touches").checked,
      chosen: this.item,
    };
    const layers = this.layers.map((layer) => ({ ...layer, time: this.shownTime + layer.shift }));
    if (document.body.dataset.view === "side" && layers.length > 1) {
      layers.forEach((layer, i) => this.stages[i].draw([layer], this.colors, options));
    } else {
      this.stages[0].draw(layers, this.colors, { ...options, isPair: layers.length > 1 });
    }
    this.captions();
    this.tellItem();
  },

  /** What was unpacked and drawn so far, for programs. */
  tellWork() {
    document.body.dataset.chunkReads = String(this.runs.reduce((sum, run) => sum + run.chunkReads, 0));
    document.body.dataset.redraws = String(this.lanes.redraws);
  },

  /** Which frame each stage shows; of two runs also how they are drawn, and how far off the release of each is. */
  captions() {
    const isPair = this.layers.length > 1;
    const isOnion = isPair && document.body.dataset.view === "onion";
    byId("caption-A").replaceChildren();
    byId("caption-B").replaceChildren();
    this.layers.forEach(({ run, shift, letter, color }, i) => {
      const time = this.shownTime + shift;
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
  },
});
