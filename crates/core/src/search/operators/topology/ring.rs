//! Each island sends to the next.
//!
//! ```text
//! 0 -> 1 -> 2 -> 3 -> 0
//! ```

use crate::spec::{Builder, Member};

use super::{IslandTargets, TopologyResult};

pub(super) static ENTRY: Builder<TopologyResult> = Member::new("ring")
    .about("each island sends to the next one, the last to the first")
    .source("R. Tanese 1989, Distributed genetic algorithms, Proc. 3rd ICGA")
    .build(|_| Ok(Box::new(IslandTargets(targets))));

fn targets(from: usize, islands: usize) -> Vec<usize> {
    if islands > 1 { vec![(from + 1) % islands] } else { vec![] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_closes_and_one_island_sends_nowhere() {
        assert_eq!((targets(0, 3), targets(2, 3), targets(0, 1)), (vec![1], vec![0], vec![]));
    }
}
