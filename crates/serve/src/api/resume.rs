//! `POST resume`: as `kenga run --resume`.

use serde_json::Value;

use super::experiment::{FOLDER, folder_schema};
use super::{Endpoint, Handler, PreparedChange, Refusal, RequestFields, ServerState};
use kenga_core::budget::Interrupt;
use kenga_core::spec::{Param, ParamKind};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "resume",
    "makes the runs that a results folder lacks",
    PARAMS,
    folder_schema,
    Handler::WriteFiles(run),
);

const PARAMS: &[Param] = &[
    FOLDER,
    Param::optional("replicates", ParamKind::Integer(1, 1_000_000_000))
        .about("make so many replicates in all, not fewer than there are"),
];

fn run(fields: &RequestFields, _: &ServerState, _: &Interrupt) -> Result<PreparedChange, Refusal> {
    let folder = fields.text("folder").to_owned();
    let replicates = fields.count_or_absent("replicates");
    Ok(Box::new(move |shared| {
        shared.lab.resume(&folder, replicates)?;
        shared.lab.object(&folder).map(Value::Object)
    }))
}
