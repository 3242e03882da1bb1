//! Programs in the place of an algorithm: what they are told, what becomes of them, and that what they make is as good as
//! what kenga makes.

use std::fs;
use std::process::{Child, Stdio};

use crate::lab::Lab;
use crate::resume::wait_while_running;
use crate::signals::send;

/// A script that asks for one wrong genome of the 2x2 until the run is done, and logs a population after each.
const STEADY: &str = "\
read greeting || exit 0
echo $$ >> processes; echo \"$greeting\" >> greetings
while :; do
    echo '{\"evaluate\":[[1,1,2,1]]}'; read answer; case $answer in *done*) break;; esac
    echo '{\"population\":[[1,1,2,1]]}'; read answer; case $answer in *done*) break;; esac
done
";

fn config(keys: &str) -> String {
    format!(
        "puzzles = ['2x2.json']\nreplicates = 3\nbudget.evaluations = 5\n[algorithm]\nname = 'program'\n\
         command = ['sh', 'steady.sh']\n{keys}"
    )
}

/// A lab with a folder `study` of a configuration, a script and a puzzle.
fn lab(script: &str, keys: &str) -> Lab {
    let lab = Lab::new();
    lab.write(
        "study/2x2.json",
        r#"{"id":"p","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[1,0]]},{"op":"+","target":3,"cells":[[0,1],[1,1]]}],"solution":[[1,2],[2,1]]}"#,
    );
    lab.write("study/steady.sh", script);
    lab.write("study/c.toml", config(keys));
    lab
}

const RUN: [&str; 4] = ["--config", "study/c.toml", "--out", "o"];

#[test]
fn a_program_runs_as_an_algorithm_of_kengas_own() {
    let lab = lab(STEADY, "");
    lab.run(&RUN);
    let rows = lab.read("o/runs.csv");
    assert!(rows.contains("\n0,p,0,0,false,false,,5,0,3,14,1,0,evaluations,,1,1 1/2 1\n"), "{rows}");
    // The fifth evaluation ends the run: four generations.
    assert_eq!(lab.read("o/convergence.csv").lines().count(), 1 + 3 * 4);
    assert_eq!(lab.read("study/processes").lines().count(), 3, "a process a run");
    let greetings = lab.read("study/greetings");
    assert!(!greetings.contains("solution"), "{greetings}");
    // The number of threads changes nothing, nor does a plan or a shard.
    lab.run(&["--config", "study/c.toml", "--out", "many", "--jobs", "4"]);
    assert_eq!(lab.decided("many"), lab.decided("o"));
    // A folder of somebody else's could name any program: none is started that nobody asked for.
    let (code, found) = lab.validate(&["o", "--replay", "all"]);
    assert_eq!((code, &found["replayed"], &found["not_started"]), (0, &0.into(), &3.into()), "{found}");
    let (code, found) = lab.validate(&["o", "--replay", "all", "--programs", "study"]);
    assert_eq!((code, &found["replayed"]), (0, &3.into()), "{found}");
}

#[test]
fn a_folder_is_resumed_where_its_programs_are() {
    let lab = lab(STEADY, "");
    lab.run(&[&RUN[..], &["--runs", "2"]].concat());
    lab.run(&["--resume", "o", "--runs", "3", "--programs", "study"]);
    lab.run(&["--config", "study/c.toml", "--out", "whole"]);
    assert_eq!(lab.decided("o"), lab.decided("whole"));
}

#[cfg(unix)]
#[test]
fn a_path_of_a_program_begins_in_the_folder_of_the_configuration() {
    use std::os::unix::fs::PermissionsExt;
    let lab = lab("", "");
    fs::create_dir(lab.path("study/ö b")).expect("a folder");
    lab.write("study/ö b/x", format!("#!/bin/sh\n{STEADY}"));
    fs::set_permissions(lab.path("study/ö b/x"), fs::Permissions::from_mode(0o755)).expect("to be run");
    lab.change("study/c.toml", |text| text.replace("'sh', 'steady.sh'", "'./ö b/x'"));
    lab.run(&RUN);
    assert_eq!(lab.read("study/processes").lines().count(), 3);
    let elsewhere = lab.kenga(&[&["run"][..], &RUN, &["--programs", "none"]].concat());
    assert!(
        elsewhere.code == 2 && elsewhere.stderr.contains("there is no such folder"),
        "{}",
        elsewhere.stderr
    );
}

#[test]
fn a_plan_starts_programs_beside_itself() {
    let lab = lab(STEADY, "");
    lab.run(&RUN);
    let plan = lab.kenga(&["sweep", "plan", "--config", "study/c.toml", "-o", "study/plan.json"]);
    assert_eq!(plan.code, 0, "{}", plan.stderr);
    let ended = lab.kenga(&["sweep", "run", "study/plan.json", "-o", "planned", "--quiet"]);
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""));
    assert_eq!(lab.decided("planned"), lab.decided("o"));
}

#[test]
fn a_process_may_take_many_runs() {
    let script = format!("while :; do\n{STEADY}done");
    let lab = lab(&script, "reuse = true");
    lab.run(&[&RUN[..], &["--runs", "6", "--jobs", "1"]].concat());
    let processes = lab.read("study/processes");
    let first = processes.lines().next().expect("one began");
    assert!(processes.lines().count() == 6 && processes.lines().all(|id| id == first), "{processes}");
}

#[test]
fn a_sweep_varies_options() {
    let lab = lab(
        STEADY,
        "options = { rate = 0.5, deep = { a = 1 } }\n[sweep]\n'algorithm.options.rate' = [0.1, 0.2]",
    );
    lab.run(&[&RUN[..], &["--runs", "1", "--jobs", "1"]].concat());
    let greetings = lab.read("study/greetings");
    for told in [r#""options":{"rate":0.1,"deep":{"a":1}}"#, r#""options":{"rate":0.2,"deep":{"a":1}}"#] {
        assert_eq!(greetings.matches(told).count(), 1, "{greetings}");
    }
    let seeds: Vec<&str> = greetings.lines().map(|line| line.split(',').nth(2).expect("a seed")).collect();
    assert!(
        seeds[0] == seeds[1] && seeds[0].starts_with("\"seed\":"),
        "settings are compared on the same starts"
    );
}

/// A script that asks for as many wrong genomes as the file `wrong` says, in one batch, and then for a solution.
const KNOWING: &str = "\
read greeting
left=$(cat wrong); batch=
while [ $left -gt 0 ]; do batch=\"$batch[1,1,2,1],\"; left=$((left - 1)); done
echo '{\"evaluate\":['\"$batch\"'[1,2,2,1]]}'; read answer
";

/// The runs of [`KNOWING`] in the folder `o`, with what `kenga run --json` says of them.
fn knowing(wrong: u32) -> (Lab, serde_json::Value) {
    let lab = lab(KNOWING, "");
    lab.write("study/wrong", wrong.to_string());
    let sets = ["--set", "budget.evaluations=200", "--set", "sweep.'algorithm.options.a'=[1,2]"];
    let summary = lab.summary(&[&RUN[..], &sets].concat());
    (lab, summary)
}

const AT_ONCE: &str = "6 runs of a program were solved at once, within 100 evaluations: does the program solve the puzzle itself?";

/// What the summary of `run`, `compare` and `report` say, each on one line.
fn told(lab: &Lab) -> Vec<String> {
    let on_a_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let run = lab.run(&["--resume", "o", "--programs", "study"]);
    let compare = lab.kenga(&["compare", "o"]);
    let report = lab.kenga(&["report", "o", "-o", "o.html"]);
    assert_eq!((compare.code, report.code), (0, 0), "{}{}", compare.stderr, report.stderr);
    vec![on_a_line(&run.stdout), on_a_line(&compare.stdout), on_a_line(&lab.read("o.html"))]
}

/// What `compare --json` and `report --json` count.
fn counted(lab: &Lab) -> Vec<serde_json::Value> {
    let object = |command: &str| -> serde_json::Value {
        serde_json::from_str(&lab.kenga(&[command, "o", "--json"]).stdout).expect("a JSON object")
    };
    let (compare, report) = (object("compare"), object("report"));
    vec![compare["solved_at_once"].clone(), report["solved_at_once"].clone()]
}

#[test]
fn runs_that_a_program_solves_at_once_are_marked() {
    for wrong in [0, 99] {
        let (lab, summary) = knowing(wrong);
        assert_eq!((&summary["solved"], &summary["solved_at_once"]), (&6.into(), &6.into()), "{summary}");
        assert_eq!(counted(&lab), [6, 6]);
        for text in told(&lab) {
            assert!(text.contains(AT_ONCE), "{wrong}\n{text}");
        }
    }
}

#[test]
fn runs_that_a_program_solves_later_are_not_marked() {
    let (lab, summary) = knowing(100);
    assert_eq!((&summary["solved"], &summary["solved_at_once"]), (&6.into(), &0.into()), "{summary}");
    assert_eq!(counted(&lab), [0, 0]);
    for text in told(&lab) {
        assert!(!text.contains("solved at once"), "{text}");
    }
}

#[test]
fn runs_that_kenga_itself_solves_at_once_are_not_marked() {
    let lab = lab(STEADY, "");
    let set = "algorithm={name='random',encoding='rows'}";
    let summary = lab.summary(&[
        "--config",
        "study/c.toml",
        "--out",
        "o",
        "--set",
        set,
        "--set",
        "budget.evaluations=100",
    ]);
    assert_eq!((&summary["solved"], &summary["solved_at_once"]), (&3.into(), &0.into()), "{summary}");
}

#[test]
fn what_goes_wrong_with_the_keys_is_said() {
    for (keys, said) in [
        ("comand = ['sh']", "did you mean `command`?"),
        ("timeout = 0", "`timeout` takes a number from 0.001 to 1000000000, not 0"),
        ("options = 3", "`options` takes a table, not 3"),
    ] {
        let ended = lab(STEADY, keys).kenga(&[&["run"][..], &RUN].concat());
        assert!(ended.code == 2 && ended.stderr.contains(said), "{keys}\n{}", ended.stderr);
    }
    let nameless = lab(STEADY, "");
    nameless.change("study/c.toml", |text| text.replace("'sh', 'steady.sh'", "''"));
    let ended = nameless.kenga(&[&["run"][..], &RUN].concat());
    assert!(ended.code == 2 && ended.stderr.contains("`command` is empty"), "{}", ended.stderr);
    let lab = lab(STEADY, "");
    lab.write("study/moves.toml", config("").replace("evaluations", "moves"));
    let ended = lab.kenga(&["run", "--config", "study/moves.toml"]);
    assert!(ended.code == 2 && ended.stderr.contains("set evaluations in [budget]"), "{}", ended.stderr);
    for (set, said) in [
        ("algorithm.command=[]", "`command` is empty"),
        ("algorithm={name='portfolio',stages=[{name='program',command=['sh']}]}", "cannot be a stage"),
        ("algorithm={name='islands',island={name='program',command=['sh']}}", "no population of its own"),
    ] {
        let ended = lab.kenga(&["run", "--config", "study/c.toml", "--out", "o", "--set", set]);
        assert!(ended.code == 2 && ended.stderr.contains(said), "{set}\n{}", ended.stderr);
    }
}

/// Starts kenga with a program that starts another and says nothing; both have said who they are.
fn hung(lab: &Lab) -> Child {
    let mut kenga = lab
        .command(&[&["run"][..], &RUN, &["--jobs", "1"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let told = || fs::read_to_string(lab.path("study/children")).is_ok_and(|text| text.lines().count() == 2);
    assert!(wait_while_running(&mut kenga, told), "it ended too soon");
    kenga
}

#[test]
fn programs_die_with_kenga_and_take_what_they_have_started_along() {
    for signal in ["-INT", "-TERM", "-KILL"] {
        let lab = lab("read greeting; sleep 1000 & echo $! > c; echo $$ >> c; mv c children; wait", "");
        let mut kenga = hung(&lab);
        send(signal, &kenga);
        kenga.wait().expect("it ends");
        for id in lab.read("study/children").lines() {
            // Of a process that was killed nothing is left but its state Z, until it is waited for.
            let state = || fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            while cfg!(target_os = "linux") && !matches!(state().split(' ').nth(2), None | Some("Z" | "X")) {
                std::thread::yield_now();
            }
        }
    }
}

#[test]
fn cpu_time_is_that_of_the_program_too() {
    let busy = STEADY.replace("while :; do", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; while :; do");
    let lab = lab(&busy, "");
    lab.run(&[&RUN[..], &["--runs", "1"]].concat());
    let cpu_s: f64 = lab.row("o/timing.csv", 1)[1].parse().expect("a number");
    // A clock of hundredths, and a loop that takes several.
    assert!(cfg!(not(target_os = "linux")) || cpu_s >= 0.01, "{cpu_s}");
}
