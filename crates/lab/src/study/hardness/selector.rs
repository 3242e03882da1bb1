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

use super::TimeModel;
use super::folds::Folds;
use super::resample::{Resampling, mean};
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
    settings: &[TimeModel],
    solved: &[bool],
    folds: &Folds,
    with: &mut Resampling<'_>,
) -> Option<Selection> {
    if settings.len() < 2 {
        return None;
    }
    let times: Vec<&[f64]> = settings.iter().map(|setting| setting.times.cut.par10.as_slice()).collect();
    let singles: Vec<usize> = (0..folds.count()).map(|fold| best_elsewhere(&times, folds, fold)).collect();
    let (mut selected, mut single, mut best) = (Vec::new(), Vec::new(), Vec::new());
    let (mut selector_times, mut single_times, mut virtual_times) = (Vec::new(), Vec::new(), Vec::new());
    for puzzle in 0..solved.len() {
        let expected: Vec<f64> = settings.iter().map(|setting| setting.expected[puzzle]).collect();
        let measured: Vec<f64> = times.iter().map(|times| times[puzzle]).collect();
        selected.push(least(&expected));
        // Chosen without this puzzle, as the models of the selector are grown without it.
        single.push(singles[folds.of(puzzle)]);
        best.push(if solved[puzzle] { ties(&measured) } else { Vec::new() });
        selector_times.push(measured[selected[puzzle]]);
        single_times.push(measured[single[puzzle]]);
        virtual_times.push(measured[least(&measured)]);
    }
    let mut over = |times: &[f64]| with.estimate((0.0, f64::INFINITY), |weight| mean(weight, times));
    let (of_selector, of_single, of_best) =
        (over(&selector_times)?, over(&single_times)?, over(&virtual_times)?);
    let closed = with.estimate((f64::NEG_INFINITY, 1.0), |weight| {
        let single = mean(weight, &single_times)?;
        let gap = single - mean(weight, &virtual_times)?;
        if gap > 0.0 { Some((single - mean(weight, &selector_times)?) / gap) } else { None }
    });
    let (mut right, mut known) = (0, 0);
    for puzzle in 0..solved.len() {
        if solved[puzzle] {
            known += 1;
            right += u32::from(selector_times[puzzle] <= virtual_times[puzzle]);
        }
    }
    let right = if known > 0 { Some(f64::from(right) / f64::from(known)) } else { None };
    Some(Selection { selected, single, best, of_selector, of_single, of_best, closed, right })
}

/// The setting with the least time over the puzzles of all folds but one.
fn best_elsewhere(times: &[&[f64]], folds: &Folds, fold: usize) -> usize {
    let mut sums = vec![0.0; times.len()];
    for (sum, times) in sums.iter_mut().zip(times) {
        for (puzzle, time) in times.iter().enumerate() {
            if folds.of(puzzle) != fold {
                *sum += time;
            }
        }
    }
    least(&sums)
}

/// The settings with the least time.
fn ties(times: &[f64]) -> Vec<usize> {
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    (0..times.len()).filter(|setting| times[*setting] <= least).collect()
}

/// The index of the least; of several, the first.
fn least(times: &[f64]) -> usize {
    (0..times.len()).min_by(|a, b| times[*a].total_cmp(&times[*b])).unwrap_or(0)
}
