//! A server under test, and one who asks it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::described;
use crate::lab::Lab;

/// A puzzle with one solution.
pub const FOUR: &str = "4:b_a4_a_6aa,m8s1a6s1m4a3d2";

/// A server that is ended with its test.
pub struct Served {
    pub child: Child,
    pub port: u16,
    pub token: String,
    _stdout: BufReader<ChildStdout>,
}

/// What a server has answered.
pub struct Answer {
    pub status: u16,
    pub headers: String,
    pub body: String,
}

impl Served {
    pub fn start(lab: &Lab, args: &[&str]) -> Self {
        let mut command: Command = lab.command(&[&["serve", "--port", "0"], args].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut url = String::new();
        stdout.read_line(&mut url).expect("it says its address");
        let (address, token) =
            url.trim_end().split_once('/').and_then(|_| url.trim_end().rsplit_once('/')).expect("an address");
        let port = address.rsplit_once(':').expect("a port").1.parse().expect("a number");
        let token = token.strip_prefix("?token=").unwrap_or_default().to_owned();
        Self { child, port, token, _stdout: stdout }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        // A server that hangs fails its test.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        stream
    }

    /// Sends bytes and reads to the end of the connection.
    pub fn raw(&self, request: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).expect("it is sent");
        answer_of(stream)
    }

    /// Sends a request. An answer of the API is checked against its description.
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let answer = self.ask_unchecked(method, path, headers, body);
        if answer.status == 200 && answer.is_of_api(path) {
            // The same for every server.
            static DOCUMENT: OnceLock<Value> = OnceLock::new();
            let document = DOCUMENT
                .get_or_init(|| self.ask_unchecked("GET", "/api/v1/openapi.json", &self.known(), "").json());
            let path = path.split('?').next().unwrap_or(path);
            described::check(document, method, path, &answer.json());
        }
        answer
    }

    fn ask_unchecked(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let (port, length) = (self.port, body.len());
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
        ))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", "")
    }

    /// What lies behind the server.
    pub fn look(&self, path: &str) -> Answer {
        self.ask("GET", &format!("/api/v1/{path}"), &self.known(), "")
    }

    /// The headers of one who may ask for everything.
    pub fn known(&self) -> String {
        format!("Authorization: Bearer {}\r\nContent-Type: application/json\r\n", self.token)
    }

    pub fn post(&self, endpoint: &str, body: &Value) -> Answer {
        self.ask("POST", &format!("/api/v1/{endpoint}"), &self.known(), &body.to_string())
    }

    /// The object that an endpoint answers.
    pub fn done(&self, endpoint: &str, body: &Value) -> Value {
        let answer = self.post(endpoint, body);
        assert_eq!(answer.status, 200, "{endpoint} {body}: {}", answer.body);
        answer.json()
    }

    /// Waits until so many requests are worked on.
    pub fn wait_for(&self, running: u64) {
        for _ in 0..1000 {
            if self.get("/api/v1/health").json()["running"] == running {
                return;
            }
            sleep(Duration::from_millis(20));
        }
        panic!("never {running} running");
    }

    /// Asks for a long solve, and leaves its answer unread.
    pub fn begin(&self, body: &str) -> TcpStream {
        let mut stream = self.connect();
        let (port, length, known) = (self.port, body.len(), self.known());
        let head = format!(
            "POST /api/v1/solve HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: {length}\r\n{known}\r\n"
        );
        stream.write_all((head + body).as_bytes()).expect("it is sent");
        stream
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// An object of the API, and no stream of them.
    fn is_of_api(&self, path: &str) -> bool {
        path.starts_with("/api/v1/") && self.headers.contains("content-type: application/json")
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The status and the code of a refusal.
    pub fn refusal(&self) -> (u16, String) {
        (self.status, self.json()["error"]["code"].as_str().expect("a code").to_owned())
    }
}

pub fn answer_of(mut stream: TcpStream) -> Answer {
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer in time");
    let (headers, body) = text.split_once("\r\n\r\n").expect("a header");
    let status = headers.split(' ').nth(1).expect("a status").parse().expect("a number");
    Answer { status, headers: headers.to_lowercase(), body: body.to_owned() }
}
