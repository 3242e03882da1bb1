//! `GET events`: how far an experiment is, whenever that changes, until it rests.

use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};

use super::experiment::{FOLDER, folder_schema};
use super::{Endpoint, Handler, Refusal, RequestFields};
use crate::lab::{Lab, Status};
use crate::stream::{News, Source};
use crate::{Shared, lock};
use kenga_core::spec::Param;

pub(super) static ENDPOINT: Endpoint = Endpoint::new(
    "events",
    "how far an experiment is, as events `progress` until one `end` when nobody makes its runs any more",
    PARAMS,
    folder_schema,
    Handler::Stream(run),
);

const PARAMS: &[Param] = &[FOLDER];

/// Ticks between two looks at an experiment that runs here, and at a folder on the disk.
const HERE: u32 = 4;
const DISK: u32 = 20;

fn run(fields: &RequestFields, shared: &Arc<Shared>) -> Result<Source, Refusal> {
    let name = fields.text("folder").to_owned();
    if shared.lab.here(&name).is_none() {
        shared.lab.shelf().find(&name)?;
    }
    let lab = Arc::clone(&shared.lab);
    let mut follower = Follower { lab, name, ticks: 0, reading: None, last: Value::Null, is_over: false };
    Ok(Box::new(move || follower.news()))
}

/// What another thread reads of a folder.
enum Reading {
    UnderWay,
    /// The object of the folder; none where it is gone.
    Done(Option<Map<String, Value>>),
}

/// One who follows an experiment.
struct Follower {
    lab: Arc<Lab>,
    name: String,
    ticks: u32,
    reading: Option<Arc<Mutex<Reading>>>,
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
        if let Some(reading) = self.reading.take() {
            return self.finish(reading);
        }
        // Runs that are made here are known in memory; a folder on the disk is read, and changes less often.
        let is_here = self.lab.here(&self.name).is_some();
        let wait = if is_here { HERE } else { DISK };
        let is_first = self.last.is_null();
        if !is_first && self.ticks < wait {
            return None;
        }
        self.ticks = 0;
        if is_here {
            return self.lab.object(&self.name).ok().map(Value::Object);
        }
        // A disk may be slow, and all connections share this thread.
        let reading = Arc::new(Mutex::new(Reading::UnderWay));
        self.reading = Some(Arc::clone(&reading));
        let (lab, name) = (Arc::clone(&self.lab), self.name.clone());
        tokio::task::spawn_blocking(move || {
            let object = lab.object(&name).ok();
            *lock(&reading) = Reading::Done(object);
        });
        None
    }

    /// What was read, if it was; else it is waited for further.
    fn finish(&mut self, reading: Arc<Mutex<Reading>>) -> Option<Value> {
        let Reading::Done(object) = std::mem::replace(&mut *lock(&reading), Reading::UnderWay) else {
            self.reading = Some(reading);
            return None;
        };
        self.ticks = 0;
        Some(object.map_or_else(|| gone(&self.name), Value::Object))
    }
}

/// What is said of a folder that was removed.
pub(super) fn gone(name: &str) -> Value {
    json!({"folder": name, "state": "unreadable", "problem": "the folder was removed", "done": 0, "solved": 0, "failed": 0})
}
