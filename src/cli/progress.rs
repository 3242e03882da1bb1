//! What is said on standard error while work takes long: lines that are drawn anew on a terminal, and elsewhere, as in the
//! log of a cluster, a line now and then.

use std::env;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::terminal;
use crate::budget::Clock;
use crate::experiment::{RunId, Watch};
use crate::report::{counted, duration};

/// How long to wait before lines appear on a terminal.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often lines are drawn on a terminal.
const TICK: Duration = Duration::from_millis(150);

/// Seconds between two lines elsewhere, unless [`VARIABLE`] says otherwise.
const SECONDS: f64 = 10.0;

/// The most that [`VARIABLE`] may say: a day.
const MOST: f64 = 86_400.0;

/// The variable that sets the seconds; 0 stands for no lines.
const VARIABLE: &str = "KENGA_PROGRESS";

/// Says how work goes on until it is dropped.
pub(super) struct Progress {
    /// Dropped first, which ends the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Begins to show lines: all of them on a terminal, the first elsewhere.
    pub(super) fn show(lines: impl Fn() -> Vec<String> + Send + 'static) -> Self {
        let (stop, stopped) = channel();
        let thread = match (terminal::is_watched(), interval(env::var(VARIABLE).ok().as_deref())) {
            (true, _) => spawned(move || draw(&lines, &stopped)),
            (false, Some(interval)) => spawned(move || log(&lines, interval, &stopped)),
            (false, None) => None,
        };
        Self { stop: Some(stop), thread }
    }

    /// Shows nothing.
    pub(super) fn silent() -> Self {
        Self { stop: None, thread: None }
    }
}

/// A thread, if the system starts one: the work is done without it, too.
fn spawned(show: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    Builder::new().spawn(show).ok()
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // The lines are only for show: a thread that failed has nothing left to say.
            let _ = thread.join();
        }
    }
}

/// Waits so long; says whether the work goes on.
fn goes_on(stopped: &Receiver<()>, time: Duration) -> bool {
    stopped.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
}

fn draw(lines: &dyn Fn() -> Vec<String>, stopped: &Receiver<()>) {
    if !goes_on(stopped, PATIENCE) {
        return;
    }
    let style = || ProgressStyle::with_template("{msg}").expect("the template is sound");
    let all = MultiProgress::new();
    let mut bars: Vec<ProgressBar> = Vec::new();
    while goes_on(stopped, TICK) {
        let texts = lines();
        while bars.len() < texts.len() {
            bars.push(all.add(ProgressBar::new_spinner().with_style(style())));
        }
        for (index, bar) in bars.iter().enumerate() {
            bar.set_message(texts.get(index).cloned().unwrap_or_default());
            bar.tick();
        }
    }
    bars.iter().for_each(ProgressBar::finish_and_clear);
}

fn log(lines: &dyn Fn() -> Vec<String>, interval: Duration, stopped: &Receiver<()>) {
    while goes_on(stopped, interval) {
        if let Some(line) = lines().first() {
            // Nobody misses it when standard error is gone.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// The time between two lines; none where none are wanted. What is no number of seconds is passed over.
fn interval(said: Option<&str>) -> Option<Duration> {
    let seconds =
        said.and_then(|said| said.parse().ok()).filter(|seconds: &f64| (0.0..=MOST).contains(seconds));
    let seconds = seconds.unwrap_or(SECONDS);
    (seconds > 0.0).then(|| Duration::from_secs_f64(seconds))
}

/// A counter on a line: of what is done, or as a [`Watch`] of the runs that have begun.
pub(super) struct Counter {
    done: Arc<AtomicU64>,
    _progress: Progress,
}

impl Counter {
    /// Begins to count; `what` says what is done, and `of` how many there are, where that is known.
    pub(super) fn start(what: &str, of: Option<u64>) -> Self {
        let done = Arc::new(AtomicU64::new(0));
        let (counter, what, clock) = (Arc::clone(&done), what.to_owned(), Clock::start());
        let lines = move || vec![line(&what, counter.load(Ordering::Relaxed), of, clock.wall_s())];
        Self { done, _progress: Progress::show(lines) }
    }

    /// Counts, and shows nothing.
    pub(super) fn silent() -> Self {
        Self { done: Arc::default(), _progress: Progress::silent() }
    }

    /// Counts one more.
    pub(super) fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Watch for Counter {
    fn begun(&self, _id: RunId) {
        self.advance();
    }
}

/// The line of a counter.
fn line(what: &str, done: u64, of: Option<u64>, elapsed: f64) -> String {
    let elapsed = duration(elapsed);
    match (done, of) {
        (0, None) => format!("{what}: {elapsed}"),
        (done, None) => format!("{what}: {}, {elapsed}", counted(done)),
        (done, Some(of)) => format!("{what}: {} of {}, {elapsed}", counted(done), counted(of)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_between_lines_is_ten_seconds_unless_the_variable_says_otherwise() {
        let ten = Some(Duration::from_secs(10));
        assert_eq!([None, Some(""), Some("soon"), Some("-1"), Some("inf")].map(interval), [ten; 5]);
        assert_eq!(interval(Some("0.5")), Some(Duration::from_millis(500)));
        assert_eq!(interval(Some("0")), None);
    }

    #[test]
    fn a_line_says_how_much_is_done_as_far_as_it_is_known() {
        assert_eq!(line("reading", 0, None, 12.0), "reading: 12 s");
        assert_eq!(line("puzzles", 1200, None, 12.0), "puzzles: 1 200, 12 s");
        assert_eq!(line("pilot runs", 0, Some(24), 600.0), "pilot runs: 0 of 24, 10 min");
    }
}
