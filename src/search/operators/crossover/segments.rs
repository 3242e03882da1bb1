//! What the crossovers of permutations share: one line after the other.

use crate::rng::RunRng;
use crate::search::{Closure, Conflicts, Space};

use super::Crossover;

/// Crosses the free genes of every line of two or more, line by line; everything else is copied.
///
/// The digits of a line differ, and both parents hold the same ones; only where a line has two equal givens may they hold
/// others, and then the digits of a child are some of both parents'.
pub(super) struct LineCrossover<D> {
    /// Decides by the length of a line what is done to it.
    pub(super) draw: fn(usize, &mut RunRng) -> D,
    /// Makes the child of its first parent, then, called with the parents exchanged, that of its second; lines are digits
    /// in the order of the genes.
    pub(super) cross: fn(&D, [&[u8]; 2], &mut [u8]),
    /// What lines can be made of others.
    pub(super) closure: fn(&Space) -> Closure,
}

impl<D> Crossover for LineCrossover<D> {
    fn cross(
        &mut self,
        space: &Space,
        parents: [&[u8]; 2],
        _: [&Conflicts; 2],
        children: [&mut [u8]; 2],
        rng: &mut RunRng,
    ) {
        let [c, d] = children;
        c.copy_from_slice(parents[0]);
        d.copy_from_slice(parents[1]);
        for genes in space.segments.iter().filter(|genes| genes.len() > 1) {
            let (mut a, mut b, mut child) = ([0; 32], [0; 32], [0; 32]);
            let (a, b) = (gather(parents[0], genes, &mut a), gather(parents[1], genes, &mut b));
            let drawn = (self.draw)(genes.len(), rng);
            let child = &mut child[..genes.len()];
            (self.cross)(&drawn, [a, b], child);
            scatter(child, genes, c);
            (self.cross)(&drawn, [b, a], child);
            scatter(child, genes, d);
        }
    }

    fn closure(&self, space: &Space) -> Option<Closure> {
        Some((self.closure)(space))
    }
}

/// A child's line has digits of both parents' lines, in any order.
pub(super) fn within_lines(space: &Space) -> Closure {
    Closure::takes_genes(space.genes()).and(&Closure::moves(space.genes(), &space.segments))
}

/// Reads the digits of some genes into a line.
fn gather<'a>(genome: &[u8], genes: &[u16], line: &'a mut [u8; 32]) -> &'a [u8] {
    let line = &mut line[..genes.len()];
    line.iter_mut().zip(genes).for_each(|(digit, gene)| *digit = genome[usize::from(*gene)]);
    line
}

/// Writes a line to the genes it was read from.
fn scatter(line: &[u8], genes: &[u16], genome: &mut [u8]) {
    line.iter().zip(genes).for_each(|(digit, gene)| genome[usize::from(*gene)] = *digit);
}

/// Where a line holds each digit; 32 or more for a digit it does not hold.
pub(super) fn positions(line: &[u8]) -> [u8; 32] {
    let mut positions = [u8::MAX; 32];
    (0..).zip(line).for_each(|(position, digit)| positions[usize::from(*digit)] = position);
    positions
}
