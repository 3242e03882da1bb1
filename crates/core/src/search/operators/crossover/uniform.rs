//! Uniform crossover: a coin for every gene decides whether it is exchanged.
//!
//! ```text
//! parents   a a a a a a      b b b b b b
//! coins     0 1 1 0 1 0
//! children  a b b a b a      b a a b a b
//! ```

use crate::rng::RunRng;
use crate::search::operators::Variation;
use crate::search::{Closure, Space};
use crate::spec::{Builder, Member, Param};

use super::{Crossover, Parent, RATE};

struct Uniform {
    /// The probability of an exchange in units of 2^-32.
    swap: u64,
}

pub(super) static ENTRY: Builder<Box<dyn Crossover>> = Member::new("uniform")
    .about("exchanges each gene with probability `swap`")
    .source("G. Syswerda 1989, Uniform crossover in genetic algorithms, Proc. 3rd ICGA")
    .encodings(&["cells", "values"])
    .params(&[
        RATE,
        Param::probability("swap", 0.5).about("probability that a gene is exchanged when a pair is crossed"),
    ])
    .build(|spec| Box::new(Uniform { swap: (spec.real("swap") * 2f64.powi(32)).round() as u64 }));

/// 32 independent coins that show 1 with probability `p` 2^-32.
///
/// A coin compares a random binary fraction with `p`, from the last digit of `p` to the first: where the digit of `p`
/// is 1 a random 0 makes it smaller, where it is 0 a random 1 makes it larger. One digit, as of 0.5, takes one draw.
fn coins(p: u64, rng: &mut RunRng) -> u32 {
    if p > u64::from(u32::MAX) {
        return u32::MAX;
    }
    let mut smaller = 0;
    for digit in p.trailing_zeros()..32 {
        let bits = rng.bits();
        smaller = if p >> digit & 1 == 1 { smaller | bits } else { smaller & bits };
    }
    smaller
}

/// Copies up to 32 genes of both parents to both children, exchanged where the bit of the gene is set.
fn cross_by(coins: u32, [a, b]: [&[u8]; 2], [c, d]: [&mut [u8]; 2]) {
    let parents = a.iter().zip(b);
    for (gene, ((c, d), (a, b))) in c.iter_mut().zip(d).zip(parents).enumerate() {
        (*c, *d) = if coins >> gene & 1 == 1 { (*b, *a) } else { (*a, *b) };
    }
}

impl Crossover for Uniform {
    fn cross(&mut self, _: &Space, parents: [Parent; 2], [c, d]: [&mut [u8]; 2], rng: &mut RunRng) {
        let [a, b] = parents.map(|parent| parent.genome);
        let parents = a.chunks(32).zip(b.chunks(32));
        let children = c.chunks_mut(32).zip(d.chunks_mut(32));
        for ((a, b), (c, d)) in parents.zip(children) {
            cross_by(coins(self.swap, rng), [a, b], [c, d]);
        }
    }
}

impl Variation for Uniform {
    fn closure(&self, space: &Space) -> Option<Closure> {
        Some(Closure::takes_genes(space.genes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn genes_are_exchanged_where_the_coin_shows_one() {
        let (mut c, mut d) = ([9; 4], [9; 4]);
        cross_by(0b0110, [&[0, 0, 0, 0], &[1, 1, 1, 1]], [&mut c, &mut d]);
        assert_eq!((c, d), ([0, 1, 1, 0], [1, 0, 0, 1]));
    }

    #[test]
    fn coins_show_one_with_their_probability() {
        let mut rng = StreamKey::run(1, "", 0).rng();
        for (p, tolerance) in [(0.0, 0), (0.25, 5 * 78), (0.5, 5 * 90), (0.7, 5 * 83), (1.0, 0)] {
            let fixed = (p * 2f64.powi(32)).round() as u64;
            let ones: u32 = (0..1000).map(|_| coins(fixed, &mut rng).count_ones()).sum();
            assert!(ones.abs_diff((p * 32_000.0) as u32) <= tolerance, "{p}: {ones}");
        }
    }
}
