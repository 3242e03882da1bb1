//! Adaptation of weights: whether selection compares the fitness, or a violation whose weights change during the run.
//!
//! A new member implements [`WeightAdaptation`]. A change of weights costs an evaluation of every individual.

mod saw;

use crate::budget::Guard;
use crate::fitness::{Guide, Tally};
use crate::search::encodings::Encoding;
use crate::search::neighbourhood::Neighbourhood;
use crate::search::population::CHECK_EVERY;
use crate::search::{Conflicts, Population, Space};
use crate::spec::{Builder, Family, Member, Spec};

/// A way to change the weights of constraints while the search runs.
pub trait WeightAdaptation: Send {
    /// The guide whose weights adapt; `None` if the fitness guides the search.
    fn guide(&self) -> Option<Guide>;

    /// The weights change now that this many evaluations are spent.
    fn is_due(&mut self, evaluations: u64) -> bool;

    /// Changes the weights of a tally that is placed at the best individual.
    fn adapt(&self, tally: &mut Tally);
}

/// Every adaptation of weights.
pub static WEIGHTS: Family<Box<dyn WeightAdaptation>> = Family::new(
    "weights",
    "whether the weights of violated constraints adapt during the run",
    &[&NONE, &saw::ENTRY],
);

/// The fitness guides the search.
struct Unweighted;

static NONE: Builder<Box<dyn WeightAdaptation>> = Member::new("none")
    .about("the weights of the configuration stay as they are")
    .source("J. H. Holland 1975, Adaptation in Natural and Artificial Systems")
    .build(|_| Box::new(Unweighted));

impl WeightAdaptation for Unweighted {
    fn guide(&self) -> Option<Guide> {
        None
    }

    fn is_due(&mut self, _evaluations: u64) -> bool {
        false
    }

    fn adapt(&self, _tally: &mut Tally) {}
}

/// The guide and the conflicts of genomes, both found by their evaluation.
pub(in crate::search) struct GuideTally {
    weights: Box<dyn WeightAdaptation>,
    /// A weighted violation guides the search, not the fitness.
    is_weighted: bool,
    /// Present if weights or operators need it.
    tally: Option<Tally>,
}

impl GuideTally {
    /// The guide that a spec describes; `reads` says whether some operator reads conflicts.
    pub(in crate::search) fn new<E: Encoding>(spec: &Spec, encoding: &E, reads: bool) -> Self {
        let weights = WEIGHTS.build(spec.spec("weights"));
        let guide = weights.guide();
        let is_weighted = guide.is_some();
        // A tally costs as much as an evaluation: only those who need one pay for it.
        let tally = (reads || is_weighted)
            .then(|| encoding.neighbourhood(guide.unwrap_or(Guide::PLAIN)).tally().clone());
        Self { weights, is_weighted, tally }
    }

    /// Notes the guide of the first `count` individuals, which have been evaluated, or of fewer if the guard cuts.
    pub(in crate::search) fn note(&mut self, population: &mut Population, count: usize, guard: &mut Guard) {
        match &mut self.tally {
            Some(tally) if self.is_weighted => {
                for index in 0..count {
                    if guard.cuts_at(index, CHECK_EVERY) {
                        return;
                    }
                    tally.place(population.genome(index));
                    population.set_guide(index, u32::try_from(tally.value()).unwrap_or(u32::MAX));
                }
            }
            _ => population.follow_fitness(count),
        }
    }

    /// The weights change now.
    pub(in crate::search) fn is_due(&mut self, evaluations: u64) -> bool {
        self.weights.is_due(evaluations)
    }

    /// Changes the weights by the best of a population, whose guide has to be noted again.
    pub(in crate::search) fn adapt(&mut self, population: &Population) {
        if let Some(tally) = &mut self.tally {
            // The constraints that even the best violates are the hard ones.
            tally.place(population.genome(population.best()));
            self.weights.adapt(tally);
        }
    }

    /// Resets the weights to those at the start.
    pub(in crate::search) fn reset(&mut self) {
        if let Some(tally) = &mut self.tally {
            tally.reset_weights();
        }
    }

    /// Reads the conflicts of a genome.
    pub(in crate::search) fn conflicts(&mut self, genome: &[u8], space: &Space, conflicts: &mut Conflicts) {
        if let Some(tally) = &mut self.tally {
            tally.place(genome);
            conflicts.read(tally, space);
        }
    }
}
