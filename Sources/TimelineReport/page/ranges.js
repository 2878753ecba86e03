// From where to where the curves' lanes reach: by themselves, by what is visible, by unit, or as set by hand.

/** How far the tangent of a release's velocity is drawn each way, in nanoseconds. */
const tangentSpan = 90e6;
/** A lane grows by this share of a key's range at most, to show where a tangent leads. */
const tangentRoom = 0.3;
/** A threshold of the progress, or where it is projected to, that lies farther from 0 gets no room. */
const farthestLimit = 2;
const rangeModes = { own: "per curve", visible: "fit the visible part", shared: "shared by unit" };

class Ranges {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.mode = "own";
    /** @type {Map<string, Extent>} Ranges that were set by hand, by the key's name. */
    this.byHand = new Map();
  }

  /** The range of a key's lane, and in a word where it comes from; null for a key without a value. */
  of(name) {
    const own = this.values(name);
    if (!own) return null;
    const hand = this.byHand.get(name);
    if (hand) return { ...hand, unit: own.unit, told: hand, from: "set" };
    if (this.mode === "visible") {
      const seen = this.visible(name);
      if (seen) return { ...seen, unit: own.unit, told: seen, from: "visible" };
    }
    if (this.mode === "shared") {
      const others = [...this.player.chosen].flatMap((one) => this.values(one) ?? []).filter(({ unit }) => unit === own.unit);
      const told = { low: Math.min(...others.map(({ low }) => low)), high: Math.max(...others.map(({ high }) => high)) };
      const rooms = [...this.player.chosen].flatMap((one) => this.withTangents(one) ?? []).filter(({ unit }) => unit === own.unit);
      return {
        low: Math.min(...rooms.map(({ low }) => low)), high: Math.max(...rooms.map(({ high }) => high)),
        unit: own.unit, told, from: "shared",
      };
    }
    return { ...this.withTangents(name), told: own, from: "" };
  }

  /** The smallest and the largest value of a key in all runs. */
  values(name) {
    const keys = this.player.layers.flatMap(({ run }) => run.keyNamed(name) ?? []).filter(({ blocks }) => blocks.length > 0);
    if (keys.length === 0) return null;
    return {
      low: Math.min(...keys.map(({ low }) => low)), high: Math.max(...keys.map(({ high }) => high)), unit: keys[keys.length - 1].unit,
    };
  }

  /** The same of the samples in the window; null where none is. */
  visible(name) {
    const { from, to } = this.player.window;
    let [low, high] = [Infinity, -Infinity];
    for (const { run, shift } of this.player.layers) {
      const index = run.keyIndex.get(name);
      if (index === undefined) continue;
      const { t, v } = run.curve(index);
      for (let i = lastAtMost(t, from + shift - 1) + 1; i < t.length && t[i] <= to + shift; i++) {
        low = Math.min(low, v[i]);
        high = Math.max(high, v[i]);
      }
    }
    return low <= high ? { low, high } : null;
  }

  /** A key's own extent, and room for where the tangents of its releases lead and for the threshold that decided. */
  withTangents(name) {
    const range = this.values(name);
    if (!range) return null;
    const most = (range.high - range.low) * tangentRoom;
    let { low, high } = this.withDrags(name, range, most);
    for (const { run } of this.player.layers) {
      const own = run.decisions.filter(({ thresholdKey }) => thresholdKey === name);
      for (const limit of own.flatMap((one) => [limitOf(one), one.projected])) {
        if (limit === null || Math.abs(limit) > farthestLimit) continue;
        low = Math.min(low, limit);
        high = Math.max(high, limit);
      }
      for (const estimate of run.estimates) {
        if (estimate.velocity === null || estimate.by !== null || run.keys[estimate.key].name !== name) continue;
        for (const velocity of [estimate.velocity, estimate.low, estimate.high]) {
          const end = estimate.value + ((velocity ?? 0) * tangentSpan) / 1e9;
          low = Math.min(low, Math.max(end, range.low - most));
          high = Math.max(high, Math.min(end, range.high + most));
        }
      }
    }
    return { low, high, unit: range.unit };
  }

  /** The same with room for the fingers of a subject, and for where its tangents lead. */
  withDrags(name, range, most) {
    let { low, high } = range;
    for (const { run } of this.player.layers) {
      for (const drag of run.keyNamed(name)?.drags ?? []) {
        for (const [, value] of fingerCurve(run, drag)) [low, high] = [Math.min(low, value), Math.max(high, value)];
        for (const { value, speed } of tangentsOf(run, drag)) {
          for (const velocity of speed) {
            const end = value + (velocity * tangentSpan) / 1e9;
            low = Math.min(low, Math.max(end, range.low - most));
            high = Math.max(high, Math.min(end, range.high + most));
          }
        }
      }
    }
    return { low, high };
  }

  /** Sets a key's range; what is no range takes it back. */
  set(name, low, high) {
    if (Number.isFinite(low) && Number.isFinite(high) && low < high) this.byHand.set(name, { low, high });
    else this.byHand.delete(name);
  }
}
