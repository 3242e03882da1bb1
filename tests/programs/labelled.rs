//! Names that people give to settings, algorithms and puzzles.

use crate::lab::{Lab, refused, well};

const CONFIG: &str = "\
puzzles = [\"4x4.txt\"]
suite = \"four, by \\\"hand\\\"\"
seed = 3
replicates = 4
[budget]
evaluations = 120
[algorithm]
name = \"genetic\"
population = 12
label = \"mine, <b>fast</b>\"
";

fn sweep(algorithms: &str) -> String {
    format!(
        "puzzles = ['4x4.txt']\nreplicates = 3\n[budget]\nevaluations = 120\nmoves = 120\n[sweep]\n{algorithms}\n"
    )
}

#[test]
fn a_label_is_the_name_of_its_setting_everywhere() {
    let lab = Lab::new();
    lab.write("a.toml", CONFIG);
    lab.write(
        "b.toml",
        CONFIG
            .replace("mine, <b>fast</b>", "walk")
            .replace("genetic", "random")
            .replace("population = 12\n", ""),
    );
    well(&lab, "run --config a.toml --out a --quiet");
    well(&lab, "run --config b.toml --out b --quiet");
    let compared = well(&lab, "compare a b --csv");
    assert!(compared.contains("\"mine, <b>fast</b>\",") && compared.contains("\nwalk,"), "{compared}");
    let json = well(&lab, "compare a b --json");
    assert!(json.contains("\"name\":\"mine, <b>fast</b>\"") && json.contains("\"name\":\"walk\""), "{json}");
    lab.kenga(&["report", "a", "b", "-o", "r.html"]);
    let page = lab.read("r.html");
    assert!(page.contains("mine, &lt;b&gt;fast&lt;/b&gt;") && !page.contains("mine, <b>fast</b>"));
    lab.kenga(&["export", "a", "b", "--to", "ioh", "-o", "ioh"]);
    let meta = lab.read("ioh/walk/IOHprofiler_f1_4x4.json");
    assert!(
        meta.contains("\"suite\": \"four, by \\\"hand\\\"\"") && meta.contains("\"name\": \"walk\""),
        "{meta}"
    );
    assert!(meta.contains("\"instance\": 4") && !meta.contains("\"instance\": 5"), "{meta}");
    // The name changes no run.
    lab.write("c.toml", CONFIG.replace("label = \"mine, <b>fast</b>\"\n", ""));
    well(&lab, "run --config c.toml --out c --quiet");
    assert_eq!(lab.read("a/runs.csv"), lab.read("c/runs.csv"));
    let said = refused(&lab, "compare a c");
    assert!(said.contains("c holds runs that a also holds"), "{said}");
}

#[test]
fn the_tables_of_a_sweep_have_labels() {
    let lab = Lab::new();
    let two = "algorithm = [{name = 'genetic', population = 12, label = 'A, 1'}, {name = 'genetic', population = 8, label = 'B'}, 'random']";
    lab.write("s.toml", sweep(two));
    well(&lab, "run --config s.toml --out s --quiet");
    let runs = lab.read("s/runs.csv");
    assert!(runs.contains("\n0,4x4,0,0,\"A, 1\",") && runs.contains("\n1,4x4,1,0,B,"), "{runs}");
    well(&lab, "validate s --replay all");
    well(&lab, "run --resume s --quiet");
    well(&lab, "sweep plan --config s.toml --pilot 0 -o plan.json");
    well(&lab, "sweep run plan.json --out again --quiet");
    for file in ["runs.csv", "settings.jsonl", "manifest.json"] {
        assert_eq!(lab.read(&format!("s/{file}")), lab.read(&format!("again/{file}")));
    }
    // Beside another key the label is that of the algorithm, not of a setting.
    lab.write("s.toml", sweep(&format!("{two}\n'budget.evaluations' = [60, 90]")));
    well(&lab, "run --config s.toml --out t --quiet");
    assert!(lab.read("t/runs.csv").contains(",\"A, 1\",60,"));
    well(&lab, "validate t");
}

#[test]
fn a_label_for_two_is_refused_with_both() {
    let lab = Lab::new();
    for (algorithms, both) in [
        (
            "[{name = 'genetic', label = 'x'}, {name = 'random', label = 'x'}]",
            "genetic(label=x) and random(label=x)",
        ),
        ("[{name = 'genetic', label = 'random'}, 'random']", "genetic(label=random) and random"),
    ] {
        lab.write("s.toml", sweep(&format!("algorithm = {algorithms}")));
        let said = refused(&lab, "run --config s.toml --out s");
        assert!(said.contains("two values of `algorithm` are called") && said.contains(both), "{said}");
    }
    lab.write("a.toml", CONFIG.replace("mine, <b>fast</b>", "=1+1"));
    let said = refused(&lab, "run --config a.toml --out a");
    assert!(said.contains("`label` takes a name of up to 60 characters"), "{said}");
}

#[test]
fn a_program_is_called_by_its_file() {
    let lab = Lab::new();
    let programs = "algorithm = [{name = 'program', command = ['python3', '/home/me/one.py']}, {name = 'program', command = ['/opt/two']}]";
    lab.write("s.toml", sweep(programs));
    let said = well(&lab, "sweep plan --config s.toml --pilot 0");
    assert!(said.contains("  one.py\n") && said.contains("  two\n") && !said.contains("home"), "{said}");
}
