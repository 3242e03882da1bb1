// Convergence: charts that share the axis of generations.

import { el, shown, svg } from '../common/dom.js';
import { valueOf } from './model.js';

/** @typedef {import('./model.js').Model} Model */

const LINES = /** @type {{title: string, names: string[], scaled?: boolean, top?: number, height: number}[]} */ ([
  { title: 'fitness, as square roots', names: ['worst', 'mean', 'best'], scaled: true, height: 150 },
  { title: 'diversity and entropy', names: ['entropy', 'diversity'], top: 1, height: 80 },
  { title: 'distance to the nearest solution, in cells', names: ['distance'], height: 80 },
]);

const [LEFT, RIGHT, TITLE, GAP] = [46, 8, 18, 8];

/** Charts on one axis of time. */
export class Charts {
  /**
   * @param {HTMLElement} host
   * @param {HTMLElement} values where the values under the pointer are said
   * @param {(generation: number) => void} seek
   */
  constructor(host, values, seek) {
    this.host = host;
    this.values = values;
    /** @type {number | undefined} the generation under the pointer */
    this.here = undefined;
    /** @type {Model | undefined} */
    this.model = undefined;
    host.addEventListener('pointermove', event => this.#point(this.#generation(event)));
    host.addEventListener('pointerleave', () => this.#point(undefined));
    host.addEventListener('click', event => seek(this.#generation(event)));
    new ResizeObserver(() => this.model && this.draw(this.model)).observe(host);
  }

  /** @param {Model} model */
  draw(model) {
    this.model = model;
    const width = Math.max(200, this.host.clientWidth);
    const charts = LINES.filter(({ names }) => model.curve.some(sample => typeof sample[names[0]] === 'number'));
    const height = charts.reduce((sum, chart) => sum + chart.height + TITLE + GAP, 16);
    const image = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Convergence of the run' });
    const last = Math.max(1, model.known);
    const x = (/** @type {number} */ generation) => LEFT + (width - LEFT - RIGHT) * generation / last;
    let top = 0;
    for (const chart of charts) {
      this.#chart(image, chart, { top: top + TITLE, width, x });
      top += chart.height + TITLE + GAP;
    }
    for (const [generation, anchor] of /** @type {[number, string][]} */ ([[0, 'start'], [last, 'end']])) {
      image.append(svg('text', { x: x(generation), y: height - 4, 'text-anchor': anchor }, generation ? `generation ${shown(generation)}` : '0'));
    }
    const bar = (/** @type {number} */ at, /** @type {string} */ kind) =>
      svg('line', { class: kind, x1: x(at), x2: x(at), y1: TITLE, y2: height - 16 });
    image.append(bar(model.frame?.generation ?? 0, 'now'));
    if (this.here !== undefined) image.append(bar(this.here, 'here'));
    this.host.replaceChildren(image);
    this.#say();
  }

  /** @param {SVGElement} image @param {typeof LINES[0]} chart @param {{top: number, width: number, x: (generation: number) => number}} place */
  #chart(image, chart, { top, width, x }) {
    const model = /** @type {Model} */ (this.model);
    const own = chart.scaled ? model.run?.facts.scale ?? null : null;
    const values = chart.names.flatMap(name => model.curve.map(sample => sample[name] ?? (own ? NaN : 0))).filter(value => !Number.isNaN(value));
    // A bound may be far away from all values of a problem of one's own.
    const lowest = own ? values.reduce((least, value) => Math.min(least, value)) : 0;
    const highest = chart.top ?? 2 * Math.ceil(values.reduce((most, value) => Math.max(most, value), lowest + 1) / 2);
    const height = (/** @type {number} */ value) => chart.scaled ? Math.sqrt((value - lowest) / (highest - lowest)) : (value - lowest) / (highest - lowest);
    const y = (/** @type {number} */ value) => top + chart.height * (own?.maximise ? height(value) : 1 - height(value));
    image.append(svg('text', { class: 'title', x: LEFT, y: top - 5 }, own ? 'value, by square roots of the distance from the best' : chart.title));
    for (const share of [0, 0.5, 1]) {
      const value = lowest + (highest - lowest) * (chart.scaled ? share * share : share);
      image.append(svg('line', { class: 'grid-line', x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }));
      image.append(svg('text', { x: LEFT - 5, y: y(value) + 4, 'text-anchor': 'end' }, own ? String(Number(valueOf(value, own).toPrecision(5))) : shown(value)));
    }
    for (const name of chart.names) {
      const points = model.curve.filter(sample => typeof sample[name] === 'number');
      const steps = points.map((sample, index) => `${index ? 'L' : 'M'}${x(sample.generation).toFixed(1)} ${y(Number(sample[name])).toFixed(1)}`);
      image.append(svg('path', { class: `of-${name}`, d: steps.join('') }));
    }
  }

  /** @param {PointerEvent | MouseEvent} event */
  #generation(event) {
    const box = this.host.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / Math.max(1, box.width - LEFT - RIGHT);
    return Math.round(Math.min(1, Math.max(0, share)) * (this.model?.known ?? 0));
  }

  /** @param {number | undefined} generation */
  #point(generation) {
    this.here = generation;
    if (this.model) this.draw(this.model);
  }

  /** The values under the pointer, or of the moment that is shown. */
  #say() {
    const sample = this.model?.at(this.here ?? this.model.frame?.generation ?? 0);
    if (!sample) {
      this.values.textContent = 'no generation is complete yet';
      return;
    }
    const names = ['best', 'mean', 'worst', 'diversity', 'entropy', 'distance'].filter(name => typeof sample[name] === 'number');
    const own = this.model?.run?.facts.scale ?? null;
    const told = (/** @type {string} */ name) => own && LINES[0].names.includes(name) ? valueOf(Number(sample[name]), own) : shown(Number(sample[name]));
    this.values.replaceChildren(`generation ${shown(sample.generation)}: `, ...names.map((name, index) =>
      el('span', {}, el('span', { class: `key of-${name}` }), `${name} ${told(name)}${index + 1 < names.length ? ', ' : ''}`)));
  }
}
