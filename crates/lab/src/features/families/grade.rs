//! How hard it is for a person.

use super::column;
use crate::features::FeatureKind::{Count, Flag, Real, Share, Word};
use crate::features::{FeatureColumn, FeatureFamily, FeatureOrder, FeatureValue, Subject};
use kenga_craft::ladder::{End, MOST_WITHOUT_TRIALS, TECHNIQUES, Tier, grade};

pub(in crate::features) const FAMILY: FeatureFamily = FeatureFamily {
    name: "grade",
    about: "how hard it is for a person: see techniques.md",
    is_slow: false,
    columns,
    values,
};

fn columns(_: &FeatureOrder) -> Vec<FeatureColumn> {
    let mut columns = vec![
        column("grade_status", Word, "unique, multiple, unsolvable, or beyond the techniques"),
        column("score", Real, "score of the hardest technique that it needs; empty unless unique").shown(),
        column("tier", Word, "tier of the score; empty unless unique"),
        column("effort", Real, "sum of the scores of all steps; empty unless unique"),
        column("steps", Count, "steps of the techniques"),
        column("rounds", Count, "how often a technique was found to apply"),
        column("trial", Flag, "trial and error was needed; empty unless unique"),
    ];
    for technique in TECHNIQUES.iter() {
        let about = format!("steps by `{}`, of all steps", technique.name);
        columns.push(column(&format!("step_{}", technique.name), Share, &about));
    }
    columns
}

fn values(of: &Subject<'_>) -> Vec<FeatureValue> {
    let grade = grade(of.puzzle, &of.problem, Tier::Unreasonable.most(), of.interrupt);
    // The hardest step on the way to where a person is stuck says nothing about the puzzle.
    let known = |value: FeatureValue| if grade.end == End::Solved { value } else { FeatureValue::Unknown };
    let mut values = vec![
        FeatureValue::Word(grade.outcome().to_owned()),
        known(FeatureValue::Number(grade.score.number())),
        known(FeatureValue::Word(grade.tier().name().to_owned())),
        known(FeatureValue::Number(grade.sum as f64 / 10.0)),
        FeatureValue::Count(grade.steps.into()),
        FeatureValue::Count(grade.rounds.into()),
        known(FeatureValue::Flag(grade.score > MOST_WITHOUT_TRIALS)),
    ];
    for technique in TECHNIQUES.iter() {
        let used = grade.techniques.iter().find(|(used, _)| *used == technique);
        let steps = used.map_or(0, |(_, steps)| *steps as usize);
        values.push(FeatureValue::share(steps, grade.steps as usize));
    }
    values
}
