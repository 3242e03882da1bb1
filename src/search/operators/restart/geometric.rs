//! Stretches that grow by a factor: `calls`, `calls factor`, `calls factor^2`, …

use crate::spec::{Builder, Member, Param};

use super::{CALLS, Restart};

struct Geometric {
    calls: f64,
    factor: f64,
}

pub(super) static ENTRY: Builder<Box<dyn Restart>> = Member::new("geometric")
    .about("restarts after `calls`, then after `factor` times as many calls each time")
    .source("T. Walsh 1999, Search in a small world, Proc. IJCAI")
    .params(&[
        CALLS,
        Param::real("factor", 1.0..=1000.0, 1.5).about("factor by which the calls grow with each restart"),
    ])
    .build(|spec| Box::new(Geometric { calls: spec.integer("calls") as f64, factor: spec.real("factor") }));

impl Restart for Geometric {
    fn length(&self, restarts: u64) -> Option<u64> {
        let length = self.calls * self.factor.powf(restarts as f64);
        Some(if length < u64::MAX as f64 { length as u64 } else { u64::MAX })
    }
}
