//! The dual encoding: every cage holds one of its tuples.
//!
//! Every cage of a genome holds a tuple that satisfies its clue; lines without equal digits are left to search. Of
//! clues that overlap, the first is a part (in a Kakuro, the entry across). Clues with too many tuples, and those
//! without any, are left to search too, and their cells take any candidate.

use std::sync::Arc;

use crate::fitness::Fitness;
use crate::problem::Problem;
use crate::search::Space;
use crate::search::space::{Change, Choices};
use crate::spec::{Builder, Member};

use super::Part;
use super::{AnyEncoding, Encoder, EncodingError, TupleEncoding, candidates};

pub(super) static ENTRY: Builder<Encoder> = Member::new("cages")
    .about("dual encoding: every cage holds one of the digit tuples that satisfy its clue")
    .source("the dual encoding of a constraint problem; R. Dechter, J. Pearl 1989, doi:10.1016/0004-3702(89)90037-4")
    .build(|_| Box::new(encode));

fn encode(fitness: Arc<Fitness>) -> Result<AnyEncoding, EncodingError> {
    match shared_cell(fitness.problem()) {
        Some(flaw) => Err(EncodingError::Unsuitable(flaw)),
        None => Ok(AnyEncoding::Tuples(TupleEncoding::of_cages(fitness))),
    }
}

/// The first cell that two cages share, in words: a tuple of one would break the other. Entries and lines cross by their
/// nature, and a cage of one cell is a given.
fn shared_cell(problem: &Problem) -> Option<String> {
    let mut owners: Vec<Option<usize>> = vec![None; problem.cells()];
    for cage in problem.cages() {
        let cells = problem.cells_of(cage);
        let Some(clue) = problem.rule(cage).clue.filter(|_| cells.len() > 1) else { continue };
        let name = |cell: u16| problem.cell_name(usize::from(cell));
        for cell in cells {
            let Some(first) = owners[usize::from(*cell)].replace(cage) else { continue };
            let first_cell = problem.cells_of(first)[0];
            let first_clue = problem.rule(first).clue.map_or_else(String::new, |clue| clue.printed());
            let others = if problem.lines().is_some() { "`cells` or `rows`" } else { "`cells`" };
            return Some(format!(
                "the encoding `cages` needs cages that share no cell: cage {first_clue} at {} and cage {} at {} share {}; use {others}",
                name(first_cell),
                clue.printed(),
                name(cells[0]),
                name(*cell),
            ));
        }
    }
    None
}

impl TupleEncoding {
    /// An encoding of a program's own: the parts of a genome, each with its tuples. Genes that are in none hold any of their
    /// candidates, givens their digit. In the table it names `cages` as the encoding whose operators work on it.
    ///
    /// # Errors
    /// [`EncodingError::Unsuitable`] for a part without genes or tuples, one of more than 32 genes, a gene that there is not or that is in two parts, and
    /// a tuple of another length or with a rank that there is not.
    pub fn of_parts(fitness: Arc<Fitness>, parts: &[Part]) -> Result<Self, EncodingError> {
        // The parts decide what their genes may hold; candidates are those of the other genes.
        let mut masks = candidates(fitness.problem(), true);
        let choices = Choices::of_parts(parts, &mut masks, fitness.problem().digits());
        let choices = Arc::new(choices.map_err(EncodingError::Unsuitable)?);
        let space = Self::space(&fitness, Change::Tuples, masks);
        space.choices.set(Arc::clone(&choices)).expect("the space is new");
        Ok(Self { fitness, space: Space { cages: choices.cells.clone(), ..space }, choices })
    }

    /// A part for every clue with few enough tuples that overlaps no earlier one, and for every other cell.
    pub fn of_cages(fitness: Arc<Fitness>) -> Self {
        let space = Self::space(&fitness, Change::Tuples, candidates(fitness.problem(), true));
        let choices = Arc::clone(space.choices());
        Self { fitness, space: Space { cages: choices.cells.clone(), ..space }, choices }
    }
}
