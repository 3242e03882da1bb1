//! `[record] gzip` and `columns`: smaller files that hold the same.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::lab::{Lab, well};
#[cfg(unix)]
use crate::resume::kill_and_resume;

/// Four settings whose runs fail and leave rows in every file that can be packed but that of migrants.
const SWEEP: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 6
[budget]
evaluations = 400
[algorithm]
population = 10
[sweep]
\"algorithm.mutation.rate\" = [0.02, 0.05, 0.1, 0.2]
[record]
groups = true
operators = true
";

const PACKED: [&str; 3] = ["convergence.csv", "groups.csv", "operators.csv"];

fn lab(evaluations: u64) -> Lab {
    let lab = Lab::new();
    let plain = SWEEP.replace("= 400", &format!("= {evaluations}"));
    lab.write("plain.toml", &plain);
    lab.write("packed.toml", &(plain + "gzip = true\n"));
    lab
}

fn unpacked(lab: &Lab, path: &str) -> String {
    let (file, mut text) = (lab.bytes(path), String::new());
    MultiGzDecoder::new(&file[..]).read_to_string(&mut text).expect("sound members");
    text
}

#[test]
fn a_packed_file_holds_what_the_plain_one_does() {
    let lab = lab(400);
    well(&lab, "run --config plain.toml --out plain --quiet");
    well(&lab, "run --config packed.toml --out packed --quiet");
    for name in PACKED {
        assert_eq!(
            unpacked(&lab, &format!("packed/{name}.gz")),
            lab.read(&format!("plain/{name}")),
            "{name}"
        );
        assert!(!lab.path(&format!("packed/{name}")).exists(), "{name}");
        assert!(lab.read("packed/checksums.txt").contains(&format!("  {name}.gz\n")), "{name}");
    }
    assert_eq!(lab.read("packed/runs.csv"), lab.read("plain/runs.csv"));
    assert!(well(&lab, "validate packed --replay all").contains("every claim holds"));
    for line in ["export DIR --to csv --convergence -o DIR.csv", "export DIR --to ioh -o DIR-ioh"] {
        well(&lab, &line.replace("DIR", "plain"));
        well(&lab, &line.replace("DIR", "packed"));
    }
    let rest = |text: String| text.replace("packed", "plain");
    assert_eq!(rest(lab.read("packed.csv")), lab.read("plain.csv"));
    well(&lab, "report plain -o plain.html");
    well(&lab, "report packed -o packed.html");
    let curves = |text: String| text.matches("<path").count();
    assert!(curves(lab.read("plain.html")) > 0);
    assert_eq!(curves(lab.read("packed.html")), curves(lab.read("plain.html")));
}

#[cfg(unix)]
#[test]
fn packed_shards_merge_and_killed_runs_resume_to_the_same_bytes() {
    let lab = lab(1000);
    lab.change("packed.toml", |text| text.replace("replicates = 6", "replicates = 30"));
    well(&lab, "sweep plan --config packed.toml -o plan.json");
    well(&lab, "run --config packed.toml --out whole --quiet");
    for shard in 0..3 {
        well(&lab, &format!("sweep run plan.json --shard {shard}/3 --out in --quiet"));
    }
    well(&lab, "sweep merge plan.json in --out merged");
    let args = ["run", "--config", "packed.toml", "--out", "torn", "--quiet", "--resume"];
    let size = |name: &str| std::fs::metadata(lab.path(name)).map_or(0, |data| data.len());
    let step = size("whole/convergence.csv.gz") / 13;
    let kills = kenga_testing::size(4, 12);
    let step = step * 12 / kills;
    kill_and_resume(&lab, &args, kills, |round| size("torn/convergence.csv.gz") > step * round);
    for name in ["checksums.txt", "convergence.csv.gz", "groups.csv.gz", "operators.csv.gz"] {
        let whole = lab.bytes(&format!("whole/{name}"));
        assert!(lab.bytes(&format!("merged/{name}")) == whole, "{name} of the shards");
        assert!(lab.bytes(&format!("torn/{name}")) == whole, "{name} of the killed");
    }
}

#[test]
fn a_packed_file_that_is_cut_is_refused_once_the_experiment_has_ended() {
    let lab = lab(400);
    well(&lab, "run --config packed.toml --out o --quiet");
    let whole = lab.bytes("o/convergence.csv.gz");
    std::fs::write(lab.path("o/convergence.csv.gz"), &whole[..whole.len() - 3]).expect("it can be written");
    let ended = lab.kenga(&["validate", "o"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(ended.stdout.contains("convergence.csv.gz has changed"), "{}", ended.stdout);
    // Before the end it is what a kill leaves, and what resuming makes again.
    std::fs::remove_file(lab.path("o/checksums.txt")).expect("it is there");
    assert!(well(&lab, "validate o --replay all").contains("every claim of these runs holds"));
    well(&lab, "run --config packed.toml --out o --resume --quiet");
    assert!(lab.bytes("o/convergence.csv.gz") == whole);
}

#[test]
fn only_the_columns_asked_for_are_kept() {
    let lab = lab(400);
    well(&lab, "run --config plain.toml --out all --quiet");
    let columns = "record.columns=['entropy','mean']";
    well(&lab, &format!("run --config plain.toml --out few --quiet --set {columns}"));
    let (all, few) = (lab.read("all/convergence.csv"), lab.read("few/convergence.csv"));
    let kept = [0, 1, 2, 3, 4, 5, 15];
    let narrowed = all.lines().map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        kept.map(|field| fields[field]).join(",") + "\n"
    });
    assert_eq!(few, narrowed.collect::<String>());
    assert!(few.starts_with("run,generation,evaluations,moves,best,mean,entropy\n"));
    assert!(well(&lab, "validate few --replay all").contains("every claim holds"));
    well(&lab, "export few --to csv --convergence -o few.csv");
    let ended = lab.kenga(&["export", "few", "--to", "ioh", "-o", "few-ioh"]);
    assert!(ended.code == 2 && ended.stderr.contains("has no column worst"), "{}", ended.stderr);
    well(&lab, "report few -o few.html");
    well(&lab, "run --config plain.toml --out least --quiet --set record.columns=[]");
    assert!(
        lab.read("least/convergence.csv").starts_with("run,generation,evaluations,moves,best\n0,0,10,0,")
    );
}

#[test]
fn columns_that_are_none_are_refused_with_the_nearest() {
    let lab = lab(400);
    let refused = |columns: &str| {
        let ended =
            lab.kenga(&["run", "--config", "plain.toml", "--set", &format!("record.columns={columns}")]);
        assert_eq!((ended.code, ended.stdout.as_str()), (2, ""));
        ended.stderr
    };
    let misspelled = refused("['diversty']");
    assert!(misspelled.contains("diversty") && misspelled.contains("diversity"), "{misspelled}");
    let twice = refused("['mean','mean']");
    assert!(twice.contains("each once"), "{twice}");
}
