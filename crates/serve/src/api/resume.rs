//! `POST resume`: as `kenga run --resume`.

use serde_json::Value;

use super::experiment::FOLDER;
use super::start::answers;
use super::{Asked, Deed, Endpoint, Run, request};
use crate::Shared;
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;
use kenga_core::spec::{Param, ParamKind};

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("resume", "makes the runs that a results folder lacks", PARAMS, answers, Run::Change(run));

const PARAMS: &[Param] = &[
    FOLDER,
    Param::optional("replicates", ParamKind::Integer(1, 1_000_000_000))
        .about("make so many replicates in all, not fewer than there are"),
];

fn run(asked: &Asked, _: &Shared, _: &Interrupt) -> Result<Deed, Refusal> {
    let asked = request::read(asked, PARAMS)?;
    let folder = asked.text("folder").to_owned();
    let replicates = asked.entry("replicates").map(|_| asked.count("replicates"));
    Ok(Box::new(move |shared| {
        shared.lab.resume(&folder, replicates)?;
        shared.lab.object(&folder).map(Value::Object)
    }))
}
