//! A square divided into cages, and the edits that keep it so.
//!
//! ```text
//! merge  a a b b      split  a a a a      move  a a b b      recut  a a a b
//!        a a a a             a a b b            a b b b             b b b b
//! ```
//!
//! An [`Edit`] puts new cages in the place of some. Where the outlines are symmetric, the images of an edit are made with it;
//! it is refused where they do not fit together.

use kenga_core::rng::RunRng;

/// The cells of a cage, ascending, row-major.
pub(super) type Cells = Vec<u16>;

/// A division of the cells of a square into connected cages.
#[derive(Clone, Debug)]
pub(super) struct CageLayout {
    size: usize,
    /// The cage of every cell.
    owner: Vec<u16>,
    cages: Vec<Cells>,
}

/// New cages in the place of others.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Edit {
    /// The numbers of the cages that go, ascending.
    pub(super) gone: Vec<usize>,
    /// The cages that come: the same cells.
    pub(super) fresh: Vec<Cells>,
}

impl CageLayout {
    /// Every cell a cage of its own.
    pub(super) fn singles(size: usize) -> Self {
        let cells = 0..(size * size) as u16;
        Self { size, owner: cells.clone().collect(), cages: cells.map(|cell| vec![cell]).collect() }
    }

    /// The cages.
    pub(super) fn cages(&self) -> &[Cells] {
        &self.cages
    }

    /// The cells that are a cage of their own.
    pub(super) fn lone_cells(&self) -> Cells {
        self.cages.iter().filter(|cells| cells.len() == 1).map(|cells| cells[0]).collect()
    }

    /// The number of the cage of a cell.
    pub(super) fn owner(&self, cell: u16) -> usize {
        usize::from(self.owner[usize::from(cell)])
    }

    /// The cages that share an edge with a cage, each once.
    pub(super) fn beside(&self, cage: usize) -> Vec<usize> {
        let mut found = Vec::new();
        for cell in &self.cages[cage] {
            for next in neighbours(self.size, *cell) {
                let other = self.owner(next);
                if other != cage && !found.contains(&other) {
                    found.push(other);
                }
            }
        }
        found
    }

    /// Puts the new cages of an edit in the place of the others, the last cages in that of those that leave no other.
    pub(super) fn apply(&mut self, edit: &Edit) {
        let mut fresh = edit.fresh.iter();
        // From the last number on: the last cage, which fills a gap, is none of those that go.
        for number in edit.gone.iter().rev() {
            match fresh.next() {
                Some(cells) => self.put(*number, cells.clone()),
                None => {
                    let last = self.cages.pop().expect("a cage goes");
                    if *number < self.cages.len() {
                        self.put(*number, last);
                    }
                }
            }
        }
        for cells in fresh {
            self.cages.push(Vec::new());
            self.put(self.cages.len() - 1, cells.clone());
        }
    }

    fn put(&mut self, number: usize, cells: Cells) {
        for cell in &cells {
            self.owner[usize::from(*cell)] = number as u16;
        }
        self.cages[number] = cells;
    }

    /// One cage in the place of two.
    pub(super) fn merge(&self, one: usize, other: usize) -> Edit {
        let mut cells = [&self.cages[one][..], &self.cages[other]].concat();
        cells.sort_unstable();
        Edit { gone: vec![one.min(other), one.max(other)], fresh: vec![cells] }
    }

    /// Two cages, one of `part` cells, in the place of one; none where the cut that was tried leaves a piece over.
    pub(super) fn split(&self, cage: usize, part: usize, rng: &mut RunRng) -> Option<Edit> {
        let (one, other) = cut(self.size, &self.cages[cage], part, rng)?;
        Some(Edit { gone: vec![cage], fresh: vec![one, other] })
    }

    /// A cell goes from its cage to another that it touches; none where its own falls apart or has no other cell.
    pub(super) fn hand_over(&self, cell: u16, to: usize) -> Option<Edit> {
        let from = self.owner(cell);
        let mut left = self.cages[from].clone();
        left.retain(|other| *other != cell);
        let touches = neighbours(self.size, cell).any(|next| self.owner(next) == to);
        if from == to || left.is_empty() || !touches || !is_connected(self.size, &left) {
            return None;
        }
        let mut more = self.cages[to].clone();
        more.push(cell);
        more.sort_unstable();
        Some(Edit { gone: vec![from.min(to), from.max(to)], fresh: vec![left, more] })
    }

    /// Two cages, one of `part` cells, in the place of two others; none where the cut that was tried leaves a piece over.
    pub(super) fn recut(&self, one: usize, other: usize, part: usize, rng: &mut RunRng) -> Option<Edit> {
        let Edit { gone, fresh } = self.merge(one, other);
        let (one, other) = cut(self.size, &fresh[0], part, rng)?;
        Some(Edit { gone, fresh: vec![one, other] })
    }

    /// An edit with its images under the maps of a symmetry, which the layout has; none where they overlap, unless they are
    /// the same or each is one cage in the place of several.
    pub(super) fn with_images(&self, edit: Edit, maps: &[Vec<u16>]) -> Option<Edit> {
        if maps.is_empty() {
            return Some(edit);
        }
        let Edit { mut gone, mut fresh } = edit.clone();
        for map in maps {
            for cage in &edit.gone {
                gone.push(self.owner(map[usize::from(self.cages[*cage][0])]));
            }
            for cells in &edit.fresh {
                let mut image: Cells = cells.iter().map(|cell| map[usize::from(*cell)]).collect();
                image.sort_unstable();
                fresh.push(image);
            }
        }
        gone.sort_unstable();
        gone.dedup();
        // Images of a merger that overlap make one larger cage together; those of a cut contradict each other.
        if edit.fresh.len() == 1 {
            unite(&mut fresh);
        }
        fresh.sort_unstable();
        fresh.dedup();
        let mut cells: Cells = fresh.concat();
        cells.sort_unstable();
        let replaced: usize = gone.iter().map(|cage| self.cages[*cage].len()).sum();
        let is_whole = cells.len() == replaced && cells.is_sorted_by(|one, next| one < next);
        is_whole.then_some(Edit { gone, fresh })
    }
}

/// Unites the cages that have cells in common.
fn unite(cages: &mut Vec<Cells>) {
    let mut apart: Vec<Cells> = Vec::new();
    for mut cells in cages.drain(..) {
        while let Some(place) = apart.iter().position(|other| other.iter().any(|cell| cells.contains(cell))) {
            cells.extend(apart.swap_remove(place));
        }
        cells.sort_unstable();
        cells.dedup();
        apart.push(cells);
    }
    *cages = apart;
}

/// The cells that share an edge with a cell of a square.
pub(super) fn neighbours(size: usize, cell: u16) -> impl Iterator<Item = u16> {
    let (size, column) = (size as u16, cell % size as u16);
    let all = [
        (cell >= size).then(|| cell - size),
        (column > 0).then(|| cell - 1),
        (column + 1 < size).then(|| cell + 1),
        (cell + size < size * size).then(|| cell + size),
    ];
    all.into_iter().flatten()
}

/// Says whether paths of neighbours join some cells, one or more.
fn is_connected(size: usize, cells: &[u16]) -> bool {
    let mut reached = vec![cells[0]];
    let mut next = 0;
    while next < reached.len() {
        for cell in neighbours(size, reached[next]) {
            if cells.contains(&cell) && !reached.contains(&cell) {
                reached.push(cell);
            }
        }
        next += 1;
    }
    reached.len() == cells.len()
}

/// Cuts connected cells into two connected parts at random, the first of `part` cells; none where the rest of the part that
/// was drawn falls apart.
fn cut(size: usize, cells: &[u16], part: usize, rng: &mut RunRng) -> Option<(Cells, Cells)> {
    let mut one = vec![cells[rng.below(cells.len())]];
    while one.len() < part {
        // A cell beside several of the part is there several times, and drawn sooner: parts are round rather than long.
        let mut open = Cells::new();
        for cell in &one {
            open.extend(neighbours(size, *cell).filter(|next| cells.contains(next) && !one.contains(next)));
        }
        if open.is_empty() {
            return None;
        }
        one.push(open[rng.below(open.len())]);
    }
    one.sort_unstable();
    let mut other = cells.to_vec();
    other.retain(|cell| !one.contains(cell));
    (!other.is_empty() && is_connected(size, &other)).then_some((one, other))
}

#[cfg(test)]
mod tests {
    use super::super::super::outlines::Symmetry;
    use super::*;
    use kenga_core::rng::StreamKey;

    fn assert_sound(layout: &CageLayout) {
        let mut all = layout.cages.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..(layout.size * layout.size) as u16));
        for (number, cells) in layout.cages.iter().enumerate() {
            assert!(
                is_connected(layout.size, cells) && cells.iter().all(|cell| layout.owner(*cell) == number)
            );
        }
    }

    /// A random edit of any kind.
    fn any_edit(layout: &CageLayout, rng: &mut RunRng) -> Option<Edit> {
        let one = rng.below(layout.cages.len());
        let beside = layout.beside(one);
        let other = *beside.get(rng.below(beside.len().max(1)))?;
        let cells = layout.cages[one].len();
        match rng.below(5) {
            0 => layout.split(one, 1 + rng.below(cells), rng),
            1 => layout.hand_over(layout.cages[one][rng.below(cells)], other),
            2 => layout.recut(one, other, 1 + rng.below(cells), rng),
            _ => Some(layout.merge(one, other)),
        }
    }

    #[test]
    fn edits_keep_cages_whole_and_outlines_symmetric() {
        let mut rng = StreamKey::run(1, "layout", 0).rng();
        for word in ["none", "rotate", "rotate4", "mirror", "diagonal"] {
            for size in [4, 5] {
                let maps = Symmetry::named(word).maps(size, size);
                let mut layout = CageLayout::singles(size);
                let mut edits = 0;
                for _ in 0..300 {
                    let edit = any_edit(&layout, &mut rng).and_then(|edit| layout.with_images(edit, &maps));
                    let Some(edit) = edit.filter(|edit| edit.fresh.iter().all(|cage| cage.len() < 7)) else {
                        continue;
                    };
                    layout.apply(&edit);
                    edits += 1;
                    assert_sound(&layout);
                    for map in &maps {
                        for cells in &layout.cages {
                            let owner = layout.owner(map[usize::from(cells[0])]);
                            assert!(cells.iter().all(|cell| layout.owner(map[usize::from(*cell)]) == owner));
                        }
                    }
                }
                assert!(edits > 20, "{word} {size} {edits}");
            }
        }
    }

    #[test]
    fn a_cell_that_holds_its_cage_together_is_not_handed_over() {
        let mut layout = CageLayout::singles(3);
        layout.apply(&layout.merge(0, 1));
        let (one, two) = (layout.owner(0), layout.owner(2));
        layout.apply(&layout.merge(one, two));
        assert_eq!(layout.cages[layout.owner(0)], [0, 1, 2]);
        assert_eq!(layout.hand_over(1, layout.owner(4)), None);
        assert_eq!(layout.hand_over(0, layout.owner(4)), None);
        let edit = layout.hand_over(0, layout.owner(3)).expect("the end of a line");
        assert_eq!(edit.fresh, [vec![1, 2], vec![0, 3]]);
    }
}
