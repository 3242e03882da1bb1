// A puzzle on the page: the server's picture, and above it a place for every cell, for mouse, touch, keys and screen readers.

import { ask } from './api.js';
import { el, picture, share } from './dom.js';

/**
 * @typedef {[number, number]} Cell row and column, from 0
 * @typedef {{cell: Cell, digit: number | null, x: number, y: number, side: number}} Place
 * @typedef {{svg: string, width: number, height: number, places: Place[]}} Picture
 * @typedef {{candidates?: [number, number, number[]][], rests?: Cell[], removed?: Cell[], placed?: Cell[], wrong?: Cell[],
 *   rests_digits?: number[][], removed_digits?: number[][], placed_digits?: number[][], wrong_digits?: number[][]}} Marks
 */

/** The name of a cell: A1 is the first of the first row. @param {Cell} cell */
export function cellName([row, column]) {
  let letters = '';
  for (let rest = row + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return `${letters}${column + 1}`;
}

/** The signs of operators, as pictures have them. */
export const SIGNS = /** @type {Record<string, string>} */ ({ '*': '×', '/': '÷', '-': '−' });

/** A puzzle that is shown, and pointed at. */
export class PuzzleView {
  /**
   * @param {HTMLElement} host
   * @param {{label: string, pick?: (place: Place, event: Event) => void, describe?: (place: Place) => string, move?: (place: Place) => void}} options
   *   `label` names the grid; `pick` is called for a place that is clicked, or chosen by enter or space; `move` when the focus comes
   *   to a place; `describe` says what is there, beside its name
   */
  constructor(host, { label, pick, describe, move }) {
    this.host = host;
    this.pick = pick;
    this.describe = describe;
    this.move = move;
    this.layer = el('div', { class: 'places', role: 'grid', 'aria-label': label });
    this.layer.addEventListener('keydown', event => this.#key(event));
    /** @type {Place[]} */
    this.places = [];
    /** @type {HTMLElement[]} */
    this.elements = [];
    this.at = 0;
    this.isLaying = false;
    this.wanted = 0;
  }

  /**
   * Draws a puzzle; of several requests the last one is shown.
   * @param {object} request the body of `picture`
   * @returns {Promise<boolean>} whether this one was
   */
  async draw(request) {
    const number = ++this.wanted;
    const drawn = await ask('picture', request);
    if (number !== this.wanted) return false;
    this.show(drawn);
    return true;
  }

  /** Shows a picture that the server has drawn. @param {Picture} drawn */
  show(drawn) {
    const image = picture(drawn.svg);
    image.setAttribute('aria-hidden', 'true');
    image.removeAttribute('role');
    image.removeAttribute('aria-label');
    const old = this.host.querySelector('svg');
    if (old) old.replaceWith(image);
    else this.host.replaceChildren(image, this.layer);
    const isSame = JSON.stringify([drawn.width, drawn.places]) === this.shape;
    this.shape = JSON.stringify([drawn.width, drawn.places]);
    this.places = drawn.places;
    if (!isSame) {
      const hadFocus = this.layer.contains(document.activeElement);
      this.#lay(drawn);
      // The cursor stays where it was, and moves nowhere.
      this.isLaying = true;
      if (hadFocus) this.focus(this.at);
      this.isLaying = false;
    }
    this.elements.forEach((element, index) => this.#name(element, this.places[index]));
  }

  /** The place of a cell. @param {Cell} cell */
  indexOf([row, column]) {
    return this.places.findIndex(place => place.cell[0] === row && place.cell[1] === column);
  }

  /** Moves the cursor to a place. @param {number} index */
  focus(index) {
    if (!this.elements[index]) return;
    this.elements[this.at]?.setAttribute('tabindex', '-1');
    this.at = index;
    this.elements[index].setAttribute('tabindex', '0');
    this.elements[index].focus();
  }

  /** Shows which places are selected. @param {(place: Place) => boolean} isSelected */
  select(isSelected) {
    this.elements.forEach((element, index) => element.setAttribute('aria-selected', String(isSelected(this.places[index]))));
  }

  /** Lays a place over every cell, row by row. @param {Picture} drawn */
  #lay({ width, height }) {
    this.at = Math.min(this.at, this.places.length - 1);
    this.elements = this.places.map((place, index) => {
      const made = el('div', { class: 'place', role: 'gridcell', tabIndex: index === this.at ? 0 : -1 });
      Object.assign(made.style, {
        left: share(place.x, width), top: share(place.y, height), width: share(place.side, width), height: share(place.side, height),
      });
      made.addEventListener('click', event => {
        this.focus(index);
        this.pick?.(this.places[index], event);
      });
      made.addEventListener('focus', () => {
        this.elements[this.at]?.setAttribute('tabindex', '-1');
        this.at = index;
        made.setAttribute('tabindex', '0');
        if (!this.isLaying) this.move?.(this.places[index]);
      });
      return made;
    });
    /** @type {Map<number, HTMLElement[]>} */
    const rows = new Map();
    this.places.forEach((place, index) => rows.set(place.y, [...rows.get(place.y) ?? [], this.elements[index]]));
    this.layer.replaceChildren(...[...rows.values()].map(cells => el('div', { role: 'row' }, cells)));
  }

  /** @param {HTMLElement} element @param {Place} place */
  #name(element, place) {
    const name = cellName(place.cell) + (place.digit === null ? '' : ` as ${place.digit}`);
    const more = this.describe?.(place);
    element.setAttribute('aria-label', more ? `${name}, ${more}` : name);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      const next = this.#beside(step);
      if (next !== undefined) this.focus(next);
    } else if ((event.key === 'Enter' || event.key === ' ') && this.pick) {
      event.preventDefault();
      this.pick(this.places[this.at], event);
    }
  }

  /** The nearest place in a direction. @param {[number, number]} direction */
  #beside([right, down]) {
    const from = this.places[this.at];
    let [best, least] = [/** @type {number | undefined} */ (undefined), Infinity];
    this.places.forEach((place, index) => {
      const [x, y] = [place.x - from.x, place.y - from.y];
      const along = x * right + y * down;
      const aside = Math.abs(x * down) + Math.abs(y * right);
      if (along > 0.5 && along + 3 * aside < least) [best, least] = [index, along + 3 * aside];
    });
    return best;
  }
}
