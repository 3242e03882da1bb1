// The microscope: how an individual came to be, step by step.

import { el } from '../common/dom.js';
import { cellName } from '../common/puzzle.js';
import { rank } from './model.js';

/** @typedef {import('./model.js').Facts} Facts */
/** @typedef {{genome: string, fitness: number}} Step */

/**
 * Shows an answer of `births`.
 * @param {HTMLElement} host
 * @param {any} told
 * @param {{facts: Facts, size: [number, number], name: string}} about `size` is rows and columns
 */
export function explain(host, told, { facts, size, name }) {
  const grids = new Grids(facts, size);
  const words = {
    random: 'made at random when the run began',
    stayed: 'not a child of this generation: it was in the population before, or came by migration or a restart',
    unknown: 'this algorithm does not say: it samples its individuals, or is a program',
    moved: 'a local search moved here from where it stood a generation ago',
    born: 'born in this generation',
  }[/** @type {'random'} */ (told.origin)];
  const own = told.individual;
  const parts = [
    el('p', {}, el('strong', {}, `${name}, generation ${told.generation}, fitness ${own.fitness}: `), words),
    el('div', { class: 'genomes' }, figures(told, grids)),
    ...told.parents || told.from ? [consequences(told)] : [],
    el('p', { class: 'soft' }, own.broken.length ? `It breaks ${list(own.broken)}.` : 'It breaks nothing.'),
  ];
  host.replaceChildren(...parts);
}

/** @param {any} told @param {Grids} grids */
function figures(told, grids) {
  if (told.origin === 'moved') {
    return [grids.figure('where it stood', told.from), grids.figure(`${told.changed.length} cells later`, told.individual, { changed: told.changed })];
  }
  if (told.origin !== 'born') return [grids.figure('the individual', told.individual)];
  const [first, second] = told.parents;
  const { crossed, mutated, improved } = told;
  const made = [
    grids.figure(`first parent${told.better === 0 ? ', the better one' : ''}`, first, { side: '0' }),
    grids.figure(`second parent${told.better === 1 ? ', the better one' : ''}`, second, { side: '1' }),
    grids.figure(crossed.operator ? `after crossover ${crossed.operator}` : 'copied, no crossover', crossed, { sides: crossed.sides }),
    grids.figure(`after mutation ${mutated.operator}`, mutated, { sides: crossed.sides, changed: mutated.changed }),
  ];
  if (improved) made.push(grids.figure('after the local search', improved, { changed: improved.changed }));
  return made;
}

/** @param {any} told */
function consequences(told) {
  const against = told.parents ? 'against the better parent' : 'against where it stood';
  return el('p', {}, `Repaired ${against}: ${list(told.repaired) || 'nothing'}. Broke: ${list(told.broke) || 'nothing'}.`);
}

/** @param {{name: string}[]} groups */
function list(groups) {
  return groups.map(group => group.name).join(', ');
}

/** Genomes as small grids. */
class Grids {
  /** @param {Facts} facts @param {[number, number]} size */
  constructor(facts, [rows, columns]) {
    this.facts = facts;
    this.columns = columns;
    /** @type {(number | undefined)[]} the gene of every cell */
    this.genes = Array.from({ length: rows * columns });
    facts.genes.forEach(([row, column], gene) => {
      this.genes[row * columns + column] = gene;
    });
  }

  /**
   * @param {string} caption
   * @param {Step} step
   * @param {{side?: string, sides?: string, changed?: number[]}} [marks]
   */
  figure(caption, { genome, fitness }, { side, sides, changed = [] } = {}) {
    const isChanged = new Set(changed);
    const cells = this.genes.map(gene => {
      if (gene === undefined) return el('span', { class: 'black' });
      const from = side ?? sides?.[gene];
      const kind = from === '0' || from === '1' ? `of-${from}` : from === '?' ? 'of-neither' : '';
      return el('span', { class: isChanged.has(gene) ? `${kind} changed` : kind }, this.facts.digits[rank(genome, gene)]);
    });
    const grid = el('div', { class: this.columns > 10 ? 'small-grid tiny' : 'small-grid', 'aria-hidden': 'true' }, cells);
    grid.style.gridTemplateColumns = `repeat(${this.columns}, 1.5em)`;
    const names = changed.slice(0, 8).map(gene => cellName(this.facts.genes[gene])).join(' ');
    const said = changed.length ? `; changed ${names}${changed.length > 8 ? ' …' : ''}` : '';
    return el('figure', { class: 'genome' }, grid, el('figcaption', {}, `${caption}: fitness ${fitness}${said}`));
  }
}
