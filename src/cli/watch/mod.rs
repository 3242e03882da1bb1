//! `kenga watch`: a run played on the terminal.
//!
//! `kenga_lab::playback` plays it, `state` takes keys, and the others draw a [`Scene`]: a new panel is a file with `draw` and a
//! place in `screen`.
//!
//! **Invariant**: nothing is written, and what is shown of a run is what `kenga run` makes of it.

mod charts;
mod genes;
mod grid;
mod lists;
mod population;
mod scene;
mod screen;
mod state;
#[cfg(test)]
mod tests;
mod words;

use std::path::{Path, PathBuf};
use std::thread;

use miette::{IntoDiagnostic, Report, miette};
use ratatui::crossterm::event::KeyEvent;

use super::experiment::{Overrides, ProgramsArgs, unrunnable};
use super::io::exit::{CommandResult, Exit};
use super::io::input::whole;
use super::io::progress::Counter;
use super::io::signals;
use super::io::terminal;
use super::screen::{Palette, SIGINT, ScreenGuard, check, next_key};
use kenga_core::budget::Interrupt;
use kenga_lab::experiment::{Plan, Runner, cores};
use kenga_lab::playback::{Player, Speed, View};
use kenga_lab::results::{recorded_row, recorded_verdict};
use kenga_report::several;
use scene::Scene;
use state::{Action, ViewerState};

/// Play a run on the terminal, forwards and back
///
/// Shows the best grid, the population, the convergence, islands and operators of a run of a configuration, or of the
/// folder of an experiment, finished or not: the same run, generation by
/// generation, that `kenga run` makes. Nothing is written. At the end of a run of a folder it says whether the run is as
/// recorded. `?` shows the keys. Needs a terminal of at least 80 columns and 24 lines.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  kenga watch lesson.toml
  kenga watch lesson.toml --puzzle puzzle.txt --seed 7
  kenga watch lesson.toml --set algorithm.population=20
  kenga watch results/ga --run 3
  kenga watch lesson.toml --color never")]
pub(super) struct Args {
    /// A configuration, or a folder that `kenga run` or `kenga sweep` has written
    #[arg(value_name = "CONFIG | DIR")]
    what: String,
    /// The run to begin with, from 0
    #[arg(long, value_name = "N", default_value = "0", value_parser = whole(0..=u64::MAX))]
    run: u64,
    /// Generations a second at the start, or max
    #[arg(long, value_name = "SPEED", default_value = "10", value_parser = speed)]
    speed: Speed,
    #[command(flatten)]
    overrides: Overrides,
    #[command(flatten)]
    programs: ProgramsArgs,
}

/// What to do where there is no terminal.
const INSTEAD: &str =
    "`kenga run` makes the runs of a configuration, and `kenga plot` draws those of a folder as text";

/// Reads a speed.
fn speed(text: &str) -> Result<Speed, String> {
    let rate = text.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate >= 0.01);
    match (text, rate) {
        ("max", _) => Ok(Speed::Unlimited),
        (_, Some(rate)) => Ok(Speed::Generations(rate)),
        _ => Err("expected generations a second, 0.01 or more, or max".to_owned()),
    }
}

pub(super) fn run(args: &Args) -> CommandResult {
    check("kenga watch", INSTEAD)?;
    let folder = Some(PathBuf::from(&args.what)).filter(|path| path.is_dir());
    let (plan, exit) = match &folder {
        Some(folder) => (args.overrides.folder_plan(folder)?.0, Exit::Done),
        None => args.overrides.plan(&args.what)?,
    };
    if args.run >= plan.runs() {
        let help = format!("name one from 0 to {}", plan.runs() - 1);
        return Err(miette!(
            help = help,
            "there is no run {} among {}",
            args.run,
            several(plan.runs(), "run")
        ));
    }
    let interrupt = signals::interrupt()?;
    let runner = {
        let _progress = Counter::start("solving the puzzles exactly", None);
        Runner::prepare(&plan, cores(), &interrupt).map_err(|error| unrunnable(&error))?
    };
    let file = if folder.is_some() { None } else { Some(&*args.what) };
    let runner = runner.with_programs(args.programs.beside(file));
    if interrupt.is_raised() {
        return Ok(Exit::Signal(interrupt.signal()));
    }
    let player = Player::new(args.run, args.speed, true);
    let ended = thread::scope(|scope| {
        let worker = scope.spawn(|| player.work(&runner));
        // However this ends, the thread ends too.
        let _leave = Leave(&player);
        Watching::new(&runner, &player, folder.as_deref()).watch(&interrupt, || worker.is_finished())
    })?;
    Ok(exit.and(ended))
}

/// Lets the thread that plays leave when it is dropped.
struct Leave<'a>(&'a Player);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.quit();
    }
}

/// A running viewer.
struct Watching<'a> {
    runner: &'a Runner<'a>,
    player: &'a Player,
    folder: Option<&'a Path>,
    state: ViewerState,
    palette: Palette,
    /// The run that has been compared with its row, and what came of it.
    verdict: Option<(u64, String)>,
}

impl<'a> Watching<'a> {
    fn new(runner: &'a Runner<'a>, player: &'a Player, folder: Option<&'a Path>) -> Self {
        let palette = Palette { colour: terminal::view().colour };
        Self { runner, player, folder, state: ViewerState::default(), palette, verdict: None }
    }

    /// Draws and takes keys until one of them, a signal, or the end of the thread that plays ends it.
    fn watch(mut self, interrupt: &Interrupt, is_gone: impl Fn() -> bool) -> Result<Exit, Report> {
        let mut screen = ScreenGuard::begin()?;
        // A player that is gone has panicked: leaving the scope says so.
        while !is_gone() {
            let view = self.player.view();
            self.compare(&view)?;
            let scene = self.scene(&view);
            screen.draw(|frame| screen::draw(&scene, frame))?;
            if interrupt.is_raised() {
                return Ok(Exit::Signal(interrupt.signal()));
            }
            if let Some(key) = next_key().into_diagnostic()?
                && let Some(exit) = self.take(key, &view)
            {
                return Ok(exit);
            }
        }
        Ok(Exit::Done)
    }

    fn scene<'s>(&'s self, view: &'s View) -> Scene<'s> {
        let verdict = self.verdict.as_ref().filter(|(run, _)| *run == view.run).map(|(_, words)| &**words);
        Scene { runner: self.runner, view, state: &self.state, palette: self.palette, verdict }
    }

    /// Compares a run that has ended with its row, once.
    fn compare(&mut self, view: &View) -> Result<(), Report> {
        if let (Some(folder), Some(record)) = (self.folder, &view.record)
            && self.verdict.as_ref().is_none_or(|(run, _)| *run != view.run)
        {
            let plan: &Plan = self.runner.plan();
            let row = recorded_row(folder, view.run)?;
            self.verdict = Some((view.run, recorded_verdict(row.as_ref(), record, plan)));
        }
        Ok(())
    }

    /// Does what a key asks for; the end, if it is that.
    fn take(&mut self, key: KeyEvent, view: &View) -> Option<Exit> {
        let bounds = self.scene(view).bounds();
        match self.state.key(key, view, &bounds) {
            Action::None => {}
            Action::Command(command) => self.player.command(command),
            Action::Play(plays) => self.player.play(plays),
            Action::Speed(speed) => self.player.set_speed(speed),
            Action::Run(run) => {
                self.state.island = 0;
                self.player.run(run);
            }
            Action::Quit => return Some(Exit::Done),
            Action::Interrupt => return Some(Exit::Signal(SIGINT)),
        }
        None
    }
}
