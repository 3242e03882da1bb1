//! The tally of a problem of the user's own: what a move would add is known by measuring the genome that it makes.

use std::sync::{Mutex, PoisonError};

use super::super::Scratch;
use super::Tally;

/// The genome that was measured last, so that a move which was looked at is made without a second measurement.
#[derive(Debug, Default)]
pub(super) struct LastMeasured(Mutex<MeasuredGenome>);

#[derive(Debug, Default)]
struct MeasuredGenome {
    genome: Vec<u8>,
    fitness: u32,
}

impl Clone for LastMeasured {
    /// Knows nothing yet.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Tally {
    /// The violation of a genome, which is its fitness; `changes` makes it of the present one.
    fn measured(&self, last: &LastMeasured, change: impl FnOnce(&mut [u8])) -> i64 {
        let mut genome = self.ranks.clone();
        change(&mut genome);
        let mut last = last.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.genome != genome {
            *last = MeasuredGenome { fitness: self.fitness.evaluate(&genome), genome };
        }
        i64::from(last.fitness)
    }

    /// What a change of the genome would add, of a problem of the user's own.
    #[cold]
    #[inline(never)]
    pub(super) fn measured_difference(&self, change: impl FnOnce(&mut [u8])) -> i64 {
        let last = self.last.as_ref().expect("an objective tells the violation");
        self.measured(last, change) - self.value
    }

    /// Counts the violation anew, of a problem of the user's own.
    #[cold]
    #[inline(never)]
    pub(super) fn measure(&mut self) {
        let last = self.last.as_ref().expect("an objective tells the violation");
        self.value = self.measured(last, |_| {});
        self.violation = self.value;
    }

    /// Writes the fitness of genomes, one after the other: an evaluation each, all in one call.
    pub(crate) fn measure_each(&self, genomes: &[u8], values: &mut [u32]) {
        self.fitness.evaluate_each(genomes, values, &mut Scratch::default());
    }

    /// Notes the fitness of the genome that `change` makes of the present one, so that going there measures nothing.
    pub(crate) fn remember(&self, fitness: u32, change: impl FnOnce(&mut [u8])) {
        let Some(last) = &self.last else { return };
        let mut genome = self.ranks.clone();
        change(&mut genome);
        *last.0.lock().unwrap_or_else(PoisonError::into_inner) = MeasuredGenome { genome, fitness };
    }

    /// Says whether an objective tells the violation, and not lines and clues.
    #[inline(always)]
    pub(crate) fn is_measured(&self) -> bool {
        self.last.is_some()
    }
}
