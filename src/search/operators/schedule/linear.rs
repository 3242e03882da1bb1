//! From one value to another in equal steps.

use crate::spec::{Builder, Member};

use super::{FROM, Schedule, TO};

struct Linear {
    from: f64,
    to: f64,
}

pub(super) static ENTRY: Builder<Box<dyn Schedule>> = Member::new("linear")
    .about("from one value to another in proportion to the budget spent")
    .source("T. C. Fogarty 1989, Varying the probability of mutation in the genetic algorithm")
    .params(&[FROM, TO])
    .build(|spec| Box::new(Linear { from: spec.real("from"), to: spec.real("to") }));

impl Schedule for Linear {
    fn at(&self, progress: f64) -> f64 {
        self.from + (self.to - self.from) * progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_budget_is_the_middle_of_the_values() {
        let linear = Linear { from: 0.2, to: 0.1 };
        assert!((linear.at(0.0) - 0.2).abs() < 1e-12);
        assert!((linear.at(0.5) - 0.15).abs() < 1e-12);
        assert!((linear.at(1.0) - 0.1).abs() < 1e-12);
    }
}
