//! The local web server: pages, and an API over HTTP for what the command line does, which the pages ask too.
//!
//! It is for the person at this machine. `guard` says who may ask, `work` bounds what is done, `api` is one table of
//! endpoints, from which the router and the description for OpenAPI are made; `pages` is one table of the pages' files.
//!
//! **Invariant**: every request passes `guard` before anything else looks at it; nothing that waits for a disk, and nothing
//! that may take long, runs on the thread that all connections share. How it is done otherwise may change freely.

mod api;
mod connection;
mod guard;
mod lab;
mod limits;
mod pages;
mod patient;
mod play;
mod refusal;
mod stream;
mod ticket;
mod work;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use axum::{Router, middleware};
use miette::Diagnostic;
use serde_json::Value;
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use guard::Guard;
use kenga_core::budget::Interrupt;
use kenga_core::search::algorithms::Programs;
use kenga_lab::experiment::cores;
use kenga_lab::results::ResultsError;
use lab::Lab;
use play::Plays;
use refusal::{Code, Refusal};
use stream::Streams;
use ticket::Ticket;
use work::WorkerThreads;

/// What a server serves, where it listens, and what it may do.
#[derive(Clone)]
pub struct Options {
    /// The folder with the results folders; it may not be there yet.
    pub folder: PathBuf,
    /// The address to listen on.
    pub address: IpAddr,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// The server writes nothing and starts no experiment.
    pub read_only: bool,
    /// Where programs are started by which a run in the folder is played; without, none is.
    pub programs: Option<Arc<Programs>>,
    /// Configurations that a page begins with.
    pub examples: &'static [Example],
}

/// A configuration with its puzzle, to be played or changed.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The name, which is distinct.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub about: &'static str,
    /// The configuration, as TOML.
    pub config: &'static str,
    /// The puzzle, in any known format.
    pub puzzle: &'static str,
}

impl Options {
    /// This machine alone can reach it.
    pub const LOCAL: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
}

/// Why there is no server.
#[derive(Debug, Error, Diagnostic)]
pub enum ServeError {
    /// Another program listens there.
    #[error("port {port} of {address} is taken")]
    #[diagnostic(help(
        "another program listens there, perhaps another kenga serve; choose another --port, or 0 for one that is free"
    ))]
    Taken {
        /// The address.
        address: IpAddr,
        /// The port.
        port: u16,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on port {port} of {address}")]
    #[diagnostic(help("--listen takes an address of this machine, and --port one from 1024 on"))]
    Unusable {
        /// The address.
        address: IpAddr,
        /// The port.
        port: u16,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The folder is a file.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Folder(#[from] ResultsError),
    /// The system refuses threads, or random numbers for the token.
    #[error("the system refuses what a server needs")]
    System(#[source] io::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    runtime: Runtime,
    shared: Arc<ServerState>,
    interrupt: Interrupt,
}

/// What all requests share.
struct ServerState {
    guard: Guard,
    work: WorkerThreads,
    streams: Streams,
    plays: Arc<Plays>,
    lab: Arc<Lab>,
    programs: Option<Arc<Programs>>,
    examples: &'static [Example],
}

impl Server {
    /// Begins to listen, for a server that ends when the interrupt is raised.
    ///
    /// # Errors
    /// The port is taken or cannot be used, or the system refuses threads or random numbers.
    pub fn bind(options: &Options, interrupt: &Interrupt) -> Result<Self, ServeError> {
        let Options { address, port, .. } = *options;
        // The folder first: a server that cannot serve it must not take the port from another.
        let lab = Arc::new(Lab::new(&options.folder)?);
        let listener = TcpListener::bind((address, port)).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken { address, port },
            _ => ServeError::Unusable { address, port, source },
        })?;
        Self::start(options, interrupt, lab, listener).map_err(ServeError::System)
    }

    /// Starts the threads of a server that has its folder and its port.
    fn start(
        options: &Options,
        interrupt: &Interrupt,
        lab: Arc<Lab>,
        listener: TcpListener,
    ) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        // One thread is enough for connections: what takes long has threads of its own, and so does what waits for a disk.
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let work = WorkerThreads::start(cores(), runtime.handle())?;
        lab.start_worker()?;
        // The threads are there before the first request is accepted: a server that lacks them ends here, with an error.
        let guard = Guard {
            address: options.address,
            // The system has chosen one where 0 was asked for.
            port: listener.local_addr()?.port(),
            token: token()?,
            read_only: options.read_only,
            ticket: Ticket::default(),
        };
        let shared = Arc::new(ServerState {
            guard,
            work,
            streams: Streams::new(interrupt),
            plays: Plays::start(runtime.handle()),
            lab,
            programs: options.programs.clone(),
            examples: options.examples,
        });
        Ok(Self { listener, runtime, shared, interrupt: interrupt.clone() })
    }

    /// The address to open, with the token.
    pub fn url(&self) -> String {
        format!("{}?token={}", self.page(), self.shared.guard.token)
    }

    /// The address to start a browser with: it opens the page once.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn ticket(&self) -> Result<String, ServeError> {
        let word = token().map_err(ServeError::System)?;
        let address = format!("{}?ticket={word}", self.page());
        self.shared.guard.ticket.set(word);
        Ok(address)
    }

    fn page(&self) -> String {
        let Guard { address, port, .. } = self.shared.guard;
        // An address that stands for all of the machine's own is none to open.
        let host = if address.is_unspecified() { Options::LOCAL } else { address };
        format!("http://{}/", SocketAddr::new(host, port))
    }

    /// Answers requests until the interrupt is raised; then answers those that are quick, stops the others and returns, within
    /// a second.
    ///
    /// # Errors
    /// The system cannot watch the socket.
    pub fn run(self) -> Result<(), ServeError> {
        let Self { listener, runtime, shared, interrupt } = self;
        // The router takes all else; the experiments are ended when no request can begin another.
        let lab = Arc::clone(&shared.lab);
        runtime
            .block_on(connection::accept_all(listener, router(shared), &interrupt))
            .map_err(ServeError::System)?;
        // Dropping what waits for an answer stops the work on it; nothing is waited for.
        runtime.shutdown_background();
        lab.end();
        Ok(())
    }
}

/// 128 bits of the system's randomness in hexadecimal. No result depends on them.
fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// All paths, guarded.
fn router(shared: Arc<ServerState>) -> Router {
    let mut router = pages::router();
    for endpoint in api::TABLE {
        let filter = if endpoint.takes_body() { MethodFilter::POST } else { MethodFilter::GET };
        let answer = move |State(shared): State<Arc<ServerState>>, request: Request<Body>| async move {
            api::answer(endpoint, &shared, request).await.unwrap_or_else(IntoResponse::into_response)
        };
        router = router.route(&endpoint.path(), on(filter, answer));
    }
    // The guard is the last layer, and so the first that sees a request, even one for a path or a method that is not there.
    router
        .fallback(|| async {
            Refusal::new(Code::NotFound, "there is nothing at this address", "/ lists what there is")
        })
        .method_not_allowed_fallback(|request: Request<Body>| async move { refused_method(&request) })
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard::guarded))
        .with_state(shared)
}

/// The refusal of a method that a path does not take.
fn refused_method(request: &Request<Body>) -> Refusal {
    let endpoint = api::TABLE.iter().find(|endpoint| endpoint.path() == request.uri().path());
    Refusal::no_method(endpoint.map_or("GET", |endpoint| endpoint.method()))
}

/// Locks what is whole whenever it is unlocked, even by a thread that panics.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An answer in JSON.
fn json(status: StatusCode, value: &Value) -> Response {
    (status, [(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    /// Where a value does not fit a schema, if it does not.
    fn misfit(value: &Value, schema: &Value, path: &str) -> Option<String> {
        if let Some(words) = schema["enum"].as_array() {
            return (!words.contains(value)).then(|| format!("{path} is {value}"));
        }
        let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() || !kinds.contains(&json!("integer")) => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        if !kinds.contains(&json!(kind)) {
            return Some(format!("{path} is {value}"));
        }
        let mut required: Vec<&Value> = schema["required"].as_array().into_iter().flatten().collect();
        for (key, inner) in value.as_object().into_iter().flatten() {
            required.retain(|name| *name != key);
            let described = schema["properties"].get(key).or_else(|| schema.get("additionalProperties"));
            match described {
                Some(described) => {
                    if let Some(found) = misfit(inner, described, &format!("{path}.{key}")) {
                        return Some(found);
                    }
                }
                None if schema["properties"].is_object() && path != "explain.end" => {
                    return Some(format!("{path}.{key} is not described"));
                }
                None => {}
            }
        }
        if let Some(name) = required.first() {
            return Some(format!("{path} has no {name}"));
        }
        let items = schema.get("items")?;
        value.as_array()?.iter().find_map(|item| misfit(item, items, &format!("{path}[]")))
    }

    #[test]
    fn every_answer_fits_its_schema() {
        let folder = PathBuf::from("/nowhere/at/all");
        let options = Options {
            folder,
            address: Options::LOCAL,
            port: 0,
            read_only: true,
            programs: None,
            examples: &[],
        };
        let server = Server::bind(&options, &Interrupt::default()).expect("a server");
        let puzzle = json!({"kind": "latin", "size": 2, "cages": [{"op": "+", "target": 3, "cells": [[0, 0], [0, 1]]}]});
        let unsolvable = json!({"size": 1, "cages": [{"op": "=", "target": 2, "cells": [[0, 0]]}]});
        let grid = "1 ./. .";
        for (name, fields) in [
            ("solve", json!({"puzzle": puzzle})),
            ("solve", json!({"puzzle": unsolvable, "why": true})),
            ("check", json!({"puzzle": puzzle, "grid": grid})),
            ("check", json!({"puzzle": puzzle, "grid": "1 1/. ."})),
            ("generate", json!({"kind": "futoshiki", "size": 4})),
            ("grade", json!({"puzzle": puzzle})),
            ("explain", json!({"puzzle": puzzle, "verify": true, "pictured": 9})),
            ("trace", json!({"puzzle": puzzle, "landmarks": true})),
            ("hint", json!({"puzzle": puzzle, "grid": grid, "more": true})),
            ("candidates", json!({"puzzle": puzzle})),
            ("convert", json!({"puzzle": puzzle, "to": "json"})),
            ("picture", json!({"puzzle": puzzle, "marks": {"rests": [[0, 0]]}})),
            ("plan", json!({"config": "budget.evaluations = 9", "puzzles": [puzzle]})),
            ("experiments", json!({})),
            ("examples", json!({})),
            ("formats", json!({})),
            ("list", json!({})),
            ("health", json!({})),
            ("openapi.json", json!({})),
        ] {
            let endpoint = api::TABLE.iter().find(|endpoint| endpoint.name == name).expect("an endpoint");
            let request = Request::builder().uri("/").header(CONTENT_TYPE, "application/json");
            let request = request.body(Body::from(fields.to_string())).expect("a request");
            let answer = async {
                let response = api::answer(endpoint, &server.shared, request).await.expect("an answer");
                axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a body")
            };
            let answer = serde_json::from_slice(&server.runtime.block_on(answer)).expect("JSON");
            let schema = &endpoint.content()["application/json"]["schema"];
            assert_eq!(misfit(&answer, schema, name), None);
        }
    }
}
