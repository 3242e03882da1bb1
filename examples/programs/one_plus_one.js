// A (1+1) evolutionary algorithm for Node.js: every gene mutates with probability 1/n; the child survives if it is not worse.
// H. Mühlenbein 1992, How genetic algorithms really work: mutation and hillclimbing.

"use strict";

const readline = require("node:readline");

/** A generator of uniform numbers in [0, 1) that a seed decides: mulberry32. */
function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function main() {
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const read = async () => JSON.parse((await lines.next()).value);
  const ask = (request) => {
    process.stdout.write(JSON.stringify(request) + "\n");
    return read();
  };

  const { seed, candidates, options } = await read();
  const random = generator(seed);
  const draw = (digits) => digits[Math.floor(random() * digits.length)];
  const rate = options.mutation ?? 1 / candidates.length;

  let parent = candidates.map(draw);
  let answer = await ask({ evaluate: [parent] });
  let [fitness] = answer.fitness;
  while (!answer.done) {
    const child = parent.map((digit, gene) => (random() < rate ? draw(candidates[gene]) : digit));
    answer = await ask({ evaluate: [child] });
    if (answer.fitness[0] <= fitness) {
      parent = child;
      [fitness] = answer.fitness;
    }
  }
}

main().then(() => process.exit(0));
