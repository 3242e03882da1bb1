//! Usage and gain of operators: what each had a part in, and what came of it.

use crate::fitness::{Term, Terms};
use crate::spec::{Spec, Value};

/// Usage and gain of one operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorUse {
    /// Its family, of [`OperatorUse::FAMILIES`].
    pub family: &'static str,
    /// Its name. An adaptive operator is logged under the one that it chose, a move as `search.move`.
    pub name: String,
    /// Children that it had a part in, or moves that were made.
    pub applied: u64,
    /// Those better than the individual that they take after, or than the position before.
    pub better: u64,
    /// Those better than both parents, or than all positions before.
    pub best: u64,
    /// The sum of the improvements of the better ones.
    pub gain: u64,
    /// The sum of the decreases of each term over the better ones, unweighted, in the order of [`Term::ALL`]; increases
    /// are not subtracted.
    pub repaired: [u64; Term::ALL.len()],
}

/// Usage and gain of every operator of a run, in the order in which the configuration names them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    uses: Vec<OperatorUse>,
}

impl Ledger {
    /// A ledger of one entry.
    pub fn of(used: OperatorUse) -> Self {
        Self { uses: vec![used] }
    }

    /// Adds empty entries for an operator, or for each of those that it chooses from; returns the index of the first.
    pub fn open(&mut self, family: &'static str, spec: &Spec) -> usize {
        let first = self.uses.len();
        if let Some(Value::List(_)) = spec.get("of") {
            for member in spec.specs("of") {
                self.uses.push(OperatorUse::new(family, member.name.clone()));
            }
        } else {
            self.uses.push(OperatorUse::new(family, spec.name.clone()));
        }
        first
    }

    /// Adds usage and gain of an entry's operator from elsewhere.
    pub fn add(&mut self, entry: usize, used: &OperatorUse) {
        self.uses[entry].add(used);
    }

    /// Adds another ledger; entries of one family and name become one.
    pub fn merge(&mut self, other: Self) {
        for theirs in other.uses {
            let same =
                self.uses.iter().position(|ours| ours.family == theirs.family && ours.name == theirs.name);
            match same {
                Some(entry) => self.uses[entry].add(&theirs),
                None => self.uses.push(theirs),
            }
        }
    }

    /// The entries.
    pub fn uses(&self) -> &[OperatorUse] {
        &self.uses
    }
}

impl OperatorUse {
    /// The families whose operators make or improve children, and that of moves.
    pub const FAMILIES: [&str; 4] = [Self::CROSSOVER, Self::MUTATION, Self::IMPROVE, Self::MOVE];
    /// Crossover operators.
    pub const CROSSOVER: &str = "crossover";
    /// Mutation operators.
    pub const MUTATION: &str = "mutation";
    /// Local searches that improve children.
    pub const IMPROVE: &str = "improve";
    /// Moves of a local search.
    pub const MOVE: &str = "move";

    /// An operator that has not been used yet.
    pub(super) fn new(family: &'static str, name: String) -> Self {
        Self { family, name, applied: 0, better: 0, best: 0, gain: 0, repaired: [0; Term::ALL.len()] }
    }

    /// Counts a child by its fitness and that of its parents, first the one that it takes after. `terms` returns the
    /// terms of that parent and of the child, and is called only if the child is better.
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
        for (sum, more) in self.repaired.iter_mut().zip(other.repaired) {
            *sum += more;
        }
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
        let mut ledger = Ledger::default();
        assert_eq!(ledger.open("mutation", &Spec::named("swap")), 0);
        ledger
    }

    #[test]
    fn better_children_are_counted_with_the_terms_they_repair() {
        let (fitness, mut used) = (fitness(), OperatorUse::new("mutation", "swap".to_owned()));
        // One column violates its cage, has an equal pair, makes one in a row, and both digits miss their count by one.
        let genomes = [[0, 1, 1, 1], [0, 1, 1, 0]];
        let [wrong, right] = genomes.map(|genome| fitness.evaluate(&genome));
        used.count(right, [wrong, right], || genomes.map(|genome| fitness.terms(&genome)));
        used.count(wrong, [right, wrong], || unreachable!("it is no better"));
        assert_eq!((used.applied, used.better, used.best), (2, 1, 0));
        assert_eq!((used.gain, used.repaired), (u64::from(wrong), [2, 1, 1, 0, 1, 0]));
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
