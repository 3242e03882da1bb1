//! Performance profiles: the share of problems on which a solver is within a factor of the best one.
//!
//! Adding or dropping a solver changes the factors of all others: which of several is best can only be read at factor 1
//! (Gould and Scott).
//!
//! Sources: E. D. Dolan, J. J. Moré 2002, Benchmarking optimization software with performance profiles,
//! doi:10.1007/s101070100263; N. Gould, J. Scott 2016, A note on performance profiles for benchmarking software,
//! doi:10.1145/2950048.

use super::running_time::cumulative_shares;

/// The profile of every solver: points (factor, share of problems with at most this factor), factors ascending from 1 up;
/// between them the share is constant.
///
/// `costs[solver][problem]` is 0 or more, lower is better, infinite where a solver fails. A problem that nobody solves counts
/// against all. The best has factor 1, also where it costs nothing; any cost above 0 is then infinitely worse. O(s p log p).
///
/// # Panics
/// When solvers have different numbers of problems.
pub fn performance_profile(costs: &[Vec<f64>]) -> Vec<Vec<(f64, f64)>> {
    let problems = costs.first().map_or(0, Vec::len);
    assert!(costs.iter().all(|own| own.len() == problems), "every solver has every problem");
    let mut best = vec![f64::INFINITY; problems];
    for own in costs {
        for (best, cost) in best.iter_mut().zip(own) {
            *best = best.min(*cost);
        }
    }
    let mut profiles = Vec::with_capacity(costs.len());
    for own in costs {
        let mut factors = Vec::new();
        for (cost, best) in own.iter().zip(&best) {
            // 0 over 0 is no factor, but the best costs as much as itself.
            let factor = if cost == best && cost.is_finite() { 1.0 } else { cost / best };
            if factor.is_finite() {
                factors.push(factor);
            }
        }
        profiles.push(cumulative_shares(factors, problems));
    }
    profiles
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: f64 = f64::INFINITY;

    #[test]
    fn shares_count_the_problems_within_a_factor_of_the_best() {
        let costs = [vec![1.0, 4.0, 6.0, INF, INF], vec![2.0, 2.0, 6.0, 5.0, INF]];
        let found = performance_profile(&costs);
        assert_eq!(found[0], [(1.0, 0.4), (2.0, 0.6)]);
        assert_eq!(found[1], [(1.0, 0.6), (2.0, 0.8)]);
    }

    #[test]
    fn what_costs_nothing_is_the_best() {
        let found = performance_profile(&[vec![0.0, 0.0], vec![0.0, 3.0]]);
        assert_eq!(found, [vec![(1.0, 1.0)], vec![(1.0, 0.5)]]);
        assert_eq!(performance_profile(&[]), [] as [Vec<(f64, f64)>; 0]);
        assert_eq!(performance_profile(&[vec![INF], vec![INF]]), [vec![], vec![]]);
    }
}
