//! Scores as they are.

use crate::budget::Guard;
use crate::search::Population;
use crate::spec::{Entry, Member, Spec};

use super::Niching;

struct Alone;

pub(super) static ENTRY: Entry<Box<dyn Niching>> = Entry {
    member: Member {
        name: "none",
        about: "scores as they are, whoever else is near",
        source: "J. H. Holland 1975, Adaptation in Natural and Artificial Systems",
        encodings: &[],
        params: &[],
    },
    build: |_: &Spec| Box::new(Alone),
};

impl Niching for Alone {
    fn apply(&self, _population: &Population, _scores: &mut [f64], _guard: &mut Guard) -> bool {
        true
    }
}
