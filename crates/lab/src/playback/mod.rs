//! A run played: forwards a generation at a time, and back.
//!
//! What is shown is the run that `kenga run` makes, of the same seed and by the same code: a [`Playback`] advances an
//! [`Execution`] and takes a [`Frame`] where somebody looks. Back is forwards again: what lies before the moment that is
//! shown, and was not kept, is replayed from the seed. A [`Player`] lets a thread of its own do so, at the speed and to the
//! moment that a viewer asks for. Viewers draw; nothing here does.
//!
//! What is kept, and how often a replay looks up, may be changed freely. **Invariant**: a frame depends on the run and its
//! generation alone, not on the way there; `tests.rs` compares every way with a plain run.

mod frame;
mod history;
mod origin;
mod player;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::experiment::{Execution, LiveView, RunId, RunRecord, Runner, Sample};
use history::{GenerationCurve, History};
use kenga_core::budget::Interrupt;

pub use frame::{Frame, Leader, MOST_ROWS, Rows};
pub use history::HISTORY_BYTES;
use origin::SearchPosition;
pub use origin::{Origin, Origins};
pub use player::{Player, PlayerCommand, Speed, View};

/// Generations between two samples of a run that nobody asks for: few, because each costs a census.
const SAMPLED_EVERY: u64 = 16;

/// One run of a prepared plan, under control.
pub struct Playback<'r> {
    runner: &'r Runner<'r>,
    id: RunId,
    interrupt: Interrupt,
    counts_operators: bool,
    follows_births: bool,
    /// How the generation where the run stands came to be, where somebody follows that and was to look.
    origins: Vec<Origins>,
    /// The run where it stands; `None` before its start and after its end.
    execution: Option<Execution<'r>>,
    /// The run stands elsewhere than at the moment that is shown, which was kept.
    stands_elsewhere: bool,
    /// The last sample that was taken.
    latest: Option<Sample>,
    shown: Option<Arc<Frame>>,
    history: History,
    curve: GenerationCurve,
    /// Known once the run has been there.
    end: Option<End>,
}

/// The end of a run: its last moment and what it came to.
struct End {
    frame: Arc<Frame>,
    record: Arc<RunRecord>,
}

impl<'r> Playback<'r> {
    /// A run before its start, with a history of at most so many bytes. The interrupt cuts it in the midst of a generation.
    pub fn new(runner: &'r Runner<'r>, id: RunId, history: usize, interrupt: &Interrupt) -> Self {
        Self {
            runner,
            id,
            interrupt: interrupt.clone(),
            counts_operators: runner.plan().setting(id.setting).config.record_operators,
            follows_births: false,
            origins: Vec::new(),
            execution: None,
            stands_elsewhere: false,
            latest: None,
            shown: None,
            history: History::new(history),
            curve: GenerationCurve::default(),
            end: None,
        }
    }

    /// The run.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// Usage and gain of operators are counted.
    pub fn counts_operators(&self) -> bool {
        self.counts_operators
    }

    /// Notes how the individuals that are looked at came to be.
    #[must_use]
    pub fn following_births(self) -> Self {
        Self { follows_births: true, ..self }
    }

    /// Counts usage and gain of operators from the start of the run on, or does not. What was kept is forgotten: look again,
    /// at the generation that was shown.
    pub fn count_operators(&mut self, counts: bool) {
        if counts != self.counts_operators {
            let mut anew = Self::new(self.runner, self.id, self.history.most(), &self.interrupt);
            anew.counts_operators = counts;
            anew.follows_births = self.follows_births;
            *self = anew;
        }
    }

    /// The generation where the run stands; `None` before the first complete one.
    pub fn generation(&mut self) -> Option<u64> {
        self.execution.as_mut()?.live_view()?.passed.map(|passed| passed.generations)
    }

    /// Fitness of the best so far, where the run stands.
    pub fn best(&self) -> Option<u32> {
        self.execution.as_ref()?.leader().map(|best| best.fitness)
    }

    /// Makes the next generation, from the one where the run stands; false where it has ended or was cut. `looks` says that
    /// somebody will [`look`](Self::look) then.
    pub fn advance(&mut self, looks: bool) -> bool {
        let Some(execution) = &mut self.execution else {
            let view = LiveView::new(SAMPLED_EVERY, self.counts_operators);
            self.execution = Some(self.runner.play(self.id, view, &self.interrupt));
            return !self.interrupt.is_raised();
        };
        let before = generation(execution);
        let follows = looks && self.follows_births;
        if let Some(view) = execution.live_view() {
            view.asked = looks.then(|| before.map_or(0, |before| before + 1));
            view.births = follows;
        }
        // A move changes the genome in place: where it began is lost afterwards.
        let before_step = if follows { SearchPosition::of(execution) } else { None };
        while execution.stop().is_none() && generation(execution) == before {
            execution.step_one_generation();
        }
        if let Some(view) = execution.live_view() {
            self.latest = view.samples.last().copied().or(self.latest);
            self.curve.add(view.samples.drain(..));
        }
        self.origins = if follows { Origins::of(execution, before_step) } else { Vec::new() };
        !self.interrupt.is_raised() && execution.stop().is_none()
    }

    /// The frame of the moment where the run stands, which is kept.
    pub fn look(&mut self) -> Option<Arc<Frame>> {
        let at = self.generation();
        if self.interrupt.is_raised() {
            return None;
        }
        let execution = self.execution.as_mut()?;
        let is_over = execution.stop().is_some();
        // The last sample of a run that is over is taken anew: its record ends with what stands there then.
        let sample = self.latest.filter(|sample| Some(sample.generation) == at && !is_over);
        let frame = Arc::new(Frame::of(execution, sample, self.origins.clone()));
        self.curve.add(frame.sample.into_iter());
        self.shown = Some(Arc::clone(&frame));
        if !is_over {
            self.history.keep(&frame.without_origins());
        } else if let Some(record) = self.execution.take().and_then(Execution::finish) {
            self.curve.add(record.samples.iter().copied());
            self.end = Some(End { frame: Arc::clone(&frame), record: Arc::new(record) });
        }
        Some(frame)
    }

    /// Goes to a generation, or to the end of a run that has fewer, and looks. Every generation on the way asks `goes_on`;
    /// where that says no, or the interrupt cuts, there is no frame, and what was shown stays.
    pub fn seek(&mut self, target: u64, goes_on: &mut dyn FnMut(u64) -> bool) -> Option<Arc<Frame>> {
        let known = match self.end() {
            Some(end) if end.generation < target => Some(end),
            _ => self.history.get(target),
        };
        if let Some(known) = known.cloned() {
            self.shown = Some(Arc::clone(&known));
            self.stands_elsewhere = true;
            return Some(known);
        }
        if self.go(target, goes_on) { self.look() } else { None }
    }

    /// Brings the run to the moment that is shown, if that was kept and the run stands elsewhere; false as for
    /// [`seek`](Self::seek), and at the end, from where it does not go on.
    pub fn catch_up(&mut self, goes_on: &mut dyn FnMut(u64) -> bool) -> bool {
        let Some(shown) = self.shown.clone() else { return self.go(0, goes_on) };
        shown.stop.is_none() && (!self.stands_elsewhere || self.go(shown.generation, goes_on))
    }

    /// Brings the run to a generation or to its end.
    fn go(&mut self, target: u64, goes_on: &mut dyn FnMut(u64) -> bool) -> bool {
        self.stands_elsewhere = true;
        if self.has_stopped() || self.generation().is_some_and(|at| at > target) {
            // A run does not go back: it starts anew.
            self.execution = None;
        }
        loop {
            let at = self.generation();
            if at.is_some_and(|at| at >= target) || self.has_stopped() {
                self.stands_elsewhere = false;
                return true;
            }
            if !goes_on(at.unwrap_or(0)) || self.interrupt.is_raised() {
                return false;
            }
            self.advance(at.is_none_or(|at| at + 1 == target));
        }
    }

    /// Finds out how the individuals of the moment that is shown came to be, where that was not noted: by making its generation
    /// once more. False as for [`seek`](Self::seek).
    pub fn find_origins(&mut self, goes_on: &mut dyn FnMut(u64) -> bool) -> bool {
        let Some(shown) = self.shown.clone() else { return true };
        if !shown.origins.is_empty() {
            return true;
        }
        // It is made anew even where the run stands there.
        self.execution = None;
        if !self.go(shown.generation, goes_on) {
            return false;
        }
        let frame = Arc::new(Frame { origins: self.origins.clone(), ..Frame::clone(&shown) });
        if let Some(end) = &mut self.end
            && Arc::ptr_eq(&end.frame, &shown)
        {
            end.frame = Arc::clone(&frame);
        }
        self.stands_elsewhere = shown.stop.is_some();
        self.shown = Some(frame);
        true
    }

    fn has_stopped(&self) -> bool {
        self.execution.as_ref().is_some_and(|execution| execution.stop().is_some())
    }

    /// The moment that was shown last.
    pub fn shown(&self) -> Option<&Arc<Frame>> {
        self.shown.as_ref()
    }

    /// A moment near a generation that is shown without replaying.
    pub fn near(&self, generation: u64) -> Option<&Arc<Frame>> {
        match self.end() {
            Some(end) if end.generation <= generation => Some(end),
            _ => self.history.near(generation),
        }
    }

    /// The samples of the generations that were passed, at most a thousand, by generation.
    pub fn curve(&self) -> Vec<Sample> {
        self.curve.samples()
    }

    /// What the run came to, once it has been played to its end.
    pub fn record(&self) -> Option<&Arc<RunRecord>> {
        self.end.as_ref().map(|end| &end.record)
    }

    /// The last moment of the run, once it has been there.
    pub fn end(&self) -> Option<&Arc<Frame>> {
        self.end.as_ref().map(|end| &end.frame)
    }
}

fn generation(execution: &mut Execution<'_>) -> Option<u64> {
    execution.live_view()?.passed.map(|passed| passed.generations)
}
