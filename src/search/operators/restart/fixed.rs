//! Stretches of one length: `calls`, `calls`, `calls`, …

use crate::spec::{Builder, Member};

use super::{CALLS, Restart};

struct Fixed(u64);

pub(super) static ENTRY: Builder<Box<dyn Restart>> = Member::new("fixed")
    .about("restarts after a fixed number of calls")
    .source("C. P. Gomes, B. Selman, H. Kautz 1998, Boosting combinatorial search through randomization, Proc. AAAI")
    .params(&[CALLS])
    .build(|spec| Box::new(Fixed(spec.count("calls"))));

impl Restart for Fixed {
    fn length(&self, _restarts: u64) -> Option<u64> {
        Some(self.0)
    }
}
