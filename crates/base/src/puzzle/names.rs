//! How texts name what a puzzle consists of: rows, groups and clues, the same in every text; and the names in files.

use super::{Clue, Group, Puzzle, Role, cell_name};

impl Clue {
    /// The clue with the signs that people write: `8×`, `2÷`, `1−`.
    pub fn printed(&self) -> String {
        let text = self.to_string();
        match self.operator.symbol {
            "*" => text.replace('*', "×"),
            "/" => text.replace('/', "÷"),
            "-" => text.replace('-', "−"),
            _ => text,
        }
    }
}

#[doc(hidden)]
impl Puzzle {
    /// The name of a row of cells, as in the names of its cells: `B`.
    pub fn row_name(row: usize) -> String {
        cell_name(row, 0).trim_end_matches(|letter: char| letter.is_ascii_digit()).to_owned()
    }

    /// A group in words: `row B`, `column 3`, `cage 8× at A1`, `pair A1 B2`.
    pub fn group_name(&self, group: &Group) -> String {
        let first = group.cells[0];
        match (group.role, &group.clue) {
            (Role::Row, None) => format!("row {}", Self::row_name(first / self.cols())),
            (role, Some(clue)) => format!("{role} {} at {}", clue.printed(), self.cell_name(first)),
            _ => self.group_key(group),
        }
    }

    /// The name of a group in files, which never changes: `row 2`, `column 3`, `cage 8* at A1`, `pair A1 B2`.
    pub fn group_key(&self, group: &Group) -> String {
        let first = group.cells[0];
        match (group.role, &group.clue) {
            (Role::Row, None) => format!("row {}", first / self.cols() + 1),
            (Role::Column, None) => format!("column {}", first % self.cols() + 1),
            (Role::Group, None) if group.cells.len() == 2 => {
                format!("pair {} {}", self.cell_name(first), self.cell_name(group.cells[1]))
            }
            (role, None) => format!("{role} at {}", self.cell_name(first)),
            (role, Some(clue)) => format!("{role} {clue} at {}", self.cell_name(first)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::puzzle::formats;

    #[test]
    fn texts_have_letters_and_signs_and_files_keep_their_own() {
        let puzzle = formats::read("p", b"2\n2* A1 A2\n1- B1 B2\n").remove(0);
        let puzzle = puzzle.unwrap_or_else(|error| panic!("{error}"));
        let (mut names, mut keys) = (Vec::new(), Vec::new());
        for group in puzzle.groups() {
            names.push(puzzle.group_name(group));
            keys.push(puzzle.group_key(group));
        }
        assert_eq!(names[..4], ["row A", "row B", "column 1", "column 2"]);
        assert_eq!(names[4..], ["cage 2× at A1", "cage 1− at B1"]);
        assert_eq!(keys[1..], ["row 2", "column 1", "column 2", "cage 2* at A1", "cage 1- at B1"]);
    }
}
