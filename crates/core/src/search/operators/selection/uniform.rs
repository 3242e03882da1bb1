//! Uniform selection: a random individual; all selection pressure comes from replacement.

use crate::rng::RunRng;
use crate::spec::{Builder, Member};

use super::Selection;

struct Uniform;

pub(super) static ENTRY: Builder<Box<dyn Selection>> = Member::new("uniform")
    .about("a random individual whatever its score, as in evolution strategies")
    .source("T. Bäck, H.-P. Schwefel 1993, doi:10.1162/evco.1993.1.1.1")
    .build(|_| Box::new(Uniform));

impl Selection for Uniform {
    fn prepare(&mut self, _scores: &[f64], _picks: usize, _progress: f64, _rng: &mut RunRng) {}

    fn pick(&mut self, scores: &[f64], rng: &mut RunRng) -> usize {
        rng.below(scores.len())
    }
}
