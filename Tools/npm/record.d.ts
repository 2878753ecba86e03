// The global `kymo` of record.js and record-auto.js. Import the script for its effect: import "kymograph-recorder".

/** What a transition does at an instant. */
type KymoPhase = "idle" | "driving" | "settling";

interface KymoOptions {
  /** A CSS selector of the elements that are recorded; "auto" needs record-auto.js. "[data-kymo]" by default. */
  items?: string;
  /** The newest seconds that are kept; 60 by default. */
  seconds?: number;
  /** The most bytes of lines that are kept; 32e6 by default. */
  bytes?: number;
  /** Whether a mouse with a button down counts as a finger; true by default. */
  mouse?: boolean;
  /** A name for the session. */
  name?: string;
  /** The program that is recorded, for the header. */
  software?: string;
  /** Is asked for the progress in every frame. */
  progress?: () => number;
  /** The instant of performance.now(), in milliseconds, from which times count; the call of start() by default. */
  origin?: number;
  /** Is told the milliseconds that reading a frame took. */
  onframe?: (milliseconds: number) => void;
}

interface KymoValueOptions {
  /** The instant, in milliseconds of performance.now(); now by default. */
  time?: number;
  /** The phase, if it is not that of the newest event. */
  phase?: KymoPhase;
  /** The unit of the values with this name; the newest one counts. */
  unit?: string;
}

interface Kymo {
  /** Begins a recording, and forgets the one before. */
  start(options?: KymoOptions): void;
  /** Ends the recording and returns its lines. */
  stop(): string;
  /** Records a value of the page's own. A value that is not finite is left out. */
  value(name: string, value: number, options?: KymoValueOptions): void;
  /** Records an event: start, finish, cancel and completion change the phase. `when` is in milliseconds. */
  event(kind: string, fields?: Record<string, unknown>, when?: number): void;
  /** Records the outcome of a release. `when` is in milliseconds. */
  decision(outcome: "finish" | "cancel", fields?: Record<string, unknown>, when?: number): void;
  /** The lines so far. */
  text(): string;
  /** Saves the lines so far as a file; "recording.ndjson" by default. */
  download(name?: string): void;
  /** Puts the lines so far on the clipboard. */
  copy(): Promise<void>;
  /** Sends the lines so far to an address. */
  post(address: string): Promise<Response>;
  /** Writes the lines so far to the browser's console. */
  log(): void;
}

declare const kymo: Kymo;

interface Window {
  kymo: Kymo;
}
