//! Crossover: how two parents make two children.
//!
//! A new member implements [`Crossover`], or is a function for `BlockCrossover`, `StretchCrossover` or `LineCrossover`.

mod adaptive;
mod cage;
mod conflict;
mod cycle;
mod order;
mod partially_mapped;
mod position_based;
mod random_mate;
mod rank_set;
mod row;
mod single_point;
mod two_point;
mod uniform;

use crate::problem::Blocks;
use crate::rng::RunRng;
use crate::search::operators::Variation;
use crate::search::operators::schedule::rate;
use crate::search::{Closure, Conflicts, Space};
use crate::spec::{Family, Param};

use rank_set::{RankSet, WideSet};

/// A way to make two children of two parents.
pub trait Crossover: Variation + Send {
    /// Writes both children. Every gene of a child comes from one of the parents, or, on permutations, every segment
    /// stays a permutation of the same digits; fixed genes stay. The first child takes after the first parent, the
    /// second after the second. Only one without a [closure](Variation::closure) takes genes from elsewhere.
    fn cross(&mut self, space: &Space, parents: [Parent; 2], children: [&mut [u8]; 2], rng: &mut RunRng);
}

/// A parent: its genome, and its conflicts, which are empty unless the crossover [reads](Variation::reads_conflicts)
/// them.
#[derive(Clone, Copy)]
pub struct Parent<'a> {
    /// A rank a gene.
    pub genome: &'a [u8],
    /// The genes in conflict.
    pub conflicts: &'a Conflicts,
}

/// Every crossover.
pub static CROSSOVER: Family<Box<dyn Crossover>> = Family::new(
    "crossover",
    "how two parents make two children",
    &[
        &single_point::ENTRY,
        &two_point::ENTRY,
        &uniform::ENTRY,
        &row::ENTRY,
        &cage::ENTRY,
        &order::ENTRY,
        &position_based::ENTRY,
        &partially_mapped::ENTRY,
        &cycle::ENTRY,
        &conflict::ENTRY,
        &adaptive::ENTRY,
        &random_mate::ENTRY,
    ],
);

/// The probability that a pair of parents is crossed, else cloned. Every crossover has it.
pub const RATE: Param = rate(0.9).about("probability that a pair of parents is crossed, else cloned");

/// Exchanges whole blocks of genes, each by a fair coin.
struct BlockCrossover(fn(&Space) -> &Blocks);

impl Crossover for BlockCrossover {
    fn cross(&mut self, space: &Space, parents: [Parent; 2], children: [&mut [u8]; 2], rng: &mut RunRng) {
        exchange_blocks((self.0)(space), || rng.coin(0.5), parents.map(|parent| parent.genome), children);
    }
}

impl Variation for BlockCrossover {
    fn closure(&self, space: &Space) -> Option<Closure> {
        Some(Closure::takes(space.genes(), (self.0)(space)))
    }
}

/// Writes two children that take every block of genes from one parent; `exchanged` decides for each block whether the
/// first child takes it from the second parent.
fn exchange_blocks(
    blocks: &Blocks,
    mut exchanged: impl FnMut() -> bool,
    parents: [&[u8]; 2],
    [c, d]: [&mut [u8]; 2],
) {
    for block in blocks.iter() {
        // One coin a block, and both children by it: what one has from a parent the other has from the other.
        let [for_c, for_d] = if exchanged() { [parents[1], parents[0]] } else { parents };
        for gene in block {
            let gene = usize::from(*gene);
            (c[gene], d[gene]) = (for_c[gene], for_d[gene]);
        }
    }
}

/// Exchanges one stretch of genes. The function draws its two ends for a genome of a number of genes.
struct StretchCrossover(fn(usize, &mut RunRng) -> CutRange);

/// Places of a genome or a line, from the first cut up to the second.
struct CutRange {
    first: usize,
    second: usize,
}

impl Crossover for StretchCrossover {
    fn cross(&mut self, _: &Space, parents: [Parent; 2], children: [&mut [u8]; 2], rng: &mut RunRng) {
        let stretch = (self.0)(parents[0].genome.len(), rng);
        exchange_stretch(&stretch, parents.map(|parent| parent.genome), children);
    }
}

impl Variation for StretchCrossover {
    fn closure(&self, space: &Space) -> Option<Closure> {
        Some(Closure::takes_genes(space.genes()))
    }
}

/// Copies parents to children, exchanging the genes of a stretch.
///
/// Gene by gene, without a branch: copies whose lengths are random cost more in wrong guesses of the processor.
fn exchange_stretch(stretch: &CutRange, [a, b]: [&[u8]; 2], [c, d]: [&mut [u8]; 2]) {
    let (first, second) = (stretch.first as u16, stretch.second as u16);
    for (gene, (((c, d), a), b)) in (0..).zip(c.iter_mut().zip(d).zip(a).zip(b)) {
        let changed = if first <= gene && gene < second { a ^ b } else { 0 };
        (*c, *d) = (a ^ changed, b ^ changed);
    }
}

/// Crosses the free genes of every line of two or more, line by line; everything else is copied.
///
/// The digits of a line differ, and both parents hold the same ones; only where a line has two equal givens may they
/// hold others, and then the digits of a child are some of both parents'. No line is longer than `MOST`.
struct LineCrossover<D, const MOST: usize> {
    draw: fn(usize, &mut RunRng) -> D,
    cross: fn(&D, [&[u8]; 2], &mut [u8]),
    closure: fn(&Space) -> Closure,
}

impl<const MOST: usize> LineCrossover<CutRange, MOST> {
    fn of_stretch(cross: fn(&CutRange, [&[u8]; 2], &mut [u8])) -> Self {
        fn draw(length: usize, rng: &mut RunRng) -> CutRange {
            let (first, second) = rng.pair(length + 1);
            CutRange { first, second }
        }
        Self { draw, cross, closure: within_lines }
    }
}

impl<D, const MOST: usize> Crossover for LineCrossover<D, MOST> {
    fn cross(&mut self, space: &Space, parents: [Parent; 2], [c, d]: [&mut [u8]; 2], rng: &mut RunRng) {
        let parents = parents.map(|parent| parent.genome);
        c.copy_from_slice(parents[0]);
        d.copy_from_slice(parents[1]);
        for genes in space.segments.iter() {
            if genes.len() < 2 {
                continue;
            }
            let (mut a, mut b, mut child) = ([0; MOST], [0; MOST], [0; MOST]);
            let (a, b) = (gather(parents[0], genes, &mut a), gather(parents[1], genes, &mut b));
            // Both children by one draw, with the parents exchanged.
            let drawn = (self.draw)(genes.len(), rng);
            let child = &mut child[..genes.len()];
            (self.cross)(&drawn, [a, b], child);
            scatter(child, genes, c);
            (self.cross)(&drawn, [b, a], child);
            scatter(child, genes, d);
        }
    }
}

impl<D, const MOST: usize> Variation for LineCrossover<D, MOST> {
    fn closure(&self, space: &Space) -> Option<Closure> {
        Some((self.closure)(space))
    }
}

/// A crossover of lines, compiled for those of puzzles, whose digits are bits of a word, and for longer ones.
struct AnyLineCrossover<D, W> {
    of_puzzles: LineCrossover<D, { <u32 as RankSet>::MOST }>,
    wide: LineCrossover<W, { <WideSet as RankSet>::MOST }>,
}

impl<D, W> Crossover for AnyLineCrossover<D, W> {
    fn cross(&mut self, space: &Space, parents: [Parent; 2], children: [&mut [u8]; 2], rng: &mut RunRng) {
        if space.digits <= <u32 as RankSet>::MOST {
            self.of_puzzles.cross(space, parents, children, rng);
        } else {
            self.wide.cross(space, parents, children, rng);
        }
    }
}

impl<D, W> Variation for AnyLineCrossover<D, W> {
    fn closure(&self, space: &Space) -> Option<Closure> {
        self.of_puzzles.closure(space)
    }
}

/// A child's line has digits of both parents' lines, in any order.
fn within_lines(space: &Space) -> Closure {
    Closure::takes_genes(space.genes()).and(&Closure::moves(space.genes(), &space.segments))
}

/// Reads the digits of some genes into a line.
fn gather<'a>(genome: &[u8], genes: &[u16], line: &'a mut [u8]) -> &'a [u8] {
    let line = &mut line[..genes.len()];
    for (digit, gene) in line.iter_mut().zip(genes) {
        *digit = genome[usize::from(*gene)];
    }
    line
}

/// Writes a line to the genes it was read from.
fn scatter(line: &[u8], genes: &[u16], genome: &mut [u8]) {
    for (digit, gene) in line.iter().zip(genes) {
        genome[usize::from(*gene)] = *digit;
    }
}

/// Where a line holds each digit; the last number for a digit that it does not hold.
fn positions<const MOST: usize>(line: &[u8]) -> [u8; MOST] {
    let mut positions = [u8::MAX; MOST];
    for (position, digit) in line.iter().enumerate() {
        positions[usize::from(*digit)] = position as u8;
    }
    positions
}

/// The child that a crossover of lines makes of two lines.
#[cfg(test)]
fn child<D, const N: usize>(
    cross: fn(&D, [&[u8]; 2], &mut [u8]),
    drawn: D,
    a: [u8; N],
    b: [u8; N],
) -> [u8; N] {
    let mut child = [99; N];
    cross(&drawn, [&a, &b], &mut child);
    child
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_exchanged_whole() {
        let blocks = Blocks::of([&[0, 3][..], &[1, 2]]);
        let (mut c, mut d, mut coins) = ([9; 4], [9; 4], [false, true].into_iter());
        let exchanged = || coins.next().expect("a coin a block");
        exchange_blocks(&blocks, exchanged, [&[0; 4], &[1; 4]], [&mut c, &mut d]);
        assert_eq!((c, d), ([0, 1, 1, 0], [1, 0, 0, 1]));
    }

    #[test]
    fn the_stretch_between_the_cuts_is_exchanged() {
        let (mut c, mut d) = ([9; 5], [9; 5]);
        exchange_stretch(&CutRange { first: 1, second: 3 }, [&[0; 5], &[1; 5]], [&mut c, &mut d]);
        assert_eq!((c, d), ([0, 1, 1, 0, 0], [1, 0, 0, 1, 1]));
    }
}
