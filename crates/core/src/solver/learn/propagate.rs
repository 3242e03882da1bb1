//! Propagation of a search that learns: the rules between cells and segments, then clauses, then propagators.
//!
//! Crossings do not run as propagators here: a segment that must have a digit is a literal, and all that follows from
//! it is in [`Learner::spread`].

use crate::problem::{bits, mask_of};
use crate::solver::engine::Propagator;
use crate::solver::observer::{RemovalCause, SearchObserver};
use crate::solver::space::{CellChange, Conflict};

use super::analyse::Facts;
use super::clauses::Consequence;
use super::literals::{Literal, LiteralReason, LiteralSubject};
use super::{Learner, NearSegment, Nogood};

impl<O: SearchObserver> Learner<'_, O> {
    /// Runs segments, clauses and propagators to a fixpoint.
    pub(super) fn propagate(&mut self) -> Result<(), Nogood> {
        let result = self.fixpoint();
        if result.is_err() {
            self.engine.space.clear_pending();
        }
        result
    }

    fn fixpoint(&mut self) -> Result<(), Nogood> {
        loop {
            // The cheapest rules first: clauses see all that segments imply, propagators all that clauses do.
            if self.spread < self.known.len() {
                let literal = self.known.at(self.spread);
                self.spread(literal)?;
                self.spread += 1;
            } else if self.shown < self.known.len() {
                let literal = self.known.at(self.shown);
                self.show(self.known.negation(literal))?;
                self.shown += 1;
            } else if let Some(number) = self.engine.space.pop() {
                self.run_propagator(number)?;
            } else {
                return Ok(());
            }
        }
    }

    fn run_propagator(&mut self, number: usize) -> Result<(), Nogood> {
        let reason = LiteralReason::Propagator(number as u32);
        match self.engine.propagators[number] {
            Propagator::Demand(line) => {
                let missing = self.engine.missing(line);
                for place in 0..self.engine.crossings.of_line(line).len() {
                    let segment = self.engine.crossings.of_line(line)[place];
                    let crossing = self.engine.crossings.get(segment);
                    let due = crossing.due(missing, self.engine.lines.cells(line), &self.engine.space);
                    self.place(segment, due, reason);
                }
                Ok(())
            }
            Propagator::Exclude(cage) => {
                for segment in self.engine.crossings.of_cage(cage as usize) {
                    let certain = self.certain(segment);
                    self.place(segment, certain, reason);
                }
                Ok(())
            }
            _ => {
                // Propagators know nothing of literals: what they changed is read from the trail, with them as
                // the reason.
                let result = self.engine.run(number);
                self.engine.space.dequeue(number);
                self.read_trail(None, reason);
                result.map_err(|Conflict| {
                    self.observer.failed(RemovalCause::Propagator(number));
                    self.failure(number)
                })
            }
        }
    }

    /// The digits that every live tuple of a segment's cage puts in its line, and of which that is not known yet.
    fn certain(&self, segment: u32) -> u32 {
        let crossing = self.engine.crossings.get(segment);
        let Some(table) = self.engine.table_of(crossing) else { return 0 };
        let open = |rank: &u32| {
            !self.known.is_true(self.known.within(segment, *rank))
                && !self.known.is_true(self.known.not_within(segment, *rank))
        };
        let digits = mask_of((0..self.engine.digits() as u32).filter(open));
        crossing.certain(digits, table, &self.engine.tables, &self.engine.space)
    }

    /// The literals that made a propagator fail; none at level 0.
    fn failure(&mut self, number: usize) -> Nogood {
        if self.known.level() == 0 {
            return Nogood::new();
        }
        self.engine.blame(number);
        let facts = Facts { engine: &self.engine, known: &self.known, clauses: &self.clauses };
        self.analysis.failure(facts, number as u32)
    }

    /// Notes digits that a propagator found in a segment.
    fn place(&mut self, segment: u32, digits: u32, reason: LiteralReason) {
        for rank in bits(digits) {
            let literal = self.known.within(segment, rank);
            if !self.known.is_true(literal) && !self.known.is_false(literal) {
                self.known.push(literal, reason);
            }
        }
    }

    /// Makes true what follows between cells and segments from a literal that became true.
    fn spread(&mut self, literal: Literal) -> Result<(), Nogood> {
        match self.known.parts(literal) {
            (LiteralSubject::Cell(cell), rank, true) => {
                for index in 0..self.segments[usize::from(cell)].len() {
                    let NearSegment { segment, is_inside } = self.segments[usize::from(cell)][index];
                    let within = self.known.within(segment, rank);
                    self.imply(if is_inside { within } else { self.known.negation(within) }, literal)?;
                }
                Ok(())
            }
            (LiteralSubject::Cell(cell), rank, false) => {
                for index in 0..self.segments[usize::from(cell)].len() {
                    let NearSegment { segment, is_inside } = self.segments[usize::from(cell)][index];
                    if is_inside {
                        self.look_for_empty(segment, rank)?;
                    }
                }
                Ok(())
            }
            (LiteralSubject::Segment(segment), rank, true) => self.spread_within(segment, rank, literal),
            (LiteralSubject::Segment(segment), rank, false) => {
                let crossing = *self.engine.crossings.get(segment);
                let cells: Vec<u16> = crossing.inside(self.engine.lines.cells(crossing.line)).collect();
                cells.into_iter().try_for_each(|cell| self.imply(self.known.is_not(cell, rank), literal))
            }
        }
    }

    /// What follows from a digit in a segment: no disjoint segment of the line and no cell outside has it, and tuples
    /// without it are dead.
    fn spread_within(&mut self, segment: u32, rank: u32, literal: Literal) -> Result<(), Nogood> {
        let crossing = *self.engine.crossings.get(segment);
        for index in 0..self.engine.crossings.of_line(crossing.line).len() {
            let other = self.engine.crossings.of_line(crossing.line)[index];
            // Segments of one line that share no cell cannot both have the digit.
            if other != segment && self.engine.crossings.get(other).inside & crossing.inside == 0 {
                self.imply(self.known.not_within(other, rank), literal)?;
            }
        }
        let cells: Vec<u16> = crossing.outside(self.engine.lines.cells(crossing.line)).collect();
        for cell in cells {
            self.imply(self.known.is_not(cell, rank), literal)?;
        }
        let struck = self.engine.demand_digit(&crossing, rank);
        struck.map_err(|Conflict| {
            self.observer.failed(RemovalCause::Crossing(segment));
            self.failure(crossing.cage as usize)
        })
    }

    /// Notes that a segment has not a digit, where none of its cells has it left.
    fn look_for_empty(&mut self, segment: u32, rank: u32) -> Result<(), Nogood> {
        let literal = self.known.not_within(segment, rank);
        if self.known.is_true(literal) {
            return Ok(());
        }
        let crossing = self.engine.crossings.get(segment);
        let mut cells = crossing.inside(self.engine.lines.cells(crossing.line));
        if !cells.all(|cell| self.known.is_true(self.known.is_not(cell, rank))) {
            return Ok(());
        }
        if self.known.is_false(literal) {
            self.observer.failed(RemovalCause::Crossing(segment));
            let cells = crossing.inside(self.engine.lines.cells(crossing.line));
            let lost = cells.map(|cell| self.known.is_not(cell, rank));
            return Err(lost.chain([self.known.negation(literal)]).collect());
        }
        self.known.push(literal, LiteralReason::Empty);
        Ok(())
    }

    /// Makes a literal true that follows from another.
    fn imply(&mut self, literal: Literal, because: Literal) -> Result<(), Nogood> {
        if self.known.is_true(literal) {
            return Ok(());
        }
        if self.known.is_false(literal) {
            let segments = [because, literal].map(|literal| self.known.parts(literal).0);
            self.observer
                .failed(segments.iter().find_map(LiteralSubject::crossing).unwrap_or(RemovalCause::Clause));
            return Err(vec![because, self.known.negation(literal)]);
        }
        self.make_true(literal, LiteralReason::Literal(because)).expect("it is not false");
        Ok(())
    }

    /// Makes true what follows from the clauses of a literal that became false.
    fn show(&mut self, literal: Literal) -> Result<(), Nogood> {
        let mut from = 0;
        while let Some((found, next)) = self.clauses.visit(literal, from, &self.known) {
            from = next;
            let clause = match found {
                Consequence::Unit(unit, clause) => {
                    if self.make_true(unit, LiteralReason::Clause(clause)).is_ok() {
                        continue;
                    }
                    clause
                }
                Consequence::Conflict(clause) => clause,
            };
            self.observer.failed(RemovalCause::Clause);
            let literals = self.clauses.literals(clause).iter();
            return Err(literals.map(|literal| self.known.negation(*literal)).collect());
        }
        Ok(())
    }

    /// Makes a literal true that is not, and for a cell narrows its candidates in the space.
    pub(super) fn make_true(&mut self, literal: Literal, reason: LiteralReason) -> Result<(), Conflict> {
        match self.known.parts(literal) {
            (LiteralSubject::Cell(cell), rank, positive) => {
                let bit = 1 << rank;
                self.engine.space.keep(cell, if positive { bit } else { !bit })?;
                self.read_trail(Some(literal), reason);
            }
            (LiteralSubject::Segment(_), ..) => self.known.push(literal, reason),
        }
        Ok(())
    }

    /// Turns the changes of the space into literals. `chosen`, if any, is true for `reason` and explains the candidates
    /// that its cell lost; otherwise `reason` explains every lost candidate.
    fn read_trail(&mut self, chosen: Option<Literal>, reason: LiteralReason) {
        let from = self.read;
        while let Some(CellChange { cell, before, after }) = self.engine.space.change(self.read) {
            self.read += 1;
            if before == after {
                continue;
            }
            let single = after.is_power_of_two().then(|| self.known.is(cell, after.trailing_zeros()));
            // A literal that assigns its cell explains the candidates that the cell loses; else they explain it.
            let given = single.is_some() && single == chosen;
            if given {
                self.known.push(single.expect("it is the chosen one"), reason);
            }
            let because = chosen.filter(|_| given).map_or(reason, LiteralReason::Literal);
            for rank in bits(before & !after) {
                self.known.push(self.known.is_not(cell, rank), because);
            }
            if let Some(is) = single {
                // The next decision on the cell tries it first.
                self.order.remember(cell, after.trailing_zeros());
                if !given {
                    self.known.push(is, LiteralReason::Last);
                }
            }
        }
        if let Some(cause) = self.cause(reason) {
            self.observer.changed(&self.engine.space, cause, from);
        }
    }

    /// What an observer hears of a reason; nothing of decisions, which it has seen.
    fn cause(&self, reason: LiteralReason) -> Option<RemovalCause> {
        match reason {
            LiteralReason::Propagator(number) => Some(RemovalCause::Propagator(number as usize)),
            LiteralReason::Literal(literal) => self.known.parts(literal).0.crossing(),
            LiteralReason::Given | LiteralReason::Clause(_) => Some(RemovalCause::Clause),
            LiteralReason::Decision | LiteralReason::Last | LiteralReason::Empty => None,
        }
    }
}
