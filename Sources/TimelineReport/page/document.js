// What pages are made of.

const byId = (id) => document.getElementById(id);

/** An element with a text, at the end of a parent. */
function element(name, text, parent, className) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  parent?.append(made);
  return made;
}
