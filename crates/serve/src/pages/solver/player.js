// One side of the page: steps that are fetched as they are looked at, forwards and back, with a picture of each.

import { ask } from '../common/api.js';
import { Newest, button, complain, el, isAbort, shown } from '../common/dom.js';
import { PuzzleView } from '../common/puzzle.js';

/**
 * @typedef {import('../common/puzzle.js').Marks} Marks
 * @typedef {{words: string, note: string, grid?: (number | null)[][], marks?: Marks}} Step
 * @typedef {{steps: Map<number, Step>, count: number, summary: string, landmarks?: Record<string, number[]>}} Part
 *   some of `count` steps, by number
 * @typedef {{name: string, key: string, list: string}} Jump
 *   a landmark, the key that leads to the next one, and the list of them
 */

export class Player {
  /**
   * @param {HTMLElement} host
   * @param {{label: string, jumps: Jump[], load: (puzzle: any, from: number, signal: AbortSignal) => Promise<Part>,
   *   isNoted: () => boolean, speed: () => number, ontouch: (player: Player) => void}} options
   *   `load` fetches steps from a number on; `isNoted` says whether candidates are shown; `speed` is in steps a second
   */
  constructor(host, { label, jumps, load, isNoted, speed, ontouch }) {
    this.host = host;
    this.jumps = jumps;
    this.load = load;
    this.isNoted = isNoted;
    this.speed = speed;
    /** @type {any} */
    this.puzzle = undefined;
    this.count = 0;
    this.at = 0;
    /** @type {Map<number, Step>} */
    this.steps = new Map();
    /** @type {Record<string, number[]>} */
    this.landmarks = {};
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.asking = new Newest();
    const titled = (/** @type {string} */ face, /** @type {string} */ name, /** @type {() => void} */ onclick) => button(face, onclick, { name, title: name });
    this.first = titled('|◀', 'First step', () => this.go(0));
    this.back = titled('◀', 'Step back', () => this.go(this.at - 1));
    this.toggle = titled('Play', 'Play', () => this.play());
    this.toggle.classList.add('play');
    this.on = titled('▶', 'Step on', () => this.go(this.at + 1));
    this.last = titled('▶|', 'Last step', () => this.go(this.count - 1));
    this.leaps = jumps.flatMap(jump => [
      { jump, forward: false, button: titled(`◀ ${jump.name}`, `Back to the ${jump.name} before: ◀ ${jump.name}`, () => this.leap(jump, false)) },
      { jump, forward: true, button: titled(`${jump.name} ▶`, `On to the next ${jump.name} ▶`, () => this.leap(jump, true)) },
    ]);
    this.slider = el('input', { type: 'range', min: '0', value: '0', 'aria-label': `Step of ${label}`, oninput: () => this.go(Number(this.slider.value)) });
    this.where = el('p', { class: 'where' });
    this.told = el('p', { class: 'told sentence', role: 'status' });
    this.complaint = el('div');
    const frame = el('div', { class: 'puzzle fills' });
    this.view = new PuzzleView(frame, { label: `Puzzle of ${label}`, describe: place => this.#describe(place.cell) });
    host.append(el('div', { class: 'bar' }, this.first, this.back, this.toggle, this.on, this.last), this.slider,
      el('div', { class: 'bar' }, this.leaps.map(leap => leap.button)), this.where, this.told, this.complaint, frame);
    for (const kind of ['pointerdown', 'focusin']) host.addEventListener(kind, () => ontouch(this));
  }

  /** Shows another puzzle from its first step. @param {any} puzzle */
  async open(puzzle) {
    this.stop();
    this.puzzle = puzzle;
    this.steps.clear();
    this.landmarks = {};
    [this.at, this.count] = [0, 0];
    this.told.textContent = 'Solving…';
    this.where.replaceChildren();
    // How many steps there are is known with the first of them.
    for (const tool of this.#tools()) tool.disabled = true;
    await this.go(0);
  }

  /** All that leads to another step. */
  #tools() {
    return [this.first, this.back, this.toggle, this.on, this.last, this.slider, ...this.leaps.map(leap => leap.button)];
  }

  /** Goes to a step. @param {number} number */
  async go(number) {
    if (!this.puzzle) return;
    this.at = Math.max(0, this.count ? Math.min(this.count - 1, number) : number);
    await this.#show();
  }

  /** Goes to the next landmark, or the one before. @param {Jump} jump @param {boolean} forward */
  leap(jump, forward) {
    const numbers = this.landmarks[jump.list] ?? [];
    const to = forward ? numbers.find(number => number > this.at) : numbers.findLast(number => number < this.at);
    if (to !== undefined) this.go(to);
  }

  /** Plays, or stops. */
  play() {
    if (this.timer !== undefined) {
      this.stop();
      return;
    }
    if (this.at >= this.count - 1) this.at = -1;
    this.toggle.textContent = 'Stop';
    this.toggle.setAttribute('aria-label', 'Stop');
    this.told.setAttribute('aria-live', 'off');
    const turn = async () => {
      await this.go(this.at + 1);
      if (this.timer === undefined) return;
      if (this.at >= this.count - 1) this.stop();
      else this.timer = setTimeout(turn, 1000 / this.speed());
    };
    this.timer = setTimeout(turn, 0);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.toggle.textContent = 'Play';
    this.toggle.removeAttribute('aria-label');
    this.told.removeAttribute('aria-live');
  }

  /** Fetches the step and draws it; a newer one cancels this. */
  async #show() {
    const signal = this.asking.begin();
    const number = this.at;
    try {
      if (!this.steps.has(number)) await this.#fetch(number, signal);
      const step = this.steps.get(this.at);
      if (!step) return;
      this.#tell(step);
      const drawn = await ask('picture', { puzzle: this.puzzle, labels: true, grid: step.grid, marks: this.#marks(step) }, { signal });
      this.view.show(drawn);
      complain(this.complaint);
    } catch (error) {
      if (isAbort(error)) return;
      this.stop();
      this.told.textContent = '';
      complain(this.complaint, error);
    }
  }

  /** @param {number} number @param {AbortSignal} signal */
  async #fetch(number, signal) {
    const part = await this.load(this.puzzle, number, signal);
    part.steps.forEach((step, index) => this.steps.set(index, step));
    this.count = part.count;
    this.landmarks = part.landmarks ?? this.landmarks;
    this.summary = part.summary;
    this.at = Math.min(this.at, this.count - 1);
    if (!this.steps.has(this.at)) await this.#fetch(this.at, signal);
  }

  /** Draws the step again, with candidates or without. */
  redraw() {
    if (this.puzzle) this.#show();
  }

  /** What is drawn. @param {Step} step @returns {Marks} */
  #marks({ marks = {} }) {
    if (this.isNoted()) return marks;
    const { rests, removed, placed, wrong } = marks;
    return { candidates: [], rests, removed, placed, wrong };
  }

  /** @param {Step} step */
  #tell(step) {
    const words = step.words;
    this.told.textContent = words;
    this.slider.max = String(this.count - 1);
    this.slider.value = String(this.at);
    this.slider.setAttribute('aria-valuetext', `step ${this.at} of ${this.count - 1}: ${words}`);
    this.where.replaceChildren(...[`Step ${shown(this.at)} of ${shown(this.count - 1)}`, step.note, this.summary].filter(Boolean).map(part => el('span', {}, part)));
    this.toggle.disabled = this.slider.disabled = false;
    this.first.disabled = this.back.disabled = this.at <= 0;
    this.on.disabled = this.last.disabled = this.at >= this.count - 1;
    for (const { jump, forward, button: leap } of this.leaps) {
      const numbers = this.landmarks[jump.list] ?? [];
      leap.disabled = !numbers.some(number => forward ? number > this.at : number < this.at);
    }
  }

  /** What a cell holds at this step. @param {import('../common/puzzle.js').Cell} cell */
  #describe([row, column]) {
    const step = this.steps.get(this.at);
    const digit = step?.grid?.[row]?.[column];
    if (digit !== null && digit !== undefined) return `digit ${digit}`;
    const left = step?.marks?.candidates?.find(([otherRow, otherColumn]) => otherRow === row && otherColumn === column);
    return this.isNoted() && left ? `candidates ${left[2].join(' ')}` : '';
  }
}
