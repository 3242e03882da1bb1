//! `kenga convert` as a whole program.

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const FOUR: &str = include_str!("../../puzzles/original/4x4.txt");
const SIX: &str = include_str!("../../puzzles/original/6x6.txt");
const SAMPLE: &str = include_str!("../../puzzles/keen-sample.jsonl");
const WIDE: &str = include_str!("../../puzzles/wide-ops.jsonl");
const KEEN: &str = "4:b_a4_a_6aa,m8s1a6s1m4a3d2\n";

/// A folder with some files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file in the folder");
    }
    folder
}

fn command(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kenga"));
    command.current_dir(folder.path()).arg("convert").args(args);
    command
}

/// Exit code, standard output, standard error.
fn run(folder: &TempDir, args: &[&str]) -> (i32, String, String) {
    finished(command(folder, args).output().expect("the program starts"))
}

fn finished(Output { status, stdout, stderr }: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("valid text");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

#[test]
fn a_puzzle_goes_through_every_format_and_back() {
    let folder = folder(&[("4x4.txt", FOUR)]);
    for format in ["json", "keen", "cage_list", "cage_ids"] {
        let (code, text, errors) = run(&folder, &["4x4.txt", "--to", format]);
        assert_eq!((code, &*errors), (0, ""), "{format}");
        fs::write(folder.path().join("again"), text).expect("a file in the folder");
        assert_eq!(run(&folder, &["again", "--to", "keen"]).1, KEEN, "{format}");
    }
}

#[test]
fn files_are_told_apart_by_content_and_make_one_corpus() {
    let folder = folder(&[("a", FOUR), ("b", SIX), ("c", KEEN)]);
    let (code, text, _) = run(&folder, &["a", "b", "c", "--to", "json"]);
    let ids: Vec<&str> = text.lines().map(|line| &line[..10]).collect();
    assert_eq!((code, ids), (0, vec!["{\"id\":\"a\",", "{\"id\":\"b\",", "{\"id\":\"c\","]));
}

#[test]
fn standard_input_is_read() {
    let folder = folder(&[]);
    let mut child = command(&folder, &["-", "--to", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(KEEN.as_bytes()).expect("the program reads");
    let (code, text, _) = finished(child.wait_with_output().expect("the program ends"));
    assert!(code == 0 && text.starts_with("{\"id\":\"stdin\",\"size\":4,"), "{text}");
}

#[test]
fn a_corpus_of_keen_puzzles_becomes_their_ids() {
    let folder = folder(&[("sample.jsonl", SAMPLE)]);
    let (code, text, _) = run(&folder, &["sample.jsonl", "--to", "keen"]);
    assert_eq!((code, text.lines().count()), (0, SAMPLE.lines().count()));
    assert!(text.lines().all(|id| SAMPLE.contains(&format!("\"keen_id\":\"{id}\""))));
    let (code, json, _) = run(&folder, &["sample.jsonl", "--to", "json"]);
    assert_eq!((code, json.lines().count()), (0, SAMPLE.lines().count()));
}

#[test]
fn bad_lines_are_reported_and_the_rest_is_written() {
    let good: Vec<&str> = SAMPLE.lines().take(2).collect();
    let text = format!("{}\n{}\n{}\n", good[0], &good[0][..200], good[1]);
    let folder = folder(&[("mixed.jsonl", &text)]);
    let (code, text, errors) = run(&folder, &["mixed.jsonl", "missing.txt", "--to", "json"]);
    assert_eq!((code, text.lines().count()), (2, 2));
    assert!(errors.contains("mixed.jsonl:2:201") && errors.contains("cannot read missing.txt"), "{errors}");
    assert!(errors.ends_with("\n2 of 3 puzzles written\n"), "{errors}");
}

#[test]
fn what_a_format_cannot_hold_is_named_and_the_rest_is_written() {
    let folder = folder(&[("wide.jsonl", &format!("{WIDE}{}", SAMPLE.lines().next().expect("a line")))]);
    let (code, text, errors) = run(&folder, &["wide.jsonl", "--to", "keen"]);
    assert_eq!((code, &*text), (2, "3de:_a_a3_a,s1a4s1m3\n"));
    let all = format!("1 of {}", 1 + WIDE.lines().count());
    assert!(errors.contains("puzzle `wide-4-0` (wide.jsonl, line 1) cannot be written"), "{errors}");
    assert!(errors.contains("cage 1− at A2 of 3 cells"), "{errors}");
    assert!(errors.ends_with(&format!("\n{all} puzzles written\n")), "{errors}");
    let (code, _, errors) = run(&folder, &["wide.jsonl", "--to", "keen", "-o", "some.txt"]);
    assert!(code == 2 && errors.ends_with(&format!("wrote some.txt\n{all} puzzles written\n")), "{errors}");
    // Where none can be written there is no empty file.
    let (code, _, errors) =
        run(&folder, &["wide.jsonl", "--to", "keen", "--id", "wide-4-0", "-o", "none.txt"]);
    assert!(code == 2 && errors.ends_with("0 of 1 puzzle written\n"), "{errors}");
    assert!(!folder.path().join("none.txt").exists());
}

#[test]
fn formats_of_one_puzzle_refuse_several() {
    let folder = folder(&[("sample.jsonl", SAMPLE)]);
    let (code, text, errors) = run(&folder, &["sample.jsonl", "--to", "cage_ids"]);
    assert_eq!((code, &*text), (2, ""));
    assert!(errors.contains("holds one puzzle") && errors.contains("--id"), "{errors}");
    let (code, text, _) = run(&folder, &["sample.jsonl", "--to", "cage_ids", "--id", "keen-3de-0"]);
    assert_eq!((code, text.lines().count()), (0, 3 + 4));
}

#[test]
fn unknown_ids_and_formats_name_the_nearest() {
    let folder = folder(&[("sample.jsonl", SAMPLE)]);
    let (code, _, errors) = run(&folder, &["sample.jsonl", "--to", "json", "--id", "keen-3de-1"]);
    assert!(code == 2 && errors.contains("did you mean `keen-3de-0`?"), "{errors}");
    let (code, _, errors) = run(&folder, &["sample.jsonl", "--to", "cageids"]);
    assert!(code == 2 && errors.contains("did you mean `cage_ids`?"), "{errors}");
}

#[test]
fn an_output_file_is_not_overwritten_unasked() {
    let folder = folder(&[("a", FOUR)]);
    let args = ["a", "--to", "keen", "-o", "out"];
    assert_eq!(run(&folder, &args), (0, String::new(), "wrote out\n".to_owned()));
    let (code, _, errors) = run(&folder, &args);
    assert!(code == 2 && errors.contains("already exists") && errors.contains("--force"), "{errors}");
    let in_place = run(&folder, &["a", "--to", "keen", "-o", "a", "--force"]);
    assert_eq!(in_place.0, 0);
    for file in ["a", "out"] {
        assert_eq!(fs::read_to_string(folder.path().join(file)).expect("a file"), KEEN);
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2);
}

#[test]
fn nothing_is_left_when_nothing_can_be_written() {
    let folder = folder(&[("bad", "rubbish\n"), ("two", SAMPLE)]);
    assert_eq!(run(&folder, &["bad", "--to", "json", "-o", "out"]).0, 2);
    assert_eq!(run(&folder, &["two", "--to", "cage_list", "-o", "out"]).0, 2);
    let (code, _, errors) = run(&folder, &["two", "--to", "json", "-o", "no/such/folder"]);
    assert!(code == 2 && errors.contains("cannot write no/such/folder"), "{errors}");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let corpus: String =
        (0..40).map(|copy| SAMPLE.replace("\"id\":\"", &format!("\"id\":\"{copy}-"))).collect();
    let folder = folder(&[("many.jsonl", &corpus)]);
    let mut child = command(&folder, &["many.jsonl", "--to", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut start = [0; 10];
    child.stdout.take().expect("a pipe").read_exact(&mut start).expect("some text");
    let (code, _, errors) = finished(child.wait_with_output().expect("the program ends"));
    assert_eq!((code, &*errors), (0, ""));
}

#[test]
fn help_lists_every_format() {
    let (code, text, _) = run(&folder(&[]), &["--help"]);
    assert_eq!(code, 0);
    for format in kenga::puzzle::formats::TABLE.iter().filter(|format| format.is_written()) {
        assert!(text.contains(format.name), "{}", format.name);
    }
}
