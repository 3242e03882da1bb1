// Filters: settings are left out by the values of their keys, in tables and in charts.

import { all, make } from './dom.js';
import { headings } from './tables.js';

/** @typedef {Map<string, Map<string, string>>} Settings for each setting its values by their keys */

/** The settings of the tables, as their rows say. @param {HTMLElement} root @returns {Settings} */
function settingsOf(root) {
  /** @type {Settings} */
  const found = new Map();
  for (const table of all('table', HTMLTableElement, root)) {
    const keys = headings(table).map(head => head.dataset.key);
    for (const row of all('tr[data-setting]', HTMLTableRowElement, table)) {
      const values = new Map(keys.flatMap((key, column) => key === undefined ? [] : [[key, (row.cells[column].textContent ?? '').trim()]]));
      found.set(row.dataset.setting ?? '', values);
    }
  }
  return found;
}

/** The values of a key and the boxes that choose among them. */
class Choice {
  /** @param {string} key @param {string[]} values @param {() => void} changed */
  constructor(key, values, changed) {
    this.key = key;
    this.boxes = values.map(value => make('input', { type: 'checkbox', value, onchange: changed }));
    this.head = make('summary', {});
    this.element = make('details', { class: 'choice' }, this.head,
      ...this.boxes.map(box => make('label', {}, box, ` ${box.value || '(none)'}`)));
    this.all();
  }

  all() {
    for (const box of this.boxes) box.checked = true;
    this.say();
  }

  say() {
    const chosen = this.boxes.filter(box => box.checked);
    const words = chosen.length === this.boxes.length ? 'all' : chosen.map(box => box.value).join(', ') || 'none';
    this.head.textContent = `${this.key}: ${words}`;
  }

  /** @param {string | undefined} value */
  has(value) {
    return this.boxes.some(box => box.checked && box.value === value);
  }
}

/** Leaves out the settings that are not chosen. @param {HTMLElement} root @param {Settings} settings @param {Choice[]} choices */
function apply(root, settings, choices) {
  const isIn = (/** @type {string | undefined} */ setting) => {
    const values = settings.get(setting ?? '');
    return !values || choices.every(choice => choice.has(values.get(choice.key)));
  };
  for (const row of all('tr[data-setting]', HTMLTableRowElement, root)) row.hidden = !isIn(row.dataset.setting);
  for (const shape of all('.figure [data-series^=setting-]', SVGElement, root)) shape.classList.toggle('out', !isIn(shape.dataset.series));
  return [...settings.keys()].filter(isIn).length;
}

/** Puts the filters above the first table of settings, if settings differ. @param {HTMLElement} root */
export function filters(root) {
  const table = all('table', HTMLTableElement, root).find(one => one.querySelector('tr[data-setting]'));
  const settings = settingsOf(root);
  const keys = [...new Set([...settings.values()].flatMap(values => [...values.keys()]))];
  const valuesOf = (/** @type {string} */ key) => [...new Set([...settings.values()].map(values => values.get(key) ?? ''))]
    .sort((a, b) => Number(a) - Number(b) || a.localeCompare(b, 'en', { numeric: true }));
  const varied = keys.map(key => ({ key, values: valuesOf(key) })).filter(one => one.values.length > 1);
  if (!table || !varied.length) return;
  const count = make('output', { 'aria-live': 'polite' });
  const refresh = () => {
    for (const choice of choices) choice.say();
    const left = apply(root, settings, choices);
    count.textContent = `${left} of ${settings.size} settings are shown; the statistics are of all.`;
    reset.disabled = left === settings.size;
  };
  const choices = varied.map(({ key, values }) => new Choice(key, values, refresh));
  const reset = make('button', { type: 'button', onclick: () => { for (const choice of choices) choice.all(); refresh(); } }, 'Show all settings');
  const bar = make('div', { class: 'tools filters', role: 'group', 'aria-label': 'Settings that are shown' }, ...choices.map(choice => choice.element), reset, count);
  (table.closest('.wide') ?? table).before(bar);
  refresh();
}
