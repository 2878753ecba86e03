// The items: their list, and the one that was chosen with its values and its curves.

function fillItems(player) {
  const rows = byId("item-rows");
  rows.replaceChildren();
  const { run, shift } = player.front;
  for (const pose of player.stages[0].shown.slice(0, listLimit)) {
    const row = element("tr", null, rows);
    element("td", run.items.get(pose.item)?.label ?? String(pose.item), row);
    element("td", `${figure(pose.x)}, ${figure(pose.y)}`, row);
    element("td", `${figure(pose.width)}, ${figure(pose.height)}`, row);
    element("td", figure(pose.alpha), row);
    element("td", String(pose.z), row);
    const state = [pose.hidden ? "hidden" : "", pose.matrix ? "transformed" : ""];
    element("td", [...state, ...ownWords(run, pose.item, player.time + shift)].filter(Boolean).join(", "), row);
  }
}

/** What an item has of the app's own at a time: the keys item.ID.NAME, the last value standing after its end. */
function ownWords(run, item, time) {
  return (run.ownKeys.get(run.items.get(item)?.id) ?? []).map(({ name, index }) => {
    const curve = run.curve(index);
    const at = lastAtMost(curve.t, time);
    const value = at < 0 ? null : run.value(index, time) ?? curve.v[at];
    return `${plain(name, 40)} ${figure(value)} ${unitOf(run.keys[index].unit)}`.trimEnd();
  });
}
