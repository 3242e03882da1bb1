//! Random starts of a problem of the user's own, measured many at a time.

use crate::fitness::Tally;
use crate::rng::RunRng;
use crate::search::encodings::Encoding;

/// The most random starts that are measured together.
const MOST: u64 = 1000;

/// Random starts, measured before the run comes to them.
#[derive(Default)]
pub(super) struct RandomStarts {
    genomes: Vec<u8>,
    fitness: Vec<u32>,
    taken: usize,
}

impl RandomStarts {
    /// Writes the next random genome, which the run has to come to, and returns its fitness; `sure` is the number of starts that
    /// the run comes to unless a genome ends it.
    pub(super) fn next<E: Encoding>(
        &mut self,
        encoding: &E,
        tally: &Tally,
        rng: &mut RunRng,
        sure: u64,
        genome: &mut [u8],
    ) -> u32 {
        let genes = genome.len();
        if self.taken == self.fitness.len() {
            // Each batch doubles the one before: a run that soon ends, or whose objective fails, loses little.
            let count = sure.clamp(1, MOST).min((2 * self.fitness.len() as u64).max(1)) as usize;
            self.taken = 0;
            self.genomes.resize(count * genes, 0);
            self.fitness.resize(count, 0);
            for genome in self.genomes.chunks_exact_mut(genes) {
                encoding.init(genome, rng);
            }
            tally.measure_each(&self.genomes, &mut self.fitness);
        }
        let start = self.taken;
        self.taken += 1;
        genome.copy_from_slice(&self.genomes[start * genes..(start + 1) * genes]);
        self.fitness[start]
    }
}
