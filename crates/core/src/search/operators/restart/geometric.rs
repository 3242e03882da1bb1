//! Restarts after `calls`, `calls factor`, `calls factor^2`, … calls.

use crate::spec::{Builder, Member, Param};

use super::{CALLS, Lengths, Restart};

pub(super) static ENTRY: Builder<Box<dyn Restart>> = Member::new("geometric")
    .about("restarts after `calls`, then after `factor` times as many calls each time")
    .source("T. Walsh 1999, Search in a small world, Proc. IJCAI")
    .params(&[
        CALLS,
        Param::real("factor", 1.0..=1000.0, 1.5).about("factor by which the calls grow with each restart"),
    ])
    .build(|spec| {
        let (calls, factor) = (spec.count("calls") as f64, spec.real("factor"));
        // The conversion saturates: a length beyond 64 bits is infinite.
        Lengths::boxed(move |restarts| (calls * factor.powf(restarts as f64)) as u64)
    });
