//! Scales of charts, with ticks.

/// From a range of values to a range of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    is_log: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

/// No end of a scale is farther from 0, so that ticks are finitely many.
const FARTHEST: f64 = 1e150;

fn finite(value: f64) -> f64 {
    value.clamp(-FARTHEST, FARTHEST)
}

impl Scale {
    /// Equal steps; a range without width is widened.
    pub(crate) fn linear(low: f64, high: f64) -> Self {
        let (low, high) = (finite(low), finite(high));
        let high = if high > low { high } else { low + (low.abs() * 1e-9).max(1.0) };
        Self { is_log: false, low, high, from: 0.0, to: 1.0 }
    }

    /// Equal ratios, for values above 0; a range without width is widened.
    pub(crate) fn log(low: f64, high: f64) -> Self {
        let (low, high) = (finite(low).max(1.0 / FARTHEST), finite(high));
        let (low, high) = if high > low { (low, high) } else { (low / 2.0, low * 2.0) };
        Self { is_log: true, low, high, from: 0.0, to: 1.0 }
    }

    /// Logarithmic where the lowest value is above 0 and the highest at least ten times as high.
    pub(crate) fn fitting(low: f64, high: f64) -> Self {
        if low > 0.0 && high >= 10.0 * low { Self::log(low, high) } else { Self::linear(low, high) }
    }

    /// The scale over a range of pixels.
    pub(crate) fn over(self, from: f64, to: f64) -> Self {
        Self { from, to, ..self }
    }

    /// The kind of scale and the values at its ends, for the script of the page: `log 80 60000`.
    pub(crate) fn range(&self) -> String {
        format!("{} {} {}", if self.is_log { "log" } else { "linear" }, self.low, self.high)
    }

    pub(crate) fn is_log(&self) -> bool {
        self.is_log
    }

    /// The position of a value from 0, the lowest, to 1, the highest; values beyond are clamped.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let share = if self.is_log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }

    /// The pixel of a value.
    pub(crate) fn at(&self, value: f64) -> f64 {
        self.from + self.share(value) * (self.to - self.from)
    }

    /// About `wanted` round values on the scale, with their labels.
    pub(crate) fn ticks(&self, wanted: usize) -> Vec<(f64, String)> {
        if self.is_log
            && let Some(values) = self.log_ticks(wanted)
        {
            return values.into_iter().map(|value| (value, in_words(value, value))).collect();
        }
        let step = round_step((self.high - self.low) / wanted.max(1) as f64);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let mut ticks = Vec::new();
        for index in first..=last {
            let value = index as f64 * step;
            let word = if step >= 1.0 { in_words(value, step) } else { format!("{value:.decimals$}") };
            ticks.push((value, word));
        }
        ticks
    }

    /// Powers of ten, fewer or with multiples between them, so that there are two or three at least; `None` where the range
    /// is too narrow.
    fn log_ticks(&self, wanted: usize) -> Option<Vec<f64>> {
        let decades = (self.high / self.low).log10();
        let every = (decades / wanted.max(1) as f64).ceil().max(1.0) as i32;
        let ladder: [(&[f64], i32); 5] = [
            (&[1.0], every),
            (&[1.0], 1),
            (&[1.0, 3.0], 1),
            (&[1.0, 2.0, 5.0], 1),
            (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 1),
        ];
        let start = match wanted as f64 {
            wanted if decades * 3.0 <= wanted => 3,
            wanted if decades * 2.0 <= wanted => 2,
            _ => 0,
        };
        for (factors, every) in &ladder[start..] {
            let values = self.multiples(factors, *every);
            if values.len() >= wanted.clamp(2, 3) {
                return Some(values);
            }
        }
        None
    }

    /// The multiples of every `every`th power of ten that lie on the scale.
    fn multiples(&self, factors: &[f64], every: i32) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let mut values = Vec::new();
        for power in first..=last {
            if power.rem_euclid(every) != 0 {
                continue;
            }
            for factor in factors {
                let value = factor * 10_f64.powi(power);
                // A tick at an end may miss it by rounding.
                if value >= self.low * (1.0 - 1e-9) && value <= self.high * (1.0 + 1e-9) {
                    values.push(value);
                }
            }
        }
        values
    }
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// A multiple of a round step, with the digits that tell it from the next one: `0.001`, `50`, `20 k`, `1.5 M`, `1.0005 M`.
fn in_words(value: f64, step: f64) -> String {
    let (power, unit) = match value.abs() {
        size if size >= 1e15 => return format!("{value:e}"),
        size if size >= 1e9 => (9, " G"),
        size if size >= 1e6 => (6, " M"),
        size if size >= 1e3 => (3, " k"),
        _ => (0, ""),
    };
    let decimals = if power == 0 { 6 } else { (power - step.log10().floor() as i32).max(0) as usize };
    let text = format!("{:.decimals$}", value / 10_f64.powi(power));
    let text = if decimals > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(scale: Scale, wanted: usize) -> Vec<String> {
        scale.ticks(wanted).into_iter().map(|(_, word)| word).collect()
    }

    #[test]
    fn ticks_of_a_linear_scale_are_round() {
        assert_eq!(words(Scale::linear(0.0, 1.0), 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(words(Scale::linear(0.0, 37.0), 5), ["0", "10", "20", "30"]);
        assert_eq!(words(Scale::linear(0.0, 2500.0), 5), ["0", "500", "1 k", "1.5 k", "2 k", "2.5 k"]);
    }

    #[test]
    fn ticks_of_a_logarithmic_scale_are_powers_of_ten() {
        assert_eq!(words(Scale::log(10.0, 1e6), 6), ["10", "100", "1 k", "10 k", "100 k", "1 M"]);
        assert_eq!(words(Scale::log(80.0, 900.0), 6), ["100", "200", "500"]);
        assert_eq!(words(Scale::log(1.0, 1e9), 4), ["1", "1 k", "1 M", "1 G"]);
    }

    #[test]
    fn endless_ranges_have_few_ticks() {
        let (no, all) = (f64::NAN, f64::INFINITY);
        for (low, high) in [(0.0, all), (1.0, all), (-all, all), (no, 1.0), (0.0, no), (no, no)] {
            for scale in [Scale::linear(low, high), Scale::log(low, high)] {
                assert!(scale.ticks(5).len() < 12, "{low} {high}");
            }
        }
    }

    #[test]
    fn a_narrow_logarithmic_scale_has_ticks_all_the_same() {
        assert!(words(Scale::log(310.0, 390.0), 5).len() >= 2);
    }

    #[test]
    fn few_ticks_of_a_logarithmic_scale_are_spread_over_it() {
        assert_eq!(words(Scale::log(11.0, 1e5), 2), ["100", "10 k"]);
        assert_eq!(words(Scale::log(200.0, 20e3), 2), ["1 k", "10 k"]);
        assert_eq!(words(Scale::log(20.0, 900.0), 2), ["30", "100", "300"]);
        assert_eq!(words(Scale::log(2.1e5, 1.6e6), 2), ["300 k", "1 M"]);
    }

    #[test]
    fn ends_meet_the_ends_of_the_pixels() {
        let scale = Scale::log(1.0, 100.0).over(50.0, 250.0);
        assert_eq!([1.0, 10.0, 100.0].map(|value| scale.at(value).round()), [50.0, 150.0, 250.0]);
        assert_eq!(scale.at(0.0), 50.0);
        let scale = Scale::linear(0.0, 4.0).over(100.0, 0.0);
        assert_eq!([0.0, 1.0, 4.0, 9.0].map(|value| scale.at(value)), [100.0, 75.0, 0.0, 0.0]);
    }

    #[test]
    fn a_range_without_width_has_a_scale() {
        for scale in [Scale::linear(3.0, 3.0), Scale::log(3.0, 3.0), Scale::fitting(0.0, 0.0)] {
            assert!(scale.at(3.0).is_finite() && !scale.ticks(4).is_empty());
        }
    }
}
