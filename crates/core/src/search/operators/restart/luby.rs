//! Restarts after 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, … units: within a logarithmic factor of the best rule for
//! any unknown distribution of run lengths.

use crate::budget::luby;
use crate::spec::{Builder, Member};

use super::{CALLS, Lengths, Restart};

pub(super) static ENTRY: Builder<Box<dyn Restart>> = Member::new("luby")
    .about("restarts after 1, 1, 2, 1, 1, 2, 4, … times `calls` (the Luby sequence)")
    .source("M. Luby, A. Sinclair, D. Zuckerman 1993, doi:10.1016/0020-0190(93)90029-9")
    .params(&[CALLS])
    .build(|spec| {
        let calls = spec.count("calls");
        Lengths::boxed(move |restarts| calls.saturating_mul(luby(restarts + 1)))
    });
