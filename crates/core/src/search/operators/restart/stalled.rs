//! Restarts when nothing has improved for a number of calls.

use crate::spec::{Builder, Member, Param};

use super::Restart;

struct Stalled(u64);

pub(super) static ENTRY: Builder<Box<dyn Restart>> = Member::new("stalled")
    .about("restarts when nothing has improved for a number of calls")
    .source("H. R. Lourenço, O. C. Martin, T. Stützle 2003, doi:10.1007/0-306-48056-5_11")
    .params(&[Param::integer("calls", 1..=i64::MAX, 20_000)
        .about("calls (evaluations and moves) without an improvement")])
    .build(|spec| Box::new(Stalled(spec.count("calls"))));

impl Restart for Stalled {
    fn length(&self, _restarts: u64) -> Option<u64> {
        None
    }

    fn patience(&self) -> Option<u64> {
        Some(self.0)
    }
}
