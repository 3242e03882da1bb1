//! What the exact solver knows.

use super::column;
use crate::experiment::Truth;
use crate::features::FeatureKind::{Count, Flag, Share};
use crate::features::{FeatureColumn, FeatureFamily, FeatureOrder, FeatureValue, Subject};

pub(in crate::features) const FAMILY: FeatureFamily = FeatureFamily {
    name: "exact",
    about: "what the exact solver knows of it, within --nodes decisions and --solutions solutions",
    is_slow: false,
    columns,
    values,
};

fn columns(_: &FeatureOrder) -> Vec<FeatureColumn> {
    vec![
        column("solutions", Count, "solutions found").shown(),
        column("solutions_exact", Flag, "there are no others"),
        column("backbone", Share, "cells in which all solutions agree; empty unless all are known"),
        column("nodes", Count, "decisions of the search for all solutions").shown(),
        column("failures", Count, "decisions, or their opposites, that propagation refuted"),
        column("learned", Count, "clauses learned from conflicts; 0 where the plain search was enough"),
        column("candidates_left", Share, "candidates that propagation leaves, of all").shown(),
        column("decided", Share, "cells that propagation decides, of all cells"),
    ]
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let Some(truth) = of.truth() else {
        return vec![FeatureValue::Unknown; columns(of.order).len()];
    };
    let Truth { nodes, failures, learned, candidates, decided, .. } = *truth;
    let cells = of.problem.cells();
    let backbone = truth.backbone();
    vec![
        FeatureValue::count(truth.solutions.len()),
        FeatureValue::Flag(truth.all_known),
        // Of some solutions alone nobody knows in which cells all agree.
        backbone.map_or(FeatureValue::Unknown, |agreed| FeatureValue::share(agreed, cells)),
        FeatureValue::Count(nodes),
        FeatureValue::Count(failures),
        FeatureValue::Count(learned),
        FeatureValue::share(candidates as usize, cells * of.problem.digits()),
        FeatureValue::share(decided, cells),
    ]
}
