//! Kakuro: a random pattern of black cells, filled with digits whose sums have no other solution (`steer.rs`).
//!
//! ```text
//! draw a pattern; fill it at random, no digit twice in an entry
//! while there is another solution
//!     where the two differ, replace a digit by another, or exchange two of an entry; of several such changes
//!     take the one after which propagation leaves the fewest candidates
//! ```
//!
//! Each change of a digit changes the two sums that it is in.

mod pattern;

use std::cmp::Reverse;

use kenga_core::problem::Problem;
use kenga_core::puzzle::{Entry as Run, Grid, Kakuro as Parts, Puzzle};
use kenga_core::rng::RunRng;
use kenga_core::solver::propagate;
use kenga_core::spec::{Member, Param, Spec, SpecError};

use super::fill::Fill;
use super::order::{AVOID, DIFFICULTY, MAX_SOLUTIONS, REQUIRE, Wish};
use super::outlines::{SYMMETRY, Symmetry};
use super::steer::{Flaws, PuzzleDraft, Steered, Steering, differing};
use super::{Entry, Shortfall, conflict};
use pattern::Pattern;

/// Digits: 1 to 9.
const DIGITS: u32 = 9;

/// Changes of which the best is taken.
const CHOICES: usize = 8;

/// Steps of filling a pattern, for each cell.
const STEPS: usize = 20;

pub(super) static ENTRY: Entry = Member::new("kakuro")
    .about("a Kakuro with one solution: sums of different digits among black cells")
    .params(&[
        Param::integer("rows", 3..=30, 9).about("rows, the first of them black"),
        Param::integer("cols", 3..=30, 9).about("columns, the first of them black"),
        Param::real("black", 0.0..=0.6, 0.35).about("share of black cells off the first row and column"),
        SYMMETRY,
        MAX_SOLUTIONS,
        DIFFICULTY,
        REQUIRE,
        AVOID,
    ])
    .build(|spec| {
        let size = format!("{}x{}", spec.integer("rows"), spec.integer("cols"));
        Box::new(Steered::new(spec, &size, |_, symmetry| rules(spec, symmetry), make))
    });

/// What the pattern of an order may be.
struct KakuroRules {
    rows: usize,
    cols: usize,
    black: f64,
    /// Of the grid without its first row and column: see [`Symmetry::orbits`].
    orbits: Vec<Vec<u16>>,
}

fn rules(spec: &Spec, symmetry: Symmetry) -> Result<KakuroRules, SpecError> {
    let (rows, cols) = (spec.size("rows"), spec.size("cols"));
    symmetry.check(rows, cols)?;
    // Of two white cells side by side neither can be black: the other would be an entry of one cell.
    if rows.min(cols) == 3 && rows.max(cols) > DIGITS as usize + 1 {
        let message = format!("in a Kakuro of {rows} x {cols} some entries have more than {DIGITS} cells");
        return Err(conflict(
            message,
            "ask for 4 or more rows and columns: there black cells divide long entries",
        ));
    }
    Ok(KakuroRules { rows, cols, black: spec.real("black"), orbits: symmetry.orbits(rows - 1, cols - 1) })
}

fn make(rules: &KakuroRules, steering: Steering<'_>) -> Result<Puzzle, Shortfall> {
    steering.run(&|rng: &mut RunRng| KakuroDraft::begin(rules, rng))
}

/// A pattern with a digit in every white cell.
#[derive(Clone)]
struct KakuroDraft {
    pattern: Pattern,
    /// The place in the pattern of every white cell.
    places: Vec<usize>,
    /// The white cells of every entry.
    entries: Vec<Vec<u16>>,
    /// For every white cell, its entries: across, down.
    entries_of: Vec<[u16; 2]>,
    /// The digit of every white cell.
    digits: Vec<u8>,
}

impl KakuroDraft {
    /// A random draft; none where the pattern or the digits did not come about.
    fn begin(rules: &KakuroRules, rng: &mut RunRng) -> Option<Self> {
        let pattern = Pattern::draw(rules, rng)?;
        let mut places = Vec::new();
        // The number of every cell among the white ones.
        let mut numbers = vec![0; pattern.is_black.len()];
        for (place, is_black) in pattern.is_black.iter().enumerate() {
            if !is_black {
                numbers[place] = places.len() as u16;
                places.push(place);
            }
        }
        let mut entries: Vec<Vec<u16>> = Vec::new();
        let mut entries_of = vec![[u16::MAX; 2]; places.len()];
        for entry in pattern.entries() {
            let cells: Vec<u16> = entry.iter().map(|place| numbers[*place]).collect();
            for cell in &cells {
                // Those across come first.
                let [across, down] = &mut entries_of[usize::from(*cell)];
                *(if *across == u16::MAX { across } else { down }) = entries.len() as u16;
            }
            entries.push(cells);
        }
        let digits = vec![0; places.len()];
        let mut draft = Self { pattern, places, entries, entries_of, digits };
        let mut steps = STEPS * draft.digits.len();
        draft.fill(rng, &mut steps).then_some(draft)
    }

    /// Another digit in one of some cells, or an exchange with another cell of an entry; none where what was drawn cannot be.
    fn changed(&self, near: &[u16], rng: &mut RunRng) -> Option<Self> {
        let cell = usize::from(near[rng.below(near.len())]);
        let mut next = self.clone();
        if rng.coin(0.7) {
            let others = self.left(cell) & !(1 << (self.digits[cell] - 1));
            if others == 0 {
                return None;
            }
            next.digits[cell] = rng.member(others) + 1;
            return Some(next);
        }
        // An exchange within an entry keeps its sum, and changes the two that cross it.
        let entry = &self.entries[usize::from(self.entries_of[cell][rng.below(2)])];
        let other = usize::from(entry[rng.below(entry.len())]);
        next.digits.swap(cell, other);
        (cell != other && next.is_free(cell) && next.is_free(other)).then_some(next)
    }

    /// Says whether the digit of a cell stands nowhere else in its entries.
    fn is_free(&self, cell: usize) -> bool {
        self.left(cell) >> (self.digits[cell] - 1) & 1 == 1
    }

    /// Takes of several changes near some cells the one after which propagation leaves the fewest candidates, or the most for a
    /// puzzle that is to be harder; says whether there was one.
    fn take_best(&mut self, near: &[u16], wish: Wish, rng: &mut RunRng) -> bool {
        let mut drafts = Vec::new();
        for _ in 0..CHOICES {
            drafts.extend(self.changed(near, rng));
        }
        let mut drafts = drafts.into_iter();
        // Of equals the first.
        let best = match wish {
            Wish::Tighter | Wish::Smaller => drafts.min_by_key(Self::openness),
            Wish::Looser => drafts.min_by_key(|draft| Reverse(draft.openness())),
            Wish::Other => drafts.next(),
        };
        let Some(best) = best else { return false };
        *self = best;
        true
    }

    /// The candidates that propagation leaves.
    fn openness(&self) -> u32 {
        propagate(&Problem::compile(&self.puzzle())).candidates()
    }
}

impl Fill for KakuroDraft {
    fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The digits that a cell may have beside those of its entries, its own included; bit 0 for digit 1.
    fn left(&self, cell: usize) -> u32 {
        let mut left = (1 << DIGITS) - 1;
        for entry in self.entries_of[cell] {
            for other in &self.entries[usize::from(entry)] {
                let (other, digit) = (usize::from(*other), self.digits[usize::from(*other)]);
                if other != cell && digit > 0 {
                    left &= !(1 << (digit - 1));
                }
            }
        }
        left
    }

    fn put(&mut self, cell: usize, digit: u8) {
        self.digits[cell] = digit;
    }
}

impl PuzzleDraft for KakuroDraft {
    const NOT_BEGUN: &'static str = "no pattern of black cells could be drawn and filled";

    /// Long entries make every change a search of its own.
    fn tries(&self) -> u32 {
        4 * self.places.len().div_ceil(100) as u32
    }

    fn puzzle(&self) -> Puzzle {
        let (rows, cols) = (self.pattern.rows, self.pattern.cols);
        let mut runs = Vec::new();
        for entry in &self.entries {
            let mut run = Run { target: 0, cells: Vec::new() };
            for cell in entry {
                let place = self.places[usize::from(*cell)];
                run.target += i64::from(self.digits[usize::from(*cell)]);
                run.cells.push((place / cols, place % cols));
            }
            runs.push(run);
        }
        let mut puzzle = Parts::new((rows, cols), runs).build().expect("a sound pattern");
        let mut solution = Grid::empty(rows, cols);
        for (place, digit) in self.places.iter().zip(&self.digits) {
            solution.set(*place, Some(*digit));
        }
        puzzle.solution = Some(solution);
        puzzle
    }

    fn solution(&self) -> &[u8] {
        &self.digits
    }

    fn change(&mut self, near: &[u16], wish: Wish, rng: &mut RunRng) -> bool {
        let all: Vec<u16> = (0..self.digits.len() as u16).collect();
        self.take_best(if near.is_empty() { &all } else { near }, wish, rng)
    }

    fn exclude(&mut self, others: &[Vec<u8>], rng: &mut RunRng) -> bool {
        let Some(last) = others.last() else { return true };
        let near = differing(last, &self.digits);
        near.is_empty() || self.take_best(&near, Wish::Tighter, rng)
    }

    fn flaws(&self) -> Flaws {
        Flaws::default()
    }

    fn parts(&self) -> Vec<Vec<u16>> {
        self.entries.clone()
    }
}

#[cfg(test)]
mod tests {
    use crate::Series;
    use crate::generators::tests::order;
    use kenga_core::spec::{SpecError, Value};

    fn series(values: &[(&str, Value)]) -> Result<Series, SpecError> {
        Series::new(&order("kakuro", values), 5, 1)
    }

    #[test]
    fn entries_that_no_black_cell_can_divide_are_refused() {
        let error = series(&[("rows", Value::Integer(30)), ("cols", Value::Integer(3))]).err();
        let message = error.expect("29 cells are too long").to_string();
        assert_eq!(message, "in a Kakuro of 30 x 3 some entries have more than 9 cells");
        assert!(series(&[("rows", Value::Integer(10)), ("cols", Value::Integer(3))]).is_ok());
    }
}
