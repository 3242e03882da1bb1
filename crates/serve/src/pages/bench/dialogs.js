// What is asked in a dialog: a new puzzle, one from the shelf, and where the puzzle is to go.

import { ask, show } from '../common/api.js';
import { dialog, field } from '../common/dialogs.js';
import { button, complain, counted, download, el, picture, prose } from '../common/dom.js';
import { discard, shelf } from './desk.js';
import { KINDS, blank } from './model.js';

/** Asks for the kind and the size of a new puzzle. @param {(work: import('./model.js').Work, name: string) => void} onmade */
export function askNew(onmade) {
  const kind = el('select', { id: 'new-kind', onchange: () => resize() }, Object.entries(KINDS).map(([value, { name }]) => el('option', { value }, name)));
  const rows = el('input', { id: 'new-rows', type: 'number', required: true, oninput: () => reshape() });
  const cols = el('input', { id: 'new-cols', type: 'number', required: true });
  const box = el('select', { id: 'new-box' });
  const [colsField, boxField] = [field('Columns', cols), field('Boxes, rows by columns', box)];
  const bounds = () => KINDS[kind.value];
  const reshape = () => {
    const size = Number(rows.value);
    const shapes = Array.from({ length: size }, (_, index) => index + 1).filter(height => size % height === 0).map(height => [height, size / height]);
    const usual = shapes.filter(([height, width]) => height <= width).at(-1);
    box.replaceChildren(...shapes.map(shape => el('option', { value: shape.join('x'), selected: shape === usual }, shape.join(' by '))));
  };
  const resize = () => {
    const { sizes: [least, most], usual } = bounds();
    for (const input of [rows, cols]) Object.assign(input, { min: least, max: most, value: usual });
    colsField.hidden = kind.value !== 'kakuro';
    boxField.hidden = !['killer', 'sudoku'].includes(kind.value);
    /** @type {HTMLElement} */ (rowsField.firstChild).textContent = kind.value === 'kakuro' ? 'Rows' : 'Size';
    reshape();
  };
  const rowsField = field('Size', rows);
  const form = el('form', { id: 'new-form', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const isBoxed = !boxField.hidden;
    const size = Number(rows.value);
    made.close();
    onmade(blank(kind.value, size, colsField.hidden ? size : Number(cols.value), isBoxed ? box.value.split('x').map(Number) : undefined), `${bounds().name} ${size}x${colsField.hidden ? size : cols.value}`);
  } }, field('Kind', kind), rowsField, colsField, boxField);
  const create = el('button', { class: 'main', type: 'submit' }, 'Create');
  create.setAttribute('form', form.id);
  resize();
  const made = dialog('New puzzle', [form, el('p', { class: 'soft' }, 'The puzzle that is open now stays on the shelf.')], [create]);
}

/** Shows all puzzles of this browser. @param {string} current @param {(id: string) => void} ontake */
export function showShelf(current, ontake) {
  const list = el('ul', { class: 'stock' });
  const fill = () => list.replaceChildren(...shelf().map(paper => {
    const isOpen = paper.id === current;
    const open = button(isOpen ? 'Open now' : 'Open', () => {
      made.close();
      ontake(paper.id);
    }, { disabled: isOpen, name: `Open ${paper.name}` });
    const remove = button('Delete', () => {
      if (remove.textContent !== 'Really?') {
        remove.textContent = 'Really?';
        return;
      }
      discard(paper.id);
      fill();
    }, { disabled: isOpen, name: `Delete ${paper.name}` });
    const steps = `${counted(paper.steps.length, 'step')}, ${new Date(paper.changed).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}`;
    return el('li', {}, el('span', {}, el('strong', {}, paper.name), ' ', el('span', { class: 'soft' }, steps)), open, remove);
  }));
  fill();
  const made = dialog('Shelf', [el('p', {}, 'The puzzles in this browser, each with all its steps.'), list]);
}

/** The groups of formats, those that most people want first. */
const GROUPS = [['picture', 'Pictures'], ['puzzle', 'Puzzle formats'], ['model', 'Models for other solvers']];

/** Offers the puzzle in every format. @param {any} puzzle @param {string} name */
export async function offer(puzzle, name) {
  const format = el('select', { id: 'export-format', onchange: () => write() });
  const about = el('p', { class: 'soft' });
  const text = el('textarea', { class: 'text', id: 'export-text', rows: 10, readOnly: true });
  const [preview, status] = [el('div', { class: 'preview', hidden: true }), el('div', { role: 'status' })];
  const textField = field('Text', text);
  /** @type {any[]} */
  let formats = [];
  /** What the server has written; nothing where it could not. */
  let written = '';
  const chosen = () => formats.find(one => one.name === format.value);
  const write = async () => {
    const { about: words, group } = chosen();
    about.replaceChildren(...prose(words));
    preview.hidden = group !== 'picture';
    textField.hidden = copy.hidden = !preview.hidden;
    const asked = format.value;
    // What is there is of the format before, until the server answers.
    copy.disabled = save.disabled = true;
    let answer = '';
    let failure;
    try {
      ({ text: answer } = await ask('convert', { puzzle, to: asked }));
    } catch (error) {
      failure = error;
    }
    // Another format was chosen meanwhile, whose answer counts.
    if (asked !== format.value) return;
    written = answer;
    complain(status, failure);
    text.value = preview.hidden ? written : '';
    copy.disabled = save.disabled = written === '';
  };
  const copy = button('Copy', async () => {
    status.textContent = await copied(text.value) ? 'Copied.' : 'This browser does not let pages copy: select the text.';
  });
  const save = button('Download', () => {
    const bytes = chosen().base64 && Uint8Array.from(atob(written), letter => letter.charCodeAt(0));
    download(`${name}.${SUFFIXES[format.value] ?? 'txt'}`, bytes || written, KINDS_OF_FILES[format.value]);
  }, { class: 'main' });
  dialog('Export', [field('Format', format), about, preview, textField, status], [save, copy]);
  const [known, { svg }] = await Promise.all([show('formats'), ask('picture', { puzzle })]);
  // What keeps every puzzle whole is the first of the texts.
  const isJson = (/** @type {any} */ one) => Number(one.name === 'json');
  formats = known.filter((/** @type {any} */ one) => one.written).sort((/** @type {any} */ one, /** @type {any} */ other) => isJson(other) - isJson(one));
  const option = (/** @type {any} */ one) => el('option', { value: one.name }, one.group === 'picture' ? one.name.toUpperCase() : one.name.replaceAll('_', ' '));
  format.replaceChildren(...GROUPS.map(([group, label]) => el('optgroup', { label }, formats.filter(one => one.group === group).map(option))));
  preview.replaceChildren(picture(svg));
  await write();
}

/** How files end, where they are more than text. */
const SUFFIXES = /** @type {Record<string, string>} */ ({
  png: 'png', pdf: 'pdf', svg: 'svg', json: 'json', fpuzzles: 'json', sudokupad: 'json', dimacs: 'cnf', lp: 'lp', minizinc: 'mzn', col: 'col',
});

const KINDS_OF_FILES = /** @type {Record<string, string>} */ ({ png: 'image/png', pdf: 'application/pdf', svg: 'image/svg+xml' });

/** Puts a text on the clipboard, if it may. @param {string} text */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
