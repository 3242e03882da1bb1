// What moves a run in time: buttons, speed, and the words of how it stands.

import { button, el, shown } from '../common/dom.js';

/** @typedef {import('./model.js').Model} Model */

/** Generations a second; after the last there is no limit. */
const SPEEDS = [1, 2, 5, 10, 25, 50, 100, 250, 1000];

/** The most runs in the list. */
const LISTED = 500;

/** The buttons. */
export class Transport {
  /**
   * @param {HTMLElement} host
   * @param {{order: (name: string, value?: number) => void, model: () => Model}} does
   */
  constructor(host, { order, model }) {
    this.order = order;
    this.model = model;
    /** @type {HTMLDialogElement | undefined} */
    this.help = undefined;
    /** Which runs are listed. */
    this.shape = '';
    const at = () => model().frame?.generation ?? 0;
    const titled = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ run) =>
      button(el('span', { 'aria-hidden': 'true' }, sign), run, { name, title: name });
    this.playing = button('Play', () => this.toggle(), { class: 'main' });
    this.speed = el('select', { 'aria-label': 'Generations a second', onchange: () => order('speed', Number(this.speed.value)) },
      SPEEDS.map(rate => el('option', { value: String(rate) }, `${rate} a second`)), el('option', { value: '0' }, 'no limit'));
    this.count = button('Count operators', () => order('count_operators', model().countsOperators ? 0 : 1), { 'aria-pressed': 'false' });
    this.before = titled('‹', 'The previous run', () => this.run(-1));
    this.after = titled('›', 'The next run', () => this.run(1));
    this.which = el('select', { 'aria-label': 'Run', onchange: () => order('run', Number(this.which.value)) });
    host.replaceChildren(
      titled('|◀', 'To the start', () => order('seek', 0)),
      titled('−10', '−10 generations', () => order('seek', Math.max(0, at() - 10))),
      titled('−1', '−1 generation', () => order('seek', Math.max(0, at() - 1))),
      this.playing,
      titled('+1', '+1 generation', () => order('forward', 1)),
      titled('+10', '+10 generations', () => order('forward', 10)),
      titled('improvement', 'To the next improvement', () => order('improvement')),
      titled('▶|', 'To the end', () => order('end')),
      this.speed, el('span', { class: 'runs' }, this.before, this.which, this.after), this.count,
      button('Keys', () => this.help?.showModal()),
    );
  }

  /** Plays or pauses; at the end again from the start. */
  toggle() {
    const { state } = this.model();
    if (state === 'ended') this.order('seek', 0);
    this.order(state === 'playing' ? 'pause' : 'play');
  }

  /** Another speed. @param {1 | -1} by */
  faster(by) {
    const rates = [...SPEEDS, Infinity];
    const now = this.model().speed ?? Infinity;
    const next = by > 0 ? rates.find(rate => rate > now) : rates.findLast(rate => rate < now);
    if (next !== undefined) this.order('speed', next === Infinity ? 0 : next);
  }

  /** Another run. @param {1 | -1} by */
  run(by) {
    const { run } = this.model();
    const next = (run?.run ?? 0) + by;
    if (run && next >= 0 && next < run.runs) this.order('run', next);
  }

  /** Lists the runs; of very many a part, in which there is the one that is shown. @param {number} at @param {number} runs */
  #list(at, runs) {
    const from = LISTED * Math.floor(at / LISTED);
    const shape = `${from} ${runs}`;
    if (shape !== this.shape) {
      const numbers = Array.from({ length: Math.min(runs - from, LISTED) }, (_, index) => from + index);
      this.which.replaceChildren(...numbers.map(run => el('option', { value: String(run) }, `run ${shown(run)} of ${shown(runs)}`)));
    }
    this.shape = shape;
    if (document.activeElement !== this.which) this.which.value = String(at);
  }

  draw() {
    const { state, speed, run, countsOperators } = this.model();
    this.playing.textContent = state === 'playing' ? 'Pause' : 'Play';
    if (document.activeElement !== this.speed) this.speed.value = String(speed ?? 0);
    this.count.setAttribute('aria-pressed', String(countsOperators));
    this.#list(run?.run ?? 0, run?.runs ?? 1);
    this.before.disabled = !run || run.run === 0;
    this.after.disabled = !run || run.run + 1 >= run.runs;
  }
}

/** How a run stands, or how it has ended. @param {Model} model */
export function endWords({ state, frame, run, last, replays, record }) {
  if (state === 'preparing') return 'solving the puzzle exactly …';
  if (!frame || !run) return 'preparing the run …';
  const which = [run.setting, run.replicate ? `replicate ${run.replicate}` : ''].filter(Boolean).join(', ');
  const of = last === null ? '' : ` of ${shown(last)}`;
  const words = [`generation ${shown(frame.generation)}${of}`];
  if (replays !== null) words.push(`replaying: ${shown(replays)}`);
  if (which) words.unshift(which);
  if (frame.stop) {
    const agreed = !record ? '' : record.by_propagation ? ', by propagation alone, before the search' : !record.verified ? '' : run.facts.scale ? ': the optimum, checked by asking again' : ', and the referee agrees';
    words.push(`stopped: ${frame.stop}${agreed}${frame.failure ? `: ${frame.failure}` : ''}`);
    if (record?.verdict) words.push(record.verdict);
  } else words.push(state);
  return words.join('  ·  ');
}

/** What was spent of what, and what is known exactly. @param {Model} model */
export function budgetWords({ frame, run }) {
  if (!frame || !run) return '';
  const { budget, facts } = run;
  const spent = /** @type {[string, number][]} */ ([['evaluations', frame.evaluations], ['moves', frame.moves]])
    .filter(([name, count]) => count > 0 || (name === 'evaluations' && budget.evaluations))
    .map(([name, count]) => budget[name] ? `${shown(count)} of ${shown(Number(budget[name]))} ${name}` : `${shown(count)} ${name}`);
  const words = [...spent, `${(100 * frame.progress).toFixed(1)} % of the budget`];
  if (frame.dead_at !== null) words.push(`no solution in reach since evaluation ${shown(frame.dead_at)}`);
  if (facts.solutions !== null) {
    const many = facts.solutions === 1 ? 'one solution' : `${shown(facts.solutions)} solutions`;
    words.push(facts.solutions_exact ? `the puzzle has ${facts.solutions ? many : 'no solution'}` : `${many} known`);
  }
  return words.join('  ·  ');
}
