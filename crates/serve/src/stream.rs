//! Streams of server-sent events: how many are open, what they hold, and how they end.
//!
//! ```text
//! a source is asked what is new at every tick, but only when its reader has taken what was sent before:
//! a slow reader gets the latest state, less often, and nothing is heaped up for it
//! ```
//!
//! A reader that goes away drops the stream, and with it the source and what it holds. Server-sent events: the HTML
//! standard of the WHATWG, section 9.2.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Interval, MissedTickBehavior, interval, timeout};

use super::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;

/// The most streams that are open.
const STREAMS: usize = 64;

/// How often a source is asked.
const TICK: Duration = Duration::from_millis(50);

/// Ticks without news after which a comment shows that the stream is alive.
const HEARTBEAT: u32 = 100;

/// How long one who asks for a single answer waits for the first news.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a stream is made of.
pub(super) const EVENTS: &str = "text/event-stream";

/// What a source says at a tick.
pub(super) enum News {
    /// What was said before still holds.
    Nothing,
    /// An event: its name, and its object as JSON on one line.
    Event(&'static str, String),
    /// There will be no more.
    End,
}

/// What gives a stream its events. The first one says all that there is; it is asked on the thread of all connections, so that
/// it must be quick.
pub(super) type Source = Box<dyn FnMut() -> News + Send>;

/// The streams of a server.
pub(super) struct Streams {
    room: Arc<Semaphore>,
    /// Ends them all.
    ending: Interrupt,
}

impl Streams {
    /// No streams yet; all of them end when the interrupt is raised.
    pub(super) fn new(ending: &Interrupt) -> Self {
        Self { room: Arc::new(Semaphore::new(STREAMS)), ending: ending.clone() }
    }

    /// How many are open.
    pub(super) fn open(&self) -> usize {
        STREAMS - self.room.available_permits()
    }

    /// The answer to one who asks for a source: a stream, or, where no stream is accepted, the object of its first event.
    ///
    /// # Errors
    /// Too many streams are open; nothing is new in time.
    pub(super) async fn answer(&self, headers: &HeaderMap, source: Source) -> Result<Response, Refusal> {
        let mut accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        // A browser's EventSource says so; curl and programs that want one answer do not.
        if accepted.any(|value| value.contains(EVENTS)) {
            let events = Body::new(self.begin(source)?);
            return Ok((StatusCode::OK, [(CONTENT_TYPE, EVENTS)], events).into_response());
        }
        let Ok(Some(object)) = timeout(PATIENCE, first(source)).await else {
            return Err(Refusal::new(
                Code::TimeLimit,
                "there is nothing to show yet",
                "ask again in a second",
            ));
        };
        Ok((StatusCode::OK, [(CONTENT_TYPE, "application/json")], object).into_response())
    }

    fn begin(&self, source: Source) -> Result<Events, Refusal> {
        // Refused, not queued: a reader that waits would see a page that hangs.
        let place = Arc::clone(&self.room).try_acquire_owned().map_err(|_| {
            let message = format!("{STREAMS} streams are open already");
            Refusal::new(Code::TooManyStreams, message, "close a page that shows something as it happens")
        })?;
        Ok(Events { source, ticks: ticks(), quiet: 0, ending: self.ending.clone(), _place: place })
    }
}

/// The object of a source's first event; none where it ends before.
async fn first(mut source: Source) -> Option<String> {
    let mut ticks = ticks();
    loop {
        ticks.tick().await;
        match source() {
            News::Nothing => {}
            News::Event(_, object) => return Some(object),
            News::End => return None,
        }
    }
}

/// The first tick is at once.
fn ticks() -> Interval {
    let mut ticks = interval(TICK);
    // After a slow reader the ticks that were missed are not made up for: they would all find nothing new.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// The events of a source, as the body of an answer.
struct Events {
    source: Source,
    ticks: Interval,
    /// Ticks without news.
    quiet: u32,
    ending: Interrupt,
    _place: OwnedSemaphorePermit,
}

/// What is sent at a tick.
enum Sent {
    Nothing,
    Text(String),
    End,
}

impl Events {
    fn next(&mut self) -> Sent {
        let news = (self.source)();
        // The end of the server comes before any news: else a busy stream would keep its connection past the shutdown.
        if self.ending.is_raised() {
            return Sent::End;
        }
        match news {
            News::End => Sent::End,
            News::Event(name, object) => {
                self.quiet = 0;
                Sent::Text(format!("event: {name}\ndata: {object}\n\n"))
            }
            News::Nothing => {
                self.quiet = (self.quiet + 1) % HEARTBEAT;
                if self.quiet == 0 { Sent::Text(":\n\n".to_owned()) } else { Sent::Nothing }
            }
        }
    }
}

impl HttpBody for Events {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        loop {
            ready!(self.ticks.poll_tick(context));
            match self.next() {
                Sent::Nothing => {}
                Sent::Text(text) => return Poll::Ready(Some(Ok(Frame::data(text.into())))),
                Sent::End => return Poll::Ready(None),
            }
        }
    }
}

/// What OpenAPI says of an answer that may be a stream of objects of this schema.
pub(super) fn content(object: &Value) -> Value {
    let about = "server-sent events, for one who accepts them: the `data` of each is such an object";
    json!({
        "application/json": {"schema": object},
        EVENTS: {"schema": {"type": "string", "description": about}},
    })
}
