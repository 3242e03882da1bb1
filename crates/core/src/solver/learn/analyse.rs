//! Conflict analysis: the clause that a conflict teaches, and the level to backtrack to.
//!
//! ```text
//! begin with the literals of the nogood
//! while several are of the present level
//!     replace the latest by the literals that made it true
//! drop literals that follow from the others
//! learn: not all of these
//! ```
//!
//! The last literal of the present level is the first unique implication point (J. P. Marques-Silva, K. A. Sakallah,
//! "GRASP: a search algorithm for propositional satisfiability", 1999, doi:10.1109/12.769433). Literals are dropped by
//! recursion on reasons (N. Sörensson, A. Biere, "Minimizing learned clauses", SAT 2009,
//! doi:10.1007/978-3-642-02777-2_23).

use crate::solver::engine::Engine;
use crate::solver::event::Event;
use crate::solver::observer::SearchObserver;

use super::Learner;
use super::clauses::Clauses;
use super::explain::{Before, Conclusion, Explainer};
use super::literals::{Literal, LiteralReason, LiteralSubject, Literals};

/// The depth to which reasons are followed to drop a literal.
const DEEPEST: u32 = 24;

/// What the analysis of a conflict reads.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    pub(super) engine: &'a Engine,
    pub(super) known: &'a Literals,
    pub(super) clauses: &'a Clauses,
}

/// What the analysis knows of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralMark {
    Unseen,
    /// It is in the clause, or was resolved.
    Seen,
    /// It follows from literals of the clause.
    Implied,
    /// It is not known to follow.
    Needed,
}

/// Explanations of true literals, by place.
#[derive(Clone, Debug, Default)]
struct Cache {
    spans: Vec<(u32, u32)>,
    literals: Vec<Literal>,
}

/// Learns from conflicts; the arrays are reused.
#[derive(Clone, Debug)]
pub(super) struct Analysis {
    pub(super) explainer: Explainer,
    marks: Vec<LiteralMark>,
    marked: Vec<Literal>,
    cache: Cache,
    /// The negations of the learned clause's literals, all true: that of the present level first.
    pub(super) learned: Vec<Literal>,
    /// Every literal that took part.
    pub(super) met: Vec<Literal>,
    /// Every clause that took part.
    pub(super) used: Vec<u32>,
}

impl Analysis {
    pub(super) fn new(engine: &Engine, known: &Literals) -> Self {
        Self {
            explainer: Explainer::new(engine),
            marks: vec![LiteralMark::Unseen; known.count()],
            marked: Vec::new(),
            cache: Cache::default(),
            learned: Vec::new(),
            met: Vec::new(),
            used: Vec::new(),
        }
    }

    /// Forgets the explanations of literals that are no longer true.
    pub(super) fn forget_after(&mut self, known: &Literals) {
        self.cache.spans.truncate(known.len() as usize);
        if known.level() == 0 {
            self.cache.spans.clear();
            self.cache.literals.clear();
        }
    }

    /// Learns from a nogood with at least one literal of the present level, which is not 0.
    pub(super) fn learn(&mut self, facts: Facts, conflict: &[Literal]) {
        self.learned.clear();
        self.met.clear();
        self.used.clear();
        self.learned.push(0);
        let level = facts.known.level();
        let mut open = 0;
        for literal in conflict {
            open += self.meet(facts.known, *literal, level);
        }
        let mut place = facts.known.len();
        loop {
            // From the last true literal on: a literal is met after all that followed from it.
            place -= 1;
            let literal = facts.known.at(place);
            if self.marks[literal as usize] != LiteralMark::Seen {
                continue;
            }
            open -= 1;
            // The only one left of the present level: the first unique implication point.
            if open == 0 {
                self.learned[0] = literal;
                break;
            }
            if let LiteralReason::Clause(clause) = facts.known.reason(place) {
                self.used.push(clause);
            }
            let (first, end) = self.reasons_of(facts, place);
            for index in first..end {
                let literal = self.cache.literals[index as usize];
                open += self.meet(facts.known, literal, level);
            }
        }
        self.minimise(facts);
        for literal in self.marked.drain(..) {
            self.marks[literal as usize] = LiteralMark::Unseen;
        }
    }

    /// Marks a literal once; returns 1 when it is a further one of the present level, else 0.
    fn meet(&mut self, known: &Literals, literal: Literal, level: u32) -> u32 {
        let own = known.level_of(literal);
        // What is true at level 0 is true for good and explains nothing.
        if self.marks[literal as usize] != LiteralMark::Unseen || own == 0 {
            return 0;
        }
        self.mark(literal, LiteralMark::Seen);
        self.met.push(literal);
        if own == level {
            return 1;
        }
        self.learned.push(literal);
        0
    }

    fn mark(&mut self, literal: Literal, mark: LiteralMark) {
        if self.marks[literal as usize] == LiteralMark::Unseen {
            self.marked.push(literal);
        }
        self.marks[literal as usize] = mark;
    }

    /// Drops the literals that follow from the others.
    fn minimise(&mut self, facts: Facts) {
        let mut kept = 1;
        for index in 1..self.learned.len() {
            let literal = self.learned[index];
            if !self.follows(facts, literal, 0) {
                self.learned[kept] = literal;
                kept += 1;
            }
        }
        self.learned.truncate(kept);
    }

    /// Says whether every reason of a literal is in the clause or follows from it.
    fn follows(&mut self, facts: Facts, literal: Literal, depth: u32) -> bool {
        let place = facts.known.place(literal);
        if facts.known.reason(place) == LiteralReason::Decision || depth > DEEPEST {
            return false;
        }
        let (first, end) = self.reasons_of(facts, place);
        for index in first..end {
            let reason = self.cache.literals[index as usize];
            if facts.known.level_of(reason) == 0 {
                continue;
            }
            match self.marks[reason as usize] {
                LiteralMark::Seen | LiteralMark::Implied => {}
                // Found before, on the way to another literal.
                LiteralMark::Needed => return false,
                LiteralMark::Unseen => {
                    let follows = self.follows(facts, reason, depth + 1);
                    self.mark(reason, if follows { LiteralMark::Implied } else { LiteralMark::Needed });
                    if !follows {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The literals that made the one at a place true, as a span of the cache.
    fn reasons_of(&mut self, facts: Facts, place: u32) -> (u32, u32) {
        // An empty span that begins after its end was never filled.
        if self.cache.spans.len() <= place as usize {
            self.cache.spans.resize(facts.known.len() as usize, (1, 0));
        }
        let (first, end) = self.cache.spans[place as usize];
        if first <= end {
            return (first, end);
        }
        let first = self.cache.literals.len() as u32;
        self.explain(facts, place);
        let end = self.cache.literals.len() as u32;
        self.cache.spans[place as usize] = (first, end);
        (first, end)
    }

    fn explain(&mut self, facts: Facts, place: u32) {
        let Facts { engine, known, clauses } = facts;
        let literal = known.at(place);
        let out = &mut self.cache.literals;
        match (known.reason(place), known.parts(literal)) {
            (LiteralReason::Given | LiteralReason::Decision, _) => {}
            (LiteralReason::Clause(clause), _) => {
                let others = clauses.literals(clause).iter().filter(|other| **other != literal);
                out.extend(others.map(|other| known.negation(*other)));
            }
            (LiteralReason::Literal(literal), _) => out.push(literal),
            (LiteralReason::Propagator(number), (subject, rank, _)) => {
                let event = match subject {
                    LiteralSubject::Cell(cell) => Conclusion::Removed(cell, rank),
                    LiteralSubject::Segment(segment) => Conclusion::Placed(segment, rank),
                };
                self.explainer.explain(engine, Before { known, place }, number, event, out);
            }
            (LiteralReason::Last, (LiteralSubject::Cell(cell), rank, _)) => {
                let others = (0..known.digits() as u32).filter(|other| *other != rank);
                out.extend(others.map(|other| known.is_not(cell, other)));
            }
            (LiteralReason::Empty, (LiteralSubject::Segment(segment), rank, _)) => {
                let crossing = engine.crossings.get(segment);
                let cells = crossing.inside(engine.lines.cells(crossing.line));
                out.extend(cells.map(|cell| known.is_not(cell, rank)));
            }
            (LiteralReason::Last | LiteralReason::Empty, _) => {
                unreachable!("cells run out of digits, segments of cells")
            }
        }
    }

    /// The literals that together made a propagator fail.
    pub(super) fn failure(&mut self, facts: Facts, number: u32) -> Vec<Literal> {
        let mut out = Vec::new();
        let before = Before { known: facts.known, place: facts.known.len() };
        self.explainer.explain(facts.engine, before, number, Conclusion::Failed, &mut out);
        out
    }
}

impl<O: SearchObserver> Learner<'_, O> {
    /// Learns from a nogood and backtracks; false when its literals are all of level 0.
    pub(super) fn resolve(&mut self, nogood: &[Literal]) -> bool {
        self.found.failures += 1;
        self.conflicts += 1;
        let level = nogood.iter().map(|literal| self.known.level_of(*literal)).max().unwrap_or(0);
        if level == 0 {
            return false;
        }
        // Levels after the last of the nogood have no part in the conflict.
        self.backtrack(level);
        let facts = Facts { engine: &self.engine, known: &self.known, clauses: &self.clauses };
        self.analysis.learn(facts, nogood);
        for literal in &self.analysis.met {
            match self.known.parts(*literal).0 {
                LiteralSubject::Cell(cell) => self.order.bump(cell),
                LiteralSubject::Segment(segment) => {
                    let crossing = self.engine.crossings.get(segment);
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

    /// Backtracks to the level at which the learned clause is unit, and adds it.
    fn learn_clause(&mut self) {
        self.found.learned += 1;
        let glue = self.glue(self.analysis.learned.iter().copied());
        // The clause is unit from the last level of its other literals on; one of that level is watched.
        let (mut back, mut watched) = (0, 0);
        for (index, literal) in self.analysis.learned.iter().enumerate().skip(1) {
            let level = self.known.level_of(*literal);
            if level >= back {
                (back, watched) = (level, index);
            }
        }
        if watched > 0 {
            self.analysis.learned.swap(1, watched);
        }
        let literals = self.analysis.learned.iter();
        let clause: Vec<Literal> = literals.map(|literal| self.known.negation(*literal)).collect();
        self.backtrack(back);
        self.assert(&clause, glue, false);
    }

    /// Adds a clause whose literals but the first are false, and makes the first true.
    pub(super) fn assert(&mut self, clause: &[Literal], glue: u32, kept: bool) {
        self.show_clause(clause, kept);
        let reason = match clause {
            [_] => LiteralReason::Given,
            _ => LiteralReason::Clause(self.clauses.add(clause, glue, kept)),
        };
        self.make_true(clause[0], reason).expect("its opposite was undone");
    }

    /// Undoes every decision after a level, and what followed from it.
    pub(super) fn backtrack(&mut self, level: u32) {
        if level < self.known.level() {
            self.observer.saw(|| Event::Back { depth: level });
            self.engine.space.clear_pending();
            self.engine.space.backtrack(self.moments[level as usize]);
            self.moments.truncate(level as usize);
            self.known.end_levels_after(level);
            self.analysis.forget_after(&self.known);
            self.read = self.engine.space.now();
            self.spread = self.spread.min(self.known.len());
            self.shown = self.shown.min(self.known.len());
        }
    }

    /// Deletes the worse half of the clauses that are no literal's reason.
    pub(super) fn reduce(&mut self) {
        let mut locked = Vec::new();
        for place in 0..self.known.len() {
            if let LiteralReason::Clause(clause) = self.known.reason(place) {
                locked.push(clause);
            }
        }
        locked.sort_unstable();
        self.clauses.reduce(|clause| locked.binary_search(&clause).is_ok());
    }
}
