//! The families of features, a file each.

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

/// The mean of some numbers; `None` without any.
fn mean(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0usize);
    for number in numbers {
        (sum, count) = (sum + number, count + 1);
    }
    (count > 0).then(|| sum / count as f64)
}

fn column(name: &str, kind: FeatureKind, about: &str) -> FeatureColumn {
    FeatureColumn::new(name, kind, about)
}
