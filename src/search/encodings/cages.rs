//! Every cage one of its tuples.

use std::sync::Arc;

use crate::fitness::{Fitness, Guide, Scratch, Terms};
use crate::problem::Blocks;
use crate::rng::RunRng;
use crate::search::Space;
use crate::search::neighbourhood::{Choices, Redraws};
use crate::spec::{Builder, Member, Spec};

use super::{AnyEncoding, Encoder, Encoding, candidates, space};
use crate::search::space::Change;

/// A genome holds in every cage a tuple that satisfies its clue, so that what is left to find is lines without equal
/// digits. Of clues that overlap the first ones hold (of a Kakuro, the entries across); clues with too many tuples, and
/// those without any, stay to be found, and their cells take any candidate.
pub struct Cages {
    fitness: Arc<Fitness>,
    space: Space,
    choices: Arc<Choices>,
}

pub(super) static ENTRY: Builder<Encoder> = Member::new("cages")
    .about("every cage one of the tuples that satisfy its clue")
    .source("the dual encoding of a constraint problem; R. Dechter, J. Pearl 1989, doi:10.1016/0004-3702(89)90037-4")
    .build(build);

fn build(_spec: &Spec) -> Encoder {
    Box::new(|fitness| Ok(AnyEncoding::Cages(Cages::new(fitness))))
}

impl Cages {
    /// The encoding for a problem.
    pub fn new(fitness: Arc<Fitness>) -> Self {
        let problem = fitness.problem();
        let masks = candidates(problem, true);
        let choices = Arc::new(Choices::of_clues(problem, &masks));
        let (mut everything, mut rows) = (Blocks::default(), Blocks::default());
        everything.push(0..problem.cells() as u16);
        let genes: Vec<u16> = (0..problem.cells() as u16).collect();
        let row = |gene: &u16| problem.row_of(usize::from(*gene));
        genes.chunk_by(|a, b| row(a) == row(b)).for_each(|genes| rows.push(genes.iter().copied()));
        let cages = choices.cells().clone();
        let space = Space { cages, ..space(&fitness, Change::Tuples, masks, &everything, rows) };
        Self { space, choices, fitness }
    }

    /// The parts of a genome with what each may be.
    pub fn choices(&self) -> &Arc<Choices> {
        &self.choices
    }
}

impl Encoding for Cages {
    type Near = Redraws;

    fn fitness(&self) -> &Fitness {
        &self.fitness
    }

    fn space(&self) -> &Space {
        &self.space
    }

    fn init(&self, genome: &mut [u8], rng: &mut RunRng) {
        self.choices.scatter(genome, rng);
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
