//! The neighbourhood of genomes of permutations: a move exchanges two free genes of one line.

use std::sync::Arc;

use crate::fitness::{Fitness, Guide, Invariants, Tally};
use crate::problem::Blocks;
use crate::rng::RunRng;

use super::Neighbourhood;
use super::measured::{self, Measurable, MeasuredMoves};

/// A genome of permutations; a move exchanges two free genes of one of them.
pub struct Swaps {
    tally: Tally,
    /// The free genes of lines that have several.
    free: Vec<u16>,
    /// The line of each free gene, and its place in it.
    places: Vec<(u16, u16)>,
    lines: Blocks,
    /// Every exchange once, so that a random one is one draw.
    exchanges: Vec<Exchange>,
    /// The width of the longest segment.
    longest: usize,
    measured: MeasuredMoves,
}

/// Two genes of one line, the earlier of the line first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    genes: (u16, u16),
    segment: u16,
    places: (u16, u16),
}

impl Exchange {
    /// The genes at two places of a segment.
    #[inline(always)]
    fn of(line: &[u16], segment: u16, one: u16, other: u16) -> Self {
        let (first, second) = (one.min(other), one.max(other));
        let genes = (line[usize::from(first)], line[usize::from(second)]);
        Self { genes, segment, places: (first, second) }
    }
}

impl Swaps {
    /// A neighbourhood of exchanges within the lists of `lines`, whose genomes keep what `invariants` says.
    pub(crate) fn new(fitness: Arc<Fitness>, guide: Guide, invariants: &Invariants, lines: &Blocks) -> Self {
        let long = Blocks::of(lines.iter().filter(|line| line.len() > 1));
        let longest = long.iter().map(<[u16]>::len).max().unwrap_or(0);
        let (mut free, mut places, mut exchanges) = (Vec::new(), Vec::new(), Vec::new());
        for (segment, line) in (0..).zip(long.iter()) {
            for (second, gene) in (0..).zip(line) {
                free.push(*gene);
                places.push((segment, second));
                // Each pair once, the earlier gene first: an exchange is its own reversal.
                exchanges.extend((0..second).map(|first| Exchange::of(line, segment, first, second)));
            }
        }
        let tally = Tally::new(fitness, guide, invariants);
        let measured = MeasuredMoves::default();
        Self { tally, free, places, exchanges, lines: long, longest, measured }
    }
}

impl Measurable for Swaps {
    fn measured(&mut self) -> &mut MeasuredMoves {
        &mut self.measured
    }

    fn each_move(&self, variable: usize, mut see: impl FnMut(Exchange)) {
        let (segment, place) = self.places[variable];
        let line = self.lines.get(usize::from(segment));
        for other in 0..line.len() as u16 {
            if other != place {
                see(Exchange::of(line, segment, place, other));
            }
        }
    }

    fn write(&self, step: Exchange, genome: &mut [u8]) {
        genome.swap(usize::from(step.genes.0), usize::from(step.genes.1));
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
        self.measured.clear();
        self.tally.place(genome);
    }

    #[inline]
    fn random(&self, rng: &mut RunRng) -> Option<Exchange> {
        if self.exchanges.is_empty() {
            return None;
        }
        Some(self.exchanges[rng.below(self.exchanges.len())])
    }

    #[inline]
    fn difference(&self, step: Exchange) -> i64 {
        self.tally.swap(usize::from(step.genes.0), usize::from(step.genes.1))
    }

    #[inline]
    fn difference_within(&self, step: Exchange, most: i64) -> Option<i64> {
        self.tally.swap_within(usize::from(step.genes.0), usize::from(step.genes.1), most)
    }

    #[inline]
    fn apply(&mut self, step: Exchange) {
        if self.tally.is_measured() {
            if let Some(fitness) = self.measured.fitness(self.slot(step)) {
                self.tally.remember(fitness, |genome| self.write(step, genome));
            }
            self.measured.clear();
        }
        self.tally.write_swap(usize::from(step.genes.0), usize::from(step.genes.1));
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
        if self.tally.is_measured() {
            return measured::scan(self, variable, limit, see);
        }
        let (segment, own) = self.places[variable];
        let mut shown = 0;
        let line = self.lines.get(usize::from(segment));
        for other in 0..line.len() as u16 {
            if other == own {
                continue;
            }
            if shown == limit {
                break;
            }
            let step = Exchange::of(line, segment, own, other);
            see(step, self.slot(step), self.difference(step));
            shown += 1;
        }
        shown
    }

    #[inline]
    fn foresee(&mut self, limit: u64) {
        if self.tally.is_measured() {
            measured::foresee(self, limit);
        }
    }

    fn slots(&self) -> usize {
        self.lines.len() * self.longest * self.longest
    }

    #[inline]
    fn slot(&self, step: Exchange) -> usize {
        let line = usize::from(step.segment) * self.longest + usize::from(step.places.0);
        line * self.longest + usize::from(step.places.1)
    }

    #[inline]
    fn return_slot(&self, step: Exchange) -> usize {
        self.slot(step)
    }
}
