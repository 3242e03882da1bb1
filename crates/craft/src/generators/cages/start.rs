//! The first layout of a draft: cages that grow cell by cell to sizes that are drawn.
//!
//! ```text
//! every cell a cage of its own; in random order, each that is still alone
//!     draws a size, and takes in neighbours that are alone until it has it
//! while cages have sizes that were not ordered, or too many have one cell
//!     merge one of them with a neighbour, or divide the two anew; keep what makes it no worse
//! ```

use std::sync::Arc;

use super::layout::{CageLayout, Cells, Edit};
use super::mix::{draw_clue, given};
use super::quality::is_vacuous;
use super::{CageDraft, CageRules, digits_of};
use kenga_core::puzzle::Clue;
use kenga_core::rng::RunRng;

/// Changes of a first layout for every cell, before it is given up.
const PATIENCE: usize = 20;

impl<'a> CageDraft<'a> {
    /// A draft with this solution; none where the cages that grew could not be made as the rules have them.
    pub(super) fn begin(rules: &'a CageRules, solution: Vec<u8>, rng: &mut RunRng) -> Option<Self> {
        let mut layout = grown(rules, &solution, rng);
        mend(&mut layout, rules, &solution, rng)?;
        let clues = solution.iter().copied().map(given).collect();
        let mut draft = Self { rules, solution: Arc::from(solution), layout, clues };
        let mut cages = draft.layout.cages().to_vec();
        rng.shuffle(&mut cages);
        let mut balance = Balance::default();
        for cells in cages {
            if cells.len() > 1 {
                draft.set_balanced_clue(&cells, &mut balance, rng)?;
            }
        }
        Some(draft)
    }

    /// Gives a cage the operator that is furthest behind its share.
    fn set_balanced_clue(&mut self, cells: &[u16], balance: &mut Balance, rng: &mut RunRng) -> Option<()> {
        let mut clues = self.rules.operators.clues(&self.digits(cells));
        let total: f64 = clues.iter().map(|weighted| weighted.weight).sum();
        for weighted in &clues {
            *balance.owed(weighted.clue) += weighted.weight / total;
        }
        // What an operator is owed counts all clues that could be; the choice is among those that say something.
        clues.retain(|weighted| !is_vacuous(self.rules, cells, weighted.clue));
        let mut most = f64::MIN;
        for weighted in &clues {
            most = most.max(*balance.owed(weighted.clue));
        }
        clues.retain(|weighted| *balance.owed(weighted.clue) >= most);
        let clue = draw_clue(&clues, rng)?;
        *balance.owed(clue) -= 1.0;
        self.clues[usize::from(cells[0])] = clue;
        Some(())
    }
}

/// For the symbol of every operator, how many cages should have it by now less those that have it.
#[derive(Default)]
struct Balance(Vec<(&'static str, f64)>);

impl Balance {
    fn owed(&mut self, clue: Clue) -> &mut f64 {
        let symbol = clue.operator.symbol;
        let place = self.0.iter().position(|(known, _)| *known == symbol).unwrap_or(self.0.len());
        if place == self.0.len() {
            self.0.push((symbol, 0.0));
        }
        &mut self.0[place].1
    }
}

/// Cages that grew to sizes drawn from the rules, as far as there was room.
fn grown(rules: &CageRules, solution: &[u8], rng: &mut RunRng) -> CageLayout {
    let mut layout = CageLayout::singles(rules.size);
    let mut cells: Cells = (0..solution.len() as u16).collect();
    rng.shuffle(&mut cells);
    for cell in cells {
        let wanted = rules.sizes.draw(rng);
        while layout.cages()[layout.owner(cell)].len() < wanted {
            let cage = layout.owner(cell);
            let mut open = layout.beside(cage);
            open.retain(|other| layout.cages()[*other].len() == 1);
            // Drawn even where there is nothing to draw from: golden runs count on it.
            let drawn = rng.below(open.len().max(1));
            let Some(other) = open.get(drawn) else { break };
            let Some(edit) = layout.with_images(layout.merge(cage, *other), &rules.maps) else { break };
            // A cage that cannot grow stays small: it is mended afterwards.
            if !fits(&edit, wanted, rules, solution) {
                break;
            }
            layout.apply(&edit);
        }
    }
    layout
}

/// Says whether the cages of an edit have up to `most` cells, and digits that a cage may hold.
fn fits(edit: &Edit, most: usize, rules: &CageRules, solution: &[u8]) -> bool {
    edit.fresh.iter().all(|cells| cells.len() <= most && rules.may_hold(&digits_of(solution, cells)))
}

/// Changes a layout until its cages have the sizes that they may have; none where that fails.
fn mend(layout: &mut CageLayout, rules: &CageRules, solution: &[u8], rng: &mut RunRng) -> Option<()> {
    let mut bad = bad_cages(layout, rules);
    for _ in 0..PATIENCE * solution.len() {
        if bad.is_empty() {
            return Some(());
        }
        let cage = bad[rng.below(bad.len())];
        let Some(edit) = mending(layout, cage, rng) else { continue };
        let Some(edit) = layout.with_images(edit, &rules.maps) else { continue };
        if !fits(&edit, rules.sizes.largest(), rules, solution) {
            continue;
        }
        let mut next = layout.clone();
        next.apply(&edit);
        let left = bad_cages(&next, rules);
        // An equal number is progress, too: without such steps a layout stays where it is stuck.
        if left.len() <= bad.len() {
            (*layout, bad) = (next, left);
        }
    }
    bad.is_empty().then_some(())
}

/// An edit of a cage and one beside it.
fn mending(layout: &CageLayout, cage: usize, rng: &mut RunRng) -> Option<Edit> {
    let beside = layout.beside(cage);
    let other = *beside.get(rng.below(beside.len().max(1)))?;
    // A merger may be cut again: that is how cages exchange cells.
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
fn bad_cages(layout: &CageLayout, rules: &CageRules) -> Vec<usize> {
    let cages = layout.cages();
    let too_many = layout.lone_cells().len() > rules.most_singles(cages.len());
    let mut bad = Vec::new();
    for (number, cells) in cages.iter().enumerate() {
        if !rules.allows(cells.len()) || cells.len() == 1 && too_many {
            bad.push(number);
        }
    }
    bad
}
