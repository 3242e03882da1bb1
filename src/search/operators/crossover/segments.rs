//! What the crossovers of permutations share: one line after the other.

use crate::rng::RunRng;
use crate::search::{Reach, Space};

/// Crosses the free genes of every line of two or more, line by line; everything else is copied.
///
/// `draw` decides by the length of a line what is done to it. `cross` makes the child of its first parent, then, called
/// with the parents exchanged, that of its second; its lines are digits in the order of the genes. The digits of a line
/// differ, and both parents hold the same ones; only where a line has two equal givens may they hold others, and then
/// the digits of a child are some of both parents'.
pub(super) fn cross_each<D>(
    space: &Space,
    parents: [&[u8]; 2],
    children: [&mut [u8]; 2],
    rng: &mut RunRng,
    draw: impl Fn(usize, &mut RunRng) -> D,
    cross: impl Fn(&D, [&[u8]; 2], &mut [u8]),
) {
    let [c, d] = children;
    c.copy_from_slice(parents[0]);
    d.copy_from_slice(parents[1]);
    for genes in space.segments.iter().filter(|genes| genes.len() > 1) {
        let (mut a, mut b, mut child) = ([0; 32], [0; 32], [0; 32]);
        let (a, b) = (gather(parents[0], genes, &mut a), gather(parents[1], genes, &mut b));
        let drawn = draw(genes.len(), rng);
        let child = &mut child[..genes.len()];
        cross(&drawn, [a, b], child);
        scatter(child, genes, c);
        cross(&drawn, [b, a], child);
        scatter(child, genes, d);
    }
}

/// A child's line has digits of both parents' lines, in any order.
pub(super) fn reach(space: &Space) -> Reach {
    Reach::takes_genes(space.genes()).and(&Reach::moves(space.genes(), &space.segments))
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
