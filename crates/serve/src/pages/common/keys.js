// Keys: one table for what they do and for the help that tells it.

import { button, el } from './dom.js';

/**
 * A key, or several for the same; as `KeyboardEvent.key` names them.
 * @typedef {{keys: string[], about: string, run: (event: KeyboardEvent) => void}} Key
 */

const NAMES = /** @type {Record<string, string>} */ ({
  ' ': 'space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'esc', Home: 'home', End: 'end', Enter: 'enter',
  Backspace: 'backspace', Delete: 'delete',
});

/** Elements that take keys themselves. */
const OWN = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, dialog';

/**
 * Has keys do things, wherever the focus is, but where something is typed. `?` shows them.
 * @param {Key[]} table
 */
export function keys(table) {
  const dialog = helpDialog(table);
  document.body.append(dialog);
  document.addEventListener('keydown', event => {
    const at = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || at.closest(OWN)) return;
    // A button takes enter and space, and a slider or a tab the arrows.
    if ([' ', 'Enter'].includes(event.key) && at.closest('button, a, summary, [role=button], [role=tab], input')) return;
    if (event.key.startsWith('Arrow') && at.closest('[role=tab], [role=grid], input, [role=slider]')) return;
    if (event.key === '?') {
      dialog.showModal();
      return;
    }
    const found = table.find(key => key.keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    found.run(event);
  });
  return dialog;
}

/** @param {Key[]} table */
function helpDialog(table) {
  const rows = [...table, { keys: ['?'], about: 'shows this' }].map(key => el('tr', {},
    el('td', {}, key.keys.map((name, index) => [index ? ' ' : '', el('kbd', {}, NAMES[name] ?? name)]).flat()),
    el('td', {}, key.about)));
  const close = button('Close', () => made.close());
  const made = el('dialog', { 'aria-label': 'Keys' },
    el('h2', {}, 'Keys'), el('table', {}, el('tbody', {}, rows)), el('div', { class: 'bar' }, close));
  return made;
}
