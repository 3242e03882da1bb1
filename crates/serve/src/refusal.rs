//! Why a request is refused, as the one object that stands for all errors.

use axum::http::StatusCode;
use axum::http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use miette::Report;
use serde_json::{Value, json};

use kenga_core::puzzle::formats::ReadError;
use kenga_core::spec::SpecError;
use kenga_lab::experiment::ConfigError;
use kenga_lab::results::{ResultsError, ServedFolderError};
use kenga_report::answers::{Shown, drawn};

/// What is wrong with a request. The name of each is stable; the order is that of the description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// No JSON object, or a key or a value that the request does not take.
    BadRequest,
    /// No token, or a wrong one.
    NoToken,
    /// The page that asks is of another origin.
    ForeignOrigin,
    /// The server only shows.
    ReadOnly,
    /// No such path.
    NotFound,
    /// No run is played under the id.
    NoPlay,
    /// Another moment is shown, or no such individual.
    NotShown,
    /// No such method.
    NoMethod,
    /// The body did not come in time.
    TooSlow,
    /// The folder is not free: it is being written, or there already.
    Locked,
    /// This server does not run the experiment.
    NotRunning,
    /// The body is too long.
    TooLong,
    /// Content-Type is not application/json.
    NotJson,
    /// The server goes by another name.
    ForeignHost,
    /// A puzzle that cannot be read, or that the request does not fit.
    BadPuzzle,
    /// A configuration that cannot be read, or not be run here.
    BadConfig,
    /// A results folder that cannot be read.
    BadFolder,
    /// A grid or givens that do not fit the puzzle.
    BadGrid,
    /// Puzzles that cannot be made, or were not found.
    BadOrder,
    /// The format cannot hold the puzzle.
    Unwritable,
    /// Nothing to compare, or not in this way.
    BadQuestion,
    /// The work takes longer than the server allows.
    TimeLimit,
    /// Too much is waiting already.
    Busy,
    /// Too many streams are open already.
    TooManyStreams,
    /// Too many runs are played already.
    TooManyPlays,
    /// A bug of kenga.
    Failed,
    /// The server ends.
    Stopping,
    /// The disk cannot be read or written.
    Disk,
}

/// Every code with its name in answers and its status of HTTP, in the order of [`Code`].
static CODES: [(Code, &str, u16); 28] = [
    (Code::BadRequest, "bad_request", 400),
    (Code::NoToken, "no_token", 401),
    (Code::ForeignOrigin, "foreign_origin", 403),
    (Code::ReadOnly, "read_only", 403),
    (Code::NotFound, "not_found", 404),
    (Code::NoPlay, "no_play", 404),
    (Code::NotShown, "not_shown", 404),
    (Code::NoMethod, "no_method", 405),
    (Code::TooSlow, "too_slow", 408),
    (Code::Locked, "locked", 409),
    (Code::NotRunning, "not_running", 409),
    (Code::TooLong, "too_long", 413),
    (Code::NotJson, "not_json", 415),
    (Code::ForeignHost, "foreign_host", 421),
    (Code::BadPuzzle, "bad_puzzle", 422),
    (Code::BadConfig, "bad_config", 422),
    (Code::BadFolder, "bad_folder", 422),
    (Code::BadGrid, "bad_grid", 422),
    (Code::BadOrder, "bad_order", 422),
    (Code::Unwritable, "unwritable", 422),
    (Code::BadQuestion, "bad_question", 422),
    (Code::TimeLimit, "time_limit", 422),
    (Code::Busy, "busy", 429),
    (Code::TooManyStreams, "too_many_streams", 429),
    (Code::TooManyPlays, "too_many_plays", 429),
    (Code::Failed, "failed", 500),
    (Code::Stopping, "stopping", 503),
    (Code::Disk, "disk", 507),
];

impl Code {
    /// Every code, in the order of the description.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        CODES.iter().map(|(code, ..)| *code)
    }

    /// The name in answers.
    pub(super) fn name(self) -> &'static str {
        // The table is in the order of the variants, which a test holds.
        let (_, name, _) = CODES[self as usize];
        name
    }

    /// The status of HTTP.
    pub(super) fn status(self) -> u16 {
        let (_, _, status) = CODES[self as usize];
        status
    }
}

/// Why a request is refused.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) code: Code,
    shown: Shown,
    /// Methods that the path takes.
    allow: &'static str,
}

impl Refusal {
    /// A refusal with a help, which may be empty.
    pub(super) fn new(code: Code, message: impl Into<String>, help: impl Into<String>) -> Self {
        let help = help.into();
        let help = if help.is_empty() { None } else { Some(help) };
        let shown = Shown { message: message.into(), help, ..Shown::default() };
        Self { code, shown, allow: "" }
    }

    /// A refusal in the words, and with the lines, of the command line.
    pub(super) fn of(code: Code, report: &Report) -> Self {
        Self { code, shown: drawn(report), allow: "" }
    }

    /// A key or a value that is not taken.
    pub(super) fn of_spec(code: Code, error: &SpecError) -> Self {
        Self::new(code, error.to_string(), error.help())
    }

    /// Work that has failed.
    pub(super) fn bug() -> Self {
        Self::new(Code::Failed, "kenga has a bug here", "its standard error says more; please report it")
    }

    /// What is wrong, in a line.
    pub(super) fn message(&self) -> &str {
        &self.shown.message
    }

    /// What to do; empty where nothing can be said.
    pub(super) fn help(&self) -> &str {
        self.shown.help.as_deref().unwrap_or_default()
    }

    /// A method that the path does not take.
    pub(super) fn no_method(allow: &'static str) -> Self {
        Self { allow, ..Self::new(Code::NoMethod, format!("this address takes {allow}"), "") }
    }

    /// `{"error": {…}}`.
    pub(super) fn json(&self) -> Value {
        let Shown { message, help, place, text } = &self.shown;
        let (line, column) = place.unzip();
        json!({"error": {
            "code": self.code.name(), "message": message, "help": help, "line": line, "column": column, "text": text,
        }})
    }

    /// What [`json`](Self::json) is, as a schema.
    pub(super) fn schema() -> Value {
        let codes: Vec<&str> = Code::all().map(Code::name).collect();
        let place = json!({"type": ["integer", "null"], "minimum": 1});
        json!({
            "type": "object",
            "required": ["error"],
            "additionalProperties": false,
            "properties": {"error": {
                "type": "object",
                "required": ["code", "message", "help", "line", "column", "text"],
                "additionalProperties": false,
                "properties": {
                    "code": {"enum": codes, "description": "stable, for programs"},
                    "message": {"type": "string", "description": "what is wrong"},
                    "help": {"type": ["string", "null"], "description": "what to do"},
                    "line": place,
                    "column": place,
                    "text": {"type": ["string", "null"], "description": "the line with a caret, as the command line shows it"},
                },
            }},
        })
    }
}

/// A name that cannot be used.
impl From<ServedFolderError> for Refusal {
    fn from(error: ServedFolderError) -> Self {
        match error {
            ServedFolderError::Results(error) => error.into(),
            ServedFolderError::Missing { .. } => Self::of(Code::NotFound, &error.into()),
            error => Self::of(Code::BadFolder, &error.into()),
        }
    }
}

/// A puzzle that cannot be read.
impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Self::of(Code::BadPuzzle, &error.into())
    }
}

/// A configuration that cannot be read.
impl From<ConfigError> for Refusal {
    fn from(error: ConfigError) -> Self {
        Self::of(Code::BadConfig, &error.into())
    }
}

/// A folder that cannot be read or written.
impl From<ResultsError> for Refusal {
    fn from(error: ResultsError) -> Self {
        let code = match error {
            ResultsError::Io { .. } => Code::Disk,
            ResultsError::Busy { .. } | ResultsError::Occupied { .. } => Code::Locked,
            _ => Code::BadFolder,
        };
        Self::of(code, &error.into())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.code.status()).expect("the table has statuses of HTTP");
        let header = match self.code {
            Code::NoToken => Some((WWW_AUTHENTICATE, "Bearer")),
            Code::Busy | Code::TooManyStreams | Code::TooManyPlays => Some((RETRY_AFTER, "1")),
            Code::NoMethod => Some((ALLOW, self.allow)),
            _ => None,
        };
        let mut response = super::json(status, &self.json());
        if let Some((name, value)) = header {
            response.headers_mut().insert(name, value.parse().expect("a header in ASCII"));
        }
        // For a browser the guard makes a page of it.
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_refusal_has_a_name_and_a_status_of_its_own() {
        let names: BTreeSet<&str> = Code::all().map(Code::name).collect();
        assert_eq!(names.len(), CODES.len());
        for (index, (code, _, status)) in CODES.iter().enumerate() {
            assert!(*code as usize == index && (400..600).contains(status), "{code:?}");
        }
    }
}
