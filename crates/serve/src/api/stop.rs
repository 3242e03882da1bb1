//! `POST stop`: as Ctrl-C ends `kenga run`.

use serde_json::Value;

use super::events::gone;
use super::experiment::{FOLDER, folder_schema};
use super::{Endpoint, Handler, PreparedChange, Refusal, RequestFields, ServerState};
use kenga_core::budget::Interrupt;
use kenga_core::spec::Param;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "stop",
    "stops an experiment that this server runs; it can be resumed",
    PARAMS,
    folder_schema,
    Handler::WriteFiles(run),
);

const PARAMS: &[Param] = &[FOLDER];

fn run(fields: &RequestFields, _: &ServerState, _: &Interrupt) -> Result<PreparedChange, Refusal> {
    let folder = fields.text("folder").to_owned();
    Ok(Box::new(move |shared| {
        shared.lab.stop(&folder)?;
        // Its folder may have been removed while it ran.
        Ok(shared.lab.object(&folder).map_or_else(|_| gone(&folder), Value::Object))
    }))
}
