//! Which cells of a puzzle may change places, besides that it may be turned.

use super::Refusal;
use super::digits::is_given;
use kenga_core::puzzle::{Group, Kind, Magic, Puzzle, Role, box_cells};

/// What may change places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Freedom {
    /// The vertices of a graph, all with each other.
    Vertices,
    /// Rows within a band, and bands as a whole; columns within a stack, and stacks as a whole. All rows of a Latin square
    /// are one band.
    Lines {
        /// Rows of a band.
        band: usize,
        /// Columns of a stack.
        stack: usize,
    },
    /// Rows and columns of a magic square, alike and so that both diagonals stay diagonals.
    Alike,
    /// Nothing: the puzzle turns as a whole.
    Fixed {
        /// The first group that is no line, box or given, in words.
        group: Option<String>,
    },
}

impl Freedom {
    /// What the groups of a puzzle allow.
    pub(crate) fn of(puzzle: &Puzzle) -> Self {
        match puzzle.kind {
            Kind::Coloring => return Self::Vertices,
            Kind::Queens => return Self::Fixed { group: None },
            _ => {}
        }
        let groups: Vec<&Group> = puzzle.groups().iter().filter(|group| !is_given(group)).collect();
        if is_magic(puzzle, &groups) {
            return Self::Alike;
        }
        let held =
            |group: Option<&&Group>| Self::Fixed { group: group.map(|group| puzzle.group_name(group)) };
        let n = puzzle.rows();
        if n != puzzle.cols() || (0..n * n).any(|cell| puzzle.is_black(cell)) {
            return held(None);
        }
        let (lines, others): (Vec<&Group>, Vec<&Group>) =
            groups.into_iter().partition(|group| matches!(group.role, Role::Row | Role::Column));
        let is_plain = |group: &&Group| group.distinct && group.clue.is_none();
        let expected = (0..2 * n).map(|line| line_cells(n, line));
        if !lines.iter().all(is_plain) || !lines.iter().map(|line| line.cells.clone()).eq(expected) {
            return held(lines.first());
        }
        let is_region = |group: &&Group| is_plain(group) && group.role == Role::Region;
        if let Some(group) = others.iter().find(|group| !is_region(group)) {
            return held(Some(group));
        }
        if others.is_empty() {
            return Self::Lines { band: n, stack: n };
        }
        let shapes = (1..=n).filter(|rows| n.is_multiple_of(*rows)).map(|rows| (rows, n / rows));
        let fits =
            |shape: &(usize, usize)| others.iter().map(|group| group.cells.clone()).eq(box_cells(n, *shape));
        shapes
            .into_iter()
            .find(fits)
            .map_or_else(|| held(others.first()), |(band, stack)| Self::Lines { band, stack })
    }

    /// Refuses an order of rows or columns, each a list of old indices, that would make another puzzle.
    ///
    /// # Errors
    /// What holds the rows and columns, or how they may change places.
    pub(super) fn check(&self, rows: &[usize], columns: &[usize]) -> Result<(), Refusal> {
        match self {
            Self::Vertices => Err(Refusal::Graph),
            Self::Fixed { group } => Err(Refusal::Held { group: group.clone() }),
            Self::Lines { band, stack } => {
                let keeps = |order: &[usize], size: usize| {
                    order.chunks(size).all(|set| set.iter().all(|line| line / size == set[0] / size))
                };
                if !keeps(rows, *band) {
                    return Err(Refusal::Boxes { lines: "rows", set: "band", size: *band });
                }
                if !keeps(columns, *stack) {
                    return Err(Refusal::Boxes { lines: "columns", set: "stack", size: *stack });
                }
                Ok(())
            }
            Self::Alike => {
                let n = rows.len();
                let is_central = (0..n).all(|line| rows[line] + rows[n - 1 - line] == n - 1);
                let alike = columns == rows || columns.iter().eq(rows.iter().rev());
                if is_central && alike { Ok(()) } else { Err(Refusal::Diagonals) }
            }
        }
    }
}

/// Says whether these are the groups of a magic square: its sums, and all digits different.
fn is_magic(puzzle: &Puzzle, groups: &[&Group]) -> bool {
    let Some(clue) = groups.first().and_then(|group| group.clue) else { return false };
    if puzzle.kind != Kind::Magic || puzzle.rows() < 2 {
        return false;
    }
    let digits = Some(puzzle.digits().values().to_vec());
    let magic = Magic { digits, target: Some(clue.target), ..Magic::new(puzzle.rows()) };
    magic.build().is_ok_and(|magic| magic.groups().iter().eq(groups.iter().copied()))
}

/// The cells of a row, or of a column where the number is `n` or more.
fn line_cells(n: usize, line: usize) -> Vec<usize> {
    match line.checked_sub(n) {
        None => (0..n).map(|column| line * n + column).collect(),
        Some(column) => (0..n).map(|row| row * n + column).collect(),
    }
}
