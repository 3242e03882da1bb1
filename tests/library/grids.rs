//! Grids in text as they appear.

use kenga::puzzle::{Cage, Grid, Puzzle, Square, formats, operators};
use kenga::report::draw;

fn puzzle() -> Puzzle {
    let op = |symbol| operators::find(symbol).expect("a known operator");
    let cages = vec![
        Cage::new(op("*"), 6, vec![(0, 0), (0, 1), (1, 0)]),
        Cage::new(op("-"), 2, vec![(0, 2), (1, 2)]),
        Cage::new(op("="), 3, vec![(1, 1)]),
        Cage::new(op("+"), 6, vec![(2, 0), (2, 1), (2, 2)]),
    ];
    Square::kenken(3, cages).build().expect("a sound puzzle")
}

fn read(text: &str) -> Puzzle {
    formats::read("x", text.as_bytes()).remove(0).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn lines_run_where_cages_meet_and_clues_stand_in_first_cells() {
    let grid = Grid::parse("1 2 3/. 3 1/3 1 2", 3, 3).expect("a 3x3 grid");
    let expected = "\
┌─────────┬────┐
│6×       │2−  │
│ 1    2  │ 3  │
│    ┌────┤    │
│    │    │    │
│ .  │[3] │ 1  │
├────┴────┴────┤
│6+            │
│ 3    1    2  │
└──────────────┘
";
    assert_eq!(draw(&puzzle(), &grid, &[4]), expected);
}

#[test]
fn boxes_have_heavy_lines() {
    let grid = Grid::parse("1 2 3 4/3 4 1 2/2 1 4 3/4 3 2 1", 4, 4).expect("a 4x4 grid");
    let expected = "\
┏━━━━━━━━━┳━━━━━━━━━┓
┃ 1    2  ┃ 3    4  ┃
┃ 3    4  ┃ 1    2  ┃
┣━━━━━━━━━╋━━━━━━━━━┫
┃ 2    1  ┃ 4   [3] ┃
┃ 4    3  ┃ 2    1  ┃
┗━━━━━━━━━┻━━━━━━━━━┛
";
    assert_eq!(draw(&read("1..........3..2."), &grid, &[11]), expected);
}

#[test]
fn cages_of_a_killer_have_light_lines_within_heavy_boxes() {
    let text = r#"{"kind":"killer","size":4,"cages":[{"target":7,"cells":[[0,1],[0,2],[1,2]]},{"target":9,"cells":[[2,0],[2,1],[3,1]]}]}"#;
    let grid = Grid::parse("1 2 3 4/3 4 1 2/2 1 4 3/4 3 2 1", 4, 4).expect("a 4x4 grid");
    insta::assert_snapshot!(draw(&read(text), &grid, &[]), @"
    ┏━━━━┯━━━━┳━━━━┯━━━━┓
    ┃    │7+  ╏    │    ┃
    ┃ 1  │ 2  ╏ 3  │ 4  ┃
    ┃    └────┨    │    ┃
    ┃         ┃    │    ┃
    ┃ 3    4  ┃ 1  │ 2  ┃
    ┣━━━━━━━━━╋━━━━┷━━━━┫
    ┃9+       ┃         ┃
    ┃ 2    1  ┃ 4    3  ┃
    ┠────┐    ┃         ┃
    ┃    │    ┃         ┃
    ┃ 4  │ 3  ┃ 2    1  ┃
    ┗━━━━┷━━━━┻━━━━━━━━━┛
    ");
}

#[test]
fn black_cells_show_the_sums_beside_them() {
    let grid = Grid::parse(". . . ./. 1 2 ./. 8 9 ./. . . 3", 4, 4).expect("a 4x4 grid");
    insta::assert_snapshot!(draw(&read("\\,9\\,11\\,\\\n\\3,_,_,x\n\\17,_,_,3\\\n,,\\3,_\n"), &grid, &[]), @r"
    ┌─────┬─────┬─────┬─────┐
    │░░░░░│ 9\  │11\  │░░░░░│
    ├─────┼─────┼─────┼─────┤
    │  \3 │  1  │  2  │░░░░░│
    ├─────┼─────┼─────┼─────┤
    │  \17│  8  │  9  │ 3\  │
    ├─────┼─────┼─────┼─────┤
    │░░░░░│░░░░░│  \3 │  3  │
    └─────┴─────┴─────┴─────┘
    ");
}

#[test]
fn a_wide_kakuro_has_its_sums_above_one_another() {
    let text = ["\\", &",12\\".repeat(20), "\n\\", "99", &",_".repeat(20)].concat();
    let shown = draw(&read(&text), &Grid::empty(2, 21), &[]);
    let starts: Vec<String> = shown.lines().map(|line| line.chars().take(10).collect()).collect();
    let expected =
        ["┌───┬───┬─", "│░░░│12\\│1", "│░░░│   │ ", "├───┼───┼─", "│   │   │ ", "│\\99│ . │ ", "└───┴───┴─"];
    assert_eq!(starts, expected);
}

#[test]
fn sums_without_a_black_cell_are_listed() {
    let text = r#"{"kind":"kakuro","rows":1,"cols":3,"runs":[{"target":3,"cells":[[0,0],[0,1]]},{"target":12,"cells":[[0,0]]}]}"#;
    insta::assert_snapshot!(draw(&read(text), &Grid::empty(1, 3), &[]), @"
    ┌───┬───┬───┐
    │ . │ . │░░░│
    └───┴───┴───┘
    not in a black cell: entry 12 at A1, entry 3+ at A1
    ");
}

#[test]
fn the_signs_of_a_futoshiki_stand_between_its_cells() {
    let text =
        r#"{"kind":"futoshiki","size":3,"less":[[[0,0],[0,1]],[[2,2],[2,1]],[[1,1],[0,1]],[[1,2],[2,2]]]}"#;
    let grid = Grid::parse("1 3 2/3 2 1/2 . .", 3, 3).expect("a 3x3 grid");
    insta::assert_snapshot!(draw(&read(text), &grid, &[1]), @"
    ┌────┬────┬────┐
    │ 1  <[3] │ 2  │
    ├────┼─∨──┼────┤
    │ 3  │ 2  │ 1  │
    ├────┼────┼─∧──┤
    │ 2  │ .  > .  │
    └────┴────┴────┘
    ");
}

#[test]
fn queens_stand_on_a_board_and_a_large_board_is_a_line() {
    let grid = Grid::parse("2 4 . 3", 1, 4).expect("a 1x4 grid");
    insta::assert_snapshot!(draw(&read(r#"{"kind":"queens","size":4}"#), &grid, &[1]), @"
    ┌───┬───┬───┬───┐
    │ . │ . │ . │ . │
    ├───┼───┼───┼───┤
    │ Q │ . │ . │ . │
    ├───┼───┼───┼───┤
    │ . │ . │ . │ Q │
    ├───┼───┼───┼───┤
    │ . │[Q]│ . │ . │
    └───┴───┴───┴───┘
      2   4   .   3
    ");
    let large = draw(&read(r#"{"kind":"queens","size":32}"#), &Grid::empty(1, 32), &[]);
    assert_eq!(large, ". ".repeat(31) + ".\n");
}

#[test]
fn a_magic_square_says_its_sum() {
    let grid = Grid::parse("2 7 6/9 5 1/4 3 8", 3, 3).expect("a 3x3 grid");
    let shown = draw(&read(r#"{"kind":"magic","size":3}"#), &grid, &[]);
    assert!(shown.starts_with("┌───┬───┬───┐\n│ 2 │ 7 │ 6 │\n├───"), "{shown}");
    assert!(shown.ends_with("┘\nrows, columns and diagonals add up to 15\n"), "{shown}");
}

#[test]
fn a_grid_wider_than_a_page_is_plain_rows() {
    let plus = operators::find("+").expect("a known operator");
    let cages = (0..25 * 25).step_by(25).flat_map(|first| {
        let cells = |from: usize, to| (first + from..first + to).map(|cell| (cell / 25, cell % 25)).collect();
        [Cage::new(plus, 3, cells(0, 2)), Cage::new(plus, 3, cells(2, 25))]
    });
    let puzzle = Square::kenken(25, cages.collect()).build().expect("a sound puzzle");
    assert_eq!(draw(&puzzle, &Grid::empty(25, 25), &[]), format!("{}.\n", ". ".repeat(24)).repeat(25));
}
