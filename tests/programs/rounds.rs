//! Races that shards make round by round: the same bytes as of one program, whatever happens to a shard.

use std::fs;
use std::process::Stdio;

use crate::lab::{Lab, refused, remove_run, well};
use crate::resume::wait_while_running;
use crate::submit::{submit, with_slurm};

/// A race of four settings, two of which never solve.
const RACE: &str = "\
puzzles = ['4x4.txt']
seed = 3
replicates = 40
budget = { evaluations = 2_000, moves = 20_000 }
[algorithm]
name = 'tabu'
[sweep]
method = { name = 'race', first = 6 }
algorithm.name = ['tabu', 'random']
algorithm.encoding = ['cages', 'cells']
[record]
every = 1
groups = true
gzip = true
";

/// A folder with a plan of a race, and what `kenga run` makes of it.
fn lab(race: &str) -> Lab {
    let lab = Lab::new();
    lab.write("race.toml", race);
    well(&lab, "sweep plan race.toml -o plan.json --pilot 0");
    well(&lab, "run race.toml -o whole --quiet");
    lab
}

/// Runs shards of so many, one after the other.
fn run(lab: &Lab, plan: &str, shards: &[u64], of: u64) {
    for shard in shards {
        well(lab, &format!("sweep run {plan} --shard {shard}/{of} -o shards --resume --quiet"));
    }
}

/// Runs every shard in round after round until the race is over; how many rounds there were.
fn run_to_the_end(lab: &Lab, of: u64) -> u64 {
    let shards: Vec<u64> = (0..of).rev().collect();
    for round in 0..20 {
        if is_over(lab) {
            return round;
        }
        run(lab, "plan.json", &shards, of);
    }
    panic!("the race never ends");
}

fn is_over(lab: &Lab) -> bool {
    lab.path("shards").exists() && lab.kenga(&["sweep", "status", "shards"]).code == 0
}

/// Every file but the times is that of `kenga run`, and holds.
fn is_whole(lab: &Lab, merged: &str) {
    for entry in fs::read_dir(lab.path("whole")).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("text");
        if name != "timing.csv" {
            let [of_one, of_shards] = ["whole", merged].map(|folder| lab.bytes(&format!("{folder}/{name}")));
            assert!(of_one == of_shards, "{name}");
        }
    }
    assert!(well(lab, &format!("validate {merged} --replay all")).contains("every claim holds"));
}

fn rows(lab: &Lab, folder: &str) -> usize {
    lab.read(&format!("{folder}/runs.csv")).lines().count() - 1
}

#[test]
fn a_race_in_shards_has_the_bytes_of_one_program() {
    let mut needless = 0;
    // More shards than the first round has runs; a race that ends within a round, and one that ends with its blocks.
    for (race, of) in [
        (RACE.to_owned(), 3),
        (RACE.to_owned(), 30),
        (RACE.replace("first = 6", "first = 6, last = 30").replace("'cells'", "'rows'"), 4),
        (RACE.replace("replicates = 40", "replicates = 7"), 2),
        (RACE.replace("replicates = 40", "replicates = 1"), 5),
    ] {
        let lab = lab(&race);
        assert!(run_to_the_end(&lab, of) > 0);
        well(&lab, "sweep merge plan.json shards -o merged");
        is_whole(&lab, "merged");
        let made: usize = (0..of).map(|shard| rows(&lab, &format!("shards/shard-{shard}-of-{of}"))).sum();
        needless += made - rows(&lab, "whole");
        // Another call has nothing to do.
        run(&lab, "plan.json", &[0], of);
        let again: usize = (0..of).map(|shard| rows(&lab, &format!("shards/shard-{shard}-of-{of}"))).sum();
        assert_eq!(made, again);
        let shard = well(&lab, &format!("validate shards/shard-0-of-{of} --replay all"));
        assert!(shard.contains("every claim holds"), "{shard}");
    }
    assert!(needless > 0, "no race ended within a round");
}

#[test]
fn status_says_the_round_and_what_is_missing_of_it() {
    let lab = lab(RACE);
    let said = well(&lab, "sweep plan race.toml --pilot 0");
    assert!(said.contains("a race may make fewer: its shards begin with the first 6 blocks"), "{said}");
    run(&lab, "plan.json", &[0, 2], 3);
    let ended = lab.kenga(&["sweep", "status", "shards"]);
    assert_eq!(ended.code, 1);
    for said in [
        "1/3        0     8  missing       1\n",
        "Race: round 1, blocks 1 to 6, 4 of 4 settings left\n  name = tabu, encoding = cages\n",
        "3 shards: 2 finished, 1 missing\n",
        "run them with: kenga sweep run PLAN --shard 1/3 --out shards --resume\n",
    ] {
        assert!(ended.stdout.contains(said), "{}", ended.stdout);
    }
    // Shards that are ahead wait for it, also with what can be merged.
    run(&lab, "plan.json", &[0, 2], 3);
    assert_eq!([0, 2].map(|shard| rows(&lab, &format!("shards/shard-{shard}-of-3"))), [8, 8]);
    let merged = well(&lab, "sweep merge plan.json shards -o merged");
    assert!(merged.starts_with("0 runs merged\nRace: round 1,"), "{merged}");
    let said = well(&lab, "sweep run plan.json --shard 1/3 -o shards");
    assert!(said.contains("Race: round 2, blocks 7 to 9, "), "{said}");
    let csv = lab.kenga(&["sweep", "status", "shards", "--csv"]).stdout;
    assert_eq!(csv.lines().next(), Some("shard,ended,runs,state,round"));
    assert!(csv.lines().skip(1).all(|row| row.ends_with(",missing,2")), "{csv}");
    // A beginning is replaced by more of it, which a single program may continue; the whole never is.
    let merged = well(&lab, "sweep merge plan.json shards -o merged");
    assert!(merged.starts_with("24 runs merged\nRace: round 2,"), "{merged}");
    assert!(well(&lab, "validate merged").contains("missing"));
    lab.copy("merged", "alone");
    well(&lab, "run --resume alone --quiet");
    is_whole(&lab, "alone");
    assert!(refused(&lab, "sweep merge plan.json shards -o alone").contains("already exists"));
    run_to_the_end(&lab, 3);
    let over = well(&lab, "sweep status shards");
    assert!(over.contains("Race: over after ") && over.contains("merge them with: "), "{over}");
    let csv = well(&lab, "sweep status shards --csv");
    assert!(csv.lines().skip(1).all(|row| row.ends_with(",finished,")), "{csv}");
    well(&lab, "sweep merge plan.json shards -o merged");
    is_whole(&lab, "merged");
    assert!(refused(&lab, "sweep merge plan.json shards -o merged").contains("already exists"));
}

#[test]
fn shards_that_are_killed_lost_or_old_change_no_byte() {
    let lab = lab(RACE);
    run(&lab, "plan.json", &[0, 1, 2], 3);
    lab.copy("shards/shard-1-of-3", "old");
    // Killed when it has written some rows of the second round.
    let before = lab.read("shards/shard-2-of-3/runs.csv").len();
    let args = ["sweep", "run", "plan.json", "--shard", "2/3", "-o", "shards", "--resume", "--jobs", "1"];
    let mut child =
        lab.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let runs = lab.path("shards/shard-2-of-3/runs.csv");
    wait_while_running(&mut child, || fs::metadata(&runs).is_ok_and(|file| file.len() as usize > before));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    run(&lab, "plan.json", &[0, 1, 2], 3);
    run(&lab, "plan.json", &[0, 1, 2], 3);
    // A copy of the first round comes in the place of what is there, and another shard is lost.
    fs::remove_dir_all(lab.path("shards/shard-1-of-3")).expect("removed");
    lab.copy("old", "shards/shard-1-of-3");
    let status = lab.kenga(&["sweep", "status", "shards"]).stdout;
    assert!(
        status.contains("Race: round 2, ") && status.contains("3 shards: 2 finished, 1 missing"),
        "{status}"
    );
    fs::remove_dir_all(lab.path("shards/shard-0-of-3")).expect("removed");
    let status = lab.kenga(&["sweep", "status", "shards"]).stdout;
    assert!(
        status.contains("Race: round 1, ") && status.contains("3 shards: 2 finished, 1 missing"),
        "{status}"
    );
    run_to_the_end(&lab, 3);
    well(&lab, "sweep merge plan.json shards -o merged");
    is_whole(&lab, "merged");
}

#[test]
fn shards_that_are_edited_or_of_another_plan_are_refused() {
    let lab = lab(RACE);
    well(&lab, "sweep plan race.toml --seed 9 -o other.json --pilot 0");
    well(&lab, "sweep run other.json --shard 1/3 -o other --quiet");
    fs::create_dir(lab.path("shards")).expect("a folder");
    lab.copy("other/shard-1-of-3", "shards/shard-1-of-3");
    for line in
        ["sweep run plan.json --shard 0/3 -o shards --quiet", "sweep merge plan.json shards -o merged"]
    {
        assert!(refused(&lab, line).contains("plan: `seed` is 9, not 3"), "{line}");
    }
    fs::remove_dir_all(lab.path("shards")).expect("removed");
    run(&lab, "plan.json", &[0, 1, 2], 3);
    lab.copy("shards/shard-1-of-3", "sound");
    // Two splits in one folder.
    well(&lab, "sweep run plan.json --shard 0/2 -o two --quiet");
    lab.copy("two/shard-0-of-2", "shards/shard-0-of-2");
    let said = refused(&lab, "sweep run plan.json --shard 0/3 -o shards --resume");
    assert!(said.contains("shards of ") && said.contains("one split"), "{said}");
    fs::remove_dir_all(lab.path("shards/shard-0-of-2")).expect("removed");
    // A result that was changed decides nothing.
    lab.change("shards/shard-1-of-3/runs.csv", |text| text.replacen(",true,true,", ",false,false,", 1));
    assert!(refused(&lab, "sweep merge plan.json shards -o merged").contains("shard-1-of-3"));
    refused(&lab, "sweep run plan.json --shard 1/3 -o shards --resume");
    // Without a run in its midst it cannot go on.
    fs::remove_dir_all(lab.path("shards/shard-1-of-3")).expect("removed");
    lab.copy("sound", "shards/shard-1-of-3");
    fs::remove_file(lab.path("shards/shard-1-of-3/checksums.txt")).expect("removed");
    let run = lab.row("shards/shard-1-of-3/runs.csv", 2)[0].clone();
    remove_run(&lab.path("shards/shard-1-of-3"), &run);
    let said = refused(&lab, "sweep run plan.json --shard 1/3 -o shards --resume");
    assert!(said.contains("of a later round, but lacks run") && said.contains("remove shards/"), "{said}");
    fs::remove_dir_all(lab.path("shards/shard-1-of-3")).expect("removed");
    run_to_the_end(&lab, 3);
    well(&lab, "sweep merge plan.json shards -o merged");
    is_whole(&lab, "merged");
}

#[test]
fn a_plan_of_more_replicates_goes_on_with_the_same_shards() {
    let lab = lab(RACE);
    well(&lab, "sweep plan race.toml --runs 8 -o few.json --pilot 0");
    for _ in 0..2 {
        run(&lab, "few.json", &[0, 1], 2);
    }
    assert!(is_over(&lab));
    run(&lab, "plan.json", &[1, 0], 2);
    run_to_the_end(&lab, 2);
    well(&lab, "sweep merge plan.json shards -o merged");
    is_whole(&lab, "merged");
}

#[test]
fn runs_that_fail_decide_and_are_not_tried_again() {
    let mixed = "\
puzzles = ['4x4.txt']
replicates = 9
budget.evaluations = 5
[sweep]
method = { name = 'race', first = 2 }
algorithm = [{ name = 'random' }, { name = 'program', command = ['sh', '-c', 'exit 3'] }]
";
    let lab = Lab::new();
    lab.write("race.toml", mixed);
    well(&lab, "sweep plan race.toml -o plan.json --pilot 0");
    assert_eq!(lab.kenga(&["run", "race.toml", "-o", "whole"]).code, 1);
    for _ in 0..6 {
        for shard in ["0/2", "1/2"] {
            let ended =
                lab.kenga(&["sweep", "run", "plan.json", "--shard", shard, "-o", "shards", "--resume"]);
            let is_told = !ended.complaints().contains("again") && ended.code < 2;
            assert!(is_told, "{}{}", ended.stdout, ended.stderr);
        }
    }
    assert!(is_over(&lab));
    well(&lab, "sweep merge plan.json shards -o merged");
    for file in ["runs.csv", "failures.csv", "checksums.txt"] {
        assert!(lab.bytes(&format!("whole/{file}")) == lab.bytes(&format!("merged/{file}")), "{file}");
    }
}

#[test]
fn a_round_is_submitted_after_the_other() {
    let lab = lab(RACE);
    with_slurm(&lab);
    let first = submit(&lab, "plan.json --to slurm --shards 4 -o big");
    let said = "Race: round 1, blocks 1 to 6, 4 of 4 settings left\njob 1: 4 shards in big\njob 2: merges them to big/merged\nsubmit again when they have ended: the next round follows\n";
    assert_eq!((&*first.stdout, &*first.stderr), (said, ""));
    assert_eq!(rows(&lab, "big/merged"), 24);
    // Of the second round one shard is lost, which alone is sent.
    let second = submit(&lab, "plan.json --to slurm -o big");
    assert!(second.stdout.starts_with("Race: round 2, blocks 7 to 9, "), "{}", second.stdout);
    fs::remove_dir_all(lab.path("big/shards/shard-3-of-4")).expect("removed");
    let again = submit(&lab, "plan.json --to slurm -o big").stdout;
    assert!(again.contains("Race: round 1, ") && again.contains(": 1 shard in big\n"), "{again}");
    let mut last = String::new();
    for _ in 0..20 {
        let ended = submit(&lab, "plan.json --to slurm -o big");
        assert_eq!((ended.code, &*ended.stderr), (0, ""));
        last = ended.stdout;
        if last.contains("nothing to submit") {
            break;
        }
    }
    assert!(
        last.starts_with("Race: over after ") && last.contains("4 shards have ended, merged in big/merged\n"),
        "{last}"
    );
    is_whole(&lab, "big/merged");
}
