//! The next thing to see in a puzzle that is partly filled in.

use super::{Candidates, Climb, End, Explanation, Frame, MOST_WITHOUT_TRIALS, Score, Step};
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::{Grid, Puzzle, check};
use kenga_core::solver::{Limits, Status, solve};
use kenga_core::text::{enumeration, joined};

/// What helps with a partly filled grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// This cell, a row-major index, holds a digit that the only solution, or the puzzle, does not have there; the first such cell.
    Mistake(usize),
    /// The digits contradict each other or a clue.
    Contradiction,
    /// The puzzle has no solution.
    Unsolvable,
    /// Every cell is filled in, rightly.
    Solved,
    /// The steps to the next digit, without those that it does not rest on; the last fills a cell.
    Steps(Vec<Explanation>),
    /// No technique finds a further step: there are several solutions, the puzzle is beyond the ladder, or the interrupt was raised.
    Beyond,
}

impl Hint {
    /// The word in results.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Mistake(_) => "mistake",
            Self::Contradiction => "contradiction",
            Self::Unsolvable => "unsolvable",
            Self::Solved => "solved",
            Self::Steps(_) => "step",
            Self::Beyond => "beyond",
        }
    }

    /// As little as helps, in a line: the row of a mistake; where to look, and what for.
    pub fn nudge(&self, puzzle: &Puzzle) -> String {
        match self {
            Self::Mistake(cell) => format!("row {} has a mistake", Puzzle::row_name(cell / puzzle.cols())),
            Self::Steps(steps) => nudge(puzzle, steps),
            _ => self.words(puzzle),
        }
    }

    /// All of it, a line a step.
    pub fn words(&self, puzzle: &Puzzle) -> String {
        let words = match self {
            Self::Mistake(cell) => return format!("{} is wrong", puzzle.cell_name(*cell)),
            Self::Steps(steps) => {
                return joined(steps.iter().map(|step| step.words.as_str()), "\n");
            }
            Self::Contradiction => "the digits contradict each other or a clue",
            Self::Unsolvable => "the puzzle has no solution",
            Self::Solved => "the grid is solved",
            Self::Beyond => "no technique finds a further step: there may be several solutions",
        };
        words.to_owned()
    }
}

/// Where to look for the hardest of the steps, and for what.
fn nudge(puzzle: &Puzzle, steps: &[Explanation]) -> String {
    let hardest = steps.iter().max_by_key(|step| step.technique.score).expect("a hint has a step");
    if let (Some((cell, digit)), Some(group)) = (hardest.fills, hardest.groups.first())
        && puzzle.groups()[*group].cells.len() == 1
    {
        return format!("{} is given: write {digit}", puzzle.cell_name(cell));
    }
    let mut places = Vec::new();
    for group in hardest.groups.iter().take(2) {
        places.push(puzzle.group_name(&puzzle.groups()[*group]));
    }
    // Trials and single cells name no group of their own.
    if places.is_empty() {
        places = hardest.cells.iter().map(|cell| puzzle.cell_name(*cell)).collect();
    }
    format!("look at {}: {}", enumeration(places), hardest.technique.about)
}

/// Decisions of the solver for the question whether there is one solution.
const NODES: u64 = 1_000_000;

/// The digits that cells may have by the digits in a grid and those that the puzzle prints alone: masks of ranks, one for each
/// cell of the problem.
///
/// # Panics
/// When the grid has another shape than the puzzle.
pub fn pencil_marks(puzzle: &Puzzle, problem: &Problem, grid: &Grid) -> Vec<u32> {
    let (mut grid, printed) = (grid.clone(), puzzle.given_grid());
    for cell in 0..grid.cells().len() {
        // What the puzzle prints stands, whatever the grid has in its place.
        if let Some(digit) = printed.get(cell) {
            grid.set(cell, Some(digit));
        }
    }
    filled(&Frame::new(puzzle, problem), &grid).masks().to_vec()
}

/// The next hint for a grid.
///
/// The exact solver looks for a second solution first, with 1,000,000 decisions at most: a digit is called a mistake, and something is
/// tried out, only where it is known that there is none.
///
/// # Panics
/// When the grid has another shape than the puzzle.
pub fn hint(puzzle: &Puzzle, problem: &Problem, grid: &Grid, interrupt: &Interrupt) -> Hint {
    if let Some(cell) = check(puzzle, grid).foreign.first() {
        return Hint::Mistake(*cell);
    }
    match next_steps(puzzle, problem, grid, interrupt) {
        Ok(steps) => Hint::Steps(steps.iter().map(|step| step.explanation(problem)).collect()),
        Err(hint) => hint,
    }
}

/// The steps to the next digit.
///
/// # Errors
/// The hint where there are none.
pub(super) fn next_steps(
    puzzle: &Puzzle,
    problem: &Problem,
    grid: &Grid,
    interrupt: &Interrupt,
) -> Result<Vec<Step>, Hint> {
    let mut solutions = Vec::new();
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let status = solve(problem, &limits, interrupt, &mut |ranks| solutions.push(problem.grid(ranks))).status;
    // Nothing can be said of a single digit then.
    if status == Status::Unsolvable {
        return Err(Hint::Unsolvable);
    }
    // Trials would not end where there is a second solution.
    let ceiling = if status == Status::Unique { Score(u16::MAX) } else { MOST_WITHOUT_TRIALS };
    if status == Status::Unique
        && let Some(cell) = mistake(&solutions[0], grid)
    {
        return Err(Hint::Mistake(cell));
    }
    let frame = Frame::new(puzzle, problem).interruptible(interrupt);
    let candidates = filled(&frame, grid);
    let mut steps: Vec<Step> = Vec::new();
    let mut climb = Climb::new(candidates, ceiling).speaking();
    loop {
        match climb.advance(&mut |_, step| steps.push(step.clone())) {
            Some(End::Solved) if steps.is_empty() => return Err(Hint::Solved),
            Some(End::Refuted) => return Err(Hint::Contradiction),
            Some(End::Stuck) => return Err(Hint::Beyond),
            _ => {}
        }
        // Further digits of the same round are no part of the hint.
        if let Some(last) = steps.iter().position(|step| step.fills.is_some()) {
            steps.truncate(last + 1);
            return Ok(needed(steps));
        }
    }
}

/// The candidates with the digits of a grid filled in.
pub(super) fn filled<'a>(frame: &'a Frame<'a>, grid: &Grid) -> Candidates<'a> {
    let mut candidates = Candidates::new(frame);
    for cell in 0..frame.problem.cells() {
        if let Some(digit) = grid.get(frame.problem.place(cell))
            && let Some(rank) = frame.puzzle.digits().rank(digit)
        {
            candidates.fill(cell as u16, u32::from(rank));
        }
    }
    candidates.refresh();
    candidates
}

/// The first cell whose digit differs from a solution.
fn mistake(solution: &Grid, grid: &Grid) -> Option<usize> {
    (0..grid.cells().len()).find(|cell| grid.get(*cell).is_some() && grid.get(*cell) != solution.get(*cell))
}

/// The steps that the last one rests on, going back: those that took a candidate from a cell that a later one rests on. What tries
/// something out may rest on any candidate, and so on all steps before.
fn needed(steps: Vec<Step>) -> Vec<Step> {
    let mut cells: Vec<u16> = Vec::new();
    let mut rests_on_all = false;
    let mut needed: Vec<Step> = Vec::new();
    for step in steps.into_iter().rev() {
        // Backwards: what a step rests on is known before the steps that gave it.
        let touches = step.removes.iter().any(|lost| cells.contains(&lost.cell));
        if needed.is_empty() || touches || rests_on_all {
            rests_on_all |= step.score() > MOST_WITHOUT_TRIALS;
            cells.extend(&step.cells);
            cells.extend(step.fills.map(|fill| fill.cell));
            needed.push(step);
        }
    }
    needed.reverse();
    needed
}
