//! The referee: solutions pass, and failures name groups and cells.

use kenga::puzzle::{Cage, Defect, Grid, Puzzle, Queens, Square, Verdict, check, operators};

fn puzzle() -> Puzzle {
    let minus = operators::find("-").expect("a known operator");
    let cages = vec![Cage::new(minus, 1, vec![(0, 0), (0, 1)]), Cage::new(minus, 1, vec![(1, 0), (1, 1)])];
    Square::kenken(2, cages).build().expect("a sound puzzle")
}

fn judge(text: &str) -> Verdict {
    check(&puzzle(), &Grid::parse(text, 2, 2).expect("a 2x2 grid"))
}

#[test]
fn a_solution_passes() {
    assert!(judge("1 2/2 1").is_solution());
}

#[test]
fn a_partial_grid_is_consistent_but_no_solution() {
    let verdict = judge("1 ./. 1");
    assert!(verdict.is_consistent() && !verdict.is_solution());
    assert_eq!(verdict.missing, [1, 2]);
}

#[test]
fn failures_name_groups_and_cells() {
    let verdict = judge("1 1/2 1");
    let reasons: Vec<&str> = verdict.failures.iter().map(|failure| failure.reason.as_str()).collect();
    assert_eq!(reasons, ["1 stands in A1 and A2", "1 stands in A2 and B2", "1, 1 do not make 1−"]);
}

#[test]
fn a_digit_outside_the_set_is_foreign() {
    assert_eq!(judge("1 7/2 1").foreign, [1]);
}

#[test]
fn no_two_queens_share_a_row_or_a_diagonal() {
    let puzzle = Queens::new(4).build().expect("a sound puzzle");
    assert_eq!((puzzle.rows(), puzzle.cols(), puzzle.groups().len()), (1, 4, 7));
    let is_solved = |text: &str| check(&puzzle, &Grid::parse(text, 1, 4).expect("1x4")).is_solution();
    assert!(is_solved("2 4 1 3") && is_solved("3 1 4 2"));
    assert!(!is_solved("2 4 2 3") && !is_solved("1 2 4 3") && !is_solved("1 3 2 4"));
}

#[test]
fn sizes_and_columns_out_of_range_are_refused() {
    assert_eq!(Queens::new(0).build(), Err(Defect::Size(0)));
    assert_eq!(Queens::new(33).build(), Err(Defect::Size(33)));
    let outside = Queens { givens: vec![(0, 4, 1)], ..Queens::new(4) };
    assert!(matches!(outside.build(), Err(Defect::Outside { cell: (0, 4), size: (1, 4), .. })));
}
