//! Each island sends to the next and to the previous one.
//!
//! ```text
//! 0 <-> 1 <-> 2 <-> 3 <-> 0
//! ```

use crate::spec::{Builder, Member};

use super::{IslandTargets, TopologyResult};

pub(super) static ENTRY: Builder<TopologyResult> = Member::new("bidirectional_ring")
    .about("each island sends to the next one and the previous one")
    .source("E. Cantú-Paz 1998, A survey of parallel genetic algorithms, Calculateurs Parallèles 10(2)")
    .build(|_| Ok(Box::new(IslandTargets(targets))));

fn targets(from: usize, islands: usize) -> Vec<usize> {
    let around = [(from + 1) % islands, (from + islands - 1) % islands];
    let mut targets: Vec<usize> = around.into_iter().filter(|to| *to != from).collect();
    // Of two islands each is the next and the previous of the other.
    targets.dedup();
    targets
}
