//! Truncation selection: a random one of the best.
//!
//! ```text
//! scores   40  90  10  70      share 0.5 of four: the second and the fourth
//! ```
//!
//! Individuals that tie with the last of the share belong to it too, so that the order of the population decides
//! nothing.

use crate::rng::RunRng;
use crate::spec::{Builder, Member, Param};

use super::Selection;

/// Chooses among the best share; at least one individual, and all that tie with the last.
pub(super) struct Truncation {
    share: f64,
    sorted: Vec<f64>,
    best: Vec<u32>,
}

pub(super) static ENTRY: Builder<Box<dyn Selection>> = Member::new("truncation")
    .about("a random one of the best share of the population and of all that tie with the last of it")
    .source("H. Mühlenbein, D. Schlierkamp-Voosen 1993, doi:10.1162/evco.1993.1.1.25")
    .params(&[Param::probability("share", 0.5)
        .about("share of the population that may become parents; at least one individual, and more where several tie")])
    .build(|spec| Box::new(Truncation::new(spec.real("share"))));

impl Truncation {
    pub(super) fn new(share: f64) -> Self {
        Self { share, sorted: Vec::new(), best: Vec::new() }
    }
}

/// The lowest score that belongs to the share; leaves `scores` in another order.
fn threshold(scores: &mut [f64], share: f64) -> f64 {
    let kept = ((share * scores.len() as f64).round() as usize).clamp(1, scores.len());
    // Only the one at the threshold has to find its place, not all.
    *scores.select_nth_unstable_by(kept - 1, |a, b| b.total_cmp(a)).1
}

impl Selection for Truncation {
    fn prepare(&mut self, scores: &[f64], _picks: usize, _progress: f64, _rng: &mut RunRng) {
        self.sorted.clear();
        self.sorted.extend_from_slice(scores);
        let threshold = threshold(&mut self.sorted, self.share);
        self.best.clear();
        self.best.extend((0..scores.len() as u32).filter(|index| scores[*index as usize] >= threshold));
    }

    fn pick(&mut self, _scores: &[f64], rng: &mut RunRng) -> usize {
        self.best[rng.below(self.best.len())] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn the_threshold_is_the_last_score_of_the_share() {
        let scores = [40.0, 90.0, 10.0, 70.0];
        let at = |share| threshold(&mut scores.clone(), share);
        assert_eq!([at(0.0), at(0.25), at(0.5), at(0.75), at(1.0)], [90.0, 90.0, 70.0, 40.0, 10.0]);
    }

    #[test]
    fn ties_with_the_last_belong_to_the_share() {
        let mut truncation = Truncation::new(0.25);
        truncation.prepare(&[5.0, 1.0, 5.0, 5.0], 4, 0.0, &mut StreamKey::run(1, "", 0).rng());
        assert_eq!(truncation.best, [0, 2, 3]);
    }
}
