//! Models for other solvers: what they say, and that they hold every puzzle.

use std::process::Command;

use kenga::models;
use kenga::puzzle::{Puzzle, formats};

/// Every kind of rule in a small space: digits with gaps, cages of every shape of formula, a further distinct group.
const SMALL: &str = r#"{"id":"small","size":3,"digits":[0,2,3],"cages":[
{"op":"*","target":6,"cells":[[0,0],[0,1]]},{"op":"-","target":1,"cells":[[0,2],[1,2],[1,1]]},
{"op":"^","target":8,"cells":[[1,0],[2,0]]},{"op":"?","target":5,"cells":[[2,1],[2,2]],"repeats":false}],
"givens":[[0,2,0]]}"#;

const KAKURO: &str = r#"{"kind":"kakuro","rows":2,"cols":3,"runs":[{"target":4,"cells":[[0,1],[0,2]]},{"target":3,"cells":[[0,1],[1,1]]}]}"#;

/// Targets beyond any product of the digits, or beyond what 32 bits count.
const LARGE: &str = r#"{"id":"large","size":9,"cages":[
{"op":"*","target":9223372036854775807,"cells":[[0,0],[0,1]]},{"op":"+","target":4294967298,"cells":[[0,2],[0,3]]},
{"op":"/","target":9000000000,"cells":[[0,4],[0,5]]},{"op":"mean","target":9223372036854775807,"cells":[[0,6],[0,7],[0,8]]},
{"op":"?","target":9000000000000000000,"cells":[[1,0],[1,1],[1,2],[1,3]]},{"op":"lcm","target":9223372036854775807,"cells":[[1,4],[1,5]]},
{"op":"gcd","target":256,"cells":[[1,6],[1,7]]},{"op":"=","target":4294967297,"cells":[[1,8]]},
{"op":"*","target":2687385600000000,"cells":[[2,0],[2,1],[2,2],[2,3],[2,4],[2,5],[2,6],[2,7],[2,8],[3,0],[3,1],[3,2],[3,3],[3,4],[3,5],[3,6],[3,7],[3,8],[4,0]]},
{"op":"+","target":205,"cells":[[4,1],[4,2],[4,3],[4,4],[4,5],[4,6],[4,7],[4,8],[5,0],[5,1],[5,2],[5,3],[5,4],[5,5],[5,6],[5,7],[5,8],[6,0],[6,1],[6,2],[6,3],[6,4],[6,5],[6,6],[6,7],[6,8],[7,0],[7,1],[7,2],[7,3],[7,4],[7,5],[7,6],[7,7],[7,8],[8,0],[8,1],[8,2],[8,3],[8,4],[8,5],[8,6],[8,7],[8,8]]}]}"#;

fn puzzle(text: &str) -> Puzzle {
    formats::read("puzzle", text.replace('\n', "").as_bytes()).remove(0).expect("a sound puzzle")
}

fn write(puzzle: &Puzzle, model: &str) -> String {
    models::find(model).expect("a model of the table").write(puzzle).expect("models hold every puzzle")
}

/// Compares with the snapshot of this name.
fn matches(name: &str, shown: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots/exports");
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

#[test]
fn small_puzzles_are_written_so() {
    for format in models::TABLE.iter().map(|model| model.name) {
        let kakuro = write(&puzzle(KAKURO), format);
        matches(
            format,
            &if format == "dimacs" { kakuro } else { write(&puzzle(SMALL), format) + "\n" + &kakuro },
        );
    }
}

/// The lines of a text that contain a word.
fn lines_with(text: &str, word: &str) -> String {
    text.lines().filter(|line| line.contains(word)).map(|line| line.to_owned() + "\n").collect()
}

#[test]
fn targets_beyond_reach_are_false_and_large_ones_are_compared_by_exponents() {
    let puzzle = puzzle(LARGE);
    let minizinc = write(&puzzle, "minizinc");
    assert_eq!(minizinc.matches("constraint false;").count(), 8, "{}", lines_with(&minizinc, "% cage"));
    matches("large_minizinc", &(lines_with(&minizinc, "array") + &lines_with(&minizinc, "% cage")));
    let dimacs = write(&puzzle, "dimacs");
    assert!(dimacs.len() < 4_000_000, "{} bytes", dimacs.len());
}

#[test]
fn numbers_of_a_model_fit_into_32_bits() {
    let text = write(&puzzle(LARGE), "minizinc");
    let rules = text.lines().map(|line| line.split('%').next().unwrap_or_default());
    for number in rules.flat_map(|rule| rule.split(|c: char| !c.is_ascii_digit())) {
        assert!(number.is_empty() || number.parse::<i32>().is_ok(), "{number}");
    }
}

#[test]
fn an_id_over_several_lines_stays_in_its_comment() {
    let mut puzzle = puzzle(KAKURO);
    puzzle.id = "two\nlines".to_owned();
    for (format, comment) in [("dimacs", "c"), ("lp", "\\"), ("minizinc", "%")] {
        let text = write(&puzzle, format);
        assert_eq!(text.lines().next(), Some(&*format!("{comment} kakuro two lines")));
    }
}

#[test]
fn a_puzzle_without_white_cells_has_a_model() {
    let puzzle = puzzle(r#"{"kind":"kakuro","rows":1,"cols":2,"runs":[]}"#);
    assert!(write(&puzzle, "dimacs").ends_with("p cnf 0 0\n"));
    assert!(write(&puzzle, "lp").ends_with("obj:\nSubject To\nBinaries\nEnd\n"));
    assert!(write(&puzzle, "minizinc").contains("\". .\\n\""));
}

#[test]
fn a_model_is_no_puzzle() {
    for format in models::TABLE.iter().map(|model| model.name) {
        let text = write(&puzzle(SMALL), format);
        let error = formats::read("model", text.as_bytes()).remove(0).expect_err("models are not read");
        let shown = format!("{:?}", miette::Report::new(error));
        assert!(shown.contains("no known puzzle format") && !shown.contains("written only"), "{shown}");
    }
}

#[test]
fn every_kind_is_converted_by_the_program() {
    for name in ["kakuro-6x6", "killer-6x6", "latin-7x7", "sudoku-9x9"] {
        for format in models::TABLE.iter().map(|model| model.name) {
            let file = format!("{}/puzzles/family/{name}.json", env!("CARGO_MANIFEST_DIR"));
            let mut kenga = Command::new(env!("CARGO_BIN_EXE_kenga"));
            let output = kenga.args(["convert", &file, "--to", format]).output().expect("it runs");
            assert!(output.status.success() && output.stdout.len() > 1000, "{name} to {format}");
        }
    }
}

#[test]
fn a_cage_of_too_many_states_is_refused_by_name_and_only_as_clauses() {
    let size = kenga_testing::size(16, 32);
    let sum = size * size * (size + 1) / 2;
    let cells: Vec<String> =
        (0..size * size).map(|cell| format!("[{},{}]", cell / size, cell % size)).collect();
    let cage = format!(r#"{{"op":"+","target":{sum},"cells":[{}]}}"#, cells.join(","));
    let puzzle = puzzle(&format!(r#"{{"size":{size},"cages":[{cage}]}}"#));
    let error = models::find("dimacs").expect("a model").write(&puzzle).expect_err("too many");
    let expected = format!("the format dimacs cannot hold cage {sum}+ at A1: it has too many states");
    assert_eq!(error.to_string(), expected);
    assert!(write(&puzzle, "minizinc").contains(&format!("= {sum}; % cage {sum}+ at A1")));
    write(&puzzle, "lp");
}
