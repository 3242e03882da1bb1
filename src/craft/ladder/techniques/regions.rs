//! Rows, columns or boxes beside one another, and the parts of cages inside them.

use crate::craft::ladder::{Candidates, Found, Ground, digits_by_cell};
use crate::problem::{bits, mask_of};
use crate::puzzle::Role;

/// The most houses of a region.
const WIDEST: usize = 3;

/// Houses of one role without a common cell: every digit stands in them as often as there are houses.
pub struct Region {
    pub houses: Vec<usize>,
    is_inside: Vec<bool>,
}

impl Region {
    fn new(candidates: &Candidates<'_>, houses: &[usize]) -> Self {
        let mut is_inside = vec![false; candidates.masks().len()];
        for cell in houses.iter().flat_map(|house| candidates.frame.cells(*house)) {
            is_inside[usize::from(*cell)] = true;
        }
        Self { houses: houses.to_vec(), is_inside }
    }

    fn holds(&self, cell: u16) -> bool {
        self.is_inside[usize::from(cell)]
    }
}

/// Calls `visit` for every region of so many houses: any one house, or rows or columns side by side.
pub fn for_regions(
    candidates: &Candidates<'_>,
    sizes: std::ops::RangeInclusive<usize>,
    visit: &mut dyn FnMut(&Region),
) {
    for size in sizes {
        if size == 1 {
            candidates.frame.houses.iter().for_each(|house| visit(&Region::new(candidates, &[*house])));
            continue;
        }
        for role in [Role::Row, Role::Column] {
            let houses: Vec<usize> = candidates.frame.houses_with(role).collect();
            let regions = houses.windows(size).filter(|houses| are_apart(candidates, houses));
            regions.for_each(|houses| visit(&Region::new(candidates, houses)));
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

/// Regions of two or more houses.
pub const SEVERAL: std::ops::RangeInclusive<usize> = 2..=WIDEST;

/// Regions of any size.
pub const ANY: std::ops::RangeInclusive<usize> = 1..=WIDEST;

/// The part of a cage inside a region, or a single cell of it without a cage whose tuples are known.
pub struct Part {
    /// The cage, as an index into the frame's, or the cell.
    of: Result<usize, u16>,
    /// The positions inside, a mask.
    inside: u32,
}

/// The parts that a region consists of: every cell is in one.
pub fn parts(candidates: &Candidates<'_>, region: &Region) -> Vec<Part> {
    let mut is_open = region.is_inside.clone();
    let mut parts = Vec::new();
    for (index, cage) in candidates.frame.cages.iter().enumerate() {
        let cells = candidates.frame.cells(*cage);
        if candidates.tuples(index).len().is_none() || cells.len() > 32 {
            continue;
        }
        let inside = candidates.frame.positions(*cage, |cell| region.holds(cell));
        if inside != 0 && bits(inside).all(|position| is_open[usize::from(cells[position as usize])]) {
            bits(inside).for_each(|position| is_open[usize::from(cells[position as usize])] = false);
            parts.push(Part { of: Ok(index), inside });
        }
    }
    let alone = (0..is_open.len() as u16).filter(|cell| is_open[usize::from(*cell)]);
    parts.extend(alone.map(|cell| Part { of: Err(cell), inside: 1 }));
    parts
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
    pub fn cage(&self, candidates: &Candidates<'_>) -> Option<usize> {
        self.of.ok().map(|index| candidates.frame.cages[index])
    }

    /// Removes what no way to fill the part with an allowed value needs; `whole` also outside the region.
    pub fn keep<V: Copy>(
        &self,
        candidates: &Candidates<'_>,
        whole: bool,
        start: V,
        step: impl Fn(V, u32) -> V,
        is_allowed: impl Fn(V) -> bool,
        report: Report<'_, '_>,
    ) {
        let cells: &[u16] = match &self.of {
            Ok(index) => candidates.frame.cells(candidates.frame.cages[*index]),
            Err(cell) => std::slice::from_ref(cell),
        };
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
    pub region: &'a Region,
    pub parts: &'a [Part],
    pub words: &'a dyn Fn(&str, &str) -> String,
}

impl Report<'_, '_> {
    fn step(self, candidates: &Candidates<'_>, part: &Part, removes: impl Iterator<Item = (u16, u32)>) {
        let Self { found, region, parts, words } = self;
        let cages = parts.iter().filter_map(|part| part.cage(candidates));
        let groups: Vec<usize> = region.houses.iter().copied().chain(cages).collect();
        let cells: Vec<u16> =
            groups.iter().flat_map(|group| candidates.frame.cells(*group)).copied().collect();
        found.remove(candidates, removes, &Ground(&groups, &cells), || {
            let part = match part.of {
                Ok(index) => candidates.group(candidates.frame.cages[index]),
                Err(cell) => candidates.name(cell),
            };
            words(&part, &candidates.groups(region.houses.iter().copied()))
        });
    }
}
