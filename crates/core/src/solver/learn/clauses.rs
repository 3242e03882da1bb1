//! Learned clauses, watched by two literals each.
//!
//! A clause is visited only when one of its first two literals becomes false; it then watches another of its literals,
//! if one is not false. The score of a clause is the least number of levels that its literals had in a conflict (LBD);
//! a reduction deletes the worse half.
//!
//! Sources: M. W. Moskewicz, C. F. Madigan, Y. Zhao, L. Zhang, S. Malik, "Chaff: engineering an efficient SAT solver",
//! DAC 2001, doi:10.1145/378239.379017; G. Audemard, L. Simon, "Predicting learnt clauses quality in modern SAT
//! solvers", IJCAI 2009.

use super::literals::{Literal, Literals};

/// Clauses with literals from at most this many levels are never deleted.
const GLUE: u32 = 2;

/// The glue of a deleted clause.
const DELETED: u32 = u32::MAX;

/// What is known of a clause besides its literals.
#[derive(Clone, Copy, Debug)]
struct ClauseHead {
    first: u32,
    len: u32,
    /// The number of levels of its literals, or `DELETED`.
    glue: u32,
    /// The conflict in which it last took part.
    used: u32,
    /// It is never deleted.
    permanent: bool,
}

/// A clause that watches a literal, and another of its literals: while that is true, the clause needs no visit.
#[derive(Clone, Copy, Debug)]
struct ClauseWatch {
    clause: u32,
    blocker: Literal,
}

/// Every learned clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    literals: Vec<Literal>,
    heads: Vec<ClauseHead>,
    /// For every literal, the clauses to visit when it becomes false.
    watches: Vec<Vec<ClauseWatch>>,
    live: usize,
}

/// What follows from a literal that became false.
pub(super) enum Consequence {
    /// This literal of this clause must be true.
    Unit(Literal, u32),
    /// Every literal of this clause is false.
    Conflict(u32),
}

impl Clauses {
    /// No clauses, for so many literals.
    pub(super) fn new(literals: usize) -> Self {
        Self { watches: vec![Vec::new(); literals], ..Self::default() }
    }

    /// The number of clauses that a reduction may delete.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// The literals of a clause.
    pub(super) fn literals(&self, clause: u32) -> &[Literal] {
        let head = self.heads[clause as usize];
        &self.literals[head.first as usize..][..head.len as usize]
    }

    /// Adds a clause of two literals or more, the two to watch first, and returns its number.
    pub(super) fn add(&mut self, literals: &[Literal], glue: u32, permanent: bool) -> u32 {
        let clause = self.heads.len() as u32;
        let first = self.literals.len() as u32;
        self.literals.extend_from_slice(literals);
        self.heads.push(ClauseHead { first, len: literals.len() as u32, glue, used: 0, permanent });
        self.watches[literals[0] as usize].push(ClauseWatch { clause, blocker: literals[1] });
        self.watches[literals[1] as usize].push(ClauseWatch { clause, blocker: literals[0] });
        self.live += usize::from(!permanent);
        clause
    }

    /// Notes that a clause took part in a conflict, and how many levels its literals now have.
    pub(super) fn note(&mut self, clause: u32, conflict: u32, glue: u32) {
        let head = &mut self.heads[clause as usize];
        head.used = conflict;
        // A clause that once joined few levels is worth keeping.
        head.glue = head.glue.min(glue);
    }

    /// Visits the clauses that watch a literal which became false, from the `from`-th on; returns the first consequence
    /// and the watcher to go on from.
    pub(super) fn visit(
        &mut self,
        literal: Literal,
        from: usize,
        known: &Literals,
    ) -> Option<(Consequence, usize)> {
        let mut index = from;
        while index < self.watches[literal as usize].len() {
            let watch = self.watches[literal as usize][index];
            // A true literal satisfies the clause, which is not even read.
            if known.is_true(watch.blocker) {
                index += 1;
                continue;
            }
            let head = self.heads[watch.clause as usize];
            if head.glue == DELETED {
                self.watches[literal as usize].swap_remove(index);
                continue;
            }
            let literals = &mut self.literals[head.first as usize..][..head.len as usize];
            // The false one second, so that the first is the unit where there is one.
            if literals[0] == literal {
                literals.swap(0, 1);
            }
            let other = literals[0];
            if known.is_true(other) {
                self.watches[literal as usize][index].blocker = other;
                index += 1;
                continue;
            }
            match literals.iter().skip(2).position(|literal| !known.is_false(*literal)) {
                Some(next) => {
                    // Another literal that is not false is watched from now on.
                    literals.swap(1, next + 2);
                    let next = literals[1];
                    self.watches[literal as usize].swap_remove(index);
                    self.watches[next as usize].push(ClauseWatch { clause: watch.clause, blocker: other });
                }
                None if known.is_false(other) => return Some((Consequence::Conflict(watch.clause), index)),
                None => return Some((Consequence::Unit(other, watch.clause), index + 1)),
            }
        }
        None
    }

    /// Deletes the worse half of the clauses that are not `locked`: those of most levels, of equals those least
    /// recently used.
    pub(super) fn reduce(&mut self, locked: impl Fn(u32) -> bool) {
        // The reason of a true literal must stay: analysis may yet ask for it.
        let may_go = |clause: &u32| {
            let head = self.heads[*clause as usize];
            !head.permanent && head.glue != DELETED && head.glue > GLUE && !locked(*clause)
        };
        let mut clauses: Vec<u32> = (0..self.heads.len() as u32).filter(may_go).collect();
        clauses.sort_by_key(|clause| {
            let head = self.heads[*clause as usize];
            (std::cmp::Reverse(head.glue), head.used)
        });
        clauses.truncate(clauses.len() / 2);
        self.live -= clauses.len();
        for clause in clauses {
            self.heads[clause as usize].glue = DELETED;
        }
        self.compact();
    }

    /// Closes the gaps that deleted clauses leave among the literals; numbers stay.
    fn compact(&mut self) {
        // Reasons and watches name a clause by its number, so that only literals move.
        let mut end = 0;
        for head in self.heads.iter_mut() {
            if head.glue == DELETED {
                head.len = 0;
                continue;
            }
            let first = head.first as usize;
            self.literals.copy_within(first..first + head.len as usize, end);
            head.first = end as u32;
            end += head.len as usize;
        }
        self.literals.truncate(end);
        for watches in &mut self.watches {
            watches.retain(|watch| self.heads[watch.clause as usize].glue != DELETED);
        }
    }
}
