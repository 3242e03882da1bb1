//! How large the search space of each encoding is.

use super::column;
use crate::features::FeatureKind::Real;
use crate::features::{FeatureColumn, FeatureFamily, FeatureOrder, FeatureValue, Subject};
use crate::landscape::{FitnessKind, LandscapeSpec};

pub(in crate::features) const FAMILY: FeatureFamily =
    FeatureFamily { name: "space", about: "the sizes of the search spaces", is_slow: false, columns, values };

fn columns(_: &FeatureOrder) -> Vec<FeatureColumn> {
    let mut columns = Vec::new();
    for spec in specs() {
        let about = format!("log10 of the number of genomes of the encoding `{}`", spec.encoding);
        columns.push(column(&format!("space_{}", spec.encoding), Real, &about));
    }
    columns
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let mut values = Vec::new();
    for spec in specs() {
        let landscape = spec.landscape(of.problem.clone()).ok();
        values.push(FeatureValue::number(landscape.map(|landscape| landscape.log10_genomes())));
    }
    values
}

/// Every encoding; what is minimised does not matter.
fn specs() -> Vec<LandscapeSpec> {
    LandscapeSpec::all(&[FitnessKind::Binary])
}
