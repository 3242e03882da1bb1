//! Large Kakuro: read, written, drawn, propagated and solved in sane time.

#[path = "../common/kakuro.rs"]
mod kakuro;

use kakuro::kakuro;
use kenga::budget::Interrupt;
use kenga::problem::Problem;
use kenga::puzzle::{Entry, Kakuro, Puzzle, check, formats};
use kenga::report::draw;
use kenga::solver::{self, Limits, Status};

/// Every format that holds the puzzle gives it back; says how many do.
fn round_trips(puzzle: &Puzzle) -> usize {
    let read = formats::TABLE.iter();
    let texts = read.filter_map(|format| formats::write(puzzle, format).ok());
    let again = |text: String| formats::read("large", text.as_bytes()).remove(0);
    let read = texts.map(|text| again(text).unwrap_or_else(|error| panic!("{error}")));
    read.inspect(|again| assert_eq!(again.canonical_text(), puzzle.canonical_text())).count()
}

/// Searches for two solutions and says what came of it; each is judged by the referee.
fn solve(puzzle: &Puzzle) -> Status {
    let problem = Problem::compile(puzzle);
    let limits = Limits { nodes: Some(10_000), ..Limits::default() };
    let judge = &mut |ranks: &[u8]| assert!(check(puzzle, &problem.grid(ranks)).is_solution());
    solver::solve(&problem, &limits, &Interrupt::default(), judge).status
}

/// Propagation keeps every digit of the fill that the puzzle comes from.
fn keeps_its_fill(puzzle: &Puzzle) {
    let fill = puzzle.solution.as_ref().expect("the fill");
    assert!(check(puzzle, fill).is_solution());
    let problem = Problem::compile(puzzle);
    let ranks = problem.ranks(fill).expect("a digit in every cell");
    let domains = solver::propagate(&problem);
    assert!(domains.0.iter().zip(&ranks).all(|(mask, rank)| mask >> rank & 1 == 1));
}

#[test]
fn a_kakuro_of_25x25_is_solved() {
    let puzzle = kakuro((25, 25), 9, 3, 1);
    assert_eq!(round_trips(&puzzle), 4);
    keeps_its_fill(&puzzle);
    assert_eq!(solve(&puzzle), Status::Multiple);
    let picture = draw(&puzzle, puzzle.solution.as_ref().expect("the fill"), &[]);
    assert_eq!(picture.lines().map(|line| line.chars().count()).collect::<Vec<_>>(), [101; 76]);
}

#[test]
fn a_kakuro_of_150x150_is_propagated() {
    let puzzle = kakuro((150, 150), 9, 3, 2);
    assert_eq!(round_trips(&puzzle), 4);
    keeps_its_fill(&puzzle);
    let all: Vec<usize> = (0..150 * 150).collect();
    assert_eq!(draw(&puzzle, &puzzle.given_grid(), &all).lines().count(), 150);
}

#[test]
fn sums_of_up_to_32_digits_are_solved() {
    let puzzle = kakuro((33, 33), 32, 12, 3);
    assert_eq!(round_trips(&puzzle), 1);
    keeps_its_fill(&puzzle);
    for (target, status) in [(528, Status::Multiple), (527, Status::Unsolvable), (31, Status::Unsolvable)] {
        let cells = (1..33).map(|column| (0, column)).collect();
        let kakuro = Kakuro {
            digits: Some((1..=32).collect()),
            ..Kakuro::new((1, 33), vec![Entry { target, cells }])
        };
        assert_eq!(solve(&kakuro.build().expect("a sound entry")), status);
    }
}
