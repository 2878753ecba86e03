// The lanes under the stage: phases, markers, frames, curves, and the difference of two runs.

const heights = { ruler: 20, phases: 24, markers: 40, frames: 30, curve: 96, residual: 84 };

/** Room at both sides, in pixels, so that markers at the ends can be seen whole. */
const edge = 9;

/** How far the tangent of a release's velocity is drawn each way, in nanoseconds. */
const tangentSpan = 90e6;

/** A lane grows by this share of a key's range at most, to show where a tangent leads. */
const tangentRoom = 0.3;

/** An interval of this many expected ones is a hitch: less than half a frame of jitter is none. */
const hitchInFrames = 1.5;

class LanesView {
  constructor(player) {
    this.player = player;
    this.base = document.getElementById("plot-base");
    this.cursor = document.getElementById("plot-cursor");
    this.plot = document.getElementById("plot");
    this.labels = document.getElementById("labels");
    this.redraws = 0;
  }

  /** Makes the list of lanes anew: after a change of the chosen keys or of the runs' order. */
  arrange() {
    const { layers, chosen } = this.player;
    const lanes = [{ kind: "ruler" }];
    for (const kind of ["phases", "markers", "frames"]) {
      for (const layer of layers) lanes.push({ kind, layer });
    }
    for (const name of chosen) lanes.push({ kind: "curve", name });
    if (layers.length > 1 && this.player.residualKey) lanes.push({ kind: "residual", name: this.player.residualKey });
    let top = 0;
    this.labels.replaceChildren();
    for (const lane of lanes) {
      lane.top = top;
      lane.height = heights[lane.kind];
      top += lane.height;
      lane.label = this.label(lane);
      this.labels.append(lane.label.box);
    }
    this.lanes = lanes;
    this.height = top;
    this.plot.style.height = `${top}px`;
    this.layOut();
  }

  label(lane) {
    const box = document.createElement("div");
    box.style.height = `${lane.height}px`;
    const name = document.createElement("b");
    const value = document.createElement("span");
    value.className = lane.kind === "phases" || lane.kind === "frames" ? "value inline" : "value";
    const range = document.createElement("span");
    range.className = "range";
    const letter = lane.layer && this.player.layers.length > 1 ? `${lane.layer.letter} ` : "";
    const words = {
      ruler: "seconds", phases: "phase", markers: "markers", frames: "frames",
    };
    name.textContent = lane.name === undefined ? letter + words[lane.kind]
      : (lane.kind === "residual" ? "B − A: " : "") + plain(lane.name, 40);
    if (lane.kind === "curve") {
      const swatch = document.createElement("i");
      swatch.style.background = this.player.keyVariable(lane.name);
      box.append(swatch);
    }
    box.append(name);
    if (lane.kind !== "ruler") box.append(value);
    if (lane.kind === "curve" || lane.kind === "residual") box.append(range);
    return { box, value, range };
  }

  layOut() {
    const ratio = this.player.ratio;
    this.width = Math.max(40, this.plot.clientWidth);
    for (const canvas of [this.base, this.cursor]) {
      canvas.width = Math.round(this.width * ratio);
      canvas.height = Math.round(this.height * ratio);
    }
    this.drawBase();
  }

  x(time) {
    const { from, to } = this.player.window;
    return edge + ((time - from) / (to - from)) * (this.width - 2 * edge);
  }

  time(x) {
    const { from, to } = this.player.window;
    return from + ((x - edge) / (this.width - 2 * edge)) * (to - from);
  }

  /** Everything but the cursor: once for each zoom, choice of keys, lag or colour scheme. */
  drawBase() {
    this.redraws += 1;
    const g = this.base.getContext("2d");
    const ratio = this.player.ratio;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    for (const lane of this.lanes) {
      g.save();
      g.beginPath();
      g.rect(0, lane.top, this.width, lane.height);
      g.clip();
      this[lane.kind](g, lane);
      g.restore();
      line(g, 0, lane.top + 0.5, this.width, lane.top + 0.5, this.player.colors.line, 1);
    }
    this.releases(g);
  }

  ruler(g, lane) {
    const { from, to } = this.player.window;
    const colors = this.player.colors;
    const step = niceStep((to - from) / Math.max(2, this.width / 90));
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = colors.soft;
    g.textBaseline = "middle";
    g.textAlign = "left";
    const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step / 1e9))));
    for (let k = Math.ceil(from / step); k * step <= to; k++) {
      const x = this.x(k * step);
      line(g, x, lane.top + 12, x, lane.top + lane.height, colors.soft, 1);
      g.fillText(((k * step) / 1e9).toFixed(digits), x + 3, lane.top + 9);
    }
  }

  /** Calls back for each stretch of one phase, in the shared clock. */
  stretches({ run, shift }, each) {
    const { frames, order } = run;
    let start = 0;
    for (let i = 1; i <= order.length; i++) {
      if (i < order.length && frames.phase[order[i]] === frames.phase[order[start]]) continue;
      const end = i < order.length ? run.frameTimes[i] : run.frameTimes[i - 1];
      each(frames.phase[order[start]], run.frameTimes[start] - shift, end - shift);
      start = i;
    }
  }

  phases(g, lane) {
    const colors = this.player.colors;
    this.stretches(lane.layer, (phase, from, to) => {
      if (phase === 0) return;
      const [left, right] = [this.x(from), this.x(to)];
      g.fillStyle = phase === 1 ? colors.driving : colors.settling;
      g.fillRect(left, lane.top, Math.max(1, right - left), lane.height);
      this.words(g, phaseNames[phase], Math.max(left, 0), Math.min(right, this.width), lane.top + 7, colors.soft);
    });
    for (const gesture of lane.layer.run.gestures) {
      const left = this.x(gesture.from - lane.layer.shift);
      const right = this.x(gesture.to - lane.layer.shift);
      g.fillStyle = lane.layer.color;
      g.fillRect(left, lane.top + 14, Math.max(2, right - left), 8);
      if (gesture.isOpen) line(g, right, lane.top + 11, right, lane.top + 24, colors.release, 2);
    }
  }

  words(g, text, from, to, y, color) {
    if (to - from < 24) return;
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = color;
    g.textAlign = "left";
    g.textBaseline = "middle";
    const shown = fitted(g, text, to - from - 6);
    if (shown) g.fillText(shown, from + 3, y);
  }

  /** The releases in a row of their own, above the rest; a text ends where the next marker begins. */
  markers(g, lane) {
    const { colors } = this.player;
    const { run, shift, color: own } = lane.layer;
    // Gestures are the bars of the lane above.
    const shown = run.markers.filter(({ kind }) => kind !== "gesture");
    for (const [row, isRelease] of [[0, true], [1, false]]) {
      const places = shown.filter(({ kind }) => (kind === "release") === isRelease)
        .map((marker) => ({ marker, x: this.x(marker.t - shift) }));
      const y = lane.top + (row === 0 ? 11 : 29);
      g.font = isRelease ? "bold 12px system-ui, sans-serif" : "11px system-ui, sans-serif";
      g.textBaseline = "middle";
      places.forEach(({ marker, x }, i) => {
        const color = isRelease ? colors.release : marker.kind === "warning" ? colors.warn : own;
        symbol(g, marker.kind, x, y, color);
        const before = i > 0 ? places[i - 1].x + 8 : 0;
        const after = i + 1 < places.length ? places[i + 1].x - 8 : this.width;
        // At the right edge there may be more room on the other side.
        const isLeft = i + 1 === places.length && after - x < 60 && x - before > after - x;
        const text = fitted(g, marker.short, (isLeft ? x - before : after - x) - 10);
        g.fillStyle = color;
        g.textAlign = isLeft ? "right" : "left";
        if (text) g.fillText(text, isLeft ? x - 9 : x + 9, y);
      });
    }
  }

  frames(g, lane) {
    const { run, shift } = lane.layer;
    const { colors } = this.player;
    const times = run.frameTimes;
    const most = Math.max(3 * run.expected, 1);
    const floor = lane.top + lane.height - 1;
    const bars = new Map();
    const first = Math.max(1, lastAtMost(times, this.player.window.from + shift));
    for (let i = first; i < times.length; i++) {
      const x = Math.round(this.x(times[i] - shift));
      if (x > this.width) break;
      const interval = times[i] - times[i - 1];
      bars.set(x, Math.max(bars.get(x) ?? 0, interval));
    }
    for (const [x, interval] of bars) {
      const isHitch = run.expected > 0 && interval >= hitchInFrames * run.expected;
      const height = Math.max(2, Math.min(1, interval / most) * (lane.height - 6));
      g.fillStyle = isHitch ? colors.hitch : colors.soft;
      g.fillRect(x - (isHitch ? 1.5 : 0.5), floor - height, isHitch ? 3 : 1, height);
    }
    if (run.expected > 0) {
      const y = floor - (run.expected / most) * (lane.height - 6);
      line(g, 0, y, this.width, y, colors.line, 1);
    }
  }

  curve(g, lane) {
    const { layers, colors } = this.player;
    const range = this.rangeOf(lane.name);
    lane.range = this.roomFor(lane.name, range);
    lane.label.range.textContent = range ? `${figure(range.low)} … ${figure(range.high)} ${unitOf(range.unit)}` : "no value";
    layers.forEach((layer) => this.stretches(layer, (phase, from, to) => {
      if (phase === 0 || layer !== layers[0]) return;
      g.fillStyle = phase === 1 ? colors.driving : colors.settling;
      g.fillRect(this.x(from), lane.top, this.x(to) - this.x(from), lane.height);
    }));
    if (!range) return;
    if (range.low < 0 && range.high > 0) line(g, 0, this.y(lane, 0), this.width, this.y(lane, 0), colors.line, 1);
    const isPair = layers.length > 1;
    for (const [depth, layer] of [...layers.entries()].reverse()) {
      const index = layer.run.keyIndex.get(lane.name);
      if (index === undefined) continue;
      const color = isPair ? layer.color : this.player.keyColor(lane.name);
      this.tangents(g, lane, layer, index, depth);
      this.trace(g, lane, layer, index, color, depth);
    }
  }

  rangeOf(name) {
    let range = null;
    for (const { run } of this.player.layers) {
      const key = run.keys[run.keyIndex.get(name)];
      if (!key || key.blocks.length === 0) continue;
      range = {
        low: Math.min(range?.low ?? Infinity, key.low), high: Math.max(range?.high ?? -Infinity, key.high),
        unit: key.unit,
      };
    }
    return range;
  }

  /** A lane's extent: the key's own, and room for where the tangents of its releases lead. */
  roomFor(name, range) {
    if (!range) return null;
    const most = (range.high - range.low) * tangentRoom;
    let { low, high } = range;
    for (const { run } of this.player.layers) {
      for (const estimate of run.estimates) {
        if (estimate.velocity === null || run.keys[estimate.key].name !== name) continue;
        for (const velocity of [estimate.velocity, estimate.low, estimate.high]) {
          const end = estimate.value + ((velocity ?? 0) * tangentSpan) / 1e9;
          low = Math.min(low, Math.max(end, range.low - most));
          high = Math.max(high, Math.min(end, range.high + most));
        }
      }
    }
    return { low, high };
  }

  y(lane, value) {
    const { low, high } = lane.range;
    const room = lane.height - 16;
    if (high === low) return lane.top + lane.height / 2;
    return lane.top + lane.height - 8 - ((value / 2 - low / 2) / (high / 2 - low / 2)) * room;
  }

  /** A key's curve: driven stretches bold, settling ones thin and dashed. */
  trace(g, lane, { run, shift }, index, color, depth) {
    const curve = run.curve(index);
    const { from, to } = this.player.window;
    const first = Math.max(0, lastAtMost(curve.t, from + shift));
    const last = Math.min(curve.t.length - 1, lastAtMost(curve.t, to + shift) + 1);
    g.strokeStyle = g.fillStyle = color;
    g.lineJoin = "round";
    if (first === last) dot(g, this.x(curve.t[first] - shift), this.y(lane, curve.v[first]), 2.5);
    // Where many samples share a column of pixels its lowest and highest stand for all.
    const perPixel = (last - first) / Math.max(1, this.width);
    let i = first;
    while (i < last) {
      const phase = curve.phase[i + 1];
      g.beginPath();
      g.setLineDash(phase === 2 ? [5, 3] : []);
      g.lineWidth = phase === 1 ? 2.5 : 1.6;
      g.globalAlpha = depth === 0 ? 1 : 0.8;
      g.moveTo(this.x(curve.t[i] - shift), this.y(lane, curve.v[i]));
      while (i < last && curve.phase[i + 1] === phase) {
        if (perPixel <= 2) {
          i += 1;
          g.lineTo(this.x(curve.t[i] - shift), this.y(lane, curve.v[i]));
          continue;
        }
        const x = Math.floor(this.x(curve.t[i + 1] - shift));
        let [low, high] = [Infinity, -Infinity];
        while (i < last && curve.phase[i + 1] === phase && Math.floor(this.x(curve.t[i + 1] - shift)) === x) {
          i += 1;
          low = Math.min(low, curve.v[i]);
          high = Math.max(high, curve.v[i]);
        }
        g.lineTo(x, this.y(lane, low));
        g.lineTo(x, this.y(lane, high));
      }
      g.stroke();
    }
    g.setLineDash([]);
    g.globalAlpha = 1;
  }

  /** The velocity at each release: a tangent, and a fan between the ends of its interval. */
  tangents(g, lane, { run, shift }, index, depth) {
    const { colors } = this.player;
    for (const estimate of run.estimates) {
      if (estimate.key !== index || estimate.velocity === null) continue;
      const x = this.x(estimate.t - shift);
      if (x < -this.width || x > 2 * this.width) continue;
      const reach = Math.min(tangentSpan, 0.25 * (this.player.window.to - this.player.window.from));
      const end = (velocity, share) => [
        this.x(estimate.t - shift + share * reach), this.y(lane, estimate.value + (velocity * share * reach) / 1e9)];
      const middle = [x, this.y(lane, estimate.value)];
      if (estimate.low !== null && estimate.high !== null) {
        g.beginPath();
        g.moveTo(...middle);
        g.lineTo(...end(estimate.low, 1));
        g.lineTo(...end(estimate.high, 1));
        g.closePath();
        g.fillStyle = colors.release;
        g.globalAlpha = 0.28;
        g.fill();
        g.globalAlpha = 1;
      }
      const [before, after] = [end(estimate.velocity, -0.6), end(estimate.velocity, 1)];
      line(g, ...before, ...after, colors.release, 2);
      g.fillStyle = colors.release;
      dot(g, ...middle, 4);
      // Words of one run only; the other's would lie on them.
      if (depth > 0) continue;
      g.font = "bold 11px system-ui, sans-serif";
      g.textBaseline = "middle";
      const text = velocityWords(estimate.velocity, estimate.low, estimate.high, run.keys[index].unit);
      const width = g.measureText(text).width;
      const isLeft = x + width + 14 > this.width;
      g.textAlign = isLeft ? "right" : "left";
      const y = middle[1] > lane.top + lane.height / 2 ? lane.top + 12 : lane.top + lane.height - 12;
      g.fillText(text, isLeft ? x - 8 : x + 8, y);
    }
  }

  /** B minus A of a key on the shared clock, at the lag of the moment. */
  residual(g, lane) {
    const { colors, layers } = this.player;
    const points = this.player.residual(lane.name);
    let most = 0;
    let sum = 0;
    for (const [, value] of points) {
      most = Math.max(most, Math.abs(value));
      sum += value * value;
    }
    const half = most || 1;
    lane.range = { low: -half, high: half };
    const root = points.length > 0 ? Math.sqrt(sum / points.length) : null;
    const unit = unitOf(this.rangeOf(lane.name)?.unit);
    lane.label.range.textContent = points.length > 0 ? `max ${figure(most)}\nrms ${figure(root)} ${unit}` : "no overlap";
    document.body.dataset.residualMax = points.length > 0 ? most.toPrecision(6) : "";
    line(g, 0, this.y(lane, 0), this.width, this.y(lane, 0), colors.line, 1);
    g.beginPath();
    points.forEach(([time, value], i) => {
      const [x, y] = [this.x(time), this.y(lane, value)];
      if (i === 0) g.moveTo(x, y);
      else g.lineTo(x, y);
    });
    g.strokeStyle = layers[1].color;
    g.lineWidth = 1.8;
    g.stroke();
  }

  /** The releases go through all lanes, boldly. */
  releases(g) {
    for (const layer of this.player.layers) {
      for (const decision of layer.run.decisions) {
        const x = this.x(decision.t - layer.shift);
        if (x < -2 || x > this.width + 2) continue;
        g.setLineDash(layer.letter === "B" ? [6, 4] : []);
        line(g, x, heights.ruler, x, this.height, this.player.colors.release, 2.5);
        g.setLineDash([]);
      }
    }
  }

  /** The cursor, the values at it and the selection: all that a seek draws here. */
  drawCursor() {
    const g = this.cursor.getContext("2d");
    const { colors, ratio, layers, selection } = this.player;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    if (selection) {
      const [left, right] = [this.x(selection.from), this.x(selection.to)];
      g.fillStyle = colors.select;
      g.fillRect(left, 0, right - left, this.height);
      line(g, left, 0, left, this.height, colors.soft, 1);
      line(g, right, 0, right, this.height, colors.soft, 1);
    }
    const time = this.player.time;
    const x = this.x(time);
    line(g, x, 0, x, this.height, colors.ink, 1.5);
    for (const lane of this.lanes) {
      if (lane.kind === "curve") this.valuesAt(g, lane, time, x);
      else if (lane.kind === "residual") this.residualAt(g, lane, time, x);
      else if (lane.layer) lane.label.value.textContent = this.stateAt(lane, time);
    }
    g.fillStyle = colors.ink;
    g.beginPath();
    g.moveTo(x - 5, 0);
    g.lineTo(x + 5, 0);
    g.lineTo(x, 8);
    g.fill();
  }

  valuesAt(g, lane, time, x) {
    const { layers } = this.player;
    const texts = [];
    for (const layer of layers) {
      const index = layer.run.keyIndex.get(lane.name);
      if (index === undefined) continue;
      const value = layer.run.value(index, time + layer.shift);
      texts.push((layers.length > 1 ? `${layer.letter} ` : "") + figure(value));
      if (value === null || !lane.range) continue;
      g.fillStyle = layers.length > 1 ? layer.color : this.player.keyColor(lane.name);
      dot(g, x, this.y(lane, value), 4);
    }
    lane.label.value.textContent = texts.join("  ");
  }

  residualAt(g, lane, time, x) {
    const value = this.player.residualAt(lane.name, time);
    lane.label.value.textContent = figure(value);
    if (value === null) return;
    g.fillStyle = this.player.layers[1].color;
    dot(g, x, this.y(lane, value), 4);
  }

  stateAt(lane, time) {
    const { run, shift } = lane.layer;
    const place = run.placeAt(time + shift);
    if (lane.kind === "phases") return place < 0 ? "–" : phaseNames[run.frames.phase[run.order[place]]];
    if (lane.kind === "markers") {
      const at = run.markers.findLast((marker) => marker.t <= time + shift);
      return at ? at.short : "–";
    }
    if (run.frameCount === 0) return "none";
    if (place < 1) return place < 0 ? "before the first" : "first";
    const interval = run.frameTimes[place] - run.frameTimes[place - 1];
    const isHitch = run.expected > 0 && interval >= hitchInFrames * run.expected;
    return `${figure(interval / 1e6)} ms${isHitch ? ", update hitch" : ""}`;
  }
}

function line(g, x1, y1, x2, y2, color, width) {
  g.strokeStyle = color;
  g.lineWidth = width;
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}

function dot(g, x, y, radius) {
  g.beginPath();
  g.arc(x, y, radius, 0, 2 * Math.PI);
  g.fill();
}

/** Each kind of marker has a shape of its own, so that colour is not needed. */
function symbol(g, kind, x, y, color) {
  g.fillStyle = g.strokeStyle = color;
  g.lineWidth = 2;
  g.beginPath();
  if (kind === "release") {
    for (const [dx, dy] of [[0, -8], [7, 0], [0, 8], [-7, 0]]) g.lineTo(x + dx, y + dy);
    g.fill();
  } else if (kind === "warning") {
    for (const [dx, dy] of [[0, -6], [6, 5], [-6, 5]]) g.lineTo(x + dx, y + dy);
    g.fill();
  } else if (kind === "start") {
    for (const [dx, dy] of [[-3, -5], [5, 0], [-3, 5]]) g.lineTo(x + dx, y + dy);
    g.fill();
  } else if (kind === "settle") {
    g.rect(x - 4, y - 4, 8, 8);
    g.fill();
  } else if (kind === "mark") {
    g.arc(x, y, 4.5, 0, 2 * Math.PI);
    g.fill();
  } else {
    g.moveTo(x, y - 5);
    g.lineTo(x, y + 5);
    g.stroke();
  }
}

/** 1, 2 or 5 times a power of ten nanoseconds, at least `step`. */
function niceStep(step) {
  const power = 10 ** Math.floor(Math.log10(Math.max(step, 1)));
  for (const factor of [1, 2, 5]) if (factor * power >= step) return factor * power;
  return 10 * power;
}

function unitOf(unit) {
  return unit === undefined || unit === "1" ? "" : plain(unit, 16);
}
