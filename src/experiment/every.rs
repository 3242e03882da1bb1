//! Which generations have a row in `convergence.csv`.

use crate::spec::Value;

/// Which generations are recorded. The first and the last of a run always are, unless none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// No generation.
    Never,
    /// Every so-manieth.
    Generations(u64),
    /// Ten a decade: 1 to 10, then 13, 16, 20, 25, 32, 40, 50, 63, 79, 100 and so on.
    Log,
    /// Those whose best is better than every one before.
    Improvement,
}

impl Every {
    /// The words of the configuration for what is no number.
    pub(super) const WORDS: &'static [&'static str] = &["log", "improvement"];

    /// Reads a resolved value.
    pub(super) fn of(value: Option<&Value>) -> Self {
        match value {
            Some(Value::Integer(0)) | None => Self::Never,
            Some(Value::Integer(every)) => Self::Generations(every.unsigned_abs()),
            Some(Value::Text(word)) if word == "log" => Self::Log,
            Some(_) => Self::Improvement,
        }
    }

    /// No generation is recorded.
    pub fn is_never(self) -> bool {
        self == Self::Never
    }

    /// The generation may have to be recorded: of improvements only its best tells.
    pub fn may_record(self, generation: u64) -> bool {
        match self {
            Self::Never => false,
            Self::Generations(every) => generation.is_multiple_of(every),
            Self::Log => is_on_log_scale(generation),
            Self::Improvement => true,
        }
    }
}

/// The generation is the nearest to a whole power of the tenth root of ten.
fn is_on_log_scale(generation: u64) -> bool {
    if generation <= 10 {
        return true;
    }
    let step = (10.0 * (generation as f64).log10()).round();
    (10f64.powf(step / 10.0)).round() as u64 == generation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_scale_has_ten_generations_a_decade() {
        let decade: Vec<u64> = (11..=100).filter(|generation| Every::Log.may_record(*generation)).collect();
        assert_eq!(decade, [13, 16, 20, 25, 32, 40, 50, 63, 79, 100]);
        assert_eq!((1..=1_000_000).filter(|generation| Every::Log.may_record(*generation)).count(), 60);
    }

    #[test]
    fn generation_zero_is_always_among_them() {
        for every in [Every::Generations(7), Every::Log, Every::Improvement] {
            assert!(every.may_record(0));
        }
        assert!(!Every::Never.may_record(0));
    }
}
