//! The factor by which one algorithm takes longer than another, where some runs give up.
//!
//! The model: within a stratum (a puzzle), the time of the first is `ratio` times that of the second in distribution,
//! whatever the distribution; a run that gave up after `spent` would have taken longer. For a supposed ratio r the times of
//! the first are divided by r, and the stratified log-rank test compares the two:
//!
//! ```text
//! z(r) = (solutions of the first - those expected) / standard deviation      rises with r
//! estimate: z(r) = 0         interval: the r with |z(r)| <= z
//! ```
//!
//! The time of a run that gives up is divided like that of one that solves, so that failures cause no bias; where they set
//! no bound, the interval is infinite on that side. The variance is hypergeometric, which holds when budgets differ after
//! division, and is widened by (D + 1) / D for D solutions that inform it. The interval is unbounded where even complete
//! separation of the two could be chance.
//!
//! Sources: T. A. Louis 1981, Nonparametric analysis of an accelerated failure time model, doi:10.1093/biomet/68.2.381;
//! L. J. Wei 1992, The accelerated failure time model: a useful alternative to the Cox regression model in survival
//! analysis, doi:10.1002/sim.4780111409.

use super::distribution::{boundary, normal_two_sided};
use super::estimate::Estimate;
use super::{Interval, Observed};

/// Halvings of the range of logarithms that is searched.
const HALVINGS: usize = 64;

/// The time of the first over that of the second: `strata[s]` holds the runs of both on puzzle s, possibly none. The
/// interval is for the normal quantile `z`; either end, and the value, may be 0 or infinite where the runs set no
/// bound. `None` when no puzzle has runs that distinguish the two at any ratio.
///
/// Runs are taken as independent. Pairs with the same start are correlated positively, if at all: the interval is then wider
/// than necessary. O(n log n), and O(n) for each of some 250 ratios.
pub fn time_ratio(strata: &[[&[Observed]; 2]], z: f64) -> Option<Estimate> {
    let strata: Vec<TimedStratum> = strata.iter().filter_map(TimedStratum::new).collect();
    let (first, second) = (PositiveTimes::of(&strata, 0), PositiveTimes::of(&strata, 1));
    // Beyond these, all times of one side precede all of the other.
    let low = (first.least / second.most / 2.0).ln();
    let high = (first.most / second.least * 2.0).ln();
    if !(low.is_finite() && high.is_finite()) {
        return None;
    }
    let below = bisect(low, high, |at| Lean::of(&strata, at.exp()).excess >= 0.0);
    let above = bisect(low, high, |at| Lean::of(&strata, at.exp()).excess > 0.0);
    if below == f64::NEG_INFINITY && above == f64::INFINITY {
        return None;
    }
    let value = if !below.is_finite() {
        0.0
    } else if !above.is_finite() {
        // No ratio, however large, makes the first look faster.
        f64::INFINITY
    } else {
        f64::midpoint(below, above).exp()
    };
    // The normal approximation would bound the ratio even of two runs against two, where chance alone separates
    // them too often for any such claim.
    if fewest_chance(&strata) > normal_two_sided(z) {
        return Some(Estimate { value, interval: Interval { low: 0.0, high: f64::INFINITY } });
    }
    let interval = Interval {
        low: bisect(low, high, |at| Lean::of(&strata, at.exp()).z() > -z).exp(),
        high: bisect(low, high, |at| Lean::of(&strata, at.exp()).z() > z).exp(),
    };
    Some(Estimate { value, interval })
}

/// The bounds of the times above 0 of one side.
struct PositiveTimes {
    least: f64,
    most: f64,
}

impl PositiveTimes {
    fn of(strata: &[TimedStratum], side: usize) -> Self {
        let mut bounds = Self { least: f64::INFINITY, most: 0.0 };
        for TimedStratum(sides) in strata {
            for run in &sides[side] {
                if run.spent > 0.0 {
                    bounds.least = bounds.least.min(run.spent);
                    bounds.most = bounds.most.max(run.spent);
                }
            }
        }
        bounds
    }
}

/// Where `is_above` turns true between `low` and `high`; infinite when it is true, or false, at both.
fn bisect(low: f64, high: f64, is_above: impl Fn(f64) -> bool) -> f64 {
    if is_above(low) {
        return f64::NEG_INFINITY;
    }
    if !is_above(high) {
        return f64::INFINITY;
    }
    boundary(low, high, HALVINGS, is_above)
}

/// The two-sided probability of complete separation where there is no difference: 2 over the ways to deal the runs.
fn fewest_chance(strata: &[TimedStratum]) -> f64 {
    let mut log_ways = 0.0;
    for TimedStratum([first, second]) in strata {
        let (least, most) = (first.len().min(second.len()), first.len().max(second.len()));
        log_ways += (1..=least).map(|i| ((most + i) as f64 / i as f64).ln()).sum::<f64>();
    }
    2.0 * (-log_ways).exp()
}

/// The runs of both sides on one puzzle, by time.
struct TimedStratum([Vec<Observed>; 2]);

impl TimedStratum {
    /// `None` where one side has no run.
    fn new(sides: &[&[Observed]; 2]) -> Option<Self> {
        if sides[0].is_empty() || sides[1].is_empty() {
            return None;
        }
        let mut sorted = sides.map(<[Observed]>::to_vec);
        for side in &mut sorted {
            side.sort_unstable_by(|a, b| a.spent.total_cmp(&b.spent));
        }
        Some(Self(sorted))
    }
}

/// The log-rank test at one ratio.
#[derive(Default)]
struct Lean {
    /// Solutions of the first beyond those expected.
    excess: f64,
    variance: f64,
    /// Solutions while both sides were at risk.
    informed: f64,
}

impl Lean {
    fn of(strata: &[TimedStratum], ratio: f64) -> Self {
        let mut lean = Self::default();
        for stratum in strata {
            lean.add(stratum, ratio);
        }
        lean
    }

    /// One pass over the times of both sides together.
    fn add(&mut self, TimedStratum([first, second]): &TimedStratum, ratio: f64) {
        // Once a side has no run left nothing is compared any more: its end is the end of the pass. Until then
        // both have one, so that `all - 1` is not 0.
        let (mut i, mut j) = (0, 0);
        while i < first.len() && j < second.len() {
            // Whoever ends at this time is at risk at it: both are counted before either moves on.
            let time = (first[i].spent / ratio).min(second[j].spent);
            let (m, n) = ((first.len() - i) as f64, (second.len() - j) as f64);
            let mut solved = 0.0;
            while i < first.len() && first[i].spent / ratio <= time {
                solved += f64::from(u8::from(first[i].solved));
                i += 1;
            }
            let mut together = solved;
            while j < second.len() && second[j].spent <= time {
                together += f64::from(u8::from(second[j].solved));
                j += 1;
            }
            let all = m + n;
            self.excess += solved - together * m / all;
            self.variance += together * m * n / (all * all) * (all - together) / (all - 1.0);
            self.informed += together;
        }
    }

    /// The excess in standard deviations; 0 without variance.
    fn z(&self) -> f64 {
        if self.variance <= 0.0 {
            return 0.0;
        }
        self.excess / (self.variance * (self.informed + 1.0) / self.informed).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;
    use crate::{Z_95, stratified_log_rank};

    /// Ten different times each, of which some gave up at 50.
    fn sides(ratio: f64) -> [Vec<Observed>; 2] {
        let at = |time: f64| if time < 50.0 { Observed::solved(time) } else { Observed::failed(50.0) };
        let first = [3.1, 55.0, 12.0, 7.7, 29.0, 90.0, 18.0, 41.0, 5.3, 23.0];
        let second = [4.0, 11.0, 47.0, 9.1, 2.2, 62.0, 33.0, 6.4, 15.0, 21.0];
        [first.map(|time| at(time * ratio)).to_vec(), second.map(at).to_vec()]
    }

    /// The test itself at one ratio, without the widening.
    fn tested(sides: &[Vec<Observed>; 2], ratio: f64) -> f64 {
        let scaled = |run: &Observed| Observed { spent: run.spent / ratio, ..*run };
        let first: Vec<Observed> = sides[0].iter().map(scaled).collect();
        stratified_log_rank(&[&[&first, &sides[1]]]).statistic
    }

    /// The slow way: the log-rank test, which is held to lifelines, on divided times.
    #[test]
    fn ends_are_where_the_log_rank_test_turns() {
        let runs = sides(1.0);
        let found = time_ratio(&[[&runs[0], &runs[1]]], Z_95).expect("they solved");
        let lean = |ratio: f64| Lean::of(&[TimedStratum::new(&[&runs[0], &runs[1]]).expect("runs")], ratio);
        for ratio in [0.4, 0.9, 1.3, 3.0] {
            let one = lean(ratio);
            assert_close(one.excess * one.excess / one.variance, tested(&runs, ratio), 1e-9);
        }
        let (inside, outside) = (1.0 - 1e-6, 1.0 + 1e-6);
        assert!(
            lean(found.interval.high * inside).z() <= Z_95 && lean(found.interval.high * outside).z() > Z_95
        );
        assert!(
            lean(found.interval.low * outside).z() >= -Z_95 && lean(found.interval.low * inside).z() < -Z_95
        );
        assert!(lean(found.value * inside).excess <= 0.0 && lean(found.value * outside).excess >= 0.0);
    }

    #[test]
    fn a_known_factor_is_found_and_the_other_way_round_is_its_inverse() {
        let [first, second] = sides(1.0);
        let slow: Vec<Observed> =
            first.iter().map(|run| Observed { spent: run.spent * 8.0, ..*run }).collect();
        let once = time_ratio(&[[&first, &second]], Z_95).expect("they solved");
        let slower = time_ratio(&[[&slow, &second]], Z_95).expect("they solved");
        assert_close(slower.value, once.value * 8.0, 1e-9);
        assert_close(slower.interval.high, once.interval.high * 8.0, 1e-9);
        let turned = time_ratio(&[[&second, &first]], Z_95).expect("they solved");
        assert_close(turned.value, 1.0 / once.value, 1e-9);
        assert_close(turned.interval.low, 1.0 / once.interval.high, 1e-9);
    }

    #[test]
    fn puzzles_of_other_difficulty_do_not_mix() {
        let easy: Vec<Observed> = (1..=12).map(|i| Observed::solved(f64::from(i))).collect();
        let hard: Vec<Observed> = (1..=12).map(|i| Observed::solved(f64::from(i) * 1e6)).collect();
        let found = time_ratio(&[[&easy, &easy[..3]], [&hard[..3], &hard]], Z_95).expect("they solved");
        assert!(0.1 < found.interval.low && found.interval.high < 10.0, "{found:?}");
        assert!(found.interval.low < found.value && found.value < found.interval.high);
    }

    #[test]
    fn where_one_side_never_solves_the_ratio_has_no_bound_there() {
        let solved: Vec<Observed> = (10..20).map(|i| Observed::solved(f64::from(i))).collect();
        let failed = [Observed::failed(1000.0); 10];
        let found = time_ratio(&[[&solved, &failed]], Z_95).expect("one solved");
        assert_eq!((found.value, found.interval.low), (0.0, 0.0));
        assert!(found.interval.high < 0.02, "{found:?}");
        let turned = time_ratio(&[[&failed, &solved]], Z_95).expect("one solved");
        assert_eq!((turned.value, turned.interval.high), (f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn what_cannot_be_told_has_no_bound_or_no_ratio() {
        let (fast, slow) = ([1.0, 2.0, 3.0].map(Observed::solved), [7.0, 8.0, 9.0].map(Observed::solved));
        let few = time_ratio(&[[&fast, &slow]], Z_95).expect("they solved");
        assert!(few.value < 1.0);
        assert_eq!(few.interval, Interval { low: 0.0, high: f64::INFINITY });
        assert_eq!(time_ratio(&[], Z_95), None);
        assert_eq!(time_ratio(&[[&fast, &[]]], Z_95), None);
        assert_eq!(time_ratio(&[[&[Observed::failed(9.0); 9], &[Observed::failed(9.0); 9]]], Z_95), None);
        assert_eq!(time_ratio(&[[&[Observed::solved(0.0); 9], &[Observed::solved(0.0); 9]]], Z_95), None);
    }

    #[test]
    fn equal_runs_have_a_ratio_of_1() {
        let same: Vec<Observed> =
            (1..=30).map(|i| Observed { spent: f64::from(i * i), solved: i < 25 }).collect();
        let found = time_ratio(&[[&same, &same]], Z_95).expect("they solved");
        assert_close(found.value, 1.0, 1e-9);
        assert_close(found.interval.low * found.interval.high, 1.0, 1e-9);
    }
}
