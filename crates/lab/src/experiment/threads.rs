//! Work on several threads: how many are useful, results in the order of the items, and fewer threads where the system
//! refuses some.

use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, available_parallelism};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Threads beyond this many, or beyond [`A_CORE`] for each core, only wait for each other.
const ALWAYS: usize = 64;

/// Threads that a core may have to share its time among.
const A_CORE: usize = 4;

/// The number of cores, 1 where it is not known.
pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// As many of the threads that were asked for as can be of use: at least one, at most 64 or four for each core.
fn useful(asked: usize) -> usize {
    asked.clamp(1, ALWAYS.max(A_CORE * cores()))
}

/// A pool of as many of these threads as can be of use, or, halved again and again, as the system starts; `None` where it
/// starts none.
pub(super) fn pool(asked: usize) -> Option<ThreadPool> {
    let mut threads = useful(asked);
    while threads > 0 {
        if let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build() {
            return Some(pool);
        }
        threads /= 2;
    }
    None
}

/// Does work whose parallel parts run on a thread a core, or on as many of them as the system starts; on this one alone
/// where it starts none.
pub fn on_all_cores<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    on_cores(cores(), work)
}

/// The same on so many threads.
pub fn on_cores<T: Send>(jobs: usize, work: impl FnOnce() -> T + Send) -> T {
    if let Some(pool) = pool(jobs) {
        return pool.install(work);
    }
    match ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
        Ok(alone) => alone.install(work),
        Err(_) => work(),
    }
}

/// Threads that do work in order.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    /// How many there are; at least 1.
    pub jobs: usize,
    /// The most results of each that wait for an earlier one; at least 1.
    pub ahead: usize,
}

/// Applies `work` to every item on `jobs` threads, or on as many as are of use and start, and `emit` to the results, in the
/// order of the items. At most `ahead` results a thread wait for an earlier one, so that memory is bounded however long
/// that one takes. One job is done on the calling thread, so that nothing disturbs what it measures; so is all where no
/// thread starts.
///
/// # Errors
/// The first error of `emit`; no further item is then taken.
///
/// # Panics
/// When `work` does.
pub fn in_order<T, R: Send, E>(
    items: impl Iterator<Item = T> + Send,
    threads: Threads,
    work: impl Fn(T) -> R + Sync,
    emit: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    on_threads(items, Threads { jobs: useful(threads.jobs), ..threads }, Builder::new, work, emit)
}

/// [`in_order`] on threads that `builder` readies.
fn on_threads<T, R: Send, E>(
    items: impl Iterator<Item = T> + Send,
    threads: Threads,
    builder: impl Fn() -> Builder,
    work: impl Fn(T) -> R + Sync,
    mut emit: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let items = Mutex::new(items.fuse());
    if threads.jobs > 1 {
        thread::scope(|scope| {
            // The places of results in the order of their items; it is full when too many results wait for an earlier one.
            let (places, results) = sync_channel(threads.jobs * threads.ahead - 1);
            for _ in 0..threads.jobs {
                let (items, work, places) = (&items, &work, places.clone());
                if builder().spawn_scoped(scope, move || serve(items, work, &places)).is_err() {
                    break;
                }
            }
            // The places end when every thread has dropped its own sender.
            drop(places);
            for place in results {
                // No result comes of work that panics; the scope then panics, too, when its threads have ended.
                let Ok(result) = place.recv() else { break };
                emit(result)?;
            }
            Ok(())
        })?;
    }
    // All of them, unless threads have taken them.
    for item in items.into_inner().unwrap_or_else(PoisonError::into_inner) {
        emit(work(item))?;
    }
    Ok(())
}

/// Works until the items are used up or nobody takes the results any more.
fn serve<T, R>(
    items: &Mutex<impl Iterator<Item = T>>,
    work: &impl Fn(T) -> R,
    places: &SyncSender<Receiver<R>>,
) {
    loop {
        // The lock is kept until the place is taken, so that places are in the order of items.
        let mut locked = items.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(item) = locked.next() else { return };
        let (sender, place) = channel();
        if places.send(place).is_err() {
            return;
        }
        drop(locked);
        // After an error nobody waits for the result.
        let _ = sender.send(work(item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_threads_are_asked_for_than_can_be_of_use() {
        assert_eq!((useful(0), useful(1), useful(8)), (1, 1, 8));
        assert!(useful(65_535) < 65_535);
        let pool = pool(100_000).expect("some thread starts");
        assert!(pool.current_num_threads() <= useful(100_000));
    }

    #[test]
    fn results_come_in_the_order_of_items_for_any_number_of_threads() {
        for jobs in [1, 2, 7] {
            let mut seen = Vec::new();
            let work = |item: u64| {
                let rounds = if item.is_multiple_of(10) { 20_000 } else { 1 };
                std::hint::black_box((0..rounds).fold(0, |sum: u64, k| sum.wrapping_add(k * k)));
                item * 2
            };
            let emit = |result| {
                seen.push(result);
                Ok::<_, ()>(())
            };
            in_order(0..300u64, Threads { jobs, ahead: 1 }, work, emit).expect("nothing fails");
            assert_eq!(seen, (0..300).map(|item| item * 2).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn without_threads_the_work_is_done_all_the_same() {
        // No system has room for such a stack.
        let refused = || Builder::new().stack_size(1 << 60);
        let mut seen = Vec::new();
        let emit = |result: u64| {
            seen.push(result);
            Ok::<_, ()>(())
        };
        on_threads(0..50u64, Threads { jobs: 2000, ahead: 4 }, refused, |item| item + 1, emit)
            .expect("nothing fails");
        assert_eq!(seen, (1..=50).collect::<Vec<u64>>());
    }

    #[test]
    fn an_error_of_the_output_ends_an_endless_stream() {
        let emit = |result| if result < 50 { Ok(()) } else { Err("full") };
        assert_eq!(in_order(0.., Threads { jobs: 2, ahead: 4 }, |item: i32| item, emit), Err("full"));
    }

    #[test]
    fn results_do_not_wait_for_items_that_are_late() {
        let (sender, ended) = channel();
        let mut next = 0;
        // The second item comes only after the first result.
        let items = std::iter::from_fn(move || {
            next += 1;
            match next {
                1 => Some(1),
                2 => ended.recv_timeout(std::time::Duration::from_secs(20)).ok(),
                _ => None,
            }
        });
        let mut results = 0;
        let emit = |result: i32| {
            results += 1;
            let _ = sender.send(result + 1);
            Ok::<_, ()>(())
        };
        in_order(items, Threads { jobs: 2, ahead: 4 }, |item| item, emit).expect("nothing fails");
        assert_eq!(results, 2);
    }

    #[test]
    fn a_panic_ends_an_endless_stream() {
        let work = |item: i32| assert_ne!(item, 20, "the one that fails");
        let all = || in_order(0.., Threads { jobs: 2, ahead: 4 }, work, |()| Ok::<_, ()>(()));
        assert!(std::panic::catch_unwind(all).is_err());
    }
}
