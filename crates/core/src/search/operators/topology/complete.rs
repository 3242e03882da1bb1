//! Each island sends to all others.
//!
//! ```text
//! 0 <-> 1, 0 <-> 2, 1 <-> 2
//! ```

use crate::spec::{Builder, Member};

use super::{IslandTargets, TopologyResult};

pub(super) static ENTRY: Builder<TopologyResult> = Member::new("complete")
    .about("each island sends to all others")
    .source("E. Cantú-Paz 1998, A survey of parallel genetic algorithms, Calculateurs Parallèles 10(2)")
    .build(|_| Ok(Box::new(IslandTargets(targets))));

fn targets(from: usize, islands: usize) -> Vec<usize> {
    (0..islands).filter(|to| *to != from).collect()
}
