//! Restarts after a fixed number of calls.

use crate::spec::{Builder, Member};

use super::{CALLS, Lengths, Restart};

pub(super) static ENTRY: Builder<Box<dyn Restart>> = Member::new("fixed")
    .about("restarts after a fixed number of calls")
    .source(
        "C. P. Gomes, B. Selman, H. Kautz 1998, Boosting combinatorial search through randomization, \
         Proc. AAAI",
    )
    .params(&[CALLS])
    .build(|spec| {
        let calls = spec.count("calls");
        Lengths::boxed(move |_| calls)
    });
