//! Linear schedule: from one value to another in equal steps.

use crate::spec::{Builder, Member};

use super::{Between, FROM, Schedule, TO};

pub(super) static ENTRY: Builder<Box<dyn Schedule>> = Member::new("linear")
    .about("from one value to another in proportion to the budget spent")
    .source("T. C. Fogarty 1989, Varying the probability of mutation in the genetic algorithm")
    .params(&[FROM, TO])
    .build(|spec| Between::boxed(spec, value));

fn value([from, to]: [f64; 2], progress: f64) -> f64 {
    from + (to - from) * progress
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_budget_is_the_middle_of_the_values() {
        let linear = |progress| value([0.2, 0.1], progress);
        assert!((linear(0.0) - 0.2).abs() < 1e-12);
        assert!((linear(0.5) - 0.15).abs() < 1e-12);
        assert!((linear(1.0) - 0.1).abs() < 1e-12);
    }
}
