// The results folders: a card for each, which follows what happens in it.

import { ask, show, stream } from '../common/api.js';
import { announce, button, complain, counted, el, find, sentence, shown } from '../common/dom.js';
import { details } from './details.js';

/**
 * @typedef {{folder: string, state: string, problem: string | null, before: number | null, done: number, solved: number, failed: number,
 *   best_fitness: number | null, note: string | null, calls_per_s: number | null, under_way: {run: number, puzzle: string, best_fitness: number | null,
 *   generations: number}[], runs?: number, puzzles?: number, noun?: string, settings?: number, replicates?: number, algorithms?: string[], keys?: string[],
 *   race?: boolean, best_value?: number | null, maximise?: boolean | null}} Folder
 */

const ACTIVE = ['waiting', 'preparing', 'running', 'stopping'];

/** Milliseconds between two looks at all folders: while something is to come, and while all rest. */
const [SOON, SELDOM] = [3000, 10000];

export class Folders {
  /** @param {{chosen: (names: string[]) => void, use: (name: string) => void}} options what to do when folders are chosen, or one is used as a start */
  constructor({ chosen, use }) {
    this.host = find('#folders', HTMLElement);
    this.sought = find('#sought', HTMLInputElement);
    this.trouble = find('#trouble', HTMLElement);
    this.chosen = chosen;
    this.use = use;
    /** @type {Map<string, Card>} */
    this.cards = new Map();
    /** @type {string[]} */
    this.files = [];
    this.followed = '';
    this.close = () => {};
    /** The server starts, stops and resumes nothing. */
    this.isReadOnly = false;
    this.sought.addEventListener('input', () => this.filter());
    document.addEventListener('kenga:back', () => void this.refresh());
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#follow('');
      else void this.refresh();
    });
  }

  /** Looks at all folders, and again later. */
  async refresh() {
    clearTimeout(this.timer);
    try {
      const found = await show('experiments');
      complain(this.trouble);
      this.files = found.files;
      const more = found.more ? ' The list is incomplete.' : '';
      find('#place', HTMLElement).textContent = `Results folders in ${found.path}, and experiments that this server runs.${more}`;
      this.#lay(found.folders);
    } catch (error) {
      complain(this.trouble, error);
    }
    const isBusy = [...this.cards.values()].some(card => card.isBusy());
    this.timer = setTimeout(() => {
      if (!document.hidden) void this.refresh();
    }, isBusy ? SOON : SELDOM);
  }

  /** Names of the chosen folders, in the order of the page. */
  names() {
    return [...this.cards.values()].filter(card => card.box.checked).map(card => card.folder.folder);
  }

  /** Shows only what was sought. */
  filter() {
    const words = this.sought.value.toLowerCase().split(/\s+/).filter(word => word);
    for (const card of this.cards.values()) {
      const { folder, state, algorithms = [] } = card.folder;
      const text = [folder, state, ...algorithms].join(' ').toLowerCase();
      card.element.hidden = !words.every(word => text.includes(word));
    }
  }

  /** @param {Folder[]} folders */
  #lay(folders) {
    const names = new Set(folders.map(one => one.folder));
    for (const [name, card] of this.cards) {
      if (names.has(name)) continue;
      card.element.remove();
      this.cards.delete(name);
    }
    for (const folder of folders) {
      const card = this.cards.get(folder.folder) ?? new Card(this, folder);
      this.cards.set(folder.folder, card);
      card.update(folder);
    }
    const sorted = [...this.cards.values()].sort((a, b) => a.folder.folder.localeCompare(b.folder.folder, 'en', { numeric: true }));
    // Moving an element would take the focus from it.
    sorted.forEach((card, place) => {
      if (this.host.children[place] !== card.element) this.host.insertBefore(card.element, this.host.children[place] ?? null);
    });
    find('#none', HTMLElement).hidden = folders.length > 0;
    this.filter();
    this.chosen(this.names());
    const running = folders.find(one => ACTIVE.includes(one.state) && one.state !== 'waiting');
    this.#follow(document.hidden ? '' : running?.folder ?? '');
  }

  /**
   * Follows the experiment that runs; one stream is enough, because one runs at a time. A page that is not seen follows none: a browser
   * opens six connections to a server, and a stream holds one.
   * @param {string} name
   */
  #follow(name) {
    if (name === this.followed) return;
    this.close();
    this.followed = name;
    this.close = () => {};
    if (!name) return;
    const update = (/** @type {Folder} */ folder) => this.cards.get(name)?.update(folder);
    this.close = stream('events', { folder: name }, {
      progress: update,
      end: (/** @type {Folder} */ folder) => {
        update(folder);
        announce(`${name}: ${folder.state}`);
        this.#follow('');
        void this.refresh();
      },
      // The next look at all folders tries again.
      gone: () => {
        this.followed = '';
      },
    });
  }
}

/** What is said of the folder of a tuning. */
const TUNING = 'A tuning: kenga report and kenga validate read it. The runs of its best and of its default on held-out puzzles are folders of their own.';

/** How a state is shown. */
const LOOK = /** @type {Record<string, string>} */ ({ finished: 'good', unreadable: 'bad' });

/** The id of the card of a folder. @param {string} folder */
export function placeOf(folder) {
  return `experiment-${folder.replaceAll(/[^\w.-]/g, '_')}`;
}

/** A folder on the page. */
class Card {
  /** @param {Folders} owner @param {Folder} folder */
  constructor(owner, folder) {
    this.owner = owner;
    this.folder = folder;
    const name = folder.folder;
    this.box = el('input', { type: 'checkbox', onchange: () => owner.chosen(owner.names()) });
    this.badge = el('span', { class: 'badge' });
    this.bar = el('progress', { max: 1, value: 0, 'aria-label': `${name}: runs that have ended` });
    this.words = el('p');
    this.now = el('p', { class: 'soft' });
    this.note = el('p', { class: 'problem' });
    this.problem = el('p', { class: 'problem' });
    this.trouble = el('div');
    this.more = el('div', { hidden: true });
    this.stop = button('Stop', () => this.act('stop'), { name: `Stop ${name}` });
    this.resume = button('Resume', () => this.act('resume'), { name: `Resume ${name}` });
    this.watch = el('a', { class: 'button', href: `/theatre?folder=${encodeURIComponent(name)}&run=0`, 'aria-label': `Watch ${name}` }, 'Watch');
    this.open = button('Details', () => void this.toggle(), { name: `Details ${name}`, 'aria-expanded': 'false' });
    this.element = el('li', { id: placeOf(name), tabIndex: -1 },
      el('div', { class: 'head' }, el('label', {}, this.box, name), this.badge), this.bar, this.words, this.now, this.note, this.problem,
      el('div', { class: 'bar' }, this.stop, this.resume, this.watch, this.open), this.trouble, this.more);
  }

  isBusy() {
    return ACTIVE.includes(this.folder.state) || this.folder.state === 'locked';
  }

  /** @param {Folder} folder */
  update(folder) {
    this.folder = { ...this.folder, ...folder };
    const { state, runs = 0, done, before, problem, note, failed } = this.folder;
    this.badge.textContent = state === 'waiting' && before ? `waiting, ${before} before it` : state === 'locked' ? 'running elsewhere' : state;
    this.badge.className = `badge ${LOOK[state] ?? ''}`;
    this.bar.max = Math.max(runs, 1);
    this.bar.value = done;
    const isTuning = state === 'tuning';
    this.bar.hidden = isTuning || state === 'unreadable';
    this.words.textContent = isTuning ? TUNING : wordsOf(this.folder);
    this.now.textContent = nowOf(this.folder);
    this.now.hidden = !this.now.textContent;
    this.note.textContent = note ?? '';
    this.note.hidden = !note;
    this.problem.textContent = problem ? sentence(problem) : '';
    this.problem.hidden = !problem;
    const focused = document.activeElement;
    this.stop.hidden = !ACTIVE.includes(state);
    this.stop.disabled = this.resume.disabled = this.owner.isReadOnly;
    this.resume.hidden = !(state === 'interrupted' || (state === 'finished' && failed > 0));
    this.watch.hidden = isTuning || state === 'unreadable';
    this.open.hidden = isTuning || state === 'unreadable';
    this.box.disabled = state === 'unreadable' || done === 0;
    if (this.box.disabled) this.box.checked = false;
    // A button that is gone takes the focus with it.
    if (focused instanceof HTMLElement && focused.hidden && this.element.contains(focused)) {
      [this.stop, this.resume, this.open].find(other => !other.hidden)?.focus();
    }
  }

  /** @param {'stop' | 'resume'} endpoint @param {object} [more] */
  async act(endpoint, more = {}) {
    complain(this.trouble);
    try {
      this.update(await ask(endpoint, { folder: this.folder.folder, ...more }));
      announce(`${this.folder.folder}: ${this.folder.state}`);
    } catch (error) {
      complain(this.trouble, error);
    }
    void this.owner.refresh();
  }

  async toggle() {
    const isOpen = this.more.hidden !== false;
    this.more.hidden = !isOpen;
    this.open.setAttribute('aria-expanded', String(isOpen));
    this.element.classList.toggle('wide', isOpen);
    if (!isOpen) return;
    try {
      await details(this.more, this.folder.folder, {
        use: () => this.owner.use(this.folder.folder),
        extend: replicates => this.act('resume', { replicates }),
        isReadOnly: this.owner.isReadOnly,
      });
    } catch (error) {
      complain(this.more, error);
    }
  }
}

/** What there is of an experiment. @param {Folder} folder */
function wordsOf(folder) {
  const { runs, done, solved, failed, settings = 1, puzzles = 1, noun = 'puzzle', algorithms = [], race } = folder;
  if (runs === undefined) return '';
  const parts = [
    `${shown(done)} of ${counted(runs, 'run')}${race ? ' at most' : ''}`, `${shown(solved)} solved`,
    failed ? `${shown(failed)} failed` : '', bestOf(folder),
    settings > 1 ? counted(settings, 'setting') : '', counted(puzzles, noun), algorithms.slice(0, 4).join(', '),
  ];
  return parts.filter(part => part).join(' · ');
}

/** The best of all runs: a value where the problem has values, the fitness of puzzles. @param {Folder} folder */
function bestOf({ best_fitness: best, best_value: value = null, maximise }) {
  if (best === null) return '';
  return value === null ? `lowest fitness ${best}` : `${maximise ? 'highest' : 'lowest'} value ${Number(value.toPrecision(12))}`;
}

/** What is being done. @param {Folder} folder */
function nowOf({ state, calls_per_s: rate, under_way: runs = [] }) {
  if (state === 'preparing') return 'the puzzles are solved exactly';
  if (state !== 'running') return '';
  const each = runs.slice(0, 3).map(run => `run ${run.run} on ${run.puzzle}${run.best_fitness === null ? '' : `: best ${run.best_fitness}`}, generation ${shown(run.generations)}`);
  return [rate === null ? '' : `${shown(rate)} calls a second`, ...each].filter(part => part).join(' · ');
}

