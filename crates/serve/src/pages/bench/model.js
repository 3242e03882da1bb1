// A puzzle as it is drawn: canonical JSON whose parts are kept by cell, so that a change is small. What is not finished is a
// sound puzzle, too: a KenKen with open cells is a Latin square with cages, and an entry of a Kakuro may have no sum yet.

import { counted } from '../common/dom.js';
import { SIGNS } from '../common/puzzle.js';

/**
 * @typedef {import('../common/puzzle.js').Cell} Cell
 * @typedef {{op?: string, target?: number, cells: Cell[], repeats?: boolean}} Cage a cage; without a target it is an outline
 * @typedef {{kind: string, rows: number, cols: number, box?: number[], digits?: number[], id?: string, groups?: any[], whole?: any[],
 *   cages: Record<string, Cage>, givens: Record<string, number>, less: Record<string, Cell[]>, black: Record<string, {down?: number, across?: number}>}} Draft
 *   cages by their first cell, signs by their cells, and black cells with their sums; `whole` holds one puzzle that cannot be drawn, only played
 * @typedef {{puzzle: Draft, grid: Record<string, number>, notes: Record<string, number[]>}} Work the puzzle, digits and pencil marks
 */

/** The kinds that can be drawn, with their names, and the sizes that a person draws. */
export const KINDS = /** @type {Record<string, {name: string, sizes: [number, number], usual: number}>} */ ({
  kenken: { name: 'KenKen', sizes: [1, 16], usual: 6 },
  killer: { name: 'Killer', sizes: [4, 16], usual: 9 },
  sudoku: { name: 'Sudoku', sizes: [4, 25], usual: 9 },
  futoshiki: { name: 'Futoshiki', sizes: [2, 12], usual: 5 },
  kakuro: { name: 'Kakuro', sizes: [3, 30], usual: 8 },
  latin: { name: 'Latin square', sizes: [2, 25], usual: 5 },
});

/** @param {Cell} cell */
export const key = ([row, column]) => `${row},${column}`;

/** @param {string} name @returns {Cell} */
export const cellOf = name => /** @type {Cell} */ (name.split(',').map(Number));

/** Reading order. @param {Cell} one @param {Cell} other */
const byPlace = (one, other) => one[0] - other[0] || one[1] - other[1];

/** An empty puzzle. @param {string} kind @param {number} rows @param {number} [cols] @param {number[]} [box] @returns {Work} */
export function blank(kind, rows, cols = rows, box) {
  /** @type {Draft} */
  const puzzle = { kind, rows, cols, ...box ? { box } : {}, cages: {}, givens: {}, less: {}, black: {} };
  if (kind === 'kakuro') {
    for (let row = 0; row < rows; row++) puzzle.black[key([row, 0])] = {};
    for (let column = 0; column < cols; column++) puzzle.black[key([0, column])] = {};
  }
  return { puzzle, grid: {}, notes: {} };
}

/** A puzzle of canonical JSON, with no digit entered. @param {any} json @returns {Work} */
export function opened(json) {
  const kind = json.kind ?? 'kenken';
  const work = blank(kind in KINDS ? kind : 'other', json.rows ?? json.size ?? 1, json.cols ?? json.size ?? 1, json.box);
  const { puzzle } = work;
  if (json.id) puzzle.id = json.id;
  if (!(kind in KINDS) || (kind === 'kakuro' && !isPlain(json))) {
    puzzle.whole = [json];
    return work;
  }
  const open = (json.groups ?? []).filter((/** @type {any} */ group) => group.role === 'cage' && !group.distinct);
  for (const cage of [...json.cages ?? [], ...open]) {
    const { cells, op, target, repeats } = cage;
    puzzle.cages[first(cells)] = { cells, ...op === undefined ? {} : { op }, ...target === undefined ? {} : { target }, ...repeats === undefined ? {} : { repeats } };
  }
  for (const [row, column, digit] of json.givens ?? []) puzzle.givens[key([row, column])] = digit;
  for (const pair of json.less ?? []) puzzle.less[signKey(pair)] = pair;
  if (json.digits) puzzle.digits = json.digits;
  const groups = (json.groups ?? []).filter((/** @type {any} */ group) => !open.includes(group) && group.role !== 'entry');
  if (groups.length) puzzle.groups = groups;
  if (kind === 'kakuro') layBlack(puzzle, json);
  return work;
}

/** The puzzle as canonical JSON. @param {Draft} puzzle @returns {any} */
export function canonical(puzzle) {
  if (puzzle.whole) return puzzle.whole[0];
  const { kind, rows, cols, box, digits } = puzzle;
  const cages = Object.values(puzzle.cages);
  const clued = cages.filter(cage => cage.target !== undefined && (cage.op !== undefined || kind === 'killer'));
  const open = cages.filter(cage => !clued.includes(cage)).map(({ cells }) => ({ distinct: false, role: 'cage', cells }));
  const covered = clued.reduce((sum, cage) => sum + cage.cells.length, 0);
  const isDraft = kind === 'kenken' && covered < rows * cols;
  const runs = kind === 'kakuro' ? entries(puzzle) : [];
  const entry = (/** @type {Entry} */ one) => ({ distinct: true, role: 'entry', cells: one.cells });
  const groups = [...open, ...runs.filter(one => one.target === undefined).map(entry), ...puzzle.groups ?? []];
  return {
    id: puzzle.id ?? 'puzzle',
    ...kind === 'kenken' && !isDraft ? {} : { kind: isDraft ? 'latin' : kind },
    ...kind === 'kakuro' ? { rows, cols, runs: runs.filter(one => one.target !== undefined).map(({ target, cells }) => ({ target, cells })) } : { size: rows },
    ...box ? { box } : {},
    ...digits ? { digits } : {},
    ...['kenken', 'killer', 'latin'].includes(kind) ? { cages: clued } : {},
    ...kind === 'futoshiki' ? { less: Object.values(puzzle.less) } : {},
    givens: Object.entries(puzzle.givens).map(([at, digit]) => [...cellOf(at), digit]),
    groups,
  };
}

/** What is still to be drawn, in words; nothing when the puzzle is whole. @param {Draft} puzzle */
export function missing(puzzle) {
  if (puzzle.whole) return '';
  const cages = Object.values(puzzle.cages);
  const open = cages.filter(cage => cage.target === undefined || (cage.op === undefined && puzzle.kind !== 'killer')).length;
  const covered = cages.reduce((sum, cage) => sum + cage.cells.length, 0);
  const sums = puzzle.kind === 'kakuro' ? entries(puzzle).filter(one => one.target === undefined).length : 0;
  const parts = [
    puzzle.kind === 'kenken' && covered < puzzle.rows * puzzle.cols && `${counted(puzzle.rows * puzzle.cols - covered, 'cell')} in no cage`,
    open > 0 && `${counted(open, 'cage')} without a clue`,
    sums > 0 && `${counted(sums, 'entry', 'entries')} without a sum`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The cage of a cell. @param {Draft} puzzle @param {Cell} cell @returns {Cage | undefined} */
export function cageAt(puzzle, cell) {
  return Object.values(puzzle.cages).find(cage => cage.cells.some(other => key(other) === key(cell)));
}

/** A puzzle in which these cells are one cage, and in no other. @param {Draft} puzzle @param {Cell[]} cells @returns {Draft} */
export function withCage(puzzle, cells) {
  const rest = withoutCells(puzzle, cells);
  const sorted = [...cells].sort(byPlace);
  return { ...rest, cages: { ...rest.cages, [key(sorted[0])]: { cells: sorted } } };
}

/** A puzzle whose cages at these cells are dissolved. @param {Draft} puzzle @param {Cell[]} cells @returns {Draft} */
export function withoutCages(puzzle, cells) {
  const gone = new Set(cells.map(cell => cageAt(puzzle, cell)));
  return { ...puzzle, cages: Object.fromEntries(Object.entries(puzzle.cages).filter(([, cage]) => !gone.has(cage))) };
}

/** A puzzle in which these cells lie in no cage; what is left of a cage keeps its clue. @param {Draft} puzzle @param {Cell[]} cells @returns {Draft} */
function withoutCells(puzzle, cells) {
  const taken = new Set(cells.map(key));
  const cages = Object.values(puzzle.cages).map(cage => ({ ...cage, cells: cage.cells.filter(cell => !taken.has(key(cell))) }));
  return { ...puzzle, cages: Object.fromEntries(cages.filter(cage => cage.cells.length).map(cage => [first(cage.cells), cage])) };
}

/**
 * A puzzle whose cage at a cell has this clue: `12+`, `+ 12`, `7`; an empty one makes it an outline.
 * @param {Draft} puzzle
 * @param {Cell} cell
 * @param {string} text
 * @returns {Draft | undefined} nothing when the text is no clue, or there is no cage
 */
export function withClue(puzzle, cell, text) {
  const cage = cageAt(puzzle, cell);
  const clue = cage && clueOf(text, puzzle.kind, cage.cells.length);
  if (!clue) return undefined;
  const { cells, repeats } = cage;
  const made = { cells, ...clue, ...repeats === undefined ? {} : { repeats } };
  return { ...puzzle, cages: { ...puzzle.cages, [first(cells)]: made } };
}

/** Signs that people write for operators. */
const WRITTEN = /** @type {Record<string, string>} */ ({ '×': '*', x: '*', X: '*', '·': '*', '÷': '/', ':': '/', '−': '-', '–': '-' });

/** @param {string} text @param {string} kind @param {number} cells @returns {{op?: string, target?: number} | undefined} */
function clueOf(text, kind, cells) {
  const found = /^\s*([^\d\s]*)\s*(\d*)\s*([^\d\s]*)\s*$/.exec(text);
  if (!found || (found[1] && found[3])) return undefined;
  const [, before, number, after] = found;
  const word = before || after;
  const op = word ? WRITTEN[word] ?? word : cells === 1 ? '=' : undefined;
  return { ...op === undefined || kind === 'killer' && op === '=' ? {} : { op }, ...number ? { target: Number(number) } : {} };
}

/** The clue of a cage as the picture has it, and as it may be typed. @param {Cage | undefined} cage */
export function clueText(cage) {
  const op = cage?.op ?? '=';
  return cage ? `${cage.target ?? ''}${op === '=' ? '' : SIGNS[op] ?? op}` : '';
}

/** Nothing has been drawn yet. @param {Draft} puzzle */
export function isBlank({ cages, givens, less, black, whole, groups }) {
  const sums = Object.values(black).some(cell => cell.down ?? cell.across);
  return !whole && !sums && !groups && [cages, givens, less].every(parts => !Object.keys(parts).length);
}

/** A puzzle with a digit printed in these cells, or none. @param {Draft} puzzle @param {Cell[]} cells @param {number | undefined} digit @returns {Draft} */
export function withGiven(puzzle, cells, digit) {
  const givens = { ...puzzle.givens };
  for (const cell of cells) {
    if (digit === undefined) delete givens[key(cell)];
    else givens[key(cell)] = digit;
  }
  return { ...puzzle, givens };
}

/**
 * A puzzle with a sign between two cells side by side: `<` when the first in reading order is less; or none.
 * @param {Draft} puzzle
 * @param {Cell[]} pair
 * @param {'<' | '>' | ''} sign
 * @returns {Draft}
 */
export function withSign(puzzle, pair, sign) {
  const [one, other] = [...pair].sort(byPlace);
  const less = { ...puzzle.less };
  if (sign) less[signKey(pair)] = sign === '<' ? [one, other] : [other, one];
  else delete less[signKey(pair)];
  return { ...puzzle, less };
}

/** A Kakuro in which these cells are black, or white. @param {Draft} puzzle @param {Cell[]} cells @param {boolean} isBlack @returns {Draft} */
export function withBlack(puzzle, cells, isBlack) {
  const black = { ...puzzle.black };
  for (const cell of cells) {
    if (!isBlack) delete black[key(cell)];
    else black[key(cell)] ??= {};
  }
  return { ...puzzle, black };
}

/** A Kakuro whose black cell has these sums. @param {Draft} puzzle @param {Cell} cell @param {{down?: number, across?: number}} sums @returns {Draft} */
export function withSums(puzzle, cell, sums) {
  return { ...puzzle, black: { ...puzzle.black, [key(cell)]: sums } };
}

/** @typedef {{cells: Cell[], target: number | undefined, black: string, way: 'down' | 'across'}} Entry */

/** The entries of a Kakuro: two white cells or more behind a black one. @param {Draft} puzzle @returns {Entry[]} */
export function entries(puzzle) {
  return Object.keys(puzzle.black).flatMap(name => {
    const [row, column] = cellOf(name);
    return [run(puzzle, name, 'across', [row, column + 1], [0, 1]), run(puzzle, name, 'down', [row + 1, column], [1, 0])];
  }).filter(entry => entry.cells.length > 1);
}

/** @param {Draft} puzzle @param {string} black @param {'down' | 'across'} way @param {Cell} from @param {Cell} step @returns {Entry} */
function run(puzzle, black, way, [row, column], [down, right]) {
  /** @type {Cell[]} */
  const cells = [];
  while (row < puzzle.rows && column < puzzle.cols && !puzzle.black[key([row, column])]) {
    cells.push([row, column]);
    row += down;
    column += right;
  }
  return { cells, target: puzzle.black[black][way], black, way };
}

/** Lays the black cells of a Kakuro, and their sums. @param {Draft} puzzle @param {any} json */
function layBlack(puzzle, json) {
  const runs = [...json.runs, ...(json.groups ?? []).filter((/** @type {any} */ group) => group.role === 'entry')];
  const white = new Set(runs.flatMap(one => one.cells.map(key)));
  puzzle.black = {};
  for (let row = 0; row < puzzle.rows; row++) {
    for (let column = 0; column < puzzle.cols; column++) {
      if (!white.has(key([row, column]))) puzzle.black[key([row, column])] = {};
    }
  }
  const sums = new Map(json.runs.map((/** @type {any} */ one) => [JSON.stringify([...one.cells].sort(byPlace)), one.target]));
  for (const entry of entries(puzzle)) {
    const target = sums.get(JSON.stringify(entry.cells));
    if (target !== undefined) puzzle.black[entry.black][entry.way] = target;
  }
}

/** A Kakuro whose entries are exactly those that its black cells make. @param {any} json */
function isPlain(json) {
  const work = blank('kakuro', json.rows, json.cols);
  layBlack(work.puzzle, json);
  const own = entries(work.puzzle).map(one => JSON.stringify(one.cells));
  const theirs = json.runs.map((/** @type {any} */ one) => JSON.stringify([...one.cells].sort(byPlace)));
  return theirs.every((/** @type {string} */ one) => own.includes(one)) && entries(work.puzzle).length >= theirs.length;
}

/** @param {Cell[]} cells */
function first(cells) {
  return key([...cells].sort(byPlace)[0]);
}

/** @param {Cell[]} pair */
function signKey(pair) {
  return [...pair].sort(byPlace).map(key).join(' ');
}

/**
 * The digits that may be entered.
 * @param {Draft} puzzle
 * @param {number[]} shown digits of the places, where each has its own
 * @returns {number[]}
 */
export function digitsOf(puzzle, shown) {
  if (puzzle.digits) return puzzle.digits;
  const whole = puzzle.whole?.[0];
  if (whole?.digits) return whole.digits;
  if (shown.length) return shown;
  const most = puzzle.kind === 'kakuro' || whole?.kind === 'kakuro' ? 9 : whole?.kind === 'magic' ? whole.size ** 2 : whole?.colors ?? puzzle.rows;
  return Array.from({ length: most }, (_, index) => index + 1);
}

/** Digits as rows for the server, of cells that are there. @param {Record<string, number>} grid @param {Cell[]} cells */
export function asRows(grid, cells) {
  const rows = Math.max(0, ...cells.map(cell => cell[0])) + 1;
  const cols = Math.max(0, ...cells.map(cell => cell[1])) + 1;
  return Array.from({ length: rows }, (_, row) => Array.from({ length: cols }, (__, column) => grid[key([row, column])] ?? null));
}
