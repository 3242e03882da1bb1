//! Boltzmann scaling: scores as energies at a temperature.
//!
//! ```text
//! exp((s - M) / T)      M: the largest score, T: the temperature
//! ```
//!
//! A score that is T ln 2 higher has twice the share. A high temperature flattens the differences, a low one selects
//! only the best; a falling schedule leads from one to the other. Subtracting the largest score changes no ratio and
//! avoids overflow.

use crate::search::operators::schedule::{Rate, SCHEDULE};
use crate::spec::{Builder, DefaultValue, Member, Param, ParamKind};

use super::Scaling;

struct Boltzmann {
    temperature: Rate,
}

pub(super) static ENTRY: Builder<Box<dyn Scaling>> = Member::new("boltzmann")
    .about("Boltzmann scaling: exp(score / temperature)")
    .source(
        "M. de la Maza, B. Tidor 1993, An analysis of selection procedures with particular attention paid to \
                 proportional and Boltzmann selection, Proc. 5th ICGA",
    )
    .params(&[Param::new(
        "temperature",
        ParamKind::Scheduled(0.001, 1e9, &SCHEDULE),
        DefaultValue::Real(10.0),
    )
    .about("difference in fitness that makes a share e times larger")])
    .build(|spec| Box::new(Boltzmann { temperature: Rate::of(spec, "temperature") }));

/// Writes exp((s - M) / T) for every score s.
fn weigh(scores: &[f64], temperature: f64, scaled: &mut [f64]) {
    let largest = scores.iter().copied().fold(f64::MIN, f64::max);
    for (scaled, score) in scaled.iter_mut().zip(scores) {
        *scaled = ((score - largest) / temperature).exp();
    }
}

impl Scaling for Boltzmann {
    fn scale(&self, scores: &[f64], progress: f64, scaled: &mut [f64]) {
        weigh(scores, self.temperature.at(progress), scaled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_one_temperature_is_a_factor_of_e() {
        let mut scaled = [0.0; 3];
        weigh(&[20.0, 10.0, 0.0], 10.0, &mut scaled);
        assert_eq!(scaled[0], 1.0);
        assert!((scaled[0] / scaled[1] - 1f64.exp()).abs() < 1e-12);
        assert!((scaled[1] / scaled[2] - 1f64.exp()).abs() < 1e-12);
    }

    #[test]
    fn neither_huge_scores_nor_tiny_temperatures_overflow() {
        let mut scaled = [9.0; 3];
        weigh(&[4e9, 0.0, 4e9], 0.001, &mut scaled);
        assert_eq!(scaled, [1.0, 0.0, 1.0]);
    }
}
