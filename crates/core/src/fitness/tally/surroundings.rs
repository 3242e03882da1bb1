//! What the other parts hold around each cell of a part.
//!
//! Searches reject most moves. So each move that is made brings up to date, for every cell of every part, the digits that
//! other parts hold in its lines; to price a move then takes a look at every cell, and none at its lines.

use crate::problem::Blocks;

use super::HeldDigits;

/// Parts are priced by so many cells at once: most have no more, and their loop then has no branch that a processor
/// could guess wrong.
pub(crate) const LANES: usize = 4;

/// The lowest bit of both halves of a word.
const BOTH: u64 = 1 << 32 | 1;

/// The digits that other parts hold in the lines of every cell.
///
/// Each part has a place for every cell and empty ones up to a multiple of [`LANES`]. A layer has two lines of every
/// place; there are as many layers as the cell with the most lines needs. A *slot* is one line of one place.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    /// The places of each part.
    spans: Vec<(u32, u32)>,
    /// The number of places.
    places: usize,
    /// The rank at each place, 0 at empty ones.
    ranks: Vec<u8>,
    /// `layers * places`: the digits that cells of other parts hold in two lines.
    others: Vec<[u32; 2]>,
    /// The same of cells of the part itself.
    own: Vec<[u32; 2]>,
    /// The slots of each line.
    slots: Vec<Vec<u32>>,
}

impl Surroundings {
    /// Surroundings of parts that hold nothing yet.
    pub(super) fn new(parts: &Blocks, lines_of: &Blocks, lines: usize) -> Self {
        let (mut spans, mut places) = (Vec::new(), 0);
        for part in parts.iter() {
            let start = places;
            places += part.len().next_multiple_of(LANES);
            spans.push((start as u32, places as u32));
        }
        // Two lines share a word, so that one shift reads both.
        let layers = lines_of.iter().map(|lines| lines.len().div_ceil(2)).max().unwrap_or(0);
        let nothing = vec![[0; 2]; layers * places];
        let ranks = vec![0; places];
        Self { spans, places, ranks, others: nothing.clone(), own: nothing, slots: vec![Vec::new(); lines] }
    }

    /// Adds a slot for a line, the `index`-th of the cell at this position of a part.
    pub(super) fn slot(&mut self, part: usize, position: usize, index: usize, line: u16) -> u32 {
        let place = index / 2 * self.places + self.spans[part].0 as usize + position;
        let slot = (place * 2 + index % 2) as u32;
        self.slots[usize::from(line)].push(slot);
        slot
    }

    /// Notes the digits of a part.
    #[inline]
    pub(super) fn hold(&mut self, part: usize, tuple: impl Iterator<Item = u8>) {
        let (start, end) = self.spans[part];
        for (held, rank) in self.ranks[start as usize..end as usize].iter_mut().zip(tuple) {
            *held = rank;
        }
    }

    /// Notes the digits that a part holds in one of its lines; says whether they are others than before.
    #[inline]
    pub(super) fn note_own(&mut self, slots: &[u32], own: u32) -> bool {
        let mut differs = false;
        for slot in slots {
            let owned = &mut self.own[*slot as usize / 2][*slot as usize % 2];
            differs |= std::mem::replace(owned, own) != own;
        }
        differs
    }

    /// Sees what a line holds.
    #[inline]
    pub(super) fn refresh(&mut self, line: usize, held: HeldDigits) {
        for slot in &self.slots[line] {
            let (place, half) = (*slot as usize / 2, *slot as usize % 2);
            self.others[place][half] = held.by_others(self.own[place][half]);
        }
    }

    /// How many more digits of a part other parts would hold too, each counted in every line, if it took a tuple, which
    /// has a multiple of [`LANES`] ranks.
    #[inline(always)]
    pub(super) fn repeats_gained(&self, part: usize, tuple: &[u8]) -> i32 {
        let (start, end) = (self.spans[part].0 as usize, self.spans[part].1 as usize);
        debug_assert_eq!(tuple.len(), end - start, "whole lanes");
        let (now, then) = (self.ranks[start..end].as_chunks::<LANES>().0, tuple.as_chunks::<LANES>().0);
        let (mut lost, mut gained) = (0, 0);
        for layer in self.others.chunks_exact(self.places) {
            let others = layer[start..end].as_chunks::<LANES>().0;
            for ((others, now), then) in others.iter().zip(now).zip(then) {
                for lane in 0..LANES {
                    // The lowest bit of each half says whether the line holds the digit already.
                    let word = u64::from(others[lane][0]) | u64::from(others[lane][1]) << 32;
                    lost += word >> now[lane] & BOTH;
                    gained += word >> then[lane] & BOTH;
                }
            }
        }
        let halves = |sum: u64| (sum >> 32) as i32 + sum as i32;
        halves(gained) - halves(lost)
    }
}
