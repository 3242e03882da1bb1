//! Methods: how the points of a sweep are chosen.

mod grid;
mod latin_hypercube;
mod race;
mod random;
mod sobol;

use crate::experiment::RaceRules;
use crate::rng::RunRng;
use crate::spec::{Catalog, Family, Named, Param, Spec, SpecError, Value};

/// Chooses points of the unit cube, one coordinate from 0 to 1 an axis. An axis of `n` values takes its `i`-th one from
/// `i / n` to `(i + 1) / n`.
pub trait Method {
    /// The points; `levels` says of every axis how many values it takes, `None` for any number in between.
    fn points<'a>(
        &'a self,
        levels: &'a [Option<usize>],
        rng: &'a mut RunRng,
    ) -> Box<dyn Iterator<Item = Result<Vec<f64>, SpecError>> + 'a>;

    /// How settings are dropped while the sweep runs, if they are.
    fn race(&self) -> Option<RaceRules> {
        None
    }
}

/// The methods.
pub static METHODS: Family<Box<dyn Method>> = Family {
    name: "sweep_method",
    about: "how the settings of a sweep are chosen",
    entries: &[&grid::ENTRY, &random::ENTRY, &latin_hypercube::ENTRY, &sobol::ENTRY, &race::ENTRY],
};

/// How many settings a method chooses that does not take them all.
const POINTS: Param = Param::integer("points", 1..=100_000, 32)
    .about("how many points; those that conditions make the same are one setting");

/// The method that a sweep names; a grid where it names none.
pub(super) fn read(sweep: &Spec) -> Result<Box<dyn Method>, SpecError> {
    let grid = Named {
        key: "method".to_owned(),
        key_place: sweep.place,
        value: Value::Text("grid".to_owned()),
        place: sweep.place,
    };
    let named = sweep.entry("method").unwrap_or(&grid);
    let spec = match &named.value {
        Value::Spec(spec) => spec.clone(),
        Value::Text(name) => Spec { place: named.place, ..Spec::named(name) },
        other => {
            let (expected, found) =
                ("the name of a sweep_method, or a table with one", other.kind().to_owned());
            let (key, expected) = (named.key.clone(), expected.to_owned());
            return Err(SpecError::Value { key, expected, found, place: named.place });
        }
    };
    METHODS.resolve(&spec, named).map(|spec| METHODS.build(&spec))
}

/// How many points a spec asks for.
fn points_of(spec: &Spec) -> usize {
    spec.size("points")
}
