//! Explanations against all sets of clues over all Latin squares.

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use super::*;
use crate::budget::Interrupt;
use crate::puzzle::operators::{self, GIVEN};
use crate::puzzle::{Cage, Clue, DigitSet, Group, Kind, Puzzle, Role, Square, samples};
use crate::rng::{RunRng, StreamKey};

fn no_limits() -> Limits {
    Limits { solutions: 1, ..Limits::default() }
}

fn explained(problem: &Problem) -> Option<Explanation> {
    explain(problem, &no_limits(), &Interrupt::default())
}

/// A random KenKen with some targets of other cages.
fn mistaken(size: usize, rng: &mut RunRng) -> Puzzle {
    let puzzle = samples::kenken(size, |n| rng.below(n));
    let mut groups = puzzle.groups().to_vec();
    for _ in 0..1 + rng.below(3) {
        let index = rng.below(groups.len());
        if let Some(clue) = &mut groups[index].clue {
            clue.target = 1 + rng.below(3 * size) as i64;
        }
    }
    let digits = puzzle.digits().clone();
    Puzzle::new(Kind::KenKen, (size, size), digits, vec![false; size * size], groups).expect("a sound puzzle")
}

/// For every grid whose rows and columns have different digits, the clues that it breaks, as a mask over `clues`.
fn broken(problem: &Problem, clues: &[usize]) -> Vec<u32> {
    let mut broken = Vec::new();
    let free = problem.with_only_clues(&[]);
    let all = Limits { solutions: u64::MAX, ..no_limits() };
    solve(&free, &all, &Interrupt::default(), &mut |grid| {
        let value = |cell: &u16| problem.values()[usize::from(grid[usize::from(*cell)])];
        let breaks = |group: &usize| {
            let digits: Vec<u8> = problem.cells_of(*group).iter().map(value).collect();
            !problem.rule(*group).clue.expect("it has one").holds(&digits)
        };
        let mask = clues.iter().enumerate().map(|(bit, group)| u32::from(breaks(group)) << bit).sum();
        broken.push(mask);
    });
    broken.sort_unstable();
    broken.dedup();
    broken
}

/// The clues conflict: every grid breaks one of them.
fn conflict(broken: &[u32], clues: u32) -> bool {
    broken.iter().all(|mask| mask & clues != 0)
}

/// The conflict of an explanation, its proof checked by brute force.
fn check(problem: &Problem, explanation: &Explanation) -> usize {
    let clues: Vec<usize> =
        (0..problem.groups()).filter(|group| problem.rule(*group).clue.is_some()).collect();
    let broken = broken(problem, &clues);
    let bit = |group: &usize| 1 << clues.iter().position(|clue| clue == group).expect("it is a clue");
    let mask: u32 = explanation.clues.iter().map(bit).sum();
    assert!(conflict(&broken, mask) && explanation.clues.is_sorted());
    if explanation.proof != Proof::Reduced {
        assert!(explanation.clues.iter().all(|clue| !conflict(&broken, mask & !bit(clue))));
    }
    if explanation.proof == Proof::Smallest {
        let conflicts = (0..1u32 << clues.len()).filter(|mask| conflict(&broken, *mask));
        assert_eq!(conflicts.map(u32::count_ones).min(), Some(mask.count_ones()));
    }
    explanation.clues.len()
}

#[test]
fn conflicts_are_as_small_as_those_of_brute_force() {
    let mut rng = StreamKey::run(1, "explain", 0).rng();
    let mut sizes = [0; 4];
    for round in 0..160 {
        let problem = Problem::compile(&mistaken(3 + round % 2, &mut rng));
        let unsolvable =
            solve(&problem, &no_limits(), &Interrupt::default(), &mut |_| ()).status == Status::Unsolvable;
        let explanation = explained(&problem);
        assert_eq!(explanation.is_some(), unsolvable);
        if let Some(explanation) = explanation {
            assert_eq!(explanation.proof, Proof::Smallest);
            sizes[check(&problem, &explanation).min(3)] += 1;
        }
    }
    assert!(sizes[0] == 0 && sizes[1..].iter().all(|count| *count > 5), "{sizes:?}");
}

#[test]
fn whatever_limits_cut_short_still_conflicts_and_says_what_is_proved() {
    let mut rng = StreamKey::run(2, "explain", 0).rng();
    let mut proofs = [0; 3];
    let (limits, interrupt) = (no_limits(), Interrupt::default());
    for _ in 0..60 {
        let problem = Problem::compile(&mistaken(4, &mut rng));
        for questions in [1, 3, 6, 10, 20, 40] {
            let Some(found) = ConflictSearch::new(&problem, &limits, &interrupt, questions).explain() else {
                break;
            };
            check(&problem, &found);
            proofs[found.proof as usize] += 1;
        }
        for nodes in [0, 2, 10] {
            let limits = Limits { nodes: Some(nodes), ..no_limits() };
            if let Some(found) = explain(&problem, &limits, &interrupt) {
                assert!(found.nodes <= nodes);
                check(&problem, &found);
            }
        }
    }
    assert!(proofs.iter().all(|count| *count > 5), "{proofs:?}");
}

#[test]
fn an_interrupt_or_no_time_leaves_nothing_to_say() {
    let cells = (0..4).map(|cell| (cell / 2, cell % 2)).collect();
    let sum = operators::find("+").expect("a known operator");
    let puzzle = Square::kenken(2, vec![Cage::new(sum, 7, cells)]).build().expect("a sound puzzle");
    let problem = Problem::compile(&puzzle);
    assert_eq!(explained(&problem).map(|why| (why.clues.len(), why.proof)), Some((1, Proof::Smallest)));
    let interrupt = Interrupt::default();
    interrupt.raise(2);
    assert_eq!(explain(&problem, &no_limits(), &interrupt), None);
    let none = Limits { seconds: Some(0.0), ..no_limits() };
    assert_eq!(explain(&problem, &none, &Interrupt::default()), None);
}

fn given(cell: usize, target: i64) -> Group {
    let clue = Some(Clue { operator: GIVEN, target });
    Group { role: Role::Given, cells: vec![cell], distinct: false, clue }
}

#[test]
fn distinct_groups_that_conflict_need_no_clue() {
    let row = Group { role: Role::Row, cells: vec![0, 1, 2], distinct: true, clue: None };
    let digits = DigitSet::one_to(2).expect("two digits");
    let groups = vec![row, given(0, 1), given(1, 1)];
    let puzzle = Puzzle::new(Kind::KenKen, (1, 3), digits, vec![false; 3], groups).expect("a sound puzzle");
    let why = explained(&Problem::compile(&puzzle)).expect("there is no solution");
    assert_eq!((why.clues, why.proof), (Vec::new(), Proof::Smallest));
}

#[test]
fn givens_are_clues_even_when_their_digit_is_none_of_the_puzzle() {
    let row = Group { role: Role::Row, cells: vec![0, 1, 2], distinct: true, clue: None };
    let puzzle = |givens: &[(usize, i64)]| {
        let groups = givens.iter().map(|(cell, target)| given(*cell, *target)).chain([row.clone()]).collect();
        let digits = DigitSet::one_to(3).expect("three digits");
        Puzzle::new(Kind::KenKen, (1, 3), digits, vec![false; 3], groups).expect("a sound puzzle")
    };
    let why = |givens: &[(usize, i64)]| {
        let puzzle = puzzle(givens);
        let why = explained(&Problem::compile(&puzzle))?;
        Some(why.clues.iter().map(|group| puzzle.groups()[*group].cells[0]).collect::<Vec<usize>>())
    };
    assert_eq!(why(&[(0, 1), (1, 2), (2, 1)]), Some(vec![0, 2]));
    assert_eq!(why(&[(0, 1), (1, 1), (2, 7)]), Some(vec![2]));
    assert_eq!(why(&[(0, 1), (1, 2), (2, 3)]), None);
}

proptest! {
    #[test]
    fn hitting_sets_are_as_small_as_those_of_brute_force(sets in vec(btree_set(0usize..9, 1..5), 0..12)) {
        let mut hitting = HittingSets::new(9);
        for (index, set) in sets.iter().enumerate() {
            hitting.add(set.iter().copied().collect());
            let least = hitting.least().expect("little work");
            let hits = |mask: u32| sets[..=index].iter().all(|set| set.iter().any(|element| mask >> element & 1 == 1));
            let expected = (0..1u32 << 9).filter(|mask| hits(*mask)).map(u32::count_ones).min();
            prop_assert_eq!(Some(least.len() as u32), expected);
            prop_assert!(hits(least.iter().map(|element| 1 << element).sum()));
        }
    }
}

#[test]
fn an_empty_set_cannot_be_hit_and_no_set_needs_nothing() {
    let mut hitting = HittingSets::new(3);
    assert_eq!(hitting.least(), Some(Vec::new()));
    hitting.add(Vec::new());
    assert_eq!(hitting.least(), None);
}
