//! How algorithms draw the next genome, as probabilities.
//!
//! A new kind of mutation is a variant of [`MutationModel`] and a row here: the probability of each next value of an axis.

use super::chain::Proposal;
use super::numbering::Variable;
use super::{MOST_MOVES, Numbering, SpaceError};
use kenga_core::search::MutationModel;

/// A move that a variable shows, drawn by the variable.
pub(super) struct RandomMove<'a> {
    numbering: &'a Numbering,
    /// The probability of each move that a variable shows.
    chances: Vec<f64>,
}

impl<'a> RandomMove<'a> {
    /// The move that annealing draws: a uniform exchange, or a uniform move of a uniform variable.
    pub(super) fn new(numbering: &'a Numbering) -> Self {
        let (moves, variables) = (numbering.moves() as f64, numbering.variables.len() as f64);
        Self::by_shown(numbering, |shown| {
            if numbering.is_exchanged { 1.0 / moves } else { 1.0 / variables / shown as f64 }
        })
    }

    /// Of `free` genes a uniform one is exchanged with a uniform one of its line, which may be itself.
    fn exchange(numbering: &'a Numbering, free: usize) -> Self {
        Self::by_shown(numbering, |shown| 1.0 / free as f64 / (shown + 1) as f64)
    }

    /// The probability of a move follows from how many its variable shows.
    fn by_shown(numbering: &'a Numbering, chance: impl Fn(usize) -> f64) -> Self {
        let chances = numbering.variables.iter().map(|variable| chance(variable.shown)).collect();
        Self { numbering, chances }
    }
}

impl Proposal for RandomMove<'_> {
    fn each(&self, genome: usize, see: &mut dyn FnMut(usize, f64)) {
        for (variable, chance) in self.chances.iter().enumerate() {
            for target in self.numbering.targets(variable, genome) {
                see(target, *chance);
            }
        }
    }
}

/// The values that an axis may take next, each with its probability.
type NextValues = Vec<(usize, f64)>;

/// Every axis changes on its own.
pub(super) struct Product<'a> {
    numbering: &'a Numbering,
    /// For each axis and each of its values, what it may become.
    axes: Vec<Vec<NextValues>>,
}

/// A genome of which the first axes are drawn: the sum of their numbers, and the probability.
#[derive(Clone, Copy)]
struct Prefix {
    number: usize,
    chance: f64,
}

impl Proposal for Product<'_> {
    fn each(&self, genome: usize, see: &mut dyn FnMut(usize, f64)) {
        self.extend(genome, 0, Prefix { number: 0, chance: 1.0 }, see);
    }
}

impl<'a> Product<'a> {
    /// The product of axes; `row` gives for an axis and a value of it the probability of each next value.
    fn new(numbering: &'a Numbering, row: impl Fn(usize, usize) -> Vec<f64>) -> Result<Self, SpaceError> {
        let mut axes = Vec::new();
        let mut children = 1.0;
        for (index, axis) in numbering.axes.iter().enumerate() {
            let mut rows: Vec<NextValues> = Vec::with_capacity(axis.values);
            let mut widest = 1;
            for value in 0..axis.values {
                let mut next: NextValues = row(index, value).into_iter().enumerate().collect();
                next.retain(|(_, chance)| *chance > 0.0);
                widest = widest.max(next.len());
                rows.push(next);
            }
            axes.push(rows);
            // An upper bound, known before anything of that size is made.
            children *= widest as f64;
        }
        let moves = children * numbering.genomes() as f64;
        if moves > MOST_MOVES as f64 { Err(SpaceError::Moves(moves)) } else { Ok(Self { numbering, axes }) }
    }

    /// Draws the axes from `axis` on.
    fn extend(&self, genome: usize, axis: usize, prefix: Prefix, see: &mut dyn FnMut(usize, f64)) {
        if axis == self.axes.len() {
            return see(prefix.number, prefix.chance);
        }
        let own = &self.numbering.axes[axis];
        for (value, chance) in &self.axes[axis][self.numbering.value(own, genome)] {
            let longer =
                Prefix { number: prefix.number + value * own.stride, chance: prefix.chance * chance };
            self.extend(genome, axis + 1, longer, see);
        }
    }
}

/// How a mutation draws a child; `free` is the number of genes that may change.
pub(super) fn proposal<'a>(
    mutation: &MutationModel,
    numbering: &'a Numbering,
    free: usize,
) -> Result<Box<dyn Proposal + 'a>, SpaceError> {
    let product = match *mutation {
        MutationModel::Exchange => return Ok(Box::new(RandomMove::exchange(numbering, free))),
        MutationModel::Exchanges(rate) => {
            Product::new(numbering, |axis, value| exchanges(numbering, axis, value, rate))
        }
        MutationModel::LineExchanges(rate) => {
            Product::new(numbering, |axis, value| line_exchange(numbering, axis, value, rate))
        }
        MutationModel::Resets(rate) => {
            Product::new(numbering, |axis, value| reset(numbering.axes[axis].values, value, rate))
        }
    };
    Ok(Box::new(product?))
}

fn variables_of(numbering: &Numbering, axis: usize) -> Vec<&Variable> {
    numbering.variables.iter().filter(|variable| variable.axis == axis).collect()
}

/// Gene after gene of a line: with probability `rate` it is exchanged with a uniform gene of the line.
fn exchanges(numbering: &Numbering, axis: usize, value: usize, rate: f64) -> Vec<f64> {
    let mut row = vec![0.0; numbering.axes[axis].values];
    row[value] = 1.0;
    for variable in variables_of(numbering, axis) {
        // A gene may be exchanged with itself, which no variable shows.
        let chance = rate / (variable.shown + 1) as f64;
        let mut next: Vec<f64> = row.iter().map(|mass| mass * (1.0 - rate + chance)).collect();
        for (from, mass) in row.iter().enumerate() {
            if *mass > 0.0 {
                for target in variable.targets(from) {
                    next[*target as usize] += mass * chance;
                }
            }
        }
        row = next;
    }
    row
}

/// With probability `rate` a uniform gene of the line is exchanged with a uniform other one.
fn line_exchange(numbering: &Numbering, axis: usize, value: usize, rate: f64) -> Vec<f64> {
    let variables = variables_of(numbering, axis);
    let mut row = vec![0.0; numbering.axes[axis].values];
    row[value] = 1.0 - rate;
    for variable in &variables {
        let chance = rate / (variables.len() * variable.shown) as f64;
        for target in variable.targets(value) {
            row[*target as usize] += chance;
        }
    }
    row
}

/// With probability `rate` a uniform value, which may be the same.
fn reset(values: usize, value: usize, rate: f64) -> Vec<f64> {
    let mut row = vec![rate / values as f64; values];
    row[value] += 1.0 - rate;
    row
}
