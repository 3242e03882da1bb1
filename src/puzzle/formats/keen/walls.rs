//! The walls between cells, and the cages that they part.

/// The inner edges of a grid in Keen's order: the two cells on either side, row-major.
pub(super) fn edges(size: usize) -> impl Iterator<Item = (usize, usize)> {
    let inner = move |line: usize| (0..size - 1).map(move |step| (line, step));
    let across =
        (0..size).flat_map(inner).map(move |(row, column)| (row * size + column, row * size + column + 1));
    let down =
        (0..size).flat_map(inner).map(move |(column, row)| (row * size + column, (row + 1) * size + column));
    across.chain(down)
}

/// The number of the cage of every cell, where `open` edges join cells; cages are numbered by first cell.
pub(in super::super) fn cages(size: usize, open: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..size * size).collect();
    for (a, b) in open {
        let (a, b) = (root(&parent, a), root(&parent, b));
        parent[a.max(b)] = a.min(b);
    }
    let mut numbers = vec![0; size * size];
    let mut count = 0;
    for cell in 0..size * size {
        let first = root(&parent, cell);
        numbers[cell] = if first == cell { count } else { numbers[first] };
        count += usize::from(first == cell);
    }
    numbers
}

fn root(parent: &[usize], mut cell: usize) -> usize {
    while parent[cell] != cell {
        cell = parent[cell];
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_across_by_rows_then_down_by_columns() {
        let edges: Vec<_> = edges(3).collect();
        assert_eq!(edges[..4], [(0, 1), (1, 2), (3, 4), (4, 5)]);
        assert_eq!(edges[6..9], [(0, 3), (3, 6), (1, 4)]);
        assert_eq!(edges.len(), 12);
    }

    #[test]
    fn any_path_of_open_edges_makes_one_cage() {
        assert_eq!(cages(2, [(2, 3), (1, 3)].into_iter()), [0, 1, 1, 1]);
        assert_eq!(cages(2, [(0, 2), (1, 3)].into_iter()), [0, 1, 0, 1]);
    }
}
