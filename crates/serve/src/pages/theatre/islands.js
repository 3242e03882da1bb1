// Islands as a graph, with the migrants of the last barrier on their way.

import { svg } from '../common/dom.js';
import { valueOf } from './model.js';

/** @typedef {import('./model.js').Frame} Frame */

const [SIZE, RADIUS] = [320, 128];
const STEP = 700;

/** The islands of a run. */
export class Islands {
  /** @param {HTMLElement} host @param {(island: number) => void} choose */
  constructor(host, choose) {
    this.host = host;
    this.choose = choose;
    /** @type {Set<string>} edges on which somebody has gone */
    this.edges = new Set();
    /** The barrier whose migrants were shown last. */
    this.barrier = -1;
    /** What was laid out. */
    this.shape = '';
    /** @type {SVGGElement[]} */
    this.nodes = [];
    this.isStill = matchMedia('(prefers-reduced-motion: reduce)');
  }

  /** Another run begins. */
  forget() {
    this.edges.clear();
    [this.barrier, this.shape, this.nodes] = [-1, '', []];
    this.host.replaceChildren();
  }

  /** @param {Frame} frame @param {number} selected @param {import('./model.js').Scale | null} scale */
  draw(frame, selected, scale) {
    const count = frame.populations.length;
    for (const { from, to } of frame.migrations) this.edges.add(`${from} ${to}`);
    const shape = `${count}: ${[...this.edges].join()}`;
    if (shape !== this.shape) this.#lay(count);
    this.shape = shape;
    const best = frame.populations.map(island => island.fitness[0] ?? Infinity);
    const lowest = Math.min(...best);
    this.nodes.forEach((node, index) => {
      const fitness = frame.populations[index].fitness.map(one => valueOf(one, scale));
      const words = `island ${index}: best ${fitness[0] ?? 'none'}, median ${fitness[fitness.length >> 1] ?? 'none'}, worst ${fitness.at(-1) ?? 'none'}`;
      node.setAttribute('aria-label', words);
      node.setAttribute('aria-pressed', String(index === selected));
      node.classList.toggle('leads', best[index] === lowest);
      const label = node.querySelector('text');
      if (label) label.textContent = String(fitness[0] ?? '');
    });
    this.#migrate(frame);
  }

  /** @param {number} island @param {number} count @returns {[number, number]} */
  #at(island, count) {
    const angle = 2 * Math.PI * island / count - Math.PI / 2;
    return [SIZE / 2 + RADIUS * Math.cos(angle), SIZE / 2 + RADIUS * Math.sin(angle)];
  }

  /** @param {number} count */
  #lay(count) {
    const size = Math.max(9, Math.min(24, 240 / count));
    const head = svg('marker', { id: 'head', viewBox: '0 0 6 6', refX: 5, refY: 3, markerWidth: 8, markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto' },
      svg('path', { d: 'M0 0L6 3L0 6z', fill: 'context-stroke' }));
    const edges = [...this.edges].map(edge => {
      const [from, to] = edge.split(' ').map(island => this.#at(Number(island), count));
      const [x, y] = [to[0] - from[0], to[1] - from[1]];
      const length = Math.hypot(x, y) || 1;
      const end = [to[0] - x / length * (size + 2), to[1] - y / length * (size + 2)];
      // Both directions of a pair are seen.
      const bend = [(from[0] + to[0]) / 2 - y * 0.12, (from[1] + to[1]) / 2 + x * 0.12];
      return svg('path', { class: 'edge', 'data-edge': edge, 'marker-end': 'url(#head)', d: `M${from}Q${bend} ${end}` });
    });
    this.nodes = Array.from({ length: count }, (_, island) => {
      const [x, y] = this.#at(island, count);
      const node = svg('g', { class: 'island', role: 'button', tabindex: 0 },
        svg('circle', { cx: x, cy: y, r: size }), svg('text', { x, y }));
      node.addEventListener('click', () => this.choose(island));
      node.addEventListener('keydown', event => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        this.choose(island);
      });
      return node;
    });
    const focused = this.nodes.length && document.activeElement?.closest('.island')?.getAttribute('aria-label');
    this.layer = svg('g', { 'aria-hidden': 'true' });
    this.host.replaceChildren(svg('svg', { viewBox: `0 0 ${SIZE} ${SIZE}`, role: 'group', 'aria-label': 'Islands' },
      svg('defs', {}, head), edges, this.nodes, this.layer));
    if (focused) this.nodes[Number(focused.match(/\d+/)?.[0] ?? 0)]?.focus();
  }

  /** Sends the migrants of a new barrier along the edges. @param {Frame} frame */
  #migrate(frame) {
    const barrier = frame.migrations[0]?.barrier ?? -1;
    if (barrier === this.barrier) return;
    const isNext = barrier > this.barrier;
    this.barrier = barrier;
    /** @type {Map<string, number>} */
    const gone = new Map();
    for (const { from, to } of frame.migrations) gone.set(`${from} ${to}`, (gone.get(`${from} ${to}`) ?? 0) + 1);
    const paths = /** @type {NodeListOf<SVGPathElement>} */ (this.host.querySelectorAll('path.edge'));
    paths.forEach(path => path.classList.toggle('fresh', gone.has(path.dataset.edge ?? '')));
    if (!isNext || this.isStill.matches) return;
    const dots = [...paths].filter(path => gone.has(path.dataset.edge ?? '')).map(path => ({ path, dot: svg('circle', { class: 'migrant', r: 4 }) }));
    this.layer?.replaceChildren(...dots.map(({ dot }) => dot));
    const start = performance.now();
    const layer = this.layer;
    const move = (/** @type {number} */ now) => {
      const share = Math.min(1, (now - start) / STEP);
      for (const { path, dot } of dots) {
        const { x, y } = path.getPointAtLength(share * path.getTotalLength());
        dot.setAttribute('cx', String(x));
        dot.setAttribute('cy', String(y));
      }
      if (share < 1 && layer === this.layer && barrier === this.barrier) requestAnimationFrame(move);
      else if (barrier === this.barrier) layer?.replaceChildren();
    };
    requestAnimationFrame(move);
  }
}
