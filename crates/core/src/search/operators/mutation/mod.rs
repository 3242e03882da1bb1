//! Mutation: small random changes of one genome.
//!
//! A new member implements [`Mutation`], or is a function for `StretchMutation` or `GeneMutation`.

mod adaptive;
mod conflict;
mod flip;
mod force;
mod insertion;
mod inversion;
mod missing_digit;
mod redraw;
mod reset;
mod row_swap;
mod scramble;
mod swap;

use crate::problem::Blocks;
use crate::rng::RunRng;
use crate::search::operators::Variation;
use crate::search::operators::schedule::Rate;
use crate::search::operators::steps::IntervalSteps;
use crate::search::{Change, Closure, Conflicts, MutationModel, Space};
use crate::spec::{Family, Param, Spec};

/// A way to change a genome at random. Fixed genes stay; on permutations every segment keeps its digits.
pub trait Mutation: Variation + Send {
    /// Changes a genome in place. `conflicts` are those of the parent that it takes after, which was evaluated; they
    /// are empty unless the mutation [reads](Variation::reads_conflicts) them.
    fn mutate(&mut self, space: &Space, genome: &mut [u8], conflicts: &Conflicts, rng: &mut RunRng);

    /// Prepares a generation; `progress` is the share of the budget spent, 0 to 1.
    fn prepare(&mut self, _space: &Space, _progress: f64) {}

    /// How it makes a child, where the probabilities are known and stay the same.
    fn markov_model(&self, _space: &Space) -> Option<MutationModel> {
        None
    }
}

/// Every mutation.
pub static MUTATION: Family<Box<dyn Mutation>> = Family::new(
    "mutation",
    "small random changes of a genome",
    &[
        &swap::ENTRY,
        &reset::ENTRY,
        &flip::ENTRY,
        &row_swap::ENTRY,
        &inversion::ENTRY,
        &insertion::ENTRY,
        &scramble::ENTRY,
        &conflict::ENTRY,
        &redraw::ENTRY,
        &force::ENTRY,
        &missing_digit::ENTRY,
        &adaptive::ENTRY,
    ],
);

/// The places at which independent coins of one probability come up heads, from one uniform number for each head.
///
/// The probability that `k` coins in a row are tails is (1 - p)^k, so that one number in [0, 1) decides how many are
/// skipped: the same distribution as a coin for each place, at the cost of the heads alone.
#[derive(Default)]
struct Coins {
    probability: f64,
    /// `tails[k]` is (1 - p)^k.
    tails: Vec<f64>,
    /// The same, without the first, from the last to the first.
    ascending: IntervalSteps,
}

impl Coins {
    /// Prepares coins for this many places.
    fn prepare(&mut self, probability: f64, places: usize) {
        // Most rates stay the same over a run: their table is made once.
        if self.probability == probability && self.tails.len() == places + 1 {
            return;
        }
        self.probability = probability;
        self.tails.clear();
        self.tails.extend((0..=places as i32).map(|k| (1.0 - probability).powi(k)));
        self.ascending.set(places, |ascending| {
            ascending.copy_from_slice(&self.tails[1..]);
            ascending.reverse();
            1.0
        });
    }

    /// Calls `act` for every place that comes up heads.
    #[inline]
    fn each(&self, rng: &mut RunRng, mut act: impl FnMut(usize, &mut RunRng)) {
        let mut start = 0;
        while let Some(place) = self.next(start, rng) {
            act(place, rng);
            start = place + 1;
        }
    }

    /// The first place from `start` on that comes up heads.
    #[inline(always)]
    fn next(&self, start: usize, rng: &mut RunRng) -> Option<usize> {
        let places = self.tails.len() - 1;
        if start == places {
            return None;
        }
        let draw = rng.unit();
        if draw < self.tails[places - start] {
            return None;
        }
        // The first whose head is drawn: tails[k + 1] <= draw < tails[k].
        Some(start + places - self.ascending.passed(draw))
    }
}

/// The closure of a mutation that moves digits within blocks at this rate.
fn moves_at(rate: &Rate, space: &Space, blocks: &Blocks) -> Option<Closure> {
    if rate.is_never() {
        return Some(Closure::copies(space.genes()));
    }
    Some(Closure::moves(space.genes(), blocks))
}

/// Permutes the digits of the listed genes of a genome: two or more consecutive genes of one segment.
type StretchChange = fn(&mut [u8], &[u16], &mut RunRng);

/// Changes one stretch of genes with probability `rate`.
struct StretchMutation {
    rate: Rate,
    now: f64,
    change: StretchChange,
    /// The segments of two or more genes.
    segments: Vec<u16>,
}

impl StretchMutation {
    /// The mutation that a spec with a rate describes.
    fn boxed(spec: &Spec, change: StretchChange) -> Box<dyn Mutation> {
        Box::new(Self { rate: Rate::of(spec, "rate"), now: 0.0, change, segments: Vec::new() })
    }

    /// The genes of a uniform segment from one uniform place to another, both included; none if every segment is too
    /// short.
    fn draw<'a>(&self, space: &'a Space, rng: &mut RunRng) -> &'a [u16] {
        if self.segments.is_empty() {
            return &[];
        }
        let segment = space.segments.get(usize::from(self.segments[rng.below(self.segments.len())]));
        let (first, last) = rng.pair(segment.len());
        &segment[first..=last]
    }
}

impl Mutation for StretchMutation {
    fn prepare(&mut self, space: &Space, progress: f64) {
        self.now = self.rate.at(progress);
        if self.segments.is_empty() {
            for (index, segment) in space.segments.iter().enumerate() {
                if segment.len() > 1 {
                    self.segments.push(index as u16);
                }
            }
        }
    }

    fn mutate(&mut self, space: &Space, genome: &mut [u8], _: &Conflicts, rng: &mut RunRng) {
        if rng.coin(self.now) {
            (self.change)(genome, self.draw(space, rng), rng);
        }
    }
}

impl Variation for StretchMutation {
    fn closure(&self, space: &Space) -> Option<Closure> {
        moves_at(&self.rate, space, &space.segments)
    }
}

const CONFLICTING: Param = Param::probability("conflicting", 0.9)
    .about("probability that the gene is drawn from those in conflict, else from all");

const AGAIN: Param =
    Param::real("again", 0.0..=0.99, 0.3).about("probability of another change after each change");

/// Changes a free gene; on permutations by an exchange within its segment.
type GeneChange = fn(&Space, u16, &mut [u8], &mut RunRng);

/// Changes a random gene, and with probability `again` another after each.
struct GeneMutation {
    conflicting: f64,
    again: f64,
    change: GeneChange,
}

impl GeneMutation {
    /// The mutation that a spec with [`CONFLICTING`] and [`AGAIN`] describes.
    fn boxed(spec: &Spec, change: GeneChange) -> Box<dyn Mutation> {
        Box::new(Self { conflicting: spec.real("conflicting"), again: spec.real("again"), change })
    }
}

impl Mutation for GeneMutation {
    fn mutate(&mut self, space: &Space, genome: &mut [u8], conflicts: &Conflicts, rng: &mut RunRng) {
        while !space.free.is_empty() {
            // The coin is drawn even where nothing is in conflict: draws do not depend on what the genome is worth.
            let from_conflicts = rng.coin(self.conflicting) && !conflicts.genes().is_empty();
            let genes = if from_conflicts { conflicts.genes() } else { &space.free };
            (self.change)(space, genes[rng.below(genes.len())], genome, rng);
            if !rng.coin(self.again) {
                break;
            }
        }
    }
}

impl Variation for GeneMutation {
    fn closure(&self, space: &Space) -> Option<Closure> {
        (space.change == Change::Exchanges).then(|| Closure::moves(space.genes(), &space.segments))
    }

    fn reads_conflicts(&self) -> bool {
        self.conflicting > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::StreamKey;

    #[test]
    fn heads_come_with_their_probability_at_every_place() {
        let mut coins = Coins::default();
        coins.prepare(0.1, 5);
        let mut rng = StreamKey::run(3, "coins", 0).rng();
        let (rounds, mut heads) = (100_000, [0u32; 5]);
        for _ in 0..rounds {
            coins.each(&mut rng, |place, _| heads[place] += 1);
        }
        // Five standard deviations of a binomial count: 5 * sqrt(100000 * 0.1 * 0.9) = 474.
        assert!(heads.iter().all(|count| count.abs_diff(10_000) < 474), "{heads:?}");
    }

    #[test]
    fn certain_and_impossible_heads_are_exact() {
        let mut rng = StreamKey::run(3, "coins", 0).rng();
        let mut coins = Coins::default();
        coins.prepare(1.0, 3);
        assert_eq!(
            (0..=3).map(|start| coins.next(start, &mut rng)).collect::<Vec<_>>(),
            [Some(0), Some(1), Some(2), None]
        );
        coins.prepare(0.0, 3);
        assert_eq!(coins.next(0, &mut rng), None);
        coins.prepare(0.5, 0);
        assert_eq!(coins.next(0, &mut rng), None);
    }
}
