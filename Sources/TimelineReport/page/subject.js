// The lane of what a finger drives: the finger over it, how far behind the finger it is, both speeds at the lift, and the spring
// that was fitted to the settle.

/** How high the interval of a lag is drawn, in pixels. */
const bracketHeight = 8;

/** Where the finger of a drag was, [time, value], in the values of the subject's curve and from where that rested. */
function fingerCurve(run, drag) {
  if (drag.finger) return drag.finger;
  const along = drag.isAcross ? "x" : "y";
  const reports = (run.contacts.get(drag.contact) ?? []).filter(({ t }) => t >= drag.start && t <= drag.lift);
  drag.finger = reports.map((report) => [report.t, drag.home + report[along] - reports[0][along]]);
  return drag.finger;
}

/** How a finger's curve is drawn, beside the name of the curve that it is drawn over. */
function fingerLegend() {
  const row = document.createElement("span");
  row.className = "legend";
  row.append(document.createElement("i"), "finger");
  return row;
}

/** In so many even steps the fitted spring of a settle is drawn. */
const springSteps = 96;

/** The fitted spring of a settle, [time, value], in the values of the subject's curve: x'' = -k x - c x' in closed form. */
function springCurve({ start, end, target, distance, velocity, stiffness, damping }) {
  const decay = damping / 2;
  const square = stiffness - decay * decay;
  const root = Math.sqrt(Math.abs(square));
  const rest = velocity + decay * distance;
  return Array.from({ length: springSteps + 1 }, (_, i) => {
    const since = ((end - start) * i) / springSteps / 1e9;
    const turn = root * since;
    const [even, odd] = turn < 1e-6 ? [1, since]
      : square > 0 ? [Math.cos(turn), Math.sin(turn) / root] : [Math.cosh(turn), Math.sinh(turn) / root];
    return [start + since * 1e9, target + Math.exp(-decay * since) * (distance * even + rest * odd)];
  });
}

/** The tangents of a drag: where each begins, its speed with both ends of its interval, and its words. */
function tangentsOf(run, drag) {
  const [finger, subject] = [fingerCurve(run, drag).at(-1), [drag.last, drag.place]];
  // What may as well keep nothing has no speed to draw, and its words are the finger's.
  const letGo = drag.goesOn ? drag.speedWords[0] : drag.speedWords.join(", ");
  return [
    { of: "finger", speed: drag.letGo, t: drag.lift, value: finger?.[1], words: letGo },
    { of: "subject", speed: drag.goesOn, t: subject[0], value: subject[1], words: drag.speedWords.at(-1) },
  ].filter(({ speed, value }) => speed && value !== undefined && speed.every(Number.isFinite));
}

class SubjectLanes extends ThresholdLanes {
  /** Whether a finger is drawn over the curve of a name. */
  hasFinger(name) {
    return this.player.layers.some(({ run }) => (run.keyNamed(name)?.drags ?? []).length > 0);
  }

  /** The drags of a subject that are in the window; their words come back. */
  drags(g, lane, layer, index, color) {
    const { run, shift } = layer;
    const words = [];
    for (const drag of run.keys[index].drags ?? []) {
      if (this.x(drag.lift + tangentSpan - shift) < gutter || this.x(drag.start - shift) > this.width) continue;
      const ofFinger = this.player.layers.length > 1 ? color : this.player.colors.touch;
      const x = this.x(drag.lift - shift);
      line(g, x, lane.top, x, lane.top + lane.height, this.player.colors.soft, 1);
      lane.room.line(x, lane.top, x, lane.top + lane.height);
      this.finger(g, lane, layer, drag, ofFinger);
      words.push(...this.lag(g, lane, layer, drag));
      for (const tangent of tangentsOf(run, drag)) {
        words.push(this.tangent(g, lane, layer, tangent, tangent.of === "finger" ? ofFinger : color));
      }
    }
    return words;
  }

  /** The fitted springs under a subject's settles, as broad pale lines; their words come back. */
  springs(g, lane, layer, index, color) {
    const { run, shift } = layer;
    const words = [];
    for (const { spring } of run.keys[index].drags ?? []) {
      if (!spring || this.x(spring.end - shift) < gutter || this.x(spring.start - shift) > this.width) continue;
      const points = springCurve(spring).map(([t, value]) => [this.x(t - shift), this.y(lane, value)]);
      g.beginPath();
      for (const point of points) g.lineTo(...point);
      g.strokeStyle = color;
      g.globalAlpha = 0.3;
      g.lineWidth = 8;
      g.lineJoin = g.lineCap = "round";
      g.stroke();
      g.globalAlpha = 1;
      g.lineCap = "butt";
      const [x, y] = points[Math.round(springSteps / 3)];
      words.push({ text: this.player.head(layer) + spring.words, x, y, color });
    }
    return words;
  }

  /** A finger's curve, dashed, from its landing to its lift. */
  finger(g, lane, { run, shift }, drag, color) {
    const points = fingerCurve(run, drag).map(([t, value]) => [this.x(t - shift), this.y(lane, value)]);
    if (points.length === 0) return;
    g.beginPath();
    points.forEach((point, i) => {
      g.lineTo(...point);
      if (i > 0) lane.room.line(...points[i - 1], ...point);
    });
    g.setLineDash([3, 3]);
    g.strokeStyle = color;
    g.lineWidth = 1.5;
    g.stroke();
    g.setLineDash([]);
    g.fillStyle = color;
    dot(g, ...points.at(-1), 3);
  }

  /** The lag as a bracket in mid-drag, from the finger's curve to the subject's, with its interval; its words come back. */
  lag(g, lane, layer, { lag, lagWords, middle, middleValue }) {
    if (!lag || !lag.every(Number.isFinite)) return [];
    const { ink } = this.player.colors;
    const { shift } = layer;
    const y = this.y(lane, middleValue);
    const [from, low, high] = lag.map((length) => this.x(middle - length * 1e9 - shift));
    const to = this.x(middle - shift);
    g.fillStyle = ink;
    g.globalAlpha = 0.25;
    g.fillRect(Math.min(low, high), y - bracketHeight / 2, Math.abs(low - high), bracketHeight);
    g.globalAlpha = 1;
    line(g, from, y, to, y, ink, 2);
    for (const x of [from, to]) line(g, x, y - 5, x, y + 5, ink, 2);
    lane.room.take(Math.min(from, high), y - 6, Math.abs(to - Math.min(from, high)), 12);
    const head = this.player.head(layer);
    return [{ text: head + lagWords, x: from, y, color: ink }];
  }

  /** The tangent of a speed with a fan for its interval; its words come back. */
  tangent(g, lane, layer, { t, value, speed, words }, color) {
    const { shift } = layer;
    const reach = Math.min(tangentSpan, 0.25 * (this.player.window.to - this.player.window.from));
    const at = (velocity, share) => [
      this.x(t - shift + share * reach), this.y(lane, value + (velocity * share * reach) / 1e9)];
    const start = at(0, 0);
    const ends = speed.map((velocity) => at(velocity, 1));
    outline(g, [start, ends[1], ends[2]]);
    g.fillStyle = color;
    g.globalAlpha = 0.25;
    g.fill();
    g.globalAlpha = 1;
    line(g, ...start, ...ends[0], color, 2.5);
    for (const end of ends) lane.room.line(...start, ...end);
    const head = this.player.head(layer);
    return { text: head + words, short: head + words.replace(/^.*: /, ""), x: ends[0][0], y: ends[0][1], color };
  }
}
