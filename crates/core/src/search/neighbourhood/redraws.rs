//! The neighbourhood of genomes of parts: a move gives a part another of its tuples.

use std::sync::Arc;

use crate::fitness::{Fitness, Guide, Parts, Tally};
use crate::rng::RunRng;
use crate::search::space::Choices;

use super::Neighbourhood;
use super::measured::{self, Measurable, MeasuredMoves};

/// A genome of parts, each at one of its tuples; a move takes one part to another tuple.
pub struct Redraws {
    choices: Arc<Choices>,
    parts: Parts,
    tally: Tally,
    current: Vec<u32>,
    prices: Vec<i32>,
    /// Made on first use.
    rings: Option<TupleRings>,
    measured: MeasuredMoves,
}

/// A part and the tuple it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redraw {
    part: u32,
    tuple: u32,
}

impl Redraws {
    /// A neighbourhood; its position is undefined until it is [placed](Neighbourhood::place).
    pub(crate) fn new(choices: Arc<Choices>, fitness: &Arc<Fitness>, guide: Guide) -> Self {
        let tally = Tally::new(Arc::clone(fitness), guide, &choices.invariants(fitness.problem()));
        let parts = Parts::link(choices.cells.clone(), &tally);
        let current = vec![0; parts.len()];
        Self {
            choices,
            parts,
            tally,
            current,
            prices: Vec::new(),
            rings: None,
            measured: MeasuredMoves::default(),
        }
    }

    /// A uniform tuple of a free part other than the one it holds.
    #[inline(always)]
    fn other(&self, part: u32, rng: &mut RunRng) -> u32 {
        let other = rng.below(self.choices.count(part as usize) - 1) as u32;
        other + u32::from(other >= self.current[part as usize])
    }
}

impl Measurable for Redraws {
    fn measured(&mut self) -> &mut MeasuredMoves {
        &mut self.measured
    }

    fn each_move(&self, variable: usize, mut see: impl FnMut(Redraw)) {
        let part = self.choices.free[variable];
        for tuple in 0..self.choices.count(part as usize) as u32 {
            if tuple != self.current[part as usize] {
                see(Redraw { part, tuple });
            }
        }
    }

    fn write(&self, step: Redraw, genome: &mut [u8]) {
        let part = step.part as usize;
        self.parts.write(part, self.choices.tuple(part, step.tuple as usize), genome);
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
            // A part that holds none of its tuples counts as at its first.
            self.current[part] = self.choices.find(part, genome).unwrap_or(0) as u32;
        }
        self.measured.clear();
        self.tally.place(genome);
        self.parts.update_all(&self.tally);
    }

    #[inline]
    fn random(&self, rng: &mut RunRng) -> Option<Redraw> {
        if self.choices.free.is_empty() {
            return None;
        }
        let part = self.choices.free[rng.below(self.choices.free.len())];
        Some(Redraw { part, tuple: self.other(part, rng) })
    }

    fn random_near(&mut self, rng: &mut RunRng) -> Option<Redraw> {
        if self.choices.free.is_empty() {
            return None;
        }
        let part = self.choices.free[rng.below(self.choices.free.len())];
        let rings = self.rings.get_or_insert_with(|| TupleRings::new(&self.choices));
        let near = rings.draw(part as usize, self.current[part as usize], rng);
        Some(Redraw { part, tuple: near.unwrap_or_else(|| self.other(part, rng)) })
    }

    #[inline]
    fn difference(&self, step: Redraw) -> i64 {
        let tuple = self.choices.whole_lanes(step.part as usize, step.tuple as usize);
        self.tally.exchange(&self.parts, step.part as usize, tuple)
    }

    #[inline]
    fn apply(&mut self, step: Redraw) {
        let part = step.part as usize;
        if self.tally.is_measured() {
            if let Some(fitness) = self.measured.fitness(self.slot(step)) {
                self.tally.remember(fitness, |genome| self.write(step, genome));
            }
            self.measured.clear();
        }
        self.tally.write_part(&mut self.parts, part, self.choices.tuple(part, step.tuple as usize));
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
        if self.tally.is_measured() {
            return measured::scan(self, variable, limit, see);
        }
        let part = self.choices.free[variable] as usize;
        // Lines are priced once for all tuples, each of which then costs a look-up a cell.
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

    #[inline]
    fn foresee(&mut self, limit: u64) {
        if self.tally.is_measured() {
            measured::foresee(self, limit);
        }
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

/// For every part and every two of its cells, its tuples in rings: those of a ring differ in these two cells alone.
///
/// A sum that takes from one cell gives to another. Among the thousands of tuples of a large cage, those of the same
/// ring break least.
struct TupleRings {
    /// The number of pairs of cells of each part; 0 where every redraw is as small, or the rings have no room.
    pairs: Vec<u32>,
    /// The place of each part in `seats`.
    starts: Vec<u32>,
    /// Where in `seated` a tuple is, `tuples * pairs` of every part.
    seats: Vec<u32>,
    /// The rings, one after the other.
    seated: Vec<Seat>,
}

/// A tuple, how many of its ring are before it, and how many there are.
#[derive(Clone, Copy)]
struct Seat {
    tuple: u32,
    before: u16,
    ring: u16,
}

/// The most seats, 48 MB. Parts for which no room is left take any other tuple.
const MOST: usize = 1 << 22;

impl TupleRings {
    fn new(choices: &Choices) -> Self {
        let mut rings = Self { pairs: Vec::new(), starts: Vec::new(), seats: Vec::new(), seated: Vec::new() };
        for part in 0..choices.len() {
            let (width, count) = (choices.cells.get(part).len(), choices.count(part));
            let pairs = if width > 2 && count > 1 { width * (width - 1) / 2 } else { 0 };
            // Later parts may be smaller and fit.
            let pairs = if rings.seats.len() + pairs * count <= MOST { pairs } else { 0 };
            rings.pairs.push(pairs as u32);
            rings.starts.push(rings.seats.len() as u32);
            rings.seat(choices, part, pairs);
        }
        rings
    }

    /// Seats the tuples of a part, once for every two of its cells.
    fn seat(&mut self, choices: &Choices, part: usize, pairs: usize) {
        let (width, count, start) = (choices.cells.get(part).len(), choices.count(part), self.seats.len());
        self.seats.resize(start + pairs * count, 0);
        if pairs == 0 {
            return;
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        let mut pair = 0;
        for second in 0..width {
            for first in 0..second {
                // What the tuples of a ring have in common: the digits of the other cells.
                let others = |tuple: &u32| {
                    let tuple = choices.tuple(part, *tuple as usize);
                    (&tuple[..first], &tuple[first + 1..second], &tuple[second + 1..])
                };
                order.sort_unstable_by(|a, b| others(a).cmp(&others(b)).then(a.cmp(b)));
                for ring in order.chunk_by(|a, b| others(a) == others(b)) {
                    for (before, tuple) in ring.iter().enumerate() {
                        self.seats[start + *tuple as usize * pairs + pair] = self.seated.len() as u32;
                        let (before, ring) = (before as u16, ring.len() as u16);
                        self.seated.push(Seat { tuple: *tuple, before, ring });
                    }
                }
                pair += 1;
            }
        }
    }

    /// Another tuple of the ring of two random cells; `None` where the tuple is alone there.
    ///
    /// Within the rings the draw is symmetric: every tuple of a ring is as likely to lead to another as the reverse. A
    /// caller that draws any other tuple in place of `None` makes the proposal asymmetric: a tuple that is alone in
    /// more rings is left more often than it is drawn.
    #[inline]
    fn draw(&self, part: usize, tuple: u32, rng: &mut RunRng) -> Option<u32> {
        let pairs = self.pairs[part] as usize;
        if pairs == 0 {
            return None;
        }
        let seat =
            self.seats[self.starts[part] as usize + tuple as usize * pairs + rng.below(pairs)] as usize;
        let Seat { before, ring, .. } = self.seated[seat];
        let (before, others) = (usize::from(before), usize::from(ring) - 1);
        if others == 0 {
            return None;
        }
        let other = rng.below(others);
        Some(self.seated[seat - before + other + usize::from(other >= before)].tuple)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::puzzle::samples;
    use crate::rng::StreamKey;

    #[test]
    fn a_small_step_leads_to_every_tuple_that_differs_in_two_cells_and_to_no_other() {
        let mut rng = StreamKey::run(1, "steps", 0).rng();
        let problem = Problem::compile(&samples::kenken(6, |n| rng.below(n)));
        let choices = Choices::of_clues(&problem, problem.candidates());
        let (rings, mut met) = (TupleRings::new(&choices), 0);
        for part in (0..choices.len()).filter(|part| choices.cells.get(*part).len() > 2) {
            for tuple in 0..choices.count(part).min(50) {
                let differ = |other: &usize| {
                    let cells = choices.tuple(part, tuple).iter().zip(choices.tuple(part, *other));
                    (1..=2).contains(&cells.filter(|(a, b)| a != b).count())
                };
                let mut reached = vec![false; choices.count(part)];
                for _ in 0..5000 {
                    if let Some(other) = rings.draw(part, tuple as u32, &mut rng) {
                        reached[other as usize] = true;
                    }
                }
                let reached: Vec<usize> = (0..reached.len()).filter(|other| reached[*other]).collect();
                let near: Vec<usize> = (0..choices.count(part)).filter(differ).collect();
                assert_eq!(reached, near, "tuple {tuple} of part {part}");
                met += near.len();
            }
        }
        assert!(met > 100, "{met} neighbours");
    }
}
