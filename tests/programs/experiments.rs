//! Experiments that a server runs: their folders, how they stop and go on, and what is refused.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::lab::{DECIDED, FOUR, GENETIC, Lab};
use crate::resume::wait_while_running;
use crate::served::{Answer, Served};
use crate::signals::send;
use crate::streams::Events;

/// A sweep of four settings on two puzzles.
const SWEEP: &str = "\
puzzles = [\"4x4.txt\", \"other.txt\"]
seed = 5
replicates = 3
[budget]
evaluations = 300
[sweep]
\"algorithm.population\" = [10, 20]
\"algorithm.mutation.rate\" = [0.02, 0.2]
";

/// An experiment that does not end before it is told to, however slow the one who tells it is.
const LONG: &str = "\
puzzles = [\"4x4.txt\"]
replicates = 1_000_000
[budget]
evaluations = 2000
[record]
every = 50
";

fn started(lab: &Lab) -> Served {
    lab.write("other.txt", "2\n3+ A1 A2\n3+ B1 B2\n");
    Served::start(lab, &["."])
}

/// Follows an experiment to its rest.
fn ended(served: &Served, folder: &str) -> Value {
    let (status, mut events) = Events::open(served, &format!("events?folder={folder}"));
    assert_eq!(status, 200);
    loop {
        let (name, object) = events.next().expect("it ends with an event");
        if name == "end" {
            assert!(events.next().is_none(), "nothing follows the end");
            return object;
        }
    }
}

/// Waits until an experiment is in a state, with as many runs that have ended, or more.
fn wait_for(served: &Served, folder: &str, state: &str, runs: u64) {
    for _ in 0..3000 {
        let object = served.look(&format!("experiment?folder={folder}")).json();
        if object["state"] == state && object["done"].as_u64().is_some_and(|done| done >= runs) {
            return;
        }
        sleep(Duration::from_millis(20));
    }
    panic!("{folder} is never {state}");
}

fn wait_for_runs(served: &Served, folder: &str, runs: u64) {
    wait_for(served, folder, "running", runs);
}

/// Its first runs.
fn short() -> String {
    LONG.replace("1_000_000", "12")
}

/// How many runs are written in a folder.
fn runs(lab: &Lab, folder: &str) -> u64 {
    fs::read_to_string(lab.path(folder).join("runs.csv"))
        .map_or(0, |text| text.lines().count().saturating_sub(1) as u64)
}

/// Has the server resume a [`LONG`] experiment, and stops it when it has made more runs.
fn resume_for_a_while(lab: &Lab, served: &Served, folder: &str) {
    let before = runs(lab, folder);
    served.done("resume", &json!({"folder": folder}));
    wait_for_runs(served, folder, before + 2);
    served.done("stop", &json!({"folder": folder}));
    wait_for(served, folder, "interrupted", before);
    assert!(runs(lab, folder) > before, "{folder} has no more runs than before");
}

/// Leaves so many runs of a folder that had ended.
fn cut(lab: &Lab, folder: &str, runs: usize) {
    fs::remove_file(lab.path(folder).join("checksums.txt")).expect("it was there");
    lab.change(&format!("{folder}/runs.csv"), |text| {
        text.lines().take(1 + runs).map(|line| format!("{line}\n")).collect()
    });
}

/// The runs that both folders have are the same.
fn assert_same_beginning(lab: &Lab, one: &str, other: &str) {
    for name in ["runs.csv", "convergence.csv"] {
        let (first, second) = (lab.read(&format!("{one}/{name}")), lab.read(&format!("{other}/{name}")));
        assert!(first.starts_with(&second) || second.starts_with(&first), "{name} of {one} and {other}");
    }
}

/// The files of two folders are the same, but for the times.
fn assert_same(lab: &Lab, one: &str, other: &str) {
    let names = |folder: &str| {
        let mut names: Vec<_> = fs::read_dir(lab.path(folder))
            .expect("a folder")
            .map(|entry| entry.expect("one").file_name())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(one), names(other));
    for name in
        DECIDED.iter().chain(&["settings.jsonl"]).filter(|name| lab.path(&format!("{one}/{name}")).exists())
    {
        assert!(
            lab.read(&format!("{one}/{name}")) == lab.read(&format!("{other}/{name}")),
            "{name} of {one} and {other}"
        );
    }
}

fn refused(answer: &Answer) -> (u16, String) {
    answer.refusal()
}

#[test]
fn a_folder_is_byte_for_byte_that_of_the_command_line() {
    let lab = Lab::new();
    let served = started(&lab);
    for (name, config, puzzles) in [
        ("ga", GENETIC, None),
        ("sweep", SWEEP, None),
        (
            "text",
            GENETIC,
            Some(json!([{"id": "mine", "kind": "latin", "size": 2, "givens": [[0, 0, 1]]}, FOUR])),
        ),
    ] {
        let mut asked = json!({"config": config, "folder": name});
        lab.write("config.toml", config);
        let own = format!("own-{name}");
        let mut args = vec!["--config", "config.toml", "--quiet", "--out", own.as_str()];
        if let Some(puzzles) = puzzles {
            asked["puzzles"] = puzzles;
            lab.write("mine.json", r#"{"id":"mine","kind":"latin","size":2,"givens":[[0,0,1]]}"#);
            lab.write("puzzle", FOUR);
            args.extend(["--puzzle", "mine.json", "--puzzle", "puzzle"]);
        }
        let begun = served.done("start", &asked);
        assert_eq!(begun["folder"], name);
        let end = ended(&served, name);
        assert_eq!(
            (&end["state"], &end["problem"], &end["done"]),
            (&json!("finished"), &Value::Null, &end["runs"])
        );
        lab.run(&args);
        assert_same(&lab, name, &own);
        assert_eq!(lab.validate(&[name, "--replay", "all"]).0, 0);
        let before = end["done"].as_u64();
        let again = served.look(&format!("experiment?folder={name}")).json();
        assert_eq!(
            (again["done"].as_u64(), &again["solved"], &again["best_fitness"]),
            (before, &end["solved"], &end["best_fitness"])
        );
    }
}

#[test]
fn an_experiment_is_stopped_and_goes_on_here_and_there_with_the_same_bytes() {
    let lab = Lab::new();
    let served = started(&lab);
    served.done("start", &json!({"config": LONG, "folder": "o"}));
    wait_for_runs(&served, "o", 2);
    assert_eq!(refused(&served.post("resume", &json!({"folder": "o"}))), (409, "locked".to_owned()));
    assert_eq!(
        refused(&served.post("start", &json!({"config": LONG, "folder": "o"}))),
        (409, "locked".to_owned())
    );
    let busy = lab.kenga(&["run", "--resume", "o", "--quiet"]);
    assert!(busy.code == 2 && busy.stderr.contains("another program is writing o"), "{}", busy.stderr);
    served.done("stop", &json!({"folder": "o"}));
    let end = ended(&served, "o");
    assert_eq!((&end["state"], &end["problem"]), (&json!("interrupted"), &Value::Null));
    assert_eq!(refused(&served.post("stop", &json!({"folder": "o"}))), (409, "not_running".to_owned()));
    lab.copy("o", "there");
    resume_for_a_while(&lab, &served, "o");
    let before = runs(&lab, "there");
    let mut child = lab.command(&["run", "--resume", "there", "--quiet"]).spawn().expect("it starts");
    assert!(wait_while_running(&mut child, || runs(&lab, "there") > before + 2), "it ended too soon");
    send("-INT", &child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert_same_beginning(&lab, "o", "there");
    assert_eq!((lab.validate(&["o"]).0, lab.validate(&["there"]).0), (0, 0));
}

#[test]
fn what_was_cut_off_is_finished_here_and_there_with_the_same_bytes_and_then_extended() {
    let lab = Lab::new();
    let served = started(&lab);
    lab.write("config.toml", short());
    lab.run(&["--config", "config.toml", "--quiet", "--out", "whole"]);
    lab.copy("whole", "o");
    cut(&lab, "o", 5);
    lab.copy("o", "there");
    served.done("resume", &json!({"folder": "o"}));
    assert_eq!(ended(&served, "o")["state"], "finished");
    lab.run(&["--resume", "there", "--quiet"]);
    assert_same(&lab, "o", "there");
    assert_same(&lab, "o", "whole");
    served.done("resume", &json!({"folder": "o", "replicates": 15}));
    assert_eq!(ended(&served, "o")["done"], 15);
    lab.run(&["--resume", "there", "--quiet", "--runs", "15"]);
    assert_same(&lab, "o", "there");
    let fewer = served.post("resume", &json!({"folder": "o", "replicates": 3}));
    assert_eq!(refused(&fewer), (422, "bad_config".to_owned()));
}

#[test]
fn one_experiment_runs_and_the_others_wait() {
    let lab = Lab::new();
    let served = started(&lab);
    for name in ["experiment", "experiment-2", "experiment-3"] {
        assert_eq!(served.done("start", &json!({"config": LONG}))["folder"], name);
    }
    wait_for_runs(&served, "experiment", 1);
    let of = |name: &str| {
        let object = served.look(&format!("experiment?folder={name}")).json();
        (object["state"].clone(), object["before"].clone())
    };
    assert_eq!(of("experiment-3"), (json!("waiting"), json!(2)));
    assert_eq!(served.done("stop", &json!({"folder": "experiment-2"}))["state"], "interrupted");
    assert_eq!(of("experiment-3"), (json!("waiting"), json!(1)));
    served.done("stop", &json!({"folder": "experiment"}));
    wait_for_runs(&served, "experiment-3", 1);
    let all = served.look("experiments").json();
    let states: Vec<&Value> =
        all["folders"].as_array().expect("a list").iter().map(|one| &one["state"]).collect();
    assert_eq!(states, ["interrupted", "interrupted", "running"]);
}

#[test]
fn whatever_ends_the_server_leaves_folders_that_go_on() {
    let lab = Lab::new();
    lab.write("config.toml", short());
    lab.run(&["--config", "config.toml", "--quiet", "--out", "own"]);
    for (signal, code) in [("-INT", Some(130)), ("-TERM", Some(143)), ("-KILL", None)] {
        let mut served = started(&lab);
        // The first has no end, so that the second waits, and the server ends because it is told to.
        for (name, config) in [("one", LONG), ("two", &short())] {
            let _ = fs::remove_dir_all(lab.path(name));
            served.done("start", &json!({"config": config, "folder": name}));
        }
        wait_for_runs(&served, "one", 2);
        send(signal, &served.child);
        assert_eq!(served.child.wait().expect("it ends").code(), code);
        let served = started(&lab);
        for name in ["one", "two"] {
            assert_eq!(served.look(&format!("experiment?folder={name}")).json()["state"], "interrupted");
        }
        resume_for_a_while(&lab, &served, "one");
        assert_same_beginning(&lab, "one", "own");
        served.done("resume", &json!({"folder": "two"}));
        wait_for(&served, "two", "finished", 12);
        assert_same(&lab, "two", "own");
    }
}

#[test]
fn a_plan_and_its_errors_are_those_of_the_command_line() {
    let lab = Lab::new();
    let served = started(&lab);
    let plan = served.done("plan", &json!({"config": SWEEP}));
    assert_eq!((&plan["runs"], &plan["settings"], &plan["puzzles"]), (&json!(24), &json!(4), &json!(2)));
    assert_eq!(plan["each_setting"][1], "population = 10, mutation.rate = 0.2");
    assert!(!lab.path("results").exists());
    for bad in [
        "puzzles = [\"4x4.txt\"]\nbudget.evaluations = 9\n[algorithm]\npopulaton = 3\n",
        "seed = [\n",
        "budget.evaluations = -3",
    ] {
        lab.write("config", bad);
        let answer = served.post("plan", &json!({"config": bad}));
        assert_eq!(answer.refusal(), (422, "bad_config".to_owned()));
        let said = format!("{}\n", answer.json()["error"]["text"].as_str().expect("a text"));
        assert_eq!(said, lab.kenga(&["run", "--config", "config"]).stderr);
        assert!(answer.json()["error"]["line"].is_number());
    }
}

#[test]
fn nothing_outside_the_folder_is_read_or_written() {
    let lab = Lab::new();
    lab.write("in/4x4.txt", FOUR);
    lab.write("secret.txt", FOUR);
    std::os::unix::fs::symlink(lab.path("."), lab.path("in/out")).expect("a link");
    let served = Served::start(&lab, &["in"]);
    let long = "x".repeat(300);
    let names = [
        "..",
        "../x",
        "/x",
        "",
        "a/../../x",
        "out",
        "out/x",
        "a\u{0}b",
        "a\nb",
        ".x",
        "\u{1b}[2J",
        long.as_str(),
    ];
    for name in names {
        for (endpoint, asked) in [
            ("start", json!({"config": GENETIC, "folder": name})),
            ("resume", json!({"folder": name})),
            ("stop", json!({"folder": name})),
            ("plan", json!({"config": format!("budget.evaluations = 9\npuzzles = [{}]", json!(name))})),
        ] {
            let answer = served.post(endpoint, &asked);
            assert_eq!(answer.refusal().0, 422, "{endpoint} {name:?}: {}", answer.body);
        }
    }
    for (path, status, code) in [
        ("runs?folder=../secret.txt", 422, "bad_folder"),
        ("runs?folder=out/in", 422, "bad_folder"),
        ("runs?folder=%2Fetc", 422, "bad_folder"),
        ("runs?folder=a%00b", 422, "bad_folder"),
        ("runs?folder=none", 404, "not_found"),
        ("runs?folder=4x4.txt", 507, "disk"),
        ("experiment?folder=none", 404, "not_found"),
        ("experiment?folder=4x4.txt", 422, "bad_folder"),
        ("events?folder=..", 422, "bad_folder"),
        ("events?folder=none", 404, "not_found"),
        ("runs", 400, "bad_request"),
        ("runs?folder=x&limit=many", 400, "bad_request"),
    ] {
        assert_eq!(served.look(path).refusal(), (status, code.to_owned()), "{path}");
    }
    assert_eq!(served.get("/api/v1/experiments").refusal(), (401, "no_token".to_owned()));
    assert_eq!(fs::read_dir(lab.path("in")).expect("a folder").count(), 2, "nothing was made");
}

#[test]
fn a_link_in_a_results_folder_leads_nowhere_else() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--out", "in/ga", "--quiet"]);
    lab.run(&["--config", "ga.toml", "--out", "in/whole", "--quiet"]);
    fs::rename(lab.path("in/ga/runs.csv"), lab.path("elsewhere.csv")).expect("it is moved");
    std::os::unix::fs::symlink(lab.path("elsewhere.csv"), lab.path("in/ga/runs.csv")).expect("a link");
    let served = Served::start(&lab, &["in"]);
    let refused = [
        served.look("experiment?folder=ga"),
        served.look("runs?folder=ga"),
        served.post("report", &json!({"folders": ["whole", "ga"]})),
        served.post("resume", &json!({"folder": "ga"})),
        served.post("play", &json!({"folder": "ga", "run": 0})),
    ];
    for answer in refused {
        assert_eq!(answer.refusal(), (422, "bad_folder".to_owned()));
        let said = answer.json()["error"]["message"].as_str().expect("a sentence").to_owned();
        assert_eq!(said, "`ga/runs.csv` leads out of the folder that is served");
    }
    let listed = served.look("experiments").json();
    let ga = listed["folders"].as_array().expect("folders").iter().find(|one| one["folder"] == "ga");
    assert_eq!(ga.expect("it is listed")["state"], "unreadable", "{listed}");
    assert_eq!(served.look("runs?folder=whole").status, 200);
}

#[test]
fn what_would_run_anything_or_never_end_is_refused() {
    let lab = Lab::new();
    let served = started(&lab);
    let program = "puzzles = [\"4x4.txt\"]\nbudget.evaluations = 9\n[algorithm]\nname = \"program\"\ncommand = [\"touch\", \"made\"]\n";
    let bad_config = (422, "bad_config".to_owned());
    let islands = program.replace(
        "[algorithm]\nname = \"program\"",
        "[algorithm]\nname = \"islands\"\n[algorithm.island]\nname = \"program\"",
    );
    let improve = program.replace(
        "[algorithm]\nname = \"program\"",
        "[algorithm]\nname = \"memetic\"\n[algorithm.improve]\nname = \"program\"",
    );
    let swept = "puzzles = [\"4x4.txt\"]\nbudget.evaluations = 9\n[sweep]\nalgorithm = [\"tabu\", {name = \"program\", command = [\"touch\", \"made\"]}]\n";
    for config in [program, &islands, &improve, swept] {
        for endpoint in ["plan", "start"] {
            let answer = served.post(endpoint, &json!({"config": config}));
            assert_eq!(answer.refusal(), bad_config, "{}", answer.body);
        }
    }
    lab.write("program.toml", program.replace("\"touch\", \"made\"", "\"false\""));
    lab.kenga(&["run", "--config", "program.toml", "--out", "p", "--quiet"]);
    assert_eq!(served.post("resume", &json!({"folder": "p"})).refusal(), bad_config);
    for config in [
        GENETIC.replace("replicates = 6", "replicates = 1_000_000_000"),
        GENETIC.replace("population = 12", "encoding = \"rows\"").replace("4x4.txt", "kakuro.txt"),
        GENETIC.replace("\"4x4.txt\"", ""),
    ] {
        let code = served.post("plan", &json!({"config": config})).refusal();
        assert!(code == bad_config || code == (404, "not_found".to_owned()), "{code:?}");
    }
    assert!(!lab.path("made").exists());
}

#[test]
fn folders_say_what_state_they_are_in_and_show_their_rows() {
    let lab = Lab::new();
    lab.write("config.toml", SWEEP);
    let served = started(&lab);
    lab.run(&["--config", "config.toml", "--quiet", "--out", "a/done"]);
    lab.copy("a/done", "bad");
    lab.change("bad/manifest.json", |text| text.replace("\"kenga\": \"", "\"kenga\": \"9"));
    lab.copy("a/done", "cut");
    cut(&lab, "cut", 7);
    let all = served.look("experiments").json();
    let of = |name: &str| {
        all["folders"]
            .as_array()
            .expect("a list")
            .iter()
            .find(|one| one["folder"] == name)
            .cloned()
            .expect("it is listed")
    };
    let (done, bad, cut) = (of("a/done"), of("bad"), of("cut"));
    assert_eq!(
        (&done["state"], &done["done"], &done["runs"], &done["settings"]),
        (&json!("finished"), &json!(24), &json!(24), &json!(4))
    );
    assert_eq!((&cut["state"], &cut["done"]), (&json!("interrupted"), &json!(7)));
    assert!(
        bad["state"] == "unreadable"
            && bad["problem"].as_str().is_some_and(|why| why.contains("written by kenga 9")),
        "{bad}"
    );
    assert!(all["files"].as_array().is_some_and(|files| files.contains(&json!("4x4.txt"))));
    let shown = served.look("runs?folder=a/done&from=2&limit=3").json();
    let header: Vec<String> = lab.row("a/done/runs.csv", 0);
    assert_eq!(shown["columns"], json!(header));
    assert_eq!((&shown["total"], shown["rows"].as_array().map(Vec::len)), (&json!(24), Some(3)));
    let (row, line) = (&shown["rows"][0], lab.row("a/done/runs.csv", 3));
    for (column, field) in header.iter().zip(&line) {
        let value = match &row[column] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            value => value.to_string(),
        };
        assert_eq!(&value, field, "{column}");
    }
    assert!(row["algorithm.population"].is_i64() && row["algorithm.mutation.rate"].is_f64());
    let whole = served.look("experiment?folder=a/done").json();
    assert_eq!(whole["config_is_whole"], true);
    let begun = served.done("start", &json!({"config": whole["config"], "folder": "again"}));
    assert_eq!(begun["runs"], 24);
    ended(&served, "again");
    assert_same(&lab, "again", "a/done");
}

#[test]
fn a_disk_that_cannot_be_written_is_said_and_what_was_written_goes_on() {
    let lab = Lab::new();
    let served = started(&lab);
    lab.write("file", "no folder");
    let answer = served.post("start", &json!({"config": GENETIC, "folder": "file"}));
    assert_eq!(answer.refusal(), (422, "bad_folder".to_owned()));
    let answer = served.post("start", &json!({"config": GENETIC, "folder": "file/inner"}));
    assert_eq!(answer.refusal().1, "disk", "{}", answer.body);
    let gone = Served::start(&lab, &["later"]);
    assert_eq!(gone.look("experiments").json()["folders"], json!([]));
    gone.done("start", &json!({"config": GENETIC.replace("puzzles", "#"), "puzzles": [FOUR]}));
    assert_eq!(ended(&gone, "experiment")["state"], "finished");
    assert!(lab.path("later/experiment/checksums.txt").exists());
}
