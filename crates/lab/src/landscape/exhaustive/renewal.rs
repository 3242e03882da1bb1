//! Hill climbing with restarts: cycle after cycle, until one ends with a solution.
//!
//! Starts are independent, so that a run is a renewal process with the record as its state: the probability that a cycle
//! begins after so many calls is that of all cycles before it, and what a run takes on average follows from equations in
//! the records alone, which only fall (W. Feller 1968, An Introduction to Probability Theory and Its Applications I,
//! chapter XIII).

use super::descent::{Cycle, Descent};
use super::{CallUnit, Progress, SpaceError, Surface, fits};

/// Calls between two checks of the interrupt.
const CALLS_A_CHECK: usize = 1024;

/// Hill climbing as a renewal process.
pub(super) struct Renewal {
    /// A cycle for each record that a run can have; nothing for the others.
    cycles: Vec<Option<Cycle>>,
    restarts: bool,
}

/// What a run comes to.
#[derive(Clone, Copy, Default)]
pub(super) struct Outcome {
    /// The probability that it ever finds a solution.
    pub(super) success: f64,
    /// Its expected cost until it ends; infinite where it may go on for ever.
    pub(super) cost: f64,
}

impl Renewal {
    /// Follows a cycle for each record; `None` where it was interrupted.
    pub(super) fn new(
        descent: &Descent<'_>,
        surface: &Surface,
        unit: CallUnit,
        restarts: bool,
        progress: &Progress<'_>,
    ) -> Option<Self> {
        let first = surface.levels().len();
        let mut cycles: Vec<Option<Cycle>> = vec![None; first + 1];
        let mut is_reached = vec![false; first + 1];
        is_reached[first] = true;
        // Records only fall.
        for record in (0..=first).rev() {
            if !is_reached[record] {
                continue;
            }
            let mut cycle = descent.cycle(unit, record, progress)?;
            if unit.evaluation() == 0 {
                // Where evaluations cost nothing, no record changes anything.
                let ended = sum(&cycle.ended);
                cycle.ended = vec![Vec::new(); first + 1];
                cycle.ended[first] = ended;
            }
            for (next, ended) in cycle.ended.iter().enumerate() {
                is_reached[next] |= restarts && !ended.is_empty();
            }
            cycles[record] = Some(cycle);
        }
        Some(Self { cycles, restarts })
    }

    /// The longest that a cycle can take.
    pub(super) fn longest(&self) -> usize {
        let mut longest = 0;
        for cycle in self.cycles.iter().flatten() {
            longest = longest.max(cycle.solved.len()).max(cycle.stuck.len());
            for ended in &cycle.ended {
                longest = longest.max(ended.len());
            }
        }
        longest
    }

    /// The probability that the solution is found with exactly so many calls, up to `most`; `None` where it was interrupted.
    ///
    /// # Errors
    /// [`SpaceError::Memory`] where that takes too much.
    pub(super) fn solved(
        &self,
        most: usize,
        progress: &Progress<'_>,
    ) -> Result<Option<Vec<f64>>, SpaceError> {
        let (records, length) = (self.cycles.len(), self.longest() + 1);
        fits(&[&[most + 1], &[records, length]])?;
        // The probability that a cycle begins after so many calls, by the record then, in rings as long as a cycle.
        let mut begun = vec![vec![0.0; length]; records];
        begun[records - 1][0] = 1.0;
        let mut solved = vec![0.0; most + 1];
        for now in 0..=most {
            if now % CALLS_A_CHECK == 0 {
                if progress.is_cut() {
                    return Ok(None);
                }
                progress.advance(CALLS_A_CHECK as u64);
            }
            for record in 0..records {
                let mass = std::mem::take(&mut begun[record][now % length]);
                if mass == 0.0 {
                    continue;
                }
                let Some(cycle) = &self.cycles[record] else { continue };
                spread(&mut solved[now..], &cycle.solved, mass);
                if self.restarts {
                    for (ring, ended) in begun.iter_mut().zip(&cycle.ended) {
                        spread_in_ring(ring, now, ended, mass);
                    }
                }
            }
        }
        Ok(Some(solved))
    }

    /// What a run without a budget comes to.
    pub(super) fn expected(&self) -> Outcome {
        // By record, from the lowest up: a cycle leads to its own record or to lower ones.
        let mut outcomes = vec![Outcome::default(); self.cycles.len()];
        for (record, cycle) in self.cycles.iter().enumerate() {
            let Some(cycle) = cycle else { continue };
            let mut success = total(&cycle.solved);
            let mut cost = mean(&cycle.solved) + mean(&cycle.stuck);
            // What leads to other records is summed: 1 less what comes again would lose its digits where that is nearly 1.
            let mut others = 0.0;
            let mut again = 0.0;
            for (next, ended) in cycle.ended.iter().enumerate() {
                cost += mean(ended);
                if self.restarts && next == record {
                    again = total(ended);
                    continue;
                }
                others += total(ended);
                if self.restarts && !ended.is_empty() {
                    success += total(ended) * outcomes[next].success;
                    cost += total(ended) * outcomes[next].cost;
                }
            }
            let leaves = total(&cycle.solved) + total(&cycle.stuck) + others;
            debug_assert!((leaves + again - 1.0).abs() < 1e-9, "a cycle ends somehow");
            outcomes[record] = if leaves > 0.0 {
                Outcome { success: success / leaves, cost: cost / leaves }
            } else {
                Outcome { success: 0.0, cost: f64::INFINITY }
            };
        }
        outcomes[self.cycles.len() - 1]
    }
}

/// As [`spread`], from a place of a ring on.
fn spread_in_ring(ring: &mut [f64], at: usize, by_calls: &[f64], mass: f64) {
    let begin = at % ring.len();
    let (before, after) = ring.split_at_mut(begin);
    spread(after, by_calls, mass);
    spread(before, by_calls.get(after.len()..).unwrap_or_default(), mass);
}

fn spread(into: &mut [f64], by_calls: &[f64], mass: f64) {
    for (sum, share) in into.iter_mut().zip(by_calls) {
        *sum += mass * share;
    }
}

/// The sum; nothing sums to 0, not to -0 as [`Iterator::sum`] has it.
fn total(by_calls: &[f64]) -> f64 {
    let mut sum = 0.0;
    for mass in by_calls {
        sum += mass;
    }
    sum
}

fn mean(by_calls: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (calls, mass) in by_calls.iter().enumerate() {
        sum += calls as f64 * mass;
    }
    sum
}

fn sum(lists: &[Vec<f64>]) -> Vec<f64> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let mut sums = vec![0.0; longest];
    for list in lists {
        spread(&mut sums, list, 1.0);
    }
    sums
}
