//! Progress on standard error: lines redrawn on a terminal, and elsewhere, as in the log of a cluster, a line now and then.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;
use std::{env, io};

use super::{signals, terminal};
use kenga_core::budget::Clock;
use kenga_core::text::printable;
use kenga_lab::experiment::{RunId, Watch};
use kenga_report::{columns, counted, duration};

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

/// Shows the progress of work until it is dropped.
pub(in crate::cli) struct ProgressDisplay {
    /// Dropped first, which ends the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressDisplay {
    /// Begins to show lines: all of them on a terminal, the first elsewhere.
    pub(in crate::cli) fn show(lines: impl Fn() -> Vec<String> + Send + 'static) -> Self {
        let (stop, stopped) = channel();
        let thread = match (terminal::is_watched(), interval(env::var(VARIABLE).ok().as_deref())) {
            (true, _) => spawned(move || draw(&lines, &stopped)),
            (false, Some(interval)) => spawned(move || log(&lines, interval, &stopped)),
            (false, None) => None,
        };
        Self { stop: Some(stop), thread }
    }
}

/// A thread, if the system starts one: the work is done without it, too.
fn spawned(show: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    Builder::new().spawn(show).ok()
}

impl Drop for ProgressDisplay {
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
    // After a first Ctrl-C the lines go, for a second one leaves no time to erase them.
    while goes_on(stopped, TICK) && !signals::is_raised() {
        let (width, height) = terminal::size();
        let picture = picture(&lines(), width, height);
        let mut stderr = io::stderr().lock();
        IS_DRAWN.store(true, Ordering::Relaxed);
        // A closed standard error does not end the work.
        let _ = stderr.write_all(picture.as_bytes()).and_then(|()| stderr.flush());
    }
    say("");
}

/// Lines are drawn on the terminal, and the cursor stands where they begin.
static IS_DRAWN: AtomicBool = AtomicBool::new(false);

/// Erases the line and all below.
const ERASE: &str = "\r\u{1b}[J";

/// Writes text to standard error in place of lines that are drawn there.
pub(in crate::cli) fn say(text: &str) {
    let mut stderr = io::stderr().lock();
    let erased = if IS_DRAWN.swap(false, Ordering::Relaxed) { ERASE } else { "" };
    // A closed standard error does not end the work.
    let _ = write!(stderr, "{erased}{text}").and_then(|()| stderr.flush());
}

/// What draws lines over those that were drawn before: no more and no wider than the terminal holds. The cursor goes back
/// to their beginning, so that a `^C` that the terminal echoes goes with them.
fn picture(lines: &[String], width: usize, height: usize) -> String {
    let lines = lines.iter().take(height.saturating_sub(1));
    let clipped: Vec<String> = lines.map(|line| clip(&printable(line), width.saturating_sub(1))).collect();
    let up = clipped.len().saturating_sub(1);
    let back = if up > 0 { format!("\r\u{1b}[{up}A") } else { "\r".to_owned() };
    format!("{ERASE}{}{back}", clipped.join("\r\n"))
}

/// The beginning of a line, in so many columns.
fn clip(line: &str, width: usize) -> String {
    let mut end = 0;
    for letter in line.chars() {
        let next = end + letter.len_utf8();
        if columns(&line[..next]) > width {
            break;
        }
        end = next;
    }
    line[..end].to_owned()
}

fn log(lines: &dyn Fn() -> Vec<String>, interval: Duration, stopped: &Receiver<()>) {
    while goes_on(stopped, interval) {
        if let Some(line) = lines().first() {
            // A closed standard error does not end the work.
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// The time between two lines; none where none are wanted. What is no number of seconds is passed over.
fn interval(said: Option<&str>) -> Option<Duration> {
    let seconds = match said.map(str::parse) {
        Some(Ok(seconds)) if (0.0..=MOST).contains(&seconds) => seconds,
        _ => SECONDS,
    };
    (seconds > 0.0).then(|| Duration::from_secs_f64(seconds))
}

/// A counter on a line: of what is done, or as a [`Watch`] of the runs that have begun.
pub(in crate::cli) struct Counter {
    done: Arc<AtomicU64>,
    _progress: Option<ProgressDisplay>,
}

impl Counter {
    /// Begins to count; `what` says what is done, and `of` how many there are, where that is known.
    pub(in crate::cli) fn start(what: &str, of: Option<u64>) -> Self {
        let done = Arc::new(AtomicU64::new(0));
        let (counter, what, clock) = (Arc::clone(&done), what.to_owned(), Clock::start());
        let progress = ProgressDisplay::show(move || {
            vec![line(&what, counter.load(Ordering::Relaxed), of, clock.wall_s())]
        });
        Self { done, _progress: Some(progress) }
    }

    /// Begins to count, and shows nothing where the output itself shows how work goes on.
    pub(in crate::cli) fn unless(is_shown: bool, what: &str) -> Self {
        if is_shown { Self { done: Arc::default(), _progress: None } } else { Self::start(what, None) }
    }

    /// Counts one more.
    pub(in crate::cli) fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Watch for Counter {
    fn begun(&self, _id: RunId) {
        self.advance();
    }
}

/// Seconds that have passed, to the second: `12 s`, `1 min 40 s`, `2 h 5 min`.
pub(in crate::cli) fn passed(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        ..100 => duration(seconds),
        100..6000 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

/// The line of a counter.
fn line(what: &str, done: u64, of: Option<u64>, elapsed: f64) -> String {
    let elapsed = passed(elapsed);
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
    fn lines_are_drawn_over_each_other_within_the_terminal() {
        let lines = ["one", "two \u{1b}[2J", "a long line"].map(str::to_owned);
        assert_eq!(picture(&lines[..1], 80, 24), "\r\u{1b}[Jone\r");
        assert_eq!(picture(&lines, 8, 24), "\r\u{1b}[Jone\r\ntwo \u{fffd}[2\r\na long \r\u{1b}[2A");
        assert_eq!(picture(&lines, 80, 3), "\r\u{1b}[Jone\r\ntwo \u{fffd}[2J\r\u{1b}[1A");
        assert_eq!(picture(&[], 80, 24), "\r\u{1b}[J\r");
    }

    #[test]
    fn a_line_says_how_much_is_done_as_far_as_it_is_known() {
        assert_eq!(line("reading", 0, None, 12.0), "reading: 12 s");
        assert_eq!(line("puzzles", 1200, None, 12.0), "puzzles: 1 200, 12 s");
        assert_eq!(line("pilot runs", 0, Some(24), 600.0), "pilot runs: 0 of 24, 10 min 0 s");
    }

    #[test]
    fn time_that_has_passed_is_told_to_the_second() {
        let told = [0.84, 12.0, 99.4, 99.6, 100.0, 779.5, 5999.4, 7500.0].map(passed);
        let expected =
            ["0.8 s", "12 s", "99 s", "1 min 40 s", "1 min 40 s", "13 min 0 s", "99 min 59 s", "2 h 5 min"];
        assert_eq!(told, expected);
    }
}
