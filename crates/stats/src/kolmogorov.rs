//! The test of Kolmogorov and Smirnov: do values come from a distribution that is known?
//!
//! Source: M. A. Stephens 1970, Use of the Kolmogorov-Smirnov, Cramér-von Mises and related statistics without extensive
//! tables, doi:10.1111/j.2517-6161.1970.tb00821.x.

/// The probability that the distribution of `count` values from a known continuous one differs from it somewhere by at least
/// `distance`, 0 to 1. Of a discrete distribution it is an upper bound.
pub fn kolmogorov_smirnov(distance: f64, count: usize) -> f64 {
    let root = (count as f64).sqrt();
    // Stephens's correction: with it the limit for many values serves for few as well.
    let scaled = (root + 0.12 + 0.11 / root) * distance;
    // The series converges slowly only where the probability is 1 to eight digits.
    if scaled <= 0.3 || scaled.is_nan() {
        return 1.0;
    }
    let mut sum = 0.0;
    for k in 1..=100 {
        let term = (-2.0 * f64::from(k * k) * scaled * scaled).exp();
        sum += if k % 2 == 1 { term } else { -term };
    }
    (2.0 * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    #[test]
    fn critical_values_are_those_of_the_tables() {
        // The asymptotic critical values 1.224, 1.358 and 1.628 of 10, 5 and 1 %.
        for (scaled, p) in [(1.2238, 0.1), (1.3581, 0.05), (1.6276, 0.01)] {
            assert_close(kolmogorov_smirnov(scaled / 1e4, 100_000_000), p, 2e-3);
        }
        // Of 20 values, 0.294 is the critical distance of 5 %.
        assert_close(kolmogorov_smirnov(0.294, 20), 0.05, 0.03);
        assert_eq!([0.0, 1.0].map(|distance| kolmogorov_smirnov(distance, 1_000_000)), [1.0, 0.0]);
    }
}
