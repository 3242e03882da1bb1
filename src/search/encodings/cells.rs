//! Any digit in any cell.

use std::sync::Arc;

use crate::fitness::{Fitness, Guide, Scratch, Terms};
use crate::rng::RunRng;
use crate::spec::{Builder, Member, Param, Spec};

use super::{AnyEncoding, Encoder, Encoding, candidates, space};
use crate::problem::Blocks;
use crate::search::Space;
use crate::search::neighbourhood::{Choices, Redraws};
use crate::search::space::Change;

/// A genome holds any digit in any cell; givens are fixed or, as in the original, genes like all others.
pub struct Cells {
    fitness: Arc<Fitness>,
    space: Space,
    choices: Arc<Choices>,
}

pub(super) static ENTRY: Builder<Encoder> = Member::new("cells")
    .about("any digit in any cell")
    .source("direct encoding; J. H. Holland, Adaptation in Natural and Artificial Systems, 1975")
    .params(&[Param::choice("givens", &["fixed", "free"], "fixed")
        .about("whether a one-cell clue is written in, or has to be found")])
    .build(build);

fn build(spec: &Spec) -> Encoder {
    let fixed = spec.text("givens") == "fixed";
    Box::new(move |fitness| Ok(AnyEncoding::Cells(Cells::new(fitness, fixed))))
}

impl Cells {
    /// The encoding for a problem; `fix_givens` writes one-cell clues in.
    pub fn new(fitness: Arc<Fitness>, fix_givens: bool) -> Self {
        let problem = fitness.problem();
        let (mut everything, mut rows) = (Blocks::default(), Blocks::default());
        everything.push(0..problem.cells() as u16);
        let genes: Vec<u16> = (0..problem.cells() as u16).collect();
        let row = |gene: &u16| problem.row_of(usize::from(*gene));
        genes.chunk_by(|a, b| row(a) == row(b)).for_each(|genes| rows.push(genes.iter().copied()));
        let space = space(&fitness, Change::Digits, candidates(problem, fix_givens), &everything, rows);
        let choices = Arc::new(Choices::of_cells(&space.candidates));
        Self { fitness, space, choices }
    }

    /// The parts of a genome with what each may be.
    pub fn choices(&self) -> &Arc<Choices> {
        &self.choices
    }
}

impl Encoding for Cells {
    type Near = Redraws;

    fn fitness(&self) -> &Fitness {
        &self.fitness
    }

    fn space(&self) -> &Space {
        &self.space
    }

    fn init(&self, genome: &mut [u8], rng: &mut RunRng) {
        for (gene, candidates) in genome.iter_mut().zip(&self.space.candidates) {
            *gene = rng.member(*candidates);
        }
    }

    #[inline]
    fn evaluate(&self, genome: &[u8]) -> u32 {
        self.fitness.evaluate(genome)
    }

    fn evaluate_each(&self, genomes: &[u8], values: &mut [u32], scratch: &mut Scratch) {
        self.fitness.evaluate_each(genomes, values, scratch);
    }

    fn terms_each(&self, genomes: &[u8], terms: &mut [Terms], scratch: &mut Scratch) {
        self.fitness.terms_each(genomes, terms, scratch);
    }

    fn neighbourhood(&self, guide: Guide) -> Redraws {
        Redraws::new(Arc::clone(&self.choices), &self.fitness, guide)
    }
}
