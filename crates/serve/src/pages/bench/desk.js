// The puzzles in this browser, each with all its steps, and the one that is open.
//
// Every change is stored at once, so that nothing is lost when the page is closed. Tabs that show the same puzzle follow each
// other; where two change it in the same moment, one goes on with a copy.

import { change, changedBy } from './history.js';

const PREFIX = 'kenga.bench.v1.';

/**
 * @typedef {import('./model.js').Work} Work
 * @typedef {import('./history.js').Change} Change
 * @typedef {{id: string, revision: string, name: string, changed: number, work: Work, steps: Change[], at: number, seconds: number}} Paper
 *   `at` of the `steps` are done; `seconds` of play
 */

/** @param {string} id @returns {Paper | undefined} */
function stored(id) {
  try {
    const paper = JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null');
    return paper?.work ? paper : undefined;
  } catch {
    return undefined;
  }
}

/** All puzzles, the latest first. @returns {Paper[]} */
export function shelf() {
  const ids = Object.keys(localStorage).filter(key => key.startsWith(PREFIX)).map(key => key.slice(PREFIX.length));
  const papers = ids.map(stored).filter(paper => paper !== undefined);
  return papers.sort((one, other) => other.changed - one.changed);
}

/** Throws a puzzle away. @param {string} id */
export function discard(id) {
  localStorage.removeItem(PREFIX + id);
}

export class Desk {
  /**
   * @param {Work} blank what is on a new desk
   * @param {{onchange: () => void, onsay: (words: string) => void}} listeners
   */
  constructor(blank, { onchange, onsay }) {
    this.onchange = onchange;
    this.onsay = onsay;
    /** @type {Paper} */
    this.paper = shelf()[0] ?? fresh(blank, 'Untitled');
    this.isFull = false;
    addEventListener('storage', event => this.#heard(event));
  }

  /** What is on the desk. @returns {Work} */
  get work() {
    return this.paper.work;
  }

  get canUndo() {
    return this.paper.at > 0;
  }

  get canRedo() {
    return this.paper.at < this.paper.steps.length;
  }

  /**
   * Makes a step.
   * @param {Work} after
   * @param {{amends?: boolean}} [options] `amends` makes one step of it and the last
   */
  step(after, { amends = false } = {}) {
    const paper = this.paper;
    if (amends && paper.at > 0) this.#move(true);
    const changed = change(paper.work, after);
    if (changed === undefined && !amends) return;
    paper.steps.length = paper.at;
    if (changed !== undefined) paper.steps.push(changed);
    paper.at = paper.steps.length;
    paper.work = after;
    this.#changed();
  }

  undo() {
    if (!this.canUndo) return;
    this.#move(true);
    this.#changed();
  }

  redo() {
    if (!this.canRedo) return;
    this.#move(false);
    this.#changed();
  }

  /** Goes back to where so many steps are done, and forgets what came after: it was none. @param {number} at */
  reject(at) {
    while (this.paper.at > at) this.#move(true);
    this.paper.steps.length = this.paper.at;
    this.#changed();
  }

  /** Lays another puzzle on the desk; what was there stays on the shelf. @param {Work} work @param {string} name */
  lay(work, name) {
    this.paper = fresh(work, name);
    this.#changed();
  }

  /** Takes a puzzle from the shelf. @param {string} id */
  take(id) {
    const paper = stored(id);
    if (!paper) return;
    this.paper = paper;
    this.#changed();
  }

  /** Counts a second of play. */
  tick() {
    this.paper.seconds++;
    if (this.paper.seconds % 10 === 0) this.#save();
  }

  /** @param {boolean} isBack */
  #move(isBack) {
    const paper = this.paper;
    paper.work = changedBy(paper.work, paper.steps[isBack ? --paper.at : paper.at++], isBack);
  }

  #changed() {
    this.#save();
    this.onchange();
  }

  #save() {
    const paper = this.paper;
    const there = stored(paper.id);
    if (there && there.revision !== paper.revision) {
      paper.id = anew();
      paper.name += ' (copy)';
      this.onsay('Another tab has changed this puzzle: yours goes on as a copy; both are on the shelf.');
    }
    paper.revision = anew();
    paper.changed = Date.now();
    try {
      localStorage.setItem(PREFIX + paper.id, JSON.stringify(paper));
      this.isFull = false;
    } catch {
      if (!this.isFull) {
        this.onsay('The storage of this browser is full: what you do from here on is lost when this page is closed. Export the puzzle, or delete others from the shelf.');
      }
      this.isFull = true;
    }
  }

  /** Another tab has stored something. @param {StorageEvent} event */
  #heard(event) {
    if (event.key !== PREFIX + this.paper.id) return;
    const theirs = stored(this.paper.id);
    if (!theirs) {
      this.onsay('Another tab has deleted this puzzle; it is kept here, and stored again with your next step.');
      return;
    }
    this.paper = theirs;
    this.onchange();
  }
}

/** 128 random bits. `crypto.randomUUID` is there only on this machine and over https. */
function anew() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {Work} work @param {string} name @returns {Paper} */
function fresh(work, name) {
  return { id: anew(), revision: '', name, changed: 0, work, steps: [], at: 0, seconds: 0 };
}
