//! The ladder: a puzzle solved as a person does, technique by technique, the cheapest first.
//!
//! ```text
//! until every cell is filled in
//!     for every technique, by ascending score
//!         steps = all that it concludes from the candidates
//!         if there are any: take them, and begin again with the cheapest
//!     no technique concludes anything: the puzzle is beyond the ladder
//! ```
//!
//! A technique looks at candidates alone, as a person does who keeps pencil marks. What it concludes follows from the rules
//! that the step names and the candidates before it; [`verify`] has the exact solver check that.
//!
//! **Invariant**: a climb draws nothing and depends on nothing but the puzzle: grades are facts of a puzzle, and generators look for
//! them. `techniques/mod.rs` says what a new technique must do.
//!
//! The order of the techniques follows Keen by S. Tatham (Simon Tatham's Portable Puzzle Collection), so that its five tiers
//! are those of the ladder; scores in the manner of Sudoku Explainer by N. Juillerat (2007).

mod candidates;
mod explain;
mod frame;
mod grade;
mod hint;
mod step;
mod techniques;
#[cfg(test)]
mod tests;
mod tuples;

use std::fmt;

use kenga_core::problem::LostCandidates;
use kenga_core::table::Entry;

use candidates::OpenCage;
pub use explain::{Explanation, explain};
pub use grade::{Grade, Tier, grade};
pub use hint::{Hint, hint};
pub(crate) use step::{FoundSteps, StepReason};
pub use step::{Placement, Step};
// The program, and tests of the ladder, look inside with these; their names may change.
use tuples::{digits_at, digits_by_cell};
#[doc(hidden)]
pub use {
    candidates::Candidates,
    frame::{Frame, TimeLimit},
    grade::grade_within,
    hint::pencil_marks,
    step::verify,
    techniques::{MOST_WITHOUT_TRIALS, TECHNIQUES},
};

/// How hard a step is, in tenths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(pub u16);

impl Score {
    /// The score as a number, 2.5.
    pub fn number(self) -> f64 {
        f64::from(self.0) / 10.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// A way to conclude something.
pub struct Technique {
    /// The name, as in `--require`.
    pub name: &'static str,
    /// What it concludes, in a sentence.
    pub about: &'static str,
    /// Where it was described.
    pub source: &'static str,
    /// Before and after, drawn in characters.
    pub picture: &'static str,
    /// How hard it is.
    pub score: Score,
    /// It concludes from clues over two or more cells: it finds nothing in a Sudoku.
    pub of_cages: bool,
    /// Finds what it concludes from candidates.
    find: fn(&Candidates<'_>, &mut FoundSteps),
}

impl Entry for Technique {
    const EXPECTED: &'static str = "of lower-case letters, digits and `_`, a letter first";

    fn name(&self) -> &'static str {
        self.name
    }
}

/// Techniques are equal when they have the same name: the names of a table are distinct.
impl PartialEq for Technique {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Technique {}

impl fmt::Debug for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// How a climb ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every cell is filled in: there is one solution.
    Solved,
    /// No technique up to the ceiling concludes anything more.
    Stuck,
    /// There is no solution.
    Refuted,
}

impl End {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Stuck => "stuck",
            Self::Refuted => "refuted",
        }
    }
}

/// A climb of the ladder: candidates, and what was needed so far.
pub struct Climb<'a> {
    /// The candidates after the steps so far.
    pub candidates: Candidates<'a>,
    /// The techniques with a score of at most this are used.
    pub(crate) ceiling: Score,
    /// Steps say their reasons.
    speaks: bool,
    /// The rounds so far: how often a technique was found to apply.
    rounds: u32,
}

impl<'a> Climb<'a> {
    /// A climb from candidates, with techniques up to a score.
    pub fn new(candidates: Candidates<'a>, ceiling: Score) -> Self {
        Self { candidates, ceiling, speaks: false, rounds: 0 }
    }

    /// The same with reasons in words.
    #[must_use]
    fn speaking(self) -> Self {
        Self { speaks: true, ..self }
    }

    /// Climbs to the end, and shows each step with the candidates before it.
    pub fn run(&mut self, on_step: &mut dyn FnMut(&Candidates<'a>, &Step)) -> End {
        loop {
            if let Some(end) = self.advance(on_step) {
                return end;
            }
        }
    }

    /// Climbs one round; says how the climb has ended where it has. An interrupt leaves it stuck.
    pub fn advance(&mut self, on_step: &mut dyn FnMut(&Candidates<'a>, &Step)) -> Option<End> {
        if self.candidates.is_refuted() {
            Some(End::Refuted)
        } else if self.candidates.is_solved() {
            Some(End::Solved)
        } else if !self.candidates.frame.is_interrupted() && self.round(on_step) {
            None
        } else {
            Some(End::Stuck)
        }
    }

    /// Takes the steps of the cheapest technique that applies; false when none does.
    fn round(&mut self, on_step: &mut dyn FnMut(&Candidates<'a>, &Step)) -> bool {
        let Some(steps) = self.cheapest() else { return false };
        self.rounds += 1;
        for mut step in steps {
            // Steps before it in the round may have taken what it would: it says only what it adds.
            let candidates = &self.candidates;
            step.removes.retain_mut(|lost| candidates.restrict(lost));
            if step.removes.is_empty() && step.fills.is_none_or(|fill| candidates.is_filled(fill.cell)) {
                continue;
            }
            step.round = self.rounds;
            if self.speaks {
                step.words = step.sentence(&self.candidates);
            }
            on_step(&self.candidates, &step);
            self.take(&step);
        }
        self.candidates.refresh();
        true
    }

    fn take(&mut self, step: &Step) {
        if let Some(Placement { cell, rank }) = step.fills {
            self.candidates.fill(cell, rank);
        }
        for LostCandidates { cell, ranks } in &step.removes {
            self.candidates.remove(*cell, *ranks);
        }
        // Reasons speak of the combinations that are left at this very step.
        if self.speaks {
            self.candidates.refresh();
        }
    }

    /// What the cheapest technique that applies finds; nothing after an interrupt.
    fn cheapest(&self) -> Option<Vec<Step>> {
        for technique in TECHNIQUES.iter() {
            if technique.score > self.ceiling || self.candidates.frame.is_interrupted() {
                return None;
            }
            let mut found = FoundSteps::new(technique, self.speaks);
            (technique.find)(&self.candidates, &mut found);
            if !found.is_empty() {
                return Some(found.steps);
            }
        }
        None
    }
}
