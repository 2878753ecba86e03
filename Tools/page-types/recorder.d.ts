// What the recorder for pages knows beyond the library of TypeScript 4.8.

interface Window {
  kymo: any;
  kymoPage: any;
  navigation?: EventTarget;
}

declare var kymo: any;
/** A binding of the browser that is driven. */
declare function kymoLines(text: string): void;

// Options have no prototype, so that a page cannot add to them.
interface ResizeObserverOptions {
  __proto__?: null;
}

interface MutationObserverInit {
  __proto__?: null;
}

interface Object {
  toJSON?: unknown;
}

// What only some events, effects, animations and entries have: the recorder asks for it.
interface Event {
  pointerId: number;
  destination: { sameDocument: boolean };
  getCoalescedEvents?(): Event[];
}

interface AnimationEffect {
  target: Element | null;
  pseudoElement: string | null;
}

interface Animation {
  transitionProperty?: string;
  animationName?: string;
}

interface PerformanceEntry {
  responseStatus?: number;
}
