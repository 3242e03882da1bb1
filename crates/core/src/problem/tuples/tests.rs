//! The enumeration against trying every assignment, and its bounds.

use super::super::Domains;
use super::*;
use crate::puzzle::{Cage, Square, operators};
use crate::rng::StreamKey;

/// One cage of up to 5 cells in a corner of a 5x5 grid; all other cells are givens.
fn problem(symbol: &str, target: i64, cells: &[(usize, usize)], digits: Option<Vec<u8>>) -> Problem {
    let operator = operators::find(symbol).expect("a known operator");
    let mut cages = vec![Cage::new(operator, target, cells.to_vec())];
    for place in (0..25).map(|place| (place / 5, place % 5)).filter(|place| !cells.contains(place)) {
        cages.push(Cage::new(GIVEN, 1, vec![place]));
    }
    let puzzle = Square { digits, ..Square::kenken(5, cages) };
    Problem::compile(&puzzle.build().expect("a sound puzzle"))
}

/// The cage: it stands before the givens, and has the first cell.
fn cage(problem: &Problem) -> usize {
    let has_clue = |group: &usize| problem.rule(*group).clue.is_some();
    (0..problem.groups()).filter(has_clue).find(|group| problem.cells_of(*group)[0] == 0).expect("the cage")
}

/// Every assignment that satisfies clue, candidates and lines, by trying all.
fn slow(problem: &Problem, group: usize, domains: &Domains) -> Vec<Vec<u8>> {
    let cells = problem.cells_of(group);
    let clue = problem.rule(group).clue.expect("a clue");
    let mut all = vec![Vec::new()];
    for cell in cells {
        let extend = |tuple: &Vec<u8>| {
            let tuple = tuple.clone();
            bits(domains.0[usize::from(*cell)]).map(move |rank| [tuple.as_slice(), &[rank as u8]].concat())
        };
        all = all.iter().flat_map(extend).collect();
    }
    all.retain(|tuple| {
        let digits: Vec<u8> = tuple.iter().map(|rank| problem.values()[usize::from(*rank)]).collect();
        let clash = |a: usize, b: usize| tuple[a] == tuple[b] && problem.must_differ(cells[a], cells[b]);
        clue.holds(&digits) && !(0..tuple.len()).any(|a| (0..a).any(|b| clash(a, b)))
    });
    all
}

#[test]
fn tuples_are_all_that_satisfy_clue_candidates_and_lines() {
    let shapes: [&[(usize, usize)]; 6] = [
        &[(0, 0)],
        &[(0, 0), (0, 1)],
        &[(0, 0), (0, 1), (1, 0)],
        &[(0, 0), (0, 1), (0, 2), (1, 2)],
        &[(0, 0), (0, 1), (1, 0), (1, 1)],
        &[(0, 0), (0, 1), (0, 2), (1, 2), (2, 2)],
    ];
    let mut rng = StreamKey::run(3, "tables", 0).rng();
    for symbol in ["+", "*", "-", "/", "?"] {
        for cells in shapes {
            for digits in [None, Some(vec![0, 1, 2, 3, 7])] {
                for target in 0..15 {
                    let problem = problem(symbol, target, cells, digits.clone());
                    let group = cage(&problem);
                    let domains = Domains((0..25).map(|_| 1 + rng.below(31) as u32).collect());
                    let fast = problem.restrict(&domains).tuples(group, 10_000).expect("few tuples");
                    let fast: Vec<Vec<u8>> = fast.iter().map(<[u8]>::to_vec).collect();
                    assert_eq!(fast, slow(&problem, group, &domains), "{symbol} {target} {cells:?}");
                }
            }
        }
    }
}

#[test]
fn enumeration_stops_at_the_limit() {
    let problem = problem("+", 6, &[(0, 0), (0, 1)], None);
    let group = cage(&problem);
    assert_eq!(problem.tuples(group, 4).map(|tuples| tuples.len()), Some(4));
    assert_eq!(problem.tuples(group, 3), None);
}

#[test]
fn a_clue_that_no_digits_satisfy_is_not_satisfiable() {
    let beyond = problem("*", 1_000_000_000_000_000, &[(0, 0), (0, 1)], None);
    assert_eq!(beyond.is_satisfiable(cage(&beyond)), Some(false));
    let line = problem("-", 0, &[(0, 0), (0, 1)], None);
    assert_eq!(line.is_satisfiable(cage(&line)), Some(false));
    let sum = problem("+", 9, &[(0, 0), (0, 1)], None);
    assert_eq!(sum.is_satisfiable(cage(&sum)), Some(true));
}
