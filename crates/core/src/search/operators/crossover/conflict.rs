//! Conflict crossover: a child keeps genes without conflict and takes genes in conflict from the other parent.
//!
//! ```text
//! parents    a a a a a a      b b b b b b
//! conflicts      ^ ^                    ^
//! kept       yes, with probability keep; of those in conflict with keep_conflicting
//! children   a a b b a a      b b b b b a
//! ```
//!
//! The first child starts as the first parent, the second as the second. On `cells` gene by gene; on `cages` part by
//! part, in conflict where one of its genes is; on `rows` a gene takes the other parent's digit by an exchange within
//! the line, as in partial mapping. The evaluations of the parents find the conflicts.

use crate::problem::Blocks;
use crate::rng::RunRng;
use crate::search::operators::Variation;
use crate::search::{Change, Closure, Space};
use crate::spec::{Builder, Member, Param};

use super::{Crossover, Parent, RATE};

struct Conflict {
    keep: f64,
    keep_conflicting: f64,
}

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("conflict")
    .about("keeps most genes without conflict, takes most genes in conflict from the other parent")
    .source(
        "kenga; after A. E. Eiben, P.-E. Raué, Zs. Ruttkay 1994, Solving constraint satisfaction problems \
                 using genetic algorithms, doi:10.1109/ICEC.1994.350002",
    )
    .encodings(&["cells", "rows", "cages"])
    .params(&[
        RATE,
        Param::probability("keep", 0.9).about("probability that a gene without conflict is kept"),
        Param::probability("keep_conflicting", 0.3).about("probability that a gene in conflict is kept"),
    ])
    .build(|spec| {
        Box::new(Conflict { keep: spec.real("keep"), keep_conflicting: spec.real("keep_conflicting") })
    });

impl Conflict {
    fn keeps(&self, in_conflict: bool, rng: &mut RunRng) -> bool {
        rng.coin(if in_conflict { self.keep_conflicting } else { self.keep })
    }

    /// Takes whole blocks from the other parent.
    fn blocks(&self, blocks: &Blocks, other: &[u8], own: Parent, child: &mut [u8], rng: &mut RunRng) {
        for block in blocks.iter() {
            if !self.keeps(block.iter().any(|gene| own.conflicts.holds(*gene)), rng) {
                for gene in block {
                    child[usize::from(*gene)] = other[usize::from(*gene)];
                }
            }
        }
    }

    fn genes(&self, space: &Space, other: &[u8], own: Parent, child: &mut [u8], rng: &mut RunRng) {
        for gene in &space.free {
            if !self.keeps(own.conflicts.holds(*gene), rng) {
                space.give(*gene, other[usize::from(*gene)], child);
            }
        }
    }
}

impl Crossover for Conflict {
    fn cross(&mut self, space: &Space, [a, b]: [Parent; 2], [c, d]: [&mut [u8]; 2], rng: &mut RunRng) {
        for (own, other, child) in [(a, b.genome, c), (b, a.genome, d)] {
            // Each child starts as one parent, so that exchanges within lines leave it a permutation.
            child.copy_from_slice(own.genome);
            match space.change {
                Change::Tuples => self.blocks(&space.cages, other, own, child, rng),
                Change::Digits | Change::Exchanges => self.genes(space, other, own, child, rng),
            }
        }
    }
}

impl Variation for Conflict {
    fn closure(&self, space: &Space) -> Option<Closure> {
        let genes = space.genes();
        Some(match space.change {
            Change::Digits => Closure::takes_genes(genes),
            Change::Exchanges => Closure::moves(genes, &space.segments),
            Change::Tuples => Closure::takes(genes, &space.cages),
        })
    }

    fn reads_conflicts(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fitness::{CageMeasure, Fitness, Guide, Weights};
    use crate::problem::Problem;
    use crate::puzzle::samples;
    use crate::rng::StreamKey;
    use crate::search::Conflicts;
    use crate::search::encodings::{Encoding, TupleEncoding};
    use crate::search::neighbourhood::Neighbourhood;

    #[test]
    fn genes_without_conflict_are_kept_and_the_others_taken() {
        let mut rng = StreamKey::run(2, "conflict", 0).rng();
        let problem = Problem::compile(&samples::kenken(6, |n| rng.below(n)));
        let fitness = Fitness::new(problem, Weights::ORIGINAL, CageMeasure::Binary).expect("small weights");
        let cells = TupleEncoding::of_cells(Arc::new(fitness), true);
        let (mut a, mut b) = ([0; 36], [0; 36]);
        cells.init(&mut a, &mut rng);
        cells.init(&mut b, &mut rng);
        let mut near = cells.neighbourhood(Guide::PLAIN);
        let [of_a, of_b] = [&a, &b].map(|genome| {
            let mut conflicts = Conflicts::default();
            near.place(genome);
            conflicts.read(near.tally(), cells.space());
            conflicts
        });
        let (mut c, mut d) = ([0; 36], [0; 36]);
        let mut certain = Conflict { keep: 1.0, keep_conflicting: 0.0 };
        let parents = [Parent { genome: &a, conflicts: &of_a }, Parent { genome: &b, conflicts: &of_b }];
        certain.cross(cells.space(), parents, [&mut c, &mut d], &mut rng);
        for gene in 0..36u16 {
            let place = usize::from(gene);
            assert_eq!(c[place], if of_a.holds(gene) { b[place] } else { a[place] });
            assert_eq!(d[place], if of_b.holds(gene) { a[place] } else { b[place] });
        }
    }
}
