// Where in a lane words may stand: what is drawn there is noted in cells, and words take cells that are free.

/** The side of a cell, in pixels. */
const cellSide = 2;
/** Words stand at most this far beside what they are about, in pixels. */
const farthestWords = 160;
const wordHeight = 13;
/** The short form of words is taken where the long one would stand so much farther off, in pixels. */
const shortCost = 40;

class Room {
  constructor(from, width, top, height) {
    this.from = from;
    this.width = width;
    this.top = top;
    this.height = height;
    this.across = Math.ceil(width / cellSide);
    this.down = Math.ceil(height / cellSide);
    this.cells = new Uint8Array(this.across * this.down);
    this.words = [];
  }

  /** Notes a line; words cross a faint one where they have no other place. */
  line(x1, y1, x2, y2, isFaint = false) {
    // Of a line that leads far out of the lane its part beside the lane is left out.
    if (![x1, y1, x2, y2].every(Number.isFinite) || Math.max(x1, x2) < 0 || Math.min(x1, x2) > this.width) return;
    const steps = Math.min(4000, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / cellSide) || 1);
    for (let i = 0; i <= steps; i++) {
      this.take(x1 + ((x2 - x1) * i) / steps - 1, y1 + ((y2 - y1) * i) / steps - 1, 2, 2, isFaint ? 1 : 2);
    }
  }

  /** Notes a rectangle. */
  take(x, y, width, height, strength = 2) {
    const { cells, across } = this;
    const left = Math.max(0, Math.floor(x / cellSide));
    const right = Math.min(across - 1, Math.floor((x + width) / cellSide));
    const bottom = Math.min(this.down - 1, Math.floor((y + height - this.top) / cellSide));
    for (let row = Math.max(0, Math.floor((y - this.top) / cellSide)); row <= bottom; row++) {
      for (let cell = row * across + left; cell <= row * across + right; cell++) if (cells[cell] < strength) cells[cell] = strength;
    }
  }

  /** Whether nothing stronger is noted in a rectangle. */
  isFree(x, y, width, height, strength) {
    const { cells, across } = this;
    const left = Math.max(0, Math.floor(x / cellSide));
    const right = Math.min(across - 1, Math.floor((x + width) / cellSide));
    const bottom = Math.min(this.down - 1, Math.floor((y + height - this.top) / cellSide));
    for (let row = Math.max(0, Math.floor((y - this.top) / cellSide)); row <= bottom; row++) {
      for (let cell = row * across + left; cell <= row * across + right; cell++) if (cells[cell] > strength) return false;
    }
    return true;
  }

  /** Writes words, or their short form, near a point where nothing is drawn; without a place they are left out. */
  write(g, { text, short = text, x, y, color }) {
    g.font = "bold 11px system-ui, sans-serif";
    const forms = [...new Set([text, short])].map((form, i) => ({ form, width: g.measureText(form).width, cost: i * shortCost }));
    const place = this.nearest(forms, x, y, 0) ?? this.nearest(forms, x, y, 1);
    if (!place) return;
    const { form, left, top, width } = place;
    this.take(left - 4, top - 1, width + 8, wordHeight + 2);
    this.words.push({ text: form, left, top, width, height: wordHeight });
    g.fillStyle = color;
    g.textAlign = "left";
    g.fillText(form, left, top + wordHeight / 2 + 0.5);
  }

  /** The place with the least way to a point at which one of the forms crosses nothing stronger. */
  nearest(forms, x, y, strength) {
    let best = null;
    for (const { form, width, cost } of forms) {
      for (let away = 8; away <= farthestWords && away + cost < (best?.cost ?? Infinity); away += 8) {
        for (const left of [x + away, x - away - width]) {
          if (left < this.from || left + width > this.width) continue;
          for (let top = this.top + 2; top + wordHeight <= this.top + this.height - 1; top += 3) {
            const way = cost + away + Math.abs(top + wordHeight / 2 - y);
            if (way < (best?.cost ?? Infinity) && this.isFree(left - 2, top, width + 4, wordHeight, strength)) {
              best = { form, left, top, width, cost: way };
            }
          }
        }
      }
    }
    return best;
  }
}
