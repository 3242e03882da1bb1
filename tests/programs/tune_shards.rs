//! Tunings that shards make together: the same bytes as of one program, whatever happens to a shard.

use std::fs;
use std::process::{Child, Stdio};

use crate::lab::{Lab, list_again, refused, well};
use crate::resume::wait_while_running;
use crate::submit::{submit, with_slurm};
use crate::tune::{lab, same_files};

/// What a single program makes, in `whole`.
fn tuned() -> Lab {
    let lab = lab();
    well(&lab, "tune tune.toml -o whole --quiet");
    lab
}

/// Starts a shard that waits for the others.
fn start(lab: &Lab, shard: &str) -> Child {
    let args = ["tune", "tune.toml", "-o", "shards", "--shard", shard, "--wait", "--jobs", "1"];
    lab.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// Starts shards, and waits for their end.
fn run_together(lab: &Lab, shards: &[&str]) {
    let children: Vec<Child> = shards.iter().map(|shard| start(lab, shard)).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
}

/// How many runs a shard has recorded.
fn rows(lab: &Lab, shard: &str) -> usize {
    fs::read_to_string(lab.path(&format!("shards/{shard}/runs.csv"))).map_or(0, |text| text.lines().count())
}

#[test]
fn shards_that_run_together_make_the_bytes_of_one_program() {
    let lab = tuned();
    run_together(&lab, &["0/3", "1/3", "2/3"]);
    let runs = lab.read("whole/runs.csv").lines().count() - 1;
    let recorded: usize = (0..3).map(|index| rows(&lab, &format!("shard-{index}-of-3")) - 1).sum();
    assert_eq!(recorded, runs);
    let said = well(&lab, "tune tune.toml -o shards --shard 1/3");
    assert!(
        said.starts_with(&format!("The tuning is over, after {runs} runs."))
            && said.contains("--shards shards"),
        "{said}"
    );
    well(&lab, "tune tune.toml --shards shards -o gathered --quiet");
    same_files(&lab, "gathered", "whole");
    let said = well(&lab, "validate gathered --replay all");
    assert!(said.contains("every claim holds"), "{said}");
}

#[test]
fn a_round_ends_with_the_runs_of_its_shards_and_what_is_missing_is_made_where_it_is_gathered() {
    let lab = tuned();
    let said = well(&lab, "tune tune.toml -o shards --shard 1/2 --jobs 1");
    assert!(
        said.starts_with("Shard 1/2 has made its runs. ") && said.contains("the same command again"),
        "{said}"
    );
    let first = rows(&lab, "shard-1-of-2");
    // Again, it has nothing to do before the other has made its runs.
    well(&lab, "tune tune.toml -o shards --shard 1/2 --jobs 1");
    assert_eq!(rows(&lab, "shard-1-of-2"), first);
    for _ in 0..3 {
        well(&lab, "tune tune.toml -o shards --shard 0/2 --jobs 1 --quiet");
        well(&lab, "tune tune.toml -o shards --shard 1/2 --jobs 2 --quiet");
    }
    assert!(rows(&lab, "shard-1-of-2") > first);
    // A shard does not wait for ever for one that nobody makes.
    let waits = ["tune", "tune.toml", "-o", "shards", "--shard", "1/2", "--wait=0", "--quiet"];
    let ended = lab.kenga(&waits);
    assert_eq!((ended.code, ended.stdout.as_str()), (0, ""));
    assert!(ended.stderr.contains("This round still needs"), "{}", ended.stderr);
    assert_eq!(lab.kenga(&[&waits[..], &["--require-all"]].concat()).code, 3);
    well(&lab, "tune tune.toml --shards shards -o gathered --quiet");
    same_files(&lab, "gathered", "whole");
}

#[test]
fn without_patience_a_shard_waits_for_those_that_are_being_made() {
    let lab = tuned();
    let mut first = start(&lab, "0/3");
    let mut third = start(&lab, "2/3");
    for (shard, child) in [("shard-0-of-3", &mut first), ("shard-2-of-3", &mut third)] {
        wait_while_running(child, || lab.path(&format!("shards/{shard}/manifest.json")).exists());
    }
    let said = well(&lab, "tune tune.toml -o shards --shard 1/3 --wait=0 --jobs 1");
    assert!(said.starts_with("The tuning is over"), "{said}");
    for child in [&mut first, &mut third] {
        assert!(child.wait().expect("it ends").success());
    }
}

#[test]
fn shards_that_are_killed_or_lost_change_no_byte() {
    let lab = tuned();
    let mut first = start(&lab, "0/2");
    let mut second = start(&lab, "1/2");
    wait_while_running(&mut second, || rows(&lab, "shard-1-of-2") > 20);
    second.kill().expect("it can be killed");
    second.wait().expect("it ends");
    // It had begun a row.
    lab.change("shards/shard-1-of-2/runs.csv", |text| text + "9999,1,");
    let mut second = start(&lab, "1/2");
    wait_while_running(&mut second, || rows(&lab, "shard-1-of-2") > 60);
    for child in [&mut first, &mut second] {
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }
    fs::remove_dir_all(lab.path("shards/shard-0-of-2")).expect("removed");
    run_together(&lab, &["1/2", "0/2"]);
    // Gathering can be killed too.
    let args = ["tune", "tune.toml", "--shards", "shards", "--resume", "gathered", "--quiet"];
    let mut child = lab.command(&args).stderr(Stdio::null()).spawn().expect("it starts");
    wait_while_running(&mut child, || lab.path("gathered/runs.csv").exists());
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    well(&lab, "tune tune.toml --shards shards --resume gathered --quiet");
    same_files(&lab, "gathered", "whole");
}

#[test]
fn shards_of_another_tuning_or_with_other_runs_are_refused() {
    let lab = lab();
    well(&lab, "tune tune.toml -o shards --shard 0/2 --quiet");
    well(&lab, "tune tune.toml -o shards --shard 1/2 --quiet");
    for (line, said) in [
        (
            "tune tune.toml --seed 9 -o shards --shard 0/2",
            "cannot resume shards/shard-0-of-2: `set` was [], now it is",
        ),
        (
            "tune tune.toml --seed 9 --shards shards -o other",
            "cannot resume shards/shard-0-of-2: `set` was []",
        ),
        ("tune tune.toml -o shards --shard 0/3", "shards has shards of 2, not of 3"),
        ("tune tune.toml --shards none -o other", "cannot read none"),
        ("validate shards/shard-0-of-2", "shards/shard-0-of-2 is a shard of a tuning"),
        ("report shards/shard-0-of-2 -o page.html", "shards/shard-0-of-2 is a shard of a tuning"),
        ("tune --resume shards/shard-0-of-2", "shards/shard-0-of-2 is a shard of a tuning"),
        ("sweep status shards", "shards/shard-0-of-2 is a shard of a tuning"),
        ("tune tune.toml --shard 0/2", "--out <DIR>"),
        ("tune tune.toml --wait -o shards", "--shard <K/N>"),
        ("tune tune.toml --shard 0/2 --shards shards -o other", "cannot be used with"),
    ] {
        let complained = refused(&lab, line);
        assert!(complained.contains(said), "{line}: {complained}");
    }
    // A run of the other shard, one that cost too much, one that is not due, and no run at all.
    let sound = lab.read("shards/shard-1-of-2/runs.csv");
    let row = sound.lines().nth(1).expect("a run");
    let cells: Vec<&str> = row.split(',').collect();
    let with = |place: usize, value: &str| {
        let mut cells = cells.clone();
        cells[place] = value;
        sound.replacen(row, &cells.join(","), 1)
    };
    let ledger = lab.read("shards/shard-1-of-2/ledger.csv");
    let not_listed = "the rows of run 1 are not those that ledger.csv lists";
    for (text, is_listed, said) in [
        (with(0, "2"), true, "run 1 is missing"),
        (with(9, "5000"), true, "shards/shard-1-of-2/runs.csv: run 1 does not belong to this tuning"),
        (with(2, "7"), true, "shards/shard-1-of-2/runs.csv: run 1 does not belong to this tuning"),
        (with(8, "-1"), true, "shards/shard-1-of-2/runs.csv, line 2: column evaluations"),
        (with(2, "7"), false, not_listed),
    ] {
        lab.write("shards/shard-1-of-2/runs.csv", text);
        lab.write("shards/shard-1-of-2/ledger.csv", &ledger);
        if is_listed {
            list_again(&lab.path("shards/shard-1-of-2"));
        }
        for line in ["tune tune.toml -o shards --shard 0/2", "tune tune.toml --shards shards -o other"] {
            let complained = refused(&lab, line);
            assert!(complained.contains(said), "{line}: {complained}");
        }
        fs::remove_dir_all(lab.path("other")).unwrap_or_default();
    }
}

#[test]
fn programs_that_fail_say_why_in_the_folder_of_the_tuning() {
    let lab = Lab::new();
    lab.write(
        "2x2.json",
        r#"{"id":"p","size":2,"cages":[{"op":"+","target":3,"cells":[[0,0],[1,0]]},{"op":"+","target":3,"cells":[[0,1],[1,1]]}],"solution":[[1,2],[2,1]]}"#,
    );
    lab.write(
        "fails.sh",
        "\
read greeting
case \"$greeting\" in *'\"code\":3'*) echo '== no \"luck\", sorry' >&2; exit 3;; esac
while :; do echo '{\"evaluate\":[[1,1,2,1]]}'; read answer; case $answer in *done*) break;; esac; done
",
    );
    let tune = "\
puzzles = ['2x2.json']
budget = { evaluations = 5, moves = 1 }
algorithm = { name = 'program', command = ['sh', 'fails.sh'], options = { code = 0 } }
[sweep]
'algorithm.options.code' = [0, 3]
[tune]
budget = 3_000
";
    lab.write("tune.toml", tune);
    let alone = lab.kenga(&["tune", "tune.toml", "-o", "whole", "--quiet"]);
    let shard = lab.kenga(&["tune", "tune.toml", "-o", "shards", "--shard", "0/1", "--wait", "--quiet"]);
    let gathered = lab.kenga(&["tune", "tune.toml", "--shards", "shards", "-o", "gathered", "--quiet"]);
    for ended in [&alone, &shard, &gathered] {
        assert_eq!(ended.code, 0, "{}", ended.stderr);
    }
    for file in ["runs.csv", "failures.csv", "decisions.csv"] {
        assert_eq!(lab.read(&format!("gathered/{file}")), lab.read(&format!("whole/{file}")), "{file}");
    }
    assert!(lab.read("gathered/failures.csv").contains("no \"\"luck\"\", sorry"));
    // A default that fails ends all of them, and is not recorded.
    lab.write("tune.toml", tune.replace("code = 0 }", "code = 3 }"));
    let said = refused(&lab, "tune tune.toml -o failed --shard 0/1 --wait");
    assert!(said.contains("without [sweep] fails: ") && said.contains("luck"), "{said}");
    assert_eq!(lab.read("failed/shard-0-of-1/runs.csv").lines().count(), 1);
}

#[test]
fn a_tuning_is_submitted_and_its_shards_run_together() {
    let lab = tuned();
    with_slurm(&lab);
    lab.change("bin/sbatch", |text| {
        text.replace(">> log.txt 2>&1", ">> log.txt 2>&1 &").replace("done\n", "done\nwait\n")
    });
    let said = submit(&lab, "tune.toml --to slurm --shards 3 -o big --option throttle=2");
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("`throttle` would stop them"), "{}", said.stderr);
    // What `kenga tune` refuses is refused before anything is written.
    lab.write("unbounded.toml", lab.read("tune.toml").replace("\nmoves = 1", ""));
    let said = submit(&lab, "unbounded.toml --to slurm --shards 3 -o unbounded");
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("does not bound the calls of a run"), "{}", said.stderr);
    assert!(!lab.path("unbounded").exists());
    let shown = submit(&lab, "tune.toml --to slurm --shards 3 -o big --dry-run").stdout;
    assert!(shown.contains("/big/shards --wait --quiet --jobs 1 --shard auto/3 &\n"), "{shown}");
    assert!(shown.contains("/big/shards --resume ") && shown.contains("/big/merged\n"), "{shown}");
    let sent = submit(&lab, "tune.toml --to slurm --shards 3 -o big");
    assert_eq!(
        (&*sent.stdout, &*sent.stderr),
        ("job 1: 3 shards in big\njob 2: merges them to big/merged\n", "")
    );
    // The manifest has the path of the configuration, which is another one.
    for name in ["runs.csv", "candidates.jsonl", "decisions.csv", "validation/best/runs.csv"] {
        assert!(lab.read(&format!("big/merged/{name}")) == lab.read(&format!("whole/{name}")), "{name}");
    }
    let again = submit(&lab, "tune.toml --to slurm -o big").stdout;
    assert_eq!(again, "nothing to submit: 3 shards have ended, merged in big/merged\n");
    let said = submit(&lab, "ga.toml --to slurm --shards 3 -o other").stderr;
    assert!(
        said.contains("a configuration without [tune], not a plan") && said.contains("sweep plan ga.toml"),
        "{said}"
    );
}
