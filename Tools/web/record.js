/*! Made by kymo */
// Records what a page does as lines that `kymo record --from-ndjson` reads: pointers, frames, values, events and
// animations. A classic script without dependencies; its one global is `kymo`. Nothing leaves the page unless
// `post`, `download` or `copy` is called. MIT licence. It has more than 400 lines since a page takes one script.
//
//   kymo.start({items: ".card"});                      // from now on
//   kymo.value("progress", 0.4);                       // a value of the page's own
//   kymo.event("finish", {velocity: 1.2});             // and what happens
//   kymo.download();                                   // the lines so far; stop() ends the recording
(() => {
  "use strict";

  // A page can hide any of these: a form by a control named "getAttribute", the document by an image named "title", the
  // window by a variable named "scrollX". Here they are taken from where no page's name comes between.
  const { stringify } = JSON;
  const { isFinite } = Number;
  const { performance, requestAnimationFrame, cancelAnimationFrame, getComputedStyle } = window;
  const { getAttribute, getBoundingClientRect, getClientRects } = Element.prototype;
  const { querySelectorAll, createElement, getAnimations } = Document.prototype;
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const getters = (owner, ...names) => names.map((name) => {
    const get = Object.getOwnPropertyDescriptor(owner, name)?.get;
    return get ? (object) => get.call(object) : (object) => object[name];
  });
  const [parentElementOf, parentNodeOf] = getters(Node.prototype, "parentElement", "parentNode");
  const [localNameOf] = getters(Element.prototype, "localName");
  const offsetsOf = getters(HTMLElement.prototype, "offsetWidth", "offsetHeight");
  const [titleOf, visibilityOf, scrollingElementOf, documentElementOf] = getters(
    Document.prototype, "title", "visibilityState", "scrollingElement", "documentElement");
  const [scrollXOf, scrollYOf, widthOf, heightOf, ratioOf] = getters(
    window, "scrollX", "scrollY", "innerWidth", "innerHeight", "devicePixelRatio");

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
  const mostIntervals = 240, fewestIntervals = 8;
  /** How much of an angle's sine counts as not turned: a thousandth of a pixel across a thousand pixels. */
  const leastTurn = 1e-6;
  const phases = {
    __proto__: null, pointerdown: "began", pointermove: "moved", pointerup: "ended", pointercancel: "cancelled",
  };
  /** What an event of the page's own means for the values and frames that follow it. */
  const phaseAfter = {
    __proto__: null, start: "driving", finish: "settling", cancel: "settling", completion: "idle",
  };

  /** Pseudo-classes that begin or cease to match when the document or an attribute changes, and not otherwise. */
  const structural = /:(?:(?:first|last|only|nth)-[-a-z]+|(?:not|is|where|has|root|scope)(?![-\w]))/gi;
  /** What makes a selector one that an observer of attributes may not notice: a state, an escape, a namespace. */
  const unseen = /[:\\]|\/\*|\[[^\]]*\|[^=]/;

  const channel = new MessageChannel();
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) factsOf(target).size = undefined;
  });
  let options = defaults;
  let isRunning = false;
  let origin = 0;
  /** @type {any[]} What stop() undoes. */
  let undoing = [];
  /** The kept lines in the order in which they were written, the ring's beginning in it, and their bytes. */
  let ring = [], first = 0, bytes = 0;
  /** What the frames that left the ring showed last, by the item's name. */
  let left = new Map();
  /** The viewport before the first kept line, and the newest one as a line says it. */
  let viewport, newestViewport;
  /** Contact numbers by pointerId. */
  let contacts;
  /** The elements, whether they must be looked for again, what is known of each, and how many have no name. */
  let items, isStale, known, unnamedCount;
  /** Whether they are looked for in every frame, since the selector asks for what no observer sees. */
  let isUnseen;
  /** The text of each item in the newest frame, by name; undefined before the first. */
  let shown;
  /** The instants from which frames have another phase, in the order of time: an event may be written later. */
  let turns;
  /** The newest progress and phase, and the units that keys have. */
  let progress, phase, units;
  /** The instant of the newest frame, of the newest one that was read, and the intervals between those. */
  let newestFrame, readFrame, intervals;
  /** When the callbacks of the newest frame ran, in nanoseconds, and the scrolling that the newest read one showed. */
  let began, extent;
  /** What finds and reads the items instead of a selector; see record-auto.js. */
  let finder;
  /** What is known of an animation. */
  let animated;
  /** What a warning was written of. */
  let warned;

  const clock = () => performance.now();
  const nanoseconds = (milliseconds) => Math.round((milliseconds - origin) * 1e6);
  const rounded = (number, steps = 1000) => Math.round(number * steps) / steps;

  // Lines. They are made without what a library may have put into Array.prototype or Object.prototype.

  /** JSON that is made already: of an item, which has a name, or of a value that the page may change later. */
  class Made {
    constructor(text, name) {
      this.text = text;
      this.name = name;
    }
  }

  /** A value's JSON; undefined where it has none. A BigInt and a circle throw. */
  function json(value, parents = []) {
    if (value instanceof Made) return value.text;
    if (typeof value !== "object" || value === null) return stringify(value);
    if (parents.includes(value)) throw new TypeError("a circle");
    const within = [...parents, value];
    if (Array.isArray(value)) return `[${[...value].map((part) => json(part, within) ?? "null")}]`;
    if (typeof value.toJSON === "function" && value.toJSON !== Object.prototype.toJSON) {
      return json(value.toJSON(), within);
    }
    const parts = [];
    for (const name of Object.keys(value)) {
      const text = json(value[name], within);
      if (text !== undefined) parts.push(`${stringify(name)}:${text}`);
    }
    return `{${parts}}`;
  }

  /** The page's own fields of a line. What is no JSON is left out, so that it does not stop the page. */
  function more(fields, ...taken) {
    const found = { __proto__: null };
    for (const name of Object.keys(fields ?? {})) {
      try {
        const text = taken.includes(name) ? undefined : json(fields[name]);
        if (text !== undefined) found[name] = new Made(text);
      } catch {}
    }
    return found;
  }

  // The ring.

  /** Keeps a line, which is an object until it is handed out: what is known of it later is put into its fields. */
  function put(time, fields, kind) {
    const line = { time, fields: { __proto__: null, t_ns: time, ...fields }, kind, size: 1 };
    ring.push(line);
    bytes += line.size += json(line.fields).length;
    const oldest = nanoseconds(clock() - options.seconds * 1000);
    while (first < ring.length - 1 && (bytes > options.bytes || ring[first].time < oldest)) leave(ring[first]);
    // The array is cut now and then, so that a line costs the same however many there are.
    if (first > 999 && first * 2 > ring.length) {
      ring.splice(0, first);
      first = 0;
    }
  }

  /** Takes the oldest line out of the ring, and remembers what the lines behind it build on. */
  function leave({ time, fields, kind, size }) {
    ring[first++] = null;
    bytes -= size;
    if (kind === "frame") unite(left, fields.frame);
    if (kind === "viewport") viewport = fields.size;
    while (turns.length > 1 && turns[1].time <= time) turns.shift();
  }

  /** Brings what items show up to a frame. */
  function unite(into, { items, changed = items, gone = [] }) {
    for (const item of changed) into.set(item.name, item);
    for (const item of gone) into.delete(item.name);
  }

  const instant = (milliseconds) => nanoseconds(isFinite(milliseconds) ? milliseconds : clock());

  function turn(time, next) {
    phase = next;
    turns.push({ time, phase });
    turns.sort((left, right) => left.time - right.time);
  }

  // What the page says itself.

  function value(name, number, wishes) {
    if (!isRunning || !isFinite(number)) return;
    const { time: when, phase: own = phase, unit } = /** @type {any} */ ({ __proto__: null, ...wishes });
    const time = instant(when);
    if (name === "progress") {
      progress = number;
      // It came after the newest event, whatever the frame's time is.
      if (own !== phase && Object.values(phaseAfter).includes(own)) turn(Math.max(time, turns[turns.length - 1]?.time ?? time), own);
    }
    // Every line has the unit, since the first one may leave the ring.
    if (unit) units.set(name, String(unit));
    putValue(time, name, number, String(own));
  }

  function putValue(time, name, number, phase, kind) {
    put(time, { key: String(name), value: number, phase, unit: units.get(name) }, kind);
  }

  function event(kind, fields, when) {
    if (!isRunning) return;
    const time = instant(when), next = phaseAfter[kind];
    if (next) turn(time, next);
    put(time, { event: String(kind), ...more(fields, "event", "t_ns") });
  }

  function decision(outcome, fields, when) {
    if (!isRunning) return;
    put(instant(when), { decision: { outcome: String(outcome), ...more(fields, "outcome") } });
  }

  /** Writes down, once of each kind, what went wrong in code that is not the recorder's. */
  function warn(code, error) {
    if (warned.has(code)) return;
    warned.add(code);
    // An error that has no text is left out of the line.
    event("warning", { code, get message() { return `${code} threw ${error}; the frames go on without it`; } });
  }

  // Pointers.

  function touch(pointer, point, phase) {
    const id = pointer.pointerId ?? 0, isOver = phase === "ended" || phase === "cancelled";
    let { clientX: x, clientY: y } = point;
    // An event that a script made need not have a place.
    if (!isFinite(x + y)) return;
    let contact = contacts.get(id);
    if (contact === undefined) {
      // One that was down before the recording begins with its first move.
      if (isOver) return;
      phase = "began";
      const taken = [...contacts.values()].map(({ number }) => number);
      contact = { number: 0 };
      while (taken.includes(contact.number)) contact.number++;
      contacts.set(id, contact);
    }
    // A browser that takes the pointer to scroll puts the event on (0, 0).
    if (phase === "cancelled") ({ x, y } = contact);
    contact.x = x;
    contact.y = y;
    put(instant(point.timeStamp),
      { touch: { contact: contact.number, trackingID: id, phase, x, y, heard_ns: nanoseconds(clock()) } });
    if (isOver) contacts.delete(id);
  }

  function onPointer(pointer) {
    catchUp();
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
    if (!facts) {
      // Also name, geometry, isTurned, size, width and height, once they are known.
      facts = { __proto__: null, style: getComputedStyle(element) };
      known.set(element, facts);
    }
    return facts;
  }

  function nameOf(element) {
    return getAttribute.call(element, "data-kymo") || getAttribute.call(element, "id")
      || (factsOf(element).name ||= `${localNameOf(element)}#${++unnamedCount}`);
  }

  /** A name, with a number behind it where it is taken. */
  function distinct(name, taken) {
    let own = name;
    for (let number = 2; taken.has(own); number++) own = `${name}#${number}`;
    taken.add(own);
    return own;
  }

  function find() {
    const found = [...querySelectorAll.call(document, options.items)];
    const isSame = (element, place) => element === items[place].element;
    if (!isStale && found.length === items.length && found.every(isSame)) return;
    const names = new Set();
    items = found.map((element) => {
      const name = stringify(distinct(nameOf(element), names));
      return { element, name, facts: factsOf(element) };
    });
    isStale = false;
  }

  /** Which attributes a selector names, beside those that give names and classes; their own case is that of SVG. */
  function attributesOf(selector) {
    const named = [...selector.matchAll(/\[\s*([^\s~|^$*=\]]+)/g)].map((match) => match[1]);
    return ["data-kymo", "id", "class", ...named, ...named.map((name) => name.toLowerCase())];
  }

  function around(element) {
    const root = parentNodeOf(element);
    return parentElementOf(element) || (root instanceof ShadowRoot ? root.host : null);
  }

  /** An element's opacity with that of all around it; what was found in this frame is kept in a map. */
  function alphaOf(element, found) {
    if (!element) return 1;
    let alpha = found.get(element);
    if (alpha === undefined) {
      // What has no box for another reason than its display, a host's child without a slot for one, has no style.
      alpha = (factsOf(element).style.opacity || 1) * alphaOf(around(element), found);
      found.set(element, alpha);
    }
    return alpha;
  }

  /** What turns and scales an element, and all around it, kept likewise: x' = a·x + c·y, y' = b·x + d·y. */
  function matrixOf(element, found) {
    if (!element) return { a: 1, b: 0, c: 0, d: 1, inSpace: false };
    let matrix = found.get(element);
    if (matrix) return matrix;
    const { rotate, scale, transform } = factsOf(element).style;
    matrix = matrixOf(around(element), found);
    const parts = [];
    // An axis stands before the angle of what turns in space.
    // Browsers before 2022 know transforms alone.
    if (rotate && rotate !== "none") parts.push(rotate.includes(" ") ? "rotateX(1deg)" : `rotate(${rotate})`);
    if (scale && scale !== "none") parts.push(`scale(${scale.split(" ", 2)})`);
    if (transform && transform !== "none") parts.push(transform);
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
    return [["Width", "Left", "Right"], ["Height", "Top", "Bottom"]].map(([length, ...sides], axis) => {
      let sum = parseFloat(style[length.toLowerCase()]);
      for (const side of isWhole ? [] : sides) {
        sum += parseFloat(style["padding" + side]) + parseFloat(style[`border${side}Width`]);
      }
      return sum || (element instanceof HTMLElement ? offsetsOf[axis](element) : 0);
    });
  }

  /** Where an element is in the document, as a frame or, when it is turned, as center, size and transform. */
  function geometry(element, facts, box, frame) {
    const { width, height } = box;
    const x = box.left + frame.x, y = box.top + frame.y;
    // What turns has another box around it, so one of the same size needs no second look.
    if (facts.isTurned || width !== facts.width || height !== facts.height) {
      let matrix, size;
      if (element instanceof SVGGraphicsElement && element.ownerSVGElement) {
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
        if (!facts.isTurned) sizes.observe(element, { __proto__: null, box: "border-box" });
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
    const box = getBoundingClientRect.call(element);
    const { zIndex, visibility } = facts.style, alpha = alphaOf(element, frame.alphas);
    const isThere = box.width || box.height || getClientRects.call(element).length;
    // What is not displayed stays where it was, hidden.
    if (isThere || !facts.geometry) facts.geometry = geometry(element, facts, box, frame);
    let text = facts.geometry;
    if (alpha !== 1) text += `,"alpha":${alpha}`;
    if (zIndex && zIndex !== "auto") text += `,"zIndex":${zIndex}`;
    if (!isThere || visibility !== "visible") text += ',"hidden":true';
    return text;
  }

  // Frames.

  function onFrame(now) {
    undoing[0] = requestAnimationFrame(onFrame);
    // A frame that is over before it could be read is known to have been, and no more.
    if (shown && newestFrame !== readFrame) putFrame(newestFrame, { unread: true, changed: [] });
    newestFrame = now;
    began = nanoseconds(clock());
    // The message comes after every other callback of this frame, the page's own too.
    channel.port2.postMessage(now);
  }

  channel.port1.onmessage = ({ data }) => {
    if (data === newestFrame) catchUp();
  };

  /** Reads the newest frame, unless that was done: before anything is heard that came after it. */
  function catchUp() {
    if (isRunning && newestFrame !== readFrame) read(newestFrame);
  }

  const itemOf = (name, text) => new Made(`{"id":${name},${text}}`, name);

  function putFrame(now, parts) {
    put(nanoseconds(now), { frame: { __proto__: null, progress, began_ns: began, ...extent, ...parts } }, "frame");
  }

  /** Reads a frame. Nothing is written to the page, so that all reads share one layout. */
  function read(now) {
    const begin = clock();
    if (readFrame !== undefined) {
      intervals.push(now - readFrame);
      if (intervals.length > mostIntervals) intervals.shift();
    }
    readFrame = now;
    let asked;
    try {
      asked = options.progress?.();
    } catch (error) {
      warn("progress", error);
    }
    // It may have ended this recording, or begun another.
    if (!isRunning || readFrame !== now) return;
    const time = nanoseconds(now);
    if (isFinite(asked) && asked !== progress) {
      progress = asked;
      putValue(time, "progress", asked, undefined, "asked");
    }
    if (!finder && (isStale || isUnseen)) find();
    readViewport(time);
    const { scrollLeft = 0, scrollTop = 0, scrollWidth = 0, scrollHeight = 0 } = root();
    const frame = {
      x: either(scrollXOf(window), scrollLeft), y: either(scrollYOf(window), scrollTop),
      alphas: new Map(), matrices: new Map(),
    };
    extent = { contentOffset: [rounded(frame.x), rounded(frame.y)], contentSize: [scrollWidth, scrollHeight] };
    const texts = finder?.read(now, frame) ?? new Map(), changed = [];
    for (const item of items) {
      let text;
      try {
        text = describe(item, frame);
      } catch (error) {
        warn("items", error);
        text = shown?.get(item.name);
        if (!text) continue;
      }
      texts.set(item.name, text);
    }
    for (const [name, text] of texts) if (shown?.get(name) !== text) changed.push(itemOf(name, text));
    const gone = [...shown?.keys() ?? []].filter((name) => !texts.has(name)).map((name) => new Made(`{"id":${name}}`, name));
    putFrame(now, { [shown ? "changed" : "items"]: changed, gone: gone.length ? gone : undefined });
    shown = texts;
    try {
      finder || readAnimations(now);
    } catch (error) {
      warn("animations", error);
    }
    try {
      options.onframe?.(clock() - begin);
    } catch (error) {
      warn("onframe", error);
    }
  }

  const root = () => scrollingElementOf(document) || documentElementOf(document) || { __proto__: null };
  /** What the window says, or something else where the page has made another variable of it beforehand. */
  const either = (seen, other) => isFinite(seen) ? seen : other;

  function viewportNow() {
    const { clientWidth = 0, clientHeight = 0 } = root();
    return [either(widthOf(window), clientWidth), either(heightOf(window), clientHeight)];
  }

  function readViewport(time) {
    const fields = { event: "viewport", size: viewportNow(), dpr: either(ratioOf(window), 1) }, seen = json(fields);
    if (newestViewport && seen !== newestViewport) put(time, fields, "viewport");
    newestViewport = seen;
  }

  /** CSS transitions, CSS animations and those of a script, each as a key that is its progress. */
  function readAnimations(now) {
    const animations = getAnimations?.call(document) || [];
    const taken = new Set(animations.map((animation) => animated.get(animation)?.name));
    for (const animation of animations) {
      const { effect } = animation;
      if (!effect?.target) continue;
      let facts = animated.get(animation);
      const { progress, duration, delay, easing } = effect.getComputedTiming();
      if (!facts) {
        const what = animation.transitionProperty || animation.animationName || animation.id || "animation";
        const name = distinct(`animation:${what}@${nameOf(effect.target)}${effect.pseudoElement || ""}`, taken);
        animated.set(animation, facts = { __proto__: null, name });
        event("mark", { text: name, duration_ms: duration, delay_ms: delay, easing }, now);
        for (const end of ["finish", "cancel"]) {
          addEventListener.call(animation, end, () => {
            // Not when another recording has begun.
            if (animated.get(animation) === facts) event("mark", { text: `${name}: ${end}` });
          });
        }
      }
      if (progress !== null && progress !== facts.progress) {
        facts.progress = progress;
        putValue(instant(now), facts.name, progress, "settling");
      }
    }
  }

  // What is handed out.

  function header() {
    const median = intervals.slice().sort((left, right) => left - right)[intervals.length >> 1];
    // The clock's steps are a part of an interval, so those that are about the median are put together.
    const usual = intervals.filter((interval) => Math.abs(interval - median) < median / 10);
    let sum = 0;
    for (const interval of usual) sum += interval;
    return json({
      kymograph: 1,
      name: String(options.name || titleOf(document) || "page"),
      refreshRate: usual.length < fewestIntervals ? undefined : Math.round(1e5 * usual.length / sum) / 100,
      viewport,
      clock: "performance.now",
      device: `${navigator.userAgent} dpr=${either(ratioOf(window), 1)}`,
      software: String(options.software || "record.js"),
    });
  }

  /** A line as it is handed out: with its phase, once all events are known, if its kind has one. */
  function told({ time, fields, kind }, parts) {
    const newest = turns.filter((turn) => turn.time <= time).pop(), phase = newest?.phase;
    return json(kind === "frame" ? { ...fields, frame: { phase, ...fields.frame, ...parts } }
      : kind === "asked" ? { ...fields, phase } : fields);
  }

  /** The recording so far. */
  function text() {
    if (!intervals) return "";
    // Points of a pointer are older than the frame that shows them; equal times keep their order.
    const lines = ring.slice(first).sort((left, right) => left.time - right.time);
    const texts = lines.map((line) => told(line));
    const whole = lines.findIndex((line) => line.kind === "frame");
    // The first frame that is kept stands alone, also when those before it are gone.
    if (whole >= 0) {
      const line = lines[whole], all = new Map(left);
      unite(all, line.fields.frame);
      texts[whole] = told(line, { changed: undefined, gone: undefined, items: [...all.values()] });
    }
    // Written so that a minifier does not make a line's end of it, which an address, and so a bookmark, cannot have.
    // Items come first, in the document's order, which those of a selector have in the first frame.
    return [header(), ...finder?.declared() ?? [], ...texts, ""].join(String.fromCharCode(10));
  }

  function start(wishes) {
    end();
    options = { __proto__: null, ...defaults, ...wishes };
    origin = isFinite(options.origin) ? options.origin : clock();
    ring = [], first = bytes = 0, left = new Map();
    viewport = viewportNow(), newestViewport = undefined;
    contacts = new Map(), units = new Map(), known = new WeakMap(), animated = new WeakMap(), unnamedCount = 0;
    shown = progress = newestFrame = readFrame = finder = undefined;
    phase = "driving", turns = [], intervals = [], warned = new Set();
    const selector = String(options.items);
    isUnseen = unseen.test(selector.replace(structural, "")), isStale = true, items = [];
    if (selector === "auto") finder = window.kymo.auto({ ring, put, told, itemOf, catchUp, nanoseconds, geometry, factsOf }, options);
    else find();
    isRunning = true;
    undoing = [requestAnimationFrame(onFrame)];
    const listen = (target, type, handler) => {
      const how = { __proto__: null, capture: true, passive: true };
      addEventListener.call(target, type, handler, how);
      undoing.push(() => removeEventListener.call(target, type, handler, how));
    };
    for (const type in phases) listen(window, type, onPointer);
    listen(document, "visibilitychange", ({ timeStamp }) => {
      event("visibility", { state: visibilityOf(document) }, timeStamp);
    });
    const observer = new MutationObserver(() => { isStale = true; });
    observer.observe(document, {
      __proto__: null, childList: true, subtree: true, attributeFilter: attributesOf(selector),
    });
    undoing.push(() => observer.disconnect());
  }

  function end() {
    if (!isRunning) return;
    isRunning = false;
    cancelAnimationFrame(undoing.shift());
    sizes.disconnect();
    finder?.stop();
    for (const undo of undoing) undo();
  }

  /** Ends the recording and hands it out. */
  function stop() {
    end();
    return text();
  }

  function download(name = "recording.ndjson") {
    const link = /** @type {HTMLAnchorElement} */ (createElement.call(document, "a"));
    link.href = URL.createObjectURL(new Blob([text()]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const copy = () => navigator.clipboard.writeText(text());
  const post = (address) => fetch(address, { method: "POST", body: text() });
  const log = () => console.log(text());

  // An element with this id is no recorder.
  if (typeof window.kymo?.stop === "function") window.kymo.stop();
  const auto = () => { throw new Error('items: "auto" needs record-auto.js'); };
  window.kymo = { auto, start, stop, value, event, decision, text, download, copy, post, log };
})();
