//! The fitness of a problem of the user's own: an objective function, measured from a reference in whole units.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// An objective function: what genomes of a problem are worth.
///
/// It is a function of the genome alone: the same genome has the same value in every call, on every thread. A run has one of
/// its own.
pub trait Objective: Send + Sync {
    /// Writes the value of every one of `genomes`, which lie one after the other, into `values`. A gene is its value.
    ///
    /// # Errors
    /// [`Halted`] ends the run. What was written counts for nothing then.
    fn evaluate(&self, genomes: &[u8], values: &mut [f64]) -> Result<(), Halted>;

    /// What the value of a genome consists of: a number for each name in `terms` of the problem. It is asked of the best of a
    /// run, where there are names.
    ///
    /// # Errors
    /// [`Halted`]: nothing is known of them then.
    fn terms(&self, _genome: &[u8]) -> Result<Vec<f64>, Halted> {
        Err(Halted::failed("this problem has no terms"))
    }

    /// Checks, at the end of a run, whether its values can be trusted.
    ///
    /// # Errors
    /// [`Halted`]: the run fails then.
    fn finish(&self) -> Result<(), Halted> {
        Ok(())
    }

    /// Seconds of CPU time that other processes have used for it so far.
    fn helpers_cpu_s(&self) -> f64 {
        0.0
    }
}

/// Why a run failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// What the program did, in a sentence.
    pub reason: String,
    /// The last lines that it wrote to standard error, at most 4 KiB.
    pub stderr: String,
}

/// Why an objective has no more values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halted {
    /// It failed, and with it the run.
    Failed(Failure),
    /// The guard of the run cut.
    Cut,
}

impl Halted {
    /// A failure for this reason.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self::Failed(Failure { reason: reason.into(), stderr: String::new() })
    }
}

/// How values become fitness: their distance from a reference in units.
///
/// The reference is the best value there is, or a bound that no value passes; the fitness of a genome that reaches it is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The value of fitness 0.
    pub reference: f64,
    /// The reference is the best value there is; else it is a bound, and a run that reaches it has solved nothing.
    pub is_optimum: bool,
    /// The unit; `None` for whole numbers.
    pub resolution: Option<f64>,
    /// The highest value is best, not the lowest.
    pub maximise: bool,
}

impl Scale {
    /// The fitness of a value: the nearest whole number of units.
    ///
    /// # Errors
    /// What is wrong with the value, in a sentence that begins with it.
    pub fn fitness(&self, value: f64) -> Result<u32, String> {
        let distance = if self.maximise { self.reference - value } else { value - self.reference };
        let units = distance / self.resolution.unwrap_or(1.0);
        if !units.is_finite() {
            return Err(format!("{value:?} is no value: a finite number is expected"));
        }
        if self.resolution.is_none() && units.fract() != 0.0 {
            return Err(format!(
                "{} is not a whole number: `resolution` says how fine values are",
                plain(value)
            ));
        }
        let units = units.round();
        if units < 0.0 {
            let (better, beyond) = if self.maximise { ("above", 10.0) } else { ("below", -10.0) };
            let passed = format!("{} is {better} {}", plain(value), plain(self.reference));
            if self.is_optimum {
                return Err(format!("{passed}, which should be the best value"));
            }
            let bound = plain(beyond * value.abs());
            return Err(format!(
                "{passed}, the bound: set one that no value passes, such as `bound = {bound}`"
            ));
        }
        // The highest number stands for what was never evaluated.
        if units >= f64::from(u32::MAX) {
            return Err(format!(
                "{} is {} units from {}: set a larger `resolution`",
                plain(value),
                plain(units),
                plain(self.reference)
            ));
        }
        Ok(units as u32)
    }

    /// The value of a fitness, or of a mean of several.
    pub fn value(&self, fitness: f64) -> f64 {
        let units = if self.maximise { -fitness } else { fitness };
        let resolution = self.resolution.unwrap_or(1.0);
        // Where one is a whole number of units, decimal fractions have no rounding errors: 3.626843, not 3.6268430000000003.
        let per_one = resolution.recip().round();
        let reference = (self.reference * per_one).round();
        if resolution * per_one == 1.0 && reference / per_one == self.reference {
            return (reference + units) / per_one;
        }
        self.reference + units * resolution
    }
}

/// A number as people write it: one of many digits has an exponent.
fn plain(number: f64) -> String {
    format!("{number:?}").trim_end_matches(".0").to_owned()
}

/// An objective at work for a run.
#[derive(Clone)]
pub(super) struct MeasuredObjective {
    objective: Arc<dyn Objective>,
    scale: Scale,
    /// Set by the first call that halts: none after it asks again.
    halted: Arc<OnceLock<Halted>>,
}

impl fmt::Debug for MeasuredObjective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeasuredObjective").field("scale", &self.scale).finish_non_exhaustive()
    }
}

impl MeasuredObjective {
    pub(super) fn new(objective: Arc<dyn Objective>, scale: Scale) -> Self {
        Self { objective, scale, halted: Arc::default() }
    }

    /// Writes the fitness of genomes; `u32::MAX` where it has halted.
    pub(super) fn evaluate_each(&self, genomes: &[u8], fitness: &mut [u32]) {
        if fitness.is_empty() {
            return;
        }
        if self.halted.get().is_none()
            && let Err(halted) = self.measure(genomes, fitness)
        {
            // Of calls on several threads the first one says why.
            let _ = self.halted.set(halted);
        }
        if self.halted.get().is_some() {
            fitness.fill(u32::MAX);
        }
    }

    fn measure(&self, genomes: &[u8], fitness: &mut [u32]) -> Result<(), Halted> {
        let mut values = vec![0.0; fitness.len()];
        self.objective.evaluate(genomes, &mut values)?;
        for (fitness, value) in fitness.iter_mut().zip(values) {
            *fitness = self.scale.fitness(value).map_err(Halted::failed)?;
        }
        Ok(())
    }

    pub(super) fn evaluate(&self, genome: &[u8]) -> u32 {
        let mut fitness = [0];
        self.evaluate_each(genome, &mut fitness);
        fitness[0]
    }

    /// What the value of a genome consists of; `None` where that cannot be known.
    pub(super) fn terms(&self, genome: &[u8]) -> Option<Vec<f64>> {
        if self.halted.get().is_some() {
            return None;
        }
        self.objective.terms(genome).ok()
    }

    /// Lets the objective check its values at the end of a run.
    pub(super) fn finish(&self) {
        if self.halted.get().is_none()
            && let Err(halted) = self.objective.finish()
        {
            let _ = self.halted.set(halted);
        }
    }

    pub(super) fn halted(&self) -> Option<&Halted> {
        self.halted.get()
    }

    pub(super) fn scale(&self) -> &Scale {
        &self.scale
    }

    pub(super) fn helpers_cpu_s(&self) -> f64 {
        self.objective.helpers_cpu_s()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitness_is_the_distance_from_the_reference_in_units() {
        let lengths = Scale { reference: 10.0, is_optimum: true, resolution: Some(0.25), maximise: false };
        assert_eq!((lengths.fitness(10.0), lengths.fitness(11.1)), (Ok(0), Ok(4)));
        assert_eq!(lengths.value(4.0), 11.0);
        let profits = Scale { reference: 100.0, is_optimum: true, resolution: None, maximise: true };
        assert_eq!((profits.fitness(97.0), profits.value(3.0)), (Ok(3), 97.0));
    }

    #[test]
    fn values_that_have_no_fitness_are_named() {
        let scale = Scale { reference: 10.0, is_optimum: true, resolution: None, maximise: false };
        for (value, said) in [
            (f64::NAN, "NaN is no value"),
            (f64::INFINITY, "inf is no value"),
            (10.5, "10.5 is not a whole number"),
            (9.0, "9 is below 10, which should be the best value"),
            (1e12, "1000000000000 is 999999999990 units from 10"),
            (1e308, "1e308 is 1e308 units from 10"),
        ] {
            let error = scale.fitness(value).expect_err("no fitness");
            assert!(error.starts_with(said), "{error}");
        }
        let above = Scale { maximise: true, ..scale }.fitness(11.0);
        assert_eq!(above, Err("11 is above 10, which should be the best value".to_owned()));
        // A rounding error of a sum is no value below the best.
        assert_eq!(Scale { resolution: Some(0.1), ..scale }.fitness(9.999), Ok(0));
    }

    /// Counts its calls and halts in the second.
    struct Short(std::sync::atomic::AtomicU32);

    impl Objective for Short {
        fn evaluate(&self, _genomes: &[u8], values: &mut [f64]) -> Result<(), Halted> {
            let calls = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            values.fill(7.0);
            if calls > 0 { Err(Halted::failed("gone")) } else { Ok(()) }
        }
    }

    #[test]
    fn an_objective_that_has_halted_is_not_asked_again() {
        let short = Arc::new(Short(0.into()));
        let scale = Scale { reference: 0.0, is_optimum: true, resolution: None, maximise: false };
        let measured = MeasuredObjective::new(Arc::clone(&short) as Arc<dyn Objective>, scale);
        assert_eq!((measured.evaluate(&[1]), measured.halted()), (7, None));
        assert_eq!((measured.evaluate(&[1]), measured.evaluate(&[1])), (u32::MAX, u32::MAX));
        assert_eq!(measured.halted(), Some(&Halted::failed("gone")));
        assert_eq!(short.0.load(std::sync::atomic::Ordering::Relaxed), 2);
    }
}
