/*! Made by kymo */
// Records what a page does as lines that `kymo record --from-ndjson` reads: pointers, frames, values, events and
// animations. A classic script without dependencies; its one global is `kymo`. Nothing leaves the page unless
// `post`, `download` or `copy` is called. MIT licence.
//
//   kymo.start({items: ".card"});                      // from now on
//   kymo.value("progress", 0.4);                       // a value of the page's own
//   kymo.event("finish", {velocity: 1.2});             // and what happens
//   kymo.download();                                   // the lines so far; stop() ends the recording
(() => {
  "use strict";

  /** What start() takes, and what it is when nothing is said. */
  const defaults = {
    // CSS selector of the elements to record; each is named by its data-kymo, its id, or its tag and a number.
    items: "[data-kymo]",
    // What is kept: the newest seconds, and of those at most so many bytes of lines.
    seconds: 60,
    bytes: 32e6,
    // Whether a mouse with a button down counts as a finger.
    mouse: true,
    // Also: name, software (texts for the header); progress (a function that is asked in every frame); origin (the
    // instant of performance.now() that is t_ns 0); onframe (is told the milliseconds that a frame's reading took).
  };
  /** How many intervals between frames the refresh rate is taken from, and the fewest that tell one. */
  const [mostIntervals, fewestIntervals] = [240, 8];
  /** How much of an angle's sine counts as not turned: a thousandth of a pixel across a thousand pixels. */
  const leastTurn = 1e-6;
  /** Written so that a minifier does not make a line's end of it, which an address, and so a bookmark, cannot have. */
  const newline = String.fromCharCode(10);
  const phases = { pointerdown: "began", pointermove: "moved", pointerup: "ended", pointercancel: "cancelled" };
  /** What an event of the page's own means for the values that follow it. */
  const phaseAfter = {
    __proto__: null, start: "driving", finish: "settling", cancel: "settling", completion: "idle",
  };

  const channel = new MessageChannel();
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) factsOf(target).size = undefined;
  });
  let options = defaults;
  let isRunning = false;
  let origin = 0;
  /** What stop() undoes. */
  let undoing = [];
  /** The kept lines in the order in which they were written, the ring's beginning in it, and their bytes. */
  let ring = [], first = 0, bytes = 0;
  /** What the frames that left the ring showed last, by the item's name. */
  let left = new Map();
  /** The viewport before the first kept line, and the newest one. */
  let viewport, newestViewport;
  /** Contact numbers by pointerId. */
  let contacts;
  /** The elements, whether they must be looked for again, what is known of each, and how many have no name. */
  let items, isStale, known, unnamedCount;
  /** The text of each item in the newest frame, by name; undefined before the first. */
  let shown;
  /** The newest progress and phase, and the units that keys have. */
  let progress, phase, units;
  /** The instant of the newest frame, of the newest one that was read, and the intervals between those. */
  let newestFrame, readFrame, intervals;
  /** What is known of an animation. */
  let animated;

  const clock = () => performance.now();
  const nanoseconds = (milliseconds) => Math.round((milliseconds - origin) * 1e6);
  const rounded = (number, steps = 1000) => Math.round(number * steps) / steps;

  // The ring.

  function keep(time, text, kind) {
    ring.push({ time, text, kind });
    bytes += text.length + 1;
    const oldest = nanoseconds(clock() - options.seconds * 1000);
    while (first < ring.length - 1 && (bytes > options.bytes || ring[first].time < oldest)) leave(ring[first]);
    // The array is cut now and then, so that a line costs the same however many there are.
    if (first > 999 && first * 2 > ring.length) {
      ring.splice(0, first);
      first = 0;
    }
  }

  /** Takes the oldest line out of the ring, and remembers what the lines behind it build on. */
  function leave(line) {
    ring[first++] = null;
    bytes -= line.text.length + 1;
    if (line.kind === "frame") unite(left, JSON.parse(line.text).frame);
    if (line.kind === "viewport") viewport = JSON.parse(line.text).size;
  }

  /** Brings what items show up to a frame. */
  function unite(into, frame) {
    for (const item of frame.items || frame.changed) into.set(item.id, item);
    for (const item of frame.gone || []) into.delete(item.id);
  }

  function put(milliseconds, kind, fields) {
    const time = nanoseconds(milliseconds);
    keep(time, JSON.stringify({ t_ns: time, ...fields }), kind);
  }

  // What the page says itself.

  function value(name, number, { time = clock(), phase: own = phase, unit } = {}) {
    if (!isRunning || !Number.isFinite(number)) return;
    if (name === "progress") {
      progress = number;
      phase = own;
    }
    // Every line has the unit, since the first one may leave the ring.
    if (unit) units.set(name, unit);
    put(time, "key", { key: name, value: number, phase: own, unit: units.get(name) });
  }

  function event(kind, fields, time = clock()) {
    if (!isRunning) return;
    phase = phaseAfter[kind] || phase;
    const named = { event: kind };
    try {
      put(time, "event", { ...named, ...fields, ...named, t_ns: nanoseconds(time) });
    } catch {
      // Fields that are no JSON must not stop the page.
      put(time, "event", named);
    }
  }

  function decision(outcome, fields, time = clock()) {
    if (isRunning) put(time, "decision", { decision: { outcome, ...fields } });
  }

  // Pointers.

  function touch(pointer, point, phase) {
    const id = pointer.pointerId;
    let contact = contacts.get(id);
    if (contact === undefined) {
      // One that was down before the recording begins with its first move.
      if (phase === "ended" || phase === "cancelled") return;
      phase = "began";
      const taken = [...contacts.values()];
      contact = 0;
      while (taken.includes(contact)) contact++;
      contacts.set(id, contact);
    }
    put(point.timeStamp, "touch", {
      touch: { contact, trackingID: id, phase, x: point.clientX, y: point.clientY },
    });
    if (phase !== "began" && phase !== "moved") contacts.delete(id);
  }

  function onPointer(pointer) {
    let phase = phases[pointer.type];
    const { pointerType, buttons, timeStamp } = pointer;
    if (pointerType === "mouse" && !options.mouse) return;
    // A mouse or pen that hovers; its lift was elsewhere.
    if (phase === "moved" && pointerType !== "touch" && !buttons) phase = "ended";
    // The list of points ends with the event's own, so it is one or the other.
    const points = (phase === "moved" && pointer.getCoalescedEvents?.()) || [];
    for (const point of points.length ? points : [pointer]) touch(pointer, point, phase);
    if (phase === "cancelled") {
      event("warning", {
        code: "pointercancel",
        message: "the browser took the pointer; touch-action: none leaves it to the page",
      }, timeStamp);
    }
  }

  // Elements.

  function factsOf(element) {
    let facts = known.get(element);
    if (!facts) known.set(element, facts = { style: getComputedStyle(element) });
    return facts;
  }

  function nameOf(element) {
    return element.getAttribute("data-kymo") || element.getAttribute("id")
      || (factsOf(element).name ||= `${element.localName}#${++unnamedCount}`);
  }

  /** A name, with a number behind it where it is taken. */
  function distinct(name, taken) {
    let own = name;
    for (let number = 2; taken.has(own); number++) own = `${name}#${number}`;
    taken.add(own);
    return own;
  }

  function find() {
    const names = new Set();
    items = Array.from(document.querySelectorAll(options.items), (element) => {
      const name = JSON.stringify(distinct(nameOf(element), names));
      return { element, name, facts: factsOf(element) };
    });
    isStale = false;
  }

  const around = (element) => element.parentElement || element.parentNode?.host;

  /** An element's opacity with that of all around it; what was found in this frame is kept in a map. */
  function alphaOf(element, found) {
    if (!element) return 1;
    let alpha = found.get(element);
    if (alpha === undefined) {
      alpha = factsOf(element).style.opacity * alphaOf(around(element), found);
      found.set(element, alpha);
    }
    return alpha;
  }

  /** What turns and scales an element, and all around it, kept likewise: x' = a·x + c·y, y' = b·x + d·y. */
  function matrixOf(element, found) {
    if (!element) return { a: 1, b: 0, c: 0, d: 1 };
    let matrix = found.get(element);
    if (matrix) return matrix;
    const { rotate, scale, transform } = factsOf(element).style;
    matrix = matrixOf(around(element), found);
    const parts = [];
    // An axis stands before the angle of what turns in space.
    if (rotate !== "none") parts.push(rotate.includes(" ") ? "rotateX(1deg)" : `rotate(${rotate})`);
    if (scale !== "none") parts.push(`scale(${scale.split(" ", 2)})`);
    if (transform !== "none") parts.push(transform);
    if (parts.length) {
      const { a, b, c, d, is2D } = new DOMMatrix(parts.join(" "));
      matrix = {
        a: matrix.a * a + matrix.c * b, b: matrix.b * a + matrix.d * b,
        c: matrix.a * c + matrix.c * d, d: matrix.b * c + matrix.d * d,
        inSpace: matrix.inSpace || !is2D,
      };
    }
    found.set(element, matrix);
    return matrix;
  }

  /** An element's border box before any transform. What flows with text has no width of its own but its box's. */
  function sizeOf(element) {
    const { style } = factsOf(element);
    const isWhole = style.boxSizing === "border-box";
    return [["Width", "Left", "Right"], ["Height", "Top", "Bottom"]].map(([length, ...sides]) => sides.reduce(
      (sum, side) => isWhole ? sum
        : sum + parseFloat(style["padding" + side]) + parseFloat(style[`border${side}Width`]),
      parseFloat(style[length.toLowerCase()])) || element["offset" + length]);
  }

  /** Where an element is in the document, as a frame or, when it is turned, as center, size and transform. */
  function geometry(element, facts, box, frame) {
    const { width, height } = box;
    const x = box.left + frame.x, y = box.top + frame.y;
    // What turns has another box around it, so one of the same size needs no second look.
    if (facts.isTurned || width !== facts.width || height !== facts.height) {
      let matrix, size;
      if (element.ownerSVGElement) {
        matrix = element.getScreenCTM();
        const own = element.getBBox();
        size = [own.width, own.height];
      }
      matrix ||= matrixOf(element, frame.matrices);
      const { a, b, c, d } = matrix;
      // Of what is turned in space, or seen from its edge, the box around it is all that can be told.
      const isFlat = !matrix.inSpace && a * d !== b * c;
      if (isFlat && (a < 0 || d < 0 || Math.abs(b) + Math.abs(c) > leastTurn)) {
        // A size takes longer to read than all the rest, and is kept until the browser says that it is another.
        if (!facts.isTurned) sizes.observe(element, { box: "border-box" });
        facts.isTurned = true;
        size ||= facts.size ||= sizeOf(element);
        // The lengths carry the scale, so that a scaled element that stops turning keeps its size.
        const across = Math.hypot(a, b), down = Math.hypot(c, d);
        const transform = [a / across, b / across, c / down, d / down, 0, 0].map((number) => rounded(number, 1e9));
        return `"center":[${rounded(x + width / 2)},${rounded(y + height / 2)}],"size":[${
          rounded(size[0] * across || 0)},${rounded(size[1] * down || 0)}],"transform":[${transform}]`;
      }
      facts.width = width;
      facts.height = height;
    }
    return `"frame":[${rounded(x)},${rounded(y)},${rounded(width)},${rounded(height)}]`;
  }

  function describe({ element, facts }, frame) {
    const box = element.getBoundingClientRect();
    const { opacity, zIndex, visibility } = facts.style;
    const alpha = opacity * alphaOf(around(element), frame.alphas);
    const isThere = box.width || box.height || element.getClientRects().length;
    // What is not displayed stays where it was, hidden.
    if (isThere || !facts.geometry) facts.geometry = geometry(element, facts, box, frame);
    let text = facts.geometry;
    if (alpha !== 1) text += `,"alpha":${alpha}`;
    if (zIndex !== "auto") text += `,"zIndex":${zIndex}`;
    if (!isThere || visibility !== "visible") text += ',"hidden":true';
    return text;
  }

  // Frames.

  function onFrame(now) {
    undoing[0] = requestAnimationFrame(onFrame);
    newestFrame = now;
    // The message comes after every other callback of this frame, the page's own too.
    channel.port2.postMessage(now);
  }

  channel.port1.onmessage = ({ data }) => {
    // A frame that is over before it could be read is left out.
    if (isRunning && data === newestFrame && data !== readFrame) read(data);
  };

  /** Reads a frame. Nothing is written to the page, so that all reads share one layout. */
  function read(now) {
    const begin = clock();
    if (readFrame !== undefined) {
      intervals.push(now - readFrame);
      if (intervals.length > mostIntervals) intervals.shift();
    }
    readFrame = now;
    if (isStale) find();
    const asked = options.progress?.();
    if (asked !== progress) value("progress", asked, { time: now });
    readViewport(now);
    const frame = { x: scrollX, y: scrollY, alphas: new Map(), matrices: new Map() };
    const texts = new Map(), changed = [];
    for (const item of items) {
      const text = describe(item, frame);
      texts.set(item.name, text);
      if (shown?.get(item.name) !== text) changed.push(`{"id":${item.name},${text}}`);
    }
    const gone = [...(shown?.keys() || [])].filter((name) => !texts.has(name)).map((name) => `{"id":${name}}`);
    const { scrollWidth, scrollHeight } = document.scrollingElement || document.documentElement;
    const time = nanoseconds(now);
    keep(time, `{"t_ns":${time},"frame":{${
      progress === undefined ? "" : `"progress":${progress},"phase":${JSON.stringify(phase)},`
    }"contentOffset":[${rounded(frame.x)},${rounded(frame.y)}],"contentSize":[${scrollWidth},${scrollHeight}],"${
      shown ? "changed" : "items"}":[${changed}]${gone.length ? `,"gone":[${gone}]` : ""}}}`, "frame");
    shown = texts;
    readAnimations(now);
    options.onframe?.(clock() - begin);
  }

  function readViewport(now) {
    const seen = [innerWidth, innerHeight, devicePixelRatio];
    if (newestViewport && String(seen) !== String(newestViewport)) {
      put(now, "viewport", { event: "viewport", size: seen.slice(0, 2), dpr: seen[2] });
    }
    newestViewport = seen;
  }

  /** CSS transitions, CSS animations and those of a script, each as a key that is its progress. */
  function readAnimations(now) {
    const animations = document.getAnimations?.() || [];
    const taken = new Set(animations.map((animation) => animated.get(animation)?.name));
    for (const animation of animations) {
      const { effect } = animation;
      if (!effect?.target) continue;
      let facts = animated.get(animation);
      const { progress, duration, delay, easing } = effect.getComputedTiming();
      if (!facts) {
        const what = animation.transitionProperty || animation.animationName || animation.id || "animation";
        const name = distinct(`animation:${what}@${nameOf(effect.target)}${effect.pseudoElement || ""}`, taken);
        animated.set(animation, facts = { name });
        event("mark", { text: name, duration_ms: duration, delay_ms: delay, easing }, now);
        for (const end of ["finish", "cancel"]) {
          animation.addEventListener(end, () => {
            // Not when another recording has begun.
            if (animated.get(animation) === facts) event("mark", { text: `${name}: ${end}` });
          });
        }
      }
      if (progress !== null && progress !== facts.progress) {
        facts.progress = progress;
        value(facts.name, progress, { time: now, phase: "settling" });
      }
    }
  }

  // What is handed out.

  function header() {
    const median = intervals.slice().sort((left, right) => left - right)[intervals.length >> 1];
    // The clock's steps are a part of an interval, so those that are about the median are put together.
    const usual = intervals.filter((interval) => Math.abs(interval - median) < median / 10);
    const sum = usual.reduce((sum, interval) => sum + interval, 0);
    return JSON.stringify({
      kymograph: 1,
      name: options.name || document.title || "page",
      refreshRate: usual.length < fewestIntervals ? undefined : Math.round(1e5 * usual.length / sum) / 100,
      viewport,
      clock: "performance.now",
      device: `${navigator.userAgent} dpr=${devicePixelRatio}`,
      software: options.software || "record.js",
    });
  }

  /** The recording so far. */
  function text() {
    if (!intervals) return "";
    // Points of a pointer are older than the frame that shows them; equal times keep their order.
    const lines = ring.slice(first).sort((left, right) => left.time - right.time);
    const texts = [header(), ...lines.map((line) => line.text)];
    const place = lines.findIndex((line) => line.kind === "frame");
    // The first frame that is kept stands alone, also when those before it are gone.
    if (place >= 0) {
      const line = JSON.parse(texts[place + 1]), all = new Map(left);
      unite(all, line.frame);
      const { changed, gone, ...frame } = line.frame;
      texts[place + 1] = JSON.stringify({ ...line, frame: { ...frame, items: [...all.values()] } });
    }
    return [...texts, ""].join(newline);
  }

  function start(wishes) {
    end();
    options = { ...defaults, ...wishes };
    origin = options.origin ?? clock();
    ring = [], first = bytes = 0, left = new Map();
    viewport = [innerWidth, innerHeight], newestViewport = undefined;
    contacts = new Map(), units = new Map(), known = new WeakMap(), animated = new WeakMap(), unnamedCount = 0;
    shown = progress = newestFrame = readFrame = undefined;
    phase = "driving", intervals = [];
    find();
    isRunning = true;
    undoing = [requestAnimationFrame(onFrame)];
    const listen = (target, type, handler) => {
      const how = { capture: true, passive: true };
      target.addEventListener(type, handler, how);
      undoing.push(() => target.removeEventListener(type, handler, how));
    };
    for (const type in phases) listen(window, type, onPointer);
    listen(document, "visibilitychange", ({ timeStamp }) => {
      event("visibility", { state: document.visibilityState }, timeStamp);
    });
    const observer = new MutationObserver(() => { isStale = true; });
    observer.observe(document, {
      childList: true, subtree: true, attributeFilter: ["data-kymo", "id", "class"],
    });
    undoing.push(() => observer.disconnect());
  }

  function end() {
    if (!isRunning) return;
    isRunning = false;
    cancelAnimationFrame(undoing.shift());
    sizes.disconnect();
    for (const undo of undoing) undo();
  }

  /** Ends the recording and hands it out. */
  function stop() {
    end();
    return text();
  }

  function download(name = "recording.ndjson") {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text()], { type: "application/x-ndjson" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const copy = () => navigator.clipboard.writeText(text());
  const post = (address) => fetch(address, { method: "POST", body: text() });
  const log = () => console.log(text());

  window.kymo?.stop?.();
  window.kymo = { start, stop, value, event, decision, text, download, copy, post, log };
})();
