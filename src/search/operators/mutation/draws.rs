//! What the mutations of single places share: which genes they change.

use crate::rng::RunRng;
use crate::search::{Conflicts, Space};
use crate::spec::{Param, Spec};

/// Draws one gene, and perhaps more.
pub(super) struct Draws {
    conflicting: f64,
    again: f64,
}

pub(super) const CONFLICTING: Param = Param::probability("conflicting", 0.9)
    .about("probability that the gene to change is drawn from those in conflict, else from all");

pub(super) const AGAIN: Param =
    Param::real("again", 0.0..=0.99, 0.3).about("probability of a further change after each");

impl Draws {
    pub(super) fn of(spec: &Spec) -> Self {
        Self { conflicting: spec.real("conflicting"), again: spec.real("again") }
    }

    pub(super) fn read_conflicts(&self) -> bool {
        self.conflicting > 0.0
    }

    /// Changes genes, one or more; none where all are fixed.
    pub(super) fn each(
        &self,
        space: &Space,
        conflicts: &Conflicts,
        rng: &mut RunRng,
        mut change: impl FnMut(u16, &mut RunRng),
    ) {
        while !space.free.is_empty() {
            let from_conflicts = rng.coin(self.conflicting) && !conflicts.genes().is_empty();
            let genes = if from_conflicts { conflicts.genes() } else { &space.free };
            change(genes[rng.below(genes.len())], rng);
            if !rng.coin(self.again) {
                break;
            }
        }
    }
}

/// Gives the part of a gene another of its tuples, where it has one.
pub(super) fn redraw(space: &Space, gene: u16, genome: &mut [u8], rng: &mut RunRng) {
    let parts = space.parts();
    let Some(part) = parts.of(gene) else { return };
    let Some(tuple) = parts.other(part, genome, rng) else { return };
    for (cell, rank) in parts.cells(part).iter().zip(tuple) {
        genome[usize::from(*cell)] = *rank;
    }
}

/// Gives a gene of a segment a digit that another gene of it holds, by an exchange; says whether there is such a gene.
pub(super) fn exchange(space: &Space, gene: u16, rank: u8, genome: &mut [u8]) -> bool {
    let holder = space.segment(gene).iter().find(|other| genome[usize::from(**other)] == rank);
    if let Some(holder) = holder {
        genome.swap(usize::from(gene), usize::from(*holder));
    }
    holder.is_some()
}
