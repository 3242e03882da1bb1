//! What is written into the cells of a puzzle: its solution, candidates, the digits of a grid.

use miette::{Report, miette};

use super::ShownArgs;
use crate::cli::io::cells::read_grid;
use crate::cli::io::exit::{Exit, print_error, print_note};
use kenga_core::budget::Interrupt;
use kenga_core::problem::{Domains, Problem};
use kenga_core::puzzle::{Grid, Puzzle, check};
use kenga_core::solver::{Limits, Status, propagate, solve};
use kenga_craft::ladder::{End, Tier, grade};
use kenga_report::answers::own_digits;
use kenga_report::drawing::{Highlight, Marks};

/// Finds what is to be shown, and remembers what could not be found.
pub(super) struct ShownParts<'a> {
    args: &'a ShownArgs,
    interrupt: &'a Interrupt,
    exit: Exit,
}

impl<'a> ShownParts<'a> {
    pub(super) fn new(args: &'a ShownArgs, interrupt: &'a Interrupt) -> Self {
        Self { args, interrupt, exit: Exit::Done }
    }

    /// [`Exit::No`] when a puzzle has no solution, [`Exit::Undecided`] when none was found in time.
    pub(super) fn exit(&self) -> Exit {
        self.exit
    }

    /// What the options ask to be shown of a puzzle.
    ///
    /// # Errors
    /// A report when the grid cannot be read.
    pub(super) fn marks(&mut self, puzzle: &Puzzle) -> Result<Marks, Report> {
        let mut marks = Marks::new(puzzle);
        let grid = self.args.grid.as_deref().map(|grid| read_grid(grid, puzzle)).transpose()?;
        if let Some(grid) = &grid {
            // A picture has no place for digits that are not the puzzle's.
            own_digits(puzzle, grid)?;
            marks = marks.with_grid(grid);
        }
        if self.args.candidates {
            marks = marks.with_candidates(candidates(puzzle, grid.as_ref()));
        }
        if self.args.solution
            && let Some(solution) = self.solution(puzzle)
        {
            marks = match &grid {
                Some(grid) => {
                    wrong(grid, &solution).fold(marks, |marks, cell| marks.cell(cell, Highlight::Wrong))
                }
                None => marks.with_grid(&solution),
            };
        }
        self.marked(puzzle, marks)
    }

    /// The marks with the cells and digits that the options name.
    fn marked(&self, puzzle: &Puzzle, mut marks: Marks) -> Result<Marks, Report> {
        if let Some(list) = &self.args.mark {
            let cells = list.of("--mark", puzzle)?.into_iter();
            marks = cells.fold(marks, |marks, cell| marks.cell(cell, Highlight::Rests));
        }
        if let Some(list) = &self.args.place {
            for (cell, digit) in list.of("--place", puzzle)? {
                refuse_filled("--place", puzzle, &marks, cell, digit)?;
                marks = marks.with_digit(cell, digit).cell(cell, Highlight::Placed);
            }
        }
        if let Some(list) = &self.args.strike {
            for (cell, digit) in list.of("--strike", puzzle)? {
                refuse_filled("--strike", puzzle, &marks, cell, digit)?;
                marks = marks.candidate(cell, digit, Highlight::Removed);
            }
        }
        Ok(marks)
    }

    /// How hard a puzzle is for a person: its tier and score; `ungraded` where the techniques do not solve it.
    pub(super) fn grade(&self, puzzle: &Puzzle) -> String {
        let problem = Problem::compile(puzzle);
        let grade = grade(puzzle, &problem, Tier::Unreasonable.most(), self.interrupt);
        match grade.end {
            End::Solved => format!("{} {}", grade.tier().name(), grade.score),
            End::Stuck | End::Refuted => "ungraded".to_owned(),
        }
    }

    /// The solution alone.
    pub(super) fn answer(&mut self, puzzle: &Puzzle) -> Option<Marks> {
        self.solution(puzzle).map(|solution| Marks::new(puzzle).with_grid(&solution))
    }

    /// The solution that the puzzle brings, if it is one, else one that is searched for; says so when it is not the only one.
    fn solution(&mut self, puzzle: &Puzzle) -> Option<Grid> {
        if let Some(known) = puzzle.solution.as_ref().filter(|known| check(puzzle, known).is_solution()) {
            return Some(known.clone());
        }
        let problem = Problem::compile(puzzle);
        // A second solution is looked for, so that one of several is not shown as the only one.
        let limits = Limits { solutions: 2, nodes: Some(self.args.node_limit), ..Limits::default() };
        let mut found = None;
        let outcome = solve(&problem, &limits, self.interrupt, &mut |ranks| {
            found.get_or_insert_with(|| problem.grid(ranks));
        });
        match (outcome.status, found.is_some()) {
            (Status::Multiple, _) => {
                print_note(&format!("puzzle `{}` has several solutions; one of them is shown", puzzle.id));
            }
            (Status::Unsolvable, _) => {
                self.lacks(Exit::No, &miette!("puzzle `{}` has no solution", puzzle.id))
            }
            (Status::Undecided, false) if !self.interrupt.is_raised() => {
                let help = "allow more decisions with --node-limit";
                let nodes = outcome.nodes;
                let id = &puzzle.id;
                let report =
                    miette!(help = help, "puzzle `{id}`: no solution was found in {nodes} decisions");
                self.lacks(Exit::Undecided, &report);
            }
            _ => {}
        }
        found
    }

    fn lacks(&mut self, exit: Exit, report: &Report) {
        print_error(report);
        self.exit = self.exit.and(exit);
    }
}

/// # Errors
/// A report when the cell, which is to take a digit or a candidate, holds a digit.
fn refuse_filled(option: &str, puzzle: &Puzzle, marks: &Marks, cell: usize, digit: u8) -> Result<(), Report> {
    let Some((held, _)) = marks.all_digits(puzzle)[cell] else { return Ok(()) };
    let name = puzzle.cell_name(cell);
    Err(miette!("{option} {name}={digit}: {name} holds a {held} in puzzle `{}`", puzzle.id))
}

/// The cells in which a grid has another digit than the solution.
fn wrong(grid: &Grid, solution: &Grid) -> impl Iterator<Item = usize> {
    (0..grid.cells().len())
        .filter(|cell| grid.get(*cell).is_some_and(|digit| solution.get(*cell) != Some(digit)))
}

/// What propagation leaves of the candidates of each cell of the rectangle, given the digits of a grid.
fn candidates(puzzle: &Puzzle, grid: Option<&Grid>) -> Vec<u32> {
    let problem = Problem::compile(puzzle);
    let digit = |cell| grid.and_then(|grid| grid.get(problem.place(cell)));
    let mask = |cell| match digit(cell).and_then(|digit| puzzle.digits().rank(digit)) {
        Some(rank) => 1 << rank,
        None => problem.all_digits(),
    };
    // What the grid holds is taken as given, so that candidates follow from it.
    let problem = problem.restrict(&Domains((0..problem.cells()).map(mask).collect()));
    let mut masks = vec![0; puzzle.rows() * puzzle.cols()];
    for (cell, mask) in propagate(&problem).0.into_iter().enumerate() {
        masks[problem.place(cell)] = mask;
    }
    masks
}
