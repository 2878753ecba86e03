// What a report is given (RunPacking+Header.swift), and what its scripts make of it. Instants are in nanoseconds.

/** Where a block lies in the packed text, in letters, and how many rows it has. */
type Block = [start: number, length: number, rows: number];

/** A chunk of poses: where it lies, its first frame, how many frames it stands for, and how many it keeps. */
type Chunk = [start: number, length: number, first: number, frameCount: number, keptCount: number];

/** Numbers of a block: one where all are equal. */
type Column = number | Float64Array;

interface Curve {
  t: Float64Array;
  v: Float64Array;
  phase: Uint8Array;
}

/** A value with the ends of its interval. */
type Estimated = [value: number, low: number, high: number];

interface Spring {
  start: number;
  end: number;
  target: number;
  distance: number;
  velocity: number;
  stiffness: number;
  damping: number;
  words: string;
}

interface Drag {
  contact: number;
  isAcross: boolean;
  start: number;
  lift: number;
  home: number;
  last: number;
  place: number;
  middle: number;
  middleValue: number;
  lag: Estimated | null;
  lagWords: string;
  letGo: Estimated | null;
  goesOn: Estimated | null;
  speedWords: string[];
  spring: Spring | null;
  /** Where the finger was: made when it is looked at. */
  finger?: [t: number, value: number][];
}

interface Key {
  name: string;
  unit: string;
  low: number;
  high: number;
  blocks: Block[];
  holds: boolean;
  role?: string;
  /** Unpacked when it is looked at. */
  curve: Curve | null;
  /** Those of the story. */
  isTold?: true;
  item?: string;
  attribute?: string;
  drags?: Drag[];
  /** Those of the chosen element. */
  ofItem?: true;
}

interface Decision {
  t: number;
  transition: number;
  outcome: "finish" | "cancel";
  by: string;
  derived: string | null;
  rule: string | null;
  ruleOutcome: string | null;
  threshold: number | null;
  thresholdKey: string | null;
  progress: number | null;
  velocity: number | null;
  marginProgress: number | null;
  projected: number | null;
  criterion: "progress" | "velocity" | "projection" | null;
  velocityThreshold: number | null;
  velocityThresholdUnit: string | null;
  marginVelocity: number | null;
  flipProgress: number | null;
  fingerSpeeds: number[];
  fingerUnit: string;
  fingersBy: string;
  label: string | null;
  note: string | null;
  labelAt: string | null;
}

interface ReleaseEstimate {
  t: number;
  transition: number;
  key: number;
  value: number;
  velocity: number | null;
  low: number | null;
  high: number | null;
  estimator: string;
  by: string | null;
}

interface PageEvent {
  t: number;
  kind: string;
  text: string | null;
  size: [number, number] | null;
  item: string | null;
}

interface Story {
  did: string;
  verdict: string;
  lines: { t: number | null, text: string, isFault: boolean }[];
  curves: (Omit<Key, "name" | "holds" | "curve"> & { item: string, attribute: string, drags: Drag[] })[];
}

interface Table<Row> {
  columns: (keyof Row)[];
  rows: Row[keyof Row][][];
}

interface RunHeader {
  file: string;
  number: number;
  name: string | null;
  uuid: string;
  software: string;
  origin: string | null;
  clock: string;
  wallClockStart: number | null;
  refreshRate: number | null;
  viewport: [number, number] | null;
  expectedInterval: number | null;
  hitchRatio: number | null;
  hitchBand: string | null;
  lateFrames: number[];
  outcome: string | null;
  endTime: number;
  gaps: number;
  remarks: string[];
  notes: string[];
  tick: number;
  stride: number;
  lengthSteps: number;
  alphaSteps: number;
  turnSteps: number;
  divisorSteps: number;
  valueSteps: number;
  progressSteps: number;
  frameBlocks: Block[];
  touchBlocks: Block[];
  chunks: Chunk[];
  itemRows: [handle: number, id: string, category: string, kind: string | null, fill: string][];
  keys: Key[];
  recordedKeys: number;
  events: PageEvent[];
  story: Story | null;
}

interface Page {
  lag: number;
  bestLag: number | null;
  anchorA: number;
  anchorB: number;
  alignment: string;
  isStretched: boolean;
  verdict: string | null;
  marks: { t: number, text: string }[];
}

// What a run takes from its header, and what `prepare` derives from it.
interface Run extends RunHeader, DerivedRun {}

interface DerivedRun {
  stepTimes: Float64Array;
  keyIndex: Map<string, number>;
  gestures: (Span & { isOpen: boolean })[];
  stretches: (Span & { phase: number })[];
  markers: Marker[];
  expected: number;
  /** When elements of a clip are not seen. */
  lost: (Span & { id: string; reason: string | null })[];
  film: Film | null;
}

/** A report of a contact. */
interface Report {
  t: number;
  phase: number;
  x: number;
  y: number;
}

type Point = [x: number, y: number];

interface Size {
  width: number;
  height: number;
}

interface Span {
  from: number;
  to: number;
}

/** The poses of an element in a chunk: in which of its frames it is, and its numbers. */
interface PackedElement {
  item: number;
  places: Int32Array | null;
  columns: Column[];
  matrix: Column[];
}

interface Item {
  id: string;
  label: string;
  category: string;
  kind: string | null;
  fill: string;
}

interface Pose {
  item: number;
  x: number;
  y: number;
  width: number;
  height: number;
  alpha: number;
  z: number;
  hidden: boolean;
  matrix: number[] | null;
}

/** A run on the report's clock: it is ahead of that by the shift. */
interface Layer {
  run: Run;
  letter: string;
  shift: number;
  color: string;
  isSecond: boolean;
}

/** A release says what its decision says, every other marker its own words. */
type Marker = { t: number, kind: string, decision: Decision }
  | { t: number, kind: string, decision?: undefined, words: string, short: string };

interface Extent {
  low: number;
  high: number;
}

interface Lane {
  kind: "ruler" | "phases" | "markers" | "frames" | "curve" | "residual" | "folded";
  /** Of phases, markers and frames. */
  layer: Layer;
  /** Of curves and of the residual. */
  name: string;
  top: number;
  height: number;
  foot: number;
  label: { box: HTMLElement, name: HTMLElement, value: HTMLElement, range: HTMLElement };
  range: any;
  room: Room;
}

// TypeScript 4.8 does not know these of ES2023.
interface Array<T> {
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
}
