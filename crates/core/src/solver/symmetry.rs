//! Interchangeable digits: puzzles whose rules do not tell one digit from another, such as graph colouring.
//!
//! When no group has a clue and every cell has all candidates, exchanging digits makes a solution of every solution. The
//! search then gives the `c` cells of the largest line, which all differ, the first `c` digits in order. Every solution
//! differs from one of those found by its digits in the line alone: there are `k! / (k - c)!` ways to give `c` of `k` digits to
//! the line, and each, extended to all digits in one way, makes another solution. So a count is multiplied by that
//! number, and no solution occurs twice.
//!
//! The other `k - c` digits stay interchangeable during the search.

use crate::problem::Problem;

use super::engine::Engine;
use super::event::Event;
use super::observer::SearchObserver;
use super::space::Conflict;

/// The solutions that exchanging digits makes of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Orbit {
    /// The number of cells that have the first digits, at least 1.
    fixed: usize,
    digits: usize,
}

impl Orbit {
    /// Gives the largest line of an engine at its fixpoint, or else a cell, the first digits, and propagates; `None` when
    /// the digits are not interchangeable.
    ///
    /// # Errors
    /// [`Conflict`] when there is no solution.
    pub(super) fn fix(
        engine: &mut Engine,
        problem: &Problem,
        observer: &mut impl SearchObserver,
    ) -> Result<Option<Self>, Conflict> {
        if !are_interchangeable(problem) || problem.cells() == 0 {
            return Ok(None);
        }
        let mut cells = vec![0];
        for line in 0..engine.lines.len() as u32 {
            let line = engine.lines.cells(line);
            // Every line has two cells or more.
            if line.len() > cells.len() {
                cells = line.to_vec();
            }
        }
        for (rank, cell) in cells.iter().enumerate() {
            engine.space.keep(*cell, 1 << rank)?;
        }
        observer.saw(|| Event::Orbit { cells: cells.clone() });
        engine.fixpoint(observer)?;
        Ok(Some(Self { fixed: cells.len(), digits: problem.digits() }))
    }

    /// The number of solutions that one stands for, itself included; `None` beyond 64 bits.
    pub(super) fn size(&self) -> Option<u64> {
        let mut size = 1u64;
        for choices in self.digits - self.fixed + 1..=self.digits {
            size = size.checked_mul(choices as u64)?;
        }
        Some(size)
    }

    /// Calls `each` with the solutions that a found one stands for, itself first, until it returns false.
    pub(super) fn unfold(&self, ranks: &[u8], each: &mut dyn FnMut(&[u8]) -> bool) {
        let mut image: Vec<u8> = (0..self.digits as u8).collect();
        let mut solution = ranks.to_vec();
        while each(&solution) && next_arrangement(&mut image, self.fixed) {
            for (renamed, rank) in solution.iter_mut().zip(ranks) {
                *renamed = image[usize::from(*rank)];
            }
        }
    }
}

/// Says whether exchanging two digits makes a solution of every solution.
fn are_interchangeable(problem: &Problem) -> bool {
    (0..problem.groups()).all(|group| problem.rule(group).clue.is_none())
        && problem.candidates().iter().all(|mask| *mask == problem.all_digits())
}

/// The next of a permutation's beginnings of length `fixed` in lexical order; what follows it ascends. False after the
/// last.
fn next_arrangement(image: &mut [u8], fixed: usize) -> bool {
    // The last place of the beginning that a later digit can raise.
    let may_rise = |place: &usize| image[place + 1..].iter().any(|later| later > &image[*place]);
    let Some(place) = (0..fixed).rev().find(may_rise) else { return false };
    let (head, rest) = image.split_at_mut(place + 1);
    // Ascending, so that the smallest larger digit comes next, and each beginning once.
    rest.sort_unstable();
    let next = rest.iter_mut().find(|later| **later > head[place]).expect("one is greater");
    std::mem::swap(&mut head[place], next);
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{Limits, Outcome, Status, solve};
    use super::*;
    use crate::budget::Interrupt;
    use crate::puzzle::{Cage, Coloring, Puzzle, Square, operators};
    use crate::rng::StreamKey;

    fn graph(vertices: usize, colors: usize, edges: Vec<(usize, usize)>) -> Puzzle {
        Coloring::new(vertices, colors, edges).build().expect("a sound graph")
    }

    fn solutions(puzzle: &Puzzle, limits: &Limits) -> (BTreeSet<Vec<u8>>, Outcome) {
        let (mut found, mut reported) = (BTreeSet::new(), 0);
        let problem = Problem::compile(puzzle);
        let outcome = solve(&problem, limits, &Interrupt::default(), &mut |ranks| {
            reported += 1;
            found.insert(ranks.to_vec());
        });
        assert_eq!(found.len(), reported, "no solution is reported twice");
        (found, outcome)
    }

    fn all() -> Limits {
        Limits { solutions: u64::MAX, ..Limits::default() }
    }

    fn cycle(n: usize) -> Vec<(usize, usize)> {
        (0..n).map(|vertex| (vertex, (vertex + 1) % n)).collect()
    }

    fn complete(n: usize) -> Vec<(usize, usize)> {
        (0..n).flat_map(|high| (0..high).map(move |low| (low, high))).collect()
    }

    /// Every proper colouring, by trying all.
    fn brute_force(vertices: usize, colors: usize, edges: &[(usize, usize)]) -> BTreeSet<Vec<u8>> {
        let code = |mut code: usize| -> Vec<u8> {
            let mut digits = vec![0; vertices];
            for digit in &mut digits {
                (*digit, code) = ((code % colors) as u8, code / colors);
            }
            digits
        };
        let proper = |ranks: &Vec<u8>| edges.iter().all(|(low, high)| ranks[*low] != ranks[*high]);
        (0..colors.pow(vertices as u32)).map(code).filter(proper).collect()
    }

    #[test]
    fn counts_are_those_of_the_chromatic_polynomial() {
        for k in 1..=6_i64 {
            for n in 3..=7_usize {
                let (_, outcome) = solutions(&graph(n, k as usize, cycle(n)), &all());
                let sign = if n % 2 == 0 { 1 } else { -1 };
                let cycles = (k - 1).pow(n as u32) + sign * (k - 1);
                assert_eq!(
                    (outcome.count as i64, outcome.count_is_exact),
                    (cycles, true),
                    "cycle {n}, {k} colours"
                );
                let (_, outcome) = solutions(&graph(n, k as usize, complete(n)), &all());
                let falling: i64 = (0..n as i64).map(|used| (k - used).max(0)).product();
                assert_eq!(outcome.count as i64, falling, "complete {n}, {k} colours");
            }
        }
    }

    #[test]
    fn solutions_are_those_of_brute_force() {
        let mut rng = StreamKey::run(8, "symmetry", 0).rng();
        for round in 0..150 {
            let (vertices, colors) = (1 + rng.below(6), 1 + rng.below(4));
            let density = [0.2, 0.5, 0.8][round % 3];
            let edges: Vec<(usize, usize)> =
                complete(vertices).into_iter().filter(|_| rng.coin(density)).collect();
            let expected = brute_force(vertices, colors, &edges);
            let (found, outcome) = solutions(&graph(vertices, colors, edges.clone()), &all());
            assert_eq!((outcome.count as usize, outcome.count_is_exact), (expected.len(), true), "{edges:?}");
            assert_eq!(found, expected, "{vertices} vertices, {colors} colours, {edges:?}");
        }
    }

    #[test]
    fn every_limit_of_solutions_is_kept() {
        let puzzle = graph(5, 4, cycle(5));
        let whole = solutions(&puzzle, &all()).1.count;
        assert_eq!(whole, 240);
        for limit in [1, 2, 11, 12, 13, 239, 240, 241] {
            let (found, outcome) = solutions(&puzzle, &Limits { solutions: limit, ..all() });
            assert_eq!((found.len() as u64, outcome.count), (limit.min(whole), limit.min(whole)));
            assert!(!outcome.count_is_exact || outcome.count == whole);
            assert!(limit <= whole || outcome.count_is_exact);
        }
    }

    #[test]
    fn what_is_not_reported_is_counted_all_the_same() {
        let (found, outcome) = solutions(&graph(20, 20, complete(20)), &Limits { reported: 3, ..all() });
        assert_eq!((found.len(), outcome.count), (3, 2_432_902_008_176_640_000));
        assert_eq!((outcome.status, outcome.count_is_exact), (Status::Multiple, true));
        let (_, more) = solutions(&graph(21, 21, complete(21)), &Limits { reported: 0, ..all() });
        assert_eq!((more.count, more.count_is_exact), (u64::MAX, false));
    }

    #[test]
    fn clues_givens_and_restricted_candidates_tell_digits_apart() {
        let sum = operators::find("+").expect("a known operator");
        let cage = Cage::new(sum, 3, vec![(0, 0), (0, 1)]);
        let other = Cage { cells: vec![(1, 0), (1, 1)], ..cage.clone() };
        let square = |givens| Square { givens, ..Square::latin(2) }.build().expect("a sound Latin square");
        let kenken = Square::kenken(2, vec![cage, other]).build().expect("a sound puzzle");
        for puzzle in [kenken, square(vec![(0, 0, 1)])] {
            assert!(!are_interchangeable(&Problem::compile(&puzzle)));
        }
        let plain = Problem::compile(&square(Vec::new()));
        assert!(are_interchangeable(&plain));
        let one = crate::problem::Domains(vec![1, 3, 3, 3]);
        assert!(!are_interchangeable(&plain.restrict(&one)));
    }
}
