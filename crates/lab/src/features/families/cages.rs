//! How many cages there are, and of which sizes.

use super::{column, mean};
use crate::features::FeatureKind::{Count, Real, Share};
use crate::features::{FeatureColumn, FeatureFamily, FeatureOrder, FeatureValue, Subject};

pub(in crate::features) const FAMILY: FeatureFamily = FeatureFamily {
    name: "cages",
    about: "its cages, the groups with a clue that is no printed digit",
    is_slow: false,
    columns,
    values,
};

/// Sizes with columns of their own; larger cages share another.
const SIZES: usize = 5;

fn columns(_: &FeatureOrder) -> Vec<FeatureColumn> {
    let mut columns = vec![
        column("cages", Count, "cages: entries, signs and magic lines too"),
        column("cages_covered", Share, "cells in a cage, of all cells"),
        column("cage_size_mean", Real, "mean number of cells of a cage"),
        column("cage_size_max", Count, "cells of the largest cage"),
    ];
    for size in 1..=SIZES {
        let cells = if size == 1 { "one cell".to_owned() } else { format!("{size} cells") };
        columns.push(column(&format!("cage_size_{size}"), Share, &format!("cages of {cells}, of all cages")));
    }
    columns.push(column("cage_size_6", Share, "cages of 6 cells or more, of all cages"));
    columns
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let cages = of.cages();
    let mut sizes = Vec::with_capacity(cages.len());
    let mut is_covered = vec![false; of.problem.cells()];
    // Cages of each size, from 1 on; the last counts those that are larger than `SIZES`.
    let mut of_size = [0; SIZES + 1];
    let mut most = None;
    for cage in &cages {
        sizes.push(cage.cells.len() as f64);
        of_size[cage.cells.len().clamp(1, SIZES + 1) - 1] += 1;
        most = most.max(Some(cage.cells.len()));
        for cell in cage.cells {
            is_covered[usize::from(*cell)] = true;
        }
    }
    let mut values = vec![
        FeatureValue::count(cages.len()),
        FeatureValue::share(is_covered.iter().filter(|covered| **covered).count(), is_covered.len()),
        FeatureValue::number(mean(&sizes)),
        most.map_or(FeatureValue::Unknown, FeatureValue::count),
    ];
    values.extend(of_size.map(|count| FeatureValue::share(count, cages.len())));
    values
}
