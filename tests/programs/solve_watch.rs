//! `kenga solve --watch` on a real terminal.

use std::fs;

use crate::lab::Lab;
use crate::shell::Shell;

/// The event that a screen shows.
fn event(screen: &str) -> Option<usize> {
    let (_, behind) = screen.split_once("  event ")?;
    let (number, _) = behind.split_once(" of ")?;
    number.replace(' ', "").parse().ok()
}

fn puzzles(lab: &Lab) {
    lab.write("6x6.txt", include_str!("../../puzzles/original/6x6.txt"));
    lab.write("none.jsonl", include_str!("../../puzzles/unsat-multi.jsonl"));
    lab.write("one.json", r#"{"id":"one","size":1,"cages":[{"op":"=","target":1,"cells":[[0,0]]}]}"#);
    lab.write("latin.json", r#"{"id":"latin","kind":"latin","size":4}"#);
}

#[test]
fn a_search_is_played_paused_stepped_and_left() {
    let lab = Lab::new();
    let Some(shell) = Shell::start(&lab, "film") else { return };
    puzzles(&lab);
    shell.kenga("solve 6x6.txt --watch");
    shell.wait_for("playing at 2 events/s");
    shell.wait("an event", |screen| event(screen).is_some_and(|event| event > 1));
    shell.press(&["Space"]);
    let paused = event(&shell.wait_for("paused at")).expect("an event");
    shell.press(&["."]);
    shell.wait("the next event", |screen| event(screen) == Some(paused + 1));
    shell.press(&[">"]);
    shell.wait("ten on", |screen| event(screen) == Some(paused + 11));
    shell.press(&["<"]);
    shell.wait("ten back", |screen| event(screen) == Some(paused + 1));
    shell.press(&["d"]);
    shell.wait_for("> decision 1: try");
    shell.press(&["c"]);
    shell.wait_for("> conflict:");
    shell.press(&["Tab"]);
    shell.wait_for(" A1 in 13+ ");
    shell.press(&["Right"]);
    shell.wait_for(" A2 in 13+ ");
    let screen = shell.wait_for(" left");
    assert!(screen.contains("(event "), "{screen}");
    shell.press(&["Tab"]);
    shell.press(&["k"]);
    shell.wait("digits alone", |screen| screen.contains('·') && !screen.contains("│ 456"));
    shell.press(&["?"]);
    shell.wait_for("any key closes this");
    shell.press(&["x"]);
    shell.press(&["End"]);
    shell.wait_for("> the end: this is the only solution");
    shell.press(&["c"]);
    shell.wait_for("there are no further conflicts");
    shell.press(&["Home"]);
    shell.wait_for("the puzzle, before the first step");
    shell.press(&["n"]);
    shell.press(&["q"]);
    assert_eq!(shell.ended(), "code=0");
}

#[test]
fn ctrl_c_and_a_signal_give_the_terminal_back_after_a_search() {
    let lab = Lab::new();
    let Some(shell) = Shell::start(&lab, "film-signals") else { return };
    puzzles(&lab);
    shell.kenga("solve 6x6.txt --watch");
    shell.wait_for("event");
    shell.press(&["C-c"]);
    assert_eq!(shell.ended(), "code=130");
    shell.kenga("solve latin.json --count 999 --watch");
    shell.wait_for("event");
    shell.terminate("solve latin.json --count 999 --watch");
    assert_eq!(shell.ended(), "code=143");
}

#[test]
fn many_puzzles_follow_one_another_and_standard_input_is_read() {
    let lab = Lab::new();
    let Some(shell) = Shell::start(&lab, "film-many") else { return };
    puzzles(&lab);
    shell.kenga("solve one.json none.jsonl latin.json --watch --speed 50 --color never");
    let of = format!("puzzle 1 of {}", 2 + include_str!("../../puzzles/unsat-multi.jsonl").lines().count());
    shell.wait_for(&of);
    shell.wait_for("the end: this is the only solution");
    shell.press(&["n"]);
    shell.wait_for("puzzle 2 of");
    shell.press(&["End"]);
    shell.wait_for("ended at");
    shell.press(&["p"]);
    shell.wait_for("puzzle 1 of");
    shell.press(&["q"]);
    assert_eq!(shell.ended(), "code=0");
    shell.line("stty -a > before; cat one.json | KENGA solve - --watch; echo code=$? > code; stty -a > after; echo do''ne".replace("KENGA", env!("CARGO_BIN_EXE_kenga")).as_str());
    shell.wait_for("a solution");
    shell.press(&["q"]);
    assert_eq!(shell.ended(), "code=0");
}

#[test]
fn without_a_terminal_or_with_what_it_cannot_be_with_it_is_refused() {
    let lab = Lab::new();
    puzzles(&lab);
    let ended = lab.kenga(&["solve", "6x6.txt", "--watch"]);
    assert_eq!(ended.code, 2);
    for words in ["kenga solve --watch needs a terminal", "--animate"] {
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
    for other in [&["--json"][..], &["--animate", "x.svg"], &["--all"], &["--why"]] {
        let ended = lab.kenga(&[&["solve", "6x6.txt", "--watch"], other].concat());
        assert_eq!(ended.code, 2, "{other:?}");
        assert!(ended.stderr.contains("cannot be used with"), "{}", ended.stderr);
    }
    let ended = lab.kenga(&["solve", "6x6.txt", "--speed", "3"]);
    assert_eq!(ended.code, 2);
    assert!(
        fs::read_dir(lab.path(""))
            .is_ok_and(|mut files| files.all(|file| file.is_ok_and(|file| file.file_name() != "x.svg")))
    );
}
