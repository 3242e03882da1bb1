//! The API: a table of endpoints, a file each.

mod check;
mod convert;
mod examples;
mod explain;
mod formats;
mod frames;
mod generate;
mod grade;
mod health;
mod hint;
mod list;
mod order;
mod picture;
mod play;
mod puzzle;
mod request;
mod solve;

use std::sync::Arc;

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
use crate::budget::Interrupt;
use crate::spec::Param;
pub(super) use request::{is_required, object, property, read};

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
}

/// What a request holds.
pub(super) enum Takes {
    /// Parameters.
    Params(&'static [Param]),
    /// An object of this schema.
    Object(fn() -> Value),
}

/// How a request is answered.
enum Run {
    /// At once, from what is there (GET).
    Show(fn(&Asked, &Shared) -> Result<Value, Refusal>),
    /// At once, and again whenever something is new, to one who accepts a stream (GET).
    Watch(fn(&Asked, &Arc<Shared>) -> Result<Source, Refusal>),
    /// By a change of what the server has, which is quick though it may read files (POST).
    Act(fn(&Asked, &Arc<Shared>) -> Result<Value, Refusal>),
    /// By work that may take long and ends when the interrupt is raised (POST).
    Work(fn(&Asked, &Interrupt) -> Result<Value, Refusal>),
}

/// Every endpoint, in the order of the page.
pub(super) static TABLE: &[&Endpoint] = &[
    &solve::ENDPOINT,
    &check::ENDPOINT,
    &generate::ENDPOINT,
    &grade::ENDPOINT,
    &explain::ENDPOINT,
    &hint::ENDPOINT,
    &convert::ENDPOINT,
    &picture::ENDPOINT,
    &play::ENDPOINT,
    &frames::ENDPOINT,
    &order::ENDPOINT,
    &examples::ENDPOINT,
    &formats::ENDPOINT,
    &list::ENDPOINT,
    &health::ENDPOINT,
    &super::openapi::ENDPOINT,
];

impl Endpoint {
    /// An endpoint that shows what is there.
    pub(super) const fn show(
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
        answers: fn() -> Value,
        run: fn(&Asked, &Shared) -> Result<Value, Refusal>,
    ) -> Self {
        Self { name, about, takes: Takes::Params(params), answers, run: Run::Show(run) }
    }

    /// An endpoint that shows what is there, and what changes.
    const fn watch(
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
        answers: fn() -> Value,
        run: fn(&Asked, &Arc<Shared>) -> Result<Source, Refusal>,
    ) -> Self {
        Self { name, about, takes: Takes::Params(params), answers, run: Run::Watch(run) }
    }

    /// An endpoint that changes what the server has.
    const fn act(
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
        answers: fn() -> Value,
        run: fn(&Asked, &Arc<Shared>) -> Result<Value, Refusal>,
    ) -> Self {
        Self { name, about, takes: Takes::Params(params), answers, run: Run::Act(run) }
    }

    /// An endpoint that starts work with parameters.
    const fn work(
        name: &'static str,
        about: &'static str,
        params: &'static [Param],
        answers: fn() -> Value,
        run: fn(&Asked, &Interrupt) -> Result<Value, Refusal>,
    ) -> Self {
        Self { name, about, takes: Takes::Params(params), answers, run: Run::Work(run) }
    }

    /// An endpoint that starts work with an object of a schema of its own.
    const fn order(
        name: &'static str,
        about: &'static str,
        takes: fn() -> Value,
        answers: fn() -> Value,
        run: fn(&Asked, &Interrupt) -> Result<Value, Refusal>,
    ) -> Self {
        Self { name, about, takes: Takes::Object(takes), answers, run: Run::Work(run) }
    }

    /// The whole path.
    pub(super) fn path(&self) -> String {
        format!("{ROOT}/{}", self.name)
    }

    /// It starts work.
    pub(super) fn is_work(&self) -> bool {
        matches!(self.run, Run::Act(_) | Run::Work(_))
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
        if self.is_work() { "POST" } else { "GET" }
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
    let value = match endpoint.run {
        Run::Show(show) => show(&request::query(request.uri())?, shared)?,
        Run::Watch(watch) => {
            let source = watch(&request::query(request.uri())?, shared)?;
            return shared.streams.answer(request.headers(), source).await;
        }
        Run::Act(act) => {
            let (asked, shared) = (body(request).await?, Arc::clone(shared));
            let acted = tokio::task::spawn_blocking(move || act(&asked, &shared)).await;
            acted.map_err(|_| Refusal::bug())??
        }
        Run::Work(work) => {
            let asked = body(request).await?;
            shared.work.done(Arc::new(move |interrupt| work(&asked, interrupt))).await?
        }
    };
    Ok(super::json(StatusCode::OK, &value))
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
