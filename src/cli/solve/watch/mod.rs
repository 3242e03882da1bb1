//! `kenga solve --watch`: the search played on the terminal, forwards and back, while it goes on.
//!
//! `log` keeps what the search does, `film` is a moment of it, `state` takes keys, and the others draw.
//!
//! **Invariant**: a moment looks the same from either side, so that nothing of the screen depends on how it was reached.

mod film;
mod grid;
mod log;
mod screen;
mod state;
#[cfg(test)]
mod tests;
mod words;

use std::thread;

use miette::{IntoDiagnostic, Report};
use ratatui::crossterm::event::KeyEvent;

use crate::cli::io::exit::{CommandResult, Exit};
use crate::cli::io::terminal;
use crate::cli::screen::{Palette, SIGINT, ScreenGuard, check, next_key};
use film::SearchFilm;
use kenga_core::budget::{Clock, Interrupt};
use kenga_core::problem::Problem;
use kenga_core::puzzle::Puzzle;
use kenga_core::solver::Limits;
use log::Log;
use screen::SearchScene;
use state::{FilmPosition, SearchAction, SearchViewer};

/// Says what to do where there is no terminal.
///
/// # Errors
/// Where there is none.
pub(super) fn check_terminal() -> Result<(), Report> {
    check("kenga solve --watch", "`kenga solve --animate FILE` writes the search as a picture that moves")
}

/// Shows the searches of some puzzles, at first that of the first, at so many events a second.
///
/// # Errors
/// What the terminal refuses.
pub(super) fn watch(puzzles: &[Puzzle], limits: &Limits, speed: f64, interrupt: &Interrupt) -> CommandResult {
    let mut screen = ScreenGuard::begin()?;
    let (mut number, mut state) = (0, SearchViewer::new(speed));
    loop {
        let mut watching = SearchWatching { puzzles, number, state, shows_candidates: true };
        match watching.watch(&mut screen, limits, interrupt)? {
            AfterPuzzle::Leave(exit) => return Ok(exit),
            AfterPuzzle::Puzzle(other) => {
                state = SearchViewer { plays: true, cell: (0, 0), ..watching.state };
                number = other;
            }
        }
    }
}

/// What comes after a puzzle.
enum AfterPuzzle {
    Leave(Exit),
    Puzzle(usize),
}

/// Ends the search when it is dropped.
struct Stop<'a>(&'a Interrupt);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.raise(Interrupt::ABANDONED);
    }
}

/// A running viewer.
struct SearchWatching<'a> {
    puzzles: &'a [Puzzle],
    number: usize,
    state: SearchViewer,
    shows_candidates: bool,
}

impl SearchWatching<'_> {
    /// Searches on a thread of its own, draws and takes keys until one of them or a signal ends it.
    fn watch(
        &mut self,
        screen: &mut ScreenGuard,
        limits: &Limits,
        interrupt: &Interrupt,
    ) -> Result<AfterPuzzle, Report> {
        let puzzle = &self.puzzles[self.number];
        let problem = Problem::compile(puzzle);
        let log = Log::new(&problem, log::MOST);
        let stop = Interrupt::default();
        thread::scope(|scope| {
            let worker = scope.spawn(|| log.record(&problem, limits, &stop));
            // However this ends, the thread ends too.
            let _stop = Stop(&stop);
            let mut film = SearchFilm::new(puzzle, &problem, &log);
            let mut player = SearchPlayer::start();
            // A search that has ended without a status has panicked: leaving the scope says so.
            while !worker.is_finished() || log.status().is_some() {
                let on = player.events(&self.state);
                film.seek(film.at().saturating_add(on));
                let position = self.position(&film, &log);
                self.state.plays &= !(position.is_over && position.at == position.known);
                self.draw(screen, &film, &log)?;
                if interrupt.is_raised() {
                    return Ok(AfterPuzzle::Leave(Exit::Signal(interrupt.signal())));
                }
                let key = next_key().into_diagnostic()?;
                if let Some(next) = key.and_then(|key| self.take(key, &mut film, &log)) {
                    return Ok(next);
                }
            }
            Ok(AfterPuzzle::Leave(Exit::Done))
        })
    }

    fn position(&self, film: &SearchFilm<'_>, log: &Log) -> FilmPosition {
        let kept = log.kept();
        FilmPosition {
            at: film.at(),
            known: kept.events.len(),
            is_over: kept.status.is_some(),
            grid: (film.puzzle.rows(), film.puzzle.cols()),
            puzzle: self.number,
            puzzles: self.puzzles.len(),
        }
    }

    fn draw(&mut self, screen: &mut ScreenGuard, film: &SearchFilm<'_>, log: &Log) -> Result<(), Report> {
        let palette = Palette { colour: terminal::view().colour };
        let scene = SearchScene {
            film,
            state: &self.state,
            position: self.position(film, log),
            status: log.status(),
            palette,
        };
        screen.draw(|frame| self.shows_candidates = screen::draw(&scene, frame))
    }

    /// Does what a key asks for; what comes next, if it is that.
    fn take(&mut self, key: KeyEvent, film: &mut SearchFilm<'_>, log: &Log) -> Option<AfterPuzzle> {
        let position = self.position(film, log);
        match self.state.key(key, &position, self.shows_candidates) {
            SearchAction::None => {}
            SearchAction::Seek(at) => film.seek(at),
            SearchAction::Find(landmark, forward) => match film.find(landmark, forward) {
                Some(at) => film.seek(at),
                None => {
                    let until = if forward && !position.is_over { " so far" } else { "" };
                    let side = if forward { "further" } else { "earlier" };
                    self.state.note = Some(format!("there are no {side} {}{until}", landmark.name()));
                }
            },
            SearchAction::Puzzle(other) => return Some(AfterPuzzle::Puzzle(other)),
            SearchAction::Quit => return Some(AfterPuzzle::Leave(Exit::Done)),
            SearchAction::Interrupt => return Some(AfterPuzzle::Leave(Exit::Signal(SIGINT))),
        }
        None
    }
}

/// How many events to go on by, as time passes.
struct SearchPlayer {
    clock: Clock,
    /// Parts of an event that have passed.
    due: f64,
}

impl SearchPlayer {
    /// The longest time between two screens that counts, in seconds.
    const LONGEST: f64 = 1.0;

    fn start() -> Self {
        Self { clock: Clock::start(), due: 0.0 }
    }

    /// The events since the last call.
    fn events(&mut self, state: &SearchViewer) -> usize {
        let seconds = self.clock.wall_s().min(Self::LONGEST);
        self.clock = Clock::start();
        match (state.plays, state.speed) {
            (false, _) => {
                self.due = 0.0;
                0
            }
            (true, None) => usize::MAX,
            (true, Some(rate)) => {
                self.due += rate * seconds;
                let whole = self.due.floor();
                self.due -= whole;
                whole as usize
            }
        }
    }
}
