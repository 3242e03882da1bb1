//! Connections: how many there are, how long they may take, and how they end.

use std::future::poll_fn;
use std::io;
use std::net::TcpListener;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::request::Parts;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::time::{interval, sleep, timeout};

use super::patient::Patient;
use super::refusal::{Code, Refusal};
use kenga_core::budget::Interrupt;

/// The most connections that are open; further ones wait for one to close.
const CONNECTIONS: usize = 128;

/// How long a header may take, and how long a connection may rest, or wait for its client to read.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a body may take.
const BODY: Duration = Duration::from_secs(5);

/// Bytes of the longest header. The library compares what waits to be read, which may be less; [`head_bytes`] counts.
pub(super) const HEADER_BYTES: usize = 32 * 1024;

/// Bytes of the longest body.
pub(super) const BODY_BYTES: usize = 1024 * 1024;

/// How many times as long a body is read, and thrown away, so that its sender hears why.
const EXCESS: usize = 8;

/// How often the interrupt is looked at.
const TICK: Duration = Duration::from_millis(50);

/// How long what is under way may take in the end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(400);

/// Serves connections until the interrupt is raised.
///
/// # Errors
/// The system cannot watch the socket.
pub(super) async fn accept_all(
    listener: TcpListener,
    router: Router,
    interrupt: &Interrupt,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let (stop, stopping) = watch::channel(());
    let mut end = pin!(raised(interrupt));
    loop {
        // The place first: further clients wait in the system's queue, where they cost this process nothing.
        let accepted = async {
            let place = Arc::clone(&room).acquire_owned().await.expect("the semaphore is never closed");
            listener.accept().await.map(|(stream, _)| (stream, place))
        };
        tokio::select! {
            accepted = accepted => match accepted {
                Ok((stream, place)) => {
                    let served = serve(stream, router.clone(), stopping.clone());
                    tokio::spawn(async move {
                        served.await;
                        drop(place);
                    });
                }
                // Too many files are open, or the client is gone already.
                Err(_) => sleep(TICK).await,
            },
            () = &mut end => break,
        }
    }
    // Our own receiver is dropped, too: `closed` waits for all of them.
    drop((listener, stopping));
    let _ = stop.send(());
    // Closed when the last connection has let go of it.
    let _ = timeout(SHUTDOWN_TIMEOUT, stop.closed()).await;
    Ok(())
}

/// Waits until an interrupt is raised.
async fn raised(interrupt: &Interrupt) {
    let mut ticks = interval(TICK);
    while !interrupt.is_raised() {
        ticks.tick().await;
    }
}

/// Serves a connection to its end; told to stop, to the end of the request under way.
async fn serve(stream: TcpStream, router: Router, mut stopping: watch::Receiver<()>) {
    // Answers are sent whole: nothing is to be waited for.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(HEADER_BYTES)
        .serve_connection(TokioIo::new(Patient::new(stream, PATIENCE)), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    let is_over = tokio::select! {
        // What a client breaks off is of no interest.
        _ = connection.as_mut() => true,
        _ = stopping.changed() => false,
    };
    // An answer under way is sent to its end; a connection that rests is closed at once.
    if !is_over {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

/// The bytes of a header: its first line, and a line for each field.
pub(super) fn head_bytes(head: &Parts) -> usize {
    let mut bytes = format!("{} {} HTTP/1.1\r\n", head.method, head.uri).len() + "\r\n".len();
    for (name, value) in &head.headers {
        bytes += name.as_str().len() + value.len() + ": \r\n".len();
    }
    bytes
}

/// Reads a body.
///
/// # Errors
/// It is too long, too slow, or ends too early.
pub(super) async fn whole(body: Body) -> Result<Vec<u8>, Refusal> {
    match timeout(BODY, collected(body)).await {
        Ok(Ok(Some(bytes))) => Ok(bytes),
        Ok(Ok(None)) => {
            let help = "use the command line for large puzzles";
            Err(Refusal::new(Code::TooLong, format!("the body is longer than {BODY_BYTES} bytes"), help))
        }
        Ok(Err(_)) => Err(Refusal::new(Code::BadRequest, "the body ends too early", "")),
        Err(_) => {
            let message = format!("the body did not come within {} s", BODY.as_secs());
            Err(Refusal::new(Code::TooSlow, message, ""))
        }
    }
}

/// The bytes of a body; none where it is too long.
async fn collected(mut body: Body) -> Result<Option<Vec<u8>>, axum::Error> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(data) = next_data(&mut body).await? {
        // A client that is cut off while it sends never reads why: the excess is read too, but not kept.
        length += data.len();
        if length > EXCESS * BODY_BYTES {
            break;
        }
        if length <= BODY_BYTES {
            bytes.extend_from_slice(&data);
        }
    }
    Ok(if length <= BODY_BYTES { Some(bytes) } else { None })
}

/// The next bytes of a body; none at its end.
async fn next_data(body: &mut Body) -> Result<Option<Bytes>, axum::Error> {
    match poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await {
        // What is no data, such as trailers, has no bytes.
        Some(frame) => Ok(Some(frame?.into_data().unwrap_or_default())),
        None => Ok(None),
    }
}
