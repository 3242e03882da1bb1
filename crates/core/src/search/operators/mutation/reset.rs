//! Random resetting: genes take random digits.
//!
//! ```text
//! before  1 2 3 4 5 6
//!             ^   ^
//! after   1 2 6 4 5 6
//! ```
//!
//! Each free gene, with probability `rate`, takes a uniform one of its candidates, which may be the one it has: of bits half
//! as many change as are reset, and [`flip`](super::flip) changes all. A digit that has vanished from the population can
//! come back.

use crate::rng::RunRng;
use crate::search::operators::Variation;
use crate::search::operators::schedule::{Rate, rate};
use crate::search::{Change, Closure, Conflicts, MutationModel, Space};
use crate::spec::{Builder, Member};

use super::{Coins, Mutation};

struct Reset {
    rate: Rate,
    coins: Coins,
}

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("reset")
    .about("gives each gene, with probability rate, a random one of its candidates, which may be the present one")
    .source(
        "A. E. Eiben, J. E. Smith 2015, Introduction to Evolutionary Computing (random resetting), \
                 doi:10.1007/978-3-662-44874-8",
    )
    .encodings(&["cells", "values"])
    .params(&[rate(0.02).about("probability that a gene is reset; of bits half of these change")])
    .build(|spec| Box::new(Reset { rate: Rate::of(spec, "rate"), coins: Coins::default() }));

impl Mutation for Reset {
    fn prepare(&mut self, space: &Space, progress: f64) {
        self.coins.prepare(self.rate.at(progress), space.free.len());
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], _: &Conflicts, rng: &mut RunRng) {
        self.coins.each(rng, |place, rng| {
            let gene = usize::from(space.free[place]);
            genome[gene] = space.candidates.draw(gene, rng);
        });
    }

    fn markov_model(&self, space: &Space) -> Option<MutationModel> {
        if space.change != Change::Digits {
            return None;
        }
        self.rate.constant().map(MutationModel::Resets)
    }
}

impl Variation for Reset {
    fn closure(&self, space: &Space) -> Option<Closure> {
        self.rate.is_never().then(|| Closure::copies(space.genes()))
    }
}
