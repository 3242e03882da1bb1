//! Whether groups of censored times have one distribution.
//!
//! At each time at which runs solve, a group is expected to have the same share of the solutions as of the runs at risk;
//! the test weighs observed against expected. The stratified test compares within each stratum (a puzzle) and adds up, so
//! that puzzles may differ.
//!
//! Sources: N. Mantel 1966, Evaluation of survival data and two new rank order statistics arising in its consideration,
//! Cancer Chemotherapy Reports 50, 163-170; R. Peto, J. Peto 1972, Asymptotically efficient rank invariant test procedures,
//! doi:10.2307/2344317.

use super::distribution::chi_squared_above;
use super::ranks::TestResult;
use super::running_time::Observed;

/// The log-rank test within strata: `strata[s][g]` are the runs of group g in stratum s, possibly none. The statistic is
/// chi-squared with one degree of freedom less than groups at risk when a run solved; p is 1 for fewer than two of
/// them. O(n log n) plus the square of the groups for each different time.
///
/// # Panics
/// When the strata differ in how many groups they have.
pub fn stratified_log_rank(strata: &[&[&[Observed]]]) -> TestResult {
    let groups = strata.first().map_or(0, |stratum| stratum.len());
    let mut excess = Excess { values: vec![0.0; groups], covariance: vec![0.0; groups * groups] };
    for stratum in strata {
        assert_eq!(stratum.len(), groups, "every stratum has all groups");
        excess.add(stratum);
    }
    // The excesses sum to 0: the last group is determined by the others.
    excess.drop_last();
    let (statistic, rank) = quadratic_form(excess.covariance, excess.values);
    TestResult { statistic, p: chi_squared_above(statistic, rank) }
}

/// Solutions beyond those expected, by group, and their covariance, row-major.
struct Excess {
    values: Vec<f64>,
    covariance: Vec<f64>,
}

/// A run with the index of its group.
struct GroupRun {
    run: Observed,
    group: usize,
}

impl Excess {
    fn add(&mut self, stratum: &[&[Observed]]) {
        let mut all = Vec::new();
        for (group, runs) in stratum.iter().enumerate() {
            for run in *runs {
                all.push(GroupRun { run: *run, group });
            }
        }
        all.sort_unstable_by(|a, b| a.run.spent.total_cmp(&b.run.spent));
        let mut at_risk: Vec<f64> = stratum.iter().map(|runs| runs.len() as f64).collect();
        for together in all.chunk_by(|a, b| a.run.spent == b.run.spent) {
            let mut solved = 0.0;
            for GroupRun { run, group } in together {
                if run.solved {
                    self.values[*group] += 1.0;
                    solved += 1.0;
                }
            }
            self.expect(&at_risk, solved);
            // Whoever ends at this time was at risk at it.
            for GroupRun { group, .. } in together {
                at_risk[*group] -= 1.0;
            }
        }
    }

    /// Subtracts what is expected of `solved` solutions at one time.
    fn expect(&mut self, at_risk: &[f64], solved: f64) {
        let all: f64 = at_risk.iter().sum();
        if solved == 0.0 {
            return;
        }
        // Hypergeometric; a run alone at risk leaves nothing to chance.
        let scale = if all > 1.0 { solved * (all - solved) / (all - 1.0) } else { 0.0 };
        for (group, &own) in at_risk.iter().enumerate() {
            if own <= 0.0 {
                continue;
            }
            let share = own / all;
            self.values[group] -= solved * share;
            let row = group * at_risk.len();
            self.covariance[row + group] += scale * share;
            for (entry, &other) in self.covariance[row..].iter_mut().zip(at_risk) {
                *entry -= scale * share * other / all;
            }
        }
    }

    fn drop_last(&mut self) {
        let groups = self.values.len();
        if self.values.pop().is_some() {
            let mut rest = Vec::new();
            for row in self.covariance.chunks_exact(groups).take(groups - 1) {
                rest.extend_from_slice(&row[..groups - 1]);
            }
            self.covariance = rest;
        }
    }
}

/// x' A^-1 x for a positive semidefinite A, and the rank of A: by elimination, the largest pivot first. The part of x
/// outside the range of A is ignored.
fn quadratic_form(mut a: Vec<f64>, mut x: Vec<f64>) -> (f64, usize) {
    let n = x.len();
    let largest = (0..n).map(|i| a[i * n + i]).fold(0.0, f64::max);
    // Groups that were never at risk together make A singular. With the largest pivot first what is left then
    // is rounding, and the loop ends; each step has a square of its own, so that no system is solved.
    let mut open: Vec<usize> = (0..n).collect();
    let mut total = 0.0;
    while let Some(at) =
        (0..open.len()).max_by(|&i, &j| a[open[i] * (n + 1)].total_cmp(&a[open[j] * (n + 1)]))
    {
        let pivot = open[at];
        let value = a[pivot * (n + 1)];
        if value <= 1e-10 * largest || value <= 0.0 {
            break;
        }
        open.swap_remove(at);
        total += x[pivot] * x[pivot] / value;
        for &row in &open {
            let factor = a[row * n + pivot] / value;
            x[row] -= factor * x[pivot];
            for &column in &open {
                a[row * n + column] -= factor * a[pivot * n + column];
            }
        }
    }
    (total, n - open.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    fn log_rank(groups: &[&[Observed]]) -> TestResult {
        stratified_log_rank(&[groups])
    }

    /// Runs of one group: times, of which those after `solved` gave up.
    fn group(times: &[f64], solved: usize) -> Vec<Observed> {
        (0..).zip(times).map(|(i, &spent)| Observed { spent, solved: i < solved }).collect()
    }

    fn three() -> [Vec<Observed>; 3] {
        [
            group(&[6.0, 6.0, 6.0, 7.0, 10.0, 13.0, 16.0, 22.0, 23.0, 6.0, 9.0, 10.0, 11.0, 17.0, 35.0], 9),
            group(&[1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 5.0, 5.0, 8.0, 8.0, 8.0, 8.0, 11.0, 23.0], 15),
            group(&[3.0, 9.0, 12.0, 40.0, 2.0], 2),
        ]
    }

    /// Reference values: lifelines 0.30, statistics.logrank_test, multivariate_logrank_test.
    #[test]
    fn results_are_those_of_lifelines() {
        let [a, b, c] = three();
        for (groups, statistic, p) in [
            (&[&a, &b], 10.043_007_712_580_208, 0.001_529_273_058_726_432_8),
            (&[&a, &c], 0.031_195_287_862_565, 0.859_805_407_929_543_9),
            (&[&a, &b, &c], 12.099_219_249_245_158, 0.002_358_782_637_445_058_8),
        ] as [(&[&[Observed]], f64, f64); _]
        {
            let found = log_rank(groups);
            assert_close(found.statistic, statistic, 1e-9);
            assert_close(found.p, p, 1e-9);
        }
    }

    /// Reference values: statsmodels 0.15, duration.survdiff(time, status, group, strata=...).
    #[test]
    fn stratified_results_are_those_of_statsmodels() {
        let [a, b, c] = three();
        let (slow_a, slow_b) =
            (group(&[50.0, 60.0, 70.0, 90.0], 3), group(&[40.0, 45.0, 60.0, 60.0, 99.0], 5));
        let found = stratified_log_rank(&[&[&a, &b, &c], &[&slow_a, &slow_b, &[]]]);
        assert_close(found.statistic, 11.159_041_028_433_014, 1e-9);
        assert_close(found.p, 0.003_774_374_844_063_954_6, 1e-9);
    }

    #[test]
    fn data_that_tell_nothing_have_p_1() {
        let some = group(&[1.0, 2.0], 2);
        let failed = group(&[5.0, 5.0], 0);
        let nothing: [&[&[Observed]]; 6] = [
            &[],
            &[&some],
            &[&some, &[]],
            &[&failed, &failed],
            &[&[], &[]],
            &[&[Observed::solved(1.0)], &[]],
        ];
        for groups in nothing {
            assert_eq!(log_rank(groups), TestResult { statistic: 0.0, p: 1.0 });
        }
        assert_eq!(stratified_log_rank(&[]).p, 1.0);
        assert_close(log_rank(&[&some, &some]).p, 1.0, 1e-12);
        let equal = group(&[3.0; 9], 9);
        assert_eq!(log_rank(&[&equal, &equal, &equal]).p, 1.0);
    }

    #[test]
    fn a_group_never_at_risk_takes_no_freedom() {
        let [a, b, _] = three();
        let early = group(&[0.5; 4], 0);
        let (with, without) = (log_rank(&[&a, &early, &b]), log_rank(&[&a, &b]));
        assert_close(with.p, without.p, 1e-9);
    }

    #[test]
    fn a_hundred_thousand_runs_are_no_trouble() {
        let runs: Vec<Observed> =
            (0..100_000).map(|i| Observed::solved(f64::from(i * 7919 % 100_003))).collect();
        let groups: Vec<&[Observed]> = runs.chunks(10_000).collect();
        assert!(log_rank(&groups).p > 0.01);
    }
}
