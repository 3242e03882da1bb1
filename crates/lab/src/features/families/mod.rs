//! The families of features, a file each. A new one has a constant `FAMILY` with its columns and values, a line here, a line in
//! the table of the folder above, and a part of docs/features.md.

pub(super) mod cages;
pub(super) mod exact;
pub(super) mod grade;
pub(super) mod graph;
pub(super) mod landscape;
pub(super) mod operators;
pub(super) mod shape;
pub(super) mod space;
pub(super) mod tuples;

use super::{FeatureColumn, FeatureKind};

/// The mean of some numbers; NaN, which is no value, without any.
fn mean(numbers: &[f64]) -> f64 {
    let mut sum = 0.0;
    for number in numbers {
        sum += number;
    }
    sum / numbers.len() as f64
}

fn column(name: &str, kind: FeatureKind, about: &str) -> FeatureColumn {
    FeatureColumn::new(name, kind, about)
}
