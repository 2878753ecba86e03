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
  const { getAnimations: getShadowAnimations } = ShadowRoot.prototype;
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
  const [childrenOf, shadowRootOf, localNameOf, assignedSlotOf] = getters(Element.prototype, "children", "shadowRoot", "localName", "assignedSlot");
  const [childrenOfRoot] = getters(DocumentFragment.prototype, "children");
  const [scrollLeftOf, scrollTopOf, clientWidthOf, clientHeightOf] = getters(
    Element.prototype, "scrollLeft", "scrollTop", "clientWidth", "clientHeight");
  const [widthOf, heightOf] = getters(HTMLElement.prototype, "offsetWidth", "offsetHeight");
  const [parentElementOf, nodeTypeOf, nodeValueOf] = getters(Node.prototype, "parentElement", "nodeType", "nodeValue");
  const { getClientRects } = Element.prototype;
  const [rootOf, bodyOf, scrollingElementOf, readyStateOf, activeElementOf] = getters(
    Document.prototype, "documentElement", "body", "scrollingElement", "readyState", "activeElement");

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
  /** How many times as large as an item a thing is that covers it. One of its like goes above and under others. */
  const leastCover = 1.5;
  const places = [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]];
  const longestName = 40;
  /** How many elements around a touched one are asked for what they leave to the browser. */
  const mostAround = 16;
  /** So many children at most are looked at to know whether something of an element is in view. */
  const mostSeenIn = 64;
  /** The most items of a row. */
  const mostInRow = 200;
  /** Elements that show nothing. */
  const unshown = new Set([
    "head", "script", "style", "meta", "link", "title", "noscript", "template", "br", "wbr", "option",
  ]);
  /** How many hidden elements with what is in them are looked at in a frame after something was changed. */
  const mostHidden = 200;
  /** What a style changes that is no geometry. */
  const looks = [
    "color", "backgroundColor", "backgroundImage", "backgroundPosition", "borderColor", "borderRadius", "boxShadow",
    "filter", "backdropFilter", "clipPath", "outline", "textDecoration", "fill", "stroke", "strokeDashoffset",
    "fontSize", "fontWeight",
  ];
  /** Those that go on to what is inside. */
  const inherited = new Set(["color", "fill", "stroke", "fontSize", "fontWeight"]);
  /** What of an element's ::before and ::after is asked. */
  const pseudoLooks = [
    "content", "transform", "left", "top", "width", "height", "opacity", "backgroundColor", "borderColor", "boxShadow",
  ];
  /** How many elements' looks are read in a frame, how many beside a touched one, and how many changes are told. */
  const mostStyled = 32, mostBeside = 12, mostChanges = 2000;
  /** How many elements' looks are read before an action, so that a later change of them is seen. */
  const mostBaselines = 100;
  /** What changed so shortly before the first input changes by itself, in milliseconds. */
  const ambientFor = 1000;
  /** How often a canvas is looked at, in milliseconds, and the side of the picture that is made of it. */
  const canvasEvery = 100, canvasSide = 12;
  /** Attributes that show something by themselves, by the element. */
  const showing = { __proto__: null, img: /^src(set)?$/, source: /^src(set)?$/, progress: /^(value|max)$/, meter: /^value$/ };
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
  const united = ([x, y, width, height], [x2, y2, width2, height2]) => {
    const [left, top] = [Math.min(x, x2), Math.min(y, y2)];
    return [left, top, Math.max(x + width, x2 + width2) - left, Math.max(y + height, y2 + height2) - top];
  };
  const holds = (other, box) => isSame(other, united(other, box));
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
    /** Whether anything of it could be seen while it was an item. */
    wasSeen = false;
    /** What its styles showed last, and those of its ::before and ::after. */
    looks;
    pseudos;
    /** How an svg showed its drawing when it was first there, and with which part of it. */
    drawn;
    /** How its transform scaled what it carries, of one without a size of its own. */
    scale0 = 1;
    turned;
    carrier;
    /** Its z-index before it was an item, and all of its boxes since; what has covered these; false if it may be seen. */
    zIndex0;
    reach;
    cover;

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
    let reading, lastRead, shown = new Map(), scrolling, shownAt, hasFailed = false;
    /** What the elements around each finger's landing left to the browser then, and whether it took a finger. */
    const landings = new Map();
    let isTaken = false;
    let lastChange = clock(), contacts = new Set(), animated = new WeakSet(), orders = new Map();
    let byTransition = new Map(), comparedIn = 0;
    /** The shadow roots whose animations are asked for: the document's are without them. */
    const shadows = new Set();
    /** Roots that left the document since the newest frame, hidden elements in what is shown, and hosts without a root. */
    let left = [], hidden = new Set(), hosts = new Set(), isMutated = false;
    /** What changed since the newest frame, beside geometry, by element; and what did so before anything was done. */
    let changes = new Map(), changeCount = 0, firstInput, lastInput = -Infinity, ambient = new Map();
    /** Elements whose looks are read until an instant, and those that are animated without an end. */
    let styled = new Map(), endless = new Set();
    /** Fields of forms with what they hold, and canvases with a picture of what they show. */
    let fields = new Map(), canvases = new Map(), lastCanvas = -Infinity, pencil, expectedAt = -Infinity;
    /** The element that has the focus, and whether the newest input was a key. */
    let focused, isByKey = false;
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

    /** Whether an element without a name took the place of one that is alike, within a frame. */
    const isExchanged = (old, element) => left.some((root) => contains.call(root, old))
      && getAttribute.call(old, "class") === getAttribute.call(element, "class");

    /** Comes to know an element. One of the same name as one that is gone is the same item, and so is one that is exchanged. */
    function learn(element, parent, place, isNew) {
      const name = localNameOf(element);
      if (unshown.has(name)) return undefined;
      const id = getAttribute.call(element, "data-kymo") || getAttribute.call(element, "id");
      const key = id ? `#${id}` : `${parent?.key ?? ""}>${name}:${place}`;
      let facts = known.get(element);
      if (!facts) {
        const old = byPlace.get(key);
        if (old && !isConnectedOf(old.element) && (id || isExchanged(old.element, element))) {
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
        learnRoot(element, name);
        if (/^(input|select|textarea)$/.test(name)) fields.set(facts, fieldOf(element));
        if (name === "canvas") canvases.set(facts, undefined);
      }
      facts.key = key;
      // What stands in a slot goes with the slot.
      facts.parent = known.get(assignedSlotOf(element)) ?? parent;
      facts.depth = facts.parent ? facts.parent.depth + 1 : 0;
      return facts;
    }

    /** Observes what is in a host's shadow. A host may get one later. */
    function learnRoot(element, name) {
      const root = shadowRootOf(element);
      if (root) {
        observer.observe(root, observed);
        shadows.add(root);
      }
      if (root) hosts.delete(element);
      else if (name.includes("-")) hosts.add(element);
      return root;
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

    /** What is in the shadows that hosts have got since. */
    function childrenOfHosts() {
      return [...hosts].flatMap((host) => {
        const root = isConnectedOf(host) ? learnRoot(host, localNameOf(host)) : undefined;
        return root ? [...childrenOfRoot(root)] : [];
      });
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

    /** Where an svg's drawing is in the document, when another part of it is shown than at first. */
    function drawingOf({ element, drawn, base, from }, box, frame) {
      const part = getAttribute.call(element, "viewBox");
      if (!drawn || part === drawn.part) return box;
      const { a, d, e, f } = drawn.matrix, now = element.getScreenCTM();
      if (!now || !a || !d) return box;
      const across = now.a / a, down = now.d / d;
      return [
        (drawn.box[0] - from[0] - e) * across + now.e + frame.x, (drawn.box[1] - from[1] - f) * down + now.f + frame.y,
        drawn.box[2] * across, drawn.box[3] * down,
      ];
    }

    /** Whether an element without a size is shown, and has others in it that it carries. */
    const isBearing = (element) => childrenOf(element).length > 0 && getClientRects.call(element).length > 0;
    const isShown = (element, box) => !isEmpty(box) || isBearing(element);

    /** How the nearest read element around another one carries it. */
    function carrierOf({ parent }) {
      while (parent && !parent.isActive) parent = parent.parent;
      return parent ? parent.inner : still;
    }

    /** Looks at all boxes once: of those in view the likeliest to move, then the largest, are read in every frame. */
    function survey(frame) {
      isSurveyDue = false;
      lastSurvey = reading;
      hidden.clear();
      const ranks = [], root = rootOf(document), width = clientWidthOf(root), height = clientHeightOf(root);
      for (const facts of list) {
        const { element, style, parent } = facts;
        facts.isWatched = false;
        if (!isConnectedOf(element)) continue;
        const box = boxOf(element, frame), isBare = isEmpty(box);
        if (isBare && !isBearing(element)) {
          facts.isSeen ??= false;
          if (!parent || parent.isSeen !== false) hidden.add(facts);
          continue;
        }
        if (!facts.base) begin(facts, box, carrierOf(facts), frame);
        const [x, y] = [box[0] - frame.x, box[1] - frame.y];
        if (!isBare && box[2] * box[3] < leastArea || x > width + margins[0] || x + box[2] < -margins[0]
          || y > height + margins[1] || y + box[3] < -margins[1]) continue;
        const signs = (style.position !== "static") + 2 * (style.transform !== "none")
          + 2 * (style.transitionDuration !== "0s") + 2 * (style.animationName !== "none")
          + 2 * (style.willChange !== "auto") + 2 * facts.canScroll + (facts.key[0] === "#");
        if (signs || !isBare) ranks.push([signs, box[2] * box[3], facts]);
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
      if (!(width || height)) {
        facts.scale0 = scaleOf(style);
        facts.turned = style.transform;
      }
      const part = element instanceof SVGSVGElement && getAttribute.call(element, "viewBox");
      const matrix = part ? element.getScreenCTM() : undefined;
      if (matrix) facts.drawn = { part, matrix, box: [x, y, width, height] };
      if (facts.isSeen !== undefined || facts.isNew) return;
      facts.box = [x, y, width, height];
      facts.alpha = +style.opacity;
      facts.isSeen = style.visibility === "visible";
    }

    const scaleOf = ({ transform }) => transform === "none" ? 1 : new DOMMatrix(transform).a || 1;
    const offsetsOf = (element) => [scrollLeftOf(element), scrollTopOf(element)];
    const offsetOf = (element) => element instanceof HTMLElement ? [widthOf(element), heightOf(element)] : [0, 0];

    /** Has an element read in every frame for a while. */
    function heat(element) {
      const facts = known.get(element);
      if (!facts) return;
      if (!facts.isActive) isStale = true;
      facts.hotUntil = Math.max(facts.hotUntil, clock() + hotFor);
    }

    /** Has an element and all in it read, when it was hidden and is there now. */
    function heatShown(frame) {
      isMutated = false;
      let count = 0;
      for (const facts of hidden) {
        if (count++ > mostHidden) break;
        if (!isConnectedOf(facts.element) || !isShown(facts.element, boxOf(facts.element, frame))) continue;
        hidden.delete(facts);
        const waiting = [facts.element];
        while (waiting.length && count++ < mostHidden) {
          const element = waiting.shift();
          heat(element);
          waiting.push(...childrenIn(element));
        }
      }
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
      if (hosts.size) added.push(...childrenOfHosts());
      if (added.length) learnAdded(lastRead === undefined);
      left = [];
      // Rules of a state, a popover or a checked field, show something without a mutation.
      if (isMutated || now - lastInput < movingFor) heatShown(frame);
      if (lastScroll && now - lastScroll > movingFor) {
        isSurveyDue = true;
        lastScroll = 0;
      }
      const isFirst = lastSurvey === -Infinity;
      if (isFirst && rootOf(document)) survey(frame);
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
          if (facts.wasSeen) lastChange = now;
        }
        if (facts.text) texts.set(facts.quoted, facts.text);
      }
      if (moving.length && moving.length <= mostCompared) compareAll(moving, frame, now);
      // How each element is carried in this frame is known by now.
      if (isSurveyDue && !isFirst && now - lastSurvey > surveyEvery) survey(frame);
      tellChanges(now, frame);
      if (shownAt && !isEqual(shownAt, scrolling)) lastChange = now;
      shownAt = scrolling;
      if (readyStateOf(document) !== "complete") lastChange = now;
      return texts;
    }

    function readElement(facts, group, frame, now, before, moving) {
      const { element, style, around } = facts;
      const box = group ?? drawingOf(facts, boxOf(element, frame), frame);
      const isThere = isShown(element, box), alpha = isThere ? +style.opacity : 0;
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
        // What turns or grows about a place of its own, without a size, stays at that place.
        if (isThere && isEmpty(box) && isEmpty(facts.base)) {
          facts.matrix = ownMatrix(facts, box, wanted, matrix);
          rides = style.transform === facts.turned;
        }
      } else {
        facts.matrix = ownMatrix(facts, box, wanted, matrix);
      }
      const hasScrolled = facts.canScroll && !isEqual(facts.scroll, offsetsOf(element));
      // What comes and goes with what is around it does not do so by itself.
      facts.hasTurned = facts.isSeen !== undefined && isSeen !== facts.isSeen;
      if (facts.hasTurned && isThere && isEmpty(box)) {
        // One without a size is not seen itself, but what is in it.
        facts.hasTurned = false;
        facts.isSeen = isSeen;
        for (const child of childrenIn(element)) {
          const inside = known.get(child);
          if (!inside) continue;
          inside.isSeen ??= false;
          heat(child);
        }
      }
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
          if (isInView(facts, box, frame) && (alpha > 0 || facts.alpha > 0)) {
            facts.wasSeen = true;
            facts.changed = lastChange = now;
            if (!rides && isSeen && !isEmpty(box)) moving.push(facts);
            if (facts.reach) facts.reach = united(facts.reach, box);
          }
        }
      }
      if (isEmpty(box)) facts.turned = style.transform;
      facts.box = isThere ? box : undefined;
      facts.scrolling = scrolling;
      facts.alpha = alpha;
      facts.isSeen = isSeen;
    }

    /** Whether a part of an element is in the window, and nothing around it is transparent. */
    function isInView({ element, parent }, box, frame) {
      const root = rootOf(document), right = clientWidthOf(root), bottom = clientHeightOf(root);
      const isInside = ([x, y, width, height]) => x - frame.x < right && y - frame.y < bottom
        && x - frame.x + width > 0 && y - frame.y + height > 0;
      // What is in it may be seen where its own box is not.
      if (!isInside(box) && !(isEmpty(box) && isBearing(element))
        && !childrenIn(element).slice(0, mostSeenIn).some((child) => isInside(boxOf(child, frame)))) return false;
      for (; parent; parent = parent.parent) {
        let isClear = frame.clear?.get(parent);
        if (isClear === undefined) {
          isClear = +parent.style.opacity > 0;
          (frame.clear ??= new Map()).set(parent, isClear);
        }
        if (!isClear) return false;
      }
      return true;
    }

    /** How an element that moves by itself carries what is in it: scaled only when its layout is not another size. */
    function ownMatrix(facts, box, wanted, [a, b]) {
      const { base, element, offset, style } = facts;
      // One without a size shows only by its transform how it carries.
      if (isEmpty(box) && isEmpty(base)) {
        const { transform } = style, matrix = new DOMMatrix(transform === "none" ? "" : transform);
        if (Math.abs(matrix.b) + Math.abs(matrix.c) > 1e-6 || !matrix.is2D) facts.isTurned = true;
        const scale = (matrix.a || 1) / facts.scale0;
        return [a * scale, b * scale, box[0] - base[0] * a * scale, box[1] - base[1] * b * scale];
      }
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
      // One without a size may turn all the same.
      if (isEmpty(box)) own.width = undefined;
      return geometry(element, own, { left: x - frame.x, top: y - frame.y, width, height }, frame);
    }

    /** Where an element was in the frame before. What is turned, and was as large, was turned likewise. */
    function placeBefore(facts, box, frame) {
      const { box: [x, y, width, height] } = facts, now = frameText(facts, box, frame);
      const [, across, down] = /"size":\[([^,]*),([^\]]*)\],"transform"/.exec(now) ?? [];
      if (across === undefined || isNear(across, width) && isNear(down, height)) return plain(facts.box);
      return now.replace(/"center":\[[^\]]*\]/, `"center":[${rounded(x + width / 2)},${rounded(y + height / 2)}]`);
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
      facts.zIndex0 ??= facts.zIndex;
      facts.reach ??= facts.box;
      if (before) {
        const was = facts.box && facts.isSeen !== false
          ? described(placeBefore(facts, box, frame), facts.alpha, facts.zIndex, true)
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
    function compare(facts, frame, now) {
      const { element, name, box: [x, y, width, height] } = facts;
      for (const [across, down] of places) {
        const stack = elementsFromPoint.call(document, x - frame.x + width * across, y - frame.y + height * down);
        const own = stack.findIndex((other) => contains.call(element, other));
        facts.cover = facts.cover !== false && coverOf(facts, stack.slice(0, Math.max(0, own)), frame);
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

    /** What covers an item and all of its way: it is larger, opaque, and as it was from the beginning. */
    function coverOf({ element, reach, box, zIndex, zIndex0, cover, style }, above, frame) {
      const inside = childrenIn(element);
      if (!reach || zIndex !== zIndex0 || style.position === "fixed" || inside.length > mostSeenIn) return false;
      const boxes = [reach, ...inside.map((child) => boxOf(child, frame))];
      const found = above.map((other) => known.get(other)).find((other) => {
        if (!other?.isActive || other.isItem || other.isNew || !other.box) return false;
        return other.box[2] * other.box[3] > leastCover * box[2] * box[3] && other.style.zIndex === other.zIndex
          && boxes.every((one) => isEmpty(one) || holds(other.box, one)) && isOpaque(other, reach, frame);
      });
      return !!found && (cover === undefined || cover === found) && found;
    }

    /** Whether an element hides all that is behind it in a box. */
    function isOpaque(facts, box, frame) {
      const { backgroundColor, borderRadius } = facts.style;
      if (!backgroundColor.startsWith("rgb(") || borderRadius !== "0px") return false;
      for (let around = facts; around; around = around.parent) {
        const { opacity, visibility, clipPath, mixBlendMode, transform, overflow } = around.style;
        if (+opacity < 1 || visibility !== "visible" || clipPath !== "none" || mixBlendMode !== "normal") return false;
        if (transform !== "none" && !/^matrix\([^,]+, 0, 0, /.test(transform)) return false;
        if (overflow !== "visible" && !holds(boxOf(around.element, frame), box)) return false;
      }
      return true;
    }

    // What changes beside geometry.

    function note(element, what) {
      const facts = known.get(element);
      if (facts && changeCount < mostChanges) changes.set(facts, (changes.get(facts) ?? new Set()).add(what));
    }

    /** Notes what a mutation changes that its element shows. */
    function noteMutation({ type, target, attributeName, addedNodes, removedNodes }) {
      if (type === "characterData") {
        heat(parentElementOf(target));
        return note(parentElementOf(target), "text");
      }
      if (type === "attributes") {
        if (attributeName === "style" || attributeName === "class") return watchLooks(target);
        const isSVG = target instanceof SVGElement;
        if (isSVG && !/^(id|data-|aria-|tabindex|role)/.test(attributeName)) note(target, `svg ${cleaned(attributeName)}`);
        if (showing[localNameOf(target)]?.test(attributeName)) note(target, /^src/.test(attributeName) ? "image" : "value");
        return undefined;
      }
      const isText = (node) => nodeTypeOf(node) === 3 && nodeValueOf(node).trim();
      if ([...addedNodes, ...removedNodes].some(isText)) note(target, "text");
      for (const node of removedNodes) {
        if (!(node instanceof Element)) continue;
        left.push(node);
        const facts = known.get(node);
        if (facts?.isSeen && facts.box && !facts.isItem) note(node, "removed");
      }
      return undefined;
    }

    /** Has an element's looks, and those of what is in it, read in every frame for a while. */
    function watchLooks(element) {
      for (const one of [element, ...childrenIn(element).slice(0, mostBeside)]) {
        const facts = known.get(one);
        if (!facts) continue;
        styled.delete(facts);
        styled.set(facts, clock() + hotFor);
        // Whether that shows anything is not known.
        if (!facts.looks && one === element) note(one, "unread");
      }
      while (styled.size > 2 * mostStyled) styled.delete(styled.keys().next().value);
    }

    /** Reads what may answer an action on an element, before that happens. */
    function expect(element, isWhole = true) {
      if (!(element instanceof Element) || !isWhole && clock() - expectedAt < ambientFor) return;
      expectedAt = clock();
      for (const facts of isWhole ? list.filter(({ isWatched }) => isWatched).slice(0, mostBaselines) : []) {
        if (isConnectedOf(facts.element)) facts.looks = looksOf(facts);
      }
      const parent = parentElementOf(element), near = [...parent ? childrenIn(parent).slice(0, mostBeside) : [], element];
      for (let around = parent, count = 0; around && count < 4; around = parentElementOf(around), count++) near.push(around);
      for (const one of [...near, ...childrenIn(element).slice(0, mostBeside), bodyOf(document)]) {
        const facts = known.get(one);
        if (!facts) continue;
        facts.looks = looksOf(facts, true);
        styled.set(facts, clock() + hotFor);
      }
    }

    /** What an element's styles show, by name. */
    function looksOf(facts, hasPseudo = facts.looks?.["::before"] !== undefined) {
      const { element, style } = facts, found = { __proto__: null };
      for (const name of looks) found[name] = style[name];
      for (const pseudo of hasPseudo ? ["::before", "::after"] : []) {
        const own = (facts.pseudos ??= new Map()).get(pseudo) ?? getComputedStyle(element, pseudo);
        facts.pseudos.set(pseudo, own);
        found[pseudo] = /^(none|normal)$/.test(own.content) ? "" : pseudoLooks.map((name) => own[name]).join();
      }
      return found;
    }

    /** What a field of a form holds, of which no line tells more than that it is another. */
    const fieldOf = ({ value, checked, selectedIndex }) => `${checked} ${selectedIndex} ${value}`;

    /** Notes the focus where it shows: at a field for text, or moved by a key. */
    function noteFocus() {
      const element = activeElementOf(document);
      if (element === focused) return;
      focused = element;
      if (!element || element === bodyOf(document)) return;
      const isText = !/^(checkbox|radio|button|submit|reset|range|color|file|image)$/.test(element.type);
      if (isByKey || isText && /^(input|textarea)$/.test(localNameOf(element))) note(element, "focus");
    }

    function noteFields() {
      for (const [facts, held] of fields) {
        const now = fieldOf(facts.element);
        if (now === held) continue;
        fields.set(facts, now);
        note(facts.element, now.split(" ", 1)[0] === held.split(" ", 1)[0] ? "value" : "checked");
      }
    }

    function noteLooks(now) {
      let count = 0;
      const changed = new Map();
      for (const [facts, until] of [...styled].reverse()) {
        if (until < now || !isConnectedOf(facts.element)) styled.delete(facts);
        else if (count++ < mostStyled) {
          const before = facts.looks, seen = facts.looks = looksOf(facts);
          if (before) changed.set(facts, Object.keys(seen).filter((name) => name in before && before[name] !== seen[name]));
        }
      }
      for (const [facts, names] of changed) {
        for (const name of names) {
          const isInherited = inherited.has(name) && changed.get(facts.parent)?.includes(name);
          if (!isInherited) note(facts.element, name);
        }
      }
    }

    /** Notes canvases that show another picture, as far as a page's script may see it. */
    function noteCanvases(now) {
      if (!canvases.size || now - lastCanvas < canvasEvery) return;
      lastCanvas = now;
      for (const [facts, before] of [...canvases].slice(0, 2)) {
        try {
          pencil ??= new OffscreenCanvas(canvasSide, canvasSide).getContext("2d", { willReadFrequently: true });
          pencil.clearRect(0, 0, canvasSide, canvasSide);
          pencil.drawImage(facts.element, 0, 0, canvasSide, canvasSide);
          const picture = pencil.getImageData(0, 0, canvasSide, canvasSide).data.join();
          if (before !== undefined && picture !== before) note(facts.element, "canvas");
          canvases.set(facts, picture);
        } catch {
          canvases.delete(facts);
        }
      }
    }

    /** Writes down what changed in a frame beside geometry, of what can be seen. */
    function tellChanges(now, frame) {
      noteFocus();
      noteFields();
      noteLooks(now);
      noteCanvases(now);
      for (const [facts, names] of changes) {
        const { element, name } = facts, isRemoved = names.has("removed") && !isConnectedOf(element);
        if (!isRemoved) names.delete("removed");
        // What changed by itself before anything was done goes on to do so.
        if (firstInput === undefined) {
          ambient.set(facts, now);
          continue;
        }
        if (firstInput - (ambient.get(facts) ?? -Infinity) < ambientFor) continue;
        const box = isRemoved ? facts.box : boxOf(element, frame);
        if (!box || box[2] < 2 || box[3] < 2 || !isInView(facts, box, frame)) continue;
        if (!isRemoved && (facts.style.visibility !== "visible" || !+facts.style.opacity)) continue;
        for (const what of names) {
          changeCount++;
          kymo.event("change", { item: name, what }, now);
        }
        if (!endless.has(element)) lastChange = now;
      }
      changes = new Map();
    }

    /** Writes down each animation once it has a start. The boxes of view transitions' groups, by element. */
    function readAnimations(now, frame) {
      const groups = new Map();
      endless.clear();
      const animations = [...getAnimations?.call(document) ?? []];
      for (const root of shadows) animations.push(...getShadowAnimations?.call(root) ?? []);
      for (const animation of animations) {
        const { effect } = animation;
        if (!effect?.target) continue;
        const timing = effect.getComputedTiming(), pseudo = effect.pseudoElement || "";
        if (timing.activeDuration === Infinity) endless.add(effect.target);
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
      lastInput = clock();
      if (/^(keydown|click)$/.test(input.type)) isByKey = input.type === "keydown";
      if (input.type === "keydown") expect(activeElementOf(document));
      if (/^(touchstart|keydown|click)$/.test(input.type)) firstInput ??= clock();
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
      firstInput ??= clock();
      if (type === "pointerdown") {
        contacts.add(pointerId);
        expect(composedPathOf(pointer)[0], false);
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

    const observed = { __proto__: null, childList: true, subtree: true, attributes: true, characterData: true };
    const observer = new MutationObserver((records) => {
      isMutated = true;
      for (const record of records) {
        const { type, target, addedNodes } = record;
        if (target instanceof Element) heat(target);
        if (type === "childList") added.push(...[...addedNodes].filter((node) => node instanceof Element));
        noteMutation(record);
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
      expect,
      nameOf: (element) => known.get(element)?.name,
      quiet: () => ({
        quiet_ms: rounded(clock() - lastChange), contacts: contacts.size,
        moving: list.filter((facts) => facts.isItem && clock() - facts.changed < movingFor).map((facts) => facts.name),
      }),
      stop() {
        for (const undo of undoing) undo();
        tellRows();
        const unseen = list.filter(({ isItem, wasSeen, text }) => (isItem || text) && !wasSeen).map(({ name }) => name);
        if (unseen.length) put(nanoseconds(clock()), { event: "invisible", items: unseen });
        for (const { name, isItem, cover, reach } of list) {
          if (isItem && cover && !cover.isItem && isConnectedOf(cover.element) && holds(cover.box, reach)) put(nanoseconds(clock()), { event: "covered", item: name, by: cover.name });
        }
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
  /** Looks at what may answer an action on an element, before that happens. */
  kymo.expect = (element) => finder?.expect(element);
  /** An element's name in the lines; undefined of one that is not known. */
  kymo.nameOf = (element) => finder?.nameOf(element);
})();
