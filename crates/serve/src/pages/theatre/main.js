// The page Theatre: a run that is played, forwards and back.

import { Refused, ask, stream } from '../common/api.js';
import { announce, complain, el, find, shown, table } from '../common/dom.js';
import { keys } from '../common/keys.js';
import { cellName } from '../common/puzzle.js';
import { Charts } from './charts.js';
import { Choice } from './choice.js';
import { BestGrid } from './grid.js';
import { Islands } from './islands.js';
import { explain } from './microscope.js';
import { Model, placeOf, rank, worth } from './model.js';
import { PopulationPicture } from './population.js';
import { Transport, budgetWords, endWords } from './transport.js';

const choice = find('#choice', HTMLDetailsElement);
const complaint = find('#complaint', HTMLElement);
const stage = find('#stage', HTMLElement);
const time = find('#time', HTMLInputElement);

let model = new Model();
/** @type {{id: string, asked: object, puzzles: any[], leave: () => void} | undefined} `asked` is what began it */
let play;
/** The page is seen again, and nothing was told since. */
let isReturning = false;
/** @type {AbortController | undefined} what the microscope waits for */
let looking;
/** The slider is dragged, or moved by a key that is held. */
let isSliding = false;
let island = 0;
/** Orders are sent one after the other. */
let orders = Promise.resolve();
let isDrawing = false;
/** The run whose puzzle is drawn. */
let drawn = '';

const transport = new Transport(find('#transport', HTMLElement), { order, model: () => model });
const grid = new BestGrid(find('#grid', HTMLElement), find('#cell-words', HTMLElement));
const charts = new Charts(find('#charts', HTMLElement), find('#values', HTMLElement), generation => order('seek', generation));
const picture = new PopulationPicture(find('#population', HTMLElement), { point: sayIndividual, choose: look });
const runs = new Choice(complaint, asked => void begin(asked));
const islands = new Islands(find('#islands', HTMLElement), choose);

/** Orders that leave the moment where it is. */
const STILL = ['pause', 'speed', 'count_operators'];

/** Tells the play what to do. @param {string} name @param {number} [value] */
function order(name, value) {
  if (!STILL.includes(name)) stopLooking();
  send(name, value);
}

/** @param {string} name @param {number} [value] */
function send(name, value) {
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
    follow(id, asked, puzzles);
    choice.open = false;
    find('#choice-title', HTMLElement).textContent = 'Choose another run';
  } catch (error) {
    complain(complaint, error);
  }
}

/** @param {string} id @param {object} asked @param {any[]} puzzles */
function follow(id, asked, puzzles) {
  if (play) {
    order('close');
    play.leave();
  }
  model = new Model();
  find('#now', HTMLElement).textContent = 'The run is being prepared.';
  [island, drawn] = [0, ''];
  islands.forget();
  stopLooking();
  play = { id, asked, puzzles, leave: document.hidden ? () => {} : listen(id) };
  stage.hidden = false;
}

/** @param {string} id */
function listen(id) {
  const over = () => end('This run is no longer played. Press Play to begin it again.');
  return stream('frames', { play: id }, {
    view: take, failed: told => end(new Refused(told.error)), closed: over,
    gone: () => isReturning ? void again() : over(),
  });
}

/** Begins a play again that has been closed while nobody saw the page, and goes to where it was. */
async function again() {
  if (!play) return;
  const { asked } = play;
  const { run, frame, state } = model;
  play.leave();
  play = undefined;
  isReturning = false;
  await begin(asked);
  if (run) send('run', run.run);
  if (frame) send('seek', frame.generation);
  if (state === 'playing') send('play');
}

// A browser opens six connections to a server, and a stream holds one: a page that is not seen gives it back.
document.addEventListener('visibilitychange', () => {
  if (!play) return;
  play.leave();
  isReturning = !document.hidden;
  if (isReturning) play.leave = listen(play.id);
});

/** @param {unknown} why */
function end(why) {
  stopLooking();
  play?.leave();
  play = undefined;
  choice.open = true;
  complain(complaint, why);
}

/** @param {any} told */
function take(told) {
  const before = model.state;
  const isOther = told.run && told.run.run !== model.run?.run;
  isReturning = false;
  model.take(told);
  if (isOther) {
    island = 0;
    islands.forget();
    stopLooking();
    invite();
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
    stage.classList.toggle('own-problem', run.facts.scale !== null);
    if (!run.facts.scale) grid.begin(play.puzzles[run.puzzle]).catch(error => complain(complaint, error));
  }
  time.max = String(model.known);
  if (!isSliding) time.value = String(frame.generation);
  time.setAttribute('aria-valuetext', `generation ${frame.generation} of ${model.known}`);
  charts.draw(model);
  if (frame.best && run.facts.scale) find('#genes', HTMLElement).textContent = frame.best.grid[0].join(' ');
  else if (frame.best) grid.draw(frame.best);
  sayBest();
  island = Math.min(island, frame.populations.length - 1);
  const rows = frame.populations[island];
  const of = frame.populations.length > 1 ? ` of island ${island}` : '';
  find('#population-title', HTMLElement).textContent = `Population${of}: ${shown(rows?.individuals ?? 0)} by ${model.run?.facts.scale ? 'value' : 'fitness'}`;
  if (rows) picture.draw(rows, run.facts.digits, run.facts.scale ? 'values' : 'digits');
  drawIslands();
  drawOperators();
}

/** What the terms of a fitness are for. */
const PLACES = /** @type {Record<string, string>} */ ({
  count: 'the number of each digit', row: 'rows', column: 'columns', region: 'regions', cage: 'cages', group: 'other groups',
});

function sayBest() {
  const best = model.frame?.best;
  find('#best-title', HTMLElement).textContent = best
    ? `Best: ${worth(best.fitness, model.run?.facts.scale ?? null)}${best.truth ? `, ${best.wrong.length} wrong` : ''}` : 'Best';
  const terms = Object.entries(best?.terms ?? {}).filter(([, count]) => count > 0).map(([name, count]) => `${count} in ${PLACES[name] ?? name}`);
  find('#best-words', HTMLElement).textContent = best && !model.run?.facts.scale ? `Violations: ${terms.join(', ') || 'none'}.` : '';
}

function drawIslands() {
  const { frame } = model;
  if (!frame) return;
  const isOne = frame.populations.length < 2;
  find('#islands-panel', HTMLElement).hidden = isOne;
  find('.theatre', HTMLElement).classList.toggle('no-islands', isOne);
  if (isOne) return;
  const scale = model.run?.facts.scale ?? null;
  islands.draw(frame, island, scale);
  const number = `the number in a circle is the island's best ${scale ? 'value' : 'fitness'}`;
  const barrier = frame.migrations[0]?.barrier;
  find('#islands-words', HTMLElement).textContent = frame.migrants
    ? `${shown(frame.migrants)} migrants so far, ${frame.migrations.length} at barrier ${barrier}; ${number}`
    : `no migrant yet; ${number}`;
}

function drawOperators() {
  const host = find('#operators', HTMLElement);
  const operators = model.frame?.operators ?? [];
  const percent = (/** @type {number} */ part, /** @type {number} */ whole) => `${(100 * part / Math.max(1, whole)).toFixed(1)} %`;
  const rows = operators.map(used => el('tr', {},
    el('th', { scope: 'row' }, used.name, el('br'), el('span', { class: 'soft' }, used.family)), el('td', { class: 'number' }, shown(used.applied)),
    el('td', { class: 'number' }, percent(used.better, used.applied)), el('td', { class: 'number' }, percent(used.best, used.applied)),
    el('td', { class: 'number' }, shown(used.gain))));
  const heads = ['operator', 'used', 'better than a parent', 'better than both', 'gained'];
  host.replaceChildren(rows.length
    ? table(heads, rows, place => ({ class: place ? 'number' : '' }))
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
    const more = model.run?.facts.scale ? '' : ' A click shows how an individual came to be.';
    words.textContent = `A row is an individual, best first; a column is a gene.${more}`;
    return;
  }
  const { digits, genes, scale } = model.run.facts;
  const digit = digits[rank(rows.genomes[place.row], place.gene)];
  words.textContent = `individual ${shown(placeOf(place.row, rows) + 1)} of ${shown(rows.individuals)}, ${worth(rows.fitness[place.row], scale)}: ${scale ? `gene ${place.gene + 1}` : cellName(genes[place.gene])} is ${digit}`;
}

/** Says what the microscope is for. */
function invite() {
  find('#microscope', HTMLElement).replaceChildren(el('p', { class: 'soft' },
    'Choose an individual of the population, by a click or by the arrows and enter: its origin is shown here.'));
}

/** Has the microscope wait for nothing any more. */
function stopLooking() {
  if (!looking) return;
  looking.abort();
  looking = undefined;
  invite();
}

/** Shows in the microscope how an individual of the moment that is shown came to be. @param {number} row */
async function look(row) {
  const { run, frame } = model;
  const rows = frame?.populations[island];
  // Only the program of a problem knows what parents and children are worth.
  if (!play || !run || !frame || !rows || run.facts.scale) return;
  stopLooking();
  const waiting = new AbortController();
  looking = waiting;
  const { signal } = waiting;
  const host = find('#microscope', HTMLElement);
  const { generation } = frame;
  const about = { play: play.id, generation, population: island, individual: row };
  const size = sizeOf(play.puzzles[run.puzzle], run.facts.genes);
  const who = `Individual ${shown(placeOf(row, rows) + 1)}`;
  const name = frame.populations.length > 1 ? `${who} of island ${island}` : who;
  try {
    if (model.state === 'playing') await hold(generation, host, signal);
    const told = await births(about, host, signal);
    explain(host, told, { facts: run.facts, size, name });
    announce(`The microscope shows ${name.replace('I', 'i')}`);
  } catch (error) {
    if (!signal.aborted) complain(host, error);
  }
  if (looking === waiting) looking = undefined;
}

/** Pauses, and goes back to a generation that the run has left meanwhile. @param {number} generation @param {HTMLElement} host @param {AbortSignal} signal */
async function hold(generation, host, signal) {
  send('pause');
  await orders;
  await pause(150, signal);
  if (model.frame?.generation === generation) return;
  send('seek', generation);
  await orders;
  while (model.frame?.generation !== generation) {
    sayReplay(host);
    await pause(50, signal);
  }
}

/** How an individual came to be; of a generation that was shown before the run is replayed, which may take a while. @param {object} about @param {HTMLElement} host @param {AbortSignal} signal */
async function births(about, host, signal) {
  for (;;) {
    try {
      return await ask('births', about, { signal });
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'busy')) throw error;
      sayReplay(host);
      await pause(300, signal);
    }
  }
}

/** @param {HTMLElement} host */
function sayReplay(host) {
  host.replaceChildren(el('p', { class: 'soft' }, 'The run is replayed up to this generation …'));
}

/** Waits; refused when the signal is given meanwhile. @param {number} wait milliseconds @param {AbortSignal} signal */
async function pause(wait, signal) {
  await new Promise(done => setTimeout(done, wait));
  signal.throwIfAborted();
}

/** Rows and columns of a puzzle. @param {any} of @param {[number, number][]} cells @returns {[number, number]} */
function sizeOf(of, cells) {
  const most = (/** @type {0 | 1} */ axis) => cells.reduce((top, cell) => Math.max(top, cell[axis]), 0) + 1;
  return [of.rows ?? of.size ?? most(0), of.cols ?? of.size ?? most(1)];
}

for (const name of ['pointerdown', 'keydown']) {
  time.addEventListener(name, () => {
    isSliding = true;
  });
}
for (const name of ['change', 'pointerup', 'pointercancel', 'keyup', 'blur']) {
  time.addEventListener(name, () => {
    isSliding = false;
  });
}
time.addEventListener('input', () => order('seek', Number(time.value)));

const step = (/** @type {number} */ by) => {
  if (model.frame) order('seek', Math.max(0, model.frame.generation + by));
};
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

/** Lists what can be played, and plays what the address asks for. */
async function start() {
  sayIndividual(undefined);
  if (await runs.open()) await begin(runs.request());
}

start().catch(error => complain(complaint, error));
