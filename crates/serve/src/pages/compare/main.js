// The page Compare: chosen results folders, with the tables and figures of `kenga report`.

import { show } from '../common/api.js';
import { complain, counted, el, find } from '../common/dom.js';
import { Comparison } from './report.js';

const choice = find('#choice', HTMLDetailsElement);
const begin = find('#begin', HTMLButtonElement);
const comparison = new Comparison();

/** The boxes of the folders. @type {HTMLInputElement[]} */
let boxes = [];

/** The folders that are chosen. */
function chosen() {
  return boxes.filter(box => box.checked).map(box => box.value);
}

/** Compares the folders that the address names. */
function fromAddress() {
  const names = new URLSearchParams(location.search).getAll('folder');
  for (const box of boxes) box.checked = names.includes(box.value);
  begin.disabled = !chosen().length;
  choice.open = !names.length;
  find('#choice-title', HTMLElement).textContent = names.length ? `Compared: ${names.join(', ')}` : 'Choose results folders';
  if (names.length) comparison.begin(names);
  else comparison.end();
}

async function load() {
  const { folders } = await show('experiments');
  const usable = folders.filter((/** @type {any} */ one) => one.done && !['unreadable', 'tuning'].includes(one.state));
  boxes = usable.map((/** @type {any} */ one) => el('input', {
    type: 'checkbox', value: one.folder, onchange: () => {
      begin.disabled = !chosen().length;
    },
  }));
  find('#folders', HTMLElement).replaceChildren(...boxes.map((box, place) =>
    el('label', { class: 'check' }, box, box.value, el('span', { class: 'soft' }, counted(usable[place].done, 'run')))));
  choice.hidden = !boxes.length;
  find('#none', HTMLElement).hidden = boxes.length > 0;
  fromAddress();
}

find('#choose', HTMLFormElement).addEventListener('submit', event => {
  event.preventDefault();
  history.pushState(null, '', `?${new URLSearchParams(chosen().map(name => ['folder', name]))}`);
  fromAddress();
});
addEventListener('popstate', fromAddress);
document.addEventListener('kenga:back', () => void load());
load().catch(error => complain(find('#trouble', HTMLElement), error));
