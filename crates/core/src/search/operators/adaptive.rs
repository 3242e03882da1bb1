//! Several operators of a family, chosen by their recent gains: what the member `adaptive` of each is made of.

use crate::rng::RunRng;
use crate::search::{Closure, Space};
use crate::spec::{Family, Param, Spec};

use super::variation::{Chooser, Variation};

/// How an adaptive member chooses.
pub(super) const POLICY: Param =
    Param::choice("policy", &["uniform", "matching", "pursuit", "ucb"], "matching").about(
        "how gains decide: probability matching, adaptive pursuit, an upper confidence bound, or not at all",
    );

/// The least probability of an adaptive member's operators.
pub(super) const FLOOR: Param = Param::probability("floor", 0.05)
    .about("least probability of an operator under matching and pursuit, at most 1 / number of operators");

/// The source of every adaptive member.
pub(super) const SOURCE: &str = "D. Thierens 2005, An adaptive pursuit strategy for allocating operator probabilities, \
     doi:10.1145/1068009.1068251; L. DaCosta, Á. Fialho, M. Schoenauer, M. Sebag 2008, \
     doi:10.1145/1389095.1389272 (UCB)";

/// Several operators of a family, one of which is used at a time.
pub(super) struct Adaptive<T> {
    pub(super) members: Vec<T>,
    credit: Credit,
    chosen: usize,
}

impl<T> Chooser for Adaptive<T> {
    fn chosen(&self) -> usize {
        self.chosen
    }

    fn credit(&mut self, chosen: usize, gain: f64) {
        self.credit.learn(chosen, gain);
    }
}

impl<T> Adaptive<T> {
    /// The operators that a spec lists under `of`.
    pub(super) fn new(spec: &Spec, family: &Family<T>) -> Self {
        let members: Vec<T> = spec.specs("of").map(|member| family.build(member)).collect();
        Self { credit: Credit::of(spec, members.len()), members, chosen: 0 }
    }

    /// Chooses the operator to use next.
    pub(super) fn choose(&mut self, rng: &mut RunRng) -> &mut T {
        self.chosen = self.credit.choose(rng);
        &mut self.members[self.chosen]
    }
}

impl<T: Variation + ?Sized> Variation for Adaptive<Box<T>> {
    fn closure(&self, space: &Space) -> Option<Closure> {
        Closure::of_all(space.genes(), self.members.iter().map(|member| member.closure(space)))
    }

    fn reads_conflicts(&self) -> bool {
        self.members.iter().any(|member| member.reads_conflicts())
    }

    fn chooser(&mut self) -> Option<&mut dyn Chooser> {
        Some(self)
    }
}

/// The share of a mean or a probability that each gain replaces.
const RATE: f64 = 0.1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CreditPolicy {
    Uniform,
    Matching,
    Pursuit,
    Ucb,
}

/// Which of several operators to use next, by what each has gained so far.
///
/// ```text
/// q(i)      the recent mean gain of operator i: q <- q + 0.1 (gain - q)
/// uniform   every operator is as likely
/// matching  p(i) = floor + (1 - K floor) q(i) / sum q
/// pursuit   p of the best q goes a tenth of the way towards 1 - (K - 1) floor, that of every other towards floor
/// ucb       the largest of q(i) / max q + sqrt(2 ln(uses) / uses of i)
/// ```
///
/// The gain of a child is its improvement over the parent that it takes after, as a share of the parent's guide; 0
/// without an improvement.
///
/// Source: D. Thierens 2005, doi:10.1145/1068009.1068251 (matching, pursuit); P. Auer, N. Cesa-Bianchi, P. Fischer
/// 2002, doi:10.1023/A:1013689704352, and L. DaCosta and others 2008, doi:10.1145/1389095.1389272 (ucb).
#[derive(Clone, Debug)]
struct Credit {
    policy: CreditPolicy,
    floor: f64,
    quality: Vec<f64>,
    probability: Vec<f64>,
    uses: Vec<f64>,
}

impl Credit {
    /// The choice between `count` operators, none of which has been used.
    fn of(spec: &Spec, count: usize) -> Self {
        let policy = match spec.text("policy") {
            "matching" => CreditPolicy::Matching,
            "pursuit" => CreditPolicy::Pursuit,
            "ucb" => CreditPolicy::Ucb,
            _ => CreditPolicy::Uniform,
        };
        Self::new(policy, spec.real("floor"), count)
    }

    fn new(policy: CreditPolicy, floor: f64, count: usize) -> Self {
        let share = 1.0 / count as f64;
        let (quality, probability) = (vec![0.0; count], vec![share; count]);
        // A floor above the equal share would leave nothing to share out.
        Self { policy, floor: floor.min(share), quality, probability, uses: vec![0.0; count] }
    }

    /// The index of the operator to use next.
    fn choose(&mut self, rng: &mut RunRng) -> usize {
        let chosen = match self.policy {
            CreditPolicy::Uniform => rng.below(self.uses.len()),
            CreditPolicy::Ucb => self.most_promising(),
            CreditPolicy::Matching | CreditPolicy::Pursuit => self.at(rng.unit()),
        };
        self.uses[chosen] += 1.0;
        chosen
    }

    fn at(&self, mut point: f64) -> usize {
        for (operator, share) in self.probability.iter().enumerate() {
            point -= share;
            if point < 0.0 {
                return operator;
            }
        }
        // The shares, rounded, may add up to a little less than 1.
        self.probability.len() - 1
    }

    fn most_promising(&self) -> usize {
        // Qualities are compared as shares of the largest: gains shrink as the search goes on.
        let largest = self.quality.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let total = self.uses.iter().sum::<f64>().max(1.0).ln();
        let (mut best, mut highest) = (0, f64::NEG_INFINITY);
        for (operator, uses) in self.uses.iter().enumerate() {
            if *uses == 0.0 {
                return operator;
            }
            let bound = self.quality[operator] / largest + (2.0 * total / uses).sqrt();
            if bound > highest {
                (best, highest) = (operator, bound);
            }
        }
        best
    }

    /// Takes a gain into account.
    fn learn(&mut self, operator: usize, gain: f64) {
        self.quality[operator] += RATE * (gain - self.quality[operator]);
        let (count, sum) = (self.quality.len() as f64, self.quality.iter().sum::<f64>());
        match self.policy {
            // Before the first gain every operator stays as likely.
            CreditPolicy::Matching if sum > 0.0 => {
                let shared = 1.0 - count * self.floor;
                for (probability, quality) in self.probability.iter_mut().zip(&self.quality) {
                    *probability = self.floor + shared * quality / sum;
                }
            }
            CreditPolicy::Pursuit if sum > 0.0 => self.pursue(),
            _ => {}
        }
    }

    fn pursue(&mut self) {
        let mut best = 0;
        for (operator, quality) in self.quality.iter().enumerate() {
            if *quality > self.quality[best] {
                best = operator;
            }
        }
        let most = 1.0 - (self.quality.len() - 1) as f64 * self.floor;
        for (operator, probability) in self.probability.iter_mut().enumerate() {
            let aim = if operator == best { most } else { self.floor };
            *probability += RATE * (aim - *probability);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    /// How often each of three operators is used if only the second gains.
    fn uses(policy: CreditPolicy) -> [usize; 3] {
        let (mut credit, mut rng) = (Credit::new(policy, 0.1, 3), StreamKey::run(1, "", 0).rng());
        let mut uses = [0; 3];
        for _ in 0..1000 {
            let chosen = credit.choose(&mut rng);
            credit.learn(chosen, f64::from(u8::from(chosen == 1)));
            uses[chosen] += 1;
        }
        uses
    }

    #[test]
    fn the_operator_that_gains_is_used_most_and_the_others_still_are() {
        for policy in [CreditPolicy::Matching, CreditPolicy::Pursuit, CreditPolicy::Ucb] {
            let [first, second, third] = uses(policy);
            assert!(second > 600 && first > 5 && third > 5, "{policy:?}: {first} {second} {third}");
        }
        assert!(uses(CreditPolicy::Uniform).iter().all(|count| count.abs_diff(333) < 75));
    }

    #[test]
    fn probabilities_add_up_to_one() {
        for policy in [CreditPolicy::Matching, CreditPolicy::Pursuit] {
            let mut credit = Credit::new(policy, 0.9, 4);
            for (operator, gain) in [(0, 0.5), (3, 1.0), (3, 0.0)] {
                credit.learn(operator, gain);
            }
            assert!((credit.probability.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}
