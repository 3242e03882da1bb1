//! Experiments: one configuration, a plan of runs, and the runner that makes them and checks what they claim.
//!
//! Search and exact solver meet here. The runner hands finished runs to a [`Sink`] in the order of the plan and reports
//! its progress to a [`Watch`]; what they do with it is not its business.

mod config;
mod error;
mod layers;
mod plan;
mod presets;
mod record;
mod resolved;
mod runner;
mod toml;
mod truth;

pub use config::{Config, Draft, ExactLimits};
pub use error::{ConfigError, Sources};
pub use plan::{Plan, RunId};
pub use presets::{PRESETS, Preset};
pub use record::{Recorder, RunRecord, Sample};
pub use runner::{Halt, RunError, Runner, Sink, Watch, perform};
pub use truth::Truth;

pub use crate::search::Migration;
