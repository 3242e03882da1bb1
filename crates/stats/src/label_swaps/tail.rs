//! The distribution of a statistic under exchanges, and its tail beyond the draws.

use crate::distribution::{normal_quantile, t_above, t_quantile};

/// The draw from which on p-values are those of a scaled Student distribution.
const ANCHOR: usize = 20;
/// Statistics within this factor are equal but for rounding.
const TIES: f64 = 1.0 + 1e-9;
/// The statistic above which units differ by no more than rounding.
const EQUAL: f64 = 1e5;

/// The distribution of a statistic under exchanges.
pub(super) struct Tail {
    /// Its values, the largest first; empty for Student's distribution.
    draws: Vec<f64>,
    /// The degrees of freedom of Student's distribution.
    freedom: f64,
    /// Whether every exchange was counted.
    is_complete: bool,
}

impl Tail {
    pub(super) fn new(mut draws: Vec<f64>, freedom: f64, is_complete: bool) -> Self {
        draws.sort_unstable_by(|a, b| b.total_cmp(a));
        Self { draws, freedom: freedom.max(1.0), is_complete }
    }

    pub(super) fn student(freedom: f64) -> Self {
        Self { draws: Vec::new(), freedom: freedom.max(1.0), is_complete: false }
    }

    /// How many times as wide as Student's the tail is, with its probability there.
    fn anchor(&self) -> (f64, f64) {
        let Some(value) = self.draws.get(ANCHOR - 1) else { return (1.0, 1.0) };
        let p = (ANCHOR + 1) as f64 / (self.draws.len() + 1) as f64;
        let scale = value / t_quantile(-normal_quantile(p / 2.0), self.freedom);
        (if scale > 0.0 { scale } else { 1.0 }, p)
    }

    /// The probability of a statistic of at least this.
    pub(super) fn p(&self, statistic: f64) -> f64 {
        if self.draws.is_empty() {
            // Equal units show no spread: their signs alone can be tested.
            let least = if statistic > EQUAL { 2.0_f64.powf(-self.freedom) } else { 0.0 };
            return self.student_p(statistic).max(least);
        }
        let count = self.draws.partition_point(|draw| *draw * TIES >= statistic);
        if self.is_complete {
            return count as f64 / self.draws.len() as f64;
        }
        let (scale, anchor_p) = self.anchor();
        if count >= ANCHOR {
            return (count + 1) as f64 / (self.draws.len() + 1) as f64;
        }
        (2.0 * t_above(statistic / scale, self.freedom)).min(anchor_p)
    }

    /// The value that a statistic must exceed for a p-value below `alpha`.
    pub(super) fn critical(&self, alpha: f64) -> f64 {
        let student = self.student_critical(alpha);
        if self.draws.is_empty() {
            return student;
        }
        let all = self.draws.len() as f64;
        if self.is_complete {
            // So many of the largest values have a p-value below alpha.
            let below = (alpha * all).ceil() as usize - 1;
            return self.draws[below] * TIES;
        }
        let (scale, anchor_p) = self.anchor();
        if alpha <= anchor_p {
            return student * scale;
        }
        self.draws[((alpha * (all + 1.0)).ceil() as usize - 2).min(self.draws.len() - 1)] * TIES
    }

    /// The probability of a statistic of at least this in Student's distribution.
    pub(super) fn student_p(&self, statistic: f64) -> f64 {
        2.0 * t_above(statistic, self.freedom)
    }

    /// The value of Student's distribution that leaves this probability beyond it.
    pub(super) fn student_critical(&self, alpha: f64) -> f64 {
        t_quantile(-normal_quantile(alpha / 2.0), self.freedom)
    }
}
