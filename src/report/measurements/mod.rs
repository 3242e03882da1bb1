//! What a report is made of: the settings of a study with their labels, measured once for all figures.

mod convergence;
mod labels;

pub(super) use convergence::{Band, Convergence, Quantity, Unrecorded, known_until};
pub(super) use labels::{Factor, Labels};

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::stats::{
    Estimate, Interval, Observed, RankLine, RestartTest, Z_95, expected_running_time, holm, median,
    rank_values, restart_test, successes, wilson,
};
use crate::study::{
    Arm, Comparison, Metric, OfPuzzle, Question, Sample, Side, Study, StudyFolder, compare, order,
};

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
        let (parts, puzzles) = parts_of(study, most);
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
        correct(&mut settings);
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
    pub(crate) fn levels(
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

/// A setting with its numbers; times are calls, evaluations and moves together. Over several puzzles they are means of
/// those by puzzle, each counting alike.
pub(crate) struct Measured<'a> {
    pub(crate) arm: Arm<'a>,
    pub(crate) solved: u64,
    /// The share of solved runs with its 95 % interval on these puzzles.
    pub(crate) share: Estimate,
    /// The interval of the share on the next puzzle; where there are several.
    pub(crate) share_next: Option<Interval>,
    /// The penalised average.
    pub(crate) par10: f64,
    /// The same on each puzzle that is shown by itself; `None` where it has no run.
    pub(crate) parts: Vec<Option<Numbers>>,
}

/// A setting on one puzzle.
pub(crate) struct Numbers {
    pub(crate) observed: Vec<Observed>,
    pub(crate) solved: u64,
    /// The share of solved runs with Wilson's interval.
    pub(crate) share: Estimate,
    /// The median time to a solution; infinite where it is censored.
    pub(crate) median: Estimate,
    /// The expected running time with its bootstrap interval.
    pub(crate) ert: Estimate,
    /// The penalised average.
    pub(crate) par10: f64,
    /// What restarts would gain; `None` where no cutoff looks better, or where the runs are too few to tell.
    pub(crate) advice: Option<Advice>,
}

/// Whether to start anew.
#[derive(Clone, Copy)]
pub(crate) struct Advice {
    pub(crate) test: RestartTest,
    /// The p-value after Holm's correction over all settings and puzzles that were tested.
    pub(crate) holm: f64,
}

/// Corrects the p-values of the advice on all settings and puzzles.
fn correct(settings: &mut [Measured<'_>]) {
    let mut all: Vec<&mut Advice> = settings
        .iter_mut()
        .flat_map(|one| &mut one.parts)
        .flatten()
        .filter_map(|one| one.advice.as_mut())
        .collect();
    let corrected = holm(&all.iter().map(|advice| advice.test.p).collect::<Vec<_>>());
    all.iter_mut().zip(corrected).for_each(|(advice, p)| advice.holm = p);
}

impl<'a> Measured<'a> {
    /// Takes the numbers of a side over, by themselves those on the puzzles of `parts`.
    fn new(arm: Arm<'a>, side: &Side, parts: &[Part]) -> Self {
        Self {
            solved: side.solved,
            share: side.share,
            share_next: side.share_next,
            par10: side.par10.map_or(f64::INFINITY, |par10| par10.value),
            parts: parts.iter().map(|part| Some(Numbers::new(side.on(&part.puzzle)?))).collect(),
            arm,
        }
    }

    /// Runs.
    pub(crate) fn runs(&self) -> u64 {
        self.arm.runs.len() as u64
    }
}

impl Numbers {
    fn new(one: &OfPuzzle) -> Self {
        let unknown = Estimate {
            value: f64::INFINITY,
            interval: Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
        };
        let advice = restart_test(&one.observed, one.budget, Z_95).map(|test| Advice { test, holm: test.p });
        Self {
            solved: one.solved,
            share: one.share,
            median: one.median,
            ert: one.ert.unwrap_or(unknown),
            par10: one.par10.unwrap_or(unknown).value,
            advice,
            observed: one.observed.clone(),
        }
    }

    /// Runs.
    pub(crate) fn runs(&self) -> u64 {
        self.observed.len() as u64
    }
}

/// A puzzle with figures of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its id.
    pub(crate) puzzle: String,
}

/// How often a puzzle was solved, in how many runs.
#[derive(Clone, Copy, Debug, Default)]
struct Solved {
    solved: u64,
    runs: u64,
}

/// The puzzles that have runs, how many they are, and which are shown: all of up to `most`, else so many that lie evenly
/// between the one that was solved most often and the one least often.
fn parts_of(study: &Study, most: usize) -> (Vec<Part>, usize) {
    let mut solved: BTreeMap<&str, Solved> = BTreeMap::new();
    for run in study.settings.iter().flat_map(|setting| &setting.runs) {
        let one = solved.entry(&run.row.puzzle).or_default();
        one.runs += 1;
        one.solved += u64::from(run.row.solved);
    }
    let ids: Vec<&str> = study.puzzles().into_iter().filter(|id| solved.contains_key(id)).collect();
    let shown = chosen(&ids, &solved, most).into_iter().map(|id| Part { puzzle: id.to_owned() });
    (shown.collect(), ids.len())
}

fn chosen<'a>(ids: &[&'a str], solved: &BTreeMap<&str, Solved>, most: usize) -> Vec<&'a str> {
    if ids.len() <= most {
        return ids.to_vec();
    }
    let share = |id: &str| solved.get(id).map_or(0.0, |one| one.solved as f64 / one.runs as f64);
    let mut sorted = ids.to_vec();
    // The sort is stable: of equals the one that comes first in the study.
    sorted.sort_by(|a, b| share(b).total_cmp(&share(a)));
    (0..most).map(|place| sorted[place * (sorted.len() - 1) / (most - 1).max(1)]).collect()
}

/// All runs with the same values of some keys in numbers.
pub(crate) struct Level {
    pub(crate) runs: usize,
    pub(crate) solved: usize,
    pub(crate) share: Interval,
    /// The expected running time; infinite without a success.
    pub(crate) ert: f64,
    /// The median with its interval; infinite where it is censored.
    pub(crate) median: Interval,
    pub(crate) middle: f64,
}

impl Level {
    fn of(runs: &[Observed]) -> Option<Self> {
        let median = median(&rank_values(runs))?;
        let solved = successes(runs);
        Some(Self {
            runs: runs.len(),
            solved,
            share: wilson(solved as u64, runs.len() as u64, Z_95),
            ert: expected_running_time(runs),
            median: median.interval,
            middle: median.value,
        })
    }

    pub(crate) fn rate(&self) -> f64 {
        self.solved as f64 / self.runs as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_puzzles_easy_ones_and_hard_ones_are_shown() {
        let ids = ["a", "b", "c", "d", "e"];
        let solved = |at: u64| Solved { solved: [3, 9, 0, 5, 7][at as usize], runs: 10 };
        let all: BTreeMap<&str, Solved> = (0..5).map(|at| (ids[at as usize], solved(at))).collect();
        assert_eq!(chosen(&ids, &all, 5), ids);
        assert_eq!(chosen(&ids, &all, 3), ["b", "d", "c"]);
        assert_eq!(chosen(&ids, &all, 1), ["b"]);
    }
}
