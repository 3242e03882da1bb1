//! Operators of clues do what their rules say, and formats read what they write.

use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::formats::{self, Format};
use kenga_core::puzzle::operators::Operator;
use kenga_core::puzzle::samples::tuples;
use kenga_core::puzzle::{Cage, Grid, Puzzle, Square, check};
use kenga_core::rng::StreamKey;
use kenga_core::solver::{Limits, solve};

/// Digits in any order hold alike, and may hold from the first on; further digits that are found make them hold.
pub(super) fn check_operator(operator: Operator) {
    assert!(!operator.about.is_empty(), "clue operator `{operator:?}` says what it demands");
    for width in (1..=3).filter(|width| operator.cells.contains(width)) {
        for tuple in tuples(width as u32) {
            for target in 0..260 {
                let holds = operator.holds(&tuple, target);
                let label = || format!("clue operator `{operator:?}`, {tuple:?} and {target}");
                let ruled = operator.is_ruled(&tuple, target);
                let turned: Vec<u8> = tuple.iter().rev().copied().collect();
                let same = ruled.is_none() || operator.holds(&turned, target) == holds;
                assert!(same, "{}: in another order", label());
                assert!(ruled.is_none_or(|ruled| ruled == holds), "{}: against its rule", label());
                assert!(
                    ruled.is_none() || holds || operator.gap(&tuple, target) > 0,
                    "{}: the gap is 0",
                    label()
                );
                if holds {
                    check_prefixes(operator, &tuple, target);
                }
            }
        }
    }
}

/// Every prefix of digits that hold may hold, and the last of them is found.
fn check_prefixes(operator: Operator, tuple: &[u8], target: i64) {
    let (low, high) = (tuple.iter().min(), tuple.iter().max());
    for (low, high) in [(0, 4), (*low.expect("a digit"), *high.expect("a digit"))] {
        for cut in 0..=tuple.len() {
            let possible = operator.may_hold(&tuple[..cut], tuple.len() - cut, low, high, target);
            assert!(possible, "clue operator `{operator:?}`, {tuple:?} and {target}: denied after {cut}");
        }
    }
    let (last, prefix) = tuple.split_last().expect("a digit");
    let mut found = Vec::new();
    if operator.complete(prefix, target, &mut |digit| found.push(digit)) {
        let label = format!("clue operator `{operator:?}`, {prefix:?} and {target}: {found:?}");
        assert!(found.contains(&u64::from(*last)), "{label} without {last}");
    }
}

/// The exact solver finds the solutions that the referee accepts, in puzzles of 3x3 whose cages all have the operator.
pub(super) fn check_solutions(operator: Operator) {
    let mut rng = StreamKey::run(1, "clues", 0).rng();
    let rows = permutations();
    for _ in 0..30 {
        let mut order = [0, 1, 2];
        rng.shuffle(&mut order);
        let digit = |row: usize, column: usize| ((order[row] + column) % 3 + 1) as u8;
        let Some(puzzle) = puzzle_of(operator, &digit) else { continue };
        let problem = Problem::compile(&puzzle);
        let (mut solutions, limits) = (Vec::new(), Limits { solutions: 100, ..Limits::default() });
        solve(&problem, &limits, &Interrupt::default(), &mut |ranks| solutions.push(problem.grid(ranks)));
        let grids = rows.iter().flat_map(|a| rows.iter().flat_map(|b| rows.iter().map(|c| [*a, *b, *c])));
        let grids = grids.map(|rows| Grid::from_cells(3, 3, rows.concat().into_iter().map(Some).collect()));
        let accepted: Vec<Grid> = grids.filter(|grid| check(&puzzle, grid).is_solution()).collect();
        let all = accepted.iter().all(|grid| solutions.contains(grid)) && accepted.len() == solutions.len();
        assert!(
            all,
            "clue operator `{operator:?}`: the solver finds {solutions:?}, the referee {accepted:?}"
        );
    }
}

/// The permutations of three digits.
fn permutations() -> Vec<[u8; 3]> {
    let all = (0..27).map(|code| [code / 9 + 1, code / 3 % 3 + 1, code % 3 + 1]);
    all.filter(|[a, b, c]| a != b && b != c && a != c).collect()
}

/// A cage of two or three cells a row, as many as the operator takes, whose targets these digits make, if they make any.
fn puzzle_of(operator: Operator, digit: &dyn Fn(usize, usize) -> u8) -> Option<Puzzle> {
    let width = (2..=3).rev().find(|width| operator.cells.contains(width))?;
    let cage = |row: usize| {
        let digits: Vec<u8> = (0..width).map(|column| digit(row, column)).collect();
        let target = (0..=1000).find(|target| operator.holds(&digits, *target))?;
        Some(Cage::new(operator, target, (0..width).map(|column| (row, column)).collect()))
    };
    let cages = (0..3).map(cage).collect::<Option<Vec<Cage>>>()?;
    Square::kenken(3, cages).build().ok()
}

/// Every text is read as this format and, where it is written, read again as it was; a text that is cut is an error or a puzzle.
pub(super) fn check_format(format: &'static Format, examples: &[&str]) {
    assert!(!format.about.is_empty(), "format {} says what it looks like", format.name);
    assert!(!examples.is_empty(), "format {}: name a text that it reads", format.name);
    for text in examples {
        let read = |text: &str| formats::read("example", text.as_bytes()).remove(0);
        let first = formats::TABLE.iter().find(|format| format.recognises(text));
        let first = first.map_or("none", |format| format.name);
        assert_eq!(first, format.name, "{text:?} is recognised as another format");
        let puzzle = read(text).unwrap_or_else(|error| panic!("format {}, {text:?}: {error}", format.name));
        if format.is_written() {
            let written = formats::write(&puzzle, format);
            let written = written.unwrap_or_else(|error| panic!("format {}, {text:?}: {error}", format.name));
            let again =
                read(&written).unwrap_or_else(|error| panic!("format {}, {written:?}: {error}", format.name));
            assert_eq!(
                again.canonical_text(),
                puzzle.canonical_text(),
                "format {}, {written:?}",
                format.name
            );
        }
        for (cut, _) in text.char_indices() {
            drop(formats::read("cut", &text.as_bytes()[..cut]));
        }
    }
}
