//! Cosine schedule: from one value to another along half a wave: slowly at both ends, fast in the middle.
//!
//! ```text
//! to + (from - to) (1 + cos(π progress)) / 2
//! ```

use std::f64::consts::PI;

use crate::spec::{Builder, Member};

use super::{Between, FROM, Schedule, TO};

pub(super) static ENTRY: Builder<Box<dyn Schedule>> = Member::new("cosine")
    .about("from one value to another along half a wave: slowly at both ends, fast in the middle")
    .source("I. Loshchilov, F. Hutter 2017, SGDR, doi:10.48550/arXiv.1608.03983")
    .params(&[FROM, TO])
    .build(|spec| Between::boxed(spec, value));

fn value([from, to]: [f64; 2], progress: f64) -> f64 {
    to + (from - to) * (1.0 + (PI * progress).cos()) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_the_budget_is_a_quarter_of_the_way() {
        let cosine = |progress| value([0.2, 0.1], progress);
        let expected = [(0.0, 0.2), (1.0 / 3.0, 0.175), (0.5, 0.15), (2.0 / 3.0, 0.125), (1.0, 0.1)];
        for (progress, value) in expected {
            assert!((cosine(progress) - value).abs() < 1e-12, "at {progress}");
        }
    }
}
