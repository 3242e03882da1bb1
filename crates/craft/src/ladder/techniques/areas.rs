//! Areas: a house, or rows or columns beside one another, and the parts of cages inside.
//!
//! What the digits of a part come to is a [`Value`]: their sum, their product, how often one of them stands there. In an area the
//! value of all parts together is known, which says something about the parts whose own value is not.

use std::ops::RangeInclusive;

use crate::ladder::{Candidates, FoundSteps, StepReason, digits_by_cell};
use kenga_core::problem::bits;
use kenga_core::puzzle::Role;

/// The most houses of an area.
const WIDEST: usize = 3;

/// Areas of two or more houses.
pub const SEVERAL: RangeInclusive<usize> = 2..=WIDEST;

/// Areas of any number of houses.
pub const ANY: RangeInclusive<usize> = 1..=WIDEST;

/// Houses without a common cell: every digit stands in them as often as there are houses.
pub struct Area {
    pub houses: Vec<usize>,
    /// The parts that it consists of: every cell is in one.
    pub parts: Vec<CagePart>,
}

/// The part of a cage inside an area, or a single cell of it without a cage whose tuples are known.
pub struct CagePart {
    of: PartOf,
    /// The positions inside, a mask.
    inside: u32,
}

/// What a part is part of.
#[derive(Clone, Copy)]
enum PartOf {
    /// A cage, as an index into the frame's.
    Cage(usize),
    Cell(u16),
}

/// What digits come to.
#[derive(Clone, Copy)]
pub enum Value {
    /// Their sum.
    Sum,
    /// Their product, or the greatest number where that is beyond it.
    Product,
    /// How often the digit of a rank is among them.
    Count(u32),
}

impl Value {
    /// The value of some ranks.
    fn of(self, candidates: &Candidates<'_>, ranks: impl Iterator<Item = u32>) -> u128 {
        // Sums and counts begin at 0, products at 1.
        let mut value = u128::from(matches!(self, Self::Product));
        for rank in ranks {
            let digit = u128::from(candidates.digit(rank));
            match self {
                Self::Sum => value += digit,
                Self::Product => value = value.saturating_mul(digit),
                Self::Count(counted) => value += u128::from(rank == counted),
            }
        }
        value
    }
}

/// Calls `visit` for every area of so many houses in which a cage of several cells has a part: without one, there is nothing to
/// see but subsets and singles.
pub fn for_areas(candidates: &Candidates<'_>, sizes: RangeInclusive<usize>, visit: &mut dyn FnMut(&Area)) {
    for size in sizes {
        if size == 1 {
            for house in &candidates.frame.houses {
                visit_area(candidates, &[*house], visit);
            }
            continue;
        }
        for role in [Role::Row, Role::Column] {
            // Houses that are apart share few cages: side by side some lie inside.
            for houses in candidates.frame.houses_with(role).windows(size) {
                if are_apart(candidates, houses) {
                    visit_area(candidates, houses, visit);
                }
            }
        }
    }
}

fn visit_area(candidates: &Candidates<'_>, houses: &[usize], visit: &mut dyn FnMut(&Area)) {
    if candidates.frame.is_interrupted() {
        return;
    }
    // An area takes long where cages have many tuples: an interrupt is asked for each.
    let area = Area { houses: houses.to_vec(), parts: parts(candidates, houses) };
    if area.parts.iter().any(|part| part.cells(candidates).len() > 1) {
        visit(&area);
    }
}

/// Says whether no cell lies in two of the houses: a puzzle may call any groups rows.
pub fn are_apart(candidates: &Candidates<'_>, houses: &[usize]) -> bool {
    let mut cells = cells_of(candidates, houses);
    cells.sort_unstable();
    cells.is_sorted_by(|one, next| one < next)
}

/// The cells of groups, one group after the other.
pub fn cells_of(candidates: &Candidates<'_>, groups: &[usize]) -> Vec<u16> {
    let mut cells = Vec::new();
    for group in groups {
        cells.extend(candidates.frame.cells(*group));
    }
    cells
}

/// The parts that houses consist of: those of cages by their order, then single cells. Of cages that share a cell the first alone
/// has a part.
fn parts(candidates: &Candidates<'_>, houses: &[usize]) -> Vec<CagePart> {
    let frame = candidates.frame;
    let mut is_free = vec![false; candidates.masks().len()];
    let mut cages: Vec<u16> = Vec::new();
    for cell in cells_of(candidates, houses) {
        is_free[usize::from(cell)] = true;
        cages.extend(frame.cages_of(usize::from(cell)));
    }
    cages.sort_unstable();
    cages.dedup();
    let is_inside = is_free.clone();
    let mut parts = Vec::new();
    for index in cages {
        let index = usize::from(index);
        let cells = frame.cells(frame.cages[index]);
        if candidates.tuples(index).len().is_none() || cells.len() > 32 {
            continue;
        }
        let inside = frame.positions(frame.cages[index], &|cell| is_inside[usize::from(cell)]);
        // A cell must not count twice: of cages that share it the first has it.
        if bits(inside).all(|position| is_free[usize::from(cells[position as usize])]) {
            for position in bits(inside) {
                is_free[usize::from(cells[position as usize])] = false;
            }
            parts.push(CagePart { of: PartOf::Cage(index), inside });
        }
    }
    for (cell, is_free) in is_free.iter().enumerate() {
        if *is_free {
            parts.push(CagePart { of: PartOf::Cell(cell as u16), inside: 1 });
        }
    }
    parts
}

/// What a part can still be, in words: `3 or 5`; what nothing is left for contradicts itself.
pub fn alternatives(left: &[String]) -> String {
    if left.is_empty() { "nothing possible".to_owned() } else { left.join(" or ") }
}

impl CagePart {
    /// Calls `visit` with the value of each way to fill the part.
    pub fn for_values(&self, candidates: &Candidates<'_>, value: Value, visit: &mut dyn FnMut(u128)) {
        match self.of {
            PartOf::Cage(index) => {
                for tuple in candidates.tuples(index).known().into_iter().flatten() {
                    visit(self.value(candidates, tuple, value));
                }
            }
            PartOf::Cell(cell) => {
                for rank in bits(candidates.mask(cell)) {
                    visit(value.of(candidates, std::iter::once(rank)));
                }
            }
        }
    }

    /// The value of a tuple of its cage inside the area.
    fn value(&self, candidates: &Candidates<'_>, tuple: &[u8], value: Value) -> u128 {
        value.of(candidates, bits(self.inside).map(|position| u32::from(tuple[position as usize])))
    }

    /// The cells of its cage, or its cell alone.
    fn cells<'a>(&'a self, candidates: &'a Candidates<'_>) -> &'a [u16] {
        match &self.of {
            PartOf::Cage(index) => candidates.frame.cells(candidates.frame.cages[*index]),
            PartOf::Cell(cell) => std::slice::from_ref(cell),
        }
    }

    /// Removes what no way to fill the part with an allowed value needs; `whole` also outside the area.
    pub fn keep(
        &self,
        candidates: &Candidates<'_>,
        whole: bool,
        value: Value,
        is_allowed: &dyn Fn(u128) -> bool,
        report: Report<'_, '_>,
    ) {
        let cells = self.cells(candidates);
        let mut left = vec![0; cells.len()];
        match self.of {
            PartOf::Cage(index) => {
                if let Some(tuples) = candidates.tuples(index).known() {
                    let allowed = tuples.filter(|tuple| is_allowed(self.value(candidates, tuple, value)));
                    left = digits_by_cell(cells.len(), allowed);
                }
            }
            PartOf::Cell(cell) => {
                for rank in bits(candidates.mask(cell)) {
                    if is_allowed(value.of(candidates, std::iter::once(rank))) {
                        left[0] |= 1 << rank;
                    }
                }
            }
        }
        // Cells outside the area are left to a technique of their own, with a higher score.
        if !whole {
            for (position, left) in left.iter_mut().enumerate() {
                if self.inside >> position & 1 == 0 {
                    *left = u32::MAX;
                }
            }
        }
        report.step(candidates, self, &left);
    }
}

/// Where a conclusion about a part goes, with its reason.
pub struct Report<'a, 'f> {
    pub found: &'f mut FoundSteps,
    pub area: &'a Area,
    /// The sentence, from what it is about.
    pub words: &'a dyn Fn(&PartWords) -> String,
}

/// The words for a part and the houses of its area.
pub struct PartWords {
    /// The subject: a cell, or `the cells of cage 8× at A1 in it`.
    pub part: String,
    pub is_cell: bool,
    /// The houses, `row B and row C`.
    pub houses: String,
    pub is_one_house: bool,
}

impl PartWords {
    /// The verb for the subject.
    pub fn verb(&self, of_cell: &'static str, of_cells: &'static str) -> &'static str {
        if self.is_cell { of_cell } else { of_cells }
    }
}

impl Report<'_, '_> {
    fn step(self, candidates: &Candidates<'_>, part: &CagePart, left: &[u32]) {
        let Self { found, area, words } = self;
        found.keep(candidates, part.cells(candidates), left, &|| {
            let mut groups = area.houses.clone();
            for part in &area.parts {
                // What the part cannot be follows from all other parts.
                if let PartOf::Cage(index) = part.of {
                    groups.push(candidates.frame.cages[index]);
                }
            }
            let is_one_house = area.houses.len() == 1;
            let place = if is_one_house { "it" } else { "them" };
            let (part, is_cell) = match part.of {
                PartOf::Cage(index) => {
                    let cage = candidates.group(candidates.frame.cages[index]);
                    (format!("the cells of {cage} in {place}"), false)
                }
                PartOf::Cell(cell) => (candidates.name(cell), true),
            };
            let houses = candidates.groups(&area.houses);
            let words = words(&PartWords { part, is_cell, houses, is_one_house });
            StepReason::new(&groups, &cells_of(candidates, &groups), words)
        });
    }
}
