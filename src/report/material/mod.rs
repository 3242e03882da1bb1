//! What a report is made of: the settings of a study with their labels, measured once for all figures.

mod convergence;
mod labels;
mod measured;
mod ranks;

pub(super) use convergence::{Band, Convergence, Unrecorded};
pub(super) use labels::{Factor, Labels};
pub(super) use measured::{Measured, advise};
pub(super) use ranks::Ranks;

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::results::{Arm, Study};
use crate::rng::StreamKey;

/// Everything that the figures show.
pub(super) struct Material<'a> {
    pub(super) study: &'a Study,
    /// What the settings are called.
    pub(super) labels: Labels,
    /// The settings that have runs, in the order of the study.
    pub(super) settings: Vec<Measured<'a>>,
    /// The puzzles that have curves of their own; where they are one, or too many, all of them together: `None`.
    pub(super) parts: Vec<Option<String>>,
    /// How many puzzles there are.
    pub(super) puzzles: usize,
    /// What the resamples are drawn from.
    pub(super) key: StreamKey,
    /// The same as indices, the best first: more solved, then a lower expected running time, then a lower mean of the
    /// best fitness.
    pub(super) order: Vec<usize>,
    pub(super) convergence: Result<Convergence, Unrecorded>,
    /// Average ranks, where runs of all settings can be compared in blocks.
    pub(super) ranks: Option<Ranks>,
    /// The calls of the longest run: what a failed run is charged by.
    pub(super) longest: f64,
}

impl<'a> Material<'a> {
    /// Measures the settings of a study, or what settings with the same values of `by` have in common. Up to `apart`
    /// puzzles have curves of their own.
    pub(super) fn new(study: &'a Study, by: &[String], apart: usize) -> Self {
        let arms: Vec<Arm<'a>> = study.arms(by).into_iter().filter(|arm| !arm.runs.is_empty()).collect();
        let labels = Labels::of(study, &arms, by);
        let ids = puzzle_ids(study);
        let puzzles = ids.len();
        let parts = match puzzles > 1 && puzzles <= apart {
            true => ids.into_iter().map(Some).collect(),
            false => vec![None],
        };
        let convergence = Convergence::read(study, &arms, &parts);
        let ranks = Ranks::of(&arms);
        let calls = arms.iter().flat_map(|arm| &arm.runs).map(|(_, run)| run.row.evaluations + run.row.moves);
        let longest = calls.max().unwrap_or(0) as f64;
        let seed = study.sources.first().map_or(0, |source| source.plan.config.seed);
        let key = StreamKey::run(seed, "report", 0);
        let measured =
            |(index, arm)| Measured::new(arm, longest, puzzles == 1, &key.child(&format!("setting {index}")));
        let settings: Vec<Measured<'a>> = arms.into_par_iter().enumerate().map(measured).collect();
        let mut order: Vec<usize> = (0..settings.len()).collect();
        order.sort_by(|&a, &b| settings[a].by_merit(&settings[b]));
        Self { study, labels, settings, parts, puzzles, key, order, convergence, ranks, longest }
    }

    /// The name and the title of a part's figure.
    pub(super) fn part_names(&self, name: &str, title: &str, part: usize) -> (String, String) {
        match &self.parts[part] {
            None => (name.to_owned(), title.to_owned()),
            Some(puzzle) => (format!("{name}-{}", part + 1), format!("{title}: {puzzle}")),
        }
    }

    /// Runs that there are.
    pub(super) fn runs(&self) -> u64 {
        self.settings.iter().map(|setting| setting.arm.runs.len() as u64).sum()
    }

    /// Runs that there should be.
    pub(super) fn planned(&self) -> u64 {
        self.study.sources.iter().map(|source| source.plan.runs()).sum()
    }

    /// Runs that solved their puzzle.
    pub(super) fn solved(&self) -> u64 {
        self.settings.iter().map(|setting| setting.solved).sum()
    }
}

/// The ids of the puzzles that have runs, in the order of the study.
fn puzzle_ids(study: &Study) -> Vec<String> {
    let runs = || study.settings.iter().flat_map(|setting| &setting.runs);
    let with_runs: BTreeSet<&str> = runs().map(|run| run.row.puzzle.as_str()).collect();
    let mut ids: Vec<String> = Vec::new();
    for puzzle in study.sources.iter().flat_map(|source| &source.plan.puzzles) {
        if with_runs.contains(puzzle.id.as_str()) && !ids.contains(&puzzle.id) {
            ids.push(puzzle.id.clone());
        }
    }
    ids
}
