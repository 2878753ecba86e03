// The clock, what is chosen, and everything that can be pressed.

const speeds = [1, 0.25, 0.1, 1 / 60];
const speedNames = ["1", "1/4", "1/10", "1/60"];
/** Curves that are shown at first, where a session has many keys. */
const curvesAtFirst = 4;
/** Samples of a run in the window up to which the residual is told at each of them. */
const residualLimit = 4000;
/** Rows of a list that a page holds. */
const listLimit = 1000;
const byId = (id) => document.getElementById(id);

class Player {
  constructor() {
    const page = JSON.parse(byId("page").textContent);
    this.page = page;
    this.runs = ["A", "B"].filter((letter) => byId(`run-${letter}`)).map((letter) => new Run(letter));
    this.lagNanoseconds = Math.round(page.lag * 1e9);
    this.layers = this.runs.map((run, i) => ({ run, letter: run.letter, shift: 0, color: "", isSecond: i === 1 }));
    for (const run of this.runs) prepare(run);
    this.reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    this.time = 0;
    this.speed = 0;
    this.isPlaying = false;
    this.isLooping = false;
    this.selection = null;
    this.seeks = 0;
    this.keyNames = [...new Set(this.runs.flatMap((run) => run.keys.map((key) => key.name)))];
    this.chosen = new Set(this.keyNames.filter((name) => this.hasValues(name)).slice(0, curvesAtFirst));
    this.residualKey = this.keyNames.find((name) => this.runs.every((run) => run.keyIndex.has(name))) ?? null;
    this.stages = [new StageView(byId("stage-A")), new StageView(byId("stage-B"))];
    this.readColors();
    this.place();
    this.lanes = new LanesView(this);
    fillHeader(this);
    fillLists(this);
    fillKeyBoxes(this);
    this.lanes.arrange();
    const hasStage = this.runs.some((run) => run.frameCount > 0 || run.contacts.size > 0);
    byId("stage-section").hidden = !hasStage;
    document.body.dataset.stage = String(hasStage);
    this.layOutStages();
    connect(this);
    this.setView("onion");
    this.followFragment(true);
    document.body.dataset.state = "paused";
    document.body.dataset.ready = "true";
  }

  hasValues(name) {
    return this.runs.some((run) => (run.keys[run.keyIndex.get(name)]?.blocks.length ?? 0) > 0);
  }

  /** Lays the clocks on each other: A's clock is the page's, B's runs beside it. */
  place() {
    const isWhole = !this.window || (this.window.from === this.start && this.window.to === this.end);
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
    scrub.min = this.start / 1e6;
    scrub.max = this.end / 1e6;
  }

  readColors() {
    const style = getComputedStyle(document.documentElement);
    const colors = {};
    for (const name of ["page", "card", "ink", "soft", "line", "accent", "release", "warn", "hitch",
      "driving", "settling", "stage", "paper", "touch", "select", "item-light", "item-ink", "run-a", "run-b",
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
    this.tell();
    const { from, to } = this.window;
    if (this.time < from || this.time > to) this.show(this.time - 0.1 * (to - from), to - from);
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
    data.atRelease = String(run.decisions.some(
      ({ t }) => (t <= at && at < Math.max(next, t + 1)) && (place < 0 || t >= run.frameTimes[place] || t === at)));
    const scrub = byId("scrub");
    scrub.value = this.time / 1e6;
    const words = `${seconds(this.time)} s, `
      + (run.frameCount > 0 ? `frame ${place + 1} of ${run.frameCount}` : "no frames");
    scrub.setAttribute("aria-valuetext", words);
    byId("clock").textContent = words;
  }

  draw() {
    const options = {
      hidden: byId("show-hidden").checked, names: byId("show-names").checked, touches: byId("show-touches").checked,
    };
    const layers = this.layers.map((layer) => ({ ...layer, time: this.time + layer.shift }));
    if (document.body.dataset.view === "side" && layers.length > 1) {
      layers.forEach((layer, i) => this.stages[i].draw([layer], this.colors, options));
    } else {
      this.stages[0].draw(layers, this.colors, options);
    }
    this.lanes.drawCursor();
    document.body.dataset.chunkReads = String(this.runs.reduce((sum, run) => sum + run.chunkReads, 0));
    document.body.dataset.redraws = String(this.lanes.redraws);
    this.captions();
    if (byId("item-details").open && !this.isPlaying) fillItems(this);
  }

  captions() {
    this.layers.forEach((layer, i) => {
      const at = layer.run.placeAt(this.time + layer.shift);
      const frame = layer.run.frameCount === 0 ? "no frames" : at < 0 ? "before the first frame" : `frame ${at + 1} at ${seconds(layer.run.frameTimes[at])} s`;
      const offset = at < 0 ? "" : offsetWords(layer.run, layer.run.order[at]);
      const caption = byId(i === 0 ? "caption-A" : "caption-B");
      const letter = this.layers.length > 1 ? `${layer.letter}: ` : "";
      const isOnion = this.layers.length > 1 && document.body.dataset.view === "onion";
      caption.textContent = letter + frame + offset
        + (i === 0 && isOnion ? `; ${this.layers[1].letter} as outlines` : "");
    });
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
    const times = this.layers.flatMap(({ run, shift }) => run.decisions.map(({ t }) => t - shift)).sort((a, b) => a - b);
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
    const fragment = `#t=${(this.time / 1e9).toFixed(6).replace(/0{1,3}$/, "")}`;
    try {
      history.replaceState(null, "", fragment);
    } catch {
      // Where a page from disk may not do this, the address stays as it is.
    }
  }

  /** Goes where the address says; at first to the release. */
  followFragment(isFirst) {
    const match = /[#&]t=(-?[0-9]+(?:\.[0-9]*)?)/.exec(location.hash);
    if (match) {
      this.pause();
      this.seek(Number(match[1]) * 1e9);
    } else if (isFirst) {
      const first = this.layers[0].run;
      this.seek(first.decisions[0]?.t ?? first.markers.find(({ kind }) => kind === "start")?.t ?? this.start);
    }
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
    this.lanes.drawBase();
    this.lanes.drawCursor();
  }

  select(from, to) {
    if (from === null || from === to) {
      this.selection = null;
      delete document.body.dataset.selection;
    } else {
      this.selection = { from: Math.max(this.start, Math.min(from, to)), to: Math.min(this.end, Math.max(from, to)) };
      document.body.dataset.selection = `${(this.selection.from / 1e9).toFixed(6)}…${(this.selection.to / 1e9).toFixed(6)}`;
    }
    fillSelection(this);
    this.lanes.drawCursor();
  }

  setView(view) {
    document.body.dataset.view = view;
    byId("view").value = view;
    byId("stage-B").parentElement.hidden = !(view === "side" && this.layers.length > 1);
    this.layOutStages();
    this.lanes.layOut();
    this.draw();
  }

  swap() {
    if (this.layers.length < 2) return;
    this.layers.reverse();
    document.body.dataset.front = this.front.letter;
    byId("swap").setAttribute("aria-pressed", String(this.front.letter === "B"));
    this.lanes.arrange();
    this.layOutStages();
    this.tell();
    this.draw();
  }

  setLag(milliseconds) {
    this.lagNanoseconds = Math.round(milliseconds * 1e6);
    byId("lag").value = milliseconds;
    byId("lag-words").textContent = `${milliseconds.toFixed(1)} ms`;
    document.body.dataset.lag = milliseconds.toFixed(3);
    this.place();
    this.lanes.drawBase();
    this.seek(this.time);
    if (this.selection) fillSelection(this);
  }

  // MARK: Two runs

  /** B minus A of a key, at A's and B's samples, or where they are too many on an even grid. */
  residual(name) {
    const { from, to } = this.window;
    const parts = this.layers.map(({ run, shift }) => {
      const index = run.keyIndex.get(name);
      if (index === undefined) return [];
      const { t } = run.curve(index);
      const seen = t.subarray(lastAtMost(t, from + shift - 1) + 1, lastAtMost(t, to + shift) + 1);
      return seen.length > residualLimit ? seen.length : Array.from(seen, (time) => time - shift);
    });
    if (parts.some((part) => part.length === 0)) return [];
    const times = parts.some((part) => typeof part === "number")
      ? Array.from({ length: residualLimit }, (_, i) => from + ((to - from) * i) / (residualLimit - 1))
      : parts.flat().sort((a, b) => a - b);
    return times.map((time) => [time, this.residualAt(name, time)]).filter(([, value]) => value !== null);
  }

  residualAt(name, time) {
    let difference = 0;
    for (const { run, shift, letter } of this.layers) {
      const value = run.value(run.keyIndex.get(name), time + shift);
      if (value === null) return null;
      difference += letter === "B" ? value : -value;
    }
    return difference;
  }
}

/** What is derived from a run once: markers, gestures, the expected interval, hitches. */
function prepare(run) {
  run.prepareItems();
  // A session without frames is stepped through by the values of its first key.
  const first = run.keys.findIndex((key) => key.blocks.length > 0);
  run.stepTimes = run.frameCount === 0 && first >= 0 ? run.curve(first).t : run.frameTimes;
  run.keyIndex = new Map(run.keys.map((key, index) => [key.name, index]));
  const markers = [];
  run.gestures = [];
  let open = null;
  for (const event of run.events) {
    const short = event.text ? `${plain(event.kind, 24)}: ${plain(event.text, 60)}` : plain(event.kind, 24);
    if (event.kind === "gestureBegan") {
      open = { from: event.t, to: run.end, isOpen: true };
      run.gestures.push(open);
    } else if (open && (event.kind === "gestureEnded" || event.kind === "gestureCancelled")) {
      Object.assign(open, { to: event.t, isOpen: false });
      open = null;
    }
    const kind = { start: "start", settle: "settle", mark: "mark", error: "warning", warning: "warning" }[event.kind];
    if (kind) markers.push({ t: event.t, kind, short: kind === "mark" ? plain(event.text || "mark", 60) : short });
    else if (event.kind.startsWith("gesture")) markers.push({ t: event.t, kind: "gesture", short });
    else if (!["decision", "finish", "cancel", "invalidate", "layoutCall"].includes(event.kind)) {
      markers.push({ t: event.t, kind: "other", short });
    }
  }
  for (const decision of run.decisions) {
    markers.push({ t: decision.t, kind: "release", short: `${decision.outcome} ${seconds(decision.t)} s` });
  }
  run.markers = markers.sort((a, b) => a.t - b.t);
  run.expected = run.expectedInterval ?? 0;
  run.moves = run.frames.phase.some((phase) => phase !== 0);
  run.hitchCount = 0;
  for (let i = 1; i < run.frameCount; i++) {
    const interval = run.frameTimes[i] - run.frameTimes[i - 1];
    // A display that has nothing to show rests: only what was moving can hitch.
    if (run.moves && run.frames.phase[run.order[i - 1]] === 0) continue;
    if (run.expected > 0 && interval >= hitchInFrames * run.expected) run.hitchCount += 1;
  }
}
