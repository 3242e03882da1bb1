//! Moves that give a part of the genome another of its tuples.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use crate::fitness::{Fitness, Guide, Kept, Parts, Tally};
use crate::problem::{Blocks, Problem, bits};
use crate::rng::RunRng;

use super::Neighbourhood;
use super::steps::Steps;

/// A partition of the genome into parts, and the tuples that each may take: those of a clue, or the candidates of a
/// single cell.
#[derive(Clone, Debug)]
pub struct Choices {
    cells: Blocks,
    /// The clue that each part's tuples satisfy, where it has one.
    clues: Vec<Option<u16>>,
    /// The tuples of all parts, one after the other.
    ranks: Vec<u8>,
    /// Where the tuples of each part are.
    places: Vec<Place>,
    /// The parts with two or more tuples.
    free: Vec<u32>,
    /// The sum of the numbers of tuples of the parts before each, and of all.
    slots: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    count: u32,
    width: u32,
}

impl Choices {
    /// A part for every cell.
    pub fn of_cells(candidates: &[u32]) -> Self {
        let mut choices = Self::none();
        for (cell, candidates) in candidates.iter().enumerate() {
            choices.push_single(cell as u16, *candidates);
        }
        choices.finish()
    }

    /// A part for every clue whose tuples are few enough, in the order of the groups, as far as they do not overlap;
    /// and for every cell that is left.
    pub fn of_clues(problem: &Problem, candidates: &[u32]) -> Self {
        let mut choices = Self::none();
        let mut taken = vec![false; problem.cells()];
        for (group, tuples) in problem.tables().iter().enumerate() {
            let Some(tuples) = tuples.as_ref().filter(|tuples| !tuples.is_empty()) else { continue };
            let cells = problem.cells_of(group);
            if cells.iter().all(|cell| !taken[usize::from(*cell)]) {
                cells.iter().for_each(|cell| taken[usize::from(*cell)] = true);
                choices.push(cells, tuples.ranks().iter().copied(), Some(group as u16));
            }
        }
        for cell in (0..problem.cells()).filter(|cell| !taken[*cell]) {
            choices.push_single(cell as u16, candidates[cell]);
        }
        choices.finish()
    }

    fn none() -> Self {
        let (cells, clues, ranks, places) = (Blocks::default(), Vec::new(), Vec::new(), Vec::new());
        Self { cells, clues, ranks, places, free: Vec::new(), slots: Vec::new() }
    }

    fn push_single(&mut self, cell: u16, candidates: u32) {
        self.push(&[cell], bits(candidates).map(|rank| rank as u8), None);
    }

    fn push(&mut self, cells: &[u16], ranks: impl Iterator<Item = u8>, clue: Option<u16>) {
        let start = self.ranks.len();
        self.ranks.extend(ranks);
        let count = (self.ranks.len() - start) / cells.len();
        self.places.push(Place { start: start as u32, count: count as u32, width: cells.len() as u32 });
        self.cells.push(cells.iter().copied());
        self.clues.push(clue);
    }

    fn finish(mut self) -> Self {
        let mut sum = 0;
        for part in 0..self.places.len() {
            self.slots.push(sum);
            sum += self.count(part);
            if self.count(part) > 1 {
                self.free.push(part as u32);
            }
        }
        self.slots.push(sum);
        self
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// There is no part.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The slots of a part's tuples.
    pub fn slots_of(&self, part: usize) -> Range<usize> {
        self.slots[part]..self.slots[part + 1]
    }

    /// Writes a tuple of a part into a genome.
    pub fn write(&self, part: usize, index: usize, genome: &mut [u8]) {
        for (cell, rank) in self.cells.get(part).iter().zip(self.tuple(part, index)) {
            genome[usize::from(*cell)] = *rank;
        }
    }

    /// The cells of every part.
    pub fn cells(&self) -> &Blocks {
        &self.cells
    }

    /// What every genome of such parts satisfies: the clues that are parts.
    pub fn kept(&self, problem: &Problem) -> Kept {
        let mut kept = Kept::nothing(problem);
        self.clues.iter().flatten().for_each(|clue| kept.clues[usize::from(*clue)] = true);
        kept
    }

    /// The number of tuples of a part.
    #[inline]
    pub fn count(&self, part: usize) -> usize {
        self.places[part].count as usize
    }

    /// The tuples of a part, one after the other.
    #[inline(always)]
    pub fn ranks(&self, part: usize) -> &[u8] {
        let place = self.places[part];
        &self.ranks[place.start as usize..][..(place.count * place.width) as usize]
    }

    /// One tuple of a part.
    #[inline(always)]
    pub fn tuple(&self, part: usize, index: usize) -> &[u8] {
        let place = self.places[part];
        &self.ranks[place.start as usize + index * place.width as usize..][..place.width as usize]
    }

    /// Which tuple a part of a genome holds, if any.
    pub fn find(&self, part: usize, genome: &[u8]) -> Option<usize> {
        let cells = self.cells.get(part);
        let holds = |index: usize| {
            let tuple = self.tuple(part, index).iter();
            tuple.copied().cmp(cells.iter().map(|cell| genome[usize::from(*cell)]))
        };
        let (mut low, mut high) = (0, self.count(part));
        while low < high {
            let middle = (low + high) / 2;
            match holds(middle) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// Writes a uniform tuple into every part.
    pub fn scatter(&self, genome: &mut [u8], rng: &mut RunRng) {
        for part in 0..self.places.len() {
            self.write(part, rng.below(self.count(part)), genome);
        }
    }
}

/// A genome of parts, each at one of its tuples; a move takes one part to another tuple.
pub struct Redraws {
    choices: Arc<Choices>,
    parts: Parts,
    tally: Tally,
    current: Vec<u32>,
    prices: Vec<i32>,
    /// Made when it is first asked for.
    steps: Option<Steps>,
}

/// A part and the tuple it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redraw {
    part: u32,
    tuple: u32,
}

impl Redraws {
    /// A neighbourhood that stands nowhere in particular until it is placed.
    pub fn new(choices: Arc<Choices>, fitness: &Arc<Fitness>, guide: Guide) -> Self {
        let tally = Tally::new(Arc::clone(fitness), guide, &choices.kept(fitness.problem()));
        let parts = Parts::link(choices.cells.clone(), &tally);
        let current = vec![0; parts.len()];
        Self { choices, parts, tally, current, prices: Vec::new(), steps: None }
    }
}

impl Neighbourhood for Redraws {
    type Move = Redraw;

    const NAME: &'static str = "redraw";

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn tally_mut(&mut self) -> &mut Tally {
        &mut self.tally
    }

    fn place(&mut self, genome: &[u8]) {
        for part in 0..self.parts.len() {
            self.current[part] = self.choices.find(part, genome).unwrap_or(0) as u32;
        }
        self.tally.place(genome);
    }

    #[inline]
    fn random(&self, rng: &mut RunRng) -> Option<Redraw> {
        if self.choices.free.is_empty() {
            return None;
        }
        let part = self.choices.free[rng.below(self.choices.free.len())];
        let other = rng.below(self.choices.count(part as usize) - 1) as u32;
        Some(Redraw { part, tuple: other + u32::from(other >= self.current[part as usize]) })
    }

    fn random_near(&mut self, rng: &mut RunRng) -> Option<Redraw> {
        if self.choices.free.is_empty() {
            return None;
        }
        let part = self.choices.free[rng.below(self.choices.free.len())];
        let (index, now) = (part as usize, self.current[part as usize]);
        let steps = self.steps.get_or_insert_with(|| Steps::new(&self.choices));
        let tuple = steps.draw(index, now, rng).unwrap_or_else(|| {
            let other = rng.below(self.choices.count(index) - 1) as u32;
            other + u32::from(other >= now)
        });
        Some(Redraw { part, tuple })
    }

    #[inline]
    fn difference(&self, step: Redraw) -> i64 {
        let tuple = self.choices.tuple(step.part as usize, step.tuple as usize);
        self.tally.exchange(&self.parts, step.part as usize, tuple)
    }

    #[inline]
    fn apply(&mut self, step: Redraw) {
        let part = step.part as usize;
        self.tally.write_part(&self.parts, part, self.choices.tuple(part, step.tuple as usize));
        self.current[part] = step.tuple;
    }

    fn variables(&self) -> usize {
        self.choices.free.len()
    }

    #[inline]
    fn is_conflicted(&self, variable: usize) -> bool {
        self.tally.is_part_conflicted(&self.parts, self.choices.free[variable] as usize)
    }

    #[inline]
    fn scan(&mut self, variable: usize, limit: u64, mut see: impl FnMut(Redraw, usize, i64)) -> u64 {
        let part = self.choices.free[variable] as usize;
        let now = self.tally.prices(&self.parts, part, &mut self.prices);
        let (digits, width) = (self.tally.digits(), self.parts.cells(part).len());
        let tuples = self.choices.ranks(part).chunks_exact(width).enumerate();
        let mut shown = 0;
        for (index, tuple) in tuples.filter(|(index, _)| *index != self.current[part] as usize) {
            if shown == limit {
                break;
            }
            let rows = self.prices.chunks_exact(digits).zip(tuple);
            let price: i32 = rows.map(|(row, rank)| row[usize::from(*rank)]).sum();
            let clues = self.tally.clues_of_part(&self.parts, part, tuple);
            let step = Redraw { part: part as u32, tuple: index as u32 };
            see(step, self.slot(step), i64::from(price - now) + clues);
            shown += 1;
        }
        shown
    }

    fn slots(&self) -> usize {
        self.choices.slots[self.parts.len()]
    }

    #[inline]
    fn slot(&self, step: Redraw) -> usize {
        self.choices.slots[step.part as usize] + step.tuple as usize
    }

    #[inline]
    fn return_slot(&self, step: Redraw) -> usize {
        self.choices.slots[step.part as usize] + self.current[step.part as usize] as usize
    }
}
