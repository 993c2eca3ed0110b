/* Elements without a framework: h("button", {class: "primary", onclick: start}, "Play").
 *
 * An attribute whose value is a function is a listener; true is an attribute without a value;
 * false, null and undefined leave it out. Children are nodes, texts, or arrays of them; false and
 * null are left out. No text is ever read as markup. */

const SVG = "http://www.w3.org/2000/svg";

function set(node, name, value) {
  if (typeof value === "function") {
    node.addEventListener(name.replace(/^on/, ""), value);
  } else if (value !== false && value !== null && value !== undefined) {
    node.setAttribute(name, value === true ? "" : String(value));
  }
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    set(node, name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return node;
}

/** An HTML element. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The head of a table: a row of its columns' names. */
export function tableHead(names) {
  const cells = names.map((name) => h("th", { scope: "col" }, name));

  return h("thead", null, h("tr", null, cells));
}

/** What is shown in the place of what is not there: why, and a way on. */
export function deadEnd(text, way) {
  return h(
    "section",
    null,
    h("h1", null, text),
    h("p", null, h("a", { class: "button", href: "#/" }, way)),
  );
}

/** Puts what an element shows (a field's value, else its text) on the clipboard and selects it.
 * False when the browser lets nothing do that. */
export async function copyText(node) {
  if (node.select) {
    node.select();
  } else {
    document.getSelection().selectAllChildren(node);
  }
  try {
    await navigator.clipboard.writeText(node.value ?? node.textContent);
    return true;
  } catch {
    return document.execCommand("copy"); // a page that came over plain HTTP
  }
}

/** Puts new children in the place of the old. */
export function refill(node, ...children) {
  node.replaceChildren();
  return fill(node, null, children);
}
