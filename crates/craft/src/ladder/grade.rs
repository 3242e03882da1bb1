//! How hard a puzzle is for a person.

use super::explain::{bounded, count};
use super::{Candidates, Climb, End, Frame, MOST_WITHOUT_TRIALS, Score, TECHNIQUES, Technique, TimeLimit};
use kenga_core::budget::Interrupt;
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::Status;

/// A range of scores with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Below 2.0.
    Easy,
    /// From 2.0.
    Normal,
    /// From 3.0.
    Hard,
    /// From 5.0.
    Extreme,
    /// From 6.0.
    Unreasonable,
}

impl Tier {
    /// Every tier, ascending.
    pub const ALL: [Self; 5] = [Self::Easy, Self::Normal, Self::Hard, Self::Extreme, Self::Unreasonable];

    /// The tier of a score.
    pub fn of(score: Score) -> Self {
        // Tiers ascend.
        let place = Self::ALL.partition_point(|tier| tier.least() <= score);
        Self::ALL[place - 1]
    }

    /// The least score of the tier.
    pub fn least(self) -> Score {
        Score(match self {
            Self::Easy => 0,
            Self::Normal => 20,
            Self::Hard => 30,
            Self::Extreme => 50,
            Self::Unreasonable => 60,
        })
    }

    /// The greatest score of the tier.
    pub fn most(self) -> Score {
        match Self::ALL.get(self as usize + 1) {
            Some(next) => Score(next.least().0 - 1),
            None => Score(u16::MAX),
        }
    }

    /// What it needs, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Self::Easy => "singles, and the digits of each cage: scores below 2.0",
            Self::Normal => "where in its cage each digit can stand: below 3.0",
            Self::Hard => "digits certain in a part of a row or column, pairs to quads: below 5.0",
            Self::Extreme => "fish and chains: below 6.0",
            Self::Unreasonable => "cages against rows and columns, their sums, trial and error: from 6.0",
        }
    }

    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Normal => "normal",
            Self::Hard => "hard",
            Self::Extreme => "extreme",
            Self::Unreasonable => "unreasonable",
        }
    }
}

/// What a climb needed.
#[derive(Clone, Debug)]
pub struct Grade {
    /// How the climb ended; only a solved puzzle has a grade to go by.
    pub end: End,
    /// What is known of the number of solutions.
    pub status: Status,
    /// The score of the hardest step; 0 without steps.
    pub score: Score,
    /// The sum of the scores of all steps, in tenths.
    pub sum: u64,
    /// The number of steps.
    pub steps: u32,
    /// How often a technique was found to apply: steps that it shows at once count once.
    pub rounds: u32,
    /// An interrupt or the limit of time ended the climb before it was solved: nothing is known of the rest.
    pub is_cut: bool,
    /// How many steps each technique took, in the order of [`TECHNIQUES`], those that took none left out.
    pub techniques: Vec<(&'static Technique, u32)>,
}

impl Grade {
    /// The word in results: `unique`, `multiple`, `unsolvable`, `undecided` when the time was up before, or `beyond` when there may be
    /// one solution and the techniques do not lead to it.
    pub fn outcome(&self) -> &'static str {
        match (self.end, self.status) {
            (End::Solved, _) => Status::Unique.name(),
            (_, Status::Multiple | Status::Unsolvable) => self.status.name(),
            _ if self.is_cut => Status::Undecided.name(),
            (_, Status::Unique | Status::Solved | Status::Undecided) => "beyond",
        }
    }

    /// The tier of the score.
    pub fn tier(&self) -> Tier {
        Tier::of(self.score)
    }

    /// The hardest technique; none without steps.
    pub fn hardest(&self) -> Option<&'static Technique> {
        let (technique, _) = self.techniques.iter().max_by_key(|(technique, _)| technique.score)?;
        Some(technique)
    }
}

/// Grades a puzzle with the techniques up to a score.
///
/// Where those that try nothing out do not solve it, the exact solver looks for a second solution, with 100,000 decisions at most,
/// before anything is tried out. An interrupt leaves the puzzle stuck.
pub fn grade(puzzle: &Puzzle, problem: &Problem, ceiling: Score, interrupt: &Interrupt) -> Grade {
    grade_within(&TimeLimit::none(), puzzle, problem, ceiling, interrupt)
}

/// [`grade`] for as long as a limit allows, which then leaves the puzzle stuck.
pub fn grade_within(
    time_limit: &TimeLimit,
    puzzle: &Puzzle,
    problem: &Problem,
    ceiling: Score,
    interrupt: &Interrupt,
) -> Grade {
    let frame = Frame::new(puzzle, problem).interruptible(interrupt).within(time_limit);
    let mut grade = grade_on(&frame, ceiling.min(MOST_WITHOUT_TRIALS));
    if grade.end != End::Stuck {
        return grade;
    }
    // Trials are dear, and would not end where there is a second solution: the solver looks for one first.
    let status = count(problem, time_limit.left(), interrupt);
    // From the start, so that steps and rounds are those of one climb.
    if bounded(ceiling, status) > MOST_WITHOUT_TRIALS {
        grade = grade_on(&frame, ceiling);
    }
    // A climb to an end knows the number of solutions itself.
    if grade.end == End::Stuck {
        grade.status = status;
    }
    grade
}

fn grade_on(frame: &Frame<'_>, ceiling: Score) -> Grade {
    let mut climb = Climb::new(Candidates::new(frame), ceiling);
    let (mut score, mut sum, mut steps) = (Score(0), 0, 0);
    let mut techniques: Vec<(&'static Technique, u32)> = Vec::new();
    for technique in TECHNIQUES.iter() {
        techniques.push((technique, 0));
    }
    let end = climb.run(&mut |_, step| {
        score = score.max(step.score());
        sum += u64::from(step.score().0);
        steps += 1;
        for (technique, count) in &mut techniques {
            *count += u32::from(*technique == step.technique);
        }
    });
    techniques.retain(|(_, count)| *count > 0);
    let status = match end {
        End::Solved => Status::Unique,
        End::Refuted => Status::Unsolvable,
        End::Stuck => Status::Undecided,
    };
    let is_cut = end == End::Stuck && frame.is_interrupted();
    Grade { end, status, score, sum, steps, rounds: climb.rounds, is_cut, techniques }
}
