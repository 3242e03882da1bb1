//! A clue as states from cell to cell: the value of the digits so far, such as their sum.
//!
//! A cage of ten cells has millions of tuples but only a few dozen sums. States that cannot reach the target are
//! omitted. An operator without relations has no states; such operators are for at most two cells.

use std::collections::{BTreeMap, BTreeSet};

use kenga_core::puzzle::Clue;
use kenga_core::puzzle::operators::{self, Relation};

/// The value of the digits so far, one number or two.
type PrefixState = [u64; 2];

/// The steps of a clue, one for each cell.
pub(super) type Layers = Vec<Layer>;

/// The steps of one cell from the states before it to those after it.
pub(super) struct Layer {
    /// The number of states after the cell.
    pub(super) after: usize,
    /// For every state before the cell, and every digit by rank, the state after it, if there is one.
    pub(super) arcs: Vec<Vec<Option<usize>>>,
}

/// The most steps of one clue.
const MOST_STEPS: usize = 4_000_000;

/// The automaton of one relation.
struct Automaton {
    relation: Relation,
    /// What the relation makes; of a mean the sum.
    target: u64,
    /// The greatest digit.
    high: u64,
}

impl Automaton {
    fn start(&self) -> PrefixState {
        match self.relation {
            Relation::Product | Relation::CommonMultiple => [1, 0],
            Relation::Quotient if self.target > 0 => [0, 1],
            _ => [0, 0],
        }
    }

    /// The state after a digit; none where the target is out of reach.
    fn step(&self, state: PrefixState, digit: u64) -> Option<PrefixState> {
        let [one, two] = state;
        let target = self.target;
        let (next, is_within) = match self.relation {
            // The sum.
            Relation::Sum | Relation::Mean => ([one + digit, 0], one + digit <= target),
            // 1 until a digit is 0.
            Relation::Product | Relation::CommonMultiple if target == 0 => ([one.min(digit), 0], true),
            // The product.
            Relation::Product => {
                let product = one.checked_mul(digit)?;
                ([product, 0], product > 0 && target.is_multiple_of(product))
            }
            // The greatest digit and the sum: only from the greatest can the others be subtracted.
            Relation::Difference => ([one.max(digit), two + digit], two + digit + target <= 2 * self.high),
            // The number of zeros: the dividend alone is 0.
            Relation::Quotient if target == 0 => {
                let zeros = one + u64::from(digit == 0);
                ([zeros, 0], zeros <= 1)
            }
            // The greatest digit and the product: only the greatest can be the dividend.
            Relation::Quotient => {
                let product = two.checked_mul(digit)?;
                let least = product.checked_mul(target)?;
                ([one.max(digit), product], product > 0 && least <= self.high * self.high)
            }
            // Whether a digit is the target.
            Relation::Least => ([one | u64::from(digit == target), 0], digit >= target),
            Relation::Greatest => ([one | u64::from(digit == target), 0], digit <= target),
            Relation::CommonDivisor => {
                let divisor = operators::common_divisor(one, digit);
                ([divisor, 0], if target == 0 { divisor == 0 } else { divisor.is_multiple_of(target) })
            }
            Relation::CommonMultiple => {
                if digit == 0 {
                    return None;
                }
                let multiple = (one / operators::common_divisor(one, digit)).checked_mul(digit)?;
                ([multiple, 0], target.is_multiple_of(multiple))
            }
            // The first digit, then nothing but that the two are related.
            Relation::Less | Relation::Greater | Relation::Apart if two == 0 => ([digit, 1], true),
            Relation::Less => ([0, 2], one < digit),
            Relation::Greater => ([0, 2], one > digit),
            Relation::Apart => ([0, 2], one.abs_diff(digit) != target),
        };
        is_within.then_some(next)
    }

    /// Says whether a state after all digits is the target.
    fn accepts(&self, state: PrefixState) -> bool {
        let [one, two] = state;
        match self.relation {
            Relation::Difference => 2 * one == two + self.target,
            Relation::Quotient if self.target > 0 => two * self.target == one * one,
            Relation::Quotient | Relation::Least | Relation::Greatest => one == 1,
            Relation::Less | Relation::Greater | Relation::Apart => two == 2,
            _ => one == self.target,
        }
    }
}

/// The chains of a clue over so many cells, one for each relation: the digits must pass one of them. None when no
/// digits make the target; `None` when there are too many steps or the operator has no relations.
pub(super) fn chains(clue: Clue, cells: usize, digits: &[u8]) -> Option<Vec<Layers>> {
    let relations = clue.operator.relations(cells);
    if relations.is_empty() {
        return None;
    }
    let mut chains = Vec::new();
    for relation in relations {
        let mut target = clue.target.unsigned_abs();
        if *relation == Relation::Mean {
            // No digits add up to a number beyond 64 bits.
            let Some(sum) = target.checked_mul(cells as u64) else { continue };
            target = sum;
        }
        let high = u64::from(digits[digits.len() - 1]);
        let layers = layers(&Automaton { relation: *relation, target, high }, cells, digits)?;
        if !layers.is_empty() {
            chains.push(layers);
        }
    }
    Some(chains)
}

/// The layers of an automaton, none when it accepts no digits; `None` when there are too many steps.
fn layers(automaton: &Automaton, cells: usize, digits: &[u8]) -> Option<Layers> {
    let mut reached = vec![BTreeSet::from([automaton.start()])];
    let mut steps = 0;
    for cell in 0..cells {
        let mut after = BTreeSet::new();
        for state in &reached[cell] {
            for digit in digits {
                after.extend(automaton.step(*state, u64::from(*digit)));
            }
        }
        steps += reached[cell].len() * digits.len();
        if steps > MOST_STEPS {
            return None;
        }
        reached.push(after);
    }
    reached[cells].retain(|state| automaton.accepts(*state));
    Some(backwards(automaton, reached, digits))
}

/// The layers without states that lead nowhere, made from the last cell to the first.
fn backwards(automaton: &Automaton, mut reached: Vec<BTreeSet<PrefixState>>, digits: &[u8]) -> Layers {
    let mut layers = Vec::new();
    while let Some(after) = reached.pop() {
        let Some(before) = reached.last_mut() else { break };
        let mut numbers = BTreeMap::new();
        for (number, state) in after.iter().enumerate() {
            numbers.insert(*state, number);
        }
        let mut arcs = Vec::new();
        before.retain(|state| {
            let mut next = Vec::new();
            for digit in digits {
                let state = automaton.step(*state, u64::from(*digit));
                next.push(state.and_then(|state| numbers.get(&state).copied()));
            }
            let leads_on = next.iter().any(Option::is_some);
            if leads_on {
                arcs.push(next);
            }
            leads_on
        });
        layers.push(Layer { after: after.len(), arcs });
    }
    layers.reverse();
    if layers.first().is_some_and(|layer| layer.arcs.is_empty()) { Vec::new() } else { layers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kenga_core::puzzle::operators;

    /// Some chain leads through the digits, given by rank.
    fn accepts(chains: &[Layers], ranks: &[usize]) -> bool {
        chains.iter().any(|layers| {
            let step = |state: usize, (layer, rank): (&Layer, &usize)| layer.arcs[state][*rank];
            layers.iter().zip(ranks).try_fold(0, step).is_some()
        })
    }

    #[test]
    fn chains_accept_what_operators_accept() {
        let sets: [&[u8]; 4] = [&[1, 2, 3, 4, 5, 6], &[0, 1, 2, 3], &[2, 3, 5, 7], &[0, 6, 9, 12]];
        for (operator, digits) in operators::TABLE.iter().flat_map(|op| sets.map(|set| (op, set))) {
            for width in (2..=4_usize).filter(|width| operator.cells.contains(width)) {
                let small = (0..130).step_by(kenga_testing::size(7, 1));
                for target in small.chain([216, 1296, 20_736, i64::MAX]) {
                    let clue = Clue { operator, target };
                    let Some(chains) = chains(clue, width, digits) else {
                        assert!(width == 2, "{operator:?} has no chain");
                        continue;
                    };
                    let base = digits.len();
                    for code in 0..base.pow(width as u32) {
                        let ranks: Vec<usize> =
                            (0..width).map(|place| code / base.pow(place as u32) % base).collect();
                        let tuple: Vec<u8> = ranks.iter().map(|rank| digits[*rank]).collect();
                        assert_eq!(accepts(&chains, &ranks), clue.holds(&tuple), "{clue} of {tuple:?}");
                    }
                }
            }
        }
    }
}
