//! Evolution: puzzles that are as ordered, and hard for one algorithm or easy for another beyond what is drawn at random.
//!
//! ```text
//! population: the best of a number of random puzzles
//! until the effort is spent
//!     parent: the better of two, measured further
//!     child: the parent, changed in one place or some; its solution made the only one again, its flaws mended
//!     measure the child, twice as far each time, as long as it may be better than the worst of the population
//!     it takes the place of the worst if it is better
//! measure the best few much further
//! the puzzle: the best of them that runs confirm by which none was chosen
//! ```
//!
//! Costs of randomised algorithms are estimates, and the best of many estimates is too good. So parents and the last few are
//! measured further, and a puzzle is found only if other runs confirm it. To be confirmed is to be chosen, too: the figures of the
//! puzzle must come from runs that neither has used; the caller makes them.
//!
//! Sources: J. I. van Hemert 2006, Evolving combinatorial problem instances that are difficult to solve,
//! doi:10.1162/evco.2006.14.4.433; the difference of two algorithms, J. Bossek, H. Trautmann 2016,
//! doi:10.1007/978-3-319-50349-3_4; the steady state, D. Whitley 1989, The GENITOR algorithm and selection pressure.

use kenga_core::puzzle::Puzzle;

/// What puzzles are evolved against.
pub trait Adversary: Sync {
    /// Begins to measure a puzzle, which has one solution; `None` where it cannot be measured.
    fn begin<'a>(&'a self, puzzle: &Puzzle) -> Option<Box<dyn Measurement + 'a>>;
}

/// The measurement of one puzzle, run by run.
pub trait Measurement {
    /// What is known of its advantage after so many runs, those before counted; `None` after an interrupt.
    fn advantage(&mut self, runs: u64) -> Option<Advantage>;

    /// Says whether the puzzle is what is looked for, by runs that no advantage came from: else in words why not, as the end of a
    /// sentence that begins with the name of a puzzle. `None` after an interrupt. Ends the measurement.
    fn confirm(&mut self) -> Option<Result<(), String>>;
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use serde_json::json;

    use super::super::Shortfall;
    use super::super::population::FINAL;
    use super::*;
    use crate::Series;
    use crate::generators::tests::order;
    use kenga_core::budget::Interrupt;
    use kenga_core::problem::Problem;
    use kenga_core::puzzle::Role;
    use kenga_core::rng::RunRng;
    use kenga_core::rng::StreamKey;
    use kenga_core::solver::{Limits, Status, solve};
    use kenga_core::spec::Value;

    /// Likes products, and sees their number with an error that falls with the runs.
    struct Products<'a> {
        confirms: &'a (dyn Fn(&Puzzle) -> bool + Sync),
    }

    const PRODUCTS: Products<'static> = Products { confirms: &|_| true };

    fn products(puzzle: &Puzzle) -> usize {
        let is_product = |symbol: &str| symbol == "*";
        let clues = puzzle.groups_with(Role::Cage).filter_map(|cage| cage.clue);
        clues.filter(|clue| is_product(clue.operator.symbol)).count()
    }

    struct Seen {
        count: usize,
        is_confirmed: bool,
        rng: RunRng,
        noise: f64,
        runs: u64,
    }

    impl Adversary for Products<'_> {
        fn begin<'a>(&'a self, puzzle: &Puzzle) -> Option<Box<dyn Measurement + 'a>> {
            let rng = StreamKey::run(1, &puzzle.canonical_text(), 0).rng();
            let is_confirmed = (self.confirms)(puzzle);
            Some(Box::new(Seen { count: products(puzzle), is_confirmed, rng, noise: 0.0, runs: 0 }))
        }
    }

    impl Measurement for Seen {
        fn advantage(&mut self, runs: u64) -> Option<Advantage> {
            self.noise += (self.runs..runs).map(|_| 4.0 * self.rng.unit() - 2.0).sum::<f64>();
            self.runs = runs;
            let error = 1.2 / (runs as f64).sqrt();
            Some(Advantage { value: self.count as f64 + self.noise / runs as f64, error })
        }

        fn confirm(&mut self) -> Option<Result<(), String>> {
            Some(if self.is_confirmed { Ok(()) } else { Err(format!("has {} products", self.count)) })
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
        let values: Vec<_> = values.iter().map(|(key, value)| (*key, Value::Integer(*value))).collect();
        Series::new(&order(kind, &values), 3, 1).expect("a sound order")
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
        let found = evolved(&series, &PRODUCTS, 60).expect("it can be evolved");
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
                Evolution { name: "hard-toy".to_owned(), adversary: &PRODUCTS, effort: 12, watch: &watch };
            let first = series.evolve(1, &evolution, &Interrupt::default()).expect(kind);
            assert!(measured.load(Ordering::Relaxed) <= 12, "{kind}");
            assert_eq!(series.evolve(1, &evolution, &Interrupt::default()), Ok(first), "{kind}");
        }
    }

    #[test]
    fn only_what_is_confirmed_is_found_and_else_the_best_is_named() {
        let series = series("kenken", 5);
        let best = evolved(&series, &PRODUCTS, 60).expect("it can be evolved");
        let is_another = |puzzle: &Puzzle| puzzle.canonical_text() != best.canonical_text();
        let next =
            evolved(&series, &Products { confirms: &is_another }, 60).expect("another of the last few");
        assert!(is_another(&next));
        let shortfall =
            evolved(&series, &Products { confirms: &|_| false }, 60).expect_err("none is confirmed");
        let said = format!("not found in 60 tries: the best has {} products", products(&best));
        assert_eq!(shortfall.to_string(), format!("kenken-5-hard-toy-000: {said}"));
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
            Evolution { name: "hard-toy".to_owned(), adversary: &PRODUCTS, effort: 1000, watch: &|| () };
        series("kenken", 9).evolve(0, &evolution, &interrupt).expect_err("it was cut short");
    }
}
