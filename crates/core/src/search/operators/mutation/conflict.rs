//! Conflict mutation: genes in conflict change.
//!
//! ```text
//! before  1 2 3 4 5 6     in conflict  . 2 . . 5 .
//! drawn     ^             from the conflicts with probability conflicting, else from all
//! after   1 4 3 4 5 6     on cells: another digit; on rows: exchanged with another gene of the line;
//!                         on cages: the gene's part takes another of its tuples
//! ```
//!
//! Conflicts are those of the parent that the child takes after; its evaluation has found them. One gene changes, and
//! with probability `again` another after each.

use crate::rng::RunRng;
use crate::search::{Change, Space};
use crate::spec::{Builder, Member};

use super::redraw::redraw;
use super::{AGAIN, CONFLICTING, GeneMutation, Mutation};

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("conflict")
    .about("changes genes in conflict: a new digit on `cells`, an exchange on `rows`, a new tuple on `cages`")
    .source(
        "S. Minton, M. D. Johnston, A. B. Philips, P. Laird 1992, doi:10.1016/0004-3702(92)90007-K \
                 (conflicts first); A. E. Eiben, P.-E. Raué, Zs. Ruttkay 1994, doi:10.1109/ICEC.1994.350002",
    )
    .encodings(&["cells", "rows", "cages"])
    .params(&[CONFLICTING, AGAIN])
    .build(|spec| GeneMutation::boxed(spec, change));

fn change(space: &Space, gene: u16, genome: &mut [u8], rng: &mut RunRng) {
    match space.change {
        Change::Digits => reset(space, gene, genome, rng),
        Change::Exchanges => swap(space, gene, genome, rng),
        Change::Tuples => redraw(space, gene, genome, rng),
    }
}

fn reset(space: &Space, gene: u16, genome: &mut [u8], rng: &mut RunRng) {
    let gene = usize::from(gene);
    genome[gene] = space.candidates.draw_other(gene, genome[gene], rng);
}

fn swap(space: &Space, gene: u16, genome: &mut [u8], rng: &mut RunRng) {
    let segment = space.segment(gene);
    if segment.len() > 1 {
        let own = segment.iter().position(|other| *other == gene).expect("a free gene is of its segment");
        // A uniform one of the others: its own place is skipped.
        let other = rng.below(segment.len() - 1);
        genome.swap(usize::from(gene), usize::from(segment[other + usize::from(other >= own)]));
    }
}
