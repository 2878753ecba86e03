// The table: only the rows that can be seen are in the document.

const rowHeight = 58;
/** Rows beyond the edge that are there already when it is scrolled. */
const spareRows = 8;
const curveWidth = 132;
const curveHeight = 40;

/** A curve of bytes in base64 as the path of an SVG; 255 is a gap. */
function curvePath(text) {
  const bytes = atob(text);
  let [path, isDrawn] = ["", false];
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes.charCodeAt(place);
    if (byte === 255) {
      isDrawn = false;
      continue;
    }
    const x = 2 + (place / (bytes.length - 1)) * (curveWidth - 4);
    path += `${isDrawn ? "L" : "M"}${x.toFixed(1)} ${(2 + (1 - byte / 254) * (curveHeight - 4)).toFixed(1)}`;
    // A value alone is a dot.
    if (!isDrawn) path += "h0.1";
    isDrawn = true;
  }
  return path;
}

function drawCurve(cell, [key, low, high, time, golden, run]) {
  const namespace = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(namespace, "svg");
  const words = `${plain(key, 60)}, ${figure(low)} to ${figure(high)} in ${figure(time)} s`;
  picture.setAttribute("viewBox", `0 0 ${curveWidth} ${curveHeight}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", words);
  for (const [name, curve] of [["golden", golden], ["run", run]]) {
    if (curve === "") continue;
    const path = document.createElementNS(namespace, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", curvePath(curve));
    picture.append(path);
  }
  cell.title = words;
  cell.append(picture);
  element("small", plain(key, 24), cell);
}

/** What was decided, and what in the golden session where that is another thing. */
function decisionWords(row) {
  if (row.outcome === row.goldenOutcome || row.golden === null) return row.outcome ?? "–";
  return `${row.goldenOutcome ?? "nothing"} → ${row.outcome ?? "nothing"}`;
}

/** How far beyond its limit something is. */
function ratioWords(row) {
  return row.ratio === null || row.ratio === Infinity ? "" : ` · ${figure(row.ratio)} × its limit`;
}

class Table {
  /** @param {Marks} marks */
  constructor(marks) {
    this.marks = marks;
    this.rows = [];
    this.selected = 0;
    this.body = byId("rows");
    this.scroller = byId("scroller");
    this.waiting = 0;
    this.scroller.addEventListener("scroll", () => this.drawSoon());
    addEventListener("resize", () => this.drawSoon());
  }

  /** Shows other rows; the selected one stays selected where it is among them. */
  show(rows) {
    const key = this.row?.key;
    this.rows = rows;
    const place = rows.findIndex((row) => row.key === key);
    this.select(Math.max(0, place), false);
  }

  /** The selected row; undefined where there is none. */
  get row() {
    return this.rows[this.selected];
  }

  /** Selects a row and scrolls no farther than it takes. */
  select(place, isFocused) {
    this.selected = Math.max(0, Math.min(place, this.rows.length - 1));
    const top = this.selected * rowHeight;
    const room = this.scroller.clientHeight - byId("head").offsetHeight;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    // The spacer must be there before anything can be scrolled to.
    this.draw();
    if (top + rowHeight > this.scroller.scrollTop + room) {
      this.scroller.scrollTop = top + rowHeight - room;
      this.draw();
    }
    if (isFocused) this.focus();
  }

  /** Gives the selected row the focus. */
  focus() {
    find("[aria-selected=true]", this.body)?.focus({ preventScroll: true });
  }

  drawSoon() {
    this.waiting ||= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
    const hadFocus = this.body.contains(document.activeElement);
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / rowHeight) - spareRows);
    const count = Math.ceil(this.scroller.clientHeight / rowHeight) + 2 * spareRows;
    const shown = this.rows.slice(first, first + count);
    const made = document.createDocumentFragment();
    this.addSpace(made, first);
    shown.forEach((row, index) => this.addRow(made, row, first + index));
    this.addSpace(made, this.rows.length - first - shown.length);
    if (this.rows.length === 0) element("td", "No session matches.", element("tr", null, made)).colSpan = 8;
    this.body.replaceChildren(made);
    byId("table").setAttribute("aria-rowcount", String(this.rows.length + 1));
    if (hadFocus) this.focus();
  }

  /** Stands for rows that are not in the document. */
  addSpace(parent, count) {
    if (count <= 0) return;
    const row = element("tr", null, parent);
    row.setAttribute("aria-hidden", "true");
    row.style.height = `${count * rowHeight}px`;
    row.className = "space";
  }

  addRow(parent, row, place) {
    const line = element("tr", null, parent, "run");
    const isSelected = place === this.selected;
    line.dataset.place = place;
    line.dataset.state = row.state;
    line.tabIndex = isSelected ? 0 : -1;
    line.setAttribute("aria-selected", String(isSelected));
    line.setAttribute("aria-rowindex", String(place + 2));
    const state = element("td", null, line);
    element("span", row.state, state, "state");
    if (this.marks.isAccepted(row)) element("span", "accepted", state, "mark");
    const label = this.marks.label(row);
    if (label) element("span", `label: ${label.label ?? "none"}`, state, "mark");
    const run = element("td", null, line);
    const name = row.name ?? (row.session === null ? row.path.split("/").at(-1) : `#${row.session}`);
    const title = element(row.page === null ? "b" : "a", bothEnds(name === "" ? "(without a name)" : name, 60), run);
    if (row.page !== null) title.setAttribute("href", row.page);
    title.tabIndex = -1;
    element("small", bothEnds(row.file, 72), run);
    run.title = `${plain(name, 400)}\n${plain(row.file, 1000)}${row.uuid === null ? "" : `\n${row.uuid}`}`;
    const curve = element("td", null, line, "curve");
    if (row.curve) drawCurve(curve, row.curve);
    const worst = element("td", null, line);
    worst.title = plain(row.worst ?? "", 1000);
    element("span", plain(row.worst ?? "–", 160), worst, "worst");
    const more = row.others > 0 ? `${row.others} more` : "";
    element("small", (more + ratioWords(row)).replace(/^ · /, ""), worst);
    const decision = element("td", decisionWords(row), line);
    if (row.state === "flipped") decision.className = "flipped";
    element("td", figure(row.margin), line, "number");
    element("td", row.hitch === null ? "–" : figure(row.hitch), line, "number");
    element("td", figure(row.velocity), line, "number");
  }
}
