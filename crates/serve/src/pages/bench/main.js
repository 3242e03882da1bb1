// The page Bench: a puzzle on a desk, to be drawn and to be played.

import { Refused, ask, show } from '../common/api.js';
import { askText, listen, read } from '../common/dialogs.js';
import { Newest, announce, button, complain, el, find, isAbort, later, saved } from '../common/dom.js';
import { keys } from '../common/keys.js';
import { packed, unpacked } from '../common/link.js';
import { PuzzleView } from '../common/puzzle.js';
import { Desk } from './desk.js';
import { askNew, copied, offer, showShelf } from './dialogs.js';
import { DrawPanel } from './draw.js';
import { Facts } from './facts.js';
import { asRows, blank, cageAt, canonical, cellOf, clueText, isBlank, key, missing, opened } from './model.js';
import { PlayPanel } from './play.js';
import { WishDialog } from './wish.js';

/**
 * @typedef {import('../common/puzzle.js').Cell} Cell
 * @typedef {import('../common/puzzle.js').Place} Place
 * @typedef {import('./model.js').Work} Work
 */

const mode = saved('bench.mode', 'draw');
const isMarking = saved('bench.marks', true);
const host = find('#puzzle', HTMLElement);
const complaint = find('#complaint', HTMLElement);

let isDrawing = mode.get() !== 'play';
/** The selected cells, in the order of selecting. @type {Set<string>} */
let selection = new Set();
let isExtending = false;
let isDragging = false;
/** The last step whose picture could be drawn. */
let accepted = { id: '', at: 0 };
/** A step was just taken back: what is said of it stays. */
let isRejected = false;
const drawing = new Newest();

const desk = new Desk(blank('kenken', 6), { onchange: changed, onsay: say });

const view = new PuzzleView(host, { label: 'Puzzle', pick, describe, move });

const facts = new Facts(find('#facts', HTMLElement), () => draw());

const drawPanel = new DrawPanel(find('#drawing', HTMLElement), {
  puzzle: () => desk.work.puzzle,
  selected,
  step: (puzzle, amends) => desk.step({ ...desk.work, puzzle }, { amends }),
  back: () => view.focus(view.at),
});

const playPanel = new PlayPanel(find('#play', HTMLElement), {
  work: () => desk.work,
  cells: () => view.places.map(place => place.cell),
  own: () => [...new Set(view.places.map(place => place.digit).filter(digit => digit !== null))],
  selected,
  seconds: () => desk.paper.seconds,
  step: work => desk.step(work),
  undo: () => desk.undo(),
  marked: () => draw(),
  go: cell => view.focus(view.indexOf(cell)),
});

const wish = new WishDialog(puzzle => open(puzzle));

/** @returns {Cell[]} */
function selected() {
  return [...selection].map(cellOf);
}

/** The puzzle or the digits have changed. */
function changed() {
  find('#name', HTMLElement).textContent = desk.paper.name;
  undo.disabled = !desk.canUndo;
  redo.disabled = !desk.canRedo;
  playPanel.forget();
  awaitPicture();
  select();
  update();
}

/** Until the picture of another puzzle has come, the one before is seen and cannot be pointed at. */
function awaitPicture() {
  host.setAttribute('aria-busy', String(accepted.id !== desk.paper.id));
}

function update() {
  const { puzzle } = desk.work;
  if (!isDrawing) facts.stop();
  else if (isBlank(puzzle)) facts.invite(button('Generate a puzzle', () => wish.open()));
  else facts.update(canonical(puzzle), missing(puzzle));
  draw();
}

/** Draws the puzzle with what is marked on it. */
async function draw() {
  const signal = drawing.begin();
  const { puzzle, grid, notes } = desk.work;
  const { id, at } = { id: desk.paper.id, at: desk.paper.at };
  const body = isDrawing ? { black: puzzle.kind === 'kakuro', marks: { candidates: [], ...isMarking.get() ? { ...facts.difference, ...facts.conflict } : {} } }
    : { ...rows(), marks: { ...playPanel.marks, candidates: Object.entries(notes).filter(([name]) => grid[name] === undefined).map(([name, digits]) => [...cellOf(name), digits]) } };
  try {
    const drawn = await ask('picture', { puzzle: canonical(puzzle), labels: true, ...body }, { signal });
    if ((accepted.id !== id || accepted.at !== at) && !isRejected) complain(complaint);
    isRejected = false;
    const isNew = accepted.id !== id;
    accepted = { id, at };
    awaitPicture();
    view.show(drawn);
    shown();
    if (isNew && puzzle.whole && !isDrawing) draw();
  } catch (error) {
    if (!isAbort(error)) refused(error, id, at);
  }
}

/** The digits as rows; nothing as long as nothing is known of the shape. */
function rows() {
  const { puzzle, grid } = desk.work;
  if (!puzzle.whole) return { grid: asRows(grid, [[puzzle.rows - 1, puzzle.cols - 1]]) };
  return accepted.id === desk.paper.id ? { grid: asRows(grid, view.places.map(place => place.cell)) } : {};
}

/** Refusals that are about the puzzle itself. */
const UNSOUND = ['bad_puzzle', 'bad_grid', 'bad_request'];

/** A step that makes no puzzle is taken back. @param {unknown} error @param {string} id @param {number} at */
function refused(error, id, at) {
  if (!(error instanceof Refused)) return;
  complain(complaint, error);
  if (!UNSOUND.includes(error.code) || accepted.id !== id || desk.paper.id !== id || at <= accepted.at) return;
  isRejected = true;
  desk.reject(at - 1);
}

/** What follows from the places of the cells. */
function shown() {
  const names = new Set(view.places.map(place => key(place.cell)));
  selection = new Set([...selection].filter(name => names.has(name)));
  if (!selection.size && view.places.length) selection.add(key(view.places[Math.max(0, view.at)].cell));
  host.classList.toggle('draws', isDrawing);
  host.classList.toggle('round', desk.work.puzzle.whole?.[0]?.kind === 'coloring');
  select();
}

function select() {
  view.select(place => selection.has(key(place.cell)));
  if (isDrawing) drawPanel.update();
  else playPanel.update();
}

/** @param {Place} place */
function describe(place) {
  const { puzzle, grid, notes } = desk.work;
  const name = key(place.cell);
  const given = puzzle.givens[name];
  const cage = cageAt(puzzle, place.cell);
  const black = puzzle.black[name];
  const parts = [
    given !== undefined && `given ${given}`,
    !isDrawing && grid[name] !== undefined && `digit ${grid[name]}`,
    !isDrawing && grid[name] === undefined && notes[name] && `pencil marks ${notes[name].join(' ')}`,
    black && `black${black.down ? `, ${black.down} below` : ''}${black.across ? `, ${black.across} to the right` : ''}`,
    cage && `cage ${clueText(cage) || 'without a clue'}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** A place is clicked, or chosen by enter or space. @param {Place} place @param {Event} event */
function pick(place, event) {
  if (isDrawing && event instanceof KeyboardEvent) drawPanel.make();
  else if (!isDrawing && event instanceof KeyboardEvent) playPanel.togglePencil();
  if (!isDrawing && place.digit !== null) {
    selection = new Set([key(place.cell)]);
    playPanel.enter(place.digit);
  }
}

/** The cursor has come to a place. @param {Place} place */
function move(place) {
  if (!isExtending) selection = new Set();
  selection.add(key(place.cell));
  select();
}

host.addEventListener('keydown', event => {
  isExtending = event.shiftKey;
}, true);

view.layer.addEventListener('pointerdown', event => {
  isExtending = event.shiftKey || event.ctrlKey || event.metaKey;
  isDragging = event.pointerType !== 'touch' || isDrawing;
});
document.addEventListener('pointerup', () => {
  isDragging = false;
});
document.addEventListener('pointercancel', () => {
  isDragging = false;
});
view.layer.addEventListener('pointermove', event => {
  if (!isDragging || event.buttons === 0) return;
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const index = view.elements.findIndex(element => element === under);
  const place = view.places[index];
  if (!place || selection.has(key(place.cell)) && selection.size === 1) return;
  selection.add(key(place.cell));
  select();
});

/** Opens a puzzle of canonical JSON. @param {any} puzzle */
function open(puzzle) {
  selection = new Set();
  desk.lay(opened(puzzle), puzzle.id ?? 'Untitled');
}

/** Says something above the puzzle. @param {string} text */
function say(text) {
  find('#said', HTMLElement).replaceChildren(el('div', { class: 'alert', role: 'status' }, text));
}

/** @param {boolean} draws */
function choose(draws) {
  isDrawing = draws;
  mode.set(draws ? 'draw' : 'play');
  for (const [name, isOn] of /** @type {[string, boolean][]} */ ([['draw', draws], ['play', !draws]])) {
    const tab = find(`#${name}-tab`, HTMLElement);
    tab.setAttribute('aria-selected', String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
    find(`#${name}`, HTMLElement).hidden = !isOn;
  }
  update();
}

for (const name of ['draw', 'play']) {
  const tab = find(`#${name}-tab`, HTMLElement);
  tab.addEventListener('click', () => choose(name === 'draw'));
  tab.addEventListener('keydown', event => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    choose(name !== 'draw');
    find(name === 'draw' ? '#play-tab' : '#draw-tab', HTMLElement).focus();
  });
}

const undo = button('Undo', () => desk.undo(), { title: 'Ctrl+Z' });
const redo = button('Redo', () => desk.redo(), { title: 'Ctrl+Y' });
const tools = [
  button('New', () => askNew((work, name) => {
    selection = new Set();
    desk.lay(work, name);
    choose(true);
  })),
  button('Open', () => askText(open)),
  button('Generate', () => wish.open()),
  undo, redo,
  button('Shelf', () => showShelf(desk.paper.id, id => desk.take(id))),
  button('Export', () => offer(canonical(desk.work.puzzle), fileName()).catch(error => complain(find('#said', HTMLElement), error))),
  button('Print', () => print(), { title: 'The puzzle as it stands, with the digits of Play' }),
  button('Share', share, { title: 'Copies an address that holds the puzzle' }),
  button('Step through', async () => location.assign(`/solver${await packed(canonical(desk.work.puzzle))}`), { title: 'Opens it on the page Solver' }),
];
find('#tools', HTMLElement).append(...tools);

function fileName() {
  return desk.paper.name.replace(/[^\w-]+/g, '-') || 'puzzle';
}

async function share() {
  const address = new URL(`/bench${await packed(canonical(desk.work.puzzle))}`, location.href).href;
  say(await copied(address) ? 'An address that holds the puzzle is on the clipboard. No server sees what stands behind its #.' : address);
}

/** @param {string} character */
function typed(character) {
  if (isDrawing) drawPanel.typed(character);
  else if (/\d/.test(character)) playPanel.typed(character);
}

const help = keys([
  ...[
    { keys: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'], about: 'Play: a digit; two in a row for one above 9. Draw: a clue or a given digit' },
    { keys: ['+', '-', '*', '/', 'x', ':'], about: 'Draw: the operator of a clue' },
    { keys: ['<', '>'], about: 'Draw: a sign between two cells of a Futoshiki' },
  ].map(row => ({ ...row, run: (/** @type {KeyboardEvent} */ event) => typed(event.key) })),
  { keys: ['Backspace', 'Delete'], about: 'takes away what the cell holds', run: () => isDrawing ? drawPanel.clear() : playPanel.erase() },
  { keys: ['p'], about: 'Play: pencil marks or digits (space on a cell, too)', run: () => !isDrawing && playPanel.togglePencil() },
  { keys: ['h'], about: 'Play: a hint', run: () => !isDrawing && playPanel.hint() },
  { keys: ['c'], about: 'Play: am I right so far?', run: () => !isDrawing && playPanel.check() },
  { keys: ['d'], about: 'Draw', run: () => choose(true) },
  { keys: ['l'], about: 'Play', run: () => choose(false) },
  { keys: ['Arrows'], about: 'the cell beside; with shift the selection grows', run: () => {} },
  { keys: ['Enter'], about: 'Draw: a cage of the selected cells; black or white in a Kakuro', run: () => {} },
  { keys: ['Ctrl+Z', 'Ctrl+Y'], about: 'undo, redo', run: () => {} },
]);
find('#tools', HTMLElement).append(button('Keys', () => help.showModal()));

document.addEventListener('keydown', event => {
  const at = event.target instanceof Element ? event.target : document.body;
  if (!(event.ctrlKey || event.metaKey) || at.closest('textarea, dialog')) return;
  const letter = event.key.toLowerCase();
  const isRedo = letter === 'y' || letter === 'z' && event.shiftKey;
  if (letter !== 'z' && !isRedo) return;
  event.preventDefault();
  if (isRedo) desk.redo();
  else desk.undo();
  announce(isRedo ? 'redone' : 'undone');
});

const marks = find('#marks', HTMLInputElement);
marks.checked = isMarking.get();
marks.addEventListener('change', () => {
  isMarking.set(marks.checked);
  draw();
});

listen(take, isOver => find('.paper', HTMLElement).classList.toggle('dropping', isOver));

/** Opens what was dropped or pasted. @param {string} text */
async function take(text) {
  if (!text.trim()) return;
  try {
    const puzzles = await read(text);
    if (puzzles.length > 1) say(`The first of ${puzzles.length} puzzles; Open lets you choose.`);
    open(puzzles[0]);
  } catch (error) {
    complain(complaint, error);
  }
}

setInterval(() => {
  if (isDrawing || document.hidden || playPanel.isSolved) return;
  desk.tick();
  playPanel.showTime();
}, 1000);

document.addEventListener('kenga:back', later(() => {
  update();
  fromAddress();
}, 100));

/** Opens the puzzle that the address holds, or names, once the server has read it. */
async function fromAddress() {
  const { hash } = location;
  const name = new URLSearchParams(location.search).get('example');
  if (name || hash === '#generate') history.replaceState(null, '', location.pathname);
  if (name) {
    const example = (await show('examples')).find((/** @type {any} */ one) => one.name === name);
    await take(example?.puzzle ?? '');
    choose(false);
  }
  if (hash === '#generate') wish.open();
  if (!location.hash) return;
  const held = await unpacked(hash);
  try {
    const puzzles = held ? await read(held) : [];
    if (location.hash !== hash) return;
    history.replaceState(null, '', location.pathname);
    if (puzzles.length) open(puzzles[0]);
    else say('The address holds no puzzle.');
  } catch (error) {
    // What could not be asked is asked again when the server is back.
    if (error instanceof Refused) history.replaceState(null, '', location.pathname);
    complain(find('#said', HTMLElement), error);
  }
}

addEventListener('hashchange', fromAddress);
choose(isDrawing);
changed();
fromAddress();
