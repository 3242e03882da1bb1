//! Which cells of a puzzle may change places, besides that it may be turned; rows and columns in another order.

use super::Refusal;
use super::digits::is_given;
use super::image::{inverse, moved, white_cells};
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
        // Givens may stand anywhere: they move with their cells.
        let mut groups: Vec<&Group> = puzzle.groups().iter().collect();
        groups.retain(|group| !is_given(group));
        if is_magic(puzzle, &groups) {
            return Self::Alike;
        }
        let n = puzzle.rows();
        if n != puzzle.cols() || white_cells(puzzle).len() < n * n {
            return Self::Fixed { group: None };
        }
        Self::of_square(puzzle, &groups)
    }

    /// What the groups of a square without black cells allow.
    fn of_square(puzzle: &Puzzle, groups: &[&Group]) -> Self {
        let n = puzzle.rows();
        let (mut lines, mut boxes) = (Vec::new(), Vec::new());
        let mut other = None;
        for group in groups.iter().copied() {
            let is_plain = group.distinct && group.clue.is_none();
            if matches!(group.role, Role::Row | Role::Column) {
                lines.push(group);
            } else if is_plain && group.role == Role::Region {
                boxes.push(group);
            } else if other.is_none() {
                other = Some(group);
            }
        }
        if !are_lines(n, &lines) {
            return Self::held_by(puzzle, lines.first());
        }
        if other.is_some() {
            return Self::held_by(puzzle, other.as_ref());
        }
        // Without boxes all rows are one band.
        if boxes.is_empty() {
            return Self::Lines { band: n, stack: n };
        }
        let mut cells = Vec::new();
        for group in &boxes {
            cells.push(group.cells.clone());
        }
        for band in 1..=n {
            let stack = n / band;
            if n.is_multiple_of(band) && box_cells(n, (band, stack)).eq(cells.iter().cloned()) {
                return Self::Lines { band, stack };
            }
        }
        Self::held_by(puzzle, boxes.first())
    }

    fn held_by(puzzle: &Puzzle, group: Option<&&Group>) -> Self {
        Self::Fixed { group: group.map(|group| puzzle.group_name(group)) }
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
                if !keeps_sets(rows, *band) {
                    return Err(Refusal::Boxes { lines: "rows", set: "band", size: *band });
                }
                if !keeps_sets(columns, *stack) {
                    return Err(Refusal::Boxes { lines: "columns", set: "stack", size: *stack });
                }
                Ok(())
            }
            Self::Alike => {
                let n = rows.len();
                let is_central = (0..n).all(|line| rows[line] + rows[n - 1 - line] == n - 1);
                // Columns in the reverse order of the rows exchange the two diagonals.
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

/// The puzzle with its rows and columns in these orders, each a list of old indices from 0: the first row of the image is
/// `rows[0]`. Without a list they stay.
///
/// # Errors
/// [`Refusal`] for a list that is no order, and for an order that makes another puzzle.
pub fn reordered(
    puzzle: &Puzzle,
    rows: Option<&[usize]>,
    columns: Option<&[usize]>,
) -> Result<Puzzle, Refusal> {
    let freedom = Freedom::of(puzzle);
    let rows = place_of("rows", rows, puzzle.rows())?;
    let columns = place_of("columns", columns, puzzle.cols())?;
    freedom.check(&inverse(&rows), &inverse(&columns))?;
    Ok(moved(puzzle, &rows, &columns))
}

/// The place of every line in an order; its own without one.
fn place_of(lines: &'static str, order: Option<&[usize]>, count: usize) -> Result<Vec<usize>, Refusal> {
    let Some(order) = order else { return Ok((0..count).collect()) };
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if !sorted.iter().copied().eq(0..count) {
        let given = order.iter().map(|line| line.saturating_add(1)).collect();
        return Err(Refusal::Order { lines, given, count });
    }
    Ok(inverse(order))
}

/// Says whether an order keeps the lines of each set side by side.
fn keeps_sets(order: &[usize], size: usize) -> bool {
    for set in order.chunks(size) {
        if set.iter().any(|line| line / size != set[0] / size) {
            return false;
        }
    }
    true
}

/// Says whether groups are the rows and columns of a square, all of them, in order, without clues.
fn are_lines(n: usize, groups: &[&Group]) -> bool {
    if groups.len() != 2 * n {
        return false;
    }
    for (line, group) in groups.iter().enumerate() {
        let is_plain = group.distinct && group.clue.is_none();
        let cells: Vec<usize> = if line < n {
            (line * n..(line + 1) * n).collect()
        } else {
            (line - n..n * n).step_by(n).collect()
        };
        if !is_plain || group.cells != cells {
            return false;
        }
    }
    true
}
