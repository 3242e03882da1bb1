//! The text of the program, read back and compared with the referee.

use std::collections::BTreeMap;

use super::*;
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::operators::{self, Operator};
use kenga_core::puzzle::{Clue, DigitSet, Grid, Group, Kind, Puzzle, Role, check, formats};
use kenga_core::solver::{Limits, solve};

/// A row of a program: variables by index with their factors, a relation, and the right side.
struct Inequality {
    terms: Vec<(i64, usize)>,
    sense: String,
    right: i64,
}

/// A program as a solver reads it: nothing but rows over binary variables.
#[derive(Default)]
struct Binary {
    rows: Vec<Inequality>,
    names: BTreeMap<String, usize>,
}

impl Binary {
    fn read(text: &str) -> Self {
        assert!(text.lines().all(|line| line.len() <= 200), "no long lines");
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('\\')).collect();
        let words = lines.join(" ");
        let (_, words) = words.split_once("Subject To").expect("rows");
        let (rows, names) = words.split_once("Binaries").expect("binaries");
        let (names, end) = names.split_once("End").expect("an end");
        assert!(end.trim().is_empty());
        let names: Vec<&str> = names.split_whitespace().collect();
        let mut program = Self::default();
        for (index, name) in names.iter().enumerate() {
            assert_eq!(program.names.insert((*name).to_owned(), index), None, "{name} is declared once");
        }
        let (mut terms, mut sign, mut factor) = (Vec::new(), 1, 1);
        let mut rest = rows.split_whitespace();
        while let Some(word) = rest.next() {
            match word {
                "+" | "-" => sign = if word == "+" { 1 } else { -1 },
                "=" | "<=" | ">=" => {
                    let right = rest.next().expect("a right side").parse().expect("a number");
                    program.rows.push(Inequality {
                        terms: std::mem::take(&mut terms),
                        sense: word.to_owned(),
                        right,
                    });
                }
                word => match word.parse() {
                    Ok(number) => factor = number,
                    Err(_) => {
                        terms.push((sign * factor, program.names[word]));
                        (sign, factor) = (1, 1);
                    }
                },
            }
        }
        assert!(program.rows.iter().all(|row| !row.terms.is_empty()), "every row has a term");
        program
    }

    /// Says whether some values of the other variables make every row true when the cells hold these digits.
    fn allows(&self, puzzle: &Puzzle, grid: &Grid) -> bool {
        let mut values = vec![None; self.names.len()];
        for cell in (0..puzzle.rows() * puzzle.cols()).filter(|cell| !puzzle.is_black(*cell)) {
            for digit in puzzle.digits().values() {
                let variable = self.names[&format!("x_{}_{digit}", puzzle.cell_name(cell))];
                values[variable] = Some(grid.get(cell) == Some(*digit));
            }
        }
        self.complete(values)
    }

    fn complete(&self, mut values: Vec<Option<bool>>) -> bool {
        if !self.propagate(&mut values) {
            return false;
        }
        let Some(open) = values.iter().position(Option::is_none) else { return true };
        [true, false].into_iter().any(|value| {
            let mut next = values.clone();
            next[open] = Some(value);
            self.complete(next)
        })
    }

    /// Sets the variables with one value left, row by row; false when a row can no longer be true.
    fn propagate(&self, values: &mut [Option<bool>]) -> bool {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for row in &self.rows {
                let (mut least, mut greatest) = (0, 0);
                for &(factor, variable) in &row.terms {
                    least += values[variable].map_or(factor.min(0), |value| factor * i64::from(value));
                    greatest += values[variable].map_or(factor.max(0), |value| factor * i64::from(value));
                }
                let fits = |least: i64, greatest: i64| {
                    (row.sense == ">=" || least <= row.right) && (row.sense == "<=" || greatest >= row.right)
                };
                if !fits(least, greatest) {
                    return false;
                }
                for &(factor, variable) in row.terms.iter().filter(|term| values[term.1].is_none()) {
                    let (low, high) = (least - factor.min(0), greatest - factor.max(0));
                    let one = fits(low + factor, high + factor);
                    if one != fits(low, high) {
                        values[variable] = Some(one);
                        changed = true;
                        break;
                    }
                }
            }
        }
        true
    }
}

/// The program with variables for tuples, and with formulas alone.
fn both(puzzle: &Puzzle) -> [Binary; 2] {
    let instance = Instance::new(puzzle);
    [MOST_TUPLES, 0].map(|most| {
        Binary::read(&write_within(&instance, most, MOST_TERMS).expect("a program of a small puzzle"))
    })
}

/// A 3x3 grid whose rows and columns are distinct, with some cages.
fn small(digits: [u8; 3], cages: &[(Operator, i64, &[usize])]) -> Puzzle {
    let line = |role, cells: [usize; 3]| Group { role, cells: cells.to_vec(), distinct: true, clue: None };
    let rows = (0..3).map(|row| line(Role::Row, [3 * row, 3 * row + 1, 3 * row + 2]));
    let columns = (0..3).map(|col| line(Role::Column, [col, col + 3, col + 6]));
    let cages = cages.iter().map(|(operator, target, cells)| {
        let clue = Clue { operator, target: *target };
        Group { role: Role::Cage, cells: cells.to_vec(), distinct: false, clue: Some(clue) }
    });
    let digits = DigitSet::new(digits.to_vec()).expect("three digits");
    let groups = rows.chain(columns).chain(cages).collect();
    Puzzle::new(Kind::KenKen, (3, 3), digits, vec![false; 9], groups).expect("a sound puzzle")
}

fn operator(symbol: &str) -> Operator {
    operators::find(symbol).expect("a known operator")
}

/// Every grid of three rows from a list of rows.
fn grids(rows: &[[u8; 3]]) -> impl Iterator<Item = Grid> + '_ {
    let count = rows.len();
    (0..count.pow(3)).map(move |code| {
        let digits = [code / count / count, code / count % count, code % count].map(|row| rows[row]);
        let mut grid = Grid::empty(3, 3);
        digits.as_flattened().iter().enumerate().for_each(|(cell, digit)| grid.set(cell, Some(*digit)));
        grid
    })
}

fn rows_of(digits: [u8; 3]) -> Vec<[u8; 3]> {
    (0..27).map(|code| [code / 9, code / 3 % 3, code % 3].map(|rank: usize| digits[rank])).collect()
}

#[test]
fn a_program_allows_as_many_grids_as_brute_force_finds() {
    let cages: [(Operator, i64, &[usize]); 3] =
        [(operator("+"), 6, &[0, 1, 3]), (operator("-"), 0, &[2, 4, 5]), (operator("*"), 6, &[6, 7])];
    let puzzle = small([1, 2, 3], &cages);
    let rows = rows_of([1, 2, 3]);
    for program in both(&puzzle) {
        let solutions = grids(&rows).filter(|grid| check(&puzzle, grid).is_solution()).count();
        assert_eq!(solutions, 2);
        assert_eq!(grids(&rows).filter(|grid| program.allows(&puzzle, grid)).count(), solutions);
    }
}

#[test]
fn every_operator_is_stated_as_the_referee_judges_it() {
    let shapes: [&[usize]; 3] = [&[0, 3], &[0, 1, 3], &[1, 4, 5, 8]];
    for (operator, digits) in operators::TABLE.iter().flat_map(|op| [[1, 2, 3], [0, 2, 4]].map(|d| (op, d))) {
        let mut rows = rows_of(digits);
        rows.retain(|[a, b, c]| a != b && b != c && a != c);
        for cells in shapes.iter().filter(|cells| operator.cells.contains(&cells.len())) {
            for target in [0, 2, 6] {
                let puzzle = small(digits, &[(operator, target, cells)]);
                for program in both(&puzzle) {
                    for grid in grids(&rows).step_by(kenga_testing::size(5, 1)) {
                        let expected = check(&puzzle, &grid).is_solution();
                        let allowed = program.allows(&puzzle, &grid);
                        assert_eq!(allowed, expected, "{operator:?} {target} over {cells:?}: {grid}");
                    }
                }
            }
        }
    }
}

#[test]
fn known_solutions_satisfy_the_program_and_their_neighbours_do_not() {
    for name in
        ["futoshiki-6x6", "kakuro-6x6", "killer-6x6", "latin-7x7", "magic-4x4", "queens-8x8", "sudoku-9x9"]
    {
        let file = format!("{}/../../puzzles/family/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read(file).expect("a puzzle of the project");
        let puzzle = formats::read(name, &text).remove(0).expect("a sound puzzle");
        let instance = Instance::new(&puzzle);
        let mut solution = None;
        solve(&instance.problem, &Limits::default(), &Interrupt::default(), &mut |ranks| {
            solution = Some(instance.problem.grid(ranks));
        });
        let solution = solution.expect("it has a solution");
        for program in both(&puzzle) {
            assert!(program.allows(&puzzle, &solution), "{name}");
            let mut other = solution.clone();
            let cell = instance.problem.place(0);
            let digits = puzzle.digits().values();
            other.set(cell, digits.iter().copied().find(|digit| solution.get(cell) != Some(*digit)));
            assert!(!program.allows(&puzzle, &other), "{name}");
        }
    }
}

#[test]
fn a_program_of_too_many_terms_is_refused() {
    let puzzle = small([1, 2, 3], &[(operator("*"), 6, &[0, 1])]);
    let instance = Instance::new(&puzzle);
    let error = write_within(&instance, MOST_TUPLES, 50).expect_err("too many");
    assert!(error.what.ends_with("more than 50 terms"), "{error}");
}
