//! Geometric schedule: from one value to another by equal factors.
//!
//! ```text
//! from (to / from)^progress      0.1 to 0.001: 0.1, 0.01 at half of the budget, 0.001
//! ```

use crate::spec::{Builder, Member, Param, ParamKind};

use super::{Between, Schedule};

pub(super) static ENTRY: Builder<Box<dyn Schedule>> = Member::new("geometric")
    .about("from one value to another, by the same factor for the same share of the budget")
    .source("S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi 1983, doi:10.1126/science.220.4598.671 (cooling)")
    .params(&[
        Param::required("from", ParamKind::Real(1e-9, f64::INFINITY)).about("value at the start"),
        Param::required("to", ParamKind::Real(1e-9, f64::INFINITY)).about("value at the end"),
    ])
    .build(|spec| Between::boxed(spec, value));

fn value([from, to]: [f64; 2], progress: f64) -> f64 {
    from.powf(1.0 - progress) * to.powf(progress)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_budget_is_the_geometric_mean() {
        let geometric = |progress| value([0.1, 0.001], progress);
        assert_eq!([geometric(0.0), geometric(1.0)], [0.1, 0.001]);
        assert!((geometric(0.5) - 0.01).abs() < 1e-12);
    }
}
