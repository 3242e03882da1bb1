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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fitness::{Fitness, Halted, Objective, Scale};
    use crate::problem::{GenomeShape, Problem};
    use crate::puzzle::Puzzle;
    use crate::rng::StreamKey;
    use crate::search::encodings::{Encoding, TupleEncoding};
    use crate::search::operators::mutation::MUTATION;
    use crate::spec::{Catalog, Named, Place, Spec, Value};

    struct Worthless;

    impl Objective for Worthless {
        fn evaluate(&self, _genomes: &[u8], _values: &mut [f64]) -> Result<(), Halted> {
            Ok(())
        }
    }

    /// How often each of the genes 0, 4 and 0 of the ranges takes each value.
    fn counts(rate: Option<f64>) -> [[u32; 6]; 3] {
        let ranges = GenomeShape::Values(vec![[0, 1], [3, 5], [0, 1]]);
        let puzzle = Puzzle::of_genome(ranges).expect("a sound shape");
        let scale = Scale { reference: 0.0, is_optimum: true, resolution: None, maximise: false };
        let fitness = Fitness::of_objective(Problem::compile(&puzzle), Arc::new(Worthless), scale);
        let encoding = TupleEncoding::of_values(Arc::new(fitness)).expect("genes of values");
        let rate = rate.map(|rate| Named::new("rate", Value::Real(rate), Place::default()));
        let spec = Spec { values: rate.into_iter().collect(), ..Spec::named("flip") };
        let mut flip = MUTATION.build(&MUTATION.resolve(&spec, Place::default()).expect("a sound spec"));
        let mut rng = StreamKey::run(1, "flip", 0).rng();
        let mut counts = [[0; 6]; 3];
        flip.prepare(encoding.space(), 0.0);
        for _ in 0..3000 {
            let mut genome = [0, 4, 0];
            flip.mutate(encoding.space(), &mut genome, &Conflicts::default(), &mut rng);
            for (count, value) in counts.iter_mut().zip(genome) {
                count[usize::from(value)] += 1;
            }
        }
        counts
    }

    #[test]
    fn every_gene_that_is_drawn_takes_another_value_each_as_likely() {
        let [first, second, third] = counts(Some(1.0));
        assert_eq!((first[1], second[4], third[1]), (3000, 0, 3000));
        assert!(second[3].abs_diff(1500) < 137 && second[3] + second[5] == 3000, "{second:?}");
    }

    #[test]
    fn without_a_rate_one_gene_changes_on_average() {
        let [first, second, third] = counts(None);
        // Five standard deviations of a binomial count: 5 * sqrt(3000 * 1/3 * 2/3) = 129.
        assert!([first[1], 3000 - second[4], third[1]].iter().all(|count| count.abs_diff(1000) < 129));
    }
}
