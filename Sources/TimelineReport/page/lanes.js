// The lanes under the stage: phases, markers, frames, curves, and the difference of two runs.

const heights = { ruler: 20, phases: 24, markers: 40, frames: 30, curve: 96, subject: 168, item: 64, words: 36, residual: 84, folded: 30 };

/** A line of words at the foot of a lane, in pixels. */
const footLine = 15;

/** Room for a lane's numbers, left of what is drawn, in pixels. */
const gutter = 38;
/** Room at both sides, in pixels, so that markers at the ends can be seen whole. */
const edge = 9;
const numberFont = "10px system-ui, sans-serif";
/** Two numbers of a lane are at least this far apart, in pixels. */
const numberGap = 22;
/** Where that leaves fewer than two, at least this far, in pixels. */
const leastNumberGap = 13;

/** Kinds of markers, the most important first. */
const markerRank = ["release", "lift", "warning", "fault", "start", "mark", "settle", "other"];

class LanesView extends CursorLanes {
  /** Makes the list of lanes anew: after a change of the chosen keys or of the runs' order. */
  arrange() {
    const { layers, chosen } = this.player;
    /** @type {any[]} */
    const lanes = [{ kind: "ruler" }];
    const has = {
      phases: (run) => run.frameCount > 0 || run.gestures.length > 0,
      markers: (run) => run.markers.length > 0, frames: (run) => run.frameCount > 0,
    };
    for (const kind of ["phases", "markers", "frames"]) {
      for (const layer of layers) if (has[kind](layer.run)) lanes.push({ kind, layer });
    }
    for (const name of chosen) lanes.push({ kind: "curve", name });
    if (layers.length > 1 && this.player.residualKey) lanes.push({ kind: "residual", name: this.player.residualKey });
    if (this.player.constants.length > 0) lanes.push({ kind: "folded" });
    let top = 0;
    this.labels.replaceChildren();
    for (const lane of lanes) {
      lane.top = top;
      // At a lane's foot stand the statistics of the selection, so that they cover nothing.
      lane.foot = lane.kind === "curve" && this.player.selection ? footLine * layers.length * (narrowWindow.matches ? 2 : 1) : 0;
      const isItem = this.player.itemKeys.has(lane.name);
      const isSubject = lane.kind === "curve" && this.player.ranks.get(lane.name) === roleRank.subject;
      lane.height = lane.foot + (isItem ? heights.item : isSubject ? heights.subject : heights[lane.kind]);
      // On a phone the words of two runs have no place beside each other.
      if (lane.kind === "curve" && !isItem && layers.length > 1 && narrowWindow.matches) lane.height += heights.words;
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
    if (lane.kind === "folded") {
      this.foldButton(box);
      return { box };
    }
    const name = document.createElement("b");
    const value = document.createElement("span");
    value.className = lane.kind === "phases" || lane.kind === "frames" ? "value inline" : "value";
    const range = document.createElement("span");
    range.className = "range";
    const letter = lane.layer && this.player.layers.length > 1 ? `${lane.layer.letter} ` : "";
    const words = {
      ruler: rulerNames[this.player.axis.shown], phases: lane.layer?.run.frameCount === 0 ? "gesture" : "phase", markers: "markers", frames: "frames",
    };
    if (lane.name === undefined) {
      name.textContent = letter + words[lane.kind];
    } else {
      name.append(lane.kind === "residual" ? "B − A: " : "", ...breakable(bothEnds(lane.name, 34)));
      name.className = "key";
      box.title = plain(lane.name, 400);
    }
    // Of two runs the colours are the runs'.
    if (lane.kind === "curve" && this.player.layers.length === 1) {
      const swatch = document.createElement("i");
      swatch.style.background = this.player.keyVariable(lane.name);
      box.append(swatch);
    }
    box.append(name);
    if (lane.kind === "curve" && this.hasFinger(lane.name)) box.append(fingerLegend());
    if (lane.kind !== "ruler") box.append(value);
    if (lane.kind === "curve" || lane.kind === "residual") box.append(range);
    return { box, name, value, range };
  }

  layOut() {
    this.width = Math.max(40, this.plot.clientWidth);
    fit(this);
    this.drawBase();
  }

  /** The ruler alone: after a change of what is counted. */
  relabel() {
    this.lanes[0].label.name.textContent = rulerNames[this.player.axis.shown];
    this.drawBase();
  }

  /** Everything but the cursor: once for each zoom, choice of keys, lag or colour scheme. */
  drawBase() {
    if (!this.player.isReady) return;
    this.redraws += 1;
    const g = cleared(this.base, this);
    for (const lane of this.lanes) {
      g.save();
      g.beginPath();
      g.rect(gutter, lane.top, this.width, lane.height);
      g.clip();
      this[lane.kind](g, lane);
      if (lane.kind === "frames" || lane.kind === "curve") this.lost(g, lane);
      g.restore();
      if (lane.range) for (const { text, y } of this.numbers(g, lane)) this.number(g, text, y);
      line(g, 0, lane.top + 0.5, this.width, lane.top + 0.5, this.player.colors.line, 1);
    }
    this.releases(g);
    fillSelection(this.player);
  }

  ruler(g, lane) {
    const { window: { from, to }, axis, colors } = this.player;
    g.font = "11px system-ui, sans-serif";
    g.textAlign = "left";
    let end = -Infinity;
    for (const { time, text } of axis.ticks(from, to, this.width)) {
      const x = this.x(time);
      line(g, x, lane.top + 12, x, lane.top + lane.height, colors.soft, 1);
      // At the right edge a number stands on the other side of its tick; where there is no room it is left out.
      const width = g.measureText(text).width;
      const left = x + 3 + width <= this.width ? x + 3 : x - 3 - width;
      if (left < end + 6) continue;
      g.fillStyle = colors.soft;
      g.fillText(text, left, lane.top + 9);
      end = left + width;
    }
  }

  phases(g, lane) {
    const colors = this.player.colors;
    this.stretches(lane.layer, (phase, from, to) => {
      if (phase === 0) return;
      const [left, right] = [this.x(from), this.x(to)];
      g.fillStyle = phase === 1 ? colors.driving : colors.settling;
      g.fillRect(left, lane.top, Math.max(1, right - left), lane.height);
      this.words(g, phaseNames[phase], Math.max(left, gutter), Math.min(right, this.width), lane.top + 7, colors.soft);
    });
    for (const gesture of lane.layer.run.gestures) {
      const left = this.x(gesture.from - lane.layer.shift);
      const right = this.x(gesture.to - lane.layer.shift);
      g.fillStyle = lane.layer.color;
      g.fillRect(left, lane.top + 14, Math.max(2, right - left), 8);
      if (gesture.isOpen) line(g, right, lane.top + 11, right, lane.top + 24, colors.ink, 2);
    }
  }

  words(g, text, from, to, y, color) {
    if (to - from < 24) return;
    g.font = "11px system-ui, sans-serif";
    g.fillStyle = color;
    g.textAlign = "left";
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
      const places = this.markerPlaces(shown.filter(({ kind }) => (kind === "release" || kind === "lift") === isRelease), shift);
      const y = lane.top + (row === 0 ? 11 : 29);
      g.font = isRelease ? "bold 12px system-ui, sans-serif" : "11px system-ui, sans-serif";
      const wordsOf = ({ told }) => told.map((marker) => markerShort(marker, lane.layer)).join(" · ");
      places.forEach(({ marker, x, told }, i) => {
        // Neither its sign nor its text reaches into the window.
        if (places[i + 1]?.x < 0 || (x > this.width + 8 && i + 1 < places.length)) return;
        const color = marker.decision ? colors[marker.decision.outcome] : /^(warning|fault)$/.test(marker.kind) ? colors.error : own;
        symbol(g, signOf(marker), x, y, color);
        const before = i > 0 ? places[i - 1].x + 8 : gutter;
        const after = i + 1 < places.length ? places[i + 1].x - 8 : this.width;
        // At the right edge there may be more room on the other side.
        const isLast = i + 1 === places.length;
        const taken = isLast && i > 0 ? g.measureText(wordsOf(places[i - 1])).width + 8 : 0;
        const isLeft = isLast && after - x < 60 && x - before - taken > after - x;
        const room = (isLeft ? x - before - taken : after - x) - 10;
        const text = room > 0 ? fitted(g, wordsOf({ told }), room) : "";
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
      const bar = bars.get(x) ?? { interval: 0, isHitch: false };
      bars.set(x, { interval: Math.max(bar.interval, interval), isHitch: bar.isHitch || run.isHitch(i) });
    }
    for (const [x, { interval, isHitch }] of bars) {
      const height = Math.max(2, Math.min(1, interval / most) * (lane.height - 6));
      g.fillStyle = isHitch ? colors.error : colors.soft;
      g.fillRect(x - (isHitch ? 1.5 : 0.5), floor - height, isHitch ? 3 : 1, height);
    }
    if (run.expected > 0) {
      const y = floor - (run.expected / most) * (lane.height - 6);
      line(g, 0, y, this.width, y, colors.line, 1);
    }
  }

  /** Where an element of a clip is not seen: over the frames, and over its own curves. */
  lost(g, lane) {
    for (const { run, shift } of lane.layer ? [lane.layer] : this.player.layers) {
      for (const { id, from, to } of run.lost) {
        if (lane.name !== undefined && !lane.name.startsWith(`item.${id}.`)) continue;
        const left = Math.max(gutter, this.x(from - shift));
        const width = Math.min(this.width, this.x(to - shift)) - left;
        if (width <= 0) continue;
        g.beginPath();
        g.rect(left, lane.top, width, lane.height);
        hatch(g, this.player.colors.error, [left, lane.top, width, lane.height]);
      }
    }
  }

  /** The releases go through all lanes, boldly. */
  releases(g) {
    for (const layer of this.player.layers) {
      const { places, isDense } = this.seen(layer.run.decisions, layer.shift, gutter - 2, this.width + 2);
      // Of so many the lines would hide all else.
      g.globalAlpha = isDense ? 0.2 : 1;
      g.setLineDash(layer.letter === "B" ? [6, 4] : []);
      for (const { row, x } of places) {
        line(g, x, heights.ruler, x, this.height, this.player.colors[row.outcome], isDense ? 1 : 2.5);
      }
      g.setLineDash([]);
      g.globalAlpha = 1;
    }
  }

  /** One line for all curves that never change. */
  folded(g, lane) {
    const { player } = this;
    const words = foldedNames(player).map((name) => {
      const [{ low, unit }] = keysNamed(player, name).filter(({ blocks }) => blocks.length > 0);
      return `${bothEnds(name, 34)} ${figure(low)} ${unitOf(unit)}`.trimEnd();
    });
    this.words(g, words.join(" · "), gutter, this.width, lane.top + lane.height / 2, player.colors.soft);
  }

  /** The button that folds or unfolds them. */
  foldButton(box) {
    const { constants } = this.player;
    const isFolded = foldedNames(this.player).length === constants.length;
    const button = element("button", isFolded ? `${plural(constants.length, "constant")} ▸` : "constants ▾", box);
    button.type = "button";
    button.className = "fold";
    button.title = isFolded ? "Show the curves that never change" : "Fold the curves that never change";
    button.setAttribute("aria-expanded", String(!isFolded));
    button.addEventListener("click", () => {
      foldConstants(this.player, !isFolded);
      this.labels.querySelector("button")?.focus({ preventScroll: true });
    });
  }
}

/** A name that breaks behind its dots, dashes and strokes, where it does not fit on a line. */
function breakable(name) {
  return name.split(/(?<=[._/-])/).flatMap((part) => [part, document.createElement("wbr")]);
}

/** Gives the two canvases of a plot its extent. */
function fit({ base, cursor, width, height, player }) {
  for (const canvas of [base, cursor]) {
    canvas.width = Math.round(width * player.ratio);
    canvas.height = Math.round(height * player.ratio);
  }
}

/** A plot's canvas, empty, in the plot's own lengths. */
function cleared(canvas, { width, height, player }) {
  const g = contextOf(canvas);
  g.setTransform(player.ratio, 0, 0, player.ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  g.textBaseline = "middle";
  return g;
}

function line(g, x1, y1, x2, y2, color, width) {
  g.strokeStyle = color;
  g.lineWidth = width;
  g.beginPath();
  g.moveTo(x1, y1);
  g.lineTo(x2, y2);
  g.stroke();
}

/** Begins a closed outline through points. */
function outline(g, points) {
  g.beginPath();
  for (const point of points) g.lineTo(...point);
  g.closePath();
}

function dot(g, x, y, radius) {
  g.beginPath();
  g.arc(x, y, radius, 0, 2 * Math.PI);
  g.fill();
}

/** The sign of a marker: that of a release that was not recorded, but derived, is hollow and round. */
function signOf({ kind, decision }) {
  if (!decision) return kind;
  return decision.derived === null ? decision.outcome : "lift";
}

/** Each kind of marker has a shape of its own, so that colour is not needed. */
function symbol(g, kind, x, y, color) {
  g.fillStyle = g.strokeStyle = color;
  g.lineWidth = 2;
  g.beginPath();
  const around = (...points) => outline(g, points.map(([dx, dy]) => [x + dx, y + dy]));
  if (kind === "finish" || kind === "cancel") {
    around([0, -7], [6, 0], [0, 7], [-6, 0]);
    g.stroke();
    if (kind === "finish") g.fill();
  } else if (kind === "warning") {
    around([0, -6], [6, 5], [-6, 5]);
    g.fill();
  } else if (kind === "fault") {
    g.moveTo(x, y - 6);
    g.lineTo(x, y + 2);
    g.stroke();
    g.fillRect(x - 1, y + 4, 2, 2);
  } else if (kind === "start") {
    around([-3, -5], [5, 0], [-3, 5]);
    g.fill();
  } else if (kind === "settle") {
    g.rect(x - 4, y - 4, 8, 8);
    g.fill();
  } else if (kind === "lift") {
    g.arc(x, y, 5.5, 0, 2 * Math.PI);
    g.stroke();
  } else if (kind === "mark") {
    g.arc(x, y, 4.5, 0, 2 * Math.PI);
    g.fill();
  } else {
    g.moveTo(x, y - 5);
    g.lineTo(x, y + 5);
    g.stroke();
  }
}

function unitOf(unit) {
  return unit === undefined || unit === "1" ? "" : plain(unit, 16);
}
