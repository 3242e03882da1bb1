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
    columns.extend((1..=SIZES).map(|size| {
        let cells = if size == 1 { "one cell".to_owned() } else { format!("{size} cells") };
        column(&format!("cage_size_{size}"), Share, &format!("cages of {cells}, of all cages"))
    }));
    columns.push(column("cage_size_6", Share, "cages of 6 cells or more, of all cages"));
    columns
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let sizes: Vec<usize> = of.cages().map(|cage| cage.cells.len()).collect();
    let mut covered = vec![false; of.problem.cells()];
    of.cages().flat_map(|cage| cage.cells).for_each(|cell| covered[usize::from(*cell)] = true);
    let share = |fits: &dyn Fn(usize) -> bool| {
        FeatureValue::share(sizes.iter().filter(|size| fits(**size)).count(), sizes.len())
    };
    let mut values = vec![
        FeatureValue::count(sizes.len()),
        FeatureValue::share(covered.iter().filter(|cell| **cell).count(), covered.len()),
        FeatureValue::number(mean(sizes.iter().map(|size| *size as f64))),
        sizes.iter().max().map_or(FeatureValue::Unknown, |most| FeatureValue::count(*most)),
    ];
    values.extend((1..=SIZES).map(|size| share(&|other| other == size)));
    values.push(share(&|size| size > SIZES));
    values
}
