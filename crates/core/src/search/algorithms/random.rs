//! Random sampling, the baseline.
//!
//! ```text
//! repeat
//!     evaluate a random genome
//! until solved or the budget is spent
//! ```
//!
//! Source: S. H. Brooks 1958, A discussion of random methods for seeking maxima, doi:10.1287/opre.6.2.244.

use crate::rng::RunRng;
use crate::search::neighbourhood::Neighbourhood;
use crate::search::operators::restart::RESTART;
use crate::search::{MarkovError, MarkovModel};
use crate::spec::{Builder, Member, Spec};

use super::Maker;
use super::local::{Advance, ENCODING, GENERATION, GUIDE, Record, Walk, WalkEnd, recipe, restart};

pub(super) static ENTRY: Builder<Maker> = Member::new("random")
    .about("random sampling: evaluates one random genome after another")
    .source("S. H. Brooks 1958, doi:10.1287/opre.6.2.244")
    .params(&[ENCODING, GUIDE, restart("fixed"), GENERATION])
    .build(|spec| recipe(spec, |_| StandingWalk));

/// A walk that never leaves its start.
struct StandingWalk;

impl Walk for StandingWalk {
    const MOVES: bool = false;

    fn markov_model(spec: &Spec) -> Result<MarkovModel, MarkovError> {
        if RESTART.build(spec.spec("restart")).is_never() {
            return Err(MarkovError::key("restart", "a rule that starts again"));
        }
        Ok(MarkovModel::Sampling)
    }

    fn advance<N: Neighbourhood>(&mut self, _at: &mut N, _record: &mut Record, _rng: &mut RunRng) -> Advance {
        Advance { moves: 0, end: WalkEnd::Over }
    }
}
