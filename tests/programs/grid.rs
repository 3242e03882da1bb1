//! Grids of groups that overlap: counts that slow enumerations share, and every command on the examples.

use std::collections::BTreeSet;

use kenga::budget::Interrupt;
use kenga::problem::Problem;
use kenga::puzzle::{Kind, Puzzle, formats};
use kenga::solver::{self, Limits};
use serde_json::Value;

use crate::lab::{Lab, flat, refused};

const MAGIC: &str = include_str!("../../puzzles/grid-magic.jsonl");

/// Each with one solution.
const OTHERS: [(&str, &str); 3] = [
    ("overlapping", include_str!("../../puzzles/grid-overlapping.json")),
    ("thermometers", include_str!("../../puzzles/grid-thermometers.json")),
    ("sudoku-x", include_str!("../../puzzles/grid-sudoku-x.json")),
];

/// Every solution, its digits row by row.
fn solutions(text: &str) -> BTreeSet<Vec<u8>> {
    let puzzle: Puzzle =
        formats::read("x", text.as_bytes()).remove(0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(puzzle.kind, Kind::Grid);
    let problem = Problem::compile(&puzzle);
    let limits = Limits { solutions: u64::MAX, ..Limits::default() };
    let mut found = BTreeSet::new();
    let outcome = solver::solve(&problem, &limits, &Interrupt::default(), &mut |ranks| {
        found.insert(problem.grid(ranks).cells().iter().flatten().copied().collect());
    });
    assert!(outcome.count_is_exact && outcome.count == found.len() as u64);
    found
}

/// Every choice of four different digits from 1 to 16 that add up to 34.
fn fours() -> Vec<[i32; 4]> {
    let mut rows = Vec::new();
    for a in 1..=16 {
        for b in 1..=16 {
            for c in 1..=16 {
                let d = 34 - a - b - c;
                if (1..=16).contains(&d) && a != b && a != c && a != d && b != c && b != d && c != d {
                    rows.push([a, b, c, d]);
                }
            }
        }
    }
    rows
}

/// The pandiagonal squares of order 4: of two rows and the first digit of the third, the diagonals give the rest.
fn pandiagonal_squares() -> BTreeSet<Vec<u8>> {
    let rows = fours();
    let mut squares = BTreeSet::new();
    // A square whose rows and columns are moved around its edges stays one: each has its 1 at the corner once.
    for one in rows.iter().filter(|one| one[0] == 1) {
        for two in rows.iter().filter(|two| !two.iter().any(|digit| one.contains(digit))) {
            for first in 1..=16 {
                // A diagonal and the column of its last cell differ in the third row by what the first two say.
                let mut three = [first, 0, 0, 0];
                for column in 0..3 {
                    let (to, from) = ((column + 2) % 4, (column + 3) % 4);
                    let last = (column + 1) % 4;
                    let diagonal = one[to] + two[from];
                    three[column + 1] = three[column] + diagonal - one[last] - two[last];
                }
                let is_free =
                    |digit: &i32| (1..=16).contains(digit) && !one.contains(digit) && !two.contains(digit);
                if !three.iter().all(is_free) {
                    continue;
                }
                let four: Vec<i32> =
                    (0..4).map(|column| 34 - one[column] - two[column] - three[column]).collect();
                let square: Vec<i32> = [&one[..], two, &three, &four].concat();
                if is_pandiagonal(&square) {
                    squares.extend((0..16).map(|cells| moved(&square, cells / 4, cells % 4)));
                }
            }
        }
    }
    squares
}

/// A square of order 4 whose rows and columns are moved around its edges.
fn moved(square: &[i32], rows: usize, cols: usize) -> Vec<u8> {
    (0..16).map(|cell| square[(cell / 4 + rows) % 4 * 4 + (cell + cols) % 4] as u8).collect()
}

fn is_pandiagonal(square: &[i32]) -> bool {
    let different: BTreeSet<&i32> = square.iter().collect();
    if different.len() < 16 || square.iter().any(|digit| !(1..=16).contains(digit)) {
        return false;
    }
    let sum = |cell: &dyn Fn(usize) -> usize| (0..4).map(|step| square[cell(step)]).sum::<i32>() == 34;
    (0..4).all(|at| {
        sum(&|step| at * 4 + step)
            && sum(&|step| step * 4 + at)
            && sum(&|step| step * 4 + (at + step) % 4)
            && sum(&|step| step * 4 + (at + 4 - step) % 4)
    })
}

#[test]
fn there_are_384_pandiagonal_squares_of_order_4() {
    let found = solutions(MAGIC.lines().next().expect("the first puzzle"));
    assert_eq!(found.len(), 384);
    assert_eq!(found, pandiagonal_squares());
}

#[test]
fn all_of_order_5_are_two_latin_squares_on_each_other() {
    let text = MAGIC.lines().nth(1).expect("the second puzzle");
    let json: Value = serde_json::from_str(text).expect("JSON");
    let mut orders: Vec<Vec<u8>> = vec![Vec::new()];
    for _ in 0..5 {
        let mut longer = Vec::new();
        for order in &orders {
            for digit in (0..5).filter(|digit| !order.contains(digit)) {
                longer.push([&order[..], &[digit]].concat());
            }
        }
        orders = longer;
    }
    // Knight's moves fill both, in either direction: 120 times 120 times 2.
    let (mut squares, mut with_givens) = (BTreeSet::new(), BTreeSet::new());
    for high in &orders {
        for low in &orders {
            for [one, other] in [[2, 3], [3, 2]] {
                let digit = |cell: usize| {
                    high[(cell / 5 * one + cell % 5) % 5] * 5 + low[(cell / 5 * other + cell % 5) % 5] + 1
                };
                let square: Vec<u8> = (0..25).map(digit).collect();
                let given = |given: &Value| {
                    let at = |index: usize| given[index].as_u64().expect("a number") as usize;
                    usize::from(square[at(0) * 5 + at(1)]) == at(2)
                };
                if json["givens"].as_array().expect("givens").iter().all(given) {
                    with_givens.insert(square.clone());
                }
                squares.insert(square);
            }
        }
    }
    assert_eq!((squares.len(), with_givens.len()), (28_800, 1));
    assert_eq!(solutions(text), with_givens);
}

#[test]
fn products_of_lines_are_those_of_every_arrangement() {
    let digits = [1_u32, 2, 3, 4, 6, 9, 12, 18, 36];
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let mut found = BTreeSet::new();
    let mut partial: Vec<Vec<u32>> = vec![Vec::new()];
    while let Some(square) = partial.pop() {
        if square.len() == 9 {
            if lines.iter().all(|line| line.iter().map(|cell| square[*cell]).product::<u32>() == 216) {
                found.insert(square.into_iter().map(|digit| digit as u8).collect());
            }
            continue;
        }
        for digit in digits {
            if !square.contains(&digit) {
                partial.push([&square[..], &[digit]].concat());
            }
        }
    }
    assert_eq!(found.len(), 8);
    assert_eq!(solutions(MAGIC.lines().nth(2).expect("the third puzzle")), found);
}

/// Says whether the groups of a text that are filled hold, by their definitions.
fn holds(groups: &[Value], cols: usize, digits: &[Option<u64>]) -> bool {
    groups.iter().all(|group| {
        let cells = group["cells"].as_array().expect("cells").iter();
        let at = |cell: &Value| {
            cell[0].as_u64().expect("a row") as usize * cols + cell[1].as_u64().expect("a column") as usize
        };
        let here: Vec<Option<u64>> = cells.map(|cell| digits[at(cell)]).collect();
        let known: Vec<u64> = here.iter().flatten().copied().collect();
        let different: BTreeSet<u64> = known.iter().copied().collect();
        if group["distinct"] == true && different.len() < known.len() {
            return false;
        }
        if known.len() < here.len() || group["op"].is_null() {
            return true;
        }
        let target = group["target"].as_u64();
        match group["op"].as_str().expect("an operator") {
            "+" => Some(known.iter().sum()) == target,
            "*" => Some(known.iter().product()) == target,
            "max" => known.iter().max().copied() == target,
            "lcm" => (1..).find(|number| known.iter().all(|digit| number % digit == 0)) == target,
            "<" => known[0] < known[1],
            ">" => known[0] > known[1],
            other => panic!("{other}"),
        }
    })
}

/// Every solution, cell by cell, by the text alone.
fn enumerate(
    groups: &[Value],
    cols: usize,
    allowed: &[Vec<u64>],
    digits: &mut Vec<Option<u64>>,
    found: &mut Vec<Vec<u8>>,
) {
    let cell = digits.iter().position(Option::is_none);
    let Some(cell) = cell else {
        found.push(digits.iter().flatten().map(|digit| *digit as u8).collect());
        return;
    };
    // Only the groups of a cell can be broken by it.
    let place = serde_json::json!([cell / cols, cell % cols]);
    let own: Vec<Value> = groups
        .iter()
        .filter(|group| group["cells"].as_array().expect("cells").contains(&place))
        .cloned()
        .collect();
    for digit in &allowed[cell] {
        digits[cell] = Some(*digit);
        if holds(&own, cols, digits) {
            enumerate(groups, cols, allowed, digits, found);
        }
    }
    digits[cell] = None;
}

#[test]
fn the_other_examples_have_the_one_solution_that_an_enumeration_finds() {
    for (name, text) in OTHERS {
        let json: Value = serde_json::from_str(text).expect("JSON");
        let (rows, cols) =
            (json["rows"].as_u64().expect("rows") as usize, json["cols"].as_u64().expect("columns") as usize);
        let all: Vec<u64> =
            json["digits"].as_array().expect("digits").iter().filter_map(Value::as_u64).collect();
        let mut allowed = vec![all; rows * cols];
        let mut digits = vec![None; rows * cols];
        for given in json["givens"].as_array().into_iter().flatten() {
            let at = |index: usize| given[index].as_u64().expect("a number");
            allowed[at(0) as usize * cols + at(1) as usize] = vec![at(2)];
            digits[at(0) as usize * cols + at(1) as usize] = Some(at(2));
        }
        let mut found = Vec::new();
        enumerate(json["groups"].as_array().expect("groups"), cols, &allowed, &mut digits, &mut found);
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(solutions(text), found.into_iter().collect(), "{name}");
    }
}

#[test]
fn every_command_takes_a_grid_and_formats_of_other_kinds_refuse_it() {
    let lab = Lab::new();
    for (name, text) in OTHERS {
        let file = format!("{name}.json");
        lab.write(&file, text);
        let shown = |args: &[&str]| {
            let ended = lab.kenga(args);
            assert_eq!(ended.code, 0, "{args:?}: {}", ended.stderr);
            ended.stdout
        };
        assert_eq!(shown(&["convert", &file, "--to", "json"]), text);
        for format in ["dimacs", "lp", "minizinc"] {
            assert!(!shown(&["convert", &file, "--to", format]).is_empty());
        }
        assert!(shown(&["solve", &file]).contains("the only solution"));
        assert!(shown(&["canonical", &file]).contains(r#""kind":"grid""#));
        let turned = shown(&["transform", &file, "--transpose"]);
        lab.write("turned.json", &turned);
        assert!(shown(&["solve", "turned.json"]).contains("the only solution"), "{turned}");
        for command in ["explain", "grade", "hint"] {
            assert!(!shown(&[command, &file]).is_empty());
        }
        for picture in ["svg", "png", "pdf", "html", "txt"] {
            shown(&["draw", &file, "-o", &format!("{name}.{picture}")]);
        }
        let error = refused(&lab, &format!("convert {file} --to sudoku"));
        assert!(error.contains("a grid of groups, only a Sudoku"), "{error}");
    }
}

#[test]
fn cages_that_overlap_are_named_by_the_encoding_that_cannot_hold_them() {
    let lab = Lab::new();
    for (name, text) in OTHERS {
        lab.write(&format!("{name}.json"), text);
    }
    lab.write(
        "grid.toml",
        "seed = 1\nreplicates = 1\n[budget]\nevaluations = 500\n[algorithm]\nname = \"genetic\"\npopulation = 20\n",
    );
    for encoding in ["cells", "rows", "cages"] {
        for (name, _) in OTHERS {
            let (puzzle, out) = (format!("{name}.json"), format!("{name}-{encoding}"));
            let set = format!("algorithm.encoding=\"{encoding}\"");
            let args = [
                "run",
                "--config",
                "grid.toml",
                "--puzzle",
                &puzzle,
                "--set",
                &set,
                "--out",
                &out,
                "--quiet",
            ];
            let ended = lab.kenga(&args);
            if encoding != "cages" || name != "overlapping" {
                assert_eq!(ended.code, 0, "{out}: {}", ended.stderr);
                continue;
            }
            let words = flat(&ended.stderr);
            assert_eq!(ended.code, 2, "{words}");
            for said in ["cage 60lcm at A3 and cage 60lcm at B4 share B4", "use `cells` or `rows`"] {
                assert!(words.contains(said), "{words}");
            }
        }
    }
}
