//! Several mutations, chosen by their recent gains; see [`Credit`].

use crate::rng::RunRng;
use crate::search::operators::{Credit, POLICY_PARAMS};
use crate::search::{Closure, Conflicts, Space, together};
use crate::spec::{Builder, Member, Param, ParamKind};

use super::{MUTATION, Mutation};

struct Adaptive {
    members: Vec<Box<dyn Mutation>>,
    credit: Credit,
    chosen: usize,
}

pub(super) static ENTRY: Builder<Box<dyn Mutation>> = Member::new("adaptive")
    .about("one of several mutations for each child, chosen by their recent gains")
    .source(
        "D. Thierens 2005, An adaptive pursuit strategy for allocating operator probabilities, \
                 doi:10.1145/1068009.1068251; L. DaCosta, Á. Fialho, M. Schoenauer, M. Sebag 2008, \
                 doi:10.1145/1389095.1389272 (UCB)",
    )
    .params(&[
        Param::required("of", ParamKind::Members(&MUTATION)).about("the mutations to choose from"),
        POLICY_PARAMS[0],
        POLICY_PARAMS[1],
    ])
    .build(|spec| {
        let members: Vec<_> = spec.specs("of").map(|spec| MUTATION.build(spec)).collect();
        Box::new(Adaptive { credit: Credit::of(spec, members.len()), members, chosen: 0 })
    });

impl Mutation for Adaptive {
    fn prepare(&mut self, space: &Space, progress: f64) {
        self.members.iter_mut().for_each(|member| member.prepare(space, progress));
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], conflicts: &Conflicts, rng: &mut RunRng) {
        self.chosen = self.credit.choose(rng);
        self.members[self.chosen].mutate(space, genome, conflicts, rng);
    }

    fn reads_conflicts(&self) -> bool {
        self.members.iter().any(|member| member.reads_conflicts())
    }

    fn chosen(&self) -> usize {
        self.chosen
    }

    fn credit(&mut self, chosen: usize, gain: f64) {
        self.credit.learn(chosen, gain);
    }

    fn closure(&self, space: &Space) -> Option<Closure> {
        together(space.genes(), self.members.iter().map(|member| member.closure(space)))
    }
}
