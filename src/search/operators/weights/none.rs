//! Fitness itself guides the search.

use crate::fitness::{Guide, Tally};
use crate::spec::{Entry, Member, Spec};

use super::Weights;

struct Unweighted;

pub(super) static ENTRY: Entry<Box<dyn Weights>> = Entry {
    member: Member {
        name: "none",
        about: "fitness itself guides the search, with the weights that the configuration gives",
        source: "J. H. Holland 1975, Adaptation in Natural and Artificial Systems",
        encodings: &[],
        params: &[],
    },
    build: |_: &Spec| Box::new(Unweighted),
};

impl Weights for Unweighted {
    fn guide(&self) -> Option<Guide> {
        None
    }

    fn is_due(&mut self, _evaluations: u64) -> bool {
        false
    }

    fn adapt(&self, _tally: &mut Tally) {}
}
