//! Several crossovers, chosen by their recent gains; see [`Credit`].

use crate::rng::RunRng;
use crate::search::operators::{Credit, POLICY_PARAMS};
use crate::search::{Closure, Space, together};
use crate::spec::{Builder, Member, Param, ParamKind};

use super::{CROSSOVER, Crossover, Parent, RATE};

struct Adaptive {
    members: Vec<Box<dyn Crossover>>,
    credit: Credit,
    chosen: usize,
}

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("adaptive")
    .about("one of several crossovers for each pair, chosen by their recent gains")
    .source(
        "D. Thierens 2005, An adaptive pursuit strategy for allocating operator probabilities, \
                 doi:10.1145/1068009.1068251; L. DaCosta, Á. Fialho, M. Schoenauer, M. Sebag 2008, \
                 doi:10.1145/1389095.1389272 (UCB)",
    )
    .params(&[
        RATE,
        Param::required("of", ParamKind::Members(&CROSSOVER))
            .about("the crossovers to choose from; their own `rate` is ignored"),
        POLICY_PARAMS[0],
        POLICY_PARAMS[1],
    ])
    .build(|spec| {
        let members: Vec<_> = spec.specs("of").map(|spec| CROSSOVER.build(spec)).collect();
        Box::new(Adaptive { credit: Credit::of(spec, members.len()), members, chosen: 0 })
    });

impl Crossover for Adaptive {
    fn cross(&mut self, space: &Space, parents: [Parent; 2], children: [&mut [u8]; 2], rng: &mut RunRng) {
        self.chosen = self.credit.choose(rng);
        self.members[self.chosen].cross(space, parents, children, rng);
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
