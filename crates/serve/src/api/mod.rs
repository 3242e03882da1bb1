//! The API: a table of endpoints, a file each.
//!
//! An endpoint is added by its file and its line in the table: the router, the guard, the page of the API and the
//! description for OpenAPI follow from it.
//!
//! **Invariant**: a name, a key, a code and the order of keys are what programs rely on. Keys are added, never renamed; a
//! handler that computes is a pure function of its fields, because it may be begun anew.

mod births;
mod candidates;
mod check;
mod convert;
mod events;
mod examples;
mod experiment;
mod experiments;
mod explain;
mod fields;
mod formats;
mod frames;
mod generate;
mod grade;
mod health;
mod hint;
mod list;
mod openapi;
mod order;
mod picture;
mod plan;
mod play;
mod puzzle;
mod report;
mod resume;
mod runs;
mod schema;
mod solve;
mod start;
mod stop;
mod trace;
mod written;

use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use serde_json::{Value, json};

use super::refusal::{Code, Refusal};
use super::stream::{self, Source};
use super::{ServerState, lock};
use fields::RequestFields;
use kenga_core::budget::Interrupt;
use kenga_core::spec::Param;
use schema::Schema;

/// Where the API stands.
const ROOT: &str = "/api/v1";

/// Something that can be asked for.
pub(super) struct Endpoint {
    /// The last part of its path.
    pub(super) name: &'static str,
    /// What it does, in a sentence.
    pub(super) about: &'static str,
    takes: Takes,
    /// What it answers.
    answers: fn() -> Schema,
    handler: Handler,
    /// Whoever may speak to the server may ask, without the token.
    is_open: bool,
}

/// The credentials a request needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// None.
    Open,
    /// The token.
    Token,
    /// The token, and the server may write.
    Writing,
}

/// What a request holds.
enum Takes {
    /// Fields that are checked before the handler sees them.
    Fields(&'static [Param]),
    /// An object of this schema, which the handler checks itself.
    Object(fn() -> Value),
}

/// An answer in JSON.
type Answer = Result<Value, Refusal>;

/// How a request is answered.
enum Handler {
    /// At once, from what is in memory (GET).
    Get(fn(&RequestFields, &ServerState) -> Answer),
    /// At once, and again whenever something is new, if the client accepts a stream (GET).
    Stream(fn(&RequestFields, &Arc<ServerState>) -> Result<Source, Refusal>),
    /// By a change of what is in memory; it is quick though it may read files (POST).
    Post(fn(&RequestFields, &ServerState) -> Answer),
    /// By work that may take long, and ends when the interrupt is raised (POST).
    Compute(fn(&RequestFields, &Interrupt) -> Answer),
    /// By the same from the files behind the server, by a method of HTTP.
    ReadFiles(&'static str, fn(&RequestFields, &ServerState, &Interrupt) -> Answer),
    /// By a change of these files: work that changes nothing prepares it, and it is made once (POST).
    WriteFiles(Prepare),
}

type Prepare = fn(&RequestFields, &ServerState, &Interrupt) -> Result<PreparedChange, Refusal>;

/// A change of files that is checked and ready; making it is quick.
type PreparedChange = Box<dyn FnOnce(&ServerState) -> Answer + Send>;

/// Every endpoint, in the order of the page.
pub(super) static TABLE: &[&Endpoint] = &[
    &solve::ENDPOINT,
    &check::ENDPOINT,
    &generate::ENDPOINT,
    &grade::ENDPOINT,
    &explain::ENDPOINT,
    &trace::ENDPOINT,
    &hint::ENDPOINT,
    &candidates::ENDPOINT,
    &convert::ENDPOINT,
    &picture::ENDPOINT,
    &play::ENDPOINT,
    &frames::ENDPOINT,
    &order::ENDPOINT,
    &births::ENDPOINT,
    &examples::ENDPOINT,
    &formats::ENDPOINT,
    &list::ENDPOINT,
    &experiments::ENDPOINT,
    &experiment::ENDPOINT,
    &runs::ENDPOINT,
    &plan::ENDPOINT,
    &start::ENDPOINT,
    &stop::ENDPOINT,
    &resume::ENDPOINT,
    &events::ENDPOINT,
    &report::ENDPOINT,
    &health::ENDPOINT,
    &openapi::ENDPOINT,
];

impl Endpoint {
    /// An endpoint for those who have the token.
    const fn new(
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
        answers: fn() -> Schema,
        handler: Handler,
    ) -> Self {
        Self { name, about, takes: Takes::Fields(params), answers, handler, is_open: false }
    }

    /// The same with an object of a schema of its own.
    const fn taking(self, schema: fn() -> Value) -> Self {
        Self { takes: Takes::Object(schema), ..self }
    }

    /// The same for those who have no token.
    const fn open(self) -> Self {
        Self { is_open: true, ..self }
    }

    /// The credentials a request needs.
    pub(super) fn access(&self) -> Access {
        match self.handler {
            Handler::WriteFiles(_) => Access::Writing,
            _ if self.is_open => Access::Open,
            _ => Access::Token,
        }
    }

    /// The whole path.
    pub(super) fn path(&self) -> String {
        format!("{ROOT}/{}", self.name)
    }

    /// The method of HTTP.
    pub(super) fn method(&self) -> &'static str {
        match self.handler {
            Handler::Get(_) | Handler::Stream(_) => "GET",
            Handler::Post(_) | Handler::Compute(_) | Handler::WriteFiles(_) => "POST",
            Handler::ReadFiles(method, _) => method,
        }
    }

    /// A request has its fields in a body, not in the query.
    pub(super) fn takes_body(&self) -> bool {
        self.method() == "POST"
    }

    /// What it answers, by content type, as OpenAPI says it.
    pub(super) fn content(&self) -> Value {
        let object = (self.answers)().0;
        match self.handler {
            Handler::Stream(_) => stream::content(&object),
            _ => json!({"application/json": {"schema": object}}),
        }
    }

    /// The fields of a request.
    async fn fields(&self, request: Request<Body>) -> Result<RequestFields, Refusal> {
        let params = match self.takes {
            Takes::Fields(params) => params,
            Takes::Object(_) => return Ok(RequestFields::unchecked(fields::body(request).await?)),
        };
        let object = if self.takes_body() {
            fields::body(request).await?
        } else {
            fields::query(request.uri(), params)?
        };
        RequestFields::checked(&object, params)
    }
}

/// The credentials that a request for a path needs; none for what is no endpoint's.
pub(super) fn access(method: &str, path: &str) -> Option<Access> {
    let name = path.strip_prefix(ROOT)?.strip_prefix('/')?;
    let found = TABLE.iter().find(|endpoint| endpoint.name == name && endpoint.method() == method);
    found.map(|endpoint| endpoint.access())
}

/// Answers a request.
pub(super) async fn answer(
    endpoint: &'static Endpoint,
    shared: &Arc<ServerState>,
    request: Request<Body>,
) -> Result<Response, Refusal> {
    let headers = request.headers().clone();
    let fields = endpoint.fields(request).await?;
    let of = Arc::clone(shared);
    let value = match endpoint.handler {
        Handler::Get(get) => get(&fields, shared)?,
        Handler::Stream(source) => {
            return shared.streams.answer(&headers, source(&fields, shared)?).await;
        }
        Handler::Post(post) => run_blocking(move || post(&fields, &of)).await?,
        Handler::Compute(compute) => {
            shared.work.done(Arc::new(move |interrupt| compute(&fields, interrupt))).await?
        }
        Handler::ReadFiles("GET", read) => {
            shared.work.done(Arc::new(move |interrupt| read(&fields, &of, interrupt))).await?
        }
        // What is asked for by POST is long as a rule: to begin it in the quick lane would be to do it twice.
        Handler::ReadFiles(_, read) => {
            shared.work.done_slowly(Arc::new(move |interrupt| read(&fields, &of, interrupt))).await?
        }
        Handler::WriteFiles(prepare) => write_files(prepare, fields, shared).await?,
    };
    Ok(super::json(StatusCode::OK, &value))
}

/// Prepares a change, which may be begun anew, and makes it once.
async fn write_files(prepare: Prepare, fields: RequestFields, shared: &Arc<ServerState>) -> Answer {
    let prepared = Arc::new(Mutex::new(None));
    let (place, of) = (Arc::clone(&prepared), Arc::clone(shared));
    // The lanes may begin a job anew, so that the change itself cannot be a part of it: it is left here when it is ready.
    let job = move |interrupt: &Interrupt| {
        let change = prepare(&fields, &of, interrupt)?;
        *lock(&place) = Some(change);
        Ok(Value::Null)
    };
    shared.work.done(Arc::new(job)).await?;
    let change: PreparedChange = lock(&prepared).take().ok_or_else(Refusal::bug)?;
    let of = Arc::clone(shared);
    run_blocking(move || change(&of)).await
}

/// Runs what may wait for a disk on a thread of its own.
async fn run_blocking(work: impl FnOnce() -> Answer + Send + 'static) -> Answer {
    tokio::task::spawn_blocking(work).await.map_err(|_| Refusal::bug())?
}
