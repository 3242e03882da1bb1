//! Fitness by difference: what a changed cell, or a swap, would do.

use crate::puzzle::Clue;

use super::evaluate::measured;
use super::{Fitness, Term};

/// A genome with its occurrences, so that one change costs the groups of one cell: O(groups of the cell + cells of its
/// clues).
///
/// Distinct groups keep how often they hold each digit; adding a digit that stands there `c` times adds `c` pairs,
/// taking one of `c` away removes `c - 1`.
#[derive(Clone, Debug)]
pub struct Tally<'a> {
    fitness: &'a Fitness,
    ranks: Vec<u8>,
    /// `groups * digits`; only rows of distinct groups are used.
    occurrences: Vec<u16>,
    totals: Vec<u32>,
    value: u32,
}

impl<'a> Tally<'a> {
    /// Counts a genome; this is one evaluation.
    ///
    /// # Panics
    /// When the genome has another length than the problem has cells.
    pub fn new(fitness: &'a Fitness, genome: &[u8]) -> Self {
        let problem = fitness.problem();
        let (digits, value) = (problem.digits(), fitness.evaluate(genome));
        let mut occurrences = vec![0; problem.groups() * digits];
        for group in (0..problem.groups()).filter(|group| problem.rule(*group).distinct) {
            for cell in problem.cells_of(group) {
                occurrences[group * digits + usize::from(genome[usize::from(*cell)])] += 1;
            }
        }
        let mut totals = vec![0; digits];
        genome.iter().for_each(|rank| totals[usize::from(*rank)] += 1);
        Self { fitness, ranks: genome.to_vec(), occurrences, totals, value }
    }

    /// The fitness of the genome as it stands.
    pub fn value(&self) -> u32 {
        self.value
    }

    /// The genome as it stands.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// What writing `rank` into `cell` would add to the fitness: one move. Nothing is changed.
    pub fn change(&self, cell: usize, rank: u8) -> i64 {
        let old = self.ranks[cell];
        if old == rank {
            return 0;
        }
        let (problem, weights) = (self.fitness.problem(), self.fitness.weights());
        let mut difference = i64::from(weights.count) * self.count_difference(&[(old, -1), (rank, 1)]);
        for &group in problem.groups_of(cell) {
            let (group, rule) = (usize::from(group), problem.rule(usize::from(group)));
            if rule.distinct {
                let weight = i64::from(weights.of(Term::of_distinct(problem, group)));
                difference += weight * (self.held(group, rank) - self.held(group, old) + 1);
            }
            if let Some(clue) = rule.clue {
                difference += i64::from(weights.cage) * self.clue_difference(group, clue, &[(cell, rank)]);
            }
        }
        difference
    }

    /// What exchanging the digits of two cells would add to the fitness: one move. Nothing is changed.
    pub fn swap(&self, first: usize, second: usize) -> i64 {
        let (a, b) = (self.ranks[first], self.ranks[second]);
        if a == b {
            return 0;
        }
        let swapped = [(first, b), (second, a)];
        self.side_of_swap(&swapped, second)
            + self.side_of_swap(&[swapped[1], swapped[0]], first)
            + self.shared_clues(&swapped)
    }

    /// Writes `rank` into `cell`.
    pub fn apply_change(&mut self, cell: usize, rank: u8) {
        let difference = self.change(cell, rank);
        self.value = (i64::from(self.value) + difference) as u32;
        self.write(cell, rank);
    }

    /// Exchanges the digits of two cells.
    pub fn apply_swap(&mut self, first: usize, second: usize) {
        let difference = self.swap(first, second);
        self.value = (i64::from(self.value) + difference) as u32;
        let (a, b) = (self.ranks[first], self.ranks[second]);
        self.write(first, b);
        self.write(second, a);
    }

    /// The groups of the first cell that do not hold the other.
    fn side_of_swap(&self, swapped: &[(usize, u8); 2], other: usize) -> i64 {
        let (problem, weights) = (self.fitness.problem(), self.fitness.weights());
        let (cell, rank) = swapped[0];
        let mut difference = 0;
        for &group in problem.groups_of(cell) {
            if problem.groups_of(other).contains(&group) {
                continue;
            }
            let (group, rule) = (usize::from(group), problem.rule(usize::from(group)));
            if rule.distinct {
                let weight = i64::from(weights.of(Term::of_distinct(problem, group)));
                difference += weight * (self.held(group, rank) - self.held(group, self.ranks[cell]) + 1);
            }
            if let Some(clue) = rule.clue {
                difference += i64::from(weights.cage) * self.clue_difference(group, clue, &swapped[..1]);
            }
        }
        difference
    }

    /// The clues over both cells; distinct groups over both do not notice a swap.
    fn shared_clues(&self, swapped: &[(usize, u8); 2]) -> i64 {
        let (problem, weights) = (self.fitness.problem(), self.fitness.weights());
        let shared = |group: &&u16| problem.groups_of(swapped[1].0).contains(*group);
        let groups = problem.groups_of(swapped[0].0).iter().filter(shared).map(|group| usize::from(*group));
        groups
            .filter_map(|group| {
                problem.rule(group).clue.map(|clue| self.clue_difference(group, clue, swapped))
            })
            .map(|difference| i64::from(weights.cage) * difference)
            .sum()
    }

    fn held(&self, group: usize, rank: u8) -> i64 {
        i64::from(self.occurrences[group * self.totals.len() + usize::from(rank)])
    }

    fn count_difference(&self, changes: &[(u8, i64); 2]) -> i64 {
        let Some(expected) = self.fitness.problem().expected() else { return 0 };
        let away = |count: i64| (count - i64::from(expected)).abs();
        let total = |rank: u8| i64::from(self.totals[usize::from(rank)]);
        changes.iter().map(|(rank, change)| away(total(*rank) + change) - away(total(*rank))).sum()
    }

    fn clue_difference(&self, group: usize, clue: Clue, changes: &[(usize, u8)]) -> i64 {
        let (problem, measure) = (self.fitness.problem(), self.fitness.measure());
        let (cells, values) = (problem.cells_of(group), problem.values());
        let mut buffer = [0u8; 64];
        let mut long = Vec::new();
        let digits = match buffer.get_mut(..cells.len()) {
            Some(digits) => digits,
            None => {
                long.resize(cells.len(), 0);
                &mut long[..]
            }
        };
        for (digit, cell) in digits.iter_mut().zip(cells) {
            *digit = values[usize::from(self.ranks[usize::from(*cell)])];
        }
        let before = measured(clue.gap(digits), measure);
        for &(changed, rank) in changes {
            let position = cells.iter().position(|cell| usize::from(*cell) == changed);
            digits[position.expect("the group holds the cell")] = values[usize::from(rank)];
        }
        i64::from(measured(clue.gap(digits), measure)) - i64::from(before)
    }

    fn write(&mut self, cell: usize, rank: u8) {
        let problem = self.fitness.problem();
        let (digits, old) = (self.totals.len(), std::mem::replace(&mut self.ranks[cell], rank));
        for &group in problem.groups_of(cell) {
            let group = usize::from(group);
            if problem.rule(group).distinct {
                self.occurrences[group * digits + usize::from(old)] -= 1;
                self.occurrences[group * digits + usize::from(rank)] += 1;
            }
        }
        self.totals[usize::from(old)] -= 1;
        self.totals[usize::from(rank)] += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::fitness::{CageMeasure, Weights};
    use crate::problem::Problem;
    use crate::puzzle::samples;
    use crate::rng::StreamKey;

    proptest! {
        #[test]
        fn differences_equal_full_evaluation(size in 1usize..=25, seed: u64, gap: bool) {
            let mut rng = StreamKey::run(seed, "tally", 0).rng();
            let problem = Problem::compile(&samples::kenken(size, |n| rng.below(n)));
            let measure = if gap { CageMeasure::Gap } else { CageMeasure::Binary };
            let fitness = Fitness::new(problem, Weights::ORIGINAL, measure).expect("small weights");
            let cells = size * size;
            let genome: Vec<u8> = (0..cells).map(|_| rng.below(size) as u8).collect();
            let mut tally = Tally::new(&fitness, &genome);
            for _ in 0..12 {
                let (first, second, rank) = (rng.below(cells), rng.below(cells), rng.below(size) as u8);
                let before = i64::from(tally.value());
                let (change, swap) = (tally.change(first, rank), tally.swap(first, second));
                let mut changed = tally.ranks().to_vec();
                changed[first] = rank;
                prop_assert_eq!(before + change, i64::from(fitness.evaluate(&changed)));
                let mut swapped = tally.ranks().to_vec();
                swapped.swap(first, second);
                prop_assert_eq!(before + swap, i64::from(fitness.evaluate(&swapped)));
                if rng.coin(0.5) {
                    tally.apply_change(first, rank);
                } else {
                    tally.apply_swap(first, second);
                }
                prop_assert_eq!(tally.value(), fitness.evaluate(tally.ranks()));
            }
        }
    }
}
