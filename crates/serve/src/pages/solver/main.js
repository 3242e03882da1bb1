// The page Solver: the exact search and a person's explanation of the same puzzle, side by side.

import { ask } from '../common/api.js';
import { askText, listen, read } from '../common/dialogs.js';
import { button, complain, counted, el, find, saved } from '../common/dom.js';
import { keys } from '../common/keys.js';
import { packed, unpacked } from '../common/link.js';
import { EXAMPLES } from './examples.js';
import { Player } from './player.js';

/** @typedef {import('./player.js').Part} Part */

const isNoted = saved('solver.candidates', true);
const rate = saved('solver.speed', 2);
const complaint = find('#complaint', HTMLElement);

/** @type {any} */
let puzzle;

/** @param {any} asked @param {number} from @param {AbortSignal} signal @returns {Promise<Part>} */
async function loadSearch(asked, from, signal) {
  const isFirst = search.count === 0;
  const answer = await ask('trace', { puzzle: asked, from, landmarks: isFirst }, { signal });
  const { count, decisions, conflicts, steps, landmarks, is_whole: isWhole } = answer;
  const note = (/** @type {any} */ step) => step.depth ? counted(step.depth, 'decision stands', 'decisions stand') : '';
  const stopped = isWhole ? '' : '; stopped there, the search goes on much longer';
  return {
    steps: new Map(steps.map((/** @type {any} */ step) => [step.step, { words: step.words, note: note(step), grid: step.grid, marks: step.marks }])),
    count,
    summary: `${counted(decisions, 'decision')}, ${counted(conflicts, 'conflict')}${stopped}`,
    ...landmarks ? { landmarks } : {},
  };
}

/** @param {any} asked @param {number} from @param {AbortSignal} signal @returns {Promise<Part>} */
async function loadPerson(asked, from, signal) {
  const { steps, end, ending } = await ask('explain', { puzzle: asked, from, pictured: 100 }, { signal });
  const pictured = steps.map((/** @type {any} */ step, /** @type {number} */ index) => [index, { words: step.words, note: `${step.technique.replaceAll('_', ' ')} ${step.score.toFixed(1)}`, grid: step.grid, marks: step.marks }]);
  const all = [...pictured, [steps.length, { words: ending.words, note: '', grid: ending.grid, marks: ending.marks }]];
  // The hardest steps are those with the highest score.
  const most = Math.max(0, ...steps.map((/** @type {any} */ step) => step.score));
  const hardest = steps.flatMap((/** @type {any} */ step, /** @type {number} */ index) => step.score === most ? [index] : []);
  const digits = steps.flatMap((/** @type {any} */ step, /** @type {number} */ index) => step.fills ? [index] : []);
  return {
    steps: new Map(all.filter(([, step]) => step.grid)),
    count: steps.length + 1,
    summary: end.tier ? `${end.tier} ${end.score.toFixed(1)}` : '',
    landmarks: { hardest, digits },
  };
}

const shared = { isNoted: () => isNoted.get(), speed: () => rate.get(), ontouch: (/** @type {Player} */ player) => activate(player) };

const search = new Player(find('#search', HTMLElement), {
  label: 'the exact search',
  jumps: [{ name: 'conflict', key: 'c', list: 'conflicts' }, { name: 'decision', key: 'd', list: 'decisions' }, { name: 'solution', key: 's', list: 'solutions' }],
  load: loadSearch,
  ...shared,
});

const person = new Player(find('#person', HTMLElement), {
  label: 'the explanation',
  jumps: [{ name: 'digit', key: 'g', list: 'digits' }, { name: 'hardest', key: 't', list: 'hardest' }],
  load: loadPerson,
  ...shared,
});

/** The side that keys move. */
let active = search;

/** @param {Player} player */
function activate(player) {
  active = player;
  for (const other of [search, person]) other.host.classList.toggle('active', other === player);
}

/** Opens a puzzle; the address holds it. @param {any} opened */
async function open(opened) {
  const { solution: _, meta: __, ...plain } = opened;
  const hash = await packed(plain);
  if (location.hash !== hash) history.pushState(null, '', hash);
  await show(plain);
}

/** @param {any} shown */
async function show(shown) {
  complain(complaint);
  puzzle = shown;
  find('#name', HTMLElement).textContent = puzzle.id ?? 'puzzle';
  await Promise.all([search.open(puzzle), person.open(puzzle)]);
}

/** Opens a text of any known format. @param {string} text @param {string} [name] */
async function take(text, name) {
  if (!text.trim()) return;
  try {
    const [first] = await read(text);
    await open({ ...first, ...name ? { id: name } : {} });
  } catch (error) {
    complain(complaint, error);
  }
}

const example = el('select', { 'aria-label': 'Example', onchange: () => {
  const { text, name } = EXAMPLES[example.selectedIndex - 1] ?? { text: '' };
  take(text, name);
  example.selectedIndex = 0;
} }, el('option', {}, 'Examples'), EXAMPLES.map(one => el('option', {}, one.name)));

const noted = el('input', { type: 'checkbox', checked: isNoted.get(), onchange: () => {
  isNoted.set(noted.checked);
  search.redraw();
  person.redraw();
} });

const speed = el('select', { 'aria-label': 'Steps a second', onchange: () => rate.set(Number(speed.value)) },
  [0.5, 1, 2, 4, 8, 16].map(value => el('option', { value: String(value), selected: value === rate.get() }, `${value} ${value === 1 ? 'step' : 'steps'} a second`)));

/** @param {(player: Player) => void} work */
const acting = work => () => work(active);

/** @param {Player} player @param {string} key */
const jumpsOf = (player, key) => player.jumps.filter(jump => jump.key === key);

const help = keys([
  { keys: ['ArrowRight', '.'], about: 'a step on', run: acting(player => player.go(player.at + 1)) },
  { keys: ['ArrowLeft', ','], about: 'a step back', run: acting(player => player.go(player.at - 1)) },
  { keys: ['>'], about: 'ten steps on', run: acting(player => player.go(player.at + 10)) },
  { keys: ['<'], about: 'ten steps back', run: acting(player => player.go(player.at - 10)) },
  { keys: ['Home'], about: 'the first step', run: acting(player => player.go(0)) },
  { keys: ['End'], about: 'the last step', run: acting(player => player.go(player.count - 1)) },
  { keys: [' '], about: 'play, stop', run: acting(player => player.play()) },
  ...[['c', 'conflict'], ['d', 'decision'], ['s', 'solution'], ['g', 'digit of the person'], ['t', 'hardest step of the person']].flatMap(([key, name]) => [
    { keys: [key], about: `the next ${name}`, run: () => [search, person].forEach(player => jumpsOf(player, key).forEach(jump => player.leap(jump, true))) },
    { keys: [key.toUpperCase()], about: `the ${name} before`, run: () => [search, person].forEach(player => jumpsOf(player, key).forEach(jump => player.leap(jump, false))) },
  ]),
  { keys: ['k'], about: 'candidates, or digits alone', run: () => noted.click() },
  { keys: ['x'], about: 'the other side takes the keys', run: () => activate(active === search ? person : search) },
]);

find('#tools', HTMLElement).append(
  button('Open', () => askText(open)), example,
  button('To the bench', async () => location.assign(`/bench${puzzle ? await packed(puzzle) : ''}`), { title: 'Opens the puzzle on the page Bench' }),
  speed, el('label', { class: 'check' }, noted, ' Candidates'), button('Keys', () => help.showModal()),
);

listen(take);

document.addEventListener('kenga:back', () => {
  if (puzzle) show(puzzle);
});

/** Shows the puzzle that the address holds; without one, the first example. */
async function fromAddress() {
  const held = await unpacked(location.hash);
  if (held) await show(held);
  else await take(EXAMPLES[0].text, EXAMPLES[0].name);
}

addEventListener('popstate', fromAddress);
activate(search);
fromAddress();
