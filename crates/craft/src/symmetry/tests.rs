//! A puzzle and whatever its symmetries make of it have one form; the whole group is the oracle.

use std::collections::BTreeMap;

use super::*;
use kenga_core::puzzle::{Puzzle, check, formats};
use kenga_core::rng::{RunRng, StreamKey};

fn read(text: &str) -> Puzzle {
    formats::read("test", text.as_bytes()).remove(0).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn form(puzzle: &Puzzle) -> String {
    canonical(puzzle).expect("a form").canonical_text()
}

fn rng(name: &str, number: u64) -> RunRng {
    StreamKey::run(1, name, number).rng()
}

/// One puzzle of every kind, and some with further groups.
const PUZZLES: [&str; 16] = [
    r#"{"size":3,"cages":[{"op":"*","target":3,"cells":[[0,0],[0,1],[1,0]]},{"op":"+","target":5,"cells":[[0,2],[1,2]]},{"op":"-","target":1,"cells":[[1,1],[2,1]]},{"op":"=","target":2,"cells":[[2,0]]},{"op":"=","target":1,"cells":[[2,2]]}],"solution":[[3,1,2],[1,2,3],[2,3,1]]}"#,
    r#"{"size":3,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,1],[1,0]]},{"op":"+","target":5,"cells":[[0,2],[1,2]]},{"op":"-","target":1,"cells":[[1,1],[2,1]]},{"op":"min","target":1,"cells":[[2,0]]},{"op":"=","target":1,"cells":[[2,2]]}]}"#,
    r#"{"kind":"latin","size":4,"givens":[[0,0,1],[0,1,2],[2,2,3],[3,0,1]]}"#,
    r#"{"kind":"latin","size":3,"digits":[2,5,7],"givens":[[0,0,5],[2,1,2]],"groups":[{"distinct":true,"role":"group","cells":[[0,0],[1,1],[2,2]]}]}"#,
    r#"{"kind":"latin","size":9}"#,
    r#"{"kind":"sudoku","size":4,"givens":[[0,0,1],[0,2,2],[1,1,2],[2,2,3],[3,0,3]]}"#,
    r#"{"kind":"sudoku","size":6,"box":[3,2],"givens":[[0,0,1],[0,2,2],[1,1,2],[2,2,6],[5,0,6]]}"#,
    r#"{"kind":"sudoku","size":9}"#,
    r#"{"kind":"killer","size":4,"cages":[{"target":5,"cells":[[0,0],[0,1]]},{"target":6,"cells":[[2,3],[3,3],[3,2]]}],"givens":[[1,1,4]]}"#,
    r#"{"kind":"kakuro","rows":3,"cols":4,"runs":[{"target":4,"cells":[[1,1],[1,2]]},{"target":15,"cells":[[2,1],[2,2],[2,3]]},{"target":4,"cells":[[1,1],[2,1]]}]}"#,
    r#"{"kind":"futoshiki","size":4,"less":[[[0,0],[0,1]],[[2,3],[1,3]]],"givens":[[0,3,3]]}"#,
    r#"{"kind":"magic","size":4,"givens":[[3,1,15],[3,2,14]]}"#,
    r#"{"kind":"magic","size":5,"givens":[[0,1,25],[3,2,14]]}"#,
    r#"{"kind":"queens","size":6,"givens":[[0,0,2],[0,4,3]],"solution":[[2,4,6,1,3,5]]}"#,
    r#"{"kind":"coloring","vertices":7,"colors":3,"edges":[[0,1],[1,2],[2,0],[2,3],[3,4],[5,6]],"givens":[[0,1,2]]}"#,
    r#"{"kind":"coloring","vertices":6,"colors":2,"edges":[[0,1],[1,2],[2,3],[3,4],[4,5],[5,0]]}"#,
];

#[test]
fn a_puzzle_and_its_random_images_have_one_form() {
    for (number, text) in (0..).zip(PUZZLES) {
        let puzzle = read(text);
        let mut rng = rng("images", number);
        for _ in 0..12 {
            let image = random(&puzzle, &mut rng);
            let again = read(&formats::canonical(&image));
            assert_eq!(again.canonical_text(), image.canonical_text(), "{text}");
            assert_eq!(form(&image), form(&puzzle), "{text}\n{}", formats::canonical(&image));
        }
    }
}

#[test]
fn the_form_of_a_form_is_the_form_itself() {
    for puzzle in PUZZLES.map(read) {
        let form = canonical(&puzzle).expect("a form");
        assert_eq!(canonical(&form).expect("a form").canonical_text(), form.canonical_text());
        assert_eq!(read(&formats::canonical(&form)).canonical_text(), form.canonical_text());
    }
}

#[test]
fn the_puzzles_have_different_forms() {
    let mut forms: Vec<String> = PUZZLES.map(read).iter().map(form).collect();
    forms.sort();
    forms.dedup();
    assert_eq!(forms.len(), PUZZLES.len());
}

#[test]
fn solutions_go_with_their_puzzles() {
    let solved = PUZZLES.map(read).into_iter().filter(|puzzle| puzzle.solution.is_some());
    for (number, puzzle) in (0..).zip(solved) {
        let mut rng = rng("solutions", number);
        let images = (0..20).map(|_| random(&puzzle, &mut rng)).chain([canonical(&puzzle).expect("a form")]);
        for image in images {
            assert!(check(&image, image.solution.as_ref().expect("its solution")).is_solution(), "{image:?}");
        }
    }
}

type Change = Box<dyn Fn(&Puzzle) -> Puzzle>;

fn turn(turn: Turn) -> Change {
    Box::new(move |puzzle| turned(puzzle, turn).expect("it turns"))
}

/// Two rows, or two columns, change places.
fn swap(is_row: bool, size: usize, pairs: &[(usize, usize)]) -> Change {
    let mut order: Vec<usize> = (0..size).collect();
    pairs.iter().for_each(|(one, other)| order.swap(*one, *other));
    let lists = move |order: Vec<usize>| if is_row { (Some(order), None) } else { (None, Some(order)) };
    let (rows, columns) = lists(order);
    Box::new(move |puzzle| {
        reordered(puzzle, rows.as_deref(), columns.as_deref()).expect("an order it allows")
    })
}

fn rename(names: Names) -> Change {
    Box::new(move |puzzle| relabelled(puzzle, &names).expect("names it allows"))
}

/// Checks that forms are equal exactly for what the changes make of each other, as found by making everything of everything.
/// The puzzles are all of a kind with so many clues.
fn check_classes(puzzles: &[Puzzle], changes: &[Change], classes: usize) {
    let numbers: BTreeMap<String, usize> =
        puzzles.iter().enumerate().map(|(index, puzzle)| (puzzle.canonical_text(), index)).collect();
    assert_eq!(numbers.len(), puzzles.len());
    let mut class: Vec<usize> = (0..puzzles.len()).collect();
    let images = |puzzle: &Puzzle| -> Vec<usize> {
        changes.iter().map(|change| numbers[&change(puzzle).canonical_text()]).collect()
    };
    let images: Vec<Vec<usize>> = puzzles.iter().map(images).collect();
    loop {
        let before = class.clone();
        for (index, images) in images.iter().enumerate() {
            let least = images.iter().map(|image| class[*image]).min().expect("a change").min(class[index]);
            images.iter().chain([&index]).for_each(|image| class[*image] = least);
        }
        if class == before {
            break;
        }
    }
    let mut forms: BTreeMap<String, usize> = BTreeMap::new();
    for (puzzle, class) in puzzles.iter().zip(class) {
        assert_eq!(*forms.entry(form(puzzle)).or_insert(class), class, "{}", formats::canonical(puzzle));
    }
    assert_eq!(forms.len(), classes);
}

/// The puzzles of a text with two different givens, or other parts, in place of `*`.
fn with_pairs(text: &str, parts: &[String]) -> Vec<Puzzle> {
    let pairs = (0..parts.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    pairs.map(|(one, other)| read(&text.replace('*', &format!("{},{}", parts[other], parts[one])))).collect()
}

fn givens(rows: usize, columns: usize, digits: usize) -> Vec<String> {
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    cells
        .flat_map(|(row, column)| (1..=digits).map(move |digit| format!("[{row},{column},{digit}]")))
        .collect()
}

#[test]
fn latin_squares_have_one_form_exactly_when_they_are_isotopic_or_transposed() {
    let puzzles = with_pairs(r#"{"kind":"latin","size":3,"givens":[*]}"#, &givens(3, 3, 3));
    let changes = [
        turn(Turn::TRANSPOSE),
        swap(true, 3, &[(0, 1)]),
        swap(true, 3, &[(1, 2)]),
        rename(Names::Of(vec![2, 1, 3])),
        rename(Names::Of(vec![1, 3, 2])),
    ];
    // The same cell twice; one line with the same digit or two; no common line likewise.
    check_classes(&puzzles, &changes, 5);
}

#[test]
fn sudokus_have_one_form_exactly_when_bands_lines_and_digits_make_one_of_the_other() {
    let puzzles = with_pairs(r#"{"kind":"sudoku","size":4,"givens":[*]}"#, &givens(4, 4, 4));
    let changes = [
        turn(Turn::TRANSPOSE),
        swap(true, 4, &[(0, 1)]),
        swap(true, 4, &[(0, 2), (1, 3)]),
        rename(Names::Of(vec![2, 1, 3, 4])),
        rename(Names::Of(vec![2, 3, 4, 1])),
    ];
    // The same cell; one line within a box or beyond; a box; a band; nothing: each but the first with equal digits or not.
    check_classes(&puzzles, &changes, 11);
}

#[test]
fn futoshikis_have_one_form_exactly_when_they_are_turned_or_reversed() {
    let cells = |cell: usize| format!("[{},{}]", cell / 3, cell % 3);
    let pairs = (0..9).flat_map(|cell| [(cell, cell + 1, cell % 3 < 2), (cell, cell + 3, cell < 6)]);
    let pairs: Vec<String> = pairs
        .filter(|(.., is_there)| *is_there)
        .flat_map(|(one, other, _)| [(one, other), (other, one)])
        .map(|(one, other)| format!("[{},{}]", cells(one), cells(other)))
        .collect();
    let puzzles = with_pairs(r#"{"kind":"futoshiki","size":3,"less":[*]}"#, &pairs);
    let changes = [turn(Turn::TRANSPOSE), turn(Turn::MIRROR_ROWS), rename(Names::Complement)];
    check_classes(&puzzles, &changes, 26);
}

#[test]
fn magic_squares_have_one_form_exactly_when_a_symmetry_makes_one_of_the_other() {
    let parts = givens(4, 4, 16);
    let puzzles: Vec<Puzzle> = parts
        .iter()
        .map(|given| read(&r#"{"kind":"magic","size":4,"givens":[*]}"#.replace('*', given)))
        .collect();
    let both = |pairs: &'static [(usize, usize)]| -> Change {
        let (rows, columns) = (swap_list(pairs), swap_list(pairs));
        Box::new(move |puzzle| reordered(puzzle, Some(&rows), Some(&columns)).expect("both diagonals stay"))
    };
    let changes = [
        turn(Turn::QUARTER),
        turn(Turn::TRANSPOSE),
        both(&[(0, 1), (2, 3)]),
        both(&[(0, 3)]),
        rename(Names::Complement),
    ];
    // A cell on a diagonal or not, and a digit or its complement.
    check_classes(&puzzles, &changes, 16);
}

fn swap_list(pairs: &[(usize, usize)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..4).collect();
    pairs.iter().for_each(|(one, other)| order.swap(*one, *other));
    order
}

#[test]
fn queens_have_one_form_exactly_when_their_boards_are_turned() {
    let puzzles = with_pairs(r#"{"kind":"queens","size":4,"givens":[*]}"#, &givens(1, 4, 4));
    // All pairs of 16 squares: 21 but for turns of the board (OEIS A019318).
    check_classes(&puzzles, &[turn(Turn::QUARTER), turn(Turn::MIRROR_ROWS)], 21);
}

#[test]
fn turns_compose_and_four_quarters_are_none() {
    let puzzle = read(PUZZLES[0]);
    for one in Turn::all() {
        for other in Turn::all() {
            let twice = turned(&turned(&puzzle, one).expect("it turns"), other).expect("it turns");
            assert_eq!(turned(&puzzle, one.then(other)), Ok(twice));
        }
    }
    let quarter = Turn::QUARTER;
    assert_eq!(quarter.then(quarter).then(quarter).then(quarter), Turn::default());
    let right = turned(&puzzle, quarter).expect("it turns").solution.expect("its solution");
    assert_eq!(right.to_string(), "2 1 3/3 2 1/1 3 2");
}

#[test]
fn a_framed_kakuro_keeps_the_frame_first_and_frames_do_not_count() {
    let text = |at: usize| {
        let runs = [[(0, 0), (0, 1)], [(0, 0), (1, 0)]].map(|run| {
            let cells = run.map(|(row, column)| format!("[{},{}]", row + at, column + at)).join(",");
            format!(r#"{{"target":4,"cells":[{cells}]}}"#)
        });
        let side = 2 + at;
        format!(r#"{{"kind":"kakuro","rows":{side},"cols":{side},"runs":[{}]}}"#, runs.join(","))
    };
    let [bare, framed, wide] = [0, 1, 2].map(|at| read(&text(at)));
    let right = turned(&framed, Turn::QUARTER).expect("it turns");
    let white: Vec<usize> = (0..9).filter(|cell| !right.is_black(*cell)).collect();
    assert_eq!(white, [4, 5, 8]);
    assert_eq!([form(&bare), form(&wide)], [form(&framed), form(&framed)]);
    assert!(
        formats::write(&canonical(&bare).expect("a form"), formats::find("kakuro_grid").expect("a format"))
            .is_ok()
    );
}

#[test]
fn what_would_be_another_puzzle_is_refused_in_words() {
    let [kenken, latin, sudoku, magic, graph] =
        [PUZZLES[0], PUZZLES[3], PUZZLES[5], PUZZLES[11], PUZZLES[14]].map(read);
    let rows =
        |puzzle: &Puzzle, rows: &[usize]| reordered(puzzle, Some(rows), None).expect_err("no").to_string();
    let names = |puzzle: &Puzzle, names: Names| relabelled(puzzle, &names).expect_err("no").to_string();
    let said = [
        rows(&kenken, &[1, 0, 2]),
        rows(&sudoku, &[0, 2, 1, 3]),
        rows(&sudoku, &[0, 0, 1, 3]),
        rows(&magic, &[1, 0, 3, 2]),
        rows(&graph, &[0, 1, 2]),
        names(&kenken, Names::Complement),
        names(&latin, Names::Complement),
        names(&sudoku, Names::Of(vec![1, 2, 3, 5])),
        names(&magic, Names::Of((1..=16).map(|digit| digit % 16 + 1).collect())),
        turned(&graph, Turn::QUARTER).expect_err("no").to_string(),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    rows and columns cannot change places: cage 3× at A1 holds them
    rows change places only within bands of 2, and bands as a whole
    rows 1 1 2 4 are no order: expected each of 1 to 4 once
    diagonals stay only when rows and columns get the same order, and opposite lines stay opposite
    a graph has no rows and columns
    cage 3× at A1 does not allow these digits: no clue asks the same of them
    the digits 2 5 7 have no complement: least and greatest together less a digit is not always a digit
    1 2 3 5 are no names of the digits: expected each of 1 2 3 4 once
    row 34+ at A1 does not allow these digits: no clue asks the same of them
    a graph has no rows and columns
    ");
}

/// Each of these has as many symmetries as can be, or none that refinement sees.
#[test]
fn regular_puzzles_have_a_form() {
    let cyclic: Vec<String> = (0..49)
        .map(|cell| format!("[{},{},{}]", cell / 7, cell % 7, (cell / 7 + cell % 7) % 7 + 1))
        .collect();
    let latin = format!(r#"{{"kind":"latin","size":7,"givens":[{}]}}"#, cyclic.join(","));
    for text in [
        &latin,
        r#"{"kind":"sudoku","size":16}"#,
        r#"{"kind":"coloring","vertices":200,"colors":9,"edges":[]}"#,
    ] {
        let puzzle = read(text);
        assert_eq!(form(&random(&puzzle, &mut rng("regular", 0))), form(&puzzle), "{text}");
    }
}
