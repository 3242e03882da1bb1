//! `POST start`: an experiment, as `kenga run --config` makes it.

use serde_json::Value;

use super::experiment::folder_schema;
use super::{Endpoint, Handler, PreparedChange, Refusal, RequestFields, ServerState};
use crate::lab::{REQUEST, read_request};
use kenga_core::budget::Interrupt;
use kenga_core::spec::{Param, ParamKind};

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "start",
    "begins a results folder and makes its runs",
    &PARAMS,
    folder_schema,
    Handler::WriteFiles(run),
);

static PARAMS: [Param; 3] = Param::join(
    &REQUEST,
    &[Param::optional("folder", ParamKind::Text)
        .about("the results folder to begin [default: experiment, then experiment-2 and so on]")],
);

fn run(
    fields: &RequestFields,
    shared: &ServerState,
    interrupt: &Interrupt,
) -> Result<PreparedChange, Refusal> {
    let plan = read_request(shared.lab.served(), fields, interrupt)?.plan;
    let name = fields.text_or_absent("folder").map(str::to_owned);
    Ok(Box::new(move |shared| {
        let experiment = shared.lab.start(name.as_deref(), plan)?;
        shared.lab.object(&experiment.name).map(Value::Object)
    }))
}
