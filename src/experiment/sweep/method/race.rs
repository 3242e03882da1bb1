//! A race: settings that another method chooses, of which those shown worse are dropped while the sweep runs.

use super::{METHODS, Method};
use crate::experiment::RaceRules;
use crate::rng::RunRng;
use crate::spec::{Builder, Member, Param, SpecError};

pub(super) static ENTRY: Builder<Box<dyn Method>> = Member::new("race")
    .about("settings that are shown worse are dropped, block by block of a puzzle and a replicate")
    .source(
        "Birattari, Stützle, Paquete, Varrentrapp 2002; irace, López-Ibáñez et al. 2016, \
                 doi:10.1016/j.orp.2016.09.002",
    )
    .params(&[
        Param::member("of", &METHODS, "grid").about("the method that chooses the settings"),
        Param::integer("first", 2..=1_000_000, 6)
            .about("blocks before the first look; fewer than 9 can show nothing at 5 %"),
        Param::probability("alpha", 0.05)
            .about("the chance to drop a setting that is no worse, over the whole race"),
    ])
    .build(|spec| {
        let rules = RaceRules { first: spec.count("first"), alpha: spec.real("alpha") };
        Box::new(Raced { of: METHODS.build(spec.spec("of")), rules })
    });

struct Raced {
    of: Box<dyn Method>,
    rules: RaceRules,
}

impl Method for Raced {
    fn points<'a>(
        &'a self,
        levels: &'a [Option<usize>],
        rng: &'a mut RunRng,
    ) -> Box<dyn Iterator<Item = Result<Vec<f64>, SpecError>> + 'a> {
        self.of.points(levels, rng)
    }

    fn race(&self) -> Option<RaceRules> {
        Some(self.rules)
    }
}
