// Chosen folders compared: what `kenga compare` and `kenga report` say of them, with their own style and script.

import { ask } from '../common/api.js';
import { Newest, announce, button, complain, download, el, find, isAbort, later } from '../common/dom.js';

const METRICS = ['calls', 'evaluations', 'moves', 'cpu_s', 'best_fitness', 'distance'];

/** The styles of a report, which reach nothing else on the page. */
const STYLES = ['/page/pictures.css', '/page/report/page.css', '/page/report/script.css'];

/** The script of a report, which is loaded when there is one to show. */
const SCRIPT = '/page/report/begin.js';

export class Comparison {
  constructor() {
    this.section = find('#comparison', HTMLElement);
    this.question = find('#question', HTMLElement);
    this.trouble = find('#answer-trouble', HTMLElement);
    this.asking = find('#asking', HTMLElement);
    this.answer = find('#answer', HTMLElement);
    this.newest = new Newest();
    /** @type {string[]} */
    this.folders = [];
    this.ask = later(() => void this.#ask(), 150);
  }

  /** Compares folders. @param {string[]} folders */
  begin(folders) {
    this.folders = folders;
    this.question.replaceChildren();
    this.answer.replaceChildren();
    this.section.hidden = false;
    void this.#ask();
  }

  end() {
    this.newest.stop();
    this.section.hidden = true;
    this.answer.replaceChildren();
  }

  async #ask() {
    const signal = this.newest.begin();
    this.asking.textContent = 'Measuring…';
    try {
      const answer = await ask('report', { folders: this.folders, ...this.#asked() }, { signal });
      complain(this.trouble);
      if (!this.question.hasChildNodes()) this.#controls(answer);
      this.#baselines(answer.settings);
      await this.#show(answer);
      announce('the comparison is there');
    } catch (error) {
      if (isAbort(error)) return;
      complain(this.trouble, error);
    }
    this.asking.textContent = '';
  }

  /** What the controls ask for. */
  #asked() {
    const checked = (/** @type {string} */ name) => [...this.question.querySelectorAll('input')].filter(box => box.name === name);
    const by = checked('by').filter(box => box.checked).map(box => box.value);
    /** @type {Record<string, string[]>} */
    const where = {};
    for (const key of new Set(checked('where').map(box => box.dataset.key ?? ''))) {
      const boxes = checked('where').filter(box => box.dataset.key === key);
      if (boxes.some(box => !box.checked)) where[key] = boxes.filter(box => box.checked).map(box => box.value);
    }
    const puzzles = checked('ids');
    const ids = puzzles.some(box => !box.checked) ? puzzles.filter(box => box.checked).map(box => box.value) : [];
    const of = (/** @type {string} */ id) => /** @type {HTMLSelectElement | null} */ (document.getElementById(id))?.value;
    const [metric, baseline] = [of('metric'), of('baseline')];
    return { where, ...(by.length && { by }), ...(ids.length && { ids }), ...(metric && { metric }), ...(baseline && { baseline }) };
  }

  /** Makes the controls. @param {{keys: Record<string, string[]>, puzzles: string[], noun: string, metric: string}} answer */
  #controls({ keys, puzzles, noun, metric: usual }) {
    const box = (/** @type {string} */ name, /** @type {string} */ value, /** @type {boolean} */ checked, key = '') => el('label', { class: 'check' },
      el('input', { type: 'checkbox', name, value, checked, 'data-key': key, onchange: this.ask }), value);
    const group = (/** @type {string} */ title, /** @type {Node[]} */ boxes) => el('fieldset', {}, el('legend', {}, title), el('div', { class: 'choices' }, boxes));
    const entries = Object.entries(keys);
    const filters = entries.filter(([, values]) => values.length > 1 && values.length <= 40);
    this.question.replaceChildren(
      el('div', { class: 'bar' },
        el('label', { for: 'metric' }, 'Compare'), el('select', { id: 'metric', onchange: this.ask }, METRICS.map(metric => el('option', { selected: metric === usual }, metric))),
        el('label', { for: 'baseline' }, 'with'), el('select', { id: 'baseline', onchange: this.ask }, el('option', { value: '' }, 'the best')),
        button('Download JSON', () => download('comparison.json', `${JSON.stringify(this.found, null, 2)}\n`, 'application/json'))),
      entries.length > 1 ? group('Join settings that have the same', entries.map(([key]) => box('by', key, false))) : '',
      filters.length ? el('details', {}, el('summary', {}, 'Keep only some settings'),
        filters.map(([key, values]) => group(key, values.map(value => box('where', value, true, key))))) : '',
      puzzles.length > 1 && puzzles.length <= 200 ? el('details', {}, el('summary', {}, `Keep only some ${noun}s`),
        group(noun === 'puzzle' ? 'Puzzles' : 'Instances', puzzles.map(id => box('ids', id, true)))) : '',
    );
  }

  /** Offers the settings as baselines. @param {string[]} settings */
  #baselines(settings) {
    const select = find('#baseline', HTMLSelectElement);
    const chosen = select.value;
    select.replaceChildren(el('option', { value: '' }, 'the best'), ...settings.map(name => el('option', { value: name }, name)));
    select.value = settings.includes(chosen) ? chosen : '';
  }

  /** @param {{body: string, notes: string[], comparison: object | null, comparison_body: string | null, problem: string | null}} answer */
  async #show({ body, notes, comparison, comparison_body: verdict, problem }) {
    const { begin } = /** @type {{begin: (root: HTMLElement) => void}} */ (await import(SCRIPT));
    this.found = comparison;
    const host = el('div');
    const root = host.attachShadow({ mode: 'open' });
    const parts = el('div', {},
      notes.map(note => el('p', { class: 'warning' }, note)),
      el('h2', {}, 'Differences'), problem ? el('p', { class: 'absent' }, problem) : el('div', {}, parsed(verdict ?? '')),
      el('div', {}, parsed(body)));
    const sheets = STYLES.map(href => el('link', { rel: 'stylesheet', href }));
    const loaded = sheets.map(sheet => new Promise(done => { sheet.onload = sheet.onerror = done; }));
    root.append(...sheets, parts);
    parts.addEventListener('click', event => jump(root, event));
    parts.querySelectorAll('.wide, pre').forEach(reach);
    this.answer.replaceChildren(host);
    await Promise.all(loaded);
    begin(parts);
  }
}

/** The nodes of the server's own markup. @param {string} markup */
function parsed(markup) {
  return [...new DOMParser().parseFromString(markup, 'text/html').body.childNodes].map(node => document.adoptNode(node));
}

/** Lets keys scroll what is wider than the page. @param {Element} wide @param {number} place */
function reach(wide, place) {
  wide.setAttribute('tabindex', '0');
  wide.setAttribute('role', 'region');
  wide.setAttribute('aria-label', `${wide.matches('pre') ? 'Text' : 'Table'} ${place + 1}`);
}

/** Follows a link within a report, which the browser does not see. @param {ShadowRoot} root @param {Event} event */
function jump(root, event) {
  const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
  const there = link && root.getElementById((link.getAttribute('href') ?? '').slice(1));
  if (!there) return;
  event.preventDefault();
  there.setAttribute('tabindex', '-1');
  there.focus();
  there.scrollIntoView();
}
