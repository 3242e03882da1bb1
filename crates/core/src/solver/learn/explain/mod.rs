//! Explanations: why a propagator removed a candidate, placed a digit or failed.
//!
//! An explanation is a set of literals that were true before and together with the propagator imply the conclusion. It is
//! computed on demand from the places of literals alone; propagation records nothing.
//!
//! Source: O. Ohrimenko, P. J. Stuckey, M. Codish, "Propagation via lazy clause generation", Constraints 14, 2009,
//! doi:10.1007/s10601-008-9064-x.

mod chain;
mod cover;

use crate::problem::{bits, full_mask, mask_of};
use crate::solver::crossing::Crossing;
use crate::solver::engine::{Engine, Propagator};
use crate::solver::pair::Pair;

use super::literals::{Literal, LiteralReason, Literals};
use cover::Cover;

/// What a propagator concludes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Conclusion {
    /// It removed a digit from a cell.
    Removed(u16, u32),
    /// It found that a segment has a digit.
    Placed(u32, u32),
    /// It found nothing left.
    Failed,
}

/// Explains the conclusions of one engine's propagators.
#[derive(Clone, Debug)]
pub(super) struct Explainer {
    /// The words of the engine's space at level 0.
    root: Vec<u64>,
    cover: Cover,
    chain: chain::StateChain,
}

impl Explainer {
    /// An explainer for an engine without decisions.
    pub(super) fn new(engine: &Engine) -> Self {
        let root = engine.space.words().to_vec();
        Self { root, cover: Cover::default(), chain: chain::StateChain::default() }
    }

    /// Copies the engine's state at level 0: tuples that are dead there need no explanation.
    pub(super) fn settle(&mut self, engine: &Engine) {
        self.root.copy_from_slice(engine.space.words());
    }

    /// Adds to `out` literals, true before a place, that together with the propagator imply the conclusion. Some may occur
    /// twice.
    pub(super) fn explain(
        &mut self,
        engine: &Engine,
        before: Before,
        number: u32,
        event: Conclusion,
        out: &mut Vec<Literal>,
    ) {
        match &engine.propagators[number as usize] {
            Propagator::Unbuilt => {}
            Propagator::Table(table) => self.table(engine, before, number, *table, event, out),
            Propagator::Sum(sum) => match sum.chain() {
                Some(steps) => self.chain.explain(&steps, before, event, out),
                None => before.all(sum.cells(), event, out),
            },
            Propagator::Product(product) => self.chain.explain(&**product, before, event, out),
            // Which lost candidates sufficed would take a search of its own: all of them explain it too.
            Propagator::Combination(sum) => before.all(sum.cells(), event, out),
            Propagator::Pair(pair) => explain_pair(pair, before, event, out),
            Propagator::Probe(probe) => before.all(probe.cells(), event, out),
            Propagator::Singles(line) | Propagator::Distinct(line) => {
                let segments = Segments { engine, of_line: engine.crossings.of_line(*line) };
                explain_line(engine.lines.cells(*line), segments, before, event, out);
            }
            Propagator::Demand(line) => {
                if let Conclusion::Placed(segment, rank) = event {
                    let crossing = engine.crossings.get(segment);
                    let segments = Segments { engine, of_line: engine.crossings.of_line(*line) };
                    let cells = engine.lines.cells(*line);
                    let outside = full_mask(cells.len()) & !crossing.inside;
                    segments.add_lost(cells, outside, 1 << rank, before, out);
                }
            }
            Propagator::Exclude(_) => {
                if let Conclusion::Placed(segment, rank) = event {
                    self.placed(engine, before, engine.crossings.get(segment), rank, out);
                }
            }
        }
    }

    /// Why every tuple with the removed digit is dead, or every tuple at all.
    fn table(
        &mut self,
        engine: &Engine,
        before: Before,
        number: u32,
        table: usize,
        event: Conclusion,
        out: &mut Vec<Literal>,
    ) {
        self.cover.start(engine.tables.live_at(table, &self.root));
        if let Conclusion::Removed(cell, rank) = event {
            let position = engine.tables.cells(table).iter().position(|other| *other == cell);
            let position = position.expect("a table removes candidates of its cells") as u32;
            self.cover.keep(engine.tables.support(table, position, rank));
        }
        self.cover.explain(engine, before, table, engine.crossings.of_cage(number as usize), out);
    }

    /// Why every tuple without the digit in the line is dead.
    fn placed(
        &mut self,
        engine: &Engine,
        before: Before,
        crossing: &Crossing,
        rank: u32,
        out: &mut Vec<Literal>,
    ) {
        let Some(table) = engine.table_of(crossing) else { return };
        self.cover.start(engine.tables.live_at(table, &self.root));
        for position in bits(crossing.positions) {
            self.cover.drop(engine.tables.support(table, position, rank));
        }
        self.cover.explain(engine, before, table, engine.crossings.of_cage(crossing.cage as usize), out);
    }
}

/// The segments of one line.
#[derive(Clone, Copy)]
struct Segments<'a> {
    engine: &'a Engine,
    of_line: &'a [u32],
}

impl Segments<'_> {
    /// Adds why the cells at some positions of the line have lost all of `ranks`: their assignments, then segments,
    /// then single candidates.
    fn add_lost(&self, cells: &[u16], positions: u32, ranks: u32, before: Before, out: &mut Vec<Literal>) {
        let mut left = [0; 32];
        for position in bits(positions) {
            let cell = cells[position as usize];
            match before.assigned(cell) {
                // One literal in place of several.
                Some(rank) if ranks.count_ones() > 1 => out.push(before.known.is(cell, rank)),
                _ => left[position as usize] = ranks,
            }
        }
        for segment in self.of_line {
            let inside = self.engine.crossings.get(*segment).inside;
            // A segment that reaches beyond these cells says nothing of them alone.
            if inside & !positions != 0 {
                continue;
            }
            for rank in bits(ranks) {
                let literal = before.known.not_within(*segment, rank);
                let wanted = bits(inside).filter(|position| left[*position as usize] & 1 << rank != 0);
                if wanted.count() > 1 && before.known.is_before(literal, before.place) {
                    out.push(literal);
                    for position in bits(inside) {
                        left[position as usize] &= !(1 << rank);
                    }
                }
            }
        }
        for position in bits(positions) {
            let cell = cells[position as usize];
            out.extend(bits(left[position as usize]).map(|rank| before.lost(cell, rank)));
        }
    }
}

/// What was true before a place.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) known: &'a Literals,
    pub(super) place: u32,
}

impl Before<'_> {
    fn mask(&self, cell: u16) -> u32 {
        self.known.mask_before(cell, self.place)
    }

    /// The digit of a cell that was assigned.
    fn assigned(&self, cell: u16) -> Option<u32> {
        let mask = self.mask(cell);
        let rank = mask.is_power_of_two().then(|| mask.trailing_zeros())?;
        self.known.is_before(self.known.is(cell, rank), self.place).then_some(rank)
    }

    /// The literal for a lost candidate: the single literal that it follows from, if there is one.
    fn lost(&self, cell: u16, rank: u32) -> Literal {
        let literal = self.known.is_not(cell, rank);
        match self.known.reason(self.known.place(literal)) {
            LiteralReason::Literal(because) => because,
            _ => literal,
        }
    }

    /// The literal is true at level 0, so that an explanation can omit it.
    fn is_free(&self, literal: Literal) -> bool {
        self.known.level_of(literal) == 0
    }

    /// Adds that a cell has lost all of `ranks`: by its assignment, where that replaces several literals.
    fn add_lost(&self, cell: u16, ranks: u32, out: &mut Vec<Literal>) {
        match self.assigned(cell) {
            Some(rank) if ranks.count_ones() > 1 => out.push(self.known.is(cell, rank)),
            _ => out.extend(bits(ranks).map(|rank| self.lost(cell, rank))),
        }
    }

    /// Adds every lost candidate of some cells, except of the cell that the event is about.
    fn all(&self, cells: &[u16], event: Conclusion, out: &mut Vec<Literal>) {
        for cell in cells {
            if !matches!(event, Conclusion::Removed(other, _) if other == *cell) {
                let lost = full_mask(self.known.digits()) & !self.mask(*cell);
                self.add_lost(*cell, lost, out);
            }
        }
    }
}

/// Adds why a digit goes with none of the other cell: it has lost all that the digit goes with. Where a cell is left
/// without candidates, this holds for each that it had, and it had lost the others that still go with one.
fn explain_pair(pair: &Pair, before: Before, event: Conclusion, out: &mut Vec<Literal>) {
    if let Conclusion::Removed(cell, rank) = event {
        let (other, with) = pair.opposite(cell, rank);
        before.add_lost(other, with, out);
        return;
    }
    let &[first, second] = pair.cells();
    let (mut cell, (mut other, mut with)) = (first, goes_with(pair, before, first));
    if before.mask(other) & with != 0 {
        (cell, (other, with)) = (second, goes_with(pair, before, second));
    }
    before.add_lost(other, with, out);
    let lost = full_mask(before.known.digits()) & !before.mask(cell);
    let left = before.mask(other);
    let lost = bits(lost).filter(|rank| pair.opposite(cell, *rank).1 & left != 0);
    before.add_lost(cell, mask_of(lost), out);
}

/// The other cell of a pair, and its digits that go with some candidate of a cell.
fn goes_with(pair: &Pair, before: Before, cell: u16) -> (u16, u32) {
    let (mut other, mut all) = (cell, 0);
    for rank in bits(before.mask(cell)) {
        let (opposite, with) = pair.opposite(cell, rank);
        (other, all) = (opposite, all | with);
    }
    (other, all)
}

/// A matching of cells to digits.
struct Matching {
    masks: Vec<u32>,
    owner: [usize; 32],
    used: u32,
}

/// Adds why the cells of a line cannot all differ: two cells have the same digit, or a set of cells has fewer digits
/// left than cells.
///
/// For a removed candidate, its cell gets the digit and the others are matched without it; the matching fails at a
/// cell from which no chain of moves leads to a free digit. The cells on these chains, and the digits that they still
/// have, are the set (P. Hall, 1935; explanations from it: C. Downing, T. Feydy, P. J. Stuckey, "Explaining
/// alldifferent", ACSC 2012).
fn explain_line(
    cells: &[u16],
    segments: Segments,
    before: Before,
    event: Conclusion,
    out: &mut Vec<Literal>,
) {
    // What was removed is explained as a failure: with the digit in its cell, the others cannot all differ.
    let (apart, taken) = match event {
        Conclusion::Removed(cell, rank) => (Some(cell), 1 << rank),
        _ => (None, 0),
    };
    if same_digit(cells, apart, before, taken, out) {
        return;
    }
    let mask = |cell: &u16| if Some(*cell) == apart { 0 } else { before.mask(*cell) & !taken };
    let mut matching = Matching { masks: cells.iter().map(mask).collect(), owner: [0; 32], used: 0 };
    for (index, cell) in cells.iter().enumerate() {
        let mut tried = 0;
        if Some(*cell) != apart && !matching.augment(index, &mut tried) {
            let owners = mask_of(bits(tried).map(|rank| matching.owner[rank as usize] as u32));
            let gone = full_mask(before.known.digits()) & !tried & !taken;
            segments.add_lost(cells, owners | 1 << index, gone, before, out);
            return;
        }
    }
    unreachable!("cells that can all differ cause no event");
}

/// Adds the assignment that takes the digit, or two assignments of one digit; says whether there are such.
fn same_digit(cells: &[u16], apart: Option<u16>, before: Before, taken: u32, out: &mut Vec<Literal>) -> bool {
    let mut seen = taken;
    for (index, cell) in cells.iter().enumerate() {
        let Some(rank) = before.assigned(*cell) else { continue };
        if Some(*cell) == apart {
            continue;
        }
        if seen & 1 << rank != 0 {
            let same = |other: &&u16| Some(**other) != apart && before.assigned(**other) == Some(rank);
            if let Some(twin) = cells[..index].iter().find(same) {
                out.push(before.known.is(*twin, rank));
            }
            out.push(before.known.is(*cell, rank));
            return true;
        }
        seen |= 1 << rank;
    }
    false
}

impl Matching {
    fn augment(&mut self, index: usize, tried: &mut u32) -> bool {
        while self.masks[index] & !*tried != 0 {
            // A free digit ends the chain at once.
            let free = self.masks[index] & !*tried & !self.used;
            let open = if free != 0 { free } else { self.masks[index] & !*tried };
            let rank = open.trailing_zeros();
            *tried |= 1 << rank;
            if free != 0 || self.augment(self.owner[rank as usize], tried) {
                self.owner[rank as usize] = index;
                self.used |= 1 << rank;
                return true;
            }
        }
        false
    }
}
