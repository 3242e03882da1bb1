//! When to give up and start anew.
//!
//! Started anew whenever `t` has passed without a solution, an algorithm takes E(t) = (t - area of F up to t) / F(t)
//! in the mean, F being the distribution of its time to a solution; the best fixed cutoff minimises E. F is the
//! Kaplan-Meier estimate, so that E is least just as a run solves: only the times of solutions are tried.
//!
//! Source: M. Luby, A. Sinclair, D. Zuckerman 1993, Optimal speedup of Las Vegas algorithms,
//! doi:10.1016/0020-0190(93)90029-9.

use super::bootstrap::Bootstrap;
use super::survival::KaplanMeier;
use super::{Interval, Observed};

/// Whether restarting sooner would be faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestartAdvice {
    /// The best time to give up; `None` when no cutoff beats the longest time seen: restarting sooner is never worth
    /// it on these runs.
    pub cutoff: Option<f64>,
    /// The expected time with the cutoff; `without` when there is none.
    pub with: f64,
    /// The expected time when giving up only at the longest time seen. Where all budgets are equal it is the expected
    /// running time.
    pub without: f64,
    /// The percentile interval of with / without for this cutoff, which resampling does not choose anew: that it was
    /// chosen on the same runs, it does not account for. Only below 1 as a whole is the advice worth following; the
    /// upper end is infinite when the cutoff rests on few solutions. 1 to 1 without a cutoff.
    pub ratio: Interval,
}

/// The cutoff that minimises the expected time; `None` when no run solved. O(n log n) and O(n) a resample.
pub fn restart_advice(
    runs: &[Observed],
    bootstrap: Bootstrap,
    draw: &mut impl FnMut(usize) -> usize,
) -> Option<RestartAdvice> {
    let mut sorted = runs.to_vec();
    sorted.sort_unstable_by(|a, b| a.spent.total_cmp(&b.spent));
    let all = KaplanMeier::from_sorted(&sorted, |_| 1);
    let (best, with) = best_cutoff(&all)?;
    let without = expected_time(&all, all.longest());
    // Times that differ by rounding are no advice.
    if with >= without * (1.0 - 1e-12) {
        let ratio = Interval { low: 1.0, high: 1.0 };
        return Some(RestartAdvice { cutoff: None, with: without, without, ratio });
    }
    let ratio = bootstrap.interval(sorted.len(), draw, |counts| {
        let again = KaplanMeier::from_sorted(&sorted, |index| u64::from(counts[index]));
        let (with, without) = (expected_time(&again, best), expected_time(&again, again.longest()));
        if with.is_infinite() { f64::INFINITY } else { with / without }
    });
    Some(RestartAdvice { cutoff: Some(best), with, without, ratio })
}

/// The mean time to a solution when every start is given up after `cutoff`; infinite when none solves by then. O(n).
pub fn expected_time(distribution: &KaplanMeier, cutoff: f64) -> f64 {
    let solved = 1.0 - distribution.unsolved(cutoff);
    if solved > 0.0 { distribution.restricted_mean(cutoff) / solved } else { f64::INFINITY }
}

/// The time of a solution at which giving up is best, and the expected time with it; the longest of equals.
fn best_cutoff(distribution: &KaplanMeier) -> Option<(f64, f64)> {
    let (mut area, mut since, mut unsolved) = (0.0, 0.0, 1.0);
    let mut best: Option<(f64, f64)> = None;
    for step in distribution.steps() {
        area += (step.time - since) * unsolved;
        (since, unsolved) = (step.time, step.unsolved);
        let expected = area / (1.0 - unsolved);
        if best.is_none_or(|(_, least)| expected <= least) {
            best = Some((step.time, expected));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::expected_running_time;
    use crate::stats::testing::{assert_close, draws};

    fn advice(runs: &[Observed]) -> Option<RestartAdvice> {
        restart_advice(runs, Bootstrap { resamples: 500, level: 0.95 }, &mut draws(1))
    }

    /// Half solve at 10, the others would take 1000.
    fn heavy(n: usize) -> Vec<Observed> {
        (0..n).map(|i| if i % 2 == 0 { Observed::solved(10.0) } else { Observed::failed(1000.0) }).collect()
    }

    #[test]
    fn giving_up_early_beats_a_heavy_tail() {
        let found = advice(&heavy(100)).expect("some solved");
        assert_eq!((found.cutoff, found.with), (Some(10.0), 20.0));
        assert_eq!(found.without, expected_running_time(&heavy(100)));
        assert!(
            found.ratio.low < 20.0 / 1010.0 && 20.0 / 1010.0 < found.ratio.high && found.ratio.high < 0.1
        );
    }

    #[test]
    fn a_time_that_never_fails_is_never_worth_cutting() {
        let steady: Vec<Observed> = (90..110).map(|i| Observed::solved(f64::from(i))).collect();
        let found = advice(&steady).expect("all solved");
        assert_eq!((found.cutoff, found.ratio), (None, Interval { low: 1.0, high: 1.0 }));
        assert_eq!((found.with, found.without), (99.5, 99.5));
        assert_eq!(advice(&[Observed::solved(3.0); 4]).expect("all solved").cutoff, None);
    }

    #[test]
    fn without_a_solution_there_is_no_advice() {
        assert_eq!(advice(&[]), None);
        assert_eq!(advice(&[Observed::failed(9.0); 3]), None);
        let one = advice(&[Observed::solved(4.0)]).expect("it solved");
        assert_eq!((one.cutoff, one.with), (None, 4.0));
    }

    #[test]
    fn one_lucky_run_is_no_sound_advice() {
        let mut runs = vec![Observed::failed(1000.0); 9];
        runs.push(Observed::solved(1.0));
        let found = advice(&runs).expect("one solved");
        assert_eq!(found.cutoff, Some(1.0));
        assert_close(found.with, 10.0, 1e-12);
        assert_eq!(found.ratio.high, f64::INFINITY);
    }

    /// The slow way: E at every time, by its definition.
    #[test]
    fn no_other_time_is_better() {
        let runs: Vec<Observed> =
            (0..60).map(|i| Observed { spent: f64::from(1 + i * i * 37 % 401), solved: i % 3 > 0 }).collect();
        let found = advice(&runs).expect("some solved");
        let distribution = KaplanMeier::estimate(&runs);
        let least =
            (1..=401).map(|t| expected_time(&distribution, f64::from(t))).fold(f64::INFINITY, f64::min);
        assert_close(found.with, least, 1e-12);
    }
}
