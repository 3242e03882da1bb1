//! Hill climbing with restarts: stretch after stretch, until one ends with a solution.
//!
//! Starts are independent, so that a run is a renewal process with the record as its state: the probability that a stretch
//! begins after so many calls is that of all stretches before it, and what a run takes on average follows from equations in
//! the records alone, which only fall (W. Feller 1968, An Introduction to Probability Theory and Its Applications I,
//! chapter XIII).

use super::descent::{Descent, Stretch};
use super::{CallUnit, Progress, SpaceError, Surface, fits};

/// Calls between two looks at the interrupt.
const CALLS_A_LOOK: usize = 1024;

/// What hill climbing comes to.
pub(super) struct Renewal {
    /// A stretch for each record that a run can have; nothing for the others.
    stretches: Vec<Option<Stretch>>,
    restarts: bool,
}

impl Renewal {
    /// Follows a stretch for each record; `None` where it was interrupted.
    pub(super) fn new(
        descent: &Descent<'_>,
        surface: &Surface,
        (unit, restarts): (CallUnit, bool),
        progress: &Progress<'_>,
    ) -> Option<Self> {
        let first = surface.levels().len();
        let mut stretches: Vec<Option<Stretch>> = vec![None; first + 1];
        let mut is_reached = vec![false; first + 1];
        is_reached[first] = true;
        // Records only fall.
        for record in (0..=first).rev() {
            if !is_reached[record] {
                continue;
            }
            let mut stretch = descent.stretch(unit, record, progress)?;
            if unit.evaluation() == 0 {
                // Where evaluations cost nothing, no record changes anything.
                let ended = sum(&stretch.ended);
                stretch.ended = vec![Vec::new(); first + 1];
                stretch.ended[first] = ended;
            }
            for (next, ended) in stretch.ended.iter().enumerate() {
                is_reached[next] |= restarts && !ended.is_empty();
            }
            stretches[record] = Some(stretch);
        }
        Some(Self { stretches, restarts })
    }

    /// The longest that a stretch can take.
    pub(super) fn longest(&self) -> usize {
        let longest = |stretch: &Stretch| {
            stretch
                .ended
                .iter()
                .map(Vec::len)
                .chain([stretch.solved.len(), stretch.stuck.len()])
                .max()
                .unwrap_or(0)
        };
        self.stretches.iter().flatten().map(longest).max().unwrap_or(0)
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
        let (records, length) = (self.stretches.len(), self.longest() + 1);
        fits(&[&[most + 1], &[records, length]])?;
        // The probability that a stretch begins after so many calls, by the record then, in rings as long as a stretch.
        let mut begun = vec![vec![0.0; length]; records];
        begun[records - 1][0] = 1.0;
        let mut solved = vec![0.0; most + 1];
        for now in 0..=most {
            if now % CALLS_A_LOOK == 0 {
                if progress.is_cut() {
                    return Ok(None);
                }
                progress.advance(CALLS_A_LOOK as u64);
            }
            for record in 0..records {
                let mass = std::mem::take(&mut begun[record][now % length]);
                let Some(stretch) = self.stretches[record].as_ref().filter(|_| mass != 0.0) else { continue };
                spread(&mut solved[now..], &stretch.solved, mass);
                if self.restarts {
                    for (next, ended) in stretch.ended.iter().enumerate() {
                        spread_in_ring(&mut begun[next], now, ended, mass);
                    }
                }
            }
        }
        Ok(Some(solved))
    }

    /// The probability that a run ever finds a solution, and what a run costs on average until it ends; infinite where it may
    /// go on for ever.
    pub(super) fn expected(&self) -> (f64, f64) {
        let mut of_record = vec![(0.0, 0.0); self.stretches.len()];
        for record in 0..self.stretches.len() {
            let Some(stretch) = &self.stretches[record] else { continue };
            let mut success = total(&stretch.solved);
            let mut cost = mean(&stretch.solved) + mean(&stretch.stuck);
            let mut again = 0.0;
            for (next, ended) in stretch.ended.iter().enumerate() {
                cost += mean(ended);
                if self.restarts && next == record {
                    again = total(ended);
                } else if self.restarts && !ended.is_empty() {
                    let (then_success, then_cost): (f64, f64) = of_record[next];
                    success += total(ended) * then_success;
                    cost += total(ended) * then_cost;
                }
            }
            // The complement of what comes again, which is summed to avoid cancellation.
            let others =
                stretch.ended.iter().enumerate().filter(|(next, _)| !self.restarts || *next != record);
            let leaves = total(&stretch.solved)
                + total(&stretch.stuck)
                + others.map(|(_, ended)| total(ended)).sum::<f64>();
            debug_assert!((leaves + again - 1.0).abs() < 1e-9, "a stretch ends somehow");
            of_record[record] =
                if leaves > 0.0 { (success / leaves, cost / leaves) } else { (0.0, f64::INFINITY) };
        }
        of_record[self.stretches.len() - 1]
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
    into.iter_mut().zip(by_calls).for_each(|(sum, share)| *sum += mass * share);
}

/// The sum; nothing sums to 0, not to -0 as [`Iterator::sum`] has it.
fn total(by_calls: &[f64]) -> f64 {
    by_calls.iter().fold(0.0, |sum, mass| sum + mass)
}

fn mean(by_calls: &[f64]) -> f64 {
    by_calls.iter().enumerate().fold(0.0, |sum, (calls, mass)| sum + calls as f64 * mass)
}

fn sum(lists: &[Vec<f64>]) -> Vec<f64> {
    let mut sums = vec![0.0; lists.iter().map(Vec::len).max().unwrap_or(0)];
    lists.iter().for_each(|list| spread(&mut sums, list, 1.0));
    sums
}
