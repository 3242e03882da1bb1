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
    let cages = of.cages();
    let mut known = Vec::new();
    let mut most = None;
    let (mut log_tuples, mut log_all) = (0.0, 0.0);
    // Of no ratio both are infinite, and so unknown.
    let (mut tightest, mut loosest) = (f64::INFINITY, f64::NEG_INFINITY);
    for cage in &cages {
        let Some(tuples) = tuples(of, cage) else { continue };
        known.push(tuples as f64);
        most = most.max(Some(tuples));
        // A cage without any is as tight as one with a single tuple.
        let log = (tuples.max(1) as f64).ln();
        let all = (of.problem.digits() as f64).ln() * cage.cells.len() as f64;
        log_tuples += log;
        log_all += all;
        tightest = f64::min(tightest, log / all);
        loosest = f64::max(loosest, log / all);
    }
    vec![
        FeatureValue::share(known.len(), cages.len()),
        FeatureValue::number(mean(&known)),
        most.map_or(FeatureValue::Unknown, FeatureValue::count),
        FeatureValue::number(log_tuples / log_all),
        FeatureValue::number(tightest),
        FeatureValue::number(loosest),
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
