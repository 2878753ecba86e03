// The head of the report: whose runs these are, their releases in words, the verdict, facts and warnings.

function fact(list, name, value, explanation = "") {
  const row = element("div", null, list);
  const term = element("dt", name, row);
  if (explanation) term.title = explanation;
  element("dd", value, row);
}


/** Releases of a run that the head tells of; the list of markers has all. */
const releasesAtFirst = 2;
/** Warnings of a run that the head tells of. */
const warningsAtFirst = 3;

/** @param {Player} player */
function fillHeader(player) {
  const isPair = player.runs.length > 1;
  const names = player.runs.map((run) => {
    const label = `${plain(run.file)} · ${run.name ? plain(run.name) : `session ${run.number}`}`;
    return player.head(run, ": ") + label;
  });
  byId("title").textContent = names.join("   —   ");
  document.title = `${names.join(" / ")} · Kymograph`;
  fillStories(player);
  const releases = byId("releases");
  for (const run of player.runs) {
    for (const decision of run.decisions.slice(0, releasesAtFirst)) {
      const button = element("button", null, element("li", null, releases));
      button.type = "button";
      if (isPair) element("span", run.letter, button).className = "run";
      button.dataset.outcome = decision.outcome;
      element("span", decision.outcome, button).className = "outcome";
      const words = element("span", null, button);
      const told = element("span", null, words);
      const meant = element("span", null, words);
      meant.className = "meant";
      player.releaseTexts.push(() => {
        told.textContent = releaseWords(decision, run, player.layerOf(run).shift);
        meant.textContent = meantWords(player, run, decision);
      });
      button.title = "Go to the release. The velocity is that of the progress, and 1 is the whole transition. ± is its 90 % interval. The finger's velocity is that of its position";
      button.addEventListener("click", () => goTo(player, run, decision.t));
    }
    const more = run.decisions.length - releasesAtFirst;
    if (more > 0) moreReleases(`${player.head(run, ": ")}and ${plural(more, "more release")}, in the list of markers`, releases);
    if (releasesOf(run).length === 0) {
      element("p", player.head(run, ": ") + noReleaseWords(run), element("li", null, releases));
    }
  }
  tellReleases(player);
  if (player.page.verdict) {
    byId("verdict").textContent = player.page.verdict;
    byId("verdict").hidden = false;
  }
  // On a phone the stage comes first.
  byId("fact-details").open = !narrowWindow.matches;
  const facts = byId("facts");
  const rests = [];
  for (const run of player.runs) {
    if (isPair) element("div", null, facts).className = "run";
    if (isPair) fact(facts, run.letter, "");
    fact(facts, "software", plain(run.software));
    if (run.origin) fact(facts, "run again from", plain(run.origin, 400));
    fact(facts, "frames", `${run.frameCount}${run.refreshRate ? ` at ${figure(run.refreshRate)} Hz` : ""}`);
    fact(facts, "duration", `${seconds(run.end - run.start)} s`);
    fact(facts, "elements", String(run.itemRows.length));
    fact(facts, "keys", keyWords(player, run), "As kymo compare counts them: the recorded keys, and those of the viewport that change");
    if (run.gaps > 0) fact(facts, "gaps", String(run.gaps));
    fact(facts, "update hitches", hitchWords(run), hitchExplanation);
    const rest = restWords(run);
    if (rest) rests.push(player.head(run) + rest);
    if (rest) fact(facts, "last in view to rest", rest, "For the elements in view at the end. The list has all elements");
    fact(facts, "outcome", run.outcome ?? "not closed");
  }
  if (rests.length > 0) byId("fact-summary").textContent = `Facts, last in view to rest: ${rests.join(", ")}`;
  if (isPair) {
    const moved = (player.page.anchorB - player.page.anchorA) / -1e6;
    fact(facts, "aligned on", player.page.alignment + (moved ? `, which moves B by ${figure(moved)} ms` : ""));
  }
  const remarks = byId("remarks");
  if (player.page.isStretched) element("li", "The verdict compares B with its time stretched, but this report moves B as a whole.", remarks);
  for (const run of player.runs) {
    const letter = player.head(run, ": ");
    const warnings = run.markers.filter(({ kind }) => kind === "warning");
    // Their number needs no word where all stand below.
    const isCounted = warnings.length === 0 || warnings.length > warningsAtFirst;
    for (const remark of run.remarks.filter((one) => isCounted || !one.endsWith(". See kymo list events"))) {
      element("li", letter + plain(remark, 400), remarks);
    }
    for (const marker of warnings.slice(0, warningsAtFirst)) {
      const button = element("button", `${letter}at ${seconds(marker.t)} s, ${markerWords(marker, player.layerOf(run))}`, element("li", null, remarks));
      button.type = "button";
      button.addEventListener("click", () => goTo(player, run, marker.t));
    }
  }
}

/** The head's releases and lines on the report's clock, as everywhere on it: once more when B is moved.
 * @param {Player} player */
function tellReleases(player) {
  for (const tell of player.releaseTexts) tell();
}

function noReleaseWords({ outcome }) {
  return outcome === "finished" || outcome === "cancelled"
    ? "No release: no decision was recorded, and none can be derived."
    : "No release: nothing was decided in this session.";
}

/** Goes to an instant of a run's own clock.
 * @param {Player} player */
function goTo(player, run, time) {
  player.pause();
  player.seek(time - player.layerOf(run).shift);
  player.remember();
}

/** A button that opens the list of markers. */
function moreReleases(words, list) {
  const button = element("button", words, element("li", null, list));
  button.type = "button";
  button.className = "more";
  button.addEventListener("click", () => {
    byId("event-details").open = true;
    byId("event-details").scrollIntoView();
    byId("event-details").querySelector("summary")?.focus();
  });
}

/** The keys that are compared: those that were recorded, and those of the viewport that change.
 * @param {Player} player */
function keyWords(player, run) {
  const more = run.keys.slice(run.recordedKeys).filter(({ name, isTold }) => !isTold && player.keyNames.includes(name)).length;
  return more > 0 ? `${run.recordedKeys} + ${more} of the viewport` : String(run.recordedKeys);
}

const hitchExplanation = "Frames that came late while something moved, and how many milliseconds late they were in a second of motion";

/** Hitches by the times of updates: nothing here knows when the display presented them. */
function hitchWords({ late, hitchRatio, hitchBand }) {
  return hitchRatio === null ? "–" : late.size === 0 ? "none" : `${late.size} (${figure(hitchRatio)} ms/s, ${hitchBand})`;
}
