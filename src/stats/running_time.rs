//! The mean time to a solution when failed runs are repeated, and what a failed run counts in a penalised mean.
//!
//! Sources: expected running time, A. Auger, N. Hansen 2005, Performance evaluation of an advanced local search
//! evolutionary algorithm, doi:10.1109/CEC.2005.1554903; penalised average runtime, F. Hutter, H. H. Hoos,
//! K. Leyton-Brown, T. Stützle 2009, ParamILS, doi:10.1613/jair.2861.

use super::observed::{Observed, successes};

/// The expected running time of an algorithm that is started anew whenever it fails (ERT): all that was spent, over
/// the successes; infinite without a success.
pub fn expected_running_time(runs: &[Observed]) -> f64 {
    match successes(runs) {
        0 => f64::INFINITY,
        count => runs.iter().map(|run| run.spent).sum::<f64>() / count as f64,
    }
}

/// What a failed run counts in PAR-10, in budgets, or in the longest runs where budgets differ.
pub const PENALTY: f64 = 10.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn runs() -> Vec<Observed> {
        let solved = [10.0, 20.0, 30.0].map(Observed::solved);
        [&solved[..], &[Observed::failed(100.0); 2]].concat()
    }

    #[test]
    fn failures_count_what_they_spent_and_are_no_successes() {
        assert_eq!(expected_running_time(&runs()), 260.0 / 3.0);
    }

    #[test]
    fn without_a_success_the_time_is_infinite() {
        let inf = f64::INFINITY;
        let failed = [Observed::failed(5.0); 3];
        assert_eq!(expected_running_time(&failed), inf);
        assert_eq!(expected_running_time(&[]), inf);
    }
}
