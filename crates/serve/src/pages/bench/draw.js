// The panel for drawing: cages and clues, digits, signs, black cells, on the cells that are selected.

import { button, el } from '../common/dom.js';
import { cellName } from '../common/puzzle.js';
import { cageAt, clueText, digitsOf, key, withBlack, withCage, withClue, withGiven, withSign, withSums, withoutCages } from './model.js';

/**
 * @typedef {import('../common/puzzle.js').Cell} Cell
 * @typedef {import('./model.js').Draft} Draft
 */

/** Operators that have a button; any other can be typed. */
const OPERATORS = ['+', '−', '×', '÷'];

const HAS_CAGES = ['kenken', 'killer', 'latin'];
const HAS_GIVENS = ['killer', 'sudoku', 'futoshiki', 'latin', 'kakuro'];

/** A digit as it is typed: `1`, and then `2` in the same cells makes 12. @param {number[]} digits */
export function typing(digits) {
  let [before, where, at] = ['', '', 0];
  return (/** @type {string} */ typed, /** @type {Cell[]} */ cells) => {
    const isQuick = Date.now() - at < 1200 && where === cells.map(key).join(' ');
    [where, at] = [cells.map(key).join(' '), Date.now()];
    const both = Number(before + typed);
    const joins = isQuick && before !== '' && before !== '0' && digits.includes(both);
    const digit = joins ? both : Number(typed);
    before = String(digit);
    return { digit: digits.includes(digit) ? digit : undefined, joins };
  };
}

export class DrawPanel {
  /**
   * @param {HTMLElement} host
   * @param {{puzzle: () => Draft, selected: () => Cell[], step: (puzzle: Draft, amends?: boolean) => void, back: () => void}} bench
   *   `back` gives the focus back to the grid
   */
  constructor(host, bench) {
    this.host = host;
    this.bench = bench;
    this.kind = '';
    this.type = typing([]);
    this.clue = el('input', { id: 'clue', type: 'text', autocomplete: 'off', spellcheck: false, oninput: () => this.#clued(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#leave(event) });
    this.sums = ['down', 'across'].map(way => el('input', { id: `sum-${way}`, type: 'text', inputMode: 'numeric', autocomplete: 'off', oninput: () => this.#summed(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.#leave(event) }));
    this.where = el('p', { class: 'soft' });
    /** @type {HTMLButtonElement[]} */
    this.needsSelection = [];
  }

  /** Shows what can be done with the selected cells. */
  update() {
    const puzzle = this.bench.puzzle();
    const shape = JSON.stringify([puzzle.kind, puzzle.rows, puzzle.digits]);
    if (shape !== this.kind) this.#build(puzzle);
    this.kind = shape;
    const cells = this.bench.selected();
    const cage = cells.length ? cageAt(puzzle, cells[0]) : undefined;
    const place = cells.length ? key(cells[0]) : '';
    if (document.activeElement !== this.clue || this.clue.dataset.at !== place) this.clue.value = clueText(cage);
    this.clue.dataset.at = place;
    this.clue.disabled = !cage;
    const sums = cells.length === 1 ? puzzle.black[key(cells[0])] : undefined;
    this.sums.forEach((input, index) => {
      input.disabled = !sums;
      if (document.activeElement !== input) input.value = String(sums?.[index ? 'across' : 'down'] ?? '');
    });
    for (const tool of this.needsSelection) tool.disabled = !cells.length;
    const name = cells.length > 1 ? `${cells.length} cells` : cells.length ? cellName(cells[0]) : 'No cell';
    this.where.textContent = `${name} selected${cage ? `, in cage ${clueText(cage) || 'without a clue'}` : ''}.`;
  }

  /** Makes of the selected cells what this kind is made of. */
  make() {
    const [puzzle, cells] = [this.bench.puzzle(), this.bench.selected()];
    if (!cells.length) return;
    if (puzzle.kind === 'kakuro') {
      this.bench.step(withBlack(puzzle, cells, !puzzle.black[key(cells[0])]));
    } else if (HAS_CAGES.includes(puzzle.kind)) {
      this.bench.step(withCage(puzzle, cells));
      this.clue.focus();
    }
  }

  /** Takes away what the selected cells have. */
  clear() {
    const [puzzle, cells] = [this.bench.puzzle(), this.bench.selected()];
    const without = withGiven(puzzle, cells, undefined);
    const had = cells.some(cell => puzzle.givens[key(cell)] !== undefined);
    if (puzzle.kind === 'kakuro' && !had) {
      const black = cells.filter(cell => puzzle.black[key(cell)]);
      this.bench.step(black.reduce((left, cell) => withSums(left, cell, {}), puzzle));
    } else {
      this.bench.step(HAS_CAGES.includes(puzzle.kind) && !had ? withoutCages(puzzle, cells) : without);
    }
  }

  /** A character that is typed on the grid. @param {string} character */
  typed(character) {
    const [puzzle, cells] = [this.bench.puzzle(), this.bench.selected()];
    if (!cells.length) return;
    if (character === '<' || character === '>') this.#sign(character);
    else if (HAS_CAGES.includes(puzzle.kind) && cageAt(puzzle, cells[0])) this.#start(this.clue, character);
    else if (puzzle.black[key(cells[0])]) this.#start(this.sums[1], character);
    else if (/\d/.test(character)) this.#given(character);
  }

  /** @param {HTMLInputElement} input @param {string} typed */
  #start(input, typed) {
    input.focus();
    input.value = /\d/.test(typed) ? typed : input.value.replace(/\D/g, '') + typed;
    input.dispatchEvent(new Event('input'));
  }

  /** @param {string} typed */
  #given(typed) {
    const [puzzle, cells] = [this.bench.puzzle(), this.bench.selected()];
    const { digit, joins } = this.type(typed, cells);
    if (HAS_GIVENS.includes(puzzle.kind) && digit !== undefined) this.bench.step(withGiven(puzzle, cells.filter(cell => !puzzle.black[key(cell)]), digit), joins);
  }

  #clued() {
    const cells = this.bench.selected();
    const made = cells.length ? withClue(this.bench.puzzle(), cells[0], this.clue.value) : undefined;
    this.clue.setAttribute('aria-invalid', String(!made));
    if (made) this.bench.step(made);
  }

  /** @param {string} operator */
  #operator(operator) {
    if (this.clue.disabled) return;
    this.clue.value = this.clue.value.replace(/[^\d]/g, '') + operator;
    this.#clued();
    this.clue.focus();
  }

  #summed() {
    const [puzzle, [cell]] = [this.bench.puzzle(), this.bench.selected()];
    const read = (/** @type {HTMLInputElement} */ input) => {
      const isRight = /^\d*$/.test(input.value);
      input.setAttribute('aria-invalid', String(!isRight));
      return isRight && input.value ? Number(input.value) : undefined;
    };
    const [down, across] = this.sums.map(read);
    this.bench.step(withSums(puzzle, cell, { ...down === undefined ? {} : { down }, ...across === undefined ? {} : { across } }));
  }

  /** @param {'<' | '>' | ''} sign */
  #sign(sign) {
    const [puzzle, cells] = [this.bench.puzzle(), this.bench.selected()];
    if (puzzle.kind === 'futoshiki' && cells.length === 2) this.bench.step(withSign(puzzle, cells, sign));
  }

  /** Enter and escape lead back to the grid. @param {KeyboardEvent} event */
  #leave(event) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    this.bench.back();
  }

  /** @param {Draft} puzzle */
  #build(puzzle) {
    this.needsSelection = [];
    this.type = typing(digitsOf(puzzle, []));
    const tool = (/** @type {string} */ label, /** @type {() => void} */ onclick, name = label) => {
      const made = button(label, onclick, { name });
      this.needsSelection.push(made);
      return made;
    };
    /** @type {HTMLElement[]} */
    const parts = [el('p', {}, HELP[puzzle.kind] ?? HELP.other), this.where];
    if (HAS_CAGES.includes(puzzle.kind)) {
      parts.push(
        el('div', { class: 'bar' }, tool('Make a cage', () => this.make()), tool('Dissolve', () => this.clear())),
        el('div', { class: 'field clue' }, el('label', { for: 'clue' }, 'Clue of the cage'),
          el('div', { class: 'bar' }, this.clue,
            puzzle.kind === 'killer' ? [] : OPERATORS.map(sign => button(sign, () => this.#operator(sign), { name: `operator ${sign}` })))),
      );
    }
    if (puzzle.kind === 'futoshiki') {
      const names = { '<': 'the first is less', '>': 'the first is greater', '': 'no sign' };
      parts.push(el('div', { class: 'bar' }, /** @type {('<' | '>' | '')[]} */ (['<', '>', '']).map(sign => tool(sign || 'No sign', () => this.#sign(sign), sign ? names[sign] : undefined))));
    }
    if (puzzle.kind === 'kakuro') {
      parts.push(el('div', { class: 'bar' }, tool('Black', () => this.#blacken(true)), tool('White', () => this.#blacken(false))),
        el('div', { class: 'bar' }, ['Sum below', 'Sum to the right'].map((label, index) =>
          el('div', { class: 'field' }, el('label', { for: this.sums[index].id }, label), this.sums[index]))));
    }
    if (HAS_GIVENS.includes(puzzle.kind)) {
      const pad = digitsOf(puzzle, []).map((/** @type {number} */ digit) => tool(String(digit), () => this.#give(digit), `given ${digit}`));
      parts.push(el('div', { class: 'keypad', role: 'group', 'aria-label': 'Given digits' }, pad, tool('⌫', () => this.#give(undefined), 'no given')));
    }
    this.host.replaceChildren(...parts);
  }

  /** @param {boolean} isBlack */
  #blacken(isBlack) {
    this.bench.step(withBlack(this.bench.puzzle(), this.bench.selected(), isBlack));
  }

  /** @param {number | undefined} digit */
  #give(digit) {
    const puzzle = this.bench.puzzle();
    this.bench.step(withGiven(puzzle, this.bench.selected().filter(cell => !puzzle.black[key(cell)]), digit));
  }
}

const HELP = /** @type {Record<string, string>} */ ({
  kenken: 'Drag over cells, or hold shift with the arrows; enter makes a cage of them. Then type its clue: 12+, 3−, 8× or 2÷, with the keys + - * /, or a number for one cell.',
  latin: 'Drag over cells and make a cage of them, or type a digit that is given.',
  killer: 'Drag over cells; enter makes a cage of them. Then type its sum. A digit in a cell without a cage is given.',
  sudoku: 'Select cells and type the digit that is given.',
  futoshiki: 'Type digits that are given. For a sign drag over two cells side by side and type < or >.',
  kakuro: 'Select cells; enter makes them black or white. For a black cell type the sums.',
  other: 'A puzzle of this kind cannot be drawn here; it can be played, and solved.',
});
