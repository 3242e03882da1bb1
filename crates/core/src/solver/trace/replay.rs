//! The candidates at every moment of a search, from its events alone.

use super::super::event::Event;
use crate::problem::{LostCandidates, Problem};

/// The candidates after the events so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    masks: Vec<u32>,
    /// The candidates before each decision.
    before: Vec<Vec<u32>>,
}

impl Replay {
    /// The state before the first event.
    pub fn new(problem: &Problem) -> Self {
        Self { masks: problem.candidates().to_vec(), before: Vec::new() }
    }

    /// The candidates of every cell, a mask of ranks each.
    pub fn masks(&self) -> &[u32] {
        &self.masks
    }

    /// The number of decisions.
    pub fn depth(&self) -> usize {
        self.before.len()
    }

    /// Follows an event.
    ///
    /// # Panics
    /// When the event names a cell that the problem has not.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Removal { lost, .. } => {
                for LostCandidates { cell, ranks } in lost {
                    self.masks[usize::from(*cell)] &= !ranks;
                }
            }
            Event::Orbit { cells } => {
                for (rank, cell) in cells.iter().enumerate() {
                    self.masks[usize::from(*cell)] = 1 << rank;
                }
            }
            Event::Decision { cell, rank, .. } => {
                self.before.push(self.masks.clone());
                self.masks[usize::from(*cell)] = 1 << rank;
            }
            Event::Back { depth } => self.back(*depth as usize),
            Event::Restart | Event::Learning => self.back(0),
            Event::Conflict { .. }
            | Event::Fixpoint
            | Event::Clause { .. }
            | Event::Solution
            | Event::End(_) => {}
        }
    }

    fn back(&mut self, depth: usize) {
        // The candidates before the first decision that is undone.
        if let Some(masks) = self.before.drain(depth.min(self.before.len())..).next() {
            self.masks = masks;
        }
    }
}
