//! Stretches of 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, … units: within a logarithmic factor of the best rule for
//! any unknown distribution of run lengths.

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
    build: |spec: &Spec| Box::new(Luby(spec.integer("calls").unsigned_abs())),
};

/// The factor after so many restarts: 2^(k - 1) as the last of 2^k - 1, and else as in the copy of the sequence before.
fn factor(restarts: u64) -> u64 {
    let mut place = restarts + 1;
    while !(place + 1).is_power_of_two() {
        place -= (1 << place.ilog2()) - 1;
    }
    place.div_ceil(2)
}

impl Restart for Luby {
    fn length(&self, restarts: u64) -> Option<u64> {
        Some(self.0.saturating_mul(factor(restarts)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_source() {
        let factors: Vec<u64> = (0..15).map(factor).collect();
        assert_eq!(factors, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
