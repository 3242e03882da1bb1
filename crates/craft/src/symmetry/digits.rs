//! Digits under other names.

use super::Refusal;
use super::clue::complement;
use super::image::{black_cells, named_as};
use kenga_core::puzzle::{Clue, Group, Puzzle};

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
        match Names::Complement.resolved(puzzle) {
            Ok(names) if puzzle.groups().iter().all(|group| names.group(group).is_some()) => Self::Complement,
            _ => Self::Own,
        }
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
        let new = match self {
            Self::Complement => {
                let mut new = old.clone();
                new.reverse();
                new
            }
            Self::Of(new) => new.clone(),
        };
        let mut sorted = new.clone();
        sorted.sort_unstable();
        if sorted != old {
            return Err(Refusal::Names { given: new, digits: old });
        }
        // In reverse the digits are complements only where they are spaced alike from both ends.
        let ends = i64::from(old[0]) + i64::from(old[old.len() - 1]);
        let mut pairs = old.iter().zip(&new);
        let is_complement = pairs.all(|(old, new)| i64::from(*old) + i64::from(*new) == ends);
        if *self == Self::Complement && !is_complement {
            return Err(Refusal::Lopsided { digits: old });
        }
        Ok(Resolved { old, new, ends: is_complement.then_some(ends) })
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
                // A digit that the puzzle does not have is a contradiction, and stays one.
                let target =
                    u8::try_from(clue.target).map_or(clue.target, |digit| i64::from(self.name(digit)));
                Some(Clue { target, ..clue })
            }
            // A name for itself changes no clue; other names only those that have a complement.
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
    let mut groups = Vec::new();
    for group in puzzle.groups() {
        let Some(renamed) = names.group(group) else {
            return Err(Refusal::Clue { group: puzzle.group_name(group) });
        };
        groups.push(renamed);
    }
    let shape = (puzzle.rows(), puzzle.cols());
    let image = Puzzle::new(puzzle.kind, shape, puzzle.digits().clone(), black_cells(puzzle), groups);
    let mut image = named_as(puzzle, image.expect("the groups of a puzzle with other clues"));
    if let Some(solution) = &puzzle.solution {
        let mut renamed = solution.clone();
        for cell in 0..solution.cells().len() {
            if let Some(digit) = solution.get(cell) {
                renamed.set(cell, Some(names.name(digit)));
            }
        }
        image.solution = Some(renamed);
    }
    Ok(image)
}
