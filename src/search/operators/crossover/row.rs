//! Whole rows, each from either parent.
//!
//! ```text
//! parents   a a a    b b b
//!           a a a    b b b
//! coins     stay     swap
//! children  a a a    b b b
//!           b b b    a a a
//! ```

use crate::rng::RunRng;
use crate::search::{Closure, Conflicts, Space};
use crate::spec::{Builder, Member};

use super::{Crossover, RATE, exchange};

struct Row;

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("row")
    .about("whole rows, each from either parent by a fair coin")
    .source("T. Mantere, J. Koljonen 2007, doi:10.1109/CEC.2007.4424632; coins as in G. Syswerda 1989")
    .encodings(&["cells", "rows"])
    .params(&[RATE])
    .build(|_| Box::new(Row));

impl Crossover for Row {
    fn cross(
        &mut self,
        space: &Space,
        parents: [&[u8]; 2],
        _: [&Conflicts; 2],
        children: [&mut [u8]; 2],
        rng: &mut RunRng,
    ) {
        exchange(&space.rows, || rng.coin(0.5), parents, children);
    }

    fn closure(&self, space: &Space) -> Option<Closure> {
        Some(Closure::takes(space.genes(), &space.rows))
    }
}
