//! The slow, obvious referee: is this grid a solution, and if not, which groups fail and why.
//!
//! It shares no code with the fitness or the solver, so that it can judge both; the rules of the common operators are
//! written out here once more.

use super::{Clue, Grid, Group, Puzzle};

/// Why one group fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Index of the group in [`Puzzle::groups`].
    pub group: usize,
    /// What is wrong, in words that name the cells.
    pub reason: String,
}

/// What the referee found.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Cells that should hold a digit and hold none, row-major indices.
    pub missing: Vec<usize>,
    /// Cells that hold what is no digit of the puzzle, or a digit where the cell is black.
    pub foreign: Vec<usize>,
    /// Groups that fail with the digits there are.
    pub failures: Vec<Failure>,
}

impl Verdict {
    /// The grid is a solution.
    pub fn is_solution(&self) -> bool {
        self.is_consistent() && self.missing.is_empty()
    }

    /// No rule is broken by the digits there are; some may be missing.
    pub fn is_consistent(&self) -> bool {
        self.foreign.is_empty() && self.failures.is_empty()
    }
}

/// Judges a grid. A clue is judged only when all its cells hold digits; a repeated digit always is.
///
/// # Panics
/// When the grid has another shape than the puzzle.
pub fn check(puzzle: &Puzzle, grid: &Grid) -> Verdict {
    assert_eq!((grid.rows(), grid.cols()), (puzzle.rows(), puzzle.cols()), "grid and puzzle have one shape");
    let mut verdict = Verdict::default();
    for cell in 0..puzzle.rows() * puzzle.cols() {
        match (puzzle.is_black(cell), grid.get(cell)) {
            (false, None) => verdict.missing.push(cell),
            (true, Some(_)) => verdict.foreign.push(cell),
            (false, Some(digit)) if puzzle.digits().rank(digit).is_none() => verdict.foreign.push(cell),
            _ => {}
        }
    }
    for (index, group) in puzzle.groups().iter().enumerate() {
        for reason in failures_of(puzzle, group, grid) {
            verdict.failures.push(Failure { group: index, reason });
        }
    }
    verdict
}

fn failures_of(puzzle: &Puzzle, group: &Group, grid: &Grid) -> Vec<String> {
    let repeated = if group.distinct { repeats(puzzle, group, grid) } else { None };
    repeated.into_iter().chain(broken_clue(group, grid)).collect()
}

fn repeats(puzzle: &Puzzle, group: &Group, grid: &Grid) -> Option<String> {
    let mut reasons = Vec::new();
    for &digit in puzzle.digits().values() {
        let holders: Vec<String> = group
            .cells
            .iter()
            .filter(|cell| grid.get(**cell) == Some(digit))
            .map(|cell| puzzle.cell_name(*cell))
            .collect();
        if holders.len() > 1 {
            reasons.push(format!("{digit} stands in {}", holders.join(" and ")));
        }
    }
    if reasons.is_empty() { None } else { Some(reasons.join("; ")) }
}

fn broken_clue(group: &Group, grid: &Grid) -> Option<String> {
    let clue = group.clue?;
    let digits: Option<Vec<u8>> = group.cells.iter().map(|cell| grid.get(*cell)).collect();
    let digits = digits?;
    if makes(clue, &digits) {
        return None;
    }
    let shown: Vec<String> = digits.iter().map(u8::to_string).collect();
    Some(format!("{} do not make {clue}", shown.join(", ")))
}

/// Says whether digits make the target of a clue, by the words of the rule. 128 bits hold every product of 18 digits;
/// beyond that it is cut off where no target reaches.
fn makes(clue: Clue, digits: &[u8]) -> bool {
    let target = i128::from(clue.target);
    let digits: Vec<i128> = digits.iter().map(|digit| i128::from(*digit)).collect();
    let product =
        |digits: &[i128]| digits.iter().fold(1i128, |product, digit| product.saturating_mul(*digit));
    let sum = digits.iter().sum::<i128>() == target;
    let multiplied = product(&digits) == target;
    let others = |first: usize| [&digits[..first], &digits[first + 1..]].concat();
    let any_first = |rule: &dyn Fn(i128, &[i128]) -> bool| {
        digits.len() > 1 && (0..digits.len()).any(|first| rule(digits[first], &others(first)))
    };
    let subtracted = any_first(&|first, others| first - others.iter().sum::<i128>() == target);
    let divided = any_first(&|first, others| {
        let divisor = product(others);
        divisor != 0 && first % divisor == 0 && first / divisor == target
    });
    match clue.operator.symbol() {
        _ if digits.len() == 1 => digits[0] == target,
        "+" => sum,
        "*" => multiplied,
        "-" => subtracted,
        "/" => divided,
        "?" => sum || multiplied || digits.len() == 2 && (subtracted || divided),
        _ => clue.operator.holds(&digits.iter().map(|digit| *digit as u8).collect::<Vec<u8>>(), clue.target),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn operators_hold_by_the_words_of_their_rules(
            digits in prop::collection::vec(0u8..=12, 1..6),
            target in 0i64..200,
        ) {
            let fits = |operator: &&operators::Operator| operator.cells().contains(&digits.len());
            for operator in operators::TABLE.iter().filter(fits) {
                let clue = Clue { operator: *operator, target };
                prop_assert_eq!(clue.holds(&digits), makes(clue, &digits), "{} of {:?}", clue, digits);
            }
        }
    }

    use super::*;
    use crate::puzzle::{Cage, KenKen, operators};

    fn puzzle() -> Puzzle {
        let minus = operators::find("-").expect("a known operator");
        let cages =
            vec![Cage::new(minus, 1, vec![(0, 0), (0, 1)]), Cage::new(minus, 1, vec![(1, 0), (1, 1)])];
        KenKen::new(2, cages).build().expect("a sound puzzle")
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
        assert_eq!(reasons, ["1 stands in A1 and A2", "1 stands in A2 and B2", "1, 1 do not make 1-"]);
    }

    #[test]
    fn a_digit_outside_the_set_is_foreign() {
        assert_eq!(judge("1 7/2 1").foreign, [1]);
    }
}
