// Of many releases, markers and phases in the window as much as can be seen.

/** Releases that stand closer than this on average, in pixels, have no words, and those of one column of pixels share a sign. */
const releaseRoom = 24;
/** Markers of one place whose texts are joined: more would not fit into a lane. */
const joinedTexts = 20;

/** Whether all runs have one threshold, or the same ones in the same order. */
function haveOneThreshold(runs) {
  if (runs.length < 2) return true;
  const limits = runs.map(({ decisions }) => decisions.filter(isOfRule).map(limitOf).join());
  return limits.every((one) => one === limits[0]);
}

/** The lanes as a plane: each file up to lanes.js adds what is drawn on it. */
class SeenLanes {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.base = byId("plot-base");
    this.cursor = byId("plot-cursor");
    this.plot = byId("plot");
    this.labels = byId("labels");
    this.redraws = 0;
    /** @type {Lane[]} From above. */
    this.lanes = [];
    this.width = this.height = 0;
    /** Whether all runs have one threshold, which is told once. */
    this.hasOneThreshold = haveOneThreshold(player.runs);
    /** @type {[x: number, y: number] | null} Where in the plot the pointer rests; null: elsewhere. */
    this.pointer = null;
  }

  x(time) {
    const { from, to } = this.player.window;
    return gutter + edge + ((time - from) / (to - from)) * (this.width - gutter - 2 * edge);
  }

  time(x) {
    const { from, to } = this.player.window;
    return from + ((x - gutter - edge) / (this.width - gutter - 2 * edge)) * (to - from);
  }

  y(lane, value) {
    const { low, high } = lane.range;
    const height = lane.height - lane.foot;
    const room = height - 16;
    if (high === low) return lane.top + height / 2;
    return lane.top + height - 8 - shareOf(value, lane.range) * room;
  }

  /** The rows { t } between two places across: { row, x } each. Of too many the last one stands for its column of pixels. */
  seen(rows, shift, left, right) {
    const places = [];
    for (const row of rows) {
      const x = this.x(row.t - shift);
      if (x >= left && x <= right) places.push({ row, x });
    }
    const isDense = places.length * releaseRoom > right - left;
    if (!isDense) return { places, isDense };
    return { places: [...new Map(places.map((place) => [Math.floor(place.x), place])).values()], isDense };
  }

  /** Where the signs of markers stand: what falls on one place has the sign of what matters most, and one text. */
  markerPlaces(markers, shift) {
    const places = [];
    for (const marker of markers) {
      const x = this.x(marker.t - shift);
      const last = places.at(-1);
      if (!last || x - last.x > 1) {
        places.push({ marker, x, told: [marker] });
        continue;
      }
      if (last.told.length < joinedTexts) last.told.push(marker);
      if (markerRank.indexOf(marker.kind) < markerRank.indexOf(last.marker.kind)) last.marker = marker;
    }
    return places;
  }

  /** Calls back for each stretch of one phase in the window, in the shared clock; of those within one column of pixels for the first. */
  stretches({ run, shift }, each) {
    const columns = [];
    for (const { phase, from, to } of run.stretches) {
      const [left, right] = [this.x(from - shift), this.x(to - shift)];
      if (right < 0 || left > this.width) continue;
      const column = Math.floor(left) === Math.floor(right) ? Math.floor(left) : null;
      if (column !== null && columns[phase] === column) continue;
      columns[phase] = column;
      each(phase, from - shift, to - shift);
    }
  }
}

/** The stretches of one phase of a run, on its own clock. */
function stretchesOf({ frames, order, frameTimes }) {
  const stretches = [];
  let start = 0;
  for (let i = 1; i <= order.length; i++) {
    const phase = frames.phase[order[start]];
    if (i < order.length && frames.phase[order[i]] === phase) continue;
    stretches.push({ phase, from: frameTimes[start], to: frameTimes[Math.min(i, order.length - 1)] });
    start = i;
  }
  return stretches;
}
