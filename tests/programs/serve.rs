//! The server as a whole program: what it answers, what it refuses, and how it ends.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::{self, sleep};
use std::time::Duration;

use serde_json::{Value, json};

use crate::lab::Lab;
use crate::served::{FOUR, Served, answer_of};
use crate::signals::send;
use crate::streams::a_stream_without_news_shows_that_it_is_alive;

/// A Latin square of 25 rows with more solutions than can be counted.
fn long(lab: &Lab) -> String {
    let puzzle = lab.kenga(&["generate", "--kind", "quasigroup", "--size", "25", "--holes", "0.6"]).stdout;
    let puzzle: Value = serde_json::from_str(&puzzle).expect("a puzzle");
    json!({"puzzle": puzzle, "count": 1_000_000}).to_string()
}

/// The lines of JSON that a command prints, without times.
fn printed(lab: &Lab, args: &[&str]) -> Vec<Value> {
    let shown = lab.kenga(args).stdout;
    shown.lines().map(|line| untimed(serde_json::from_str(line).expect("a line of JSON"))).collect()
}

fn untimed(mut object: Value) -> Value {
    for key in ["compile_us", "first_us", "search_us"] {
        object.as_object_mut().expect("an object").remove(key);
    }
    object
}

#[test]
fn every_answer_is_that_of_the_command_line() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let six = include_str!("../../puzzles/original/6x6.txt");
    for text in [FOUR, six, crate::lab::FOUR, "2\n1- A1 A2\n3- B1 B2\n"] {
        lab.write("puzzle", text);
        let puzzle = json!({"puzzle": text});
        let with = |more: Value| {
            let mut asked = puzzle.clone();
            asked.as_object_mut().expect("one").extend(more.as_object().expect("another").clone());
            asked
        };
        let solved = |more| untimed(served.done("solve", &with(more)));
        assert_eq!([solved(json!({}))], *printed(&lab, &["solve", "puzzle", "--json"]));
        let why =
            ["solve", "puzzle", "--json", "--why", "--with", "A1=1", "--count", "9", "--node-limit", "5"];
        let asked = json!({"why": true, "with": "A1=1", "count": 9, "node_limit": 5});
        assert_eq!([solved(asked)], *printed(&lab, &why));
        let check = ["check", "puzzle", "--json", "--grid"];
        let grid = "1 . . ./. . . ./. . . ./. . . .";
        if text == FOUR {
            let checked = served.done("check", &with(json!({"grid": grid})));
            assert_eq!([checked], *printed(&lab, &[&check[..], &[grid]].concat()));
            let row = json!([null, null, null, null]);
            let rows = json!({"grid": [[1, null, null, null], row, row, row]});
            assert_eq!(served.done("check", &with(rows))["completable"], false);
            let hint = ["hint", "puzzle", "--json", "--more", "--grid", grid];
            let hinted = served.done("hint", &with(json!({"grid": grid, "more": true})));
            assert_eq!([hinted], *printed(&lab, &hint));
        }
        assert_eq!([served.done("grade", &puzzle)], *printed(&lab, &["grade", "puzzle", "--json"]));
        let explained = served.done("explain", &with(json!({"verify": true})));
        let mut lines = printed(&lab, &["explain", "puzzle", "--json", "--verify"]);
        assert_eq!(
            (&explained["end"], &explained["steps"]),
            (&lines.pop().expect("an end"), &Value::Array(lines))
        );
        for format in ["json", "minizinc", "svg"] {
            let command = if format == "svg" { "draw" } else { "convert" };
            let text = lab.kenga(&[command, "puzzle", "--to", format]).stdout;
            assert_eq!(served.done("convert", &with(json!({"to": format})))["text"], text, "{format}");
        }
    }
    let asked = json!({"kind": "futoshiki", "size": 4, "count": 3, "seed": 7});
    let puzzles =
        printed(&lab, &["generate", "--kind", "futoshiki", "--size", "4", "--count", "3", "--seed", "7"]);
    assert_eq!(served.done("generate", &asked), json!({"puzzles": puzzles, "notes": []}));
    let all = Value::Array(printed(&lab, &["list", "--json"]));
    assert_eq!(served.get("/api/v1/list").json(), all);
    let some = Value::Array(printed(&lab, &["list", "selection", "--json"]));
    assert_eq!(served.get("/api/v1/list?family=selection").json(), some);
    let formats = served.get("/api/v1/formats").json();
    for (name, group, read) in
        [("keen", "puzzle", true), ("minizinc", "model", false), ("svg", "picture", false)]
    {
        let format = formats.as_array().expect("a list").iter().find(|format| format["name"] == name);
        let format = format.unwrap_or_else(|| panic!("{name} is listed"));
        assert_eq!((&format["group"], &format["read"]), (&json!(group), &json!(read)), "{name}");
    }
}

#[test]
fn an_error_is_that_of_the_command_line() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let bad = "2\n3+ A1 A2\n3+ B1 Q2\n";
    lab.write("puzzle", bad);
    let refused = served.post("grade", &json!({"puzzle": bad}));
    let error = &refused.json()["error"];
    assert_eq!(refused.refusal(), (422, "bad_puzzle".to_owned()));
    assert_eq!((&error["line"], &error["column"]), (&json!(3), &json!(7)));
    let said = format!("{}\n", error["text"].as_str().expect("a text"));
    assert_eq!(said, lab.kenga(&["grade", "puzzle"]).stderr);
}

#[test]
fn what_is_no_sound_request_is_refused_with_a_code() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let two = format!("{FOUR}\n{FOUR}\n");
    for (endpoint, body, status, code) in [
        ("solve", json!({}), 400, "bad_request"),
        ("solve", json!({"puzzle": FOUR, "cuont": 2}), 400, "bad_request"),
        ("solve", json!({"puzzle": FOUR, "count": 0}), 400, "bad_request"),
        ("solve", json!({"puzzle": FOUR, "count": null}), 400, "bad_request"),
        ("solve", json!({"puzzle": FOUR, "time_limit": 1e9}), 400, "bad_request"),
        ("solve", json!({"puzzle": FOUR, "with": "Z"}), 422, "bad_grid"),
        ("solve", json!({"puzzle": FOUR, "with": "A9=1"}), 422, "bad_grid"),
        ("solve", json!({"puzzle": two}), 422, "bad_puzzle"),
        ("solve", json!({"puzzle": FOUR, "id": "nine"}), 422, "bad_puzzle"),
        ("solve", json!({"puzzle": FOUR, "colors": 3}), 422, "bad_puzzle"),
        ("solve", json!([]), 400, "bad_request"),
        ("check", json!({"puzzle": FOUR}), 400, "bad_request"),
        ("check", json!({"puzzle": FOUR, "grid": "1 2"}), 422, "bad_grid"),
        ("grade", json!({"puzzle": ""}), 422, "bad_puzzle"),
        ("grade", json!({"puzzle": FOUR, "up_to": "impossible"}), 400, "bad_request"),
        ("explain", json!({"puzzle": {"size": 2}}), 422, "bad_puzzle"),
        ("hint", json!({"puzzle": FOUR, "grid": "9 . . ./. . . ./. . . ./. . . ."}), 422, "bad_grid"),
        ("convert", json!({"puzzle": FOUR, "to": "gif"}), 400, "bad_request"),
        ("convert", json!({"puzzle": FOUR, "to": "sudoku"}), 422, "unwritable"),
        ("convert", json!({"puzzle": two, "to": "lp"}), 422, "bad_puzzle"),
        ("generate", json!({"kind": "cube"}), 422, "bad_order"),
        ("generate", json!({"kind": "kenken", "size": 99}), 422, "bad_order"),
        ("generate", json!({"kind": "kenken", "size": 4, "count": 101}), 400, "bad_request"),
    ] {
        let answer = served.post(endpoint, &body);
        assert_eq!(answer.refusal(), (status, code.to_owned()), "{endpoint} {body}: {}", answer.body);
    }
    let known = served.known();
    let solve = |headers: &str, body: &str| served.ask("POST", "/api/v1/solve", headers, body).refusal();
    assert_eq!(solve(&known, "{"), (400, "bad_request".to_owned()));
    assert_eq!(solve(&known.replace("application/json", "text/plain"), "{}"), (415, "not_json".to_owned()));
    assert_eq!(solve(&known, &" ".repeat((1 << 20) + 1)), (413, "too_long".to_owned()));
    assert_eq!(served.get("/api/v1/list?family=x").refusal(), (404, "not_found".to_owned()));
    assert_eq!(served.get("/api/v1/health?x=1").refusal(), (400, "bad_request".to_owned()));
    assert_eq!(served.get("/../etc/passwd").refusal(), (404, "not_found".to_owned()));
    let answer = served.get("/api/v1/solve");
    assert!(answer.refusal().0 == 405 && answer.headers.contains("\r\nallow: post"), "{}", answer.headers);
}

#[test]
fn a_header_has_32_kib_at_most() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let status = |bytes: usize| {
        let start = format!(
            "GET /api/v1/health HTTP/1.1\r\nhost: localhost:{}\r\nconnection: close\r\nx: ",
            served.port
        );
        let rest = "x".repeat(bytes - start.len() - 4);
        served.raw(&format!("{start}{rest}\r\n\r\n")).status
    };
    assert_eq!([status(32 * 1024), status(32 * 1024 + 1), status(40_000)], [200, 431, 431]);
}

#[test]
fn a_header_that_is_too_long_ends_the_connection() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let mut stream = served.connect();
    let header = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(1 << 16));
    // It may be cut off while it is sent, and the answer lost with it.
    let mut text = Vec::new();
    let _ = stream.write_all(header.as_bytes()).and_then(|()| stream.read_to_end(&mut text));
    assert!(text.is_empty() || text.starts_with(b"HTTP/1.1 431"), "{}", String::from_utf8_lossy(&text));
    assert_eq!(served.get("/").status, 200);
}

#[test]
fn strangers_are_refused() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let body = json!({"puzzle": FOUR}).to_string();
    let refusal = |host: &str, headers: &str| {
        let length = body.len();
        let head =
            format!("POST /api/v1/solve HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n");
        served
            .raw(&format!("{head}Host: {host}\r\nContent-Type: application/json\r\n{headers}\r\n{body}"))
            .status
    };
    let token = &served.token;
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let cookie = format!("Cookie: kenga-{}={token}\r\n", served.port);
    assert_eq!((refusal("localhost", &bearer), refusal("localhost", &cookie)), (200, 200));
    assert_eq!((refusal("evil.example", &bearer), refusal("10.0.0.1", &bearer)), (421, 421));
    assert_eq!(refusal("localhost", &format!("{cookie}Origin: http://evil.example\r\n")), 403);
    assert_eq!(refusal("localhost", &format!("{cookie}Origin: http://localhost\r\n")), 200);
    assert_eq!((refusal("localhost", ""), refusal("localhost", "Authorization: Bearer 0\r\n")), (401, 401));
    let welcome = served.get(&format!("/?token={token}"));
    assert!(welcome.status == 303 && welcome.headers.contains("samesite=strict"), "{}", welcome.headers);
    assert_eq!(served.get("/?token=0").status, 200);
    let page = served.get("/");
    for header in
        ["content-security-policy: default-src 'none';", "nosniff", "no-referrer", "frame-ancestors 'none'"]
    {
        assert!(page.headers.contains(header), "{header}: {}", page.headers);
    }
    assert!(page.body.contains("href=\"/theatre\"") && !page.body.contains(token));
    assert!(!page.body.contains("style=") && !page.body.contains("<script"));
    assert!(served.get("/api").body.contains("/api/v1/openapi.json"));
    assert_eq!(served.get("/page/base.css").status, 200);
}

#[test]
fn a_server_that_only_reads_writes_nothing() {
    let lab = Lab::new();
    let served = Served::start(&lab, &["--read-only"]);
    assert_eq!(served.done("solve", &json!({"puzzle": FOUR}))["status"], "unique");
    let read_only = (403, "read_only".to_owned());
    for (endpoint, body) in [
        ("start", json!({"config": "budget.evaluations = 9", "puzzles": [FOUR]})),
        ("resume", json!({"folder": "x"})),
        ("stop", json!({"folder": "x"})),
    ] {
        assert_eq!(served.post(endpoint, &body).refusal(), read_only, "{endpoint}");
    }
    assert_eq!(served.get("/api/v1/health").json()["read_only"], true);
    assert!(!lab.path("results").exists());
}

#[test]
fn a_public_server_shows_nothing_without_the_token() {
    let lab = Lab::new();
    let served = Served::start(&lab, &["--listen", "0.0.0.0"]);
    assert_eq!(served.get("/api/v1/health").refusal(), (401, "no_token".to_owned()));
    assert_eq!(served.ask("GET", "/api/v1/health", &served.known(), "").status, 200);
}

#[test]
fn a_request_that_is_broken_off_stops_its_work() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let stream = served.begin(&long(&lab));
    served.wait_for(1);
    drop(stream);
    served.wait_for(0);
}

/// Waits until so many requests run or wait.
fn wait_for_requests(served: &Served, requests: u64) {
    for _ in 0..1000 {
        let health = served.get("/api/v1/health").json();
        let [running, waiting] = ["running", "waiting"].map(|key| health[key].as_u64().expect("a number"));
        if running + waiting == requests {
            return;
        }
        sleep(Duration::from_millis(20));
    }
    panic!("never {requests} requests");
}

#[test]
fn long_requests_do_not_keep_short_ones_waiting() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let long = long(&lab);
    let streams: Vec<TcpStream> = (0..10).map(|_| served.begin(&long)).collect();
    for _ in 0..20 {
        assert_eq!(served.done("solve", &json!({"puzzle": FOUR}))["status"], "unique");
    }
    // A busy machine may not have read them all yet.
    wait_for_requests(&served, 10);
    drop(streams);
    served.wait_for(0);
}

/// What takes the five seconds of the server's patience: all of it waits at once.
#[test]
fn slow_clients_are_left_and_a_quiet_stream_shows_that_it_is_alive() {
    thread::scope(|scope| {
        scope.spawn(a_slow_client_is_left);
        scope.spawn(a_client_that_does_not_read_is_left);
        scope.spawn(a_stream_without_news_shows_that_it_is_alive);
    });
}

fn a_slow_client_is_left() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let mut header = served.connect();
    header.write_all(b"GET / HTTP/1.1\r\nHost: loc").expect("it is sent");
    let mut body = served.connect();
    let known = served.known();
    let head =
        format!("POST /api/v1/solve HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n{known}\r\n{{");
    body.write_all(head.as_bytes()).expect("it is sent");
    let mut nothing = Vec::new();
    header.read_to_end(&mut nothing).expect("it is closed");
    assert_eq!(answer_of(body).refusal(), (408, "too_slow".to_owned()));
}

fn a_client_that_does_not_read_is_left() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let mut stream = served.connect();
    let ask = "GET /api/v1/list HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
    stream.set_nonblocking(true).expect("a socket");
    // What is asked for and never read fills all buffers; then the server closes the connection.
    for _ in 0..3000 {
        match stream.write(ask.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => return,
            _ => sleep(Duration::from_millis(10)),
        }
    }
    panic!("it is never left");
}

#[test]
fn a_signal_ends_it_with_work_under_way() {
    let lab = Lab::new();
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut served = Served::start(&lab, &[]);
        let _stream = served.begin(&long(&lab));
        served.wait_for(1);
        send(signal, &served.child);
        assert_eq!(served.child.wait().expect("it ends").code(), Some(code));
    }
}

#[test]
fn a_port_that_is_taken_is_said() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let ended = lab.kenga(&["serve", "--port", &served.port.to_string()]);
    assert_eq!(ended.code, 2);
    assert!(
        ended.stderr.contains(&format!("port {} of 127.0.0.1 is taken", served.port)),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_series_is_made_puzzle_by_puzzle() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let made = |first: u32, count: u32| {
        let asked = json!({"kind": "kenken", "size": 4, "seed": 3, "count": count, "first": first});
        served.done("generate", &asked)["puzzles"].as_array().expect("puzzles").clone()
    };
    assert_eq!([made(0, 1), made(1, 2)].concat(), made(0, 3));
}

#[test]
fn a_search_is_told_in_parts_that_can_be_drawn() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let six = include_str!("../../puzzles/original/6x6.txt");
    let whole = served.done("trace", &json!({"puzzle": six, "landmarks": true}));
    let count = whole["count"].as_u64().expect("a number");
    let rest = served.done("trace", &json!({"puzzle": six, "from": 100}));
    let steps = [&whole, &rest].map(|part| part["steps"].as_array().expect("steps").clone()).concat();
    assert_eq!((steps.len() as u64, &whole["status"]), (count, &json!("unique")));
    assert!(steps.iter().zip(0..).all(|(step, number)| step["step"] == number));
    let conflict = whole["landmarks"]["conflicts"][0].as_u64().expect("a conflict") as usize;
    assert_eq!(steps[conflict]["what"], "conflict");
    assert_eq!(whole["conflicts"], whole["landmarks"]["conflicts"].as_array().expect("a list").len());
    let explained = served.done("explain", &json!({"puzzle": six, "from": 2, "pictured": 1}));
    assert!(explained["steps"][1]["marks"].is_null());
    for step in [&steps[0], &steps[conflict], steps.last().expect("one"), &explained["steps"][2]] {
        served.done("picture", &json!({"puzzle": six, "grid": step["grid"], "marks": step["marks"]}));
    }
    let solved = served.done("solve", &json!({"puzzle": six}));
    assert_eq!(steps.last().expect("an end")["grid"], solved["solutions"][0]);
}

#[test]
fn a_search_that_is_too_long_is_stopped_and_says_so() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let cage = json!({"op": "+", "target": 17, "cells": [[0, 0], [0, 1]]});
    let puzzle = json!({"kind": "latin", "size": 9, "cages": [cage]});
    let asked = json!({"puzzle": puzzle, "count": 1_000_000, "limit": 0});
    let told = served.done("trace", &asked);
    assert_eq!((&told["is_whole"], &told["steps"]), (&json!(false), &json!([])));
    assert!(told["count"].as_u64().expect("a number") > 100_000);
}

#[test]
fn candidates_follow_from_the_digits_alone() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let puzzle = json!({"kind": "sudoku", "size": 4, "givens": [[0, 0, 1]]});
    let asked = json!({"puzzle": puzzle, "grid": "..../..../...2/...."});
    let found = served.done("candidates", &asked);
    let found = found["candidates"].as_array().expect("cells");
    assert_eq!((found.len(), &found[0]), (14, &json!([0, 1, [2, 3, 4]])));
    assert!(found.contains(&json!([0, 3, [3, 4]])) && found.contains(&json!([3, 2, [1, 3, 4]])));
    let foreign = served.post("candidates", &json!({"puzzle": FOUR, "grid": "9.../..../..../...."}));
    assert_eq!(foreign.refusal(), (422, "bad_grid".to_owned()));
}

#[test]
fn pictures_say_where_every_cell_is() {
    let lab = Lab::new();
    let served = Served::start(&lab, &[]);
    let marks = json!({"candidates": [[0, 0, [1, 4]]], "removed_digits": [[0, 0, 4]], "wrong": [[3, 3]]});
    let drawn =
        served.done("picture", &json!({"puzzle": FOUR, "grid": "..../..../..../...1", "marks": marks}));
    let cells: Vec<Value> =
        drawn["places"].as_array().expect("places").iter().map(|place| place["cell"].clone()).collect();
    assert_eq!((cells.len(), &cells[5]), (16, &json!([1, 1])));
    let svg = drawn["svg"].as_str().expect("an element");
    assert!(svg.starts_with("<svg") && svg.contains("class=\"wrong\"") && svg.contains("class=\"strike\""));
    assert!(!svg.contains("style="), "a content security policy refuses styles in markup");
    let queens = json!({"kind": "queens", "size": 5});
    let board = served.done("picture", &json!({"puzzle": queens}));
    let places = board["places"].as_array().expect("places");
    assert_eq!((places.len(), &places[7]["cell"], &places[7]["digit"]), (25, &json!([0, 2]), &json!(2)));
    let kakuro = json!({
        "kind": "kakuro", "rows": 2, "cols": 3, "runs": [],
        "groups": [{"role": "entry", "cells": [[1, 1], [1, 2]]}],
    });
    for (black, count) in [(false, 2), (true, 6)] {
        let drawn = served.done("picture", &json!({"puzzle": kakuro, "black": black}));
        assert_eq!(drawn["places"].as_array().expect("places").len(), count);
    }
    let room = served.done("picture", &json!({"puzzle": FOUR, "marks": {"candidates": []}}));
    assert_eq!(room["width"], drawn["width"]);
    let outside = served.post("picture", &json!({"puzzle": FOUR, "marks": {"rests": [[4, 0]]}}));
    assert_eq!(outside.refusal(), (422, "bad_grid".to_owned()));
}
