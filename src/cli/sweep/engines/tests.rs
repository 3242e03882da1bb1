//! One suite for every engine: its scripts are sound, and a task makes the shard that it should.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::*;

/// A folder with programs that print their words.
fn stubs() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let say = "#!/bin/sh\nprintf '%s\\n' \"$@\" END\n";
    // It gives the shell its last word, once for each line of its input.
    let parallel = "#!/bin/sh\nfor last; do :; done\nwhile read -r item; do\n  sh -c \"$(printf %s \"$last\" | sed \"s/{}/$item/\")\"\ndone\n";
    for (name, text) in
        [("kenga", say), ("apptainer", say), ("parallel", parallel), ("module", "#!/bin/sh\n")]
    {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made a program");
    }
    folder
}

/// The script of the tasks, or of the merge.
fn script(engine: &Engine, tasks: Option<&Tasks>, options: &EngineOptions, program: &Path) -> String {
    let program = [program.join("kenga").display().to_string()];
    let words = ["sweep", "run", "/a/plan.json"].map(str::to_owned);
    let (name, seen) = (if tasks.is_some() { "shards" } else { "merge" }, ["/a".to_owned()]);
    engine.script(&Job {
        name,
        tasks,
        program: &program,
        words: &words,
        seen: &seen,
        folder: "/a/out",
        options,
    })
}

/// A value for every option.
fn every_option(engine: &Engine) -> Vec<String> {
    let value = |name: &str| match name {
        "time" => "01:30:30",
        "memory" => "2G",
        "cpus" | "throttle" => "2",
        "modules" => "gcc/12,apptainer",
        "container" => "docker://kenga:1",
        "mail" => "me@example.org",
        "mount" => "/a",
        _ => "some-name",
    };
    let listed = option::listing(engine.options);
    let names = listed.lines().skip(1).map(|line| line.split_whitespace().next().expect("a name"));
    names.map(|name| format!("{name}={}", value(name))).collect()
}

/// What the engine must be given.
fn needed(engine: &Engine) -> Vec<String> {
    engine.needs.iter().map(|name| format!("{name}=some")).collect()
}

/// Runs a shell script as a task of an index, and returns the words that the program got.
fn words_of_task(script: &str, stubs: &Path, index: Option<(&str, u64)>) -> Vec<Vec<String>> {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).env("PATH", format!("{}:{path}", stubs.display()));
    if let Some((variable, index)) = index {
        shell.env(variable, index.to_string());
    }
    let ended = shell.output().expect("a shell");
    assert!(ended.status.success(), "{script}\n{}", String::from_utf8_lossy(&ended.stderr));
    let said = String::from_utf8(ended.stdout).expect("text");
    let mut tasks = vec![Vec::new()];
    for word in said.lines() {
        if word == "END" {
            tasks.push(Vec::new());
        } else {
            tasks.last_mut().expect("one was begun").push(word.to_owned());
        }
    }
    tasks.pop();
    tasks
}

/// The index variable and the first index of an engine.
fn counting(engine: &Engine) -> Option<(&'static str, u64)> {
    let known: BTreeMap<&str, (&str, u64)> = [
        ("slurm", ("SLURM_ARRAY_TASK_ID", 0)),
        ("sge", ("SGE_TASK_ID", 1)),
        ("lsf", ("LSB_JOBINDEX", 1)),
        ("pbs", ("PBS_ARRAY_INDEX", 0)),
        ("torque", ("PBS_ARRAYID", 0)),
        ("kubernetes", ("JOB_COMPLETION_INDEX", 0)),
    ]
    .into();
    known.get(engine.name).copied()
}

/// The command of a pod as a shell script.
fn of_pod(manifest: &str) -> String {
    let object: Value = serde_json::from_str(manifest).expect("JSON");
    let command = &object["spec"]["template"]["spec"]["containers"][0]["command"];
    let words = command.as_array().expect("a list").iter();
    let words = words.map(|word| word.as_str().expect("a text").replace("$$", "$"));
    words.map(|word| kenga_core::text::quoted(&word)).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_task_makes_the_shard_that_it_should() {
    let stubs = stubs();
    for engine in ENGINES {
        for given in [needed(engine), every_option(engine)] {
            let options = engine.options(&given).expect("known options");
            for (shards, of) in [(vec![0, 1, 2, 3], 4), (vec![1, 3], 4), (vec![2], 3), (vec![0], 1)] {
                let tasks = Tasks { shards: shards.clone(), of };
                let mut text = script(engine, Some(&tasks), &options, stubs.path());
                if engine.ending == "json" {
                    text = of_pod(&text);
                }
                let mut made = Vec::new();
                match counting(engine) {
                    Some((variable, first)) => {
                        for index in (first..).take(shards.len()) {
                            let words = words_of_task(&text, stubs.path(), Some((variable, index)));
                            made.push(shard_said(&words[0], variable, index, first));
                        }
                    }
                    None => {
                        for words in words_of_task(&text, stubs.path(), None) {
                            made.push(words.last().expect("a shard").clone());
                        }
                    }
                }
                let expected: Vec<String> = shards.iter().map(|shard| format!("{shard}/{of}")).collect();
                assert_eq!(made, expected, "{}: {text}", engine.name);
            }
        }
    }
}

/// The shard at the end of the words of a task; `auto` takes it from the index.
fn shard_said(words: &[String], variable: &str, index: u64, first: u64) -> String {
    let said = words.last().expect("a shard");
    assert_eq!(words[words.len() - 2], "--shard", "{words:?}");
    match said.strip_prefix("auto/") {
        Some(of) => {
            let read = crate::cli::sweep::auto_shard::ARRAYS.iter().find(|array| array.variable == variable);
            assert_eq!(read.map(|array| array.first), Some(first), "--shard auto counts as the script does");
            format!("{}/{of}", index - first)
        }
        None => said.clone(),
    }
}

#[test]
fn every_script_is_one_to_a_shell_or_json() {
    let stubs = stubs();
    let tasks = Tasks { shards: vec![1, 2], of: 5 };
    for engine in ENGINES {
        for given in [needed(engine), every_option(engine)] {
            let options = engine.options(&given).expect("known options");
            for tasks in [Some(&tasks), None] {
                let text = script(engine, tasks, &options, stubs.path());
                assert!(text[..text.len().min(1000)].contains(MARK), "{text}");
                if engine.ending == "json" {
                    let object: Value = serde_json::from_str(&text).expect("JSON");
                    assert_eq!(object["kind"], "Job");
                    continue;
                }
                assert!(text.starts_with("#!/bin/"), "{text}");
                for shell in ["sh", "bash"] {
                    let ended = Command::new(shell).args(["-n", "-c", &text]).output().expect("a shell");
                    assert!(ended.status.success(), "{text}{}", String::from_utf8_lossy(&ended.stderr));
                }
                // The engine reads its lines up to the first one for the shell.
                let own = |line: &str| line.starts_with('#');
                let rest = text.lines().skip_while(|line| own(line));
                assert!(rest.filter(|line| own(line) && !line.starts_with("# ")).count() == 0, "{text}");
            }
        }
    }
}

#[test]
fn what_is_asked_of_an_engine_is_in_its_script() {
    let folder = PathBuf::from("/p");
    let tasks = Tasks { shards: vec![0, 1, 2], of: 3 };
    let mut said = String::new();
    for engine in ENGINES {
        let options = engine.options(&every_option(engine)).expect("known options");
        for tasks in [Some(&tasks), None] {
            said += &format!("== {}\n{}\n", engine.name, script(engine, tasks, &options, &folder));
        }
    }
    insta::assert_snapshot!(said);
}

#[test]
fn an_option_that_an_engine_does_not_know_is_refused_with_those_that_it_does() {
    for engine in ENGINES {
        let error = engine.options(&["tme=1h".to_owned()]).expect_err("unknown");
        let help = error.help().expect("help").to_string();
        assert!(error.to_string().contains(&format!("{} has no option `tme`", engine.name)), "{error}");
        assert!(help.starts_with("did you mean `time`?") && help.contains("\n  cpus "), "{help}");
        for line in help.lines() {
            assert!(line.len() < 78, "{line}");
        }
    }
}

#[test]
fn nothing_that_is_asked_leaves_its_line() {
    for engine in ENGINES {
        let options = engine.options;
        let listed = option::listing(options);
        for name in listed.lines().skip(1).map(|line| line.split_whitespace().next().expect("a name")) {
            for value in
                ["a\n#SBATCH --wrap=id", "a b", "a;id", "$(id)", "`id`", "a\r", "", "é", "'", "-x", "{}"]
            {
                let given = format!("{name}={value}");
                assert!(
                    EngineOptions::read(engine.name, options, &[given]).is_err(),
                    "{} {name} {value:?}",
                    engine.name
                );
            }
        }
        let twice = ["time=1h".to_owned(), "walltime=2h".to_owned()];
        assert!(
            EngineOptions::read(engine.name, options, &twice)
                .is_err_and(|error| error.to_string().contains("twice"))
        );
    }
}

#[test]
fn a_path_that_a_script_cannot_hold_is_refused() {
    let none = EngineOptions::default();
    for engine in ENGINES {
        assert!(engine.check_path("/lab/results-1/a_b.c", "/lab", &none).is_ok());
        let has_spaces = engine.check_path("/my results", "/my results", &none).is_ok();
        assert_eq!(has_spaces, engine.paths != Paths::Plain, "{}", engine.name);
    }
    assert!(kubernetes::ENGINE.check_path("/elsewhere/plan.json", "/lab", &none).is_err());
    assert!(parallel::ENGINE.check_path("/a{}", "/a", &none).is_err());
    let container = batch::SLURM.options(&["container=x.sif".to_owned()]).expect("known");
    assert!(batch::SLURM.check_path("/a:b", "/a", &container).is_err());
}
