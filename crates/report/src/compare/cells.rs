//! The cells of the tables: counts, shares, estimates with their intervals.

use serde_json::{Value, json};

use super::quantities::factor;
use crate::table::Cell;
use crate::{counted, decimal, percent_range, percent_with_interval, range, with_interval};
use kenga_stats::{Estimate, Interval};

/// The mark of a significant difference.
pub(super) const MARK: &str = " *";

/// A ratio with its interval, even an unbounded one, which says that nothing is known.
pub(super) fn ratio_cell(ratio: Option<Estimate>) -> Cell {
    let Some(Estimate { value, interval: Interval { low, high } }) = ratio else {
        return Cell::new("–", []);
    };
    let text = format!("{} ({})", factor(value), range(Interval { low, high }, &factor));
    Cell::new(text, [value, low, high].map(|value| json!(value)))
}

pub(crate) fn solved(solved: u64, runs: u64) -> Cell {
    Cell::new(format!("{} of {}", counted(solved), counted(runs)), [json!(solved), json!(runs)])
}

pub(crate) fn share(share: Estimate) -> Cell {
    let Estimate { value, interval: Interval { low, high } } = share;
    Cell::new(percent_with_interval(&share), [value, low, high].map(|value| json!(value)))
}

pub(crate) fn share_range(ends: Interval) -> Cell {
    let text = percent_range(ends);
    Cell::new(text, [json!(ends.low), json!(ends.high)])
}

/// An estimate shown as another, which people know; programs read the one that was made.
pub(super) fn estimate_as(
    made: Option<Estimate>,
    known: &dyn Fn(Estimate) -> Estimate,
    shown: &dyn Fn(f64) -> String,
) -> Cell {
    let Some(found) = made else { return estimate(None, shown) };
    let Estimate { value, interval: Interval { low, high } } = found;
    Cell::new(with_interval(&known(found), shown), [value, low, high].map(|value| json!(value)))
}

/// A value with its interval, unless that has no bounds.
pub(crate) fn estimate(estimate: Option<Estimate>, shown: &dyn Fn(f64) -> String) -> Cell {
    let Some(found) = estimate else {
        return Cell::new("–", [Value::Null, Value::Null, Value::Null]);
    };
    let Estimate { value, interval: Interval { low, high } } = found;
    Cell::new(with_interval(&found, shown), [value, low, high].map(|value| json!(value)))
}

pub(super) fn rounded_percent(share: f64) -> String {
    let text = decimal(share * 100.0, 2);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
