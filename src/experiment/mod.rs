//! Experiments: one configuration, a plan of runs, and the runner that makes them and checks what they claim.
//!
//! Search and exact solver meet here. The runner hands finished runs to a [`Sink`] in the order of the plan and reports
//! its progress to a [`Watch`]; what they do with it is not its business.

mod config;
mod draft;
mod error;
mod every;
mod layers;
mod measures;
mod plan;
mod presets;
mod queue;
mod race;
mod record;
mod resolved;
mod runner;
mod samples;
mod settings;
mod share;
mod sweep;
mod threads;
mod toml;
mod truth;

pub use config::{Config, Dead, ExactLimits};
pub use draft::Draft;
pub use error::{ConfigError, Sources};
pub use every::Every;
pub use measures::{MEASURES, Measure, Sample, Scale, measure};
pub use plan::{Plan, RunId};
pub use presets::{PRESETS, Preset};
pub use queue::{perform, perform_race};
pub use race::{Race, RaceRules, race_calls};
pub use record::{Broken, Recorded, Recorder, RunRecord};
pub use resolved::{Algorithm, Resolved};
pub use runner::{Halt, RunError, Runner, Sink, Watch};
pub use samples::Samples;
pub use settings::{Setting, Settings, short_key};
pub use share::{Shard, ShardError, Share};
pub use sweep::{COMMON, METHODS};
pub use threads::{on_all_cores, pool, start, useful};
pub use truth::Truth;

pub use crate::search::{Migration, Use};

use crate::search;
use crate::spec::Catalog;

/// Every family that a configuration can name members of.
pub fn families() -> Vec<&'static dyn Catalog> {
    let sweep: &'static dyn Catalog = &METHODS;
    search::families().into_iter().chain([sweep]).collect()
}
