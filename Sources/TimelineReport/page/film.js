// The pictures of a clip, which lie behind the stage.

/** Decoded pictures that are kept. */
const keptPictures = 64;
/** So many pictures are decoded ahead. */
const aheadPictures = 4;
/** How far apart the lines of a hatched place are, in pixels. */
const hatchStep = 7;

class Film {
  /**
   * @param {{ t: number[], pictures: string[] }} data
   * @param {() => void} changed called whenever another picture can be shown
   */
  constructor({ t, pictures }, changed) {
    this.t = t.map(Number);
    this.pictures = pictures;
    this.changed = changed;
    /** @type {Map<number, HTMLImageElement>} */
    this.images = new Map();
    /** @type {HTMLImageElement | null} */
    this.shown = null;
  }

  /** The picture that the screen showed at a time, or the one before while it is being decoded. */
  at(time) {
    const place = lastAtMost(this.t, time);
    if (place < 0) return null;
    for (let ahead = aheadPictures; ahead >= 0; ahead--) this.decode(place + ahead);
    const image = this.images.get(place);
    if (image?.complete && image.naturalWidth > 0) {
      this.shown = image;
      document.body.dataset.picture = String(place);
    }
    return this.shown;
  }

  decode(place) {
    const text = this.pictures[place];
    if (text === undefined) return;
    const known = this.images.get(place);
    if (known) {
      this.images.delete(place);
      this.images.set(place, known);
      return;
    }
    const image = new Image();
    image.addEventListener("load", () => this.changed());
    image.src = `data:image/jpeg;base64,${text}`;
    this.images.set(place, image);
    const [oldest] = this.images.keys();
    if (this.images.size > keptPictures && oldest !== undefined) this.images.delete(oldest);
  }
}

/** Lines across a place of a canvas, whose path is begun. */
function hatch(g, color, [left, top, width, height]) {
  g.save();
  g.clip();
  g.strokeStyle = color;
  g.lineWidth = 1;
  g.beginPath();
  // The lines of neighbours meet.
  for (let x = Math.floor((left - height) / hatchStep) * hatchStep; x < left + width; x += hatchStep) {
    g.moveTo(x, top + height);
    g.lineTo(x + height, top);
  }
  g.stroke();
  g.restore();
}

/** When elements of a clip are not seen: { id, from, to, reason }. */
function lostStretches(run) {
  const stretches = [];
  const open = new Map();
  for (const { t, kind, item, text } of run.events) {
    if (item === null) continue;
    if (kind === "video.lost" && !open.has(item)) open.set(item, { id: item, from: t, to: run.end, reason: text });
    if (kind !== "video.found" || !open.has(item)) continue;
    stretches.push({ ...open.get(item), to: t });
    open.delete(item);
  }
  return [...stretches, ...open.values()];
}
