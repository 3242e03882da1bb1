//! Experiments that a user can make, and the truth about them.

use kenga::rng::{RunRng, StreamKey};
use kenga::stats::{normal_cdf, normal_quantile};
use kenga::study::Metric;

use super::folder::{Outcome, Slot, SlotRuns};
use super::law::{Law, normal};

/// Calls in a unit of time.
pub const CALLS: f64 = 1e6;

/// Points at which the truth is taken.
const POINTS: usize = 2000;

/// An experiment.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    pub name: &'static str,
    pub law: Law,
    pub puzzles: usize,
    /// Runs of the two kinds of sides on even and on odd puzzles.
    pub runs: [[usize; 2]; 2],
    /// Sides; of these the odd ones take `ratio` times as long.
    pub sides: usize,
    pub ratio: f64,
    /// Runs of one replicate start alike.
    pub is_paired: bool,
    /// The correlation of runs that start alike.
    pub correlation: f64,
    /// The share that solves within the budget on a puzzle of middling difficulty.
    pub share: f64,
    /// The budget of odd sides, in those of even ones.
    pub budgets: f64,
    /// The standard deviation of the logarithm of the difficulty of puzzles.
    pub spread: f64,
    /// The standard deviation of the logarithm of the ratio of two sides on a puzzle, around that of all puzzles.
    pub interaction: f64,
    /// Puzzles that follow one another and are equally difficult for all sides.
    pub family: usize,
    /// Settings that a side takes together, which differ by a key that does nothing.
    pub copies: u32,
    /// That key does something: each setting has its own runs, and the second takes twice as long as the first.
    pub is_swept: bool,
    /// What is compared.
    pub metric: Metric,
    /// The first side is the baseline.
    pub has_baseline: bool,
}

impl Design {
    /// Twenty paired runs of two settings that are alike on one puzzle, 60 % of which solve.
    pub const PLAIN: Self = Self {
        name: "",
        law: Law::Exponential,
        puzzles: 1,
        runs: [[20, 20], [20, 20]],
        sides: 2,
        ratio: 1.0,
        is_paired: true,
        correlation: 0.0,
        share: 0.6,
        budgets: 1.0,
        spread: 0.0,
        interaction: 0.0,
        family: 1,
        copies: 1,
        is_swept: false,
        metric: Metric::Calls,
        has_baseline: false,
    };

    fn budget(&self, side: usize) -> f64 {
        let budget = self.law.quantile(self.share);
        if side % 2 == 1 { budget * self.budgets } else { budget }
    }

    fn factor(&self, side: usize) -> f64 {
        if side % 2 == 1 { self.ratio } else { 1.0 }
    }

    /// How much longer a setting of those that a side takes together needs.
    fn swept(&self, variant: u32) -> f64 {
        if self.is_swept { f64::from(1 + variant) } else { 1.0 }
    }

    /// The budget of a side in calls.
    pub fn calls(&self, side: usize) -> u64 {
        (self.budget(side) * CALLS).round() as u64
    }

    /// What a run shows that would take `time`; of fitness a whole number that grows with it.
    fn outcome(&self, side: usize, time: f64) -> Outcome {
        let budget = self.calls(side);
        if self.metric == Metric::BestFitness {
            let fitness = (4.0 * time).round() as u32;
            return Outcome { fitness, calls: if fitness == 0 { budget / 2 } else { budget } };
        }
        // Infinite times become the largest number.
        let calls = (time * CALLS).ceil().max(1.0) as u64;
        Outcome { fitness: u32::from(calls > budget), calls: calls.min(budget) }
    }

    /// The folders of an experiment: one for each side, and two where its puzzles have unequal numbers of runs.
    pub fn slots(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for side in 0..self.sides {
            let [even, odd] = self.runs[side % 2];
            let parts = if even == odd || self.puzzles == 1 {
                vec![((0..self.puzzles).collect(), even)]
            } else {
                let of = |odd: usize| (0..self.puzzles).filter(|puzzle| puzzle % 2 == odd).collect();
                vec![(of(0), even), (of(1), odd)]
            };
            for (puzzles, replicates) in parts {
                slots.push(Slot { side, puzzles, replicates, copies: self.copies });
            }
        }
        slots
    }

    /// The number of the stream of a side: sides whose runs start alike share it.
    pub fn seed(&self, side: usize) -> usize {
        if self.is_paired { 1 } else { side + 1 }
    }

    /// One experiment: the runs of each folder, and how hard the puzzles are for the first side.
    pub fn draw(&self, seed: u64) -> (Vec<SlotRuns>, Vec<f64>) {
        let mut rng = StreamKey::run(seed, self.name, 0).rng();
        let families: Vec<f64> = (0..self.puzzles).map(|_| (self.spread * normal(&mut rng)).exp()).collect();
        let most = self.runs.iter().flatten().max().copied().unwrap_or(0);
        // What is common to the runs of a block.
        let common: Vec<f64> = (0..self.puzzles * most).map(|_| normal(&mut rng)).collect();
        let mut difficulty = vec![vec![0.0; self.puzzles]; self.sides];
        for of_side in &mut difficulty {
            for (puzzle, difficulty) in of_side.iter_mut().enumerate() {
                // The ratio of two sides has this variance twice.
                let own = self.interaction / 2.0_f64.sqrt() * normal(&mut rng);
                *difficulty = families[puzzle / self.family * self.family] * own.exp();
            }
        }
        let mut all = Vec::new();
        for slot in self.slots() {
            let side = slot.side;
            let mut runs = SlotRuns::default();
            for replicate in 0..slot.replicates {
                for puzzle in &slot.puzzles {
                    let one = |rng: &mut RunRng, variant: u32| {
                        let shared = common[puzzle * most + replicate] * self.correlation.sqrt();
                        let own = normal(rng) * (1.0 - self.correlation).sqrt();
                        let time = self.law.quantile(normal_cdf(shared + own)) * difficulty[side][*puzzle];
                        self.outcome(side, time * self.factor(side) * self.swept(variant))
                    };
                    let mut outcome = one(&mut rng, 0);
                    for variant in 0..self.copies {
                        if self.is_swept && variant > 0 {
                            outcome = one(&mut rng, variant);
                        }
                        runs.0.push(outcome);
                    }
                }
            }
            all.push(runs);
        }
        (all, difficulty.swap_remove(0))
    }

    /// The median, where the budget lets half of the runs solve.
    pub fn median(&self) -> Option<f64> {
        let alone = self.copies == 1 && self.metric == Metric::Calls && self.puzzles == 1;
        (alone && self.share > 0.5).then(|| self.law.quantile(0.5))
    }

    /// The share, the expected running time and PAR-10 of the first side on puzzles of this difficulty, in the mean.
    pub fn truth(&self, difficulty: &[f64]) -> [f64; 3] {
        let budget = self.budget(0);
        let mut sum = [0.0; 3];
        for difficulty in difficulty {
            let times = (0..self.copies).flat_map(|variant| {
                let factor = difficulty * self.swept(variant);
                (0..POINTS).map(move |at| self.law.quantile((at as f64 + 0.5) / POINTS as f64) * factor)
            });
            let points = f64::from(self.copies) * POINTS as f64;
            let solving: Vec<f64> = times.filter(|time| *time <= budget).collect();
            let (share, spent) = (solving.len() as f64 / points, solving.iter().sum::<f64>() / points);
            let one =
                [share, (spent + (1.0 - share) * budget) / share, spent + (1.0 - share) * budget * 10.0];
            sum.iter_mut().zip(one).for_each(|(sum, one)| *sum += one);
        }
        let count = difficulty.len() as f64;
        sum.map(|sum| sum / count)
    }

    /// The truth over all puzzles of the kind.
    pub fn kind(&self) -> Kind {
        let mut kind = Kind { share: 0.0, par10: 0.0, ratio: 0.0, difference: 0.0 };
        let spread = self.spread.hypot(self.interaction / 2.0_f64.sqrt());
        for at in 0..KIND {
            let difficulty = (spread * normal_quantile((at as f64 + 0.5) / KIND as f64)).exp();
            let [share, _, par10] = self.truth(&[difficulty]);
            let [other_share, _, other_par10] = self.truth(&[difficulty * self.ratio]);
            kind.share += share / KIND as f64;
            kind.par10 += par10 / KIND as f64;
            kind.ratio += (other_par10 / par10).ln() / KIND as f64;
            kind.difference += (other_share - share) / KIND as f64;
        }
        Kind { ratio: kind.ratio.exp(), ..kind }
    }
}

/// Puzzles of the kind of which the truth over it is taken.
const KIND: usize = 200;

/// The truth over all puzzles of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The share that the first side solves.
    pub share: f64,
    /// PAR-10 of the first side.
    pub par10: f64,
    /// PAR-10 of an odd side over that of an even one, as the geometric mean over puzzles.
    pub ratio: f64,
    /// The share that an odd side solves less that of an even one.
    pub difference: f64,
}
