//! Shards that are dealt by what earlier runs have cost.

use crate::lab::{Lab, refused, well};

/// Eight settings on the 4x4 puzzle.
const SWEEP: &str = "\
puzzles = [\"4x4.txt\"]
seed = 3
replicates = 12
[budget]
evaluations = 60
[sweep]
\"algorithm.mutation.rate\" = [0.02, 0.1, 0.2, 0.3]
\"algorithm.population\" = [4, 10]
";

/// The seconds that a run of a setting takes, from 1 to 1000.
fn cost(setting: u64) -> f64 {
    1000_f64.powf(setting as f64 / 7.0)
}

/// A plan of the sweep by the costs of a pilot, whose runs took what [`cost`] says.
fn planned() -> Lab {
    let lab = Lab::new();
    lab.write("sweep.toml", SWEEP);
    well(&lab, "run sweep.toml --runs 1 --out pilot --quiet");
    // The only file that has no checksum: it depends on a clock.
    let timing = (0..8).map(|setting| format!("{setting},{0},{0}\n", cost(setting)));
    lab.write("pilot/timing.csv", format!("run,cpu_s,wall_s\n{}", timing.collect::<String>()));
    let planned = well(&lab, "sweep plan sweep.toml --costs pilot --pilot 0 -o plan.json");
    assert!(planned.contains("all runs take about 5.3 h of"), "{planned}");
    lab
}

fn settings_of(lab: &Lab, folder: &str) -> Vec<u64> {
    let mut settings = Vec::new();
    for row in lab.read(&format!("{folder}/runs.csv")).lines().skip(1) {
        settings.push(row.split(',').nth(2).and_then(|setting| setting.parse().ok()).expect("a setting"));
    }
    settings
}

#[test]
fn sixteen_shards_take_about_as_long_and_merge_to_the_bytes_of_the_whole() {
    let lab = planned();
    well(&lab, "run sweep.toml --out whole --quiet");
    let mut longest = 0.0_f64;
    for shard in 0..16 {
        well(&lab, &format!("sweep run plan.json --shard {shard}/16 --out in --quiet"));
        let settings = settings_of(&lab, &format!("in/shard-{shard}-of-16"));
        longest = longest.max(settings.into_iter().map(cost).sum());
    }
    let mean = (0..8).map(cost).sum::<f64>() * 12.0 / 16.0;
    assert!(longest < mean * 1.25, "{longest} where the mean is {mean}");
    well(&lab, "sweep status in");
    well(&lab, "sweep merge plan.json in --out merged");
    assert_eq!(lab.decided("merged"), lab.decided("whole"));
    assert!(well(&lab, "validate in/shard-3-of-16 --replay all").contains("every claim holds"));
    // More replicates leave the runs of before where they are.
    for shard in 0..16 {
        well(&lab, &format!("run --resume in/shard-{shard}-of-16 --runs 13 --quiet"));
    }
    let runs: usize = (0..16).map(|shard| settings_of(&lab, &format!("in/shard-{shard}-of-16")).len()).sum();
    assert_eq!(runs, 13 * 8);
}

#[test]
fn a_killed_shard_goes_on_and_other_costs_are_another_plan() {
    let lab = planned();
    well(&lab, "sweep run plan.json --shard 1/2 --out big/shards --quiet");
    let whole = lab.decided("big/shards/shard-1-of-2");
    lab.change("big/shards/shard-1-of-2/runs.csv", |text| {
        text.lines().take(9).map(|line| format!("{line}\n")).collect()
    });
    std::fs::remove_file(lab.path("big/shards/shard-1-of-2/checksums.txt")).expect("it is there");
    well(&lab, "sweep run plan.json --shard 1/2 --out big/shards --resume --quiet");
    assert_eq!(lab.decided("big/shards/shard-1-of-2"), whole);

    well(&lab, "sweep plan sweep.toml --pilot 0 -o even.json");
    let other = refused(&lab, "sweep run even.json --shard 1/2 --out big/shards --resume");
    assert!(other.contains("`run_costs`"), "{other}");
    let submitted = refused(&lab, "sweep submit even.json --to slurm --out big --dry-run");
    assert!(submitted.contains("is a shard of another plan: `run_costs`"), "{submitted}");
    well(&lab, "sweep run even.json --shard 0/2 --out big/shards --quiet");
    let mixed = refused(&lab, "sweep merge plan.json big/shards --out merged");
    assert!(mixed.contains("shard-0-of-2 is a shard of another plan: `run_costs`"), "{mixed}");

    let plan = lab.read("plan.json");
    for (was, is) in
        [("\"cpu_us\":[1000000,", "\"cpu_us\":["), ("\"replicates\":12,\"cpu", "\"replicates\":13,\"cpu")]
    {
        assert!(plan.contains(was), "{plan}");
        lab.change("plan.json", |_| plan.replace(was, is));
        let damaged = refused(&lab, "sweep run plan.json --shard 0/2 --out other");
        assert!(
            damaged.contains("run_costs are not those of the settings, puzzles and replicates"),
            "{damaged}"
        );
    }
    lab.change("pilot/timing.csv", |text| text.replacen(",1,", ",nan,", 1));
    let unknown = refused(&lab, "sweep plan sweep.toml --costs pilot --pilot 0");
    assert!(unknown.contains("has a cpu_s of NaN"), "{unknown}");
}

#[test]
fn settings_without_runs_cost_what_others_do_and_another_sweep_tells_nothing() {
    let lab = planned();
    lab.change("sweep.toml", |text| text.replace("[4, 10]", "[4, 10, 20]"));
    let known = well(&lab, "sweep plan sweep.toml --costs pilot --pilot 0 -o more.json");
    // 4 of 12 settings have the mean of the 8 others.
    assert!(known.contains("about 8.0 h of"), "{known}");
    // The pilot tells how settings vary, and no second total.
    let twice = well(&lab, "sweep plan sweep.toml --costs pilot --pilot 4");
    assert!(twice.contains("per setting") && twice.matches("all runs take").count() == 1, "{twice}");
    let all =
        refused(&lab, "sweep plan sweep.toml --set algorithm.crossover=uniform --costs pilot --pilot 0");
    let words = "`--costs pilot`: none of its runs has a setting and a puzzle of this plan";
    assert!(all.contains(words) && !all.contains("merged"), "{all}");
}
