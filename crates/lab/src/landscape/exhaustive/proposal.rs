//! How algorithms draw the next genome, as probabilities.

use super::chain::Proposal;
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
            self.numbering.targets(variable, genome).for_each(|target| see(target, *chance));
        }
    }
}

/// Every axis changes on its own.
pub(super) struct Product<'a> {
    numbering: &'a Numbering,
    /// For each axis and each of its values, the values that it may take with their probabilities.
    axes: Vec<Vec<Vec<(usize, f64)>>>,
}

impl Proposal for Product<'_> {
    fn each(&self, genome: usize, see: &mut dyn FnMut(usize, f64)) {
        self.from(0, (genome, 0, 1.0), see);
    }
}

impl<'a> Product<'a> {
    /// Values of an axis by value, from the probabilities to change one.
    fn new(numbering: &'a Numbering, of: impl Fn(usize, usize) -> Vec<f64>) -> Result<Self, SpaceError> {
        let list = |row: Vec<f64>| row.into_iter().enumerate().filter(|(_, chance)| *chance > 0.0).collect();
        let axis =
            |axis: usize| (0..numbering.axes[axis].values).map(|value| list(of(axis, value))).collect();
        let axes: Vec<Vec<Vec<(usize, f64)>>> = (0..numbering.axes.len()).map(axis).collect();
        let widest = |axis: &Vec<Vec<(usize, f64)>>| axis.iter().map(Vec::len).max().unwrap_or(1) as f64;
        let moves = axes.iter().map(widest).product::<f64>() * numbering.genomes() as f64;
        if moves > MOST_MOVES as f64 { Err(SpaceError::Moves(moves)) } else { Ok(Self { numbering, axes }) }
    }

    /// Goes on with the axes from `axis` on, at the sum of the numbers of those before.
    fn from(&self, axis: usize, at: (usize, usize, f64), see: &mut dyn FnMut(usize, f64)) {
        let (genome, number, chance) = at;
        let Some(of_axis) = self.axes.get(axis) else { return see(number, chance) };
        let own = &self.numbering.axes[axis];
        for (value, factor) in &of_axis[self.numbering.value(own, genome)] {
            self.from(axis + 1, (genome, number + value * own.stride, chance * factor), see);
        }
    }
}

/// How a mutation draws a child; `free` is the number of genes that may change.
pub(super) fn proposal<'a>(
    mutation: &MutationModel,
    numbering: &'a Numbering,
    free: usize,
) -> Result<Box<dyn Proposal + 'a>, SpaceError> {
    Ok(match mutation {
        MutationModel::Exchange => Box::new(RandomMove::exchange(numbering, free)),
        MutationModel::Exchanges(rate) => {
            Box::new(Product::new(numbering, |axis, value| exchanges(numbering, axis, value, *rate))?)
        }
        MutationModel::LineExchanges(rate) => Box::new(Product::new(numbering, |axis, value| {
            let of_axis = variables_of(numbering, axis);
            let mut row = vec![0.0; numbering.axes[axis].values];
            row[value] = 1.0 - rate;
            for variable in &of_axis {
                let variable = &numbering.variables[*variable];
                let chance = rate / (of_axis.len() * variable.shown) as f64;
                variable.targets(value).iter().for_each(|target| row[*target as usize] += chance);
            }
            row
        })?),
        MutationModel::Resets(rate) => Box::new(Product::new(numbering, |axis, value| {
            let values = numbering.axes[axis].values;
            let mut row = vec![rate / values as f64; values];
            row[value] += 1.0 - rate;
            row
        })?),
    })
}

fn variables_of(numbering: &Numbering, axis: usize) -> Vec<usize> {
    (0..numbering.variables.len()).filter(|variable| numbering.variables[*variable].axis == axis).collect()
}

/// Gene after gene of a line: with probability `rate` it is exchanged with a uniform gene of the line.
fn exchanges(numbering: &Numbering, axis: usize, value: usize, rate: f64) -> Vec<f64> {
    let mut row = vec![0.0; numbering.axes[axis].values];
    row[value] = 1.0;
    for variable in variables_of(numbering, axis) {
        let variable = &numbering.variables[variable];
        let chance = rate / (variable.shown + 1) as f64;
        let mut next: Vec<f64> = row.iter().map(|mass| mass * (1.0 - rate + chance)).collect();
        for (from, mass) in row.iter().enumerate().filter(|(_, mass)| **mass > 0.0) {
            variable.targets(from).iter().for_each(|target| next[*target as usize] += mass * chance);
        }
        row = next;
    }
    row
}
