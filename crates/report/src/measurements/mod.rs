//! The data of a report: the settings of a study with their labels, measured once for all figures.
//!
//! **Invariant**: a setting has one index everywhere, its place in `settings`; a part, a puzzle with figures of its own, its place
//! in `parts`. No number is of the runs of several puzzles together, unless it is a mean over puzzles.

mod advice;
mod convergence;
mod labels;
mod level;

pub(crate) use advice::Advice;
pub(super) use convergence::{Band, Convergence, Quantity, Unrecorded};
pub(super) use labels::{Factor, Labels, distinct, or_dash};
pub(super) use level::Level;

use std::collections::BTreeMap;
use std::sync::Arc;

use kenga_core::sort::sort_by;
use kenga_lab::study::{
    Comparison, Groups, JoinedSettings, Metric, PuzzleStats, Question, RunSubject, RunValue, SettingSample,
    SettingStats, Steps, Study, StudyFolder, compare,
};
use kenga_stats::{Observed, RankLine};

/// The data of all figures.
pub(super) struct Measurements<'a> {
    pub(super) study: &'a Study,
    /// The labels of the settings.
    pub(super) labels: Labels,
    /// The settings that have runs, in the order of the study.
    pub(super) settings: Vec<JoinedSettings>,
    /// Their runs in numbers: of calls, or of the best fitness where the best value is unknown.
    pub(super) samples: Vec<SettingSample>,
    /// Their numbers, where there is no comparison.
    alone: Vec<SettingStats>,
    /// The ids of the puzzles that have figures of their own.
    pub(super) shown_puzzles: Vec<String>,
    /// The advice on restarts by setting and part; `None` where no cutoff looks better, or with too few runs.
    advice: Vec<Vec<Option<Advice>>>,
    /// How many puzzles there are.
    pub(super) puzzles: usize,
    /// The indices of the settings, in the order of the verdict, or as they were chosen.
    pub(super) order: Vec<usize>,
    /// Every setting compared with the best; `None` where there is nothing to compare.
    pub(super) comparison: Option<Comparison>,
    pub(super) convergence: Result<Convergence, Unrecorded>,
    /// The steps of all runs, if their records can be read.
    pub(super) steps: Option<Arc<Steps>>,
    /// The calls of the longest run.
    pub(super) longest: f64,
    /// The numbers are of the best fitness, not of calls to a solution: the best value of the problem is unknown.
    pub(super) is_by_fitness: bool,
    /// What the runs are about.
    pub(super) subject: RunSubject,
    /// The width of figures in print, in pixels, while such are drawn.
    pub(super) print_width: Option<f64>,
}

/// What a figure is called.
pub(super) struct FigureName {
    /// The name of its file, without the ending.
    pub(super) file: String,
    pub(super) title: String,
}

impl FigureName {
    pub(super) fn new(file: impl Into<String>, title: impl Into<String>) -> Self {
        Self { file: file.into(), title: title.into() }
    }
}

impl<'a> Measurements<'a> {
    /// Measures the settings of a study, joined where they have the same values of `by`. Up to `most` puzzles have figures
    /// of their own.
    pub(super) fn new(study: &'a Study, by: &[String], most: usize, alpha: f64) -> Self {
        let mut settings = study.joined_settings(by);
        settings.retain(|setting| setting.runs().len() > 0);
        let labels = Labels::of(study, &settings, by);
        let (parts, puzzles) = parts_of(study, most);
        let (convergence, steps) = Convergence::read(study, &settings, &parts);
        let metric = Metric::usual(study);
        let samples: Vec<SettingSample> =
            settings.iter().filter_map(|setting| setting.sample(study, metric, None).ok()).collect();
        let comparison =
            compare(&samples, &Question::plain(metric, alpha).about(study, &settings, None)).ok();
        let alone: Vec<SettingStats> = match &comparison {
            Some(_) => Vec::new(),
            None => samples
                .iter()
                .map(|sample| SettingStats::new(sample, metric.is_time(), &Groups::default()))
                .collect(),
        };
        let stats: Vec<&SettingStats> =
            comparison.as_ref().map_or(&alone, |found| &found.settings).iter().collect();
        let order = match &comparison {
            Some(found) => found.order.clone(),
            None => (0..stats.len()).collect(),
        };
        let longest = study.counted_runs().map(|run| study.runs.calls(run)).max().unwrap_or(0) as f64;
        // Without a solution there is no time that a restart could shorten.
        let advice = if metric.is_time() {
            advice::advise(&stats, &samples, &parts)
        } else {
            vec![vec![None; parts.len()]; stats.len()]
        };
        Self {
            study,
            labels,
            settings,
            samples,
            alone,
            shown_puzzles: parts,
            advice,
            puzzles,
            order,
            comparison,
            convergence,
            steps,
            longest,
            is_by_fitness: !metric.is_time(),
            subject: RunSubject::of(study),
            print_width: None,
        }
    }

    /// The width of a figure that has this one on a page.
    pub(super) fn width(&self, on_page: f64) -> f64 {
        self.print_width.unwrap_or(on_page)
    }

    /// The numbers of the settings: of calls, or of the best fitness where the best value is unknown.
    pub(super) fn stats(&self) -> &[SettingStats] {
        self.comparison.as_ref().map_or(&self.alone, |found| &found.settings)
    }

    /// The average ranks and the number of their blocks; `None` where settings cannot be compared in blocks.
    pub(super) fn ranks(&self) -> Option<(&RankLine, usize)> {
        self.comparison.as_ref().and_then(|found| Some((found.ranks.as_ref()?, found.ranked)))
    }

    /// The advice on restarts for a setting on a part.
    pub(super) fn advice(&self, setting: usize, part: usize) -> Option<&Advice> {
        self.advice[setting][part].as_ref()
    }

    /// What the figure of a part is called, with its puzzle where there are several.
    pub(super) fn part_name(&self, file: &str, title: &str, part: usize) -> FigureName {
        if self.puzzles == 1 {
            return FigureName::new(file, title);
        }
        FigureName::new(format!("{file}-{}", part + 1), format!("{title}: {}", self.shown_puzzles[part]))
    }

    /// The numbers of a setting on a part; `None` without a run of it.
    pub(super) fn numbers(&self, setting: usize, part: usize) -> Option<&PuzzleStats> {
        self.stats()[setting].on(&self.shown_puzzles[part])
    }

    /// The runs of a setting on a part, one whose program failed as its whole budget; `None` without any.
    pub(super) fn observed(&self, setting: usize, part: usize) -> Option<Vec<Observed>> {
        let blocks = self.samples[setting].on(&self.shown_puzzles[part])?;
        Some(blocks.runs().iter().map(RunValue::charged).collect())
    }

    /// The settings with runs of a part, from best to worst there.
    pub(super) fn order_of(&self, part: usize) -> Vec<usize> {
        let mut order: Vec<(usize, &PuzzleStats)> = Vec::new();
        for setting in &self.order {
            order.extend(self.numbers(*setting, part).map(|numbers| (*setting, numbers)));
        }
        sort_by(&mut order, |(_, a), (_, b)| {
            if self.is_by_fitness {
                return a.median.value.total_cmp(&b.median.value);
            }
            a.cost().total_cmp(&b.cost()).then(b.share.value.total_cmp(&a.share.value))
        });
        order.into_iter().map(|(setting, _)| setting).collect()
    }

    /// Up to `most` of the puzzles, spread evenly from the one solved most often to the one solved least often.
    pub(super) fn spread(&self, most: usize) -> Vec<String> {
        parts_of(self.study, most).0
    }

    /// A sentence about the puzzles that are shown by themselves; `None` where all are.
    pub(super) fn parts_note(&self) -> Option<String> {
        if self.shown_puzzles.len() == self.puzzles {
            return None;
        }
        let (all, shown, noun) = (self.puzzles, self.shown_puzzles.len(), self.subject.noun());
        let order = if self.subject.can_be_solved {
            ", from the one solved most often to the one least often"
        } else {
            ""
        };
        Some(format!("Of {all} {noun}s {shown} are shown by themselves{order}."))
    }

    /// What the runs on a part are about, or means over all puzzles, with the scale of their values.
    pub(super) fn subject_on(&self, part: Option<usize>) -> RunSubject {
        self.subject.with_scale(self.study.scale_on(part.map(|part| &*self.shown_puzzles[part])))
    }

    /// The setting of every run of a folder, by the index of the run.
    pub(super) fn runs_of(&self, folder: usize) -> BTreeMap<u64, usize> {
        let mut setting_of = BTreeMap::new();
        let runs = &self.study.runs;
        for (place, joined) in self.settings.iter().enumerate() {
            for run in joined.runs().filter(|run| runs.folder[*run] as usize == folder) {
                setting_of.insert(runs.run[run], place);
            }
        }
        setting_of
    }

    /// How many runs there are.
    pub(super) fn runs(&self) -> u64 {
        self.settings.iter().map(|setting| setting.runs().len() as u64).sum()
    }

    /// The first run; every setting has one.
    pub(super) fn first_run(&self) -> usize {
        self.settings[0].runs().next().expect("settings without runs are left out")
    }

    /// How many runs were planned, those left out as double apart; for a race that has ended, how many it made.
    pub(super) fn planned(&self) -> u64 {
        (0..self.study.folders.len()).map(|folder| self.planned_of(folder)).sum()
    }

    /// The same for one folder.
    pub(super) fn planned_of(&self, folder: usize) -> u64 {
        let StudyFolder { plan, shard, doubles, .. } = &self.study.folders[folder];
        let planned = match self.study.race(folder) {
            Some(race) if race.next().is_none() => race.runs(),
            _ => plan.share(*shard).count(),
        };
        planned - doubles.len() as u64
    }

    /// How many runs solved their puzzle.
    pub(super) fn solved(&self) -> u64 {
        self.stats().iter().map(|stats| stats.solved).sum()
    }

    /// How many runs failed.
    pub(super) fn failed(&self) -> u64 {
        self.settings.iter().map(|setting| setting.failed(self.study, None)).sum()
    }

    /// How many runs a program solved within their first hundred evaluations.
    pub(super) fn solved_at_once(&self) -> u64 {
        self.settings.iter().map(|setting| setting.solved_at_once(self.study, None)).sum()
    }

    /// The runs of one puzzle at every combination of levels of some factors, the last varying fastest; `None` without runs, or
    /// without values. `only` chooses settings. Best values are in the units of their problem.
    pub(crate) fn levels(
        &self,
        part: usize,
        factors: &[&Factor],
        only: impl Fn(usize) -> bool,
    ) -> Vec<Option<Level>> {
        let size = factors.iter().map(|factor| factor.levels.len()).product();
        let mut runs = vec![(Vec::new(), Vec::new()); size];
        for setting in 0..self.settings.len() {
            let sample = &self.samples[setting];
            let Some(blocks) = sample.on(&self.shown_puzzles[part]).filter(|_| only(setting)) else {
                continue;
            };
            let place =
                factors.iter().fold(0, |place, factor| place * factor.levels.len() + factor.of[setting]);
            for run in blocks.runs() {
                runs[place].0.push(run.charged());
                if !run.failed {
                    runs[place].1.push(run.observed);
                }
            }
        }
        let subject = self.subject_on(Some(part));
        let mut levels = Vec::with_capacity(size);
        for (runs, finished) in &runs {
            let mut level = Level::of(runs, finished);
            if self.is_by_fitness {
                level = level.filter(|level| level.median.value.is_finite());
                level.iter_mut().for_each(|level| level.median = subject.estimate(level.median));
            }
            levels.push(level);
        }
        levels
    }
}

/// The puzzles with figures of their own, up to `most` spread evenly from the one solved most often to the one solved least
/// often; and how many puzzles have runs.
fn parts_of(study: &Study, most: usize) -> (Vec<String>, usize) {
    let mut solved: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for run in study.counted_runs() {
        let (solved, runs) = solved.entry(&**study.puzzle_of(run)).or_default();
        *solved += u64::from(study.runs.solved[run]);
        *runs += 1;
    }
    let mut ids: Vec<&str> = study.puzzles().into_iter().map(|puzzle| &*puzzle.id).collect();
    ids.retain(|id| solved.contains_key(id));
    (evenly(&ids, &solved, most).into_iter().map(str::to_owned).collect(), ids.len())
}

/// Chooses up to `most` puzzles by (solved runs, runs).
fn evenly<'a>(ids: &[&'a str], solved: &BTreeMap<&str, (u64, u64)>, most: usize) -> Vec<&'a str> {
    if ids.len() <= most {
        return ids.to_vec();
    }
    let share = |id: &str| solved.get(id).map_or(0.0, |(solved, runs)| *solved as f64 / *runs as f64);
    let mut sorted = ids.to_vec();
    // The sort is stable: ties keep the order of the study.
    sort_by(&mut sorted, |a, b| share(b).total_cmp(&share(a)));
    (0..most).map(|place| sorted[place * (sorted.len() - 1) / (most - 1).max(1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_puzzles_easy_ones_and_hard_ones_are_shown() {
        let ids = ["a", "b", "c", "d", "e"];
        let all: BTreeMap<&str, (u64, u64)> =
            ids.into_iter().zip([3, 9, 0, 5, 7].map(|solved| (solved, 10))).collect();
        assert_eq!(evenly(&ids, &all, 5), ids);
        assert_eq!(evenly(&ids, &all, 3), ["b", "d", "c"]);
        assert_eq!(evenly(&ids, &all, 1), ["b"]);
    }
}
