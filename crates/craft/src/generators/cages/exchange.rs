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
        let kinds = if self.rules.boxes.is_some() { 1 } else { 3 };
        let (kind, (one, other)) = (rng.below(kinds), rng.pair(size));
        let swapped = |place: usize| match place {
            place if place == one => other,
            place if place == other => one,
            place => place,
        };
        let digit = |cell: usize| match kind {
            0 => swapped(usize::from(self.solution[cell]) - 1) as u8 + 1,
            1 => self.solution[swapped(cell / size) * size + cell % size],
            _ => self.solution[cell / size * size + swapped(cell % size)],
        };
        self.with_solution((0..size * size).map(digit).collect(), rng)
    }

    /// The draft with another solution.
    fn with_solution(&self, solution: Vec<u8>, rng: &mut RunRng) -> Option<Self> {
        let mut next = Self { solution: solution.into(), ..self.clone() };
        for cells in self.layout.cages() {
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
    use super::super::super::steer::Draft;
    use super::super::{CageRules, OperatorMix, SizeMix};
    use super::*;
    use crate::generators::latin_square;
    use kenga_core::puzzle::{Kind, check};
    use kenga_core::rng::StreamKey;

    #[test]
    fn an_exchange_keeps_the_cages_and_their_operators_and_is_still_solved() {
        let sizes = SizeMix::parse("1..4").expect("sound");
        let operators = OperatorMix::parse("+*").expect("sound");
        let kind = Kind::KenKen;
        let rules =
            CageRules { size: 5, kind, boxes: None, sizes, singles: 0.3, operators, maps: Vec::new() };
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
