//! What its landscapes look like to a local search: the measures of `kenga landscape`, without intervals.

use super::column;
use crate::features::FeatureKind::Real;
use crate::features::{FeatureColumn, FeatureFamily, FeatureOrder, FeatureValue, Subject};
use crate::landscape::measures::{Effort, MEASURES, Quantity, Survey};
use crate::landscape::{LandscapeSpec, Targets};

pub(in crate::features) const FAMILY: FeatureFamily = FeatureFamily {
    name: "landscape",
    about: "what its landscapes look like to a local search: see landscape.md",
    is_slow: true,
    columns,
    values,
};

fn quantities() -> impl Iterator<Item = &'static Quantity> {
    MEASURES.iter().flat_map(|measure| measure.quantities)
}

fn columns(order: &FeatureOrder) -> Vec<FeatureColumn> {
    let of_landscape = |spec: &LandscapeSpec| {
        let start = format!("{}_{}", spec.encoding, spec.fitness);
        quantities().map(move |quantity| column(&format!("{start}_{}", quantity.name), Real, quantity.about))
    };
    order.landscapes.iter().flat_map(of_landscape).collect()
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let known = of.truth().map(|truth| (truth.solutions.clone(), truth.exact));
    let (solutions, is_complete) = known.unwrap_or_default();
    let targets = Targets { solutions, is_complete };
    of.order.landscapes.iter().flat_map(|spec| survey(of, spec, &targets)).collect()
}

/// The quantities of a landscape; all unknown where the puzzle has no such landscape.
fn survey(of: &Subject<'_>, spec: &LandscapeSpec, targets: &Targets) -> Vec<FeatureValue> {
    let Ok(landscape) = spec.landscape(of.problem.clone()) else {
        return quantities().map(|_| FeatureValue::Unknown).collect();
    };
    let key = spec.stream(of.order.seed, &of.puzzle.canonical_text());
    // Without intervals there is nothing to resample.
    let effort = Effort { resamples: 0, ..of.order.effort };
    let mut survey = Survey::new(landscape.explorer(), targets, effort, key).interrupted_by(of.interrupt);
    let mut values = Vec::new();
    for measure in MEASURES {
        let found = measure.take(&mut survey);
        values.extend(
            found.iter().map(|one| FeatureValue::number(one.outcome.estimate.map(|found| found.value))),
        );
    }
    values
}
