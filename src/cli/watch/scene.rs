//! What the panels draw.

use ratatui::Frame as Screen;
use ratatui::layout::Rect;

use super::state::{CursorBounds, Focus, ViewerState};
use crate::cli::screen::{self, Palette};
use kenga_core::puzzle::Puzzle;
use kenga_lab::experiment::{RunId, Runner};
use kenga_lab::playback::{Frame, Leader, Rows, View};
use kenga_report::short_value;

/// All that is drawn.
pub(super) struct Scene<'a> {
    pub(super) runner: &'a Runner<'a>,
    pub(super) view: &'a View,
    pub(super) state: &'a ViewerState,
    pub(super) palette: Palette,
    /// What a finished run differs in from the row that is recorded of it, in words.
    pub(super) verdict: Option<&'a str>,
}

impl<'a> Scene<'a> {
    pub(super) fn id(&self) -> RunId {
        self.runner.plan().id(self.view.run)
    }

    pub(super) fn puzzle(&self) -> &'a Puzzle {
        &self.runner.plan().puzzles[self.id().puzzle]
    }

    /// The runs are about a problem of the user's own, which has genes in place of cells.
    pub(super) fn has_own_problem(&self) -> bool {
        self.runner.plan().config.has_own_problem()
    }

    /// A fitness as people know it: of a problem of the user's own the value.
    pub(super) fn worth(&self, fitness: u32) -> String {
        let scale = self.runner.fitness(self.id()).scale();
        scale.map_or(fitness.to_string(), |scale| short_value(scale.value(f64::from(fitness))))
    }

    /// What it is called.
    pub(super) fn quantity(&self) -> &'static str {
        if self.has_own_problem() { "value" } else { "fitness" }
    }

    pub(super) fn frame(&self) -> Option<&'a Frame> {
        self.view.frame.as_deref()
    }

    pub(super) fn best(&self) -> Option<&'a Leader> {
        self.frame()?.best.as_ref()
    }

    /// The island that is shown.
    pub(super) fn island(&self) -> usize {
        let islands = self.frame().map_or(0, |frame| frame.islands.len());
        self.state.island.min(islands.saturating_sub(1))
    }

    /// Its population.
    pub(super) fn rows(&self) -> Option<&'a Rows> {
        self.frame()?.islands.get(self.island())
    }

    /// What the cursors may reach.
    pub(super) fn bounds(&self) -> CursorBounds {
        let puzzle = self.puzzle();
        CursorBounds {
            grid: (puzzle.rows(), puzzle.cols()),
            islands: self.frame().map_or(1, |frame| frame.islands.len().max(1)),
            rows: self.rows().map_or(0, Rows::len),
            runs: self.runner.plan().runs(),
        }
    }

    /// The frame of a panel; what lies within is returned.
    pub(super) fn panel(&self, to: &mut Screen<'_>, area: Rect, title: &str, focus: Option<Focus>) -> Rect {
        screen::panel(self.palette, to, area, title, focus == Some(self.state.focus))
    }
}
