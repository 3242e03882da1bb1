//! What programs report that their runs have cost: kept, checked, compared and tuned.

use std::fs;

use crate::lab::{Lab, flat, forge_again, refused, well};
use crate::resume::kill_and_resume;

/// Evaluates one genome after the other, and says that it has cost the distance of `rate` from 0.3. It says otherwise what its
/// option `says` is.
const PROGRAM: &str = r#"
import json, sys
for line in sys.stdin:
    task = json.loads(line)
    options = task["options"]
    while True:
        print(json.dumps({"evaluate": [[digits[0] for digits in task["candidates"]]]}), flush=True)
        if "done" in json.loads(sys.stdin.readline()):
            break
    if options.get("says") == "nothing":
        sys.exit(0)
    cost = json.dumps({"cost": abs(options["rate"] - 0.3) + task["seed"] % 7 / 1000})
    print(options.get("says", cost), flush=True)
"#;

const SWEEP: &str = "\
puzzles = ['2x2.json']
replicates = 8
budget.evaluations = 5
[algorithm]
name = 'program'
command = ['python3', 'program.py']
reports_cost = true
reuse = true
options = { rate = 0.5 }
[sweep]
'algorithm.options.rate' = [0.1, 0.3, 0.9]
";

const TUNING: &str = "\
puzzles = ['2x2.json']
replicates = 3
budget = { evaluations = 5, moves = 1 }
[algorithm]
name = 'program'
command = ['python3', 'program.py']
reports_cost = true
reuse = true
options = { rate = 0.9 }
[sweep]
'algorithm.options.rate' = { from = 0.0, to = 1.0 }
[tune]
budget = 900
cost = 'reported'
validate = ['held-out.json']
";

fn puzzle(id: &str, op: &str, target: u32) -> String {
    format!(
        r#"{{"id":"{id}","size":2,"cages":[{{"op":"{op}","target":{target},"cells":[[0,0],[0,1],[1,0],[1,1]]}}]}}"#
    )
}

/// A lab with the program; none where there is no Python.
fn lab(config: &str) -> Option<Lab> {
    let lab = Lab::with_python()?;
    lab.write("program.py", PROGRAM);
    lab.write("2x2.json", puzzle("p", "+", 6));
    lab.write("held-out.json", puzzle("q", "*", 4));
    lab.write("c.toml", config);
    Some(lab)
}

#[test]
fn costs_are_kept_compared_and_checked() {
    let Some(lab) = lab(SWEEP) else { return };
    well(&lab, "run c.toml -o one --jobs 1 --quiet");
    let costs = lab.read("one/costs.csv");
    assert!(costs.starts_with("run,cost\n0,0.") && costs.lines().count() == 25, "{costs}");
    assert!(lab.read("one/checksums.txt").contains("  costs.csv\n"));
    well(&lab, "run c.toml -o four --jobs 4 --quiet");
    assert_eq!(lab.read("four/costs.csv"), costs);
    well(&lab, "sweep plan c.toml -o plan.json --pilot 0");
    for shard in 0..2 {
        well(&lab, &format!("sweep run plan.json --shard {shard}/2 -o shards --quiet"));
    }
    well(&lab, "sweep merge plan.json shards -o merged");
    assert_eq!(lab.read("merged/costs.csv"), costs);
    let said = well(&lab, "compare one --metric cost");
    assert!(flat(&said).contains("has the lower cost with probability"), "{said}");
    let (code, found) = lab.validate(&["one", "--replay", "all", "--programs", "."]);
    assert_eq!((code, &found["replayed"]), (0, &24.into()), "{found}");
    // Another cost is found where the checksums have been made anew.
    let first = costs.lines().nth(1).expect("a row");
    for (row, said) in [
        ("0,1.5", "a different cost"),
        ("0,", "its cost is missing"),
        ("0,inf", "inf is no cost"),
        ("", "run 0 has no row in costs.csv"),
        ("0,1", "kenga writes"),
    ] {
        lab.copy("one", "forged");
        let line = if row.is_empty() { String::new() } else { format!("{row}\n") };
        lab.write("forged/costs.csv", costs.replacen(&format!("{first}\n"), &line, 1));
        forge_again(&lab.path("forged"));
        let ended = lab.kenga(&["validate", "forged", "--replay", "all", "--programs", "."]);
        assert!(ended.code == 1 && flat(&ended.stdout).contains(said), "{row}: {}", ended.stdout);
    }
    let exported = well(&lab, "export one --to csv");
    let rows: Vec<&str> = exported.lines().collect();
    let place = rows[0].split(',').position(|name| name == "cost").expect("a column");
    let cost = rows[1].split(',').nth(place).expect("a cell").parse::<f64>().expect("a number");
    assert_eq!(first, format!("0,{cost:?}"));
    // A setting that reports none.
    let others =
        SWEEP.replace("'algorithm.options.rate' = [0.1, 0.3, 0.9]", "algorithm = [{ name = 'random' }]");
    lab.write("random.toml", others);
    well(&lab, "run random.toml -o random --quiet");
    assert!(!lab.path("random/costs.csv").exists());
    assert!(!well(&lab, "export random --to csv").contains(",cost,"));
    let said = refused(&lab, "compare random --metric cost");
    assert!(said.contains("cost"), "{said}");
}

#[test]
fn killed_experiments_end_with_the_same_costs() {
    let Some(lab) = lab(SWEEP) else { return };
    well(&lab, "run c.toml -o whole --quiet");
    let rows = |file: &str| fs::read_to_string(lab.path(file)).unwrap_or_default().lines().count() as u64;
    let args = ["run", "--config", "c.toml", "--out", "torn", "--quiet", "--resume"];
    kill_and_resume(&lab, &args, 6, |round| rows("torn/costs.csv") > 2 * round);
    assert_eq!(lab.read("torn/costs.csv"), lab.read("whole/costs.csv"));
    assert_eq!(lab.decided("torn"), lab.decided("whole"));
}

#[test]
fn a_program_that_reports_no_cost_fails_its_run() {
    for (says, reason) in [
        ("nothing", "it ended without the `cost` of the run"),
        ("{\"cost\":null}", "it sent `{\"cost\":null}`: {\"cost\": a number} is expected"),
        ("3", "it sent `3`: {\"cost\": a number} is expected"),
    ] {
        let Some(lab) = lab(&SWEEP.replace("{ rate = 0.5 }", &format!("{{ rate = 0.5, says = '{says}' }}")))
        else {
            return;
        };
        let ended = lab.kenga(&["run", "c.toml", "-o", "o", "--quiet", "--runs", "2"]);
        assert_eq!(ended.code, 1, "{}", ended.stderr);
        let failures = lab.read("o/failures.csv").replace("\"\"", "\"");
        assert!(failures.contains(reason), "{failures}");
        assert_eq!(lab.read("o/costs.csv").lines().nth(1), Some("0,"));
        well(&lab, "validate o");
    }
}

#[test]
fn a_reported_cost_is_tuned() {
    let Some(lab) = lab(TUNING) else { return };
    let said = well(&lab, "tune c.toml -o one --jobs 1");
    let best = lab.read("one/best.toml");
    let rate = best.lines().find_map(|line| line.strip_prefix("rate = ")).expect("a rate");
    assert!((rate.parse::<f64>().expect("a number") - 0.3).abs() < 0.1, "{said}{best}");
    assert!(
        lab.read("one/runs.csv").starts_with("run,iteration,")
            && lab.read("one/runs.csv").contains(",cost\n")
    );
    let (code, found) = lab.validate(&["one", "--replay", "all", "--programs", "."]);
    assert!(code == 0 && found["replayed"].as_u64() > Some(10), "{found}");
    well(&lab, "report one -o one.html");
    assert!(lab.read("one.html").contains("mean cost that the program reports"));
    well(&lab, "tune c.toml -o four --jobs 4 --quiet");
    for file in ["runs.csv", "candidates.jsonl", "decisions.csv", "best.toml"] {
        assert_eq!(lab.read(&format!("four/{file}")), lab.read(&format!("one/{file}")), "{file}");
    }
    lab.change("four/runs.csv", |text| {
        let row = text.lines().nth(1).expect("a row").to_owned();
        let (before, _) = row.rsplit_once(',').expect("cells");
        text.replacen(&row, &format!("{before},0.125"), 1)
    });
    let ended = lab.kenga(&["validate", "four", "--replay", "all", "--programs", "."]);
    assert_eq!(ended.code, 1, "{}", ended.stdout);
    lab.write("c.toml", TUNING.replace("reports_cost = true\n", ""));
    let said = refused(&lab, "tune c.toml -o other");
    assert!(said.contains("set `reports_cost = true` in [algorithm]"), "{said}");
    assert!(fs::metadata(lab.path("other")).is_err());
}
