//! Exchanges in the solution of a draft: of two digits, of two rows, of two columns. The cages stay as they are, each with its operator
//! as far as the digits allow.
//!
//! ```text
//! 1 2 3           2 1 3            2 3 1            2 1 3
//! 2 3 1   digits  1 3 2    rows    1 2 3   columns  3 2 1
//! 3 1 2   1 and 2 3 2 1    1 and 2 3 1 2   1 and 2  1 3 2
//! ```
//!
//! What changes is the target of every cage that held one of them, and with it which other grids meet the clues.

use super::{CageDraft, digits_of};
use kenga_core::rng::RunRng;

impl CageDraft<'_> {
    /// The draft after an exchange at random: of digits where the grid has boxes, which rows and columns would break. `None` where some cage
    /// would have no clue that says something.
    pub(super) fn exchanged(&self, rng: &mut RunRng) -> Option<Self> {
        let size = self.rules.size;
        if size < 2 {
            return None;
        }
        // Digits, rows, columns.
        let kinds = if self.rules.boxes.is_some() { 1 } else { 3 };
        let (kind, (one, other)) = (rng.below(kinds), rng.pair(size));
        let mut places: Vec<usize> = (0..size).collect();
        places.swap(one, other);
        let mut solution = Vec::with_capacity(size * size);
        for (row, row_from) in places.iter().enumerate() {
            for (column, column_from) in places.iter().enumerate() {
                solution.push(match kind {
                    0 => places[usize::from(self.solution[row * size + column]) - 1] as u8 + 1,
                    1 => self.solution[row_from * size + column],
                    _ => self.solution[row * size + column_from],
                });
            }
        }
        self.with_solution(solution, rng)
    }

    /// The draft with another solution.
    fn with_solution(&self, solution: Vec<u8>, rng: &mut RunRng) -> Option<Self> {
        let mut next = Self { solution: solution.into(), ..self.clone() };
        for cells in self.layout.cages() {
            // What did not change keeps its clue, too.
            if next.digits(cells) == digits_of(&self.solution, cells) {
                continue;
            }
            let operator = self.clue(cells).operator;
            next.set_clue(cells, Some(operator), rng)?;
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::steer::PuzzleDraft;
    use super::super::{CageRules, OperatorMix, SizeMix};
    use super::*;
    use crate::generators::latin_square;
    use kenga_core::puzzle::check;
    use kenga_core::rng::StreamKey;

    #[test]
    fn an_exchange_keeps_the_cages_and_their_operators_and_is_still_solved() {
        let sizes = SizeMix::parse("1..4").expect("sound");
        let operators = OperatorMix::parse("+*").expect("sound");
        let rules = CageRules { size: 5, boxes: None, sizes, singles: 0.3, operators, maps: Vec::new() };
        let mut rng = StreamKey::run(1, "exchange", 0).rng();
        let begun = (0..20).find_map(|_| CageDraft::begin(&rules, latin_square(5, &mut rng), &mut rng));
        let mut draft = begun.expect("a layout");
        let mut changed = 0;
        for _ in 0..50 {
            let before = draft.clone();
            if !draft.exchange(&mut rng) {
                continue;
            }
            changed += 1;
            let puzzle = draft.puzzle();
            assert!(check(&puzzle, puzzle.solution.as_ref().expect("its own")).is_solution());
            assert_ne!(before.solution, draft.solution);
            assert_eq!(before.layout.cages(), draft.layout.cages());
            for cells in draft.layout.cages() {
                assert_eq!(before.clue(cells).operator, draft.clue(cells).operator);
            }
        }
        assert!(changed > 40, "{changed}");
    }
}
