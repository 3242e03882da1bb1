//! `kenga draw` as a whole program.

use std::fs;

use crate::lab::{Ended, Lab, flat};

const CORPUS: &str = concat!(
    r#"{"id":"one","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[0,1]]},{"op":"=","target":2,"cells":[[1,0]]},{"op":"=","target":1,"cells":[[1,1]]}]}"#,
    "\n",
    r#"{"id":"two","size":2,"cages":[{"op":"*","target":2,"cells":[[0,0],[1,0]]},{"op":"-","target":1,"cells":[[0,1],[1,1]]}]}"#,
    "\n",
    r#"{"id":"none","size":2,"cages":[{"op":"+","target":9,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#,
    "\n"
);

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("corpus.jsonl", CORPUS);
    lab
}

fn draw(lab: &Lab, args: &[&str]) -> Ended {
    lab.kenga(&[&["draw"], args].concat())
}

fn bytes(lab: &Lab, name: &str) -> Vec<u8> {
    fs::read(lab.path(name)).expect("the file is there")
}

#[test]
fn the_suffix_says_what_is_written() {
    let lab = lab();
    for (name, begins) in [
        ("one.svg", &b"<!-- a figure of kenga's"[..]),
        ("one.png", b"\x89PNG"),
        ("one.pdf", b"%PDF"),
        ("one.html", b"<!DOCTYPE html>"),
        ("one.txt", b"one\n"),
    ] {
        let ended = draw(&lab, &["corpus.jsonl", "--id", "one", "-o", name]);
        let said = format!("wrote {name} (1 puzzle)\n");
        assert_eq!((ended.code, ended.stderr.as_str(), ended.stdout.as_str()), (0, &*said, ""), "{name}");
        assert!(bytes(&lab, name).starts_with(begins), "{name}");
    }
    let ended = draw(&lab, &["corpus.jsonl", "--id", "one", "--to", "svg"]);
    assert_eq!(ended.stdout.as_bytes(), bytes(&lab, "one.svg"));
    let unknown = draw(&lab, &["corpus.jsonl", "--id", "one", "-o", "one.sgv"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("did you mean .svg?"), "{}", unknown.stderr);
}

#[test]
fn text_goes_to_the_terminal_with_the_solution_where_it_is_asked_for() {
    let lab = lab();
    let plain = draw(&lab, &["corpus.jsonl", "--id", "one"]);
    insta::assert_snapshot!(plain.stdout, @"
    one
    ┌─────────┐
    │3+       │
    │ .    .  │
    ├────┬────┤
    │    │    │
    │ 2  │ 1  │
    └────┴────┘
    ");
    let solved = draw(&lab, &["corpus.jsonl", "--id", "one", "--solution", "--title", "A title"]);
    insta::assert_snapshot!(solved.stdout, @"
    A title
    ┌─────────┐
    │3+       │
    │ 1    2  │
    ├────┬────┤
    │    │    │
    │ 2  │ 1  │
    └────┴────┘
    ");
}

#[test]
fn a_puzzle_without_a_solution_is_drawn_and_ends_with_one() {
    let lab = lab();
    let ended = draw(&lab, &["corpus.jsonl", "--solution", "-o", "all.txt"]);
    assert_eq!(ended.code, 1);
    assert!(ended.stderr.contains("puzzle `none` has no solution"), "{}", ended.stderr);
    assert!(ended.stderr.contains("puzzle `two` has several solutions"), "{}", ended.stderr);
    assert!(lab.read("all.txt").contains("\nnone\n"));
    let book = draw(&lab, &["corpus.jsonl", "--no-answers", "-o", "book.pdf"]);
    assert_eq!((book.code, book.complaints().as_str()), (0, ""));
}

#[test]
fn a_file_is_overwritten_only_by_force_and_several_puzzles_need_pages() {
    let lab = lab();
    let args = ["corpus.jsonl", "--id", "one", "-o", "one.svg"];
    assert_eq!(draw(&lab, &args).code, 0);
    let again = draw(&lab, &args);
    assert!(again.code == 2 && again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(draw(&lab, &[&args[..], &["--force"]].concat()).code, 0);
    for (args, said) in [
        (&["corpus.jsonl", "-o", "all.svg"][..], "svg is for one puzzle, not several: `one`, `two`"),
        (&["corpus.jsonl", "--grid", "1 2/2 1"], "--grid is for one puzzle"),
        (&["corpus.jsonl", "--id", "one", "-o", "nowhere/x.svg"], "cannot write nowhere/x.svg"),
        (&["corpus.jsonl", "--id", "on"], "did you mean `one`?"),
        (&["-", "--grid", "-"], "cannot both come from standard input"),
    ] {
        let ended = draw(&lab, args);
        assert!(ended.code == 2 && flat(&ended.stderr).contains(said), "{args:?}: {}", ended.stderr);
    }
}

#[test]
fn cells_and_digits_that_the_puzzle_lacks_are_refused_by_name() {
    let lab = lab();
    for (args, said) in [
        (["--mark", "C9"], "--mark: puzzle `one` has no cell C9"),
        (["--place", "B2=200"], "--place: 200 (for B2) is not a digit of puzzle `one`"),
        (["--strike", "A1=3"], "--strike: 3 (for A1) is not a digit of puzzle `one`"),
        (["--strike", "B1=1"], "--strike B1=1: B1 holds a 2"),
        (["--place", "B1=1"], "--place B1=1: B1 holds a 2"),
        (["--place", "A1=1,A1=2"], "--place A1=2: A1 holds a 1"),
        (["--mark", "A1,,B2"], "expected a cell before and after each comma"),
        (["--mark", "A1,A1"], "A1 is named twice"),
        (["--place", "A1=one"], "`A1=one` is no cell with a digit"),
        (["--grid", "9./.."], "A1 holds 9, which is not a digit of this puzzle"),
    ] {
        let ended = draw(&lab, &[&["corpus.jsonl", "--id", "one"], &args[..]].concat());
        assert!(ended.code == 2 && flat(&ended.stderr).contains(said), "{args:?}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{args:?}");
    }
    let digits = draw(&lab, &["corpus.jsonl", "--id", "one", "--place", "A1=9"]).stderr;
    assert!(digits.contains("its digits are 1 2"), "{digits}");
}

#[test]
fn options_without_meaning_are_refused() {
    let lab = lab();
    for (args, said) in [
        (&["--to", "txt", "--theme", "dark"][..], "--theme has no meaning for the format txt"),
        (&["--to", "txt", "--labels"], "--labels has no meaning"),
        (&["--to", "svg", "--scale", "3"], "--scale has no meaning for the format svg"),
        (&["--to", "svg", "--per-page", "2"], "--per-page has no meaning for the format svg"),
        (&["--to", "txt", "--title", "T"], "--title is for one puzzle, not several"),
        (&["--to", "pdf", "--mark", "A1"], "--mark is for one puzzle"),
        (&["--to", "pdf", "--solution", "--no-answers"], "cannot be used with"),
    ] {
        let ended = draw(&lab, &[&["corpus.jsonl"], args].concat());
        assert!(ended.code == 2 && flat(&ended.stderr).contains(said), "{args:?}: {}", ended.stderr);
    }
}

#[test]
fn a_grid_with_the_solution_shows_what_is_wrong() {
    let lab = lab();
    let args = ["corpus.jsonl", "--id", "one", "--grid", "2 ./. .", "--solution", "--to", "svg"];
    let ended = draw(&lab, &args);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    // The digit and the frame of a wrong cell.
    assert!(ended.stdout.contains("#c4162a"), "{}", ended.stdout);
    let right =
        draw(&lab, &["corpus.jsonl", "--id", "one", "--grid", "1 ./. .", "--solution", "--to", "svg"]);
    assert!(!right.stdout.contains("#c4162a"));
}

#[test]
fn a_book_says_how_hard_its_puzzles_are() {
    let lab = lab();
    draw(&lab, &["corpus.jsonl", "--id", "one", "--grade", "-o", "book.html"]);
    assert!(lab.read("book.html").contains("<span>easy "), "{}", lab.read("book.html"));
}

#[test]
fn a_book_has_its_puzzles_then_the_answers() {
    let lab = lab();
    let ended = draw(&lab, &["corpus.jsonl", "-o", "book.html", "--title", "Three", "--per-page", "2"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    let page = lab.read("book.html");
    assert_eq!((page.matches("<figure").count(), page.matches("<h1>Three</h1>").count()), (5, 1));
    let again = draw(&lab, &["corpus.jsonl", "-o", "again.html", "--title", "Three", "--per-page", "2"]);
    assert_eq!((again.code, lab.read("again.html")), (1, page), "the same bytes");
}
