//! The search: encodings, operators and algorithms, each a family with one table.
//!
//! An *encoding* says how a genome starts and what it is worth; an *algorithm* is written once, generic over the
//! encoding, and compiled for each; an *operator* is boxed, built once a run, and called once an individual or a
//! generation on flat slices. Nothing here knows of an exact solver.
//!
//! **Invariant.** The order of random draws, of evaluations and of what observers see is part of the format: golden runs and
//! results folders pin it. How the code between two draws gets there may be changed freely.

pub mod algorithms;
mod births;
mod candidates;
mod census;
mod closure;
mod conflicts;
pub mod encodings;
mod ledger;
mod markov;
// Local searches and landscapes use it; its names may change.
#[doc(hidden)]
pub mod neighbourhood;
pub mod objectives;
mod occurrences;
pub mod operators;
mod population;
mod programs;
mod run;
mod snapshot;
mod space;

pub use crate::fitness::Failure;
pub use candidates::Candidates;
pub use census::Census;
pub use closure::Closure;
pub use conflicts::Conflicts;
pub use markov::MutationModel;
pub use population::Population;
pub use run::{Algorithm, Best, Observer, RunDetails, RunOutcome, RunStatus, Task, run};
pub use space::{Change, Space};
// The laboratory records and computes with these; their names may change.
#[doc(hidden)]
pub use {
    births::{Birth, Births},
    closure::Reachability,
    ledger::{Ledger, OperatorUse},
    markov::{MarkovError, MarkovModel},
    run::Migration,
    snapshot::{Snapshot, SnapshotIndividual},
};

use crate::spec::Catalog;

/// Every family that a configuration can name, in the order of `kenga list`.
#[doc(hidden)]
pub fn families() -> [&'static dyn Catalog; 13] {
    [
        &algorithms::ALGORITHMS,
        &encodings::ENCODINGS,
        &objectives::OBJECTIVES,
        &operators::selection::SELECTION,
        &operators::scaling::SCALING,
        &operators::niching::NICHING,
        &operators::crossover::CROSSOVER,
        &operators::mutation::MUTATION,
        &operators::replacement::REPLACEMENT,
        &operators::weights::WEIGHTS,
        &operators::restart::RESTART,
        &operators::topology::TOPOLOGY,
        &operators::schedule::SCHEDULE,
    ]
}
