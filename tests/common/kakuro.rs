//! Large Kakuro for tests.

use kenga::puzzle::{Entry, Grid, Kakuro, Puzzle};
use kenga::rng::StreamKey;

/// A Kakuro of `shape` (rows, columns) with the digits 1 to `digits`: cells are filled at random one after the other,
/// and black where nothing fits beside and below what is there, or one time in `black`; the fill makes the
/// sums and is the solution that the puzzle comes with.
pub fn kakuro(shape: (usize, usize), digits: u8, black: usize, seed: u64) -> Puzzle {
    let mut rng = StreamKey::run(seed, "test kakuro", u64::from(digits)).rng();
    let (rows, cols) = shape;
    let mut grid = vec![None; rows * cols];
    for cell in (0..rows * cols).filter(|cell| *cell >= cols && cell % cols > 0) {
        let run = |step: usize| {
            (1..).map_while(|k| grid[cell - k * step]).fold(0_u64, |used, digit: u8| used | 1 << digit)
        };
        let used = run(1) | run(cols);
        let free: Vec<u8> = (1..=digits).filter(|digit| used >> digit & 1 == 0).collect();
        grid[cell] =
            if free.is_empty() || rng.below(black) == 0 { None } else { Some(free[rng.below(free.len())]) };
    }
    let mut entries = Vec::new();
    for (start, step) in (0..rows * cols).flat_map(|cell| [(cell, 1), (cell, cols)]) {
        let inside = |cell: usize| cell < rows * cols && (step > 1 || cell / cols == start / cols);
        let next = |k: usize| {
            Some(start + k * step).filter(|cell| inside(*cell)).and_then(|cell| Some((cell, grid[cell]?)))
        };
        let cells: Vec<(usize, u8)> = (1..).map_while(next).collect();
        if grid[start].is_none() && !cells.is_empty() {
            let target = cells.iter().map(|(_, digit)| i64::from(*digit)).sum();
            entries.push(Entry {
                target,
                cells: cells.iter().map(|(cell, _)| (cell / cols, cell % cols)).collect(),
            });
        }
    }
    let kakuro = Kakuro { digits: Some((1..=digits).collect()), ..Kakuro::new(shape, entries) };
    let mut puzzle = kakuro.build().expect("sound entries");
    puzzle.solution = Some(Grid::from_cells(rows, cols, grid));
    puzzle
}
