// What the page knows of a play: events put together.

/**
 * @typedef {[number, number]} Cell
 * @typedef {{group: number, name: string, role: string, cells: Cell[], violation: number}} Broken
 * @typedef {{fitness: number, terms: Record<string, number>, grid: (number | null)[][], truth: (number | null)[][] | null, wrong: Cell[],
 *   broken: Broken[]}} Leader
 * @typedef {{individuals: number, genomes: (string | number[])[], fitness: number[]}} Population
 * @typedef {{barrier: number, from: number, to: number, fitness: number}} Migrant
 * @typedef {{family: string, name: string, applied: number, better: number, best: number, gain: number}} Operator
 * @typedef {{generation: number, evaluations: number, moves: number, progress: number, stop: string | null, failure: string | null,
 *   dead_at: number | null, best: Leader | null, populations: Population[], operators: Operator[], migrations: Migrant[],
 *   migrants: number}} Frame
 * @typedef {{reference: number, resolution: number | null, maximise: boolean}} Scale how values become fitness, of a problem of one's own
 * @typedef {{genes: Cell[], scale: Scale | null, digits: number[], solutions: number | null, solutions_exact: boolean, backbone: number | null}} Facts
 * @typedef {{run: number, runs: number, replicate: number, puzzle: number, setting: string, algorithm: any,
 *   budget: Record<string, number | null>, facts: Facts}} Run
 * @typedef {{solved: boolean, verified: boolean, by_propagation: boolean, stop: string, verdict: string | null}} RunEnd
 * @typedef {Record<string, number | null> & {generation: number}} Sample
 */

/** What is known of a play. */
export class Model {
  constructor() {
    this.state = 'preparing';
    /** @type {number | null} */
    this.speed = 10;
    /** @type {number | null} */
    this.last = null;
    /** @type {number | null} */
    this.replays = null;
    this.countsOperators = false;
    /** @type {RunEnd | null} */
    this.record = null;
    /** @type {Run | null} */
    this.run = null;
    /** @type {Frame | null} */
    this.frame = null;
    /** @type {Sample[]} by generation */
    this.curve = [];
  }

  /** Takes an event. @param {any} told */
  take(told) {
    this.state = told.state;
    if ('speed' in told) this.speed = told.speed;
    if ('last' in told) this.last = told.last;
    if ('replays' in told) this.replays = told.replays;
    if ('record' in told) this.record = told.record;
    if ('counts_operators' in told) this.countsOperators = told.counts_operators;
    if (told.run) {
      this.run = told.run;
      this.curve = [];
      this.frame = null;
    }
    if (told.frame) this.frame = told.frame;
    if (told.curve) this.#add(told.curve);
  }

  /** The last generation of which something is known. */
  get known() {
    return Math.max(this.last ?? 0, this.curve.at(-1)?.generation ?? 0, this.frame?.generation ?? 0);
  }

  /** The sample at a generation, or the last one before it. @param {number} generation */
  at(generation) {
    let [low, high] = [0, this.curve.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.curve[middle].generation <= generation) low = middle + 1;
      else high = middle;
    }
    return this.curve[low - 1];
  }

  /** @param {Record<string, (number | null)[]>} columns */
  #add(columns) {
    const names = Object.keys(columns);
    const added = columns.generation.map((_, index) =>
      /** @type {Sample} */ (Object.fromEntries(names.map(name => [name, columns[name][index]]))));
    const isBehind = !this.curve.length || (added[0]?.generation ?? 0) > this.curve[this.curve.length - 1].generation;
    this.curve.push(...added);
    if (!isBehind) this.curve.sort((a, b) => a.generation - b.generation);
  }
}

/**
 * The place of a row in its whole population, from 0: of many individuals some are shown, at even distances.
 * @param {number} row @param {Population} population
 */
export function placeOf(row, { individuals, genomes }) {
  return genomes.length < 2 ? row : Math.floor(row * (individuals - 1) / (genomes.length - 1));
}

/** The rank of a gene in a genome as the server writes it. @param {string | number[]} genome @param {number} gene */
export function rank(genome, gene) {
  return typeof genome === 'string' ? parseInt(genome[gene], 36) : genome[gene];
}

/** A fitness as people know it: of a problem of one's own the value. @param {number} fitness @param {Scale | null} scale */
export function valueOf(fitness, scale) {
  if (!scale) return fitness;
  const distance = fitness * (scale.resolution ?? 1);
  return Number((scale.reference + (scale.maximise ? -distance : distance)).toPrecision(7));
}

/** The same in words. @param {number} fitness @param {Scale | null} scale */
export function worth(fitness, scale) {
  return `${scale ? 'value' : 'fitness'} ${valueOf(fitness, scale)}`;
}
