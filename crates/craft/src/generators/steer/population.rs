//! The puzzles that live at the same time in an evolution, and its course: see `evolution.rs`.

use std::cmp::Ordering;

use serde_json::json;

use super::evolution::{Advantage, Evolution, Measurement};
use super::{Begin, PuzzleDraft, REPAIRS, RatedDraft, Shortfall, Steering};
use crate::generators::order::Wish;
use kenga_core::puzzle::Puzzle;
use kenga_core::rng::RunRng;
use kenga_core::sort::sort_by;

/// Puzzles that live at the same time.
const POPULATION: usize = 10;

/// The share of the effort that goes to random puzzles: one part of so many.
const FOUNDERS: u32 = 5;

/// Runs of a puzzle before it can be dropped; they are doubled while it is not.
const FIRST: u64 = 2;

/// Runs of a puzzle that enters the population.
const ENTRY: u64 = 8;

/// Further runs of a parent.
const FURTHER: u64 = 4;

/// Runs of a parent beyond which it is not measured further.
const KNOWN: u64 = 32;

/// Puzzles among which the last choice is made.
const FINALISTS: usize = 4;

/// Runs of each of them.
pub(super) const FINAL: u64 = 48;

/// Probability that a change of a child is an exchange in its solution, where its kind has such.
const EXCHANGE: f64 = 0.15;

/// Probability of a further change after each.
const AGAIN: f64 = 0.4;

/// Children that are begun for each that is measured, at most.
const BEGUN: u32 = 20;

/// A child has this part of the tries that a puzzle has.
const CHILD: u32 = 10;

impl Evolution<'_> {
    /// Evolves a puzzle from drafts that `begin` begins.
    ///
    /// # Errors
    /// As [`Steering::run`], for the first puzzle; a puzzle that cannot be measured, where all are such; the best puzzle that is not
    /// confirmed, where none of the last few is.
    pub(super) fn run<D: PuzzleDraft>(
        &self,
        steering: &mut Steering<'_>,
        begin: Begin<'_, D>,
    ) -> Result<Puzzle, Shortfall> {
        let mut population = SteeringPopulation::new(self);
        population.found(steering, begin)?;
        population.evolve(steering);
        population.best()
    }
}

/// A puzzle of the population.
struct Individual<'a, D> {
    draft: D,
    text: String,
    measurement: Box<dyn Measurement + 'a>,
    runs: u64,
    advantage: Advantage,
}

impl<D: PuzzleDraft> Individual<'_, D> {
    /// Measures it up to so many runs; `None` after an interrupt.
    fn measure(&mut self, runs: u64) -> Option<()> {
        if runs > self.runs {
            self.advantage = self.measurement.advantage(runs)?;
            self.runs = runs;
        }
        Some(())
    }

    fn best_first(&self, other: &Self) -> Ordering {
        other.advantage.value.total_cmp(&self.advantage.value)
    }

    /// The puzzle, with how it stood when it was chosen.
    fn chosen(&self) -> Puzzle {
        let mut puzzle = self.draft.puzzle();
        let mut selection = json!({"advantage": self.advantage.value});
        if self.advantage.error > 0.0 {
            selection["runs"] = json!(self.runs);
        }
        puzzle.meta.insert("selection".to_owned(), selection);
        puzzle
    }
}

/// The current population.
pub(super) struct SteeringPopulation<'a, D> {
    evolution: &'a Evolution<'a>,
    individuals: Vec<Individual<'a, D>>,
    /// Puzzles measured so far.
    measured: u32,
}

impl<'a, D: PuzzleDraft> SteeringPopulation<'a, D> {
    /// Nobody yet.
    pub(super) fn new(evolution: &'a Evolution<'a>) -> Self {
        Self { evolution, individuals: Vec::new(), measured: 0 }
    }

    /// Random puzzles, of which the best remain.
    pub(super) fn found(
        &mut self,
        steering: &mut Steering<'_>,
        begin: Begin<'_, D>,
    ) -> Result<(), Shortfall> {
        let founders = self.evolution.effort.div_ceil(FOUNDERS);
        while self.measured < founders && !steering.interrupt.is_raised() {
            steering.tried = 0;
            match steering.found(begin) {
                Ok(RatedDraft { draft, .. }) => self.admit(draft),
                // The first puzzle that is not found tells why; a later one only means that there are fewer founders.
                Err(shortfall) if self.individuals.is_empty() => return Err(shortfall),
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Children, until the effort is spent.
    pub(super) fn evolve(&mut self, steering: &mut Steering<'_>) {
        // A child is close to its parent: what takes longer is rather left.
        steering.effort /= CHILD;
        for _ in 0..BEGUN.saturating_mul(self.evolution.effort) {
            let is_over = self.measured >= self.evolution.effort || self.individuals.is_empty();
            if is_over || steering.interrupt.is_raised() {
                break;
            }
            let Some(parent) = self.parent(steering.rng) else { break };
            steering.tried = 0;
            if let Some(child) = child(steering, &self.individuals[parent].draft) {
                self.admit(child);
            }
        }
    }

    /// The better of two at random, measured further; `None` after an interrupt.
    fn parent(&mut self, rng: &mut RunRng) -> Option<usize> {
        let count = self.individuals.len();
        let (one, other) = (rng.below(count), rng.below(count));
        let is_first = self.individuals[one].advantage.value >= self.individuals[other].advantage.value;
        let parent = if is_first { one } else { other };
        // Chance made some of the best what they are: who is chosen often is measured better.
        let chosen = &mut self.individuals[parent];
        chosen.measure((chosen.runs + FURTHER).min(KNOWN).max(chosen.runs))?;
        Some(parent)
    }

    /// Measures a puzzle, unless it is here, and lets it in if it is good enough.
    fn admit(&mut self, draft: D) {
        let puzzle = draft.puzzle();
        let text = puzzle.canonical_text();
        // The same puzzle again would be measured twice and fill two places.
        if self.individuals.iter().any(|individual| individual.text == text) {
            return;
        }
        self.measured += 1;
        if let Some(measurement) = self.evolution.adversary.begin(&puzzle) {
            let advantage = Advantage { value: f64::NEG_INFINITY, error: f64::INFINITY };
            let newcomer = Individual { draft, text, measurement, runs: 0, advantage };
            self.race(newcomer);
        }
        (self.evolution.watch)();
    }

    /// Measures a newcomer as long as it may be better than the worst, whose place it takes if it is.
    fn race(&mut self, mut newcomer: Individual<'a, D>) {
        // Until the population is full every newcomer is let in.
        let worst = self.worst().filter(|_| self.individuals.len() >= POPULATION);
        let least = worst.map_or(f64::NEG_INFINITY, |worst| self.individuals[worst].advantage.value);
        let mut runs = FIRST;
        while runs <= ENTRY {
            let is_measured = newcomer.measure(runs).is_some();
            let Advantage { value, error } = newcomer.advantage;
            // Even an error in its favour would not help it.
            if !is_measured || value + error < least {
                return;
            }
            runs *= 2;
        }
        match worst {
            None => self.individuals.push(newcomer),
            Some(worst) if newcomer.advantage.value > least => self.individuals[worst] = newcomer,
            Some(_) => {}
        }
    }

    /// The place of the worst.
    fn worst(&self) -> Option<usize> {
        let value = |place: &usize| self.individuals[*place].advantage.value;
        (0..self.individuals.len()).min_by(|one, other| value(one).total_cmp(&value(other)))
    }

    /// The best of the last few that is confirmed.
    ///
    /// # Errors
    /// Why the best is not, where none is. After an interrupt it says nothing.
    pub(super) fn best(self) -> Result<Puzzle, Shortfall> {
        let tried = self.measured;
        let Some(finalists) = self.finalists() else {
            return Err(Shortfall::new(tried, None, "it was cut short".to_owned()));
        };
        let mut fault = None;
        for mut finalist in finalists {
            match finalist.measurement.confirm() {
                Some(Ok(())) => return Ok(finalist.chosen()),
                Some(Err(words)) => fault = fault.or(Some(format!("the best {words}"))),
                None => break,
            }
        }
        let fault = fault.unwrap_or_else(|| "no puzzle could be measured".to_owned());
        Err(Shortfall::new(tried, None, fault))
    }

    /// The last few, measured much further, the best first; `None` after an interrupt.
    fn finalists(self) -> Option<Vec<Individual<'a, D>>> {
        let mut finalists = self.individuals;
        sort_by(&mut finalists, Individual::best_first);
        finalists.truncate(FINALISTS);
        for finalist in &mut finalists {
            finalist.measure(FINAL)?;
        }
        sort_by(&mut finalists, Individual::best_first);
        Some(finalists)
    }
}

/// A child of a draft; `None` where its changes lead to no puzzle as it was ordered.
fn child<D: PuzzleDraft>(steering: &mut Steering<'_>, parent: &D) -> Option<D> {
    let mut draft = parent.clone();
    loop {
        // One change at least, and each time another with some probability: most children are near, few are far.
        let is_changed = steering.rng.coin(EXCHANGE) && draft.exchange(steering.rng);
        if !is_changed && !draft.change(&[], Wish::Other, steering.rng) {
            return None;
        }
        if !steering.rng.coin(AGAIN) {
            break;
        }
    }
    let (draft, nodes) = steering.with_few_solutions(draft, REPAIRS)?;
    let found = steering.improved(draft, nodes);
    found.is_ordered().then_some(found.draft)
}
