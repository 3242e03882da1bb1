//! Tuning: the best configuration of a space, found by iterated racing within a budget of calls.
//!
//! ```text
//! the default is the first elite
//! for every iteration
//!     race: the elites and newcomers on one block after the other, a puzzle and a replicate
//!         newcomers come in waves: points of Sobol's sequence, later one in three from everywhere, the
//!         others chosen by a forest among draws around the elites, half of them ever closer
//!         one that costs far more than the best is dropped at once
//!         from block `first` on: drop those shown to be worse
//!     the best that are left are the elites; they keep their runs
//! race the elites alone
//! ```
//!
//! **Invariant**: every decision follows from what runs spent, in the order in which they are due, never from the clock or from
//! threads; so a tuning that is resumed, which repeats its decisions from the recorded runs, comes to the same bytes. The order
//! of draws and the names of streams are part of the format.
//!
//! Source: M. López-Ibáñez, J. Dubois-Lacoste, L. Pérez Cáceres, M. Birattari, T. Stützle 2016, The irace package,
//! doi:10.1016/j.orp.2016.09.002: elitist iterated racing.

/// The results folders, in that of a tuning, of the default and of the best on held-out puzzles, in the order in which they
/// are made.
pub const VALIDATION_FOLDERS: [&str; 2] = ["validation/default", "validation/best"];

mod ablation;
mod blocks;
mod candidate;
mod candidate_race;
mod capping;
mod elimination;
mod error;
mod folder;
mod history;
mod instances;
mod journal;
mod manifest;
mod options;
mod results;
mod run;
mod run_log;
mod sampling;
mod shard_runners;
mod shards;
mod surrogate;
mod target_runner;
mod tuner;
mod validate;

#[cfg(test)]
mod tests;

pub use candidate::{Candidate, Origin};
pub use error::TuneError;
pub use folder::TuneFolder;
pub use history::TuneHistory;
pub use instances::InstanceParts;
pub use journal::{AblationStep, Decision, Journal};
pub use manifest::{TuneManifest, checksums};
pub use options::{Cost, KEYS, Options, TUNE};
pub use run::{RunBatch, RunRequest, TuneRun, TuneRunEnd};
pub use sampling::Refused;
pub use shard_runners::{GatheringRunner, NoJournal, ShardRunner};
pub use shards::{ShardRuns, TuneShard};
pub use target_runner::{LocalRunner, TargetRunner};
pub use tuner::{TuneProgress, Tuned, Tuner};
pub use validate::{TuneValidation, validate};
