//! A line on standard error while something takes long and somebody watches.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How long to wait before the line appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(200);

/// Shows a counter until it is dropped.
pub(super) struct Progress {
    done: Arc<AtomicU64>,
    /// Dropped first, which ends the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts the line when `wanted` and standard error is a terminal; `what` says what is being done.
    pub(super) fn start(what: &str, wanted: bool) -> Self {
        let done = Arc::new(AtomicU64::new(0));
        if !wanted || !io::stderr().is_terminal() {
            return Self { done, stop: None, thread: None };
        }
        let (stop, stopped) = channel::<()>();
        let (counter, what) = (Arc::clone(&done), what.to_owned());
        let thread = spawn(move || {
            if stopped.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_style(style()).with_message(what);
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                bar.set_position(counter.load(Ordering::Relaxed));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        Self { done, stop: Some(stop), thread: Some(thread) }
    }

    /// One more is done.
    pub(super) fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // The line is only for show: a thread that failed has nothing left to say.
            let _ = thread.join();
        }
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {msg}: {pos} done, {elapsed}").expect("the template is sound")
}
