//! Row crossover: each row from a random parent.
//!
//! ```text
//! parents   a a a    b b b
//!           a a a    b b b
//! coins     stay     swap
//! children  a a a    b b b
//!           b b b    a a a
//! ```

use crate::spec::{Builder, Member};

use super::{BlockCrossover, Crossover, RATE};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("row")
    .about("takes whole rows, each from a random parent")
    .source("T. Mantere, J. Koljonen 2007, doi:10.1109/CEC.2007.4424632; coins as in G. Syswerda 1989")
    .encodings(&["cells", "rows"])
    .params(&[RATE])
    .build(|_| Box::new(BlockCrossover(|space| &space.rows)));
