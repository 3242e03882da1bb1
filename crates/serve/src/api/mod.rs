//! The API: a table of endpoints, a file each.

mod births;
mod candidates;
mod check;
mod convert;
mod events;
mod examples;
mod experiment;
mod experiments;
mod explain;
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
mod request;
mod resume;
mod runs;
mod solve;
mod start;
mod stop;
mod trace;
mod written;

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::Shared;
use super::connection::whole;
use super::refusal::{Code, Refusal};
use super::stream::{self, Source};
use kenga_core::budget::Interrupt;
use kenga_core::spec::Param;

/// The keys and values of a request.
pub(super) type Asked = Map<String, Value>;

/// Where the API stands.
const ROOT: &str = "/api/v1";

/// Something that can be asked for.
pub(super) struct Endpoint {
    /// The last part of its path.
    pub(super) name: &'static str,
    /// What it does, in a sentence.
    pub(super) about: &'static str,
    /// What it takes, as a schema; of one that shows, the parameters of the query.
    pub(super) takes: Takes,
    /// What it answers, as a schema.
    pub(super) answers: fn() -> Value,
    /// How it answers.
    run: Run,
    /// Whoever may speak to the server may ask, without the token.
    is_open: bool,
}

/// What one who asks has to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Nothing.
    Open,
    /// The token.
    Token,
    /// The token, and the server may write.
    Writing,
}

/// What a request holds.
pub(super) enum Takes {
    /// Parameters.
    Params(&'static [Param]),
    /// An object of this schema.
    Object(fn() -> Value),
}

/// How a request is answered.
pub(super) enum Run {
    /// At once, from what is there (GET).
    Show(fn(&Asked, &Shared) -> Result<Value, Refusal>),
    /// At once, and again whenever something is new, to one who accepts a stream (GET).
    Watch(fn(&Asked, &Arc<Shared>) -> Result<Source, Refusal>),
    /// By a change of what the server has, which is quick though it may read files (POST).
    Act(fn(&Asked, &Arc<Shared>) -> Result<Value, Refusal>),
    /// By work that may take long and ends when the interrupt is raised (POST).
    Work(fn(&Asked, &Interrupt) -> Result<Value, Refusal>),
    /// The same from the files behind the server, by a method of HTTP.
    Read(&'static str, fn(&Asked, &Shared, &Interrupt) -> Result<Value, Refusal>),
    /// By a change of these files: work that changes nothing prepares it, and it is made once (POST).
    Change(fn(&Asked, &Shared, &Interrupt) -> Result<Deed, Refusal>),
}

/// A change that was prepared; it is quick.
pub(super) type Deed = Box<dyn FnOnce(&Shared) -> Result<Value, Refusal> + Send>;

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
    /// An endpoint for those who have the token, of these parameters.
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
        answers: fn() -> Value,
        run: Run,
    ) -> Self {
        Self { name, about, takes: Takes::Params(params), answers, run, is_open: false }
    }

    /// The same with an object of a schema of its own.
    const fn taking(self, schema: fn() -> Value) -> Self {
        Self { takes: Takes::Object(schema), ..self }
    }

    /// The same for those who have no token.
    pub(super) const fn open(self) -> Self {
        Self { is_open: true, ..self }
    }

    /// What one who asks has to show.
    pub(super) fn access(&self) -> Access {
        match self.run {
            Run::Change(_) => Access::Writing,
            _ if self.is_open => Access::Open,
            _ => Access::Token,
        }
    }

    /// The whole path.
    pub(super) fn path(&self) -> String {
        format!("{ROOT}/{}", self.name)
    }

    /// It takes a body.
    pub(super) fn is_work(&self) -> bool {
        self.method() == "POST"
    }

    /// What it answers, by kind, as OpenAPI says it.
    pub(super) fn content(&self) -> Value {
        let object = (self.answers)();
        match self.run {
            Run::Watch(_) => stream::content(&object),
            _ => json!({"application/json": {"schema": object}}),
        }
    }

    /// The method of HTTP.
    pub(super) fn method(&self) -> &'static str {
        match self.run {
            Run::Show(_) | Run::Watch(_) => "GET",
            Run::Act(_) | Run::Work(_) | Run::Change(_) => "POST",
            Run::Read(method, _) => method,
        }
    }
}

/// Answers a request.
///
/// # Errors
/// What is wrong with it.
pub(super) async fn answer(
    endpoint: &'static Endpoint,
    shared: &Arc<Shared>,
    request: Request<Body>,
) -> Result<Response, Refusal> {
    let headers = request.headers().clone();
    let asked = endpoint.asked(request).await?;
    let of = Arc::clone(shared);
    let value = match endpoint.run {
        Run::Show(show) => show(&asked, shared)?,
        Run::Watch(watch) => return shared.streams.answer(&headers, watch(&asked, shared)?).await,
        Run::Act(act) => aside(move || act(&asked, &of)).await?,
        Run::Work(work) => shared.work.done(Arc::new(move |interrupt| work(&asked, interrupt))).await?,
        Run::Read(method, read) => {
            let job = Arc::new(move |interrupt: &Interrupt| read(&asked, &of, interrupt));
            match method {
                "GET" => shared.work.done(job).await?,
                _ => shared.work.done_slowly(job).await?,
            }
        }
        Run::Change(prepare) => {
            let prepared = Arc::new(Mutex::new(None));
            let (place, of_work) = (Arc::clone(&prepared), Arc::clone(&of));
            let job = move |interrupt: &Interrupt| {
                let deed = prepare(&asked, &of_work, interrupt)?;
                *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(deed);
                Ok(Value::Null)
            };
            shared.work.done(Arc::new(job)).await?;
            let deed = prepared.lock().unwrap_or_else(PoisonError::into_inner).take();
            let deed = deed.ok_or_else(Refusal::bug)?;
            aside(move || deed(&of)).await?
        }
    };
    Ok(super::json(StatusCode::OK, &value))
}

/// Does what may wait for a disk on a thread of its own.
async fn aside(act: impl FnOnce() -> Result<Value, Refusal> + Send + 'static) -> Result<Value, Refusal> {
    tokio::task::spawn_blocking(act).await.map_err(|_| Refusal::bug())?
}

impl Endpoint {
    /// The keys and values of a request.
    async fn asked(&self, request: Request<Body>) -> Result<Asked, Refusal> {
        match &self.takes {
            _ if self.is_work() => body(request).await,
            Takes::Params(params) => request::query(request.uri(), params),
            Takes::Object(_) => request::query(request.uri(), &[]),
        }
    }
}

/// What one who asks for a path by a method has to show; none for what is no endpoint's.
pub(super) fn access(method: &str, path: &str) -> Option<Access> {
    let name = path.strip_prefix(ROOT)?.strip_prefix('/')?;
    let found = TABLE.iter().find(|endpoint| endpoint.name == name && endpoint.method() == method);
    found.map(|endpoint| endpoint.access())
}

/// The object of a request's body.
async fn body(request: Request<Body>) -> Result<Map<String, Value>, Refusal> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_json =
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    let bytes = whole(request.into_body()).await?;
    if !is_json {
        return Err(Refusal::new(
            Code::NotJson,
            "the body is not said to be JSON",
            "send Content-Type: application/json",
        ));
    }
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(asked)) => Ok(asked),
        Ok(_) => Err(Refusal::new(Code::BadRequest, "the body is no JSON object", "")),
        Err(error) => Err(Refusal::new(Code::BadRequest, format!("the body is not JSON: {error}"), "")),
    }
}
