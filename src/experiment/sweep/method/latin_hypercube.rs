//! Latin hypercube: `n` points of which every axis has one in each of its `n` equal strata.
//!
//! Source: M. D. McKay, R. J. Beckman, W. J. Conover 1979, A comparison of three methods for selecting values of input
//! variables in the analysis of output from a computer code, doi:10.1080/00401706.1979.10489755.

use super::{Method, POINTS, points_of};
use crate::rng::RunRng;
use crate::spec::{Builder, Member, SpecError};

pub(super) static ENTRY: Builder<Box<dyn Method>> = Member::new("latin_hypercube")
    .about("as many points as strata, one in every stratum of every axis")
    .source("McKay, Beckman, Conover 1979, doi:10.1080/00401706.1979.10489755")
    .params(&[POINTS])
    .build(|spec| Box::new(LatinHypercube { points: points_of(spec) }));

struct LatinHypercube {
    points: usize,
}

impl Method for LatinHypercube {
    fn points<'a>(
        &'a self,
        levels: &'a [Option<usize>],
        rng: &'a mut RunRng,
    ) -> Box<dyn Iterator<Item = Result<Vec<f64>, SpecError>> + 'a> {
        let axes: Vec<Vec<f64>> = levels.iter().map(|_| strata(self.points, rng)).collect();
        Box::new((0..self.points).map(move |point| Ok(axes.iter().map(|axis| axis[point]).collect())))
    }
}

/// One number in each of `count` strata, in random order.
fn strata(count: usize, rng: &mut RunRng) -> Vec<f64> {
    let mut strata: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut strata);
    strata.into_iter().map(|stratum| (stratum as f64 + rng.unit()) / count as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn every_stratum_of_every_axis_has_one_point() {
        let method = LatinHypercube { points: 7 };
        let mut rng = StreamKey::run(1, "", 0).rng();
        let points: Vec<Vec<f64>> =
            method.points(&[None; 3], &mut rng).collect::<Result<_, _>>().expect("points");
        for axis in 0..3 {
            let mut strata: Vec<usize> = points.iter().map(|point| (point[axis] * 7.0) as usize).collect();
            strata.sort_unstable();
            assert_eq!(strata, [0, 1, 2, 3, 4, 5, 6]);
        }
    }
}
