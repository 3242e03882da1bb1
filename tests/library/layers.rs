//! The house: which room of `src/` and `crates/` may name which other, and what no room does. Cargo holds the edges between
//! crates, this the finer ones.

mod circles;
mod source;

use std::fs;
use std::path::Path;

use source::Source;

/// Every room with the rooms it may name. The program itself (`lib.rs`, `main.rs`) joins them.
const EDGES: &[(&str, &[&str])] = &[
    ("rng", &[]),
    ("sort", &[]),
    ("text", &["sort"]),
    ("budget", &[]),
    ("processes", &[]),
    ("table", &[]),
    ("spec", &["text", "table"]),
    ("stats", &[]),
    ("puzzle", &["text", "sort", "table"]),
    ("problem", &["puzzle"]),
    ("partitions", &["sort", "problem", "puzzle"]),
    ("models", &["problem", "puzzle"]),
    ("solver", &["sort", "problem", "puzzle", "budget", "rng"]),
    ("craft", &["text", "sort", "rng", "budget", "table", "spec", "puzzle", "problem", "solver"]),
    ("fitness", &["problem", "puzzle"]),
    // Programs that stand in for algorithms end with all that they have started (processes).
    ("search", &["text", "fitness", "problem", "spec", "budget", "processes", "rng"]),
    (
        "experiment",
        &[
            "text", "sort", "rng", "budget", "spec", "stats", "puzzle", "problem", "solver", "fitness",
            "search",
        ],
    ),
    ("landscape", &["sort", "rng", "budget", "spec", "stats", "problem", "fitness", "search"]),
    // Exact facts are those of experiments, grades those of craft, sizes of spaces and measures those of landscapes.
    ("features", &["budget", "puzzle", "problem", "craft", "experiment", "landscape"]),
    ("playback", &["sort", "experiment", "budget", "puzzle", "fitness", "search"]),
    // Rows hold a run's migrations and operators (search) and its stop reason (budget); validating weighs terms (fitness);
    // a configuration that cannot be read says why (spec).
    ("results", &["text", "sort", "experiment", "puzzle", "budget", "fitness", "search", "spec"]),
    // Bootstrap intervals draw from a stream of their own (rng).
    ("study", &["text", "sort", "results", "stats", "experiment", "budget", "rng", "puzzle", "fitness"]),
    // A tuning races configurations (experiment), whose programs may fail (search), asks tests (stats), and keeps a folder of its own with
    // the means of results.
    (
        "tune",
        &["text", "sort", "rng", "budget", "spec", "stats", "puzzle", "search", "experiment", "results"],
    ),
    // A report says what was asked for (experiment, budget), and tells the story of a tuning.
    (
        "report",
        &[
            "text",
            "sort",
            "study",
            "results",
            "stats",
            "puzzle",
            "rng",
            "experiment",
            "budget",
            "landscape",
            "tune",
        ],
    ),
    (
        "answers",
        &[
            "text",
            "budget",
            "spec",
            "puzzle",
            "problem",
            "models",
            "solver",
            "craft",
            "search",
            "experiment",
            "study",
            "report",
        ],
    ),
    ("extensions", &["table", "spec", "puzzle", "craft", "search"]),
    ("testing", &["table", "rng", "budget", "spec", "puzzle", "problem", "solver", "fitness", "search"]),
    (
        "serve",
        &[
            "text",
            "budget",
            "spec",
            "puzzle",
            "problem",
            "solver",
            "craft",
            "fitness",
            "search",
            "experiment",
            "playback",
            "results",
            "study",
            "report",
            "answers",
        ],
    ),
    (
        "cli",
        &[
            "extensions",
            "answers",
            "serve",
            "text",
            "sort",
            "rng",
            "budget",
            "table",
            "spec",
            "stats",
            "puzzle",
            "problem",
            "partitions",
            "models",
            "solver",
            "craft",
            "fitness",
            "search",
            "experiment",
            "landscape",
            "features",
            "playback",
            "results",
            "study",
            "tune",
            "report",
        ],
    ),
];

/// Words that only some rooms may use: the words, the rooms, and why.
const WORDS: &[(&[&str], &[&str], &str)] = &[
    // The CPU time (budget), the parents and the environments (processes) of other processes stand in files of the system.
    (
        &["fs"],
        &["budget", "processes", "results", "study", "tune", "cli"],
        "files are the business of results, study (exports), tune (its folder) and cli",
    ),
    (&["Instant", "SystemTime"], &["budget"], "the only clock is in budget"),
    (&["println", "eprintln", "print", "eprint"], &["cli"], "only cli prints"),
    (
        &["HashMap", "HashSet"],
        &["rng", "budget", "spec", "stats", "puzzle", "study", "report", "cli"],
        "no order of a hash may decide a result",
    ),
];

/// Lines of the longest file.
const LONGEST: usize = 400;

/// What a file does that its room may not, each as `file:line: what`.
fn offences(source: &Source) -> Vec<String> {
    let Some(room) = source.room() else { return Vec::new() };
    let mut found = Vec::new();
    let mut report = |line: usize, what: String| found.push(format!("{}:{line}: {what}", source.path));
    match EDGES.iter().find(|(name, _)| *name == room) {
        None => report(1, format!("`{room}` is no room of the table")),
        Some((_, allowed)) => {
            for (line, other) in source.rooms_named() {
                if other != room && !allowed.contains(&other.as_str()) {
                    report(line, format!("{room} may not name {other}"));
                }
            }
        }
    }
    let used = source.words();
    for (words, rooms, why) in WORDS.iter().filter(|(_, rooms, _)| !rooms.contains(&room.as_str())) {
        for (line, word) in used.iter().filter(|(_, word)| words.contains(word)) {
            report(*line, format!("{room} may not use {word}: {why} ({})", rooms.join(", ")));
        }
    }
    for line in source.glob_exports() {
        report(line, "a room says what it exports, name by name".to_owned());
    }
    if source.lines() > LONGEST {
        report(LONGEST + 1, format!("longer than {LONGEST} lines"));
    }
    found
}

/// All files below a folder, in order.
fn files(folder: &Path, into: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("a folder of the source")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source file is text");
            let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).expect("it is in the package");
            into.push((name.to_string_lossy().replace('\\', "/"), text));
        }
    }
}

/// The source files of the program and of every crate.
pub fn house() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    files(&root.join("src"), &mut texts);
    for package in fs::read_dir(root.join("crates")).expect("the crates") {
        files(&package.expect("an entry").path().join("src"), &mut texts);
    }
    texts.sort();
    texts
}

#[test]
fn no_room_names_another_that_the_table_does_not_allow() {
    let texts = house();
    assert!(texts.len() > 100, "the source is there");
    let sources: Vec<Source> = texts.iter().map(|(path, text)| Source::new(path, text)).collect();
    let test_only: Vec<String> = sources.iter().flat_map(Source::test_modules).collect();
    let offences: Vec<String> = sources
        .iter()
        .filter(|source| !test_only.iter().any(|path| source.is_in(path)))
        .flat_map(offences)
        .collect();
    assert!(offences.is_empty(), "\n{}\n", offences.join("\n"));
}

#[test]
fn the_table_has_no_circle_and_every_room_of_it_is_there() {
    let texts = house();
    let rooms: Vec<String> = texts.iter().filter_map(|(path, text)| Source::new(path, text).room()).collect();
    for (index, (room, allowed)) in EDGES.iter().enumerate() {
        assert!(rooms.iter().any(|name| name == room), "{room}");
        for other in *allowed {
            let above = EDGES[..index].iter().any(|(name, _)| name == other);
            assert!(above, "{room} stands above {other}, which it names");
        }
    }
}

#[test]
fn the_architecture_page_shows_these_edges_and_files_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/architecture.md")).expect("the page");
    for (room, allowed) in EDGES {
        let start = format!("| `{room}` |");
        let row =
            page.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row of {room}"));
        let cell = row.split('|').nth(3).expect("a cell of edges");
        let named: Vec<&str> = cell.split_whitespace().map(|name| name.trim_matches('`')).collect();
        assert_eq!(named, if *room == "cli" { &["all"] } else { *allowed }, "{room}");
    }
    for path in page
        .split('`')
        .filter(|word| ["src/", "crates/", "tests/"].iter().any(|start| word.starts_with(start)))
    {
        assert!(root.join(path).exists(), "{path} is not there");
    }
}

fn offences_of(path: &str, text: &str) -> Vec<String> {
    offences(&Source::new(path, text))
}

#[test]
fn a_forbidden_edge_is_found_however_it_is_written() {
    let found = ["crates/core/src/search/operators/x.rs:2: search may not name solver"];
    for text in [
        "\nuse crate::solver::solve;",
        "\nuse crate::solver;",
        "\nuse crate::{fitness::Fitness, solver::{Limits, solve}};",
        "\nfn f() { crate::solver::propagate(&x); }",
        "\nuse super::super::super::solver::solve;",
        "\npub(crate) use super::super::super::{rng::RunRng, solver};",
        "\nuse kenga_core::solver::solve;",
    ] {
        assert_eq!(offences_of("crates/core/src/search/operators/x.rs", text), found, "{text}");
    }
    let offence = |path: &str, text: &str, what: &str| {
        assert_eq!(offences_of(path, text), [format!("{path}:1: {what}")]);
    };
    offence("crates/core/src/search/mod.rs", "use super::solver::solve;", "search may not name solver");
    offence("crates/core/src/rng.rs", "use super::spec::Spec;", "rng may not name spec");
    offence("crates/core/src/attic/mod.rs", "", "`attic` is no room of the table");
    // A crate of one room, and a room beside the one that the crate is named after.
    offence("crates/craft/src/ladder/x.rs", "use crate::models::TABLE;", "craft may not name models");
    offence("crates/craft/src/models/x.rs", "use crate::ladder::Tier;", "models may not name craft");
    offence("crates/report/src/x.rs", "use kenga_report::answers::Givens;", "report may not name answers");
    offence("crates/lab/src/study/x.rs", "use kenga_report::svg;", "study may not name report");
    offence("crates/stats/src/lib.rs", "use kenga_core::rng::RunRng;", "stats may not name rng");
}

#[test]
fn comments_texts_and_tests_are_free() {
    let text = r##"
//! See [`crate::solver`].
/* crate::solver, /* HashMap */ println!() */
use super::solver_like::X;
use crate::search::Space;
const A: &str = "crate::solver::solve \" println!";
const B: &str = r#"crate::solver "HashMap" "#;
const C: char = '"';
fn f<'a>(x: &'a str) { let q = '\''; let w = "HashSet"; }
#[cfg(test)]
mod tests {
    use crate::solver::solve;
    fn g() { println!("}"); }
}
"##;
    assert_eq!(offences_of("crates/core/src/search/operators/x.rs", text), [""; 0]);
    let source = Source::new("crates/core/src/solver/mod.rs", "#[cfg(test)]\nmod tests;\nmod other;\n");
    assert_eq!(source.test_modules(), ["crates/core/src/solver/tests"]);
}

#[test]
fn forbidden_words_are_found() {
    let words = |path: &str, text: &str| offences_of(path, text).len();
    assert_eq!(
        words("crates/core/src/search/x.rs", "use std::collections::HashMap;\nfn f() { println!(); }"),
        2
    );
    assert_eq!(
        words("crates/lab/src/experiment/x.rs", "use std::{fs, io};\nuse std::time::{Duration, Instant};"),
        2
    );
    assert_eq!(words("crates/lab/src/results/x.rs", "use std::fs;\nfn f() { eprint!(); }"), 1);
    assert_eq!(words("src/cli/x.rs", "use std::fs;\nfn f() { eprintln!(); }"), 0);
    assert_eq!(words("crates/stats/src/lib.rs", "pub use interval::*;"), 1);
    assert_eq!(words("crates/stats/src/lib.rs", "pub use interval::{Interval, *};"), 1);
    assert_eq!(words("crates/stats/src/x.rs", &"\n".repeat(501)), 1);
}
