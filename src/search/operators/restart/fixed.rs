//! Stretches of one length: `calls`, `calls`, `calls`, …

use crate::spec::{Entry, Member, Spec};

use super::{CALLS, Restart};

struct Fixed(u64);

pub(super) static ENTRY: Entry<Box<dyn Restart>> = Entry {
    member: Member {
        name: "fixed",
        about: "begins anew after the same number of calls each time",
        source: "C. P. Gomes, B. Selman, H. Kautz 1998, Boosting combinatorial search through randomization, Proc. AAAI",
        encodings: &[],
        params: &[CALLS],
    },
    build: |spec: &Spec| Box::new(Fixed(spec.count("calls"))),
};

impl Restart for Fixed {
    fn length(&self, _restarts: u64) -> Option<u64> {
        Some(self.0)
    }
}
