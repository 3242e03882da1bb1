//! The solver against brute force, and on puzzles that are no KenKen.

use super::build::{build, build_capped};
use super::*;
use crate::puzzle::operators::{self, GIVEN, Operator, TABLE};
use crate::puzzle::{Cage, Clue, DigitSet, Group, Kind, Puzzle, Role, Square, check};
use crate::rng::{RunRng, StreamKey};

fn op(symbol: &str) -> Operator {
    operators::find(symbol).expect("a known operator")
}

fn all() -> Limits {
    Limits { solutions: u64::MAX, ..Limits::default() }
}

/// Every solution as grids in words, and the outcome.
fn solve_all(puzzle: &Puzzle, limits: &Limits) -> (Vec<String>, Outcome) {
    let problem = Problem::compile(puzzle);
    let mut grids = Vec::new();
    let outcome = solve(&problem, limits, &Interrupt::default(), &mut |ranks| {
        let grid = problem.grid(ranks);
        assert!(check(puzzle, &grid).is_solution(), "{grid} of {puzzle:?}");
        grids.push(grid.to_string());
    });
    assert_eq!(outcome.count, grids.len() as u64);
    (grids, outcome)
}

/// The number of solutions that a search with other thresholds and tables of at most `cap` tuples finds.
fn count_with(puzzle: &Puzzle, thresholds: Thresholds, cap: usize) -> u64 {
    let Ok(engine) = build_capped(&Problem::compile(puzzle), cap, &|| false, &mut ()) else { return 0 };
    let (interrupt, clock) = (Interrupt::default(), Clock::start());
    let stop = SearchStop { limits: &all(), interrupt: &interrupt, clock: &clock };
    let found = search::search(engine, stop, thresholds, &mut |_| (), &mut ());
    assert!(found.exhausted);
    found.count
}

/// Every assignment of digits to cells that the referee accepts, row by row with the referee's pruning.
fn brute_force(puzzle: &Puzzle) -> Vec<String> {
    fn extend(puzzle: &Puzzle, grid: &mut crate::puzzle::Grid, cell: usize, found: &mut Vec<String>) {
        if cell == grid.cells().len() {
            found.push(grid.to_string());
            return;
        }
        if puzzle.is_black(cell) {
            return extend(puzzle, grid, cell + 1, found);
        }
        for digit in puzzle.digits().values() {
            grid.set(cell, Some(*digit));
            if check(puzzle, grid).is_consistent() {
                extend(puzzle, grid, cell + 1, found);
            }
        }
        grid.set(cell, None);
    }
    let mut grid = crate::puzzle::Grid::empty(puzzle.rows(), puzzle.cols());
    let mut found = Vec::new();
    extend(puzzle, &mut grid, 0, &mut found);
    found
}

fn assert_agrees(puzzle: &Puzzle) -> usize {
    let (mut grids, outcome) = solve_all(puzzle, &all());
    let mut expected = brute_force(puzzle);
    grids.sort();
    expected.sort();
    assert_eq!(grids, expected, "{}", puzzle.canonical_text());
    assert!(outcome.count_is_exact);
    let (restless, learning) = (
        Thresholds { line_sums: 1, restart: 1, learn: u64::MAX },
        Thresholds { line_sums: 1, restart: 1, learn: 0 },
    );
    for (thresholds, cap) in [(restless, 1000), (learning, 1000), (restless, 2), (learning, 2)] {
        assert_eq!(count_with(puzzle, thresholds, cap), outcome.count, "{}", puzzle.canonical_text());
    }
    let domains = propagate(&Problem::compile(puzzle));
    assert!(domains.is_empty() || domains.0.len() == Problem::compile(puzzle).cells());
    assert!(!domains.is_empty() || expected.is_empty());
    expected.len()
}

/// A partition of an n x n grid into connected cages of at most `most` cells.
fn random_shapes(n: usize, most: usize, rng: &mut RunRng) -> Vec<Vec<(usize, usize)>> {
    let mut owner = vec![None; n * n];
    let mut shapes: Vec<Vec<(usize, usize)>> = Vec::new();
    for cell in 0..n * n {
        if owner[cell].is_some() {
            continue;
        }
        let want = 1 + rng.below(most);
        let mut shape = vec![(cell / n, cell % n)];
        owner[cell] = Some(shapes.len());
        while shape.len() < want {
            let near = |&(row, column): &(usize, usize)| {
                shape.iter().any(|&(r, c)| r.abs_diff(row) + c.abs_diff(column) == 1)
            };
            let free: Vec<(usize, usize)> = (0..n * n)
                .filter(|cell| owner[*cell].is_none())
                .map(|cell| (cell / n, cell % n))
                .filter(near)
                .collect();
            if free.is_empty() {
                break;
            }
            let next = free[rng.below(free.len())];
            owner[next.0 * n + next.1] = Some(shapes.len());
            shape.push(next);
        }
        shapes.push(shape);
    }
    shapes
}

/// A random Latin square of digits, cyclic with its rows, columns and digits shuffled.
fn random_square(digits: &[u8], rng: &mut RunRng) -> Vec<Vec<u8>> {
    let n = digits.len();
    let (mut rows, mut columns, mut symbols): (Vec<usize>, Vec<usize>, Vec<u8>) =
        ((0..n).collect(), (0..n).collect(), digits.to_vec());
    rng.shuffle(&mut rows);
    rng.shuffle(&mut columns);
    rng.shuffle(&mut symbols);
    rows.iter().map(|row| columns.iter().map(|column| symbols[(row + column) % n]).collect()).collect()
}

/// A target that the digits make with the operator, or sometimes one that they may not.
fn target_of(operator: Operator, values: &[u8], rng: &mut RunRng) -> Option<i64> {
    let made: Vec<i64> = (0..300).filter(|target| operator.holds(values, *target)).collect();
    if rng.coin(0.03) { Some(rng.below(12) as i64) } else { made.first().copied() }
}

fn random_cage(shape: Vec<(usize, usize)>, square: &[Vec<u8>], rng: &mut RunRng) -> Cage {
    let values: Vec<u8> = shape.iter().map(|&(row, column)| square[row][column]).collect();
    if let [value] = values.as_slice() {
        return Cage::new(GIVEN, i64::from(*value), shape);
    }
    loop {
        let operator = TABLE.iter().nth(rng.below(TABLE.iter().count())).expect("an index below the count");
        if !operator.cells.contains(&shape.len()) {
            continue;
        }
        if let Some(target) = target_of(operator, &values, rng) {
            return Cage { repeats: rng.coin(0.8), ..Cage::new(operator, target, shape) };
        }
    }
}

#[test]
fn counts_are_those_of_brute_force_on_random_puzzles_of_every_operator() {
    let mut rng = StreamKey::run(1, "solver", 0).rng();
    let mut with_solutions = [0; 3];
    for round in 0..crate::test_size(200, 600) {
        let n = 1 + round % 4;
        let digits: Vec<u8> = match rng.below(4) {
            0 => (0..n as u8).collect(),
            1 => vec![2, 3, 5, 7][..n].to_vec(),
            _ => (1..=n as u8).collect(),
        };
        let square = random_square(&digits, &mut rng);
        let most = 1 + rng.below(5);
        let cages = random_shapes(n, most, &mut rng)
            .into_iter()
            .map(|shape| random_cage(shape, &square, &mut rng))
            .collect();
        let puzzle = Square { digits: Some(digits), ..Square::kenken(n, cages) };
        with_solutions[assert_agrees(&puzzle.build().expect("a sound puzzle")).min(2)] += 1;
    }
    assert!(with_solutions.iter().all(|count| *count > crate::test_size(3, 20)), "{with_solutions:?}");
}

/// Every partition of an n x n grid into connected cages.
fn every_layout(n: usize) -> Vec<Vec<Vec<(usize, usize)>>> {
    let mut layouts: Vec<Vec<Vec<(usize, usize)>>> = vec![Vec::new()];
    for cell in (0..n * n).map(|cell| (cell / n, cell % n)) {
        let extend = |layout: Vec<Vec<(usize, usize)>>| {
            (0..=layout.len()).map(move |index| {
                let mut layout = layout.clone();
                match layout.get_mut(index) {
                    Some(cage) => cage.push(cell),
                    None => layout.push(vec![cell]),
                }
                layout
            })
        };
        layouts = layouts.into_iter().flat_map(extend).collect();
    }
    let sound = |layout: &Vec<Vec<(usize, usize)>>| {
        let cages = layout.iter().map(|cells| Cage::new(op("+"), 1, cells.clone())).collect();
        Square::kenken(n, cages).build().is_ok()
    };
    layouts.retain(sound);
    layouts
}

#[test]
fn counts_are_those_of_brute_force_on_every_layout_up_to_three_by_three() {
    let mut rng = StreamKey::run(2, "solver", 0).rng();
    let sizes = [1, 2, 3].map(|n| {
        let layouts = every_layout(n);
        for layout in layouts.iter().step_by(if n == 3 { crate::test_size(4, 1) } else { 1 }) {
            let digits: Vec<u8> = (1..=n as u8).collect();
            let square = random_square(&digits, &mut rng);
            let cages = layout.iter().map(|shape| random_cage(shape.clone(), &square, &mut rng)).collect();
            assert_agrees(&Square::kenken(n, cages).build().expect("a sound puzzle"));
        }
        layouts.len()
    });
    assert_eq!(sizes, [1, 12, 1434]);
}

#[test]
fn learning_counts_what_the_plain_search_counts_on_larger_grids() {
    let mut rng = StreamKey::run(3, "solver", 0).rng();
    let mut conflicts = 0;
    for round in 0..crate::test_size(12, 36) {
        let n = 6 + round % 3;
        let digits: Vec<u8> = (1..=n as u8).collect();
        let square = random_square(&digits, &mut rng);
        let shapes = random_shapes(n, 3 + round % 4, &mut rng);
        let cages = shapes.into_iter().map(|shape| random_cage(shape, &square, &mut rng)).collect();
        let puzzle = Square::kenken(n, cages).build().expect("a sound puzzle");
        let (_, plain) = solve_all(&puzzle, &Limits { solutions: 1000, ..all() });
        conflicts += plain.failures;
        if plain.count < 1000 {
            for cap in [20, 20_000] {
                let learning = Thresholds { line_sums: 1, restart: 1, learn: 0 };
                assert_eq!(count_with(&puzzle, learning, cap), plain.count, "{}", puzzle.canonical_text());
            }
        }
    }
    assert!(conflicts > crate::test_size(100, 1000), "{conflicts} conflicts teach too little");
}

fn one_cage(n: usize, operator: Operator, target: i64) -> Puzzle {
    let cells = (0..n * n).map(|cell| (cell / n, cell % n)).collect();
    Square::kenken(n, vec![Cage::new(operator, target, cells)]).build().expect("a sound puzzle")
}

#[test]
fn one_cage_over_the_whole_grid_is_every_latin_square_or_none() {
    assert_eq!(solve_all(&one_cage(4, op("+"), 40), &all()).1.count, 576);
    assert_eq!(solve_all(&one_cage(4, op("*"), 331_776), &all()).1.count, 576);
    assert_eq!(solve_all(&one_cage(4, op("+"), 41), &all()).1.status, Status::Unsolvable);
    assert_eq!(solve_all(&one_cage(4, op("*"), 331_777), &all()).1.status, Status::Unsolvable);
    assert_eq!(solve_all(&one_cage(4, op("-"), 0), &Limits::default()).1.status, Status::Unsolvable);
    let some = Limits { solutions: 10, ..all() };
    assert_eq!(solve_all(&one_cage(9, op("+"), 405), &some).1.count, 10);
    assert_eq!(solve_all(&one_cage(9, op("?"), 405), &some).1.count, 10);
    assert_eq!(solve_all(&one_cage(9, op("+"), 729), &Limits::default()).1.status, Status::Unsolvable);
}

#[test]
fn one_cell_is_solved_or_not_by_its_given() {
    let given = |target| Square::kenken(1, vec![Cage::new(GIVEN, target, vec![(0, 0)])]).build();
    assert_eq!(solve_all(&given(1).expect("n = 1"), &all()).0, ["1"]);
    assert_eq!(solve_all(&given(7).expect("n = 1"), &all()).1.status, Status::Unsolvable);
}

#[test]
fn an_absurd_target_makes_the_puzzle_unsolvable_and_its_domains_empty() {
    let row = |row| (0..3).map(|column| (row, column)).collect();
    let cages = vec![
        Cage::new(op("*"), 1_000_000_000_000_000, row(0)),
        Cage::new(op("+"), 6, row(1)),
        Cage::new(op("+"), 6, row(2)),
    ];
    let puzzle = Square::kenken(3, cages).build().expect("a sound puzzle");
    assert_eq!(solve_all(&puzzle, &all()).1.status, Status::Unsolvable);
    assert!(propagate(&Problem::compile(&puzzle)).is_empty());
}

/// An n x n grid whose only clue is its first cell.
fn nearly_empty(n: usize) -> Puzzle {
    let line = |role, cells| Group { role, cells, distinct: true, clue: None };
    let mut groups: Vec<Group> =
        (0..n).map(|row| line(Role::Row, (0..n).map(|column| row * n + column).collect())).collect();
    groups.extend((0..n).map(|column| line(Role::Column, (0..n).map(|row| row * n + column).collect())));
    let clue = Some(Clue { operator: GIVEN, target: 2 });
    groups.push(Group { role: Role::Given, cells: vec![0], distinct: false, clue });
    let digits = DigitSet::one_to(n).expect("up to 32 digits");
    Puzzle::new(Kind::KenKen, (n, n), digits, vec![false; n * n], groups).expect("a sound puzzle")
}

#[test]
fn nearly_empty_grids_are_counted_up_to_the_limit() {
    for n in [16, 25, 32] {
        let (grids, outcome) = solve_all(&nearly_empty(n), &Limits { solutions: 64, ..all() });
        assert_eq!((grids.len(), outcome.status, outcome.count_is_exact), (64, Status::Multiple, false));
        assert!(outcome.nodes < 5000, "{n}: {} nodes", outcome.nodes);
    }
    assert_eq!(solve_all(&nearly_empty(4), &all()).1.count, 576 / 4);
}

#[test]
fn a_sudoku_is_solved_by_its_regions() {
    let line = |role, cells: Vec<usize>| Group { role, cells, distinct: true, clue: None };
    let mut groups = Vec::new();
    for index in 0..4 {
        groups.push(line(Role::Row, (0..4).map(|k| index * 4 + k).collect()));
        groups.push(line(Role::Column, (0..4).map(|k| k * 4 + index).collect()));
        let corner = index / 2 * 8 + index % 2 * 2;
        groups.push(line(Role::Region, [0, 1, 4, 5].map(|step| corner + step).to_vec()));
    }
    let puzzle = |givens: &[(usize, i64)]| {
        let mut groups = groups.clone();
        for &(cell, target) in givens {
            let clue = Some(Clue { operator: GIVEN, target });
            groups.push(Group { role: Role::Given, cells: vec![cell], distinct: false, clue });
        }
        let digits = DigitSet::one_to(4).expect("four digits");
        Puzzle::new(Kind::KenKen, (4, 4), digits, vec![false; 16], groups).expect("a sound puzzle")
    };
    assert_eq!(assert_agrees(&puzzle(&[])), 288);
    assert_eq!(assert_agrees(&puzzle(&[(0, 1), (6, 1), (9, 2), (15, 4)])), 1);
}

#[test]
fn a_kakuro_with_black_cells_and_more_digits_than_cells_is_solved() {
    let entry = |cells: &[usize], target| {
        let clue = Some(Clue { operator: op("+"), target });
        Group { role: Role::Entry, cells: cells.to_vec(), distinct: true, clue }
    };
    // Black cells at two corners of 3x3; entries across, then down.
    let black = (0..9).map(|cell| cell == 0 || cell == 8).collect();
    let groups = vec![
        entry(&[1, 2], 17),
        entry(&[3, 4, 5], 23),
        entry(&[6, 7], 4),
        entry(&[3, 6], 7),
        entry(&[1, 4, 7], 18),
        entry(&[2, 5], 17),
    ];
    let digits = DigitSet::one_to(9).expect("nine digits");
    let puzzle = Puzzle::new(Kind::KenKen, (3, 3), digits, black, groups).expect("a sound puzzle");
    assert_agrees(&puzzle);
}

#[test]
fn the_same_problem_takes_the_same_nodes_and_a_node_limit_decides() {
    let puzzle = one_cage(5, op("+"), 75);
    let limits = Limits { solutions: 500, ..all() };
    let (grids, outcome) = solve_all(&puzzle, &limits);
    let (again, second) = solve_all(&puzzle, &limits);
    assert_eq!((&grids, outcome.nodes, outcome.failures), (&again, second.nodes, second.failures));
    let (cut, short) = solve_all(&puzzle, &Limits { nodes: Some(outcome.nodes / 2), ..limits });
    assert_eq!((short.nodes, short.count_is_exact), (outcome.nodes / 2, false));
    assert_eq!(cut, grids[..cut.len()]);
    assert_eq!(solve_all(&puzzle, &Limits { nodes: Some(0), ..limits }).1.status, Status::Undecided);
}

#[test]
fn an_interrupt_and_a_time_limit_of_zero_leave_it_undecided() {
    let problem = Problem::compile(&one_cage(6, op("+"), 126));
    let interrupt = Interrupt::default();
    interrupt.raise(2);
    assert_eq!(solve(&problem, &all(), &interrupt, &mut |_| ()).status, Status::Undecided);
    let limits = Limits { seconds: Some(0.0), ..all() };
    assert_eq!(solve(&problem, &limits, &Interrupt::default(), &mut |_| ()).status, Status::Undecided);
}

#[test]
fn a_stopped_build_is_no_conflict() {
    let problem = Problem::compile(&one_cage(6, op("+"), 126));
    assert_eq!(build(&problem, &|| true, &mut ()).err(), Some(NoFixpoint::Stopped));
    assert_eq!(build(&problem, &|| false, &mut ()).err(), None);
    let conflicting = Problem::compile(&one_cage(6, op("+"), 1));
    assert_eq!(build(&conflicting, &|| false, &mut ()).err(), Some(NoFixpoint::Conflict));
}

#[test]
fn an_empty_candidate_set_is_no_solution() {
    let problem = Problem::compile(&one_cage(2, op("+"), 6));
    let none = problem.restrict(&Domains(vec![3, 0, 3, 3]));
    assert_eq!(solve(&none, &all(), &Interrupt::default(), &mut |_| ()).status, Status::Unsolvable);
}
