// Tables: a click on a heading sorts, a second one the other way. Tables of the same rows are sorted as one.

import { all, make } from './dom.js';

/** The number that a cell shows; none where it shows words. @param {string} text */
export function size(text) {
  if (text.startsWith('never')) return Infinity;
  const found = text.replace(/(\d)[ \u202f](?=\d{3}(?!\d))/g, '$1').match(/^[<>]?\s*(-?[\d.]+(?:e-?\d+)?)\s*([kMG]?)(?![A-Za-z])/);
  if (!found) return NaN;
  const units = /** @type {Record<string, number>} */ ({ k: 1e3, M: 1e6, G: 1e9 });
  return Number(found[1]) * (units[found[2]] ?? 1);
}

/** Numbers in their order, words behind them. @param {string} a @param {string} b */
function order(a, b) {
  const [x, y] = [size(a), size(b)];
  if (isNaN(x) && isNaN(y)) return a.localeCompare(b, 'en');
  return Number(isNaN(x)) - Number(isNaN(y)) || (x < y ? -1 : Number(x > y));
}

/** The row of headings, if the table has one alone. @param {HTMLTableElement} table */
export function headings(table) {
  const rows = table.tHead?.rows;
  return rows?.length === 1 && table.tBodies.length ? [...rows[0].cells] : [];
}

/** Sorts a table by a column, and those that go on with its rows. @param {HTMLElement} root @param {HTMLTableElement} table @param {number} column */
function sort(root, table, column) {
  const key = table.dataset.rows;
  const parts = key === undefined ? [table] : all('table', HTMLTableElement, root).filter(one => one.dataset.rows === key);
  const rises = headings(table)[column].getAttribute('aria-sort') !== 'ascending';
  const bodies = parts.map(one => one.tBodies[0]);
  const counts = bodies.map(body => body.rows.length);
  const rows = bodies.flatMap(body => [...body.rows])
    .map(row => ({ row, word: (row.cells[column]?.firstChild?.textContent ?? '').trim() }))
    .sort((a, b) => rises ? order(a.word, b.word) : order(b.word, a.word));
  bodies.forEach((body, place) => body.append(...rows.splice(0, counts[place]).map(one => one.row)));
  for (const one of parts) {
    headings(one).forEach((head, place) => {
      if (place === column) head.setAttribute('aria-sort', rises ? 'ascending' : 'descending');
      else head.removeAttribute('aria-sort');
    });
  }
}

/** Makes the headings of all tables buttons. @param {HTMLElement} root */
export function tables(root) {
  for (const table of all('table', HTMLTableElement, root)) {
    headings(table).forEach((head, column) => {
      head.append(make('button', { type: 'button', class: 'heading', onclick: () => sort(root, table, column) }, ...head.childNodes));
    });
  }
}
