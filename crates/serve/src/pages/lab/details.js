// What is in a results folder: its configuration, puzzles, settings and runs.

import { show } from '../common/api.js';
import { button, complain, download, el, shown, table } from '../common/dom.js';

/** Rows of a page of the table, and of a request for all. */
const [PAGE, MOST] = [50, 1000];

/** Columns that are too wide for a table. */
const WIDE = ['grid'];

/**
 * Shows a folder.
 * @param {HTMLElement} host
 * @param {string} folder
 * @param {{use: () => void, extend: (replicates: number) => Promise<void>, isReadOnly: boolean}} options what to do with its configuration, and to make more
 *   replicates, where the server may
 */
export async function details(host, folder, { use, extend, isReadOnly }) {
  host.replaceChildren(el('p', { class: 'soft', role: 'status' }, 'Reading the folder…'));
  const found = await show('experiment', { folder });
  const more = el('input', { type: 'number', disabled: isReadOnly, min: found.replicates + 1, value: found.replicates * 2, 'aria-label': 'Replicates in all' });
  // This server starts no experiment with a problem of one's own.
  const isOwn = found.noun === 'instance';
  const puzzles = found.each_puzzle.map((/** @type {any} */ one) => isOwn ? one.id : `${one.id} (${one.kind}, ${one.rows}x${one.columns})`).join(', ');
  const settings = found.each_setting.filter((/** @type {any} */ one) => one.words);
  host.replaceChildren(
    el('p', {}, el('b', {}, isOwn ? 'Instances: ' : 'Puzzles: '), puzzles, found.puzzles > found.each_puzzle.length ? ', …' : ''),
    settings.length ? el('details', {}, el('summary', {}, `${shown(found.settings)} settings`),
      el('ol', { start: 0 }, settings.map((/** @type {any} */ one) => el('li', {}, one.words)))) : '',
    el('details', {}, el('summary', {}, 'Configuration'), el('pre', { tabIndex: 0 }, found.config)),
    el('div', { class: 'bar' },
      isOwn ? '' : button('Use as a start', use), button('Download TOML', () => download(`${folder.replaceAll('/', '-')}.toml`, found.config)),
      isOwn ? '' : more, isOwn ? '' : button('Make more replicates', () => void extend(Number(more.value)), { disabled: isReadOnly })),
  );
  const runs = el('div', { class: 'rows' });
  host.append(runs);
  await turnTo(runs, folder, 0);
}

/** A page of the rows of runs.csv. @param {HTMLElement} host @param {string} folder @param {number} from */
async function turnTo(host, folder, from) {
  const { columns, rows, total } = await show('runs', { folder, from, limit: PAGE });
  const kept = columns.filter((/** @type {string} */ column) => !WIDE.includes(column));
  const turn = (/** @type {string} */ words, /** @type {number} */ to, /** @type {boolean} */ off) => button(words, async () => {
    await turnTo(host, folder, to);
    [...host.querySelectorAll('button')].find(same => same.textContent === words)?.focus();
  }, { disabled: off });
  const last = Math.min(from + PAGE, total);
  const trouble = el('div');
  host.replaceChildren(
    el('div', { class: 'bar' }, el('b', {}, total ? `Runs ${from} to ${last - 1} of ${shown(total)}` : 'No run has ended yet'),
      turn('Earlier', Math.max(0, from - PAGE), from === 0), turn('Later', from + PAGE, last >= total),
      button('Download CSV', () => save(folder, columns).catch(error => complain(trouble, error)), { disabled: !total })),
    trouble,
    el('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': `Runs of ${folder}` },
      table(kept, rows.map((/** @type {Record<string, unknown>} */ row) => el('tr', {}, kept.map((/** @type {string} */ column) => cell(folder, column, row)))),
        place => ({ class: typeof rows[0]?.[kept[place]] === 'number' ? 'number' : '' }))),
  );
}

/** A cell; the number of a run leads to the theatre. @param {string} folder @param {string} column @param {Record<string, unknown>} row */
function cell(folder, column, row) {
  const value = row[column];
  const text = value === null || value === undefined ? '' : String(value);
  if (column !== 'run') return el('td', { class: typeof value === 'number' ? 'number' : '' }, text);
  const href = `/theatre?folder=${encodeURIComponent(folder)}&run=${text}`;
  return el('td', { class: 'number' }, el('a', { href, 'aria-label': `Watch run ${text}` }, text));
}

/** All rows as a file. @param {string} folder @param {string[]} columns */
async function save(folder, columns) {
  /** @type {string[]} */
  const lines = [columns.map(quoted).join(',')];
  for (let from = 0; ;) {
    const { rows, total } = await show('runs', { folder, from, limit: MOST });
    lines.push(...rows.map((/** @type {Record<string, unknown>} */ row) => columns.map(column => quoted(row[column])).join(',')));
    from += rows.length;
    if (!rows.length || from >= total) break;
  }
  download(`${folder.replaceAll('/', '-')}-runs.csv`, `${lines.join('\n')}\n`, 'text/csv');
}

/** A field of CSV, by the rule of docs/folder.md for texts that a spreadsheet would take for a formula. @param {unknown} value */
function quoted(value) {
  let text = value === null || value === undefined ? '' : String(value);
  if (needsMark(text)) text = `'${text}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text is a formula, or one behind apostrophes. @param {string} text */
function needsMark(text) {
  const behind = text.replace(/^'+/, '');
  if (/^[\t\r\n]/.test(behind)) return true;
  const seen = behind.replace(/^[\s\p{Default_Ignorable_Code_Point}]+/u, '').trimEnd();
  return /^[=+\-@＝＋－＠]./u.test(seen) && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(seen);
}
