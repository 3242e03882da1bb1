//! Experiments: one configuration, a plan of runs, and the runner that makes them and checks what they claim.
//!
//! Search and exact solver meet here. The runner hands finished runs to a [`Sink`] in the order of the plan and reports its
//! progress to a [`Watch`]. Other rooms implement both: `results` writes runs to a folder, and viewers show the progress.
//!
//! **Invariant.** Runs are numbered replicate, puzzle, setting, and are handed over in this order for any number of threads;
//! a run's random stream is keyed by seed, puzzle and replicate alone. Keys of [`CONFIG`] and columns of [`MEASURES`] are part
//! of the formats of `docs/configuration.md` and `docs/folder.md`: one may be added, none renamed or moved.

mod capped_runs;
mod config;
mod contender;
mod convergence;
mod draft;
mod error;
mod execution;
mod instances;
mod json;
mod labels;
mod layers;
mod live_view;
mod own_problem;
mod perform;
mod plan;
mod prepared;
mod race;
mod record;
mod recorder;
mod run_costs;
mod runner;
mod settings;
mod shard;
mod sweep;
mod threads;
mod toml;
mod truth;
mod watch;

use kenga_core::search;
use kenga_core::spec::Catalog;

pub use config::Config;
pub use draft::ConfigDraft;
pub(crate) use instances::has_optimum;
pub(crate) use labels::LABEL;
pub(crate) use recorder::Recorder;
pub(crate) use settings::value_word;
use sweep::METHODS;
pub(crate) use sweep::{COMMON, is_inside};
pub use toml::ConfigError;
// The program and the Python package use these too; their names may change.
#[doc(hidden)]
pub use {
    capped_runs::{CappedRun, CappedRuns},
    config::{CONFIG, SWEEP},
    contender::{Contender, Costs, Unfit},
    convergence::{MEASURES, Measure, MeasureKind, RecordEvery, Sample, measure},
    draft::{KeyDifference, PRESETS, Preset},
    error::RunError,
    execution::Execution,
    live_view::LiveView,
    perform::{Halt, Sink, perform, perform_race},
    plan::{Plan, RunId},
    race::{Race, RaceRules, race_calls},
    record::{BrokenGroup, RecordedPopulation, RunBest, RunRecord},
    run_costs::RunCosts,
    runner::Runner,
    settings::{Setting, Settings, short_key},
    shard::{RemainingRuns, Shard, ShardError, Share},
    sweep::{AxisKind, SettingsError, Space, SpacePoint},
    threads::{Threads, cores, in_order, on_all_cores, on_cores},
    toml::Sources,
    truth::{DeadRunPolicy, ExactLimits, Truth},
    watch::Watch,
};

/// Every family that a configuration can name members of.
#[doc(hidden)]
pub fn families() -> Vec<&'static dyn Catalog> {
    let mut families = search::families().to_vec();
    families.push(&METHODS);
    families
}
