//! Why a request is refused, as the one object that stands for all errors.

use axum::http::StatusCode;
use axum::http::header::{ALLOW, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use miette::Report;
use serde_json::{Value, json};

use kenga_core::spec::SpecError;
use kenga_lab::results::{ResultsError, ShelfError};
use kenga_report::answers::{Shown, drawn};

/// What is wrong with a request; the name of each is stable.
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
    /// The body is too long.
    TooLong,
    /// The body is not said to be JSON.
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
    /// The folder is not free: it is being written, or there already.
    Locked,
    /// This server does not run the experiment.
    NotRunning,
    /// The disk cannot be read or written.
    Disk,
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
}

impl Code {
    /// Every code, in the order of the statuses.
    pub(super) const ALL: [Self; 28] = [
        Self::BadRequest,
        Self::NoToken,
        Self::ForeignOrigin,
        Self::ReadOnly,
        Self::NotFound,
        Self::NoPlay,
        Self::NotShown,
        Self::NoMethod,
        Self::TooSlow,
        Self::Locked,
        Self::NotRunning,
        Self::TooLong,
        Self::NotJson,
        Self::ForeignHost,
        Self::BadPuzzle,
        Self::BadConfig,
        Self::BadFolder,
        Self::BadGrid,
        Self::BadOrder,
        Self::Unwritable,
        Self::BadQuestion,
        Self::TimeLimit,
        Self::Busy,
        Self::TooManyStreams,
        Self::TooManyPlays,
        Self::Failed,
        Self::Stopping,
        Self::Disk,
    ];

    /// The name in answers, and the status of HTTP.
    pub(super) fn facts(self) -> (&'static str, u16) {
        match self {
            Self::BadRequest => ("bad_request", 400),
            Self::NoToken => ("no_token", 401),
            Self::ForeignOrigin => ("foreign_origin", 403),
            Self::ReadOnly => ("read_only", 403),
            Self::NotFound => ("not_found", 404),
            Self::NoPlay => ("no_play", 404),
            Self::NotShown => ("not_shown", 404),
            Self::NoMethod => ("no_method", 405),
            Self::TooSlow => ("too_slow", 408),
            Self::TooLong => ("too_long", 413),
            Self::NotJson => ("not_json", 415),
            Self::ForeignHost => ("foreign_host", 421),
            Self::BadPuzzle => ("bad_puzzle", 422),
            Self::BadConfig => ("bad_config", 422),
            Self::BadFolder => ("bad_folder", 422),
            Self::BadGrid => ("bad_grid", 422),
            Self::BadOrder => ("bad_order", 422),
            Self::Unwritable => ("unwritable", 422),
            Self::BadQuestion => ("bad_question", 422),
            Self::Locked => ("locked", 409),
            Self::NotRunning => ("not_running", 409),
            Self::Disk => ("disk", 507),
            Self::TimeLimit => ("time_limit", 422),
            Self::Busy => ("busy", 429),
            Self::TooManyStreams => ("too_many_streams", 429),
            Self::TooManyPlays => ("too_many_plays", 429),
            Self::Failed => ("failed", 500),
            Self::Stopping => ("stopping", 503),
        }
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
        let help = Some(help.into()).filter(|help| !help.is_empty());
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

    /// A name that cannot be used.
    pub(super) fn of_shelf(error: ShelfError) -> Self {
        match error {
            ShelfError::Results(error) => Self::of_results(error),
            ShelfError::Missing { .. } => Self::of(Code::NotFound, &error.into()),
            error => Self::of(Code::BadFolder, &error.into()),
        }
    }

    /// A folder that cannot be read or written.
    pub(super) fn of_results(error: ResultsError) -> Self {
        let code = match error {
            ResultsError::Io { .. } => Code::Disk,
            ResultsError::Busy { .. } | ResultsError::Occupied { .. } => Code::Locked,
            _ => Code::BadFolder,
        };
        Self::of(code, &error.into())
    }

    /// What is wrong, in a line.
    pub(super) fn message(&self) -> &str {
        &self.shown.message
    }

    /// A method that the path does not take.
    pub(super) fn no_method(allow: &'static str) -> Self {
        Self { allow, ..Self::new(Code::NoMethod, format!("this address takes {allow}"), "") }
    }

    /// `{"error": {…}}`.
    pub(super) fn json(&self) -> Value {
        let Shown { message, help, place, text } = &self.shown;
        let (line, column) = place.unzip();
        let code = self.code.facts().0;
        json!({"error": {
            "code": code, "message": message, "help": help, "line": line, "column": column, "text": text,
        }})
    }

    /// What [`json`](Self::json) is, as a schema.
    pub(super) fn schema() -> Value {
        let codes: Vec<&str> = Code::ALL.iter().map(|code| code.facts().0).collect();
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

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (_, status) = self.code.facts();
        let status = StatusCode::from_u16(status).expect("the table has statuses of HTTP");
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
        response
    }
}
