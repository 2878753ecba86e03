// Labels of the releases on this report: D, then F, C, U or N labels the release at the cursor.

class Labelling {
  /** @param {Player} player */
  constructor(player) {
    this.player = player;
    this.book = new LabelBook();
    this.isAsking = false;
    this.hasRows = this.rows().length > 0;
  }

  /** What holds of a release: { label, note, at }. */
  of(run, decision) {
    const { label, note, labelAt } = decision;
    return this.book.holding(run.uuid, decision.transition, { label, note, at: labelAt });
  }

  /** The release of the run in front that is nearest to the cursor; undefined without any. */
  nearest() {
    const { run, shift } = this.player.front;
    const decision = run.nearestDecision(this.player.time + shift);
    return decision && { run, decision, shift };
  }

  ask() {
    if (!this.nearest()) return;
    this.player.pause();
    this.isAsking = true;
    this.tell();
  }

  /** Takes the key after D; false where it is none of these, which ends the question. */
  answer(key) {
    this.isAsking = false;
    if (Object.hasOwn(labelKeys, key)) this.set(labelKeys[key]);
    else this.tell();
    return Object.hasOwn(labelKeys, key) || key === "Escape";
  }

  set(label) {
    const near = this.nearest();
    if (!near) return;
    const { uuid } = near.run;
    this.book.set(uuid, near.decision.transition, label, label === null ? null : this.of(near.run, near.decision).note);
    this.hasRows = true;
    this.tell();
    tellReleases(this.player);
  }

  /** The rows of the CSV: everything that holds here, and what was taken back. */
  rows() {
    const rows = new Map();
    for (const run of this.player.runs) {
      for (const decision of run.decisions) {
        const held = this.of(run, decision);
        const { transition } = decision;
        if (held.label === null && this.book.get(run.uuid, transition) === undefined) continue;
        rows.set(`${transition} ${run.uuid}`, { uuid: run.uuid, transition, ...held });
      }
    }
    return [...rows.values()];
  }

  save() {
    saveText(labelText(this.rows()), "labels.csv");
  }

  /** Which release is at the cursor, and what it meant. */
  tell() {
    const near = this.nearest();
    byId("labelling").hidden = near === undefined;
    if (!near) return;
    const { label } = this.of(near.run, near.decision);
    const letter = this.player.runs.length > 1 ? `${near.run.letter}, ` : "";
    const words = this.isAsking
      ? "What was meant? F finish, C cancel, U unsure, N no label"
      : `${letter}release at ${seconds(near.decision.t - near.shift)} s: ${near.decision.outcome}`
        + (isWrong(label, near.decision.outcome) ? ", against the label" : "");
    // Read out when it changes, not at each step.
    if (byId("label-words").textContent !== words) byId("label-words").textContent = words;
    byId("meant").value = label ?? "";
    byId("save-labels").disabled = !this.hasRows;
    Object.assign(document.body.dataset, { meant: label ?? "", asking: String(this.isAsking) });
  }
}

/** What a release's button says of its label.
 * @param {Player} player */
function meantWords(player, run, decision) {
  const { label } = player.labelling.of(run, decision);
  return label === null ? "" : `, meant ${label}${isWrong(label, decision.outcome) ? " ✗" : ""}`;
}
