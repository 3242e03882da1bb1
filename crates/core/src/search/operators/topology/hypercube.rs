//! Each island sends to those whose number differs in one bit: a power of two of islands, any two at most log2 of them
//! apart.
//!
//! ```text
//! 010 --- 011        110 --- 111
//!  |       |          |       |      000 <-> 001, 010, 100
//! 000 --- 001        100 --- 101
//! ```

use crate::spec::{Builder, Member};

use super::{Topology, TopologyError, TopologyResult};

struct Hypercube;

pub(super) static ENTRY: Builder<TopologyResult> = Member::new("hypercube")
    .about("each island exchanges with those whose number differs in one bit; a power of two of islands")
    .source("R. Tanese 1987, Parallel genetic algorithm for a hypercube, Proc. 2nd ICGA")
    .build(|_| Ok(Box::new(Hypercube)));

impl Topology for Hypercube {
    fn check(&self, islands: usize) -> Result<(), TopologyError> {
        if islands.is_power_of_two() { Ok(()) } else { Err(TopologyError::NoPowerOfTwo { count: islands }) }
    }

    fn targets(&self, from: usize, islands: usize) -> Vec<usize> {
        (0..islands.ilog2()).map(|bit| from ^ (1 << bit)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_in_one_bit() {
        assert_eq!(Hypercube.targets(5, 8), [4, 7, 1]);
        assert_eq!(Hypercube.targets(0, 1), [0; 0]);
    }

    #[test]
    fn only_powers_of_two_have_corners_for_all() {
        let fitting: Vec<usize> = (1..=20).filter(|islands| Hypercube.check(*islands).is_ok()).collect();
        assert_eq!(fitting, [1, 2, 4, 8, 16]);
    }
}
