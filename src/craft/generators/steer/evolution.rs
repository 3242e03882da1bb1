//! Evolution: puzzles that are as ordered, and hard for one algorithm or easy for another beyond what is drawn at random.
//!
//! ```text
//! population: the best of a number of random puzzles
//! until the effort is spent
//!     parent: the better of two, measured further
//!     child: the parent, changed in one place or some; its solution made the only one again, its flaws mended
//!     measure the child, twice as far each time, as long as it may be better than the worst of the population
//!     it takes the place of the worst if it is better
//! measure the best few much further; the best of them is the puzzle
//! ```
//!
//! Costs of randomised algorithms are estimates, and the best of many estimates is too good. So parents and the last few are
//! measured further, and the figures of the puzzle must come from runs that the evolution has not used; the caller makes them.
//!
//! Sources: J. I. van Hemert 2006, Evolving combinatorial problem instances that are difficult to solve,
//! doi:10.1162/evco.2006.14.4.433; the difference of two algorithms, J. Bossek, H. Trautmann 2016,
//! doi:10.1007/978-3-319-50349-3_4; the steady state, D. Whitley 1989, The GENITOR algorithm and selection pressure.

use serde_json::json;

use super::{Candidate, Draft, REPAIRS, Shortfall, Steering, Wish};
use crate::puzzle::Puzzle;
use crate::rng::RunRng;

/// What puzzles are evolved against.
pub trait Adversary: Sync {
    /// Begins to measure a puzzle, which has one solution; `None` where it cannot be measured.
    fn begin<'a>(&'a self, puzzle: &Puzzle) -> Option<Box<dyn Measurement + 'a>>;
}

/// The measurement of one puzzle, run by run.
pub trait Measurement {
    /// What is known of its advantage after so many runs, those before counted; `None` after an interrupt.
    fn advantage(&mut self, runs: u64) -> Option<Advantage>;
}

/// The measured advantage of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advantage {
    /// What is maximised: finite.
    pub value: f64,
    /// Its standard error, roughly: it decides only how far a puzzle is measured. 0 where no chance is in it.
    pub error: f64,
}

/// How puzzles are evolved.
pub struct Evolution<'a> {
    /// What for, as part of an id: `hard-tabu`.
    pub name: String,
    /// What they are evolved against.
    pub adversary: &'a dyn Adversary,
    /// Puzzles that are measured for one, at least 1.
    pub effort: u32,
    /// Called after every puzzle that was measured.
    pub watch: &'a (dyn Fn() + Sync),
}

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
const FINAL: u64 = 48;

/// Probability that a change of a child is an exchange in its solution, where its kind has such.
const EXCHANGE: f64 = 0.15;

/// Probability of a further change after each.
const AGAIN: f64 = 0.4;

/// Children that are begun for each that is measured, at most.
const BEGUN: u32 = 20;

/// A child has this part of the tries that a puzzle has.
const CHILD: u32 = 10;

/// A puzzle of the population.
struct Individual<'a, D> {
    draft: D,
    text: String,
    measurement: Box<dyn Measurement + 'a>,
    runs: u64,
    advantage: Advantage,
}

impl<D> Individual<'_, D> {
    /// Measures it up to so many runs; `None` after an interrupt.
    fn measure(&mut self, runs: u64) -> Option<()> {
        if runs > self.runs {
            self.advantage = self.measurement.advantage(runs)?;
            self.runs = runs;
        }
        Some(())
    }
}

impl Evolution<'_> {
    /// Evolves a puzzle from drafts that `begin` begins.
    ///
    /// # Errors
    /// As [`Steering::run`], for the first puzzle; a puzzle that cannot be measured, where all are such.
    pub(super) fn run<D: Draft>(
        &self,
        steering: &mut Steering<'_>,
        begin: &impl Fn(&mut RunRng) -> Option<D>,
    ) -> Result<Puzzle, Shortfall> {
        let mut population = Population { evolution: self, individuals: Vec::new(), measured: 0 };
        population.found(steering, begin)?;
        population.evolve(steering);
        let tried = steering.tried;
        population.best().ok_or_else(|| {
            let fault = "no puzzle could be measured".to_owned();
            Shortfall { id: String::new(), tried, nearest: None, fault }
        })
    }
}

/// The current population.
struct Population<'a, D> {
    evolution: &'a Evolution<'a>,
    individuals: Vec<Individual<'a, D>>,
    /// Puzzles measured so far.
    measured: u32,
}

impl<'a, D: Draft> Population<'a, D> {
    /// Random puzzles, of which the best remain.
    fn found(
        &mut self,
        steering: &mut Steering<'_>,
        begin: &impl Fn(&mut RunRng) -> Option<D>,
    ) -> Result<(), Shortfall> {
        let founders = self.evolution.effort.div_ceil(FOUNDERS);
        while self.measured < founders && !steering.interrupt.is_raised() {
            steering.tried = 0;
            match steering.found(begin) {
                Ok(Candidate { draft, .. }) => self.admit(draft),
                Err(shortfall) if self.individuals.is_empty() => return Err(shortfall),
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Children, until the effort is spent.
    fn evolve(&mut self, steering: &mut Steering<'_>) {
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
        let advantage = |place: usize| self.individuals[place].advantage.value;
        let parent = if advantage(one) >= advantage(other) { one } else { other };
        let chosen = &mut self.individuals[parent];
        chosen.measure((chosen.runs + FURTHER).min(KNOWN).max(chosen.runs))?;
        Some(parent)
    }

    /// Measures a puzzle, unless it is here, and lets it in if it is good enough.
    fn admit(&mut self, draft: D) {
        let puzzle = draft.puzzle();
        let text = puzzle.canonical_text();
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
        let worst = self.worst().filter(|_| self.individuals.len() >= POPULATION);
        let least = worst.map_or(f64::NEG_INFINITY, |worst| self.individuals[worst].advantage.value);
        let mut runs = FIRST;
        while runs <= ENTRY {
            let is_measured = newcomer.measure(runs).is_some();
            let Advantage { value, error } = newcomer.advantage;
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
        let advantage = |place: &usize| self.individuals[*place].advantage.value;
        (0..self.individuals.len()).min_by(|one, other| advantage(one).total_cmp(&advantage(other)))
    }

    /// The best of the last few.
    fn best(self) -> Option<Puzzle> {
        let order = |one: &Individual<'_, D>, other: &Individual<'_, D>| {
            other.advantage.value.total_cmp(&one.advantage.value)
        };
        let mut finalists = self.individuals;
        finalists.sort_by(order);
        finalists.truncate(FINALISTS);
        for finalist in &mut finalists {
            finalist.measure(FINAL)?;
        }
        finalists.sort_by(order);
        let chosen = finalists.first()?;
        let mut puzzle = chosen.draft.puzzle();
        let mut selection = json!({"advantage": chosen.advantage.value});
        if chosen.advantage.error > 0.0 {
            selection["runs"] = json!(chosen.runs);
        }
        puzzle.meta.insert("selection".to_owned(), selection);
        Some(puzzle)
    }
}

/// A child of a draft; `None` where its changes lead to no puzzle as it was ordered.
fn child<D: Draft>(steering: &mut Steering<'_>, parent: &D) -> Option<D> {
    let mut draft = parent.clone();
    loop {
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::budget::Interrupt;
    use crate::craft::Series;
    use crate::problem::Problem;
    use crate::puzzle::Role;
    use crate::rng::StreamKey;
    use crate::solver::{Limits, Status, solve};
    use crate::spec::{Named, Place, Spec, Value};

    /// Likes products, and sees their number with an error that falls with the runs.
    struct Products;

    fn products(puzzle: &Puzzle) -> usize {
        let is_product = |symbol: &str| symbol == "*";
        let clues = puzzle.groups_with(Role::Cage).filter_map(|cage| cage.clue);
        clues.filter(|clue| is_product(clue.operator.symbol)).count()
    }

    struct Seen {
        count: f64,
        rng: RunRng,
        noise: f64,
        runs: u64,
    }

    impl Adversary for Products {
        fn begin<'a>(&'a self, puzzle: &Puzzle) -> Option<Box<dyn Measurement + 'a>> {
            let rng = StreamKey::run(1, &puzzle.canonical_text(), 0).rng();
            Some(Box::new(Seen { count: products(puzzle) as f64, rng, noise: 0.0, runs: 0 }))
        }
    }

    impl Measurement for Seen {
        fn advantage(&mut self, runs: u64) -> Option<Advantage> {
            self.noise += (self.runs..runs).map(|_| 4.0 * self.rng.unit() - 2.0).sum::<f64>();
            self.runs = runs;
            let error = 1.2 / (runs as f64).sqrt();
            Some(Advantage { value: self.count + self.noise / runs as f64, error })
        }
    }

    /// Measures nothing.
    struct Blind;

    impl Adversary for Blind {
        fn begin<'a>(&'a self, _: &Puzzle) -> Option<Box<dyn Measurement + 'a>> {
            None
        }
    }

    fn ordered(kind: &str, values: &[(&str, i64)]) -> Series {
        let mut order = Spec::named(kind);
        let named = |(key, value): &(&str, i64)| Named::new(*key, Value::Integer(*value), Place::default());
        values.iter().for_each(|value| order.set(named(value)));
        Series::new(&order, 3, 1).expect("a sound order")
    }

    fn series(kind: &str, size: i64) -> Series {
        ordered(kind, &[("size", size)])
    }

    fn evolved(series: &Series, adversary: &dyn Adversary, effort: u32) -> Result<Puzzle, Shortfall> {
        let evolution = Evolution { name: "hard-toy".to_owned(), adversary, effort, watch: &|| () };
        series.evolve(0, &evolution, &Interrupt::default())
    }

    #[test]
    fn planted_hardness_is_found_beyond_what_as_many_random_puzzles_have() {
        let series = series("kenken", 5);
        let found = evolved(&series, &Products, 60).expect("it can be evolved");
        let random = (0..60).filter_map(|number| series.make(number, &Interrupt::default()).ok());
        let best = random.map(|puzzle| products(&puzzle)).max().expect("sixty puzzles");
        assert!(products(&found) > best, "{} {best}", products(&found));
        let limits = Limits::default();
        let outcome = solve(&Problem::compile(&found), &limits, &Interrupt::default(), &mut |_| ());
        assert_eq!(outcome.status, Status::Unique);
        assert_eq!(found.id, "kenken-5-hard-toy-000");
        assert_eq!((&found.meta["effort"], &found.meta["selection"]["runs"]), (&json!(60), &json!(FINAL)));
    }

    #[test]
    fn every_kind_that_is_steered_is_evolved_the_same_again_and_never_measured_more_than_asked() {
        for (kind, size) in [("kenken", 3), ("killer", 4), ("sudoku", 4), ("futoshiki", 4)] {
            let series = series(kind, size);
            series.check_evolution().expect(kind);
            let measured = AtomicU32::new(0);
            let watch = || {
                measured.fetch_add(1, Ordering::Relaxed);
            };
            let evolution =
                Evolution { name: "hard-toy".to_owned(), adversary: &Products, effort: 12, watch: &watch };
            let first = series.evolve(1, &evolution, &Interrupt::default()).expect(kind);
            assert!(measured.load(Ordering::Relaxed) <= 12, "{kind}");
            assert_eq!(series.evolve(1, &evolution, &Interrupt::default()), Ok(first), "{kind}");
        }
    }

    #[test]
    fn what_cannot_be_evolved_is_refused_or_ends() {
        let refused = |series: &Series| series.check_evolution().expect_err("a bad order").to_string();
        assert_eq!(refused(&series("kenken", 2)), "a kenken of size 2 leaves nothing to evolve");
        let several = ordered("kenken", &[("size", 4), ("max_solutions", 2)]);
        assert_eq!(refused(&several), "puzzles that are evolved have one solution");
        let queens = ordered("queens-graph", &[("size", 4), ("colors", 5)]);
        assert_eq!(refused(&queens), "queens-graph cannot be evolved");
        let shortfall = evolved(&series("kenken", 4), &Blind, 10).expect_err("nothing is measured");
        assert_eq!(shortfall.fault, "no puzzle could be measured");
    }

    #[test]
    fn an_interrupt_ends_an_evolution() {
        let interrupt = Interrupt::default();
        interrupt.raise(2);
        let evolution =
            Evolution { name: "hard-toy".to_owned(), adversary: &Products, effort: 1000, watch: &|| () };
        series("kenken", 9).evolve(0, &evolution, &interrupt).expect_err("it was cut short");
    }
}
