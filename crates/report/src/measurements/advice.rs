//! Advice on restarts.

use rayon::prelude::*;

use kenga_lab::study::{RunValue, SettingSample, SettingStats};
use kenga_stats::{Observed, RestartTest, Z_95, holm_among, restart_test};

/// What a restart after a cutoff gains.
#[derive(Clone, Copy)]
pub(crate) struct Advice {
    pub(crate) test: RestartTest,
    /// The p-value after Holm's correction over all settings and puzzles that were tested.
    pub(crate) holm: f64,
}

impl Advice {
    /// The expected calls with the cutoff over those without.
    pub(crate) fn ratio(&self) -> f64 {
        self.test.with / self.test.without
    }

    /// Whether the gain is significant.
    pub(crate) fn is_significant(&self) -> bool {
        self.holm < crate::ALPHA
    }

    /// Whether the gain is significant, and 5 % or more.
    pub(crate) fn is_worth_following(&self) -> bool {
        self.is_significant() && self.ratio() <= 0.95
    }
}

/// The advice for every setting on every part.
pub(super) fn advise(
    settings: &[&SettingStats],
    samples: &[SettingSample],
    parts: &[String],
) -> Vec<Vec<Option<Advice>>> {
    let mut all: Vec<Vec<Option<Advice>>> = settings
        .par_iter()
        .zip(samples)
        .map(|(setting, sample)| parts.iter().map(|part| advice_on(setting, sample, part)).collect())
        .collect();
    // A test is given only where a cutoff looks better. The others were looked at too, on the same runs, so they count.
    let mut tests = 0;
    for setting in settings {
        tests += parts.iter().filter(|part| setting.on(part).is_some()).count();
    }
    let mut known: Vec<&mut Advice> = all.iter_mut().flatten().flatten().collect();
    let p_values: Vec<f64> = known.iter().map(|advice| advice.test.p).collect();
    for (advice, corrected) in known.iter_mut().zip(holm_among(&p_values, tests)) {
        advice.holm = corrected;
    }
    all
}

/// The advice for a setting on a part, before Holm's correction.
fn advice_on(setting: &SettingStats, sample: &SettingSample, part: &str) -> Option<Advice> {
    let observed: Vec<Observed> = sample.on(part)?.runs().iter().map(RunValue::charged).collect();
    let test = restart_test(&observed, setting.on(part)?.budget, Z_95)?;
    Some(Advice { test, holm: test.p })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_lab::study::{Block, Groups};

    /// A setting whose runs on one puzzle spend these calls, a run of 1000 without a solution.
    fn sample(name: &str, calls: &[f64]) -> SettingSample {
        let mut runs = Vec::new();
        for (replicate, spent) in calls.iter().enumerate() {
            let block = Block { puzzle: "p".into(), seed: 1, replicate: replicate as u64 };
            let observed = Observed { spent: *spent, solved: *spent < 1000.0 };
            runs.push((block, RunValue::new(observed, 1000.0)));
        }
        SettingSample::new(name, name, runs)
    }

    #[test]
    fn advice_is_corrected_for_the_settings_on_which_no_cutoff_looks_better_too() {
        let lucky: Vec<f64> =
            (0..30).map(|run| if run % 3 == 0 { 1000.0 } else { f64::from(10 + run) }).collect();
        let mut samples = vec![sample("lucky", &lucky)];
        samples.extend((0..7).map(|_| sample("even", &[100.0; 30])));
        let stats = |sample| SettingStats::new(sample, true, &Groups::default());
        let settings: Vec<SettingStats> = samples.iter().map(stats).collect();
        let advice = advise(&settings.iter().collect::<Vec<_>>(), &samples, &["p".to_owned()]);
        let found = advice[0][0].expect("a cutoff looks better");
        assert!(advice[1..].iter().all(|of| of[0].is_none()));
        assert!(found.test.p > 0.0);
        assert_eq!(found.holm, (8.0 * found.test.p).min(1.0));
    }
}
