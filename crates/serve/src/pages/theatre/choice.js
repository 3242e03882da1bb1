// What is played: an example, which may be changed, or a run of a results folder.

import { show } from '../common/api.js';
import { complain, counted, el, find } from '../common/dom.js';

/** @typedef {{name: string, about: string, config: string, puzzle: string}} Example */
/** @typedef {{folder: string, state: string, done: number, solved: number, runs?: number, settings?: number}} Folder */
/** @typedef {{run: number, puzzle: string, setting: number, replicate: number, solved: boolean, best_fitness: number | null, value?: number}} Row */

/** The most runs that are listed. */
const MOST = 1000;

export class Choice {
  /** @param {HTMLElement} complaint @param {(asked: object) => void} play */
  constructor(complaint, play) {
    this.complaint = complaint;
    this.what = find('#what', HTMLSelectElement);
    this.setting = find('#setting', HTMLSelectElement);
    this.run = find('#run', HTMLSelectElement);
    this.about = find('#about', HTMLElement);
    this.own = find('#own', HTMLElement);
    this.seed = find('#seed', HTMLInputElement);
    this.config = find('#config', HTMLTextAreaElement);
    this.puzzle = find('#puzzle', HTMLTextAreaElement);
    /** @type {Example[]} */
    this.examples = [];
    /** @type {Row[]} of the chosen folder */
    this.rows = [];
    this.what.addEventListener('change', () => void this.#chosen(0));
    this.setting.addEventListener('change', () => this.#listRuns(0));
    this.config.addEventListener('change', () => this.#listRuns(Number(this.run.value)));
    find('#choose', HTMLFormElement).addEventListener('submit', event => {
      event.preventDefault();
      play(this.request());
    });
  }

  /** The chosen folder; nothing for an example. */
  get folder() {
    return this.what.value.startsWith('folder:') ? this.what.value.slice('folder:'.length) : undefined;
  }

  /** Lists what there is. Returns whether the address names a run to be played. */
  async open() {
    this.examples = await show('examples');
    const address = new URLSearchParams(location.search);
    const [folder, example] = [address.get('folder'), address.get('example')];
    const found = await show('experiments').catch(error => complain(this.complaint, error));
    const folders = /** @type {Folder[]} */ (found?.folders ?? []).filter(one => !['unreadable', 'tuning'].includes(one.state));
    // A folder that is not listed is asked for all the same: the server says what is wrong with it.
    if (folder && !folders.some(one => one.folder === folder)) folders.push({ folder, state: '', done: 0, solved: 0 });
    const words = (/** @type {Folder} */ { folder: name, done, solved }) => done ? `${name}: ${counted(done, 'run')}, ${solved} solved` : name;
    this.what.replaceChildren(
      group('Examples', this.examples.map(({ name, about }) => el('option', { value: `example:${name}` }, `${name}: ${about}`))),
      folders.length ? group('Results folders', folders.map(one => el('option', { value: `folder:${one.folder}` }, words(one)))) : '',
    );
    if (this.examples.some(({ name }) => name === example)) this.what.value = `example:${example}`;
    if (folder) this.what.value = `folder:${folder}`;
    await this.#chosen(Number(address.get('run')) || 0);
    return folder !== null;
  }

  /** What the server is asked to play. */
  request() {
    const run = Number(this.run.value);
    if (this.folder !== undefined) return { folder: this.folder, run };
    return {
      config: this.config.value, run, ...this.seed.value !== '' && { seed: Number(this.seed.value) },
      ...this.puzzle.value.trim() && { puzzle: this.puzzle.value },
    };
  }

  /** Lists the settings and the runs of what was chosen. @param {number} run the one to begin with */
  async #chosen(run) {
    const { folder } = this;
    this.own.hidden = folder !== undefined;
    this.rows = [];
    this.setting.replaceChildren(el('option', { value: '' }, 'all settings'));
    if (folder === undefined) {
      const example = this.examples.find(({ name }) => this.what.value === `example:${name}`) ?? this.examples[0];
      [this.config.value, this.puzzle.value] = [example.config, example.puzzle];
    } else {
      try {
        const [{ each_setting: settings }, { rows }] = await Promise.all([show('experiment', { folder }), show('runs', { folder, limit: MOST })]);
        if (folder !== this.folder) return;
        this.rows = rows;
        this.setting.append(...settings.map((/** @type {any} */ one) => el('option', { value: String(one.setting) }, one.words)));
      } catch (error) {
        complain(this.complaint, error);
      }
    }
    find('#setting-field', HTMLElement).hidden = this.setting.length < 3;
    this.#listRuns(run);
  }

  /** @param {number} run the one that is chosen */
  #listRuns(run) {
    const { value } = this.setting;
    const rows = this.rows.filter(row => value === '' || String(row.setting) === value);
    const words = (/** @type {Row} */ row) => `run ${row.run}: ${row.puzzle}${row.replicate ? `, replicate ${row.replicate}` : ''}, ${row.solved ? 'solved' : row.value === undefined ? `fitness ${row.best_fitness}` : `value ${row.value}`}`;
    /** @type {[number, string][]} */
    const runs = rows.length ? rows.map(row => [row.run, words(row)]) : this.#expected();
    if (!runs.some(([number]) => number === run) && value === '') runs.push([run, `run ${run}`]);
    this.run.replaceChildren(...runs.map(([number, name]) => el('option', { value: String(number) }, name)));
    if (runs.some(([number]) => number === run)) this.run.value = String(run);
    this.about.textContent = this.rows.length === MOST ? `The first ${MOST} runs are listed; the buttons beside the run lead to the others.` : '';
  }

  /** The runs of a configuration, as far as its text says how many there are. @returns {[number, string][]} */
  #expected() {
    const replicates = this.folder === undefined ? Number(/^replicates\s*=\s*([\d_]+)/m.exec(this.config.value)?.[1].replaceAll('_', '') ?? 1) : 1;
    return Array.from({ length: Math.min(MOST, Math.max(1, replicates)) }, (_, run) => [run, `run ${run}`]);
  }
}

/** @param {string} label @param {HTMLElement[]} options */
function group(label, options) {
  return el('optgroup', { label }, options);
}
