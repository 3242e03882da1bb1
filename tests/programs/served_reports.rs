//! What a server says of results folders is what the command line says.

use serde_json::{Value, json};

use crate::lab::Lab;
use crate::served::Served;

const SWEEP: &str = "\
puzzles = [\"4x4.txt\", \"two.txt\"]
replicates = 6
[budget]
evaluations = 300
[sweep]
\"algorithm.population\" = [10, 20]
\"algorithm.mutation.rate\" = [0.02, 0.2]
";

fn served() -> (Lab, Served) {
    let lab = Lab::new();
    lab.write("two.txt", "2\n3+ A1 A2\n3+ B1 B2\n");
    lab.write("sweep.toml", SWEEP);
    lab.run(&["--config", "sweep.toml", "--quiet", "--out", "a/sweep"]);
    lab.run(&["--config", "ga.toml", "--quiet", "--out", "a/ga"]);
    let served = Served::start(&lab, &["a"]);
    (lab, served)
}

/// A sentence as a page has it: per cent stays with its number, and what is between backticks is code.
fn on_page(sentence: &str) -> String {
    let mut page = String::new();
    for (index, part) in sentence.replace('"', "&quot;").replace(" %", "\u{a0}%").split('`').enumerate() {
        page += &if index % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() };
    }
    page
}

#[test]
fn a_report_is_that_of_the_command_line() {
    let (lab, served) = served();
    let report = served.done("report", &json!({"folders": ["sweep"], "by": ["population"]}));
    let body = report["body"].as_str().expect("a text");
    let page = lab.kenga(&["report", "a/sweep", "--by", "population", "-o", "-"]).stdout;
    assert!(page.contains(body), "it is a part of the page");
    assert!(!body.contains("<script") && !body.contains("<h1") && !body.contains(" style="));
    let compared = lab.kenga(&["compare", "a/sweep", "--by", "population", "--json"]).stdout;
    assert_eq!(report["comparison"], serde_json::from_str::<Value>(&compared).expect("an object"));
    assert_eq!(
        report["keys"],
        json!({"algorithm.population": ["10", "20"], "algorithm.mutation.rate": ["0.02", "0.2"]})
    );
    assert_eq!((&report["puzzles"], &report["problem"]), (&json!(["4x4", "two"]), &Value::Null));
    let asked = json!({"folders": ["sweep"], "metric": "evaluations", "alpha": 0.01, "baseline": "population = 10, mutation.rate = 0.2", "ids": ["4x4"], "smallest": 1.5, "group": "size"});
    let report = served.done("report", &asked);
    let args = [
        "compare",
        "a/sweep",
        "--metric",
        "evaluations",
        "--alpha",
        "0.01",
        "--baseline",
        "population = 10, mutation.rate = 0.2",
        "--puzzle",
        "4x4",
        "--smallest",
        "1.5",
        "--group",
        "size",
        "--json",
    ];
    assert_eq!(
        report["comparison"],
        serde_json::from_str::<Value>(&lab.kenga(&args).stdout).expect("an object")
    );
    let headline = report["comparison"]["headline"].as_str().expect("a sentence");
    assert!(
        report["comparison_body"].as_str().is_some_and(|body| body.contains(&on_page(headline))),
        "{headline}"
    );
}

#[test]
fn settings_are_kept_by_the_values_of_their_keys() {
    let (_lab, served) = served();
    let kept = |filters: Value| {
        served.done("report", &json!({"folders": ["sweep"], "where": filters}))["settings"].clone()
    };
    assert_eq!(kept(json!({})).as_array().map(Vec::len), Some(4));
    assert_eq!(kept(json!({"population": ["10"]})).as_array().map(Vec::len), Some(2));
    assert_eq!(
        kept(json!({"population": ["10"], "mutation.rate": ["0.2"]})).as_array().map(Vec::len),
        Some(1)
    );
    let alone = served.done("report", &json!({"folders": ["ga"]}));
    assert!(
        alone["comparison"].is_null()
            && alone["problem"].as_str().is_some_and(|why| why.contains("only one setting"))
    );
    let both = served.done("report", &json!({"folders": ["ga", "sweep"], "ids": ["4x4"]}));
    assert_eq!(both["settings"].as_array().map(Vec::len), Some(5));
}

#[test]
fn a_question_without_an_answer_is_refused() {
    let (lab, served) = served();
    let code = |asked: Value| served.post("report", &asked).refusal();
    let bad = (422, "bad_question".to_owned());
    assert_eq!(code(json!({"folders": ["sweep"], "by": ["colour"]})), bad);
    assert_eq!(code(json!({"folders": ["sweep"], "where": {"colour": ["red"]}})), bad);
    assert_eq!(code(json!({"folders": ["sweep"], "where": {"population": ["11"]}})), bad);
    assert_eq!(code(json!({"folders": ["sweep"], "ids": ["five"]})), bad);
    assert_eq!(code(json!({"folders": ["sweep", "sweep"]})), bad);
    assert_eq!(code(json!({"folders": []})), bad);
    assert_eq!(
        code(json!({"folders": ["sweep"], "where": {"population": [10]}})),
        (400, "bad_request".to_owned())
    );
    assert_eq!(code(json!({"folders": ["sweep"], "metric": "speed"})), (400, "bad_request".to_owned()));
    assert_eq!(code(json!({"folders": [".."]})), (422, "bad_folder".to_owned()));
    assert_eq!(code(json!({"folders": ["none"]})), (404, "not_found".to_owned()));
    lab.write("a/empty/manifest.json", "{}");
    assert_eq!(code(json!({"folders": ["empty"]})), bad);
}
