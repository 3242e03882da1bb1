//! Streams of the server: what they tell, how many there are, and how they end.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use crate::lab::Lab;
use crate::served::{FOUR, Served};
use crate::signals::send;

/// A stream that is read event by event.
pub struct Events(BufReader<TcpStream>);

impl Events {
    /// Opens a stream; the status of the answer beside it.
    pub fn open(served: &Served, path: &str) -> (u16, Self) {
        let mut stream = served.connect();
        let (port, known) = (served.port, served.known());
        // Without this the connection rests for five seconds behind the end of the stream, in case more is asked.
        let headers = format!("Accept: text/event-stream\r\nConnection: close\r\n{known}");
        let head = format!("GET /api/v1/{path} HTTP/1.1\r\nHost: localhost:{port}\r\n{headers}\r\n");
        stream.write_all(head.as_bytes()).expect("it is sent");
        let mut events = Self(BufReader::new(stream));
        let status = events.line().expect("a status").split(' ').nth(1).expect("a number").parse();
        while events.line().is_some_and(|line| !line.is_empty()) {}
        (status.expect("a number"), events)
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).expect("lines in time");
        (read > 0).then(|| line.trim_end().to_owned())
    }

    /// The next event with its object; none at the end.
    pub fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let line = self.line()?;
            if let Some(event) = line.strip_prefix("event: ") {
                event.clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).expect("an object")));
            }
        }
    }
}

fn open_streams(served: &Served) -> u64 {
    served.get("/api/v1/health").json()["streams"].as_u64().expect("a number")
}

/// Waits until so many streams are open.
fn wait_for(served: &Served, streams: u64) {
    for _ in 0..500 {
        if open_streams(served) == streams {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("never {streams} streams");
}

#[test]
fn a_stream_tells_what_changes() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    assert_eq!(served.get("/api/v1/health").json()["streams"], 0);
    let (status, mut events) = Events::open(&served, "health");
    let (name, health) = events.next().expect("what there is");
    assert_eq!((status, &*name, &health["streams"]), (200, "health", &json!(1)));
    let other = Events::open(&served, "health");
    assert_eq!(events.next().expect("another").1["streams"], 2);
    drop(other);
    assert_eq!(events.next().expect("it is gone").1["streams"], 1);
    assert_eq!(Events::open(&served, "health?x=1").0, 400);
}

/// Tested beside what waits as long, in `serve`.
pub fn a_stream_without_news_shows_that_it_is_alive() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let mut events = Events::open(&served, "health").1;
    events.next().expect("what there is");
    while events.line().expect("it goes on, and in time") != ":" {}
}

#[test]
fn so_many_streams_are_open_and_no_more() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let streams: Vec<_> = (0..64).map(|_| Events::open(&served, "health")).collect();
    assert!(streams.iter().all(|(status, _)| *status == 200));
    let headers = "Accept: text/event-stream\r\n";
    let refused = served.ask("GET", "/api/v1/health", headers, "");
    assert_eq!(refused.refusal(), (429, "too_many_streams".to_owned()));
    // Whatever else is asked for is answered.
    assert_eq!(served.done("solve", &json!({"puzzle": FOUR}))["status"], "unique");
    assert_eq!(open_streams(&served), 64);
    drop(streams);
    wait_for(&served, 0);
}

#[test]
fn a_signal_ends_open_streams() {
    let lab = Lab::new();
    let mut served = Served::start(&lab, &[]);
    let mut streams: Vec<_> = (0..20).map(|_| Events::open(&served, "health").1).collect();
    send("-INT", &served.child);
    let ends = (0..100).any(|_| {
        sleep(Duration::from_millis(20));
        served.child.try_wait().expect("a child").is_some()
    });
    assert!(ends, "it goes on");
    assert_eq!(served.child.wait().expect("it has ended").code(), Some(130));
    for events in &mut streams {
        while events.line().is_some() {}
    }
}

#[test]
fn an_experiment_whose_folder_was_removed_is_still_shown_and_stopped() {
    let lab = Lab::new();
    let served = Served::start(&lab, &["."]);
    let config = "replicates = 1_000_000\nbudget.evaluations = 20_000\n";
    let asked = |folder: &str| json!({"config": config, "puzzles": [FOUR], "folder": folder});
    served.done("start", &asked("first"));
    served.done("start", &asked("second"));
    std::fs::remove_dir_all(lab.path("second")).expect("it waits, and writes nothing");
    let known = served.ask("GET", "/api/v1/experiments", &served.known(), "").json();
    assert_eq!(known["folders"][1]["folder"], "second", "{known}");
    assert_eq!(served.post("start", &asked("second")).refusal().1, "locked");
    served.done("stop", &json!({"folder": "second"}));
}
