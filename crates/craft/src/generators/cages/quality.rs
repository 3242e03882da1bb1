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
use kenga_core::puzzle::{Clue, Role, box_of};
use kenga_core::solver::propagate;

use super::layout::Cells;
use super::{CageDraft, CageRules};
use crate::generators::steer::{Draft, Flaws};

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
    let cages = draft.layout.cages();
    let singles: Vec<u16> = cages.iter().filter(|cells| cells.len() == 1).map(|cells| cells[0]).collect();
    let most = draft.rules.most_singles(cages.len());
    if singles.len() > most {
        flaws.add(singles.len() - most, &singles, "too many one-cell cages");
    }
}

fn add_twins(draft: &CageDraft<'_>, flaws: &mut Flaws) {
    let size = draft.rules.size as u16;
    let cages = draft.layout.cages();
    // The cells of a cage from its first on; a cell to the left of it counts from there, too.
    let is_moved = |one: &Cells, other: &Cells| {
        let place = |cells: &Cells, index: usize| {
            let (first, cell) = (cells[0], cells[index]);
            (cell / size - first / size, i32::from(cell % size) - i32::from(first % size))
        };
        one.len() == other.len() && (0..one.len()).all(|index| place(one, index) == place(other, index))
    };
    for (number, cells) in cages.iter().enumerate().filter(|(_, cells)| cells.len() > 1) {
        for other in draft.layout.beside(number).into_iter().filter(|other| *other > number) {
            if draft.clue(cells) == draft.clue(&cages[other]) && is_moved(cells, &cages[other]) {
                flaws.add(1, cells, "two like cages side by side");
            }
        }
    }
}

fn add_mix(draft: &CageDraft<'_>, flaws: &mut Flaws) {
    let rules = draft.rules;
    if rules.operators.operators().count() < 2 {
        return;
    }
    let large: Vec<&Cells> = draft.layout.cages().iter().filter(|cells| cells.len() > 1).collect();
    let clues: Vec<_> = large.iter().map(|cells| rules.operators.clues(&draft.digits(cells))).collect();
    for operator in rules.operators.operators() {
        let share = |clues: &Vec<(Clue, f64)>| {
            let own = clues.iter().filter(|(clue, _)| clue.operator == operator).map(|(_, weight)| weight);
            own.sum::<f64>() / clues.iter().map(|(_, weight)| weight).sum::<f64>()
        };
        let expected: f64 = clues.iter().map(share).sum();
        let has = |cells: &&&Cells| draft.clue(cells).operator == operator;
        let count = large.iter().filter(has).count() as f64;
        let excess = (count - (2.0 * expected + 1.0)).max(0.0).ceil() as usize;
        let lack = (0.5 * expected - 1.0 - count).max(0.0).ceil() as usize;
        if excess > 0 {
            large.iter().filter(has).for_each(|cells| flaws.add(0, cells, ""));
        }
        if lack > 0 {
            let could = |index: &usize| share(&clues[*index]) > 0.0 && !has(&&large[*index]);
            (0..large.len()).filter(could).for_each(|index| flaws.add(0, large[index], ""));
        }
        flaws.add(excess + lack, &[], "too few or too many cages of an operator");
    }
}

fn add_corners(draft: &CageDraft<'_>, flaws: &mut Flaws) {
    let half = draft.rules.size / 2;
    let mut problem = None;
    for corner in 0..4 {
        for (rows, cols) in (1..=half).flat_map(|rows| (1..=half).map(move |cols| (rows, cols))) {
            let cells = corner_cells(draft.rules.size, corner, (rows, cols));
            if let Some(cages) = tiling(draft, &cells) {
                let problem = problem.get_or_insert_with(|| Problem::compile(&Draft::puzzle(draft)));
                if is_settled(problem, &cells, &cages) {
                    flaws.add(1, &cells, "an easy corner");
                }
            }
        }
    }
}

/// The cells of a rectangle in a corner: 0 and 1 at the top, 0 and 2 at the left.
fn corner_cells(size: usize, corner: usize, (rows, cols): (usize, usize)) -> Cells {
    let (top, left) = (corner / 2 * (size - rows), corner % 2 * (size - cols));
    let cell = |index: usize| ((top + index / cols) * size + left + index % cols) as u16;
    (0..rows * cols).map(cell).collect()
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
    let is_named = |group: &usize| firsts.contains(&problem.cells_of(*group)[0]);
    let groups: Vec<usize> = problem.groups_with(Role::Cage).filter(is_named).collect();
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
        let clashes =
            |earlier: usize| digits[earlier] == digit && must_differ(rules, cells[earlier], cells[place]);
        if (0..place).any(clashes) {
            continue;
        }
        digits.push(digit);
        let holds = holds_always(rules, cells, clue, digits, left);
        digits.pop();
        if !holds || *left == 0 {
            return holds;
        }
    }
    true
}

/// Says whether two cells of a cage must hold different digits.
fn must_differ(rules: &CageRules, one: u16, other: u16) -> bool {
    let size = rules.size as u16;
    let region = |cell: u16, boxes| box_of(rules.size, boxes, usize::from(cell));
    one / size == other / size
        || one % size == other % size
        || rules.is_distinct()
        || rules.boxes.is_some_and(|boxes| region(one, boxes) == region(other, boxes))
}

#[cfg(test)]
mod tests {
    use super::super::{OperatorMix, SizeMix};
    use super::*;
    use crate::generators::latin_square;
    use kenga_core::puzzle::{Kind, operators};
    use kenga_core::rng::StreamKey;

    fn rules(size: usize) -> CageRules {
        let sizes = SizeMix::parse("1..4").expect("sound");
        let operators = OperatorMix::parse("+-*/").expect("sound");
        CageRules { size, kind: Kind::KenKen, boxes: None, sizes, singles: 1.0, operators, maps: Vec::new() }
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
