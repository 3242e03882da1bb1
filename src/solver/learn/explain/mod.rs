//! Why a propagator removed a candidate, or found that nothing is left.
//!
//! An explanation is a set of literals that were true before, and that together with the propagator imply what it
//! did. They are computed when asked for, from the places of literals alone: nothing is recorded while propagating.
//!
//! Source: O. Ohrimenko, P. J. Stuckey, M. Codish, "Propagation via lazy clause generation", Constraints 14, 2009,
//! doi:10.1007/s10601-008-9064-x.

mod chain;
mod cover;
mod violator;

use crate::problem::{bits, full_mask};
use crate::solver::crossing::Crossing;
use crate::solver::engine::{Engine, Propagator};

use super::literals::{Literal, Literals, Reason};
pub(in crate::solver) use chain::Steps;
use cover::Cover;

/// A propagator's deed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    /// It removed a digit from a cell.
    Removed(u16, u32),
    /// It found nothing left, perhaps in this cell.
    Failed(Option<u16>),
}

/// Explains deeds of the propagators of one engine.
#[derive(Clone, Debug)]
pub(super) struct Explainer {
    /// The words of the engine before anything was decided.
    root: Vec<u64>,
    /// For every propagator that is a cage, the indices of its crossings.
    crossings: Vec<Vec<u32>>,
    cover: Cover,
    chain: chain::Chain,
}

impl Explainer {
    /// For an engine on which nothing is decided.
    pub(super) fn new(engine: &Engine) -> Self {
        let mut crossings = vec![Vec::new(); engine.propagators().len()];
        for (index, crossing) in engine.crossings().iter().enumerate() {
            crossings[crossing.cage as usize].push(index as u32);
        }
        let root = engine.space.words().to_vec();
        Self { root, crossings, cover: Cover::default(), chain: chain::Chain::default() }
    }

    /// Adds to `out` literals, true before `place`, that make the propagator do its deed. Some may come twice.
    pub(super) fn explain(
        &mut self,
        engine: &Engine,
        known: &Literals,
        number: u32,
        (deed, place): (Deed, u32),
        out: &mut Vec<Literal>,
    ) {
        let before = Before { known, place };
        match &engine.propagators()[number as usize] {
            Propagator::Unbuilt => {}
            Propagator::Table(table) => self.table(engine, before, (number, *table), deed, out),
            Propagator::Sum(sum) => match sum.chain() {
                Some(steps) => self.chain.explain(&steps, before, deed, out),
                None => before.all(sum.cells(), deed, out),
            },
            Propagator::Product(product) => self.chain.explain(&**product, before, deed, out),
            Propagator::Probe(probe) => before.all(probe.cells(), deed, out),
            Propagator::Singles(line) | Propagator::Distinct(line) => {
                violator::explain(engine.lines.cells(*line), before, deed, out);
            }
            Propagator::Demand(crossing) => {
                let cage = engine.crossings()[*crossing as usize].cage;
                if let Propagator::Table(table) = engine.propagators()[cage as usize] {
                    self.table(engine, before, (cage, table), Deed::Failed(None), out);
                }
            }
            Propagator::Exclude(crossing) => {
                let crossing = engine.crossings()[*crossing as usize];
                self.exclude(engine, before, &crossing, deed, out);
            }
        }
    }

    /// Every tuple with the digit, or every tuple, is dead.
    fn table(
        &mut self,
        engine: &Engine,
        before: Before,
        (number, table): (u32, usize),
        deed: Deed,
        out: &mut Vec<Literal>,
    ) {
        self.cover.start(&engine.tables.live_at(table, &self.root));
        if let Deed::Removed(cell, rank) = deed {
            let position = engine.tables.cells(table).iter().position(|other| *other == cell);
            let position = position.expect("a table removes candidates of its cells") as u32;
            self.cover.keep(engine.tables.support(table, position, rank));
        }
        self.cover_all(engine, before, (number, table), out);
    }

    /// Every tuple without the digit in the line is dead.
    fn exclude(
        &mut self,
        engine: &Engine,
        before: Before,
        crossing: &Crossing,
        deed: Deed,
        out: &mut Vec<Literal>,
    ) {
        let Propagator::Table(table) = engine.propagators()[crossing.cage as usize] else { return };
        let (cell, ranks) = match deed {
            Deed::Removed(cell, rank) => (cell, 1 << rank),
            Deed::Failed(Some(cell)) => (cell, before.known.mask_before(cell, before.place)),
            Deed::Failed(None) => return,
        };
        if let Deed::Failed(_) = deed {
            before.all(&[cell], Deed::Failed(None), out);
        }
        for rank in bits(ranks) {
            self.cover.start(&engine.tables.live_at(table, &self.root));
            for position in bits(crossing.positions) {
                self.cover.drop(engine.tables.support(table, position, rank));
            }
            self.cover_all(engine, before, (crossing.cage, table), out);
        }
    }

    fn cover_all(
        &mut self,
        engine: &Engine,
        before: Before,
        (number, table): (u32, usize),
        out: &mut Vec<Literal>,
    ) {
        let crossings = self.crossings[number as usize].iter();
        let crossings = crossings.map(|index| engine.crossings()[*index as usize]);
        self.cover.gather(engine, before, table, crossings);
        self.cover.choose(out);
    }
}

/// What was true before a place.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    known: &'a Literals,
    place: u32,
}

impl Before<'_> {
    fn is_not(&self, cell: u16, rank: u32) -> bool {
        self.known.is_before(self.known.is_not(cell, rank), self.place)
    }

    fn mask(&self, cell: u16) -> u32 {
        self.known.mask_before(cell, self.place)
    }

    /// The digit of a cell that was assigned.
    fn assigned(&self, cell: u16) -> Option<u32> {
        let mask = self.mask(cell);
        let rank = mask.is_power_of_two().then(|| mask.trailing_zeros())?;
        self.known.is_before(self.known.is(cell, rank), self.place).then_some(rank)
    }

    /// The literal that stands for a lost candidate: the assignment itself where that is why it was lost.
    fn lost(&self, cell: u16, rank: u32) -> Literal {
        let literal = self.known.is_not(cell, rank);
        let place = self.known.place(literal);
        match self.known.reason(place) {
            Reason::Assigned => {
                let is = self.mask(cell).trailing_zeros();
                self.known.is(cell, is)
            }
            _ => literal,
        }
    }

    /// The literal counts nothing: it is true whatever is decided.
    fn is_free(&self, literal: Literal) -> bool {
        self.known.level_of(literal) == 0
    }

    /// Adds that a cell has lost all of `ranks`: as its assignment, where that is one literal for several.
    fn add_lost(&self, cell: u16, ranks: u32, out: &mut Vec<Literal>) {
        match self.assigned(cell) {
            Some(rank) if ranks.count_ones() > 1 => out.push(self.known.is(cell, rank)),
            _ => out.extend(bits(ranks).map(|rank| self.lost(cell, rank))),
        }
    }

    /// Adds all that is known of some cells, but for the one that the deed is about.
    fn all(&self, cells: &[u16], deed: Deed, out: &mut Vec<Literal>) {
        for cell in cells {
            if !matches!(deed, Deed::Removed(other, _) if other == *cell) {
                let lost = full_mask(self.known.digits()) & !self.mask(*cell);
                self.add_lost(*cell, lost, out);
            }
        }
    }
}
