//! Help, and the lists of what configurations can name.

use kenga::spec::Catalog;
use serde_json::Value;

use crate::lab::{Lab, matches};

fn shown(args: &[&str]) -> String {
    let ended = Lab::new().kenga(args);
    assert_eq!((ended.code, ended.complaints().as_str()), (0, ""), "{args:?}");
    ended.stdout
}

#[test]
fn help_is_as_shown() {
    matches("help", &shown(&["--help"]));
    for command in [
        "run",
        "sweep",
        "tune",
        "compare",
        "landscape",
        "features",
        "study",
        "report",
        "plot",
        "export",
        "bundle",
        "solve",
        "validate",
        "partitions",
        "list",
        "generate",
        "transform",
        "canonical",
        "draw",
        "watch",
        "serve",
    ] {
        matches(&format!("help_{command}"), &shown(&[command, "--help"]));
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(shown(&["--version"]), format!("kenga {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_command_is_bad_usage() {
    assert_eq!(Lab::new().kenga(&[]).code, 2);
}

#[test]
fn every_member_is_listed_with_its_parameters() {
    let all = shown(&["list"]);
    let objects: Vec<Value> =
        shown(&["list", "--json"]).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let generators: &dyn Catalog = &kenga::craft::GENERATORS;
    for family in kenga::experiment::families().into_iter().chain([generators]) {
        let one = shown(&["list", family.family()]);
        assert!(one.starts_with(&format!("{}: ", family.family())) && all.contains(&one), "{one}");
        for member in family.members() {
            let is_it =
                |object: &&Value| object["family"] == family.family() && object["name"] == member.name;
            let object = objects.iter().find(is_it).expect("it is listed");
            assert_eq!(object["params"].as_array().map(Vec::len), Some(member.params.len()));
            let starts = |key: &str| one.lines().any(|line| line.split(' ').any(|word| word == key));
            assert!(starts(member.name) && member.params.iter().all(|param| starts(param.name)), "{one}");
            let source = member.source.split(' ').next().unwrap_or_default();
            assert!(one.contains(&format!("  {}: {source}", member.name)) || source.is_empty(), "{one}");
        }
    }
    assert!(shown(&["list", "preset"]).contains("\npyevolve  "));
    assert!(shown(&["list", "technique"]).contains("\nx_wing "));
}

#[test]
fn a_family_is_listed_as_a_table_in_every_form() {
    matches("list_crossover", &shown(&["list", "crossover"]));
    for (form, head) in [
        ("--csv", "family,name,about,encodings,source,score\nschedule,linear,"),
        ("--markdown", "| family | name | about | encodings | source | score |\n"),
        ("--latex", "\\begin{tabular}{@{}ll"),
    ] {
        let text = shown(&["list", "schedule", form]);
        assert!(text.contains(head) && text.contains("\n\n") && text.contains("value at the end"), "{text}");
    }
}

#[test]
fn an_unknown_family_is_refused_with_the_nearest() {
    let ended = Lab::new().kenga(&["list", "mutatoin"]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("did you mean `mutation`?"), "{}", ended.stderr);
}
