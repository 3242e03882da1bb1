//! How many threads are worth starting, and what is done when the system starts fewer.

use std::io;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// Threads beyond this many, or beyond [`A_CORE`] for each core, only wait for each other.
const ALWAYS: usize = 64;

/// Threads that a core may have to share its time among.
const A_CORE: usize = 4;

/// As many of the threads that were asked for as can be of use: at least one, at most 64 or four for each core.
pub fn useful(asked: usize) -> usize {
    let cores = available_parallelism().map_or(1, usize::from);
    asked.clamp(1, ALWAYS.max(A_CORE * cores))
}

/// Starts up to `count` threads, each with a call, and says how many have started; the system may refuse the others.
///
/// # Errors
/// The system's when none has started.
pub fn start(count: usize, mut one: impl FnMut() -> io::Result<()>) -> io::Result<usize> {
    for started in 0..count {
        match one() {
            Err(error) if started == 0 => return Err(error),
            Err(_) => return Ok(started),
            Ok(()) => {}
        }
    }
    Ok(count)
}

/// A pool of as many of these threads as can be of [use](useful), or, halved again and again, as the system starts.
///
/// # Errors
/// When not even one starts.
pub fn pool(asked: usize) -> io::Result<ThreadPool> {
    halved(useful(asked), |threads| ThreadPoolBuilder::new().num_threads(threads).build())
}

/// Does work whose parallel parts run on a thread a core, or on as many of them as the system starts; on this one alone
/// where it starts none.
pub fn on_all_cores<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let alone = |_| ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    match pool(available_parallelism().map_or(1, usize::from)).or_else(alone) {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

fn halved<T>(threads: usize, build: impl Fn(usize) -> Result<T, ThreadPoolBuildError>) -> io::Result<T> {
    match build(threads) {
        Err(_) if threads > 1 => halved(threads / 2, build),
        built => built.map_err(io::Error::other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system that starts this many threads and no more.
    fn system(room: usize) -> impl FnMut() -> io::Result<()> {
        let mut left = room;
        move || {
            left = left.checked_sub(1).ok_or_else(|| io::Error::from(io::ErrorKind::WouldBlock))?;
            Ok(())
        }
    }

    #[test]
    fn where_threads_do_not_start_fewer_do_the_work() {
        assert_eq!(start(4, system(9)).ok(), Some(4));
        assert_eq!(start(2000, system(3)).ok(), Some(3));
        assert_eq!(start(2000, system(0)).map_err(|error| error.kind()), Err(io::ErrorKind::WouldBlock));
        let refused =
            || ThreadPoolBuilder::new().spawn_handler(|_| Err(io::ErrorKind::WouldBlock.into())).build();
        let built = halved(100, |threads| if threads > 10 { refused().map(|_| 0) } else { Ok(threads) });
        assert_eq!(built.ok(), Some(6));
        assert!(halved(100, |_| refused()).is_err());
    }

    #[test]
    fn no_more_threads_are_asked_for_than_can_be_of_use() {
        assert_eq!((useful(0), useful(1), useful(8)), (1, 1, 8));
        assert!(useful(65_535) < 65_535);
        let pool = pool(100_000).expect("some thread starts");
        assert!(pool.current_num_threads() <= useful(100_000));
    }
}
