// What a person says of runs: that one becomes the golden one, and what a gesture was meant to do.

/** Accepted runs and labels, kept by the browser, and how to take the last of them back. */
class Marks {
  constructor() {
    this.place = `kymograph-review ${review.id}`;
    this.undone = [];
    // By golden session, since only one run can take its place; a run without one by itself.
    this.accepted = new Map();
    this.labels = new LabelBook();
    // What the book said of rows, whose every question is one to the browser's storage.
    this.said = new Map();
    this.isKept = true;
    this.read();
  }

  /** Reads what was kept; what is not as this report writes it counts for nothing. */
  read() {
    const before = kept(this.place);
    if (before === undefined) this.isKept = false;
    for (const [name, run] of Object.entries(before?.accepted ?? {})) {
      if (typeof run === "string") this.accepted.set(name, run);
    }
  }

  keep() {
    if (!keep(this.place, { accepted: Object.fromEntries(this.accepted) })) this.isKept = false;
  }

  /** Accepts a run, or none, in the place of a golden session. */
  put(name, run) {
    if (run === undefined) this.accepted.delete(name);
    else this.accepted.set(name, run);
    this.keep();
  }

  /** Takes the last change back; what it was, or null. */
  undo() {
    const last = this.undone.pop();
    last?.undo();
    return last?.words ?? null;
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
    if (review.golden === null) return "The review has no golden recording that could take the session.";
    if (!row.isRun) return `Only a session can be accepted, and this one is ${row.state}.`;
    if (/[\r\n]/.test(row.path)) return "A file whose name has a line break cannot be in a list.";
    const name = this.target(row);
    const words = `${plain(row.name ?? row.file, 40)}: accepting`;
    const before = this.accepted.get(name);
    this.undone.push({ words, undo: () => this.put(name, before) });
    if (this.isAccepted(row)) {
      this.put(name, undefined);
      return "Not accepted any more.";
    }
    this.put(name, this.run(row));
    if (!row.golden) return "Accepted as a new golden session.";
    return before === undefined ? "Accepted." : `Accepted instead of ${plain(before, 80)}.`;
  }

  /** What was said of a run's release here; undefined: nothing. */
  label(row) {
    if (!row.isRun || row.outcome === null) return undefined;
    const name = `${row.uuid} ${row.transition}`;
    if (!this.said.has(name)) this.said.set(name, this.labels.get(row.uuid, row.transition));
    return this.said.get(name);
  }

  /** Labels the release of a run, null takes a label back; what was done, in words. */
  setLabel(row, label) {
    if (!row.isRun || row.outcome === null) return "The session has no release to label.";
    const before = this.label(row);
    const { uuid, transition } = row;
    this.undone.push({
      words: `${plain(row.name ?? row.file, 40)}: its label`,
      undo: () => {
        this.said.clear();
        this.labels.restore(uuid, transition, before);
      },
    });
    this.said.clear();
    this.labels.set(uuid, transition, label, null);
    return ["finish", "cancel"].includes(label) ? `Labelled: meant to ${label}.` : `Labelled: ${label ?? "none"}.`;
  }

  isMarked(row) {
    return this.isAccepted(row) || this.label(row) !== undefined;
  }

  /** The list for `kymo golden accept`, in the order of the rows. */
  acceptList() {
    const lines = allRows.filter((row) => this.isAccepted(row)).map((row) => `${row.golden?.[1] ?? "-"} ${this.run(row)}\n`);
    return { count: new Set(lines).size, text: [...new Set(lines)].join("") };
  }

  /** The labels of the runs on this report, for `kymo label --import`. */
  labelList() {
    // Copies of a file have the same sessions.
    const said = new Map(allRows.filter((row) => this.label(row)).map((row) => [
      `${row.uuid} ${row.transition}`, { uuid: row.uuid, transition: row.transition, ...this.label(row) },
    ]));
    return { count: said.size, text: labelText([...said.values()]) };
  }
}
