//! Crossover with random mates: another crossover, in which each parent is crossed with a random genome of its own.
//!
//! ```text
//! parents        a a a a a a      b b b b b b
//! random mates   r r r r r r      s s s s s s
//! children       a a r r a a      b s s b b b
//! ```
//!
//! A control for experiments, known as the headless chicken: it changes as much as the crossover `of` does and passes
//! nothing from one parent to another. Where a crossover is no better than its control, it works as a large mutation.
//! Mates are drawn as the encoding draws genomes: on `cells` a digit a gene, on `rows` a permutation a line, on `cages` a
//! tuple a cage, each uniform. They are not evaluated. An `of` that adapts learns nothing here.

use crate::rng::RunRng;
use crate::search::operators::{Variation, shuffle};
use crate::search::{Change, Space};
use crate::spec::{Builder, Member, Param};

use super::{CROSSOVER, Crossover, Parent, RATE};

struct RandomMate {
    of: Box<dyn Crossover>,
    mate: Vec<u8>,
    /// Room for the child that takes after the mate.
    spare: Vec<u8>,
}

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("random_mate")
    .about("another crossover, in which each parent is crossed with a random genome: a control")
    .source(
        "T. Jones 1995, Crossover, macromutation, and population-based search, Proc. 6th ICGA, 73-80 \
                 (the headless chicken test)",
    )
    .params(&[
        RATE,
        Param::fitting("of", &CROSSOVER, &["conflict", "uniform", "order"])
            .about("the crossover; its own `rate` is ignored"),
    ])
    .build(|spec| {
        Box::new(RandomMate { of: CROSSOVER.build(spec.spec("of")), mate: Vec::new(), spare: Vec::new() })
    });

impl Crossover for RandomMate {
    fn cross(&mut self, space: &Space, parents: [Parent; 2], children: [&mut [u8]; 2], rng: &mut RunRng) {
        self.spare.resize(space.genes(), 0);
        for (parent, child) in parents.into_iter().zip(children) {
            self.mate.clear();
            self.mate.extend_from_slice(parent.genome);
            // From the parent's genome, so that fixed genes and, on permutations, the digits of a line are the same.
            scatter(space, &mut self.mate, rng);
            // What the child of the mate becomes nobody reads, nor by which conflicts.
            let mate = Parent { genome: &self.mate, conflicts: parent.conflicts };
            self.of.cross(space, [parent, mate], [child, &mut self.spare], rng);
        }
    }
}

impl Variation for RandomMate {
    fn reads_conflicts(&self) -> bool {
        self.of.reads_conflicts()
    }
}

/// Makes a genome a random one: what may change takes any of its contents, all as likely.
fn scatter(space: &Space, genome: &mut [u8], rng: &mut RunRng) {
    match space.change {
        Change::Digits => {
            for gene in &space.free {
                genome[usize::from(*gene)] = space.candidates.draw(usize::from(*gene), rng);
            }
        }
        Change::Exchanges => {
            for genes in space.segments.iter() {
                shuffle(genome, genes, |n| rng.below(n));
            }
        }
        Change::Tuples => space.choices().scatter(genome, rng),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn a_shuffle_moves_the_digits_of_its_genes_alone() {
        let mut rng = StreamKey::run(4, "shuffle", 0).rng();
        let mut counts = [0; 3];
        for _ in 0..3000 {
            let mut genome = [7, 1, 2, 9, 3];
            shuffle(&mut genome, &[1, 2, 4], |n| rng.below(n));
            assert_eq!((genome[0], genome[3], genome[1] + genome[2] + genome[4]), (7, 9, 6));
            counts[usize::from(genome[1]) - 1] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
    }
}
