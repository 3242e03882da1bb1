//! What the program says in few words: what it wrote, what it found, what it does not know.

use crate::lab::{Lab, refused};

#[test]
fn what_a_command_wrote_is_said_in_one_line() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--quiet", "-o", "o"]);
    for (line, said) in [
        ("generate --kind kenken --size 4 --count 2 -o two.jsonl", "wrote two.jsonl (2 puzzles)\n"),
        ("draw two.jsonl -o two.pdf", "wrote two.pdf (2 puzzles)\n"),
        ("convert 4x4.txt --to json -o 4x4.json", "wrote 4x4.json\n"),
        ("transform 4x4.txt --rotate 90 -o turned.json", "wrote turned.json\n"),
        ("canonical 4x4.txt -o form.json", "wrote form.json\n"),
        ("explain 4x4.txt --format svg -o steps", "wrote steps ("),
        ("report o -o o.html", "wrote o.html\n"),
        ("export o --to csv -o runs.csv", "wrote runs.csv\n"),
        ("sweep plan ga.toml --pilot 0 -o plan.json", "wrote plan.json\n"),
        ("features 4x4.txt -o features.csv", "wrote features.csv\n"),
        ("bundle o -o o.zip", "wrote o.zip\n"),
    ] {
        let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.code, 0, "{line}: {}", ended.stderr);
        let wrote: Vec<&str> = ended.stderr.lines().filter(|line| line.starts_with("wrote ")).collect();
        assert_eq!(wrote.len(), 1, "{line}: {}", ended.stderr);
        assert!(ended.stderr.contains(said), "{line}: {}", ended.stderr);
    }
    let shown = lab.kenga(&["convert", "4x4.txt", "--to", "json"]);
    assert_eq!(shown.stderr, "", "nothing is written");
}

#[test]
fn what_is_no_place_to_write_to_is_said_and_nothing_is_left() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "o", "--runs", "1", "--quiet"]);
    for (line, said) in [
        ("bundle o -o -", "a bundle is written to a file, not to standard output"),
        ("bundle o -o /dev/full", "No space left on device"),
        ("report o -o /dev/full", "cannot write /dev/full"),
        ("convert 4x4.txt --to json -o /dev/full", "cannot write /dev/full"),
        ("run --config ga.toml --runs 1 --out /dev/full", "/dev/full is a file, not a folder"),
        ("serve 4x4.txt", "4x4.txt is a file, not a folder"),
        ("serve --port 70000", "expected a whole number"),
        ("serve --listen nowhere.invalid", "machine in numbers, such as 192.168.1.7"),
        ("serve --host nowhere", "expected an address of"),
    ] {
        let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
        assert!(ended.code == 2 && ended.stderr.contains(said), "{line}\n{}", ended.stderr);
        assert!(ended.stderr.matches("No space left").count() < 2, "{line}\n{}", ended.stderr);
        assert!(!ended.stderr.contains("with --out"), "{line}\n{}", ended.stderr);
    }
    for name in ["-", "4x4.zip"] {
        assert!(!lab.path(name).exists(), "{name}");
    }
    assert!(lab.kenga(&["report", "o", "-o", "-"]).stdout.starts_with("<!DOCTYPE html>"));
}

#[test]
fn a_puzzle_that_a_configuration_names_is_missed_at_its_line() {
    let lab = Lab::new();
    lab.write("bad.toml", crate::lab::GENETIC.replace("4x4.txt", "gone.txt"));
    let said = refused(&lab, "run bad.toml");
    assert!(said.contains("cannot read gone.txt") && said.contains("bad.toml:1:12"), "{said}");
    lab.write("deep/bad.toml", "seed = 1\npuzzles = ['../4x4.txt', 'gone.txt']\nbudget.evaluations = 100\n");
    let ended = lab.kenga(&["run", "deep/bad.toml", "-o", "o"]);
    assert!(ended.stderr.contains("deep/bad.toml:2:"), "{}", ended.stderr);
    assert_eq!(ended.code, 2, "the other puzzle ran");
    assert!(lab.path("o/runs.csv").exists());
}

#[test]
fn a_text_in_no_format_is_refused_in_few_lines() {
    let lab = Lab::new();
    lab.write("words.txt", "hello\n");
    let ended = lab.kenga(&["solve", "words.txt"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("`kenga guide formats`"), "{}", ended.stderr);
    assert!(ended.stderr.lines().count() < 20, "{}", ended.stderr);
}
