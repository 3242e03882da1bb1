// Downloads: every table as CSV, as it is shown: rounded, filtered and sorted.

import { all, make } from './dom.js';
import { headings, size } from './tables.js';

/** The words of a cell without those below them, units as digits. @param {Element} cell */
function value(cell) {
  const words = [...cell.childNodes].filter(node => !(node instanceof Element && node.matches('.interval')))
    .map(node => node.textContent ?? '').join('').trim();
  return /^-?\d[\d .\u202f]*[kMG]?$/.test(words) ? String(Number(size(words).toPrecision(12))) : words;
}

/** Both ends of the interval below a value. @param {Element} cell @returns {string[]} */
function ends(cell) {
  const words = cell.querySelector('.interval')?.textContent?.split(' to ') ?? [];
  const plain = (/** @type {string} */ text) => isNaN(size(text)) || text.startsWith('never') ? text : String(Number(size(text).toPrecision(12)));
  return words.length === 2 ? words.map(plain) : ['', ''];
}

/** @param {string} text */
function quoted(text) {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table as CSV; a column with intervals becomes three. @param {HTMLTableElement} table */
export function csv(table) {
  const rows = [...table.tBodies[0].rows].filter(row => !row.hidden);
  const heads = headings(table);
  const hasEnds = heads.map((_, column) => rows.some(row => row.cells[column] && ends(row.cells[column])[0] !== ''));
  const first = heads.flatMap((head, column) => {
    const name = value(head.querySelector('.heading') ?? head);
    return hasEnds[column] ? [name, `${name} low`, `${name} high`] : [name];
  });
  const lines = rows.map(row => [...row.cells].flatMap((cell, column) => hasEnds[column] ? [value(cell), ...ends(cell)] : [value(cell)]));
  return [first, ...lines].map(line => `${line.map(quoted).join(',')}\r\n`).join('');
}

/** Puts a button below every table. @param {HTMLElement} root */
export function downloads(root) {
  all('table', HTMLTableElement, root).filter(table => headings(table).length).forEach((table, index) => {
    const name = `${table.closest('section')?.id ?? 'table'}-${index + 1}.csv`;
    const save = () => {
      const link = make('a', { href: URL.createObjectURL(new Blob([csv(table)], { type: 'text/csv' })), download: name });
      link.click();
      URL.revokeObjectURL(link.href);
    };
    (table.closest('.wide') ?? table).after(make('div', { class: 'tools' }, make('button', { type: 'button', 'aria-label': `Download as CSV: ${name}`, onclick: save }, 'Download as CSV')));
  });
}
