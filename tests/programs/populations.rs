//! Whole populations: the same bytes for any number of threads, whatever kills the program, every individual checked, and
//! nothing of it unasked.

use std::fs;

use crate::lab::{Lab, forge_again, well, with_field};
use crate::resume::kill_and_resume;

const HEADER: &str = "run,generation,island,fitness,genome\n";

/// Four islands, of which two breed and two walk; without convergence, so that nothing but the file itself tells that it is torn.
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
[[algorithm.islands]]
name = \"genetic\"
population = 6
[[algorithm.islands]]
name = \"annealing\"
encoding = \"cells\"
generation = 20
restart = { name = \"fixed\", calls = 120 }
[record]
every = 0
populations = 3
";

fn lab() -> Lab {
    let lab = Lab::new();
    lab.write("mixed.toml", MIXED);
    lab
}

fn populations(lab: &Lab, folder: &str) -> String {
    lab.read(&format!("{folder}/populations.csv"))
}

/// The numbers of a row before its genome.
fn numbers(row: &str) -> [u64; 4] {
    let mut cells = row.split(',');
    [(); 4].map(|()| cells.next().and_then(|cell| cell.parse().ok()).expect("a number"))
}

#[test]
fn threads_shards_and_gzip_do_not_change_an_individual() {
    let lab = lab();
    for jobs in ["1", "2", "16"] {
        lab.run(&["--config", "mixed.toml", "--jobs", jobs, "--out", jobs]);
        let made = (lab.decided(jobs), populations(&lab, jobs));
        assert_eq!(made, (lab.decided("1"), populations(&lab, "1")), "{jobs} jobs");
    }
    let text = populations(&lab, "1");
    assert!(text.starts_with(&format!("{HEADER}0,0,0,")) && text.contains("\n5,"), "{text}");
    assert!(lab.read("1/checksums.txt").contains("  populations.csv\n"));
    let (code, found) = lab.validate(&["1", "--replay", "all"]);
    assert_eq!((code, &found["individuals"]), (0, &(text.lines().count() - 1).into()), "{found}");
    well(&lab, "sweep plan --config mixed.toml -o p.plan");
    for shard in ["0/2", "1/2"] {
        well(&lab, &format!("sweep run p.plan --shard {shard} --out shards"));
    }
    well(&lab, "sweep merge p.plan shards --out merged");
    assert_eq!(populations(&lab, "merged"), text);
    lab.run(&["--config", "mixed.toml", "--set", "record.gzip=true", "--out", "packed"]);
    assert!(lab.path("packed/populations.csv.gz").exists() && !lab.path("packed/populations.csv").exists());
    assert_eq!(lab.validate(&["packed", "--replay", "all"]).0, 0);
}

#[test]
fn the_first_the_last_and_every_so_many_generations_are_whole() {
    let lab = lab();
    let one = ["--config", "mixed.toml", "--set", "algorithm='genetic'", "--set", "algorithm.population=7"];
    let sets = ["--set", "budget.evaluations=80", "--set", "record.every=1", "--runs", "2", "--out", "o"];
    lab.run(&[&one[..], &sets].concat());
    let text = populations(&lab, "o");
    let mut generations: Vec<[u64; 2]> = Vec::new();
    for row in text.lines().skip(1) {
        let [run, generation, island, _] = numbers(row);
        assert_eq!(island, 0, "{row}");
        assert_eq!(row.rsplit(',').next().expect("a genome").split(' ').count(), 16, "{row}");
        generations.push([run, generation]);
    }
    let per_generation = generations.chunk_by(|a, b| a == b);
    let found: Vec<([u64; 2], usize)> = per_generation.map(|rows| (rows[0], rows.len())).collect();
    let expected: Vec<([u64; 2], usize)> =
        [0, 1].iter().flat_map(|run| [0, 3, 6, 9, 10].map(|generation| ([*run, generation], 7))).collect();
    assert_eq!(found, expected);
    // Its best is that of convergence, which is not changed by the whole populations.
    let convergence = lab.read("o/convergence.csv");
    lab.run(&[&one[..], &sets[..6], &["--out", "plain", "--set", "record.populations=0"]].concat());
    assert_eq!(lab.read("plain/convergence.csv"), convergence);
    for row in convergence.lines().skip(1).filter(|row| row.starts_with("0,9,")) {
        let best: u64 = row.split(',').nth(4).and_then(|cell| cell.parse().ok()).expect("a number");
        let of_nine = text.lines().skip(1).map(numbers).filter(|numbers| numbers[..2] == [0, 9]);
        assert_eq!(of_nine.map(|numbers| numbers[3]).min(), Some(best));
    }
}

#[test]
fn every_algorithm_has_populations_and_a_local_search_one_genome() {
    let lab = lab();
    lab.write(
        "plain.toml",
        "puzzles = ['4x4.txt']\n[budget]\nevaluations = 2000\nmoves = 3000\n[record]\npopulations = 2\n",
    );
    let mut names = Vec::new();
    for line in well(&lab, "list algorithm --json").lines() {
        let member: serde_json::Value = serde_json::from_str(line).expect("an object");
        names.push(member["name"].as_str().expect("a name").to_owned());
    }
    assert!(names.len() > 8, "{names:?}");
    for name in names.iter().filter(|name| *name != "program") {
        let set = format!("algorithm={{name='{name}'}}");
        lab.run(&["--config", "plain.toml", "--set", &set, "--out", name]);
        let text = populations(&lab, name);
        let first: Vec<&str> = text.lines().filter(|row| row.starts_with("0,0,")).collect();
        assert!(!first.is_empty(), "{name}: {text}");
        if ["annealing", "tabu", "hill_climbing", "breakout", "iterated"].contains(&name.as_str()) {
            assert_eq!(first.len(), 1, "{name}");
        }
        let (code, found) = lab.validate(&[name, "--replay", "all"]);
        assert_eq!(code, 0, "{name}: {found}");
    }
}

#[test]
fn a_run_without_a_whole_population_has_no_row() {
    let lab = lab();
    let few = ["--set", "algorithm='genetic'", "--set", "budget.evaluations=5", "--out", "o"];
    lab.run(&[&["--config", "mixed.toml"][..], &few].concat());
    assert_eq!(populations(&lab, "o"), HEADER);
    assert_eq!(lab.validate(&["o", "--replay", "all"]).0, 0);
    lab.run(&["--out", "o", "--resume"]);
    assert_eq!(populations(&lab, "o"), HEADER);
}

#[test]
fn nothing_is_written_unasked_and_another_wish_is_refused() {
    let lab = lab();
    lab.write("off.toml", MIXED.replace("populations = 3\n", ""));
    lab.run(&["--config", "off.toml", "--out", "o"]);
    assert!(!lab.path("o/populations.csv").exists() && !lab.read("o/manifest.json").contains("populations"));
    let ended = lab.kenga(&["run", "--config", "mixed.toml", "--out", "o", "--resume"]);
    assert!(ended.code == 2 && ended.stderr.contains("record.populations"), "{}", ended.stderr);
    for (value, said) in [("-1", "-1"), ("true", "populations"), ("1.5", "populations")] {
        let set = format!("record.populations={value}");
        let ended = lab.kenga(&["run", "--config", "mixed.toml", "--set", &set, "--out", "n"]);
        assert!(ended.code == 2 && ended.stderr.contains(said), "{value}: {}", ended.stderr);
    }
}

#[test]
fn a_torn_end_is_made_again() {
    let lab = lab();
    lab.run(&["--config", "mixed.toml", "--out", "whole"]);
    let whole = populations(&lab, "whole");
    let last = whole.len() - 90;
    let ends: Vec<usize> = whole.match_indices('\n').map(|(end, _)| end + 1).collect();
    let torn = (last..whole.len()).filter(|kept| !ends.contains(kept)).step_by(7);
    // Also a whole generation that was lost at the end of a line.
    let generation = whole.rfind("\n5,").expect("the last run");
    let generation = numbers(&whole[generation + 1..])[1];
    let lost = whole.find(&format!("\n5,{generation},")).expect("its last generation") + 1;
    for kept in torn.chain([0, 7, lost]) {
        lab.copy("whole", "torn");
        lab.write("torn/populations.csv", &whole[..kept]);
        lab.run(&["--config", "mixed.toml", "--out", "torn", "--resume"]);
        let made = (lab.decided("torn"), populations(&lab, "torn"));
        assert_eq!(made, (lab.decided("whole"), whole.clone()), "{kept}");
    }
}

#[test]
fn killed_again_and_again_it_ends_with_the_same_bytes() {
    let lab = lab();
    let long = ["run", "--config", "mixed.toml", "--runs", "150", "--quiet", "--out"];
    assert_eq!(lab.kenga(&[&long[..], &["whole"]].concat()).code, 0);
    let size = |name: &str| fs::metadata(lab.path(name)).map_or(0, |data| data.len());
    let kills = kenga_testing::size(2, 6);
    let step = size("whole/populations.csv") / (kills + 1);
    kill_and_resume(&lab, &[&long[..], &["torn", "--resume"]].concat(), kills, |round| {
        size("torn/populations.csv") > step * round
    });
    assert_eq!(populations(&lab, "torn"), populations(&lab, "whole"));
    assert_eq!(lab.validate(&["torn"]).0, 0);
}

#[test]
fn an_individual_that_never_was_is_refuted() {
    let lab = lab();
    lab.run(&["--config", "mixed.toml", "--out", "o"]);
    let text = populations(&lab, "o");
    let genome = text.lines().nth(1).and_then(|row| row.rsplit(',').next()).expect("a genome");
    let (short, foreign) = (&genome[2..], format!("9{}", &genome[1..]));
    for (column, value, said) in [
        (0, "9", "line 3 is not a row of the next run"),
        (1, "3", "do not grow from generation 0"),
        (1, "1", "is not one that is recorded"),
        (2, "4", "there is no island 4"),
        (2, "3", "do not grow"),
        (3, "4000", "not 4000"),
        (4, short, "does not fit this puzzle"),
        (4, &foreign, "does not fit this puzzle"),
        (4, "", "does not fit this puzzle"),
        (4, &format!("0{genome}"), "does not fit this puzzle"),
        (4, &format!("+{genome}"), "does not fit this puzzle"),
        (4, &format!("{genome} "), "does not fit this puzzle"),
    ] {
        lab.write("o/populations.csv", with_field(&text, 1, column, value));
        forge_again(&lab.path("o"));
        let (code, found) = lab.validate(&["o"]);
        assert_eq!(code, 1, "{value}: {found}");
        assert!(found.to_string().contains(said), "{said}: {found}");
    }
    // What is true of a genome, but not of this run, only a replay tells: two individuals of a generation are exchanged.
    let mut lines: Vec<&str> = text.lines().collect();
    let other = lines.iter().skip(2).position(|row| *row != lines[1]).expect("another one") + 2;
    assert_eq!(numbers(lines[1])[..3], numbers(lines[other])[..3]);
    lines.swap(1, other);
    lab.write("o/populations.csv", lines.join("\n") + "\n");
    forge_again(&lab.path("o"));
    let (code, found) = lab.validate(&["o", "--replay", "all"]);
    assert!(code == 1 && found.to_string().contains("gives different populations"), "{found}");
}
