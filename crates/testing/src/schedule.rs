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
        assert!(are_near(values[0], from) && are_near(values[100], to), "{}: {values:?}", member.name);
        for pair in values.windows(2) {
            let rise = if from > to { pair[0] - pair[1] } else { pair[1] - pair[0] };
            assert!(rise >= -1e-12, "{}: {values:?}", member.name);
        }
    }
}

fn are_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
}
