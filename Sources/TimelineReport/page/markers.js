// What is derived from a run once: markers, gestures, the expected interval.

/** Events whose kind says little by itself. */
const eventNames = {
  install: "layout installed", completion: "transition complete", animationCompletion: "animation complete",
  bounds: "viewport resized", inset: "content inset changed", queued: "waiting", retarget: "turned around",
  "video": "clip begins", "video.lost": "not found", "video.found": "found again", "video.repeated": "picture repeated",
  "video.held": "held", "video.lift": "lifted before this picture",
  gestureBegan: "gesture began", gestureEnded: "gesture ended", gestureCancelled: "gesture cancelled",
};

/** The release of a gesture of which no decision is known. */
const liftWords = "release: the finger lifts, derived from its contact without a recorded decision";

/** Fills a run with what is derived from it; marks are what the report points at. */
function prepare(run, marks) {
  addStoryCurves(run);
  run.lost = lostStretches(run);
  // A session without frames is stepped through by the values of its first key.
  const first = run.keys.findIndex((key) => key.blocks.length > 0);
  run.stepTimes = run.frameCount === 0 && first >= 0 ? run.curve(first).t : run.frameTimes;
  run.keyIndex = new Map(run.keys.map((key, index) => [key.name, index]));
  const markers = [];
  run.gestures = [];
  let open = null;
  for (const event of run.events) {
    const name = Object.hasOwn(eventNames, event.kind) ? eventNames[event.kind] : plain(event.kind, 24);
    const words = event.text ? `${name}: ${plain(event.text, 240)}` : name;
    const short = event.text ? `${name}: ${plain(event.text, 60)}` : name;
    if (event.kind === "gestureBegan") {
      open = { from: event.t, to: run.end, isOpen: true };
      run.gestures.push(open);
    } else if (open && (event.kind === "gestureEnded" || event.kind === "gestureCancelled")) {
      Object.assign(open, { to: event.t, isOpen: false });
      open = null;
    }
    const kind = { start: "start", settle: "settle", mark: "mark", error: "warning", warning: "warning" }[event.kind];
    if (kind) markers.push({ t: event.t, kind, words, short: kind === "mark" ? plain(event.text || "mark", 60) : short });
    else if (event.kind.startsWith("gesture")) markers.push({ t: event.t, kind: "gesture", words, short });
    else if (!["decision", "finish", "cancel", "invalidate", "layoutCall"].includes(event.kind)) {
      markers.push({ t: event.t, kind: "other", words, short });
    }
  }
  for (const decision of run.decisions) {
    markers.push({ t: decision.t, kind: "release", decision });
  }
  if (run.decisions.length === 0) for (const t of releasesOf(run)) markers.push({ t, kind: "lift", words: liftWords, short: "lift" });
  for (const { t, text } of marks) {
    markers.push({ t: Number(t), kind: "warning", words: plain(text, 240), short: plain(text, 60) });
  }
  for (const { t, text, isFault } of run.story?.lines ?? []) {
    if (isFault && t !== null) markers.push({ t: Number(t), kind: "fault", words: `fault: ${plain(text, 240)}`, short: plain(text, 60) });
  }
  run.stretches = stretchesOf(run);
  run.markers = markers.sort((a, b) => a.t - b.t);
  run.expected = run.expectedInterval ?? 0;
}

/** What a marker says in a list and in a lane; a release's time is on the report's clock, as its place is.
 * @param {Marker} marker */
function markerWords(marker, { run, shift }) {
  return marker.decision ? `release: ${releaseWords(marker.decision, run, shift)}` : marker.words;
}

/** @param {Marker} marker */
function markerShort(marker, { shift }) {
  return marker.decision ? `${marker.decision.outcome} ${seconds(marker.t - shift)} s` : marker.short;
}
