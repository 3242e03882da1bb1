//! `GET experiment`: one results folder, with its configuration, puzzles and settings.

use serde_json::{Map, Value, json};

use super::schema::{
    Schema, any_object, count, field, flag, integer, list, maybe, number, object, object_of, one_of, text,
};
use super::{Answer, Endpoint, Handler, RequestFields, ServerState};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::{Puzzle, formats};
use kenga_core::spec::{Param, ParamKind};
use kenga_lab::experiment::Settings;
use kenga_lab::results::read_plan;
use kenga_report::{PUZZLES, configuration};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "experiment",
    "a results folder: how far it is, its configuration, puzzles and settings",
    PARAMS,
    answers,
    Handler::ReadFiles("GET", run),
);

/// The parameter that names a results folder.
pub(super) const FOLDER: Param = Param::required("folder", ParamKind::Text)
    .about("the results folder, as `experiments` names it: relative to the folder that is served");

const PARAMS: &[Param] = &[FOLDER];

/// The most puzzles and settings that are shown.
const SHOWN: usize = 200;

fn run(fields: &RequestFields, shared: &ServerState, _: &Interrupt) -> Answer {
    let name = fields.text("folder");
    let mut answer = Value::Object(shared.lab.object(name)?);
    let (plan, _) = read_plan(&shared.lab.served().find(name)?)?;
    // The configuration names the puzzles of the folder, so that it can be started again from the folder that is served.
    let file = if name == "." { PUZZLES.to_owned() } else { format!("{name}/{PUZZLES}") };
    let (config, is_whole) = configuration(&plan, &file);
    let settings = 0..plan.settings.all.len().min(SHOWN);
    answer["config"] = json!(config);
    answer["config_is_whole"] = json!(is_whole);
    answer["each_puzzle"] = plan.puzzles.iter().take(SHOWN).map(puzzle_object).collect();
    answer["each_setting"] = settings.map(|setting| setting_object(&plan.settings, setting)).collect();
    Ok(answer)
}

fn puzzle_object(puzzle: &Puzzle) -> Value {
    json!({
        "id": puzzle.id,
        "kind": puzzle.kind.name(),
        "rows": puzzle.rows(),
        "columns": puzzle.cols(),
        "text": formats::canonical(puzzle),
    })
}

fn setting_object(settings: &Settings, setting: usize) -> Value {
    let mut values = Map::new();
    for (key, label) in settings.keys.iter().zip(&settings.all[setting].labels) {
        values.insert(key.clone(), json!(label));
    }
    json!({"setting": setting, "values": values, "words": settings.describe(setting)})
}

/// What runs are about.
pub(super) const NOUNS: [&str; 2] = ["puzzle", "instance"];

/// What a folder is, or what this server does with it.
const STATES: [&str; 9] = [
    "finished",
    "interrupted",
    "locked",
    "tuning",
    "unreadable",
    "waiting",
    "preparing",
    "running",
    "stopping",
];

/// What every answer about a folder has.
pub(super) fn folder_schema() -> Schema {
    let state = one_of(&STATES).about(
        "locked: another program writes it; interrupted: it can be resumed; tuning: a folder of kenga tune, whose results folders lie inside; the last four: this server runs it",
    );
    let under_way =
        object_of(&["run", "puzzle", "setting", "replicate", "generations", "calls", "best_fitness"]);
    object(&[
        field("folder", text()),
        field("state", state),
        field("problem", text().or_null().about("why it cannot be read, or has stopped")),
        maybe("before", integer().or_null().about("of one that waits, how many come first")),
        field("done", integer().about("runs that have ended")),
        field("solved", count()),
        field("failed", count()),
        maybe("best_fitness", integer().or_null().about("the lowest of all runs")),
        maybe(
            "best_value",
            number().or_null().about("of a problem of one's own, the value of that fitness; null where runs count from different values"),
        ),
        maybe("maximise", flag().or_null().about("whether the highest value is best")),
        maybe(
            "note",
            text().or_null().about("rows of runs.csv that are not used, and why; `kenga validate` says more"),
        ),
        maybe("calls", integer().or_null().about("evaluations and moves that this server has made of it")),
        maybe("calls_per_s", number().or_null().about("the same for a second")),
        maybe("under_way", list(under_way).about("the runs that are being made")),
        maybe("runs", integer().about("runs that it has in all; a race may make fewer")),
        maybe("puzzles", count()),
        maybe("noun", one_of(&NOUNS).about("what one of the puzzles is called: an instance of a problem of one's own")),
        maybe("settings", count()),
        maybe("replicates", count()),
        maybe("seed", count()),
        maybe("keys", list(text()).about("the swept keys")),
        maybe("algorithms", list(text())),
        maybe("race", flag()),
        maybe("shard", text().or_null().about("the shard that the folder is for, as K/N")),
    ])
}

fn answers() -> Schema {
    let config = text().about("the configuration as TOML; the puzzles that it names are those of the folder");
    let puzzle = object(&[
        field("id", text()),
        field("kind", text()),
        field("rows", integer()),
        field("columns", integer()),
        field("text", text()),
    ]);
    let setting =
        object(&[field("setting", integer()), field("values", any_object()), field("words", text())]);
    folder_schema()
        .with_maybe("config", config)
        .with_maybe("config_is_whole", flag().about("the configuration gives the same settings again"))
        .with_maybe("each_puzzle", list(puzzle).about("the first of them"))
        .with_maybe("each_setting", list(setting).about("the first of them"))
}
