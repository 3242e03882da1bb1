//! Digits under other names.

use super::Refusal;
use super::clue::complement;
use kenga_core::puzzle::{Clue, Grid, Group, Puzzle};

/// What digits are called instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// The least and the greatest digit less the digit: of 1 to n, `n + 1 - d`.
    Complement,
    /// The new name of each digit, in ascending order of the digits.
    Of(Vec<u8>),
}

/// Which names a puzzle allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// Any: no clue depends on the digits' values.
    Any,
    /// The digits or their complements.
    Complement,
    /// The digits themselves.
    Own,
}

impl Naming {
    /// What a puzzle allows.
    pub(super) fn of(puzzle: &Puzzle) -> Self {
        if puzzle.groups().iter().all(|group| group.clue.is_none() || is_given(group)) {
            return Self::Any;
        }
        let complement = Names::Complement.resolved(puzzle);
        let allows = |names: &Resolved| puzzle.groups().iter().all(|group| names.group(group).is_some());
        if complement.is_ok_and(|names| allows(&names)) { Self::Complement } else { Self::Own }
    }
}

/// Says whether a group is a digit that stands in a cell.
pub(super) fn is_given(group: &Group) -> bool {
    group.cells.len() == 1 && group.clue.is_some_and(|clue| clue.operator.is_given())
}

/// New names that are known to be the digits of a puzzle.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    /// The digits, ascending.
    old: Vec<u8>,
    new: Vec<u8>,
    /// The least and the greatest together, where every new name is this less the old one.
    ends: Option<i64>,
}

impl Names {
    /// The names of the digits of a puzzle.
    ///
    /// # Errors
    /// [`Refusal::Names`] unless each digit occurs once; [`Refusal::Lopsided`] for a complement that is no digit.
    pub(super) fn resolved(&self, puzzle: &Puzzle) -> Result<Resolved, Refusal> {
        let old = puzzle.digits().values().to_vec();
        let ends = i64::from(old[0]) + i64::from(old[old.len() - 1]);
        let is_complement =
            |new: &[u8]| old.iter().zip(new).all(|(old, new)| i64::from(*old) + i64::from(*new) == ends);
        let backwards: Vec<u8> = old.iter().rev().copied().collect();
        let new = match self {
            Self::Complement if !is_complement(&backwards) => return Err(Refusal::Lopsided { digits: old }),
            Self::Complement => backwards,
            Self::Of(new) => new.clone(),
        };
        let mut sorted = new.clone();
        sorted.sort_unstable();
        if sorted != old {
            return Err(Refusal::Names { given: new, digits: old });
        }
        let ends = is_complement(&new).then_some(ends);
        Ok(Resolved { old, new, ends })
    }
}

impl Resolved {
    /// The name of a digit; what is no digit of the puzzle stays.
    fn name(&self, digit: u8) -> u8 {
        self.old.binary_search(&digit).map_or(digit, |rank| self.new[rank])
    }

    /// What becomes of a group; `None` where no clue stands for its clue.
    pub(super) fn group(&self, group: &Group) -> Option<Group> {
        let clue = match group.clue {
            Some(clue) if is_given(group) => {
                let name = |target: u8| i64::from(self.name(target));
                Some(Clue { target: u8::try_from(clue.target).map_or(clue.target, name), ..clue })
            }
            Some(clue) if self.old != self.new => Some(complement(clue, group.cells.len(), self.ends?)?),
            clue => clue,
        };
        Some(Group { clue, ..group.clone() })
    }
}

/// The puzzle with its digits under other names.
///
/// # Errors
/// Names that are not its digits, and [`Refusal::Clue`] for a clue that they would make another.
pub fn relabelled(puzzle: &Puzzle, names: &Names) -> Result<Puzzle, Refusal> {
    let names = names.resolved(puzzle)?;
    let group =
        |group: &Group| names.group(group).ok_or_else(|| Refusal::Clue { group: puzzle.group_name(group) });
    let groups = puzzle.groups().iter().map(group).collect::<Result<Vec<_>, _>>()?;
    let shape = (puzzle.rows(), puzzle.cols());
    let black = (0..shape.0 * shape.1).map(|cell| puzzle.is_black(cell)).collect();
    let image = Puzzle::new(puzzle.kind, shape, puzzle.digits().clone(), black, groups);
    let mut image = image.expect("the groups of a puzzle with other clues");
    image.id.clone_from(&puzzle.id);
    image.meta.clone_from(&puzzle.meta);
    image.solution = puzzle.solution.as_ref().map(|solution| {
        let cells = solution.cells().iter().map(|cell| cell.map(|digit| names.name(digit))).collect();
        Grid::from_cells(shape.0, shape.1, cells)
    });
    Ok(image)
}
