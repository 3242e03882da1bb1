//! The permutation encoding: every line holds every digit once.

use std::sync::Arc;

use crate::fitness::{Fitness, Guide, Kept, Tally};
use crate::problem::{Blocks, Problem, bits};
use crate::rng::RunRng;
use crate::spec::{Builder, Member};

use super::{AnyEncoding, Encoder, Encoding, EncodingError, candidates, space};
use crate::search::Space;
use crate::search::neighbourhood::Neighbourhood;
use crate::search::space::Change;

/// A genome holds a permutation of the digits in every line, givens in their places; what is left to find is columns
/// and cages.
pub struct Rows {
    fitness: Arc<Fitness>,
    space: Space,
    /// No line has two equal givens, so that every line is a permutation.
    permuted: bool,
}

pub(super) static ENTRY: Builder<Encoder> = Member::new("rows")
    .about("permutation encoding: every row is a permutation of the digits, givens in their places")
    .source("permutation encoding; T. Mantere, J. Koljonen 2007, doi:10.1109/CEC.2007.4424632 (Sudoku)")
    .build(|_| Box::new(|fitness| Rows::new(fitness).map(AnyEncoding::Rows)));

impl Rows {
    /// The encoding for a problem.
    ///
    /// # Errors
    /// [`EncodingError::NoLines`] when the problem has no lines.
    pub fn new(fitness: Arc<Fitness>) -> Result<Self, EncodingError> {
        let problem = fitness.problem();
        let groups = problem.lines().ok_or(EncodingError::NoLines)?;
        let mut lines = Blocks::default();
        groups.iter().for_each(|group| lines.push(problem.cells_of(*group).iter().copied()));
        let permuted = lines.iter().all(|line| givens_differ(problem, line));
        // Only givens fix a gene: a permutation cannot honour other candidates.
        let only_givens = |(gene, mask): (usize, u32)| match problem.given(gene) {
            Some(_) => mask,
            None => problem.all_digits(),
        };
        let masks = candidates(problem, true).into_iter().enumerate().map(only_givens).collect();
        let space = space(&fitness, Change::Exchanges, masks, &lines, lines.clone());
        Ok(Self { fitness, space, permuted })
    }
}

fn givens_differ(problem: &Problem, line: &[u16]) -> bool {
    let mut seen = 0u32;
    line.iter().filter_map(|cell| problem.given(usize::from(*cell))).all(|rank| {
        let fresh = seen >> rank & 1 == 0;
        seen |= 1 << rank;
        fresh
    })
}

impl Encoding for Rows {
    type Near = Swaps;

    fn fitness(&self) -> &Fitness {
        &self.fitness
    }

    fn space(&self) -> &Space {
        &self.space
    }

    fn init(&self, genome: &mut [u8], rng: &mut RunRng) {
        let given = |gene: u16| self.fitness.problem().given(usize::from(gene));
        for line in self.space.rows.iter() {
            let mut rest = self.fitness.problem().all_digits();
            for gene in line {
                if let Some(rank) = given(*gene) {
                    genome[usize::from(*gene)] = rank;
                    rest &= !(1 << rank);
                }
            }
            let (mut digits, mut count) = ([0u8; 32], 0);
            for rank in bits(rest) {
                digits[count] = rank as u8;
                count += 1;
            }
            rng.shuffle(&mut digits[..count]);
            let free = line.iter().filter(|gene| given(**gene).is_none());
            free.zip(digits).for_each(|(gene, digit)| genome[usize::from(*gene)] = digit);
        }
    }

    #[inline]
    fn is_permuted(&self) -> bool {
        self.permuted
    }

    fn neighbourhood(&self, guide: Guide) -> Swaps {
        let problem = self.fitness.problem();
        let mut kept = Kept::nothing(problem);
        for line in problem.lines().unwrap_or_default() {
            kept.distinct[line] = self.permuted;
        }
        Swaps::new(Arc::clone(&self.fitness), guide, &kept, &self.space.segments)
    }
}

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
    /// A neighbourhood of exchanges within the lists of `lines`, whose genomes keep what `kept` says.
    fn new(fitness: Arc<Fitness>, guide: Guide, kept: &Kept, lines: &Blocks) -> Self {
        let mut long = Blocks::default();
        lines.iter().filter(|line| line.len() > 1).for_each(|line| long.push(line.iter().copied()));
        let free = long.iter().flatten().copied().collect();
        let place =
            |(index, line): (usize, &[u16])| (0..line.len() as u16).map(move |place| (index as u16, place));
        let places = long.iter().enumerate().flat_map(place).collect();
        let longest = long.iter().map(<[u16]>::len).max().unwrap_or(0);
        let tally = Tally::new(fitness, guide, kept);
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
