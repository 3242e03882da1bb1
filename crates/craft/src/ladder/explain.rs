//! Every step to the end of a puzzle, in the puzzle's own cells and digits.

use super::{Candidates, Climb, End, Frame, MOST_WITHOUT_TRIALS, Score, Step, Technique};
use kenga_core::budget::Interrupt;
use kenga_core::problem::{LostCandidates, Problem, bits};
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::{Limits, Status, solve};

/// A step in the puzzle's own terms: cells are row-major indices of its grid, digits are as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The technique, with its score.
    pub technique: &'static Technique,
    /// The round, from 1: what a technique shows at once is of one round.
    pub round: u32,
    /// The cell that is filled in and its digit, if one is.
    pub fills: Option<(usize, u8)>,
    /// The cells that lose candidates, and which, without those that a filled cell takes from others.
    pub removes: Vec<(usize, Vec<u8>)>,
    /// The cells whose candidates the step rests on.
    pub cells: Vec<usize>,
    /// The groups whose rules it rests on, as indices into [`Puzzle::groups`]: with the candidates before it, they imply it.
    pub groups: Vec<usize>,
    /// What changes and why, in a sentence: `D1 is 3: it is given`.
    pub words: String,
}

impl Step {
    /// The step in the puzzle's own terms.
    pub fn explanation(&self, problem: &Problem) -> Explanation {
        let place = |cell: u16| problem.place(usize::from(cell));
        let digit = |rank: u32| problem.values()[rank as usize];
        let mut removes = Vec::new();
        for LostCandidates { cell, ranks } in &self.removes {
            removes.push((place(*cell), bits(*ranks).map(digit).collect()));
        }
        Explanation {
            technique: self.technique,
            round: self.round,
            fills: self.fills.map(|fill| (place(fill.cell), digit(fill.rank))),
            removes,
            cells: self.cells.iter().map(|cell| place(*cell)).collect(),
            groups: self.groups.clone(),
            words: self.words.clone(),
        }
    }
}

/// Solves a puzzle as a person does with the techniques up to a score, and shows each step when it is found.
///
/// Returns how that ended, and what the exact solver says of the number of solutions within 100,000 decisions. Where it finds none
/// or a second one, nothing is tried out: trials would not end. An interrupt leaves the puzzle stuck.
///
/// ```
/// use kenga_core::budget::Interrupt;
/// use kenga_craft::ladder::{End, Tier, explain};
/// use kenga_core::problem::Problem;
/// use kenga_core::puzzle::formats;
///
/// let puzzle = formats::read("tour", b"4:b_a4_a_6aa,m8s1a6s1m4a3d2").remove(0)?;
/// let mut words = Vec::new();
/// let most = Tier::Normal.most();
/// let (end, _) = explain(&puzzle, &Problem::compile(&puzzle), most, &Interrupt::default(), &mut |step| {
///     words.push(step.words);
/// });
/// assert_eq!(end, End::Solved);
/// assert_eq!(words[0], "D1 is 3: it is given");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(
    puzzle: &Puzzle,
    problem: &Problem,
    ceiling: Score,
    interrupt: &Interrupt,
    on_step: &mut dyn FnMut(Explanation),
) -> (End, Status) {
    let frame = Frame::new(puzzle, problem).interruptible(interrupt);
    let (mut climb, status) = Climb::explaining(&frame, ceiling, interrupt);
    let end = climb.run(&mut |_, step| on_step(step.explanation(problem)));
    (end, status)
}

impl<'a> Climb<'a> {
    /// A climb with reasons from the puzzle as given, and what the exact solver says of the number of solutions.
    pub fn explaining(frame: &'a Frame<'a>, ceiling: Score, interrupt: &Interrupt) -> (Self, Status) {
        let status = count(frame.problem, None, interrupt);
        (Self::new(Candidates::new(frame), bounded(ceiling, status)).speaking(), status)
    }
}

/// Decisions of the solver for the question how many solutions there are.
const NODES: u64 = 100_000;

/// Whether there is no solution, one, or more than one, as far as the exact solver can tell soon.
pub(super) fn count(problem: &Problem, seconds: Option<f64>, interrupt: &Interrupt) -> Status {
    let limits = Limits { nodes: Some(NODES), seconds, ..Limits::default() };
    solve(problem, &limits, interrupt, &mut |_| ()).status
}

/// The ceiling without trials where these would not end: there is no solution or a second one.
pub(super) fn bounded(ceiling: Score, status: Status) -> Score {
    match status {
        Status::Multiple | Status::Unsolvable => ceiling.min(MOST_WITHOUT_TRIALS),
        Status::Unique | Status::Solved | Status::Undecided => ceiling,
    }
}
