//! Runs of the algorithm itself, compared with the exact distribution.

use std::sync::Arc;

use rayon::prelude::*;

use kenga_core::budget::{Budget, Guard};
use kenga_core::fitness::Fitness;
use kenga_core::rng::StreamKey;
use kenga_core::search::algorithms::Recipe;
use kenga_core::search::encodings::EncodingError;
use kenga_core::search::{Task, run};
use kenga_stats::{Interval, clopper_pearson, kolmogorov_smirnov};

use super::{CallUnit, Curve, Exact, Progress};

/// Up to how many calls runs are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallLimit {
    /// The calls.
    pub most: usize,
    /// What counts as one.
    pub unit: CallUnit,
}

/// When runs have solved the puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Of each run, in order, the calls after which it found its solution, up to the most that were asked for.
    pub solved_at: Vec<Option<u64>>,
    /// Those most.
    pub most: usize,
}

/// Exact and measured success within some calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The calls.
    pub calls: usize,
    /// The probability.
    pub exact: f64,
    /// The runs that have solved the puzzle.
    pub solved: u64,
    /// The exact interval of 99.9 % of the measured share.
    pub interval: Interval,
}

impl Point {
    /// The probability lies in the interval. One point in a thousand lies outside by chance.
    pub fn agrees(&self) -> bool {
        // Where nothing or all is solved, rounding decides nothing.
        (self.interval.low - 1e-9..=self.interval.high + 1e-9).contains(&self.exact)
    }
}

/// How measured runs agree with the exact distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Runs.
    pub runs: usize,
    /// Exact and measured at some numbers of calls.
    pub points: Vec<Point>,
    /// The largest difference of the two distributions up to the most calls.
    pub distance: f64,
    /// The probability of a difference at least as large by chance, at most: Kolmogorov and Smirnov.
    pub p: f64,
}

impl Agreement {
    /// The [distributions agree](Self::distributions_agree), and every probability lies in the interval of what was measured.
    pub fn agrees(&self) -> bool {
        self.distributions_agree() && self.points.iter().all(Point::agrees)
    }

    /// The distributions differ no more than by chance, but for one time in a thousand.
    pub fn distributions_agree(&self) -> bool {
        self.p >= ALPHA
    }
}

/// The probability at most with which an interval of 99.9 % misses, and with which agreeing distributions are told apart.
const ALPHA: f64 = 0.001;

impl Measured {
    /// Makes so many runs, the replicates from 0 on of the key that `kenga run` gives them, on the threads of the current pool; `None`
    /// where it was interrupted.
    ///
    /// # Errors
    /// [`EncodingError`] when the encoding cannot hold the puzzle.
    pub fn make(
        exact: &Exact,
        recipe: &dyn Recipe,
        fitness: &Arc<Fitness>,
        key: impl Fn(u64) -> StreamKey + Sync,
        runs: u64,
        CallLimit { most, unit }: CallLimit,
        progress: &Progress<'_>,
    ) -> Result<Option<Self>, EncodingError> {
        let evaluates = exact.model().evaluates();
        // The last step of a local search costs more than one call, and is not made where the budget ends within it.
        let bound = Some((most + exact.surface().numbering().moves() + 1) as u64);
        let budget = if evaluates {
            Budget { evaluations: bound, ..Budget::default() }
        } else {
            Budget { moves: bound, ..Budget::default() }
        };
        let one = |replicate: u64| -> Result<Option<u64>, EncodingError> {
            let guard = Guard::start(progress.interrupt, None);
            let task = Task::new(Arc::clone(fitness), key(replicate), budget, guard);
            let mut algorithm = recipe.start(&task)?;
            let best = run(&mut *algorithm, &mut ()).best;
            progress.advance(1);
            let calls = if unit == CallUnit::Moves && !evaluates { best.at.moves } else { best.at.calls() };
            Ok((best.fitness == 0 && calls <= most as u64).then_some(calls))
        };
        let solved_at: Result<Vec<_>, _> = (0..runs).into_par_iter().map(one).collect();
        let solved_at = solved_at?;
        // Runs that an interrupt has cut short say nothing.
        if progress.is_cut() {
            return Ok(None);
        }
        Ok(Some(Self { solved_at, most }))
    }

    /// How the runs agree with the exact distribution, at these numbers of calls.
    pub fn against(&self, curve: &Curve, points: &[usize]) -> Agreement {
        let mut times: Vec<u64> = self.solved_at.iter().flatten().copied().collect();
        times.sort_unstable();
        let runs = self.solved_at.len();
        let solved_within = |calls: usize| times.partition_point(|at| *at <= calls as u64) as u64;
        let mut agreement = Agreement { runs, points: Vec::new(), distance: 0.0, p: 1.0 };
        for calls in points {
            let solved = solved_within(*calls);
            let interval = clopper_pearson(solved, runs as u64, ALPHA);
            agreement.points.push(Point { calls: *calls, exact: curve.at(*calls), solved, interval });
        }
        // Both rise in steps, and only at whole calls: nowhere else do they differ more.
        for calls in 0..=self.most {
            let share = solved_within(calls) as f64 / runs as f64;
            agreement.distance = agreement.distance.max((share - curve.at(calls)).abs());
        }
        agreement.p = kolmogorov_smirnov(agreement.distance, runs);
        agreement
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_may_disagree_where_every_point_agrees() {
        let solved = |calls: usize| if calls == 0 { 0.0 } else { 1.0 };
        let curve = Curve { solved: (0..=20).map(solved).collect(), geometric_from: None, lost: 0.0 };
        // All at 10 calls, not at the first: the points asked for lie before and after.
        let late = Measured { solved_at: vec![Some(10); 1000], most: 20 }.against(&curve, &[0, 20]);
        assert!(late.points.iter().all(Point::agrees), "{late:?}");
        assert!(!late.distributions_agree() && !late.agrees(), "{late:?}");
        let soon = Measured { solved_at: vec![Some(1); 1000], most: 20 }.against(&curve, &[0, 20]);
        assert!(soon.agrees(), "{soon:?}");
    }
}
