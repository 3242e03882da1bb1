//! Literals, and the order in which they became true.
//!
//! A *variable* is a cell and a rank: "the cell has this digit", or a segment and a rank: "a cell of this segment has
//! this digit". A segment is what a cage and a line share; that one literal stands for many cells makes clauses short.
//! For `v` variables literals `0..v` are the positive ones, `v..2v` their negations. Variables of a cell lie together,
//! those of cells first.

use crate::solver::observer::RemovalCause;

/// A positive or negative literal.
pub(super) type Literal = u32;

/// The place of a literal that is not true.
const NEVER: u32 = u32::MAX;

/// Why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LiteralReason {
    /// It holds without any decision.
    Given,
    /// The search chose it.
    Decision,
    /// Every other literal of this clause is false.
    Clause(u32),
    /// The propagator with this number found it.
    Propagator(u32),
    /// It follows from this literal alone.
    Literal(Literal),
    /// The cell has no other digit left.
    Last,
    /// No cell of the segment has the digit left.
    Empty,
}

/// What a literal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LiteralSubject {
    Cell(u16),
    /// The segment of the crossing with this index.
    Segment(u32),
}

impl LiteralSubject {
    /// What an observer hears of a segment.
    pub(super) fn crossing(&self) -> Option<RemovalCause> {
        if let Self::Segment(segment) = self { Some(RemovalCause::Crossing(*segment)) } else { None }
    }
}

/// The literals that are true, in order, with their reasons.
#[derive(Clone, Debug)]
pub(super) struct Literals {
    digits: u32,
    cells: u32,
    variables: u32,
    /// For every literal, its place in the order.
    place: Vec<u32>,
    order: Vec<Literal>,
    reasons: Vec<LiteralReason>,
    /// The decision level of every place.
    levels: Vec<u32>,
    /// The place at which every level begins; level 0 at 0.
    starts: Vec<u32>,
}

impl Literals {
    /// Nothing is true yet.
    pub(super) fn new(cells: usize, segments: usize, digits: usize) -> Self {
        let variables = ((cells + segments) * digits) as u32;
        Self {
            digits: digits as u32,
            cells: cells as u32,
            variables,
            place: vec![NEVER; 2 * variables as usize],
            order: Vec::new(),
            reasons: Vec::new(),
            levels: Vec::new(),
            starts: vec![0],
        }
    }

    /// The number of digits.
    pub(super) fn digits(&self) -> usize {
        self.digits as usize
    }

    /// The number of literals of both signs.
    pub(super) fn count(&self) -> usize {
        self.place.len()
    }

    /// "The cell has this digit."
    pub(super) fn is(&self, cell: u16, rank: u32) -> Literal {
        u32::from(cell) * self.digits + rank
    }

    /// "The cell has not this digit."
    pub(super) fn is_not(&self, cell: u16, rank: u32) -> Literal {
        self.variables + self.is(cell, rank)
    }

    /// "A cell of the segment has this digit."
    pub(super) fn within(&self, segment: u32, rank: u32) -> Literal {
        (self.cells + segment) * self.digits + rank
    }

    /// "No cell of the segment has this digit."
    pub(super) fn not_within(&self, segment: u32, rank: u32) -> Literal {
        self.variables + self.within(segment, rank)
    }

    /// The opposite of a literal.
    pub(super) fn negation(&self, literal: Literal) -> Literal {
        if literal < self.variables { literal + self.variables } else { literal - self.variables }
    }

    /// What a literal is about, its rank, and whether it is positive.
    pub(super) fn parts(&self, literal: Literal) -> (LiteralSubject, u32, bool) {
        let positive = literal < self.variables;
        let variable = if positive { literal } else { literal - self.variables };
        let (subject, rank) = (variable / self.digits, variable % self.digits);
        let subject = match subject.checked_sub(self.cells) {
            Some(segment) => LiteralSubject::Segment(segment),
            None => LiteralSubject::Cell(subject as u16),
        };
        (subject, rank, positive)
    }

    /// Makes a literal true.
    pub(super) fn push(&mut self, literal: Literal, reason: LiteralReason) {
        self.place[literal as usize] = self.order.len() as u32;
        self.order.push(literal);
        self.reasons.push(reason);
        self.levels.push(self.level());
    }

    /// Begins a new level.
    pub(super) fn begin_level(&mut self) {
        self.starts.push(self.order.len() as u32);
    }

    /// Makes every literal after the end of a level no longer true.
    pub(super) fn end_levels_after(&mut self, level: u32) {
        let end = self.starts[level as usize + 1];
        for literal in self.order.drain(end as usize..) {
            self.place[literal as usize] = NEVER;
        }
        self.reasons.truncate(end as usize);
        self.levels.truncate(end as usize);
        self.starts.truncate(level as usize + 1);
    }

    /// The present level; 0 before the first decision.
    pub(super) fn level(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The number of literals that are true.
    pub(super) fn len(&self) -> u32 {
        self.order.len() as u32
    }

    /// The literal at a place.
    pub(super) fn at(&self, place: u32) -> Literal {
        self.order[place as usize]
    }

    /// The reason of the literal at a place.
    pub(super) fn reason(&self, place: u32) -> LiteralReason {
        self.reasons[place as usize]
    }

    /// The level of a true literal.
    pub(super) fn level_of(&self, literal: Literal) -> u32 {
        self.levels[self.place[literal as usize] as usize]
    }

    /// The place of a true literal; `u32::MAX` for another.
    pub(super) fn place(&self, literal: Literal) -> u32 {
        self.place[literal as usize]
    }

    /// The literal is true.
    pub(super) fn is_true(&self, literal: Literal) -> bool {
        self.place[literal as usize] != NEVER
    }

    /// The literal is false.
    pub(super) fn is_false(&self, literal: Literal) -> bool {
        self.is_true(self.negation(literal))
    }

    /// The literal became true before a place.
    pub(super) fn is_before(&self, literal: Literal, place: u32) -> bool {
        self.place[literal as usize] < place
    }

    /// The candidates that a cell had before a place.
    pub(super) fn mask_before(&self, cell: u16, place: u32) -> u32 {
        let first = self.is_not(cell, 0) as usize;
        let places = &self.place[first..first + self.digits as usize];
        places.iter().enumerate().fold(0, |mask, (rank, lost)| mask | u32::from(*lost >= place) << rank)
    }
}
