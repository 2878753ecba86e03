// Opens the report: its head, the keys, and what the address keeps after its #.

const marks = new Marks();
const table = new Table(marks);
/** What is asked for: rows of a kind, words, an order. */
const asked = { show: "all", words: "", order: "worst" };
/** Whether the next key is a label. */
let isLabelling = false;
/** Waits until the address is kept; 0 where nothing waits. */
let keeping = 0;
/** Milliseconds between two of them. */
const addressPause = 250;

function say(words) {
  byId("status").textContent = words;
}

/** Shows the rows that are asked for. */
function refresh() {
  table.show(chosenRows(asked, marks));
  fillHead();
}

/** What a mark changes: the counts and the rows, but for those that it would take from under the eyes. */
function redraw() {
  table.draw();
  fillHead();
}

function fillHead() {
  const filters = byId("filters");
  filters.replaceChildren();
  for (const show of ["all", ...states, "marked", "unmarked"]) {
    const count = allRows.reduce((sum, row) => sum + (sieves[show](row, marks) ? 1 : 0), 0);
    if (count === 0 && show !== asked.show) continue;
    const button = element("button", `${show} ${count}`, filters);
    button.type = "button";
    button.dataset.show = show;
    button.setAttribute("aria-pressed", String(show === asked.show));
  }
  for (const button of byId("head").querySelectorAll("button")) {
    const isOwn = asked.order.replace(/^-/, "") === button.dataset.order;
    const isDown = Boolean(orders[button.dataset.order].isDown) !== asked.order.startsWith("-");
    button.closest("th")?.setAttribute("aria-sort", isOwn ? (isDown ? "descending" : "ascending") : "none");
  }
  byId("shown").textContent = table.rows.length === allRows.length
    ? plural(allRows.length, "row") : `${table.rows.length} of ${plural(allRows.length, "row")}`;
  const [accepted, labelled] = [marks.acceptList().count, marks.labelList().count];
  byId("save-accept").textContent = `Save accept.txt (${accepted})`;
  byId("save-accept").disabled = accepted === 0;
  byId("save-labels").textContent = `Save labels.csv (${labelled})`;
  byId("save-labels").disabled = labelled === 0;
  byId("undo").disabled = marks.undone.length === 0;
}

// MARK: The address

function fragment() {
  const parts = [];
  if (asked.show !== "all") parts.push(`show=${asked.show}`);
  if (asked.words !== "") parts.push(`q=${encodeURIComponent(asked.words)}`);
  if (asked.order !== "worst") parts.push(`sort=${asked.order}`);
  if (table.row && table.selected > 0) parts.push(`run=${encodeURIComponent(table.row.key)}`);
  return `#${parts.join("&")}`;
}

/** Keeps the address at once. */
function keepAddress() {
  clearTimeout(keeping);
  keeping = 0;
  history.replaceState(null, "", fragment());
}

/** Keeps it soon: browsers refuse what comes with every repeat of a key. */
function keepAddressSoon() {
  keeping ||= setTimeout(keepAddress, addressPause);
}

function followAddress() {
  const parts = new Map(addressParts(location.hash));
  const text = (name) => decoded(parts.get(name) ?? "");
  asked.show = Object.hasOwn(sieves, text("show")) ? text("show") : "all";
  asked.words = text("q");
  asked.order = Object.hasOwn(orders, text("sort").replace(/^-/, "")) ? text("sort") : "worst";
  byId("search").value = asked.words;
  refresh();
  const place = table.rows.findIndex((row) => row.key === text("run"));
  table.select(Math.max(0, place), false);
}

// MARK: What can be done

/** The words for a shell that stand for a text. */
function quoted(text) {
  return /^[A-Za-z0-9_.,/:@%+=#-]+$/.test(text) && !/^[-#]/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** How the full report of a run is made. */
function pageCommand(row) {
  const named = (path, session) => quoted(/^-/.test(path) ? `./${path}#${session}` : `${path}#${session}`);
  const golden = row.golden && row.isRun ? `${named(review.golden, row.golden[0])} ` : "";
  const align = golden !== "" && review.alignment !== "start" ? ` --align ${review.alignment}` : "";
  return `kymo report ${golden}${named(row.path, row.session)} -o run.html${align}`;
}

function openRow(row) {
  if (!row) return;
  if (row.page !== null) {
    keepAddress();
    location.href = row.page;
    return;
  }
  if (row.session === null || row.state === "unreadable") {
    say(plain(row.worst ?? "", 400));
    return;
  }
  byId("command-text").value = pageCommand(row);
  byId("command").showModal();
  byId("command-text").select();
}

function save(name, { count, text }) {
  if (count === 0) {
    say(name === "accept.txt" ? "No session is accepted yet. Press A to accept one." : "No gesture is labelled yet. Press D and a letter to label one.");
    return;
  }
  saveText(text, name);
  const command = name === "accept.txt"
    ? `kymo golden accept accept.txt --golden ${quoted(plain(review.golden, 200))}` : "kymo label --import labels.csv FILE";
  say(`Saved ${name}, ${plural(count, "line")}. Next: ${command}`);
}

function undo() {
  const words = marks.undo();
  say(words === null ? "There is nothing to undo." : `Undone: ${words}.`);
  redraw();
}

function sortBy(order) {
  asked.order = asked.order === order && order !== "worst" ? `-${order}` : order;
  refresh();
  keepAddressSoon();
  say(`Sorted by: ${orders[order].name}${asked.order.startsWith("-") ? ", reversed" : ""}.`);
}

// MARK: Keys

const actions = {
  j: () => table.select(table.selected + 1, true),
  k: () => table.select(table.selected - 1, true),
  g: () => table.select(0, true),
  G: () => table.select(table.rows.length - 1, true),
  Enter: () => openRow(table.row),
  a: () => {
    if (table.row) say(marks.accept(table.row));
    redraw();
  },
  d: () => {
    isLabelling = true;
    say("Label: F finish, C cancel, U unsure, N none.");
  },
  z: undo,
  "/": () => byId("search").select(),
  w: () => sortBy("worst"),
  "?": () => byId("help").showModal(),
};
Object.assign(actions, { ArrowDown: actions.j, ArrowUp: actions.k, Home: actions.g, End: actions.G });

/** Does what a key asks for; whether it asks for anything. */
function press(key) {
  if (isLabelling) {
    isLabelling = false;
    const label = labelKeys[key.toLowerCase()];
    if (label !== undefined) {
      if (table.row) say(marks.setLabel(table.row, label));
      redraw();
      return true;
    }
    say("");
    if (key === "Escape") return true;
  }
  const action = actions[key] ?? actions[key.toLowerCase()];
  action?.();
  if (action) keepAddressSoon();
  return Boolean(action);
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog[open]") || ["Shift", "Tab"].includes(event.key)) return;
  const search = byId("search");
  if (event.target === search) {
    if (!["Escape", "Enter", "ArrowDown"].includes(event.key)) return;
    if (event.key === "Escape" && search.value !== "") {
      search.value = "";
      search.dispatchEvent(new Event("input"));
    }
    table.select(table.selected, true);
    search.blur();
    table.focus();
    event.preventDefault();
    return;
  }
  // A button is pressed by its own keys.
  if (event.target instanceof HTMLButtonElement && [" ", "Enter"].includes(event.key)) return;
  if (press(event.key)) event.preventDefault();
});

on("search", ({ target }) => {
  asked.words = target.value;
  refresh();
  keepAddressSoon();
}, "input");
on("filters", ({ target }) => {
  if (!target.dataset.show) return;
  asked.show = target.dataset.show;
  refresh();
  keepAddressSoon();
  find(`[data-show=${asked.show}]`, byId("filters"))?.focus();
});
on("head", ({ target }) => {
  if (target.dataset.order) sortBy(target.dataset.order);
});
on("rows", (event) => {
  const line = event.target.closest("tr.run");
  if (!line || event.target.closest("a")) return;
  table.select(Number(line.dataset.place), true);
  keepAddressSoon();
});
on("rows", (event) => {
  if (event.target.closest("tr.run")) openRow(table.row);
}, "dblclick");
on("save-accept", () => save("accept.txt", marks.acceptList()));
on("save-labels", () => save("labels.csv", marks.labelList()));
on("undo", undo);
on("keys", actions["?"]);
on("copy", () => {
  byId("command-text").select();
  // The older way works from a file, too.
  const isCopied = document.execCommand("copy");
  say(isCopied ? "Copied." : "The browser cannot copy from here. Copy the selected text.");
  byId("command").close();
});
addEventListener("hashchange", followAddress);

byId("verdict").textContent = plain(review.verdict.replaceAll("\n", " "), 2000);
byId("golden").textContent = review.golden === null ? "" : `Compared with ${bothEnds(review.golden, 120)}`;
if (!marks.isKept) say("The browser keeps nothing for this review. Save before you close it.");
followAddress();
document.body.dataset.state = "ready";
