//! Sudoku: a random grid, of which digits are given until it is the only solution (`steer.rs`).
//!
//! ```text
//! give a third of the cells, with their images under the symmetry
//! while there is another solution: give a cell in which it differs
//! ```
//!
//! Towards an order, cells are given, left open, or exchanged. It is a flaw if all digits of a row, a column or a box are given,
//! or more cells than were ordered.

use std::sync::Arc;

use kenga_core::puzzle::{Puzzle, Square};
use kenga_core::rng::RunRng;
use kenga_core::spec::{Member, Param, ParamKind, Spec, SpecError};

use super::fill::{lines_of, region_square};
use super::killer::boxes;
use super::order::{AVOID, DIFFICULTY, MAX_SOLUTIONS, MINIMAL, REQUIRE, Requirements, Wish};
use super::outlines::{SYMMETRY, Symmetry};
use super::steer::{Flaws, PuzzleDraft, Steered, Steering, differing, pick, switch_clues};
use super::{Entry, Shortfall, conflict, solved};

pub(super) static ENTRY: Entry = Member::new("sudoku")
    .about("a Sudoku with one solution")
    .params(&[
        Param::integer("size", 4..=25, 9).about("rows, columns and digits; no prime"),
        Param::optional("givens", ParamKind::Integer(0, 625)).about(
            "the most digits that are given; without it, about a third of the cells and what else is needed",
        ),
        SYMMETRY,
        MAX_SOLUTIONS,
        MINIMAL,
        DIFFICULTY,
        REQUIRE,
        AVOID,
    ])
    .build(|spec| {
        let size = spec.integer("size").to_string();
        Box::new(Steered::new(spec, &size, |order, symmetry| rules(order, spec, symmetry), make))
    });

/// What the givens of an order may be.
struct SudokuRules {
    size: usize,
    boxes: (usize, usize),
    /// For every cell, the cells that are given with it, itself included, ascending.
    orbits: Vec<Vec<u16>>,
    /// The most givens.
    most: usize,
}

/// The fewest givens of a 9x9 with one solution.
///
/// G. McGuire, B. Tugemann, G. Civario, "There is no 16-clue Sudoku", Experimental Mathematics 23, 2014,
/// doi:10.1080/10586458.2013.870056.
const FEWEST: usize = 17;

fn rules(order: &Requirements, spec: &Spec, symmetry: Symmetry) -> Result<SudokuRules, SpecError> {
    order.check_without_cages()?;
    let (size, is_unique) = (spec.size("size"), order.solutions == 1);
    let boxes = boxes(size, 25)?;
    let orbits = symmetry.orbits(size, size);
    let most = spec.size_or_absent("givens").unwrap_or(size * size);
    if is_unique && size == 9 && most < FEWEST {
        let message = format!("no Sudoku with {most} givens has one solution alone");
        return Err(conflict(message, format!("ask for {FEWEST} givens or more")));
    }
    // Two digits that stand nowhere could change places in every solution.
    if is_unique && most + 1 < size {
        let message = format!("{most} givens leave two digits out, which could be exchanged");
        return Err(conflict(message, format!("ask for {} givens or more", size - 1)));
    }
    Ok(SudokuRules { size, boxes, orbits, most })
}

fn make(rules: &SudokuRules, steering: Steering<'_>) -> Result<Puzzle, Shortfall> {
    steering.run(&|rng: &mut RunRng| Some(SudokuDraft::begin(rules, rng)))
}

/// A grid with the cells that are given.
#[derive(Clone)]
struct SudokuDraft<'a> {
    rules: &'a SudokuRules,
    solution: Arc<[u8]>,
    is_given: Vec<bool>,
}

impl<'a> SudokuDraft<'a> {
    fn begin(rules: &'a SudokuRules, rng: &mut RunRng) -> Self {
        let solution: Arc<[u8]> = region_square(rules.size, rules.boxes, rng).into();
        let mut draft = Self { rules, is_given: vec![false; solution.len()], solution };
        let wanted = rules.most.min(draft.solution.len() / 3);
        // A cell that is given already is drawn in vain; a symmetric one brings its images.
        while draft.givens() < wanted {
            draft.set(rng.below(draft.solution.len()) as u16, true);
        }
        draft
    }

    fn givens(&self) -> usize {
        self.is_given.iter().filter(|is_given| **is_given).count()
    }

    /// Gives a cell and its images, or leaves them open.
    fn set(&mut self, cell: u16, is_given: bool) {
        for image in &self.rules.orbits[usize::from(cell)] {
            self.is_given[usize::from(*image)] = is_given;
        }
    }

    /// Gives an open cell, or leaves a given one open, near some cells if it can; says whether there was one.
    fn switch(&mut self, near: &[u16], is_given: bool, rng: &mut RunRng) -> bool {
        let mut cells: Vec<u16> = (0..self.is_given.len() as u16).collect();
        cells.retain(|cell| self.is_given[usize::from(*cell)] != is_given);
        let Some(cell) = pick(cells, |cell| near.contains(cell), rng) else { return false };
        self.set(cell, is_given);
        true
    }
}

impl PuzzleDraft for SudokuDraft<'_> {
    fn puzzle(&self) -> Puzzle {
        let SudokuRules { size, boxes, .. } = *self.rules;
        let mut givens = Vec::new();
        for (cell, digit) in self.solution.iter().enumerate() {
            if self.is_given[cell] {
                givens.push((cell / size, cell % size, *digit));
            }
        }
        let puzzle = Square { givens, ..Square::sudoku(size, boxes) }.build().expect("a sound Sudoku");
        solved(puzzle, &self.solution)
    }

    fn solution(&self) -> &[u8] {
        &self.solution
    }

    fn change(&mut self, near: &[u16], wish: Wish, rng: &mut RunRng) -> bool {
        switch_clues(near, wish, |near, is_given| self.switch(near, is_given, rng))
    }

    fn exclude(&mut self, others: &[Vec<u8>], rng: &mut RunRng) -> bool {
        for other in others {
            let near = differing(other, &self.solution);
            // A given may rule it out already, also one that was added for another solution.
            if !near.iter().any(|cell| self.is_given[usize::from(*cell)]) {
                self.set(near[rng.below(near.len())], true);
            }
        }
        true
    }

    /// Rows, columns and boxes whose every digit is given, and givens beyond the most.
    fn flaws(&self) -> Flaws {
        let mut flaws = Flaws::default();
        let SudokuRules { size, boxes, most, .. } = *self.rules;
        let mut open = vec![0; 3 * size];
        for (cell, is_given) in self.is_given.iter().enumerate() {
            for line in lines_of(size, boxes, cell) {
                open[line] += usize::from(!is_given);
            }
        }
        // A line without an open cell leaves nothing to find in it.
        let full = open.iter().filter(|open| **open == 0).count();
        flaws.add(full, &[], "a row, column or box with every digit given");
        flaws.add(self.givens().saturating_sub(most), &[], "more givens than were ordered");
        Flaws { wish: Wish::Looser, ..flaws }
    }

    fn parts(&self) -> Vec<Vec<u16>> {
        let mut parts = Vec::new();
        for (cell, orbit) in self.rules.orbits.iter().enumerate() {
            // Every cell has its orbit: it counts at its first cell.
            if usize::from(orbit[0]) == cell && self.is_given[cell] {
                parts.push(orbit.clone());
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Series;
    use crate::generators::tests::order;
    use crate::ladder::TECHNIQUES;
    use crate::ladder::{Score, grade};
    use kenga_core::budget::Interrupt;
    use kenga_core::problem::Problem;
    use kenga_core::puzzle::Role;
    use kenga_core::solver::{Limits, Status, solve};
    use kenga_core::spec::Value;

    fn made(values: &[(&str, Value)]) -> Puzzle {
        let series = Series::new(&order("sudoku", values), 5, 1).expect("a sound order");
        series.make(0, &Interrupt::default()).expect("an order that can be met")
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn status(problem: &Problem) -> Status {
        solve(problem, &Limits::default(), &Interrupt::default(), &mut |_| ()).status
    }

    #[test]
    fn givens_are_symmetric_and_none_can_be_left_out_with_its_images() {
        let puzzle = made(&[
            ("size", Value::Integer(6)),
            ("symmetry", text("rotate")),
            ("minimal", Value::Flag(true)),
        ]);
        let problem = Problem::compile(&puzzle);
        assert_eq!(status(&problem), Status::Unique);
        let givens: Vec<usize> = problem.groups_with(Role::Given).collect();
        let cell = |group: usize| usize::from(problem.cells_of(group)[0]);
        for given in &givens {
            let image = 35 - cell(*given);
            assert!(givens.iter().any(|other| cell(*other) == image));
            let is_left = |other: &usize| other != given && cell(*other) != image;
            let left: Vec<usize> = givens.iter().copied().filter(is_left).collect();
            assert_eq!(status(&problem.with_only_clues(&left)), Status::Multiple);
        }
    }

    #[test]
    fn no_more_is_given_than_was_ordered() {
        let puzzle = made(&[("size", Value::Integer(6)), ("givens", Value::Integer(12))]);
        assert!(puzzle.groups_with(Role::Given).count() <= 12);
        assert_eq!(status(&Problem::compile(&puzzle)), Status::Unique);
    }

    #[test]
    fn orders_that_no_sudoku_meets_are_refused() {
        let refused = |key: &str, value: Value| {
            Series::new(&order("sudoku", &[(key, value)]), 5, 1).err().expect("a bad order").to_string()
        };
        assert_eq!(
            refused("difficulty", text("normal")),
            "no technique without cages that may be used has a score from 2.0 to 2.9"
        );
        let prime = refused("require", text("prime_placement"));
        assert!(prime.contains("prime_placement"), "{prime}");
        assert_eq!(refused("givens", Value::Integer(16)), "no Sudoku with 16 givens has one solution alone");
    }

    #[test]
    fn an_order_that_cannot_be_met_ends_within_its_effort() {
        let order = order("sudoku", &[("size", Value::Integer(4)), ("givens", Value::Integer(3))]);
        let series = Series::new(&order, 5, 1).expect("it is searched for");
        let shortfall = series.make(0, &Interrupt::default()).expect_err("three givens are too few");
        assert!((4000..4010).contains(&shortfall.tried), "{shortfall}");
        assert!(
            shortfall.to_string().ends_with("the nearest has more givens than were ordered"),
            "{shortfall}"
        );
    }

    #[test]
    fn techniques_of_cages_find_nothing_in_a_sudoku() {
        let puzzle = made(&[("difficulty", text("unreasonable"))]);
        let grade = grade(&puzzle, &Problem::compile(&puzzle), Score(u16::MAX), &Interrupt::default());
        assert_eq!(grade.end, crate::ladder::End::Solved);
        for (technique, _) in grade.techniques {
            assert!(!technique.of_cages, "{}", technique.name);
        }
    }

    #[test]
    fn techniques_are_required_and_avoided() {
        let used = |values: &[(&str, Value)]| {
            let puzzle = made(values);
            let grade = grade(&puzzle, &Problem::compile(&puzzle), Score(u16::MAX), &Interrupt::default());
            grade.techniques.iter().map(|(technique, _)| technique.name).collect::<Vec<_>>()
        };
        let size = ("size", Value::Integer(6));
        let name =
            TECHNIQUES.iter().map(|technique| technique.name).find(|name| name.contains("hidden_single"));
        let name = name.expect("a technique of Sudokus");
        assert!(used(&[size.clone(), ("require", text(name))]).contains(&name));
        let hard = TECHNIQUES.iter().map(|technique| technique.name).find(|name| name.contains("pair"));
        let hard = hard.expect("a technique on pairs");
        assert!(!used(&[size, ("avoid", text(hard))]).contains(&hard));
    }
}
