//! Sobol's sequence: points that fill the cube evenly, however many are taken; scrambled.
//!
//! Source: I. M. Sobol 1967, On the distribution of points in a cube and the approximate evaluation of integrals,
//! doi:10.1016/0041-5553(67)90144-9; the scrambling is hash-based, B. Burley 2020, Practical hash-based Owen scrambling.

use sobol_burley::sample;

use super::{Method, POINTS, points_of};
use crate::rng::RunRng;
use crate::spec::{Builder, Kind, Member, Param, Place, SpecError};

pub(super) static ENTRY: Builder<Box<dyn Method>> = Member::new("sobol")
    .about("points that fill the space of settings evenly")
    .source("Sobol 1967, doi:10.1016/0041-5553(67)90144-9; Burley 2020")
    .params(&[Param { kind: Kind::Integer(1, 1 << 16), ..POINTS }])
    .build(|spec| Box::new(Sobol { points: points_of(spec), place: spec.place }));

struct Sobol {
    points: usize,
    place: Place,
}

impl Method for Sobol {
    fn points<'a>(
        &'a self,
        levels: &'a [Option<usize>],
        rng: &'a mut RunRng,
    ) -> Box<dyn Iterator<Item = Result<Vec<f64>, SpecError>> + 'a> {
        let most = sobol_burley::NUM_DIMENSIONS as usize;
        if levels.len() > most {
            let message = format!("Sobol's sequence has {most} dimensions, the sweep {} keys", levels.len());
            let help = "choose another method".to_owned();
            return Box::new([Err(SpecError::Conflict { message, help, place: self.place })].into_iter());
        }
        let seed = rng.bits();
        let coordinate = move |point: usize, axis: usize| f64::from(sample(point as u32, axis as u32, seed));
        Box::new(
            (0..self.points)
                .map(move |point| Ok((0..levels.len()).map(|axis| coordinate(point, axis)).collect())),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn a_power_of_two_of_points_has_one_in_every_stratum() {
        let method = Sobol { points: 16, place: Place::default() };
        let mut rng = StreamKey::run(1, "", 0).rng();
        let points: Vec<Vec<f64>> =
            method.points(&[None; 4], &mut rng).collect::<Result<_, _>>().expect("points");
        for axis in 0..4 {
            let mut strata: Vec<usize> = points.iter().map(|point| (point[axis] * 16.0) as usize).collect();
            strata.sort_unstable();
            assert_eq!(strata, (0..16).collect::<Vec<_>>());
        }
    }
}
