//! Evaluation by difference: how a change of a few cells changes the violation.

mod clue_state;
mod measured;
mod parts;
mod surroundings;
mod swaps;
mod term_totals;

use std::sync::Arc;

use crate::problem::Blocks;

use super::{Equals, Fitness, Guide, Invariants, Term};

use clue_state::{DigitChange, OpenClues, raised};
use measured::LastMeasured;

pub(crate) use parts::{LONGEST, Parts};
pub(crate) use surroundings::LANES;
use swaps::Links;
use term_totals::TermTotals;

/// The digits that a line holds, and the digits that it holds more than once, as masks.
#[derive(Clone, Copy, Debug, Default)]
struct HeldDigits {
    once: u32,
    twice: u32,
}

impl HeldDigits {
    /// The digits that cells hold other than those that hold each digit of `own` once.
    #[inline(always)]
    fn by_others(self, own: u32) -> u32 {
        self.once & !own | self.twice & own
    }
}

/// A short list contains a number; a loop, because searching a slice would be a call.
#[inline(always)]
fn has(list: &[u16], wanted: u16) -> bool {
    list.iter().fold(false, |has, number| has | (*number == wanted))
}

/// A genome with the occurrences of digits in its distinct groups (here: lines) and the values of its clues, so that a
/// change costs only the groups of the changed cells.
///
/// The violation of a line that holds a digit `c` times grows by `min(c, cap)` with one more and falls by `min(c - 1,
/// cap)` with one less; the cap is 1 for repeats and none for pairs. Every digit of every line and every clue has a
/// weight of its own, which a search may raise.
#[derive(Clone, Debug)]
pub struct Tally {
    fitness: Arc<Fitness>,
    guide: Guide,
    digits: usize,
    cap: u16,
    ranks: Vec<u8>,
    /// The lines of each cell.
    lines: Blocks,
    links: Links,
    /// `lines * digits`.
    occurrences: Vec<u16>,
    /// The digits that each line holds, and after the last those of a line without cells.
    held: Vec<HeldDigits>,
    /// `lines * digits`.
    weights: Vec<i32>,
    /// Repeats count, and no weight was raised, so that `held` suffices; never where an objective tells the violation.
    by_masks: bool,
    /// Where an objective tells the violation.
    last: Option<LastMeasured>,
    clues: OpenClues,
    value: i64,
    violation: i64,
    /// The groups that are lines.
    line_groups: Vec<usize>,
    /// `None` unless followed.
    term_totals: Option<Box<TermTotals>>,
}

impl Tally {
    /// A tally for genomes that satisfy `invariants`; it is at rank 0 everywhere until it is [placed](Self::place).
    pub fn new(fitness: Arc<Fitness>, guide: Guide, invariants: &Invariants) -> Self {
        let problem = fitness.problem();
        let mut line_groups = Vec::new();
        for group in 0..problem.groups() {
            // What every genome satisfies costs nothing when it is not looked at.
            let may_repeat = problem.rule(group).distinct && !invariants.distinct[group];
            if may_repeat && problem.cells_of(group).len() > 1 {
                line_groups.push(group);
            }
        }
        let lines = Blocks::of(line_groups.iter().map(|group| problem.cells_of(*group)));
        let lines = lines.inverse(problem.cells());
        let digits = problem.digits();
        let held = vec![HeldDigits::default(); line_groups.len() + 1];
        let clues = OpenClues::compile(&fitness, guide.cages, guide.cage_weight, &invariants.clues);
        let links = Links::new(&lines, &clues, [line_groups.len(), clues.len()]);
        let mut tally = Self {
            guide,
            digits,
            cap: if guide.lines == Equals::Repeats { 1 } else { u16::MAX },
            ranks: vec![0; problem.cells()],
            occurrences: vec![0; line_groups.len() * digits],
            held,
            links,
            weights: vec![guide.line_weight as i32; line_groups.len() * digits],
            by_masks: guide.lines == Equals::Repeats && !fitness.is_of_objective(),
            last: fitness.is_of_objective().then(LastMeasured::default),
            lines,
            clues,
            value: 0,
            violation: 0,
            line_groups,
            term_totals: None,
            fitness,
        };
        // An objective is not asked before somebody places a genome.
        if tally.last.is_none() {
            tally.count();
        }
        tally
    }

    /// Goes to a genome: one evaluation.
    ///
    /// # Panics
    /// When the genome has another length than the problem has cells.
    pub fn place(&mut self, genome: &[u8]) {
        self.ranks.copy_from_slice(genome);
        self.count();
    }

    /// The violation of any genome under the weights of the guide, if it is below `bound`: what [placing](Self::place) it
    /// would find, at a fraction of the cost, because no move can follow.
    pub(crate) fn violation_below(&self, bound: i64, genome: &[u8]) -> Option<i64> {
        if self.is_measured() {
            return Some(i64::from(self.fitness.evaluate(genome))).filter(|violation| *violation < bound);
        }
        let mut lines = 0;
        for group in &self.line_groups {
            let cells = self.fitness.problem().cells_of(*group);
            lines += match self.guide.lines {
                Equals::Repeats => {
                    let mut held = 0u32;
                    for cell in cells {
                        held |= 1 << genome[usize::from(*cell)];
                    }
                    cells.len() as u32 - held.count_ones()
                }
                Equals::Pairs => {
                    let mut occurrences = [0u16; 32];
                    for cell in cells {
                        occurrences[usize::from(genome[usize::from(*cell)])] += 1;
                    }
                    occurrences.iter().map(|held| self.excess(*held)).sum()
                }
            };
        }
        let lines = i64::from(self.guide.line_weight) * i64::from(lines);
        // A random genome seldom gets further, and clues take as long as lines.
        if lines >= bound {
            return None;
        }
        let violation = lines + i64::from(self.guide.cage_weight) * self.clues.missed_in(genome);
        (violation < bound).then_some(violation)
    }

    fn count(&mut self) {
        if self.is_measured() {
            return self.measure();
        }
        self.occurrences.fill(0);
        for (cell, rank) in self.ranks.iter().enumerate() {
            for line in self.lines.get(cell) {
                self.occurrences[usize::from(*line) * self.digits + usize::from(*rank)] += 1;
            }
        }
        for (line, held) in self.occurrences.chunks_exact(self.digits).enumerate() {
            let mask = |least| held.iter().rev().fold(0, |mask, held| mask << 1 | u32::from(*held >= least));
            // Masks are made anew here, and brought up to date by every write.
            self.held[line] = HeldDigits { once: mask(1), twice: mask(2) };
        }
        self.clues.count(&self.ranks);
        let lines: u32 = self.occurrences.iter().map(|held| self.excess(*held)).sum();
        self.violation = i64::from(self.guide.line_weight) * i64::from(lines)
            + i64::from(self.guide.cage_weight) * self.clues.missed();
        self.count_terms();
        self.weigh();
    }

    fn count_terms(&mut self) {
        // Taken out, so that the rest of the tally can be read.
        let Some(mut totals) = self.term_totals.take() else { return };
        totals.clear();
        for (line, held) in self.occurrences.chunks_exact(self.digits).enumerate() {
            for held in held {
                totals.add_to_line(line, i64::from(self.excess(*held)));
            }
        }
        totals.add_to_clues(self.clues.missed());
        self.term_totals = Some(totals);
    }

    fn weigh(&mut self) {
        if self.is_measured() {
            return;
        }
        // Summed apart from the tally: a sum kept in its field would be stored at every step.
        let mut lines = 0;
        for (held, weight) in self.occurrences.iter().zip(&self.weights) {
            lines += i64::from(self.excess(*held)) * i64::from(*weight);
        }
        self.value = lines + self.clues.weighted();
    }

    fn excess(&self, held: u16) -> u32 {
        let held = u32::from(held);
        match self.guide.lines {
            Equals::Repeats => held.saturating_sub(1),
            Equals::Pairs => held * held.saturating_sub(1) / 2,
        }
    }

    /// The violation of the current genome, under the current weights.
    #[inline]
    pub fn value(&self) -> i64 {
        self.value
    }

    /// The violation of the current genome, under the weights of the guide.
    #[inline]
    pub fn violation(&self) -> i64 {
        self.violation
    }

    /// The current genome.
    pub fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// The number of digits.
    #[inline]
    pub fn digits(&self) -> usize {
        self.digits
    }

    /// What writing `rank` into `cell` would add: one move. Nothing is changed.
    #[inline]
    pub fn change(&self, cell: usize, rank: u8) -> i64 {
        let old = self.ranks[cell];
        if old == rank {
            return 0;
        }
        if self.is_measured() {
            return self.measured_difference(|genome| genome[cell] = rank);
        }
        let lines: i64 = self.lines.get(cell).iter().map(|line| self.moved(*line, old, rank)).sum();
        let clues = self.clues.of(cell).iter();
        lines
            + clues
                .map(|clue| self.clues.change(*clue, DigitChange { cell: cell as u16, rank }, &self.ranks))
                .sum::<i64>()
    }

    /// What a line gains when one of its cells changes.
    #[inline(always)]
    fn moved(&self, line: u16, old: u8, new: u8) -> i64 {
        let start = usize::from(line) * self.digits;
        let (from, to) = (start + usize::from(old), start + usize::from(new));
        let gained = self.weights[to] * i32::from(self.occurrences[to].min(self.cap));
        let lost = self.weights[from] * i32::from((self.occurrences[from] - 1).min(self.cap));
        i64::from(gained - lost)
    }

    /// Writes `rank` into `cell`.
    pub fn write(&mut self, cell: usize, rank: u8) {
        if self.is_measured() {
            self.ranks[cell] = rank;
            self.measure();
        } else if self.term_totals.is_none() {
            self.write_one::<false>(cell, rank);
        } else {
            self.write_one::<true>(cell, rank);
        }
    }

    #[inline(always)]
    fn write_one<const BY_TERM: bool>(&mut self, cell: usize, rank: u8) {
        let old = self.ranks[cell];
        if old == rank {
            return;
        }
        for line in self.lines.get(cell) {
            let line = usize::from(*line);
            let start = line * self.digits;
            let (from, to) = (start + usize::from(old), start + usize::from(rank));
            // What the line held before decides what the change costs: one less of the old digit, one more of the new.
            self.occurrences[from] -= 1;
            let (left, there) = (self.occurrences[from], self.occurrences[to]);
            self.occurrences[to] += 1;
            let held = &mut self.held[line];
            held.once = held.once & !(u32::from(left == 0) << old) | 1 << rank;
            held.twice = held.twice & !(u32::from(left == 1) << old) | u32::from(there == 1) << rank;
            let lost = i32::from(left.min(self.cap));
            let gained = i32::from(there.min(self.cap));
            self.value += i64::from(self.weights[to] * gained - self.weights[from] * lost);
            self.violation += i64::from(self.guide.line_weight) * i64::from(gained - lost);
            if BY_TERM && let Some(totals) = &mut self.term_totals {
                totals.add_to_line(line, i64::from(gained - lost));
            }
        }
        self.ranks[cell] = rank;
        let (weighted, plain) = self.clues.recount(cell, &self.ranks);
        if BY_TERM && let Some(totals) = &mut self.term_totals {
            totals.add_to_clues(plain);
        }
        self.value += weighted;
        self.violation += i64::from(self.guide.cage_weight) * plain;
    }

    /// Exchanges the digits of two cells.
    pub(crate) fn write_swap(&mut self, first: usize, second: usize) {
        if self.is_measured() {
            // One measurement, not one for each cell.
            self.ranks.swap(first, second);
            self.measure();
            return;
        }
        let (a, b) = (self.ranks[first], self.ranks[second]);
        self.write(first, b);
        self.write(second, a);
    }

    /// A group of this cell is violated: a line repeats its digit, or a clue does not hold. Where an objective tells the
    /// violation, any cell may be to blame for it.
    #[inline]
    pub fn is_conflicted(&self, cell: usize) -> bool {
        if self.is_measured() {
            return self.value > 0;
        }
        let rank = self.ranks[cell];
        let repeated = |line: &u16| self.held[usize::from(*line)].twice >> rank & 1 != 0;
        self.lines.get(cell).iter().any(repeated)
            || self.clues.of(cell).iter().any(|clue| self.clues.is_missed(*clue))
    }

    /// A line or a clue that a genome may violate holds both cells, so that what a change of one adds may depend on the
    /// other. Where an objective tells the violation, it may depend on any two cells together.
    pub fn interact(&self, first: usize, second: usize) -> bool {
        if self.is_measured() {
            return true;
        }
        let (lines, clues) = (self.lines.get(second), self.clues.of(second));
        self.lines.get(first).iter().any(|line| has(lines, *line))
            || self.clues.of(first).iter().any(|clue| has(clues, *clue))
    }

    /// Adds `step` to the weight of everything that is violated: of each digit that a line holds more than once, and of
    /// each clue that does not hold. No weight grows beyond half a million.
    pub(crate) fn raise_weights(&mut self, step: u32) {
        for (weight, held) in self.weights.iter_mut().zip(&self.occurrences) {
            if *held > 1 {
                *weight = raised(*weight, step);
            }
        }
        // Masks say what is held more than once, not what that weighs.
        self.by_masks = false;
        self.clues.raise_weights(step);
        self.weigh();
    }

    /// Resets the weights to those of the guide.
    pub(crate) fn reset_weights(&mut self) {
        self.weights.fill(self.guide.line_weight as i32);
        self.clues.reset_weights(self.guide.cage_weight);
        self.by_masks = self.guide.lines == Equals::Repeats && !self.is_measured();
        self.weigh();
    }

    /// Follows the violation of each term from now on, at a small cost for every write.
    pub(crate) fn follow_terms(&mut self) {
        let problem = self.fitness.problem();
        self.term_totals = Some(Box::new(TermTotals::new(problem, &self.line_groups)));
        self.count();
    }

    /// The violation of each term, unweighted and as the guide measures it, in the order of [`Term::ALL`]; 0 unless
    /// followed. That of the count term, which belongs to no group, is always 0.
    #[inline]
    pub(crate) fn term_totals(&self) -> [i64; Term::ALL.len()] {
        self.term_totals.as_ref().map_or([0; Term::ALL.len()], |totals| totals.sums)
    }
}

#[cfg(test)]
mod tests;
