//! Algorithms of a program's own, the simple way: a search that asks for evaluations and says what its population is.
//!
//! ```text
//! repeat
//!     the search makes a generation: it asks for the fitness of genomes, and returns its population
//!     log the population
//! until solved or the budget is spent, or the search gives up
//! ```
//!
//! The budget is kept, the best is known and every genome is checked by the [`Session`] that it asks.

use crate::budget::{Spent, StopReason};
use crate::rng::RunRng;
use crate::search::encodings::{ENCODINGS, EncodingError, encode, encoding_of};
use crate::search::{Algorithm, Closure, Observer, Population, RunDetails, RunStatus, Space, Task};
use crate::spec::{Catalog, Param, ParamKind, Spec};

use super::{ALGORITHMS, GenomeError, Maker, Recipe, Session};

/// A search of a program's own. It is made anew for every run.
pub trait PlainSearch: Send {
    /// Makes a generation: asks for evaluations, and returns the population, genomes of digits one after the other; `None`
    /// gives up. The first call makes the initial population. A population is not logged when the run has ended meanwhile.
    ///
    /// # Errors
    /// [`GenomeError`] of the session, which is a bug of the search and ends the program.
    fn generation(&mut self, session: &mut Session, rng: &mut RunRng)
    -> Result<Option<Vec<u8>>, GenomeError>;

    /// What it can make of a population, for finding dead runs; `None` if it brings in digits.
    fn closure(&self, _space: &Space) -> Option<Closure> {
        None
    }
}

/// The key `encoding`, which every such algorithm has.
pub const ENCODING: Param =
    Param::member("encoding", &ENCODINGS, "cells").about("how a genome represents a grid");

/// The recipe of a search that `make` makes of a resolved spec with an [`ENCODING`].
///
/// # Errors
/// The search, or an operator among its parameters, does not work on the encoding.
pub fn plain(spec: &Spec, make: fn(&Spec) -> Box<dyn PlainSearch>) -> Maker {
    let encoding = encoding_of(spec);
    ALGORITHMS.fits(spec, encoding)?;
    let member = ALGORITHMS.member(&spec.name).expect("a resolved spec names a member");
    for param in member.params.iter().filter(|param| param.name != ENCODING.name) {
        if let ParamKind::Member(family) = param.kind {
            // Its operators are checked here, once, and trusted in every run.
            family.fits(spec.spec(param.name), encoding)?;
        }
    }
    Ok(Box::new(PlainRecipe { spec: spec.clone(), make }))
}

struct PlainRecipe {
    spec: Spec,
    make: fn(&Spec) -> Box<dyn PlainSearch>,
}

impl Recipe for PlainRecipe {
    fn spends(&self) -> Vec<StopReason> {
        vec![StopReason::Evaluations, StopReason::Generations]
    }

    fn start(&self, task: &Task) -> Result<Box<dyn Algorithm>, EncodingError> {
        let encoding = encode(&self.spec, &task.fitness)?;
        let search = (self.make)(&self.spec);
        let closure = search.closure(encoding.space());
        let session = Session::new(encoding, closure, task);
        let rng = task.key.child("search").rng();
        Ok(Box::new(PlainRun { name: self.spec.name.clone(), session, search, rng }))
    }
}

/// A run of a search.
struct PlainRun {
    name: String,
    session: Session,
    search: Box<dyn PlainSearch>,
    rng: RunRng,
}

impl PlainRun {
    /// Lets the search make a generation, and logs it where the run goes on.
    fn generation(&mut self, observer: &mut dyn Observer) -> Result<(), GenomeError> {
        let Some(population) = self.search.generation(&mut self.session, &mut self.rng)? else {
            if self.session.spent().evaluations == 0 {
                return Err(GenomeError::NoneEvaluated);
            }
            self.session.stop(StopReason::Stalled);
            return Ok(());
        };
        if self.session.stopped().is_none() {
            self.session.show(&population, observer)?;
        }
        Ok(())
    }
}

impl Algorithm for PlainRun {
    fn start(&mut self, observer: &mut dyn Observer) {
        self.step(observer);
    }

    fn step(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if self.session.ended().is_none()
            && let Err(error) = self.generation(observer)
        {
            panic!("the algorithm `{}` asks for what its encoding does not have: {error}", self.name);
        }
        self.session.ended()
    }

    fn status(&self) -> RunStatus<'_> {
        self.session.status()
    }

    fn populations(&self, see: &mut dyn FnMut(&Population)) -> Spent {
        self.session.populations(see)
    }

    fn details(&self) -> &dyn RunDetails {
        &self.session
    }
}
