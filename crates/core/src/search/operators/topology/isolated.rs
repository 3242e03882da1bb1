//! No island sends to another: independent populations under one budget.

use crate::spec::{Builder, Member};

use super::{IslandTargets, TopologyResult};

pub(super) static ENTRY: Builder<TopologyResult> = Member::new("isolated")
    .about("no migration: independent populations under one budget")
    .source("R. Tanese 1989, Distributed genetic algorithms, Proc. 3rd ICGA (partitioned algorithm)")
    .build(|_| Ok(Box::new(IslandTargets(targets))));

fn targets(_from: usize, _islands: usize) -> Vec<usize> {
    Vec::new()
}
