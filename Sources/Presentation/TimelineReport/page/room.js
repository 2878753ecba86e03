// Where in a lane words may stand: what is drawn there is noted in cells, and words take cells that are free.

/** The side of a cell, in pixels. */
const cellSide = 2;
/** Words stand at most this far beside what they are about, in pixels. */
const farthestWords = 160;

class Room {
  constructor(width, top, height) {
    Object.assign(this, { width, top, height });
    this.across = Math.ceil(width / cellSide);
    this.down = Math.ceil(height / cellSide);
    this.cells = new Uint8Array(this.across * this.down);
    this.words = [];
  }

  /** Notes a line. */
  line(x1, y1, x2, y2) {
    // Of a line that leads far out of the lane its part beside the lane is left out.
    if (![x1, y1, x2, y2].every(Number.isFinite) || Math.max(x1, x2) < 0 || Math.min(x1, x2) > this.width) return;
    const steps = Math.min(4000, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / cellSide) || 1);
    for (let i = 0; i <= steps; i++) {
      this.take(x1 + ((x2 - x1) * i) / steps - 1, y1 + ((y2 - y1) * i) / steps - 1, 2, 2);
    }
  }

  /** Notes a rectangle. */
  take(x, y, width, height) {
    this.each(x, y, width, height, (cell) => {
      this.cells[cell] = 1;
      return true;
    });
  }

  isFree(x, y, width, height) {
    return this.each(x, y, width, height, (cell) => this.cells[cell] === 0);
  }

  /** Calls back for each cell of a rectangle until it is told false. */
  each(x, y, width, height, goesOn) {
    const [left, right] = [Math.max(0, Math.floor(x / cellSide)), Math.min(this.across - 1, Math.floor((x + width) / cellSide))];
    const top = Math.max(0, Math.floor((y - this.top) / cellSide));
    const bottom = Math.min(this.down - 1, Math.floor((y + height - this.top) / cellSide));
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) if (!goesOn(row * this.across + column)) return false;
    }
    return true;
  }

  /** Writes words near a point where nothing is drawn; false: there is no such place, and they are left out. */
  write(g, text, x, y, color) {
    g.font = "bold 11px system-ui, sans-serif";
    const [width, height] = [g.measureText(text).width, 13];
    const tops = [];
    for (let top = this.top + 2; top + height <= this.top + this.height - 1; top += 3) tops.push(top);
    tops.sort((a, b) => Math.abs(a + height / 2 - y) - Math.abs(b + height / 2 - y));
    for (let away = 8; away <= farthestWords; away += 8) {
      for (const left of [x + away, x - away - width]) {
        if (left < 0 || left + width > this.width) continue;
        const top = tops.find((one) => this.isFree(left - 2, one, width + 4, height));
        if (top === undefined) continue;
        this.take(left - 4, top - 1, width + 8, height + 2);
        this.words.push({ text, left, top, width, height });
        g.fillStyle = color;
        g.textAlign = "left";
        g.textBaseline = "middle";
        g.fillText(text, left, top + height / 2 + 0.5);
        return true;
      }
    }
    return false;
  }
}
