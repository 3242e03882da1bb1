//! The first island exchanges with all others.
//!
//! ```text
//! 1 <-> 0 <-> 2, 0 <-> 3
//! ```

use crate::spec::{Builder, Member};

use super::{IslandTargets, TopologyResult};

pub(super) static ENTRY: Builder<TopologyResult> = Member::new("star")
    .about("the first island exchanges migrants with all others")
    .source("E. Cantú-Paz 1998, A survey of parallel genetic algorithms, Calculateurs Parallèles 10(2)")
    .build(|_| Ok(Box::new(IslandTargets(targets))));

fn targets(from: usize, islands: usize) -> Vec<usize> {
    if from == 0 { (1..islands).collect() } else { vec![0] }
}
