//! From a conflict to a learned clause, and back to where it says something new.

use super::Learner;
use super::analyse::Facts;
use super::literals::{Literal, Reason, Subject};

impl Learner<'_> {
    /// Learns from a conflict and goes back; says no when there is nothing to go back to.
    pub(super) fn resolve(&mut self, impossible: &[Literal]) -> bool {
        self.found.failures += 1;
        self.conflicts += 1;
        let level = impossible.iter().map(|literal| self.known.level_of(*literal)).max().unwrap_or(0);
        if level == 0 {
            return false;
        }
        self.go_back_to_end_of(level);
        let facts = Facts { engine: &self.engine, known: &self.known, clauses: &self.clauses };
        self.analysis.learn(facts, impossible);
        for literal in &self.analysis.met {
            match self.known.parts(*literal).0 {
                Subject::Cell(cell) => self.order.bump(cell),
                Subject::Segment(segment) => {
                    let crossing = &self.engine.crossings()[segment as usize];
                    let cells = crossing.inside(self.engine.lines.cells(crossing.line));
                    cells.for_each(|cell| self.order.bump(cell));
                }
            }
        }
        self.order.decay();
        self.note_used();
        self.learn_clause();
        true
    }

    /// A conflict may be among literals of earlier levels alone: then later ones are none of its business.
    fn go_back_to_end_of(&mut self, level: u32) {
        if level < self.known.level() {
            self.go_back(level);
        }
    }

    fn note_used(&mut self) {
        for index in 0..self.analysis.used.len() {
            let clause = self.analysis.used[index];
            let glue =
                self.glue(self.clauses.literals(clause).iter().map(|literal| self.known.negation(*literal)));
            self.clauses.note(clause, self.conflicts as u32, glue);
        }
    }

    /// The number of levels that true literals come from.
    fn glue(&self, literals: impl Iterator<Item = Literal>) -> u32 {
        let mut levels: Vec<u32> = literals
            .filter(|literal| self.known.is_true(*literal))
            .map(|literal| self.known.level_of(literal))
            .collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }

    /// Adds what the analysis learned, goes back to where it says something new, and makes it say it.
    fn learn_clause(&mut self) {
        let glue = self.glue(self.analysis.learned.iter().copied());
        let level_of = |literal: &Literal| self.known.level_of(*literal);
        let second =
            (1..self.analysis.learned.len()).max_by_key(|index| level_of(&self.analysis.learned[*index]));
        let back = second.map_or(0, |index| level_of(&self.analysis.learned[index]));
        if let Some(second) = second {
            self.analysis.learned.swap(1, second);
        }
        let clause: Vec<Literal> =
            self.analysis.learned.iter().map(|literal| self.known.negation(*literal)).collect();
        self.go_back(back);
        self.assert(&clause, glue, false);
    }

    /// Adds a clause of which only the first literal is not false, and makes that true.
    pub(super) fn assert(&mut self, clause: &[Literal], glue: u32, kept: bool) {
        let reason = match clause {
            [_] => Reason::Given,
            _ => Reason::Clause(self.clauses.add(clause, glue, kept)),
        };
        self.make_true(clause[0], reason).expect("its opposite was undone");
    }

    pub(super) fn go_back(&mut self, level: u32) {
        if level < self.known.level() {
            self.engine.space.forget_pending();
            self.engine.space.go_back(self.moments[level as usize]);
            self.moments.truncate(level as usize);
            self.known.end_levels_after(level);
            self.analysis.forget_after(&self.known);
            self.read = self.engine.space.now();
            self.spread = self.spread.min(self.known.len());
            self.shown = self.shown.min(self.known.len());
        }
    }

    pub(super) fn reduce(&mut self) {
        let known = &self.known;
        let mut locked: Vec<u32> = (0..known.len())
            .filter_map(|place| match known.reason(place) {
                Reason::Clause(clause) => Some(clause),
                _ => None,
            })
            .collect();
        locked.sort_unstable();
        self.clauses.reduce(|clause| locked.binary_search(&clause).is_ok());
    }
}
