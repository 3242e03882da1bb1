//! Learned clauses, watched by two literals each.
//!
//! A clause is looked at only when one of its first two literals becomes false: the other literals are then searched
//! for one that can be watched instead. Clauses are scored by how many levels their literals came from when they were
//! learned or last used (LBD); the worse half is thrown away from time to time.
//!
//! Sources: M. W. Moskewicz, C. F. Madigan, Y. Zhao, L. Zhang, S. Malik, "Chaff: engineering an efficient SAT solver",
//! DAC 2001, doi:10.1145/378239.379017; G. Audemard, L. Simon, "Predicting learnt clauses quality in modern SAT
//! solvers", IJCAI 2009.

use super::literals::{Literal, Literals};

/// Clauses with literals from at most this many levels are kept for ever.
const GLUE: u32 = 2;

/// A clause is not there any more.
const GONE: u32 = u32::MAX;

/// What is known of a clause beside its literals.
#[derive(Clone, Copy, Debug)]
struct Head {
    first: u32,
    len: u32,
    /// Levels of its literals; `GONE` once thrown away.
    glue: u32,
    /// The conflict in which it last took part.
    used: u32,
    /// Never thrown away.
    kept: bool,
}

/// A clause that watches a literal, and another of its literals: while that is true there is nothing to do.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    blocker: Literal,
}

/// Every learned clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Clauses {
    literals: Vec<Literal>,
    heads: Vec<Head>,
    /// For every literal, the clauses to look at when it becomes false.
    watches: Vec<Vec<Watch>>,
    live: usize,
}

/// What a literal that became false means.
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

    /// The number of clauses that may be thrown away.
    pub(super) fn live(&self) -> usize {
        self.live
    }

    /// The literals of a clause.
    pub(super) fn literals(&self, clause: u32) -> &[Literal] {
        let head = self.heads[clause as usize];
        &self.literals[head.first as usize..][..head.len as usize]
    }

    /// Adds a clause of two literals or more, the two to watch first, and says its number.
    pub(super) fn add(&mut self, literals: &[Literal], glue: u32, kept: bool) -> u32 {
        let clause = self.heads.len() as u32;
        let first = self.literals.len() as u32;
        self.literals.extend_from_slice(literals);
        self.heads.push(Head { first, len: literals.len() as u32, glue, used: 0, kept });
        self.watches[literals[0] as usize].push(Watch { clause, blocker: literals[1] });
        self.watches[literals[1] as usize].push(Watch { clause, blocker: literals[0] });
        self.live += usize::from(!kept);
        clause
    }

    /// Notes that a clause took part in a conflict, and how many levels its literals now have.
    pub(super) fn note(&mut self, clause: u32, conflict: u32, glue: u32) {
        let head = &mut self.heads[clause as usize];
        head.used = conflict;
        head.glue = head.glue.min(glue);
    }

    /// Looks at the clauses that watch a literal which became false, from the `from`-th on; says what the first that
    /// matters means, and where to go on.
    pub(super) fn visit(
        &mut self,
        literal: Literal,
        from: usize,
        known: &Literals,
    ) -> Option<(Consequence, usize)> {
        let mut index = from;
        while index < self.watches[literal as usize].len() {
            let watch = self.watches[literal as usize][index];
            if known.is_true(watch.blocker) {
                index += 1;
                continue;
            }
            let head = self.heads[watch.clause as usize];
            if head.glue == GONE {
                self.watches[literal as usize].swap_remove(index);
                continue;
            }
            let literals = &mut self.literals[head.first as usize..][..head.len as usize];
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
                    literals.swap(1, next + 2);
                    let next = literals[1];
                    self.watches[literal as usize].swap_remove(index);
                    self.watches[next as usize].push(Watch { clause: watch.clause, blocker: other });
                }
                None if known.is_false(other) => return Some((Consequence::Conflict(watch.clause), index)),
                None => return Some((Consequence::Unit(other, watch.clause), index + 1)),
            }
        }
        None
    }

    /// Throws away the worse half of the clauses that are not `locked`: many levels first, of equals those that were
    /// not used for longest.
    pub(super) fn reduce(&mut self, locked: impl Fn(u32) -> bool) {
        let may_go = |clause: &u32| {
            let head = self.heads[*clause as usize];
            !head.kept && head.glue != GONE && head.glue > GLUE && !locked(*clause)
        };
        let mut clauses: Vec<u32> = (0..self.heads.len() as u32).filter(may_go).collect();
        clauses.sort_by_key(|clause| {
            let head = self.heads[*clause as usize];
            (std::cmp::Reverse(head.glue), head.used)
        });
        clauses.truncate(clauses.len() / 2);
        self.live -= clauses.len();
        for clause in clauses {
            self.heads[clause as usize].glue = GONE;
        }
        self.compact();
    }

    /// Closes the gaps that thrown clauses leave among the literals; numbers stay.
    fn compact(&mut self) {
        let mut end = 0;
        for head in self.heads.iter_mut() {
            if head.glue == GONE {
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
            watches.retain(|watch| self.heads[watch.clause as usize].glue != GONE);
        }
    }
}
