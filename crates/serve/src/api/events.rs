//! `GET events`: how far an experiment is, whenever that changes, until it rests.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::experiment::{FOLDER, folder_schema};
use super::{Asked, Endpoint, Run, request};
use crate::Shared;
use crate::lab::{Lab, Status};
use crate::refusal::Refusal;
use crate::stream::{News, Source};
use kenga_core::spec::Param;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "events",
    "how far an experiment is, as events `progress` until one `end` when nobody makes its runs any more",
    PARAMS,
    answers,
    Run::Watch(run),
);

const PARAMS: &[Param] = &[FOLDER];

/// Ticks between two looks at an experiment that runs here, and at a folder on the disk.
const HERE: u32 = 4;
const DISK: u32 = 20;

fn run(asked: &Asked, shared: &Arc<Shared>) -> Result<Source, Refusal> {
    let name = request::read(asked, PARAMS)?.text("folder").to_owned();
    if shared.lab.here(&name).is_none() {
        shared.lab.shelf().find(&name).map_err(Refusal::of_shelf)?;
    }
    let mut follower = Follower {
        lab: Arc::clone(&shared.lab),
        name,
        ticks: 0,
        reading: None,
        last: Value::Null,
        is_over: false,
    };
    Ok(Box::new(move || follower.news()))
}

/// What is read of a folder on another thread; none until it was.
type Reading = Arc<Mutex<Option<Option<Map<String, Value>>>>>;

/// One who follows an experiment.
struct Follower {
    lab: Arc<Lab>,
    name: String,
    ticks: u32,
    reading: Option<Reading>,
    last: Value,
    is_over: bool,
}

impl Follower {
    fn news(&mut self) -> News {
        if self.is_over {
            return News::End;
        }
        let Some(object) = self.look() else { return News::Nothing };
        if Status::is_rest(&object["state"]) {
            self.is_over = true;
            return News::Event("end", object.to_string());
        }
        if object == self.last {
            return News::Nothing;
        }
        self.last.clone_from(&object);
        News::Event("progress", object.to_string())
    }

    /// The object of the folder, if it was looked at.
    fn look(&mut self) -> Option<Value> {
        self.ticks += 1;
        if let Some(reading) = &self.reading {
            let read = reading.lock().unwrap_or_else(PoisonError::into_inner).take()?;
            (self.reading, self.ticks) = (None, 0);
            return Some(read.map_or_else(|| gone(&self.name), Value::Object));
        }
        let is_here = self.lab.here(&self.name).is_some();
        let is_first = self.last.is_null();
        if !is_first && self.ticks < if is_here { HERE } else { DISK } {
            return None;
        }
        self.ticks = 0;
        if is_here {
            return self.lab.object(&self.name).ok().map(Value::Object);
        }
        self.read();
        None
    }

    /// Has the folder read without keeping other connections waiting.
    fn read(&mut self) {
        let (reading, lab, name) = (Reading::default(), Arc::clone(&self.lab), self.name.clone());
        self.reading = Some(Arc::clone(&reading));
        tokio::task::spawn_blocking(move || {
            let object = lab.object(&name).ok();
            *reading.lock().unwrap_or_else(PoisonError::into_inner) = Some(object);
        });
    }
}

/// What is said of a folder that was removed.
pub(super) fn gone(name: &str) -> Value {
    json!({"folder": name, "state": "unreadable", "problem": "the folder was removed", "done": 0, "solved": 0, "failed": 0})
}

fn answers() -> Value {
    folder_schema()
}
