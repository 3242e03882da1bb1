//! Schedules go from one value to the other and stay between them.

use kenga_core::search::operators::schedule::SCHEDULE;
use kenga_core::spec::{Member, Value};

use super::setup::{resolve, spec};

/// The schedule of this name hits its ends and stays between them.
pub(super) fn check(member: &Member) {
    for (from, to) in [(0.2, 0.1), (0.1, 0.2), (0.3, 0.3), (1000.0, 0.01)] {
        let ends = [("from", Value::Real(from)), ("to", Value::Real(to))];
        let schedule = SCHEDULE.build(&resolve(&SCHEDULE, &spec(member.name, &ends)));
        let values: Vec<f64> = (0..=100).map(|percent| schedule.at(f64::from(percent) / 100.0)).collect();
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
        assert!(near(values[0], from) && near(values[100], to), "{}: {values:?}", member.name);
        let falls = from > to;
        let ordered =
            |pair: &[f64]| if falls { pair[1] <= pair[0] + 1e-12 } else { pair[0] <= pair[1] + 1e-12 };
        assert!(values.windows(2).all(ordered), "{}: {values:?}", member.name);
    }
}
