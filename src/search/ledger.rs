//! Per-operator usage and gain of a run: how often each operator was used, and what it improved.

use crate::fitness::{Term, Terms};
use crate::spec::{Spec, Value};

/// Usage and gain of one operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Its family: `crossover`, `mutation`, `improve` or `move`.
    pub family: &'static str,
    /// Its name; of one that chooses among several, the one it chose; of a move, the search and what its moves do.
    pub name: String,
    /// Children that it had a part in; moves that were made.
    pub applied: u64,
    /// Of those, better than the individual that they take after; than the position before.
    pub better: u64,
    /// Of those, better than both parents; than all positions before.
    pub best: u64,
    /// By how much the better ones were better, all together.
    pub gain: u64,
    /// By how much each term of the better ones was smaller, all together and unweighted, in the order of [`Term::ALL`];
    /// what grew is not taken off.
    pub repaired: [u64; 5],
}

/// Usage and gain of every operator of a run, in the order in which the configuration names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    uses: Vec<Use>,
}

impl Ledger {
    /// A ledger without entries.
    pub fn empty() -> Self {
        Self::default()
    }

    /// A ledger of one entry.
    pub fn of(used: Use) -> Self {
        Self { uses: vec![used] }
    }

    /// Adds empty entries for an operator, or for each of those that it chooses from; the index of the first is returned.
    pub fn open(&mut self, family: &'static str, spec: &Spec) -> usize {
        let first = self.uses.len();
        match spec.get("of") {
            Some(Value::List(_)) => {
                self.uses.extend(spec.specs("of").map(|member| Use::new(family, member.name.clone())));
            }
            _ => self.uses.push(Use::new(family, spec.name.clone())),
        }
        first
    }

    /// Adds usage and gain of an entry's operator from elsewhere.
    pub fn add(&mut self, entry: usize, used: &Use) {
        self.uses[entry].add(used);
    }

    /// Adds another ledger; entries of one family and name become one.
    pub fn merge(&mut self, other: Self) {
        for theirs in other.uses {
            let same = |ours: &&mut Use| (ours.family, &ours.name) == (theirs.family, &theirs.name);
            match self.uses.iter_mut().find(same) {
                Some(ours) => ours.add(&theirs),
                None => self.uses.push(theirs),
            }
        }
    }

    /// The entries.
    pub fn uses(&self) -> &[Use] {
        &self.uses
    }
}

impl Use {
    /// An operator that has not been used yet.
    pub(super) fn new(family: &'static str, name: String) -> Self {
        Self { family, name, applied: 0, better: 0, best: 0, gain: 0, repaired: [0; 5] }
    }

    /// Counts a child: its fitness, and its parents', first of the one that it takes after; `terms` says the terms of that
    /// one and of the child, and is asked only where the child is better.
    #[inline]
    pub(super) fn count(&mut self, child: u32, parents: [u32; 2], terms: impl FnOnce() -> [Terms; 2]) {
        self.applied += 1;
        if child >= parents[0] {
            return;
        }
        self.better += 1;
        self.best += u64::from(child < parents[1]);
        self.gain += u64::from(parents[0] - child);
        let [before, after] = terms();
        for (repaired, term) in self.repaired.iter_mut().zip(Term::ALL) {
            *repaired += u64::from(before.of(term).saturating_sub(after.of(term)));
        }
    }

    fn add(&mut self, other: &Self) {
        self.applied += other.applied;
        self.better += other.better;
        self.best += other.best;
        self.gain += other.gain;
        self.repaired.iter_mut().zip(other.repaired).for_each(|(sum, more)| *sum += more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitness::{CageMeasure, Fitness, Weights};
    use crate::problem::Problem;
    use crate::puzzle::{Cage, Square, operators};

    /// A 2x2 of two cages, each a column of sum 3.
    fn fitness() -> Fitness {
        let plus = operators::find("+").expect("a known operator");
        let column = |column: usize| Cage::new(plus, 3, vec![(0, column), (1, column)]);
        let puzzle = Square::kenken(2, vec![column(0), column(1)]).build().expect("a sound puzzle");
        Fitness::new(Problem::compile(&puzzle), Weights::ORIGINAL, CageMeasure::Binary)
            .expect("small weights")
    }

    fn ledger() -> Ledger {
        let mut ledger = Ledger::empty();
        assert_eq!(ledger.open("mutation", &Spec::named("swap")), 0);
        ledger
    }

    #[test]
    fn what_is_better_is_counted_with_what_it_repairs() {
        let (fitness, mut used) = (fitness(), Use::new("mutation", "swap".to_owned()));
        // One column is wrong: its cage, its pair, a pair in a row, and both digits occur once too often or too seldom.
        let genomes = [[0, 1, 1, 1], [0, 1, 1, 0]];
        let [wrong, right] = genomes.map(|genome| fitness.evaluate(&genome));
        used.count(right, [wrong, right], || genomes.map(|genome| fitness.terms(&genome)));
        used.count(wrong, [right, wrong], || unreachable!("it is no better"));
        assert_eq!((used.applied, used.better, used.best), (2, 1, 0));
        assert_eq!((used.gain, used.repaired), (u64::from(wrong), [2, 1, 1, 0, 1]));
    }

    #[test]
    fn entries_of_one_name_become_one() {
        let (mut all, mut other) = (ledger(), ledger());
        other.uses[0].applied = 3;
        other.open("crossover", &Spec::named("row"));
        all.merge(other.clone());
        all.merge(other);
        assert_eq!(all.uses().iter().map(|used| used.applied).collect::<Vec<_>>(), [6, 0]);
    }
}
