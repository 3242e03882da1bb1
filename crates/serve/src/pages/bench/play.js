// The panel for playing: digits, pencil marks, hints, and whether all is right so far.

import { ask } from '../common/api.js';
import { Newest, announce, button, complain, counted, el, isAbort, saved, sentence } from '../common/dom.js';
import { cellName } from '../common/puzzle.js';
import { typing } from './draw.js';
import { asRows, canonical, digitsOf, key } from './model.js';

/**
 * @typedef {import('../common/puzzle.js').Cell} Cell
 * @typedef {import('../common/puzzle.js').Marks} Marks
 * @typedef {import('./model.js').Work} Work
 */

const isTimed = saved('bench.timer', false);

export class PlayPanel {
  /**
   * @param {HTMLElement} host
   * @param {{work: () => Work, cells: () => Cell[], own: () => number[], selected: () => Cell[], seconds: () => number,
   *   step: (work: Work) => void, undo: () => void, marked: () => void, go: (cell: Cell) => void}} bench
   *   `cells` are those that hold digits; `own` the digits of places that have their own; `marked` is called when what is marked has changed
   */
  constructor(host, bench) {
    this.host = host;
    this.bench = bench;
    this.shape = '';
    this.isPencil = false;
    this.isSolved = false;
    /** @type {Marks} */
    this.marks = {};
    this.type = typing([]);
    this.asking = new Newest();
    this.said = el('div', { role: 'status' });
    this.pencil = button('Pencil', () => this.togglePencil(), { 'aria-pressed': 'false' });
    this.clock = el('span', { class: 'number', role: 'timer', 'aria-label': 'Time' });
  }

  update() {
    const work = this.bench.work();
    const digits = digitsOf(work.puzzle, this.bench.own());
    const shape = JSON.stringify(digits);
    if (shape !== this.shape) this.#build(digits);
    this.shape = shape;
    this.showTime();
  }

  showTime() {
    const seconds = this.bench.seconds();
    const two = (/** @type {number} */ part) => String(part).padStart(2, '0');
    this.clock.hidden = !isTimed.get();
    this.clock.textContent = `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  }

  /** Forgets what was said of the digits before. */
  forget() {
    this.asking.stop();
    this.said.replaceChildren();
    this.marks = {};
    this.isSolved = false;
  }

  togglePencil() {
    this.isPencil = !this.isPencil;
    this.pencil.setAttribute('aria-pressed', String(this.isPencil));
    announce(this.isPencil ? 'pencil marks' : 'digits');
  }

  /** A digit that is typed. @param {string} typed */
  typed(typed) {
    const { digit, joins } = this.type(typed, this.bench.selected());
    if (digit !== undefined) this.enter(digit, joins);
  }

  /** Enters a digit, or a pencil mark, where cells are selected. @param {number} digit @param {boolean} [amends] */
  enter(digit, amends = false) {
    const open = this.#open();
    if (!open.length) return;
    // What is amended is taken back first.
    if (amends) this.bench.undo();
    const { puzzle, grid, notes } = this.bench.work();
    const [digits, marks] = [{ ...grid }, { ...notes }];
    const isIn = open.every(cell => notes[key(cell)]?.includes(digit));
    const isSame = open.every(cell => grid[key(cell)] === digit);
    for (const name of open.map(key)) {
      if (!this.isPencil) {
        if (isSame) delete digits[name];
        else digits[name] = digit;
        continue;
      }
      const others = (marks[name] ?? []).filter(other => other !== digit);
      marks[name] = isIn ? others : [...others, digit].sort((one, other) => one - other);
      if (!marks[name].length) delete marks[name];
    }
    this.#step({ puzzle, grid: digits, notes: marks });
  }

  /** Takes a digit away; where there is none, the pencil marks. */
  erase() {
    const { puzzle, grid, notes } = this.bench.work();
    const names = this.#open().map(key);
    const hasDigit = names.some(name => grid[name] !== undefined);
    const without = (/** @type {Record<string, any>} */ all) => Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
    this.#step({ puzzle, grid: hasDigit ? without(grid) : grid, notes: hasDigit ? notes : without(notes) });
  }

  async hint() {
    await this.#ask(async signal => {
      const body = this.#body();
      const hint = await ask('hint', body, { signal });
      const more = button('Tell all', () => this.#more());
      this.#say(hint.words, '', hint.hint === 'step' ? [more] : []);
      if (hint.mistake) this.#mark({ wrong: hint.hint === 'mistake' ? [] : [hint.mistake] });
    });
  }

  /** The whole hint, and its digit. */
  async #more() {
    await this.#ask(async signal => {
      const hint = await ask('hint', { ...this.#body(), more: true }, { signal });
      const fills = hint.fills;
      const enter = fills && button(`Enter ${fills.digit} in ${cellName(fills.cell)}`, () => this.#fill(fills.cell, fills.digit));
      this.#say(hint.words, '', enter ? [enter] : []);
      this.#mark(fills ? { placed: [fills.cell] } : {});
    });
  }

  /** Says whether all is right so far. */
  async check() {
    await this.#ask(async signal => {
      const verdict = await ask('check', this.#body(), { signal });
      const wrong = verdict.failures.flatMap((/** @type {any} */ failure) => failure.cells);
      const reasons = verdict.failures.map((/** @type {any} */ failure) => `${failure.group}: ${failure.reason}`).join('\n');
      if (verdict.solution) this.#solved();
      else if (!verdict.consistent) this.#say(`Not right:\n${reasons}`, 'bad');
      else if (verdict.completable === false) this.#say('Not right: no rule is broken yet, but from here there is no solution. A hint names the first mistake.', 'bad');
      else if (verdict.completable === null) this.#say('No rule is broken so far; whether it leads to a solution could not be found in time.', '');
      else this.#say(`Right so far; ${counted(verdict.missing.length, 'cell')} to go.`, '');
      this.#mark({ wrong });
    });
  }

  /** Pencils in what the digits leave. */
  async notes() {
    await this.#ask(async signal => {
      const { candidates } = await ask('candidates', this.#body(), { signal });
      const { puzzle, grid } = this.bench.work();
      this.#step({ puzzle, grid, notes: Object.fromEntries(candidates.map((/** @type {any} */ [row, column, digits]) => [key([row, column]), digits])) });
    });
  }

  /** Shows the solution. */
  async reveal() {
    await this.#ask(async signal => {
      const { puzzle, notes } = this.bench.work();
      const { solutions, status } = await ask('solve', { puzzle: canonical(puzzle) }, { signal });
      if (!solutions.length) {
        this.#say(status === 'unsolvable' ? 'This puzzle has no solution.' : 'No solution was found in time.', 'bad');
        return;
      }
      const printed = this.#printed();
      const grid = Object.fromEntries(this.bench.cells().map(([row, column]) => [key([row, column]), solutions[0][row]?.[column]])
        .filter(([name, digit]) => digit !== null && digit !== undefined && !printed.has(name)));
      this.#step({ puzzle, grid, notes }, true);
      this.#say(status === 'unique' ? 'This is the solution. Undo takes it back.' : 'This is one of several solutions. Undo takes it back.', '');
    });
  }

  /** Takes all digits and pencil marks away. */
  clear() {
    this.#step({ puzzle: this.bench.work().puzzle, grid: {}, notes: {} });
  }

  /** The selected cells that the puzzle leaves open. @returns {Cell[]} */
  #open() {
    const printed = this.#printed();
    return this.bench.selected().filter(cell => !printed.has(key(cell)));
  }

  /** The cells whose digit the puzzle prints. @returns {Map<string, number>} */
  #printed() {
    const { puzzle } = this.bench.work();
    const singles = Object.values(puzzle.cages).filter(cage => cage.cells.length === 1 && cage.target !== undefined);
    const whole = puzzle.whole?.[0]?.givens?.map((/** @type {number[]} */ [row, column, digit]) => [`${row},${column}`, digit]) ?? [];
    return new Map([...Object.entries(puzzle.givens), ...singles.map(cage => /** @type {[string, number]} */ ([key(cage.cells[0]), cage.target])), ...whole]);
  }

  #body() {
    const { puzzle, grid } = this.bench.work();
    return { puzzle: canonical(puzzle), grid: asRows({ ...grid, ...Object.fromEntries(this.#printed()) }, this.bench.cells()) };
  }

  /** @param {Cell} cell @param {number} digit */
  #fill(cell, digit) {
    const { puzzle, grid, notes } = this.bench.work();
    this.#step({ puzzle, grid: { ...grid, [key(cell)]: digit }, notes });
    this.bench.go(cell);
  }

  /** @param {Work} work @param {boolean} [isTold] */
  #step(work, isTold = false) {
    this.forget();
    this.bench.step(work);
    const printed = this.#printed();
    const isFull = this.bench.cells().every(cell => work.grid[key(cell)] !== undefined || printed.has(key(cell)));
    if (isFull && !isTold) this.check();
  }

  #solved() {
    this.isSolved = true;
    const time = isTimed.get() ? ` Time: ${this.clock.textContent}.` : '';
    this.#say(`Solved!${time}`, 'solved');
  }

  /** @param {Marks} marks */
  #mark(marks) {
    this.marks = marks;
    this.bench.marked();
  }

  /** @param {string} words @param {string} kind @param {HTMLElement[]} [more] */
  #say(words, kind, more = []) {
    const lines = words.split('\n').map(line => sentence(line));
    const told = lines.length > 2 ? el('ol', {}, lines.map(line => el('li', {}, line))) : lines.map(line => el('p', {}, line));
    this.said.replaceChildren(el('div', { class: `alert ${kind}` }, told, more.length ? el('div', { class: 'bar' }, more) : null));
  }

  /** Asks the server; a newer question cancels this one. @param {(signal: AbortSignal) => Promise<void>} question */
  async #ask(question) {
    try {
      await question(this.asking.begin());
    } catch (error) {
      if (!isAbort(error)) complain(this.said, error);
    }
  }

  /** @param {number[]} digits */
  #build(digits) {
    this.type = typing(digits);
    const timer = el('input', { type: 'checkbox', checked: isTimed.get(), onchange: () => {
      isTimed.set(timer.checked);
      this.showTime();
    } });
    this.host.replaceChildren(
      el('div', { class: 'keypad', role: 'group', 'aria-label': 'Digits' },
        digits.map(digit => button(String(digit), () => this.enter(digit), { name: `digit ${digit}` })), button('⌫', () => this.erase(), { name: 'erase' })),
      el('div', { class: 'bar' }, this.pencil, button('Fill in pencil marks', () => this.notes()), button('Clear all', () => this.clear())),
      el('div', { class: 'bar' }, button('Hint', () => this.hint()), button('Am I right so far?', () => this.check()), button('Show the solution', () => this.reveal())),
      el('label', { class: 'check' }, timer, ' Timer ', this.clock),
      this.said,
    );
  }
}
