// The page Theatre: a run that is played, forwards and back.

import { Refused, ask, show, stream } from '../common/api.js';
import { announce, complain, el, find, shown } from '../common/dom.js';
import { keys } from '../common/keys.js';
import { cellName } from '../common/puzzle.js';
import { Charts } from './charts.js';
import { BestGrid } from './grid.js';
import { Islands } from './islands.js';
import { explain } from './microscope.js';
import { Model, rank } from './model.js';
import { Crowd } from './population.js';
import { Transport, budgetWords, endWords } from './transport.js';

/** @typedef {{name: string, about: string, config: string, puzzle: string}} Example */

const choice = find('#choice', HTMLDetailsElement);
const form = find('#choose', HTMLFormElement);
const example = find('#example', HTMLSelectElement);
const config = find('#config', HTMLTextAreaElement);
const puzzle = find('#puzzle', HTMLTextAreaElement);
const seed = find('#seed', HTMLInputElement);
const folder = find('#folder', HTMLInputElement);
const firstRun = find('#run', HTMLInputElement);
const complaint = find('#complaint', HTMLElement);
const stage = find('#stage', HTMLElement);
const time = find('#time', HTMLInputElement);

let model = new Model();
/** @type {{id: string, puzzles: any[], leave: () => void} | undefined} */
let play;
let island = 0;
/** Orders are sent one after the other. */
let orders = Promise.resolve();
let isDrawing = false;
/** The run whose puzzle is drawn. */
let drawn = '';

const transport = new Transport(find('#transport', HTMLElement), { order, model: () => model });
const grid = new BestGrid(find('#grid', HTMLElement), find('#cell-words', HTMLElement));
const charts = new Charts(find('#charts', HTMLElement), find('#values', HTMLElement), generation => order('seek', generation));
const crowd = new Crowd(find('#population', HTMLElement), { point: sayIndividual, choose: look });
const islands = new Islands(find('#islands', HTMLElement), choose);

/** Tells the play what to do. @param {string} name @param {number} [value] */
function order(name, value) {
  const id = play?.id;
  if (!id) return;
  orders = orders.then(() => ask('order', value === undefined ? { play: id, order: name } : { play: id, order: name, value }))
    .then(() => complain(complaint), error => complain(complaint, error));
}

/** Begins to play. @param {object} asked */
async function begin(asked) {
  complain(complaint);
  try {
    const { play: id, puzzles } = await ask('play', asked);
    follow(id, puzzles);
    choice.open = false;
  } catch (error) {
    complain(complaint, error);
  }
}

/** @param {string} id @param {any[]} puzzles */
function follow(id, puzzles) {
  if (play) {
    order('close');
    play.leave();
  }
  model = new Model();
  [island, drawn] = [0, ''];
  islands.forget();
  play = {
    id, puzzles,
    leave: stream('frames', { play: id }, {
      view: take, failed: told => end(told.error.text ?? told.error.message),
      closed: () => end('This run is no longer played. Press Play to begin it again.'),
    }),
  };
  stage.hidden = false;
}

/** @param {string} words */
function end(words) {
  play?.leave();
  play = undefined;
  choice.open = true;
  complain(complaint, words);
}

/** @param {any} told */
function take(told) {
  const before = model.state;
  model.take(told);
  if (told.run) {
    island = 0;
    islands.forget();
    find('#microscope', HTMLElement).replaceChildren(el('p', { class: 'soft' },
      'Choose an individual of the population, by a click or by the arrows and enter: here stands how it came to be.'));
  }
  if (before !== model.state && ['ended', 'paused'].includes(model.state)) announce(endWords(model));
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    draw();
  });
}

/** Draws what is known. */
function draw() {
  transport.draw();
  const { run, frame } = model;
  find('#now', HTMLElement).textContent = endWords(model);
  find('#spent', HTMLElement).textContent = budgetWords(model);
  if (!run || !frame || !play) return;
  const name = `${play.id} ${run.puzzle}`;
  if (name !== drawn) {
    drawn = name;
    grid.begin(play.puzzles[run.puzzle]).catch(error => complain(complaint, error));
  }
  time.max = String(model.known);
  if (document.activeElement !== time) time.value = String(frame.generation);
  time.setAttribute('aria-valuetext', `generation ${frame.generation} of ${model.known}`);
  charts.draw(model);
  if (frame.best) grid.draw(frame.best);
  sayBest();
  island = Math.min(island, frame.populations.length - 1);
  const rows = frame.populations[island];
  const of = frame.populations.length > 1 ? ` of island ${island}` : '';
  find('#population-title', HTMLElement).textContent = `Population${of}: ${shown(rows?.individuals ?? 0)} by fitness`;
  if (rows) crowd.draw(rows, run.facts.digits);
  drawIslands();
  drawOperators();
}

function sayBest() {
  const best = model.frame?.best;
  find('#best-title', HTMLElement).textContent = best
    ? `Best: fitness ${best.fitness}${best.truth ? `, ${best.wrong.length} wrong` : ''}` : 'Best';
  const terms = Object.entries(best?.terms ?? {}).filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count}`);
  find('#best-words', HTMLElement).textContent = best ? `violations: ${terms.join(', ') || 'none'}` : '';
}

function drawIslands() {
  const { frame } = model;
  if (!frame) return;
  const isOne = frame.populations.length < 2;
  find('#islands-panel', HTMLElement).hidden = isOne;
  find('.theatre', HTMLElement).classList.toggle('no-islands', isOne);
  if (isOne) return;
  islands.draw(frame, island);
  const barrier = frame.migrations[0]?.barrier;
  find('#islands-words', HTMLElement).textContent = frame.migrants
    ? `${shown(frame.migrants)} migrants so far, ${frame.migrations.length} at barrier ${barrier}; the number in a circle is the island's best fitness`
    : 'no migrant yet; the number in a circle is the island\'s best fitness';
}

function drawOperators() {
  const host = find('#operators', HTMLElement);
  const operators = model.frame?.operators ?? [];
  const share = (/** @type {number} */ part, /** @type {number} */ whole) => `${(100 * part / Math.max(1, whole)).toFixed(1)} %`;
  const rows = operators.map(used => el('tr', {},
    el('th', { scope: 'row' }, used.name, el('br'), el('span', { class: 'soft' }, used.family)), el('td', { class: 'number' }, shown(used.applied)),
    el('td', { class: 'number' }, share(used.better, used.applied)), el('td', { class: 'number' }, share(used.best, used.applied)),
    el('td', { class: 'number' }, shown(used.gain))));
  const heads = ['operator', 'used', 'better', 'than both', 'gained'].map((words, index) =>
    el('th', { scope: 'col', class: index ? 'number' : '' }, words));
  host.replaceChildren(rows.length
    ? el('table', {}, el('thead', {}, el('tr', {}, heads)), el('tbody', {}, rows))
    : el('p', { class: 'soft' }, model.countsOperators ? 'This algorithm has no operators to count.'
      : 'Counting what each operator gains replays the run, a little slower: “Count operators” or the key o.'));
}

/** Shows the population of another island. @param {number} chosen */
function choose(chosen) {
  const count = model.frame?.populations.length ?? 1;
  island = (chosen + count) % count;
  draw();
}

/** Says what is under the cursor of the population. @param {{row: number, gene: number} | undefined} place */
function sayIndividual(place) {
  const rows = model.frame?.populations[island];
  const words = find('#individual-words', HTMLElement);
  if (!place || !rows || !model.run || !rows.genomes[place.row]) {
    words.textContent = 'A row is an individual, best first; a column is a gene. A click shows how an individual came to be.';
    return;
  }
  const { digits, genes } = model.run.facts;
  const digit = digits[rank(rows.genomes[place.row], place.gene)];
  words.textContent = `individual ${place.row + 1} of ${rows.genomes.length}, fitness ${rows.fitness[place.row]}: ${cellName(genes[place.gene])} is ${digit}`;
}

/** Shows in the microscope how an individual came to be. @param {number} row */
async function look(row) {
  if (!play || !model.frame || !model.run) return;
  const asked = play;
  // The moment under the microscope is the one that is looked at.
  if (model.state === 'playing') {
    order('pause');
    await orders;
    await new Promise(done => setTimeout(done, 150));
  }
  const host = find('#microscope', HTMLElement);
  const about = { play: asked.id, population: island, individual: row };
  const isMany = (model.frame?.populations.length ?? 1) > 1;
  try {
    const told = await births(about, host);
    const size = sizeOf(asked.puzzles[model.run.puzzle], model.run.facts.genes);
    explain(host, told, { facts: model.run.facts, size, name: `Individual ${row + 1}${isMany ? ` of island ${about.population}` : ''}` });
    announce(`The microscope shows individual ${row + 1}`);
  } catch (error) {
    complain(host, error);
  }
}

/** How an individual came to be; a generation that was shown before is made once more, which may take a while. @param {object} about @param {HTMLElement} host */
async function births(about, host) {
  for (;;) {
    try {
      return await ask('births', about);
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'busy')) throw error;
      host.replaceChildren(el('p', { class: 'soft' }, 'The run is made once more up to this generation …'));
      await new Promise(done => setTimeout(done, 300));
    }
  }
}

/** Rows and columns of a puzzle. @param {any} of @param {[number, number][]} cells @returns {[number, number]} */
function sizeOf(of, cells) {
  const most = (/** @type {0 | 1} */ axis) => cells.reduce((top, cell) => Math.max(top, cell[axis]), 0) + 1;
  return [of.rows ?? of.size ?? most(0), of.cols ?? of.size ?? most(1)];
}

/** What the form asks for. */
function request() {
  if (folder.value.trim()) return { folder: folder.value.trim(), run: Number(firstRun.value) };
  const common = { config: config.value, run: Number(firstRun.value) };
  const more = seed.value === '' ? common : { ...common, seed: Number(seed.value) };
  return puzzle.value.trim() ? { ...more, puzzle: puzzle.value } : more;
}

form.addEventListener('submit', event => {
  event.preventDefault();
  begin(request());
});

time.addEventListener('input', () => order('seek', Number(time.value)));

const step = (/** @type {number} */ by) => order('seek', Math.max(0, (model.frame?.generation ?? 0) + by));
const hundredth = () => Math.max(1, Math.floor(model.known / 100));

transport.help = keys([
  { keys: [' '], about: 'plays, pauses; at the end again from the start', run: () => transport.toggle() },
  { keys: ['.'], about: 'on by one generation', run: () => order('forward', 1) },
  { keys: ['>'], about: 'on by ten', run: () => order('forward', 10) },
  { keys: [','], about: 'back by one generation', run: () => step(-1) },
  { keys: ['<'], about: 'back by ten', run: () => step(-10) },
  { keys: ['ArrowLeft'], about: 'back by a hundredth of the run', run: () => step(-hundredth()) },
  { keys: ['ArrowRight'], about: 'on by a hundredth of the run', run: () => step(hundredth()) },
  { keys: ['i'], about: 'on to the next improvement of the best', run: () => order('improvement') },
  { keys: ['Home'], about: 'to the start', run: () => order('seek', 0) },
  { keys: ['End'], about: 'to the end', run: () => order('end') },
  { keys: ['+', '='], about: 'faster', run: () => transport.faster(1) },
  { keys: ['-'], about: 'slower', run: () => transport.faster(-1) },
  { keys: ['n'], about: 'the next run', run: () => transport.run(1) },
  { keys: ['p'], about: 'the previous run', run: () => transport.run(-1) },
  { keys: ['['], about: 'the island before', run: () => choose(island - 1) },
  { keys: [']'], about: 'the island after', run: () => choose(island + 1) },
  { keys: ['o'], about: 'counts what operators gain, or does not', run: () => order('count_operators', model.countsOperators ? 0 : 1) },
]);

/** Fills the form, and plays what the address asks for. */
async function start() {
  sayIndividual(undefined);
  const examples = /** @type {Example[]} */ (await show('examples'));
  example.replaceChildren(...examples.map(({ name, about }) => el('option', { value: name }, `${name}: ${about}`)));
  const fill = () => {
    const chosen = examples.find(({ name }) => name === example.value) ?? examples[0];
    [config.value, puzzle.value, folder.value] = [chosen.config, chosen.puzzle, ''];
  };
  example.addEventListener('change', fill);
  const address = new URLSearchParams(location.search);
  if (examples.some(({ name }) => name === address.get('example'))) example.value = address.get('example') ?? '';
  fill();
  firstRun.value = String(Number(address.get('run')) || 0);
  if (address.has('folder')) {
    folder.value = address.get('folder') ?? '';
    await begin(request());
  }
}

start().catch(error => complain(complaint, error));
