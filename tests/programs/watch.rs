//! `kenga watch` on a real terminal, that of tmux; without tmux these tests say so and do nothing.

use std::fs;

use crate::lab::{Lab, forge_again};
use crate::shell::Shell;

/// The generation that a screen shows.
fn generation(screen: &str) -> u64 {
    let (_, behind) = screen.split_once("generation ").expect("a generation");
    let line = screen.lines().find(|line| line.contains("generations/s  generation")).unwrap_or(behind);
    let (_, number) = line.rsplit_once("generation ").expect("a generation");
    number
        .split_whitespace()
        .next()
        .and_then(|number| number.replace(' ', "").parse().ok())
        .expect("a number")
}

#[test]
fn a_run_is_started_paused_stepped_scrubbed_and_left() {
    let lab = Lab::new();
    let Some(shell) = Shell::start(&lab, "keys") else { return };
    lab.write("6x6.txt", include_str!("../../puzzles/original/6x6.txt"));
    shell.kenga("watch ga.toml --set budget.evaluations=100000 --puzzle 6x6.txt");
    let screen = shell.wait("the run, or why there is none", |screen| {
        screen.contains("playing") || screen.contains("code=")
    });
    assert!(screen.contains("kenga watch"), "{screen}");
    shell.press(&["Space"]);
    shell.wait_for("paused at");
    // The generation that was on its way when the key came may still be shown.
    shell.press(&["Home"]);
    shell.wait("the start", |screen| generation(screen) == 0);
    shell.press(&["."]);
    shell.wait("the next generation", |screen| generation(screen) == 1);
    shell.press(&[">"]);
    shell.wait("ten on", |screen| generation(screen) == 11);
    shell.press(&[","]);
    shell.wait("one back", |screen| generation(screen) == 10);
    shell.press(&["?"]);
    shell.wait_for("any key closes this");
    shell.press(&["x"]);
    shell.press(&["Tab"]);
    shell.wait("the cell", |screen| screen.contains("A1 in ") && screen.contains(": digit"));
    shell.press(&["End"]);
    shell.wait_for("ended at");
    shell.press(&["n"]);
    shell.wait_for("run 1 of 6");
    shell.press(&["q"]);
    assert_eq!(shell.ended(), "code=0");
}

#[test]
fn ctrl_c_and_a_signal_give_the_terminal_back() {
    let lab = Lab::new();
    let Some(shell) = Shell::start(&lab, "signals") else { return };
    shell.kenga("watch ga.toml");
    shell.wait_for("generation");
    shell.press(&["C-c"]);
    assert_eq!(shell.ended(), "code=130");
    shell.kenga("watch ga.toml --set seed=41");
    shell.wait_for("generation");
    shell.terminate("watch ga.toml --set seed=41");
    assert_eq!(shell.ended(), "code=143");
}

#[test]
fn a_folder_is_replayed_and_compared_with_what_it_records() {
    let lab = Lab::new();
    lab.run(&["--config", "islands.toml", "--out", "o"]);
    let Some(shell) = Shell::start(&lab, "folder") else { return };
    shell.kenga("watch o --run 2");
    shell.wait_for("run 2 of 6");
    shell.press(&["End"]);
    shell.wait_for("as recorded");
    shell.press(&["Escape"]);
    assert_eq!(shell.ended(), "code=0");
    let rows = fs::read_to_string(lab.path("o/runs.csv")).expect("rows");
    let changed = rows.replace("0,32,12,464", "0,32,13,464");
    assert_ne!(changed, rows);
    lab.write("o/runs.csv", changed);
    forge_again(&lab.path("o"));
    shell.kenga("watch o --run 2");
    shell.wait_for("run 2 of 6");
    shell.press(&["End"]);
    shell.wait_for("not as recorded: best_fitness 12, recorded 13");
    shell.press(&["q"]);
    assert_eq!(shell.ended(), "code=0");
}

#[test]
fn a_terminal_that_cannot_be_drawn_on_is_told_what_to_do_instead() {
    let lab = Lab::new();
    let ended = lab.kenga(&["watch", "ga.toml"]);
    assert_eq!(ended.code, 2);
    for words in ["needs a terminal", "kenga run", "kenga plot"] {
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    }
    let Some(shell) = Shell::start(&lab, "dumb") else { return };
    shell.line("export TERM=dumb");
    shell.kenga("watch ga.toml");
    shell.wait_for("TERM says this one");
    assert_eq!(shell.ended(), "code=2");
    shell.line("export TERM=screen");
    shell.kenga("watch ga.toml --run 6");
    shell.wait_for("there is no run 6 among 6 runs");
    assert_eq!(shell.ended(), "code=2");
}
