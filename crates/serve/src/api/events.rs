//! `GET events`: how far an experiment is, whenever that changes, until it rests.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::sync::oneshot::{self, error::TryRecvError};

use super::experiment::{FOLDER, folder_schema};
use super::{Endpoint, Handler, Refusal, RequestFields};
use crate::ServerState;
use crate::lab::{ExperimentStatus, Lab};
use crate::stream::{News, Source};
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

fn run(fields: &RequestFields, shared: &Arc<ServerState>) -> Result<Source, Refusal> {
    let name = fields.text("folder").to_owned();
    if shared.lab.here(&name).is_none() {
        shared.lab.served().find(&name)?;
    }
    let lab = Arc::clone(&shared.lab);
    let mut follower =
        EventFollower { lab, name, ticks: 0, reading: None, last: Value::Null, is_over: false };
    Ok(Box::new(move || follower.news()))
}

/// One who follows an experiment.
struct EventFollower {
    lab: Arc<Lab>,
    name: String,
    ticks: u32,
    /// What another thread reads of the folder: its object, none where it is gone.
    reading: Option<oneshot::Receiver<Option<Map<String, Value>>>>,
    last: Value,
    is_over: bool,
}

impl EventFollower {
    fn news(&mut self) -> News {
        if self.is_over {
            return News::End;
        }
        let Some(object) = self.look() else { return News::Nothing };
        if ExperimentStatus::is_rest(&object["state"]) {
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
        if let Some(reading) = &mut self.reading {
            let object = match reading.try_recv() {
                Ok(object) => object,
                Err(TryRecvError::Empty) => return None,
                // The thread has panicked: nothing is known of the folder.
                Err(TryRecvError::Closed) => None,
            };
            (self.reading, self.ticks) = (None, 0);
            return Some(object.map_or_else(|| gone(&self.name), Value::Object));
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
        let (read, reading) = oneshot::channel();
        self.reading = Some(reading);
        let (lab, name) = (Arc::clone(&self.lab), self.name.clone());
        // The follower may be gone by then.
        tokio::task::spawn_blocking(move || drop(read.send(lab.object(&name).ok())));
        None
    }
}

/// What is said of a folder that was removed.
pub(super) fn gone(name: &str) -> Value {
    json!({"folder": name, "state": "unreadable", "problem": "the folder was removed", "done": 0, "solved": 0, "failed": 0})
}
