//! Runs that the server plays: the same as `kenga run` makes, under the orders of a page.

use serde_json::{Value, json};

use crate::lab::{Lab, forge_again, well};
use crate::own_problem;
use crate::served::{Answer, FOUR, Served};
use crate::streams::Events;

const GENETIC: &str = "
seed = 3
replicates = 3
budget.evaluations = 4000
algorithm = { name = 'islands', count = 3, interval = 200, island = { name = 'genetic', population = 20 } }
";

/// Begins to play; the id.
fn begin(served: &Served, config: &str, more: Value) -> String {
    let mut asked = json!({"config": config, "puzzle": include_str!("../../puzzles/original/6x6.txt")});
    let Value::Object(more) = more else { panic!("an object") };
    asked.as_object_mut().expect("an object").extend(more);
    served.done("play", &asked)["play"].as_str().expect("an id").to_owned()
}

/// What a page knows of a play: what was told, put together.
struct Page {
    events: Events,
    known: Value,
    generations: Vec<u64>,
}

impl Page {
    fn open(served: &Served, id: &str) -> Self {
        let (status, events) = Events::open(served, &format!("frames?play={id}"));
        assert_eq!(status, 200);
        Self { events, known: json!({}), generations: Vec::new() }
    }

    /// Reads on until this holds.
    fn until(&mut self, holds: impl Fn(&Value) -> bool) -> &Value {
        while !holds(&self.known) {
            let (_, told) = self.events.next().expect("it goes on");
            if let Some(curve) = told.get("curve") {
                let new = curve["generation"].as_array().expect("a list");
                self.generations.extend(new.iter().map(|generation| generation.as_u64().expect("a number")));
            }
            let Value::Object(told) = told else { panic!("an object") };
            self.known.as_object_mut().expect("an object").extend(told);
        }
        &self.known
    }
}

/// What `frames` answers to one who accepts no stream.
fn once(served: &Served, id: &str) -> Answer {
    served.ask("GET", &format!("/api/v1/frames?play={id}"), &served.known(), "")
}

fn order(served: &Served, id: &str, order: &str, value: u64) {
    served.done("order", &json!({"play": id, "order": order, "value": value}));
}

#[test]
fn what_is_played_is_what_the_command_makes() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let id = begin(&served, GENETIC, json!({"run": 1, "speed": 0}));
    let mut page = Page::open(&served, &id);
    let end = page.until(|known| known["state"] == "ended").clone();
    lab.write("config.toml", GENETIC);
    lab.write("puzzle.txt", include_str!("../../puzzles/original/6x6.txt"));
    lab.run(&["--config", "config.toml", "--puzzle", "puzzle.txt", "--out", "made", "--quiet"]);
    let rows = lab.read("made/runs.csv");
    let names: Vec<&str> = rows.lines().next().expect("names").split(',').collect();
    let row: Vec<&str> = rows.lines().nth(2).expect("the second run").split(',').collect();
    let made = |name: &str| row[names.iter().position(|own| *own == name).expect("a column")].to_owned();
    let frame = &end["frame"];
    for (column, told) in [
        ("evaluations", &frame["evaluations"]),
        ("best_fitness", &frame["best"]["fitness"]),
        ("stop_reason", &end["record"]["stop"]),
        ("solved", &end["record"]["solved"]),
    ] {
        assert_eq!(made(column), told.to_string().trim_matches('"'), "{column}");
    }
    assert_eq!((&end["run"]["run"], &end["run"]["runs"]), (&json!(1), &json!(3)));
    assert_eq!(end["record"]["verdict"], Value::Null);
    assert_eq!(frame["populations"].as_array().map(Vec::len), Some(3));
    let island = &frame["populations"][0];
    assert_eq!(island["genomes"].as_array().map(Vec::len), Some(20));
    assert_eq!(island["genomes"][0].as_str().map(str::len), Some(36));
    assert_eq!(end["run"]["facts"]["solutions"], 1);
    let mut once = page.generations.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), page.generations.len(), "nothing is told twice");
}

#[test]
fn a_run_of_a_folder_is_compared_with_its_row() {
    let lab = Lab::new();
    lab.write("config.toml", format!("puzzles = ['puzzle.txt']{GENETIC}"));
    lab.write("puzzle.txt", include_str!("../../puzzles/original/6x6.txt"));
    lab.run(&["--config", "config.toml", "--out", "made", "--quiet"]);
    let served = Served::start(&lab, &["."]);
    let play = |asked: Value| served.done("play", &asked)["play"].as_str().expect("an id").to_owned();
    let id = play(json!({"folder": "made", "run": 2, "speed": 0}));
    let mut page = Page::open(&served, &id);
    let ended = |known: &Value| known["state"] == "ended";
    assert_eq!(page.until(ended)["record"]["verdict"], "as recorded");
    // Without a puzzle the files that the configuration names, below the folder that is served.
    let id = play(json!({"config": lab.read("config.toml"), "speed": 0}));
    assert_eq!(Page::open(&served, &id).until(ended)["record"]["verdict"], Value::Null);
    let refused = |asked: Value| served.post("play", &asked).refusal().1;
    assert_eq!(refused(json!({"folder": "made", "seed": 2})), "bad_config");
    assert_eq!(refused(json!({"folder": "../made"})), "bad_folder");
    assert_eq!(refused(json!({})), "bad_config");
    lab.change("made/runs.csv", |text| {
        let (names, rows) = text.split_once('\n').expect("names");
        format!("{names}\n{}", rows.replace(",evaluations,", ",moves,"))
    });
    forge_again(&lab.path("made"));
    let id = play(json!({"folder": "made", "speed": 0}));
    let verdict = Page::open(&served, &id).until(ended)["record"]["verdict"].to_string();
    assert!(verdict.contains("not as recorded: stop_reason"), "{verdict}");
}

#[test]
fn a_play_does_what_it_is_told() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let id = begin(&served, GENETIC, json!({"paused": true}));
    let mut page = Page::open(&served, &id);
    let at = |generation: u64| move |known: &Value| known["frame"]["generation"] == generation;
    page.until(at(0));
    order(&served, &id, "forward", 10);
    page.until(at(10));
    order(&served, &id, "seek", 4);
    let four = page.until(at(4))["frame"].clone();
    order(&served, &id, "count_operators", 1);
    let counted = page.until(|known| known["counts_operators"] == true)["frame"].clone();
    assert_eq!(four["best"], counted["best"]);
    assert!(counted["operators"].as_array().is_some_and(|operators| !operators.is_empty()));
    order(&served, &id, "improvement", 0);
    let better = page.until(|known| known["frame"]["best"]["fitness"] != four["best"]["fitness"]);
    assert!(better["frame"]["best"]["fitness"].as_u64() < four["best"]["fitness"].as_u64());
    order(&served, &id, "end", 0);
    page.until(|known| known["state"] == "ended");
    order(&served, &id, "run", 2);
    page.until(|known| known["run"]["run"] == 2);
    order(&served, &id, "speed", 0);
    order(&served, &id, "play", 0);
    page.until(|known| known["state"] == "ended" && known["speed"].is_null());
    // One who comes later is told all of it, and so is one who asks once.
    let mut other = Page::open(&served, &id);
    let again = other.until(|known| known["frame"].is_object()).clone();
    assert_eq!(again["frame"], page.known["frame"]);
    assert_eq!(once(&served, &id).json()["frame"], again["frame"]);
    order(&served, &id, "close", 0);
    page.until(|known| known["state"] == "closed");
    assert_eq!(once(&served, &id).refusal(), (404, "no_play".to_owned()));
}

#[test]
fn a_child_is_told_with_its_parents_and_its_steps() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let id = begin(&served, GENETIC, json!({"paused": true}));
    let mut page = Page::open(&served, &id);
    page.until(|known| known["frame"]["generation"] == 0);
    let of = |more: Value| {
        let mut asked = json!({"play": id});
        asked.as_object_mut().expect("one").extend(more.as_object().expect("another").clone());
        served.done("births", &asked)
    };
    assert_eq!(of(json!({}))["origin"], "random");
    order(&served, &id, "seek", 7);
    let frame = page.until(|known| known["frame"]["generation"] == 7)["frame"].clone();
    let mut born = 0;
    for row in 0..20 {
        let told = of(json!({"generation": 7, "population": 1, "individual": row}));
        assert_eq!(told["individual"]["genome"], frame["populations"][1]["genomes"][row]);
        assert_eq!(told["individual"]["fitness"], frame["populations"][1]["fitness"][row]);
        if told["origin"] == "stayed" {
            continue;
        }
        born += 1;
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let parents = [0, 1].map(|parent| text(&told["parents"][parent]["genome"]));
        let (crossed, sides) = (text(&told["crossed"]["genome"]), text(&told["crossed"]["sides"]));
        for (gene, side) in sides.chars().enumerate() {
            let has = parents.each_ref().map(|parent| parent.as_bytes()[gene] == crossed.as_bytes()[gene]);
            let expected = [['?', '1'], ['0', '=']][usize::from(has[0])][usize::from(has[1])];
            assert_eq!((side, side != '?'), (expected, true));
        }
        let changed = told["mutated"]["changed"].as_array().expect("genes");
        let mutated = text(&told["mutated"]["genome"]);
        let differs = (0..36).filter(|gene| mutated.as_bytes()[*gene] != crossed.as_bytes()[*gene]);
        assert_eq!(*changed, differs.map(|gene| json!(gene)).collect::<Vec<_>>());
        assert_eq!(json!(mutated), told["individual"]["genome"]);
    }
    assert!(born > 10);
    let refused = |asked: Value| served.post("births", &asked).refusal().1;
    assert_eq!(refused(json!({"play": id, "generation": 8})), "not_shown");
    assert_eq!(refused(json!({"play": id, "population": 3})), "not_shown");
    order(&served, &id, "end", 0);
    page.until(|known| known["state"] == "ended");
    assert_ne!(of(json!({}))["origin"], "unknown");
}

#[test]
fn what_cannot_be_played_is_refused_with_a_code() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let refused = |asked: Value| served.post("play", &asked).refusal().1;
    let of = |config: &str| refused(json!({"config": config, "puzzle": FOUR}));
    assert_eq!(of("algorithm = 3"), "bad_config");
    assert_eq!(of("budget.evaluations = 10\nalgorithm.name = 'genetics'"), "bad_config");
    assert_eq!(of("budget.evaluations = 10\nalgorithm.population = 100_000_000"), "bad_config");
    let crowded =
        "algorithm = { name = 'islands', count = 1000, island = { name = 'genetic', population = 100_000 } }";
    assert_eq!(of(&format!("budget.evaluations = 10\n{crowded}")), "bad_config");
    assert_eq!(of("budget.evaluations = 10\nexact.solutions = 1_000_000"), "bad_config");
    let program = "budget.evaluations = 10\nalgorithm = { name = 'program', command = ['touch', 'made'] }";
    assert_eq!(of(program), "bad_config");
    assert!(!lab.path("made").exists());
    let sound = "budget.evaluations = 10";
    assert_eq!(refused(json!({"config": sound, "puzzle": "nothing"})), "bad_puzzle");
    assert_eq!(refused(json!({"config": sound, "puzzle": FOUR, "run": 1})), "bad_config");
    assert_eq!(served.post("order", &json!({"play": "x"})).refusal(), (404, "no_play".to_owned()));
    // A puzzle that the encoding cannot hold is found out by the play itself.
    let rows = "budget.evaluations = 10\nalgorithm = { name = 'genetic', encoding = 'rows' }";
    let coloring =
        json!({"id": "g", "kind": "coloring", "vertices": 3, "colors": 3, "edges": [[0, 1], [1, 2]]});
    let id = served.done("play", &json!({"config": rows, "puzzle": coloring}))["play"].clone();
    let mut page = Page::open(&served, id.as_str().expect("an id"));
    assert_eq!(page.until(|known| known["state"] == "failed")["error"]["code"], "bad_config");
}

#[test]
fn so_many_runs_are_watched_and_no_more() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let ids: Vec<String> = (0..10).map(|_| begin(&served, GENETIC, json!({"paused": true}))).collect();
    // Those that nobody watches have made room.
    assert_eq!(once(&served, &ids[0]).status, 404);
    let pages: Vec<Page> = ids[2..].iter().map(|id| Page::open(&served, id)).collect();
    let asked = json!({"config": GENETIC, "puzzle": FOUR});
    assert_eq!(served.post("play", &asked).refusal(), (429, "too_many_plays".to_owned()));
    drop(pages);
    let begins = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        served.post("play", &asked).status == 200
    });
    assert!(begins);
}

#[test]
fn short_requests_do_not_wait_for_runs_that_are_played() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let long = GENETIC.replace("4000", "400_000_000");
    let ids: Vec<String> = (0..6).map(|_| begin(&served, &long, json!({"speed": 0}))).collect();
    let pages: Vec<Page> = ids.iter().map(|id| Page::open(&served, id)).collect();
    for _ in 0..20 {
        assert_eq!(served.done("solve", &json!({"puzzle": FOUR}))["status"], "unique");
    }
    drop(pages);
}

#[test]
fn every_example_can_be_played() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    for example in served.get("/api/v1/examples").json().as_array().expect("a list") {
        let asked = json!({"config": example["config"], "puzzle": example["puzzle"], "paused": true});
        let id = served.done("play", &asked)["play"].clone();
        let mut page = Page::open(&served, id.as_str().expect("an id"));
        page.until(|known| known["frame"].is_object() || known["state"] == "failed");
        assert_eq!(page.known["state"], "paused", "{}: {}", example["name"], page.known["error"]);
    }
}

#[test]
fn another_seed_holds_for_puzzles_from_files_too() {
    let lab = Lab::new();
    lab.write("six.txt", include_str!("../../puzzles/original/6x6.txt"));
    let served = Served::start(&lab, &["."]);
    let first = |seed: u64| {
        let config = format!("puzzles = ['six.txt']\n{GENETIC}");
        let asked = json!({"config": config, "seed": seed, "paused": true});
        let id = served.done("play", &asked)["play"].as_str().expect("an id").to_owned();
        Page::open(&served, &id).until(|known| known["frame"].is_object())["frame"]["populations"].clone()
    };
    assert_ne!(first(3), first(4));
}

#[test]
fn a_problem_of_the_folder_is_played_where_programs_may_be_started() {
    let Some(lab) = own_problem::lab(own_problem::CONFIG) else { return };
    well(&lab, "run own.toml -o own --quiet --runs 1");
    let cautious = Served::start(&lab, &["."]);
    let refused = cautious.post("play", &json!({"folder": "own"}));
    assert!(refused.status == 422 && refused.body.contains("--programs FOLDER"), "{}", refused.body);
    // Whoever has the token cannot name a program: only the folder does.
    let served = Served::start(&lab, &[".", "--programs", "."]);
    let started = "command = ['sh', '-c', 'touch started; cat']";
    let other = own_problem::CONFIG.replace("command = ['python3', 'zeros.py']", started);
    for asked in [
        json!({"config": other}),
        json!({"config": other, "puzzle": FOUR}),
        json!({"config": format!("puzzles = ['4x4.txt']\nalgorithm = {{ name = 'program', {started} }}")}),
    ] {
        for endpoint in ["play", "start"] {
            let answer = served.post(endpoint, &asked);
            assert!((400..500).contains(&answer.status), "{endpoint} {asked}: {}", answer.body);
        }
    }
    let play = served.done("play", &json!({"folder": "own", "run": 1, "speed": 0}));
    let id = play["play"].as_str().expect("an id");
    let mut page = Page::open(&served, id);
    let end = page.until(|known| known["state"] == "ended");
    assert_eq!(end["record"]["verdict"], "as recorded", "{end}");
    assert_eq!(
        end["run"]["facts"]["scale"],
        json!({"reference": 0.0, "resolution": null, "maximise": false})
    );
    assert_eq!((&end["frame"]["best"]["terms"], &end["frame"]["best"]["broken"]), (&json!({}), &json!([])));
    let births = served.post("births", &json!({"play": id}));
    assert!(births.body.contains("births are told of runs on puzzles alone"), "{}", births.body);
    assert!(!lab.path("started").exists());
}
