// Opens the report.

const player = new Player();

/**
 * A run by its letter, on the report's clock.
 *
 * @returns {Layer}
 */
const layerOf = (letter) => player.layers.find((layer) => layer.letter === letter) ?? player.front;

/**
 * The lane of a key.
 *
 * @returns {Lane}
 */
const laneOf = (name) => /** @type {any} */ (player.lanes.lanes.find((lane) => lane.kind === "curve" && lane.name === name));

// For tests and for the curious: reads the state, draws at once.
Object.assign(globalThis, { kymograph: {
  /** Goes to a time in seconds and draws before it returns. */
  seek(time) {
    player.seek(time * 1e9);
    cancelAnimationFrame(player.waiting);
    player.waiting = 0;
    player.draw();
  },
  /** The elements of run "A" or "B" at the time of the moment, with their numbers and corners in points. */
  items(letter = "A") {
    const { run, shift } = layerOf(letter);
    const place = run.placeAt(player.time + shift);
    if (place < 0) return [];
    return run.poses(run.order[place]).map((pose) => ({
      ...pose, ...run.items.get(pose.item), corners: corners(pose),
    }));
  },
  /** A key's value at the time of the moment. */
  value(name, letter = "A") {
    const { run, shift } = layerOf(letter);
    const index = run.keyIndex.get(name);
    return index === undefined ? null : run.shownValue(index, player.time + shift);
  },
  /** What the stage shows, and where on its canvas: { item, points, depth }. */
  places() {
    return player.stages[0].places;
  },
  /** The red, green, blue and alpha of a place on it, in points of the content. */
  colorAt(x, y) {
    const { context, left, top, scale, ratio } = player.stages[0];
    const [across, down] = [(left + x * scale) * ratio, (top + y * scale) * ratio].map(Math.round);
    return [...context.getImageData(across, down, 1, 1).data];
  },
  /** The names on it, and where: { text, left, top, width, height }. */
  names() {
    return player.stages[0].names;
  },
  /** The names of run B's outlines on it, likewise. */
  outlined() {
    return player.stages[0].outlined;
  },
  /** The lanes from above: { kind, name }. */
  lanes() {
    return player.lanes.lanes.map(({ kind, name }) => ({ kind, name }));
  },
  /** The drags of a curve as they are drawn: finger, lag, both tangents and the settle's spring, in seconds and points. */
  drags(name, letter = "A") {
    const { run } = layerOf(letter);
    return (run.keyNamed(name)?.drags ?? []).map((drag) => ({
      finger: fingerCurve(run, drag).map(([t, value]) => [t / 1e9, value]), lag: drag.lag, middle: drag.middle / 1e9,
      tangents: tangentsOf(run, drag).map(({ of, speed, t, value }) => ({ of, speed, t: t / 1e9, value })),
      spring: drag.spring && springCurve(drag.spring).map(([t, value]) => [t / 1e9, value]),
    }));
  },
  /** Where the fingers are on it: { number, x, y, isDown }. */
  fingers() {
    return player.stages[0].fingers;
  },
  /** By how many nanoseconds a run's own clock is ahead of the report's. */
  shift(letter) {
    return layerOf(letter).shift;
  },
  /** Where in the window a key's lane has its middle at a time in seconds, and which time is at a place across. */
  placeOf(name, time) {
    const lane = laneOf(name);
    player.lanes.plot.scrollIntoView({ block: "nearest" });
    const { left, top } = player.lanes.plot.getBoundingClientRect();
    return [left + player.lanes.x(time * 1e9), top + lane.top + lane.height / 2];
  },
  timeAt(x) {
    return player.lanes.time(x - player.lanes.plot.getBoundingClientRect().left) / 1e9;
  },
  /** What is written in the lane of a key, and where: { text, left, top, width, height }. */
  words(name) {
    return laneOf(name).room.words;
  },
  /** The numbers of a key's lane: { value, text, y }, y from the top of the lanes. */
  numbers(name) {
    return player.lanes.numbers(contextOf(player.lanes.base), laneOf(name));
  },
  /** How high a value stands in a key's lane, from the top of the lanes. */
  heightOf(name, value) {
    return player.lanes.y(laneOf(name), value);
  },
  /** Moves the clock on as playing would, by seconds of the display's time. */
  advance(time) {
    player.advance(time * 1e9 * speeds[player.speed]);
  },
} });
