//! Areas: a house, or rows or columns beside one another, and the parts of cages inside.

use crate::ladder::{Candidates, Found, Reason, digits_by_cell};
use kenga_core::problem::{bits, mask_of};
use kenga_core::puzzle::Role;

/// The most houses of an area.
const WIDEST: usize = 3;

/// Areas of two or more houses.
pub const SEVERAL: std::ops::RangeInclusive<usize> = 2..=WIDEST;

/// Areas of any number of houses.
pub const ANY: std::ops::RangeInclusive<usize> = 1..=WIDEST;

/// Houses without a common cell: every digit stands in them as often as there are houses.
pub struct Area {
    pub houses: Vec<usize>,
    /// The parts that it consists of: every cell is in one.
    pub parts: Vec<Part>,
}

/// The part of a cage inside an area, or a single cell of it without a cage whose tuples are known.
pub struct Part {
    /// The cage, as an index into the frame's, or the cell.
    of: Result<usize, u16>,
    /// The positions inside, a mask.
    inside: u32,
}

/// Calls `visit` for every area of so many houses in which a cage of several cells has a part: without one, there is nothing to
/// see but subsets and singles.
pub fn for_areas(
    candidates: &Candidates<'_>,
    sizes: std::ops::RangeInclusive<usize>,
    visit: &mut dyn FnMut(&Area),
) {
    let frame = candidates.frame;
    let mut visit = |houses: &[usize]| {
        let area = Area { houses: houses.to_vec(), parts: parts(candidates, houses) };
        if !frame.is_interrupted() && area.parts.iter().any(|part| part.cells(candidates).len() > 1) {
            visit(&area);
        }
    };
    for size in sizes {
        if size == 1 {
            frame.houses.iter().for_each(|house| visit(&[*house]));
            continue;
        }
        for role in [Role::Row, Role::Column] {
            let houses: Vec<usize> = frame.houses_with(role).collect();
            houses.windows(size).filter(|houses| are_apart(candidates, houses)).for_each(&mut visit);
        }
    }
}

/// Says whether no cell lies in two of the houses: a puzzle may call any groups rows.
pub fn are_apart(candidates: &Candidates<'_>, houses: &[usize]) -> bool {
    let mut cells: Vec<u16> =
        houses.iter().flat_map(|house| candidates.frame.cells(*house)).copied().collect();
    cells.sort_unstable();
    cells.windows(2).all(|pair| pair[0] != pair[1])
}

/// The parts that houses consist of: those of cages by their order, then single cells. Of cages that share a cell the first alone
/// has a part.
fn parts(candidates: &Candidates<'_>, houses: &[usize]) -> Vec<Part> {
    let frame = candidates.frame;
    let mut is_free = vec![false; candidates.masks().len()];
    let mut cages = Vec::new();
    for cell in houses.iter().flat_map(|house| frame.cells(*house)).map(|cell| usize::from(*cell)) {
        is_free[cell] = true;
        cages.extend(frame.cages_of(cell).iter().map(|index| usize::from(*index)));
    }
    cages.sort_unstable();
    cages.dedup();
    let is_inside = is_free.clone();
    let mut parts = Vec::new();
    for index in cages {
        let cells = frame.cells(frame.cages[index]);
        if candidates.tuples(index).len().is_none() || cells.len() > 32 {
            continue;
        }
        let inside = frame.positions(frame.cages[index], |cell| is_inside[usize::from(cell)]);
        if bits(inside).all(|position| is_free[usize::from(cells[position as usize])]) {
            bits(inside).for_each(|position| is_free[usize::from(cells[position as usize])] = false);
            parts.push(Part { of: Ok(index), inside });
        }
    }
    let alone = (0..is_free.len() as u16).filter(|cell| is_free[usize::from(*cell)]);
    parts.extend(alone.map(|cell| Part { of: Err(cell), inside: 1 }));
    parts
}

/// What a part can still be, in words: `3 or 5`; what nothing is left for contradicts itself.
pub fn alternatives(left: Vec<String>) -> String {
    if left.is_empty() { "nothing possible".to_owned() } else { left.join(" or ") }
}

impl Part {
    /// Calls `visit` with the ranks inside of each way to fill the part, as a fold from `start`.
    pub fn for_values<V: Copy>(
        &self,
        candidates: &Candidates<'_>,
        start: V,
        step: impl Fn(V, u32) -> V,
        visit: &mut dyn FnMut(V),
    ) {
        match self.of {
            Ok(index) => {
                for tuple in candidates.tuples(index).known().into_iter().flatten() {
                    visit(self.value(tuple, start, &step));
                }
            }
            Err(cell) => bits(candidates.mask(cell)).for_each(|rank| visit(step(start, rank))),
        }
    }

    fn value<V: Copy>(&self, tuple: &[u8], start: V, step: impl Fn(V, u32) -> V) -> V {
        bits(self.inside).fold(start, |value, position| step(value, u32::from(tuple[position as usize])))
    }

    /// The group of its cage.
    fn cage(&self, candidates: &Candidates<'_>) -> Option<usize> {
        self.of.ok().map(|index| candidates.frame.cages[index])
    }

    /// The cells of its cage, or its cell alone.
    fn cells<'a>(&'a self, candidates: &'a Candidates<'_>) -> &'a [u16] {
        match &self.of {
            Ok(index) => candidates.frame.cells(candidates.frame.cages[*index]),
            Err(cell) => std::slice::from_ref(cell),
        }
    }

    /// Removes what no way to fill the part with an allowed value needs; `whole` also outside the area.
    pub fn keep<V: Copy>(
        &self,
        candidates: &Candidates<'_>,
        whole: bool,
        start: V,
        step: impl Fn(V, u32) -> V,
        is_allowed: impl Fn(V) -> bool,
        report: Report<'_, '_>,
    ) {
        let cells = self.cells(candidates);
        let left = match self.of {
            Ok(index) => {
                let tuples = candidates.tuples(index).known().into_iter().flatten();
                let allowed = tuples.filter(|tuple| is_allowed(self.value(tuple, start, &step)));
                digits_by_cell(cells.len(), allowed)
            }
            Err(cell) => {
                vec![mask_of(bits(candidates.mask(cell)).filter(|rank| is_allowed(step(start, *rank))))]
            }
        };
        let counts = |position: usize| whole || self.inside >> position & 1 == 1;
        let removes = (0..cells.len()).filter(|position| counts(*position)).map(|at| (cells[at], !left[at]));
        report.step(candidates, self, removes);
    }
}

/// Where a conclusion about a part goes, with its reason.
pub struct Report<'a, 'f> {
    pub found: &'f mut Found,
    pub area: &'a Area,
    /// The words, from the names of the part and of the houses.
    pub words: &'a dyn Fn(&str, &str) -> String,
}

impl Report<'_, '_> {
    fn step(self, candidates: &Candidates<'_>, part: &Part, removes: impl Iterator<Item = (u16, u32)>) {
        let Self { found, area, words } = self;
        found.remove(candidates, removes, || {
            let cages = area.parts.iter().filter_map(|part| part.cage(candidates));
            let groups: Vec<usize> = area.houses.iter().copied().chain(cages).collect();
            let cells: Vec<u16> =
                groups.iter().flat_map(|group| candidates.frame.cells(*group)).copied().collect();
            let part = match part.of {
                Ok(index) => candidates.group(candidates.frame.cages[index]),
                Err(cell) => candidates.name(cell),
            };
            let words = words(&part, &candidates.groups(area.houses.iter().copied()));
            Reason::new(groups, cells, words)
        });
    }
}
