//! `POST stop`: as Ctrl-C ends `kenga run`.

use serde_json::Value;

use super::events::gone;
use super::experiment::FOLDER;
use super::start::answers;
use super::{Asked, Deed, Endpoint, Run, request};
use crate::Shared;
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;
use kenga_core::spec::Param;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "stop",
    "stops an experiment that this server runs; it can be resumed",
    PARAMS,
    answers,
    Run::Change(run),
);

const PARAMS: &[Param] = &[FOLDER];

fn run(asked: &Asked, _: &Shared, _: &Interrupt) -> Result<Deed, Refusal> {
    let folder = request::read(asked, PARAMS)?.text("folder").to_owned();
    Ok(Box::new(move |shared| {
        shared.lab.stop(&folder)?;
        Ok(shared.lab.object(&folder).map_or_else(|_| gone(&folder), Value::Object))
    }))
}
