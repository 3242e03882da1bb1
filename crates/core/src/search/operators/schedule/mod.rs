//! Schedules: values that change over the budget.
//!
//! A new member implements [`Schedule`], or is a function of both ends for `Between`.

mod cosine;
mod geometric;
mod linear;
mod step;

use crate::spec::{DefaultValue, Family, Param, ParamKind, Spec, Value};

/// A value over a run.
pub trait Schedule: Send + Sync {
    /// The value when this share of the budget is spent, 0 to 1.
    fn at(&self, progress: f64) -> f64;
}

/// Every schedule.
pub static SCHEDULE: Family<Box<dyn Schedule>> = Family::new(
    "schedule",
    "how a rate changes over the budget",
    &[&linear::ENTRY, &geometric::ENTRY, &cosine::ENTRY, &step::ENTRY],
);

/// Leads from one value to another, by a function of both and of the share of the budget spent.
struct Between {
    ends: [f64; 2],
    value: fn([f64; 2], f64) -> f64,
}

impl Between {
    /// The schedule that a spec with `from` and `to` describes.
    fn boxed(spec: &Spec, value: fn([f64; 2], f64) -> f64) -> Box<dyn Schedule> {
        Box::new(Self { ends: [spec.real("from"), spec.real("to")], value })
    }
}

impl Schedule for Between {
    fn at(&self, progress: f64) -> f64 {
        (self.value)(self.ends, progress)
    }
}

/// The value at the start. The parameter that takes the schedule sets the range.
const FROM: Param = Param::required("from", ParamKind::Real(0.0, f64::INFINITY)).about("value at the start");

/// The value at the end. The parameter that takes the schedule sets the range.
const TO: Param = Param::required("to", ParamKind::Real(0.0, f64::INFINITY)).about("value at the end");

/// The key `rate`: a probability, or a schedule of them.
pub const fn rate(default: f64) -> Param {
    Param::new("rate", ParamKind::Scheduled(0.0, 1.0, &SCHEDULE), DefaultValue::Real(default))
}

/// A number, or a schedule of numbers.
pub struct Rate(RateSource);

enum RateSource {
    Constant(f64),
    Scheduled(Box<dyn Schedule>),
}

impl Rate {
    /// The rate under a key of a resolved spec.
    pub fn of(spec: &Spec, key: &str) -> Self {
        Self(match spec.get(key) {
            Some(Value::Spec(schedule)) => RateSource::Scheduled(SCHEDULE.build(schedule)),
            _ => RateSource::Constant(spec.real(key)),
        })
    }

    /// It is always 0.
    pub fn is_never(&self) -> bool {
        matches!(self.0, RateSource::Constant(rate) if rate == 0.0)
    }

    /// The value, where it stays the same.
    pub fn constant(&self) -> Option<f64> {
        match self.0 {
            RateSource::Constant(rate) => Some(rate),
            RateSource::Scheduled(_) => None,
        }
    }

    /// The value when this share of the budget is spent, 0 to 1.
    pub fn at(&self, progress: f64) -> f64 {
        match &self.0 {
            RateSource::Constant(rate) => *rate,
            RateSource::Scheduled(schedule) => schedule.at(progress),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Named, Place, resolve};

    const RATE: &[Param] = &[super::rate(0.5)];

    fn spec(name: &str, values: &[(&str, Value)]) -> Spec {
        let named = |(key, value): &(&str, Value)| Named::new(*key, value.clone(), Place::default());
        Spec::named(name).with(values.iter().map(named))
    }

    fn rate(from: f64, to: i64) -> Result<Spec, String> {
        let schedule = spec("linear", &[("from", Value::Real(from)), ("to", Value::Integer(to))]);
        resolve(&spec("", &[("rate", Value::Spec(schedule))]), "test", RATE)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_rate_is_a_number_or_a_schedule() {
        let constant = resolve(&spec("", &[]), "test", RATE).expect("the default");
        assert_eq!(Rate::of(&constant, "rate").at(0.7), 0.5);
        assert_eq!(Rate::of(&rate(0.5, 1).expect("a sound schedule"), "rate").at(0.5), 0.75);
    }

    #[test]
    fn both_ends_of_a_schedule_lie_in_the_range_of_its_key() {
        assert_eq!(rate(1.5, 1).expect_err("too high"), "`from` takes a number from 0 to 1, not 1.5");
        assert_eq!(rate(0.5, 2).expect_err("too high"), "`to` takes a number from 0 to 1, not 2");
    }
}
