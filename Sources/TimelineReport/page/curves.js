// The lanes of keys: curves, velocities at releases, and the difference of two runs.

class CurveLanes extends SubjectLanes {
  curve(g, lane) {
    const { layers, colors } = this.player;
    const range = this.player.ranges.of(lane.name);
    lane.range = range;
    lane.label.range.textContent = range
      ? `${figure(range.told.low)} … ${figure(range.told.high)} ${unitOf(range.unit)}${range.from && `\n${range.from}`}`
      : "no value";
    layers.forEach((layer) => this.stretches(layer, (phase, from, to) => {
      if (phase === 0 || layer !== layers[0]) return;
      g.fillStyle = phase === 1 ? colors.driving : colors.settling;
      g.fillRect(this.x(from), lane.top, this.x(to) - this.x(from), lane.height);
    }));
    if (!range) return;
    this.grid(g, lane);
    g.beginPath();
    g.rect(gutter, lane.top, this.width, lane.height - lane.foot);
    g.clip();
    const isPair = layers.length > 1;
    lane.room = new Room(gutter, this.width, lane.top, lane.height - lane.foot);
    // Words stand inside a shaded stretch or outside, not on its edge.
    this.stretches(layers[0], (phase, ...ends) => {
      for (const end of phase === 0 ? [] : ends) lane.room.line(this.x(end), lane.top, this.x(end), lane.top + lane.height, true);
    });
    const words = [];
    for (const { run, shift } of layers) {
      const { places, isDense } = this.seen(run.decisions, shift, 0, this.width);
      for (const { x } of isDense ? [] : places) lane.room.line(x, lane.top, x, lane.top + lane.height);
    }
    for (const [depth, layer] of [...layers.entries()].reverse()) {
      const index = layer.run.keyIndex.get(lane.name);
      if (index === undefined) continue;
      const color = isPair ? layer.color : this.player.keyColor(lane.name);
      words.unshift(...this.thresholds(g, lane, layer, index), ...this.tangents(g, lane, layer, index));
      words.push(...this.springs(g, lane, layer, index, color));
      this.trace(g, lane, layer, index, color, depth);
      words.push(...this.drags(g, lane, layer, index, color));
    }
    // Both runs mostly have one threshold, which is told once.
    const told = new Set();
    for (const one of words) {
      const name = `${one.text} ${one.x} ${one.y}`;
      if (!told.has(name)) lane.room.write(g, one);
      told.add(name);
    }
  }

  /** The round numbers of a lane that have room left of it, and how high each stands; none where they would be all alike. */
  numbers(g, lane) {
    const { low, high } = lane.range;
    if (!Number.isFinite(high - low)) return [];
    g.font = numberFont;
    const fits = (text) => text && g.measureText(text).width <= gutter - 6;
    if (low === high) return [figure(low)].filter(fits).map((text) => ({ value: low, text, y: this.y(lane, low) }));
    const pixel = (high - low) / (lane.height - lane.foot - 16);
    let step = tickStep(pixel * numberGap);
    if (Math.floor(high / step) - Math.ceil(low / step) < 1) step = tickStep(pixel * leastNumberGap);
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const found = [];
    for (let k = Math.ceil(low / step); k * step <= high && found.length < mostTicks; k++) {
      const value = Number((k * step).toPrecision(12));
      const plainText = value === 0 ? "0" : digits > 6 ? "" : value.toFixed(digits);
      const text = [plainText, value.toExponential().replace("e+", "e")].find(fits);
      if (text) found.push({ value, text, y: this.y(lane, value) });
    }
    return new Set(found.map(({ y }) => y)).size === found.length ? found : [];
  }

  number(g, text, y) {
    g.font = numberFont;
    g.fillStyle = this.player.colors.soft;
    g.textAlign = "right";
    g.fillText(text, gutter - 4, y);
  }

  /** A faint line at each round number; that of 0 is the strongest. */
  grid(g, lane) {
    for (const { value, y } of this.numbers(g, lane)) {
      g.globalAlpha = value === 0 ? 1 : 0.55;
      line(g, gutter, y, this.width, y, this.player.colors.line, 1);
    }
    g.globalAlpha = 1;
  }

  /** A key's curve: driven stretches bold, settling ones thin and dashed. */
  trace(g, lane, { run, shift }, index, color, depth) {
    const curve = run.curve(index);
    const { holds } = run.keys[index];
    const { from, to } = this.player.window;
    const first = Math.max(0, lastAtMost(curve.t, from + shift));
    const last = Math.min(curve.t.length - 1, lastAtMost(curve.t, to + shift) + 1);
    g.strokeStyle = g.fillStyle = color;
    g.lineJoin = "round";
    if (first === last) dot(g, this.x(curve.t[first] - shift), this.y(lane, curve.v[first]), 2.5);
    let before = null;
    const drawTo = (x, y) => {
      g.lineTo(x, y);
      if (before) lane.room.line(...before, x, y);
      before = [x, y];
    };
    // Where many samples share a column of pixels its lowest and highest stand for all.
    const perPixel = (last - first) / Math.max(1, this.width);
    let i = first;
    while (i < last) {
      const phase = curve.phase[i + 1];
      g.beginPath();
      g.setLineDash(phase === 2 ? [5, 3] : []);
      g.lineWidth = phase === 1 ? 2.5 : 1.6;
      g.globalAlpha = depth === 0 ? 1 : 0.8;
      drawTo(this.x(curve.t[i] - shift), this.y(lane, curve.v[i]));
      while (i < last && curve.phase[i + 1] === phase) {
        if (perPixel <= 2) {
          i += 1;
          if (holds) drawTo(this.x(curve.t[i] - shift), this.y(lane, curve.v[i - 1]));
          drawTo(this.x(curve.t[i] - shift), this.y(lane, curve.v[i]));
          continue;
        }
        const x = Math.floor(this.x(curve.t[i + 1] - shift));
        let [low, high] = [Infinity, -Infinity];
        while (i < last && Math.floor(this.x(curve.t[i + 1] - shift)) === x) {
          i += 1;
          low = Math.min(low, curve.v[i]);
          high = Math.max(high, curve.v[i]);
        }
        drawTo(x, this.y(lane, low));
        drawTo(x, this.y(lane, high));
      }
      g.stroke();
    }
    g.setLineDash([]);
    g.globalAlpha = 1;
  }

  /** The velocity at each release: a tangent, and a fan between the ends of its interval; its words come back. */
  tangents(g, lane, layer, index) {
    const { run, shift } = layer;
    const words = [];
    // What is no velocity by time has no tangent.
    const own = run.estimates.filter(({ key, velocity, by }) => key === index && velocity !== null && by === null);
    const { places, isDense } = this.seen(own, shift, -this.width, 2 * this.width);
    for (const { row: estimate, x } of places) {
      const color = this.player.colors[run.outcomeAt(estimate)] ?? this.player.colors.ink;
      const reach = Math.min(tangentSpan, 0.25 * (this.player.window.to - this.player.window.from));
      const end = (velocity, share) => [
        this.x(estimate.t - shift + share * reach), this.y(lane, estimate.value + (velocity * share * reach) / 1e9)];
      const middle = [x, this.y(lane, estimate.value)];
      if (isDense) {
        g.fillStyle = color;
        dot(g, ...middle, 1.5);
        continue;
      }
      if (estimate.low !== null && estimate.high !== null) {
        const [low, high] = [end(estimate.low, 1), end(estimate.high, 1)];
        outline(g, [middle, low, high]);
        g.fillStyle = color;
        g.globalAlpha = 0.28;
        g.fill();
        g.globalAlpha = 1;
        for (const point of [low, high]) lane.room.line(...middle, ...point);
      }
      const [before, after] = [end(estimate.velocity, -0.6), end(estimate.velocity, 1)];
      line(g, ...before, ...after, color, 2);
      lane.room.line(...before, ...after);
      g.fillStyle = color;
      dot(g, ...middle, 4);
      const head = this.player.head(layer);
      const { unit } = run.keys[index];
      words.push({
        text: head + velocityWords(estimate.velocity, estimate.low, estimate.high, unit),
        short: head + velocityWords(estimate.velocity, null, null, unit), x, y: middle[1], color,
      });
    }
    return words;
  }

  /** B minus A of a key on the shared clock, at the lag of the moment. */
  residual(g, lane) {
    const { layers } = this.player;
    const points = residual(this.player, lane.name);
    let most = 0;
    let sum = 0;
    for (const [, value] of points) {
      most = Math.max(most, Math.abs(value));
      sum += value * value;
    }
    const half = most || 1;
    lane.range = { low: -half, high: half };
    const root = Math.sqrt(sum / points.length);
    const unit = unitOf(this.player.ranges.values(lane.name)?.unit);
    lane.label.range.textContent = points.length > 0 ? `max ${figure(most)}\nrms ${figure(root)} ${unit}` : "no overlap";
    document.body.dataset.residualMax = points.length > 0 ? most.toPrecision(6) : "";
    this.grid(g, lane);
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
}
