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
    let mut columns = Vec::new();
    for spec in &order.landscapes {
        for quantity in quantities() {
            let name = format!("{}_{}_{}", spec.encoding, spec.fitness, quantity.name);
            columns.push(column(&name, Real, quantity.about));
        }
    }
    columns
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let targets = match of.truth() {
        Some(truth) => Targets { solutions: truth.solutions.clone(), is_complete: truth.all_known },
        None => Targets::default(),
    };
    let mut values = Vec::new();
    for spec in &of.order.landscapes {
        values.extend(survey(of, spec, &targets));
    }
    values
}

/// The quantities of a landscape; all unknown where the puzzle has no such landscape.
fn survey(of: &Subject<'_>, spec: &LandscapeSpec, targets: &Targets) -> Vec<FeatureValue> {
    let Ok(landscape) = spec.landscape(of.problem.clone()) else {
        return vec![FeatureValue::Unknown; quantities().count()];
    };
    let key = spec.stream(of.order.seed, &of.puzzle.canonical_text());
    // Without intervals there is nothing to resample.
    let effort = Effort { resamples: 0, ..of.order.effort };
    let mut survey = Survey::new(landscape.explorer(), targets, effort, key).interrupted_by(of.interrupt);
    let mut values = Vec::new();
    for measure in MEASURES {
        for one in measure.take(&mut survey) {
            values.push(FeatureValue::number(one.outcome.estimate.map(|found| found.value)));
        }
    }
    values
}
