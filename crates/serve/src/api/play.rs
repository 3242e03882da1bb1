//! `POST play`: begins to play a run, as `kenga watch` does.

use std::path::Path;

use serde_json::{Value, json};

use super::puzzle::{COLORS, canonical_object, puzzles};
use super::schema::{Schema, any_object, field, integer, list, object, text};
use super::{Answer, Code, Endpoint, Handler, Refusal, RequestFields};
use crate::limits::{check_plan, check_size};
use crate::play::PlayRequest;
use crate::{ServerState, lab};
use kenga_core::budget::Interrupt;
use kenga_core::spec::{Param, ParamKind};
use kenga_lab::experiment::Plan;
use kenga_lab::playback::Speed;
use kenga_lab::results::read_plan;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "play",
    "begins to play a run of a configuration or of a results folder, forwards and back, as kenga watch does",
    PARAMS,
    answers,
    Handler::Post(run),
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
const SPEED: Param =
    Param::real("speed", 0.0..=1e6, 10.0).about("generations a second; 0 for as fast as it can be made");

/// What [`SPEED`] says.
pub(super) fn speed(rate: f64) -> Speed {
    if rate == 0.0 { Speed::Unlimited } else { Speed::Generations(rate.max(0.01)) }
}

fn run(fields: &RequestFields, shared: &ServerState) -> Answer {
    let folder = fields.text_or_absent("folder").map(|name| shared.lab.served().find(name)).transpose()?;
    let plan = match &folder {
        Some(folder) => folder_plan(folder, fields)?,
        None => config_plan(fields, shared)?,
    };
    // Of the folder the owner of the server has chosen the programs; a request could name any.
    let programs = shared.programs.clone().filter(|_| folder.is_some());
    match (programs.is_some(), plan.starts_programs()) {
        (false, true) if folder.is_some() => {
            let message = "this server starts no programs";
            let help = "start it with `kenga serve DIR --programs FOLDER`, or use `kenga watch`";
            return Err(Refusal::new(Code::BadConfig, message, help));
        }
        (false, _) => check_plan(&plan)?,
        (true, _) => check_size(&plan)?,
    }
    if plan.puzzles.len() > PUZZLES {
        let message = format!("there are {} puzzles; this server plays up to {PUZZLES}", plan.puzzles.len());
        return Err(Refusal::new(Code::BadConfig, message, "name fewer, or use kenga watch"));
    }
    let play = shared.plays.begin(PlayRequest {
        folder,
        run: fields.count("run"),
        speed: speed(fields.real("speed")),
        is_paused: fields.flag("paused"),
        programs,
        plan,
    })?;
    let puzzles: Vec<Value> = play.plan.puzzles.iter().map(canonical_object).collect();
    Ok(json!({"play": play.id, "runs": play.plan.runs(), "puzzles": puzzles}))
}

/// The plan of a results folder.
fn folder_plan(folder: &Path, fields: &RequestFields) -> Result<Plan, Refusal> {
    if ["config", "puzzle", "seed"].iter().any(|key| fields.has(key)) {
        let help = "leave config, puzzle and seed out";
        return Err(Refusal::new(Code::BadConfig, "a results folder has a plan of its own", help));
    }
    Ok(read_plan(folder)?.0)
}

/// The plan of a configuration.
fn config_plan(fields: &RequestFields, shared: &ServerState) -> Result<Plan, Refusal> {
    if !fields.has("config") {
        return Err(Refusal::new(Code::BadConfig, "there is nothing to play", "send config or folder"));
    }
    // Without puzzles of its own the configuration names files, which are read and tried out as for an experiment.
    if !fields.has("puzzle") {
        return Ok(lab::read_request(shared.lab.served(), fields, &Interrupt::default())?.plan);
    }
    let settings = lab::read_settings(fields)?;
    let puzzles = puzzles(fields, PUZZLES)?;
    if puzzles.is_empty() {
        return Err(Refusal::new(Code::BadPuzzle, "there is no puzzle to run", ""));
    }
    Ok(Plan::new(settings, puzzles))
}

fn answers() -> Schema {
    object(&[
        field("play", text().about("the id, for frames, order and births")),
        field("runs", integer()),
        field("puzzles", list(any_object()).about("canonical JSON")),
    ])
}
