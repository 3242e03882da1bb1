//! Any bytes as puzzles: readers never panic, errors show a place, what is read comes back from every writer that takes it,
//! and the referee, the solver and brute force agree about the tiny ones.

#![no_main]

use kenga::budget::Interrupt;
use kenga::problem::Problem;
use kenga::puzzle::{Grid, Puzzle, check, formats};
use kenga::solver::{self, Limits, Status};
use libfuzzer_sys::fuzz_target;
use miette::GraphicalReportHandler;

/// Grids that brute force looks at, at most.
const FEW: u32 = 5_000;

fuzz_target!(|bytes: &[u8]| {
    for result in formats::read("fuzz", bytes) {
        match result {
            Ok(puzzle) => examine(&puzzle),
            Err(error) => {
                let mut shown = String::new();
                GraphicalReportHandler::new().render_report(&mut shown, &error).expect("it renders");
                assert!(shown.contains("[fuzz:"), "no place in {shown}");
            }
        }
    }
});

fn examine(puzzle: &Puzzle) {
    for format in formats::TABLE.iter().filter(|format| format.is_written()) {
        let Ok(text) = formats::write(puzzle, format) else {
            assert_ne!(format.name, "json", "json holds every puzzle");
            continue;
        };
        let again = formats::read("again", text.as_bytes()).remove(0);
        let again = again.unwrap_or_else(|error| panic!("{} writes what is not read: {error}\n{text}", format.name));
        assert_eq!(again.canonical_text(), puzzle.canonical_text(), "{}:\n{text}", format.name);
        assert_eq!(again.kind, puzzle.kind, "{}", format.name);
        if format.name == "json" {
            assert_eq!(&again, puzzle);
        }
    }
    let open = (0..puzzle.rows() * puzzle.cols()).filter(|cell| !puzzle.is_black(*cell)).count();
    let grids = (puzzle.digits().values().len() as u32).checked_pow(open as u32);
    if let Some(grids) = grids.filter(|grids| *grids <= FEW) {
        agree(puzzle, grids);
    }
}

/// The solver finds exactly the grids that the referee lets pass.
fn agree(puzzle: &Puzzle, grids: u32) {
    let problem = Problem::compile(puzzle);
    let limits = Limits { solutions: u64::from(grids) + 1, ..Limits::default() };
    let mut found = Vec::new();
    let outcome = solver::solve(&problem, &limits, &Interrupt::default(), &mut |ranks| found.push(problem.grid(ranks).to_string()));
    let mut right: Vec<String> = (0..grids)
        .map(|code| grid(puzzle, code))
        .filter(|grid| check(puzzle, grid).is_solution())
        .map(|grid| grid.to_string())
        .collect();
    found.sort_unstable();
    right.sort_unstable();
    assert_eq!(found, right, "{}", puzzle.canonical_text());
    assert_eq!(outcome.status == Status::Unsolvable, right.is_empty());
}

/// One of all ways to put digits into the white cells.
fn grid(puzzle: &Puzzle, mut code: u32) -> Grid {
    let digits = puzzle.digits().values();
    let mut grid = Grid::empty(puzzle.rows(), puzzle.cols());
    for cell in (0..puzzle.rows() * puzzle.cols()).filter(|cell| !puzzle.is_black(*cell)) {
        grid.set(cell, Some(digits[code as usize % digits.len()]));
        code /= digits.len() as u32;
    }
    grid
}
