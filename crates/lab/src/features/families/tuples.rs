//! How many tuples of digits cages allow, and how tight they are.

use super::{column, mean};
use crate::features::FeatureKind::{Count, Real, Share};
use crate::features::subject::CluedGroup;
use crate::features::{FeatureColumn, FeatureFamily, FeatureOrder, FeatureValue, Subject};

pub(in crate::features) const FAMILY: FeatureFamily = FeatureFamily {
    name: "tuples",
    about: "the tuples of digits that its cages allow",
    is_slow: false,
    columns,
    values,
};

/// The most tuples of a cage that are counted, and with it the effort of counting.
const MOST: usize = 1 << 18;

fn columns(_: &FeatureOrder) -> Vec<FeatureColumn> {
    vec![
        column("tuples_known", Share, "cages with at most 262,144 tuples, which are counted, of all cages"),
        column("tuples_mean", Real, "mean number of tuples of these"),
        column("tuples_max", Count, "the most tuples of one of these"),
        column("tightness", Share, "log(tuples) summed over these, of log(digits^cells): 0 is tight").shown(),
        column("tightest", Share, "log(tuples) of log(digits^cells), of the tightest of these"),
        column("loosest", Share, "the same of the loosest"),
    ]
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let cages: Vec<CluedGroup<'_>> = of.cages().collect();
    let known: Vec<(f64, f64)> = cages
        .iter()
        .filter_map(|cage| {
            Some((tuples(of, cage)? as f64, (of.problem.digits() as f64).ln() * cage.cells.len() as f64))
        })
        .collect();
    // A cage without any is as tight as one with a single tuple.
    let log = |tuples: f64| tuples.max(1.0).ln();
    let most = known.iter().map(|(tuples, _)| *tuples as u64).max();
    let all: f64 = known.iter().map(|(_, all)| all).sum();
    let ratios = || known.iter().map(|(tuples, all)| log(*tuples) / all);
    vec![
        FeatureValue::share(known.len(), cages.len()),
        FeatureValue::number(mean(known.iter().map(|(tuples, _)| *tuples))),
        most.map_or(FeatureValue::Unknown, FeatureValue::Count),
        FeatureValue::number(known.iter().map(|(tuples, _)| log(*tuples)).sum::<f64>() / all),
        FeatureValue::number(ratios().reduce(f64::min)),
        FeatureValue::number(ratios().reduce(f64::max)),
    ]
}

/// How many tuples a cage allows; `None` beyond what is counted.
fn tuples(of: &Subject<'_>, cage: &CluedGroup<'_>) -> Option<usize> {
    if let Some(table) = &of.problem.tables()[cage.group] {
        return Some(table.len());
    }
    if of.interrupt.is_raised() {
        return None;
    }
    of.problem.tuples(cage.group, MOST).map(|tuples| tuples.len())
}
