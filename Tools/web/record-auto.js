/*! Made by kymo */
// Items that nobody has named, for record.js: `kymo.start({items: "auto"})` records what moves by itself, and not
// with what is around it. A classic script, loaded behind record.js; it may also run with it in a world of its own,
// before the page's first script. MIT licence. It has more than 400 lines since a page takes one script.
//
//   kymo.start({items: "auto", onlines: (text) => save(text)});  // lines as they come, four times a second
//   kymo.quiet();                                                // for how long nothing has changed
//   kymo.nameOf(element);                                        // the name that an element has in the lines
(() => {
  "use strict";

  const { kymo } = window;
  if (typeof kymo?.start !== "function") throw new Error("record-auto.js must be loaded behind record.js");

  // As in record.js: a page can hide what it names, so all is taken from where no page's name comes between.
  const { stringify } = JSON;
  const { performance, getComputedStyle, setInterval, clearInterval } = window;
  const { getAttribute, getBoundingClientRect } = Element.prototype;
  const { querySelectorAll, getAnimations, elementsFromPoint } = Document.prototype;
  const { contains } = Node.prototype;
  const { composedPath } = Event.prototype;
  const composedPathOf = (event) => composedPath.call(event);
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const getter = (owner, name) => {
    const { get } = Object.getOwnPropertyDescriptor(owner, name);
    return (object) => get.call(object);
  };
  const getters = (owner, ...names) => names.map((name) => getter(owner, name));
  const [parentNodeOf, isConnectedOf, textContentOf] = getters(
    Node.prototype, "parentNode", "isConnected", "textContent");
  const [childrenOf, shadowRootOf, localNameOf] = getters(Element.prototype, "children", "shadowRoot", "localName");
  const [childrenOfRoot] = getters(DocumentFragment.prototype, "children");
  const [scrollLeftOf, scrollTopOf, clientWidthOf, clientHeightOf] = getters(
    Element.prototype, "scrollLeft", "scrollTop", "clientWidth", "clientHeight");
  const [widthOf, heightOf] = getters(HTMLElement.prototype, "offsetWidth", "offsetHeight");
  const [rootOf, bodyOf, scrollingElementOf, readyStateOf] = getters(
    Document.prototype, "documentElement", "body", "scrollingElement", "readyState");

  // Ours, by 48 pages; more would be read than 2 ms a frame are enough for.
  /** How many elements are known, how many of those are read in every frame, and how many are items at once. */
  const mostElements = 20000, mostWatched = 300, mostItems = 64;
  /** A box nearer than this to where it is carried, in pixels, is carried: a browser's boxes have sixty-fourths. */
  const near = 0.3;
  /** How far outside of the window an element is still watched, in pixels: across, and up and down. */
  const margins = [400, 200];
  /** The smallest box that is watched unasked, in square pixels. */
  const leastArea = 64;
  /** How long an element is read in every frame after something named it, in milliseconds. */
  const hotFor = 2000;
  /** How long after its last change an item still counts as moving, and scrolling as going on, in milliseconds. */
  const movingFor = 300;
  /** How often at most all boxes are looked at, in milliseconds: of 5,000 elements that takes some milliseconds. */
  const surveyEvery = 500;
  /** How often lines are handed to onlines, in milliseconds. */
  const handingOut = 250;
  /** How many moving items at most are compared with what they overlap, and how long that may take a frame on average,
      in milliseconds: on a page of thousands of elements, finding what is at a place takes longer than all else. */
  const mostCompared = 8, mostComparing = 0.25;
  const places = [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]];
  const longestName = 40;
  /** How many elements around a touched one are asked for what they leave to the browser. */
  const mostAround = 16;
  /** The most items of a row. */
  const mostInRow = 200;
  /** Elements that show nothing. */
  const unshown = new Set([
    "head", "script", "style", "meta", "link", "title", "noscript", "template", "br", "wbr", "option",
  ]);
  /** Attributes by which a script makes an element move. */
  const movers = ["style", "class", "transform", "hidden", "open", "aria-expanded", "data-state"];
  /** Inputs before which the newest frame is read, beside those of record.js. */
  const inputs = [
    "touchstart", "touchmove", "touchend", "touchcancel", "click", "keydown", "keyup", "wheel", "pointerover",
  ];
  /** Where something is that nothing carries: x' = a·x + c, y' = b·y + d. */
  const still = [1, 1, 0, 0];
  const how = { __proto__: null, capture: true, passive: true };

  const clock = () => performance.now();
  const rounded = (number) => Math.round(number * 1000) / 1000;
  const isEqual = (one, other) => one[0] === other[0] && one[1] === other[1];
  const isNear = (one, other) => Math.abs(one - other) < near;
  const isSame = (one, other) => isNear(one[0], other[0]) && isNear(one[1], other[1]) && isNear(one[2], other[2])
    && isNear(one[3], other[3]);
  const isEmpty = (box) => !(box[2] || box[3]);
  const carry = ([x, y, width, height], [a, b, c, d]) => [x * a + c, y * b + d, width * a, height * b];
  const cleaned = (text) => String(text).replace(/[^\p{L}\p{N}_.\-/ ]/gu, "_").slice(0, longestName);

  /** What is known of an element. Every field is there from the beginning: so it is read fast, and from nowhere else. */
  class Facts {
    key = "";
    parent;
    depth = 0;
    style;
    isWatched = false;
    isActive = false;
    hotUntil = 0;
    /** The nearest active element around it. */
    around;
    isItem = false;
    isUnkept = false;
    /** Its box where nothing would carry it, the document's scrolling and its own size then. */
    base;
    from;
    offset;
    /** How it is carried or moves, and how its content is. */
    matrix = still;
    inner = still;
    isTurned = false;
    /** What the frame before showed. */
    box;
    scrolling;
    frame = "";
    text = "";
    alpha = 0;
    zIndex = "auto";
    /** Its z-index when it was last compared with what it overlaps. */
    compared;
    isSeen;
    hasTurned = false;
    /** Its content's offset, where that began, and the axes that were told. */
    canScroll = false;
    scroll;
    scroll0;
    scrolled = new Set();
    remade;
    changed = -Infinity;
    carrier;

    constructor(element, name, isNew) {
      this.element = element;
      this.name = name;
      this.quoted = stringify(name);
      this.isNew = isNew;
    }
  }

  /** The recording that runs, or ran last. */
  let finder;

  /** What record.js asks for the items, while it records. */
  function makeFinder({ ring, put, told, itemOf, catchUp, nanoseconds, geometry, factsOf }, { onlines }) {
    /** What is known of each element, the same in order, and by its place in the document's tree. */
    let known = new WeakMap(), list = [], byPlace = new Map();
    /** Those that are read in every frame, and whether that is out of date. */
    let active = [], isStale = true;
    /** Elements that were added, and whether boxes of all are to be looked at again. */
    let added = [], isSurveyDue = true, lastSurvey = -Infinity, lastScroll = 0;
    /** How many elements have each name and each one's own, how many were left out, how many moved that are no items. */
    const named = new Map(), names = new WeakMap();
    let skipped = 0, unkept = 0, itemCount = 0;
    /** The frame that is read, and the one before it, as instants of the page's clock; what that one showed. */
    let reading, lastRead, shown = new Map(), scrolling, hasFailed = false;
    /** What the elements around each finger's landing left to the browser then, and whether it took a finger. */
    const landings = new Map();
    let isTaken = false;
    let lastChange = clock(), contacts = new Set(), animated = new WeakSet(), orders = new Map();
    let byTransition = new Map(), comparedIn = 0;
    let header = "", lastHandedOut;

    // Elements.

    function makeName(element) {
      if (names.has(element)) return names.get(element);
      let own;
      for (const name of ["data-kymo", "id", "data-testid", "aria-label"]) own ||= getAttribute.call(element, name);
      const first = (getAttribute.call(element, "class") || "").trim().split(/\s+/)[0];
      const name = cleaned(own || localNameOf(element) + (first ? `.${first}` : ""));
      const number = (named.get(name) || 0) + 1;
      named.set(name, number);
      const found = own && number === 1 ? name : `${name}#${number}`;
      names.set(element, found);
      return found;
    }

    function childrenIn(element) {
      const root = shadowRootOf(element);
      return [...root ? childrenOfRoot(root) : [], ...childrenOf(element)];
    }

    /** Comes to know an element and all in it, in the document's order. */
    function learnAll(root, parent, place, isNew) {
      const waiting = [[root, parent, place]];
      while (waiting.length) {
        const [element, around, index] = waiting.pop(), facts = learn(element, around, index, isNew);
        if (!facts) continue;
        // The others come with it.
        if (isNew && element === root && facts.isSeen === undefined) {
          facts.isSeen = false;
          facts.hotUntil = reading + hotFor;
        }
        const children = childrenIn(element);
        for (let child = children.length - 1; child >= 0; child--) waiting.push([children[child], facts, child]);
      }
    }

    /** Comes to know an element. What is made anew in the place of one that is gone is the same item. */
    function learn(element, parent, place, isNew) {
      const name = localNameOf(element);
      if (unshown.has(name)) return undefined;
      const id = getAttribute.call(element, "id"), key = id ? `#${id}` : `${parent?.key ?? ""}>${name}:${place}`;
      let facts = known.get(element);
      if (!facts) {
        const old = byPlace.get(key);
        if (old && !isConnectedOf(old.element)) {
          facts = old;
          facts.element = element;
          facts.remade = nanoseconds(reading);
          if (facts.isItem) tellRemade(facts);
        } else if (list.length >= mostElements) {
          skipped++;
          return undefined;
        } else {
          facts = new Facts(element, makeName(element), isNew);
          list.push(facts);
        }
        facts.style = getComputedStyle(element);
        known.set(element, facts);
        byPlace.set(key, facts);
        const root = shadowRootOf(element);
        if (root) observer.observe(root, observed);
      }
      facts.key = key;
      facts.parent = parent;
      facts.depth = parent ? parent.depth + 1 : 0;
      return facts;
    }

    /** Takes in what was added. An element that left is forgotten, unless it is an item, which may be made anew. */
    function learnAdded(isFirst) {
      const roots = added.filter((element) => isConnectedOf(element));
      // What the page's own text adds is there from the beginning.
      const isNew = !isFirst && readyStateOf(document) !== "loading";
      added = [];
      for (const element of roots) {
        const parent = parentNodeOf(element), around = parent instanceof ShadowRoot ? parent.host : parent;
        const siblings = around instanceof Element ? childrenIn(around) : [element];
        learnAll(element, known.get(around), siblings.indexOf(element), isNew);
      }
      if (list.length > 2 * mostWatched) list = list.filter((facts) => facts.isItem || !forget(facts));
      isSurveyDue = isStale = true;
    }

    /** Forgets an element that is not in the document any longer. */
    function forget(facts) {
      const { element, key } = facts;
      if (isConnectedOf(element)) return false;
      known.delete(element);
      if (byPlace.get(key) === facts) byPlace.delete(key);
      return true;
    }

    /** Where an element is in the document. */
    function boxOf(element, frame) {
      const { left, top, width, height } = getBoundingClientRect.call(element);
      return [left + frame.x, top + frame.y, width, height];
    }

    /** Looks at all boxes once: of those in view the likeliest to move, then the largest, are read in every frame. */
    function survey(frame) {
      isSurveyDue = false;
      lastSurvey = reading;
      const ranks = [], root = rootOf(document), width = clientWidthOf(root), height = clientHeightOf(root);
      for (const facts of list) {
        const { element, style, parent } = facts;
        facts.isWatched = false;
        if (!isConnectedOf(element)) continue;
        const box = boxOf(element, frame);
        if (isEmpty(box)) {
          facts.isSeen ??= false;
          continue;
        }
        if (!facts.base) begin(facts, box, parent?.base ? parent.matrix : still, frame);
        const [x, y] = [box[0] - frame.x, box[1] - frame.y];
        if (box[2] * box[3] < leastArea || x > width + margins[0] || x + box[2] < -margins[0]
          || y > height + margins[1] || y + box[3] < -margins[1]) continue;
        const signs = (style.position !== "static") + 2 * (style.transform !== "none")
          + 2 * (style.transitionDuration !== "0s") + 2 * (style.animationName !== "none")
          + 2 * (style.willChange !== "auto") + 2 * facts.canScroll + (facts.key[0] === "#");
        ranks.push([signs, box[2] * box[3], facts]);
      }
      ranks.sort((one, other) => other[0] - one[0] || other[1] - one[1]);
      for (const [, , facts] of ranks.slice(0, mostWatched)) facts.isWatched = true;
      isStale = true;
    }

    /** Notes where an element is when it is first there. */
    function begin(facts, [x, y, width, height], [a, b, c, d], frame) {
      const { element, style } = facts;
      facts.base = [(x - c) / a, (y - d) / b, width / a, height / b];
      facts.matrix = [a, b, c, d];
      facts.from = [frame.x, frame.y];
      facts.offset = offsetOf(element);
      facts.zIndex = style.zIndex;
      facts.scroll = facts.scroll0 = offsetsOf(element);
      facts.canScroll = !/^(visible|clip)/.test(style.overflow) && element !== scrollingElementOf(document);
      if (facts.isSeen !== undefined || facts.isNew) return;
      facts.box = [x, y, width, height];
      facts.alpha = +style.opacity;
      facts.isSeen = style.visibility === "visible";
    }

    const offsetsOf = (element) => [scrollLeftOf(element), scrollTopOf(element)];
    const offsetOf = (element) => element instanceof HTMLElement ? [widthOf(element), heightOf(element)] : [0, 0];

    /** Has an element read in every frame for a while. */
    function heat(element) {
      const facts = known.get(element);
      if (!facts) return;
      if (!facts.isActive) isStale = true;
      facts.hotUntil = Math.max(facts.hotUntil, clock() + hotFor);
    }

    /** Those that are read in this frame, each behind the nearest read one around it. */
    function gather(now) {
      if (!isStale && !active.some((facts) => isPassive(facts, now))) return;
      isStale = false;
      for (const facts of active) facts.isActive = false;
      active = list.filter((facts) => !isPassive(facts, now));
      for (const facts of active) facts.isActive = true;
      for (const facts of active) {
        let { parent } = facts;
        while (parent && !parent.isActive) parent = parent.parent;
        facts.around = parent;
      }
      active.sort((one, other) => one.depth - other.depth);
    }

    const isPassive = (facts, now) => !(facts.isWatched || facts.isItem || facts.hotUntil > now);

    // Frames.

    /** Reads a frame: the text of each item, by its quoted name. What goes wrong is told once, and stops no frame. */
    function read(now, frame) {
      reading = now;
      try {
        shown = readAll(now, frame);
      } catch (error) {
        if (!hasFailed) kymo.event("warning", { code: "auto", message: `reading items threw ${error}` }, now);
        hasFailed = true;
      }
      lastRead = now;
      return shown;
    }

    function readAll(now, frame) {
      if (added.length) learnAdded(lastRead === undefined);
      if (lastScroll && now - lastScroll > movingFor) {
        isSurveyDue = true;
        lastScroll = 0;
      }
      if (isSurveyDue && now - lastSurvey > surveyEvery && rootOf(document)) survey(frame);
      const groups = readAnimations(now, frame);
      gather(now);
      const texts = new Map(), moving = [], before = newestFrame();
      scrolling = [frame.x, frame.y];
      for (const facts of active) {
        if (isConnectedOf(facts.element)) readElement(facts, groups.get(facts.element), frame, now, before, moving);
        else if (facts.text) {
          // It leaves its place to another one. Made anew later, it comes back as something that was not there.
          if (facts.isItem) itemCount--;
          facts.isItem = false;
          isStale = true;
          facts.base = facts.box = undefined;
          facts.text = "";
          facts.isSeen = false;
          facts.alpha = 0;
          lastChange = now;
        }
        if (facts.text) texts.set(facts.quoted, facts.text);
      }
      if (moving.length && moving.length <= mostCompared) compareAll(moving, frame, now);
      if (readyStateOf(document) !== "complete") lastChange = now;
      return texts;
    }

    function readElement(facts, group, frame, now, before, moving) {
      const { element, style, around } = facts;
      const box = group ?? boxOf(element, frame);
      const isThere = !isEmpty(box), alpha = isThere ? +style.opacity : 0;
      const isSeen = isThere && style.visibility === "visible";
      facts.isTurned = around?.isTurned ?? false;
      let matrix = around ? around.inner : still;
      if (!facts.base) {
        facts.inner = facts.matrix = matrix;
        if (!isThere) {
          facts.isSeen = false;
          facts.alpha = 0;
          return;
        }
        begin(facts, box, matrix, frame);
        // All in it is looked at, too, once it is there.
        if (facts.isSeen === false) isSurveyDue = true;
      }
      const wanted = carry(facts.base, matrix);
      let rides = !isThere || facts.isTurned || isSame(box, wanted);
      if (!rides) {
        // What is fixed to the window goes with its scrolling.
        const { position } = style, isFixed = position === "fixed";
        if (isFixed) matrix = [1, 1, frame.x - facts.from[0], frame.y - facts.from[1]];
        rides = element === rootOf(document) || element === bodyOf(document)
          || style.display === "inline" && !facts.isItem
          || isFixed && isSame(box, carry(facts.base, matrix))
          || position === "sticky" && facts.box && isSame(box, carry(facts.box, [
            1, 1, frame.x - facts.scrolling[0], frame.y - facts.scrolling[1]]));
      }
      if (rides) {
        if (isThere) facts.matrix = matrix;
      } else {
        facts.matrix = ownMatrix(facts, box, wanted, matrix);
      }
      const hasScrolled = facts.canScroll && !isEqual(facts.scroll, offsetsOf(element));
      // What comes and goes with what is around it does not do so by itself.
      facts.hasTurned = facts.isSeen !== undefined && isSeen !== facts.isSeen;
      const hasAppeared = facts.hasTurned
        ? !(around?.hasTurned && around.isSeen === isSeen)
        : isSeen && facts.isSeen !== undefined && Math.abs(alpha - facts.alpha) > 1e-4;
      if (!facts.isItem && (!rides || hasAppeared || hasScrolled)) become(facts, box, frame, before);
      facts.inner = facts.canScroll ? scrolled(facts, now) : facts.matrix;
      if (facts.isItem) {
        const zIndex = facts.zIndex = style.zIndex;
        if (isThere || !facts.frame) facts.frame = frameText(facts, box, frame, group);
        const text = described(facts.frame, alpha, zIndex, isSeen);
        if (text !== facts.text) {
          facts.text = text;
          facts.changed = lastChange = now;
          if (!rides && isSeen) moving.push(facts);
        }
      }
      facts.box = isThere ? box : undefined;
      facts.scrolling = scrolling;
      facts.alpha = alpha;
      facts.isSeen = isSeen;
    }

    /** How an element that moves by itself carries what is in it: scaled only when its layout is not another size. */
    function ownMatrix(facts, box, wanted, [a, b]) {
      const { base, element, offset, style } = facts;
      const isScaled = Math.abs(box[2] - wanted[2]) > near || Math.abs(box[3] - wanted[3]) > near;
      const scales = [a, b];
      if (isScaled) {
        const size = offsetOf(element);
        for (const axis of [0, 1]) {
          if (size[axis] === offset[axis] && base[axis + 2]) scales[axis] = box[axis + 2] / base[axis + 2] || 1e-6;
        }
        const { transform, rotate } = style;
        if (rotate && rotate !== "none") facts.isTurned = true;
        if (transform !== "none") {
          const matrix = new DOMMatrix(transform);
          if (Math.abs(matrix.b) + Math.abs(matrix.c) > 1e-6 || !matrix.is2D) facts.isTurned = true;
        }
      }
      return [...scales, box[0] - base[0] * scales[0], box[1] - base[1] * scales[1]];
    }

    /** How an element carries its content: by how far it was scrolled since its content was first seen. */
    function scrolled(facts, now) {
      const { element, scroll, scroll0, matrix: [a, b, c, d] } = facts;
      const offsets = offsetsOf(element);
      for (const [axis, name] of ["x", "y"].entries()) {
        if (offsets[axis] === scroll[axis]) continue;
        facts.changed = lastChange = now;
        if (!facts.isItem) continue;
        const tell = (offset, time) => {
          kymo.value(`scroll:${name}@${facts.name}`, rounded(offset), { time, unit: "px" });
        };
        // Where it stood before it was scrolled for the first time.
        if (!facts.scrolled.has(axis) && lastRead !== undefined) tell(scroll[axis], lastRead);
        facts.scrolled.add(axis);
        tell(offsets[axis], now);
      }
      facts.scroll = offsets;
      return [a, b, c - (offsets[0] - scroll0[0]) * a, d - (offsets[1] - scroll0[1]) * b];
    }

    /** A place as record.js writes it: with size and transform where the element is turned. */
    function frameText({ element }, box, frame, group) {
      if (group) return plain(box);
      const [x, y, width, height] = box, own = factsOf(element);
      return geometry(element, own, { left: x - frame.x, top: y - frame.y, width, height }, frame);
    }

    const plain = (box) => `"frame":[${box.map(rounded)}]`;

    function described(place, alpha, zIndex, isSeen) {
      let text = place;
      if (alpha !== 1) text += `,"alpha":${rounded(alpha)}`;
      if (zIndex && zIndex !== "auto") text += `,"zIndex":${zIndex}`;
      if (!isSeen) text += ',"hidden":true';
      return text;
    }

    /** The newest frame's line, which was read; undefined before the first. */
    function newestFrame() {
      for (let index = ring.length - 1; index >= 0 && ring[index]; index--) {
        if (ring[index].kind === "frame" && !ring[index].fields.frame.unread) return ring[index];
      }
    }

    /** Makes an item of an element, from the frame before on, in which it was not yet known to move. */
    function become(facts, box, frame, before) {
      if (itemCount >= mostItems) {
        if (!facts.isUnkept) unkept++;
        facts.isUnkept = true;
        return;
      }
      itemCount++;
      facts.isItem = isStale = true;
      if (before) {
        const was = facts.box && facts.isSeen !== false
          ? described(plain(facts.box), facts.alpha, facts.zIndex, true)
          : described(plain(facts.box ?? box), facts.box ? facts.alpha : 0, "auto", false);
        const { items, changed = items } = before.fields.frame;
        changed.unshift(itemOf(facts.quoted, was));
      }
      if (facts.remade !== undefined) tellRemade(facts);
      findCarriers(before?.time);
    }

    function tellRemade({ name, remade }) {
      put(remade, { event: "remade", item: name });
    }

    /** Says of each item on which other one it rides, once that is known or is another. */
    function findCarriers(time) {
      for (const facts of list) {
        if (!facts.isItem) continue;
        let { parent } = facts;
        while (parent && !parent.isItem) parent = parent.parent;
        if (parent === facts.carrier) continue;
        facts.carrier = parent;
        if (parent) {
          put(time ?? nanoseconds(clock()), { event: "carried", item: facts.name, by: parent.name });
        }
      }
    }

    /** Compares moving items with what they overlap: as often as their order changes, and as the time for it allows. */
    function compareAll(moving, frame, now) {
      const isOther = moving.some(({ zIndex, compared }) => compared !== undefined && compared !== zIndex);
      if (--comparedIn > 0 && !isOther) return;
      const begin = clock();
      for (const facts of moving) {
        facts.compared = facts.zIndex;
        compare(facts, frame, now);
      }
      comparedIn = Math.ceil((clock() - begin) / mostComparing);
    }

    /** Whether an item stands above or under what it overlaps; told when that turns round. */
    function compare({ element, name, box: [x, y, width, height] }, frame, now) {
      for (const [across, down] of places) {
        const stack = elementsFromPoint.call(document, x - frame.x + width * across, y - frame.y + height * down);
        const own = stack.findIndex((other) => contains.call(element, other));
        if (own < 0) continue;
        stack.forEach((found, depth) => {
          const other = known.get(found);
          if (!other || contains.call(found, element) || contains.call(element, found)) return;
          const isFirst = name < other.name, key = stringify(isFirst ? [name, other.name] : [other.name, name]);
          const isAbove = own < depth === isFirst, was = orders.get(key);
          if (was !== undefined && was !== isAbove) {
            kymo.event("order", { item: name, other: other.name, above: own < depth }, now);
          }
          orders.set(key, isAbove);
        });
      }
    }

    /** Writes down each animation once it has a start. The boxes of view transitions' groups, by element. */
    function readAnimations(now, frame) {
      const groups = new Map();
      for (const animation of getAnimations?.call(document) ?? []) {
        const { effect } = animation;
        if (!effect?.target) continue;
        const timing = effect.getComputedTiming(), pseudo = effect.pseudoElement || "";
        if (timing.activeDuration !== Infinity && animation.playState === "running") lastChange = now;
        heat(effect.target);
        const [, group] = /^::view-transition-group\((.+)\)$/.exec(pseudo) ?? [];
        const owner = group && group !== "root" ? ownerOf(group) : undefined;
        if (owner) groups.set(owner.element, groupBox(pseudo, frame));
        if (animated.has(animation) || animation.pending && animation.startTime === null) continue;
        animated.add(animation);
        const { startTime } = animation, keyframes = effect.getKeyframes();
        const own = known.get(effect.target)?.name ?? cleaned(localNameOf(effect.target));
        kymo.event("animation", {
          item: owner ? owner.name : own + pseudo, kind: animation.constructor.name,
          name: cleaned(animation.transitionProperty || animation.animationName || animation.id || ""),
          properties: propertiesOf(keyframes),
          duration_ms: timing.duration, delay_ms: timing.delay,
          easing: timing.easing === "linear" ? keyframes[0]?.easing ?? "linear" : timing.easing,
          iterations: timing.iterations,
          start_ns: typeof startTime === "number" ? nanoseconds(startTime) : undefined,
        }, now);
      }
      return groups;
    }

    function propertiesOf(keyframes) {
      const names = new Set(keyframes.flatMap((keyframe) => Object.keys(keyframe)));
      for (const name of ["offset", "easing", "composite", "computedOffset"]) names.delete(name);
      return [...names];
    }

    /** The element that a view transition shows under a name. */
    function ownerOf(group) {
      let facts = byTransition.get(group);
      if (!facts || !isConnectedOf(facts.element) || facts.style.viewTransitionName !== group) {
        facts = list.find(({ element, style }) => style.viewTransitionName === group && isConnectedOf(element));
        byTransition.set(group, facts);
      }
      return facts;
    }

    function groupBox(pseudo, frame) {
      const { transform, width, height } = getComputedStyle(rootOf(document), pseudo);
      const { a, d, e, f } = new DOMMatrix(transform === "none" ? "" : transform);
      return [e + frame.x, f + frame.y, parseFloat(width) * a, parseFloat(height) * d];
    }

    // Inputs.

    function onInput(input) {
      catchUp();
      if (input.type.startsWith("touch")) onTouch(input);
      if (input.type !== "pointerover" && input.type !== "touchmove") lastChange = clock();
    }

    /** Writes into the newest places of a pointer when handlers of touches were told of them. Of a finger that the browser
        took, these alone are told. */
    function onTouch({ type, touches, changedTouches, timeStamp }) {
      const time = nanoseconds(timeStamp), heard = nanoseconds(clock());
      if (type === "touchstart") isTaken &&= touches.length > 1;
      for (const { clientX, clientY } of changedTouches) {
        if (isTaken) kymo.event("finger", { x: clientX, y: clientY, phase: type.slice(5) });
        for (let index = ring.length - 1; index >= 0 && ring[index]; index--) {
          const { time: other, kind, fields: { touch } } = ring[index];
          if (kind === "frame") break;
          if (touch && other === time && touch.x === clientX && touch.y === clientY) {
            // One event for each target of two fingers tells the same place again.
            touch.touchHeard_ns ??= heard;
            break;
          }
        }
      }
    }

    function onContact(pointer) {
      const { type, pointerId, pointerType, timeStamp } = pointer;
      if (type === "pointerdown") {
        contacts.add(pointerId);
        if (pointerType === "touch") landings.set(pointerId, touchActions(composedPathOf(pointer)));
      } else {
        contacts.delete(pointerId);
        const around = landings.get(pointerId);
        landings.delete(pointerId);
        if (type === "pointercancel" && around) {
          isTaken = true;
          kymo.event("taken", { around }, timeStamp);
        }
      }
      lastChange = clock();
    }

    /** The touched element and those around it, each with its `touch-action`. */
    function touchActions(path) {
      return path.filter((node) => node instanceof Element).slice(0, mostAround).map((element) => ({
        item: known.get(element)?.name, selector: selectorOf(element),
        touchAction: getComputedStyle(element).touchAction,
      }));
    }

    /** How a style sheet of the page's would name an element. */
    function selectorOf(element) {
      const id = getAttribute.call(element, "id");
      const first = (getAttribute.call(element, "class") || "").trim().split(/\s+/)[0];
      return id ? `#${cleaned(id)}` : cleaned(localNameOf(element) + (first ? `.${first}` : ""));
    }

    function onScroll({ target }) {
      lastScroll = clock();
      heat(target);
    }

    // What is handed out as it comes.

    /** Hands out the lines before the newest frame, into which an item may still be written; in the end all. */
    function handOut(isLast) {
      if (!onlines) return;
      const newest = isLast ? undefined : newestFrame();
      let end = newest ? ring.indexOf(newest) : ring.length, begin = end;
      while (begin > 0 && ring[begin - 1] && ring[begin - 1] !== lastHandedOut) begin--;
      if (begin === end || !newest && !isLast) return;
      const lines = ring.slice(begin, end);
      lastHandedOut = lines[lines.length - 1];
      let text = "";
      if (!header) text = header = kymo.text().split("\n", 1)[0] + "\n";
      for (const line of lines.sort((one, other) => one.time - other.time)) text += told(line) + "\n";
      onlines(text);
    }

    /** Lines that name the items in the document's order, by which the later of two covers the earlier. An item that has left
        stands behind the one that was known before it. */
    function declared() {
      const order = [], waiting = [rootOf(document)];
      while (waiting.length) {
        const element = waiting.pop();
        if (!element) continue;
        const facts = known.get(element);
        if (facts?.isItem) order.push(facts);
        waiting.push(...childrenIn(element).reverse());
      }
      let before = -1;
      for (const facts of list) {
        if (!facts.isItem) continue;
        if (!order.includes(facts)) order.splice(before + 1, 0, facts);
        before = order.indexOf(facts);
      }
      return order.map(({ quoted }) => `{"declare":"item","id":${quoted}}`);
    }

    // Rows of items.

    /** Says of which elements the children that are shown have one size and stand at one pitch, as slides of a carousel
        do: of items and their parents, by which a way is told in items. */
    function tellRows() {
      const parents = new Set(), moving = new Map();
      for (const { element, isItem, name } of list) {
        if (!isItem || !isConnectedOf(element)) continue;
        const parent = parentNodeOf(element);
        parents.add(element);
        if (!(parent instanceof Element)) continue;
        moving.set(parent, [...moving.get(parent) ?? [], name]);
        if (moving.get(parent).length > 1) parents.add(parent);
      }
      for (const parent of parents) tellRow(parent, moving.get(parent) ?? []);
    }

    function tellRow(parent, moving) {
      const boxes = [], looks = [];
      let isCopied = false;
      for (const child of childrenOf(parent)) {
        const { left, top, width, height } = getBoundingClientRect.call(child);
        if (!width || !height) continue;
        boxes.push([left, top, width, height]);
        if (boxes.length > mostInRow) return;
        looks.push(lookOf(child));
        isCopied ||= /clone|duplicate|copy/i.test(getAttribute.call(child, "class") || "");
      }
      const [first] = boxes;
      if (boxes.length < 2 || boxes.some((box) => Math.abs(box[2] - first[2]) > 1 || Math.abs(box[3] - first[3]) > 1)) return;
      const axis = Math.abs(boxes[1][0] - first[0]) > Math.abs(boxes[1][1] - first[1]) ? 0 : 1;
      const pitch = (boxes[boxes.length - 1][axis] - first[axis]) / (boxes.length - 1);
      if (pitch < least(first[axis + 2]) || boxes.some((box, index) => Math.abs(box[axis] - first[axis] - pitch * index) > 1
        || Math.abs(box[1 - axis] - first[1 - axis]) > 1)) return;
      const [edge, length] = clipOf(parent, axis);
      const name = known.get(parent)?.name ?? makeName(parent);
      put(nanoseconds(clock()), {
        event: "row", of: name, axis: "xy"[axis], count: boxes.length, pitch: rounded(pitch),
        edge: rounded(first[axis] - edge), middle: rounded(first[axis] + first[axis + 2] / 2 - edge - length / 2),
        distinct: !isCopied && [1, boxes.length].includes(new Set(looks).size), period: periodOf(looks), items: moving,
      });
    }

    /** What an item shows, as far as texts and pictures say. */
    function lookOf(item) {
      const pictures = [...item.querySelectorAll("img, use")].slice(0, 8);
      return [
        textContentOf(item).trim().slice(0, 80), /background[^;]*/.exec(getAttribute.call(item, "style"))?.[0],
        ...[item, ...pictures].map((one) => getAttribute.call(one, "src") ?? getAttribute.call(one, "href")),
      ].join("\n");
    }

    /** The number of items after which a row shows the same again; undefined of one that does not, or whose items look alike. */
    function periodOf(looks) {
      if (new Set(looks).size < 2) return undefined;
      for (let period = 2; period < looks.length; period++) {
        if (looks.every((look, index) => index < period || look === looks[index - period])) return period;
      }
    }

    /** Items that overlap by more than a half are no row. */
    const least = (length) => length / 2;

    /** Where what clips an element's content begins along an axis, and how long it is. */
    function clipOf(element, axis) {
      // What clips and moves with its content is not what the content moves in.
      const first = known.get(element)?.scrolled.size ? element : parentNodeOf(element);
      for (let around = first; around instanceof Element; around = parentNodeOf(around)) {
        if (/^(visible|clip)/.test(getComputedStyle(around).overflow) || around === rootOf(document)) continue;
        const { left, top } = getBoundingClientRect.call(around);
        return axis ? [top + around.clientTop, clientHeightOf(around)] : [left + around.clientLeft, clientWidthOf(around)];
      }
      const root = rootOf(document);
      return [0, axis ? clientHeightOf(root) : clientWidthOf(root)];
    }

    // From beginning to end.

    const observed = { __proto__: null, childList: true, subtree: true, attributeFilter: movers };
    const observer = new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === "attributes") heat(target);
        else added.push(...[...addedNodes].filter((node) => node instanceof Element));
      }
    });
    const undoing = [() => observer.disconnect()];
    function listen(types, handler) {
      for (const type of types) {
        addEventListener.call(window, type, handler, how);
        undoing.push(() => removeEventListener.call(window, type, handler, how));
      }
    }
    observer.observe(document, observed);
    listen(inputs, onInput);
    listen(["pointerdown", "pointerup", "pointercancel"], onContact);
    listen(["scroll"], onScroll);
    if (onlines) {
      const timer = setInterval(() => handOut(false), handingOut);
      undoing.push(() => clearInterval(timer));
    }
    const root = rootOf(document);
    if (root) added.push(root);

    return {
      read,
      declared,
      nameOf: (element) => known.get(element)?.name,
      quiet: () => ({
        quiet_ms: rounded(clock() - lastChange), contacts: contacts.size,
        moving: list.filter((facts) => facts.isItem && clock() - facts.changed < movingFor).map((facts) => facts.name),
      }),
      stop() {
        for (const undo of undoing) undo();
        tellRows();
        const count = (selector) => querySelectorAll.call(document, selector).length;
        put(nanoseconds(clock()), {
          event: "uncovered", elements: list.length, skipped, movers: unkept,
          canvas: count("canvas, video"), iframes: count("iframe, frame"),
        });
        handOut(true);
        if (header) onlines(declared().join("\n") + "\n");
      },
    };
  }

  kymo.auto = (parts, options) => finder = makeFinder(parts, options);
  /** For how many milliseconds nothing has changed, how many contacts are down, and which items move. */
  kymo.quiet = () => finder?.quiet();
  /** An element's name in the lines; undefined of one that is not known. */
  kymo.nameOf = (element) => finder?.nameOf(element);
})();
