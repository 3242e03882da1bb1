//! Several mutations, chosen by their recent gains; see [`Credit`](crate::search::operators::Credit).

use crate::rng::RunRng;
use crate::search::operators::{ADAPTIVE_SOURCE, Adaptive, Chooser, FLOOR, POLICY};
use crate::search::{Closure, Conflicts, Space};
use crate::spec::{Builder, Member, Param, ParamKind};

use super::{MUTATION, Mutation};

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("adaptive")
    .about("one of several mutations for each child, chosen by their recent gains")
    .source(ADAPTIVE_SOURCE)
    .params(&[
        Param::required("of", ParamKind::Members(&MUTATION)).about("the mutations to choose from"),
        POLICY,
        FLOOR,
    ])
    .build(|spec| Box::new(Adaptive::new(spec, &MUTATION)));

impl Mutation for Adaptive<Box<dyn Mutation>> {
    fn prepare(&mut self, space: &Space, progress: f64) {
        self.members.iter_mut().for_each(|member| member.prepare(space, progress));
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], conflicts: &Conflicts, rng: &mut RunRng) {
        self.choose(rng).mutate(space, genome, conflicts, rng);
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
