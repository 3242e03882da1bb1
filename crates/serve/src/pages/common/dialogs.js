// Dialogs, and the one that asks for a puzzle from elsewhere.

import { ask } from './api.js';
import { button, complain, el } from './dom.js';

/**
 * A dialog with a title and a bar that closes it.
 * @param {string} title
 * @param {(HTMLElement | null)[]} content
 * @param {HTMLElement[]} [actions]
 */
export function dialog(title, content, actions = []) {
  const close = button('Close', () => made.close());
  const made = el('dialog', { class: 'wide', 'aria-label': title }, el('h2', {}, title), ...content.filter(part => part !== null), el('div', { class: 'bar' }, ...actions, close));
  made.addEventListener('close', () => made.remove());
  document.body.append(made);
  made.showModal();
  return made;
}

/** An input with its label. @param {string} label @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} input */
export function field(label, input) {
  return el('div', { class: 'field' }, el('label', { for: input.id }, label), input);
}

/** Puzzles in a text of any known format, or in JSON. @param {string | object} puzzle @returns {Promise<any[]>} */
export async function read(puzzle) {
  const { text: lines } = await ask('convert', { puzzle, to: 'json' });
  return lines.trim().split('\n').map((/** @type {string} */ line) => JSON.parse(line));
}

/** Asks for a puzzle as text or file. @param {(puzzle: any) => void} onread */
export function askText(onread) {
  const text = el('textarea', { class: 'text', id: 'open-text', rows: 8, spellcheck: false });
  const file = el('input', { id: 'open-file', type: 'file', onchange: async () => {
    text.value = await file.files?.[0]?.text() ?? '';
    take();
  } });
  const result = el('div');
  const choose = (/** @type {any} */ puzzle) => {
    made.close();
    onread(puzzle);
  };
  const take = async () => {
    try {
      const puzzles = await read(text.value);
      if (puzzles.length === 1) choose(puzzles[0]);
      else result.replaceChildren(el('p', {}, `${puzzles.length} puzzles; choose one:`), el('ul', { class: 'stock' }, puzzles.map(puzzle => el('li', {}, el('span', {}, puzzle.id), button('Open', () => choose(puzzle), { name: `Open ${puzzle.id}` })))));
    } catch (error) {
      complain(result, error);
      result.querySelector('pre')?.setAttribute('tabindex', '0');
    }
  };
  const made = dialog('Open a puzzle', [field('Text in any format: game ids, links, JSON, grids, lists of cages', text), field('Or a file; it may be dropped on the page, too', file), result],
    [button('Open', take, { class: 'main' })]);
}

/**
 * Takes texts that are pasted, and texts and files that are dropped on the page.
 * @param {(text: string) => void} take
 * @param {(isOver: boolean) => void} [hover] something is held over the page, or not any more
 */
export function listen(take, hover = () => {}) {
  document.addEventListener('paste', event => {
    const at = event.target instanceof Element ? event.target : document.body;
    if (!at.closest('input, textarea, dialog')) take(event.clipboardData?.getData('text') ?? '');
  });
  document.addEventListener('dragover', event => {
    event.preventDefault();
    hover(true);
  });
  document.addEventListener('dragleave', () => hover(false));
  document.addEventListener('drop', async event => {
    event.preventDefault();
    hover(false);
    take(await event.dataTransfer?.files[0]?.text() ?? event.dataTransfer?.getData('text') ?? '');
  });
}
