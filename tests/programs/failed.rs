//! Runs of programs that fail: what is kept and said of them, and that they are tried again until they do not.

use std::fs;
use std::process::Stdio;

use crate::lab::{Ended, Lab, forge_again, well};
use crate::resume::wait_while_running;

/// A program that asks for one wrong genome after the other, unless it breaks down: after as many evaluations as the file
/// `evaluations` says, at the starts that the file `bad` names. It counts its starts.
const PROGRAM: &str = "\
read greeting
echo start >> starts
start=$(($(wc -l < starts)))
left=1000
for bad in $(cat bad); do [ $bad = $start ] && left=$(cat evaluations); done
while [ $left -gt 0 ]; do
    echo '{\"evaluate\":[[1,1,2,1]]}'; read answer; case $answer in *done*) exit 0;; esac
    [ $left != 2 ] && [ $left != 998 ] || { echo '{\"population\":[[1,1,2,1]]}'; read answer; }
    left=$((left - 1))
done
[ -e patience ] && sleep 1000
echo 'Traceback:' >&2; echo '  \"bad\", line 7' >&2
exit 3
";

const CONFIG: &str = "\
puzzles = ['2x2.json']
replicates = 6
budget.evaluations = 5
record = { groups = true }
[algorithm]
name = 'program'
command = ['sh', 'program.sh']
";

/// A built-in algorithm beside the program.
const MIXED: &str = "\
puzzles = ['2x2.json']
replicates = 6
budget.evaluations = 5
[sweep]
algorithm = [{ name = 'random' }, { name = 'program', command = ['sh', 'program.sh'] }]
";

/// The program breaks down at these starts, after so many evaluations.
fn lab(config: &str, bad: &str, evaluations: u32) -> Lab {
    let lab = Lab::new();
    lab.write(
        "2x2.json",
        r#"{"id":"p","size":2,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#,
    );
    lab.write("program.sh", PROGRAM);
    lab.write("c.toml", config);
    mend(&lab, bad);
    lab.write("evaluations", evaluations.to_string());
    lab
}

/// Lets the program break down at these starts from now on, and forget its starts.
fn mend(lab: &Lab, bad: &str) {
    lab.write("bad", bad);
    lab.write("starts", "");
}

const RUN: [&str; 5] = ["run", "--config", "c.toml", "--jobs", "1"];

/// `kenga run` with failures, to the folder `out`.
fn failing(lab: &Lab, out: &str, args: &[&str]) -> Ended {
    let ended = lab.kenga(&[&RUN[..], &["--out", out], args].concat());
    assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
    ended
}

/// Every file but the times, by name.
fn files(lab: &Lab, folder: &str) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(lab.path(folder)).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
    let mut names: Vec<String> = names.filter(|name| name != "timing.csv").collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), lab.bytes(&format!("{folder}/{name}")))).collect()
}

/// The same experiment without failures, in `whole`.
fn whole(lab: &Lab, args: &[&str]) -> Vec<(String, Vec<u8>)> {
    mend(lab, "");
    lab.run(&[&RUN[1..], &["--out", "whole"], args].concat());
    files(lab, "whole")
}

#[test]
fn a_failed_run_has_its_row_its_reason_and_exit_code_1() {
    let lab = lab(CONFIG, "2 5", 3);
    let ended = failing(&lab, "o", &[]);
    for said in [
        "The program of 2 runs failed: they rank last. Why:",
        "run 1: it ended before the run did: exit status: 3 (2 runs)\n    stderr: Traceback:\n    stderr:   \"bad\", line 7\n",
        "failures.csv has every reason, and what the program wrote to standard error.",
        "kenga run --resume o",
    ] {
        assert!(ended.stdout.contains(said), "{said}\n{}", ended.stdout);
    }
    let rows = lab.read("o/runs.csv");
    assert!(rows.contains("\n1,p,0,1,false,false,,3,0,0,"), "{rows}");
    assert_eq!(rows.lines().filter(|row| row.contains(",failed,")).count(), 2);
    let reason = "it ended before the run did: exit status: 3,\"Traceback:\n  \"\"bad\"\", line 7\"\n";
    assert_eq!(
        lab.read("o/failures.csv"),
        format!("run,puzzle,setting,replicate,reason,stderr\n1,p,0,1,{reason}4,p,0,4,{reason}")
    );
    assert!(lab.read("o/checksums.txt").contains("  failures.csv\n"));
    let (code, found) = lab.validate(&["o", "--replay", "all", "--programs", "."]);
    assert_eq!((code, &found["failed"], &found["replayed"]), (0, &2.into(), &4.into()), "{found}");
    // To try them again and fail again is no better.
    mend(&lab, "1 2");
    let ended = failing(&lab, "o", &["--resume", "--json"]);
    assert_eq!(ended.stderr, "note: 2 failed runs are tried again\n");
    let summary: serde_json::Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!((&summary["failed"], &summary["puzzles"][0]["failed"]), (&2.into(), &2.into()));
    assert_eq!(lab.read("o/runs.csv"), rows);
    // The folder does not know where its programs are.
    mend(&lab, "1 2");
    let said = lab.kenga(&["run", "--resume", "o"]).stdout;
    assert!(said.contains("folder: --programs DIR\n"), "{said}");
    mend(&lab, "1 2");
    let said = lab.kenga(&["run", "--resume", "o", "--programs", "."]).stdout;
    assert!(said.contains("kenga run --resume o --programs .") && !said.contains("DIR"), "{said}");
}

#[test]
fn a_run_is_tried_again_as_often_as_retries_says() {
    let lab = lab(&format!("retries = 1\n{CONFIG}"), "2 5", 3);
    let ended = lab.kenga(&[&RUN[..], &["--out", "mended"]].concat());
    let said = ended.stderr;
    assert_eq!(ended.code, 0, "{said}");
    for run in [1, 3] {
        let note = format!("note: run {run} failed and begins again (1 attempt left): it ended before");
        assert!(said.contains(&note), "{said}");
    }
    assert!(
        files(&lab, "mended") == whole(&lab, &[]),
        "a run that ends well leaves no trace of those before"
    );
    mend(&lab, "1 2 3");
    failing(&lab, "o", &["--quiet"]);
    let failed: Vec<String> =
        lab.read("o/failures.csv").lines().skip(1).map(|row| row[..2].to_owned()).collect();
    assert_eq!(failed[0], "0,", "{failed:?}");
    assert_eq!(lab.read("o/runs.csv").lines().filter(|row| row.contains(",failed,")).count(), 1);
    assert_eq!(lab.read("starts").lines().count(), 8);
}

#[test]
fn the_command_that_tries_again_says_where_the_programs_are() {
    let lab = lab(CONFIG, "1", 3);
    for name in ["2x2.json", "program.sh", "bad", "starts", "evaluations"] {
        lab.write(&format!("my study/{name}"), lab.bytes(name));
    }
    lab.write("my study/c.toml", CONFIG);
    let ended = lab.kenga(&["run", "--config", "my study/c.toml", "--jobs", "1", "--out", "o"]);
    let command = "kenga run --resume o --programs 'my study'\n";
    assert!(ended.code == 1 && ended.stdout.contains(command), "{}{}", ended.stdout, ended.stderr);
    assert_eq!(lab.kenga(&["run", "--resume", "o", "--programs", "my study"]).code, 0);
}

#[test]
fn a_run_that_evaluated_nothing_has_no_best() {
    let lab = lab(CONFIG, "1", 0);
    failing(&lab, "o", &[]);
    assert_eq!(lab.read("o/runs.csv").lines().nth(1), Some("0,p,0,0,false,false,,0,0,0,,,,failed,,,"));
    let (code, found) = lab.validate(&["o"]);
    assert_eq!(code, 0, "{found}");
    // Nor has an experiment without any evaluation.
    mend(&lab, "1 2 3 4 5 6");
    failing(&lab, "none", &[]);
    for line in ["report none -o none.html", "export none --to csv", "export none --to optuna -o journal.log"]
    {
        well(&lab, line);
    }
    well(&lab, "export o --to ioh -o ioh");
    assert!(lab.read("none.html").contains("The program of 6 runs failed: they rank last."));
}

#[test]
fn failed_runs_are_tried_again_and_end_with_the_same_bytes() {
    for (evaluations, set) in [(0, "record.gzip=false"), (3, "record.gzip=true")] {
        let lab = lab(CONFIG, "1 4 6", evaluations);
        failing(&lab, "o", &["--set", set]);
        let whole = whole(&lab, &["--runs", "7", "--set", set]);
        mend(&lab, "");
        let ended = lab.kenga(&["run", "--resume", "o", "--runs", "7", "--jobs", "1"]);
        assert_eq!((ended.code, &*ended.stderr), (0, "note: 3 failed runs are tried again\n"));
        assert_eq!(lab.read("starts").lines().count(), 4, "what did not fail is not made again");
        assert!(files(&lab, "o") == whole);
        assert_eq!(lab.read("o/timing.csv").lines().count(), 8);
        assert_eq!(lab.validate(&["o", "--replay", "all", "--programs", "."]).0, 0);
    }
}

/// Resumes `o`; the second run that is tried again waits for ever, until the program is killed.
const AGAIN: [&str; 6] = ["run", "--resume", "o", "--jobs", "1", "--quiet"];

fn kill_amid_a_retry(lab: &Lab) {
    mend(lab, "2");
    lab.write("patience", "");
    let mut child = lab.command(&AGAIN).stderr(Stdio::null()).spawn().expect("it starts");
    let lines = |name: &str| fs::read_to_string(lab.path(name)).unwrap_or_default().lines().count();
    let waits = || lines("starts") == 2 && lines("o/.kenga-retry/runs.csv") == 2;
    assert!(wait_while_running(&mut child, waits));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
}

/// What the folder inside says is checked before it takes the place of the failed rows.
#[test]
fn false_claims_of_a_run_that_was_tried_again_are_refuted() {
    let lab = lab(CONFIG, "1 3 5", 3);
    failing(&lab, "o", &[]);
    let whole = whole(&lab, &[]);
    kill_amid_a_retry(&lab);
    mend(&lab, "");
    for (name, from, to) in [
        ("runs.csv", ",false,false,", ",true,true,"),
        ("groups.csv", "\n0,", "\n0,row 9,row,1\n0,"),
        ("timing.csv", "\n0,", "\n0,-"),
    ] {
        let name = format!("o/.kenga-retry/{name}");
        let (text, rows) = (lab.read(&name), lab.read("o/runs.csv"));
        assert!(text.contains(from), "{text}");
        lab.write(&name, text.replacen(from, to, 1));
        let ended = lab.kenga(&["validate", "o", "--replay", "0"]);
        let place = &name[2..];
        assert!(ended.code == 1 && ended.stdout.contains(place), "{}{}", ended.stdout, ended.stderr);
        let ended = lab.kenga(&AGAIN);
        assert!(ended.code == 2 && ended.stderr.contains(".kenga-retry"), "{}{}", ended.stdout, ended.stderr);
        assert_eq!(lab.read("o/runs.csv"), rows);
        lab.write(&name, text);
    }
    assert_eq!(lab.kenga(&AGAIN).code, 0);
    assert!(files(&lab, "o") == whole);
}

#[test]
fn a_retry_that_is_killed_loses_nothing() {
    let lab = lab(CONFIG, "1 3 5", 3);
    failing(&lab, "o", &[]);
    let whole = whole(&lab, &[]);
    kill_amid_a_retry(&lab);
    let rows = lab.read("o/runs.csv");
    assert_eq!(rows.lines().filter(|row| row.contains(",failed,")).count(), 3, "they are there until then");
    let (code, found) = lab.validate(&["o"]);
    assert_eq!((code, &found["failed"]), (0, &3.into()), "{found}");
    mend(&lab, "");
    let ended = lab.kenga(&AGAIN);
    assert_eq!((ended.code, &*ended.stderr), (0, "note: 2 failed runs are tried again\n"));
    assert_eq!(lab.read("starts").lines().count(), 2, "one had been tried");
    assert!(files(&lab, "o") == whole);
}

#[test]
fn in_a_sweep_other_algorithms_are_made_and_failures_count_as_unsolved() {
    let lab = lab(MIXED, "2 3", 3);
    let ended = failing(&lab, "o", &[]);
    assert!(ended.stdout.contains("run 3: it ended before the run did"), "{}", ended.stdout);
    assert_eq!(lab.read("o/runs.csv").lines().count(), 13);
    let shown = well(&lab, "compare o");
    assert!(shown.contains("The program of 2 runs failed: they rank last."), "{shown}");
    well(&lab, "report o -o page.html");
    assert!(lab.read("page.html").contains("The program of 2 runs failed: they rank last."));
    assert_eq!(well(&lab, "export o --to csv").lines().filter(|row| row.contains(",failed,")).count(), 2);
    let whole = whole(&lab, &[]);
    mend(&lab, "");
    assert_eq!(lab.kenga(&["run", "--resume", "o"]).code, 0);
    assert!(files(&lab, "o") == whole);
    // Without a program there is no such file.
    lab.run(&["--config", "ga.toml", "--out", "own"]);
    assert!(!lab.path("own/failures.csv").exists());
}

#[test]
fn a_race_goes_on_from_its_first_failed_run() {
    let lab = lab(&format!("{MIXED}method = 'race'\n"), "2 4", 3);
    failing(&lab, "o", &[]);
    let whole = whole(&lab, &[]);
    mend(&lab, "");
    let ended = lab.kenga(&["run", "--resume", "o", "--jobs", "1"]);
    let note = "note: 2 failed runs are tried again, and all runs of the race after the first of them\n";
    assert_eq!((ended.code, &*ended.stderr), (0, note));
    assert_eq!(lab.read("starts").lines().count(), 5, "the first did not fail");
    assert!(files(&lab, "o") == whole);
}

#[test]
fn a_failed_run_costs_what_any_unsolved_one_does() {
    let lab = lab(MIXED, "2 4", 2);
    // It solves, unless it breaks down.
    let solves = "[ $left = 1000 ] && { echo '{\"evaluate\":[[1,2,2,1]]}'; read answer; exit 0; }\nwhile";
    lab.change("program.sh", |text| text.replace("while", solves));
    failing(&lab, "o", &[]);
    let found: serde_json::Value = serde_json::from_str(&well(&lab, "compare o --json")).expect("JSON");
    let side = found["settings"]
        .as_array()
        .and_then(|all| all.iter().find(|side| side["name"] == "algorithm = program.sh"));
    let side = side.unwrap_or_else(|| panic!("{found}"));
    assert_eq!((&side["runs"], &side["solved"]), (&6.into(), &4.into()));
    // Four solve at once, two fail after 2 of 5 evaluations.
    assert_eq!(side["par10"]["value"], (4.0 * 1.0 + 2.0 * 50.0) / 6.0);
    // A run whose program failed costs the whole budget: it would not have solved with the rest.
    let expected = side["expected"]["value"].as_f64().expect("a number");
    assert!((expected - (4.0 * 1.0 + 2.0 * 5.0) / 4.0).abs() < 1e-9, "{side}");
}

#[test]
fn a_shard_tries_its_failed_runs_again() {
    let lab = lab(MIXED, "2", 3);
    let whole = whole(&lab, &[]);
    well(&lab, "sweep plan --config c.toml -o plan.json");
    let run = |shard: &str| {
        let args = ["sweep", "run", "plan.json", "--shard", shard, "-o", "shards", "--resume", "--jobs", "1"];
        lab.kenga(&[&args[..], &["--quiet"]].concat()).code
    };
    mend(&lab, "2");
    assert_eq!((run("1/4"), run("0/4"), run("2/4"), run("3/4")), (1, 0, 0, 0));
    mend(&lab, "");
    assert_eq!(run("1/4"), 0);
    well(&lab, "sweep merge plan.json shards -o merged");
    assert!(files(&lab, "merged") == whole);
}

#[test]
fn false_claims_of_failures_are_refuted() {
    let lab = lab(CONFIG, "2 5", 3);
    failing(&lab, "o", &[]);
    let refuted = |name: &str, change: &dyn Fn(String) -> String, said: &str| {
        lab.copy("o", "t");
        lab.change(&format!("t/{name}"), change);
        forge_again(&lab.path("t"));
        let ended = lab.kenga(&["validate", "t", "--replay", "0"]);
        assert!(ended.code == 1 && ended.stdout.contains(said), "{said}\n{}{}", ended.stdout, ended.stderr);
    };
    let cut = |text: String| text[..text.find("4,p").expect("its row")].to_owned();
    refuted("failures.csv", &cut, "run 4 has no reason in failures.csv");
    refuted("failures.csv", &|text| text.replace("4,p,0,4", "3,p,0,3"), "run 3: it did not fail");
    refuted(
        "failures.csv",
        &|text| text.replace("4,p,0,4", "4,p,0,2"),
        "puzzle, setting or replicate differs",
    );
    refuted("runs.csv", &|text| text.replacen(",failed,", ",stalled,", 1), "run 1: it did not fail");
    refuted("runs.csv", &|text| text.replacen(",1 1/2 1\n", ",\n", 1), "the grid is missing");
}

#[test]
fn a_program_that_does_not_follow_its_seed_is_not_reproducible() {
    let lab = lab(CONFIG, "", 3);
    lab.run(&[&RUN[1..], &["--out", "o"]].concat());
    // It depends on how often it was started.
    mend(&lab, "1 2 3 4 5 6");
    let ended = lab.kenga(&["validate", "o", "--replay", "all", "--programs", "."]);
    assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
    for said in [
        "not reproducible: runs.csv, line 2: replaying run 0 gives a failure: it ended",
        "no claim is refuted, but the program of some runs does not follow its seed",
    ] {
        assert!(ended.stdout.contains(said), "{said}\n{}", ended.stdout);
    }
    lab.change("program.sh", |text| text.replace("1,1,2,1", "2,1,2,1"));
    mend(&lab, "");
    let (code, found) = lab.validate(&["o", "--programs", "."]);
    assert_eq!((code, &found["findings"][0]["kind"]), (1, &"not reproducible".into()), "{found}");
}

#[test]
fn a_program_that_has_changed_since_is_told_from_one_that_does_not_follow_its_seed() {
    let lab = lab(CONFIG, "", 3);
    lab.run(&[&RUN[1..], &["--out", "o"]].concat());
    lab.change("program.sh", |text| text.replace("1,1,2,1", "2,1,2,1"));
    let ended = lab.kenga(&["validate", "o", "--programs", "."]);
    assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
    let text = ended.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "not reproducible: runs.csv, line 2: replaying run 0 gives best_fitness 2, not 14; distance 2, not 1; grid 2 1/2 1, not 1 1/2 1 (so does a second replay: the program, or what it uses, has changed since)",
        "no claim is refuted, but the program of some runs has changed since: it gives other results now",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    // What it asks for depends on how often it was started.
    lab.change("program.sh", |text| text.replace("[2,1,2,1]", "['$(($(wc -l < starts) % 2 + 1))',1,2,1]"));
    let ended = lab.kenga(&["validate", "o", "--programs", "."]);
    let text = ended.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("(a second replay gives something else again: the program does not follow its seed)"),
        "{text}"
    );
    assert!(text.contains("the program of some runs does not follow its seed"), "{text}");
}
