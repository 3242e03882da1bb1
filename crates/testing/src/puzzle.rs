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
                check_rule(operator, &tuple, target);
                if operator.holds(&tuple, target) {
                    check_prefixes(operator, &tuple, target);
                }
            }
        }
    }
}

/// Where a rule says whether digits make the target, they do so in any order, and have a gap where they do not.
fn check_rule(operator: Operator, tuple: &[u8], target: i64) {
    let Some(ruled) = operator.is_ruled(tuple, target) else { return };
    let holds = operator.holds(tuple, target);
    assert_eq!(ruled, holds, "clue operator `{operator:?}`, {tuple:?} and {target}: against its rule");
    let mut turned = tuple.to_vec();
    turned.reverse();
    let same = operator.holds(&turned, target) == holds;
    assert!(same, "clue operator `{operator:?}`, {tuple:?} and {target}: in another order");
    let has_gap = holds || operator.gap(tuple, target) > 0;
    assert!(has_gap, "clue operator `{operator:?}`, {tuple:?} and {target}: the gap is 0");
}

/// Every prefix of digits that hold may hold, and the last of them is found.
fn check_prefixes(operator: Operator, tuple: &[u8], target: i64) {
    let least = *tuple.iter().min().expect("a digit");
    let most = *tuple.iter().max().expect("a digit");
    // A bound that cuts too much loses solutions without a word; it is tried with room, and where there is
    // none.
    for (low, high) in [(0, 4), (least, most)] {
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
    let grids = all_grids();
    for _ in 0..30 {
        let mut order = [0, 1, 2];
        rng.shuffle(&mut order);
        let Some(puzzle) = puzzle_of(operator, order) else { continue };
        let problem = Problem::compile(&puzzle);
        let (mut solutions, limits) = (Vec::new(), Limits { solutions: 100, ..Limits::default() });
        solve(&problem, &limits, &Interrupt::default(), &mut |ranks| solutions.push(problem.grid(ranks)));
        let accepted: Vec<&Grid> = grids.iter().filter(|grid| check(&puzzle, grid).is_solution()).collect();
        let all = accepted.iter().all(|grid| solutions.contains(grid)) && accepted.len() == solutions.len();
        assert!(
            all,
            "clue operator `{operator:?}`: the solver finds {solutions:?}, the referee {accepted:?}"
        );
    }
}

/// All grids of 3x3 whose rows are permutations of 1, 2 and 3.
fn all_grids() -> Vec<Grid> {
    let rows = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
    let mut grids = Vec::new();
    for a in rows {
        for b in rows {
            for c in rows {
                grids.push(Grid::from_cells(3, 3, [a, b, c].concat().into_iter().map(Some).collect()));
            }
        }
    }
    grids
}

/// A cage of two or three cells a row, as many as the operator takes, whose targets a Latin square makes, if it makes any: the
/// one whose row `r` is 1, 2, 3 turned by `order[r]`.
fn puzzle_of(operator: Operator, order: [usize; 3]) -> Option<Puzzle> {
    let width = [3, 2].into_iter().find(|width| operator.cells.contains(width))?;
    let mut cages = Vec::new();
    for (row, first) in order.iter().enumerate() {
        let digits: Vec<u8> = (0..width).map(|column| ((first + column) % 3 + 1) as u8).collect();
        let target = (0..=1000).find(|target| operator.holds(&digits, *target))?;
        cages.push(Cage::new(operator, target, (0..width).map(|column| (row, column)).collect()));
    }
    Square::kenken(3, cages).build().ok()
}

/// Every text is read as this format and, where it is written, read again as it was; a text that is cut is an error or a puzzle.
pub(super) fn check_format(format: &'static Format, examples: &[&str]) {
    assert!(!format.about.is_empty(), "format {} says what it looks like", format.name);
    assert!(!examples.is_empty(), "format {}: name a text that it reads", format.name);
    for text in examples {
        let first = formats::TABLE.iter().find(|format| format.recognises(text));
        let first = first.map_or("none", |format| format.name);
        assert_eq!(first, format.name, "{text:?} is recognised as another format");
        let puzzle = read(format, text);
        if format.is_written() {
            let written = formats::write(&puzzle, format);
            let written = written.unwrap_or_else(|error| panic!("format {}, {text:?}: {error}", format.name));
            let again = read(format, &written).canonical_text();
            assert_eq!(again, puzzle.canonical_text(), "format {}, {written:?}", format.name);
        }
        // Whatever comes of a text that ends too early, it is no panic.
        for (cut, _) in text.char_indices() {
            drop(formats::read("cut", &text.as_bytes()[..cut]));
        }
    }
}

/// The first puzzle of the text.
fn read(format: &Format, text: &str) -> Puzzle {
    let first = formats::read("example", text.as_bytes()).remove(0);
    first.unwrap_or_else(|error| panic!("format {}, {text:?}: {error}", format.name))
}
