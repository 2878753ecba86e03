// The thresholds of releases in the lanes of their keys.

class ThresholdLanes extends SeenLanes {
  /** What decided at each release, in the lane of its key: the threshold, and how far off it was; its words come back. */
  thresholds(g, lane, layer, index) {
    const { run, shift } = layer;
    const words = [];
    const { soft } = this.player.colors;
    const head = this.player.head(layer);
    const { name } = run.keys[index];
    const own = run.decisions.filter((one) => one.thresholdKey === name && isOfRule(one));
    const { places, isDense } = this.seen(own, shift, gutter, this.width);
    const drawn = new Set();
    for (const { row: decision, x } of places) {
      const color = this.player.colors[decision.outcome];
      const limit = limitOf(decision);
      if (limit === null) {
        if (!isDense) words.push({ text: head + decidedWords(decision), x, y: lane.top, color });
        continue;
      }
      const y = this.y(lane, limit);
      const reached = this.y(lane, decision.projected ?? decision.progress);
      // A threshold is one line, however many releases it decided.
      const place = isDense ? Math.round(y) : limit;
      if (!drawn.has(place)) {
        g.setLineDash([2, 3]);
        line(g, gutter, y, this.width, y, soft, 1.5);
        g.setLineDash([]);
        lane.room.line(gutter, y, this.width, y);
        words.push({ text: `${this.hasOneThreshold ? "" : head}threshold ${figure(limit)}`, x: gutter, y, color: soft });
      }
      drawn.add(place);
      if (isDense) continue;
      if (decision.by !== "rule" || decision.marginProgress === null || decision.criterion === null) continue;
      // The margin is the arrow from what was reached to the threshold.
      const at = x - 7;
      const tip = y > reached ? -4 : 4;
      line(g, at, reached, at, y, color, 2);
      line(g, at - 3, y + tip, at, y, color, 2);
      line(g, at + 3, y + tip, at, y, color, 2);
      line(g, at - 4, reached, at + 4, reached, color, 2);
      lane.room.take(at - 4, Math.min(y, reached), 8, Math.abs(y - reached));
      const projected = decision.projected === null ? "" : `projected to ${figure(decision.projected)}, `;
      const margin = marginWords(decision);
      words.push({
        text: head + projected + margin, short: head + margin.replace(" the threshold", "").replace("short of", "short"),
        x: at, y: (y + reached) / 2, color,
      });
    }
    return words;
  }
}
