// Elements of the page: finding and making them.

/**
 * All elements of a kind that a selector finds.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} within
 * @returns {T[]}
 */
export function all(selector, kind, within) {
  const is = /** @type {(found: Element) => found is T} */ (found => found instanceof kind);
  return [...within.querySelectorAll(selector)].filter(is);
}

/**
 * Makes an element with attributes; keys that begin with `on` are listeners.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

/** Sets attributes. @param {Element} element @param {Record<string, string | number | boolean>} attributes */
export function set(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
}

/** The number in an attribute. @param {Element} element @param {string} key */
export function number(element, key) {
  return Number(element.getAttribute(key));
}
