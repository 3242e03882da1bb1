//! `POST play`: begins to play a run, as `kenga watch` does.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::puzzle::{COLORS, puzzles};
use super::{Asked, Endpoint, Run, request};
use crate::limits::check_plan;
use crate::play::Ordered;
use crate::refusal::{Code, Refusal};
use crate::{Shared, lab};
use kenga_core::budget::Interrupt;
use kenga_core::puzzle::Puzzle;
use kenga_core::puzzle::formats::canonical;
use kenga_core::spec::{Param, ParamKind, Spec};
use kenga_lab::experiment::Plan;
use kenga_lab::playback::Speed;
use kenga_lab::results::read_plan;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "play",
    "begins to play a run of a configuration or of a results folder, forwards and back, as kenga watch does",
    PARAMS,
    answers,
    Run::Act(run),
);

/// The most puzzles of a configuration.
const PUZZLES: usize = 100;

const PARAMS: &[Param] = &[
    Param::optional("config", ParamKind::Text).about("the configuration, as the text of its TOML file"),
    Param::optional("folder", ParamKind::Text)
        .about("in its place a results folder: at the end its run is compared with the row there"),
    Param::optional("puzzle", ParamKind::Text).about(
        "the puzzles, up to 100, in place of the files that the configuration names: text in any known format, or the \
         object of canonical JSON",
    ),
    COLORS,
    Param::integer("run", 0..=i64::MAX, 0).about("the run to begin with"),
    Param::optional("seed", ParamKind::Integer(0, i64::MAX)).about("another seed"),
    SPEED,
    Param::flag("paused", false).about("begin paused"),
];

/// The parameter that says how fast a run is played.
pub(super) const SPEED: Param =
    Param::real("speed", 0.0..=1e6, 10.0).about("generations a second; 0 for as fast as it can be made");

/// What [`SPEED`] says.
pub(super) fn speed(rate: f64) -> Speed {
    if rate == 0.0 { Speed::Unlimited } else { Speed::Generations(rate.max(0.01)) }
}

fn run(asked: &Asked, shared: &Arc<Shared>) -> Result<Value, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let folder = asked.entry("folder").map(|_| shared.lab.shelf().find(asked.text("folder")));
    let folder = folder.transpose().map_err(Refusal::of_shelf)?;
    let plan = match &folder {
        Some(folder) => folder_plan(folder, &asked)?,
        None => plan(&asked, shared)?,
    };
    check_plan(&plan)?;
    if plan.puzzles.len() > PUZZLES {
        let message = format!("there are {} puzzles; this server plays up to {PUZZLES}", plan.puzzles.len());
        return Err(Refusal::new(Code::BadConfig, message, "name fewer, or use kenga watch"));
    }
    let ordered = Ordered {
        folder,
        run: asked.count("run"),
        speed: speed(asked.real("speed")),
        plays: !asked.flag("paused"),
        plan,
    };
    let play = shared.plays.begin(ordered)?;
    let puzzles: Vec<Value> = play.plan.puzzles.iter().map(object).collect();
    Ok(json!({"play": play.id, "runs": play.plan.runs(), "puzzles": puzzles}))
}

/// The plan of a results folder.
fn folder_plan(folder: &Path, asked: &Spec) -> Result<Plan, Refusal> {
    if ["config", "puzzle", "seed"].iter().any(|key| asked.entry(key).is_some()) {
        let help = "leave config, puzzle and seed out";
        return Err(Refusal::new(Code::BadConfig, "a results folder has a plan of its own", help));
    }
    Ok(read_plan(folder).map_err(Refusal::of_results)?.0)
}

/// The plan of a configuration.
fn plan(asked: &Spec, shared: &Shared) -> Result<Plan, Refusal> {
    if asked.entry("config").is_none() {
        return Err(Refusal::new(Code::BadConfig, "there is nothing to play", "send config or folder"));
    }
    if asked.entry("puzzle").is_none() {
        return Ok(lab::Order::read(shared.lab.shelf(), asked, &Interrupt::default())?.plan);
    }
    let settings = lab::settings(asked).map_err(|error| Refusal::of(Code::BadConfig, &error.into()))?;
    let puzzles = puzzles(asked, PUZZLES)?;
    if puzzles.is_empty() {
        return Err(Refusal::new(Code::BadPuzzle, "there is no puzzle to run", ""));
    }
    Ok(Plan::new(settings, puzzles))
}

/// A puzzle as the object of canonical JSON.
fn object(puzzle: &Puzzle) -> Value {
    serde_json::from_str(&canonical(puzzle)).expect("canonical JSON is JSON")
}

fn answers() -> Value {
    json!({
        "type": "object",
        "required": ["play", "runs", "puzzles"],
        "properties": {
            "play": {"type": "string", "description": "the id, for frames, order and births"},
            "runs": {"type": "integer"},
            "puzzles": {"type": "array", "items": {"type": "object"}, "description": "canonical JSON"},
        },
    })
}
