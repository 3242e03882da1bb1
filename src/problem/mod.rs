//! The puzzle compiled for search: cells, groups and candidates in flat arrays.
//!
//! Here a cell is a dense index over the white cells (row-major), a digit is its *rank* in the puzzle's digit set, and
//! a set of digits is a 32-bit mask of ranks. Solver, fitness and search see nothing else of a puzzle.

mod compile;
mod walk;

use std::sync::{Arc, OnceLock};

pub use compile::{Problem, Rule};
use walk::TooMany;
pub(crate) use walk::enumerate;

/// The candidates of every cell, a mask of ranks each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains(pub Vec<u32>);

impl Domains {
    /// The number of candidates over all cells.
    pub fn candidates(&self) -> u32 {
        self.0.iter().map(|mask| mask.count_ones()).sum()
    }

    /// Says whether some cell has no candidate.
    pub fn is_empty(&self) -> bool {
        self.0.contains(&0)
    }
}

/// The indices of the bits of a mask, ascending.
pub(crate) fn bits(mask: u32) -> impl Iterator<Item = u32> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let rank = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(rank)
    })
}

/// The mask with the bits of some ranks.
pub(crate) fn mask_of(ranks: impl IntoIterator<Item = u32>) -> u32 {
    ranks.into_iter().fold(0, |mask, rank| mask | 1 << rank)
}

/// The mask of the first `digits` ranks, 1 to 32 of them.
pub(crate) fn full_mask(digits: usize) -> u32 {
    u32::MAX >> (32 - digits)
}

/// Lists of indices, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The start of every list among the items, and the end of the last.
    start: Vec<u32>,
    items: Vec<u16>,
}

impl Default for Blocks {
    /// No list.
    fn default() -> Self {
        Self { start: vec![0], items: Vec::new() }
    }
}

impl Blocks {
    /// Appends a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = u16>) {
        self.items.extend(items);
        self.start.push(self.items.len() as u32);
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Says whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list with this index.
    #[inline]
    pub fn get(&self, index: usize) -> &[u16] {
        &self.items[self.start[index] as usize..self.start[index + 1] as usize]
    }

    /// For each of the items below `count`, the indices of the lists that hold it, ascending.
    pub(crate) fn inverse(&self, count: usize) -> Self {
        let mut start = vec![0; count + 1];
        for item in &self.items {
            start[usize::from(*item) + 1] += 1;
        }
        for index in 0..count {
            start[index + 1] += start[index];
        }
        let mut next = start.clone();
        let mut items = vec![0; self.items.len()];
        for (list, held) in self.iter().enumerate() {
            for item in held {
                let place = &mut next[usize::from(*item)];
                items[*place as usize] = list as u16;
                *place += 1;
            }
        }
        Self { start, items }
    }

    /// All lists in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// The tuples of one group, flat: `width` ranks a tuple, in lexical order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuples {
    width: usize,
    ranks: Vec<u8>,
}

impl Tuples {
    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.ranks.len() / self.width
    }

    /// The tuple with this index.
    ///
    /// # Panics
    /// When there is none.
    pub fn get(&self, index: usize) -> &[u8] {
        &self.ranks[index * self.width..][..self.width]
    }

    /// Says whether there is no tuple, so that nothing satisfies the clue.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The ranks of all tuples, one tuple after the other.
    #[inline]
    pub fn ranks(&self) -> &[u8] {
        &self.ranks
    }

    /// The tuples, each `width` ranks in the order of the group's cells.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.ranks.chunks_exact(self.width)
    }
}

/// The most tuples of a group in [`Problem::tables`].
const MOST_TUPLES: usize = 1 << 15;

/// The most ranks over all groups in [`Problem::tables`]: 64 MiB.
const MOST_RANKS: usize = 1 << 26;

/// See [`Problem::tables`].
type SharedTables = OnceLock<Arc<[Option<Tuples>]>>;

impl Problem {
    /// The tuples of every group under the problem's candidates, enumerated by the first call and then shared; `None`
    /// for a group without a clue or with more than 32,768 tuples.
    pub fn tables(&self) -> &Arc<[Option<Tuples>]> {
        self.tables.get_or_init(|| {
            let (mut ranks, mut out) = (0, Vec::new());
            let table = |group: usize| {
                let (clue, width) = (self.rule(group).clue?, self.cells_of(group).len());
                let limit = MOST_TUPLES.min((MOST_RANKS - ranks) / width);
                out.clear();
                enumerate(self, group, clue, |cell| self.candidates()[cell], limit, &mut out).ok()?;
                ranks += out.len();
                Some(Tuples { width, ranks: out.clone() })
            };
            (0..self.groups()).map(table).collect()
        })
    }

    /// The tuples of a group under the problem's candidates; `None` when the group has no clue, when there are more
    /// than `limit`, or when enumerating them takes too many steps.
    pub fn tuples(&self, group: usize, limit: usize) -> Option<Tuples> {
        let clue = self.rule(group).clue?;
        let mut ranks = Vec::new();
        enumerate(self, group, clue, |cell| self.candidates()[cell], limit, &mut ranks).ok()?;
        Some(Tuples { width: self.cells_of(group).len(), ranks })
    }

    /// Says whether two different cells must hold different digits: they share a distinct group.
    pub(crate) fn must_differ(&self, a: u16, b: u16) -> bool {
        let (a, b) = (self.groups_of(usize::from(a)), self.groups_of(usize::from(b)));
        a.iter().any(|group| self.rule(usize::from(*group)).distinct && b.contains(group))
    }

    /// Says whether digits satisfy the clue of a group and differ where lines cross it, whatever the other clues are;
    /// `None` when deciding takes too many steps.
    pub fn is_satisfiable(&self, group: usize) -> Option<bool> {
        let Some(clue) = self.rule(group).clue else { return Some(true) };
        let (all, cells, values) = (self.all_digits(), self.cells_of(group).len(), self.values());
        if !clue.operator.may_hold(&[], cells, values[0], values[values.len() - 1], clue.target) {
            return Some(false);
        }
        let mut first = Vec::new();
        // Each tuple of the limit grants some steps; those of one tuple may not reach a first tuple.
        match enumerate(self, group, clue, |_| all, 4096, &mut first) {
            Ok(()) => Some(!first.is_empty()),
            Err(TooMany) if !first.is_empty() => Some(true),
            Err(TooMany) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Cage, Square, operators};
    use crate::rng::StreamKey;

    /// One cage of 2 to 4 cells in a corner of a 5x5 grid; all other cells are givens.
    fn problem(symbol: &str, target: i64, cells: &[(usize, usize)], digits: Option<Vec<u8>>) -> Problem {
        let operator = operators::find(symbol).expect("a known operator");
        let mut cages = vec![Cage::new(operator, target, cells.to_vec())];
        for place in (0..25).map(|place| (place / 5, place % 5)).filter(|place| !cells.contains(place)) {
            cages.push(Cage::new(operators::GIVEN, 1, vec![place]));
        }
        let puzzle = Square { digits, ..Square::kenken(5, cages) };
        Problem::compile(&puzzle.build().expect("a sound puzzle"))
    }

    fn cage(problem: &Problem, width: usize) -> usize {
        (0..problem.groups())
            .find(|group| problem.rule(*group).clue.is_some() && problem.cells_of(*group).len() == width)
            .expect("the cage")
    }

    /// Every assignment that satisfies clue, candidates and lines, by trying all.
    fn slow(problem: &Problem, group: usize, domains: &Domains) -> Vec<Vec<u8>> {
        let cells = problem.cells_of(group);
        let clue = problem.rule(group).clue.expect("a clue");
        let mut all = vec![Vec::new()];
        for cell in cells {
            let extend = |tuple: &Vec<u8>| {
                let tuple = tuple.clone();
                bits(domains.0[usize::from(*cell)])
                    .map(move |rank| [tuple.as_slice(), &[rank as u8]].concat())
            };
            all = all.iter().flat_map(extend).collect();
        }
        all.retain(|tuple| {
            let digits: Vec<u8> = tuple.iter().map(|rank| problem.values()[usize::from(*rank)]).collect();
            let clash = |a: usize, b: usize| tuple[a] == tuple[b] && problem.must_differ(cells[a], cells[b]);
            clue.holds(&digits) && !(0..tuple.len()).any(|a| (0..a).any(|b| clash(a, b)))
        });
        all
    }

    #[test]
    fn tuples_are_all_that_satisfy_clue_candidates_and_lines() {
        let shapes: [&[(usize, usize)]; 4] = [
            &[(0, 0), (0, 1)],
            &[(0, 0), (0, 1), (1, 0)],
            &[(0, 0), (0, 1), (0, 2), (1, 2)],
            &[(0, 0), (0, 1), (1, 0), (1, 1)],
        ];
        let mut rng = StreamKey::run(3, "tables", 0).rng();
        for symbol in ["+", "*", "-", "/", "?"] {
            for cells in shapes {
                for digits in [None, Some(vec![0, 1, 2, 3, 7])] {
                    for target in 0..15 {
                        let problem = problem(symbol, target, cells, digits.clone());
                        let group = cage(&problem, cells.len());
                        let domains = Domains((0..25).map(|_| 1 + rng.below(31) as u32).collect());
                        let fast = problem.restrict(&domains).tuples(group, 10_000).expect("few tuples");
                        let fast: Vec<Vec<u8>> = fast.iter().map(<[u8]>::to_vec).collect();
                        assert_eq!(fast, slow(&problem, group, &domains), "{symbol} {target} {cells:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn enumeration_stops_at_the_limit() {
        let problem = problem("+", 6, &[(0, 0), (0, 1)], None);
        let group = cage(&problem, 2);
        assert_eq!(problem.tuples(group, 4).map(|tuples| tuples.len()), Some(4));
        assert_eq!(problem.tuples(group, 3), None);
    }

    #[test]
    fn a_clue_that_no_digits_satisfy_is_not_satisfiable() {
        let beyond = problem("*", 1_000_000_000_000_000, &[(0, 0), (0, 1)], None);
        assert_eq!(beyond.is_satisfiable(cage(&beyond, 2)), Some(false));
        let line = problem("-", 0, &[(0, 0), (0, 1)], None);
        assert_eq!(line.is_satisfiable(cage(&line, 2)), Some(false));
        let sum = problem("+", 9, &[(0, 0), (0, 1)], None);
        assert_eq!(sum.is_satisfiable(cage(&sum, 2)), Some(true));
    }
}
