//! What the program looks like: widths, colours, progress, the forms of tables, completions and the manual.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::lab::{Ended, Lab, matches};

/// Every command.
const COMMANDS: [&[&str]; 36] = [
    &[],
    &["run"],
    &["sweep"],
    &["sweep", "plan"],
    &["sweep", "run"],
    &["sweep", "merge"],
    &["sweep", "submit"],
    &["tune"],
    &["compare"],
    &["study"],
    &["study", "hardness"],
    &["solve"],
    &["check"],
    &["validate"],
    &["export"],
    &["report"],
    &["plot"],
    &["bundle"],
    &["landscape"],
    &["features"],
    &["watch"],
    &["convert"],
    &["draw"],
    &["generate"],
    &["transform"],
    &["canonical"],
    &["grade"],
    &["explain"],
    &["hint"],
    &["serve"],
    &["partitions"],
    &["init"],
    &["guide"],
    &["list"],
    &["completions"],
    &["man"],
];

/// Runs the program with variables set.
fn with(lab: &Lab, variables: &[(&str, &str)], args: &[&str]) -> Ended {
    let mut command = lab.command(args);
    command.env_remove("NO_COLOR").envs(variables.iter().copied());
    let output = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("valid text");
    let code = output.status.code().expect("an exit code");
    Ended { code, stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn widest(text: &str) -> usize {
    text.lines().map(kenga::report::columns).max().unwrap_or(0)
}

#[test]
fn help_fits_80_columns_and_its_examples_are_not_broken() {
    let lab = Lab::new();
    for command in COMMANDS {
        let help =
            |columns: &str| with(&lab, &[("COLUMNS", columns)], &[command, &["--help"]].concat()).stdout;
        let narrow = help("80");
        assert!(widest(&narrow) <= 80, "{command:?}\n{narrow}");
        let wide = help("300");
        let examples = wide.split_once("Examples:").map_or("", |(_, examples)| examples);
        assert!(widest(examples) <= 80, "{command:?}\n{examples}");
        assert!(!examples.is_empty(), "{command:?} has examples");
    }
    matches("help_run_at_160", &with(&lab, &[("COLUMNS", "160")], &["run", "--help"]).stdout);
}

#[test]
fn colours_are_decided_alike_for_help_errors_tables_and_plots() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--runs", "2", "--quiet", "--out", "o"]);
    let prints: [&[&str]; 7] = [
        &["--help"],
        &["solve", "--help"],
        &["frobnicate"],
        &["list", "nothing"],
        &["validate", "nowhere"],
        &["plot", "o"],
        &["run", "--config", "ga.toml", "--runs", "1", "--set", "seed=9"],
    ];
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], bool);
    let cases: [Case<'_>; 8] = [
        (&[("TERM", "xterm")], &[], false),
        (&[("CLICOLOR_FORCE", "1")], &[], true),
        (&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], &[], true),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[], false),
        (&[("NO_COLOR", "1"), ("TERM", "dumb")], &["--color", "always"], true),
        (&[("NO_COLOR", "1")], &["--color=always"], true),
        (&[("CLICOLOR_FORCE", "1")], &["--color=never"], false),
        (&[("CLICOLOR_FORCE", "1")], &["--color", "auto"], true),
    ];
    for args in prints {
        for (variables, choice, expected) in cases {
            let ended = with(&lab, variables, &[choice, args].concat());
            let is_coloured = ended.stdout.contains('\u{1b}') || ended.stderr.contains('\u{1b}');
            assert_eq!(
                is_coloured, expected,
                "{variables:?} {choice:?} {args:?}\n{}{}",
                ended.stdout, ended.stderr
            );
        }
    }
}

#[test]
fn no_argument_commands_the_terminal() {
    let lab = Lab::new();
    for hostile in ["\u{1b}[31mfoo", "\u{1b}]0;title\u{7}", "\u{9b}2J", "\u{202e}oof"] {
        let flag = format!("--{hostile}");
        let lines: [&[&str]; 14] = [
            &[hostile],
            &[&flag],
            &["run", &flag],
            &["run", "--config", "ga.toml", "--seed", hostile],
            &["run", "--config", hostile],
            &["run", "--resume", hostile],
            &["run", "--config", "ga.toml", "--set", hostile],
            &["run", hostile],
            &["list", hostile],
            &["list", "--color", hostile],
            &["solve", "4x4.txt", "--with", hostile],
            &["compare", "o", "--metric", hostile],
            &["sweep", hostile],
            &["partitions", hostile, "5"],
        ];
        for line in lines {
            for variables in [&[("NO_COLOR", "1")][..], &[("CLICOLOR_FORCE", "1")]] {
                let ended = with(&lab, variables, line);
                assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{line:?}");
                let commands = ["\u{1b}[31mfoo", "\u{1b}]", "\u{7}", "\u{9b}", "\u{202e}"];
                let found = commands.iter().find(|command| ended.stderr.contains(*command));
                assert_eq!(found, None, "{line:?}: {:?}", ended.stderr);
                assert!(ended.stderr.contains('\u{fffd}'), "{line:?} is quoted: {}", ended.stderr);
            }
        }
    }
}

#[test]
fn whole_numbers_are_written_as_in_configurations() {
    let lab = Lab::new();
    lab.run(&[
        "--config", "ga.toml", "--runs", "2e0", "--seed", "1e3", "--jobs", "1e0", "-o", "o", "--quiet",
    ]);
    lab.run(&["--config", "ga.toml", "--runs", "2", "--seed", "1_000", "-o", "p", "--quiet"]);
    assert_eq!(lab.decided("o"), lab.decided("p"));
    for line in [
        "solve 4x4.txt --count 1e3 --node-limit 1e6 --jobs 1e0",
        "check 4x4.txt --grid ..../..../..../.... --node-limit 1e5",
        "partitions sum 1e2 --cells 2e0 --min 1e1 --max 1e2 --without 1e1",
        "validate o --replay 1e0",
        "plot o --width 1e2",
        "sweep plan --config ga.toml --pilot 0e0 --jobs 1e0",
    ] {
        let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
        assert!(ended.code < 2 && ended.stderr.is_empty(), "{line}: {}", ended.stderr);
    }
    for (line, said) in [
        ("run --config ga.toml --runs 0", "expected a whole number from 1 to 1000000000"),
        ("run --config ga.toml --seed -1e3", "expected a whole number from 0 to 9223372036854775807"),
        ("run --config ga.toml --jobs 1e5", "expected a whole number from 1 to 65535"),
        ("run --config ga.toml --statistics 1.5", "expected a whole number from 1 up"),
        ("solve 4x4.txt --count many", "expected a whole number from 1 up"),
        ("validate o --replay some", "expected a whole number, or `all`"),
        ("plot o --width 5", "expected a whole number from 30 to 1000"),
        ("compare o --alpha 5", "expected a number between 0 and 1"),
    ] {
        let shown = crate::lab::refused(&lab, line);
        assert!(shown.contains(said), "{line}: {shown}");
    }
}

#[test]
fn tables_fit_the_columns_there_are() {
    let lab = Lab::new();
    lab.write(
        "sweep.toml",
        [crate::lab::GENETIC, "[sweep]\nmethod = \"grid\"\n\"algorithm.population\" = [8, 12]\n"].concat(),
    );
    for columns in ["40", "80", "160"] {
        let list = with(&lab, &[("COLUMNS", columns)], &["list"]);
        let plan = with(&lab, &[("COLUMNS", columns)], &["sweep", "plan", "--config", "sweep.toml"]);
        for ended in [list, plan] {
            let limit: usize = columns.parse().expect("a number");
            // A DOI is never broken.
            let text: String = ended
                .stdout
                .lines()
                .filter(|line| !line.trim().starts_with("doi:"))
                .map(|line| format!("{line}\n"))
                .collect();
            assert!(widest(&text) <= limit, "{columns}\n{text}");
        }
        for config in ["ga.toml", "sweep.toml"] {
            let ended = with(&lab, &[("COLUMNS", columns)], &["run", "--config", config]);
            assert_eq!(ended.code, 0, "{}", ended.stderr);
            let table = ended.stdout.split("\n\n").next().expect("a table");
            let limit: usize = columns.parse().expect("a number");
            assert!(widest(table) <= limit, "{columns} {config}\n{table}");
            assert_eq!(table.contains("Not shown: "), columns == "40", "{table}");
        }
    }
}

#[test]
fn a_table_is_printed_in_every_form() {
    let lab = Lab::new();
    let run = |form: &str| with(&lab, &[], &["run", "--config", "ga.toml", form]);
    let csv = run("--csv");
    assert!(csv.stdout.starts_with("puzzle,solved,runs,share,share_low,share_high,"), "{}", csv.stdout);
    assert!(csv.stdout.lines().count() == 2 && csv.stderr.contains("Results in "), "{}", csv.stderr);
    assert!(run("--markdown").stdout.starts_with("| puzzle | solved |"));
    assert!(run("--latex").stdout.contains("\\begin{tabular}{@{}lrrrrr@{}}"));
    let json: Value = serde_json::from_str(&run("--json").stdout).expect("a JSON object");
    assert_eq!(json["runs"], 6);
    for forms in [["--csv", "--json"], ["--latex", "--quiet"]] {
        assert_eq!(lab.kenga(&[&["run", "--config", "ga.toml"], &forms[..]].concat()).code, 2);
    }
}

#[test]
fn a_plan_lists_its_settings_in_every_form() {
    let lab = Lab::new();
    let values = (1..71).map(|population| population.to_string()).collect::<Vec<_>>().join(", ");
    let sweep =
        format!("[sweep]\n\"algorithm.population\" = [{values}]\n\"algorithm.mutation.rate\" = [0.5]\n");
    lab.write("sweep.toml", [crate::lab::GENETIC, &sweep].concat());
    let plan = |args: &str| {
        let args: Vec<&str> = ["sweep", "plan", "--config", "sweep.toml", "--pilot", "0"]
            .into_iter()
            .chain(args.split_whitespace())
            .collect();
        lab.kenga(&args)
    };
    let text = plan("").stdout;
    assert!(widest(&text) <= 80 && text.contains("Not shown: 10 more rows. --csv shows all."), "{text}");
    assert!(text.ends_with("70 settings x 1 puzzle x 6 replicates: 420 runs\n"), "{text}");
    let csv = plan("--csv -o plan.json");
    assert!(
        csv.stdout.starts_with("setting,algorithm.population,algorithm.mutation.rate\n0,1,0.5\n"),
        "{}",
        csv.stdout
    );
    assert_eq!((csv.stdout.lines().count(), csv.complaints().lines().count()), (71, 1), "{}", csv.stderr);
    assert!(lab.path("plan.json").exists());
    let json: Value = serde_json::from_str(&plan("--json").stdout).expect("a JSON object");
    assert_eq!((&json["runs"], &json["settings"][69]["algorithm.population"]), (&420.into(), &70.into()));
    assert!(plan("--json -o -").stderr.contains("cannot both be written to standard output"));
}

#[test]
fn over_several_puzzles_a_line_sums_all_up() {
    let lab = Lab::new();
    let cages =
        r#"[{"op":"=","target":1,"cells":[[0,0]]},{"op":"+","target":5,"cells":[[0,1],[1,0],[1,1]]}]"#;
    let puzzles: String =
        (0..70).map(|index| format!("{{\"id\":\"p{index}\",\"size\":2,\"cages\":{cages}}}\n")).collect();
    lab.write("many.jsonl", puzzles);
    let ended = lab.run(&["--config", "ga.toml", "--puzzle", "many.jsonl", "--runs", "2", "--set", "seed=9"]);
    assert!(
        ended.stdout.contains("All 70 puzzles: 140 of 140 runs solved, 100 % on average (95 %: 97 to 100 on"),
        "{}",
        ended.stdout
    );
    assert!(
        ended
            .stdout
            .contains("Not shown: 10 more rows. All is shown by\n  kenga run --resume results/ga --csv\n"),
        "{}",
        ended.stdout
    );
    assert!(!ended.stdout.contains("kenga compare"), "{}", ended.stdout);
}

#[test]
fn where_nobody_watches_lines_of_progress_go_to_standard_error() {
    let lab = Lab::new();
    let cage = "{\"op\":\"+\",\"target\":99,\"cells\":[[0,0],[0,1],[1,0],[1,1]]}";
    lab.write("none.json", format!("{{\"id\":\"none\",\"size\":2,\"cages\":[{cage}]}}"));
    let endless = "budget.evaluations=1_000_000_000_000";
    let args = ["run", "--config", "ga.toml", "--puzzle", "none.json", "--set", endless];
    let mut command = lab.command(&args);
    command.env("KENGA_PROGRESS", "0.01").stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let stderr = child.stderr.take().expect("it is piped");
    let mut lines = BufReader::new(stderr).lines().map(|line| line.expect("a line"));
    let line = lines.find(|line| !line.starts_with("solving the puzzles exactly: ")).expect("a line");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(line.starts_with("0 of 6 runs ended, 0 solved, "), "{line}");
}

#[test]
fn quiet_work_says_nothing_of_its_progress() {
    let lab = Lab::new();
    let ended = with(&lab, &[("KENGA_PROGRESS", "0.0001")], &["run", "--config", "ga.toml", "--quiet"]);
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (0, "", ""));
}

#[test]
fn completions_know_every_command() {
    let lab = Lab::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ended = lab.kenga(&["completions", shell]);
        assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{shell}");
        for command in COMMANDS.iter().filter_map(|command| command.last()) {
            assert!(ended.stdout.contains(command), "{shell} {command}");
        }
    }
}

#[test]
fn the_manual_has_a_page_for_every_command_and_is_written_again() {
    let lab = Lab::new();
    for _ in 0..2 {
        let ended = lab.kenga(&["man", "man/man1"]);
        assert_eq!((ended.code, ended.complaints().as_str()), (0, ""));
    }
    for command in COMMANDS {
        let page = lab.read(&format!("man/man1/{}.1", [&["kenga"], command].concat().join("-")));
        assert!(page.contains(".SH SYNOPSIS") && page.contains("Examples:"), "{page}");
    }
    lab.write("man/man1/kenga.1", "mine");
    assert_eq!(lab.kenga(&["man", "man/man1"]).code, 2, "a page of another hand stays");
    assert_eq!(lab.kenga(&["man", "man/man1", "--force"]).code, 0);
}

#[test]
fn one_spelling_names_what_is_written_everywhere() {
    let lab = Lab::new();
    lab.run(&["--config", "ga.toml", "--quiet", "-o", "o"]);
    for flag in ["-o", "--out", "--output"] {
        let ended = lab.kenga(&["export", "o", "--to", "csv", flag, "runs.csv", "--force"]);
        assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{flag}");
        let ended = lab.kenga(&["convert", "4x4.txt", "--to", "json", flag, "4x4.json", "--force"]);
        assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{flag}");
        let ended = lab.kenga(&["report", "o", flag, "runs.csv"]);
        assert!(ended.code == 2 && ended.stderr.contains("runs.csv already exists"), "{}", ended.stderr);
        let ended = lab.kenga(&["report", "o", flag, "runs.csv", "--force"]);
        assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{flag}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for args in [&["--help"][..], &["--version"], &["run", "--help"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
        let status = Lab::new().command(args).stdout(full).stderr(Stdio::null()).status().expect("it starts");
        assert_eq!(status.code(), Some(2), "{args:?}");
    }
}

/// What a command prints on a terminal of its own.
#[cfg(target_os = "linux")]
fn on_a_terminal(lab: &Lab, line: &str) -> String {
    let line = format!("{} {line}", env!("CARGO_BIN_EXE_kenga"));
    let mut script = std::process::Command::new("script");
    let script = script.current_dir(lab.path("")).args(["-qec", &line, "/dev/null"]).stdin(Stdio::null());
    String::from_utf8(script.output().expect("script is there").stdout).expect("text")
}

#[cfg(target_os = "linux")]
#[test]
fn data_goes_to_a_pipe_as_it_is_and_to_a_terminal_without_sequences() {
    let lab = Lab::new();
    lab.write(
        "titled.json",
        "{\"id\":\"a\",\"size\":1,\"title\":\"t\u{202E}1\",\"cages\":[{\"op\":\"+\",\"target\":1,\"cells\":[[0,0]]}]}",
    );
    let folder = "e\u{1b}]0;title\u{7}\u{202E}x";
    lab.run(&["--config", "ga.toml", "--out", folder, "--quiet"]);
    for (line, hostile) in [
        ("convert titled.json --to json", "t\u{202E}1"),
        ("canonical titled.json", ""),
        (&format!("export '{folder}' --to csv"), folder),
        (&format!("export '{folder}' --to json"), "\u{202E}"),
        (&format!("export '{folder}' --to optuna"), ""),
        (&format!("compare '{folder}' --csv"), ""),
        (&format!("validate '{folder}'"), ""),
    ] {
        let shown = on_a_terminal(&lab, line);
        assert!(
            !shown.is_empty() && !shown.contains(['\u{202E}', '\u{7}']) && !shown.contains("\u{1b}]"),
            "{line}"
        );
        let words: Vec<&str> = line.split(' ').map(|word| word.trim_matches('\'')).collect();
        assert!(lab.kenga(&words).stdout.contains(hostile), "{line}: a pipe gets it as it is");
    }
}
