//! A repeated digit becomes one that is missing in its line.
//!
//! ```text
//! before  1 2 2 4     2 is repeated, 3 is missing
//! after   1 3 2 4     on rows: by an exchange in the row, where the line is a column
//! ```
//!
//! A gene is drawn, from those in conflict with probability `conflicting`. It takes a uniform digit that is missing in
//! a uniform one of the distinct groups that repeat its digit. Without such a group it does not change.

use crate::rng::RunRng;
use crate::search::Space;
use crate::spec::{Builder, Member};

use super::{AGAIN, CONFLICTING, GeneMutation, Mutation};

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("missing_digit")
    .about("replaces a digit that its row or column repeats by one that is missing there")
    .source("kenga; after T. Mantere, J. Koljonen 2007, doi:10.1109/CEC.2007.4424632")
    .encodings(&["cells", "rows"])
    .params(&[CONFLICTING, AGAIN])
    .build(|spec| {
        GeneMutation::boxed(spec, |space, gene, genome, rng| {
            let missing = missing(space, gene, genome, rng);
            if missing != 0 {
                space.give(gene, rng.member(missing), genome);
            }
        })
    });

/// The digits missing in a uniform one of the distinct groups that repeat a gene's digit; none without such a group.
fn missing(space: &Space, gene: u16, genome: &[u8], rng: &mut RunRng) -> u32 {
    let (problem, mut repeating, mut lacked) = (space.problem(), 0, 0);
    for group in problem.groups_of(usize::from(gene)) {
        let group = usize::from(*group);
        if !problem.rule(group).distinct {
            continue;
        }
        let (mut held, mut times) = (0u32, 0);
        for cell in problem.cells_of(group) {
            let rank = genome[usize::from(*cell)];
            held |= 1 << rank;
            times += u32::from(rank == genome[usize::from(gene)]);
        }
        if times > 1 {
            // One of them, uniform: the k-th that is met takes the place of those before with probability 1 / k.
            repeating += 1;
            if rng.below(repeating) == 0 {
                lacked = problem.all_digits() & !held;
            }
        }
    }
    lacked & space.candidates.mask(usize::from(gene))
}
