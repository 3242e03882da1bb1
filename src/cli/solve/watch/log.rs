//! What the search has done so far, kept while it goes on: as much as fits.

use std::sync::{Mutex, MutexGuard, PoisonError};

use kenga_core::budget::Interrupt;
use kenga_core::problem::{LostCandidates, Problem};
use kenga_core::solver::{Event, Inference, Limits, Replay, Status, trace};

/// The most bytes of events that are kept.
pub(super) const MOST: usize = 64 << 20;

/// How often what has happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) decisions: u64,
    pub(super) conflicts: u64,
    pub(super) clauses: u64,
    pub(super) solutions: u64,
}

impl Counts {
    pub(super) fn add(&mut self, event: &Event) {
        match event {
            Event::Decision { .. } => self.decisions += 1,
            Event::Conflict { .. } => self.conflicts += 1,
            Event::Clause { is_solution: false, .. } => self.clauses += 1,
            Event::Solution => self.solutions += 1,
            _ => {}
        }
    }
}

/// The events of a search, written by the thread that searches.
pub(super) struct Log(Mutex<Kept>);

/// What is kept.
pub(super) struct Kept {
    /// The candidates before the first event, with what the puzzle prints.
    pub(super) start: Replay,
    /// The first events as they happened, and the end.
    pub(super) events: Vec<Event>,
    bytes: usize,
    most: usize,
    /// The events between the last that is kept and the end.
    pub(super) left_out: u64,
    /// Of the whole search, the events left out among them.
    pub(super) counts: Counts,
    /// The candidates when the last solution was found.
    pub(super) solution: Option<Vec<u32>>,
    /// What the search has established, once it is over.
    pub(super) status: Option<Status>,
}

impl Log {
    /// Nothing yet, and room for so many bytes.
    pub(super) fn new(problem: &Problem, most: usize) -> Self {
        Self(Mutex::new(Kept {
            start: Replay::new(problem),
            events: Vec::new(),
            bytes: 0,
            most,
            left_out: 0,
            counts: Counts::default(),
            solution: None,
            status: None,
        }))
    }

    /// What is kept, for as long as the guard lives; the search waits.
    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the search has established, once it is over.
    pub(super) fn status(&self) -> Option<Status> {
        self.kept().status
    }

    /// Searches, and keeps what the search does.
    pub(super) fn record(&self, problem: &Problem, limits: &Limits, interrupt: &Interrupt) {
        let mut replay = Replay::new(problem);
        trace(problem, limits, interrupt, &mut |event| {
            replay.apply(event);
            self.kept().add(event, &replay);
        });
    }
}

impl Kept {
    fn add(&mut self, event: &Event, after: &Replay) {
        // What the puzzle gives is no step of the search: it is where the log begins.
        if self.events.is_empty() && is_given(event) {
            self.start = after.clone();
            return;
        }
        self.counts.add(event);
        match event {
            Event::Solution => self.solution = Some(after.masks().to_vec()),
            Event::End(status) => self.status = Some(*status),
            _ => {}
        }
        self.bytes += bytes(event);
        let is_end = matches!(event, Event::End(_));
        // The log of a long search would fill the memory; its end is always kept.
        if self.bytes <= self.most || is_end {
            self.events.push(event.clone());
        } else {
            self.left_out += 1;
        }
    }
}

/// What the puzzle prints has no step of its own.
fn is_given(event: &Event) -> bool {
    matches!(event, Event::Removal { reason, .. } if reason.inference == Inference::Given)
}

/// About how many bytes an event takes, with what the allocator adds.
fn bytes(event: &Event) -> usize {
    // What an allocation costs beside its content.
    const EACH: usize = 16;
    let of = |count: usize, size: usize| if count > 0 { count * size + EACH } else { 0 };
    let more = match event {
        Event::Removal { reason, lost } => {
            of(reason.groups.len(), size_of::<usize>()) + of(lost.len(), size_of::<LostCandidates>())
        }
        Event::Conflict { reason } => of(reason.groups.len(), size_of::<usize>()),
        Event::Orbit { cells } => of(cells.len(), size_of::<u16>()),
        Event::Clause { literals, .. } => {
            let cells: usize = literals.iter().map(|literal| of(literal.cells.len(), size_of::<u16>())).sum();
            of(literals.len(), size_of_val(literals.as_slice()) / literals.len().max(1)) + cells
        }
        _ => 0,
    };
    size_of::<Event>() + more
}
