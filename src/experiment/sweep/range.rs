//! A range: numbers from one to another.

use super::super::config::CONFIG;
use super::axis::WHEN;
use super::kind::is_real;
use crate::spec::{Kind, Named, Param, Spec, SpecError, Value};

/// Numbers from one to another.
#[derive(Clone, Copy)]
pub(super) struct Range {
    from: f64,
    to: f64,
    is_log: bool,
    is_whole: bool,
    /// How many numbers; any in between without.
    pub(super) points: Option<usize>,
}

/// The keys of a range.
pub(super) static RANGE: &[Param] = &[
    Param::required("from", ANY).about("the first value"),
    Param::required("to", ANY).about("the last value"),
    Param::optional("points", Kind::Integer(1, 10_000)).about(
        "how many values, both ends among them; without it any value in between, which a grid cannot take",
    ),
    Param::choice("scale", &["linear", "log"], "linear")
        .about("values are evenly far apart, or evenly many times as large"),
    WHEN,
];

const ANY: Kind = Kind::Real(f64::MIN, f64::MAX);

impl Range {
    /// The range that a resolved spec gives to a key. It is one of whole numbers where both ends are, unless the key takes
    /// real ones.
    ///
    /// # Errors
    /// A logarithmic scale from or to what has no logarithm.
    pub(super) fn read(named: &Named, spec: &Spec) -> Result<Self, SpecError> {
        let is_whole = |end| matches!(spec.get(end), Some(Value::Integer(_)));
        let range = Self {
            from: spec.real("from"),
            to: spec.real("to"),
            is_log: spec.text("scale") == "log",
            is_whole: is_whole("from") && is_whole("to") && !is_real(&named.key, CONFIG),
            points: spec.integer_or_absent("points").map(|points| points.unsigned_abs() as usize),
        };
        if range.is_log && !(range.from > 0.0 && range.to > 0.0) {
            let message = format!("the log scale of `{}` needs ends above 0", named.key);
            let help = "use another scale or range".to_owned();
            return Err(SpecError::Conflict { message, help, place: named.place });
        }
        Ok(range)
    }

    /// As many numbers, both ends among them; fewer where whole numbers lie no closer.
    pub(super) fn values(&self, points: usize) -> Vec<Value> {
        let last = points.saturating_sub(1).max(1) as f64;
        let mut values: Vec<Value> = (0..points).map(|point| self.at(point as f64 / last)).collect();
        values.dedup();
        values
    }

    /// The number at a draw from 0 to 1; real ones in between with six significant digits, so that people can read them.
    pub(super) fn at(&self, draw: f64) -> Value {
        let number = match self.is_log {
            true => (self.from.ln() + draw * (self.to.ln() - self.from.ln())).exp(),
            false => self.from + draw * (self.to - self.from),
        };
        match draw {
            _ if self.is_whole => Value::Integer(number.round() as i64),
            0.0 => Value::Real(self.from),
            1.0 => Value::Real(self.to),
            _ => Value::Real(format!("{number:.5e}").parse().expect("a number that was written is read")),
        }
    }
}
