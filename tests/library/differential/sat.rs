//! Solving a puzzle by its clauses alone: written, read back, given to a SAT solver that knows nothing of puzzles.

use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};
use kenga::models;
use kenga::puzzle::{Grid, Puzzle, parse_cell_name};

/// At most `limit` different solutions.
pub fn solve(puzzle: &Puzzle, limit: usize) -> Vec<Grid> {
    let model = models::find("dimacs").expect("a model of the table");
    let text = model.write(puzzle).expect("clauses hold every puzzle");
    let mut clauses = Clauses::read(&text);
    let mut found = Vec::new();
    while found.len() < limit && clauses.solver.solve_limited(&[]) == lbool::TRUE {
        let mut grid = Grid::empty(puzzle.rows(), puzzle.cols());
        let mut block = Vec::new();
        for &(cell, digit, variable) in &clauses.meanings {
            if clauses.solver.value_var(variable) == lbool::TRUE {
                let index = cell.0 * puzzle.cols() + cell.1;
                assert_eq!(grid.get(index), None, "one digit a cell");
                grid.set(index, Some(digit));
                block.push(Lit::new(variable, false));
            }
        }
        found.push(grid);
        if !clauses.solver.add_clause_reuse(&mut block) {
            break;
        }
    }
    found
}

/// Clauses, and what their comments say.
struct Clauses {
    solver: BasicSolver,
    /// Cell (row and column), digit, and the variable that joins them.
    meanings: Vec<((usize, usize), u8, Var)>,
}

impl Clauses {
    fn read(text: &str) -> Self {
        let mut solver = BasicSolver::default();
        let mut meanings = Vec::new();
        let (mut declared, mut clauses) = ((0, 0), 0);
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |index: usize| words[index].parse::<i64>().expect("a number");
            match words.as_slice() {
                ["c", "cell", name, "digit", digit, "=", _] => {
                    let cell = parse_cell_name(name).expect("a cell's name");
                    let variable = solver.var_of_int(number(6) as u32 - 1);
                    meanings.push((cell, digit.parse().expect("a digit"), variable));
                }
                ["c", ..] => {}
                ["p", "cnf", _, _] => declared = (number(2), number(3)),
                _ => {
                    assert_eq!(words.last(), Some(&"0"), "a clause ends with 0");
                    let literals = (0..words.len() - 1).map(number);
                    assert!(literals.clone().all(|literal| (1..=declared.0).contains(&literal.abs())));
                    let lit = |literal: i64| {
                        Lit::new(solver.var_of_int(literal.unsigned_abs() as u32 - 1), literal > 0)
                    };
                    let mut clause: Vec<Lit> = literals.map(lit).collect();
                    assert!(!clause.is_empty(), "no clause is empty");
                    solver.add_clause_reuse(&mut clause);
                    clauses += 1;
                }
            }
        }
        assert_eq!(clauses, declared.1, "as many clauses as the header says");
        Self { solver, meanings }
    }
}
