//! How long the runs that remain will take: runs of one setting take about the same time, those of two settings may not.

use kenga_lab::experiment::{Plan, RemainingRuns};

/// What is known of every setting.
pub(super) struct Pace {
    settings: Vec<SettingPace>,
}

/// The runs of a setting.
#[derive(Clone, Copy, Default)]
struct SettingPace {
    /// Those that have not ended.
    left: u64,
    /// Those that have ended since the start, and the seconds that they took together.
    ended: u64,
    seconds: f64,
}

impl Pace {
    /// The runs that remain, by setting.
    pub(super) fn new(plan: &Plan, remaining: &RemainingRuns<'_>) -> Self {
        let mut settings = vec![SettingPace::default(); plan.settings.all.len()];
        let count = remaining.count() as usize;
        for run in (0..plan.runs()).filter(|run| remaining.has(*run)).take(count) {
            settings[plan.id(run).setting as usize].left += 1;
        }
        Self { settings }
    }

    /// A run of a setting has ended after so many seconds.
    pub(super) fn ended(&mut self, setting: usize, seconds: f64) {
        let pace = &mut self.settings[setting];
        pace.left = pace.left.saturating_sub(1);
        pace.ended += 1;
        pace.seconds += seconds;
    }

    /// Seconds of wall time to the end, where `running` are the settings of the runs in progress and how long these have been,
    /// and `passed` has passed since the start. `None` before a run has ended, and after the last.
    pub(super) fn seconds_left(&self, running: &[(usize, f64)], passed: f64) -> Option<f64> {
        let unknown = self.mean_of_known()?;
        let (mut work, mut done) = (0.0, 0.0);
        for pace in &self.settings {
            work += pace.left as f64 * pace.mean().unwrap_or(unknown);
            done += pace.seconds;
        }
        if self.settings.iter().all(|pace| pace.left == 0) {
            return None;
        }
        for (setting, seconds) in running {
            // What it has taken is done; one that takes longer than others has no part of theirs left.
            work -= seconds.min(self.settings[*setting].mean().unwrap_or(unknown));
            done += seconds;
        }
        // Runs in parallel take more seconds together than pass.
        let at_once = (done / passed.max(1e-9)).max(f64::MIN_POSITIVE);
        Some(work.max(0.0) / at_once)
    }

    /// The mean of the settings that are known: what one that is not takes, as far as can be told.
    fn mean_of_known(&self) -> Option<f64> {
        let known: Vec<f64> = self.settings.iter().filter_map(SettingPace::mean).collect();
        if known.is_empty() { None } else { Some(known.iter().sum::<f64>() / known.len() as f64) }
    }
}

impl SettingPace {
    fn mean(&self) -> Option<f64> {
        if self.ended == 0 { None } else { Some(self.seconds / self.ended as f64) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(left: &[u64]) -> Pace {
        let settings = left.iter().map(|left| SettingPace { left: *left, ..SettingPace::default() });
        Pace { settings: settings.collect() }
    }

    #[test]
    fn a_slow_setting_counts_by_its_own_runs() {
        let mut pace = pace(&[2, 2]);
        assert_eq!(pace.seconds_left(&[], 0.0), None);
        pace.ended(0, 1.0);
        // Nothing is known of the second yet.
        assert_eq!(pace.seconds_left(&[], 1.0), Some(3.0));
        pace.ended(1, 100.0);
        assert_eq!(pace.seconds_left(&[], 101.0), Some(101.0));
        // Two at once take half as long.
        assert_eq!(pace.seconds_left(&[], 50.5), Some(50.5));
        pace.ended(0, 1.0);
        // Of the last run 40 seconds have passed.
        assert_eq!(pace.seconds_left(&[(1, 40.0)], 142.0), Some(60.0));
        assert_eq!(pace.seconds_left(&[(1, 500.0)], 602.0), Some(0.0));
        pace.ended(1, 500.0);
        assert_eq!(pace.seconds_left(&[], 602.0), None);
    }

    #[test]
    fn runs_that_take_no_time_leave_none() {
        let mut pace = pace(&[3]);
        pace.ended(0, 0.0);
        assert_eq!(pace.seconds_left(&[], 0.0), Some(0.0));
    }
}
