// One recorded session, unpacked as far as it is looked at.

const phaseNames = ["idle", "driving", "settling"];

/** Unpacked chunks of poses that are kept, a quarter of a second each, so that a step back costs nothing. */
const keptChunks = 32;

/** Rows { t, transition } of releases, found by either; of several the first one. */
class ReleaseIndex {
  constructor(rows) {
    this.byTime = new Map();
    this.byTransition = new Map();
    for (const row of rows) {
      if (!this.byTime.has(row.t)) this.byTime.set(row.t, row);
      if (!this.byTransition.has(row.transition)) this.byTransition.set(row.transition, row);
    }
  }

  /** The row of an instant; undefined without one. */
  at(time) {
    return this.byTime.get(time);
  }

  /** The row of a release. An app need not number its transitions: that of its instant goes first. */
  of({ t, transition }) {
    return this.byTime.get(t) ?? this.byTransition.get(transition);
  }
}

class Run {
  /** @param letter "A" or "B", which names the script elements. */
  constructor(letter) {
    this.letter = letter;
    const { decisions, estimates, ...header } = dataOf(`run-${letter}`);
    Object.assign(this, header);
    this.packed = (document.getElementById(`data-${letter}`)?.textContent ?? "").trim();
    /** @type {Map<number, PackedElement[]>} */
    this.chunkCache = new Map();
    this.chunkReads = 0;
    this.frames = this.readFrames();
    this.frameCount = this.frames.t.length;
    const { t } = this.frames;
    // An app's frames may go back in time; the report shows them in the order of time.
    this.order = Uint32Array.from(t.keys());
    const isRising = t.every((time, i) => i === 0 || time >= t[i - 1]);
    if (!isRising) this.order.sort((a, b) => t[a] - t[b] || a - b);
    this.frameTimes = isRising ? t : Float64Array.from(this.order, (i) => t[i]);
    this.late = new Set(this.lateFrames);
    this.contacts = this.readTouches();
    for (const key of this.keys) key.curve = null;
    /** @type {Decision[]} */
    this.decisions = rowsOf(decisions);
    /** @type {ReleaseEstimate[]} */
    this.estimates = rowsOf(estimates);
    for (const list of [this.decisions, this.estimates, this.events]) {
      for (const row of list) if (row.t !== undefined) row.t = Number(row.t);
    }
    this.decided = new ReleaseIndex(this.decisions);
    this.progressEstimates = new ReleaseIndex(this.estimates.filter(({ key }) => this.keys[key]?.role === "progress"));
    this.start = Math.min(0, this.frameCount > 0 ? this.frames.t[0] : 0);
    this.end = Math.max(this.endTime, this.start);
    /** @type {Map<number, Item>} */
    this.items = new Map(this.itemRows.map(
      ([handle, id, category, kind, fill]) => [handle, { id, category, kind, fill, label: plain(id, 40) }]));
    /** @type {Map<string, { name: string, index: number }[]>} */
    this.ownKeys = new Map();
    this.keys.forEach((key, index) => {
      const [, id, name] = /^item\.(.+)\.([^.]+)$/s.exec(key.name) ?? [];
      if (id === undefined) return;
      listIn(this.ownKeys, id).push({ name, index });
    });
    this.viewports = [];
    if (this.viewport) this.viewports.push({ t: -Infinity, width: this.viewport[0], height: this.viewport[1] });
    for (const { t, size } of this.events) if (size) this.viewports.push({ t, width: size[0], height: size[1] });
    this.largestViewport = this.viewports.length === 0 ? null : {
      width: Math.max(...this.viewports.map(({ width }) => width)),
      height: Math.max(...this.viewports.map(({ height }) => height)),
    };
  }

  reader(block) {
    return new BitReader(bytesOf(this.packed, block[0], block[0] + block[1]));
  }

  readFrames() {
    const count = this.frameBlocks.reduce((sum, block) => sum + block[2], 0);
    const names = ["t", "phase", "has", "progress", "x", "y", "width", "height"];
    /** @type {Record<string, Float64Array>} */
    const frames = {};
    for (const name of names) frames[name] = new Float64Array(count);
    let start = 0;
    for (const block of this.frameBlocks) {
      const reader = this.reader(block);
      for (const name of names) fill(frames[name], start, reader.column(block[2]), block[2]);
      start += block[2];
    }
    scale(frames.t, this.tick);
    scale(frames.progress, 1 / this.progressSteps);
    for (const name of ["x", "y", "width", "height"]) scale(frames[name], 1 / this.lengthSteps);
    return frames;
  }

  readTouches() {
    /** @type {Map<number, Report[]>} */
    const contacts = new Map();
    for (const block of this.touchBlocks) {
      const reader = this.reader(block);
      const [t, contact, phase, x, y] = [0, 1, 2, 3, 4].map(() => reader.column(block[2]));
      for (let i = 0; i < block[2]; i++) {
        const number = cell(contact, i);
        listIn(contacts, number).push({
          t: cell(t, i) * this.tick, phase: cell(phase, i),
          x: cell(x, i) / this.lengthSteps, y: cell(y, i) / this.lengthSteps,
        });
      }
    }
    return contacts;
  }

  /** Place in the order of time of the frame that the display shows; -1 before the first. */
  placeAt(time) {
    return lastAtMost(this.frameTimes, time);
  }

  /** Whether the frame at a place in the order of time came late. */
  isHitch(place) {
    return this.late.has(this.order[place]);
  }

  /**
   * The key of a name; undefined without one.
   *
   * @returns {Key | undefined}
   */
  keyNamed(name) {
    return this.keys[this.keyIndex.get(name) ?? -1];
  }

  /** A key's samples. */
  curve(index) {
    const key = this.keys[index];
    if (key.curve) return key.curve;
    const count = key.blocks.reduce((sum, block) => sum + block[2], 0);
    const curve = {
      t: new Float64Array(count), v: new Float64Array(count), phase: new Uint8Array(count),
    };
    let start = 0;
    for (const block of key.blocks) {
      const reader = this.reader(block);
      fill(curve.t, start, reader.column(block[2]), block[2]);
      fill(curve.v, start, reader.column(block[2]), block[2]);
      fill(curve.phase, start, reader.column(block[2]), block[2]);
      start += block[2];
    }
    scale(curve.t, this.tick);
    for (let i = 0; i < count; i++) {
      const share = curve.v[i] / this.valueSteps;
      curve.v[i] = key.low * (1 - share) + key.high * share;
    }
    key.curve = curve;
    return curve;
  }

  /** A key's value at a time: that of the last sample at or before it; null before the first. */
  heldValue(index, time) {
    const curve = this.curve(index);
    const at = lastAtMost(curve.t, time);
    return at < 0 ? null : curve.v[at];
  }

  /** A key's value as curves and `compare` read it: on the line between two samples, a step's held; null outside. */
  valueOnLine(index, time) {
    const curve = this.curve(index);
    const at = lastAtMost(curve.t, time);
    if (at < 0) return null;
    if (curve.t[at] === time) return curve.v[at];
    if (at + 1 >= curve.t.length) return null;
    if (this.keys[index].holds) return curve.v[at];
    const share = (time - curve.t[at]) / (curve.t[at + 1] - curve.t[at]);
    return curve.v[at] * (1 - share) + curve.v[at + 1] * share;
  }

  /** The value that is shown at a time: at a release that of the release, as in the head; else the held one. */
  shownValue(index, time) {
    const release = this.decided.at(time);
    if (!release) return this.heldValue(index, time);
    if (this.keys[index].role === "progress" && release.progress !== null) return release.progress;
    return this.estimates.find(({ t, key }) => t === time && key === index)?.value ?? this.heldValue(index, time);
  }

  /** The decision nearest to a time, of two the first one; undefined without any. */
  nearestDecision(time) {
    const away = ({ t }) => Math.abs(t - time);
    return this.decisions.reduce((best, one) => (away(best) <= away(one) ? best : one), this.decisions[0]);
  }

  /** What was decided at the release of an estimate; undefined where no decision is known. */
  outcomeAt(estimate) {
    return this.decided.of(estimate)?.outcome;
  }

  chunk(number) {
    const kept = this.chunkCache.get(number);
    if (kept) return kept;
    const chunk = this.unpack(this.chunks[number]);
    if (this.chunkCache.size >= keptChunks) {
      this.chunkCache.delete(this.chunkCache.keys().next().value);
    }
    this.chunkCache.set(number, chunk);
    return chunk;
  }

  /** A chunk of poses: for each element the frames that it is in and its numbers there. */
  unpack([start, length, , , keptCount]) {
    this.chunkReads += 1;
    const reader = new BitReader(bytesOf(this.packed, start, start + length));
    const itemCount = reader.count();
    const elements = [];
    let item = -1;
    for (let i = 0; i < itemCount; i++) {
      item += reader.count() + 1;
      let places = null;
      let present = keptCount;
      if (!reader.bits(1)) {
        places = new Int32Array(keptCount).fill(-1);
        present = 0;
        let at = 0;
        let isIn = false;
        while (at < keptCount) {
          const run = reader.count();
          if (isIn) for (let k = 0; k < run; k++) places[at + k] = present++;
          at += run;
          isIn = !isIn;
        }
      }
      const columns = [];
      for (let k = 0; k < 7; k++) columns.push(reader.column(present));
      const kind = reader.bits(2);
      const matrix = [];
      for (let k = 0; k < [0, 6, 9][kind]; k++) matrix.push(reader.column(present));
      elements.push({ item, places, columns, matrix });
    }
    return elements;
  }

  /**
   * The elements of a frame, by its number: center, size, alpha, z, whether hidden, and the nine
   * numbers of the transform in the plane (null: none).
   */
  poses(frame) {
    const number = lastAtMost(this.chunks, frame, ([, , first]) => first);
    if (number < 0) return [];
    const [, , first, frameCount, keptCount] = this.chunks[number];
    const elements = this.chunk(number);
    // Of thinned sessions each stride-th frame of a chunk is kept, and its last one.
    const offset = Math.min(frame - first, frameCount - 1);
    const left = offset === frameCount - 1 ? keptCount - 1 : Math.floor(offset / this.stride);
    const leftFrame = left === keptCount - 1 ? frameCount - 1 : left * this.stride;
    const right = Math.min(left + 1, keptCount - 1);
    const rightFrame = right === keptCount - 1 ? frameCount - 1 : right * this.stride;
    const share = rightFrame > leftFrame ? (offset - leftFrame) / (rightFrame - leftFrame) : 0;
    const poses = [];
    for (const element of elements) {
      const at = element.places ? element.places[left] : left;
      if (at < 0) continue;
      const next = share === 0 ? -1 : element.places ? element.places[right] : right;
      poses.push(this.pose(element, at, next < 0 ? at : next, next < 0 ? 0 : share));
    }
    return poses;
  }

  pose({ item, columns, matrix }, at, next, share) {
    const value = (column) => {
      const left = cell(column, at);
      return share === 0 ? left : left + (cell(column, next) - left) * share;
    };
    const length = this.lengthSteps;
    /** @type {Pose} */
    const pose = {
      item, x: value(columns[0]) / length, y: value(columns[1]) / length,
      width: value(columns[2]) / length, height: value(columns[3]) / length,
      alpha: value(columns[4]) / this.alphaSteps, z: cell(columns[5], at),
      hidden: cell(columns[6], at) === 1, matrix: null,
    };
    if (matrix.length > 0) {
      const turn = this.turnSteps;
      const m = matrix.map(value);
      // a, b, c, d, tx, ty, and of a transform in space the row of the divisor.
      pose.matrix = [
        m[0] / turn, m[1] / turn, m[2] / turn, m[3] / turn, m[4] / length, m[5] / length,
        (m[6] ?? 0) / this.divisorSteps, (m[7] ?? 0) / this.divisorSteps,
        m.length > 6 ? m[8] / this.divisorSteps : 1,
      ];
    }
    return pose;
  }

  /** The viewport's extent at a time: it changes when the display is turned. */
  viewportAt(time) {
    return this.viewports.findLast(({ t }) => t <= time) ?? this.viewports[0] ?? null;
  }

  /** The extent of what there is: the content, or where no frame says it, the touches. */
  extent() {
    if (this.wholeExtent) return this.wholeExtent;
    let [width, height] = [this.largestViewport?.width ?? 0, this.largestViewport?.height ?? 0];
    for (let i = 0; i < this.frameCount; i++) {
      width = Math.max(width, this.frames.width[i]);
      height = Math.max(height, this.frames.height[i]);
    }
    for (const reports of this.contacts.values()) {
      for (const report of reports) {
        width = Math.max(width, report.x);
        height = Math.max(height, report.y);
      }
    }
    this.wholeExtent = { width: width || 100, height: height || 100 };
    return this.wholeExtent;
  }

  /** The frame of a session that a chunk's k-th one is: of thinned sessions each stride-th and the last one are kept. */
  keptFrame([, , first, frameCount, keptCount], k) {
    return first + (k === keptCount - 1 ? frameCount - 1 : k * this.stride);
  }

  /** The poses of an item that are kept, each with its frame. */
  posesOf(item) {
    const poses = [];
    this.chunks.forEach((chunk, number) => {
      const element = (this.chunkCache.get(number) ?? this.unpack(chunk)).find((one) => one.item === item);
      for (let k = 0; element && k < chunk[4]; k++) {
        const at = element.places ? element.places[k] : k;
        if (at >= 0) poses.push({ pose: this.pose(element, at, at, 0), frame: this.keptFrame(chunk, k) });
      }
    });
    return poses;
  }

  /** From when to when each item moves, in nanoseconds, by its handle; items that never do are left out. */
  motions() {
    if (this.motionSpans) return this.motionSpans;
    const starts = this.departures(new Set(this.items.keys()), false);
    const ends = this.departures(new Set(starts.keys()), true);
    this.motionSpans = new Map([...starts].map(([item, first]) => {
      const last = Math.max(first, ends.get(item) ?? first);
      return [item, { from: this.frames.t[first], to: this.frames.t[last] }];
    }));
    return this.motionSpans;
  }

  /** The first frame that shows each item elsewhere than its first one does, or seen from the end; reads no further than it must. */
  departures(items, isFromEnd) {
    const found = new Map();
    const rests = new Map();
    const limits = [...Array(4).fill(restLength * this.lengthSteps), restAlpha * this.alphaSteps];
    for (let i = 0; i < this.chunks.length && found.size < items.size; i++) {
      const number = isFromEnd ? this.chunks.length - 1 - i : i;
      const keptCount = this.chunks[number][4];
      for (const { item, places, columns } of this.chunkCache.get(number) ?? this.unpack(this.chunks[number])) {
        if (!items.has(item) || found.has(item)) continue;
        for (let j = 0; j < keptCount; j++) {
          const k = isFromEnd ? keptCount - 1 - j : j;
          const at = places ? places[k] : k;
          if (at < 0) continue;
          if (!rests.has(item)) rests.set(item, limits.map((_, n) => cell(columns[n], at)));
          const rest = rests.get(item);
          if (!limits.some((limit, n) => Math.abs(cell(columns[n], at) - rest[n]) > limit)) continue;
          found.set(item, this.keptFrame(this.chunks[number], k));
          break;
        }
      }
    }
    return found;
  }

  /** Which items come to rest last of those that are in sight at the end, and when; null where none moves. */
  lastToRest() {
    const end = this.frameCount - 1;
    const view = end < 0 ? null : this.viewportAt(this.frames.t[end]) ?? this.extent();
    if (!view) return null;
    const [left, top] = [this.frames.x[end], this.frames.y[end]];
    const spans = this.motions();
    const rest = ({ item }) => spans.get(item)?.to ?? -Infinity;
    const moved = this.poses(end).filter((pose) => spans.has(pose.item) && !pose.hidden && pose.alpha > restAlpha
      && Math.abs(pose.x - left - view.width / 2) < (pose.width + view.width) / 2
      && Math.abs(pose.y - top - view.height / 2) < (pose.height + view.height) / 2);
    if (moved.length === 0) return null;
    const time = Math.max(...moved.map(rest));
    return { time, items: moved.filter((pose) => rest(pose) === time).map(({ item }) => item) };
  }

  /** The handle of an item that may be another run's; undefined where this run has none of its name. */
  handleOf({ id, category, kind }) {
    for (const [handle, item] of this.items) {
      if (item.id === id && item.category === category && item.kind === kind) return handle;
    }
    return undefined;
  }
}

/** The rows of a table, each with the names of its columns. */
function rowsOf({ columns, rows }) {
  return rows.map((values) => {
    const row = {};
    columns.forEach((name, i) => { row[name] = values[i]; });
    return row;
  });
}

/** The list that a map has for a name, which it gets if it has none. */
function listIn(map, name) {
  if (!map.has(name)) map.set(name, []);
  return map.get(name);
}

function fill(target, start, column, count) {
  if (typeof column === "number") target.fill(column, start, start + count);
  else target.set(column, start);
}

function scale(list, factor) {
  if (factor === 1) return;
  for (let i = 0; i < list.length; i++) list[i] *= factor;
}

/**
 * The four corners of an element in content coordinates; null where one lies behind the viewer.
 *
 * @returns {Point[] | null}
 */
function corners(pose) {
  const [halfWidth, halfHeight] = [pose.width / 2, pose.height / 2];
  if (!pose.matrix) {
    const [left, top, right, bottom] = [pose.x - halfWidth, pose.y - halfHeight, pose.x + halfWidth, pose.y + halfHeight];
    return [[left, top], [right, top], [right, bottom], [left, bottom]];
  }
  const [a, b, c, d, tx, ty, p, q, w0] = pose.matrix;
  /** @type {Point[]} */
  const places = [];
  for (const [x, y] of [
    [-halfWidth, -halfHeight], [halfWidth, -halfHeight], [halfWidth, halfHeight],
    [-halfWidth, halfHeight],
  ]) {
    const divisor = p * x + q * y + w0;
    if (!(divisor > 1e-6)) return null;
    places.push([
      pose.x + (a * x + c * y + tx) / divisor, pose.y + (b * x + d * y + ty) / divisor,
    ]);
  }
  return places;
}
