//! Which numbers of puzzles go with the running time of settings.
//!
//! The running time of a setting on a puzzle is the expected number of calls with restarts after failure: infinite where no
//! run has solved, so that such puzzles tie as the hardest. Spearman's correlation asks for the order of the puzzles alone.
//! Intervals are from resamples of puzzles. p-values are adjusted by Holm over all numbers and settings together: where
//! correlations with at most 5 % are said to differ from 0, the chance that any of them is false is at most 5 %.

use std::collections::BTreeMap;

use super::{CompareError, JoinedSettings, Metric, SettingStats, Study};
use kenga_core::rng::StreamKey;
use kenga_core::sort::sort_by;
use kenga_stats::{Bootstrap, Estimate, holm, spearman, spearman_p};

/// A number that puzzles have.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// What it is, for tables.
    pub name: String,
    /// The number of each puzzle that has one, by id.
    pub values: BTreeMap<String, f64>,
}

/// How a feature goes with the running time of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The index of the feature.
    pub feature: usize,
    /// The name of the setting.
    pub setting: String,
    /// The puzzles with both numbers.
    pub puzzles: usize,
    /// Of these, how many no run has solved.
    pub unsolved: usize,
    /// Spearman's correlation with its 95 % interval over puzzles.
    pub rho: Estimate,
    /// The chance of such a correlation without any association.
    pub p: f64,
    /// The same adjusted over all features and settings.
    pub holm: f64,
}

/// The fewest puzzles for a correlation.
const FEWEST: usize = 4;

/// Every feature with every setting, the strongest correlation first; those without variance, or of fewer than 4 puzzles,
/// are left out.
///
/// # Errors
/// [`CompareError`] where a setting has no runs.
pub fn predictions(
    study: &Study,
    settings: &[JoinedSettings],
    features: &[Feature],
) -> Result<Vec<Prediction>, CompareError> {
    let mut found = Vec::new();
    for setting in settings {
        let measured =
            SettingStats::new(&setting.sample(study, Metric::Calls, None)?, true, &super::Groups::default());
        let mut times: BTreeMap<&str, f64> = BTreeMap::new();
        for puzzle in &measured.puzzles {
            // Infinite where no run has solved: ranks take it as the hardest.
            if let Some(expected) = puzzle.ert {
                times.insert(&puzzle.id, expected.value);
            }
        }
        for (index, feature) in features.iter().enumerate() {
            let mut pairs = Vec::new();
            for (id, value) in &feature.values {
                if let Some(time) = times.get(&**id) {
                    pairs.push((*value, *time));
                }
            }
            found.extend(prediction(&pairs, &setting.name, index, &feature.name));
        }
    }
    let p_values: Vec<f64> = found.iter().map(|one| one.p).collect();
    // All numbers and settings are one family: whoever looks for the strongest correlation looks at all.
    for (one, adjusted) in found.iter_mut().zip(holm(&p_values)) {
        one.holm = adjusted;
    }
    sort_by(&mut found, |a, b| b.rho.value.abs().total_cmp(&a.rho.value.abs()));
    Ok(found)
}

/// How a feature goes with a setting; `pairs` holds the feature and the running time of each puzzle that has both.
fn prediction(pairs: &[(f64, f64)], setting: &str, feature: usize, name: &str) -> Option<Prediction> {
    if pairs.len() < FEWEST {
        return None;
    }
    let value = spearman(pairs)?;
    let mut rng = StreamKey::run(1, setting, 0).child(name).rng();
    let (mut drawn, mut undefined) = (Vec::with_capacity(pairs.len()), 0);
    let interval = Bootstrap::default().interval(pairs.len(), &mut |n| rng.below(n), |counts| {
        drawn.clear();
        for (pair, count) in pairs.iter().zip(counts) {
            drawn.extend(std::iter::repeat_n(*pair, *count as usize));
        }
        // Of a resample that never varies nothing is known: either end in turns.
        spearman(&drawn).unwrap_or_else(|| {
            undefined += 1;
            if undefined % 2 == 0 { -1.0 } else { 1.0 }
        })
    });
    let p = spearman_p(pairs);
    Some(Prediction {
        feature,
        setting: setting.to_owned(),
        puzzles: pairs.len(),
        unsolved: pairs.iter().filter(|(_, time)| time.is_infinite()).count(),
        rho: Estimate { value, interval },
        p,
        holm: p,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_that_no_run_has_solved_are_the_hardest() {
        let rising: Vec<(f64, f64)> =
            (0..10).map(|i| (f64::from(i), if i > 7 { f64::INFINITY } else { f64::from(i * i) })).collect();
        let found = prediction(&rising, "a", 0, "b").expect("ten puzzles");
        assert_eq!((found.puzzles, found.unsolved), (10, 2));
        assert!(found.rho.value > 0.99 && found.p < 1e-6, "{found:?}");
        assert!(found.rho.interval.low > 0.9 && found.rho.interval.high <= 1.0, "{found:?}");
        assert_eq!(prediction(&rising[..3], "a", 0, "b"), None);
    }

    #[test]
    fn what_never_varies_predicts_nothing() {
        let flat: Vec<(f64, f64)> = (0..10).map(|i| (1.0, f64::from(i))).collect();
        assert_eq!(prediction(&flat, "a", 0, "b"), None);
    }
}
