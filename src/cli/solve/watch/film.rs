//! A search that can be looked at forwards and back: the candidates at every moment, what was said, and why each candidate
//! went.

use std::collections::VecDeque;

use super::log::{Counts, Log};
use kenga_core::problem::{LostCandidates, Problem, bits};
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::{Event, Replay, Status, cause, words};
use kenga_core::sort::sort_by_key;
use kenga_report::answers::{is_about_the_past, proved};
use kenga_report::{counted, plural};

/// The last events that are told in words.
const TOLD: usize = 60;

/// The moments that are kept so that going back needs no replay from the start: at most so many, so far apart at first.
const KEYS: usize = 16;
const SPACING: usize = 1024;

/// The state of a search after some events.
#[derive(Clone)]
struct Moment {
    /// How many events.
    at: usize,
    replay: Replay,
    counts: Counts,
    /// For each cell and rank the number of the event that removed it last, from 1; 0 for none.
    causes: Vec<u32>,
}

impl Moment {
    fn new(start: Replay, digits: usize) -> Self {
        let causes = vec![0; start.masks().len() * digits];
        Self { at: 0, replay: start, counts: Counts::default(), causes }
    }

    fn follow(&mut self, event: &Event, digits: usize) {
        self.at += 1;
        self.counts.add(event);
        match event {
            Event::Removal { lost, .. } => {
                for LostCandidates { cell, ranks } in lost {
                    self.blame(*cell, *ranks, digits);
                }
            }
            Event::Decision { cell, rank, .. } => self.blame(*cell, self.others(*cell, *rank), digits),
            Event::Orbit { cells } => {
                for (cell, rank) in cells.iter().zip(0..) {
                    self.blame(*cell, self.others(*cell, rank), digits);
                }
            }
            _ => {}
        }
        self.replay.apply(event);
    }

    /// Notes that the latest event removed these ranks of a cell.
    fn blame(&mut self, cell: u16, ranks: u32, digits: usize) {
        for rank in bits(ranks) {
            self.causes[usize::from(cell) * digits + rank as usize] = self.at as u32;
        }
    }

    /// The candidates of a cell but for one.
    fn others(&self, cell: u16, rank: u32) -> u32 {
        self.replay.masks()[usize::from(cell)] & !(1 << rank)
    }
}

/// What kind of thing a sentence tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Decision,
    Conflict,
    Back,
    Solution,
}

impl Tone {
    fn of(event: &Event) -> Self {
        match event {
            Event::Decision { .. } => Self::Decision,
            Event::Conflict { .. } | Event::End(Status::Unsolvable) => Self::Conflict,
            Event::Back { .. } | Event::Restart | Event::Learning => Self::Back,
            Event::Solution | Event::End(_) => Self::Solution,
            _ => Self::Plain,
        }
    }
}

/// What is looked for in a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Landmark {
    Conflict,
    Decision,
    Solution,
}

impl Landmark {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Conflict => "conflicts",
            Self::Decision => "decisions",
            Self::Solution => "solutions",
        }
    }

    fn is(self, event: &Event) -> bool {
        match self {
            Self::Conflict => matches!(event, Event::Conflict { .. }),
            Self::Decision => matches!(event, Event::Decision { .. }),
            Self::Solution => matches!(event, Event::Solution),
        }
    }
}

/// A search and the moment of it that is shown.
pub(super) struct SearchFilm<'a> {
    pub(super) puzzle: &'a Puzzle,
    pub(super) problem: &'a Problem,
    log: &'a Log,
    now: Moment,
    /// Earlier moments, the start first, then multiples of the spacing.
    keys: Vec<Moment>,
    spacing: usize,
    told: VecDeque<(Tone, String)>,
    /// The last event so far, and the candidates before it.
    shown: Option<(Event, Vec<u32>)>,
    /// The candidates of the last solution, at the end.
    solution: Option<Vec<u32>>,
}

impl<'a> SearchFilm<'a> {
    /// The film before the first event.
    pub(super) fn new(puzzle: &'a Puzzle, problem: &'a Problem, log: &'a Log) -> Self {
        let now = Moment::new(Replay::new(problem), problem.digits());
        Self {
            puzzle,
            problem,
            log,
            now,
            keys: Vec::new(),
            spacing: SPACING,
            told: VecDeque::new(),
            shown: None,
            solution: None,
        }
    }

    /// The number of events so far.
    pub(super) fn at(&self) -> usize {
        self.now.at
    }

    /// The number of open decisions.
    pub(super) fn depth(&self) -> usize {
        self.now.replay.depth()
    }

    /// What has happened so far.
    pub(super) fn counts(&self) -> Counts {
        self.now.counts
    }

    /// The last events in words, the latest last.
    pub(super) fn told(&self) -> impl DoubleEndedIterator<Item = (Tone, &str)> {
        self.told.iter().map(|(tone, words)| (*tone, &**words))
    }

    /// The event that is shown, and the candidates that it is shown with: those before it where it is about them.
    pub(super) fn shown(&self) -> (Option<&Event>, &[u32]) {
        match &self.shown {
            Some((event, before)) if is_about_the_past(event) => (Some(event), before),
            Some((event @ Event::End(_), _)) => {
                (Some(event), self.solution.as_deref().unwrap_or(self.now.replay.masks()))
            }
            shown => (shown.as_ref().map(|(event, _)| event), self.now.replay.masks()),
        }
    }

    /// What removed the candidates that a cell of the problem has lost: ranks, the number of the event, and its words; what
    /// the puzzle never allowed has the number 0.
    pub(super) fn causes(&self, cell: usize) -> Vec<(u32, usize, String)> {
        let digits = self.problem.digits();
        let mut found: Vec<(u32, usize, String)> = Vec::new();
        let kept = self.log.kept();
        for rank in (0..digits).filter(|rank| self.now.replay.masks()[cell] >> rank & 1 == 0) {
            let number = self.now.causes[cell * digits + rank] as usize;
            match found.iter_mut().find(|(_, other, _)| *other == number) {
                Some((ranks, ..)) => *ranks |= 1 << rank,
                None => {
                    let event = number.checked_sub(1).map(|index| &kept.events[index]);
                    let words = event.map(|event| cause(self.puzzle, self.problem, event));
                    found.push((1 << rank, number, words.unwrap_or_else(|| "given".to_owned())));
                }
            }
        }
        sort_by_key(&mut found, |(_, number, _)| *number);
        found
    }

    /// The candidates of a cell of the problem now.
    pub(super) fn candidates(&self, cell: usize) -> u32 {
        self.now.replay.masks()[cell]
    }

    /// Where the next landmark stands, or the one before.
    pub(super) fn find(&self, landmark: Landmark, forward: bool) -> Option<usize> {
        let kept = self.log.kept();
        let at = self.now.at;
        // The moment of an event is the one after it.
        if forward {
            let next = kept.events[at..].iter().position(|event| landmark.is(event))?;
            return Some(at + next + 1);
        }
        let before = &kept.events[..at.saturating_sub(1)];
        Some(before.iter().rposition(|event| landmark.is(event))? + 1)
    }

    /// Goes to the moment after so many events, or after the last that there is.
    pub(super) fn seek(&mut self, to: usize) {
        let log = self.log;
        let kept = log.kept();
        let to = to.min(kept.events.len());
        // What is told has to be replayed: its words need the candidates before it.
        let from = to.saturating_sub(TOLD);
        if to < self.now.at || self.now.at < from {
            self.told.clear();
            self.jump(from, to);
        }
        if self.now.at == 0 {
            // The start may have changed: what the puzzle prints is read by the search.
            self.now = Moment::new(kept.start.clone(), self.problem.digits());
            self.keys = vec![self.now.clone()];
            self.spacing = SPACING;
            self.shown = None;
        }
        for event in &kept.events[self.now.at..to] {
            let is_end = matches!(event, Event::End(_));
            if is_end && kept.left_out > 0 {
                self.tell(Tone::Plain, left_out(kept.left_out));
            }
            if self.now.at >= from {
                self.tell(Tone::of(event), self.said(event));
            }
            if self.now.at + 1 == to {
                self.shown = Some((event.clone(), self.now.replay.masks().to_vec()));
            }
            self.now.follow(event, self.problem.digits());
            if is_end {
                self.now.counts = kept.counts;
                self.solution.clone_from(&kept.solution);
            }
            self.keep();
        }
    }

    /// Goes to the latest moment kept that is not behind `from`, unless the present one is nearer.
    fn jump(&mut self, from: usize, to: usize) {
        if let Some(key) = self.keys.iter().rev().find(|key| key.at <= from)
            && (to < self.now.at || key.at > self.now.at)
        {
            self.now = key.clone();
        }
    }

    fn tell(&mut self, tone: Tone, words: String) {
        self.told.push_back((tone, words));
        if self.told.len() > TOLD {
            self.told.pop_front();
        }
    }

    fn said(&self, event: &Event) -> String {
        match event {
            Event::End(status) => format!("the end: {}", proved(*status)),
            _ => words(self.puzzle, self.problem, self.now.replay.masks(), event),
        }
    }

    /// Keeps the moment if it is one of those to keep; every second goes where there are too many.
    fn keep(&mut self) {
        let last = self.keys.last().map_or(0, |key| key.at);
        if !self.now.at.is_multiple_of(self.spacing) || self.now.at <= last {
            return;
        }
        self.keys.push(self.now.clone());
        if self.keys.len() > KEYS {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.keys.retain(|key| key.at.is_multiple_of(spacing));
        }
    }
}

/// What is said of events that were not kept.
fn left_out(events: u64) -> String {
    format!(
        "{} {} up to the end are not kept: the film holds {} MiB",
        counted(events),
        plural(events, "event"),
        super::log::MOST >> 20
    )
}
