//! Cage crossover: each cage from a random parent; on `cages`, each part.
//!
//! ```text
//! parents   a a a    b b b      cages  1 1 2
//!           a a a    b b b             3 2 2
//! coins     1 stays, 2 is exchanged, 3 is exchanged
//! children  a a b    b b a
//!           b b b    a a a
//! ```

use crate::spec::{Builder, Member};

use super::{BlockCrossover, Crossover, RATE};

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("cage")
    .about("takes whole cages, each from a random parent, so that satisfied clues stay satisfied")
    .source("kenga; coins as in G. Syswerda 1989, Uniform crossover in genetic algorithms, Proc. 3rd ICGA")
    .encodings(&["cells", "cages"])
    .params(&[RATE])
    .build(|_| Box::new(BlockCrossover(|space| &space.cages)));
