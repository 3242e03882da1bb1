//! What makes a puzzle of cages poor though it has one solution, and where.
//!
//! 1. *Too many one-cell cages*: more than the share that was ordered.
//! 2. *Twins*: cages of the same shape side by side with the same clue.
//! 3. *A lopsided mix*: an operator in fewer than half, or more than twice, as many cages as its weight gives it among the
//!    cages that could have it, one more or less allowed.
//! 4. *An easy corner*: a rectangle in a corner, up to half as wide and high as the grid, that whole cages tile and whose
//!    digits follow from their clues alone.
//! 5. *A vacuous clue*: all digits that the rows and columns allow make it. No draft has one where the size is 3 or more.
//!
//! Rules 2 and 4 hold from size 4 on: smaller grids have no room for them.

use kenga_core::problem::Problem;
use kenga_core::puzzle::operators::Operator;
use kenga_core::puzzle::{Clue, Role, box_of};
use kenga_core::solver::propagate;

use super::layout::Cells;
use super::mix::WeightedClue;
use super::{CageDraft, CageRules};
use crate::generators::steer::{Flaws, PuzzleDraft};

/// Assignments of a cage that are tried in search of one that breaks its clue.
const ASSIGNMENTS: usize = 2000;

/// The least size to which the rules on twins and corners apply.
const ROOM: usize = 4;

/// The flaws of a draft.
pub(super) fn flaws(draft: &CageDraft<'_>) -> Flaws {
    let mut flaws = Flaws::default();
    add_singles(draft, &mut flaws);
    add_mix(draft, &mut flaws);
    if draft.rules.size >= ROOM {
        add_twins(draft, &mut flaws);
        add_corners(draft, &mut flaws);
    }
    flaws
}

fn add_singles(draft: &CageDraft<'_>, flaws: &mut Flaws) {
    let singles = draft.layout.lone_cells();
    let most = draft.rules.most_singles(draft.layout.cages().len());
    if singles.len() > most {
        flaws.add(singles.len() - most, &singles, "too many one-cell cages");
    }
}

fn add_twins(draft: &CageDraft<'_>, flaws: &mut Flaws) {
    let cages = draft.layout.cages();
    for (number, cells) in cages.iter().enumerate() {
        if cells.len() < 2 {
            continue;
        }
        for other in draft.layout.beside(number) {
            let twin = &cages[other];
            // Each pair is met from both sides.
            let is_new = other > number;
            if is_new && draft.clue(cells) == draft.clue(twin) && is_moved(draft.rules.size, cells, twin) {
                flaws.add(1, cells, "two like cages side by side");
            }
        }
    }
}

/// Says whether two cages have the same shape.
fn is_moved(size: usize, one: &[u16], other: &[u16]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    // From the first cell on, which is the topmost; a cell to the left of it counts from there, too.
    let size = size as u16;
    for (cell, twin) in one.iter().zip(other) {
        let (rows, twin_rows) = (cell / size - one[0] / size, twin / size - other[0] / size);
        let is_right_of = |cell: u16, first: u16| i32::from(cell % size) - i32::from(first % size);
        if rows != twin_rows || is_right_of(*cell, one[0]) != is_right_of(*twin, other[0]) {
            return false;
        }
    }
    true
}

fn add_mix(draft: &CageDraft<'_>, flaws: &mut Flaws) {
    let operators = draft.rules.operators.operators();
    if operators.len() < 2 {
        return;
    }
    let large: Vec<&Cells> = draft.layout.cages().iter().filter(|cells| cells.len() > 1).collect();
    let clues: Vec<_> = large.iter().map(|cells| draft.rules.operators.clues(&draft.digits(cells))).collect();
    for operator in operators {
        let (mut with, mut could) = (Cells::new(), Cells::new());
        let (mut count, mut expected) = (0.0, 0.0);
        for (cells, clues) in large.iter().zip(&clues) {
            let share = share(clues, operator);
            expected += share;
            if draft.clue(cells).operator == operator {
                count += 1.0;
                with.extend(*cells);
            } else if share > 0.0 {
                could.extend(*cells);
            }
        }
        // One more or less than half or twice the share is allowed: small puzzles have few cages.
        let excess = (count - (2.0 * expected + 1.0)).max(0.0).ceil() as usize;
        let lack = (0.5 * expected - 1.0 - count).max(0.0).ceil() as usize;
        let words = "too few or too many cages of an operator";
        if excess > 0 {
            flaws.add(excess, &with, words);
        } else if lack > 0 {
            flaws.add(lack, &could, words);
        }
    }
}

/// The share of an operator among the clues that a cage may have, by their weights.
fn share(clues: &[WeightedClue], operator: Operator) -> f64 {
    let (mut own, mut all) = (0.0, 0.0);
    for weighted in clues {
        all += weighted.weight;
        if weighted.clue.operator == operator {
            own += weighted.weight;
        }
    }
    own / all
}

fn add_corners(draft: &CageDraft<'_>, flaws: &mut Flaws) {
    let half = draft.rules.size / 2;
    // Most drafts have no corner that whole cages tile: the problem is compiled for those that do.
    let mut problem = None;
    for corner in 0..4 {
        for rows in 1..=half {
            for cols in 1..=half {
                let cells = corner_cells(draft.rules.size, corner, rows, cols);
                let Some(cages) = tiling(draft, &cells) else { continue };
                let problem = problem.get_or_insert_with(|| Problem::compile(&PuzzleDraft::puzzle(draft)));
                if is_settled(problem, &cells, &cages) {
                    flaws.add(1, &cells, "an easy corner");
                }
            }
        }
    }
}

/// The cells of a rectangle in a corner: 0 and 1 at the top, 0 and 2 at the left.
fn corner_cells(size: usize, corner: usize, rows: usize, cols: usize) -> Cells {
    let (top, left) = (corner / 2 * (size - rows), corner % 2 * (size - cols));
    let mut cells = Cells::new();
    for row in top..top + rows {
        for column in left..left + cols {
            cells.push((row * size + column) as u16);
        }
    }
    cells
}

/// The first cells of the cages that tile some cells; none where a cage reaches beyond.
fn tiling(draft: &CageDraft<'_>, cells: &[u16]) -> Option<Vec<u16>> {
    let mut firsts = Vec::new();
    for cell in cells {
        let cage = &draft.layout.cages()[draft.layout.owner(*cell)];
        if cage[0] == *cell {
            if !cage.iter().all(|other| cells.contains(other)) {
                return None;
            }
            firsts.push(*cell);
        } else if !cells.contains(&cage[0]) {
            return None;
        }
    }
    Some(firsts)
}

/// Says whether the clues of some cages alone, named by their first cells, give the digits of some cells.
fn is_settled(problem: &Problem, cells: &[u16], firsts: &[u16]) -> bool {
    let mut groups: Vec<usize> = problem.groups_with(Role::Cage).collect();
    groups.retain(|group| firsts.contains(&problem.cells_of(*group)[0]));
    // No other cage has a clue here: what follows, follows from the corner alone.
    let left = propagate(&problem.with_only_clues(&groups));
    cells.iter().all(|cell| left.0[usize::from(*cell)].is_power_of_two())
}

/// Says whether a clue holds for every assignment of digits that rows, columns and boxes allow, as far as
/// [`ASSIGNMENTS`] of them tell.
pub(super) fn is_vacuous(rules: &CageRules, cells: &[u16], clue: Clue) -> bool {
    if rules.size < 3 {
        return false;
    }
    let mut digits = Vec::with_capacity(cells.len());
    let mut left = ASSIGNMENTS;
    holds_always(rules, cells, clue, &mut digits, &mut left)
}

/// Says whether no assignment that begins with some digits breaks a clue, as far as those tell that are left.
fn holds_always(
    rules: &CageRules,
    cells: &[u16],
    clue: Clue,
    digits: &mut Vec<u8>,
    left: &mut usize,
) -> bool {
    let place = digits.len();
    if place == cells.len() {
        *left = left.saturating_sub(1);
        return clue.holds(digits);
    }
    for digit in 1..=rules.size as u8 {
        let mut earlier = cells.iter().zip(digits.iter());
        if earlier.any(|(cell, held)| *held == digit && must_differ(rules, *cell, cells[place])) {
            continue;
        }
        digits.push(digit);
        let holds = holds_always(rules, cells, clue, digits, left);
        digits.pop();
        // What is not looked at counts as holding.
        if !holds || *left == 0 {
            return holds;
        }
    }
    true
}

/// Says whether two cells of a cage must hold different digits.
fn must_differ(rules: &CageRules, one: u16, other: u16) -> bool {
    let (one, other, size) = (usize::from(one), usize::from(other), rules.size);
    one / size == other / size
        || one % size == other % size
        || rules.is_distinct()
        || rules.boxes.is_some_and(|boxes| box_of(size, boxes, one) == box_of(size, boxes, other))
}

#[cfg(test)]
mod tests {
    use super::super::{OperatorMix, SizeMix};
    use super::*;
    use crate::generators::latin_square;
    use kenga_core::puzzle::operators;
    use kenga_core::rng::StreamKey;

    fn rules(size: usize) -> CageRules {
        let sizes = SizeMix::parse("1..4").expect("sound");
        let operators = OperatorMix::parse("+-*/").expect("sound");
        CageRules { size, boxes: None, sizes, singles: 1.0, operators, maps: Vec::new() }
    }

    #[test]
    fn a_given_in_a_corner_is_an_easy_corner() {
        let rules = rules(4);
        let mut rng = StreamKey::run(1, "quality", 0).rng();
        let begun = (0..20).find_map(|_| CageDraft::begin(&rules, latin_square(4, &mut rng), &mut rng));
        let draft = begun.expect("a layout");
        let mut expected = 0;
        for corner in [0, 3, 12, 15] {
            expected += usize::from(draft.layout.cages()[draft.layout.owner(corner)].len() == 1);
        }
        let mut found = Flaws::default();
        add_corners(&draft, &mut found);
        assert!(found.count >= expected, "{found:?}");
    }

    #[test]
    fn a_sum_of_a_whole_line_says_nothing_and_that_of_a_part_does() {
        let rules = rules(4);
        let clue = |target| Clue { operator: operators::find("+").expect("a known operator"), target };
        assert!(is_vacuous(&rules, &[0, 1, 2, 3], clue(10)));
        assert!(!is_vacuous(&rules, &[0, 1, 2], clue(9)));
        assert!(!is_vacuous(&rules, &[0, 1, 4, 5], clue(10)));
    }
}
