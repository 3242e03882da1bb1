// The page Lab.

import { ask, show } from '../common/api.js';
import { Newest, announce, complain, counted, download, el, find, isAbort, later, saved } from '../common/dom.js';
import { Fields } from './fields.js';
import { Folders, placeOf } from './folders.js';

/** What a new experiment begins with. */
const FIRST = { 'budget.evaluations': '200_000', replicates: '10' };

/**
 * What was entered, and outlives the page.
 * @typedef {{values: Record<string, string>, source: string, puzzle: string, file: string, name: string, own: string | null}} Draft
 */
const draft = saved('lab', /** @type {Draft} */ ({ values: { ...FIRST }, source: 'text', puzzle: '', file: '', name: '', own: null }));
const state = draft.get();

const config = find('#config', HTMLTextAreaElement);
const puzzle = find('#puzzle', HTMLTextAreaElement);
const file = find('#file', HTMLSelectElement);
const name = find('#name', HTMLInputElement);
const start = find('#start', HTMLButtonElement);
const plan = find('#plan', HTMLElement);
const trouble = find('#start-trouble', HTMLElement);
const sources = [...document.querySelectorAll('input[name=source]')].filter(one => one instanceof HTMLInputElement);

const folders = new Folders({ chosen, use: folder => void use(folder) });

/** @param {string[]} names */
function chosen(names) {
  const compare = find('#compare', HTMLAnchorElement);
  compare.textContent = names.length > 1 ? `Compare ${names.length} folders` : names.length ? 'Compare its settings' : 'Compare';
  compare.href = `/compare?${new URLSearchParams(names.map(folder => ['folder', folder]))}`;
}

/** @type {Fields | undefined} */
let fields;
/** @type {{name: string, about: string, config: string, puzzle: string}[]} */
let examples = [];

/** The puzzles of the experiment: in a file, or as texts. */
function puzzles() {
  return state.source === 'file' ? { files: state.file ? [state.file] : [] } : { texts: state.puzzle.trim() ? [state.puzzle] : [] };
}

/** What the server is asked for. */
function asked() {
  const { texts } = puzzles();
  return { config: config.value, ...(texts && { puzzles: texts }) };
}

/** Writes the text that the form makes, and has it checked. */
function write() {
  if (state.own === null && fields) config.value = fields.text(puzzles().files);
  draft.set(state);
  check();
}

const checking = new Newest();
const check = later(async () => {
  try {
    const answer = await ask('plan', asked(), { signal: checking.begin() });
    config.removeAttribute('aria-invalid');
    plan.replaceChildren(el('p', {}, el('b', {}, total(answer)), ': ', summary(answer)),
      ...answer.notes.map((/** @type {string} */ note) => el('p', { class: 'soft' }, note)));
    start.disabled = folders.isReadOnly;
  } catch (error) {
    if (isAbort(error)) return;
    config.setAttribute('aria-invalid', 'true');
    complain(plan, error);
    start.disabled = true;
  }
}, 300);

/** @param {{runs: number, race: boolean}} answer */
function total({ runs, race }) {
  return `${counted(runs, 'run')}${race ? ' at most' : ''}`;
}

/** @param {{settings: number, puzzles: number, replicates: number, seed: number, each_setting: string[]}} answer */
function summary({ settings, puzzles: many, replicates, seed, each_setting: words }) {
  const first = words.filter(word => word).slice(0, 6);
  const list = first.length ? `: ${first.join('; ')}${settings > first.length ? '; …' : ''}` : '';
  return `${counted(replicates, 'replicate')} of ${counted(many, 'puzzle')} and ${counted(settings, 'setting')}${list}. Seed ${seed}.`;
}

/** Shows what was entered. */
function fill() {
  puzzle.value = state.puzzle;
  name.value = state.name;
  for (const one of sources) one.checked = one.value === state.source;
  for (const part of document.querySelectorAll('[data-source]')) {
    if (part instanceof HTMLElement) part.hidden = part.dataset.source !== state.source;
  }
  find('#own', HTMLElement).hidden = state.own === null;
  if (state.own !== null) config.value = state.own;
}

/** Takes over a configuration as a text. @param {string} text @param {Partial<Draft>} more */
function take(text, more) {
  Object.assign(state, more, { own: text });
  fill();
  write();
  find('#new', HTMLElement).focus();
}

/** Takes over the configuration of a folder, with its puzzles. @param {string} folder */
async function use(folder) {
  try {
    const found = await show('experiment', { folder });
    take(found.config, { source: 'file', file: '' });
    announce(`the configuration of ${folder} is in the form`);
  } catch (error) {
    complain(trouble, error);
  }
}

async function begin() {
  complain(trouble);
  start.disabled = true;
  try {
    const begun = await ask('start', { ...asked(), ...(state.name.trim() && { folder: state.name.trim() }) });
    announce(`${begun.folder} has been started`);
    await folders.refresh();
    trouble.replaceChildren(el('p', { class: 'alert', role: 'status' }, `${begun.folder} has been started. `, el('a', { href: `#${placeOf(begun.folder)}` }, 'Follow it')));
  } catch (error) {
    complain(trouble, error);
  }
  start.disabled = folders.isReadOnly;
}

/** Makes puzzles to order. */
async function make() {
  const button = find('#make', HTMLButtonElement);
  const made = find('#made', HTMLElement);
  button.disabled = true;
  made.textContent = 'Making them…';
  try {
    const [kind, size, count] = [find('#kind', HTMLSelectElement).value, Number(find('#size', HTMLInputElement).value), Number(find('#count', HTMLInputElement).value)];
    const { puzzles: found, notes } = await ask('generate', { kind, size, count, seed: Math.floor(Math.random() * 2 ** 31) });
    Object.assign(state, { puzzle: found.map((/** @type {object} */ one) => `${JSON.stringify(one)}\n`).join(''), source: 'text' });
    made.replaceChildren(...notes.map((/** @type {string} */ note) => el('p', {}, note)));
    fill();
    write();
    announce(`${found.length} puzzles have been made`);
    puzzle.focus();
  } catch (error) {
    complain(made, error);
  }
  button.disabled = false;
}

function offerFiles() {
  const known = [...new Set([...folders.files, ...(state.file ? [state.file] : [])])];
  file.replaceChildren(el('option', { value: '' }, known.length ? 'choose one, or name it in the text' : 'there is none in the folder'), ...known.map(one => el('option', { value: one }, one)));
  file.value = state.file;
}

/** @param {import('./fields.js').Member[]} members */
function offer(members) {
  fields = new Fields(find('#fields', HTMLElement), members, state.values, write);
  const kinds = members.filter(member => member.family === 'generator');
  find('#kind', HTMLSelectElement).replaceChildren(...kinds.map(kind => el('option', { value: kind.name }, kind.name)));
  const select = find('#example', HTMLSelectElement);
  select.append(...examples.map(one => el('option', { value: one.name }, `${one.name}: ${one.about}`)));
  select.addEventListener('change', () => {
    choose(select.value);
    select.focus();
  });
}

/** Begins with an example, or with the defaults. @param {string} wanted */
function choose(wanted) {
  find('#example', HTMLSelectElement).value = wanted;
  const example = examples.find(one => one.name === wanted);
  if (example) {
    take(example.config, { source: 'text', puzzle: example.puzzle });
  } else {
    Object.assign(state, { values: { ...FIRST }, own: null });
    fields?.reset(state.values);
    fill();
    write();
  }
}

function listen() {
  for (const one of sources) {
    one.addEventListener('change', () => {
      state.source = one.value;
      fill();
      write();
    });
  }
  puzzle.addEventListener('input', () => { state.puzzle = puzzle.value; write(); });
  file.addEventListener('change', () => { state.file = file.value; write(); });
  name.addEventListener('input', () => { state.name = name.value; draft.set(state); });
  config.addEventListener('input', () => {
    state.own = config.value;
    fill();
    write();
  });
  find('#follow', HTMLButtonElement).addEventListener('click', () => {
    state.own = null;
    fill();
    write();
    config.focus();
  });
  find('#make', HTMLButtonElement).addEventListener('click', () => void make());
  find('#form', HTMLFormElement).addEventListener('submit', event => event.preventDefault());
  start.addEventListener('click', () => void begin());
  find('#save', HTMLButtonElement).addEventListener('click', () => download(`${state.name || 'experiment'}.toml`.replaceAll('/', '-'), config.value));
  document.addEventListener('kenga:back', check);
}

async function load() {
  listen();
  fill();
  folders.isReadOnly = (await show('health')).read_only;
  find('#read-only', HTMLElement).hidden = !folders.isReadOnly;
  if (folders.isReadOnly) start.setAttribute('aria-describedby', 'read-only');
  await folders.refresh();
  offerFiles();
  const [members, given] = await Promise.all([show('list'), show('examples')]);
  examples = given;
  offer(members);
  if (!state.puzzle && examples.length) state.puzzle = examples[0].puzzle;
  fill();
  write();
  const wanted = new URLSearchParams(location.search).get('example');
  if (wanted) choose(wanted);
  // The form has only now its length.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

load().catch(error => complain(trouble, error));
