// The lanes of keys: curves, velocities at releases, and the difference of two runs.

Object.assign(LanesView.prototype, {
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
    if (range.low < 0 && range.high > 0) line(g, 0, this.y(lane, 0), this.width, this.y(lane, 0), colors.line, 1);
    const isPair = layers.length > 1;
    for (const [depth, layer] of [...layers.entries()].reverse()) {
      const index = layer.run.keyIndex.get(lane.name);
      if (index === undefined) continue;
      const color = isPair ? layer.color : this.player.keyColor(lane.name);
      this.tangents(g, lane, layer, index, depth);
      this.trace(g, lane, layer, index, color, depth);
    }
  },

  y(lane, value) {
    const { low, high } = lane.range;
    const room = lane.height - 16;
    if (high === low) return lane.top + lane.height / 2;
    return lane.top + lane.height - 8 - ((value / 2 - low / 2) / (high / 2 - low / 2)) * room;
  },

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
          if (holds) g.lineTo(this.x(curve.t[i] - shift), this.y(lane, curve.v[i - 1]));
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
  },

  /** The velocity at each release: a tangent, and a fan between the ends of its interval. */
  tangents(g, lane, { run, shift }, index, depth) {
    const { colors } = this.player;
    const places = run.estimates.filter(({ key }) => key === index).map(({ t }) => this.x(t - shift));
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
      const isAbove = middle[1] > lane.top + lane.height / 2;
      const left = isLeft ? x - 8 - width : x + 8;
      // Where releases lie so close together that words would lie on them, the words are left out.
      if (places.some((one) => one !== x && one > left - 6 && one < left + width + 6)) continue;
      const y = isAbove ? lane.top + 12 : lane.top + lane.height - 12;
      g.textAlign = "left";
      g.strokeStyle = colors.card;
      g.lineWidth = 3;
      g.strokeText(text, left, y);
      g.fillText(text, left, y);
    }
  },

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
    const unit = unitOf(this.player.ranges.values(lane.name)?.unit);
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
  },
});
