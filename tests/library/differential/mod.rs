//! The exact solver against others that share no code with it: a SAT solver on the puzzle's clauses, and brute force.
//! Every solution is judged by the referee.

mod puzzles;
mod sat;

use std::collections::BTreeMap;

use kenga::budget::Interrupt;
use kenga::problem::Problem;
use kenga::puzzle::{Grid, Puzzle, check};
use kenga::solver::{self, Limits, Status};

/// How many puzzles had which status.
type Tally = BTreeMap<&'static str, usize>;

/// At most `limit` solutions, and what they establish.
fn solve(puzzle: &Puzzle, limit: usize) -> (Vec<Grid>, Status) {
    let problem = Problem::compile(puzzle);
    let limits = Limits { solutions: limit as u64, ..Limits::default() };
    let mut found = Vec::new();
    let outcome = solver::solve(&problem, &limits, &Interrupt::default(), &mut |ranks| {
        found.push(problem.grid(ranks));
    });
    (found, outcome.status)
}

fn judge(puzzle: &Puzzle, found: &[Grid]) {
    for grid in found {
        assert!(check(puzzle, grid).is_solution(), "{grid} is no solution of {}", puzzle.canonical_text());
    }
    let mut texts: Vec<String> = found.iter().map(Grid::to_string).collect();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), found.len(), "solutions differ: {}", puzzle.canonical_text());
}

/// The solver and the clauses agree: no solution, the same one, or several.
fn agrees_with_clauses(puzzle: &Puzzle, tally: &mut Tally) {
    let (found, status) = solve(puzzle, 2);
    let by_clauses = sat::solve(puzzle, 2);
    judge(puzzle, &found);
    judge(puzzle, &by_clauses);
    assert_eq!(found.len(), by_clauses.len(), "{status:?}: {}", puzzle.canonical_text());
    if status == Status::Unique {
        assert_eq!(found, by_clauses, "{}", puzzle.canonical_text());
    }
    *tally.entry(status.name()).or_default() += 1;
}

/// All solutions of the solver, and of the clauses, are all that the referee accepts of `squares` (ranks, row-major).
fn agrees_with_squares(puzzle: &Puzzle, squares: &[Vec<usize>], tally: &mut Tally) {
    let digit = |rank: &usize| Some(puzzle.digits().values()[*rank]);
    let grid = |ranks: &Vec<usize>| {
        Grid::from_cells(puzzle.rows(), puzzle.cols(), ranks.iter().map(digit).collect())
    };
    let accepted = squares.iter().map(grid).filter(|grid| check(puzzle, grid).is_solution());
    let mut expected: Vec<String> = accepted.map(|grid| grid.to_string()).collect();
    expected.sort();
    let (found, status) = solve(puzzle, usize::MAX);
    for found in [found, sat::solve(puzzle, 600)] {
        let mut found: Vec<String> = found.iter().map(Grid::to_string).collect();
        found.sort();
        assert_eq!(found, expected, "{}", puzzle.canonical_text());
    }
    *tally.entry(status.name()).or_default() += 1;
}

/// Every Latin square of this size.
fn latin_squares(size: usize) -> Vec<Vec<usize>> {
    let mut squares = vec![Vec::new()];
    for cell in 0..size * size {
        let (row, column) = (cell / size, cell % size);
        let extend = |square: Vec<usize>| {
            let taken = |rank: usize| {
                let mut row = square[row * size..].iter();
                row.any(|r| *r == rank)
                    || (0..row_count(&square, size)).any(|r| square[r * size + column] == rank)
            };
            let free: Vec<usize> = (0..size).filter(|rank| !taken(*rank)).collect();
            free.into_iter().map(move |rank| [square.as_slice(), &[rank]].concat())
        };
        squares = squares.into_iter().flat_map(extend).collect();
    }
    squares
}

/// The complete rows of a square that is being filled.
fn row_count(square: &[usize], size: usize) -> usize {
    square.len() / size
}

/// How many random puzzles a test tries: an eighth every day.
fn cases(all: u64) -> u64 {
    kenga_testing::size(all / 8, all)
}

fn has_every_status(tally: &Tally, least: usize) {
    for status in [Status::Unique, Status::Multiple, Status::Unsolvable] {
        assert!(tally.get(status.name()).is_some_and(|count| *count >= least), "{tally:?}");
    }
}

#[test]
fn kenkens_of_every_operator_up_to_nine_by_nine_agree_with_their_clauses() {
    let mut tally = Tally::new();
    for index in 0..cases(240) {
        let mut rng = puzzles::rng("kenken", index);
        let size = 2 + index as usize % 8;
        agrees_with_clauses(&puzzles::kenken(size, 4, &mut rng), &mut tally);
    }
    has_every_status(&tally, 2);
}

#[test]
fn kenkens_of_large_cages_agree_with_their_clauses() {
    let mut tally = Tally::new();
    for index in 0..cases(60) {
        let mut rng = puzzles::rng("large cages", index);
        let size = 4 + index as usize % 4;
        agrees_with_clauses(&puzzles::kenken(size, 12, &mut rng), &mut tally);
        agrees_with_clauses(&puzzles::half_solved(size, 12, &mut rng), &mut tally);
    }
    has_every_status(&tally, 1);
}

#[test]
fn sudokus_killers_and_latin_squares_agree_with_their_clauses() {
    let mut tally = Tally::new();
    let shapes = [(2, 2), (2, 3), (2, 4), (3, 3)];
    for index in 0..cases(120) {
        let mut rng = puzzles::rng("sudoku", index);
        let shape = shapes[index as usize % 4];
        agrees_with_clauses(&puzzles::sudoku(shape, false, &mut rng), &mut tally);
        agrees_with_clauses(&puzzles::sudoku(shape, true, &mut rng), &mut tally);
        agrees_with_clauses(&puzzles::latin(1 + index as usize % 9, &mut rng), &mut tally);
    }
    has_every_status(&tally, 2);
}

#[test]
fn graphs_agree_with_their_clauses() {
    let mut tally = Tally::new();
    for index in 0..cases(200) {
        let mut rng = puzzles::rng("graphs", index);
        agrees_with_clauses(&puzzles::coloring(1 + index as usize % 12, &mut rng), &mut tally);
    }
    // Colours that may be exchanged leave no solution alone.
    assert!(["multiple", "unsolvable"].iter().all(|status| tally.get(status) >= Some(&2)), "{tally:?}");
}

#[test]
fn futoshikis_magic_squares_and_queens_agree_with_their_clauses() {
    let mut tally = Tally::new();
    for index in 0..cases(120) {
        let mut rng = puzzles::rng("signs", index);
        agrees_with_clauses(&puzzles::futoshiki(1 + index as usize % 9, &mut rng), &mut tally);
        agrees_with_clauses(&puzzles::magic(&mut rng), &mut tally);
        agrees_with_clauses(&puzzles::queens(1 + index as usize % 9, &mut rng), &mut tally);
    }
    has_every_status(&tally, 2);
}

#[test]
fn kakuros_agree_with_their_clauses() {
    let mut tally = Tally::new();
    for index in 0..cases(120) {
        let mut rng = puzzles::rng("kakuro", index);
        let (rows, cols) = (1 + rng.below(9), 2 + rng.below(8));
        agrees_with_clauses(&puzzles::kakuro(rows, cols, &mut rng), &mut tally);
    }
    has_every_status(&tally, 1);
}

#[test]
fn thousands_of_kenkens_agree_with_brute_force() {
    let mut tally = Tally::new();
    let squares: Vec<Vec<Vec<usize>>> = (0..=4).map(latin_squares).collect();
    assert_eq!(squares.iter().map(Vec::len).collect::<Vec<usize>>(), [1, 1, 2, 12, 576]);
    for index in 0..kenga_testing::size(120, 2000) {
        let mut rng = puzzles::rng("brute force", index);
        let size = if index % 8 == 0 { 1 + index as usize / 8 % 3 } else { 3 + index as usize % 2 };
        let most = 1 + rng.below(6);
        agrees_with_squares(&puzzles::kenken(size, most, &mut rng), &squares[size], &mut tally);
    }
    has_every_status(&tally, 20);
}

/// Every assignment, cell by cell, that the referee does not contradict; all or more than `limit`.
fn brute_force(puzzle: &Puzzle, limit: usize) -> Vec<String> {
    fn extend(puzzle: &Puzzle, grid: &mut Grid, cell: usize, limit: usize, found: &mut Vec<String>) {
        if cell == grid.cells().len() {
            return found.push(grid.to_string());
        }
        for &digit in puzzle.digits().values() {
            grid.set(cell, Some(digit));
            if found.len() <= limit && check(puzzle, grid).is_consistent() {
                extend(puzzle, grid, cell + 1, limit, found);
            }
        }
        grid.set(cell, None);
    }
    let mut found = Vec::new();
    extend(puzzle, &mut Grid::empty(puzzle.rows(), puzzle.cols()), 0, limit, &mut found);
    found
}

#[test]
fn five_by_five_agrees_with_brute_force() {
    let mut tally = Tally::new();
    for index in 0..cases(60) {
        let mut rng = puzzles::rng("five", index);
        let puzzle = puzzles::kenken(5, 1 + index as usize % 4, &mut rng);
        let mut expected = brute_force(&puzzle, 100);
        expected.sort();
        let (found, status) = solve(&puzzle, expected.len() + 1);
        if expected.len() <= 100 {
            let mut found: Vec<String> = found.iter().map(Grid::to_string).collect();
            found.sort();
            assert_eq!(found, expected, "{}", puzzle.canonical_text());
        } else {
            assert!(found.len() > 100, "{}", puzzle.canonical_text());
        }
        *tally.entry(status.name()).or_default() += 1;
    }
    has_every_status(&tally, 1);
}

/// Every partition of a 3x3 grid into connected cages, from the owner of every cell.
fn layouts() -> Vec<Vec<Vec<(usize, usize)>>> {
    let mut layouts: Vec<Vec<Vec<(usize, usize)>>> = vec![Vec::new()];
    for cell in (0..9).map(|cell| (cell / 3, cell % 3)) {
        let joined = |layout: Vec<Vec<(usize, usize)>>| {
            (0..=layout.len()).map(move |index| {
                let mut layout = layout.clone();
                layout.resize(layout.len().max(index + 1), Vec::new());
                layout[index].push(cell);
                layout
            })
        };
        layouts = layouts.into_iter().flat_map(joined).collect();
    }
    layouts.retain(|layout| layout.iter().all(|cage| is_connected(cage)));
    layouts
}

fn is_connected(cage: &[(usize, usize)]) -> bool {
    let touches = |a: (usize, usize), b: (usize, usize)| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
    let mut reached = vec![cage[0]];
    while let Some(next) =
        cage.iter().find(|cell| !reached.contains(cell) && reached.iter().any(|from| touches(*from, **cell)))
    {
        reached.push(*next);
    }
    reached.len() == cage.len()
}

#[test]
fn every_layout_of_three_by_three_agrees_with_brute_force() {
    let (layouts, squares) = (layouts(), latin_squares(3));
    assert_eq!(layouts.len(), 1434);
    let mut tally = Tally::new();
    for (index, layout) in layouts.into_iter().enumerate().step_by(kenga_testing::size(4, 1)) {
        let mut rng = puzzles::rng("layout", index as u64);
        agrees_with_squares(&puzzles::plain(layout, 3, &mut rng), &squares, &mut tally);
    }
    has_every_status(&tally, kenga_testing::size(10, 100));
}
