//! A run whose algorithm is elsewhere, in another program or another language: it asks for fitness and shows its
//! populations; here the budget is kept, every genome is checked, and the best is known.

mod check;
mod error;
#[cfg(test)]
mod tests;
mod tuple_index;

use std::slice::ChunksExact;

use crate::budget::{Spent, StopReason};
use crate::fitness::{Scratch, Terms};
use crate::search::encodings::AnyEncoding;
use crate::search::population::least;
use crate::search::{Best, Closure, Observer, Population, RunDetails, RunStatus, Space, Task};

use super::RunState;
use check::GenomeCheck;

pub use error::GenomeError;

/// Populations without an evaluation between them that end a run: it would never end by itself.
const MOST_IDLE: u64 = 1000;

/// A run that is asked for evaluations.
///
/// A genome is a digit a gene; genes are the cells that hold digits, row by row.
pub struct Session {
    encoding: AnyEncoding,
    run: RunState,
    /// What the operators elsewhere can make of a population, where that is known.
    closure: Option<Closure>,
    seed: u32,
    check: GenomeCheck,
    /// The genomes of a request, in ranks.
    genomes: Vec<u8>,
    values: Vec<u32>,
    terms: Vec<Terms>,
    scratch: Scratch,
    population: Population,
    idle: u64,
}

/// The answer to a request for evaluations: the genomes that the budget reached, in their order.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated<'a> {
    /// The fitness of each.
    pub fitness: &'a [u32],
    /// The terms of each, unweighted, where they were asked for.
    pub terms: Option<&'a [Terms]>,
    /// How many evaluations are left; `None` where nothing bounds them.
    pub left: Option<u64>,
    /// Why the run is over, if it is.
    pub done: Option<StopReason>,
}

impl Session {
    /// What genomes may be.
    pub fn space(&self) -> &Space {
        self.encoding.space()
    }

    /// A random genome, in digits: that with which every algorithm on this encoding starts under the same seed.
    pub fn random_genome(&mut self) -> Vec<u8> {
        let mut ranks = vec![0; self.space().genes()];
        self.encoding.init(&mut ranks, &mut self.run.init_rng);
        self.digits(&ranks)
    }

    /// Genomes of ranks, which kenga's operators work on, in digits.
    pub fn digits(&self, ranks: &[u8]) -> Vec<u8> {
        let values = self.space().problem().values();
        ranks.iter().map(|rank| values[usize::from(*rank)]).collect()
    }

    /// Genomes of digits in ranks, for kenga's operators.
    ///
    /// # Panics
    /// When the puzzle does not have a digit.
    pub fn ranks(&self, digits: &[u8]) -> Vec<u8> {
        let values = self.space().problem().values();
        let rank = |digit: &u8| values.binary_search(digit).expect("a digit of the puzzle") as u8;
        digits.iter().map(rank).collect()
    }

    /// Evaluates genomes of digits, one after the other, until the budget is spent or one solves the puzzle.
    ///
    /// # Errors
    /// [`GenomeError`] for one that the encoding does not have; nothing is evaluated then.
    pub fn evaluate(&mut self, digits: &[u8], with_terms: bool) -> Result<Evaluated<'_>, GenomeError> {
        let asked = self.check.read(digits, &mut self.genomes)?;
        // A request after the end is answered with nothing, and is no mistake: the program could not know.
        let within = if self.ended().is_some() { 0 } else { self.run.within(asked) };
        self.measure(within, with_terms);
        let mut answered = 0;
        let width = self.encoding.space().genes();
        for (genome, fitness) in self.genomes.chunks_exact(width).zip(&self.values) {
            self.run.count(genome, *fitness);
            answered += 1;
            if *fitness == 0 {
                break;
            }
        }
        self.idle = 0;
        Ok(Evaluated {
            fitness: &self.values[..answered],
            terms: with_terms.then(|| &self.terms[..answered]),
            left: self.run.budget.evaluations.map(|_| self.run.evaluations_left()),
            done: self.run.stopped(),
        })
    }

    /// What was spent.
    pub fn spent(&self) -> Spent {
        self.run.spent
    }

    /// The best individual so far.
    pub fn best(&self) -> &Best {
        &self.run.best
    }

    /// Where the run stands.
    pub(in crate::search) fn status(&self) -> RunStatus<'_> {
        self.run.status()
    }

    /// Writes the fitness of the first genomes of the request, and their terms.
    fn measure(&mut self, count: usize, with_terms: bool) {
        let genomes = &self.genomes[..count * self.encoding.space().genes()];
        self.values.clear();
        self.values.resize(count, 0);
        if with_terms {
            self.terms.clear();
            self.terms.resize(count, Terms::default());
            self.encoding.terms_each(genomes, &mut self.terms, &mut self.scratch);
            let weights = self.encoding.space().fitness.weights();
            for (value, terms) in self.values.iter_mut().zip(&self.terms) {
                *value = terms.weighted(weights);
            }
        } else {
            self.encoding.evaluate_each(genomes, &mut self.values, &mut self.scratch);
        }
    }
}

/// What kenga asks of the session of a program, and does for a plain search.
#[doc(hidden)]
impl Session {
    /// A run of a task that has not begun, with genomes of an encoding.
    pub fn new(encoding: AnyEncoding, closure: Option<Closure>, task: &Task) -> Self {
        let space = encoding.space();
        Self {
            check: GenomeCheck::new(&encoding),
            run: RunState::new(task, space),
            population: Population::new(0, space.genes()),
            closure,
            seed: task.key.child("elsewhere").rng().bits(),
            genomes: Vec::new(),
            values: Vec::new(),
            terms: Vec::new(),
            scratch: Scratch::default(),
            idle: 0,
            encoding,
        }
    }

    /// What the algorithm elsewhere should draw from, so that its run can be repeated: the same for every algorithm.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// The genes that hold one of some tuples together, with these tuples in ranks.
    pub fn tuples(&self) -> impl Iterator<Item = (&[u16], ChunksExact<'_, u8>)> {
        self.check.tuples()
    }

    /// The genes that hold every digit once, line by line.
    pub fn lines(&self) -> impl Iterator<Item = &[u16]> {
        self.check.lines().iter()
    }

    /// Checks genomes of digits, which are not evaluated.
    ///
    /// # Errors
    /// [`GenomeError`] for one that the encoding does not have.
    pub fn check(&mut self, digits: &[u8]) -> Result<(), GenomeError> {
        self.check.read(digits, &mut self.genomes).map(drop)
    }

    /// Takes genomes of digits for the population of a complete generation and shows it to the observer. The first one is
    /// generation 0. Returns its number.
    ///
    /// # Errors
    /// [`GenomeError`] for genomes that the encoding does not have, and for one that is better than all that was
    /// evaluated.
    pub fn show(&mut self, digits: &[u8], observer: &mut dyn Observer) -> Result<u64, GenomeError> {
        let count = self.check.read(digits, &mut self.genomes)?;
        if self.run.spent.evaluations == 0 {
            return Err(GenomeError::NoneEvaluated);
        }
        self.measure(count, false);
        // A genome better than all that were evaluated was never paid for.
        let (best, fitness) = (self.run.best.fitness, least(&self.values));
        if fitness < best {
            return Err(GenomeError::NotEvaluated { fitness, best });
        }
        // Populations cost nothing: a program that only shows would never spend its budget.
        self.idle += 1;
        if self.idle > MOST_IDLE {
            return Err(GenomeError::Idle);
        }
        if self.population.len() != count {
            self.population = Population::new(count, self.encoding.space().genes());
        }
        for (index, fitness) in self.values.iter().enumerate() {
            let genome = self.population.genome_mut(index);
            genome.copy_from_slice(&self.genomes[index * genome.len()..][..genome.len()]);
            self.population.set_fitness(index, *fitness);
        }
        // The first population is generation 0.
        self.run.spent.generations += u64::from(self.run.has_begun());
        self.run.show(observer, |census| census.add(&self.population));
        // Only where the operators elsewhere are known to bring in nothing.
        let may_be_dead = self.closure.is_some() && self.run.best.fitness > 0;
        if may_be_dead && observer.gives_up(self.run.spent, &[&[&self.population]]) {
            self.run.stop = Some(StopReason::Dead);
        }
        Ok(self.run.spent.generations)
    }

    /// Ends the run for a reason of the algorithm's own, unless it has ended.
    pub fn stop(&mut self, reason: StopReason) {
        if self.run.stopped().is_none() {
            self.run.stop = Some(reason);
        }
    }

    /// Why the run is over, if it is; a look at the guard.
    pub fn ended(&mut self) -> Option<StopReason> {
        self.run.stopped_now()
    }

    /// As [`ended`](Self::ended), without a look at the guard.
    pub fn stopped(&self) -> Option<StopReason> {
        self.run.stopped()
    }

    /// Shows the last population, if there is one; what had been spent then is returned.
    pub fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent {
        if self.run.has_begun() {
            see(&self.population);
        }
        self.run.complete
    }
}

impl RunDetails for Session {
    fn closure(&self) -> Option<Vec<Closure>> {
        self.closure.clone().map(|closure| vec![closure])
    }
}
