//! The keys that code reads are those that the tables declare: configurations and orders with every member of every family
//! and every parameter are built and started, and the values that this reads are compared with the parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use kenga::budget::{Budget, Guard};
use kenga::craft::GENERATORS;
use kenga::experiment::{CONFIG, Config, MEASURES, families};
use kenga::fitness::{Fitness, Halted, Objective};
use kenga::problem::Problem;
use kenga::puzzle::Puzzle;
use kenga::rng::StreamKey;
use kenga::search::Task;
use kenga::spec::{Catalog, Named, Param, ParamKind, Place, Reading, Spec, Value, record_reads};
use serde_json::{Map, Value as Json, json};

/// A key of a member or a section: the owner and the name.
type Key = (String, &'static str);

/// How deep members are nested.
const DEPTH: usize = 3;

/// The key is read when a process has ended well: those of these configurations fail.
const OF_PROCESSES: (&str, &str) = ("algorithm program", "reuse");

#[derive(Default)]
struct Keys {
    /// The keys that some configuration had, and whether anything read them.
    read: BTreeMap<Key, bool>,
    /// Keys that were read as what they are not.
    mistyped: BTreeSet<String>,
}

impl Keys {
    /// Compares the values of a resolved table, and of those in it, with what was read of them.
    fn compare(
        &mut self,
        owner: &str,
        spec: &Spec,
        params: &'static [Param],
        reads: &[(Arc<Named>, Reading)],
    ) {
        for param in params {
            let key = (owner.to_owned(), param.name);
            let is_read = self.read.entry(key).or_default();
            let Some(named) = spec.values.iter().find(|named| named.key == param.name) else { continue };
            for (_, reading) in reads.iter().filter(|(read, _)| Arc::ptr_eq(read, named)) {
                *is_read = true;
                if !reading.suits(&param.kind) {
                    self.mistyped.insert(format!("{owner}.{}: {reading:?}", param.name));
                }
            }
            match (param.kind, &named.value) {
                (ParamKind::Section(params), Value::Spec(inner)) => {
                    self.compare(param.name, inner, params, reads);
                }
                (ParamKind::Member(family) | ParamKind::Scheduled(_, _, family), value) => {
                    self.compare_member(family, value, reads);
                }
                (ParamKind::Members(family), Value::List(values)) => {
                    values.iter().for_each(|value| self.compare_member(family, value, reads));
                }
                _ => {}
            }
        }
    }

    fn compare_member(&mut self, family: &dyn Catalog, value: &Value, reads: &[(Arc<Named>, Reading)]) {
        if let Value::Spec(spec) = value {
            let member = family.member(&spec.name).expect("it was resolved");
            self.compare(&format!("{} {}", family.family(), member.name), spec, member.params, reads);
        }
    }

    /// Nothing has read the key of a member yet, or one of a member that it can name; an algorithm in another one is named alone.
    fn wants(&self, family: &dyn Catalog, member: &str, param: &Param, depth: usize) -> bool {
        let key = (format!("{} {member}", family.family()), param.name);
        if !self.read.get(&key).copied().unwrap_or_default() {
            return true;
        }
        let (ParamKind::Member(inner) | ParamKind::Members(inner) | ParamKind::Scheduled(_, _, inner)) =
            param.kind
        else {
            return false;
        };
        depth < DEPTH
            && inner.family() != "algorithm"
            && inner.members().into_iter().any(|member| {
                member.params.iter().any(|param| self.wants(inner, member.name, param, depth + 1))
            })
    }

    /// Values of a parameter: small and large ones, every word, and every member that is still wanted.
    fn values(&self, kind: ParamKind, depth: usize) -> Vec<Json> {
        match kind {
            ParamKind::Integer(low, high) => vec![json!(high.min(low.max(3))), json!(low)],
            ParamKind::Real(low, high) => vec![json!(high.min(low.max(0.5)))],
            ParamKind::Scheduled(low, high, family) => {
                let ends = json!({"from": high.min(low.max(0.5)), "to": low});
                let mut values = vec![json!(low)];
                for member in self.members(family, depth) {
                    let mut schedule = ends.as_object().expect("a table").clone();
                    schedule.extend(member);
                    values.push(Json::Object(schedule));
                }
                values
            }
            ParamKind::Choice(words) => words.iter().map(|word| json!(word)).collect(),
            ParamKind::ChoiceOrInteger(words, low, _) => vec![json!(words[0]), json!(low.max(3))],
            ParamKind::Flag => vec![json!(true), json!(false)],
            ParamKind::Text => vec![json!("x")],
            ParamKind::Texts => vec![json!(["false"]), json!(["0-1"])],
            ParamKind::Choices(words) => vec![json!([words[0]])],
            ParamKind::List => vec![json!([1])],
            ParamKind::Member(family) => self.members(family, depth).into_iter().map(Json::Object).collect(),
            ParamKind::Members(family) => {
                self.members(family, depth).into_iter().map(|member| json!([member])).collect()
            }
            ParamKind::Section(params) => {
                let mut section = Map::new();
                for param in params {
                    section.insert(param.name.to_owned(), self.values(param.kind, depth).swap_remove(0));
                }
                vec![Json::Object(section)]
            }
            ParamKind::Table => vec![json!({"key": 1}), json!({"key": {"key": 1}})],
        }
    }

    /// Tables of the members that have unread keys, each with one of these; of an algorithm in another one by its name.
    fn members(&self, family: &dyn Catalog, depth: usize) -> Vec<Map<String, Json>> {
        let mut all = Vec::new();
        for member in family.members() {
            let name = Map::from_iter([("name".to_owned(), json!(member.name))]);
            if depth < DEPTH && (depth == 0 || family.family() != "algorithm") {
                for param in
                    member.params.iter().filter(|param| self.wants(family, member.name, param, depth))
                {
                    for value in self.values(param.kind, depth + 1) {
                        let mut table = name.clone();
                        table.insert(param.name.to_owned(), value);
                        // Of a schedule, a program and the like.
                        for required in
                            member.params.iter().filter(|param| param.default_in_words() == "required")
                        {
                            let usual = self.values(required.kind, depth + 1).swap_remove(0);
                            table.entry(required.name).or_insert(usual);
                        }
                        all.push(table);
                    }
                }
            }
            all.push(name);
        }
        all
    }
}

static PUZZLE: LazyLock<Puzzle> = LazyLock::new(|| kenga_testing::kenken(4, 1));

struct Worthless;

impl Objective for Worthless {
    fn evaluate(&self, _genomes: &[u8], values: &mut [f64]) -> Result<(), Halted> {
        values.fill(1.0);
        Ok(())
    }
}

/// Makes a configuration, asks it for what the program asks, and makes a few steps of a run.
fn make(object: &Map<String, Json>) -> Option<Config> {
    let config = Config::from_json(object).ok()?;
    drop((config.puzzles(), config.suite(), config.label(), config.keeps(&MEASURES[0])));
    let puzzle = match config.instances() {
        Some(mut instances) => instances.swap_remove(0),
        None => PUZZLE.clone(),
    };
    let problem = Problem::compile(&puzzle);
    let fitness = match config.scale(&puzzle) {
        Some(scale) => {
            drop(config.measured_fitness(&puzzle, Guard::default(), Arc::default()));
            Fitness::of_objective(problem, Arc::new(Worthless), scale)
        }
        None => config.fitness(&problem).ok()?.0,
    };
    let budget = Budget { evaluations: Some(300), moves: Some(300), generations: Some(8), seconds: None };
    let task = Task::new(Arc::new(fitness), StreamKey::run(1, "keys", 0), budget, Guard::default());
    drop((config.recipe.spends(), config.recipe.scores()));
    if let Ok(mut algorithm) = config.recipe.start(&task) {
        algorithm.start(&mut ());
        for _ in 0..10 {
            if algorithm.step(&mut ()).is_some() {
                break;
            }
        }
    }
    Some(config)
}

#[test]
fn each_key_of_every_table_is_read_as_what_it_is() {
    let mut keys = Keys::default();
    let grounds = [
        json!({}),
        json!({"algorithm": {"name": "genetic", "encoding": "rows"}}),
        json!({"algorithm": {"name": "genetic", "encoding": "cages"}}),
        json!({"problem": {"command": ["false"], "permutation": 5}}),
        json!({"problem": {"command": ["false"], "genes": 5, "values": [0, 3]}}),
    ];
    for ground in &grounds {
        for param in CONFIG {
            for value in keys.values(param.kind, 0) {
                let mut object = ground.as_object().expect("a table").clone();
                object.entry("budget").or_insert(json!({"evaluations": 300, "moves": 300}));
                match (object.get_mut(param.name), value) {
                    (Some(Json::Object(table)), Json::Object(value)) => table.extend(value),
                    (_, value) => drop(object.insert(param.name.to_owned(), value)),
                }
                let (config, reads) = record_reads(|| make(&object));
                if let Some(config) = config {
                    keys.compare("configuration", &config.resolved, CONFIG, &reads);
                }
            }
        }
    }
    for order in keys.members(&GENERATORS, 0) {
        let mut spec = Spec::named(order["name"].as_str().expect("a name"));
        for (key, value) in &order {
            if key != "name" {
                spec.set(Named::new(key, plain(value), Place::default()));
            }
        }
        let Ok(spec) = GENERATORS.resolve(&spec, Place::default()) else { continue };
        let (_, reads) = record_reads(|| drop(GENERATORS.build(&spec).check()));
        keys.compare_member(&GENERATORS, &Value::Spec(spec), &reads);
    }
    let mut unread: Vec<&Key> =
        keys.read.iter().filter(|(_, is_read)| !**is_read).map(|(key, _)| key).collect();
    unread.retain(|(owner, name)| (owner.as_str(), *name) != OF_PROCESSES);
    assert!(
        unread.is_empty() && keys.mistyped.is_empty(),
        "unread: {unread:#?}\nmistyped: {:#?}",
        keys.mistyped
    );
    for family in families() {
        for member in family.members() {
            for param in member.params {
                let owner = format!("{} {}", family.family(), member.name);
                assert!(
                    keys.read.contains_key(&(owner.clone(), param.name)) || family.family() == "sweep_method",
                    "no configuration had `{}` of {owner}",
                    param.name
                );
            }
        }
    }
}

fn plain(value: &Json) -> Value {
    match value {
        Json::Bool(flag) => Value::Flag(*flag),
        Json::Number(number) if number.is_i64() => Value::Integer(number.as_i64().expect("it is")),
        Json::Number(number) => Value::Real(number.as_f64().expect("a number")),
        Json::Array(values) => Value::List(values.iter().map(plain).collect()),
        Json::Object(_) => Value::Spec(Spec::default()),
        other => Value::Text(other.as_str().unwrap_or_default().to_owned()),
    }
}
