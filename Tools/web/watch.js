// Stands beside the recorder in the isolated world of a page that `kymo watch` drives: begins and ends the recording,
// hands its lines out, finds elements, and says whether all is at rest. The page does not see it.
(() => {
  "use strict";
  if (window !== top || window.kymoPage) return;

  /** The most ids that are told when an element is not there. */
  const mostIDs = 2000;
  const clock = () => performance.now();
  /** Whether the recorder hands its lines out while it records. */
  let isStreaming = false;
  let isRunning = false;
  /** Whether the recorder finds the elements, and says when they rest. */
  let isAuto = false;
  /** How many lines of a text have been handed out. */
  let handed = 0;
  /** When something changed last, and the pointers that are down. */
  let newestChange = 0;
  const down = new Set();

  /** Gives lines to the program: a binding, which this world alone has. */
  const hand = (text) => { if (text) kymoLines(text); };

  /** Begins to record. `zero` is the session's start in milliseconds since 1970; without it the document's is taken. */
  function begin({ items, zero = performance.timeOrigin }) {
    kymo.start({
      items, origin: zero - performance.timeOrigin,
      onlines: (text) => { isStreaming = true; hand(text); },
    });
    newestChange = clock();
    isRunning = true;
    isAuto = items === "auto";
    if (!isAuto) watchChanges();
    // The instant by which a trace's clock is told from the session's.
    console.timeStamp(`kymo ${performance.timeOrigin + clock() - zero}`);
  }

  /** Hands out what is new in the text of a recorder that does not stream. */
  function handNew(text) {
    if (isStreaming) return;
    const lines = text.split("\n");
    hand(lines.slice(handed).join("\n"));
    handed = lines.length - 1;
  }

  /** Ends the recording. */
  function end() {
    if (!isRunning) return;
    isRunning = false;
    handNew(kymo.stop());
  }
  addEventListener("pagehide", end);
  // When a document is hidden, nobody may take its lines any more. One that is left may stay all the same.
  window.navigation?.addEventListener("navigate", ({ destination }) => {
    if (isRunning && !destination.sameDocument) handNew(kymo.text());
  });

  /** How long nothing has changed, in milliseconds, how many pointers are down, and the names of what moves. */
  function quiet() {
    if (isAuto) return kymo.quiet();
    const moving = [];
    for (const animation of document.getAnimations?.() ?? []) {
      const { effect, playState, timeline } = animation;
      if (playState !== "running" || !(timeline instanceof DocumentTimeline)) continue;
      if (effect?.getComputedTiming().activeDuration === Infinity) continue;
      newestChange = clock();
      if (effect?.target) moving.push(nameOf(effect.target));
    }
    return { quiet_ms: clock() - newestChange, contacts: down.size, moving };
  }

  function watchChanges() {
    const changed = () => { newestChange = clock(); };
    new MutationObserver(changed).observe(document, { attributes: true, childList: true, subtree: true });
    for (const type of ["pointerdown", "pointerup", "pointercancel", "click", "keydown", "scroll"]) {
      addEventListener(type, (event) => {
        changed();
        if (type === "pointerdown") down.add(event.pointerId);
        if (type === "pointerup" || type === "pointercancel") down.delete(event.pointerId);
      }, { capture: true, passive: true });
    }
  }

  const nameOf = (element) => kymo.nameOf?.(element)
    || element.getAttribute("data-kymo") || element.id || element.localName;

  /** The first element of a selector, also within open shadow roots.
   * @param {Document | ShadowRoot} root */
  function first(selector, root = document) {
    const found = root.querySelector(selector);
    if (found) return found;
    for (const host of root.querySelectorAll("*")) {
      const inside = host.shadowRoot && first(selector, host.shadowRoot);
      if (inside) return inside;
    }
    return null;
  }

  function isWithin(element, other) {
    for (let node = element; node; node = node.parentNode ?? node.host) if (node === other) return true;
    return false;
  }

  /** What is on top at a place, also within open shadow roots. */
  function topAt(x, y) {
    let found = document.elementFromPoint(x, y);
    while (found?.shadowRoot) {
      const inside = found.shadowRoot.elementFromPoint(x, y);
      if (!inside || inside === found) break;
      found = inside;
    }
    return found;
  }

  /**
   * Where an element can be touched: the middle of its visible part, or a place counted from its upper left corner.
   * One that is outside of the window is scrolled into it. The answer is in px of the layout, as input events have them,
   * with the size of the visible part.
   */
  function locate(selector, from) {
    let element;
    try {
      element = first(selector);
    } catch {
      return { why: "selector" };
    }
    if (!element) {
      const ids = [...document.querySelectorAll("[id]")].slice(0, mostIDs).map(({ id }) => id.slice(0, 40));
      return { why: "missing", ids };
    }
    kymo.expect?.(element);
    let box = element.getBoundingClientRect();
    const isOutside = () => box.bottom <= 0 || box.top >= innerHeight || box.right <= 0 || box.left >= innerWidth;
    if (isOutside()) {
      element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      box = element.getBoundingClientRect();
    }
    if (!box.width && !box.height) return { why: "hidden" };
    const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
    const [right, bottom] = [Math.min(innerWidth, box.right), Math.min(innerHeight, box.bottom)];
    const x = from ? box.left + from[0] : (left + right) / 2, y = from ? box.top + from[1] : (top + bottom) / 2;
    const onTop = topAt(x, y);
    const isHit = !!onTop && (isWithin(onTop, element) || isWithin(element, onTop));
    return {
      x, y, width: Math.max(0, right - left), height: Math.max(0, bottom - top),
      name: nameOf(element), outside: isOutside(),
      cover: isHit || !onTop ? null : onTop.id ? `#${onTop.id}` : onTop.localName,
    };
  }

  /** What the program asks of the document. */
  function describe() {
    const [navigation] = performance.getEntriesByType("navigation");
    return {
      origin: performance.timeOrigin, now: clock(), title: document.title, state: document.readyState,
      status: navigation?.responseStatus ?? 0, width: innerWidth, height: innerHeight,
      agent: navigator.userAgent, ratio: devicePixelRatio, layout: document.documentElement?.clientWidth ?? 0,
      hasViewport: !!document.querySelector('meta[name="viewport" i]'),
    };
  }

  /** How many reports of pointers have come to this thread, be it that no frame has shown their moves to the page. */
  let reportCount = 0;
  /** Whether the browser has taken a pointer from the page, to scroll for instance. */
  let isTaken = false;
  for (const type of ["pointerdown", "pointerup", "pointercancel", "pointerrawupdate"]) {
    addEventListener(type, (event) => {
      isTaken ||= type === "pointercancel";
      reportCount += type === "pointerrawupdate" && event.getCoalescedEvents?.().length || 1;
    }, { capture: true, passive: true });
  }
  // A wheel that nobody prevents scrolls.
  addEventListener("wheel", (event) => { isTaken ||= !event.defaultPrevented; }, { passive: true });
  /** The count; -1 where the browser does not tell each move. */
  const reports = () => ({ count: isSecureContext ? reportCount : -1, isTaken });

  /** Has the finger that lands next not click: a phone takes a long press for no click. */
  function dropClick() {
    const types = ["mousedown", "mouseup", "click"], how = { capture: true };
    const drop = (event) => { event.stopImmediatePropagation(); event.preventDefault(); };
    let landings = 0;
    const count = () => {
      if (++landings < 2) return;
      for (const type of types) removeEventListener(type, drop, how);
      removeEventListener("pointerdown", count, how);
    };
    for (const type of types) addEventListener(type, drop, how);
    addEventListener("pointerdown", count, how);
  }

  window.kymoPage = { begin, end, quiet, locate, describe, reports, dropClick };
})();
