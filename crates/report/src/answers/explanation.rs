//! A puzzle solved step by step, as a person does.

use serde_json::{Value, json};

use crate::plural;
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::Status;
use kenga_craft::ladder::{Candidates, Climb, End, Frame, Score, Step, Tier};

/// Where a climb ends.
pub struct Summit<'a> {
    /// The candidates that are left.
    pub candidates: Candidates<'a>,
    /// How it ended.
    pub end: End,
    /// What the exact solver says of the puzzle.
    pub(crate) status: Status,
}

/// Climbs to the end with the techniques up to a tier, and shows each step with the candidates before it. After
/// an interrupt it ends soon, and shows nothing more.
///
/// # Errors
/// The first error of `on_step`.
pub fn climb<'a, E>(
    frame: &'a Frame<'a>,
    up_to: Tier,
    interrupt: &Interrupt,
    on_step: &mut dyn FnMut(&Candidates<'a>, &Step) -> Result<(), E>,
) -> Result<Summit<'a>, E> {
    let (mut climb, status) = Climb::explaining(frame, up_to.most(), interrupt);
    loop {
        let mut shown = Ok(());
        let end = climb.advance(&mut |candidates, step| {
            if !interrupt.is_raised() && shown.is_ok() {
                shown = on_step(candidates, step);
            }
        });
        shown?;
        if let Some(end) = end {
            return Ok(Summit { candidates: climb.candidates, end, status });
        }
    }
}

/// The solver's answer to the question whether a step follows from its rules.
pub fn word(verdict: Option<bool>) -> &'static str {
    match verdict {
        Some(true) => "yes",
        Some(false) => "no",
        None => "undecided",
    }
}

/// The steps of a climb so far.
pub struct Ascent<'a> {
    puzzle: &'a Puzzle,
    /// How many there are.
    pub steps: usize,
    hardest: Score,
    /// How many follow from their rules, do not, or are undecided.
    pub verdicts: [u64; 3],
}

impl<'a> Ascent<'a> {
    /// No step yet.
    pub fn new(puzzle: &'a Puzzle) -> Self {
        Self { puzzle, steps: 0, hardest: Score::default(), verdicts: [0; 3] }
    }

    /// Adds a step, with the solver's answer where it was asked.
    pub fn add(&mut self, step: &Step, verdict: Option<Option<bool>>) {
        self.steps += 1;
        self.hardest = self.hardest.max(step.score());
        if let Some(verdict) = verdict {
            let place = ["yes", "no", "undecided"].iter().position(|name| *name == word(verdict));
            self.verdicts[place.expect("every answer has a place")] += 1;
        }
    }

    /// How the climb ended, in words.
    pub fn ending(&self, summit: &Summit<'_>) -> String {
        let steps = format!("{} {}", self.steps, plural(self.steps as u64, "step"));
        match summit.end {
            End::Solved => {
                format!("solved in {steps}: {}, {}", Tier::of(self.hardest).name(), self.hardest)
            }
            End::Refuted => format!("after {steps}: there is no solution"),
            End::Stuck => match summit.status {
                Status::Unsolvable => format!("after {steps}: there is no solution"),
                Status::Multiple => {
                    format!(
                        "after {steps}: no technique finds a further step, because there are several solutions"
                    )
                }
                _ => format!("after {steps}: no technique finds a further step"),
            },
        }
    }

    /// The object of a step in `kenga explain --json`, the last that was added; cells are `[row, column]` from 0.
    pub fn step_json(
        &self,
        candidates: &Candidates<'_>,
        step: &Step,
        verdict: Option<Option<bool>>,
    ) -> Value {
        let step = step.explanation(candidates.frame.problem);
        let cell = |cell: usize| json!([cell / self.puzzle.cols(), cell % self.puzzle.cols()]);
        let group = |group: &usize| json!(self.puzzle.group_name(&self.puzzle.groups()[*group]));
        let lost = |(at, digits): &(usize, Vec<u8>)| json!({"cell": cell(*at), "digits": digits});
        let mut object = json!({
            "id": self.puzzle.id,
            "step": self.steps,
            "technique": step.technique.name,
            "score": step.technique.score.number(),
            "round": step.round,
            "fills": step.fills.map(|(at, digit)| json!({"cell": cell(at), "digit": digit})),
            "removes": step.removes.iter().map(lost).collect::<Value>(),
            "cells": step.cells.iter().map(|at| cell(*at)).collect::<Value>(),
            "groups": step.groups.iter().map(group).collect::<Value>(),
            "words": step.words,
        });
        if let Some(verdict) = verdict {
            object["verified"] = json!(word(verdict));
        }
        object
    }

    /// The object of how the climb ended, the last line of `kenga explain --json`.
    pub fn end_json(&self, summit: &Summit<'_>, verified: bool) -> Value {
        let solved = summit.end == End::Solved;
        let mut object = json!({
            "id": self.puzzle.id,
            "end": summit.end.name(),
            "status": summit.status.name(),
            "score": solved.then(|| self.hardest.number()),
            "tier": solved.then(|| Tier::of(self.hardest).name()),
            "steps": self.steps,
        });
        if verified {
            let [yes, no, undecided] = self.verdicts;
            object["verified"] = json!({"yes": yes, "no": no, "undecided": undecided});
        }
        object
    }
}
