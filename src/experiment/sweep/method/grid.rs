//! Every combination of values; the first axis changes slowest.

use super::Method;
use crate::rng::RunRng;
use crate::spec::{Builder, Member, Place, SpecError};

pub(super) static ENTRY: Builder<Box<dyn Method>> = Member::new("grid")
    .about("every combination of values")
    .build(|spec| Box::new(Grid { place: spec.place }));

struct Grid {
    place: Place,
}

impl Method for Grid {
    fn points<'a>(
        &'a self,
        levels: &'a [Option<usize>],
        _rng: &'a mut RunRng,
    ) -> Box<dyn Iterator<Item = Result<Vec<f64>, SpecError>> + 'a> {
        let Some(levels) = levels.iter().copied().collect::<Option<Vec<usize>>>() else {
            let message = "a grid needs values that can be counted".to_owned();
            let help = "give every range its `points`, or choose another method".to_owned();
            return Box::new([Err(SpecError::Conflict { message, help, place: self.place })].into_iter());
        };
        let all = levels.iter().fold(1usize, |all, levels| all.saturating_mul(*levels));
        Box::new((0..all).map(move |index| {
            let mut rest = index;
            let mut point: Vec<f64> = levels
                .iter()
                .rev()
                .map(|levels| {
                    let level = rest % levels;
                    rest /= levels;
                    (level as f64 + 0.5) / *levels as f64
                })
                .collect();
            point.reverse();
            Ok(point)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;
    use crate::spec::Spec;

    fn points(levels: &[Option<usize>]) -> Result<Vec<Vec<f64>>, SpecError> {
        let grid = (ENTRY.build)(&Spec::named("grid"));
        grid.points(levels, &mut StreamKey::run(1, "", 0).rng()).collect()
    }

    #[test]
    fn the_first_axis_changes_slowest() {
        let all = points(&[Some(2), Some(1), Some(2)]).expect("a grid");
        let wanted = [[0.25, 0.5, 0.25], [0.25, 0.5, 0.75], [0.75, 0.5, 0.25], [0.75, 0.5, 0.75]];
        assert_eq!(all, wanted.map(|point| point.to_vec()));
    }

    #[test]
    fn numbers_in_between_are_no_grid() {
        assert!(points(&[Some(2), None]).is_err());
    }
}
