//! Problems of the user's own are shown in their own units, and what failed or reached a bound is no solution.

use std::fs;

use serde_json::Value;

use kenga::fitness::Scale;
use kenga::report::{problem_value, rounded};

use crate::lab::{Lab, refused, well};

/// The ones among the genes, times and plus what the options say. A run of a picky problem fails at once unless its first
/// gene is 0, and one of a weary problem fails in its third request.
const PROGRAM: &str = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "kenga" in message:
        options, left = message["options"], 2
        continue
    genomes = message["evaluate"]
    left -= 1
    if options.get("weary") and left < 0 or options.get("picky") and left == 1 and genomes[0][0]:
        sys.exit("no values")
    values = [options.get("plus", 0) + options.get("times", 1) * sum(genome) for genome in genomes]
    print(json.dumps({"fitness": values}), flush=True)
"#;

const CONFIG: &str = "\
replicates = 4
budget.evaluations = 60
[problem]
command = ['python3', 'ones.py']
genes = 12
values = [0, 1]
[algorithm]
name = 'genetic'
population = 10
[sweep]
'algorithm.mutation.rate' = { from = 0.01, to = 0.5, points = 2, scale = 'log' }
";

/// A laboratory with a folder `o` of the configuration with these keys of the problem.
fn ran(keys: &str) -> Option<Lab> {
    let lab = Lab::with_python()?;
    lab.write("ones.py", PROGRAM);
    lab.write("own.toml", CONFIG.replace("genes = 12", &format!("{keys}\ngenes = 12")));
    lab.kenga(&["run", "own.toml", "-o", "o", "--quiet", "--jobs", "1"]);
    Some(lab)
}

/// The rows of a table in CSV, each the cells of some columns.
fn columns<const N: usize>(text: &str, names: [&str; N]) -> Vec<[String; N]> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let place =
        |name: &str| header.iter().position(|column| column == name).unwrap_or_else(|| panic!("no {name}"));
    let places = names.map(place);
    reader
        .records()
        .map(|row| row.expect("a row"))
        .map(|row| places.map(|place| row[place].to_owned()))
        .collect()
}

#[test]
fn the_highest_value_is_shown_as_it_is_and_rises() {
    let Some(lab) = ran("maximise = true\nbound = 1000\noptions = { plus = 100 }") else { return };
    let rows = columns(&well(&lab, "export o --to csv"), ["best_fitness", "value", "solved"]);
    for [fitness, value, solved] in &rows {
        let [fitness, value]: [u32; 2] = [fitness, value].map(|cell| cell.parse().expect("a number"));
        assert!(fitness == 1000 - value && (100..=112).contains(&value) && solved == "false", "{rows:?}");
    }
    let rows = columns(&well(&lab, "export o --to csv --convergence"), ["best_so_far", "value"]);
    assert!(
        rows.iter().all(|[best, value]| best.parse::<u32>() == value.parse().map(|value: u32| 1000 - value))
    );
    let said = well(&lab, "plot o");
    assert!(said.starts_with("best value, median over runs\n") && said.contains("110.0 ┤"), "{said}");
    assert!(!said.contains("solved"), "{said}");
    well(&lab, "report o -o o.html --figures figures");
    let page = fs::read_to_string(lab.path("o.html")).expect("a page");
    assert!(
        page.contains("Best value against calls") && page.contains("Share of runs that attained a value")
    );
    let said = well(&lab, "validate o");
    assert!(said.starts_with("8 runs checked; "), "{said}");
    let said = lab.kenga(&["run", "--resume", "o", "--csv"]).stdout;
    assert!(columns(&said, ["best_value"]).iter().all(|[value]| value.len() == 5), "{said}");
    let said = well(&lab, "sweep plan --config own.toml -o plan.json --pilot 2");
    assert!(said.contains("pilot: 2 runs; all runs take") && !said.contains("solved"), "{said}");
    assert!(said.contains("no numbers of runs are forecast for best values"), "{said}");
}

#[test]
fn instances_that_count_from_different_values_have_each_its_own() {
    let keys = "instances = { a = { plus = 100, bound = 150 }, b = { plus = 500, bound = 900 } }";
    let Some(lab) = ran(&format!("maximise = true\n{keys}")) else { return };
    let rows =
        columns(&lab.kenga(&["run", "--resume", "o", "--csv"]).stdout, ["best_value.a", "best_value.b"]);
    assert!(
        rows.len() == 2 && rows.iter().all(|[a, b]| a.starts_with('1') && b.starts_with('5')),
        "{rows:?}"
    );
    let said = well(&lab, "run --resume o");
    assert!(said.contains("best value, a") && said.contains("Values on different instances"), "{said}");
    for [puzzle, value] in columns(&well(&lab, "export o --to csv"), ["puzzle", "value"]) {
        assert!(value.starts_with(if puzzle == "a" { '1' } else { '5' }), "{puzzle} {value}");
    }
    // The optimum of one instance alone is known: values are compared, which all runs have.
    lab.write(
        "own.toml",
        fs::read_to_string(lab.path("own.toml")).expect("a file").replace("bound = 150", "optimum = 112"),
    );
    well(&lab, "run own.toml -o mixed --quiet");
    assert!(well(&lab, "compare mixed --json").contains("\"metric\":\"best_fitness\""));
    // A mean of values that count from different bounds is for programs alone.
    let said = well(&lab, "compare o");
    assert!(!said.contains(" mean") && said.contains("best value, median"), "{said}");
    assert!(well(&lab, "compare o --csv").contains(",runs,mean,"));
}

#[test]
fn reaching_the_bound_solves_nothing() {
    let Some(lab) = ran("options = { times = 0 }") else { return };
    let runs = columns(&lab.read("o/runs.csv"), ["solved", "verified", "best_fitness", "stop_reason"]);
    assert!(runs.iter().all(|row| *row == ["false", "false", "0", "bound"]), "{runs:?}");
    let said = well(&lab, "validate o --replay all --programs .");
    assert!(said.contains("8 runs replayed") && said.contains("every claim holds"), "{said}");
    well(&lab, "run --resume o --runs 6 --quiet");
    lab.change("own.toml", |text| text.split("[sweep]").next().unwrap_or_default().to_owned());
    well(&lab, "run own.toml -o one --quiet");
    let said = well(&lab, "run --resume one");
    assert!(said.contains("value 0: the bound was reached after"), "{said}");
    // A solution that is claimed is refuted.
    let row = lab.read("one/runs.csv").replacen("false,false,,", "true,true,search,", 1);
    lab.write("one/runs.csv", row);
    assert_eq!(lab.kenga(&["validate", "one"]).code, 1);
    // What passes the bound is told how to set it.
    well_failing(
        &lab,
        "genes = 12",
        "bound = 50\ngenes = 12",
        "is below 50, the bound: set one that no value passes, such as `bound = -",
    );
}

/// Runs the configuration with other words in a folder `failing`, in which runs fail for this reason.
fn well_failing(lab: &Lab, from: &str, to: &str, reason: &str) {
    lab.write("own.toml", lab.read("own.toml").replace(from, to));
    let ended = lab.kenga(&["run", "own.toml", "-o", "failing", "--quiet"]);
    let said = fs::read_to_string(lab.path("failing/failures.csv")).expect("failures");
    assert!(ended.code == 1 && said.contains(reason), "{said}");
}

#[test]
fn values_are_written_without_noise_and_without_hundreds_of_digits() {
    let tours = Scale { reference: 3.626_712, is_optimum: true, resolution: Some(1e-6), maximise: false };
    assert_eq!([131.0, 6_508_273.0].map(|fitness| tours.value(fitness)), [3.626_843, 10.134_985]);
    let whole = Scale { resolution: None, reference: 10.0, ..tours };
    let error = whole.fitness(1e300).expect_err("too large");
    assert!(error.starts_with("1e300 is 1e300 units from 10:"), "{error}");
    let values = [1e300, 9_007_199_254_740_993.0, 3.626_843_000_000_000_3, 1e-300, 0.0, f64::INFINITY];
    let shown = ["1e300", "9007199254740992", "3.626843", "1e-300", "0", "–"];
    assert_eq!(values.map(problem_value), shown);
    assert_eq!([1e300, 1e12].map(rounded), ["1.00e300", "1000 G"]);
}

#[test]
fn runs_that_all_failed_are_a_sentence() {
    let Some(lab) = ran("options = { weary = true }") else { return };
    for command in ["report o -o o.html", "report o --json", "plot o", "compare o"] {
        let said = refused(&lab, command);
        assert!(said.contains("o: there is no result. All 8 runs failed"), "{said}");
    }
    // Those that evaluated nothing have no value, not one of 0.
    lab.write("own.toml", lab.read("own.toml").replace("weary", "other"));
    lab.write("ones.py", "import sys\nsys.exit(1)\n");
    lab.kenga(&["run", "own.toml", "-o", "none", "--quiet"]);
    let ended = lab.kenga(&["run", "--resume", "none", "--csv", "--runs", "4"]);
    assert!(
        columns(&ended.stdout, ["best_value"]).iter().all(|[value]| value.is_empty()),
        "{}",
        ended.stdout
    );
}

#[test]
fn failed_runs_rank_last_and_are_in_no_mean() {
    let Some(lab) = ran("options = { picky = true }") else { return };
    let failed = lab.read("o/runs.csv").lines().filter(|row| row.contains(",failed,")).count() as u64;
    assert!((1..8).contains(&failed), "{failed}");
    let found: Value = serde_json::from_str(&well(&lab, "compare o --json")).expect("JSON");
    assert_eq!(found["failed"], failed);
    for side in found["settings"].as_array().expect("settings") {
        let mean = side["mean"].as_f64().expect("a mean");
        assert!((0.0..=12.0).contains(&mean), "{side}");
    }
    well(&lab, "report o -o o.html");
    well(&lab, "plot o");
}

#[test]
fn optuna_gets_the_values_with_their_direction_and_the_range_of_a_log_axis() {
    let Some(lab) = ran("maximise = true\nbound = 1000\noptions = { plus = 100 }") else { return };
    let text = well(&lab, "export o --to optuna");
    let operations: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(operations[0]["directions"], serde_json::json!([2]), "2 is to maximise");
    let runs = columns(&well(&lab, "export o --to csv"), ["setting", "value"]);
    let attributes: Vec<&Value> =
        operations.iter().filter_map(|operation| operation["user_attr"].get("mean_best_value")).collect();
    assert_eq!(attributes.len(), 2, "{text}");
    for trial in operations.iter().filter(|operation| operation["op_code"] == 6) {
        let id = trial["trial_id"].to_string();
        let mine = runs.iter().filter(|[setting, _]| *setting == id);
        let values: Vec<f64> = mine.map(|[_, value]| value.parse().expect("a value")).collect();
        let mean = Some(values.iter().sum::<f64>() / values.len() as f64);
        assert_eq!(trial["values"][0].as_f64(), mean);
        assert!(attributes.iter().any(|value| value.as_f64() == mean), "{attributes:?}");
    }
    let space = operations.iter().find(|operation| operation["op_code"] == 5).expect("a parameter");
    let space: Value = serde_json::from_str(space["distribution"].as_str().expect("a text")).expect("JSON");
    let expected = serde_json::json!({ "log": true, "step": null, "low": 0.01, "high": 0.5 });
    assert_eq!(space["attributes"], expected);
}

#[test]
fn ioh_gets_the_values_with_their_direction() {
    let Some(lab) = ran("maximise = true\nbound = 1000\noptions = { plus = 100 }") else { return };
    well(&lab, "export o --to ioh -o ioh");
    let folder =
        fs::read_dir(lab.path("ioh")).expect("a folder").next().expect("a setting").expect("a name").path();
    let meta = fs::read_to_string(folder.join("IOHprofiler_f1_problem.json")).expect("a file");
    let meta: Value = serde_json::from_str(&meta).expect("JSON");
    assert_eq!(meta["maximization"], true);
    let data = folder.join(meta["scenarios"][0]["path"].as_str().expect("a path"));
    let data = fs::read_to_string(data).expect("a file");
    for line in data.lines().filter(|line| !line.starts_with("evaluations")) {
        let (_, value) = line.split_once(' ').expect("two numbers");
        assert!((100.0..=112.0).contains(&value.parse::<f64>().expect("a value")), "{line}");
    }
}

#[test]
fn targets_budgets_regions_and_bounds_are_values() {
    let Some(lab) = ran("maximise = true\nbound = 1000\nresolution = 0.5\noptions = { plus = 100 }") else {
        return;
    };
    let runs = columns(&well(&lab, "export o --to csv"), ["setting", "value"]);
    let best: Vec<f64> = runs.iter().map(|[_, value]| value.parse().expect("a value")).collect();
    let options = "--targets 108,1000 --budgets 60 --anytime linear --worst 100 --rope 0.5";
    let found: Value =
        serde_json::from_str(&well(&lab, &format!("compare o {options} --json"))).expect("JSON");
    let attained = |target: f64| {
        let rows = found["targets"].as_array().expect("rows").iter();
        rows.filter(|row| row["target"] == target).filter_map(|row| row["attained"].as_u64()).sum::<u64>()
    };
    let of_108 = best.iter().filter(|value| **value >= 108.0).count() as u64;
    let rows = found["targets"].to_string();
    assert!(of_108 > 0 && rows.contains("\"target\":108,"), "{rows}");
    assert_eq!((attained(108.0), attained(1000.0)), (of_108, 0), "{rows}");
    for row in found["budgets"].as_array().expect("rows") {
        let [low, high] = ["q10", "q90"].map(|name| row[name].as_f64().expect("a value"));
        assert!(100.0 <= low && low <= high && high <= 112.0 && row.get("solved").is_none(), "{row}");
    }
    let said = well(&lab, &format!("compare o {options}")).split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "value ≥",
        "Best value within a budget of calls",
        "at most 0.5 apart",
        "the worst bound is the value 100",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = refused(&lab, "compare o --anytime linear --worst 900");
    assert!(said.contains("--worst 900 is no worse than"), "{said}");
    // Half a unit of fitness is no difference: a unit of values is two of fitness.
    let chances = |region: &str| well(&lab, &format!("compare o --rope {region} --csv"));
    let of = |text: &str| columns(text.split("\n\n").last().expect("a table"), ["better", "same", "worse"]);
    assert_ne!(of(&chances("0")), of(&chances("50")));
    assert_eq!(of(&chances("50")), [["0.0", "1.0", "0.0"].map(str::to_owned)]);
    let said = refused(&lab, "compare o --rope 5%");
    assert!(
        said.contains("values are compared by their difference") && said.contains("--rope 0.01"),
        "{said}"
    );
}

#[test]
fn what_reached_the_bound_is_known_at_every_budget_and_what_failed_is_in_none() {
    let Some(lab) = ran("options = { times = 0 }") else { return };
    let rows = columns(
        well(&lab, "compare o --budgets 1e6 --csv").split("\n\n").last().expect("a table"),
        ["median", "mean"],
    );
    assert!(rows.len() == 2 && rows.iter().all(|row| *row == ["0.0", "0.0"]), "{rows:?}");
    let Some(lab) = ran("options = { picky = true }") else { return };
    let runs = columns(&lab.read("o/runs.csv"), ["setting", "best_fitness", "stop_reason"]);
    let rows = columns(
        well(&lab, "compare o --budgets 60 --csv").split("\n\n").last().expect("a table"),
        ["setting", "mean"],
    );
    for [name, mean] in rows {
        let setting = if name.contains("0.01") { "0" } else { "1" };
        let mine = runs.iter().filter(|[of, _, stop]| of == setting && stop != "failed");
        let best: Vec<f64> = mine.map(|[_, best, _]| best.parse().expect("a number")).collect();
        assert_eq!(mean.parse::<f64>(), Ok(best.iter().sum::<f64>() / best.len() as f64), "{name}");
    }
}

#[test]
fn without_an_optimum_a_map_shows_the_best_values() {
    let Some(lab) = ran("maximise = true\nbound = 1000\noptions = { plus = 100 }") else { return };
    lab.change("own.toml", |text| text + "'algorithm.population' = [10, 20]\n");
    well(&lab, "run own.toml -o two --quiet");
    well(&lab, "report two -o two.html --figures figures");
    let map = lab.read("figures/heat-value.svg");
    assert!(map.contains("Best value by two parameters") && !map.contains("solved"), "{map}");
    assert!(lab.read("two.html").contains("a stronger colour means a better one"));
}

#[test]
fn failed_runs_are_in_no_median_and_cost_their_whole_budget() {
    // Of each setting two runs solve with their first genome, and two fail.
    let Some(lab) = ran("optimum = 0\noptions = { picky = true, times = 0 }") else { return };
    let said = lab.kenga(&["run", "--resume", "o", "--json"]).stdout;
    let found: Value = serde_json::from_str(&said).expect("JSON");
    for setting in found["settings"].as_array().expect("settings") {
        assert_eq!((&setting["failed"], &setting["calls_to_solve"]), (&2.into(), &1.0.into()), "{setting}");
    }
    let text = well(&lab, "export o --to optuna");
    for attribute in ["\"median_calls_to_solution\":1.0", "\"expected_running_calls\":61.0"] {
        assert_eq!(text.matches(attribute).count(), 2, "{attribute}: {text}");
    }
    lab.change("own.toml", |text| text + "'algorithm.population' = [10, 20]\n");
    lab.kenga(&["run", "own.toml", "-o", "two", "--quiet"]);
    well(&lab, "report two -o two.html --figures figures");
    assert_eq!(lab.read("figures/heat-calls.svg").matches(">61.0<").count(), 4);
}
