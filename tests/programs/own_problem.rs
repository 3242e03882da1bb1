//! Problems of the user's own: programs that say what genomes are worth.

use std::fs;

use serde_json::json;

use crate::lab::{Lab, flat, refused, well};
use crate::served::{FOUR, Served};

/// Says how many genes are not what `target` of the options says; breaks down after as many requests as the file `patience`
/// allows, where there is one. It counts its starts.
const PROGRAM: &str = r#"
import json, os, sys
open("starts", "a").write("x\n")
left = int(open("patience").read()) if os.path.exists("patience") else 10**9
for line in sys.stdin:
    message = json.loads(line)
    if "kenga" in message:
        target = message["options"].get("target", 1)
        continue
    left -= 1
    if left < 0:
        sys.exit("no patience")
    values = [sum(gene != target for gene in genome) for genome in message["evaluate"]]
    print(json.dumps({"fitness": values}), flush=True)
"#;

pub const CONFIG: &str = "\
replicates = 3
budget.evaluations = 2000
[problem]
command = ['python3', 'zeros.py']
genes = 12
values = [0, 1]
optimum = 0
[problem.instances]
ones = { target = 1 }
few = { target = 0, genes = 5 }
";

pub fn lab(config: &str) -> Option<Lab> {
    let lab = Lab::with_python()?;
    lab.write("zeros.py", PROGRAM);
    lab.write("own.toml", config);
    Some(lab)
}

fn read(lab: &Lab, file: &str) -> String {
    fs::read_to_string(lab.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn a_problem_is_run_replayed_and_the_same_on_any_threads() {
    let Some(lab) = lab(CONFIG) else { return };
    let said = well(&lab, "run own.toml -o one --jobs 1");
    assert!(said.contains("value 0, the optimum") && said.contains("genome 1 1 1"), "{said}");
    well(&lab, "run own.toml -o four --jobs 4 --quiet");
    for file in ["runs.csv", "convergence.csv", "puzzles.jsonl", "checksums.txt"] {
        assert_eq!(read(&lab, &format!("one/{file}")), read(&lab, &format!("four/{file}")), "{file}");
    }
    let header = read(&lab, "one/convergence.csv");
    assert_eq!(
        header.lines().next(),
        Some("run,generation,evaluations,moves,best,mean,worst,std,diversity,entropy")
    );
    let said = well(&lab, "validate one --replay all --programs .");
    assert!(said.contains("6 runs replayed"), "{said}");
    // The program does not search: that a run is solved at once says nothing about it.
    well(&lab, "report one -o one.html");
    assert!(!read(&lab, "one.html").contains("does the program solve the puzzle itself"));
}

#[test]
fn without_an_optimum_settings_are_compared_by_their_fitness() {
    let config = CONFIG.replace("optimum = 0\n", "") + "[sweep]\n\"problem.options.weight\" = [1, 2]\n";
    let Some(lab) = lab(&config) else { return };
    well(&lab, "run own.toml -o one --quiet");
    let said = well(&lab, "compare one --csv");
    assert!(said.contains("mean") && !said.contains("par10"), "{said}");
    well(&lab, "report one -o one.html --figures figures");
    let page = read(&lab, "one.html");
    assert!(page.contains("no run counts as solved") && !page.contains("expected calls"));
    assert!(!page.contains("0 is solved") && page.contains("Best value by problem.options.weight"));
    speaks_of_instances(&page);
    assert!(!page.contains("unless all have solved") && !page.contains("runs solved at"));
    // A report of runs that are not used has nothing to compare.
    lab.copy("one", "lost");
    fs::remove_file(lab.path("lost/convergence.csv")).expect("it is there");
    assert!(refused(&lab, "report lost -o lost.html").contains("no run has ended"));
    // Where the best value is known, solutions count.
    lab.write("own.toml", CONFIG);
    well(&lab, "run own.toml -o known --quiet");
    well(&lab, "report known -o known.html");
    let page = read(&lab, "known.html");
    assert!(page.contains("expected calls") && page.contains("1 where the optimum was attained at once"));
    speaks_of_instances(&page);
    well(&lab, "run own.toml -o swept --quiet --set sweep={'algorithm.population'=[20,60]}");
    let said = well(&lab, "compare swept --anytime linear --targets 3 --budgets 100");
    assert!(said.contains("by instance") && !said.contains("puzzle"), "{said}");
}

/// No sentence of a page is about puzzles, and none draws a grid.
fn speaks_of_instances(page: &str) {
    let mut text = String::new();
    let mut is_tag = false;
    for part in page.split("<style").flat_map(|part| part.split("<script")) {
        // What is inside of them is no sentence; the first part has none.
        let shown = part
            .split_once("</style>")
            .or_else(|| part.split_once("</script>"))
            .map_or(part, |(_, rest)| rest);
        for c in shown.chars() {
            match c {
                '<' => is_tag = true,
                '>' => is_tag = false,
                c if !is_tag => text.push(c),
                _ => {}
            }
        }
    }
    for word in ["puzzle", " cell", "digit", "cage", "1×12"] {
        let at = text.find(word).map(|at| text[..at].chars().rev().take(60).collect::<String>());
        assert_eq!(at, None, "{word}");
    }
    assert!(text.contains("instance") && text.contains("beside the program of the problem"));
}

#[test]
fn a_false_value_is_refuted_by_its_replay() {
    let Some(lab) = lab(CONFIG) else { return };
    well(&lab, "run own.toml -o o --quiet --set budget.evaluations=100");
    lab.write("zeros.py", PROGRAM.replace("gene != target", "gene == target"));
    let ended = lab.kenga(&["validate", "o", "--replay", "all", "--programs", "."]);
    assert_eq!(ended.code, 1, "{}", ended.stdout);
}

#[test]
fn a_solution_that_is_refuted_is_no_success_anywhere() {
    let config = CONFIG.to_owned() + "[sweep]\n\"problem.options.weight\" = [1, 2]\n";
    let Some(lab) = lab(&config) else { return };
    // The first answer says that every genome is the best.
    let liar = PROGRAM.replace("for line in sys.stdin:", "lies = True\nfor line in sys.stdin:");
    lab.write(
        "zeros.py",
        liar.replace("    print(", "    values, lies = [0 if lies else 1] * len(values), False\n    print("),
    );
    let ended = lab.kenga(&["run", "own.toml", "-o", "o"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(ended.stdout.contains("REFUTED: 12 runs"), "{}", ended.stdout);
    assert!(ended.stdout.contains("0 of 12 runs solved"), "{}", ended.stdout);
    assert!(read(&lab, "o/runs.csv").contains(",true,false,search,"), "the rows say what happened");
    let compared: serde_json::Value = serde_json::from_str(&well(&lab, "compare o --json")).expect("JSON");
    assert_eq!(
        (&compared["settings"][0]["solved"], &compared["settings"][1]["solved"]),
        (&json!(0), &json!(0))
    );
    well(&lab, "export o --to csv -o o.csv");
    assert!(!read(&lab, "o.csv").contains(",true,"), "{}", read(&lab, "o.csv"));
    well(&lab, "report o -o o.html");
    assert!(read(&lab, "o.html").contains("0 of 6") && !read(&lab, "o.html").contains("6 of 6"));
}

#[test]
fn a_folder_that_is_changed_under_its_runs_is_refused() {
    // The program of the run does it, in the midst of its work.
    for (change, said) in [
        ("os.rename('o', 'moved'); os.mkdir('o')", "o was moved or replaced while its runs were made"),
        ("os.truncate('o/runs.csv', 0)", "another program has changed the file meanwhile"),
        ("os.truncate('o/timing.csv', 9)", "another program has changed the file meanwhile"),
    ] {
        let Some(lab) = lab(CONFIG) else { return };
        let change = format!("{change}; open('done', 'w')");
        let once = format!(
            "    if os.path.exists('o/runs.csv') and os.path.getsize('o/runs.csv') > 300 and not os.path.exists('done'):\n        {change}\n    left -= 1\n"
        );
        lab.write("zeros.py", PROGRAM.replace("    left -= 1\n", &once));
        let ended = lab.kenga(&["run", "own.toml", "-o", "o", "--jobs", "1", "--quiet"]);
        assert_eq!(ended.code, 2, "{change}: {}", ended.stderr);
        assert!(flat(&ended.stderr).contains(said), "{change}: {}", ended.stderr);
        assert!(!lab.path("o/checksums.txt").exists());
    }
}

#[test]
fn an_answer_that_nobody_asked_for_fails_the_run() {
    let Some(lab) = lab(&CONFIG.replace("genes = 12", "genes = 40").replace("genes = 5", "genes = 40"))
    else {
        return;
    };
    let twice = r#"answer = json.dumps({"fitness": values}); print(answer + "\n" + answer, flush=True)"#;
    lab.write("zeros.py", PROGRAM.replace(r#"print(json.dumps({"fitness": values}), flush=True)"#, twice));
    // Also where the run asks for no more than one answer.
    for evaluations in ["2000", "10"] {
        let set = format!("budget.evaluations={evaluations}");
        let ended = lab.kenga(&["run", "own.toml", "-o", evaluations, "--set", &set]);
        assert_eq!(ended.code, 1, "{}", ended.stderr);
        let failures = read(&lab, &format!("{evaluations}/failures.csv"));
        assert_eq!(failures.matches("before it was asked").count(), 6, "{failures}");
    }
}

#[test]
fn a_program_that_fails_fails_its_run_and_is_tried_again() {
    let Some(lab) = lab(&CONFIG
        .replace("genes = 12", "genes = 60")
        .replace("target = 0, genes = 5", "target = 2, genes = 5"))
    else {
        return;
    };
    // One answer, to the first population, and no second.
    lab.write("patience", "1");
    let ended = lab.kenga(&["run", "own.toml", "-o", "o", "--set", "budget.evaluations=1000"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(ended.stdout.contains("it ended before the run did: exit status: 1"), "{}", ended.stdout);
    assert!(ended.stdout.contains("no patience"), "{}", ended.stdout);
    // Without any answer there is no best genome to show.
    lab.write("patience", "0");
    let ended = lab.kenga(&["run", "own.toml", "-o", "none"]);
    assert!(ended.stdout.contains("\nno genome was evaluated\nThe program of"), "{}", ended.stdout);
    fs::remove_file(lab.path("patience")).expect("it is there");
    let ended = lab.kenga(&["run", "--resume", "o", "--programs", ".", "--quiet"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (0, "note: 6 failed runs are tried again\n"));
    well(&lab, "run own.toml -o whole --quiet --set budget.evaluations=1000");
    assert_eq!(read(&lab, "o/runs.csv"), read(&lab, "whole/runs.csv"));
}

#[test]
fn an_instance_has_no_scale_and_no_terms_of_its_own() {
    let Some(lab) = lab(CONFIG) else { return };
    for key in ["resolution = 0.1", "maximise = true", "terms = ['a']"] {
        lab.write("scale.toml", CONFIG.replace("target = 1", &format!("target = 1, {key}")));
        let ended = lab.kenga(&["run", "scale.toml", "-o", "scale"]);
        assert_eq!(ended.code, 2, "{key}");
        assert!(ended.stderr.contains("is one for all instances"), "{key}: {}", ended.stderr);
    }
}

#[test]
fn options_are_swept_and_every_algorithm_that_works_runs() {
    let swept = CONFIG.split("[problem.instances]").next().expect("it has a beginning").to_owned()
        + "[sweep]\n'problem.options.target' = [0, 1]\n'algorithm.name' = ['genetic', 'annealing', 'random']\n";
    let swept = swept.replace("evaluations = 2000", "evaluations = 300\nbudget.moves = 300");
    let Some(lab) = lab(&swept) else { return };
    well(&lab, "run own.toml -o o --quiet");
    let rows = read(&lab, "o/runs.csv");
    assert_eq!(rows.lines().count(), 1 + 18);
    let said = well(&lab, "compare o");
    assert!(said.contains("problem.options.target"), "{said}");
}

#[test]
fn what_a_problem_cannot_be_is_said_with_its_line() {
    let refused = |from: &str, to: &str| {
        let Some(lab) = lab(&CONFIG.replace(from, to)) else { return String::new() };
        let ended = lab.kenga(&["run", "own.toml", "-o", "o"]);
        assert_eq!(ended.code, 2, "{}", ended.stderr);
        flat(&ended.stderr)
    };
    if lab(CONFIG).is_none() {
        return;
    }
    for (from, to, said) in [
        ("genes = 12", "", "`values` of all genes need `genes`"),
        ("values = [0, 1]", "values = [1, 0]", "gene 0 go from 1 to 0"),
        ("values = [0, 1]", "values = [0, 1]\npermutation = 4", "its genomes are said twice"),
        ("replicates = 3", "puzzles = ['a.txt']", "both `puzzles` and [problem] are set"),
        ("replicates = 3", "algorithm.encoding = 'cells'", "need the encoding `values`, not `cells`"),
        ("replicates = 3", "algorithm.mutation = 'conflict'", "does not work on the encoding `values`"),
        ("genes = 12", "gens = 12", "did you mean `genes`?"),
        ("few = { target = 0, genes = 5 }", "few = { permutation = 5 }", "have genomes of two kinds"),
        ("few =", "'=few' =", "begins like a spreadsheet formula"),
    ] {
        let message = refused(from, to);
        assert!(message.contains(said), "{to}: {message}");
    }
}

#[test]
fn values_that_have_no_fitness_fail_the_run() {
    let Some(lab) = lab(&CONFIG.replace("optimum = 0", "optimum = 3")) else { return };
    let ended = lab.kenga(&["run", "own.toml", "-o", "o"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(ended.stdout.contains("which should be the best value"), "{}", ended.stdout);
}

#[test]
fn a_problem_is_no_puzzle_for_other_commands() {
    let Some(lab) = lab(CONFIG) else { return };
    well(&lab, "run own.toml -o o --quiet --set budget.evaluations=100");
    for command in ["solve", "grade", "draw", "features", "canonical"] {
        let said = refused(&lab, &format!("{command} o/puzzles.jsonl"));
        assert!(said.contains("this is a problem of your own, and no puzzle"), "{command}: {said}");
    }
}

#[test]
fn whole_populations_of_a_problem_are_recorded_up_to_the_last_that_was_answered() {
    let one = CONFIG.split("[problem.instances]").next().expect("it has a beginning");
    let Some(lab) = lab(&format!("{one}options = {{ target = 2 }}\n")) else { return };
    let record = ["--set", "record.populations=2", "--set", "record.every=4", "--quiet"];
    let algorithms = ["genetic", "annealing", "islands", "memetic", "estimation", "portfolio", "random"];
    for algorithm in &algorithms[..kenga_testing::size(3, algorithms.len())] {
        let set = format!("algorithm={{name='{algorithm}'}}");
        let out = ["--set", &set, "--set", "budget.evaluations=1500", "--set", "budget.moves=300"];
        let run = [&["run", "own.toml"][..], &record, &out].concat();
        for jobs in ["1", "4"] {
            let out = format!("{algorithm}{jobs}");
            let ended = lab.kenga(&[&run[..], &["--jobs", jobs, "-o", &out]].concat());
            assert_eq!(ended.code, 0, "{algorithm}: {}", ended.stderr);
        }
        let text = read(&lab, &format!("{algorithm}1/populations.csv"));
        assert_eq!(text, read(&lab, &format!("{algorithm}4/populations.csv")), "{algorithm}");
        assert!(text.lines().nth(1).is_some_and(|row| row.starts_with("0,0,0,12,")), "{algorithm}: {text}");
        well(&lab, &format!("validate {algorithm}1 --replay all --programs ."));
        // Where the program fails amid a generation, those before count.
        for patience in ["2", "5"] {
            lab.write("patience", patience);
            let failed = format!("{algorithm}-{patience}");
            let ended = lab.kenga(&[&run[..], &["-o", &failed]].concat());
            fs::remove_file(lab.path("patience")).expect("it is there");
            let text = read(&lab, &format!("{failed}/populations.csv"));
            assert!(!text.contains("4294967295"), "{failed}: {text}");
            let found = lab.kenga(&["validate", &failed]);
            assert_eq!(found.code, 0, "{failed}: {} {}", ended.stderr, found.stdout);
        }
    }
}

#[test]
fn a_server_says_the_best_value_of_a_folder_whichever_way_is_best() {
    let highest = CONFIG.replace("optimum = 0", "maximise = true\nbound = 12");
    let (instances, _) = highest.split_once("[problem.instances]").expect("instances");
    let Some(lab) = lab(instances) else { return };
    well(&lab, "run own.toml -o highest --quiet");
    well(&lab, "run own.toml -o again --quiet --set seed=9");
    lab.write("lowest.toml", instances.replace("maximise = true\nbound = 12", "optimum = 0"));
    well(&lab, "run lowest.toml -o lowest --quiet");
    // The instances count down from other values: the lowest fitness may be of either.
    lab.write("both.toml", highest.replace("genes = 5", "genes = 5, bound = 5"));
    well(&lab, "run both.toml -o both --quiet");
    lab.write("puzzle.txt", FOUR);
    lab.write("puzzles.toml", "puzzles = ['puzzle.txt']\nbudget.evaluations = 500\n");
    well(&lab, "run puzzles.toml -o puzzles --quiet");
    let served = Served::start(&lab, &["."]);
    let of = |name: &str| {
        let all = served.look("experiments").json();
        let listed = all["folders"].as_array().expect("a list").iter().find(|one| one["folder"] == name);
        listed.cloned().unwrap_or_else(|| panic!("{name} is listed"))
    };
    for folders in [json!(["highest"]), json!(["highest", "again"])] {
        let answer = served.post("report", &json!({ "folders": folders }));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    let highest = of("highest");
    let fitness = highest["best_fitness"].as_f64().expect("a fitness");
    assert_eq!((&highest["best_value"], &highest["maximise"]), (&json!(12.0 - fitness), &json!(true)));
    let lowest = of("lowest");
    let fitness = lowest["best_fitness"].as_f64().expect("a fitness");
    assert_eq!((&lowest["best_value"], &lowest["maximise"]), (&json!(fitness), &json!(false)));
    for name in ["both", "puzzles"] {
        let folder = of(name);
        assert!(folder["best_fitness"].is_number(), "{folder}");
        assert_eq!((&folder["best_value"], &folder["maximise"]), (&json!(null), &json!(null)), "{name}");
    }
}

#[test]
fn a_server_refuses_to_run_a_problem_and_says_where_it_runs() {
    let lab = Lab::new();
    let served = Served::start(&lab, &["."]);
    let asked = [json!({"config": CONFIG}), json!({"config": CONFIG, "puzzles": [FOUR]})];
    for body in asked {
        let answer = served.post("plan", &body);
        let said = answer.json().to_string();
        assert_eq!(answer.refusal(), (422, "bad_config".to_owned()), "{said}");
        assert!(said.contains("runs no [problem]") && said.contains("kenga run"), "{said}");
    }
}

/// A problem whose values have two terms: genes that are not 1, and twice those that are 2. The file `odd` makes it leave out one.
const WITH_TERMS: &str = r#"
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if "kenga" in message:
        assert message["terms"] == ["others", "twos"], message
        continue
    terms = [[float(sum(gene != 1 for gene in genome)), 2 * genome.count(2)] for genome in message["evaluate"]]
    if os.path.exists("odd"):
        terms[0].pop()
    print(json.dumps({"fitness": [sum(some) for some in terms], "terms": terms}), flush=True)
"#;

#[test]
fn terms_of_the_best_are_kept_checked_and_the_same_after_a_kill() {
    let config = "\
replicates = 6
budget.evaluations = 90
[problem]
command = ['python3', 'terms.py']
genes = 30
values = [0, 2]
terms = ['others', 'twos']
reuse = true
[algorithm]
population = 20
[sweep]
'algorithm.mutation.rate' = [0.02, 0.2]
";
    let Some(lab) = lab(config) else { return };
    lab.write("terms.py", WITH_TERMS);
    well(&lab, "run own.toml -o one --quiet --jobs 1");
    well(&lab, "run own.toml -o four --quiet --jobs 4");
    assert_eq!(lab.decided("one"), lab.decided("four"));
    let terms = read(&lab, "one/terms.csv");
    assert!(terms.starts_with("run,term,value\n0,others,"), "{terms}");
    assert_eq!(terms.lines().count(), 1 + 2 * 12);
    // The value of the best is the sum of its terms.
    let place = lab.row("one/runs.csv", 0).iter().position(|name| name == "best_fitness").expect("a column");
    for run in 0..12 {
        let of_run: Vec<f64> = terms
            .lines()
            .skip(1 + 2 * run)
            .take(2)
            .map(|row| row.rsplit(',').next().and_then(|cell| cell.parse().ok()).expect("a number"))
            .collect();
        let best: f64 = lab.row("one/runs.csv", run + 1)[place].parse().expect("a fitness");
        assert_eq!(of_run.iter().sum::<f64>(), best, "run {run}: {of_run:?}");
    }
    assert!(well(&lab, "validate one --replay all --programs .").contains("every claim holds"));
    let first = terms.lines().nth(1).expect("a row");
    for (row, said) in [
        ("0,others,7.25", "different terms"),
        ("0,others,inf", "no finite number"),
        ("0,others,", "some of its terms are missing"),
        ("0,other,1.0", "its terms are not others, twos"),
        ("", "its terms are not others, twos"),
    ] {
        lab.copy("one", "forged");
        let line = if row.is_empty() { String::new() } else { format!("{row}\n") };
        lab.write("forged/terms.csv", terms.replacen(&format!("{first}\n"), &line, 1));
        crate::lab::forge_again(&lab.path("forged"));
        let ended = lab.kenga(&["validate", "forged", "--replay", "all", "--programs", "."]);
        assert!(ended.code == 1 && flat(&ended.stdout).contains(said), "{row}: {}", ended.stdout);
    }
    let rows = |file: &str| fs::read_to_string(lab.path(file)).unwrap_or_default().lines().count() as u64;
    let args = ["run", "--config", "own.toml", "--out", "torn", "--quiet", "--resume"];
    crate::resume::kill_and_resume(&lab, &args, 4, |round| rows("torn/terms.csv") > 4 * round);
    assert_eq!(lab.decided("torn"), lab.decided("one"));
    // Shards are merged with their terms.
    well(&lab, "sweep plan own.toml -o plan.json --pilot 0");
    for shard in ["0/2", "1/2"] {
        well(&lab, &format!("sweep run plan.json --shard {shard} -o shards --quiet"));
    }
    well(&lab, "sweep merge plan.json shards -o merged");
    assert_eq!(read(&lab, "merged/terms.csv"), terms);
    // An answer without a term fails the run, which has none.
    lab.write("odd", "");
    let ended = lab.kenga(&["run", "own.toml", "-o", "odd-runs", "--runs", "1", "--quiet"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(read(&lab, "odd-runs/failures.csv").contains("it answered with 1 terms of a genome, not 2"));
    assert!(read(&lab, "odd-runs/terms.csv").contains("\n0,others,\n0,twos,\n"));
    well(&lab, "validate odd-runs");
    for (names, said) in [("['a', 'a']", "\"a\" is there twice"), ("['']", "is empty")] {
        lab.write("bad.toml", config.replace("['others', 'twos']", names));
        let complained = refused(&lab, "run bad.toml -o bad");
        assert!(complained.contains(said), "{names}: {complained}");
    }
}
