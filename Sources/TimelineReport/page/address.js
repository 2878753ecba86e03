// What the address keeps after its #, so that it can be sent to somebody: the time and how it is looked at.

/** The address's fragment for what is shown now.
 * @param {Player} player */
function fragmentOf(player) {
  const parts = [`t=${(player.time / 1e9).toFixed(6).replace(/0{1,3}$/, "")}`];
  if (player.axis.kind !== "start") parts.push(`axis=${player.axis.kind}`);
  if (player.ranges.mode !== "own") parts.push(`y=${player.ranges.mode}`);
  for (const name of player.keyNames) {
    const hand = player.ranges.byHand.get(name);
    if (hand) parts.push(`range=${encodeURIComponent(name)},${hand.low},${hand.high}`);
  }
  if (player.item) parts.push(`item=${encodeURIComponent(player.item.id)}`);
  if (player.xy.isOpen) parts.push(`xy=${player.xy.names.map(encodeURIComponent).join(",")}`);
  return `#${parts.join("&")}`;
}

/** Shows what the address says, and goes to its time; false where it names none.
 * @param {Player} player */
function followAddress(player, fragment) {
  const parts = addressParts(fragment);
  const all = (name) => parts.filter(([one]) => one === name).map(([, value]) => value);
  setAxis(player, all("axis")[0] ?? "start");
  const id = decoded(all("item")[0] ?? "");
  const item = player.runs.flatMap(({ items }) => [...items.values()]).find((one) => one.id === id) ?? null;
  if (item?.id !== player.item?.id) chooseItem(player, item);
  const names = (value) => value.split(",").map(decoded);
  player.ranges.byHand.clear();
  for (const [name, low, high] of all("range").map(names)) {
    if (player.keyNames.includes(name)) player.ranges.set(name, Number(low || NaN), Number(high || NaN));
  }
  setRangeMode(player, all("y")[0] ?? "own");
  const [x, y] = names(all("xy")[0] ?? "");
  if (player.keyNames.includes(x) && player.keyNames.includes(y)) player.xy.choose([x, y], true);
  const time = /^-?[0-9]+(?:\.[0-9]*)?$/.test(all("t")[0] ?? "") ? Number(all("t")[0]) : null;
  if (time === null) return false;
  player.pause();
  player.seek(time * 1e9);
  return true;
}
