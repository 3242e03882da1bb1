//! Scores as they are.

use crate::spec::{Entry, Member, Spec};

use super::Scaling;

struct Unscaled;

pub(super) static ENTRY: Entry<Box<dyn Scaling>> = Entry {
    member: Member {
        name: "none",
        about: "scores as they are",
        source: "J. H. Holland 1975, Adaptation in Natural and Artificial Systems",
        encodings: &[],
        params: &[],
    },
    build: |_: &Spec| Box::new(Unscaled),
};

impl Scaling for Unscaled {
    fn scale(&self, scores: &[f64], _progress: f64, scaled: &mut [f64]) {
        scaled.copy_from_slice(scores);
    }
}
