// What a person says that gestures meant: kept by the browser, saved as the CSV that `kymo label --import` reads.
// Knows nothing of the report that it is on.

/** The keys that label, and what they say; null takes a label back. */
const labelKeys = { f: "finish", c: "cancel", u: "unsure", n: null };

/** A text as a cell that no spreadsheet takes for a formula, in quotes where it must be. */
function labelCell(text) {
  const cell = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]|^ | $/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The CSV of rows { uuid, transition, label, note, at }; a label of null is "none". */
function labelText(rows) {
  const lines = rows.map(({ uuid, transition, label, note, at }) =>
    [labelCell(uuid), transition, label ?? "none", labelCell(note ?? ""), at ?? ""].join(","));
  return ["uuid,transition,label,note,at", ...lines, ""].join("\n");
}

/** Whether a decision is not what was meant; null where nobody said that. */
function isWrong(label, outcome) {
  return label === "finish" || label === "cancel" ? label !== outcome : null;
}

/** What the browser keeps under a name; null if that is nothing, undefined if it keeps nothing at all or what is no JSON. */
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return undefined;
  }
}

/** Has the browser keep a value under a name, undefined forgets it; false if it keeps nothing. */
function keep(name, value) {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** The labels that were given in this browser, on whichever report; without its storage, until the report is closed. */
class LabelBook {
  constructor() {
    this.own = new Map();
  }

  key(uuid, transition) {
    return `kymograph.label ${transition} ${uuid}`;
  }

  /** What was said of a transition here: { label, note, at }, label null where one was taken back; else undefined. */
  get(uuid, transition) {
    const key = this.key(uuid, transition);
    if (this.own.has(key)) return this.own.get(key);
    const said = kept(key) ?? {};
    if (!Object.values(labelKeys).includes(said.label) || Number.isNaN(Date.parse(said.at))) return undefined;
    return { label: said.label, note: typeof said.note === "string" ? said.note : null, at: said.at };
  }

  /** Says something of a transition. */
  set(uuid, transition, label, note, at = new Date().toISOString()) {
    const key = this.key(uuid, transition);
    const said = { label, note, at };
    this.own.set(key, said);
    // What the browser does not keep stays until the report is closed, and can be saved.
    keep(key, said);
  }

  /** Takes what was said back to what it was before; undefined: nothing. */
  restore(uuid, transition, said) {
    if (said) {
      this.set(uuid, transition, said.label, said.note, said.at);
      return;
    }
    this.own.delete(this.key(uuid, transition));
    keep(this.key(uuid, transition), undefined);
  }

  /** What holds of a transition: what was said here, unless the recording has something newer. */
  holding(uuid, transition, recorded) {
    const said = this.get(uuid, transition);
    return said && !(recorded?.at && Date.parse(recorded.at) > Date.parse(said.at)) ? said : recorded;
  }
}

/** Has the browser save a text as a file. */
function saveText(text, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
