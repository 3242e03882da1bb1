//! Every bad configuration is refused with the file, the line and the key; nothing is written.

use serde_json::json;

use crate::lab::{GENETIC, Lab, flat, matches};

/// What `kenga run` says of a configuration.
fn refused(text: &str) -> String {
    let lab = Lab::new();
    lab.write("bad.toml", text);
    refused_run(&lab, &["--config", "bad.toml"])
}

fn refused_run(lab: &Lab, args: &[&str]) -> String {
    let ended = lab.kenga(&[&["run"], args].concat());
    assert_eq!((ended.code, ended.stdout.as_str()), (2, ""), "{}", ended.stderr);
    assert!(!lab.path("results").exists(), "a bad configuration leaves no results");
    ended.stderr
}

#[test]
fn a_line_of_any_length_is_shown_at_its_place() {
    let long = "x".repeat(70_000);
    for text in [long.clone(), format!("seed = 1\n{long} = 1\n"), format!("seed = [\"{long}é\", 1, wrong]\n")]
    {
        assert!(refused(&text).contains("bad.toml:"));
    }
    assert!(refused(&format!("seed = 1\n{long} = 1\n")).contains("bad.toml:2:"));
}

/// The genetic configuration with these lines in the place of its last one.
fn with(lines: &str) -> String {
    GENETIC.replace("population = 12", lines)
}

#[test]
fn what_is_not_toml_is_shown_where_it_ends_to_be() {
    matches("not_toml", &refused("puzzles = [\"4x4.txt\"]\nseed = = 3\n"));
    matches("toml_key_twice", &refused("seed = 1\nseed = 2\n"));
    matches("toml_cut_short", &refused("puzzles = [\"4x4.txt\""));
    let lab = Lab::new();
    lab.write("bad.toml", b"seed = \xff\xfe");
    matches("not_text", &refused_run(&lab, &["--config", "bad.toml"]));
}

#[test]
fn a_value_that_is_missing_is_called_so() {
    let said = refused("puzzles = [\"4x4.txt\"]\nseed =   # comment\n");
    assert!(said.contains("a value is missing") && said.contains("bad.toml:2:7"), "{said}");
}

#[test]
fn a_sweep_changes_no_words_about_keys_that_it_does_not_vary() {
    let sweep = "\n[sweep]\nmethod = \"grid\"\n\"algorithm.mutation.rate\" = [0.1, 0.2]\n";
    let said = refused(&format!("{}{sweep}", with("populaton = 12")));
    assert!(said.contains("did you mean `population`?") && !said.contains("setting"), "{said}");
    // The axis hides the value from every setting.
    let said = refused(&format!("{}{sweep}", with("mutation = { name = \"swap\", rate = 1.5 }")));
    assert!(flat(&said).contains("`rate` takes") && !said.contains("setting"), "{said}");
}

#[test]
fn a_folder_in_the_place_of_a_configuration_is_looked_into() {
    let lab = Lab::new();
    lab.write("first/sweep.toml", "seed = 1\n");
    let said = refused_run(&lab, &["first"]);
    assert!(said.contains("first is a folder") && said.contains("such as first/sweep.toml"), "{said}");
}

#[test]
fn a_name_that_is_near_none_suggests_none() {
    let lab = Lab::new();
    for args in [&["guide", "nosuch"][..], &["convert", "4x4.txt", "--to", "json", "--id", "nosuch"]] {
        let ended = lab.kenga(args);
        assert_eq!(ended.code, 2, "{}", ended.stderr);
        assert!(!ended.stderr.contains("did you mean"), "{}", ended.stderr);
    }
}

#[test]
fn a_missing_argument_is_told_with_an_example() {
    let lab = Lab::new();
    let said = lab.kenga(&["compare"]).stderr;
    assert!(said.contains("such as `kenga compare results/sweep`"), "{said}");
    let said = lab.kenga(&["report", "results/sweep"]).stderr;
    assert!(said.contains("such as `kenga report results/sweep -o sweep.html`"), "{said}");
}

#[test]
fn an_unknown_key_is_shown_with_the_nearest_one() {
    matches("unknown_key", &refused("puzzles = [\"4x4.txt\"]\nreplicate = 3\n"));
    matches("unknown_key_in_a_section", &refused("[budget]\nevalutions = 3\n"));
    matches("unknown_key_of_a_member", &refused(&with("mutation = { name = \"swap\", rat = 0.1 }")));
    matches("unknown_key_like_preset", &refused("prest = \"pyevolve\"\n"));
    matches("name_of_a_section", &refused("[budget]\nname = \"large\"\nevaluations = 3\n"));
}

#[test]
fn a_key_that_stands_one_table_deeper_is_named_with_its_path() {
    let text = "puzzles = [\"4x4.txt\"]\n[budget]\nevaluations = 3\n[algorithm]\nname = \"islands\"\npopulation = 40\n";
    let said = refused(text);
    assert!(said.contains("did you mean `island.population`?"), "{said}");
    let said = refused(&text.replace("population = 40", "mutatoin = \"swap\""));
    assert!(said.contains("did you mean `island.mutation`?"), "{said}");
    let said = refused(&text.replace("population = 40", "migrant = 1"));
    assert!(said.contains("did you mean `migrants`?"), "{said}");
}

#[test]
fn an_unknown_name_is_shown_with_the_nearest_one() {
    let names = |text: &str| refused(text);
    matches("unknown_algorithm", &names("[budget]\nevaluations = 3\n[algorithm]\nname = \"genetics\"\n"));
    matches("unknown_preset", &names("preset = \"pyevolv\"\n"));
    let said = names(&with("selection = \"tornament\""));
    assert!(said.contains("did you mean `tournament`?") && said.contains("bad.toml:7:13"), "{said}");
    let said = names(&with("encoding = \"row\""));
    assert!(said.contains("did you mean `rows`?"), "{said}");
}

#[test]
fn values_of_another_kind_are_refused() {
    for (line, key, expected) in [
        ("population = \"many\"", "population", "a whole number from 1 to 1000000, not \"many\""),
        ("population = 2.5", "population", "a whole number from 1 to 1000000, not 2.5"),
        ("population = true", "population", "a whole number from 1 to 1000000, not true"),
        ("population = [1]", "population", "a whole number from 1 to 1000000, not a list"),
        ("selection = 3", "selection", "a name from `kenga list selection`, or a table with"),
        ("replacement = { elitism = 0.5 }", "elitism", "not 0.5"),
        ("name = \"genetic\"\n[fitness]\ncages = \"ternary\"", "cages", "binary | gap, not \"ternary\""),
        ("name = \"genetic\"\n[fitness]\nweights = 3", "weights", "a table, not 3"),
        ("name = \"genetic\"\n[record]\nevery = -1", "every", "a whole number from 0 up, not -1"),
    ] {
        let said = refused(&with(line));
        assert!(said.contains(&format!("`{key}` takes ")) && said.contains(expected), "{said}");
        assert!(said.contains("bad.toml:") && said.contains("╭─["), "{said}");
    }
    for (text, key) in [
        ("puzzles = \"4x4.txt\"", "puzzles"),
        ("puzzles = [1]", "puzzles"),
        ("budget = 5", "budget"),
        ("preset = 3", "preset"),
    ] {
        let said = refused(text);
        assert!(said.contains(&format!("`{key}` takes ")) && said.contains("bad.toml:1:"), "{said}");
    }
    matches("wrong_kind", &refused(&with("population = \"many\"")));
    matches("a_date", &refused("seed = 2012-05-01\n"));
}

#[test]
fn values_out_of_range_are_refused() {
    for (text, said) in [
        ("seed = -1", "`seed` takes a whole number from 0 up, not -1"),
        ("seed = 9223372036854775808", "a whole number beyond 64 bits"),
        ("replicates = 0", "`replicates` takes a whole number from 1 to 1000000000, not 0"),
        ("[budget]\nevaluations = 0", "`evaluations` takes a whole number from 1 up, not 0"),
        ("[budget]\nseconds = -0.5", "`seconds` takes a number above 0, not -0.5"),
        ("[budget]\nseconds = 0", "`seconds` takes a number above 0, not 0"),
        ("[budget]\nseconds = nan", "`seconds` takes a number above 0, not NaN"),
        ("[fitness.weights]\nrow = 0", "`row` takes a whole number from 1 to 1000, not 0"),
        ("[fitness.weights]\ncount = 1001", "`count` takes a whole number from 0 to 1000, not 1001"),
        ("[exact]\nsolutions = 0", "`solutions` takes a whole number from 1 to 1000000, not 0"),
        ("[record]\ncolumns = [\"mean\", \"mean\"]", "`columns` names `mean` twice"),
        ("[exact]\nnodes = -1", "`nodes` takes a whole number from 0 up, not -1"),
    ] {
        let shown = refused(text);
        assert!(shown.contains(said), "{shown}");
    }
    for rate in ["1.5", "-0.1", "nan", "inf"] {
        let shown = refused(&with(&format!("mutation = {{ name = \"swap\", rate = {rate} }}")));
        assert!(shown.contains("`rate` takes a number from 0 to 1"), "{shown}");
    }
    matches("out_of_range", &refused(&with("population = 0")));
}

#[test]
fn operators_that_nobody_names_fit_the_encoding() {
    let lab = Lab::new();
    for (encoding, crossover, mutation) in
        [("cells", "row", "swap"), ("rows", "row", "swap"), ("cages", "cage", "redraw")]
    {
        let set = format!("algorithm.encoding={encoding}");
        let rate = "algorithm.crossover.rate=0.5";
        lab.run(&["--config", "ga.toml", "--runs", "1", "-o", encoding, "--set", &set, "--set", rate]);
        let manifest: serde_json::Value =
            serde_json::from_str(&lab.read(&format!("{encoding}/manifest.json"))).expect("JSON");
        let algorithm = &manifest["config"]["algorithm"];
        assert_eq!(
            (&algorithm["crossover"]["name"], &algorithm["mutation"]["name"]),
            (&json!(crossover), &json!(mutation))
        );
        assert_eq!(algorithm["crossover"]["rate"], 0.5);
    }
}

#[test]
fn an_operator_that_does_not_fit_the_encoding_is_refused() {
    matches("operator_and_encoding", &refused(&with("encoding = \"rows\"\ncrossover = \"single_point\"")));
    let islands = "[budget]\nevaluations = 9\n[algorithm]\nname = \"islands\"\n[algorithm.island]\nencoding = \"rows\"\ncrossover = \"single_point\"\n";
    let said = refused(islands);
    assert!(
        said.contains("does not work on the encoding `rows`") && said.contains("bad.toml:7:13"),
        "{said}"
    );
}

#[test]
fn a_puzzle_that_does_not_fit_the_encoding_is_refused() {
    let lab = Lab::new();
    lab.write("p.json", r#"{"id":"p","size":2,"digits":[1,2,3],"cages":[{"op":"+","target":7,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#);
    let said =
        refused_run(&lab, &["--config", "ga.toml", "--puzzle", "p.json", "--set", "algorithm.encoding=rows"]);
    matches("puzzle_and_encoding", &said);
}

#[test]
fn a_run_that_could_never_end_is_refused() {
    matches("no_budget", &refused("puzzles = [\"4x4.txt\"]\nseed = 3\n"));
    let said = refused("puzzles = [\"4x4.txt\"]\nbudget.moves = 5\n");
    assert!(said.contains("sets no limit that this algorithm uses"), "{said}");
    matches("only_seconds", &refused("puzzles = [\"4x4.txt\"]\n[budget]\nseconds = 5\n"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let lab = Lab::new();
    let said = refused_run(&lab, &["--config", "nowhere.toml"]);
    assert!(said.contains("cannot read nowhere.toml") && said.contains("check the path"), "{said}");
    let said = refused_run(&lab, &["--config", "."]);
    assert!(said.contains(". is a folder, not a configuration"), "{said}");
    let said = refused_run(&lab, &["--config", "ga.toml", "--puzzle", "nowhere.txt"]);
    assert!(said.contains("cannot read nowhere.txt") && said.contains("no puzzle could be read"), "{said}");
    lab.write("bad.txt", "1 1\n2 2\n3 +\n");
    let said = refused_run(&lab, &["--config", "ga.toml", "--puzzle", "bad.txt"]);
    assert!(said.contains("bad.txt:"), "{said}");
    lab.write("bad.toml", GENETIC.replace("4x4.txt", "gone.txt"));
    let said = refused_run(&lab, &["--config", "bad.toml"]);
    assert!(said.contains("gone.txt"), "{said}");
}

#[test]
fn no_puzzle_is_no_experiment() {
    matches("no_puzzle", &refused("[budget]\nevaluations = 3\n"));
    let lab = Lab::new();
    let said = refused_run(&lab, &["--config", "ga.toml", "--set", "puzzles=[]"]);
    assert!(said.contains("there is no puzzle to run"), "{said}");
}

#[test]
fn bad_assignments_are_shown() {
    let set = |assignment: &str| refused_run(&Lab::new(), &["--config", "ga.toml", "--set", assignment]);
    matches("set_without_value", &set("algorithm.population"));
    matches("set_unknown_key", &set("algorithm.populations=3"));
    matches("set_preset", &set("preset=pyevolve"));
    for (assignment, said) in [
        ("seed=", "--set:1:"),
        ("=3", "--set:1:1"),
        ("", "sets no key"),
        ("seed=[", "--set:1:"),
        ("algorithm.mutation=swapp", "did you mean `swap`?"),
        ("algorithm.mutation.rate=2", "`rate` takes a number from 0 to 1"),
        ("algorithm.mutation.rate=two", "`rate` takes a number from 0 to 1"),
        ("budget=3", "`budget` takes a table, not 3"),
        ("seed.x=3", "`seed` takes a whole number from 0 up, not a table"),
        ("name=x", "unknown key `name`"),
    ] {
        let shown = set(assignment);
        assert!(shown.contains(said), "{assignment}: {shown}");
    }
}

#[test]
fn bad_options_are_refused() {
    let lab = Lab::new();
    for (args, said) in [
        (&["--config", "ga.toml", "--runs", "0"][..], "--runs"),
        (&["--config", "ga.toml", "--runs", "1000000001"], "--runs"),
        (&["--config", "ga.toml", "--seed=-1"], "--seed"),
        (&["--config", "ga.toml", "--seed", "-1"], "`-1` for `--seed <N>`: expected a whole number from 0"),
        (&["--config", "ga.toml", "--statistics", "-1"], "expected a whole number from 1"),
        (&["--config", "ga.toml", "--seed", "9223372036854775808"], "--seed"),
        (&["--config", "ga.toml", "--jobs", "0"], "--jobs"),
        (&["--config", "ga.toml", "--statistics", "0"], "--statistics"),
        (&["--config", "ga.toml", "--bogus"], "--bogus"),
        (&["ga.toml", "--config", "ga.toml"], "cannot be used with"),
        (&[], "kenga run sweep.toml"),
    ] {
        let shown = flat(&refused_run(&lab, args));
        assert!(shown.contains(said), "{args:?}: {shown}");
    }
}

#[test]
fn negative_values_are_told_what_is_expected() {
    for (args, said) in [
        (&["generate", "--kind", "quasigroup", "--size", "-1"][..], "from 0"),
        (&["solve", "4x4.txt", "--colors", "-1"], "expected a whole number from 1 to 32"),
        (&["solve", "4x4.txt", "--time-limit", "-2"], "expected a number of seconds from 0"),
        (&["partitions", "sum", "7", "--cells", "-3"], "expected a whole number from"),
    ] {
        let ended = Lab::new().kenga(args);
        assert!(ended.code == 2 && flat(&ended.stderr).contains(said), "{args:?}: {}", ended.stderr);
    }
}
