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

use crate::budget::Interrupt;
use crate::puzzle::{Grid, Puzzle, Square};
use crate::rng::RunRng;
use crate::spec::{Member, Param, ParamKind, Place, Spec, SpecError};

use super::killer::boxes;
use super::order::{AVOID, DIFFICULTY, MAX_SOLUTIONS, MINIMAL, Order, REQUIRE};
use super::region_square::region_square;
use super::steer::{Draft, Flaws, Steering, Wish};
use super::steered::Steered;
use super::symmetry::{SYMMETRY, Symmetry};
use super::{Entry, Shortfall};

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
        Box::new(Steered::new(spec, &size, |_, symmetry| rules(spec, symmetry), make))
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

fn rules(spec: &Spec, symmetry: Symmetry) -> Result<SudokuRules, SpecError> {
    let size = spec.size("size");
    let orbits = symmetry.orbits(size, size);
    let most = spec.size_or_absent("givens").unwrap_or(size * size);
    if most + 1 < size {
        return Err(SpecError::Conflict {
            message: format!("{most} givens leave two digits out, which could be exchanged"),
            help: format!("ask for {} givens or more", size - 1),
            place: Place::default(),
        });
    }
    Ok(SudokuRules { size, boxes: boxes(size)?, orbits, most })
}

fn make(
    order: &Order,
    rules: &SudokuRules,
    rng: &mut RunRng,
    interrupt: &Interrupt,
) -> Result<Puzzle, Shortfall> {
    let begin = |rng: &mut RunRng| Some(SudokuDraft::begin(rules, rng));
    Steering::new(order, rng, interrupt).run(begin).map(|draft| draft.puzzle())
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
        while draft.givens() < wanted {
            draft.turn(rng.below(draft.solution.len()) as u16, true);
        }
        draft
    }

    fn givens(&self) -> usize {
        self.is_given.iter().filter(|is_given| **is_given).count()
    }

    /// Gives a cell and its images, or leaves them open; says whether that changes anything.
    fn turn(&mut self, cell: u16, is_given: bool) -> bool {
        let orbit = &self.rules.orbits[usize::from(cell)];
        let changes = self.is_given[usize::from(cell)] != is_given;
        orbit.iter().for_each(|cell| self.is_given[usize::from(*cell)] = is_given);
        changes
    }

    /// A cell that is to be given, or one that is to be left open: one of some cells if they hold such a cell, else any.
    fn pick(&self, near: &[u16], is_given: bool, rng: &mut RunRng) -> Option<u16> {
        let fits = |cell: &u16| self.is_given[usize::from(*cell)] != is_given;
        let mut cells: Vec<u16> = near.iter().copied().filter(fits).collect();
        if cells.is_empty() {
            cells = (0..self.is_given.len() as u16).filter(fits).collect();
        }
        (!cells.is_empty()).then(|| cells[rng.below(cells.len())])
    }

    fn turn_any(&mut self, near: &[u16], is_given: bool, rng: &mut RunRng) -> bool {
        self.pick(near, is_given, rng).is_some_and(|cell| self.turn(cell, is_given))
    }
}

impl Draft for SudokuDraft<'_> {
    fn puzzle(&self) -> Puzzle {
        let SudokuRules { size, boxes, .. } = *self.rules;
        let given = |cell: &usize| self.is_given[*cell];
        let cells = (0..self.solution.len()).filter(given);
        let givens = cells.map(|cell| (cell / size, cell % size, self.solution[cell])).collect();
        let mut puzzle = Square { givens, ..Square::sudoku(size, boxes) }.build().expect("a sound Sudoku");
        let digits = self.solution.iter().copied().map(Some).collect();
        puzzle.solution = Some(Grid::from_cells(size, size, digits));
        puzzle
    }

    fn solution(&self) -> &[u8] {
        &self.solution
    }

    fn change(&mut self, near: &[u16], wish: Wish, rng: &mut RunRng) -> bool {
        match wish {
            Wish::Tighter | Wish::Smaller => self.turn_any(near, true, rng),
            Wish::Looser => self.turn_any(near, false, rng),
            Wish::Other => self.turn_any(near, false, rng) && self.turn_any(&[], true, rng),
        }
    }

    fn exclude(&mut self, others: &[Vec<u8>], rng: &mut RunRng) -> bool {
        let holds = |draft: &Self, other: &[u8]| {
            (0..other.len()).all(|cell| !draft.is_given[cell] || other[cell] == draft.solution[cell])
        };
        for other in others {
            if holds(self, other) {
                let differs = |cell: &u16| other[usize::from(*cell)] != self.solution[usize::from(*cell)];
                let near: Vec<u16> = (0..other.len() as u16).filter(differs).collect();
                self.turn(near[rng.below(near.len())], true);
            }
        }
        true
    }

    /// Rows, columns and boxes whose every digit is given, and givens beyond the most.
    fn flaws(&self) -> Flaws {
        let mut flaws = Flaws::default();
        let (size, (rows, cols)) = (self.rules.size, self.rules.boxes);
        let mut open = vec![0; 3 * size];
        for cell in (0..self.is_given.len()).filter(|cell| !self.is_given[*cell]) {
            let (row, column) = (cell / size, cell % size);
            [row, size + column, 2 * size + row / rows * rows + column / cols]
                .into_iter()
                .for_each(|line| open[line] += 1);
        }
        flaws.add(open.iter().filter(|open| **open == 0).count(), &[]);
        flaws.add(self.givens().saturating_sub(self.rules.most), &[]);
        Flaws { wish: Wish::Looser, ..flaws }
    }

    fn parts(&self) -> Vec<Vec<u16>> {
        let orbits = self.rules.orbits.iter().enumerate();
        let is_first = |cell: usize, orbit: &[u16]| usize::from(orbit[0]) == cell && self.is_given[cell];
        orbits.filter(|(cell, orbit)| is_first(*cell, orbit)).map(|(_, orbit)| orbit.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::craft::Series;
    use crate::craft::ladder::TECHNIQUES;
    use crate::craft::ladder::{Score, grade};
    use crate::problem::Problem;
    use crate::puzzle::Role;
    use crate::solver::{Limits, Status, solve};
    use crate::spec::{Named, Value};

    fn made(values: &[(&str, Value)]) -> Puzzle {
        let mut order = Spec::named("sudoku");
        values.iter().for_each(|(key, value)| order.set(Named::new(*key, value.clone(), Place::default())));
        let series = Series::new(&order, 5, 1).expect("a sound order");
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
    fn techniques_are_required_and_avoided() {
        let used = |values: &[(&str, Value)]| {
            let puzzle = made(values);
            let grade = grade(&puzzle, &Problem::compile(&puzzle), Score(u16::MAX));
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
