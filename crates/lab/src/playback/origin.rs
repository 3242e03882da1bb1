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

/// Where a local search stands.
pub(super) struct SearchPosition {
    genome: Arc<[u8]>,
    fitness: u32,
}

impl SearchPosition {
    /// Where a run stands, if it has one population of one individual.
    pub(super) fn of(execution: &Execution<'_>) -> Option<Self> {
        let (mut populations, mut position) = (0, None);
        execution.populations(&mut |population: &Population| {
            populations += 1;
            if population.len() == 1 {
                position =
                    Some(Self { genome: population.genome(0).into(), fitness: population.fitness()[0] });
            }
        });
        // Only one searcher at one position has moved; islands and populations breed.
        if populations == 1 { position } else { None }
    }
}

impl Origins {
    /// Those of the populations of a run, which stood at `before` until its last generation.
    pub(super) fn of(execution: &Execution<'_>, before: Option<SearchPosition>) -> Vec<Self> {
        let births = execution.births();
        // Algorithms that breed say where every genome is from.
        if !births.is_empty() {
            return births.into_iter().map(|births| births.map_or(Self::Unknown, Self::Bred)).collect();
        }
        if let Some(SearchPosition { genome, fitness }) = before {
            return vec![Self::Moved(genome, fitness)];
        }
        let mut unknown = Vec::new();
        execution.populations(&mut |_| unknown.push(Self::Unknown));
        unknown
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
