//! No digit twice: the all-different constraint on masks, in full or its cheap part.
//!
//! # The cheap part: naked and hidden singles
//!
//! Consistency: no other cell of the group keeps the digit of an assigned cell; in a full group (as many cells as
//! digits, so that each occurs) a cell that is the only one with some digit is assigned it. This finds most of what the
//! whole rule finds, at a fraction of its cost. Idempotent. Cost: O(cells) operations on masks per round, with one more
//! round for every batch of cells that become assigned.
//!
//! Source: forward checking (R. M. Haralick, G. L. Elliott, "Increasing tree search efficiency for constraint
//! satisfaction problems", 1980, doi:10.1016/0004-3702(80)90051-X) with the dual rule on digits.
//!
//! # The whole rule
//!
//! Consistency: generalised arc consistency (every candidate left is part of an assignment of the group without a
//! repeated digit); hidden singles and Hall sets are special cases. Idempotent.
//! Cost: a maximum matching, which starts from that of the last call, then a transitive closure over the digits, O(d^2)
//! operations on 32-bit masks for d digits.
//!
//! Source: J.-C. Régin, "A filtering algorithm for constraints of difference in CSPs", AAAI 1994. The strongly
//! connected components are read off a closure (S. Warshall 1962, doi:10.1145/321105.321107), which on masks costs
//! less than Tarjan's algorithm.

use crate::problem::{bits, full_mask};

use super::space::{Conflict, Space};

/// Applies both rules to the cells of a distinct group until neither removes a candidate; `due` are the digits that
/// must occur: all in a full group, else none.
pub(super) fn singles(cells: &[u16], due: u32, space: &mut Space) -> Result<(), Conflict> {
    loop {
        let LineSummary { taken, once, twice } = summarise(cells, space)?;
        // Only one cell can hold each of these.
        let hidden = due & !twice & !taken;
        if due & !once != 0 {
            return Err(Conflict);
        }
        // Nothing that an assigned cell holds is left elsewhere, and nothing has to be assigned.
        if twice & taken | hidden == 0 {
            return Ok(());
        }
        for cell in cells {
            let mask = space.mask(*cell);
            if mask & (taken | hidden) != 0 && !mask.is_power_of_two() {
                space.keep(*cell, allowed(mask, taken, hidden)?)?;
            }
        }
    }
}

/// What an open cell may hold: the digit that only it can hold, or else any that is not taken.
fn allowed(mask: u32, taken: u32, hidden: u32) -> Result<u32, Conflict> {
    match mask & hidden {
        0 => Ok(!taken),
        own if own.is_power_of_two() => Ok(own),
        _ => Err(Conflict),
    }
}

/// The digits of a group's cells.
struct LineSummary {
    /// The digits of assigned cells, all different.
    taken: u32,
    /// The candidates of at least one cell.
    once: u32,
    /// The candidates of at least two cells.
    twice: u32,
}

fn summarise(cells: &[u16], space: &Space) -> Result<LineSummary, Conflict> {
    let mut summary = LineSummary { taken: 0, once: 0, twice: 0 };
    let mut sum = 0;
    for cell in cells {
        let mask = space.mask(*cell);
        // Without a branch: which cells are assigned a processor cannot guess.
        let assigned = if mask & (mask - 1) == 0 { mask } else { 0 };
        sum += u64::from(assigned);
        summary.taken |= assigned;
        summary.twice |= summary.once & mask;
        summary.once |= mask;
    }
    // Bits that all differ add up to their union.
    if sum == u64::from(summary.taken) { Ok(summary) } else { Err(Conflict) }
}

/// The most cells that can hold different digits.
const MOST: usize = 32;

/// The open cells of a group, and a matching of them to digits.
struct OpenCells {
    count: usize,
    positions: [u8; MOST],
    masks: [u32; MOST],
    /// The rank that each is matched to.
    matched: [u8; MOST],
    /// The open cell that each rank is matched to.
    owner: [u8; MOST],
    /// The ranks that are matched.
    used: u32,
}

/// Removes every candidate without support from the cells of a distinct group, at most 32 of them and no more than
/// `digits`. `hints` are the ranks that the cells last matched; any ranks are correct.
pub(super) fn propagate(
    cells: &[u16],
    hints: &mut [u8],
    digits: usize,
    space: &mut Space,
) -> Result<(), Conflict> {
    let Some(mut open) = settle(cells, space)? else { return Ok(()) };
    if !open.may_hold_hall_set() {
        return Ok(());
    }
    open.match_all(hints)?;
    match digits {
        // Loops over 16 digits are half as long as those over 32.
        0..=16 => prune(cells, &open, &TransitiveClosure::<16>::of(&open), space),
        _ => prune(cells, &open, &TransitiveClosure::<MOST>::of(&open), space),
    }
}

/// Removes the digits of assigned cells from all others until no new cell is assigned; `None` when fewer than two
/// cells are left open.
fn settle(cells: &[u16], space: &mut Space) -> Result<Option<OpenCells>, Conflict> {
    let mut taken = 0;
    let mut left = full_mask(cells.len());
    loop {
        let before = taken;
        for position in bits(left) {
            let cell = cells[position as usize];
            space.keep(cell, !taken)?;
            let mask = space.mask(cell);
            if mask.is_power_of_two() {
                // It leaves the list: a second cell with the same digit loses its last candidate above, and
                // that is the conflict.
                taken |= mask;
                left &= !(1 << position);
            }
        }
        if taken == before {
            break;
        }
    }
    Ok((left.count_ones() > 1).then(|| OpenCells::of(cells, left, space)))
}

/// Removes the candidates that no chain of moves makes room for.
fn prune<const N: usize>(
    cells: &[u16],
    open: &OpenCells,
    closure: &TransitiveClosure<N>,
    space: &mut Space,
) -> Result<(), Conflict> {
    for index in 0..open.count {
        let own = open.matched[index];
        // It may take its own digit, one whose owner can move to it in the end, or one that ends at a free digit.
        let allowed = 1 << own | closure.to[usize::from(own)] | closure.free;
        if open.masks[index] & !allowed != 0 {
            space.keep(cells[usize::from(open.positions[index])], allowed)?;
        }
    }
    Ok(())
}

impl OpenCells {
    fn of(cells: &[u16], left: u32, space: &Space) -> Self {
        let mut open = Self {
            count: 0,
            positions: [0; MOST],
            masks: [0; MOST],
            matched: [0; MOST],
            owner: [0; MOST],
            used: 0,
        };
        for position in bits(left) {
            open.positions[open.count] = position as u8;
            open.masks[open.count] = space.mask(cells[position as usize]);
            open.count += 1;
        }
        open
    }

    /// Matches every open cell to a digit of its own, starting from the hints.
    fn match_all(&mut self, hints: &mut [u8]) -> Result<(), Conflict> {
        let mut unmatched = 0u32;
        for index in 0..self.count {
            let hint = hints[usize::from(self.positions[index])];
            // Few candidates were lost since the last call: most of its matching still holds.
            if self.masks[index] & !self.used & 1 << hint != 0 {
                self.give(index, hint);
            } else {
                unmatched |= 1 << index;
            }
        }
        for index in bits(unmatched) {
            let mut tried = 0;
            if !self.augment(index as usize, &mut tried) {
                return Err(Conflict);
            }
        }
        for index in 0..self.count {
            hints[usize::from(self.positions[index])] = self.matched[index];
        }
        Ok(())
    }

    /// Says whether some `k` cells, fewer than all, have at most `k` candidates each. Only such cells can have no more
    /// than `k` digits between them; without them a matching exists and no candidate can be removed.
    fn may_hold_hall_set(&self) -> bool {
        let mut with = [0u8; MOST + 1];
        for mask in &self.masks[..self.count] {
            with[mask.count_ones() as usize] += 1;
        }
        let mut cells = 0;
        (0..self.count).any(|size| {
            cells += usize::from(with[size]);
            size > 0 && cells >= size
        })
    }

    fn give(&mut self, index: usize, rank: u8) {
        self.matched[index] = rank;
        self.owner[usize::from(rank)] = index as u8;
        self.used |= 1 << rank;
    }

    /// Finds a digit for a cell, moving others if necessary; `tried` are the digits whose owners cannot move.
    /// The recursion is at most as deep as there are digits.
    fn augment(&mut self, index: usize, tried: &mut u32) -> bool {
        // A free digit needs no move of others.
        let free = self.masks[index] & !self.used;
        if free != 0 {
            self.give(index, free.trailing_zeros() as u8);
            return true;
        }
        while self.masks[index] & !*tried != 0 {
            let rank = (self.masks[index] & !*tried).trailing_zeros();
            *tried |= 1 << rank;
            if self.augment(usize::from(self.owner[rank as usize]), tried) {
                self.give(index, rank as u8);
                return true;
            }
        }
        false
    }
}

/// Which digits can make room for which, for puzzles of at most `N` digits.
struct TransitiveClosure<const N: usize> {
    /// For every matched digit `m`: the digits whose owners can move, in a chain, until one takes `m`.
    to: [u32; N],
    /// The digits that are free or whose owners can move, in a chain, until one takes a free digit.
    free: u32,
}

impl<const N: usize> TransitiveClosure<N> {
    /// The loops over all `N` digits have no branch, so that the compiler vectorises them.
    fn of(open: &OpenCells) -> Self {
        let mut to = [0u32; N];
        let mut union = 0;
        for index in 0..open.count {
            let (mask, own) = (open.masks[index], 1 << open.matched[index]);
            union |= mask;
            for (rank, to) in to.iter_mut().enumerate() {
                *to |= if mask & 1 << rank != 0 { own } else { 0 };
            }
        }
        // Warshall's closure: paths by way of one digit more each time. Only a digit that some cell has leads
        // on.
        for middle in bits(open.used) {
            let through = to[middle as usize];
            for to in &mut to {
                *to |= through & (*to >> middle & 1).wrapping_neg();
            }
        }
        let free = bits(union & !open.used).fold(0, |free, rank| free | 1 << rank | to[rank as usize]);
        Self { to, free }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    /// The candidates that occur in some assignment without a repeated digit, by trying all.
    fn supported(masks: &[u32]) -> Vec<u32> {
        fn extend(masks: &[u32], chosen: &mut Vec<u32>, found: &mut [u32]) {
            if chosen.len() == masks.len() {
                for (found, rank) in found.iter_mut().zip(chosen.iter()) {
                    *found |= 1 << rank;
                }
                return;
            }
            for rank in bits(masks[chosen.len()]) {
                if !chosen.contains(&rank) {
                    chosen.push(rank);
                    extend(masks, chosen, found);
                    chosen.pop();
                }
            }
        }
        let mut found = vec![0; masks.len()];
        extend(masks, &mut Vec::new(), &mut found);
        found
    }

    #[test]
    fn what_is_left_is_what_a_naive_oracle_leaves() {
        let mut rng = StreamKey::run(5, "distinct", 0).rng();
        for _ in 0..4000 {
            let digits = 2 + rng.below(5);
            let cells = 2 + rng.below(digits - 1);
            let masks: Vec<u32> = (0..cells).map(|_| 1 + rng.below((1 << digits) - 1) as u32).collect();
            let mut space = Space::new(&masks, 1);
            let group: Vec<u16> = (0..cells as u16).collect();
            let result = propagate(&group, &mut [0; 7], digits, &mut space);
            let expected = supported(&masks);
            if expected.contains(&0) {
                assert_eq!(result, Err(Conflict), "{masks:?}");
            } else {
                let left: Vec<u32> = group.iter().map(|cell| space.mask(*cell)).collect();
                assert_eq!((result, left), (Ok(()), expected), "{masks:?}");
            }
        }
    }

    #[test]
    fn hints_of_another_branch_do_no_harm() {
        let mut space = Space::new(&[0b111, 0b111, 0b111], 1);
        let mut hints = [0; 3];
        let mut go = |space: &mut Space| propagate(&[0, 1, 2], &mut hints, 3, space).expect("consistent");
        let moment = space.now();
        space.keep(0, 0b001).expect("one digit");
        go(&mut space);
        space.backtrack(moment);
        space.keep(1, 0b001).expect("one digit");
        go(&mut space);
        assert_eq!([space.mask(0), space.mask(1), space.mask(2)], [0b110, 0b001, 0b110]);
    }

    fn left(masks: &[u32], all: u32) -> Result<Vec<u32>, Conflict> {
        let mut space = Space::new(masks, 1);
        let cells: Vec<u16> = (0..masks.len() as u16).collect();
        let full = all.count_ones() as usize == masks.len();
        singles(&cells, if full { all } else { 0 }, &mut space)?;
        Ok(cells.iter().map(|cell| space.mask(*cell)).collect())
    }

    #[test]
    fn no_other_cell_keeps_the_digit_of_an_assigned_cell() {
        assert_eq!(left(&[0b0001, 0b0011, 0b0111], 0b1111), Ok(vec![0b0001, 0b0010, 0b0100]));
        assert_eq!(left(&[0b01, 0b01], 0b1111), Err(Conflict));
    }

    #[test]
    fn a_digit_with_one_cell_left_is_placed_where_all_must_occur() {
        assert_eq!(left(&[0b011, 0b111, 0b011], 0b111), Ok(vec![0b011, 0b100, 0b011]));
        assert_eq!(left(&[0b0011, 0b0111, 0b0011], 0b1111), Ok(vec![0b0011, 0b0111, 0b0011]));
        assert_eq!(left(&[0b011, 0b011, 0b011], 0b111), Err(Conflict));
    }

    #[test]
    fn two_digits_that_need_the_same_cell_conflict() {
        assert_eq!(left(&[0b0011, 0b0011, 0b0011, 0b1111], 0b1111), Err(Conflict));
    }
}
