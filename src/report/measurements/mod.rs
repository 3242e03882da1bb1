//! What a report is made of: the settings of a study with their labels, measured once for all figures.

mod convergence;
mod labels;
mod measured;

pub(super) use convergence::{Band, Convergence, Quantity, Unrecorded, known_until};
pub(super) use labels::{Factor, Labels};
pub(super) use measured::{Advice, Level, Measured, Numbers, Part};

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::stats::{Observed, RankLine};
use crate::study::{Arm, Comparison, Metric, Question, Sample, Side, Study, StudyFolder, compare, order};

/// Everything that the figures show.
pub(super) struct Measurements<'a> {
    pub(super) study: &'a Study,
    /// What the settings are called.
    pub(super) labels: Labels,
    /// The settings that have runs, in the order of the study.
    pub(super) settings: Vec<Measured<'a>>,
    /// The puzzles that are shown by themselves.
    pub(super) parts: Vec<Part>,
    /// How many puzzles there are.
    pub(super) puzzles: usize,
    /// The settings as indices, the best first, as the verdict orders them.
    pub(super) order: Vec<usize>,
    /// Every setting compared with the best; `None` where there is nothing to compare.
    pub(super) comparison: Option<Comparison>,
    pub(super) convergence: Result<Convergence, Unrecorded>,
    /// Average ranks, where runs of all settings can be compared in blocks.
    pub(super) ranks: Option<Ranks>,
    /// The calls of the longest run.
    pub(super) longest: f64,
}

/// Ranks with what they rest on.
pub(super) struct Ranks {
    /// The ranks; the settings are those of the material.
    pub(super) line: RankLine,
    /// Blocks that all settings have.
    pub(super) blocks: usize,
}

impl Ranks {
    fn of(comparison: &Comparison) -> Option<Self> {
        Some(Self { line: comparison.ranks.clone()?, blocks: comparison.common })
    }
}

impl<'a> Measurements<'a> {
    /// Measures the settings of a study, or what settings with the same values of `by` have in common. Up to `most`
    /// puzzles are shown by themselves.
    pub(super) fn new(study: &'a Study, by: &[String], most: usize, alpha: f64) -> Self {
        let arms: Vec<Arm<'a>> = study.arms(by).into_iter().filter(|arm| !arm.runs.is_empty()).collect();
        let labels = Labels::of(study, &arms, by);
        let (parts, puzzles) = measured::parts(study, most);
        let convergence = Convergence::read(study, &arms, &parts);
        let samples: Vec<Sample> =
            arms.iter().filter_map(|arm| arm.sample(study, Metric::Calls).ok()).collect();
        let comparison = compare(&samples, &Question::new(study, &arms, Metric::Calls, alpha)).ok();
        let alone: Vec<Side> = match &comparison {
            Some(_) => Vec::new(),
            None => samples.iter().map(|sample| Side::new(sample, true)).collect(),
        };
        let sides: Vec<&Side> = comparison.as_ref().map_or(&alone, |found| &found.sides).iter().collect();
        let order =
            comparison.as_ref().map_or_else(|| order(&sides, true, None), |found| found.order.clone());
        let calls = arms.iter().flat_map(|arm| &arm.runs).map(|one| one.run.calls());
        let longest = calls.max().unwrap_or(0) as f64;
        let measured = |(arm, side): (Arm<'a>, &Side)| Measured::new(arm, side, &parts);
        let mut settings: Vec<Measured<'a>> =
            arms.into_par_iter().zip(sides.into_par_iter()).map(measured).collect();
        measured::correct(&mut settings);
        let ranks = comparison.as_ref().and_then(Ranks::of);
        Self { study, labels, settings, parts, puzzles, order, comparison, convergence, ranks, longest }
    }

    /// The name and the title of a part's figure, which says of which puzzle it is where there are several.
    pub(super) fn part_names(&self, name: &str, title: &str, part: usize) -> (String, String) {
        match self.puzzles {
            1 => (name.to_owned(), title.to_owned()),
            _ => (format!("{name}-{}", part + 1), format!("{title}: {}", self.parts[part].puzzle)),
        }
    }

    /// What a setting shows on a part.
    pub(super) fn numbers(&self, setting: usize, part: usize) -> Option<&Numbers> {
        self.settings[setting].parts[part].as_ref()
    }

    /// The settings from best to worst on a part, those without a run of it left out.
    pub(super) fn order_of(&self, part: usize) -> Vec<usize> {
        let runs = |setting: &usize| self.numbers(*setting, part);
        let mut order: Vec<usize> = self.order.iter().copied().filter(|one| runs(one).is_some()).collect();
        let merit = |setting: &usize| runs(setting).map_or((0.0, 0.0), |one| (-one.share.value, one.par10));
        order.sort_by(|a, b| {
            let ((share_a, time_a), (share_b, time_b)) = (merit(a), merit(b));
            share_a.total_cmp(&share_b).then(time_a.total_cmp(&time_b))
        });
        order
    }

    /// Which puzzles are shown, where these are not all.
    pub(super) fn parts_in_words(&self) -> String {
        match self.parts.len() < self.puzzles {
            true => format!(
                "Of {} puzzles {} are shown by themselves, from the one solved most often to the one least often.",
                self.puzzles,
                self.parts.len()
            ),
            false => String::new(),
        }
    }

    /// The setting of every run of a folder, by the index of the run.
    pub(super) fn runs_of(&self, source: usize) -> BTreeMap<u64, usize> {
        let settings = self.settings.iter().enumerate();
        let of_folder = settings.flat_map(|(place, setting)| {
            let all = setting.arm.settings.iter().map(|setting| &self.study.settings[*setting]);
            let runs = all.filter(|setting| setting.source == source).flat_map(|setting| &setting.runs);
            runs.map(move |run| (run.row.run, place))
        });
        of_folder.collect()
    }

    /// Runs that there are.
    pub(super) fn runs(&self) -> u64 {
        self.settings.iter().map(|setting| setting.arm.runs.len() as u64).sum()
    }

    /// Runs that there should be; of a race that has ended those that it made.
    pub(super) fn planned(&self) -> u64 {
        (0..self.study.sources.len()).map(|source| self.planned_of(source)).sum()
    }

    /// Runs that there should be of one folder.
    pub(super) fn planned_of(&self, source: usize) -> u64 {
        let StudyFolder { plan, shard, .. } = &self.study.sources[source];
        match self.study.race(source) {
            Some(race) if race.next().is_none() => race.runs(),
            _ => shard.count(plan.runs()),
        }
    }

    /// Runs that solved their puzzle.
    pub(super) fn solved(&self) -> u64 {
        self.settings.iter().map(|setting| setting.solved).sum()
    }

    /// The runs at every combination of levels of some factors, the last varying fastest; `None` where there are none.
    /// They are those of one puzzle; `only` leaves settings out.
    pub(in crate::report) fn levels(
        &self,
        part: usize,
        factors: &[&Factor],
        only: impl Fn(usize) -> bool,
    ) -> Vec<Option<Level>> {
        let size = factors.iter().map(|factor| factor.levels.len()).product();
        let mut runs: Vec<Vec<Observed>> = vec![Vec::new(); size];
        for index in (0..self.settings.len()).filter(|index| only(*index)) {
            let Some(numbers) = self.numbers(index, part) else { continue };
            let place =
                factors.iter().fold(0, |place, factor| place * factor.levels.len() + factor.of[index]);
            runs[place].extend(&numbers.observed);
        }
        runs.iter().map(|runs| Level::of(runs)).collect()
    }
}
