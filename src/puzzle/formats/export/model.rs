//! The rules of a puzzle in the order in which modelling languages write them.

use super::super::super::{Clue, Group, Puzzle};
use super::super::error::WriteError;
use super::formula::{self, Formula};
use super::lines::Lines;
use super::tuples::tuples;

/// The most tuples of an operator that no formula is known for.
const MOST_TUPLES: usize = 20_000;

/// One rule, with the words for it.
pub(super) struct Rule {
    pub(super) about: String,
    pub(super) what: What,
}

/// What a rule says.
pub(super) enum What {
    /// The digits of these cells, two or more, differ.
    Distinct(Vec<usize>),
    /// The clue holds.
    Clue(Formula),
}

/// Every rule of a puzzle, group by group.
///
/// # Errors
/// [`WriteError`] when a clue has an operator without a formula and too many tuples.
pub(super) fn rules(puzzle: &Puzzle, format: &'static str) -> Result<Vec<Rule>, WriteError> {
    let lines = Lines::new(puzzle);
    let mut rules = Vec::new();
    for group in puzzle.groups() {
        let about = puzzle.group_name(group);
        if group.distinct && group.cells.len() > 1 {
            rules.push(Rule { about: about.clone(), what: What::Distinct(group.cells.clone()) });
        }
        if let Some(clue) = group.clue {
            let formula = formula(puzzle, group, clue, &lines);
            let refused = || WriteError { format, what: format!("{about}: it has too many tuples") };
            rules.push(Rule { what: What::Clue(formula.ok_or_else(refused)?), about });
        }
    }
    Ok(rules)
}

fn formula(puzzle: &Puzzle, group: &Group, clue: Clue, lines: &Lines) -> Option<Formula> {
    let digits = puzzle.digits().values();
    formula::of(clue, &group.cells, digits).or_else(|| {
        let tuples = tuples(clue, &group.cells, digits, lines, MOST_TUPLES)?;
        Some(Formula::Tuples(group.cells.clone(), tuples))
    })
}
