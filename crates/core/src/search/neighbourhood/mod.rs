//! Neighbourhoods: a position in the search space, its moves, and what each would add to the violation.
//!
//! Local searches are written once over this trait and compiled for each encoding. What they minimise is the weighted
//! violation of a [`Tally`], which is 0 exactly where the fitness is 0.

mod measured;
mod redraws;
mod swaps;

use crate::fitness::{Tally, Term};
use crate::rng::RunRng;

use super::{Ledger, OperatorUse};

pub use redraws::Redraws;
pub use swaps::Swaps;

/// A position with its moves.
///
/// Moves are numbered by *slots*: a move and its reversal each have a slot, so that a search can forbid the reversal.
/// They are grouped by *variables*, whose moves can be scanned together.
pub trait Neighbourhood: Send {
    /// A move; it is valid only from the position that returned it.
    type Move: Copy + Send;

    /// What its moves do, in a word.
    const NAME: &'static str;

    /// The position with its violations.
    fn tally(&self) -> &Tally;

    /// The weights of violations, to be changed.
    fn tally_mut(&mut self) -> &mut Tally;

    /// Goes to a genome of the encoding: one evaluation.
    fn place(&mut self, genome: &[u8]);

    /// A random move; `None` where there is none at all.
    fn random(&self, rng: &mut RunRng) -> Option<Self::Move>;

    /// A random move that changes little, where moves differ in that; `None` where there is none at all. A move and its
    /// reversal need not be equally likely, as they are with [`random`](Self::random).
    fn random_near(&mut self, rng: &mut RunRng) -> Option<Self::Move> {
        self.random(rng)
    }

    /// What a move would add to the violation.
    fn difference(&self, step: Self::Move) -> i64;

    /// What a move would add to the violation, if that is at most `most`: a search that takes no worse move need not
    /// know how much worse it is.
    fn difference_within(&self, step: Self::Move, most: i64) -> Option<i64> {
        Some(self.difference(step)).filter(|difference| *difference <= most)
    }

    /// Makes a move.
    fn apply(&mut self, step: Self::Move);

    /// The number of variables.
    fn variables(&self) -> usize;

    /// A group of the variable is violated.
    fn is_conflicted(&self, variable: usize) -> bool;

    /// Shows at most `limit` moves of a variable, each with its slot and what it would add; returns how many.
    fn scan(&mut self, variable: usize, limit: u64, see: impl FnMut(Self::Move, usize, i64)) -> u64;

    /// Says that the moves of all variables will be scanned, in their order and `limit` at most: on a problem of the user's own
    /// they are then measured together.
    fn foresee(&mut self, _limit: u64) {}

    /// One more than the highest slot.
    fn slots(&self) -> usize;

    /// The slot of a move.
    fn slot(&self, step: Self::Move) -> usize;

    /// The slot of the reversal of a move; call it before the move is made.
    fn return_slot(&self, step: Self::Move) -> usize;

    /// The violation is 0: the puzzle is solved.
    fn is_solved(&self) -> bool {
        self.tally().value() == 0
    }
}

/// The best move of all variables in conflict that `is_allowed` by its slot and difference, if any, with its
/// difference; of equals a random one. Adds the moves that it looks at to `spent`, up to `most`; `None` where no
/// variable is in conflict.
#[inline(always)]
pub(in crate::search) fn best_move<N: Neighbourhood>(
    at: &mut N,
    most: u64,
    spent: &mut u64,
    rng: &mut RunRng,
    is_allowed: impl Fn(usize, i64) -> bool,
) -> Option<(Option<N::Move>, i64)> {
    let (mut best, mut lowest, mut equals, mut conflicted) = (None, i64::MAX, 0, false);
    at.foresee(most - *spent);
    for variable in 0..at.variables() {
        if !at.is_conflicted(variable) {
            continue;
        }
        conflicted = true;
        *spent += at.scan(variable, most - *spent, |step, slot, difference| {
            if difference > lowest || !is_allowed(slot, difference) {
                return;
            }
            equals = if difference < lowest { 1 } else { equals + 1 };
            // The k-th of equals takes the place with probability 1 / k: all are as likely, and none is listed.
            if equals == 1 || rng.below(equals) == 0 {
                (best, lowest) = (Some(step), difference);
            }
        });
    }
    conflicted.then_some((best, lowest))
}

/// Another neighbourhood, with usage and gain of the moves made in it.
///
/// A move that is only evaluated costs nothing extra; one that is made costs a test whether moves are counted.
pub struct LoggedMoves<N> {
    near: N,
    log: Option<Box<MoveLog>>,
}

/// The moves that were made.
struct MoveLog {
    used: OperatorUse,
    /// The lowest violation of all positions so far.
    lowest: i64,
}

impl<N: Neighbourhood> LoggedMoves<N> {
    /// Wraps a neighbourhood; moves are not counted yet.
    pub fn new(near: N) -> Self {
        Self { near, log: None }
    }

    /// Counts moves from now on, under the name of a search.
    pub fn follow(&mut self, search: &str) {
        self.near.tally_mut().follow_terms();
        let used = OperatorUse::new(OperatorUse::MOVE, format!("{search}.{}", N::NAME));
        self.log = Some(Box::new(MoveLog { used, lowest: i64::MAX }));
    }

    /// Usage and gain of moves, if they are counted.
    pub fn ledger(&self) -> Ledger {
        self.log.as_ref().map_or_else(Ledger::default, |log| Ledger::of(log.used.clone()))
    }

    /// Makes a move and counts it.
    #[inline(never)]
    fn make(&mut self, step: N::Move) {
        let tally = self.near.tally();
        let (violation, terms) = (tally.violation(), tally.term_totals());
        self.near.apply(step);
        if let Some(log) = &mut self.log {
            log.count([violation, self.near.tally().violation()], [terms, self.near.tally().term_totals()]);
        }
    }
}

impl MoveLog {
    #[inline(always)]
    fn count(&mut self, [before, after]: [i64; 2], terms: [[i64; Term::ALL.len()]; 2]) {
        self.used.applied += 1;
        if after < before {
            self.used.better += 1;
            self.used.best += u64::from(after < self.lowest);
            self.used.gain += before.abs_diff(after);
            let [had, has] = terms;
            for (repaired, (had, has)) in self.used.repaired.iter_mut().zip(had.iter().zip(has)) {
                *repaired += (had - has).max(0).unsigned_abs();
            }
            self.lowest = self.lowest.min(after);
        }
    }
}

impl<N: Neighbourhood> Neighbourhood for LoggedMoves<N> {
    type Move = N::Move;

    const NAME: &'static str = N::NAME;

    fn tally(&self) -> &Tally {
        self.near.tally()
    }

    fn tally_mut(&mut self) -> &mut Tally {
        self.near.tally_mut()
    }

    fn place(&mut self, genome: &[u8]) {
        self.near.place(genome);
        if let Some(log) = &mut self.log {
            log.lowest = log.lowest.min(self.near.tally().violation());
        }
    }

    #[inline]
    fn random(&self, rng: &mut RunRng) -> Option<N::Move> {
        self.near.random(rng)
    }

    #[inline]
    fn random_near(&mut self, rng: &mut RunRng) -> Option<N::Move> {
        self.near.random_near(rng)
    }

    #[inline]
    fn difference(&self, step: N::Move) -> i64 {
        self.near.difference(step)
    }

    #[inline]
    fn difference_within(&self, step: N::Move, most: i64) -> Option<i64> {
        self.near.difference_within(step, most)
    }

    #[inline]
    fn apply(&mut self, step: N::Move) {
        if self.log.is_none() {
            self.near.apply(step);
        } else {
            self.make(step);
        }
    }

    fn variables(&self) -> usize {
        self.near.variables()
    }

    #[inline]
    fn is_conflicted(&self, variable: usize) -> bool {
        self.near.is_conflicted(variable)
    }

    #[inline]
    fn scan(&mut self, variable: usize, limit: u64, see: impl FnMut(N::Move, usize, i64)) -> u64 {
        self.near.scan(variable, limit, see)
    }

    #[inline]
    fn foresee(&mut self, limit: u64) {
        self.near.foresee(limit);
    }

    fn slots(&self) -> usize {
        self.near.slots()
    }

    #[inline]
    fn slot(&self, step: N::Move) -> usize {
        self.near.slot(step)
    }

    #[inline]
    fn return_slot(&self, step: N::Move) -> usize {
        self.near.return_slot(step)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fitness::{CageMeasure, Equals, Fitness, Guide, Weights};
    use crate::problem::Problem;
    use crate::puzzle::samples;
    use crate::rng::StreamKey;
    use crate::search::encodings::{Encoding, Rows, TupleEncoding};

    /// The counts of random moves are those of full evaluations before and after each.
    fn counts_agree(encoding: impl Encoding, rng: &mut RunRng) {
        // Under such a guide what is minimised is the fitness itself, but for the count term.
        let guide = Guide { lines: Equals::Pairs, cages: CageMeasure::Gap, line_weight: 1, cage_weight: 1 };
        let mut near = LoggedMoves::new(encoding.neighbourhood(guide));
        near.follow("walk");
        let mut genome = vec![0; encoding.space().genes()];
        encoding.init(&mut genome, rng);
        near.place(&genome);
        let mut expected = near.ledger().uses()[0].clone();
        let mut lowest = near.tally().violation();
        for _ in 0..500 {
            let before = encoding.fitness().terms(near.tally().ranks());
            let step = near.random(rng).expect("there are moves");
            let difference = near.difference(step);
            near.apply(step);
            let after = encoding.fitness().terms(near.tally().ranks());
            expected.applied += 1;
            if difference < 0 {
                expected.better += 1;
                expected.best += u64::from(near.tally().violation() < lowest);
                expected.gain += difference.unsigned_abs();
                for (repaired, term) in expected.repaired.iter_mut().zip(Term::ALL).skip(1) {
                    *repaired += u64::from(before.of(term).saturating_sub(after.of(term)));
                }
            }
            lowest = lowest.min(near.tally().violation());
        }
        assert!(expected.better > 50 && expected.repaired[2] > 10, "{expected:?}");
        assert_eq!(near.ledger().uses(), [expected]);
    }

    #[test]
    fn moves_are_counted_with_what_they_repair() {
        let mut rng = StreamKey::run(1, "followed", 0).rng();
        let problem = Problem::compile(&samples::kenken(6, |n| rng.below(n)));
        let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Gap).expect("small weights");
        let fitness = Arc::new(fitness);
        counts_agree(TupleEncoding::of_cells(Arc::clone(&fitness), false), &mut rng);
        counts_agree(TupleEncoding::of_cages(Arc::clone(&fitness)), &mut rng);
        counts_agree(Rows::new(fitness).expect("a KenKen has lines"), &mut rng);
    }
}
