// What reports are made of.

/**
 * An element of the report's own HTML; `Tools/types` makes the list of their names and types from it.
 *
 * @template {keyof PageElements} Name
 * @param {Name} id
 * @returns {PageElements[Name]}
 */
const byId = (id) => /** @type {any} */ (document.getElementById(id));

/**
 * What draws on a canvas.
 *
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D}
 */
const contextOf = (canvas) => /** @type {any} */ (canvas.getContext("2d"));

/**
 * The first element of a selector.
 *
 * @param {ParentNode} within
 * @returns {HTMLElement | null}
 */
const find = (selector, within) => within.querySelector(selector);

/**
 * Does something whenever an event comes to an element of the report.
 *
 * @param {keyof PageElements} id
 * @param {(event: any) => void} action
 */
const on = (id, action, type = "click") => byId(id).addEventListener(type, action);

/** What a script element holds as JSON. */
const dataOf = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

/**
 * An element with a text, at the end of a parent.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string | null} [text]
 * @param {ParentNode} [parent]
 * @param {string} [className]
 */
function element(name, text, parent, className) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  parent?.append(made);
  return made;
}
