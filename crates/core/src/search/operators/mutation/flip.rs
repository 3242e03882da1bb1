//! Flip: genes take other values.
//!
//! ```text
//! before  0 1 1 0 1 0
//!             ^   ^
//! after   0 1 0 0 0 0
//! ```
//!
//! Each free gene, with probability `rate`, takes a uniform one of its candidates other than the one it has. On bits that is
//! bitwise mutation: the rate is the probability that a bit changes, where [`reset`](super::reset) changes half as many.

use crate::rng::RunRng;
use crate::search::operators::Variation;
use crate::search::operators::schedule::{Rate, SCHEDULE};
use crate::search::{Closure, Conflicts, Space};
use crate::spec::{Builder, Member, Param, ParamKind};

use super::{Coins, Mutation};

struct Flip {
    /// `None` is 1 / the number of genes that may change.
    rate: Option<Rate>,
    coins: Coins,
}

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("flip")
    .about("gives each gene, with probability rate, another value than it has, each as likely")
    .source("T. Bäck 1996, Evolutionary Algorithms in Theory and Practice, doi:10.1093/oso/9780195099713.001.0001")
    .encodings(&["cells", "values"])
    .params(&[Param::optional("rate", ParamKind::Scheduled(0.0, 1.0, &SCHEDULE))
        .about("probability that a gene changes; 1 / the number of free genes if absent")])
    .build(|spec| {
        let rate = spec.get("rate").map(|_| Rate::of(spec, "rate"));
        Box::new(Flip { rate, coins: Coins::default() })
    });

impl Mutation for Flip {
    fn prepare(&mut self, space: &Space, progress: f64) {
        let genes = space.free.len();
        let rate = self.rate.as_ref().map_or(1.0 / genes.max(1) as f64, |rate| rate.at(progress));
        self.coins.prepare(rate, genes);
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], _: &Conflicts, rng: &mut RunRng) {
        self.coins.each(rng, |place, rng| {
            let gene = usize::from(space.free[place]);
            genome[gene] = space.candidates.draw_other(gene, genome[gene], rng);
        });
    }
}

impl Variation for Flip {
    fn closure(&self, space: &Space) -> Option<Closure> {
        let is_never = self.rate.as_ref().is_some_and(Rate::is_never);
        is_never.then(|| Closure::copies(space.genes()))
    }
}
