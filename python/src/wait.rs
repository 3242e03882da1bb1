//! Work that leaves Python to its other threads, and ends at Ctrl-C.

use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use kenga::budget::Interrupt;
use pyo3::prelude::*;

use crate::error::internal;

/// Between two looks at Python's signals.
const SLICE: Duration = Duration::from_millis(50);

/// The number of the signal of Ctrl-C.
const SIGINT: usize = 2;

/// Does work on a thread of its own, without the lock of the interpreter; `look` is called with it from time to time. When
/// that fails, or a signal handler of Python raises an exception, the work is interrupted and the exception returned.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    interrupt: &Interrupt,
    work: impl FnOnce() -> T + Send,
    mut look: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    let (done, has_ended) = sync_channel::<()>(0);
    // A receiver is not shared, as the lock's release asks of what is used meanwhile; a mutex is.
    let has_ended = std::sync::Mutex::new(has_ended);
    thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let _done = done;
            work()
        });
        let mut failure = None;
        loop {
            let end = py.detach(|| {
                let has_ended = has_ended.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                has_ended.recv_timeout(SLICE)
            });
            if end == Err(RecvTimeoutError::Disconnected) {
                break;
            }
            if failure.is_none()
                && let Err(error) = py.check_signals().and_then(|()| look(py))
            {
                interrupt.raise(SIGINT);
                failure = Some(error);
            }
        }
        let result = py.detach(|| worker.join()).map_err(|panic| internal(&*panic))?;
        failure.map_or(Ok(result), Err)
    })
}

/// [`wait`] with nothing to look at.
pub(crate) fn quietly<T: Send>(
    py: Python<'_>,
    interrupt: &Interrupt,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    wait(py, interrupt, work, |_| Ok(()))
}
