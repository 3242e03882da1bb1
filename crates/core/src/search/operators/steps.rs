//! Ascending numbers, and how many of them a point has passed.
//!
//! ```text
//! numbers    3   4   8  10        the point 5.2 has passed two
//! intervals  0 |   1 |   2 |  3   each of length 2.5; 5.2 lies in 2, before which 3 and 4 lie
//! ```
//!
//! The range of the numbers is divided into as many intervals of equal length as there are numbers, and a table holds
//! how many lie in earlier intervals. A search starts there and compares only the few numbers that follow.
//!
//! Source: H. C. Chen, Y. Asau 1974, On generating random variates from an empirical distribution,
//! doi:10.1080/05695557408974949.

/// Ascending numbers, 0 or more, with the table of their intervals.
#[derive(Default)]
pub(super) struct IntervalSteps {
    len: usize,
    /// The numbers, followed by [`WINDOW`] that nothing passes.
    numbers: Vec<f64>,
    /// How many numbers lie in earlier intervals, for every interval.
    earlier: Vec<u32>,
    /// Intervals for a unit.
    scale: f64,
}

/// Numbers compared at a time, without a branch.
const WINDOW: usize = 4;

impl IntervalSteps {
    /// Sets `len` ascending numbers, which `fill` writes; it returns the end of the range, beyond which none lies.
    pub(super) fn set(&mut self, len: usize, fill: impl FnOnce(&mut [f64]) -> f64) {
        self.len = len;
        self.numbers.resize(len + WINDOW, f64::NAN);
        self.numbers[len..].fill(f64::NAN);
        self.scale = len as f64 / fill(&mut self.numbers[..len]);
        self.earlier.clear();
        self.earlier.resize(len + 1, 0);
        // Of the numbers in an interval the last one counts.
        for (index, number) in self.numbers[..len].iter().enumerate() {
            self.earlier[interval(*number, self.scale, len) + 1] = index as u32 + 1;
        }
        let mut most = 0;
        for earlier in &mut self.earlier {
            most = most.max(*earlier);
            *earlier = most;
        }
    }

    /// How many numbers are at most `point`, 0 or more.
    #[inline]
    pub(super) fn passed(&self, point: f64) -> usize {
        // The interval grows with the number, so that those of earlier intervals are less, whatever was rounded.
        let mut passed = self.earlier[interval(point, self.scale, self.len)] as usize;
        while let Some(window) = self.numbers[passed..].first_chunk::<WINDOW>() {
            let more = window.iter().map(|number| usize::from(*number <= point)).sum::<usize>();
            passed += more;
            if more < WINDOW {
                break;
            }
        }
        passed
    }
}

/// The interval of a number: within the range never less for a greater one.
#[inline]
fn interval(number: f64, scale: f64, intervals: usize) -> usize {
    // Added to 2^52 a number leaves its nearest integer in the lowest bits, sooner than by a conversion.
    let rounded = (number * scale + (1u64 << 52) as f64).to_bits() as u32;
    (rounded as usize).min(intervals.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    fn steps(numbers: &[f64], end: f64) -> IntervalSteps {
        let mut steps = IntervalSteps::default();
        steps.set(numbers.len(), |slots| {
            slots.copy_from_slice(numbers);
            end
        });
        steps
    }

    /// Compares with the count of all numbers, at every number, beside it, and at random points.
    fn agrees(numbers: &[f64], end: f64) {
        let (steps, mut rng) = (steps(numbers, end), StreamKey::run(1, "steps", 0).rng());
        let random: Vec<f64> = (0..200).map(|_| rng.unit() * end).collect();
        let beside =
            numbers.iter().flat_map(|number| [number.next_down().max(0.0), *number, number.next_up()]);
        for point in beside.chain(random).chain([0.0, end]) {
            let counted = numbers.iter().filter(|number| **number <= point).count();
            assert_eq!(steps.passed(point), counted, "{point} among {numbers:?} up to {end}");
        }
    }

    #[test]
    fn every_point_has_passed_what_a_count_says() {
        let mut rng = StreamKey::run(1, "numbers", 0).rng();
        for len in (0..40).chain([80, 1000]) {
            for power in [0, 1, 5, 40] {
                let mut numbers: Vec<f64> = (0..len).map(|_| rng.unit().powi(power) * 7.3).collect();
                numbers.sort_unstable_by(f64::total_cmp);
                agrees(&numbers, numbers.last().copied().unwrap_or(0.0));
                agrees(&numbers, 10.0);
            }
        }
    }

    #[test]
    fn ranges_without_length_and_without_end_are_counted_too() {
        agrees(&[0.0; 9], 0.0);
        agrees(&[0.0, 0.0, 5e-324, 1e-323], 1e-323);
        agrees(&[1.0, 1e300, f64::MAX], f64::MAX);
        assert_eq!(steps(&[1.0, f64::INFINITY, f64::INFINITY], f64::INFINITY).passed(2.0), 1);
        assert_eq!(steps(&[1.0, f64::INFINITY], f64::INFINITY).passed(f64::INFINITY), 2);
        assert_eq!(steps(&[1.0, f64::NAN, f64::NAN], f64::NAN).passed(f64::NAN), 0);
    }
}
