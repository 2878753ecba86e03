// One key against another: the path of the window, and where the cursor is on it.

const xyFont = "11px system-ui, sans-serif";
/** Room for the numbers that stand beside the plot, at least, in pixels. */
const xyLeft = 40;
/** Room at the other sides, in pixels. */
const xyRoom = { right: 12, top: 10, bottom: 22 };
/** A path's next point is this far from the last one at least, in pixels. */
const xyStep = 0.5;
/** An axis has no more numbers than this. */
const mostTicks = 12;

class XYView {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    // The plot in pixels, and the ranges of both keys on it.
    this.width = this.height = this.left = 0;
    this.room = [0, 0];
    this.extents = [{ low: 0, high: 1 }, { low: 0, high: 1 }];
    this.base = byId("xy-base");
    this.cursor = byId("xy-cursor");
    this.plot = byId("xy-plot");
    const known = player.keyNames.filter((name) => player.hasValues(name));
    // A place is what one looks at first, else the first two keys.
    this.names = known.includes("PositionX") && known.includes("PositionY")
      ? ["PositionX", "PositionY"] : [known[0] ?? "", known[1] ?? known[0] ?? ""];
    byId("xy-section").hidden = known.length === 0;
    for (const [list, name] of /** @type {const} */ ([[byId("xy-x"), this.names[0]], [byId("xy-y"), this.names[1]]])) {
      for (const one of known) element("option", bothEnds(one, 40), list).value = one;
      list.value = name;
    }
    byId("xy-equal").checked = this.isAlike;
  }

  get isOpen() {
    return byId("xy-details").open;
  }

  /** Whether both keys are told in one unit of length or angle, so that they may have one scale. */
  get isAlike() {
    const units = this.names.map((name) => this.player.ranges.values(name)?.unit);
    return units[0] === units[1] && Boolean(units[0]) && units[0] !== "1";
  }

  choose(names, isOpen = this.isOpen) {
    this.names = names;
    byId("xy-x").value = names[0];
    byId("xy-y").value = names[1];
    byId("xy-equal").checked = this.isAlike;
    byId("xy-details").open = isOpen;
    this.layOut();
  }

  layOut() {
    if (!this.isOpen) return;
    this.width = Math.max(80, this.plot.clientWidth);
    this.height = Math.max(160, Math.min(this.width, 320, innerHeight * 0.36));
    this.plot.style.height = `${this.height}px`;
    fit(this);
    this.drawBase();
  }

  /** Lays the ranges of both keys on the plot; with one scale the shorter one gets room at both ends. */
  scaleUp() {
    const ranges = this.names.map((name) => {
      const range = this.player.ranges.byHand.get(name) ?? this.player.ranges.values(name) ?? { low: 0, high: 1 };
      const { low, high } = range;
      return low < high ? { low, high } : { low: low - 0.5, high: high + 0.5 };
    });
    const g = contextOf(this.base);
    g.font = xyFont;
    const widest = Math.max(...Object.values(ranges[1]).map((value) => g.measureText(figure(value)).width));
    this.left = Math.max(xyLeft, widest + 12);
    const room = [this.width - this.left - xyRoom.right, this.height - xyRoom.top - xyRoom.bottom];
    this.room = room;
    if (byId("xy-equal").checked) {
      const most = Math.max(...ranges.map(({ low, high }, i) => (high - low) / room[i]));
      ranges.forEach((range, i) => {
        const more = (most * room[i] - (range.high - range.low)) / 2;
        ranges[i] = { low: range.low - more, high: range.high + more };
      });
    }
    this.extents = ranges;
  }

  x(value) {
    return this.left + shareOf(value, this.extents[0]) * this.room[0];
  }

  y(value) {
    return this.height - xyRoom.bottom - shareOf(value, this.extents[1]) * this.room[1];
  }

  /** The path and the axes: once for each zoom, choice of keys, lag or colour scheme. */
  drawBase() {
    if (!this.isOpen) return;
    const g = cleared(this.base, this);
    const { colors, layers } = this.player;
    this.scaleUp();
    this.axes(g);
    g.save();
    g.beginPath();
    g.rect(this.left - 4, 0, this.width, this.height - xyRoom.bottom + 4);
    g.clip();
    for (const layer of [...layers].reverse()) this.path(g, layer, colors);
    g.restore();
    this.drawCursor();
  }

  axes(g) {
    const { colors } = this.player;
    const [bottom, right] = [this.height - xyRoom.bottom, this.width - xyRoom.right];
    g.font = xyFont;
    this.extents.forEach(({ low, high }, i) => {
      const step = tickStep((high - low) / (i === 0 ? 4 : 3));
      const first = Math.ceil(low / step);
      for (let k = 0; k < mostTicks; k++) {
        const value = (first + k) * step;
        if (!(value <= high)) break;
        g.fillStyle = colors.soft;
        const color = value === 0 ? colors.soft : colors.line;
        if (i === 0) {
          line(g, this.x(value), xyRoom.top, this.x(value), bottom, color, 1);
          g.textAlign = "center";
          g.fillText(figure(value), this.x(value), bottom + 12);
        } else {
          line(g, this.left, this.y(value), right, this.y(value), color, 1);
          g.textAlign = "right";
          g.fillText(figure(value), this.left - 6, this.y(value));
        }
      }
    });
  }

  /** A run's values of both keys at an instant of its own; null where one is not known. */
  valuesAt(run, time, read = "shownValue") {
    const values = this.names.map((name) => {
      const index = run.keyIndex.get(name);
      return index === undefined ? null : run[read](index, time);
    });
    return values.includes(null) ? null : values;
  }

  /** The instants in the window at which either key has a sample, on the run's own clock. */
  times({ run, shift }) {
    const { from, to } = this.player.window;
    const parts = this.names.filter((name) => run.keyIndex.has(name)).map((name) => {
      const { t } = run.curve(run.keyIndex.get(name));
      return t.subarray(lastAtMost(t, from + shift - 1) + 1, lastAtMost(t, to + shift) + 1);
    });
    const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
    let start = 0;
    for (const part of parts) {
      all.set(part, start);
      start += part.length;
    }
    return all.sort();
  }

  path(g, layer, colors) {
    const color = this.player.layers.length > 1 ? layer.color : colors.accent;
    let before = null;
    g.beginPath();
    for (const time of this.times(layer)) {
      const values = this.valuesAt(layer.run, time, "valueOnLine");
      if (!values) continue;
      const [x, y] = [this.x(values[0]), this.y(values[1])];
      if (before && Math.abs(x - before[0]) < xyStep && Math.abs(y - before[1]) < xyStep) continue;
      if (before) g.lineTo(x, y);
      else g.moveTo(x, y);
      before = [x, y];
    }
    g.strokeStyle = color;
    g.lineWidth = layer.isSecond ? 1.5 : 2;
    g.lineJoin = "round";
    g.setLineDash(layer.isSecond ? [6, 3] : []);
    g.stroke();
    g.setLineDash([]);
    for (const decision of layer.run.decisions) {
      const values = this.valuesAt(layer.run, decision.t);
      if (values) symbol(g, decision.outcome, this.x(values[0]), this.y(values[1]), colors[decision.outcome]);
    }
  }

  /** Where each run is: all that a seek draws here. */
  drawCursor() {
    if (!this.isOpen) return;
    const g = cleared(this.cursor, this);
    const { colors, layers, time } = this.player;
    const words = [];
    for (const layer of layers) {
      const { run, shift, color } = layer;
      const values = this.valuesAt(run, time + shift);
      words.push(this.player.head(layer, ": ") + this.names.map((name, i) => `${bothEnds(name, 24)} ${figure(values?.[i] ?? null)}`).join(", "));
      if (!values) continue;
      g.fillStyle = layers.length > 1 ? color : colors.ink;
      dot(g, this.x(values[0]), this.y(values[1]), 5);
    }
    byId("xy-words").textContent = words.join("\n");
    document.body.dataset.xy = layers.map(({ run, shift }) => (this.valuesAt(run, time + shift) ?? ["–"]).join(",")).join(" ");
  }
}
