//! A program as the algorithm on a problem that another program is: each knows only its own protocol.

use std::fs;
use std::process::Stdio;

use crate::lab::{Lab, flat, well};
use crate::resume::wait_while_running;

/// Random search over whatever genomes it is greeted with. Its option `does` makes it break a rule.
const SEARCH: &str = r#"
import json, os, random, sys

for line in sys.stdin:
    task = json.loads(line)
    options = task["options"]
    rng = random.Random(task["seed"])
    if os.path.exists("broken"):
        sys.exit("the search is broken")

    def drawn():
        genome = [rng.choice(numbers) for numbers in task["candidates"]]
        for genes in task.get("lines", []):
            numbers = task["candidates"][genes[0]][:]
            rng.shuffle(numbers)
            for gene, number in zip(genes, numbers):
                genome[gene] = number
        return genome

    while True:
        batch = [drawn() for _ in range(10)]
        if options.get("does") == "beyond":
            batch[3][0] = 77
        if options.get("does") == "repeat":
            batch[3][0] = batch[3][1]
        print(json.dumps({"evaluate": batch}), flush=True)
        if "done" in json.loads(sys.stdin.readline()):
            break
        print(json.dumps({"population": batch}), flush=True)
        if "done" in json.loads(sys.stdin.readline()):
            break
    if options.get("costs"):
        print(json.dumps({"cost": len(task["candidates"])}), flush=True)
"#;

/// The sum of the distances of genes from their places. Its option `does` makes it break a rule.
const PROBLEM: &str = r#"
import json, sys, time

for line in sys.stdin:
    message = json.loads(line)
    if "evaluate" not in message:
        does = message["options"].get("does")
        continue
    values = [sum(abs(gene - place % 3) for place, gene in enumerate(genome)) for genome in message["evaluate"]]
    if does == "fails":
        sys.exit("the problem is broken")
    if does == "hangs":
        time.sleep(60)
    if does == "miscounts":
        values.append(1)
    if does == "nan":
        values[0] = float("nan")
    if does == "infinity":
        values[0] = float("inf")
    print(json.dumps({"fitness": values}), flush=True)
"#;

const CONFIG: &str = "\
seed = 5
replicates = 3
budget.evaluations = 200
[problem]
command = ['python3', 'problem.py']
SHAPE
optimum = 0
reuse = true
timeout = 1
[algorithm]
name = 'program'
command = ['python3', 'search.py']
reuse = true
[record]
every = 1
populations = 5
";

/// A lab with both programs; none where there is no Python.
fn lab(shape: &str) -> Option<Lab> {
    let lab = Lab::with_python()?;
    lab.write("search.py", SEARCH);
    lab.write("problem.py", PROBLEM);
    lab.write("c.toml", CONFIG.replace("SHAPE", shape));
    Some(lab)
}

#[test]
fn both_know_every_shape_of_genomes_and_make_the_same_bytes_on_any_threads() {
    let shapes = [
        "permutations = [3, 1, 4]",
        "genes = 3\nvalues = [[0, 1], [1, 200], [5, 5]]",
        "genes = 6\nvalues = [0, 3]",
        "genes = 1\nvalues = [2, 2]",
        "permutation = 7",
    ];
    for shape in &shapes[..kenga_testing::size(2, shapes.len())] {
        let Some(lab) = lab(shape) else { return };
        well(&lab, "run c.toml -o one --jobs 1 --quiet");
        well(&lab, "run c.toml -o three --jobs 3 --quiet");
        assert_eq!(lab.decided("one"), lab.decided("three"), "{shape}");
        let said = well(&lab, "validate one --replay all --programs .");
        assert!(said.contains("3 runs replayed") && said.contains("every claim holds"), "{shape}: {said}");
        // A folder of somebody else's could name any program.
        let (code, found) = lab.validate(&["one", "--replay", "all"]);
        assert_eq!((code, &found["not_started"]), (0, &3.into()), "{shape}: {found}");
    }
}

#[test]
fn a_run_that_is_killed_goes_on_with_the_same_bytes() {
    let Some(lab) = lab("permutation = 9") else { return };
    let long = ["--set", "budget.evaluations=4000", "--runs", "4"];
    let run = [&["run", "c.toml", "--quiet"][..], &long].concat();
    assert_eq!(lab.kenga(&[&run[..], &["-o", "whole"]].concat()).code, 0);
    let args = [&run[..], &["-o", "killed", "--jobs", "1"]].concat();
    let mut child =
        lab.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let rows = || fs::read_to_string(lab.path("killed/runs.csv")).map_or(0, |text| text.lines().count());
    wait_while_running(&mut child, || rows() > 2);
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(rows() < 5);
    well(&lab, "run --resume killed --quiet");
    assert_eq!(lab.decided("killed"), lab.decided("whole"));
}

#[test]
fn whichever_breaks_a_rule_is_named() {
    let values = "genes = 4\nvalues = [0, 3]";
    for (shape, set, reason) in [
        (values, "problem.options.does='fails'", "the problem is broken"),
        (values, "problem.options.does='hangs'", "1 s"),
        (values, "problem.options.does='miscounts'", "10"),
        (values, "problem.options.does='nan'", "NaN"),
        (values, "problem.options.does='infinity'", "Infinity"),
        (values, "algorithm.options.does='beyond'", "77"),
        ("permutation = 4", "algorithm.options.does='repeat'", "once"),
    ] {
        let Some(lab) = lab(shape) else { return };
        let ended = lab.kenga(&["run", "c.toml", "-o", "o", "--runs", "1", "--set", set]);
        assert_eq!(ended.code, 1, "{set}: {}", ended.stderr);
        let row = lab.row("o/runs.csv", 1).join(",");
        assert!(row.contains("failed"), "{set}: {row}");
        let failures = flat(&lab.read("o/failures.csv"));
        assert!(failures.contains(reason), "{set}: {failures}");
        let (code, found) = lab.validate(&["o"]);
        assert_eq!(code, 0, "{set}: {found}");
    }
}

#[test]
fn failed_runs_are_tried_again_and_costs_are_kept() {
    let Some(lab) = lab("genes = 8\nvalues = [0, 9]") else { return };
    lab.write("broken", "");
    let options = ["--set", "algorithm.reports_cost=true", "--set", "algorithm.options.costs=true"];
    let run = [&["run", "c.toml", "-o", "o", "--quiet", "--set", "retries=1"][..], &options].concat();
    let ended = lab.kenga(&run);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(lab.read("o/failures.csv").contains("the search is broken"));
    fs::remove_file(lab.path("broken")).expect("it was there");
    assert_eq!(lab.kenga(&["run", "--resume", "o", "--quiet"]).code, 0);
    assert_eq!(lab.read("o/costs.csv"), "run,cost\n0,8.0\n1,8.0\n2,8.0\n");
    let whole = [&["run", "c.toml", "-o", "whole", "--quiet", "--set", "retries=1"][..], &options].concat();
    assert_eq!(lab.kenga(&whole).code, 0);
    assert_eq!(lab.read("o/runs.csv"), lab.read("whole/runs.csv"));
}

#[test]
fn an_optimum_that_is_found_at_once_is_asked_about() {
    let Some(lab) = lab("genes = 2\nvalues = [0, 1]") else { return };
    let said = well(&lab, "run c.toml -o o");
    let asked = "3 runs of a program were solved at once, within 100 evaluations: does the program solve the instance itself?";
    assert!(flat(&said).contains(asked), "{said}");
    well(&lab, "report o -o o.html");
    assert!(lab.read("o.html").contains(asked));
}
