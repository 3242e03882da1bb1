//! Stretches of 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, … units: within a logarithmic factor of the best rule for
//! any unknown distribution of run lengths.

use crate::budget::luby;
use crate::spec::{Entry, Member, Spec};

use super::{CALLS, Restart};

struct Luby(u64);

pub(super) static ENTRY: Entry<Box<dyn Restart>> = Entry {
    member: Member {
        name: "luby",
        about: "begins anew after 1, 1, 2, 1, 1, 2, 4, … times `calls`",
        source: "M. Luby, A. Sinclair, D. Zuckerman 1993, doi:10.1016/0020-0190(93)90029-9",
        encodings: &[],
        params: &[CALLS],
    },
    build: |spec: &Spec| Box::new(Luby(spec.count("calls"))),
};

impl Restart for Luby {
    fn length(&self, restarts: u64) -> Option<u64> {
        Some(self.0.saturating_mul(luby(restarts + 1)))
    }
}
