//! How local searches are configured and started.

use std::sync::Arc;

use crate::budget::{Guard, StopReason};
use crate::fitness::{CageMeasure, Equals, Fitness, Guide};
use crate::rng::RunRng;
use crate::search::algorithms::{
    ALGORITHMS, Features, Improve, Improved, LocalSearch, Maker, Recipe, bounds_where,
};
use crate::search::encodings::{ENCODINGS, Encoding, EncodingError, encode, encoding_of, for_encoding};
use crate::search::neighbourhood::{LoggedMoves, Neighbourhood};
use crate::search::operators::restart::RESTART;
use crate::search::{Algorithm, Ledger, MarkovError, MarkovModel, Space, Task};
use crate::spec::{Catalog, Param, Spec};

use super::{CHUNK, Local, MoveLimit, Record, Walk, WalkEnd};

/// What a genome is.
pub(in crate::search::algorithms) const ENCODING: Param = Param::member("encoding", &ENCODINGS, "cages")
    .about("how a genome represents a grid, and with it what a move changes");

static GUIDES: &[Param] = &[
    Param::choice("lines", &["repeats", "pairs"], "repeats")
        .about("equal digits of a line count as occurrences beyond the first, or as pairs"),
    Param::choice("cages", CageMeasure::NAMES, CageMeasure::Binary.name())
        .about("a clue that does not hold counts 1, or its distance from the target up to 100"),
    Param::integer("line_weight", 1..=1000, 1).about("what equal digits of a line weigh"),
    Param::integer("cage_weight", 1..=1000, 1).about("what a clue that does not hold weighs"),
];

/// What is minimised.
pub(in crate::search::algorithms) const GUIDE: Param = Param::section("guide", GUIDES)
    .about("what the search minimises in place of the fitness; both are 0 at the same genomes");

/// How often the log gets a row.
pub(in crate::search::algorithms) const GENERATION: Param =
    Param::integer("generation", 1..=i64::MAX, 10_000)
        .about("calls (evaluations and moves) that count as a generation in the log");

/// When to restart.
pub(in crate::search::algorithms) const fn restart(default: &'static str) -> Param {
    Param::member("restart", &RESTART, default).about("when to start again from a random genome")
}

/// What a local search minimises, as the resolved section `guide` of its spec says.
pub fn guide(spec: &Spec) -> Guide {
    Guide {
        lines: if spec.text("lines") == "pairs" { Equals::Pairs } else { Equals::Repeats },
        cages: CageMeasure::of(spec.text("cages")).expect("the choice was checked"),
        line_weight: spec.integer("line_weight") as u32,
        cage_weight: spec.integer("cage_weight") as u32,
    }
}

/// The recipe of the local search whose walk `walk` makes of the spec.
pub(in crate::search::algorithms) fn recipe<W: Walk>(spec: &Spec, walk: fn(&Spec) -> W) -> Maker {
    ALGORITHMS.fits(spec, encoding_of(spec))?;
    Ok(Box::new(LocalRecipe { spec: spec.clone(), walk }))
}

/// After this many restarts, a length that grows by a factor is infinite.
const MANY: u64 = 100_000;

struct LocalRecipe<W> {
    spec: Spec,
    walk: fn(&Spec) -> W,
}

impl<W: Walk> LocalRecipe<W> {
    fn local<E: Encoding + 'static>(&self, encoding: E, task: &Task) -> Box<dyn Algorithm> {
        let near = encoding.neighbourhood(guide(self.spec.spec("guide")));
        let restart = RESTART.build(self.spec.spec("restart"));
        Box::new(Local::new(encoding, near, (self.walk)(&self.spec), restart, &self.spec, task))
    }

    fn improver<E: Encoding>(&self, encoding: &E) -> Box<dyn Improve>
    where
        E::Near: 'static,
    {
        let near = encoding.neighbourhood(guide(self.spec.spec("guide")));
        let (near, name) = (LoggedMoves::new(near), self.spec.name.clone());
        Box::new(Improver { near, name, walk: (self.walk)(&self.spec), record: Record::default() })
    }
}

impl<W: Walk> Recipe for LocalRecipe<W> {
    /// Only starts are sure to spend evaluations, so that these bound searches which keep restarting.
    fn spends(&self) -> Vec<StopReason> {
        let restart = RESTART.build(self.spec.spec("restart"));
        // A rule whose lengths grow by a factor makes only so many starts, however many evaluations there are.
        let restarts_often =
            restart.patience().is_some() || restart.length(MANY).is_some_and(|length| length < u64::MAX);
        bounds_where(|reason| match reason {
            StopReason::Evaluations => !W::MOVES || restarts_often,
            StopReason::Moves => W::MOVES,
            _ => true,
        })
    }

    fn features(&self) -> Features {
        Features::POPULATION
    }

    fn markov_model(&self, _space: &Space) -> Result<MarkovModel, MarkovError> {
        W::markov_model(&self.spec)
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        Ok(for_encoding!(encode(&self.spec, &task.fitness)?, encoding => self.local(encoding, task)))
    }

    fn local_search(&self) -> Option<&dyn LocalSearch> {
        if W::MOVES { Some(self) } else { None }
    }
}

impl<W: Walk> LocalSearch for LocalRecipe<W> {
    fn improve(&self, fitness: &Arc<Fitness>) -> Result<Box<dyn Improve>, EncodingError> {
        Ok(for_encoding!(encode(&self.spec, fitness)?, encoding => self.improver(&encoding)))
    }
}

/// A walk that starts from a given genome.
struct Improver<N, W> {
    near: LoggedMoves<N>,
    name: String,
    walk: W,
    record: Record,
}

impl<N: Neighbourhood, W: Walk> Improve for Improver<N, W> {
    fn follow(&mut self) {
        self.near.follow(&self.name);
    }

    fn ledger(&self) -> Ledger {
        self.near.ledger()
    }

    fn improve(&mut self, genome: &mut [u8], moves: u64, guard: &mut Guard, rng: &mut RunRng) -> Improved {
        self.near.place(genome);
        self.record.begin(genome, self.near.tally().violation());
        if self.near.is_solved() {
            return Improved { moves: 0, solved: true };
        }
        // No position on the way is evaluated; a solution ends the walk.
        (self.record.before, self.record.bound) = (0, 1);
        self.walk.begin(&mut self.near, Some(moves), rng);
        let mut spent = 0;
        loop {
            self.record.limit = MoveLimit { enough: (moves - spent).min(CHUNK), most: moves - spent };
            let advance = self.walk.advance(&mut self.near, &mut self.record, rng);
            spent += advance.moves;
            let solved = self.record.violation() == 0;
            if solved || spent == moves || advance.end != WalkEnd::Open || advance.moves == 0 || guard.cuts()
            {
                break;
            }
        }
        genome.copy_from_slice(self.record.genome());
        Improved { moves: spent, solved: self.record.violation() == 0 }
    }
}
