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
    start: PrefixState,
    /// The state after a digit; none where the target is out of reach.
    step: Box<dyn Fn(PrefixState, u64) -> Option<PrefixState>>,
    accepts: Box<dyn Fn(PrefixState) -> bool>,
}

impl Automaton {
    fn new(
        start: PrefixState,
        step: impl Fn(PrefixState, u64) -> Option<PrefixState> + 'static,
        accepts: impl Fn(PrefixState) -> bool + 'static,
    ) -> Self {
        Self { start, step: Box::new(step), accepts: Box::new(accepts) }
    }
}

/// The chains of a clue over so many cells, one for each relation: the digits must pass one of them. None when no
/// digits make the target; `None` when there are too many steps or the operator has no relations.
pub(super) fn chains(clue: Clue, cells: usize, digits: &[u8]) -> Option<Vec<Layers>> {
    let high = u64::from(digits[digits.len() - 1]);
    let automata = automata(clue.operator.relations(cells), cells, clue.target.unsigned_abs(), high)?;
    let layers = automata.iter().map(|automaton| layers(automaton, cells, digits));
    let all = layers.collect::<Option<Vec<Layers>>>()?;
    Some(all.into_iter().filter(|layers| !layers.is_empty()).collect())
}

fn automata(relations: &[Relation], cells: usize, target: u64, high: u64) -> Option<Vec<Automaton>> {
    let automaton = |relation: &Relation| match relation {
        Relation::Sum => Some(sum(target)),
        Relation::Mean => target.checked_mul(cells as u64).map(sum),
        Relation::Product => Some(product(target)),
        Relation::Difference => Some(difference(target, high)),
        Relation::Quotient => Some(quotient(target, high)),
        Relation::Least => Some(extreme(target, |digit, target| digit >= target)),
        Relation::Greatest => Some(extreme(target, |digit, target| digit <= target)),
        Relation::CommonDivisor => Some(common_divisor(target)),
        Relation::CommonMultiple => Some(common_multiple(target)),
        Relation::Less => Some(pair(|first, second| first < second)),
        Relation::Greater => Some(pair(|first, second| first > second)),
        Relation::Apart => Some(pair(move |first, second| first.abs_diff(second) != target)),
    };
    (!relations.is_empty()).then(|| relations.iter().filter_map(automaton).collect())
}

fn sum(target: u64) -> Automaton {
    let step = move |[sum, _]: PrefixState, digit| (sum + digit <= target).then_some([sum + digit, 0]);
    Automaton::new([0, 0], step, move |[sum, _]| sum == target)
}

/// The product; for a target of 0, whether a digit is 0.
fn product(target: u64) -> Automaton {
    let step = move |[product, _]: PrefixState, digit: u64| match (target, digit) {
        (0, 0) => Some([0, 0]),
        (0, _) => Some([product, 0]),
        (_, 0) => None,
        _ => product.checked_mul(digit).filter(|product| target.is_multiple_of(*product)).map(|p| [p, 0]),
    };
    Automaton::new([1, 0], step, move |[product, _]| product == target)
}

/// The greatest digit and the sum: only from the greatest can the others be subtracted.
fn difference(target: u64, high: u64) -> Automaton {
    let step = move |[greatest, sum]: PrefixState, digit: u64| {
        (sum + digit + target <= 2 * high).then_some([greatest.max(digit), sum + digit])
    };
    Automaton::new([0, 0], step, move |[greatest, sum]| 2 * greatest == sum + target)
}

/// The greatest digit and the product: only the greatest can be the dividend. For a target of 0, the number of zeros:
/// the dividend alone is 0.
fn quotient(target: u64, high: u64) -> Automaton {
    if target == 0 {
        let step = |[zeros, _]: PrefixState, digit: u64| {
            let zeros = zeros + u64::from(digit == 0);
            (zeros <= 1).then_some([zeros, 0])
        };
        return Automaton::new([0, 0], step, |[zeros, _]| zeros == 1);
    }
    let step = move |[greatest, product]: PrefixState, digit: u64| {
        let product = product.checked_mul(digit).filter(|product| *product > 0)?;
        let within = product.checked_mul(target).is_some_and(|least| least <= high * high);
        within.then_some([greatest.max(digit), product])
    };
    Automaton::new([0, 1], step, move |[greatest, product]| product * target == greatest * greatest)
}

/// Whether a digit is the target.
fn extreme(target: u64, allows: fn(u64, u64) -> bool) -> Automaton {
    let step = move |[met, _]: PrefixState, digit: u64| {
        allows(digit, target).then_some([met | u64::from(digit == target), 0])
    };
    Automaton::new([0, 0], step, |[met, _]| met == 1)
}

fn common_divisor(target: u64) -> Automaton {
    let step = move |[divisor, _]: PrefixState, digit: u64| {
        let divisor = operators::common_divisor(divisor, digit);
        let reachable = if target == 0 { divisor == 0 } else { divisor.is_multiple_of(target) };
        reachable.then_some([divisor, 0])
    };
    Automaton::new([0, 0], step, move |[divisor, _]| divisor == target)
}

/// The least common multiple; for a target of 0, whether a digit is 0.
fn common_multiple(target: u64) -> Automaton {
    let step = move |[multiple, _]: PrefixState, digit: u64| match (target, digit) {
        (0, 0) => Some([0, 0]),
        (0, _) => Some([multiple, 0]),
        (_, 0) => None,
        _ => {
            let multiple = (multiple / operators::common_divisor(multiple, digit)).checked_mul(digit)?;
            target.is_multiple_of(multiple).then_some([multiple, 0])
        }
    };
    Automaton::new([1, 0], step, move |[multiple, _]| multiple == target)
}

/// The first digit, then whether the two are related.
fn pair(related: impl Fn(u64, u64) -> bool + 'static) -> Automaton {
    let step = move |[first, seen]: PrefixState, digit: u64| match seen {
        0 => Some([digit, 1]),
        _ => related(first, digit).then_some([0, 2]),
    };
    Automaton::new([0, 0], step, |[_, seen]| seen == 2)
}

/// The layers of an automaton, none when it accepts no digits; `None` when there are too many steps.
fn layers(automaton: &Automaton, cells: usize, digits: &[u8]) -> Option<Layers> {
    let mut reached = vec![BTreeSet::from([automaton.start])];
    let mut steps = 0;
    for cell in 0..cells {
        let mut after = BTreeSet::new();
        for state in &reached[cell] {
            after.extend(digits.iter().filter_map(|digit| (automaton.step)(*state, u64::from(*digit))));
        }
        steps += reached[cell].len() * digits.len();
        if steps > MOST_STEPS {
            return None;
        }
        reached.push(after);
    }
    reached[cells].retain(|state| (automaton.accepts)(*state));
    Some(backwards(automaton, reached, digits))
}

/// The layers without states that lead nowhere, made from the last cell to the first.
fn backwards(automaton: &Automaton, mut reached: Vec<BTreeSet<PrefixState>>, digits: &[u8]) -> Layers {
    let mut layers = Vec::new();
    while let Some(after) = reached.pop() {
        let Some(before) = reached.last_mut() else { break };
        let index: BTreeMap<PrefixState, usize> =
            after.iter().enumerate().map(|(index, state)| (*state, index)).collect();
        let next = |state: &PrefixState| -> Vec<Option<usize>> {
            let step = |digit: &u8| (automaton.step)(*state, u64::from(*digit));
            digits.iter().map(|digit| step(digit).and_then(|next| index.get(&next).copied())).collect()
        };
        before.retain(|state| next(state).iter().any(Option::is_some));
        let arcs: Vec<Vec<Option<usize>>> = before.iter().map(next).collect();
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
