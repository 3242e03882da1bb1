//! Folders to start from: what `kenga init` writes works at once.

use crate::lab::{Lab, refused};

/// The commands that the last lines of a command name.
fn commands_in(text: &str) -> Vec<String> {
    text.lines().filter_map(|line| line.strip_prefix("  kenga ")).map(str::to_owned).collect()
}

/// A folder for one purpose, and the commands that `init` names next.
fn begun(lab: &Lab, what: &str) -> Vec<String> {
    let ended = lab.kenga(&["init", what, "--for", what]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(
        ended.stderr.starts_with("wrote ") && ended.stdout.contains(&format!("cd {what}\n")),
        "{ended:?}"
    );
    let commands = commands_in(&ended.stdout);
    assert_eq!(commands.len(), 2, "{}", ended.stdout);
    commands
}

/// Runs a command in a folder of the lab, with little to do.
fn run_in(lab: &Lab, folder: &str, command: &str) -> String {
    let smaller = if command.starts_with("run ") { " --runs 2 --set budget.evaluations=400" } else { "" };
    let line = format!("{command}{smaller}");
    let output = lab
        .command(&line.split(' ').collect::<Vec<_>>())
        .current_dir(lab.path(folder))
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{line}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_sweep_runs_and_is_compared() {
    let lab = Lab::new();
    for command in begun(&lab, "sweep") {
        run_in(&lab, "sweep", &command);
    }
    assert!(lab.path("sweep/results/sweep/runs.csv").exists());
}

#[test]
fn a_lesson_runs_and_its_page_is_there() {
    let lab = Lab::new();
    for command in begun(&lab, "lesson") {
        run_in(&lab, "lesson", &command);
    }
    assert!(run_in(&lab, "lesson", "explain puzzle.txt").contains("solved"));
}

#[cfg(unix)]
#[test]
fn a_program_runs_beside_an_algorithm_of_kenga_and_its_runs_can_be_repeated() {
    let lab = Lab::new();
    for command in begun(&lab, "program") {
        run_in(&lab, "program", &command);
    }
    run_in(&lab, "program", "validate results/program --replay all --programs .");
}

#[test]
fn puzzles_are_graded_drawn_and_made_against_the_algorithm_beside_them() {
    let lab = Lab::new();
    for command in begun(&lab, "puzzles") {
        run_in(&lab, "puzzles", &command);
    }
    assert!(lab.bytes("puzzles/book.pdf").starts_with(b"%PDF"));
    let made = "generate --kind kenken --size 4 --hard-for genetic.toml --effort 2 --runs 2";
    assert!(run_in(&lab, "puzzles", made).starts_with("{\"id\":"));
}

#[test]
fn the_commands_of_a_readme_name_what_there_is() {
    let lab = Lab::new();
    for what in ["sweep", "program", "lesson", "puzzles"] {
        begun(&lab, what);
        for line in lab.read(&format!("{what}/README.md")).lines().filter(|line| line.starts_with("kenga ")) {
            let command = line.split("  ").next().expect("a command");
            let words: Vec<&str> = command.split(' ').skip(1).collect();
            let is_file = |word: &&&str| {
                let is_read = [".toml", ".txt"].iter().any(|ending| word.ends_with(ending));
                is_read || **word == "book.jsonl"
            };
            for file in words.iter().filter(is_file) {
                assert!(lab.path(&format!("{what}/{file}")).exists(), "{what}: {command}");
            }
            let help = lab.kenga(&[words[0], "--help"]);
            assert_eq!(help.code, 0, "{command}");
        }
    }
}

#[test]
fn what_is_there_is_never_replaced_and_then_nothing_is_written() {
    let lab = Lab::new();
    lab.write("mine/puzzle.txt", "mine");
    let said = refused(&lab, "init mine --for sweep");
    assert!(said.contains("mine/puzzle.txt already exists") && said.contains("--force"), "{said}");
    assert_eq!(lab.read("mine/puzzle.txt"), "mine");
    assert!(!lab.path("mine/sweep.toml").exists() && !lab.path("mine/README.md").exists());
    assert_eq!(std::fs::read_dir(lab.path("mine")).expect("a folder").count(), 1, "no drafts are left");
    assert_eq!(lab.kenga(&["init", "mine", "--for", "sweep", "--force"]).code, 0);
    assert_eq!(lab.read("mine/puzzle.txt"), crate::lab::FOUR);
}

#[test]
fn a_readme_fits_80_columns() {
    let lab = Lab::new();
    for what in ["sweep", "program", "lesson", "puzzles"] {
        begun(&lab, what);
        for line in lab.read(&format!("{what}/README.md")).lines() {
            assert!(line.chars().count() <= 80, "{what}: {line}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_no_text_is_named_in_no_command() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let lab = Lab::new();
    let mut command = lab.command(&["init", "--for", "sweep"]);
    let output = command.arg(OsStr::from_bytes(b"caf\xe9")).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && !said.contains("cd "), "{said}");
}

#[test]
fn without_a_purpose_the_choices_are_listed() {
    let said = refused(&Lab::new(), "init");
    for what in ["sweep", "program", "lesson", "puzzles"] {
        assert!(said.contains(&format!(" {what} ")), "{said}");
    }
    assert!(said.contains("say with --for what the folder is for"), "{said}");
}

#[test]
fn a_configuration_works_from_any_directory() {
    let lab = Lab::new();
    begun(&lab, "sweep");
    run_in(&lab, ".", "run --config sweep/sweep.toml");
    assert!(lab.path("results/sweep/runs.csv").exists());
}
