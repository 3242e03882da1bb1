//! Measures of a landscape: numbers with intervals, from samples of it.
//!
//! A measure takes some *quantities* from the samples that all measures share, or from samples of its own. What a landscape
//! does not have is empty: the distance to a solution where none is known, the correlation of what never varies.
//!
//! A new measure is a file with its [`Measure`] and a line in [`MEASURES`]; the tests walk that table. **Invariant.** Every
//! sample has a random stream of its own, keyed by its name, so that no quantity depends on which others are taken: keep the
//! names, and the order of draws within a sample. Columns of tables are named by quantities, in the order of [`MEASURES`].

mod autocorrelation;
mod density;
mod epistasis;
mod estimate;
mod evolvability;
mod fdc;
mod neutrality;
mod optima;
mod survey;

use kenga_stats::Estimate;

pub use autocorrelation::Walk;
pub use evolvability::Level;
pub use fdc::DistancePoint;
pub use survey::{Effort, LocalOptimum, RandomPoint, Surroundings, Survey};

/// A measure.
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// What it says, in a sentence.
    pub about: &'static str,
    /// Where it was described: authors, year, DOI.
    pub source: &'static str,
    /// What it takes, in order.
    pub quantities: &'static [Quantity],
    /// Takes an outcome for every quantity.
    take: fn(&mut Survey<'_>) -> Vec<Outcome>,
}

/// A number that a measure takes.
#[derive(Debug, PartialEq)]
pub struct Quantity {
    /// Its name, that of no other quantity.
    pub name: &'static str,
    /// What it is, in words.
    pub about: &'static str,
    /// The least and the greatest that it can be.
    pub range: (f64, f64),
}

/// What a measure says of a quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The value with an interval of 95 %; `None` where the landscape has none.
    pub estimate: Option<Estimate>,
    /// How many independent samples it is from: genomes, walks or descents.
    pub samples: usize,
}

impl Outcome {
    /// That of a quantity that the landscape does not have.
    const UNDEFINED: Self = Self { estimate: None, samples: 0 };
}

/// A quantity with what was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The quantity.
    pub quantity: &'static Quantity,
    /// What was found.
    pub outcome: Outcome,
}

/// Every measure, in the order of tables.
pub static MEASURES: &[&Measure] = &[
    &density::MEASURE,
    &autocorrelation::MEASURE,
    &fdc::MEASURE,
    &optima::MEASURE,
    &evolvability::MEASURE,
    &neutrality::MEASURE,
    &epistasis::MEASURE,
];

impl Measure {
    /// Takes the quantities of a landscape.
    pub fn take(&self, survey: &mut Survey<'_>) -> Vec<Finding> {
        let outcomes = (self.take)(survey);
        debug_assert_eq!(outcomes.len(), self.quantities.len(), "{}", self.name);
        let mut findings = Vec::new();
        for (quantity, outcome) in self.quantities.iter().zip(outcomes) {
            findings.push(Finding { quantity, outcome });
        }
        findings
    }
}

const fn quantity(name: &'static str, about: &'static str, low: f64, high: f64) -> Quantity {
    Quantity { name, about, range: (low, high) }
}

#[cfg(test)]
mod tests;
