//! A Futoshiki under construction: a Latin square, and which of its digits and signs are clues.
//!
//! It begins with all signs that were ordered. Where another solution differs, a clue is added that it breaks, a sign if there
//! is one; towards an order, clues are added, left out or exchanged.

use std::sync::Arc;

use kenga_core::problem::Problem;
use kenga_core::puzzle::{Grid, Puzzle, Role};
use kenga_core::rng::RunRng;

use super::super::latin_square;
use super::super::order::Wish;
use super::super::steer::{Draft, Flaws, pick, switch_clues};
use super::{Clues, Generated, has_clue};

/// See the module.
#[derive(Clone)]
pub(super) struct FutoshikiDraft {
    size: usize,
    /// The fewest clues that were ordered.
    least: usize,
    solution: Arc<[u8]>,
    /// The puzzle with every clue, and the same compiled.
    all: Arc<(Puzzle, Problem)>,
    /// For every group of it, whether it is a clue of the draft.
    is_kept: Vec<bool>,
}

impl FutoshikiDraft {
    /// The draft of a random square with all signs of the order, but no digit.
    pub(super) fn begin(order: &Generated, rng: &mut RunRng) -> Self {
        let square = latin_square(order.size, rng);
        let all = Clues::of(&square, order.size, order.signs, rng).puzzle(order.size);
        let problem = Problem::compile(&all);
        let is_sign = |group: usize| has_clue(&problem, group) && problem.rule(group).role == Role::Group;
        let is_kept = (0..problem.groups()).map(is_sign).collect();
        let (size, least) = (order.size, order.clues);
        Self { size, least, solution: square.into(), all: Arc::new((all, problem)), is_kept }
    }

    /// The clues that stand, or those that could be added.
    fn clues(&self, are_kept: bool) -> impl Iterator<Item = usize> + '_ {
        let problem = &self.all.1;
        let fits = move |group: &usize| self.is_kept[*group] == are_kept && has_clue(problem, *group);
        (0..problem.groups()).filter(fits)
    }

    /// Adds one of the clues that could be, or leaves one out, near some cells if it can; says whether there was one.
    fn switch(&mut self, near: &[u16], is_kept: bool, rng: &mut RunRng) -> bool {
        let problem = &self.all.1;
        let is_near = |group: &usize| problem.cells_of(*group).iter().any(|cell| near.contains(cell));
        let clue = pick(self.clues(!is_kept).collect(), is_near, rng);
        clue.is_some_and(|clue| {
            self.is_kept[clue] = is_kept;
            true
        })
    }

    /// Says whether a clue rules out a grid.
    fn breaks(&self, group: usize, digits: &[u8]) -> bool {
        let problem = &self.all.1;
        let held: Vec<u8> = problem.cells_of(group).iter().map(|cell| digits[usize::from(*cell)]).collect();
        problem.rule(group).clue.is_some_and(|clue| !clue.holds(&held))
    }
}

impl Draft for FutoshikiDraft {
    fn puzzle(&self) -> Puzzle {
        let kept: Vec<usize> = self.clues(true).collect();
        let mut puzzle = Clues::kept(&self.all.0, &kept).puzzle(self.size);
        let digits = self.solution.iter().copied().map(Some).collect();
        puzzle.solution = Some(Grid::from_cells(self.size, self.size, digits));
        puzzle
    }

    fn solution(&self) -> &[u8] {
        &self.solution
    }

    fn change(&mut self, near: &[u16], wish: Wish, rng: &mut RunRng) -> bool {
        switch_clues(near, wish, |near, is_kept| self.switch(near, is_kept, rng))
    }

    fn exclude(&mut self, others: &[Vec<u8>], rng: &mut RunRng) -> bool {
        for other in others {
            if self.clues(true).any(|group| self.breaks(group, other)) {
                continue;
            }
            let mut breaking: Vec<usize> =
                self.clues(false).filter(|group| self.breaks(*group, other)).collect();
            let is_sign = |group: &usize| self.all.1.rule(*group).role == Role::Group;
            if breaking.iter().any(is_sign) && rng.coin(0.8) {
                breaking.retain(is_sign);
            }
            self.is_kept[breaking[rng.below(breaking.len())]] = true;
        }
        true
    }

    /// Clues that are missing to the number that was ordered.
    fn flaws(&self) -> Flaws {
        let mut flaws = Flaws { wish: Wish::Tighter, ..Flaws::default() };
        let most = self.clues(true).count() + self.clues(false).count();
        let missing = self.least.min(most).saturating_sub(self.clues(true).count());
        flaws.add(missing, &[], "fewer clues than were ordered");
        flaws
    }

    fn parts(&self) -> Vec<Vec<u16>> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;
    use crate::ladder::{Score, grade};
    use kenga_core::budget::Interrupt;
    use kenga_core::solver::{Limits, Status, solve};
    use kenga_core::spec::{Named, Place, Spec, Value};

    #[test]
    fn a_futoshiki_is_as_hard_as_ordered_and_has_one_solution() {
        let mut order = Spec::named("futoshiki");
        let easy = Value::Text("easy".to_owned());
        for (key, value) in [("size", Value::Integer(5)), ("difficulty", easy)] {
            order.set(Named::new(key, value, Place::default()));
        }
        let series = Series::new(&order, 3, 2).expect("a sound order");
        let puzzle = series.make(1, &Interrupt::default()).expect("there are easy ones");
        let problem = Problem::compile(&puzzle);
        let outcome = solve(&problem, &Limits::default(), &Interrupt::default(), &mut |_| ());
        let tier = grade(&puzzle, &problem, Score(u16::MAX), &Interrupt::default()).tier().name();
        assert_eq!((outcome.status, tier, &*puzzle.id), (Status::Unique, "easy", "futoshiki-5-easy-001"));
    }
}
