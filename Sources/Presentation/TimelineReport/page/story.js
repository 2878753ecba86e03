// The story of a run's motion: its lines at the head, each a link to its instant.

/** Lines of a story that the head tells of at once: of one run, of each of two, on a phone. The others unfold. */
const linesAtFirst = { one: 6, two: 2, narrow: 1 };

/** When a run was let go, on its own clock: by its decisions, or where it has none, by the drags of its story. */
function releasesOf({ decisions, story }) {
  const lifts = (story?.curves ?? []).flatMap(({ drags }) => drags.map(({ lift }) => Number(lift)));
  const times = decisions.length > 0 ? decisions.map(({ t }) => t) : lifts;
  return [...new Set(times)].sort((a, b) => a - b);
}

function fillStories(player) {
  for (const run of player.runs) if (run.story) fillStory(player, run);
}

function fillStory(player, run) {
  const { did, verdict, lines } = run.story;
  const box = element("section", null, byId("stories"));
  box.className = "story";
  box.setAttribute("aria-label", "What moved, and how");
  const head = element("p", null, box);
  if (player.runs.length > 1) element("b", `${run.letter}: `, head);
  element("span", `${plain(did, 800)}: `, head);
  const judged = element("b", plain(verdict, 80), head);
  if (lines.some(({ isFault }) => isFault)) judged.className = "fault";
  const list = element("ul", null, box);
  const isPair = player.runs.length > 1;
  const count = narrowWindow.matches ? (isPair ? 0 : linesAtFirst.narrow) : isPair ? linesAtFirst.two : linesAtFirst.one;
  for (const line of lines.slice(0, count)) storyLine(player, run, line, list);
  const more = lines.slice(count);
  if (more.length === 0) return;
  const details = element("details", null, box);
  element("summary", count > 0 ? `and ${plural(more.length, "more line")}` : plural(more.length, "line"), details);
  const rest = element("ul", null, details);
  for (const line of more) storyLine(player, run, line, rest);
}

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
    const time = Number(t) - player.layers.find((layer) => layer.run === run).shift;
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
