// Which curves are lanes, and in which order: what a finger drives, what is at fault, then the others.

/** Curves of keys that are shown at first, where a session has many. */
const curvesAtFirst = 4;
/** So many curves of the story are shown at first. */
const toldAtFirst = 4;
/** How early a curve of the story stands; keys stand before the last of these. */
const roleRank = { subject: 0, fault: 1, other: 3 };
const keyRank = 2;
/** Curves that never change become lanes by so many at once. */
const constantsAtOnce = 20;

/** Adds the curves of a run's story to its keys, each under a name that no key has. */
function addStoryCurves(run) {
  const names = new Set(run.keys.map(({ name }) => name));
  for (const curve of run.story?.curves ?? []) {
    let name = `${plain(curve.item, 40)}: ${curve.attribute}`;
    while (names.has(name)) name += "\u2032";
    names.add(name);
    for (const drag of curve.drags) {
      for (const instant of ["start", "lift", "last", "middle"]) drag[instant] = Number(drag[instant]);
      for (const instant of drag.spring ? ["start", "end"] : []) drag.spring[instant] = Number(drag.spring[instant]);
    }
    run.keys.push({ ...curve, name, isTold: true, holds: false, curve: null });
  }
}

Object.assign(Player.prototype, {
  /** The keys of a name, one of each run that has it. */
  keysNamed(name) {
    return this.runs.flatMap((run) => run.keys.filter((key) => key.name === name));
  },

  /** Puts the names of curves in order, and chooses those that are lanes at first. */
  arrangeKeys() {
    const rank = (name) => Math.min(...this.keysNamed(name).map(({ role, isTold }) => (isTold ? roleRank[role] : keyRank)));
    this.ranks = new Map(this.keyNames.map((name) => [name, rank(name)]));
    this.keyNames = this.keyNames.map((name, i) => ({ name, i }))
      .sort((a, b) => this.ranks.get(a.name) - this.ranks.get(b.name) || a.i - b.i).map(({ name }) => name);
    this.constants = this.keyNames.filter((name) => this.isConstant(name));
    // How large the content is, and its insets, are there for whoever looks for them.
    const shown = this.keyNames.filter((name) => this.hasValues(name) && !this.constants.includes(name)
      && !/^viewport\.content(Size|Inset)\./.test(name));
    const isFirst = (name) => this.ranks.get(name) < keyRank;
    this.chosen = new Set([
      ...shown.filter(isFirst).slice(0, toldAtFirst), ...shown.filter((name) => !isFirst(name)).slice(0, curvesAtFirst),
    ]);
  },

  /** Whether a key has one and the same value all along, in all runs that have it. */
  isConstant(name) {
    const keys = this.keysNamed(name).filter(({ blocks }) => blocks.length > 0);
    return keys.length > 0 && keys.every(({ low, high }) => low === keys[0].low && high === low);
  },

  /** The constant curves that are not lanes of their own. */
  foldedNames() {
    return this.constants.filter((name) => !this.chosen.has(name));
  },

  /** Folds the constant curves, or makes lanes of the first of them. */
  foldConstants(isFolded) {
    const isShown = (name) => (isFolded ? this.chosen.has(name) && !this.constants.includes(name)
      : this.chosen.has(name) || this.constants.slice(0, constantsAtOnce).includes(name));
    this.chosen = new Set(this.keyNames.filter(isShown));
    fillKeyBoxes(this);
    this.lanes.arrange();
    this.draw();
  },
});

Object.assign(LanesView.prototype, {
  /** One line for all curves that never change. */
  folded(g, lane) {
    const { player } = this;
    const words = player.foldedNames().map((name) => {
      const [{ low, unit }] = player.keysNamed(name).filter(({ blocks }) => blocks.length > 0);
      return `${bothEnds(name, 34)} ${figure(low)} ${unitOf(unit)}`.trimEnd();
    });
    this.words(g, words.join(" · "), gutter, this.width, lane.top + lane.height / 2, player.colors.soft);
  },

  /** The button that folds or unfolds them. */
  foldButton(box) {
    const { constants } = this.player;
    const isFolded = this.player.foldedNames().length === constants.length;
    const button = element("button", isFolded ? `${plural(constants.length, "constant")} ▸` : "constants ▾", box);
    button.type = "button";
    button.className = "fold";
    button.title = isFolded ? "Show the curves that never change" : "Fold the curves that never change";
    button.setAttribute("aria-expanded", String(!isFolded));
    button.addEventListener("click", () => {
      this.player.foldConstants(!isFolded);
      this.labels.querySelector(".fold")?.focus({ preventScroll: true });
    });
  },
});
