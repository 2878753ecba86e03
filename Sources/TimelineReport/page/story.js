// The story of a run's motion: its lines at the head, each a link to its instant.

/** Lines of a story that the head tells of at once: of one run, of each of two, of one on a phone. The others unfold. */
const linesAtFirst = { one: 6, two: 1, narrow: 1 };

/** When a run was let go, on its own clock: by its decisions, or where it has none, by the drags of its story. */
function releasesOf({ decisions, story }) {
  const lifts = (story?.curves ?? []).flatMap(({ drags }) => drags.map(({ lift }) => Number(lift)));
  const times = decisions.length > 0 ? decisions.map(({ t }) => t) : lifts;
  return [...new Set(times)].sort((a, b) => a - b);
}

/** @param {Player} player */
function fillStories(player) {
  for (const run of player.runs) if (run.story) fillStory(player, run);
}

/** @param {Player} player */
function fillStory(player, run) {
  const { did, verdict, lines } = run.story;
  const isPair = player.runs.length > 1;
  const box = element("section", null, byId("stories"));
  box.className = "story";
  box.setAttribute("aria-label", `${player.head(run, ": ")}the story of the motion`);
  const judged = (parent) => {
    if (isPair) element("b", `${run.letter}: `, parent);
    const told = element("b", `motion: ${plain(verdict, 80)}`, parent);
    if (lines.some(({ isFault }) => isFault)) told.className = "fault";
  };
  const listed = (some, parent) => {
    const list = element("ul", null, parent);
    for (const line of some) storyLine(player, run, line, list);
  };
  const doneWords = `; did: ${plain(did, 800)}`;
  // On a phone two runs have a line each.
  const isShort = isPair && narrowWindow.matches;
  const count = isShort ? 0 : narrowWindow.matches ? linesAtFirst.narrow : isPair ? linesAtFirst.two : linesAtFirst.one;
  if (!isShort) {
    const head = element("p", null, box);
    judged(head);
    element("span", doneWords, head);
    listed(lines.slice(0, count), box);
  }
  if (lines.length <= count) return;
  const details = element("details", null, box);
  const summary = element("summary", null, details);
  if (isShort) judged(summary);
  element("span", isShort ? doneWords : `and ${plural(lines.length - count, "more line")}`, summary);
  listed(lines.slice(count), details);
}

/** @param {Player} player */
function storyLine(player, run, { t, text, isFault }, list) {
  const row = element("li", null, list);
  if (isFault) row.className = "fault";
  const words = plain(text, 800);
  if (t === null) {
    element("span", words, row);
    return;
  }
  const link = element("a", words, row);
  const instant = element("span", null, row);
  instant.className = "instant";
  player.releaseTexts.push(() => {
    const time = Number(t) - player.layerOf(run).shift;
    link.href = `#t=${(time / 1e9).toFixed(6)}`;
    instant.textContent = ` ${seconds(time)} s`;
  });
  link.addEventListener("click", (event) => {
    // A link that is opened in another window goes there by its address.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(player, run, Number(t));
  });
}
