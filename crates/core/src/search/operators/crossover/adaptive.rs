//! Several crossovers, chosen by their recent gains; see `operators/adaptive.rs`.

use crate::rng::RunRng;
use crate::search::Space;
use crate::search::operators::adaptive::{Adaptive, FLOOR, POLICY, SOURCE};
use crate::spec::{Builder, Member, Param, ParamKind};

use super::{CROSSOVER, Crossover, Parent, RATE};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("adaptive")
    .about("one of several crossovers for each pair, chosen by their recent gains")
    .source(SOURCE)
    .params(&[
        RATE,
        Param::required("of", ParamKind::Members(&CROSSOVER))
            .about("the crossovers to choose from; their own `rate` is ignored"),
        POLICY,
        FLOOR,
    ])
    .build(|spec| Box::new(Adaptive::new(spec, &CROSSOVER)));

impl Crossover for Adaptive<Box<dyn Crossover>> {
    fn cross(&mut self, space: &Space, parents: [Parent; 2], children: [&mut [u8]; 2], rng: &mut RunRng) {
        self.choose(rng).cross(space, parents, children, rng);
    }
}
