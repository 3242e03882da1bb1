// The form of a configuration, made of the tables behind `kenga list`: a field for every key, with its range, default and meaning.

import { el } from '../common/dom.js';
import { lines, put, several } from './toml.js';

/**
 * @typedef {{kind: string, least?: number | null, most?: number | null, words?: string[], family?: string, params?: Param[]}} Values
 * @typedef {{name: string, takes: string, default: string, about: string, values: Values}} Param
 * @typedef {{family: string, name: string, about: string, encodings: string[] | null, params: Param[], source: string}} Member
 */

/** Keys that the page has its own controls for. */
const ELSEWHERE = ['puzzles'];

/** Tables that are open from the start. */
const OPEN = ['budget', 'algorithm'];

export class Fields {
  /**
   * @param {HTMLElement} host
   * @param {Member[]} members all that `list` shows
   * @param {Record<string, string>} values by dotted path, as they were typed
   * @param {() => void} changed
   */
  constructor(host, members, values, changed) {
    this.host = host;
    this.members = members;
    this.values = values;
    this.changed = changed;
    this.draw();
  }

  /** Shows other values. @param {Record<string, string>} values */
  reset(values) {
    this.values = values;
    this.draw();
  }

  /** The configuration as TOML. @param {string[] | undefined} files the puzzles that it names */
  text(files) {
    /** @type {import('./toml.js').Table} */
    const table = files ? { puzzles: files } : {};
    /** @type {import('./toml.js').Table} */
    const sweep = {};
    for (const [path, value] of this.#inUse()) {
      const parts = several(value);
      if (parts.length > 1) sweep[path] = parts;
      else put(table, path.split('.'), value);
    }
    if (Object.keys(sweep).length) table.sweep = sweep;
    return `${lines(table).join('\n')}\n`;
  }

  draw() {
    const top = this.#member('configuration', 'experiment');
    this.used = new Set();
    const plain = top.params.filter(param => !ELSEWHERE.includes(param.name) && param.values.kind !== 'section' && param.values.kind !== 'member');
    const tables = top.params.filter(param => param.values.kind === 'section' || param.values.kind === 'member');
    const order = ['budget', 'algorithm'];
    tables.sort((a, b) => (order.indexOf(a.name) + 9) % 9 - (order.indexOf(b.name) + 9) % 9);
    this.host.replaceChildren(
      ...plain.map(param => this.#field(param.name, param)),
      ...tables.map(param => this.#group(param)),
    );
  }

  /** The values of fields that are shown, in their order. @returns {[string, string][]} */
  #inUse() {
    const shown = [...this.host.querySelectorAll('[data-path]')].map(field => /** @type {HTMLElement} */ (field).dataset.path ?? '');
    return shown.map(path => /** @type {[string, string]} */ ([path, this.values[path] ?? ''])).filter(pair => pair[1].trim() !== '');
  }

  /** @param {string} family @param {string} name */
  #member(family, name) {
    const found = this.members.find(member => member.family === family && member.name === name);
    if (!found) throw new Error(`there is no ${family} ${name}`);
    return found;
  }

  /** A table at the top. @param {Param} param */
  #group(param) {
    const { name, about, values } = param;
    const inner = values.kind === 'section' ? this.#section(name, values.params ?? []) : [this.#choice(name, param)];
    return el('details', { open: OPEN.includes(name) }, el('summary', {}, name, el('span', { class: 'soft' }, ` ${about}`)), inner);
  }

  /** @param {string} path @param {Param[]} params @returns {HTMLElement[]} */
  #section(path, params) {
    return params.map(param => param.values.kind === 'section'
      ? el('fieldset', {}, el('legend', {}, param.name), this.#section(`${path}.${param.name}`, param.values.params ?? []))
      : this.#field(`${path}.${param.name}`, param));
  }

  /** The field of a key. @param {string} path @param {Param} param @returns {HTMLElement} */
  #field(path, param) {
    const { kind } = param.values;
    if (kind === 'member') return this.#choice(path, param);
    if (['members', 'choices', 'texts', 'list', 'table'].includes(kind)) {
      return el('div', { class: 'pair' }, el('span', {}, el('b', {}, param.name)), el('span', { class: 'soft' }, `${param.takes}: write it in the text`));
    }
    const isChoice = kind === 'flag' || (kind === 'choice' && param.values.least === undefined);
    const words = kind === 'flag' ? ['true', 'false'] : param.values.words ?? [];
    const control = isChoice ? this.#select(path, param, words.map(word => [word, word])) : this.#input(path, param);
    return this.#pair(path, param, control);
  }

  /** A label, a control and what is to be known. @param {string} path @param {Param} param @param {HTMLElement} control */
  #pair(path, param, control) {
    const isRequired = param.default === 'required';
    // What a choice takes stands in it.
    const takes = control instanceof HTMLSelectElement ? '' : param.takes;
    const words = [param.about, takes, isRequired ? 'required' : ''].filter(word => word).join('; ');
    const help = el('p', { class: 'soft', id: `about-${path}` }, words);
    return el('div', { class: 'pair' }, el('label', { for: control.id }, param.name), control, help);
  }

  /** @param {string} path @param {Param} param */
  #input(path, param) {
    const hint = param.default && param.default !== 'none' ? param.default : '';
    const mode = ['integer', 'real'].includes(param.values.kind) ? 'decimal' : 'text';
    return el('input', {
      id: `field-${path}`, 'data-path': path, value: this.values[path] ?? '', placeholder: hint, inputMode: mode, spellcheck: false,
      'aria-describedby': `about-${path}`,
      oninput: (/** @type {Event} */ event) => this.#set(path, /** @type {HTMLInputElement} */ (event.target).value),
    });
  }

  /** @param {string} path @param {Param} param @param {[string, string, boolean?][]} options */
  #select(path, param, options) {
    const fallback = param.default === 'none' && param.values.kind !== 'member' ? 'not set' : `default: ${param.default}`;
    const made = el('select', {
      id: `field-${path}`, 'data-path': param.values.kind === 'member' ? `${path}.name` : path, 'aria-describedby': `about-${path}`,
    }, el('option', { value: '' }, fallback), options.map(([value, words, fits]) => el('option', { value, disabled: fits === false }, words)));
    const key = made.dataset.path ?? path;
    made.value = this.values[key] ?? '';
    made.addEventListener('change', () => this.#set(key, made.value));
    return made;
  }

  /** A member of a family, and its keys below. @param {string} path @param {Param} param @returns {HTMLElement} */
  #choice(path, param) {
    const family = this.members.filter(member => member.family === param.values.family);
    const encoding = this.#encoding();
    const fits = (/** @type {Member} */ member) => !member.encodings || !encoding || member.encodings.includes(encoding);
    const control = this.#select(path, param, family.map(member => [member.name, fits(member) ? member.name : `${member.name} (not for ${encoding})`, fits(member)]));
    const keys = el('div', { class: 'member' });
    const chosen = () => {
      const name = this.values[`${path}.name`] || param.default.split(' or ').find(word => family.some(one => one.name === word && fits(one)));
      return family.find(member => member.name === name);
    };
    const show = () => {
      const member = chosen();
      const about = member && el('p', { class: 'soft' }, member.about, member.source ? ` (${member.source})` : '');
      keys.replaceChildren(...[about].filter(one => !!one), ...(member?.params ?? []).map(inner => this.#field(`${path}.${inner.name}`, inner)));
      keys.hidden = !member?.params.length && !member?.about;
    };
    control.addEventListener('change', () => {
      show();
      // What fits depends on the encoding.
      if (path.endsWith('.encoding')) this.#redraw(control.id);
      this.changed();
    });
    show();
    return el('div', {}, this.#pair(path, param, control), keys);
  }

  /** The encoding of the algorithm, if one is chosen or its default is known. */
  #encoding() {
    const chosen = this.values['algorithm.encoding.name'];
    if (chosen) return chosen;
    const algorithm = this.members.find(member => member.family === 'algorithm' && member.name === (this.values['algorithm.name'] || 'genetic'));
    return algorithm?.params.find(param => param.name === 'encoding')?.default;
  }

  /** @param {string} focus */
  #redraw(focus) {
    const open = [...this.host.querySelectorAll('details')].map(one => one.open);
    this.draw();
    this.host.querySelectorAll('details').forEach((one, index) => { one.open = open[index]; });
    document.getElementById(focus)?.focus();
  }

  /** @param {string} path @param {string} value */
  #set(path, value) {
    this.values[path] = value;
    this.changed();
  }
}
