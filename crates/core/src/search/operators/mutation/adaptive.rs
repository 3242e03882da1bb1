//! Several mutations, chosen by their recent gains; see `operators/adaptive.rs`.

use crate::rng::RunRng;
use crate::search::operators::adaptive::{Adaptive, FLOOR, POLICY, SOURCE};
use crate::search::{Conflicts, Space};
use crate::spec::{Builder, Member, Param, ParamKind};

use super::{MUTATION, Mutation};

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("adaptive")
    .about("one of several mutations for each child, chosen by their recent gains")
    .source(SOURCE)
    .params(&[
        Param::required("of", ParamKind::Members(&MUTATION)).about("the mutations to choose from"),
        POLICY,
        FLOOR,
    ])
    .build(|spec| Box::new(Adaptive::new(spec, &MUTATION)));

impl Mutation for Adaptive<Box<dyn Mutation>> {
    fn prepare(&mut self, space: &Space, progress: f64) {
        for member in &mut self.members {
            member.prepare(space, progress);
        }
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], conflicts: &Conflicts, rng: &mut RunRng) {
        self.choose(rng).mutate(space, genome, conflicts, rng);
    }
}
