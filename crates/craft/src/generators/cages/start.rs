//! The first layout of a draft: cages that grow cell by cell to sizes that are drawn.
//!
//! ```text
//! every cell a cage of its own; in random order, each that is still alone
//!     draws a size, and takes in neighbours that are alone until it has it
//! while cages have sizes that were not ordered, or too many have one cell
//!     merge one of them with a neighbour, or divide the two anew; keep what makes it no worse
//! ```

use std::sync::Arc;

use super::layout::{Cells, Edit, Layout};
use super::{CageDraft, CageRules, operators, repeats};
use kenga_core::rng::RunRng;

/// Changes of a first layout for every cell, before it is given up.
const PATIENCE: usize = 20;

impl<'a> CageDraft<'a> {
    /// A draft with this solution; none where the cages that grew could not be made as the rules have them.
    pub(in crate::generators) fn begin(
        rules: &'a CageRules,
        solution: Vec<u8>,
        rng: &mut RunRng,
    ) -> Option<Self> {
        let mut layout = grown(rules, &solution, rng);
        mend(&mut layout, rules, &solution, rng)?;
        let clues = solution.iter().map(|digit| operators::given(*digit)).collect();
        let mut draft = Self { rules, solution: Arc::from(solution), layout, clues };
        let mut cages = draft.layout.cages().to_vec();
        rng.shuffle(&mut cages);
        let mut mix = MixBalance::default();
        for cells in cages.iter().filter(|cells| cells.len() > 1) {
            draft.set_balanced_clue(cells, &mut mix, rng)?;
        }
        Some(draft)
    }

    /// Gives a cage the operator that is furthest behind its share.
    fn set_balanced_clue(&mut self, cells: &[u16], mix: &mut MixBalance, rng: &mut RunRng) -> Option<()> {
        let mut clues = self.rules.operators.clues(&self.digits(cells));
        let total: f64 = clues.iter().map(|(_, weight)| weight).sum();
        mix.expect(clues.iter().map(|(clue, weight)| (clue.operator.symbol, weight / total)));
        clues.retain(|(clue, _)| !super::quality::is_vacuous(self.rules, cells, *clue));
        let behind = |(clue, _): &&(_, _)| mix.behind(*clue);
        let most = clues.iter().map(|(clue, _)| mix.behind(*clue)).fold(f64::MIN, f64::max);
        let best: Vec<_> = clues.iter().filter(|clue| behind(clue) >= most).copied().collect();
        let clue = operators::draw(&best, rng)?;
        mix.count(clue.operator.symbol);
        self.clues[usize::from(cells[0])] = clue;
        Some(())
    }
}

/// For every operator, how many cages should have it by now less those that have it.
#[derive(Default)]
struct MixBalance {
    behind: Vec<(&'static str, f64)>,
}

impl MixBalance {
    fn add(&mut self, symbol: &'static str, more: f64) {
        match self.behind.iter_mut().find(|(known, _)| *known == symbol) {
            Some((_, behind)) => *behind += more,
            None => self.behind.push((symbol, more)),
        }
    }

    fn expect(&mut self, shares: impl Iterator<Item = (&'static str, f64)>) {
        shares.for_each(|(symbol, share)| self.add(symbol, share));
    }

    fn count(&mut self, symbol: &'static str) {
        self.add(symbol, -1.0);
    }

    fn behind(&self, clue: kenga_core::puzzle::Clue) -> f64 {
        let symbol = clue.operator.symbol;
        self.behind.iter().find(|(known, _)| *known == symbol).map_or(0.0, |(_, behind)| *behind)
    }
}

/// Cages that grew to sizes drawn from the rules, as far as there was room.
fn grown(rules: &CageRules, solution: &[u8], rng: &mut RunRng) -> Layout {
    let mut layout = Layout::singles(rules.size);
    let mut cells: Cells = (0..solution.len() as u16).collect();
    rng.shuffle(&mut cells);
    for cell in cells {
        let wanted = rules.sizes.draw(rng);
        while layout.cages()[layout.owner(cell)].len() < wanted {
            let cage = layout.owner(cell);
            let alone = |other: &usize| layout.cages()[*other].len() == 1;
            let open: Vec<usize> = layout.beside(cage).into_iter().filter(alone).collect();
            let before = layout.cages()[cage].len();
            let edit = open.get(rng.below(open.len().max(1))).map(|other| layout.merge(cage, *other));
            let edit = edit.and_then(|edit| layout.with_images(edit, &rules.maps));
            let fits = |cells: &Cells| cells.len() <= wanted && is_sound(rules, solution, cells);
            match edit.filter(|edit| edit.fresh.iter().all(fits)) {
                Some(edit) => layout.apply(&edit),
                None => break,
            }
            debug_assert!(layout.cages()[layout.owner(cell)].len() > before);
        }
    }
    layout
}

/// Says whether a cage may have these cells, whatever their number.
fn is_sound(rules: &CageRules, solution: &[u8], cells: &[u16]) -> bool {
    !rules.is_distinct() || !repeats(&super::digits_of(solution, cells))
}

/// Changes a layout until its cages have the sizes that they may have; none where that fails.
fn mend(layout: &mut Layout, rules: &CageRules, solution: &[u8], rng: &mut RunRng) -> Option<()> {
    let mut bad = bad_cages(layout, rules);
    for _ in 0..PATIENCE * solution.len() {
        if bad.is_empty() {
            return Some(());
        }
        let cage = bad[rng.below(bad.len())];
        let Some(edit) = mending(layout, cage, rng).and_then(|edit| layout.with_images(edit, &rules.maps))
        else {
            continue;
        };
        let largest = rules.sizes.largest();
        let fits = |cells: &Cells| cells.len() <= largest && is_sound(rules, solution, cells);
        if edit.fresh.iter().all(fits) {
            let mut next = layout.clone();
            next.apply(&edit);
            let left = bad_cages(&next, rules);
            if left.len() <= bad.len() {
                (*layout, bad) = (next, left);
            }
        }
    }
    bad.is_empty().then_some(())
}

/// An edit of a cage and one beside it.
fn mending(layout: &Layout, cage: usize, rng: &mut RunRng) -> Option<Edit> {
    let beside = layout.beside(cage);
    let other = *beside.get(rng.below(beside.len().max(1)))?;
    if rng.coin(0.4) {
        return Some(layout.merge(cage, other));
    }
    let cells = layout.cages()[cage].len() + layout.cages()[other].len();
    if cells == 2 {
        Some(layout.merge(cage, other))
    } else {
        layout.recut(cage, other, 1 + rng.below(cells - 1), rng)
    }
}

/// The cages of sizes that were not ordered, and the one-cell cages where there are too many.
fn bad_cages(layout: &Layout, rules: &CageRules) -> Vec<usize> {
    let cages = layout.cages();
    let singles = cages.iter().filter(|cells| cells.len() == 1).count();
    let too_many = singles > rules.most_singles(cages.len());
    let is_bad = |cage: &usize| match cages[*cage].len() {
        1 => too_many || !rules.allows(1),
        cells => !rules.allows(cells),
    };
    (0..cages.len()).filter(is_bad).collect()
}
