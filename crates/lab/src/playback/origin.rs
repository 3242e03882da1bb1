//! How the individuals of a moment came to be.

use std::sync::Arc;

use crate::experiment::Execution;
use kenga_core::search::{Birth, Births, Population};

/// What is known of how a population came to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Origins {
    /// It was bred.
    Bred(Arc<Births>),
    /// A local search has moved here from this genome, of this fitness.
    Moved(Arc<[u8]>, u32),
    /// Nobody asked, or the algorithm does not say.
    Unknown,
}

/// How one individual came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// It was made at random when the run began.
    Random,
    /// It is a child of this generation.
    Born(Birth<'a>),
    /// It was there already when this generation was bred.
    Stayed,
    /// A local search has moved here from this genome, of this fitness.
    Moved(&'a [u8], u32),
    /// The algorithm does not say.
    Unknown,
}

impl Origins {
    /// Notes where a run stands before its next generation, where that is one position: that of a local search.
    pub(super) fn position(execution: &Execution<'_>) -> Option<(Arc<[u8]>, u32)> {
        let mut found = Vec::new();
        execution.populations(&mut |population: &Population| {
            let is_one = population.len() == 1;
            found.push(is_one.then(|| (population.genome(0).into(), population.fitness()[0])));
        });
        if found.len() == 1 { found.pop().flatten() } else { None }
    }

    /// Those of the populations of a run, of which `before` was noted.
    pub(super) fn of(execution: &Execution<'_>, before: Option<(Arc<[u8]>, u32)>) -> Vec<Self> {
        let bred = |births: Option<Arc<Births>>| births.map_or(Self::Unknown, Self::Bred);
        let bred: Vec<Self> = execution.births().into_iter().map(bred).collect();
        match before {
            Some((genome, fitness)) if bred.is_empty() => vec![Self::Moved(genome, fitness)],
            _ if bred.is_empty() => vec![Self::Unknown; populations(execution)],
            _ => bred,
        }
    }

    /// How the individual with this genome came to be.
    pub(super) fn origin(&self, genome: &[u8]) -> Origin<'_> {
        match self {
            Self::Bred(births) => match births.of(genome) {
                Some(birth) => Origin::Born(birth),
                None => Origin::Stayed,
            },
            Self::Moved(from, fitness) => Origin::Moved(from, *fitness),
            Self::Unknown => Origin::Unknown,
        }
    }

    /// Its bytes in memory, about.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Bred(births) => births.bytes(),
            Self::Moved(genome, _) => genome.len(),
            Self::Unknown => 0,
        }
    }
}

fn populations(execution: &Execution<'_>) -> usize {
    let mut count = 0;
    execution.populations(&mut |_| count += 1);
    count
}
