//! Schedules: values that change over the budget.

mod linear;

use crate::spec::{Family, Spec, Value};

/// A value over a run.
pub trait Schedule: Send {
    /// The value when this share of the budget is spent, 0 to 1.
    fn at(&self, progress: f64) -> f64;
}

/// Every schedule.
pub static SCHEDULE: Family<Box<dyn Schedule>> =
    Family { name: "schedule", about: "how a rate changes over the budget", entries: &[&linear::ENTRY] };

/// A number, or a schedule of numbers.
pub struct Rate(Source);

enum Source {
    Constant(f64),
    Scheduled(Box<dyn Schedule>),
}

impl Rate {
    /// The rate under a key of a resolved spec.
    pub fn of(spec: &Spec, key: &str) -> Self {
        Self(match spec.get(key) {
            Some(Value::Spec(schedule)) => Source::Scheduled(SCHEDULE.build(schedule)),
            _ => Source::Constant(spec.real(key)),
        })
    }

    /// The value when this share of the budget is spent, 0 to 1.
    pub fn at(&self, progress: f64) -> f64 {
        match &self.0 {
            Source::Constant(rate) => *rate,
            Source::Scheduled(schedule) => schedule.at(progress),
        }
    }
}
