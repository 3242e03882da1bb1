//! Neighbours of a position on a problem of the user's own, measured many at a time.
//!
//! A request to a program costs as much as dozens of evaluations, so that the moves of a variable, or of the whole position, go
//! into one. What a walk sees of its moves, and in which order, is the same as if each were measured when it is looked at.

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
    fitness: Vec<Known>,
    /// The slots of which something is known.
    slots: Vec<u32>,
    /// The last of `slots`, as many as there are genomes without a value.
    waiting: usize,
    /// The genomes of those that wait.
    genomes: Vec<u8>,
    values: Vec<u32>,
}

/// What is known of the neighbour of a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    /// Its genome waits for a value.
    Waits,
    Fitness(u32),
}

impl MeasuredMoves {
    /// Forgets the neighbours of a position that is left.
    pub(super) fn clear(&mut self) {
        for slot in self.slots.drain(..) {
            self.fitness[slot as usize] = Known::Nothing;
        }
    }

    /// The fitness of the neighbour of a slot, if it was measured.
    pub(super) fn fitness(&self, slot: usize) -> Option<u32> {
        match self.fitness.get(slot) {
            Some(Known::Fitness(fitness)) => Some(*fitness),
            _ => None,
        }
    }

    /// Lets the first moves of a variable, `limit` at most, wait for their values; returns how many moves they are.
    fn ask(&mut self, at: &impl Measurable, variable: usize, limit: u64) -> u64 {
        self.fitness.resize(at.slots(), Known::Nothing);
        let mut asked = 0;
        at.each_move(variable, |step| {
            if asked == limit {
                return;
            }
            asked += 1;
            let slot = at.slot(step);
            // Both variables of an exchange show it: it is measured once.
            if self.fitness[slot] != Known::Nothing {
                return;
            }
            self.fitness[slot] = Known::Waits;
            self.slots.push(slot as u32);
            self.waiting += 1;
            let start = self.genomes.len();
            self.genomes.extend_from_slice(at.tally().ranks());
            at.write(step, &mut self.genomes[start..]);
            if self.waiting == MOST_WAITING {
                self.measure(at.tally());
            }
        });
        asked
    }

    /// Measures all that wait.
    fn measure(&mut self, tally: &Tally) {
        self.values.clear();
        self.values.resize(self.waiting, 0);
        tally.measure_each(&self.genomes, &mut self.values);
        let first = self.slots.len() - self.waiting;
        for (slot, value) in self.slots[first..].iter().zip(&self.values) {
            self.fitness[*slot as usize] = Known::Fitness(*value);
        }
        self.waiting = 0;
        self.genomes.clear();
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
    // Of a solved position no variable is in conflict, and no move will be looked at.
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
