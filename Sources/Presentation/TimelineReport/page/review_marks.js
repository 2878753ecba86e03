// What a person says of runs: that one becomes the golden one, and what a gesture was meant to do.

/** The labels of a gesture by their keys. */
const labelKeys = { f: "finish", c: "cancel", u: "unsure", n: "none" };

/** Accepted runs and labels, kept by the browser, and how to take the last of them back. */
class Marks {
  constructor() {
    this.place = `kymograph-review ${review.id}`;
    this.undone = [];
    // By golden session, since only one run can take its place; a run without one by itself.
    this.accepted = new Map();
    // By session and transition.
    this.labels = new Map();
    this.isKept = true;
    this.read();
  }

  /** Reads what was kept; what is not as this page writes it counts for nothing. */
  read() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.place) ?? "{}");
      for (const [name, run] of Object.entries(kept.accepted ?? {})) {
        if (typeof run === "string") this.accepted.set(name, run);
      }
      for (const [name, label] of Object.entries(kept.labels ?? {})) {
        if (Object.values(labelKeys).includes(label?.label) && typeof label.at === "string") this.labels.set(name, label);
      }
    } catch {
      this.isKept = false;
    }
  }

  keep() {
    try {
      const kept = { accepted: Object.fromEntries(this.accepted), labels: Object.fromEntries(this.labels) };
      localStorage.setItem(this.place, JSON.stringify(kept));
    } catch {
      this.isKept = false;
    }
  }

  /** Changes one entry of a map, so that it can be taken back. */
  change(map, name, value, words) {
    this.undone.push({ map, name, before: map.get(name), words });
    if (value === undefined) map.delete(name);
    else map.set(name, value);
    this.keep();
  }

  /** Takes the last change back; what it was, or null. */
  undo() {
    const last = this.undone.pop();
    if (!last) return null;
    if (last.before === undefined) last.map.delete(last.name);
    else last.map.set(last.name, last.before);
    this.keep();
    return last.words;
  }

  /** A run as a line of the accept list names it. */
  run(row) {
    return `${row.path}#${row.uuid}`;
  }

  /** Whose place a run takes: that of a golden session, or none, so that it is added. */
  target(row) {
    return row.golden ? row.golden[1] : `- ${this.run(row)}`;
  }

  isAccepted(row) {
    return row.isRun && this.accepted.get(this.target(row)) === this.run(row);
  }

  /** Accepts a run, or takes that back; what was done, in words. */
  accept(row) {
    if (!row.isRun) return `Only a run can be accepted; this one is ${row.state}.`;
    if (/[\r\n]/.test(row.path)) return "A file whose name has a line break cannot stand in a list.";
    const name = this.target(row);
    const words = `${plain(row.name ?? row.file, 40)}: accepting`;
    if (this.isAccepted(row)) {
      this.change(this.accepted, name, undefined, words);
      return "Not accepted any more.";
    }
    const before = this.accepted.get(name);
    this.change(this.accepted, name, this.run(row), words);
    if (!row.golden) return "Accepted as a new golden session.";
    return before === undefined ? "Accepted." : `Accepted in place of ${plain(before, 80)}.`;
  }

  label(row) {
    return row.transition === null || !row.isRun ? null : this.labels.get(`${row.uuid} ${row.transition}`)?.label ?? null;
  }

  /** Labels the release of a run; what was done, in words. */
  setLabel(row, label) {
    if (!row.isRun || row.outcome === null) return "There is no release to label.";
    const name = `${row.uuid} ${row.transition}`;
    const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    this.change(this.labels, name, { label, at }, `${plain(row.name ?? row.file, 40)}: its label`);
    return ["finish", "cancel"].includes(label) ? `Labelled: meant to ${label}.` : `Labelled: ${label}.`;
  }

  isMarked(row) {
    return this.isAccepted(row) || this.label(row) !== null;
  }

  /** The list for `kymo accept`, in the order of the rows. */
  acceptList() {
    const lines = allRows.filter((row) => this.isAccepted(row)).map((row) => `${row.golden?.[1] ?? "-"} ${this.run(row)}\n`);
    return { count: new Set(lines).size, text: [...new Set(lines)].join("") };
  }

  /** The labels of the runs on this page, for `kymo label --import`. */
  labelList() {
    const names = new Set(allRows.filter((row) => this.label(row) !== null).map((row) => `${row.uuid} ${row.transition}`));
    const lines = [...names].map((name) => {
      const [uuid, transition] = name.split(" ");
      const { label, at } = this.labels.get(name);
      return [uuid, transition, label, "", at].join(",") + "\n";
    });
    return { count: lines.length, text: "uuid,transition,label,note,at\n" + lines.join("") };
  }
}

/** Has the browser save a text as a file. */
function saveText(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
