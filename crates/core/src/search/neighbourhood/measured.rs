//! Neighbours of a position on a problem of the user's own, measured many at a time.
//!
//! A request to a program costs as much as dozens of evaluations. A walk sees the same of its moves, and in the same order, as if
//! each were measured when it is looked at.

use crate::fitness::Tally;

use super::Neighbourhood;

/// The most genomes that are held while they wait for their values.
const MOST_WAITING: usize = 1000;

/// A neighbourhood whose moves may be measured together.
pub(super) trait Measurable: Neighbourhood {
    /// The fitness of the neighbours that were measured.
    fn measured(&mut self) -> &mut MeasuredMoves;

    /// Calls `see` with every move of a variable, in the order of a scan.
    fn each_move(&self, variable: usize, see: impl FnMut(Self::Move));

    /// Makes a move in a copy of the genome of the position.
    fn write(&self, step: Self::Move, genome: &mut [u8]);
}

/// The fitness of neighbours of one position, by the slots of the moves that lead there.
#[derive(Default)]
pub(super) struct MeasuredMoves {
    fitness: Vec<Option<u32>>,
    /// The slots that have one; the genomes of the last of them wait for their values.
    slots: Vec<u32>,
    waiting: Vec<u8>,
}

impl MeasuredMoves {
    /// Forgets the neighbours of a position that is left.
    pub(super) fn clear(&mut self) {
        for slot in self.slots.drain(..) {
            self.fitness[slot as usize] = None;
        }
    }

    /// The fitness of the neighbour of a slot, if it was measured.
    pub(super) fn fitness(&self, slot: usize) -> Option<u32> {
        self.fitness.get(slot).copied().flatten()
    }

    /// Lets the first moves of a variable, `limit` at most, wait for their values; returns how many moves they are.
    fn ask(&mut self, at: &impl Measurable, variable: usize, limit: u64) -> u64 {
        self.fitness.resize(at.slots(), None);
        let mut asked = 0;
        at.each_move(variable, |step| {
            let slot = at.slot(step);
            if asked == limit {
                return;
            }
            asked += 1;
            // Both variables of an exchange show it: it is measured once.
            if self.fitness[slot].is_none() {
                self.fitness[slot] = Some(u32::MAX);
                self.slots.push(slot as u32);
                let start = self.waiting.len();
                self.waiting.extend_from_slice(at.tally().ranks());
                at.write(step, &mut self.waiting[start..]);
                if self.waiting.len() == MOST_WAITING * at.tally().ranks().len() {
                    self.measure(at.tally());
                }
            }
        });
        asked
    }

    /// Measures all that wait.
    fn measure(&mut self, tally: &Tally) {
        let mut values = vec![0; self.waiting.len() / tally.ranks().len()];
        tally.measure_each(&self.waiting, &mut values);
        for (slot, value) in self.slots.iter().rev().zip(values.iter().rev()) {
            self.fitness[*slot as usize] = Some(*value);
        }
        self.waiting.clear();
    }
}

/// See [`Neighbourhood::scan`].
pub(super) fn scan<N: Measurable>(
    at: &mut N,
    variable: usize,
    limit: u64,
    mut see: impl FnMut(N::Move, usize, i64),
) -> u64 {
    // Taken out, so that the rest of the neighbourhood can be read.
    let mut measured = std::mem::take(at.measured());
    let asked = measured.ask(at, variable, limit);
    measured.measure(at.tally());
    let (mut shown, value) = (0, at.tally().value());
    at.each_move(variable, |step| {
        let slot = at.slot(step);
        if shown < asked
            && let Some(fitness) = measured.fitness(slot)
        {
            shown += 1;
            see(step, slot, i64::from(fitness) - value);
        }
    });
    *at.measured() = measured;
    asked
}

/// See [`Neighbourhood::foresee`].
#[cold]
pub(super) fn foresee<N: Measurable>(at: &mut N, limit: u64) {
    // A solved position has no variable in conflict, so that no move will be looked at.
    if at.is_solved() {
        return;
    }
    let mut measured = std::mem::take(at.measured());
    let mut left = limit;
    for variable in 0..at.variables() {
        if left == 0 {
            break;
        }
        left -= measured.ask(at, variable, left);
    }
    measured.measure(at.tally());
    *at.measured() = measured;
}
