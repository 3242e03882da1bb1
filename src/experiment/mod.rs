//! Experiments: one configuration, a plan of runs, and the runner that makes them and checks what they claim.
//!
//! Search and exact solver meet here. The runner hands finished runs to a [`Sink`] in the order of the plan and reports
//! its progress to a [`Watch`]; what they do with it is not its business.

mod config;
mod draft;
mod error;
mod measures;
mod plan;
mod queue;
mod race;
mod record;
mod resolved;
mod runner;
mod samples;
mod settings;
mod sweep;
mod threads;
mod toml;
mod truth;

use crate::search;
use crate::spec::Catalog;

pub use crate::search::{Migration, Use};
pub use config::{Config, Dead, ExactLimits};
pub use draft::{Draft, PRESETS, Preset};
pub use error::{ConfigError, Sources};
pub use measures::{MEASURES, Measure, MeasureKind, Sample, measure};
pub use plan::{Plan, RunId};
pub use queue::{Shard, ShardError, Share, perform, perform_race};
pub use race::{Race, RaceRules, race_calls};
pub use record::{Broken, Recorded, Recorder, RunRecord};
pub use resolved::{Algorithm, Resolved};
pub use runner::{Halt, RunError, Runner, Sink, Watch};
pub use samples::{Every, Samples};
pub use settings::{Setting, Settings, short_key};
pub use sweep::{COMMON, METHODS};
pub use threads::{on_all_cores, pool, start, useful};
pub use truth::Truth;

/// Every family that a configuration can name members of.
pub fn families() -> Vec<&'static dyn Catalog> {
    let sweep: &'static dyn Catalog = &METHODS;
    search::families().into_iter().chain([sweep]).collect()
}
