//! The neighbourhood of genomes of permutations: a move exchanges two free genes of one line.

use std::sync::Arc;

use crate::fitness::{Fitness, Guide, Invariants, Tally};
use crate::problem::Blocks;
use crate::rng::RunRng;

use super::Neighbourhood;

/// A genome of permutations; a move exchanges two free genes of one of them.
pub struct Swaps {
    tally: Tally,
    /// The free genes of lines that have several.
    free: Vec<u16>,
    /// The line of each free gene, and its place in it.
    places: Vec<(u16, u16)>,
    lines: Blocks,
    /// The width of the longest segment.
    longest: usize,
}

/// Two genes of one line, the smaller first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    segment: u16,
    first: u16,
    second: u16,
}

impl Swaps {
    /// A neighbourhood of exchanges within the lists of `lines`, whose genomes keep what `invariants` says.
    pub(crate) fn new(fitness: Arc<Fitness>, guide: Guide, invariants: &Invariants, lines: &Blocks) -> Self {
        let mut long = Blocks::default();
        lines.iter().filter(|line| line.len() > 1).for_each(|line| long.push(line.iter().copied()));
        let free = long.iter().flatten().copied().collect();
        let place =
            |(index, line): (usize, &[u16])| (0..line.len() as u16).map(move |place| (index as u16, place));
        let places = long.iter().enumerate().flat_map(place).collect();
        let longest = long.iter().map(<[u16]>::len).max().unwrap_or(0);
        let tally = Tally::new(fitness, guide, invariants);
        Self { tally, free, places, lines: long, longest }
    }

    #[inline(always)]
    fn genes(&self, step: Exchange) -> (usize, usize) {
        let line = self.lines.get(usize::from(step.segment));
        (usize::from(line[usize::from(step.first)]), usize::from(line[usize::from(step.second)]))
    }
}

impl Neighbourhood for Swaps {
    type Move = Exchange;

    const NAME: &'static str = "swap";

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn tally_mut(&mut self) -> &mut Tally {
        &mut self.tally
    }

    fn place(&mut self, genome: &[u8]) {
        self.tally.place(genome);
    }

    #[inline]
    fn random(&self, rng: &mut RunRng) -> Option<Exchange> {
        if self.free.is_empty() {
            return None;
        }
        let (segment, _) = self.places[rng.below(self.free.len())];
        let (first, second) = rng.pair(self.lines.get(usize::from(segment)).len());
        Some(Exchange { segment, first: first as u16, second: second as u16 })
    }

    #[inline]
    fn difference(&self, step: Exchange) -> i64 {
        let (first, second) = self.genes(step);
        self.tally.swap(first, second)
    }

    #[inline]
    fn apply(&mut self, step: Exchange) {
        let (first, second) = self.genes(step);
        self.tally.write_swap(first, second);
    }

    fn variables(&self) -> usize {
        self.free.len()
    }

    #[inline]
    fn is_conflicted(&self, variable: usize) -> bool {
        self.tally.is_conflicted(usize::from(self.free[variable]))
    }

    #[inline]
    fn scan(&mut self, variable: usize, limit: u64, mut see: impl FnMut(Exchange, usize, i64)) -> u64 {
        let (segment, own) = self.places[variable];
        let mut shown = 0;
        for other in (0..self.lines.get(usize::from(segment)).len() as u16).filter(|other| *other != own) {
            if shown == limit {
                break;
            }
            let step = Exchange { segment, first: own.min(other), second: own.max(other) };
            see(step, self.slot(step), self.difference(step));
            shown += 1;
        }
        shown
    }

    fn slots(&self) -> usize {
        self.lines.len() * self.longest * self.longest
    }

    #[inline]
    fn slot(&self, step: Exchange) -> usize {
        let line = usize::from(step.segment) * self.longest + usize::from(step.first);
        line * self.longest + usize::from(step.second)
    }

    #[inline]
    fn return_slot(&self, step: Exchange) -> usize {
        self.slot(step)
    }
}
