//! Work on a stream by several threads, its results in the order of the stream, in bounded memory.

use std::collections::BTreeMap;
use std::sync::mpsc::channel;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use miette::Report;

use crate::experiment::{start, useful};

/// How many results per thread may wait for an earlier one.
const AHEAD: usize = 16;

/// The stream, and how far it and its results are.
struct Source<I> {
    items: I,
    taken: usize,
    emitted: usize,
    ended: bool,
}

/// Applies `work` to every item on `jobs` threads, or as many as are useful and start, and `emit` to the results, in the
/// order of the items. One job is done on the calling thread, so that nothing disturbs what it measures; so is all where
/// no thread starts.
///
/// # Errors
/// The first error of `emit`; no further item is then taken.
pub(super) fn in_order<T, R: Send>(
    items: impl Iterator<Item = T> + Send,
    jobs: usize,
    work: impl Fn(T) -> R + Sync,
    emit: impl FnMut(R) -> Result<(), Report>,
) -> Result<(), Report> {
    on_threads(items, useful(jobs), thread::Builder::new, work, emit)
}

/// [`in_order`] on threads that `thread` readies.
fn on_threads<T, R: Send>(
    mut items: impl Iterator<Item = T> + Send,
    jobs: usize,
    thread: impl Fn() -> thread::Builder,
    work: impl Fn(T) -> R + Sync,
    mut emit: impl FnMut(R) -> Result<(), Report>,
) -> Result<(), Report> {
    if jobs == 1 {
        return items.try_for_each(|item| emit(work(item)));
    }
    let source = Mutex::new(Source { items, taken: 0, emitted: 0, ended: false });
    let moved = Condvar::new();
    let has_started = thread::scope(|scope| -> Result<bool, Report> {
        let (sender, results) = channel();
        let started = start(jobs, || {
            let (sender, source, moved, work) = (sender.clone(), &source, &moved, &work);
            let work = move || {
                while let Some((index, item)) = take(source, moved, jobs * AHEAD) {
                    if sender.send((index, work(item))).is_err() {
                        return;
                    }
                }
            };
            thread().spawn_scoped(scope, work).map(drop)
        });
        drop(sender);
        if started.is_err() {
            return Ok(false);
        }
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (index, result) in results {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&next) {
                next += 1;
                let emitted = emit(result);
                let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
                source.emitted = next;
                source.ended |= emitted.is_err();
                moved.notify_all();
                emitted?;
            }
        }
        Ok(true)
    })?;
    let Source { mut items, .. } = source.into_inner().unwrap_or_else(PoisonError::into_inner);
    if has_started { Ok(()) } else { items.try_for_each(|item| emit(work(item))) }
}

/// The next item and its place, once no more than `ahead` are under way.
fn take<T, I: Iterator<Item = T>>(
    source: &Mutex<Source<I>>,
    moved: &Condvar,
    ahead: usize,
) -> Option<(usize, T)> {
    let source = source.lock().unwrap_or_else(PoisonError::into_inner);
    let full = |source: &mut Source<I>| !source.ended && source.taken - source.emitted >= ahead;
    let mut source = moved.wait_while(source, full).unwrap_or_else(PoisonError::into_inner);
    if source.ended {
        return None;
    }
    let Some(item) = source.items.next() else {
        source.ended = true;
        moved.notify_all();
        return None;
    };
    source.taken += 1;
    Some((source.taken - 1, item))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_items_for_any_number_of_threads() {
        for jobs in [1, 2, 7] {
            let mut seen = Vec::new();
            let work = |item: u64| {
                let rounds = if item.is_multiple_of(10) { 20_000 } else { 1 };
                std::hint::black_box((0..rounds).fold(0, |sum: u64, k| sum.wrapping_add(k * k)));
                item * 2
            };
            in_order(0..300u64, jobs, work, |result| {
                seen.push(result);
                Ok(())
            })
            .expect("nothing fails");
            assert_eq!(seen, (0..300).map(|item| item * 2).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn without_threads_the_work_is_done_all_the_same() {
        // No system has room for such a stack.
        let refused = || thread::Builder::new().stack_size(1 << 60);
        let mut seen = Vec::new();
        let emit = |result: u64| {
            seen.push(result);
            Ok(())
        };
        on_threads(0..50u64, 2000, refused, |item| item + 1, emit).expect("nothing fails");
        assert_eq!(seen, (1..=50).collect::<Vec<u64>>());
    }

    #[test]
    fn an_error_of_the_output_ends_an_endless_stream() {
        let emit = |result| if result < 50 { Ok(()) } else { Err(miette::miette!("full")) };
        assert!(in_order(0.., 2, |item: i32| item, emit).is_err());
    }
}
