// The clock, what is chosen, and everything that can be pressed.

const speeds = [1, 0.25, 0.1, 1 / 60];
const speedNames = ["1", "1/4", "1/10", "1/60"];
/** A session of so many releases opens on its first one, with F for all of it. */
const manyReleases = 4;
/** Rows of a list that a report holds. */
const listLimit = 1000;

class Player {
  constructor() {
    /** @type {Page} */
    const page = dataOf("page");
    this.page = page;
    this.runs = ["A", "B"].filter((letter) => document.getElementById(`run-${letter}`)).map((letter) => new Run(letter));
    const film = dataOf("film");
    for (const run of this.runs) run.film = null;
    if (film) this.runs[0].film = new Film(film, () => this.drawSoon());
    this.lagNanoseconds = Math.round(page.lag * 1e9);
    /** @type {Layer[]} */
    this.layers = this.runs.map((run, i) => ({ run, letter: run.letter, shift: 0, color: "", isSecond: i === 1 }));
    for (const run of this.runs) prepare(run, run === this.runs.at(-1) ? page.marks : []);
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    this.time = 0;
    // The report's clock: from when to when it goes, what of that is shown, and its markers.
    this.start = this.end = 0;
    this.window = { from: 0, to: 0 };
    /** @type {number[]} */
    this.markers = [];
    /** @type {Record<string, string>} */
    this.colors = {};
    // The curves by their names: how early each stands, those that never change, those that are lanes.
    /** @type {Map<string, number>} */
    this.ranks = new Map();
    /** @type {string[]} */
    this.constants = [];
    /** @type {Set<string>} */
    this.chosen = new Set();
    // What waits for the next frame of the display; 0: nothing does.
    this.waiting = this.glancing = 0;
    /** @type {number | null} The time that the stage shows while the pointer rests on it; null: that of the moment. */
    this.glance = null;
    this.speed = 0;
    this.isPlaying = false;
    this.isLooping = false;
    /** @type {Span | null} */
    this.selection = null;
    this.seeks = 0;
    /** @type {(() => void)[]} What writes the head's releases and lines anew. */
    this.releaseTexts = [];
    /** Until all is laid out nothing is drawn over the lanes; then everything is, once. */
    this.isReady = false;
    /** @type {Item | null} The item that was chosen, and the names of its curves. */
    this.item = null;
    /** @type {Set<string>} */
    this.itemKeys = new Set();
    this.keyNames = [...new Set(this.runs.flatMap((run) => run.keys.map((key) => key.name)))]
      .filter((name) => !this.isStill(name));
    this.holdInAll();
    arrangeKeys(this);
    const inAll = this.keyNames.filter((name) => this.runs.every((run) => run.keyIndex.has(name)));
    this.residualKey = inAll.find((name) => this.runs.every((run) => (run.keyIndex.get(name) ?? Infinity) < run.recordedKeys)) ?? inAll[0] ?? null;
    this.axis = new TimeAxis(this);
    this.ranges = new Ranges(this);
    this.stages = [new StageView(byId("stage-A")), new StageView(byId("stage-B"))];
    this.readColors();
    this.place();
    this.lanes = new LanesView(this);
    this.xy = new XYView(this);
    this.labelling = new Labelling(this);
    fillHeader(this);
    fillLists(this);
    fillKeyBoxes(this);
    fillLooks(this);
    this.lanes.arrange();
    const hasStage = this.runs.some((run) => run.frameCount > 0 || run.contacts.size > 0);
    byId("stage-section").hidden = !hasStage;
    document.body.dataset.stage = String(hasStage);
    this.layOutStages();
    connect(this);
    this.setView("onion");
    this.followFragment(true);
    this.isReady = true;
    this.redrawPlots();
    this.draw();
    document.body.dataset.state = "paused";
    document.body.dataset.ready = "true";
  }

  /** A key holds between its samples where it does so in every run, as for kymo compare. */
  holdInAll() {
    for (const name of this.keyNames) {
      const keys = keysNamed(this, name);
      const holds = keys.every((key) => key.holds);
      for (const key of keys) key.holds = holds;
    }
  }

  /** Whether a key that the frames tell of the viewport has one and the same value all along, in all runs. */
  isStill(name) {
    const keys = this.runs.flatMap((run) => run.keys.filter((key, i) => key.name === name && i >= run.recordedKeys));
    const { low } = keys[0] ?? {};
    return keys.length > 0 && keys.length === this.runs.filter((run) => run.keyIndex.has(name)).length
      && keys.every((key) => key.low === low && key.high === low);
  }

  hasValues(name) {
    return this.runs.some((run) => (run.keyNamed(name)?.blocks.length ?? 0) > 0);
  }

  /** Lays the clocks on each other: A's clock is the report's, B's runs beside it. */
  place() {
    const isWhole = this.window.from === this.start && this.window.to === this.end;
    for (const layer of this.layers) {
      layer.shift = layer.isSecond ? this.page.anchorB - this.page.anchorA + this.lagNanoseconds : 0;
    }
    this.start = Math.min(...this.layers.map(({ run, shift }) => run.start - shift));
    this.end = Math.max(...this.layers.map(({ run, shift }) => run.end - shift));
    if (this.end <= this.start) this.end = this.start + 1e6;
    if (isWhole) this.window = { from: this.start, to: this.end };
    this.markers = [...new Set(this.layers.flatMap(
      ({ run, shift }) => run.markers.map((marker) => marker.t - shift)))].sort((a, b) => a - b);
    const scrub = byId("scrub");
    scrub.min = String(this.start / 1e6);
    scrub.max = String(this.end / 1e6);
  }

  readColors() {
    const style = getComputedStyle(document.documentElement);
    /** @type {Record<string, string>} */
    const colors = {};
    for (const name of ["page", "card", "ink", "soft", "line", "accent", "finish", "cancel", "error",
      "driving", "settling", "stage", "paper", "touch", "select", "run-a", "run-b",
      "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"]) {
      colors[name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())] = style.getPropertyValue(`--${name}`).trim();
    }
    this.colors = colors;
    for (const layer of this.layers) layer.color = layer.letter === "A" ? colors.runA : colors.runB;
  }

  /** A key's colour in style sheets, which follows the scheme by itself. */
  keyVariable(name) {
    return `var(--k${this.keyNames.indexOf(name) % 8})`;
  }

  keyColor(name) {
    return this.colors[`k${this.keyNames.indexOf(name) % 8}`];
  }

  /**
   * Where a run is on the report's clock.
   *
   * @param {Run} run
   */
  layerOf(run) {
    return this.layers[run === this.layers[0].run ? 0 : 1];
  }

  /** What begins the words of one of two runs; those of one run alone begin with nothing. */
  head({ letter }, mark = " ") {
    return this.runs.length > 1 ? letter + mark : "";
  }

  /** The run whose frames are stepped through. */
  get front() {
    return this.layers[0];
  }

  layOutStages() {
    const isWhole = byId("show-content").checked;
    const isSide = document.body.dataset.view === "side" && this.layers.length > 1;
    this.stages.forEach((stage, i) => {
      if (i > 0 && !isSide) return;
      stage.layOut(this.layers[isSide ? i : 0].run, isWhole, this.ratio);
    });
  }

  // MARK: Time

  seek(time) {
    this.time = Math.min(this.end, Math.max(this.start, Math.round(time)));
    this.seeks += 1;
    // Whoever goes somewhere sees it, wherever the pointer rests.
    setGlance(this, null);
    this.tell();
    const { from, to } = this.window;
    if (this.time < from || this.time > to) this.show(this.time - 0.1 * (to - from), to - from);
    this.drawSoon();
  }

  /** Draws with the next frame of the display. */
  drawSoon() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  /** The state for programs, at once; the picture follows with the next frame of the display. */
  tell() {
    const { run, shift } = this.front;
    const place = run.placeAt(this.time + shift);
    const data = document.body.dataset;
    data.time = (this.time / 1e9).toFixed(9);
    data.frame = String(place);
    data.frames = String(run.frameCount);
    data.seeks = String(this.seeks);
    const next = place + 1 < run.frameCount ? run.frameTimes[place + 1] : Infinity;
    const at = this.time + shift;
    const release = run.decisions.find(
      ({ t }) => (t <= at && at < Math.max(next, t + 1)) && (place < 0 || t >= run.frameTimes[place] || t === at));
    data.atRelease = String(release !== undefined);
    data.outcome = release?.outcome ?? "";
    // Beside it the other run decides for itself.
    if (release && data.view === "side") {
      this.stages.forEach(({ canvas }, i) => {
        const own = this.layers[i]?.run.decisions.find(({ transition }) => transition === release.transition);
        canvas.dataset.outcome = own?.outcome ?? "";
      });
    } else {
      for (const { canvas } of this.stages) delete canvas.dataset.outcome;
    }
    const scrub = byId("scrub");
    scrub.value = String(this.time / 1e6);
    const words = this.axis.words(this.time);
    scrub.setAttribute("aria-valuetext", words);
    byId("clock").textContent = words;
    this.labelling.tell();
  }

  /** The time that the stage shows. */
  get shownTime() {
    return this.glance ?? this.time;
  }

  draw() {
    drawStage(this);
    this.lanes.drawCursor();
    this.xy.drawCursor();
    if (byId("item-details").open && !this.isPlaying) fillItems(this);
    tellWork(this);
  }

  step(count) {
    this.pause();
    const { run, shift } = this.front;
    const times = run.stepTimes;
    if (times.length === 0) return;
    const place = lastAtMost(times, this.time + shift);
    const at = Math.min(times.length - 1, Math.max(0, place + count));
    // From between two frames a step back goes to the frame that is shown.
    const isBetween = count === -1 && place >= 0 && times[place] < this.time + shift;
    this.seek(times[isBetween ? place : at] - shift);
    this.remember();
  }

  toMarker(direction) {
    this.pause();
    const at = direction > 0
      ? this.markers.find((time) => time > this.time) : this.markers.findLast((time) => time < this.time);
    if (at !== undefined) this.seek(at);
    this.remember();
  }

  toRelease() {
    this.pause();
    const times = this.layers.flatMap(({ run, shift }) => releasesOf(run).map((t) => t - shift)).sort((a, b) => a - b);
    const at = times.find((time) => time > this.time) ?? times[0];
    if (at !== undefined) this.seek(at);
    this.remember();
  }

  play() {
    if (this.isPlaying) return;
    this.isPlaying = true;
    const [from, to] = this.span();
    if (this.time >= to || this.time < from) this.seek(from);
    this.showPlaying();
    let before = null;
    const tick = (now) => {
      if (!this.isPlaying) return;
      if (before !== null) this.advance((now - before) * 1e6 * speeds[this.speed]);
      before = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** Moves on by so much of the recording's time; at the end it stops or begins again. */
  advance(nanoseconds) {
    const [from, to] = this.span();
    let time = this.time + nanoseconds;
    if (time >= to) {
      if (!this.isLooping) {
        this.seek(to);
        this.pause();
        return;
      }
      time = from + ((time - from) % Math.max(1, to - from));
    }
    this.seek(time);
  }

  /** What is played: the selection where it is looped, else everything. */
  span() {
    return this.isLooping && this.selection
      ? [this.selection.from, this.selection.to] : [this.start, this.end];
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.showPlaying();
    this.remember();
  }

  showPlaying() {
    document.body.dataset.state = this.isPlaying ? "playing" : "paused";
    const button = byId("play");
    button.textContent = this.isPlaying ? "Pause" : "Play";
    button.setAttribute("aria-label", button.textContent);
  }

  setSpeed(index) {
    this.speed = Math.min(speeds.length - 1, Math.max(0, index));
    byId("speed").selectedIndex = this.speed;
    document.body.dataset.speed = speedNames[this.speed];
  }

  setLoop(isLooping) {
    this.isLooping = isLooping;
    byId("loop").setAttribute("aria-pressed", String(isLooping));
    document.body.dataset.loop = String(isLooping);
  }

  /** Keeps the time in the address, so that it can be sent to somebody. */
  remember() {
    if (this.isPlaying) return;
    try {
      history.replaceState(null, "", fragmentOf(this));
    } catch {
      // Where a report from disk may not do this, the address stays as it is.
    }
  }

  /** Goes where the address says; at first to the first release. */
  followFragment(isFirst) {
    if (followAddress(this, location.hash) || !isFirst) return;
    const first = this.layers[0].run;
    const releases = releasesOf(first);
    this.seek(releases[0] ?? first.markers.find(({ kind }) => kind === "start")?.t ?? this.start);
    // Of many gestures the first is looked at, with as much time on either side as it is to the next.
    if (releases.length < manyReleases) return;
    const span = releases[1] - releases[0];
    const from = Math.max(this.start, releases[0] - span);
    this.show(from, Math.min(this.end, releases[0] + span) - from);
  }

  // MARK: Looking

  zoom(factor, around = this.time) {
    const { from, to } = this.window;
    const least = 2e6;
    const length = Math.min(this.end - this.start, Math.max(least, (to - from) * factor));
    const share = (around - from) / (to - from);
    this.show(around - share * length, length);
  }

  show(from, length) {
    const start = Math.min(Math.max(from, this.start), this.end - length);
    this.window = { from: start, to: start + length };
    document.body.dataset.window = `${(start / 1e9).toFixed(6)}…${((start + length) / 1e9).toFixed(6)}`;
    this.redrawPlots();
    this.lanes.drawCursor();
  }

  /** The curves and the plot of two keys, with all that a seek leaves alone. */
  redrawPlots() {
    this.lanes.drawBase();
    this.xy.drawBase();
  }

  select(from, to) {
    const before = this.selection;
    if (from === null || from === to) {
      this.selection = null;
      delete document.body.dataset.selection;
    } else {
      this.selection = { from: Math.max(this.start, Math.min(from, to)), to: Math.min(this.end, Math.max(from, to)) };
      document.body.dataset.selection = `${(this.selection.from / 1e9).toFixed(6)}…${(this.selection.to / 1e9).toFixed(6)}`;
    }
    if (Boolean(before) === Boolean(this.selection)) fillSelection(this);
    else this.lanes.arrange();
    this.lanes.drawCursor();
  }

  setView(view) {
    document.body.dataset.view = view;
    byId("view").value = view;
    byId("figure-B").hidden = !(view === "side" && this.layers.length > 1);
    this.layOutStages();
    this.lanes.layOut();
    this.draw();
  }
}
