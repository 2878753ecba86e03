// The names of run B's items, at the corners of their outlines.

/** An outline this near to the filled item of its own name needs no name, in pixels. */
const sameOutline = 12;

Object.assign(StageView.prototype, {
  /** Notes the name of an outline, in its upper left corner. */
  placeOutlined(item, points, color, alpha) {
    const filled = this.places.find(({ item: other, depth }) => depth === 0 && isSameItem(other, item));
    const isNear = filled?.points.every(([x, y], i) => Math.hypot(x - points[i][0], y - points[i][1]) < sameOutline);
    const [left, top, right, bottom] = [
      Math.min(...points.map(([x]) => x)), Math.min(...points.map(([, y]) => y)),
      Math.max(...points.map(([x]) => x)), Math.max(...points.map(([, y]) => y))];
    const g = this.context;
    g.font = nameFont;
    const text = isNear || bottom - top < 16 ? "" : fitted(g, item.label, right - left - 8, true);
    if (text) this.outlined.push({ item, text, left: left + 4, top: top + 2, width: g.measureText(text).width, height: 14, color, alpha });
  },

  /** Those of the outlines' names that lie in the viewport, and over no other name. */
  keepOutlined() {
    const [x, y, across, down] = this.viewport ?? [0, 0, 0, 0];
    const kept = [];
    for (const name of this.outlined) {
      const isIn = name.left > x && name.left + name.width < x + across && name.top > y && name.top + name.height < y + down;
      const isFree = [...this.names, ...kept].every((other) => other.left > name.left + name.width + 6
        || other.left + other.width + 6 < name.left || other.top > name.top + name.height || other.top + other.height < name.top);
      if (isIn && isFree) kept.push(name);
    }
    this.outlined = kept;
  },

  /** Writes it in the run's colour on a plate of paper. */
  writeOutlined({ text, left, top, width, height, color, alpha }, colors) {
    const g = this.context;
    g.font = nameFont;
    g.globalAlpha = 0.85;
    g.fillStyle = colors.paper;
    g.fillRect(left - 2, top, width + 4, height);
    g.globalAlpha = 0.35 + 0.65 * alpha;
    g.fillStyle = color;
    g.textAlign = "left";
    g.textBaseline = "middle";
    g.fillText(text, left, top + height / 2);
    g.globalAlpha = 1;
  },
});

function isSameItem(one, other) {
  return one.id === other.id && one.category === other.category && one.kind === other.kind;
}
