//! Swap mutation with Pyevolve's rule for the number of exchanges.
//!
//! ```text
//! before  1 2 3 4 5 6
//!           ^     ^
//! after   1 5 3 4 2 6
//! ```
//!
//! Over L free genes at rate p: where p L < 1, each gene is exchanged with probability p with a uniform gene of its
//! segment (itself included); else exactly round(p L) exchanges of two uniform genes happen. At the original rate of
//! 0.02 sizes 4 to 7 flip coins, 8x8 makes one exchange, 9x9 two. On `cells` all free genes are one segment; on `rows`
//! the second gene is of the first one's line.

use crate::rng::RunRng;
use crate::search::operators::Variation;
use crate::search::operators::schedule::{Rate, rate};
use crate::search::{Change, Closure, Conflicts, MutationModel, Space};
use crate::spec::{Builder, Member};

use super::{Coins, Mutation, moves_at};

struct Swap {
    rate: Rate,
    exchanges: Exchanges,
    coins: Coins,
}

#[derive(Clone, Copy)]
enum Exchanges {
    Coins,
    Exactly(usize),
}

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("swap")
    .about("exchanges random pairs of genes, each gene with probability rate, or round(rate x genes) if >= 1")
    .source("C. S. Perone 2009, Pyevolve (G1DListMutatorSwap), doi:10.1145/1656395.1656397")
    .encodings(&["cells", "rows", "permutation"])
    .params(&[rate(0.02).about("probability that a gene is exchanged")])
    .build(|spec| {
        Box::new(Swap { rate: Rate::of(spec, "rate"), exchanges: Exchanges::Coins, coins: Coins::default() })
    });

/// Pyevolve's rule: coins while fewer than one exchange is expected, then a fixed number.
fn exchanges(rate: f64, genes: usize) -> Exchanges {
    let expected = rate * genes as f64;
    if expected < 1.0 { Exchanges::Coins } else { Exchanges::Exactly(expected.round() as usize) }
}

/// Exchanges a gene with a uniform one of its segment.
#[inline(always)]
fn exchange(space: &Space, gene: u16, genome: &mut [u8], rng: &mut RunRng) {
    let segment = space.segment(gene);
    let other = segment[rng.below(segment.len())];
    genome.swap(usize::from(gene), usize::from(other));
}

impl Mutation for Swap {
    fn prepare(&mut self, space: &Space, progress: f64) {
        let rate = self.rate.at(progress);
        self.exchanges = exchanges(rate, space.free.len());
        if let Exchanges::Coins = self.exchanges {
            self.coins.prepare(rate, space.free.len());
        }
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], _: &Conflicts, rng: &mut RunRng) {
        match self.exchanges {
            Exchanges::Coins => self.coins.each(rng, |place, rng| {
                exchange(space, space.free[place], genome, rng);
            }),
            Exchanges::Exactly(times) => {
                for _ in 0..times {
                    exchange(space, space.free[rng.below(space.free.len())], genome, rng);
                }
            }
        }
    }

    /// On permutations, where an exchange leaves the other lines alone.
    fn markov_model(&self, space: &Space) -> Option<MutationModel> {
        if space.change != Change::Exchanges {
            return None;
        }
        let rate = self.rate.constant()?;
        match exchanges(rate, space.free.len()) {
            Exchanges::Coins => Some(MutationModel::Exchanges(rate)),
            Exchanges::Exactly(1) => Some(MutationModel::Exchange),
            Exchanges::Exactly(_) => None,
        }
    }
}

impl Variation for Swap {
    fn closure(&self, space: &Space) -> Option<Closure> {
        moves_at(&self.rate, space, &space.segments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_fixed_once_one_exchange_is_expected() {
        assert!(matches!(exchanges(0.02, 16), Exchanges::Coins));
        assert!(matches!(exchanges(0.02, 49), Exchanges::Coins));
        assert!(matches!(exchanges(0.02, 64), Exchanges::Exactly(1)));
        assert!(matches!(exchanges(0.02, 81), Exchanges::Exactly(2)));
        assert!(matches!(exchanges(1.0, 0), Exchanges::Coins));
    }
}
