//! A folder that kenga has written is never refuted, and one that was torn is made whole, whatever was asked for.
//!
//! Configurations are drawn over every table: the algorithm, its operators and what stands inside them, with their
//! parameters; encodings, fitness, budget, what is recorded, what is swept. What does not go together loses keys until it
//! does.

use std::fs;
use std::ops::Range;
use std::path::Path;

use kenga::budget::Interrupt;
use kenga::experiment::{ConfigDraft, Plan, Runner, Settings, families};
use kenga::puzzle::{Puzzle, formats};
use kenga::results::{Replay, validate};
use kenga::rng::{RunRng, StreamKey};
use kenga::spec::{Catalog, Member, Param, ParamKind};
use toml::{Table, Value};

use crate::inside;

/// Puzzles of every kind; the first ones are small.
const PUZZLES: [&str; 12] = [
    r#"{"id":"one","size":1,"cages":[{"op":"=","target":1,"cells":[[0,0]]}]}"#,
    r#"{"id":"two, \"many\"","size":2,"cages":[{"op":"+","target":6,"cells":[[0,0],[0,1],[1,0],[1,1]]}]}"#,
    r#"{"id":"none","size":2,"cages":[{"op":"*","target":7,"cells":[[0,0],[0,1]]},{"op":"+","target":3,"cells":[[1,0],[1,1]]}]}"#,
    r#"{"id":"given","size":3,"cages":[{"op":"+","target":18,"cells":[[0,0],[0,1],[0,2],[1,0],[1,1],[1,2],[2,0],[2,1],[2,2]]}],"givens":[[0,0,2],[1,1,1]]}"#,
    include_str!("../../puzzles/original/4x4.txt"),
    include_str!("../../puzzles/family/kakuro-6x6.json"),
    include_str!("../../puzzles/family/killer-6x6.json"),
    include_str!("../../puzzles/family/latin-7x7.json"),
    include_str!("../../puzzles/family/sudoku-9x9.json"),
    include_str!("../../puzzles/family/futoshiki-6x6.json"),
    include_str!("../../puzzles/family/magic-4x4.json"),
    include_str!("../../puzzles/family/queens-8x8.json"),
];

/// How many of them are small.
const SMALL: usize = 5;

/// What is drawn, and how large.
struct Draw {
    rng: RunRng,
    /// Evaluations and moves of a run.
    most: usize,
    puzzles: usize,
}

impl Draw {
    fn new(case: u64, most: usize, puzzles: usize) -> Self {
        Self { rng: StreamKey::run(case, "honest", 0).rng(), most, puzzles }
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.rng.below(of.len())]
    }

    /// A member of a family with some of its parameters.
    fn member(&mut self, family: &dyn Catalog, depth: usize) -> Value {
        let members = family.members();
        let member: &Member = self.one::<&'static Member>(&members);
        let mut table = self.section(member.params, depth);
        table.insert("name".to_owned(), member.name.into());
        Value::Table(table)
    }

    fn section(&mut self, params: &[Param], depth: usize) -> Table {
        let mut table = Table::new();
        for param in params {
            if self.rng.coin(if depth == 0 { 0.4 } else { 0.3 })
                && let Some(value) = self.value(param, depth)
            {
                table.insert(param.name.to_owned(), value);
            }
        }
        table
    }

    fn value(&mut self, param: &Param, depth: usize) -> Option<Value> {
        let deep = depth > 2;
        Some(match param.kind {
            ParamKind::Integer(low, high) => self.integer(low, high).into(),
            ParamKind::ChoiceOrInteger(words, low, high) => match self.rng.coin(0.5) {
                true => (*self.one(words)).into(),
                false => self.integer(low, high).into(),
            },
            ParamKind::Scheduled(_, _, family) if !deep && self.rng.coin(0.3) => {
                self.member(family, depth + 1)
            }
            ParamKind::Real(low, high) | ParamKind::Scheduled(low, high, _) => {
                let (low, high) = (low.max(-2.0), high.min(low.max(-2.0) + 4.0));
                let real = [low, high, low + (high - low) * self.rng.unit(), low + (high - low) * 0.1];
                (*self.one(&real)).into()
            }
            ParamKind::Choice(words) => (*self.one(words)).into(),
            ParamKind::Choices(words) => {
                let chosen: Vec<&str> = words.iter().copied().filter(|_| self.rng.coin(0.4)).collect();
                chosen.into()
            }
            ParamKind::Flag => self.rng.coin(0.5).into(),
            ParamKind::Member(_) | ParamKind::Members(_) if deep => return None,
            ParamKind::Member(family) => self.member(family, depth + 1),
            ParamKind::Members(family) => {
                let count = 1 + self.rng.below(3);
                let first = self.member(family, depth + 1);
                let rest = (1..count).map(|_| match self.rng.coin(0.3) {
                    true => first.clone(),
                    false => self.member(family, depth + 1),
                });
                let rest: Vec<Value> = rest.collect();
                Value::Array([vec![first], rest].concat())
            }
            ParamKind::Section(params) => Value::Table(self.section(params, depth + 1)),
            ParamKind::Text | ParamKind::Texts | ParamKind::List | ParamKind::Table => return None,
        })
    }

    /// Mostly a small one.
    fn integer(&mut self, low: i64, high: i64) -> i64 {
        let reach = [1, 3, 12, 60][self.rng.below(4)];
        low + self.rng.below(usize::try_from((high - low).min(reach)).unwrap_or(0) + 1) as i64
    }

    /// A whole configuration, which may be refused.
    fn configuration(&mut self) -> Table {
        let families = families();
        let family =
            |name: &str| *families.iter().find(|family| family.family() == name).expect("it is there");
        let mut budget = Table::new();
        budget.insert("evaluations".to_owned(), (1 + self.rng.below(self.most) as i64).into());
        budget.insert("moves".to_owned(), (1 + self.rng.below(4 * self.most) as i64).into());
        if self.rng.coin(0.3) {
            budget.insert("generations".to_owned(), (1 + self.rng.below(30) as i64).into());
        }
        let every: [Value; 7] =
            [1.into(), 1.into(), 2.into(), 7.into(), 0.into(), "improvement".into(), "log".into()];
        let every = self.one(&every).clone();
        let mut record = Table::from_iter([("every".to_owned(), every)]);
        for switch in ["migrations", "groups", "operators"] {
            record.insert(switch.to_owned(), self.rng.coin(0.6).into());
        }
        if self.rng.coin(0.5) {
            record.insert("populations".to_owned(), (*self.one(&[0, 1, 3])).into());
        }
        record.insert("gzip".to_owned(), self.rng.coin(0.2).into());
        if self.rng.coin(0.2) {
            record.insert("columns".to_owned(), vec!["worst", "entropy", "cage", "group"].into());
        }
        let mut exact = Table::new();
        exact.insert("nodes".to_owned(), (*self.one(&[0, 5, 2000])).into());
        exact.insert("solutions".to_owned(), (*self.one(&[1, 3, 64])).into());
        exact.insert("dead".to_owned(), (*self.one(&["off", "note", "stop"])).into());
        let mut fitness = Table::new();
        fitness.insert("cages".to_owned(), (*self.one(&["binary", "gap"])).into());
        if self.rng.coin(0.3) {
            let weights = ["count", "row", "column", "region", "cage", "group"];
            let weights = weights.map(|term| (term.to_owned(), Value::from(1 + self.rng.below(4) as i64)));
            fitness.insert("weights".to_owned(), Value::Table(Table::from_iter(weights)));
        }
        let mut table = Table::new();
        table.insert("seed".to_owned(), (self.rng.below(1000) as i64).into());
        table.insert("replicates".to_owned(), (1 + self.rng.below(3) as i64).into());
        table.insert("propagate".to_owned(), self.rng.coin(0.15).into());
        table.insert("algorithm".to_owned(), self.member(family("algorithm"), 0));
        for (name, section) in
            [("budget", budget), ("record", record), ("exact", exact), ("fitness", fitness)]
        {
            table.insert(name.to_owned(), section.into());
        }
        if self.rng.coin(0.25) {
            let mut sweep = Table::new();
            sweep.insert("fitness.cages".to_owned(), vec!["binary", "gap"].into());
            if self.rng.coin(0.3) {
                sweep.insert("method".to_owned(), "race".into());
            } else if self.rng.coin(0.5) {
                sweep.insert("fitness.weights.cage".to_owned(), Value::Array(vec![2.into(), 7.into()]));
            }
            table.insert("sweep".to_owned(), sweep.into());
        }
        table
    }

    /// Takes a key away; says whether there was one.
    fn thin(&mut self, table: &mut Table) -> bool {
        let keys: Vec<String> = table.keys().filter(|key| *key != "name").cloned().collect();
        if keys.is_empty() {
            return false;
        }
        let key = self.one(&keys).clone();
        let is_thinner = match &mut table[&key] {
            Value::Table(inner) if self.rng.coin(0.8) => self.thin(inner),
            Value::Array(values) if self.rng.coin(0.8) => {
                let place = self.rng.below(values.len().max(1));
                values.get_mut(place).and_then(Value::as_table_mut).is_some_and(|inner| self.thin(inner))
            }
            _ => false,
        };
        if !is_thinner {
            table.remove(&key);
        }
        true
    }

    /// Settings that go together, and the text that they were read from.
    fn settings(&mut self) -> (Settings, String) {
        loop {
            let mut table = self.configuration();
            loop {
                let text = toml::to_string(&table).expect("tables can be written");
                let read = ConfigDraft::read("drawn.toml", &text).and_then(ConfigDraft::settings);
                match read {
                    Ok(settings) => return (settings, text),
                    Err(_) => {
                        let algorithm = table["algorithm"].as_table_mut().expect("it is a table");
                        if !self.thin(algorithm) {
                            break;
                        }
                    }
                }
            }
        }
    }

    fn puzzles(&mut self) -> Vec<Puzzle> {
        let mut places: Vec<usize> = (0..self.puzzles).collect();
        self.rng.shuffle(&mut places);
        places.truncate(1 + self.rng.below(2));
        let read = |place: usize| formats::read(&place.to_string(), PUZZLES[place].as_bytes()).remove(0);
        places.into_iter().map(|place| read(place).expect("a sound puzzle")).collect()
    }
}

/// Makes the experiment of a case, checks its folder, tears it, and makes it whole again; what went wrong, if anything.
fn check(case: u64, most: usize, puzzles: usize) -> Option<String> {
    let mut draw = Draw::new(case, most, puzzles);
    let (settings, text) = draw.settings();
    let plan = Plan::new(settings, draw.puzzles());
    // A puzzle that an encoding cannot hold is refused.
    let runner = Runner::prepare(&plan, 1, &Interrupt::default()).ok()?;
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().join("o");
    inside::begin(&folder, &plan, &runner);
    match validate(&folder, Replay::All, 1, None, &(), &Interrupt::default()) {
        Err(error) => return Some(format!("case {case}: {error}\n{text}")),
        Ok(found) if !found.findings.is_empty() => {
            return Some(format!("case {case}: {:#?}\n{text}", found.findings));
        }
        Ok(_) => {}
    }
    let before = bytes(&folder);
    let torn = tear(&mut draw.rng, &folder, &before);
    inside::resume(&folder, &plan, &runner);
    let other = before.iter().zip(bytes(&folder)).find(|(was, is)| *was != is);
    other.map(|((name, _), _)| format!("case {case}: {name} is another after {torn}\n{text}"))
}

/// Every file but that of times.
fn bytes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let names = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
    let mut names: Vec<String> = names.filter(|name| name != "timing.csv").collect();
    names.sort();
    let read = |name: String| (name.clone(), fs::read(folder.join(&name)).expect("the file is there"));
    names.into_iter().map(read).collect()
}

/// Loses the end of a growing file, as a crash does; says of which.
fn tear(rng: &mut RunRng, folder: &Path, files: &[(String, Vec<u8>)]) -> String {
    let grows = |(name, _): &&(String, Vec<u8>)| name.contains(".csv") && name != "puzzles.csv";
    let growing: Vec<_> = files.iter().filter(grows).collect();
    let (name, bytes) = growing[rng.below(growing.len())];
    let mut left = rng.below(bytes.len());
    if name == "ledger.csv" {
        // No kill loses more than one line of the ledger.
        let last = bytes[..bytes.len() - 1].iter().rposition(|byte| *byte == b'\n').expect("it has a header");
        left = last + 1 + left % (bytes.len() - last - 1);
    }
    fs::write(folder.join(name), &bytes[..left]).expect("it can be written");
    fs::remove_file(folder.join("checksums.txt")).expect("it is there");
    format!("{name} was cut to {left} of {} bytes", bytes.len())
}

/// Checks many cases and shows what went wrong.
fn all_hold(cases: Range<u64>, most: usize, puzzles: usize) {
    let wrong: Vec<String> = cases.filter_map(|case| check(case, most, puzzles)).collect();
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn an_honest_folder_is_never_refuted() {
    all_hold(0..kenga_testing::size(40, 120), 60, SMALL);
}

/// As many cases as `KENGA_CASES` says, from `KENGA_FIRST` on:
/// `KENGA_CASES=5000 cargo test --release --test programs -- --ignored honest`.
#[test]
#[ignore = "takes as long as it is told to"]
fn no_honest_folder_of_many_is_refuted() {
    let number = |name: &str, or: u64| std::env::var(name).map_or(or, |text| text.parse().expect("a number"));
    let (first, cases) = (number("KENGA_FIRST", 1000), number("KENGA_CASES", 1000));
    all_hold(first..first + cases, 400, PUZZLES.len());
}
