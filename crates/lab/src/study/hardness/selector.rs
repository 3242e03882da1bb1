//! The algorithm selector: for every held-out puzzle the setting whose expected time is the least.
//!
//! What is compared is the mean PAR-10 over puzzles. So the selector goes by forests that predict PAR-10 itself and not its
//! logarithm, which would take a setting that is usually fast and now and then never ends.
//!
//! ```text
//! single best   the setting with the least mean PAR-10 over the puzzles of the other folds
//! virtual best  the setting with the least measured PAR-10 on the puzzle itself: no selector can do better
//! gap closed    (single - selector) / (single - virtual): 0 as good as the single best, 1 as the virtual best
//! ```
//!
//! All runs are cut at the least budget of the settings. Neither the selector nor the single best has seen the puzzle that it
//! is measured on. The virtual best has: with few replicates it is too good, for it picks what was lucky. What the features
//! cost is not counted.
//!
//! Sources: J. R. Rice 1976, The algorithm selection problem, doi:10.1016/S0065-2458(08)60520-3; B. Bischl et al. 2016,
//! ASlib: a benchmark library for algorithm selection, doi:10.1016/j.artint.2016.04.003; M. Lindauer, H. H. Hoos,
//! F. Hutter, T. Schaub 2015, AutoFolio, doi:10.1613/jair.4726.

use super::folds::Folds;
use super::resample::{Resampling, mean};
use super::times::SettingTimes;
use kenga_stats::Estimate;

/// What selecting a setting for each puzzle gains.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The setting that was selected for each puzzle, as an index.
    pub selected: Vec<usize>,
    /// The single best of the other folds, for each puzzle.
    pub single: Vec<usize>,
    /// The best on each puzzle, several where they tie; none where no setting solves it.
    pub best: Vec<Vec<usize>>,
    /// PAR-10 of the selector over puzzles, in calls.
    pub of_selector: Estimate,
    /// PAR-10 of the single best.
    pub of_single: Estimate,
    /// PAR-10 of the virtual best.
    pub of_best: Estimate,
    /// The share of the gap closed, at most 1; `None` where the single best is the best on every puzzle.
    pub closed: Option<Estimate>,
    /// The share of the puzzles that some setting solves on which the selected one is as good as the best; `None` without
    /// such puzzles.
    pub right: Option<f64>,
}

/// Selects for every puzzle by the expected times of each setting; `None` with one setting. `solved` says of each puzzle
/// whether some setting solves it.
pub(super) fn select(
    settings: &[SettingTimes],
    expected: &[Vec<f64>],
    solved: &[bool],
    folds: &Folds,
    with: &mut Resampling<'_>,
) -> Option<Selection> {
    if settings.len() < 2 {
        return None;
    }
    let puzzles = 0..solved.len();
    let selected: Vec<usize> = puzzles.clone().map(|puzzle| least(expected, |of| of[puzzle])).collect();
    let best: Vec<usize> = puzzles.clone().map(|puzzle| least(settings, |of| of.cut.par10[puzzle])).collect();
    let single_of = |fold: usize| {
        let training = |of: &SettingTimes| {
            let seen = of.cut.par10.iter().enumerate().filter(|(puzzle, _)| folds.of(*puzzle) != fold);
            seen.map(|(_, time)| time).sum::<f64>()
        };
        least(settings, training)
    };
    let singles: Vec<usize> = (0..folds.count()).map(single_of).collect();
    let single: Vec<usize> = puzzles.clone().map(|puzzle| singles[folds.of(puzzle)]).collect();
    let times = |of: &[usize]| -> Vec<f64> {
        of.iter().enumerate().map(|(puzzle, setting)| settings[*setting].cut.par10[puzzle]).collect()
    };
    let (a, s, v) = (times(&selected), times(&single), times(&best));
    let mut over = |times: &[f64]| with.estimate((0.0, f64::INFINITY), |weight| mean(weight, times));
    let (of_selector, of_single, of_best) = (over(&a)?, over(&s)?, over(&v)?);
    let closed = with.estimate((f64::NEG_INFINITY, 1.0), |weight| {
        let (single, gap) = (mean(weight, &s)?, mean(weight, &s)? - mean(weight, &v)?);
        (gap > 0.0).then(|| Some((single - mean(weight, &a)?) / gap))?
    });
    let right = share(solved, |puzzle| a[puzzle] <= v[puzzle]);
    let best =
        puzzles.map(|puzzle| if solved[puzzle] { ties(settings, puzzle) } else { Vec::new() }).collect();
    Some(Selection { selected, single, best, of_selector, of_single, of_best, closed, right })
}

/// The settings with the least time on a puzzle.
fn ties(settings: &[SettingTimes], puzzle: usize) -> Vec<usize> {
    let time = |setting: &usize| settings[*setting].cut.par10[puzzle];
    let best = (0..settings.len()).map(|setting| time(&setting)).fold(f64::INFINITY, f64::min);
    (0..settings.len()).filter(|setting| time(setting) <= best).collect()
}

/// The share of the puzzles that count of which something holds; `None` where none counts.
fn share(counts: &[bool], holds: impl Fn(usize) -> bool) -> Option<f64> {
    let counted: Vec<usize> = (0..counts.len()).filter(|puzzle| counts[*puzzle]).collect();
    let held = counted.iter().filter(|puzzle| holds(**puzzle)).count();
    (!counted.is_empty()).then(|| held as f64 / counted.len() as f64)
}

/// The index of the least; of several, the first.
fn least<T>(all: &[T], of: impl Fn(&T) -> f64) -> usize {
    (0..all.len()).min_by(|a, b| of(&all[*a]).total_cmp(&of(&all[*b]))).unwrap_or(0)
}
