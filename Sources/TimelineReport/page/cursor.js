// What a seek and the pointer draw over the lanes: the cursor, the selection, and values.

class CursorLanes extends CurveLanes {
  /** The cursor, the values at it and the selection: all that a seek draws here. */
  drawCursor() {
    if (!this.player.isReady) return;
    const g = cleared(this.cursor, this);
    const { colors, selection } = this.player;
    if (selection) {
      const [left, right] = [selection.from, selection.to].map((time) => Math.max(gutter, this.x(time)));
      g.fillStyle = colors.select;
      g.fillRect(left, 0, right - left, this.height);
      line(g, left, 0, left, this.height, colors.soft, 1);
      line(g, right, 0, right, this.height, colors.soft, 1);
    }
    this.drawHover(g);
    const time = this.player.time;
    const x = this.x(time);
    line(g, x, 0, x, this.height, colors.ink, 1.5);
    for (const lane of this.lanes) {
      if (lane.kind === "curve") lane.label.value.textContent = this.valuesAt(g, lane, time, x);
      else if (lane.kind === "residual") this.residualAt(g, lane, time, x);
      else if (lane.layer) lane.label.value.textContent = this.stateAt(lane, time);
    }
    g.fillStyle = colors.ink;
    g.beginPath();
    g.moveTo(x - 5, 0);
    g.lineTo(x + 5, 0);
    g.lineTo(x, 8);
    g.fill();
  }

  /** The time under the pointer, with what the lane under it is worth there. */
  drawHover(g) {
    const box = byId("hover");
    box.hidden = !this.pointer;
    if (!this.pointer) return;
    const [x, y] = [Math.max(gutter, this.pointer[0]), this.pointer[1]];
    const time = Math.round(Math.min(this.player.end, Math.max(this.player.start, this.time(x))));
    line(g, x, 0, x, this.height, this.player.colors.soft, 1);
    // A pixel at the upper edge may begin above the first lane.
    const lane = this.lanes.findLast(({ top }) => top <= y) ?? this.lanes[0];
    const words = [this.player.axis.words(time)];
    for (const one of this.lanes) {
      if (one.kind !== "curve") continue;
      const text = this.valuesAt(g, one, time, x);
      if (one === lane) words.push(`${bothEnds(one.name, 34)} ${text} ${unitOf(one.range?.unit)}`);
    }
    if (lane.kind === "residual") words.push(`B − A: ${figure(residualAt(this.player, lane.name, time))}`);
    else if (lane.layer) words.push(this.stateAt(lane, time));
    box.textContent = words.join("\n");
    const left = x + 14 + box.offsetWidth > this.width ? x - 14 - box.offsetWidth : x + 14;
    box.style.left = `${Math.max(0, left)}px`;
    box.style.top = `${Math.max(0, Math.min(y + 14, this.height - box.offsetHeight))}px`;
  }

  /** Puts a dot on each curve of a lane at a time; the values come back in words. */
  valuesAt(g, lane, time, x) {
    const { layers } = this.player;
    const texts = [];
    for (const layer of layers) {
      const index = layer.run.keyIndex.get(lane.name);
      if (index === undefined) continue;
      const value = layer.run.shownValue(index, time + layer.shift);
      texts.push(this.player.head(layer) + valueFigure(value, lane.range));
      if (value === null || !lane.range) continue;
      g.fillStyle = layers.length > 1 ? layer.color : this.player.keyColor(lane.name);
      dot(g, x, this.y(lane, value), 4);
    }
    return texts.join("  ");
  }

  residualAt(g, lane, time, x) {
    const value = residualAt(this.player, lane.name, time);
    lane.label.value.textContent = valueFigure(value, lane.range);
    if (value === null) return;
    g.fillStyle = this.player.layers[1].color;
    dot(g, x, this.y(lane, value), 4);
  }

  stateAt(lane, time) {
    const { run, shift } = lane.layer;
    const place = run.placeAt(time + shift);
    if (lane.kind === "phases" && run.frameCount === 0) {
      return run.gestures.some(({ from, to }) => from <= time + shift && time + shift < to) ? "under way" : "none";
    }
    if (lane.kind === "phases") return place < 0 ? "not yet" : phaseNames[run.frames.phase[run.order[place]]];
    if (lane.kind === "markers") {
      const at = run.markers.findLast((marker) => marker.t <= time + shift);
      return at ? markerShort(at, lane.layer) : "none yet";
    }
    if (run.frameCount === 0) return "none";
    if (place < 1) return place < 0 ? "before the first" : "first";
    const interval = run.frameTimes[place] - run.frameTimes[place - 1];
    return `${figure(interval / 1e6)} ms${run.isHitch(place) ? ", update hitch" : ""}`;
  }
}
