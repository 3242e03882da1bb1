// The best grid: the server's picture of the puzzle, and over it digits, what is broken, and what is wrong.

import { svg } from '../common/dom.js';
import { PuzzleView, cellName } from '../common/puzzle.js';

/** @typedef {import('./model.js').Leader} Leader */
/** @typedef {import('./model.js').Broken} Broken */
/** @typedef {import('../common/puzzle.js').Place} Place */

/** The best grid of a moment. */
export class BestGrid {
  /** @param {HTMLElement} host @param {HTMLElement} words where is said what is under the cursor */
  constructor(host, words) {
    this.host = host;
    this.words = words;
    /** @type {Leader | null} */
    this.best = null;
    /** @type {Place | undefined} */
    this.place = undefined;
    /** The picture is that of the puzzle. */
    this.isDrawn = false;
    this.view = new PuzzleView(host, { label: 'The best grid', move: place => this.#look(place), pick: place => this.#look(place) });
    this.view.layer.addEventListener('pointermove', event => {
      const index = this.view.elements.findIndex(element => element === event.target);
      if (index >= 0) this.#look(this.view.places[index]);
    });
    this.layer = svg('g', { 'aria-hidden': 'true' });
  }

  /** Draws the puzzle itself. @param {object} puzzle */
  async begin(puzzle) {
    this.best = null;
    this.place = undefined;
    this.words.textContent = 'Point at a cell: what is in it is told here.';
    this.isDrawn = false;
    // The puzzle of a newer run is drawn by the call that began it.
    if (!await this.view.draw({ puzzle, labels: true })) return;
    this.isDrawn = true;
    this.layer = svg('g', { 'aria-hidden': 'true' });
    // A given is drawn like every other digit of the grid.
    this.host.querySelectorAll('svg .given').forEach(given => given.remove());
    this.host.querySelector('svg')?.append(this.layer);
    if (this.best) this.draw(this.best);
  }

  /** @param {Leader} best */
  draw(best) {
    this.best = best;
    if (!this.isDrawn) return;
    const wrong = new Set(best.wrong.map(String));
    const isLine = (/** @type {Broken} */ group) => group.role === 'row' || group.role === 'column';
    const broken = new Set(best.broken.filter(group => !isLine(group)).flatMap(group => group.cells.map(String)));
    const marks = this.view.places.flatMap(place => this.#marks(place, best, { wrong, broken }));
    const lines = best.broken.filter(isLine).map(group => group.role === 'row' ? { row: group.cells[0][0] } : { column: group.cells[0][1] });
    this.layer.replaceChildren(...marks, ...this.#names(lines));
    if (this.place) this.#look(this.place);
  }

  /** The names of broken rows and columns, marked beside the grid: there no clue is covered. @param {{row?: number, column?: number}[]} lines */
  #names(lines) {
    const names = lines.map(({ row, column }) => row === undefined ? `middle ${Number(column) + 1}` : `end ${cellName([row, 0]).slice(0, -1)}`);
    return [...this.host.querySelectorAll('svg .tick')].filter(tick => names.includes(`${tick.getAttribute('text-anchor')} ${tick.textContent}`)).flatMap(tick => {
      const [x, y] = ['x', 'y'].map(name => Number(tick.getAttribute(name)));
      const [width, isRow] = [8 + 8 * String(tick.textContent).length, tick.getAttribute('text-anchor') === 'end'];
      const middle = isRow ? x + 3 - width / 2 : x;
      return [
        svg('rect', { class: 'broken-line', x: middle - width / 2, y: y - 13, width, height: 16, rx: 4 }),
        svg('text', { class: 'broken-name', x: middle, y, 'font-size': 13 }, tick.textContent),
      ];
    });
  }

  /** @param {Place} place @param {Leader} best @param {{wrong: Set<string>, broken: Set<string>}} cells */
  #marks(place, best, { wrong, broken }) {
    const { cell, x, y, side } = place;
    const digit = best.grid[cell[0]][cell[1]];
    const [key, made] = [String(cell), /** @type {SVGElement[]} */ ([])];
    // Where every digit has a place of its own, that of the digit is marked.
    const isOne = place.digit === null;
    if (!isOne && digit !== place.digit) return made;
    const isBroken = broken.has(key);
    if (isBroken) made.push(svg('rect', { class: 'broken-cell', x, y, width: side, height: side }));
    // In the corner where no clue stands, and no digit.
    if (wrong.has(key)) made.push(svg('path', { class: 'wrong-cell', d: `M${x + side} ${y + side * 0.7}V${y + side}H${x + side * 0.7}z` }));
    if (!isOne) made.push(svg('circle', { class: 'best-mark', cx: x + side / 2, cy: y + side / 2, r: side * 0.25 }));
    else if (digit !== null) {
      made.push(svg('text', {
        class: isBroken ? 'best-digit is-broken' : 'best-digit', x: x + side / 2, y: y + side * 0.6, 'font-size': side * 0.4,
      }, digit));
    }
    return made;
  }

  /** Says what is in a cell. @param {Place} place */
  #look(place) {
    this.place = place;
    if (!this.best || !this.isDrawn) return;
    const [row, column] = place.cell;
    const [digit, truth] = [this.best.grid[row][column], this.best.truth?.[row][column]];
    const isHere = (/** @type {[number, number]} */ cell) => cell[0] === row && cell[1] === column;
    const violated = this.best.broken.filter(group => group.cells.some(isHere)).map(group => group.name);
    const true_ = truth === undefined || truth === null ? '' : truth === digit ? ', as in the nearest solution' : `, ${truth} in the nearest solution`;
    this.words.textContent = `${cellName(place.cell)}: ${digit ?? 'none'}${true_}; ${violated.length ? `violated: ${violated.join(', ')}` : 'nothing here is violated'}`;
  }
}
