//! The problems in `examples/problems`: each runs as it is written, shortly, and repeats.

use std::process::Command;

use crate::lab::{Lab, well};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/problems");

/// The programs, where Python is there.
fn lab() -> Option<Lab> {
    let lab = Lab::with_python()?;
    lab.copy(EXAMPLES, "problems");
    Some(lab)
}

#[test]
fn each_example_runs_and_repeats() {
    let Some(lab) = lab() else { return };
    let short = "--set replicates=2 --set budget.evaluations=300 --quiet";
    for name in ["tsp", "knapsack", "nk"] {
        well(&lab, &format!("run problems/{name}.toml -o {name} {short}"));
        well(&lab, &format!("validate {name} --replay all --programs problems"));
    }
    let compiled = Command::new("cc")
        .args(["-O1", "-o", "one_max", "one_max.c"])
        .current_dir(lab.path("problems"))
        .status();
    if compiled.is_ok_and(|status| status.success()) {
        well(&lab, &format!("run problems/one_max.toml -o one_max {short}"));
        well(&lab, "validate one_max --replay all --programs problems");
    }
    well(&lab, "tune problems/tune.toml -o tuned --set tune.budget=80000 --set replicates=1 --quiet");
    assert!(lab.path("tuned/best.toml").is_file());
}

#[test]
fn the_optima_of_the_salesman_are_those_of_the_exact_method() {
    let Some(lab) = lab() else { return };
    let config = lab.read("problems/tsp.toml");
    for seed in ["1", "2"] {
        let computed = Command::new("python3")
            .args(["tsp.py", "12", seed])
            .current_dir(lab.path("problems"))
            .output()
            .expect("Python starts");
        let optimum = String::from_utf8(computed.stdout).expect("a number");
        assert!(config.contains(&format!("seed = {seed}, optimum = {}", optimum.trim())), "{optimum}");
    }
    // Five runs of each find it.
    let said = well(&lab, "run problems/tsp.toml -o tsp");
    assert!(said.contains("10 of 10"), "{said}");
}
