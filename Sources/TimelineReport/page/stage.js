// The stage: what the display showed, drawn again from poses and touches.

/** How much of what lies outside the viewport is shown around it, as a share of its longer side. */
const marginShare = 0.06;
/** The stage's largest share of the window's height: beside the lanes, with a plot below it, above the lanes. */
const [wideShare, sharedShare, narrowShare] = [0.72, 0.34, 0.44];
/** Room for the stage's caption, in pixels. */
const captionRoom = 44;
/** Where the stage stands above the lanes, not beside them; report.css has the same width. */
const narrowWindow = matchMedia("(max-width: 860px)");
/** How long a touch's trail is, in nanoseconds. */
const trailSpan = 250e6;
const nameFont = "11px system-ui, 'DejaVu Sans', sans-serif";
/** How long a lifted touch is still shown, in nanoseconds. */
const liftedSpan = 120e6;

/** An outline this near to the filled item of its own name needs no name, in pixels. */
const sameOutline = 12;

/** The stage's largest height: all that the window leaves, less where something stands below it. */
function tallest(canvas) {
  if (narrowWindow.matches) return innerHeight * narrowShare;
  if (document.body.dataset.xyOpen === "true") return innerHeight * sharedShare;
  const top = canvas.getBoundingClientRect().top + scrollY;
  return Math.min(innerHeight * wideShare, innerHeight - top - captionRoom);
}

class StageView {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = contextOf(canvas);
    // How the content lies on the canvas, in its pixels; the viewport is that of the run in front.
    this.scale = this.ratio = 1;
    this.left = this.top = 0;
    this.room = [0, 0];
    this.viewport = [0, 0, 0, 0];
    this.isWhole = false;
    /** @type {{ item: Item, points: Point[], depth: number }[]} */
    this.places = [];
    this.fingers = [];
    this.names = [];
    /** The names of outlines. */
    this.outlined = [];
  }

  /** The topmost item at a place of the canvas; of two runs the filled one goes first. */
  itemAt(x, y) {
    const isIn = ({ points }) => {
      let inside = false;
      points.forEach(([px, py], i) => {
        const [qx, qy] = points[(i + 3) % 4];
        if (py > y !== qy > y && x < ((qx - px) * (y - py)) / (qy - py) + px) inside = !inside;
      });
      return inside;
    };
    const found = this.places.filter(isIn);
    return (found.findLast(({ depth }) => depth === 0) ?? found.at(-1))?.item ?? null;
  }

  /** Fits the canvas to the part of the content that is to be seen. */
  layOut(run, isWhole, ratio) {
    const frame = run.largestViewport ?? run.extent();
    this.isWhole = isWhole;
    const whole = run.extent();
    const content = isWhole
      ? { width: Math.max(frame.width, whole.width), height: Math.max(frame.height, whole.height) } : frame;
    const margin = isWhole ? 0 : marginShare * Math.max(frame.width, frame.height);
    const width = Math.max(1, content.width + 2 * margin);
    const height = Math.max(1, content.height + 2 * margin);
    const room = Math.max(40, (this.canvas.parentElement?.clientWidth ?? 0) - 6);
    const most = Math.max(220, Math.min(tallest(this.canvas), 720));
    this.scale = Math.min(room / width, most / height);
    const shownHeight = Math.max(40, Math.round(height * this.scale));
    this.canvas.style.height = `${shownHeight + 6}px`;
    this.canvas.width = Math.max(1, Math.round(room * ratio));
    this.canvas.height = Math.max(1, Math.round(shownHeight * ratio));
    this.ratio = ratio;
    this.left = (room - width * this.scale) / 2 + margin * this.scale;
    this.top = margin * this.scale;
    this.room = [room, shownHeight];
  }

  /**
   * Draws runs at their times, the first one filled, a second one as outlines over it.
   *
   * @param layers a list of { run, time, color }.
   */
  draw(layers, colors, options) {
    const g = this.context;
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.clearRect(0, 0, this.room[0], this.room[1]);
    g.textBaseline = "middle";
    this.places = [];
    this.fingers = [];
    this.names = [];
    this.outlined = [];
    layers.forEach((layer, depth) => this.drawLayer(layer, depth, colors, options));
    // Outlines go around the names of what is filled.
    if (layers.length > 1) this.names = this.names.filter((name) => this.isUncovered(name));
    if (layers.length > 1) for (const name of this.names) this.writeName(name, true);
    this.keepOutlined();
    for (const name of this.outlined) this.writeOutlined(name, colors);
    if (options.touches) layers.forEach((layer, depth) => this.drawFingers(layer, depth, colors, layers.length > 1));
  }

  /**
   * Where in the content a run is seen from.
   *
   * @returns {Point}
   */
  origin({ run, time }) {
    const place = run.placeAt(time);
    return place < 0 ? [0, 0] : [run.frames.x[run.order[place]], run.frames.y[run.order[place]]];
  }

  /**
   * How a run's points lie on the canvas. The point itself is moved: thousands are, for each picture.
   *
   * @returns {(point: Point) => Point}
   */
  lay(layer) {
    const [x, y] = this.isWhole ? [0, 0] : this.origin(layer);
    const { left, top, scale } = this;
    return (point) => {
      point[0] = left + (point[0] - x) * scale;
      point[1] = top + (point[1] - y) * scale;
      return point;
    };
  }

  drawFingers(layer, depth, colors, isPair) {
    const color = depth === 0 ? colors.touch : layer.color;
    this.drawTouches(layer.run, layer.time, this.lay(layer), this.origin(layer), color, colors, isPair ? (depth > 0 ? 15 : -15) : 0);
  }

  drawLayer(layer, depth, colors, options) {
    const { run, time, color } = layer;
    const g = this.context;
    const place = run.placeAt(time);
    const view = run.viewportAt(time) ?? run.extent();
    const at = this.lay(layer);
    const [left, top] = at(this.origin(layer));
    if (depth === 0) {
      g.fillStyle = colors.paper;
      g.fillRect(left, top, view.width * this.scale, view.height * this.scale);
      const picture = run.film?.at(time);
      if (picture) g.drawImage(picture, left, top, view.width * this.scale, view.height * this.scale);
    }
    const poses = place < 0 ? [] : run.poses(run.order[place]);
    poses.sort((a, b) => a.z - b.z || a.item - b.item);
    for (const pose of poses) this.drawItem(run, pose, depth, at, color, colors, options);
    if (depth === 0) this.drawLost(run, time, at, colors);
    if (depth === 0) this.drawViewport([left, top], view, colors);
    if (options.chosen) this.drawChosen(run.handleOf(options.chosen), run, depth, colors);
  }

  drawItem(run, pose, depth, at, color, colors, options) {
    const points = pose.hidden && !options.hidden ? null : corners(pose);
    if (!points) return;
    const g = this.context;
    for (let i = 0; i < 4; i++) at(points[i]);
    const item = run.items.get(pose.item);
    if (item) this.places.push({ item, points, depth });
    if (!this.isOnCanvas(points)) return;
    const alpha = Math.min(1, Math.max(0, pose.alpha));
    if (depth === 0 && run.film && !pose.hidden) {
      this.drawOverFilm(item, points, colors, options);
      return;
    }
    if (depth > 0 || pose.hidden || alpha === 0) {
      outline(g, points);
      g.setLineDash(depth > 0 && !pose.hidden ? [] : [3, 3]);
      g.globalAlpha = pose.hidden || alpha === 0 ? 0.35 : 0.35 + 0.65 * alpha;
      if (depth > 0) {
        // On a rim, so that it is seen on an item of its own colour.
        g.lineWidth = 4;
        g.strokeStyle = colors.paper;
        g.stroke();
      }
      g.lineWidth = depth > 0 ? 2 : 1;
      g.strokeStyle = depth > 0 ? color : colors.soft;
      g.stroke();
      g.setLineDash([]);
      g.globalAlpha = 1;
      if (depth > 0 && options.names && item && !pose.hidden && alpha > 0) this.placeOutlined(item, points, color, alpha);
      return;
    }
    g.globalAlpha = alpha;
    g.fillStyle = item?.fill ?? colors.soft;
    g.lineWidth = 1;
    g.strokeStyle = colors.ink;
    if (pose.matrix) {
      outline(g, points);
      g.fill();
      g.globalAlpha = alpha * 0.45;
      g.stroke();
    } else {
      // A rectangle takes a third of the time of a path.
      const [[x, y], , [right, bottom]] = points;
      g.fillRect(x, y, right - x, bottom - y);
      g.globalAlpha = alpha * 0.45;
      g.strokeRect(x, y, right - x, bottom - y);
    }
    g.globalAlpha = 1;
    if (options.names && item) this.drawName(item, points, alpha);
  }

  /**
   * Whether some part of a figure of four corners may lie on the canvas.
   *
   * @param {Point[]} points
   */
  isOnCanvas([[x1, y1], [x2, y2], [x3, y3], [x4, y4]]) {
    return Math.max(x1, x2, x3, x4) > -2 && Math.min(x1, x2, x3, x4) < this.room[0] + 2
      && Math.max(y1, y2, y3, y4) > -2 && Math.min(y1, y2, y3, y4) < this.room[1] + 2;
  }

  /** An outline over the picture of a clip, on a rim that is seen on any picture. */
  drawOverFilm(item, points, colors, options) {
    const g = this.context;
    for (const [width, color] of [[4, colors.paper], [2, item?.fill ?? colors.accent]]) {
      outline(g, points);
      g.lineWidth = width;
      g.strokeStyle = color;
      g.stroke();
    }
    if (!options.names || !item) return;
    this.drawName(item, points, 1);
    const name = this.names.at(-1);
    if (name?.item === item) this.writeName(name, true);
  }

  /** Where elements were last, hatched while they are not seen. */
  drawLost(run, time, at, colors) {
    for (const { id, from, to } of run.lost) {
      if (time < from || time >= to) continue;
      const place = run.placeAt(from - 1);
      const poses = place < 0 ? [] : run.poses(run.order[place]);
      const pose = poses.find(({ item }) => run.items.get(item)?.id === id);
      const points = pose && corners(pose)?.map(at);
      if (!points) continue;
      const [x, y] = [points.map(([px]) => px), points.map(([, py]) => py)];
      const [left, top] = [Math.min(...x), Math.min(...y)];
      outline(this.context, points);
      hatch(this.context, colors.error, [left, top, Math.max(...x) - left, Math.max(...y) - top]);
    }
  }

  /** A frame around the chosen item, over all others. */
  drawChosen(handle, run, depth, colors) {
    const g = this.context;
    for (const { item, points, depth: own } of this.places) {
      if (own !== depth || item !== run.items.get(handle)) continue;
      for (const [width, color] of [[6, colors.paper], [3, colors.ink]]) {
        outline(g, points);
        g.lineWidth = width;
        g.strokeStyle = color;
        g.stroke();
      }
    }
  }

  drawName(item, points, alpha) {
    const across = Math.hypot(points[1][0] - points[0][0], points[1][1] - points[0][1]);
    const down = Math.hypot(points[3][0] - points[0][0], points[3][1] - points[0][1]);
    if (across < 26 || down < 12) return;
    const g = this.context;
    g.font = nameFont;
    // Names mostly differ at their ends.
    const text = fitted(g, item.label, across - 6, true);
    if (!text) return;
    const [width, height] = [g.measureText(text).width, 14];
    const left = (points[0][0] + points[2][0] - width) / 2;
    const top = (points[0][1] + points[2][1] - height) / 2;
    this.names.push({ item, text, left, top, width, height, alpha });
    this.writeName(this.names.at(-1), false);
  }

  /** Writes a name, on a plate of its item's colour where outlines may lie over it. */
  writeName({ item, text, left, top, width, height, alpha }, hasPlate) {
    const g = this.context;
    g.font = nameFont;
    g.globalAlpha = alpha;
    g.textAlign = "left";
    if (hasPlate) {
      g.fillStyle = item.fill;
      g.fillRect(left - 3, top, width + 6, height);
    }
    g.fillStyle = "#000";
    g.fillText(text, left, top + height / 2);
    g.globalAlpha = 1;
  }

  /** Whether a name lies in the viewport, and no filled item over it. */
  isUncovered({ item, left, top, width, height }) {
    const [x, y, across, down] = this.viewport;
    const y0 = top + height / 2;
    return left > x && left + width < x + across && y0 > y && y0 < y + down
      && [left, left + width / 2, left + width].every((x0) => this.itemAt(x0, y0) === item);
  }

  /** The viewport's edge; what lies outside is veiled. */
  drawViewport([left, top], view, colors) {
    const g = this.context;
    const [width, height] = [view.width * this.scale, view.height * this.scale];
    this.viewport = [left, top, width, height];
    g.fillStyle = colors.stage;
    g.globalAlpha = this.isWhole ? 0.35 : 0.72;
    g.beginPath();
    g.rect(0, 0, this.room[0], this.room[1]);
    g.rect(left, top, width, height);
    g.fill("evenodd");
    g.globalAlpha = 1;
    g.strokeStyle = colors.soft;
    g.lineWidth = 1.5;
    g.strokeRect(left, top, width, height);
  }

  /** Fingers with their trails and numbers; of two runs the numbers stand away to either side, so that none hides another. */
  drawTouches(run, time, at, offset, color, colors, away) {
    const g = this.context;
    for (const [number, reports] of run.contacts) {
      const last = lastAtMost(reports, time, ({ t }) => t);
      if (last < 0) continue;
      const now = reports[last];
      const isDown = now.phase < 2;
      if (!isDown && time - now.t > liftedSpan) continue;
      const point = (report) => at([report.x + offset[0], report.y + offset[1]]);
      g.strokeStyle = g.fillStyle = color;
      g.lineWidth = 2;
      g.globalAlpha = 0.5;
      g.beginPath();
      for (let i = last; i >= 0 && time - reports[i].t <= trailSpan; i--) {
        const [px, py] = point(reports[i]);
        if (i === last) g.moveTo(px, py);
        else g.lineTo(px, py);
      }
      g.stroke();
      let [px, py] = point(now);
      // The number stands on a full disc, so that it can be read on any item; of a lifted finger the disc is pale.
      g.globalAlpha = isDown ? 1 : 0.45;
      if (away !== 0) {
        g.beginPath();
        g.arc(px, py, 11, 0, 2 * Math.PI);
        g.stroke();
        px += away;
        py -= Math.abs(away);
      }
      dot(g, px, py, 11);
      g.strokeStyle = g.fillStyle = colors.paper;
      g.beginPath();
      g.arc(px, py, 12, 0, 2 * Math.PI);
      g.stroke();
      g.font = "bold 13px system-ui, sans-serif";
      g.textAlign = "center";
      g.fillText(String(number), px, py);
      g.globalAlpha = 1;
      this.fingers.push({ number, x: px, y: py, isDown });
    }
  }

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
  }

  /** Those of the outlines' names that lie in the viewport, and over no other name. */
  keepOutlined() {
    const [x, y, across, down] = this.viewport;
    const kept = [];
    for (const name of this.outlined) {
      const isIn = name.left > x && name.left + name.width < x + across && name.top > y && name.top + name.height < y + down;
      const isFree = [...this.names, ...kept].every((other) => other.left > name.left + name.width + 6
        || other.left + other.width + 6 < name.left || other.top > name.top + name.height || other.top + other.height < name.top);
      if (isIn && isFree) kept.push(name);
    }
    this.outlined = kept;
  }

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
    g.fillText(text, left, top + height / 2);
    g.globalAlpha = 1;
  }
}

/** A text cut to a width, at its end or at its beginning; empty where not even two letters fit. */
function fitted(g, text, width, keepsEnd = false) {
  if (g.measureText(text).width <= width) return text;
  const letters = Array.from(text);
  const cut = (count) => (keepsEnd
    ? "…" + letters.slice(letters.length - count).join("") : letters.slice(0, count).join("") + "…");
  let [fits, tooMany] = [1, letters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (g.measureText(cut(middle)).width <= width) fits = middle;
    else tooMany = middle;
  }
  return fits > 1 ? cut(fits) : "";
}

function isSameItem(one, other) {
  return one.id === other.id && one.category === other.category && one.kind === other.kind;
}
