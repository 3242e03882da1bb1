//! What the cages of an order may be: sizes and operators with weights, as the texts `1..5`, `2:5,3:4,4:1`, `+-*/`, `+3*2-/` and `?`.

use kenga_core::puzzle::Clue;
use kenga_core::puzzle::operators::{self, GIVEN, Operator};
use kenga_core::rng::RunRng;
use kenga_core::spec::SpecError;

use super::super::refused;

/// The most cells of a cage that is made to order.
pub(super) const LARGEST: usize = 12;

/// The operators that a cage may be ordered with; the hidden one last.
const KNOWN: &str = "+-*/?";

/// The place of the hidden operator in [`KNOWN`].
const HIDDEN: usize = 4;

/// The sizes that cages may have, each with a weight.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SizeMix {
    /// The weight of every size from 0 to [`LARGEST`]; 0 for those that no cage may have.
    weights: [f64; LARGEST + 1],
}

impl SizeMix {
    /// Reads `SIZES[:WEIGHT],…`, where `SIZES` is a number of cells or a range `A..B`, both ends included.
    ///
    /// # Errors
    /// What is expected instead, with the key.
    pub(crate) fn parse(text: &str) -> Result<Self, SpecError> {
        match Self::read(text) {
            Some(mix) if mix.total() > 0.0 => Ok(mix),
            _ => {
                let expected =
                    format!("sizes from 1 to {LARGEST} such as 1..5, or with weights such as 2:5,3:4,4:1");
                Err(refused("cages", expected, text))
            }
        }
    }

    fn read(text: &str) -> Option<Self> {
        let mut weights = [0.0; LARGEST + 1];
        for part in text.split(',') {
            let (sizes, share) = part.split_once(':').unwrap_or((part, "1"));
            let (first, last) = sizes.split_once("..").unwrap_or((sizes, sizes));
            // Later parts win: `1..4:2,1:0` is 2..4.
            weights.get_mut(size(first)?..=size(last)?)?.fill(weight(share)?);
        }
        Some(Self { weights })
    }

    fn total(&self) -> f64 {
        self.weights.iter().sum()
    }

    /// Says whether a cage may have so many cells.
    pub(crate) fn allows(&self, cells: usize) -> bool {
        self.weights.get(cells).is_some_and(|weight| *weight > 0.0)
    }

    /// The most cells of a cage.
    pub(super) fn largest(&self) -> usize {
        self.weights.iter().rposition(|weight| *weight > 0.0).expect("one size at least has a weight")
    }

    /// The share of one-cell cages among all, by the weights.
    pub(super) fn singles(&self) -> f64 {
        self.weights[1] / self.total()
    }

    /// Draws a size.
    pub(super) fn draw(&self, rng: &mut RunRng) -> usize {
        draw_index(&self.weights, rng).expect("one size at least has a weight")
    }
}

/// Reads the number of cells of a cage.
fn size(text: &str) -> Option<usize> {
    let size = text.trim().parse().ok()?;
    (1..=LARGEST).contains(&size).then_some(size)
}

/// Reads a weight, 0 to a million.
fn weight(text: &str) -> Option<f64> {
    let weight = text.trim().parse().ok()?;
    (0.0..=1e6).contains(&weight).then_some(weight)
}

/// The operators that cages may have, each with a weight.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OperatorMix {
    /// In the order of [`KNOWN`]; 0 for those that no cage may have.
    weights: [f64; KNOWN.len()],
}

/// A clue that a cage may have, and the weight of its operator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeightedClue {
    pub(crate) clue: Clue,
    pub(crate) weight: f64,
}

impl OperatorMix {
    /// Reads operators, each followed by its weight unless that is 1.
    ///
    /// # Errors
    /// What is expected instead, with the key.
    pub(crate) fn parse(text: &str) -> Result<Self, SpecError> {
        let expected = || format!("some of {KNOWN}, each once, or with weights such as +3*2-/");
        Self::read(text).ok_or_else(|| refused("operators", expected(), text))
    }

    fn read(text: &str) -> Option<Self> {
        let mut weights = [None; KNOWN.len()];
        let mut rest = text.trim();
        while let Some(sign) = rest.chars().next() {
            let place = KNOWN.find(plain(sign))?;
            rest = &rest[sign.len_utf8()..];
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let weight = if end == 0 { 1.0 } else { weight(&rest[..end])? };
            if weights[place].replace(weight).is_some() {
                return None;
            }
            rest = rest[end..].trim_start_matches([',', ' ']);
        }
        let weights = weights.map(|weight| weight.unwrap_or(0.0));
        (weights.iter().sum::<f64>() > 0.0).then_some(Self { weights })
    }

    /// Sums alone.
    pub(crate) fn sums() -> Self {
        Self::parse("+").expect("a known operator")
    }

    /// Says whether a cage of three or more cells may have a clue.
    pub(super) fn serves_large_cages(&self) -> bool {
        !self.clues(&[1, 1, 1]).is_empty()
    }

    /// The clues that cells with these digits may have, two or more. A hidden operator has the targets of all operators
    /// beside it; without any, those of the four.
    pub(crate) fn clues(&self, digits: &[u8]) -> Vec<WeightedClue> {
        let hidden = self.weights[HIDDEN];
        // A hidden operator alone stands for all four.
        let is_alone = self.weights[..HIDDEN].iter().all(|weight| *weight == 0.0);
        let mut clues = Vec::new();
        for (place, sign) in KNOWN[..HIDDEN].chars().enumerate() {
            let Some(target) = target(sign, digits) else { continue };
            let weight = self.weights[place];
            if weight > 0.0 {
                clues.push(WeightedClue { clue: Clue { operator: known(place), target }, weight });
            }
            if hidden > 0.0 && (is_alone || weight > 0.0) {
                clues.push(WeightedClue { clue: Clue { operator: known(HIDDEN), target }, weight: hidden });
            }
        }
        clues
    }

    /// The operators with a weight.
    pub(super) fn operators(&self) -> Vec<Operator> {
        let with_weight = (0..KNOWN.len()).filter(|place| self.weights[*place] > 0.0);
        with_weight.map(known).collect()
    }
}

/// The operator at a place of [`KNOWN`].
fn known(place: usize) -> Operator {
    operators::find(&KNOWN[place..=place]).expect("a known operator")
}

/// The known sign for one that people type.
fn plain(sign: char) -> char {
    match sign {
        '×' => '*',
        '÷' | ':' => '/',
        '−' => '-',
        sign => sign,
    }
}

/// What these digits make with an operator; none where it does not go with them.
fn target(sign: char, digits: &[u8]) -> Option<i64> {
    match (sign, digits) {
        ('+', _) => Some(digits.iter().copied().map(i64::from).sum()),
        ('*', _) => {
            let mut product = 1_i64;
            for digit in digits {
                product = product.checked_mul(i64::from(*digit))?;
            }
            Some(product)
        }
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
pub(super) fn draw_clue(clues: &[WeightedClue], rng: &mut RunRng) -> Option<Clue> {
    let weights: Vec<f64> = clues.iter().map(|weighted| weighted.weight).collect();
    Some(clues[draw_index(&weights, rng)?].clue)
}

/// Draws an index by the weights of all; none where they sum to 0.
pub(super) fn draw_index(weights: &[f64], rng: &mut RunRng) -> Option<usize> {
    let mut point = rng.unit() * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        point -= weight;
        if point < 0.0 {
            return Some(index);
        }
    }
    // Rounding may leave a point beyond the last.
    weights.iter().rposition(|weight| *weight > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(text: &str) -> Vec<(usize, f64)> {
        let mix = SizeMix::parse(text).expect(text);
        (1..=LARGEST).filter(|size| mix.allows(*size)).map(|size| (size, mix.weights[size])).collect()
    }

    #[test]
    fn sizes_and_ranges_have_weights_and_later_ones_win() {
        assert_eq!(weights("3"), [(3, 1.0)]);
        assert_eq!(weights("1..3"), [(1, 1.0), (2, 1.0), (3, 1.0)]);
        assert_eq!(weights("2:5, 3:4,4:0.5"), [(2, 5.0), (3, 4.0), (4, 0.5)]);
        assert_eq!(weights("1..4:2,1:0"), [(2, 2.0), (3, 2.0), (4, 2.0)]);
    }

    #[test]
    fn what_is_no_mix_of_sizes_is_refused() {
        for text in ["", "0", "13", "4..2", "a", "2:", "2:-1", "1:0", "2:nan", "..", "2;3"] {
            let error = SizeMix::parse(text).expect_err(text).to_string();
            assert!(error.starts_with("`cages` takes sizes from 1 to 12"), "{error}");
        }
    }

    fn clues(text: &str, digits: &[u8]) -> Vec<String> {
        let mix = OperatorMix::parse(text).expect(text);
        mix.clues(digits).iter().map(|weighted| format!("{}:{}", weighted.clue, weighted.weight)).collect()
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

    #[test]
    fn indices_are_drawn_by_their_weights_and_none_without() {
        let mut rng = kenga_core::rng::StreamKey::run(1, "mix", 0).rng();
        let mut ones = 0;
        for _ in 0..4000 {
            let drawn = draw_index(&[0.0, 1.0, 3.0, 0.0], &mut rng).expect("weights");
            assert!(drawn == 1 || drawn == 2);
            ones += usize::from(drawn == 1);
        }
        assert!((870..1130).contains(&ones), "{ones}");
        assert_eq!((draw_index(&[0.0, 0.0], &mut rng), draw_index(&[], &mut rng)), (None, None));
    }
}
