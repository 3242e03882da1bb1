// What the exact solver and the ladder say of the puzzle that is being drawn.

import { ask } from '../common/api.js';
import { Newest, announce, complain, counted, el, isAbort, shown } from '../common/dom.js';

/**
 * @typedef {import('../common/puzzle.js').Cell} Cell
 * @typedef {import('../common/puzzle.js').Marks} Marks
 */

/** Solutions are counted so far. */
const MOST = 10_000;

/** Seconds for counting. */
const PATIENCE = 3;

export class Facts {
  /**
   * @param {HTMLElement} host
   * @param {() => void} onmarks what is marked has changed
   */
  constructor(host, onmarks) {
    this.host = host;
    this.onmarks = onmarks;
    /** @type {Marks} */
    this.conflict = {};
    /** @type {Marks} */
    this.difference = {};
    this.asking = new Newest();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Forgets what is being asked. */
  stop() {
    clearTimeout(this.timer);
    this.asking.stop();
  }

  /** Of an empty grid there is nothing to say but what to do. @param {HTMLElement} action */
  invite(action) {
    this.stop();
    this.conflict = this.difference = {};
    this.host.removeAttribute('aria-busy');
    this.host.replaceChildren(el('p', {}, 'Nothing has been drawn yet.'), action);
  }

  /** Asks about a puzzle; what was asked before is cancelled. @param {any} puzzle @param {string} missing what is not drawn yet */
  update(puzzle, missing) {
    this.stop();
    this.conflict = this.difference = {};
    this.host.setAttribute('aria-busy', 'true');
    this.timer = setTimeout(() => this.#ask(puzzle, missing), 150);
  }

  /** @param {any} puzzle @param {string} missing */
  async #ask(puzzle, missing) {
    const signal = this.asking.begin();
    const rest = missing ? el('p', { class: 'soft' }, `Still to draw: ${missing}.`) : null;
    try {
      const answer = await ask('solve', { puzzle, why: true, time_limit: 10 }, { signal });
      this.#mark(answer, missing);
      await this.#tell(answer, { puzzle, rest, signal });
    } catch (error) {
      if (isAbort(error)) return;
      this.#mark({ solutions: [] }, missing);
      complain(this.host, error);
    }
    this.host.setAttribute('aria-busy', 'false');
  }

  /** @param {any} answer @param {{puzzle: any, rest: HTMLElement | null, signal: AbortSignal}} asked */
  async #tell(answer, { puzzle, rest, signal }) {
    const { status } = answer;
    const say = (/** @type {(HTMLElement | null)[]} */ ...parts) => this.host.replaceChildren(...parts.filter(part => part !== null), ...rest ? [rest] : []);
    if (status === 'unsolvable') {
      say(badge('No solution', 'bad'), el('p', {}, conflictWords(answer)));
    } else if (status === 'unique') {
      const one = badge('One solution', 'good');
      say(one, el('p', { class: 'soft' }, 'Grading…'));
      const grade = await ask('grade', { puzzle }, { signal });
      say(one, ...gradeWords(grade));
    } else if (status === 'multiple') {
      const cells = this.difference.rests?.length;
      const differ = cells ? el('p', {}, `Two of them differ in ${counted(cells, 'cell')}.`) : null;
      say(badge('Several solutions', ''), el('p', { class: 'soft' }, 'Counting…'), differ);
      const { count, count_is_exact: isExact } = await ask('solve', { puzzle, count: MOST, time_limit: PATIENCE }, { signal });
      const words = isExact ? `${shown(count)} solutions` : `At least ${shown(count)} solutions`;
      say(badge(words, ''), differ);
    } else {
      say(badge(status === 'solved' ? 'One solution was found; there may be others' : 'Undecided after 10 seconds', ''));
    }
    announce(this.host.querySelector('.badge')?.textContent ?? '');
  }

  /** @param {any} answer @param {string} missing */
  #mark(answer, missing) {
    this.conflict = answer.why ? { wrong: answer.why.flatMap((/** @type {any} */ clue) => clue.cells) } : {};
    // While the puzzle is being drawn it has many solutions, and where they differ tells nothing.
    this.difference = answer.solutions.length > 1 && !missing ? differing(answer.solutions) : {};
    this.onmarks();
  }
}

/** @param {string} words @param {string} kind */
function badge(words, kind) {
  return el('p', {}, el('strong', { class: `badge ${kind}` }, words));
}

/** @param {any} answer */
function conflictWords({ why, why_is: is }) {
  if (!why) return 'Which clues conflict could not be found in time.';
  if (!why.length) return 'Rows, columns and boxes alone conflict.';
  const count = why.length === 1 ? 'One clue contradicts the rules' : `${why.length} clues contradict each other`;
  const least = is === 'smallest' ? 'no fewer do' : is === 'irreducible' ? 'without any of them there is no contradiction' : 'perhaps fewer do';
  return why.length === 1 ? `${count}; it is marked.` : `${count}; ${least}. They are marked.`;
}

/** @param {any} grade @returns {HTMLElement[]} */
function gradeWords(grade) {
  if (grade.tier === null) return [el('p', {}, 'The techniques of the ladder do not solve it to the end.')];
  const techniques = Object.entries(grade.techniques);
  return [
    el('p', {}, 'Grade: ', el('strong', {}, `${grade.tier} ${grade.score.toFixed(1)}`), `, ${grade.steps} steps`),
    el('details', {}, el('summary', {}, 'Techniques'),
      el('table', {}, el('tbody', {}, techniques.map(([name, count]) =>
        el('tr', {}, el('td', {}, name.replaceAll('_', ' ')), el('td', { class: 'number' }, String(count))))))),
  ];
}

/** The cells in which two grids differ, with both digits. @param {(number | null)[][][]} grids @returns {Marks} */
function differing([one, other]) {
  /** @type {Cell[]} */
  const cells = [];
  one.forEach((line, row) => line.forEach((digit, column) => {
    if (digit !== other[row][column]) cells.push([row, column]);
  }));
  const digits = (/** @type {Cell} */ [row, column]) => /** @type {number[]} */ ([one[row][column], other[row][column]]);
  return { rests: cells, candidates: cells.map(cell => [...cell, digits(cell)]) };
}
