// The population as a picture: a row an individual, best first, a column a gene, a colour a digit.

import { el, share } from '../common/dom.js';
import { rank } from './model.js';

/** @typedef {import('./model.js').Population} Rows */
/** @typedef {{row: number, gene: number}} Place */

/** Pixels of the tallest picture. */
const TALLEST = 420;

/** A colour for each of so many digits. @param {number} count @returns {[number, number, number][]} */
export function palette(count) {
  return Array.from({ length: count }, (_, index) => colour(360 * index / count, count > 9 && index % 2 ? 0.42 : 0.6));
}

/** @param {number} hue @param {number} light @returns {[number, number, number]} */
function colour(hue, light) {
  const part = (/** @type {number} */ shift) => {
    const at = (shift + hue / 30) % 12;
    return Math.round(255 * (light - 0.55 * Math.min(light, 1 - light) * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [part(0), part(8), part(4)];
}

/** A population that is shown and pointed at. */
export class PopulationPicture {
  /**
   * @param {HTMLElement} host
   * @param {{point: (place: Place | undefined) => void, choose: (row: number) => void}} does
   */
  constructor(host, { point, choose }) {
    this.point = point;
    this.choose = choose;
    this.canvas = el('canvas', {
      tabIndex: 0, role: 'application', 'aria-label': 'Population; arrows move, enter shows in the microscope how an individual came to be',
    });
    this.cursor = el('div', { class: 'cursor', hidden: true });
    this.gene = el('div', { class: 'gene', hidden: true });
    this.picture = el('div', { class: 'population-picture' }, this.canvas, this.gene, this.cursor);
    this.legend = el('p', { class: 'digits' });
    host.replaceChildren(this.picture, this.legend);
    /** @type {Rows} */
    this.rows = { individuals: 0, genomes: [], fitness: [] };
    /** @type {number[]} */
    this.digits = [];
    /** @type {Place | undefined} */
    this.at = undefined;
    this.canvas.addEventListener('pointermove', event => this.#go(this.#place(event)));
    this.canvas.addEventListener('pointerleave', () => document.activeElement !== this.canvas && this.#go(undefined));
    this.canvas.addEventListener('click', event => {
      this.#go(this.#place(event));
      if (this.at) choose(this.at.row);
    });
    this.canvas.addEventListener('keydown', event => this.#key(event));
    this.canvas.addEventListener('focus', () => this.#go(this.at ?? { row: 0, gene: 0 }));
  }

  /** @param {Rows} rows @param {number[]} digits @param {string} noun what they are called */
  draw(rows, digits, noun = 'digits') {
    this.rows = rows;
    if (String(digits) !== String(this.digits)) this.#colours(digits, noun);
    const [width, height] = [rows.genomes[0]?.length ?? 1, Math.max(1, rows.genomes.length)];
    this.canvas.width = width;
    this.canvas.height = height;
    this.canvas.style.height = `${Math.min(TALLEST, Math.max(24, height * Math.max(2, Math.min(14, Math.floor(TALLEST / height)))))}px`;
    const context = this.canvas.getContext('2d');
    if (!context) return;
    const image = context.createImageData(width, height);
    rows.genomes.forEach((genome, row) => {
      for (let gene = 0; gene < width; gene += 1) {
        const [red, green, blue] = this.palette[rank(genome, gene)] ?? [128, 128, 128];
        image.data.set([red, green, blue, 255], 4 * (row * width + gene));
      }
    });
    context.putImageData(image, 0, 0);
    this.#go(this.at);
  }

  /** @param {number[]} digits @param {string} noun */
  #colours(digits, noun) {
    this.digits = digits;
    /** @type {[number, number, number][]} */
    this.palette = palette(digits.length);
    // Of many values a few say which colours are low and which are high.
    const each = Math.ceil(digits.length / 40);
    const shown = digits.map((digit, index) => ({ digit, index })).filter(({ index }) => index % each === 0);
    this.legend.replaceChildren(`${noun}: `, ...shown.map(({ digit, index }) => {
      const key = el('i');
      key.style.background = `rgb(${this.palette[index].join(' ')})`;
      return el('span', {}, key, String(digit));
    }));
  }

  /** @type {[number, number, number][]} */
  palette = [];

  /** @param {MouseEvent} event @returns {Place} */
  #place(event) {
    const box = this.canvas.getBoundingClientRect();
    return {
      row: Math.floor((event.clientY - box.top) / box.height * this.rows.genomes.length),
      gene: Math.floor((event.clientX - box.left) / box.width * (this.rows.genomes[0]?.length ?? 1)),
    };
  }

  /** @param {Place | undefined} place */
  #go(place) {
    const [rows, genes] = [this.rows.genomes.length, this.rows.genomes[0]?.length ?? 1];
    const inside = (/** @type {number} */ at, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, at));
    this.at = place && rows ? { row: inside(place.row, rows), gene: inside(place.gene, genes) } : undefined;
    this.cursor.hidden = this.gene.hidden = !this.at;
    if (this.at) {
      Object.assign(this.cursor.style, { top: share(this.at.row, rows), height: share(1, rows) });
      Object.assign(this.gene.style, { left: share(this.at.gene, genes), width: share(1, genes) });
    }
    this.point(this.at);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const steps = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-10, 0], PageDown: [10, 0],
    });
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      const from = this.at ?? { row: 0, gene: 0 };
      this.#go({ row: from.row + step[0], gene: from.gene + step[1] });
    } else if (event.key === 'Enter' && this.at) {
      event.preventDefault();
      this.choose(this.at.row);
    }
  }
}
