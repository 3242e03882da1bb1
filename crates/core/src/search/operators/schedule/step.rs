//! Step schedule: one value, and another from a share of the budget on.

use crate::spec::{Builder, Member, Param};

use super::{FROM, Schedule, TO};

struct Step {
    from: f64,
    to: f64,
    at: f64,
}

pub(super) static ENTRY: Builder<Box<dyn Schedule>> = Member::new("step")
    .about("one value until a share of the budget is spent, then another")
    .source(
        "deterministic control in A. E. Eiben, R. Hinterding, Z. Michalewicz 1999, doi:10.1109/4235.771166",
    )
    .params(&[
        FROM,
        TO,
        Param::probability("at", 0.5).about("share of the budget spent when the value changes"),
    ])
    .build(|spec| Box::new(Step { from: spec.real("from"), to: spec.real("to"), at: spec.real("at") }));

impl Schedule for Step {
    fn at(&self, progress: f64) -> f64 {
        if progress < self.at { self.from } else { self.to }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_changes_once() {
        let step = Step { from: 0.2, to: 0.1, at: 0.5 };
        assert_eq!([0.0, 0.49, 0.5, 1.0].map(|progress| step.at(progress)), [0.2, 0.2, 0.1, 0.1]);
    }
}
