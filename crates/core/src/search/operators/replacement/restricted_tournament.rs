//! Restricted tournament: a child competes with the most similar of a few random individuals.
//!
//! ```text
//! drawn from the population   17  4  61       distances to the child   12  30  9
//! rival   61: the child replaces it unless it is worse
//! ```

use crate::spec::{Builder, Member, Param};

use super::{OFFSPRING, OneByOne, Replacement};

pub(super) static ENTRY: Builder<Box<dyn Replacement>> = Member::new("restricted_tournament")
    .about("each child replaces the most similar of a few random individuals unless the child is worse")
    .source(
        "G. R. Harik 1995, Finding multimodal solutions using restricted tournament selection, \
                 Proc. 6th ICGA",
    )
    .params(&[
        OFFSPRING,
        Param::count("window", 10).about("random individuals that a child is compared with"),
    ])
    .build(|spec| {
        let window = spec.size("window");
        Box::new(OneByOne {
            offspring: spec.size("offspring"),
            rival: Box::new(move |population, offspring, child, rng| {
                let genome = offspring.genome(child);
                let drawn = (0..window).map(|_| rng.below(population.len()));
                drawn.min_by_key(|place| population.distance(*place, genome))
            }),
        })
    });
