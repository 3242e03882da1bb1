//! What people type, and what the program answers.

use crate::lab::{Lab, refused, well};

#[test]
fn a_configuration_is_named_with_and_without_its_option() {
    let lab = Lab::new();
    for line in
        ["run ga.toml --quiet -o a", "run --config ga.toml --quiet -o b", "run -n 6 ga.toml --quiet -o c"]
    {
        well(&lab, line);
    }
    well(&lab, "run --replicates 6 ga.toml --quiet -o d");
    for folder in ["b", "c", "d"] {
        assert_eq!(lab.decided("a"), lab.decided(folder), "{folder}");
    }
    assert!(well(&lab, "sweep plan ga.toml --pilot 0").contains("6 replicates"));
    assert!(refused(&lab, "run ga.toml --config ga.toml").contains("cannot be used with"));
}

#[test]
fn without_a_configuration_the_command_says_how_to_name_one() {
    let lab = Lab::new();
    for command in ["run", "tune", "sweep plan"] {
        let said = refused(&lab, command);
        assert!(
            said.contains(&format!("kenga {command} sweep.toml")) && said.contains("kenga init"),
            "{said}"
        );
    }
    assert!(refused(&lab, "run --resume").contains("--resume needs a folder"));
}

#[test]
fn a_sweep_without_its_command_is_told_the_two_that_there_are() {
    let said = refused(&Lab::new(), "sweep ga.toml");
    assert!(said.contains("`kenga run ga.toml`") && said.contains("`kenga sweep plan ga.toml`"), "{said}");
}

#[test]
fn a_misspelt_command_is_answered_by_the_nearest() {
    let lab = Lab::new();
    for (typed, meant) in
        [("rnu", "run"), ("sovle", "solve"), ("comapre", "compare"), ("geneate", "generate")]
    {
        let said = refused(&lab, typed);
        assert!(said.contains(&format!("did you mean `{meant}`?")), "{typed}: {said}");
    }
    assert!(refused(&lab, "sweep paln").contains("did you mean `plan`?"));
    assert!(refused(&lab, "ga.toml").contains("`kenga run FILE` runs an experiment"));
}

#[test]
fn errors_of_arguments_look_like_all_others() {
    let lab = Lab::new();
    for (line, message, help) in [
        ("run --confg ga.toml", "unexpected argument `--confg` found", "`--config`"),
        ("solve", "the following required arguments were not provided: <FILE>...", "`kenga solve --help`"),
        ("compare o --metric x", "invalid value `x` for `--metric <METRIC>`", "one of calls, evaluations"),
        ("run ga.toml --seed", "a value is required for `--seed <N>`", "`kenga run --help`"),
        ("generate --kind kenkn", "invalid value `kenkn`", "`kenken`"),
    ] {
        let ended = lab.kenga(&line.split(' ').collect::<Vec<_>>());
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{line}");
        assert!(
            ended.stderr.starts_with("  × ") && ended.stderr.contains("  help: "),
            "{line}: {}",
            ended.stderr
        );
        assert!(ended.stderr.lines().all(|line| line.chars().count() <= 80), "{line}: {}", ended.stderr);
        let said = refused(&lab, line);
        assert!(said.contains(message) && said.contains(help), "{line}: {said}");
    }
}

#[test]
fn a_key_is_suggested_by_its_meaning() {
    let lab = Lab::new();
    let sweep = "[sweep]\n\"algorithm.mutation.rate\" = [0.1, 0.2]\n\"algorithm.population\" = [8, 12]\n";
    lab.write("sweep.toml", [crate::lab::GENETIC, sweep].concat());
    lab.run(&["sweep.toml", "--quiet", "-o", "o"]);
    let said = refused(&lab, "compare o --by mutation.rat");
    assert!(said.contains("did you mean `algorithm.mutation.rate`?"), "{said}");
    let said = refused(&lab, "compare o --by foo");
    assert!(
        !said.contains("did you mean") && said.contains("settings differ in algorithm.mutation.rate"),
        "{said}"
    );
}

#[test]
fn list_finds_what_contains_a_word() {
    let lab = Lab::new();
    let found = well(&lab, "list swap");
    assert!(
        found.starts_with("mutation: ") && found.contains("\nrow_swap ") && !found.contains("\nreset "),
        "{found}"
    );
    assert!(refused(&lab, "list swapp").contains("did you mean `swap`?"));
}
