//! `POST start`: an experiment, as `kenga run --config` makes it.

use serde_json::{Value, json};

use super::experiment::folder_schema;
use super::{Asked, Deed, Endpoint, Run, request};
use crate::Shared;
use crate::lab::{ORDER, Order};
use crate::refusal::Refusal;
use kenga_core::budget::Interrupt;
use kenga_core::spec::{Param, ParamKind};

pub(super) static ENDPOINT: Endpoint =
    Endpoint::new("start", "begins a results folder and makes its runs", &PARAMS, answers, Run::Change(run));

static PARAMS: [Param; 3] = Param::join(
    &ORDER,
    &[Param::optional("folder", ParamKind::Text)
        .about("the results folder to begin [default: experiment, then experiment-2 and so on]")],
);

fn run(asked: &Asked, shared: &Shared, interrupt: &Interrupt) -> Result<Deed, Refusal> {
    let asked = request::read(asked, &PARAMS)?;
    let Order { plan, .. } = Order::read(shared.lab.shelf(), &asked, interrupt)?;
    let name = asked.entry("folder").map(|_| asked.text("folder").to_owned());
    Ok(Box::new(move |shared| {
        let experiment = shared.lab.start(name.as_deref(), plan)?;
        shared.lab.object(&experiment.name).map(Value::Object)
    }))
}

/// The object of a folder.
pub(super) fn answers() -> Value {
    json!(folder_schema())
}
