//! Whole cages, each from either parent; on `cages`, whole parts.
//!
//! ```text
//! parents   a a a    b b b      cages  1 1 2
//!           a a a    b b b             3 2 2
//! coins     1 stays, 2 is exchanged, 3 is exchanged
//! children  a a b    b b a
//!           b b b    a a a
//! ```

use crate::rng::RunRng;
use crate::search::{Closure, Conflicts, Space};
use crate::spec::{Builder, Member};

use super::{Crossover, RATE, exchange};

struct Cage;

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("cage")
    .about("whole cages, each from either parent by a fair coin: a clue that holds is kept")
    .source("kenga; coins as in G. Syswerda 1989, Uniform crossover in genetic algorithms, Proc. 3rd ICGA")
    .encodings(&["cells", "cages"])
    .params(&[RATE])
    .build(|_| Box::new(Cage));

impl Crossover for Cage {
    fn cross(
        &mut self,
        space: &Space,
        parents: [&[u8]; 2],
        _: [&Conflicts; 2],
        children: [&mut [u8]; 2],
        rng: &mut RunRng,
    ) {
        exchange(&space.cages, || rng.coin(0.5), parents, children);
    }

    fn closure(&self, space: &Space) -> Option<Closure> {
        Some(Closure::takes(space.genes(), &space.cages))
    }
}
