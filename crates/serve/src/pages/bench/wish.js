// Puzzles to order: a form from the server's own description of what each generator takes.

import { ask, show } from '../common/api.js';
import { Newest, button, complain, el, isAbort, picture, saved, sentence } from '../common/dom.js';
import { KINDS } from './model.js';

/**
 * @typedef {{type?: string, enum?: string[], const?: string, minimum?: number, maximum?: number, default?: any, description?: string}} Property
 * @typedef {{title: string, description: string, required: string[], properties: Record<string, Property>}} Kind
 */

const TIERS = ['easy', 'normal', 'hard', 'extreme', 'unreasonable'];

/** What most orders say. */
const USUAL = ['size', 'rows', 'cols', 'difficulty', 'count', 'seed'];

const wishes = saved('bench.wish', /** @type {Record<string, Record<string, string>>} */ ({}));

export class WishDialog {
  /** @param {(puzzle: any) => void} onopen a puzzle is to be opened */
  constructor(onopen) {
    this.onopen = onopen;
    /** @type {Kind[]} */
    this.kinds = [];
    this.kind = el('select', { id: 'wish-kind', onchange: () => this.#fields() });
    this.fields = el('div');
    this.complaint = el('div');
    this.progress = el('div', { role: 'status' });
    this.made = el('ul', { class: 'made', 'aria-label': 'Puzzles made' });
    this.make = el('button', { class: 'main', type: 'submit' }, 'Generate');
    this.asking = new Newest();
    this.cancel = button('Cancel', () => this.asking.stop(), { hidden: true });
    const form = el('form', { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#order();
    } },
    el('div', { class: 'field' }, el('label', { for: 'wish-kind' }, 'Kind'), this.kind), this.fields, this.complaint,
    el('div', { class: 'bar' }, this.make, this.cancel, button('Close', () => this.dialog.close())), this.progress);
    /** @type {HTMLDialogElement} */
    this.dialog = el('dialog', { class: 'wide', 'aria-label': 'Generate puzzles', onclose: () => this.asking.stop() }, el('h2', {}, 'Generate puzzles'), form, this.made);
    document.body.append(this.dialog);
  }

  async open() {
    this.dialog.showModal();
    if (this.kinds.length) return;
    try {
      const [api, techniques] = await Promise.all([show('openapi.json'), show('list', { family: 'technique' })]);
      this.kinds = api.paths['/api/v1/generate'].post.requestBody.content['application/json'].schema.oneOf;
      this.dialog.append(el('datalist', { id: 'wish-techniques' }, techniques.map((/** @type {any} */ one) => el('option', { value: one.name }))));
      this.kind.replaceChildren(...this.kinds.map(kind => el('option', { value: kind.title }, KINDS[kind.title]?.name ?? kind.title.replaceAll('_', ' '))));
      this.#fields();
    } catch (error) {
      complain(this.complaint, error);
    }
  }

  get #chosen() {
    return this.kinds[Math.max(0, this.kind.selectedIndex)];
  }

  /** A field for each parameter, with its range and default. */
  #fields() {
    const kind = this.#chosen;
    const before = wishes.get()[kind.title] ?? {};
    const names = Object.keys(kind.properties).filter(name => !['kind', 'first'].includes(name));
    const isUsual = (/** @type {string} */ name) => USUAL.includes(name) || kind.required.includes(name);
    const fieldOf = (/** @type {string} */ name) => field(name, kind.properties[name], kind.required.includes(name), before[name]);
    const usual = names.filter(isUsual).sort((one, other) => USUAL.indexOf(one) - USUAL.indexOf(other));
    const others = names.filter(name => !isUsual(name));
    this.fields.replaceChildren(el('p', { class: 'soft' }, sentence(kind.description)), el('div', { class: 'fields' }, usual.map(fieldOf)),
      el('details', { open: others.some(name => before[name] && before[name] !== String(kind.properties[name].default ?? '') && before[name] !== 'false') },
        el('summary', {}, 'More options'), el('div', { class: 'fields' }, others.map(fieldOf))));
  }

  async #order() {
    const kind = this.#chosen;
    /** @type {Record<string, any>} */
    const order = { kind: kind.title };
    /** @type {Record<string, string>} */
    const typed = {};
    for (const input of /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (this.fields.querySelectorAll('[name]'))) {
      const property = kind.properties[input.name];
      const value = input instanceof HTMLInputElement && input.type === 'checkbox' ? String(input.checked) : input.value.trim();
      typed[input.name] = value;
      if (value === '') continue;
      order[input.name] = property.type === 'boolean' ? value === 'true' : ['integer', 'number'].includes(property.type ?? '') ? Number(value) : value;
    }
    wishes.set({ ...wishes.get(), [kind.title]: typed });
    const count = order.count ?? 1;
    const signal = this.asking.begin();
    this.made.replaceChildren();
    complain(this.complaint);
    this.#busy(true);
    const bar = el('progress', { max: count, value: 0, 'aria-label': 'Puzzles made' });
    const words = el('p', { class: 'hint' }, `0 of ${count}`);
    this.progress.replaceChildren(bar, words);
    this.progress.scrollIntoView({ block: 'nearest' });
    /** @type {string[]} */
    const notes = [];
    try {
      for (let first = 0; first < count; first++) {
        const { puzzles, notes: said } = await ask('generate', { ...order, count: 1, first }, { signal });
        notes.push(...said);
        bar.value = first + 1;
        words.textContent = [`${first + 1} of ${count}`, ...notes].join('\n');
        await Promise.all(puzzles.map((/** @type {any} */ puzzle) => this.#add(puzzle)));
      }
    } catch (error) {
      if (isAbort(error)) words.textContent += '\nCancelled.';
      else complain(this.complaint, error);
    }
    this.#busy(false);
  }

  /** @param {boolean} isBusy */
  #busy(isBusy) {
    this.make.disabled = isBusy;
    this.cancel.hidden = !isBusy;
  }

  /** @param {any} puzzle */
  async #add(puzzle) {
    const { solution: _, ...shown } = puzzle;
    const { svg } = await ask('picture', { puzzle: shown });
    const open = button('Open', () => {
      this.dialog.close();
      this.onopen(puzzle);
    }, { name: `Open ${puzzle.id}` });
    const item = el('li', {}, picture(svg), el('p', {}, puzzle.id), open);
    this.made.append(item);
    if (this.made.childElementCount === 1) item.scrollIntoView({ block: 'nearest' });
  }
}

/** @param {string} name @param {Property} property @param {boolean} isRequired @param {string | undefined} before */
function field(name, property, isRequired, before) {
  const id = `wish-${name}`;
  const words = name.replaceAll('_', ' ');
  const label = words.charAt(0).toUpperCase() + words.slice(1);
  // The tiers are in the list.
  const about = el('small', { id: `${id}-about` }, name === 'difficulty' ? 'how hard for a person, by the ladder of techniques' : described(property));
  const value = before ?? String(property.default ?? (isRequired ? 6 : ''));
  const shared = { id, name, 'aria-describedby': about.id };
  if (property.type === 'boolean') {
    return el('div', { class: 'field' }, el('label', { class: 'check' }, el('input', { ...shared, type: 'checkbox', checked: value === 'true' }), label), about);
  }
  // A range of tiers or scores that was once ordered stays in the list.
  const tiers = [...new Set(['', ...TIERS, value])];
  const choices = name === 'difficulty' ? tiers : property.enum;
  const input = choices
    ? el('select', shared, choices.map(word => el('option', { value: word, selected: word === value }, word || 'any')))
    : el('input', { ...shared, value, required: isRequired, ...kindOf(name, property) });
  return el('div', { class: 'field' }, el('label', { for: id }, label), input, about);
}

/** @param {string} name @param {Property} property */
function kindOf(name, property) {
  if (property.type === 'integer' || property.type === 'number') {
    const step = property.type === 'integer' ? '1' : 'any';
    return { type: 'number', min: String(property.minimum), max: property.maximum === Number.MAX_SAFE_INTEGER + 1 ? '' : String(property.maximum), step };
  }
  const list = { require: 'wish-techniques', avoid: 'wish-techniques' }[name];
  return { type: 'text', spellcheck: false, autocomplete: 'off', list };
}

/** @param {Property} property */
function described({ description = '', minimum, maximum }) {
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < 1e6;
  return isBounded ? `${description}; ${minimum} to ${maximum}` : description;
}
