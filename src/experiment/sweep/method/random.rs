//! Points drawn independently, each coordinate uniform.
//!
//! Source: J. Bergstra, Y. Bengio 2012, Random search for hyper-parameter optimization, Journal of Machine Learning
//! Research 13, 281-305.

use super::{Method, POINTS, points_of};
use crate::rng::RunRng;
use crate::spec::{Builder, Member, SpecError};

pub(super) static ENTRY: Builder<Box<dyn Method>> = Member::new("random")
    .about("points drawn independently")
    .source("Bergstra, Bengio 2012")
    .params(&[POINTS])
    .build(|spec| Box::new(Random { points: points_of(spec) }));

struct Random {
    points: usize,
}

impl Method for Random {
    fn points<'a>(
        &'a self,
        levels: &'a [Option<usize>],
        rng: &'a mut RunRng,
    ) -> Box<dyn Iterator<Item = Result<Vec<f64>, SpecError>> + 'a> {
        Box::new((0..self.points).map(move |_| Ok(levels.iter().map(|_| rng.unit()).collect())))
    }
}
