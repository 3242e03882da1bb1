// Elements of the page: making, finding, saying, remembering.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Makes an element. Keys of `props` that begin with `on` are listeners, `class` its classes, `data-…`, `aria-…` and `role`
 * attributes, all others properties.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (key === 'class') made.className = value;
    else if (/^(data-|aria-)|^(role|for|list|colspan|scope)$/.test(key)) made.setAttribute(key, String(value));
    else /** @type {any} */ (made)[key] = value;
  }
  made.append(...nodes(children));
  return made;
}

/**
 * Makes a button.
 * @param {Child} face
 * @param {() => unknown} onclick
 * @param {Record<string, any>} [props] those of the element, and `name`: what is said of it where its face does not say it
 */
export function button(face, onclick, { name, ...props } = {}) {
  return el('button', { type: 'button', onclick, 'aria-label': name === face ? undefined : name, ...props }, face);
}

/** Makes a table. @param {Child[]} heads @param {HTMLElement[]} rows @param {(place: number) => Record<string, any>} [propsOf] of a head */
export function table(heads, rows, propsOf = () => ({})) {
  const cells = heads.map((head, place) => el('th', { scope: 'col', ...propsOf(place) }, head));
  return el('table', {}, el('thead', {}, el('tr', {}, cells)), el('tbody', {}, rows));
}

/**
 * Makes an element of a picture.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...nodes(children));
  return made;
}

/** @param {(Child | Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  return children.flat().filter(child => child !== null && child !== undefined && child !== false)
    .map(child => child instanceof Node ? child : String(child));
}

/**
 * The one element that a selector finds.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @param {ParentNode} [within]
 * @returns {T}
 */
export function find(selector, kind, within = document) {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** All elements that a selector finds. @param {string} selector @param {ParentNode} [within] @returns {HTMLElement[]} */
export function all(selector, within = document) {
  return [...within.querySelectorAll(selector)].filter(found => found instanceof HTMLElement);
}

/** An element from the server's own markup. @param {string} markup @returns {SVGSVGElement} */
export function picture(markup) {
  const parsed = new DOMParser().parseFromString(markup, 'text/html').querySelector('svg');
  if (!parsed) throw new Error('the server has sent no picture');
  return document.adoptNode(parsed);
}

/** Says something to those who cannot see the page. @param {string} words */
export function announce(words) {
  find('#announcement', HTMLElement).textContent = words;
}

/**
 * Shows in `host` what went wrong, or nothing: a sentence that says what is wrong and where, and one that says what to do.
 * @param {HTMLElement} host
 * @param {unknown} [error]
 */
export function complain(host, error) {
  if (error === undefined || isAbort(error)) {
    host.replaceChildren();
    return;
  }
  const { message, help = '', place = '' } = error instanceof Error
    ? /** @type {{message: string, help?: string, place?: string}} */ (error) : { message: String(error) };
  // A help of several lines ends with a list, such as that of all formats.
  const [advice, ...list] = help.split('\n');
  host.replaceChildren(el('div', { class: 'alert bad', role: 'alert' },
    el('p', {}, el('strong', {}, prose(message)), place ? [' ', ...prose(place)] : null),
    list.length ? el('details', {}, el('summary', {}, prose(advice.replace(/:$/, ''))), el('ul', {}, list.map(line => el('li', {}, prose(line)))))
      : advice && el('p', {}, prose(advice))));
}

/** Words with a capital letter and an end. @param {string} words */
export function sentence(words) {
  const text = words.trim();
  // A path or a key keeps its letter.
  const begun = /^[a-z]+([ ,;']|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?:…]$/.test(begun) ? begun : `${begun}.`;
}

/** A sentence in which what stands between backticks is code. @param {string} words @returns {(string | Node)[]} */
export function prose(words) {
  return sentence(words).split('`').map((part, place) => place % 2 ? el('code', {}, part) : part);
}

/** The request was given up by the page itself. @param {unknown} error */
export function isAbort(error) {
  return error instanceof DOMException && error.name === 'AbortError';
}

/**
 * A value that outlives the page: in this browser, under the name of the page.
 * @template T
 * @param {string} name
 * @param {T} fallback
 */
export function saved(name, fallback) {
  const key = `kenga.${name}`;
  return {
    /** @returns {T} */
    get() {
      try {
        const text = localStorage.getItem(key);
        return text === null ? fallback : JSON.parse(text);
      } catch {
        return fallback;
      }
    },
    /** Says whether there was room. @param {T} value */
    set(value) {
      try {
        localStorage.setItem(key, JSON.stringify(value));
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Requests of which only the newest counts. */
export class Newest {
  /** Gives up the request before. @returns {AbortSignal} that of the new one */
  begin() {
    this.stop();
    this.request = new AbortController();
    return this.request.signal;
  }

  stop() {
    this.request?.abort();
  }
}

/** A part of a length, as styles take it. @param {number} part @param {number} whole */
export function share(part, whole) {
  return `${100 * part / whole}%`;
}

/** Offers a file. @param {string} name @param {string | Uint8Array<ArrayBuffer>} content @param {string} [kind] */
export function download(name, content, kind = 'text/plain') {
  const url = URL.createObjectURL(new Blob([content], { type: kind }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A number for people: `12 345`, `0.0123`. @param {number} value */
export function shown(value) {
  const exact = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return exact.toLocaleString('en').replaceAll(',', '\u202f');
}

/** So many of something: `1 run`, `2 runs`. @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${shown(count)} ${count === 1 ? one : many}`;
}

/**
 * Calls `work` a moment after the last call, so that typing asks once.
 * @param {() => void} work
 * @param {number} wait milliseconds
 */
export function later(work, wait) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, wait);
  };
}
