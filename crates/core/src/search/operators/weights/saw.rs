//! Stepwise adaptation of weights.
//!
//! ```text
//! weights <- 1 for every constraint: each digit of each line, each clue
//! every `every` evaluations
//!     the constraints that the best individual violates weigh `step` more
//!     the guide of the whole population is computed again: an evaluation each
//! ```
//!
//! The guide is the weighted sum of repeated digits and unsatisfied clues. The weight of a constraint that stays
//! violated grows until it pays to violate others, so that the search leaves local optima and learns which constraints
//! are hard. The logged fitness does not change, and both are 0 at the same genomes.

use crate::fitness::{Guide, Tally};
use crate::spec::{Builder, Member, Param};

use super::WeightAdaptation;

struct Stepwise {
    every: u64,
    step: u32,
    next: u64,
}

pub(super) static ENTRY: Builder<Box<dyn WeightAdaptation>> = Member::new("saw")
    .about(
        "stepwise adaptation of weights (SAW): raises those of constraints that the best individual violates",
    )
    .source(
        "A. E. Eiben, J. K. van der Hauw, J. I. van Hemert 1998, Graph coloring with adaptive evolutionary \
                 algorithms, doi:10.1023/A:1009638304510",
    )
    .encodings(&["cells", "rows", "cages"])
    .params(&[
        Param::integer("every", 1..=i64::MAX, 500).about("evaluations between two adaptations"),
        Param::integer("step", 1..=1000, 1).about("increase of the weight of a violated constraint"),
    ])
    .build(|spec| {
        let (every, step) = (spec.count("every"), spec.integer("step") as u32);
        Box::new(Stepwise { every, step, next: every })
    });

impl WeightAdaptation for Stepwise {
    fn guide(&self) -> Option<Guide> {
        Some(Guide::PLAIN)
    }

    fn is_due(&mut self, evaluations: u64) -> bool {
        let due = evaluations >= self.next;
        if due {
            self.next = evaluations.saturating_add(self.every);
        }
        due
    }

    fn adapt(&self, tally: &mut Tally) {
        tally.raise_weights(self.step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_change_once_every_so_many_evaluations() {
        let mut saw = Stepwise { every: 100, step: 1, next: 100 };
        let due: Vec<u64> = (0..=400).step_by(30).filter(|spent| saw.is_due(*spent)).collect();
        assert_eq!(due, [120, 240, 360]);
    }
}
