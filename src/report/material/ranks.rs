//! Average ranks of settings over the blocks that all of them have run: a puzzle, a seed, a replicate.

use std::collections::BTreeMap;

use crate::stats::{RankLine, rank_line};
use crate::study::{Arm, Block};

/// The chance to tell apart any two settings that do not differ.
const ALPHA: f64 = 0.05;

/// Ranks with what they rest on.
pub(in crate::report) struct Ranks {
    /// The ranks; the settings are those of the material.
    pub(in crate::report) line: RankLine,
    /// Blocks.
    pub(in crate::report) blocks: usize,
}

impl Ranks {
    /// Ranks settings by the calls to a solution, failures tying as the worst; `None` for fewer than two settings, or
    /// where no block has exactly one run of each.
    pub(super) fn of(arms: &[Arm<'_>]) -> Option<Self> {
        if arms.len() < 2 {
            return None;
        }
        let mut blocks: BTreeMap<&Block, Vec<(usize, f64)>> = BTreeMap::new();
        for (index, arm) in arms.iter().enumerate() {
            for (block, run) in &arm.runs {
                let calls = if run.row.solved { run.calls() as f64 } else { f64::INFINITY };
                blocks.entry(block).or_default().push((index, calls));
            }
        }
        // Settings come in their order: a block with one run of each has them all.
        let is_full = |row: &Vec<(usize, f64)>| {
            row.len() == arms.len() && row.iter().enumerate().all(|(place, (index, _))| place == *index)
        };
        let full: Vec<Vec<(usize, f64)>> = blocks.into_values().filter(is_full).collect();
        let calls: Vec<f64> = full.iter().flatten().map(|(_, calls)| *calls).collect();
        (!full.is_empty()).then(|| Self { line: rank_line(&calls, arms.len(), ALPHA), blocks: full.len() })
    }
}
