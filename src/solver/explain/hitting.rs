//! Smallest hitting sets, exactly: deepening from the last size, branching on the set with the fewest elements.
//!
//! A branch is cut when more sets that are pairwise disjoint are left than elements may still be chosen. An element once
//! tried is not tried again beside it.

/// The most elements of sets that are looked at in all.
const MOST_WORK: u64 = 1 << 28;

/// Sets of numbers, and how many elements are needed to hit all of them.
pub(super) struct Hitting {
    sets: Vec<Vec<usize>>,
    /// No fewer elements hit them all.
    bound: usize,
    chosen: Vec<usize>,
    is_chosen: Vec<bool>,
    is_banned: Vec<bool>,
    /// When an element was last met in a set that counts as disjoint.
    met: Vec<u64>,
    now: u64,
    work_left: u64,
}

/// The work is spent.
struct OutOfWork;

impl Hitting {
    /// No sets yet; elements are below `elements`.
    pub(super) fn new(elements: usize) -> Self {
        Self {
            sets: Vec::new(),
            bound: 0,
            chosen: Vec::new(),
            is_chosen: vec![false; elements],
            is_banned: vec![false; elements],
            met: vec![0; elements],
            now: 0,
            work_left: MOST_WORK,
        }
    }

    /// A further set to be hit.
    pub(super) fn add(&mut self, set: Vec<usize>) {
        self.sets.push(set);
    }

    /// A smallest set that hits all; `None` when finding it takes too long, or some set is empty.
    pub(super) fn least(&mut self) -> Option<Vec<usize>> {
        if self.sets.iter().any(Vec::is_empty) {
            return None;
        }
        loop {
            match self.extend(self.bound) {
                Ok(true) => {
                    self.is_chosen.fill(false);
                    self.is_banned.fill(false);
                    return Some(std::mem::take(&mut self.chosen));
                }
                Ok(false) => self.bound += 1,
                Err(OutOfWork) => return None,
            }
        }
    }

    /// Says whether up to `left` further elements hit the sets that are left; they are then chosen.
    fn extend(&mut self, left: usize) -> Result<bool, OutOfWork> {
        let Some((fewest, disjoint)) = self.survey()? else { return Ok(true) };
        if disjoint > left {
            return Ok(false);
        }
        let free = |element: &usize| !self.is_banned[*element];
        let elements: Vec<usize> = self.sets[fewest].iter().copied().filter(free).collect();
        for &element in &elements {
            self.chosen.push(element);
            self.is_chosen[element] = true;
            if self.extend(left - 1)? {
                return Ok(true);
            }
            self.chosen.pop();
            self.is_chosen[element] = false;
            self.is_banned[element] = true;
        }
        for element in elements {
            self.is_banned[element] = false;
        }
        Ok(false)
    }

    /// Of the sets not yet hit, the one with the fewest free elements, and how many are disjoint; `None` when all are
    /// hit.
    fn survey(&mut self) -> Result<Option<(usize, usize)>, OutOfWork> {
        self.now += 1;
        let (mut fewest, mut disjoint) = (None, 0);
        for (index, set) in self.sets.iter().enumerate() {
            self.work_left = self.work_left.checked_sub(set.len() as u64 + 1).ok_or(OutOfWork)?;
            if set.iter().any(|element| self.is_chosen[*element]) {
                continue;
            }
            let free = || set.iter().copied().filter(|element| !self.is_banned[*element]);
            let count = free().count();
            if fewest.is_none_or(|(least, _)| count < least) {
                fewest = Some((count, index));
            }
            if free().all(|element| self.met[element] != self.now) {
                disjoint += 1;
                let elements: Vec<usize> = free().collect();
                elements.into_iter().for_each(|element| self.met[element] = self.now);
            }
        }
        Ok(fewest.map(|(_, index)| (index, disjoint)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn hitting_sets_are_as_small_as_those_of_brute_force(sets in vec(btree_set(0usize..9, 1..5), 0..12)) {
            let mut hitting = Hitting::new(9);
            for (index, set) in sets.iter().enumerate() {
                hitting.add(set.iter().copied().collect());
                let least = hitting.least().expect("little work");
                let hits = |mask: u32| sets[..=index].iter().all(|set| set.iter().any(|element| mask >> element & 1 == 1));
                let expected = (0..1u32 << 9).filter(|mask| hits(*mask)).map(u32::count_ones).min();
                prop_assert_eq!(Some(least.len() as u32), expected);
                prop_assert!(hits(least.iter().map(|element| 1 << element).sum()));
            }
        }
    }

    #[test]
    fn an_empty_set_cannot_be_hit_and_no_set_needs_nothing() {
        let mut hitting = Hitting::new(3);
        assert_eq!(hitting.least(), Some(Vec::new()));
        hitting.add(Vec::new());
        assert_eq!(hitting.least(), None);
    }
}
