//! The slow, obvious referee: whether a grid is a solution, and if not, which groups fail and why.
//!
//! It shares no code with the fitness, the solver or the operators, so that it can judge all three. So it repeats the
//! rule of every operator, by its definition.

use super::{Clue, Grid, Group, Puzzle};

/// Why one group fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Index of the group in [`Puzzle::groups`].
    pub group: usize,
    /// What is wrong, naming the cells or digits.
    pub reason: String,
}

/// The referee's findings on a grid.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Verdict {
    /// White cells without a digit, row-major indices.
    pub missing: Vec<usize>,
    /// White cells with a digit that the puzzle does not have, and black cells with any digit; row-major indices.
    pub foreign: Vec<usize>,
    /// Groups that the present digits break.
    pub failures: Vec<Failure>,
}

impl Verdict {
    /// Says whether the grid is a solution.
    pub fn is_solution(&self) -> bool {
        self.is_consistent() && self.missing.is_empty()
    }

    /// Says whether the present digits break no rule; some may be missing.
    pub fn is_consistent(&self) -> bool {
        self.foreign.is_empty() && self.failures.is_empty()
    }
}

/// Judges a grid. Repeated digits count in every grid, a clue only when all its cells hold digits.
///
/// # Panics
/// When the grid has another shape than the puzzle.
pub fn check(puzzle: &Puzzle, grid: &Grid) -> Verdict {
    assert_eq!((grid.rows(), grid.cols()), (puzzle.rows(), puzzle.cols()), "grid and puzzle have one shape");
    let mut verdict = Verdict::default();
    for cell in 0..puzzle.rows() * puzzle.cols() {
        // An open cell breaks no group, and a digit of another puzzle may keep every clue: both are told for
        // themselves.
        match (puzzle.is_black(cell), grid.get(cell)) {
            (false, None) => verdict.missing.push(cell),
            (true, Some(_)) => verdict.foreign.push(cell),
            (false, Some(digit)) if puzzle.digits().rank(digit).is_none() => verdict.foreign.push(cell),
            _ => {}
        }
    }
    for (index, group) in puzzle.groups().iter().enumerate() {
        let repeats = if group.distinct { repeats(puzzle, group, grid) } else { None };
        for reason in [repeats, broken_clue(group, grid)].into_iter().flatten() {
            verdict.failures.push(Failure { group: index, reason });
        }
    }
    verdict
}

fn repeats(puzzle: &Puzzle, group: &Group, grid: &Grid) -> Option<String> {
    let mut reasons = Vec::new();
    for &digit in puzzle.digits().values() {
        // Digits that the puzzle does not have are foreign already.
        let mut holders = Vec::new();
        for &cell in &group.cells {
            if grid.get(cell) == Some(digit) {
                holders.push(puzzle.cell_name(cell));
            }
        }
        if holders.len() > 1 {
            reasons.push(format!("{digit} stands in {}", holders.join(" and ")));
        }
    }
    if reasons.is_empty() { None } else { Some(reasons.join("; ")) }
}

fn broken_clue(group: &Group, grid: &Grid) -> Option<String> {
    let clue = group.clue?;
    let mut digits = Vec::with_capacity(group.cells.len());
    for &cell in &group.cells {
        digits.push(grid.get(cell)?);
    }
    if makes(clue, &digits) {
        return None;
    }
    let shown: Vec<String> = digits.iter().map(u8::to_string).collect();
    Some(match clue.operator.symbol {
        "<" | ">" => format!("{} is wrong", shown.join(&format!(" {clue} "))),
        "!-" => format!("{} differ by {}", shown.join(" and "), clue.target),
        _ => format!("{} do not make {}", shown.join(", "), clue.printed()),
    })
}

/// Says whether digits make the target of a clue, by the definition of the rule. Products saturate at 128 bits, beyond
/// every target.
fn makes(clue: Clue, values: &[u8]) -> bool {
    let target = i128::from(clue.target);
    let mut digits = Vec::with_capacity(values.len());
    for &value in values {
        digits.push(i128::from(value));
    }
    // A single cell is a given whatever the operator.
    if let [digit] = digits[..] {
        return digit == target;
    }
    let sum: i128 = digits.iter().sum();
    match clue.operator.symbol {
        "+" => sum == target,
        "*" => product(&digits) == target,
        "-" => differs(&digits, target),
        "/" => divides(&digits, target),
        "?" => {
            sum == target
                || product(&digits) == target
                || digits.len() == 2 && (differs(&digits, target) || divides(&digits, target))
        }
        "min" => digits.iter().min() == Some(&target),
        "max" => digits.iter().max() == Some(&target),
        "gcd" => greatest_divisor(&digits) == target,
        "lcm" => least_multiple(&digits) == target,
        "mean" => sum == target * digits.len() as i128,
        "%" | "^" | "<" | ">" | "!-" => match digits[..] {
            [first, second] => makes_of_two(clue.operator.symbol, first, second, target),
            _ => false,
        },
        other => clue
            .operator
            .is_ruled(values, clue.target)
            .unwrap_or_else(|| unreachable!("the referee has no rule for `{other}`")),
    }
}

/// [`makes`] for the operators of two cells.
fn makes_of_two(symbol: &str, first: i128, second: i128, target: i128) -> bool {
    match symbol {
        "%" => first != 0 && second % first == target || second != 0 && first % second == target,
        "^" => power(first, second) == target || power(second, first) == target,
        "<" => first < second,
        ">" => second < first,
        _ => first + target != second && second + target != first,
    }
}

fn product(digits: &[i128]) -> i128 {
    let mut product = 1_i128;
    for digit in digits {
        product = product.saturating_mul(*digit);
    }
    product
}

/// The base as often as the exponent says; 0 to the power of 0 is 1.
fn power(base: i128, exponent: i128) -> i128 {
    product(&vec![base; exponent as usize])
}

/// Says whether one of the digits is the target and all the others added up.
fn differs(digits: &[i128], target: i128) -> bool {
    let sum: i128 = digits.iter().sum();
    digits.iter().any(|first| *first == target + (sum - first))
}

/// Says whether one of the digits divided by the product of all the others is the target, exactly.
fn divides(digits: &[i128], target: i128) -> bool {
    for (index, first) in digits.iter().enumerate() {
        let divisor = product(&[&digits[..index], &digits[index + 1..]].concat());
        if divisor != 0 && first % divisor == 0 && first / divisor == target {
            return true;
        }
    }
    false
}

/// The largest number that divides all; 0 of zeros, which every number divides.
fn greatest_divisor(digits: &[i128]) -> i128 {
    let mut divisor = digits.iter().copied().max().unwrap_or(0);
    while divisor > 0 && digits.iter().any(|digit| digit % divisor != 0) {
        divisor -= 1;
    }
    divisor
}

/// The product of every prime to the highest power that divides one of the digits; 0 when one is 0.
fn least_multiple(digits: &[i128]) -> i128 {
    if digits.contains(&0) {
        return 0;
    }
    let mut multiple = 1_i128;
    // A larger prime divides none of them.
    for prime in 2..=digits.iter().copied().max().unwrap_or(1) {
        if (2..prime).any(|divisor| prime % divisor == 0) {
            continue;
        }
        let mut power = 1;
        // The highest power that divides one of them.
        while digits.iter().any(|digit| digit % (power * prime) == 0) {
            power *= prime;
        }
        multiple = multiple.saturating_mul(power);
    }
    multiple
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::puzzle::operators;

    proptest! {
        /// Includes targets that the digits make, which random targets rarely are.
        #[test]
        fn operators_hold_by_the_words_of_their_rules(
            digits in prop_oneof![prop::collection::vec(0u8..=12, 1..6), prop::collection::vec(any::<u8>(), 1..4)],
            target in 0i64..200,
        ) {
            let fits = |operator: &operators::Operator| operator.cells.contains(&digits.len());
            for operator in operators::TABLE.iter().filter(fits) {
                for target in (0..=50).chain([target]).chain(made(&digits)) {
                    let clue = Clue { operator, target };
                    prop_assert_eq!(clue.holds(&digits), makes(clue, &digits), "{} of {:?}", clue, digits);
                }
            }
        }
    }

    /// Numbers that an operator may make of the digits, and their neighbours.
    fn made(digits: &[u8]) -> Vec<i64> {
        let wide: Vec<i128> = digits.iter().map(|digit| i128::from(*digit)).collect();
        let (sum, product): (i128, i128) = (wide.iter().sum(), wide.iter().product());
        let power = wide[0].saturating_pow(wide[wide.len() - 1] as u32);
        let values =
            [sum, product, power, least_multiple(&wide), greatest_divisor(&wide), sum / wide.len() as i128];
        let near = |value: i128| [value.saturating_sub(1), value, value.saturating_add(1)];
        values
            .into_iter()
            .flat_map(near)
            .filter_map(|value| i64::try_from(value).ok())
            .filter(|value| *value >= 0)
            .collect()
    }

    #[test]
    fn the_referee_has_a_rule_for_every_operator() {
        let rules: [(&str, &[u8], i64, i64); 13] = [
            ("+", &[1, 2, 3], 6, 5),
            ("*", &[2, 2, 3], 12, 7),
            ("-", &[2, 7, 1], 4, 6),
            ("/", &[2, 12, 3], 2, 4),
            ("?", &[2, 6], 3, 5),
            ("%", &[3, 8], 2, 1),
            ("^", &[2, 3], 9, 6),
            ("min", &[4, 2, 3], 2, 3),
            ("max", &[4, 2, 3], 4, 3),
            ("gcd", &[12, 0, 18], 6, 3),
            ("lcm", &[8, 9, 6], 72, 144),
            ("mean", &[1, 2, 6], 3, 2),
            ("!-", &[5, 2], 2, 3),
        ];
        let judged =
            |symbol: &str| ["=", "<", ">"].contains(&symbol) || rules.iter().any(|rule| rule.0 == symbol);
        assert!(operators::TABLE.iter().all(|operator| judged(operator.symbol)));
        for (symbol, digits, right, wrong) in rules {
            let operator = operators::find(symbol).expect("a known operator");
            assert!(makes(Clue { operator, target: right }, digits), "{symbol}");
            assert!(!makes(Clue { operator, target: wrong }, digits), "{symbol}");
        }
        for (symbol, right, wrong) in [("<", [2, 3], [3, 2]), (">", [3, 2], [2, 2])] {
            let clue = Clue { operator: operators::find(symbol).expect("a known operator"), target: 0 };
            assert!(makes(clue, &right) && !makes(clue, &wrong), "{symbol}");
        }
        let power = operators::find("^").expect("a known operator");
        assert!(makes(Clue { operator: power, target: 1 }, &[0, 0]), "0 to the power of 0 is 1");
    }

    #[test]
    fn a_sum_over_many_digits_takes_one_pass() {
        let operator = operators::find("+").expect("a known operator");
        let digits = vec![9; 60_000];
        assert!(makes(Clue { operator, target: 540_000 }, &digits));
        assert!(!makes(Clue { operator, target: 540_001 }, &digits));
    }
}
