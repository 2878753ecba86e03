// Two runs on one clock: which is in front, by how much B is later, and B minus A.

/** Samples of a run in the window up to which the residual is told at each of them. */
const residualLimit = 4000;

Object.assign(Player.prototype, {
  swap() {
    if (this.layers.length < 2) return;
    this.layers.reverse();
    document.body.dataset.front = this.front.letter;
    byId("swap").setAttribute("aria-pressed", String(this.front.letter === "B"));
    this.lanes.arrange();
    this.xy.drawBase();
    this.layOutStages();
    this.tell();
    this.draw();
  },

  setLag(milliseconds) {
    this.lagNanoseconds = Math.round(milliseconds * 1e6);
    byId("lag").value = milliseconds;
    byId("lag-words").textContent = `${milliseconds.toFixed(1)} ms`;
    document.body.dataset.lag = milliseconds.toFixed(3);
    this.place();
    fillEvents(this);
    tellReleases(this);
    this.redrawPlots();
    this.seek(this.time);
  },

  /** B minus A of a key, at A's and B's samples, or where they are too many on an even grid. */
  residual(name) {
    const { from, to } = this.window;
    const parts = this.layers.map(({ run, shift }) => {
      const index = run.keyIndex.get(name);
      if (index === undefined) return [];
      const { t } = run.curve(index);
      const seen = t.subarray(lastAtMost(t, from + shift - 1) + 1, lastAtMost(t, to + shift) + 1);
      return seen.length > residualLimit ? seen.length : Array.from(seen, (time) => time - shift);
    });
    if (parts.some((part) => part.length === 0)) return [];
    const times = parts.some((part) => typeof part === "number")
      ? Array.from({ length: residualLimit }, (_, i) => from + ((to - from) * i) / (residualLimit - 1))
      : parts.flat().sort((a, b) => a - b);
    return times.map((time) => [time, this.residualAt(name, time)]).filter(([, value]) => value !== null);
  },

  /** B minus A at a time, each read on its line between samples; null if one has none there. */
  residualAt(name, time) {
    let difference = 0;
    for (const { run, shift, letter } of this.layers) {
      const value = run.valueOnLine(run.keyIndex.get(name), time + shift);
      if (value === null) return null;
      difference += letter === "B" ? value : -value;
    }
    return difference;
  },
});
