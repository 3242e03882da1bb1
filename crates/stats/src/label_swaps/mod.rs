//! Two settings compared by the cost of a solution, with a test that exchanges their labels.
//!
//! # The quantity
//!
//! A setting that is restarted until it solves spends `C / S` on a solution, where `C` is the mean of what its runs spend, to the
//! solution or until they give up, and `S` the share of them that solve: the expected running time. Over several puzzles `C` and
//! `S` are sums over puzzles, each counting alike. The ratio of two settings A and B is `C_B S_A / (C_A S_B)`.
//!
//! # The test
//!
//! If the settings do not differ, their labels may be exchanged on every start that both have, and no start counts more than
//! once, however many runs are joined in it. Runs without common starts are dealt out anew within their puzzle. The statistic is
//!
//! ```text
//! D = C_A S_B - C_B S_A          t = D / sqrt(sum of u_i^2)
//! u_i = C_A s_Bi + c_Ai S_B - C_B s_Ai - c_Bi S_A
//! ```
//!
//! with the influence `u_i` of each start on `D`. Studentised like this the test also holds, for many starts, where settings
//! differ in their shares and in their calls and only the cost of a solution is the same. With labels exchanged on start i the
//! sums `X` of `c_A - c_B` and `Y` of `s_A - s_B` change alone, so that an exchange costs four additions a start.
//!
//! Up to 13 starts every exchange is counted; above, 9,999 are drawn. A p-value below that of the twentieth largest draw is that
//! of Student's distribution, scaled to pass through that draw.
//!
//! # Three claims
//!
//! The same exchanges test the calls of a run and the share that solves. Any two of the three hypotheses imply the third, so that
//! one test on the largest of the three statistics protects all: if it rejects, each claim may be tested at its full level.
//!
//! # The interval
//!
//! All ratios r for which `r C_A S_B - C_B S_A` has a statistic below the critical value of the test, which are those between
//! two roots of a quadratic equation. It excludes 1 exactly if the test is significant.
//!
//! Sources: the expected running time, A. Auger, N. Hansen 2005, doi:10.1109/CEC.2005.1554903; tests by exchange, R. A. Fisher
//! 1935, The Design of Experiments, section 21; studentised ones, A. Janssen 1997, Studentized permutation tests for non-i.i.d.
//! hypotheses and the generalized Behrens-Fisher problem, doi:10.1016/S0167-7152(97)00043-6; closed tests of three hypotheses of
//! which two imply the third, J. P. Shaffer 1986, Modified sequentially rejective multiple test procedures,
//! doi:10.1080/01621459.1986.10478341; the roots, E. C. Fieller 1954, Some problems in interval estimation,
//! doi:10.1111/j.2517-6161.1954.tb00159.x.

mod contrast;
mod dealt;
mod pairs;
mod tail;

use super::distribution::normal_quantile;
use super::{Aim, Interval, wilson_of_share};
use contrast::Contrast;
use dealt::Dealt;
use pairs::{Pairs, Swaps};
use tail::Tail;

/// The effort of a run and whether it solved, or the means of both over the runs that are joined in a start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The effort, to the solution or until the run gave up; 0 or more, finite. In place of a time it may be a value.
    pub spent: f64,
    /// The share that solved, from 0 to 1; 1 for values that are no times.
    pub solved: f64,
}

impl Outcome {
    /// The cost of a solution with restarts; infinite without a solution.
    pub fn cost(&self) -> f64 {
        if self.solved > 0.0 { self.spent / self.solved } else { f64::INFINITY }
    }
}

/// Starts up to which every exchange is counted.
const COUNTED: usize = 13;
/// Exchanges that are drawn for more starts.
const DRAWS: usize = 9_999;

/// Two settings compared by exchanging their labels.
pub struct SwapTest {
    /// The cost of a solution under the second setting over that under the first: 0 or infinite where one alone never solves,
    /// `None` where neither does, or neither spends anything.
    pub ratio: Option<f64>,
    /// The second setting's mean of what is spent less that of the first.
    pub difference: f64,
    /// The p-value of the cost of a solution.
    pub p: f64,
    /// The p-value of what a run spends.
    pub spent_p: f64,
    /// The p-value of the share that solves.
    pub share_p: f64,
    /// The p-value of the hypothesis that the settings differ in none of the three.
    pub any_p: f64,
    /// The smallest p-value that this number of starts can give.
    pub least_p: f64,
    /// Units that were exchanged: starts, runs, or puzzles.
    pub units: usize,
    cost: Tail,
    any: Tail,
    sums: Sums,
    /// How many starts of each setting there are.
    starts: [f64; 2],
    ratios: Contrast,
    /// With the spread of one more failure.
    careful: Option<Contrast>,
}

impl SwapTest {
    /// Compares two settings on puzzles, each with the outcomes of the first and of the second. If `are_paired`, outcome i of
    /// both comes from the same start. `bits` draws 64 random bits. `None` without a puzzle.
    ///
    /// # Panics
    /// If a puzzle has no outcome of a setting, or paired ones in different numbers.
    pub fn new(
        puzzles: &[[Vec<Outcome>; 2]],
        are_paired: bool,
        bits: &mut dyn FnMut() -> u64,
    ) -> Option<Self> {
        if puzzles.is_empty() {
            return None;
        }
        if are_paired {
            return Some(Self::of_pairs(&Pairs::weighted(puzzles), Some(bits)));
        }
        // A single run shows no spread, so the puzzles themselves are exchanged.
        if puzzles.iter().flatten().any(|runs| runs.len() < 2) {
            return Some(Self::of_pairs(&Pairs::new(means(puzzles)), Some(bits)));
        }
        let dealt = Dealt::new(puzzles);
        let tails = dealt.draws(bits).map(|draws| Tail::new(draws, dealt.freedom(), false));
        let sums = Sums::new(&means(puzzles));
        let ratios = dealt.contrast(&sums.with_solutions(0.5 * puzzles.len() as f64 / dealt.runs() as f64));
        let statistics = dealt.statistics(&dealt.first_sums());
        let mut test = Self::assemble(sums, statistics, tails, ratios, dealt.least_p(), dealt.runs());
        test.starts = [0, 1].map(|setting| puzzles.iter().map(|puzzle| puzzle[setting].len() as f64).sum());
        Some(test)
    }

    /// Compares two settings on units that are a sample, such as puzzles of a kind or families of puzzles, given the means of
    /// both on each, by Student's test of the influences in place of exchanges. `None` with fewer than two units.
    pub fn over_units(units: Vec<[Outcome; 2]>) -> Option<Self> {
        (units.len() > 1).then(|| Self::of_pairs(&Pairs::new(units), None))
    }

    fn of_pairs(pairs: &Pairs, bits: Option<&mut dyn FnMut() -> u64>) -> Self {
        let swaps = Swaps::new(&pairs.outcomes);
        let n = pairs.outcomes.len();
        let freedom = n as f64 - 1.0;
        let (tails, least_p) = match bits {
            Some(bits) => {
                let tails = swaps.draws(bits).map(|draws| Tail::new(draws, freedom, n <= COUNTED));
                (tails, 2.0_f64.powf(-freedom))
            }
            None => ([(); 4].map(|()| Tail::student(freedom)), 0.0),
        };
        let sums = Sums::new(&pairs.outcomes);
        let ratios = pairs.contrast(&sums.with_solutions(0.5));
        let mut test = Self::assemble(sums, swaps.statistics(&swaps.sums), tails, ratios, least_p, n);
        // The means of units that mostly fail now and then show that spread.
        if least_p > 0.0
            || pairs.is_solved_by_most(usize::from(sums.ratio().is_some_and(|ratio| ratio < 1.0)))
        {
            test.careful = pairs.careful_contrast(&sums.with_solutions(0.5));
            test.p = test.p.max(test.careful_p(1.0));
        }
        test
    }

    fn assemble(
        sums: Sums,
        [cost, spent, share]: [f64; 3],
        [cost_tail, spent_tail, share_tail, any_tail]: [Tail; 4],
        ratios: Contrast,
        least_p: f64,
        units: usize,
    ) -> Self {
        let p_of = |tail: &Tail, statistic: f64| tail.p(statistic).clamp(least_p, 1.0);
        Self {
            ratio: sums.ratio(),
            difference: (sums.spent[1] - sums.spent[0]) / sums.count,
            p: p_of(&cost_tail, cost),
            spent_p: p_of(&spent_tail, spent),
            share_p: p_of(&share_tail, share),
            any_p: p_of(&any_tail, cost.max(spent).max(share)),
            least_p,
            units,
            cost: cost_tail,
            any: any_tail,
            sums,
            starts: [units as f64; 2],
            ratios,
            careful: None,
        }
    }

    /// The p-value of a ratio with the spread of one more failure; 0 without that.
    fn careful_p(&self, ratio: f64) -> f64 {
        self.careful.as_ref().map_or(0.0, |careful| self.cost.student_p(careful.statistic(ratio)))
    }

    /// The ratios that the test does not reject at the level `alpha`. If the settings were not shown to differ in any of the
    /// three claims, `is_any_shown` is false, and the critical value is that of the largest statistic.
    pub fn ratio_interval(&self, alpha: f64, is_any_shown: bool) -> Interval {
        let critical = self.critical(&self.cost, alpha, is_any_shown);
        let Interval { mut low, mut high } = self.ratios.interval(critical);
        if let Some(careful) = self.careful.as_ref().filter(|_| critical.is_finite()) {
            let wider = careful.interval(self.cost.student_critical(alpha));
            (low, high) = (low.min(wider.low), high.max(wider.high));
        }
        // A setting that never solved may still solve in so many of its starts.
        match self.ratio {
            Some(0.0) => Interval { low: 0.0, high: high.max(self.beyond(alpha, 0)) },
            Some(ratio) if ratio.is_infinite() => {
                Interval { low: low.max(0.0).min(1.0 / self.beyond(alpha, 1)), high: f64::INFINITY }
            }
            _ => Interval { low: low.max(0.0), high },
        }
    }

    /// The largest ratio of the cost under the setting that solved to that under the other one, `never`, which did not: the share of
    /// that one is at most what leaves no solution with probability `alpha` / 2, and that of the first at least Wilson's bound.
    fn beyond(&self, alpha: f64, never: usize) -> f64 {
        let Sums { spent, solved, count } = self.sums;
        let solving = 1 - never;
        let most = 1.0 - (alpha / 2.0).powf(1.0 / self.starts[never]);
        let z = -normal_quantile(alpha / 2.0);
        let least = wilson_of_share(solved[solving] / count, self.starts[solving], z).low;
        if spent[never] > 0.0 && least > 0.0 {
            spent[solving] * most / (spent[never] * least)
        } else {
            f64::INFINITY
        }
    }

    fn critical(&self, tail: &Tail, alpha: f64, is_any_shown: bool) -> f64 {
        if self.least_p >= alpha {
            return f64::INFINITY;
        }
        let mut critical = tail.critical(alpha);
        if !is_any_shown {
            critical = critical.max(self.any.critical(alpha));
        }
        // If few starts differ, the largest statistic is that of many exchanges, and bounds no other ratio.
        if self.p >= alpha { critical.max(tail.student_critical(alpha)) } else { critical }
    }

    /// The p-value of two one-sided tests that the ratio is below 1 / `smallest` or above `smallest`: if it is small, the
    /// settings are equivalent.
    ///
    /// Source: D. J. Schuirmann 1987, A comparison of the two one-sided tests procedure and the power approach for assessing
    /// the equivalence of average bioavailability, doi:10.1007/BF01068419.
    pub fn equivalence_p(&self, smallest: f64) -> f64 {
        let one_sided = |ratio: f64, is_inside: bool| {
            let p = self.cost.p(self.ratios.statistic(ratio)).max(self.careful_p(ratio));
            let half = p.max(self.least_p) / 2.0;
            if is_inside { half } else { 1.0 - half }
        };
        let Some(ratio) = self.ratio else { return 1.0 };
        one_sided(smallest, ratio < smallest).max(one_sided(1.0 / smallest, ratio > 1.0 / smallest))
    }

    /// Units, such as starts or puzzles, that show a ratio of `smallest` with the power of `aim` if outcomes vary as they do
    /// here; `None` if a setting never solves.
    pub fn units_for(&self, smallest: f64, aim: Aim) -> Option<u64> {
        let ratio = self.ratio.filter(|ratio| *ratio > 0.0 && ratio.is_finite())?;
        let error = self.ratios.error(ratio) / (self.ratios.first * ratio);
        Some(aim.for_spread(error * (self.units as f64).sqrt(), smallest.ln()))
    }
}

/// The means of both settings on each puzzle.
fn means(puzzles: &[[Vec<Outcome>; 2]]) -> Vec<[Outcome; 2]> {
    let mean = |runs: &Vec<Outcome>| {
        let n = runs.len() as f64;
        assert!(n > 0.0, "a puzzle has outcomes of both settings");
        Outcome {
            spent: runs.iter().map(|run| run.spent).sum::<f64>() / n,
            solved: runs.iter().map(|run| run.solved).sum::<f64>() / n,
        }
    };
    puzzles.iter().map(|[first, second]| [mean(first), mean(second)]).collect()
}

/// Sums over units of what both settings spend and solve.
#[derive(Clone, Copy, Debug)]
struct Sums {
    spent: [f64; 2],
    solved: [f64; 2],
    count: f64,
}

impl Sums {
    fn new(pairs: &[[Outcome; 2]]) -> Self {
        let mut sums = Self { spent: [0.0; 2], solved: [0.0; 2], count: pairs.len() as f64 };
        for pair in pairs {
            for (setting, outcome) in pair.iter().enumerate() {
                sums.spent[setting] += outcome.spent;
                sums.solved[setting] += outcome.solved;
            }
        }
        sums
    }

    fn ratio(&self) -> Option<f64> {
        let (first, second) = (self.spent[0] * self.solved[1], self.spent[1] * self.solved[0]);
        if first == 0.0 && second == 0.0 { None } else { Some(second / first) }
    }

    /// The same with some more solutions for each setting if one of them has none: the interval then ends where that few would
    /// still be significant.
    fn with_solutions(mut self, more: f64) -> Self {
        if (self.solved[0] == 0.0) != (self.solved[1] == 0.0) {
            for solved in &mut self.solved {
                *solved += more;
            }
        }
        self
    }
}

/// How many exchanges are drawn of this many units: fewer where each takes long.
fn draws_for(units: usize) -> usize {
    (20_000_000 / units).clamp(999, DRAWS)
}

/// Adds the statistics of the cost, of what is spent and of the share, and the largest of them.
fn push(draws: &mut [Vec<f64>; 4], [cost, spent, share]: [f64; 3]) {
    for (values, value) in draws.iter_mut().zip([cost, spent, share, cost.max(spent).max(share)]) {
        values.push(value);
    }
}

#[cfg(test)]
mod tests;
