//! Several crossovers, chosen by their recent gains; see [`Credit`](crate::search::operators::Credit).

use crate::rng::RunRng;
use crate::search::operators::{ADAPTIVE_SOURCE, Adaptive, Chooser, FLOOR, POLICY};
use crate::search::{Closure, Space};
use crate::spec::{Builder, Member, Param, ParamKind};

use super::{CROSSOVER, Crossover, Parent, RATE};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("adaptive")
    .about("one of several crossovers for each pair, chosen by their recent gains")
    .source(ADAPTIVE_SOURCE)
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

    fn reads_conflicts(&self) -> bool {
        self.members.iter().any(|member| member.reads_conflicts())
    }

    fn chooser(&mut self) -> Option<&mut dyn Chooser> {
        Some(self)
    }

    fn closure(&self, space: &Space) -> Option<Closure> {
        Closure::of_all(space.genes(), self.members.iter().map(|member| member.closure(space)))
    }
}
