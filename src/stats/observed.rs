//! What a run shows of the time to a solution.

/// A run: what it spent and whether it solved. A failed run is censored: its time to a solution lies beyond what it
/// spent, and is never averaged in as if it were known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observed {
    /// Evaluations, moves or seconds until the solution, or until the run gave up; 0 or more, finite.
    pub spent: f64,
    /// Whether it ended with a solution.
    pub solved: bool,
}

impl Observed {
    /// A run that solved after `spent`.
    pub fn solved(spent: f64) -> Self {
        Self { spent, solved: true }
    }

    /// A run that gave up after `spent`.
    pub fn failed(spent: f64) -> Self {
        Self { spent, solved: false }
    }

    /// The value that rank tests compare: the time to the solution, infinite without one. All failures tie as the
    /// worst, whatever they spent.
    pub fn rank_value(&self) -> f64 {
        if self.solved { self.spent } else { f64::INFINITY }
    }
}

/// The values that rank tests compare, in the order of the runs; see [`Observed::rank_value`].
pub fn rank_values(runs: &[Observed]) -> Vec<f64> {
    runs.iter().map(Observed::rank_value).collect()
}

/// How many of the runs solved.
pub fn successes(runs: &[Observed]) -> usize {
    runs.iter().filter(|run| run.solved).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_failures_tie_as_the_worst() {
        let runs = [Observed::failed(10.0), Observed::solved(99.0), Observed::failed(50.0)];
        assert_eq!(rank_values(&runs), [f64::INFINITY, 99.0, f64::INFINITY]);
        assert_eq!(successes(&runs), 1);
        assert_eq!(rank_values(&[]), [0.0; 0]);
    }
}
