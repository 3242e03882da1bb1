//! The migration log: the same bytes for any number of threads, whatever kills the program, and every row checked.

use std::fs;

use crate::lab::{Lab, forge_again, with_field};
use crate::resume::kill_and_resume;

/// A genetic algorithm and a local search in turns on four islands; without convergence, so that nothing but the log
/// itself tells that it is torn.
const MIXED: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 6
[budget]
evaluations = 400
moves = 4000
[algorithm]
name = \"islands\"
count = 4
interval = 60
migrants = 2
topology = \"hypercube\"
select = \"tournament\"
replace = \"random\"
[[algorithm.islands]]
name = \"genetic\"
population = 6
[[algorithm.islands]]
name = \"annealing\"
encoding = \"cells\"
generation = 20
from = 2.0
restart = { name = \"fixed\", calls = 120 }
[record]
every = 0
migrations = true
";

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("mixed.toml", MIXED);
    lab
}

fn log(lab: &Lab, folder: &str) -> String {
    lab.read(&format!("{folder}/migrations.csv"))
}

#[test]
fn threads_do_not_change_a_byte() {
    let lab = lab();
    for jobs in ["1", "2", "16"] {
        lab.run(&["--config", "mixed.toml", "--jobs", jobs, "--out", jobs]);
        assert_eq!((lab.decided(jobs), log(&lab, jobs)), (lab.decided("1"), log(&lab, "1")), "{jobs} jobs");
        let alone = format!("alone{jobs}");
        lab.run(&["--config", "mixed.toml", "--runs", "1", "--jobs", jobs, "--out", &alone]);
        assert_eq!(log(&lab, &alone), log(&lab, "alone1"), "{jobs} jobs for one run");
    }
    let text = log(&lab, "1");
    assert!(text.starts_with("run,barrier,evaluations,moves,from,to,fitness\n0,1,"), "{text}");
    assert!(text.lines().count() > 20, "{text}");
    assert!(lab.read("1/checksums.txt").contains("  migrations.csv\n"));
    let (code, found) = lab.validate(&["1", "--replay", "all"]);
    assert_eq!((code, &found["migrations"]), (0, &(text.lines().count() - 1).into()), "{found}");
}

#[test]
fn nothing_is_logged_unasked() {
    let lab = lab();
    lab.run(&["--config", "mixed.toml", "--set", "record.migrations=false", "--out", "o"]);
    assert!(!lab.path("o/migrations.csv").exists() && !lab.read("o/checksums.txt").contains("migrations"));
    assert_eq!(lab.validate(&["o"]).0, 0);
    let ended = lab.kenga(&["run", "--config", "mixed.toml", "--out", "o", "--resume"]);
    assert!(ended.code == 2 && ended.stderr.contains("record.migrations"), "{}", ended.stderr);
}

#[test]
fn a_torn_end_is_made_again() {
    let lab = lab();
    lab.run(&["--config", "mixed.toml", "--out", "whole"]);
    let whole = log(&lab, "whole");
    let lines: Vec<usize> = whole.match_indices('\n').map(|(end, _)| end + 1).collect();
    // Within the last lines, but not at their ends.
    let last = whole.len() - 40;
    for kept in (last..whole.len()).filter(|kept| !lines.contains(kept)).step_by(3).chain([0, 7]) {
        lab.copy("whole", "torn");
        lab.write("torn/migrations.csv", &whole[..kept]);
        lab.run(&["--config", "mixed.toml", "--out", "torn", "--resume"]);
        assert_eq!((lab.decided("torn"), log(&lab, "torn")), (lab.decided("whole"), whole.clone()), "{kept}");
    }
}

#[test]
fn killed_again_and_again_it_ends_with_the_same_bytes() {
    let lab = lab();
    let long = ["run", "--config", "mixed.toml", "--runs", "150", "--quiet", "--out"];
    assert_eq!(lab.kenga(&[&long[..], &["whole"]].concat()).code, 0);
    let size = |name: &str| fs::metadata(lab.path(name)).map_or(0, |data| data.len());
    let kills = kenga_testing::size(2, 6);
    let step = size("whole/migrations.csv") / (kills + 1);
    kill_and_resume(&lab, &[&long[..], &["torn", "--resume"]].concat(), kills, |round| {
        size("torn/migrations.csv") > step * round
    });
    assert_eq!((lab.decided("torn"), log(&lab, "torn")), (lab.decided("whole"), log(&lab, "whole")));
    assert_eq!(lab.validate(&["torn"]).0, 0);
}

#[test]
fn a_migrant_that_never_was_is_refuted() {
    let lab = lab();
    lab.run(&["--config", "mixed.toml", "--out", "o"]);
    let text = log(&lab, "o");
    // Column by column: no such run, barrier, budget, islands, fitness; and a fitness that only replay can tell.
    for (column, value, said) in [
        (0, "9", "line 3 is not a row of the next run"),
        (1, "0", "do not grow from barrier 1"),
        (2, "99999", "beyond the end"),
        (3, "99999", "beyond the end"),
        (4, "7", "can go from island 7"),
        (5, "4", "to island 4"),
        (6, "4000000", "gives different migrants"),
    ] {
        lab.write("o/migrations.csv", with_field(&text, 1, column, value));
        forge_again(&lab.path("o"));
        let (code, found) = lab.validate(&["o", "--replay", "all"]);
        assert_eq!(code, 1, "{said}: {found}");
        assert!(found.to_string().contains(said), "{said}: {found}");
    }
}
