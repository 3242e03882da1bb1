//! The operators of cages with their weights, as texts such as `+-*/`, `+3*2-/` and `?`.

use super::super::mix;
use kenga_core::puzzle::Clue;
use kenga_core::puzzle::operators::{self, GIVEN, Operator};
use kenga_core::rng::RunRng;
use kenga_core::spec::{Place, SpecError};

/// The operators that a cage may be ordered with.
const KNOWN: &str = "+-*/?";

/// What signs stand for that people type.
const ALIASES: [(char, char); 4] = [('×', '*'), ('÷', '/'), (':', '/'), ('−', '-')];

/// The operators that cages may have, each with a weight.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::generators) struct OperatorMix {
    /// In the order of [`KNOWN`]; 0 for those that no cage may have.
    weights: [f64; KNOWN.len()],
}

/// A clue that a cage may have, and the weight of its operator.
pub(in crate::generators) type WeightedClue = (Clue, f64);

impl OperatorMix {
    /// Reads operators, each followed by its weight unless that is 1.
    ///
    /// # Errors
    /// What is expected instead, with the key.
    pub(in crate::generators) fn parse(text: &str) -> Result<Self, SpecError> {
        let refusal = || SpecError::Value {
            key: "operators".to_owned(),
            expected: format!("some of {KNOWN}, each once, or with weights such as +3*2-/"),
            found: format!("\"{text}\""),
            place: Place::default(),
        };
        let mut weights = [None; KNOWN.len()];
        let mut rest = text.trim();
        while let Some(sign) = rest.chars().next() {
            let known = ALIASES.iter().find(|(alias, _)| *alias == sign).map_or(sign, |(_, sign)| *sign);
            let place = KNOWN.find(known).ok_or_else(refusal)?;
            rest = &rest[sign.len_utf8()..];
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let weight = if end == 0 { Some(1.0) } else { mix::weight(&rest[..end]) }.ok_or_else(refusal)?;
            if weights[place].replace(weight).is_some() {
                return Err(refusal());
            }
            rest = rest[end..].trim_start_matches([',', ' ']);
        }
        let weights = weights.map(|weight: Option<f64>| weight.unwrap_or(0.0));
        if weights.iter().sum::<f64>() > 0.0 { Ok(Self { weights }) } else { Err(refusal()) }
    }

    /// Sums alone.
    pub(in crate::generators) fn sums() -> Self {
        Self::parse("+").expect("a known operator")
    }

    /// Says whether a cage of three or more cells may have a clue.
    pub(in crate::generators) fn serves_large_cages(&self) -> bool {
        !self.clues(&[1, 1, 1]).is_empty()
    }

    /// The clues that cells with these digits may have, two or more. A hidden operator has the targets of all operators
    /// beside it; without any, those of the four.
    pub(in crate::generators) fn clues(&self, digits: &[u8]) -> Vec<WeightedClue> {
        let [hidden, open @ ..] = [4, 0, 1, 2, 3].map(|place| self.weights[place]);
        let alone = open.iter().all(|weight| *weight == 0.0);
        let mut clues = Vec::new();
        for (place, sign) in KNOWN.chars().take(4).enumerate() {
            let Some(target) = target(sign, digits) else { continue };
            let clue =
                |sign: &str| Clue { operator: operators::find(sign).expect("a known operator"), target };
            if open[place] > 0.0 {
                clues.push((clue(&KNOWN[place..=place]), open[place]));
            }
            if hidden > 0.0 && (alone || open[place] > 0.0) {
                clues.push((clue("?"), hidden));
            }
        }
        clues
    }

    /// The operators with a weight.
    pub(super) fn operators(&self) -> impl Iterator<Item = Operator> + '_ {
        let with_weight = (0..KNOWN.len()).filter(|place| self.weights[*place] > 0.0);
        with_weight.map(|place| operators::find(&KNOWN[place..=place]).expect("a known operator"))
    }
}

/// What these digits make with an operator; none where it does not go with them.
fn target(sign: char, digits: &[u8]) -> Option<i64> {
    let wide = || digits.iter().map(|digit| i64::from(*digit));
    match (sign, digits) {
        ('+', _) => Some(wide().sum()),
        ('*', _) => wide().try_fold(1, i64::checked_mul),
        ('-', &[a, b]) => Some(i64::from(a.abs_diff(b))),
        ('/', &[a, b]) if a.min(b) > 0 && a.max(b) % a.min(b) == 0 => Some(i64::from(a.max(b) / a.min(b))),
        _ => None,
    }
}

/// The clue of a cage of one cell.
pub(super) fn given(digit: u8) -> Clue {
    Clue { operator: GIVEN, target: i64::from(digit) }
}

/// Draws one of some clues by their weights; none of none.
pub(super) fn draw(clues: &[WeightedClue], rng: &mut RunRng) -> Option<Clue> {
    let weights: Vec<f64> = clues.iter().map(|(_, weight)| *weight).collect();
    mix::draw(&weights, rng).map(|index| clues[index].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clues(text: &str, digits: &[u8]) -> Vec<String> {
        let mix = OperatorMix::parse(text).expect(text);
        mix.clues(digits).iter().map(|(clue, weight)| format!("{clue}:{weight}")).collect()
    }

    #[test]
    fn operators_apply_where_they_make_a_target() {
        assert_eq!(clues("+-*/", &[6, 2]), ["8+:1", "4-:1", "12*:1", "3/:1"]);
        assert_eq!(clues("+3×2 -÷0.5", &[5, 2]), ["7+:3", "3-:1", "10*:2"]);
        assert_eq!(clues("-/", &[1, 2, 3]), [""; 0]);
        assert_eq!(clues("+*", &[1, 2, 3]), ["6+:1", "6*:1"]);
    }

    #[test]
    fn a_hidden_operator_has_the_targets_of_those_beside_it_or_of_all() {
        assert_eq!(clues("?", &[6, 2]), ["8?:1", "4?:1", "12?:1", "3?:1"]);
        assert_eq!(clues("+?4", &[6, 2]), ["8+:1", "8?:4"]);
    }

    #[test]
    fn what_is_no_mix_of_operators_is_refused() {
        for text in ["", "x", "++", "+0", "+1.2.3", "3+"] {
            let error = OperatorMix::parse(text).expect_err(text).to_string();
            assert!(error.contains("takes some of +-*/?"), "{text} {error}");
        }
    }

    #[test]
    fn products_beyond_64_bits_are_no_clue() {
        assert_eq!(target('*', &[32; 12]), Some(1 << 60));
        assert_eq!(target('*', &[32; 13]), None);
    }
}
