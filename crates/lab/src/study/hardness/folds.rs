//! Folds of a cross-validation: parts of the puzzles, none of which is split.
//!
//! A *unit* is a puzzle with all its replicates and with every other id under which the same puzzle stands in the folders,
//! or a whole group of puzzles where the features name groups: what a model was trained on is never what it is tested on.
//!
//! Source: M. Stone 1974, Cross-validatory choice and assessment of statistical predictions,
//! doi:10.1111/j.2517-6161.1974.tb00994.x.

use kenga_core::rng::RunRng;

/// Units as parts of a cross-validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folds {
    /// The fold of each puzzle.
    of: Vec<usize>,
    count: usize,
}

impl Folds {
    /// Shares the units out at random: folds differ by a unit at most. `units` says of each puzzle its unit, from 0 without
    /// gaps.
    pub(super) fn new(units: &[usize], wanted: usize, rng: &mut RunRng) -> Self {
        let all = units.iter().max().map_or(0, |last| last + 1);
        let count = wanted.min(all);
        let mut order: Vec<usize> = (0..all).collect();
        rng.shuffle(&mut order);
        let mut fold_of_unit = vec![0; all];
        // Dealt like cards, so that sizes differ by one at most.
        for (place, unit) in order.into_iter().enumerate() {
            fold_of_unit[unit] = place % count;
        }
        Self { of: units.iter().map(|unit| fold_of_unit[*unit]).collect(), count }
    }

    /// How many folds there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The fold of a puzzle.
    pub(super) fn of(&self, puzzle: usize) -> usize {
        self.of[puzzle]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::rng::StreamKey;

    #[test]
    fn folds_split_no_unit_and_are_of_one_size() {
        for seed in 0..20 {
            let mut rng = StreamKey::run(seed, "folds", 0).rng();
            // Puzzles 0 and 1 are one, as are 2, 3 and 4.
            let units = [0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
            let folds = Folds::new(&units, 4, &mut rng);
            let mut sizes = vec![std::collections::BTreeSet::new(); folds.count()];
            for (puzzle, unit) in units.iter().enumerate() {
                sizes[folds.of(puzzle)].insert(*unit);
            }
            let all: usize = sizes.iter().map(std::collections::BTreeSet::len).sum();
            assert_eq!(all, 11, "a unit in two folds would count twice");
            assert!(sizes.iter().all(|fold| (2..=3).contains(&fold.len())), "{sizes:?}");
        }
    }

    #[test]
    fn there_are_no_more_folds_than_units() {
        let mut rng = StreamKey::run(1, "folds", 0).rng();
        assert_eq!(Folds::new(&[0, 1, 2], 10, &mut rng).count(), 3);
    }
}
