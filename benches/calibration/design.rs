//! Experiments that a user can make.

use kenga::rng::{RunRng, StreamKey};
use kenga::stats::normal_cdf;
use kenga::study::Metric;

use super::folder::{Outcome, Slot, SlotRuns};
use super::law::{Law, normal};

/// Calls in a unit of time.
pub const CALLS: f64 = 1e6;

/// An experiment.
#[derive(Clone, Copy, Debug)]
pub struct Design {
    pub name: &'static str,
    /// Of even and of odd sides: the law of the first setting that the side joins, and that of the others.
    pub laws: [[Law; 2]; 2],
    pub puzzles: usize,
    /// Runs of the two kinds of sides on even and on odd puzzles.
    pub runs: [[usize; 2]; 2],
    /// Sides; of these the odd ones take `ratio` times as long.
    pub sides: usize,
    pub ratio: f64,
    /// That ratio on the last puzzle, if it is another one there.
    pub last_ratio: Option<f64>,
    /// Runs of one replicate start alike.
    pub is_paired: bool,
    /// The correlation of runs that start alike.
    pub correlation: f64,
    pub budget: Budget,
    /// The budget of odd sides, in those of even ones.
    pub budgets: f64,
    /// The standard deviation of the logarithm of the difficulty of puzzles.
    pub spread: f64,
    /// The standard deviation of the logarithm of the ratio of two sides on a puzzle, around that of all puzzles.
    pub interaction: f64,
    /// Puzzles that follow one another and are a family: they are equally difficult.
    pub family: usize,
    /// The ratio of two sides, too, is that of the family.
    pub is_interaction_of_family: bool,
    /// The comparison is told the families.
    pub is_grouped: bool,
    /// The share of the kind that odd sides never solve.
    pub gaps: f64,
    /// Settings that a side joins, which differ by another key.
    pub copies: u32,
    /// That key does something: each setting has its own runs, and each takes so much longer than the one before, in times of
    /// the first. `None` if it does nothing.
    pub step: Option<f64>,
    pub metric: Metric,
    /// Powers of ten between the values of the first puzzle and of the last; 0 if values are small whole numbers.
    pub decades: f64,
    /// The first side is the baseline.
    pub has_baseline: bool,
}

/// The budget of even sides.
#[derive(Clone, Copy, Debug)]
pub enum Budget {
    /// The time by which this share solves on a puzzle of middling difficulty.
    Share(f64),
    /// A time.
    Time(f64),
}

impl Design {
    /// Twenty paired runs of two settings that are alike on one puzzle, 60 % of which solve.
    pub const PLAIN: Self = Self {
        name: "",
        laws: [[Law::Exponential; 2]; 2],
        puzzles: 1,
        runs: [[20, 20], [20, 20]],
        sides: 2,
        ratio: 1.0,
        last_ratio: None,
        is_paired: true,
        correlation: 0.0,
        budget: Budget::Share(0.6),
        budgets: 1.0,
        spread: 0.0,
        interaction: 0.0,
        family: 1,
        is_interaction_of_family: false,
        is_grouped: false,
        gaps: 0.0,
        copies: 1,
        step: None,
        metric: Metric::Calls,
        decades: 0.0,
        has_baseline: false,
    };

    /// The budget of a side as a time.
    pub fn budget(&self, side: usize) -> f64 {
        let budget = match self.budget {
            Budget::Share(share) => self.laws[0][0].quantile(share),
            Budget::Time(time) => time,
        };
        if side % 2 == 1 { budget * self.budgets } else { budget }
    }

    /// The budget of a side in calls.
    pub fn calls(&self, side: usize) -> u64 {
        (self.budget(side) * CALLS).round() as u64
    }

    /// The law of a setting that a side joins.
    pub fn law(&self, side: usize, variant: u32) -> Law {
        self.laws[side % 2][usize::from(variant > 0)]
    }

    /// How many times as long the side takes as the first one on a puzzle that is equally difficult for both.
    pub fn factor(&self, side: usize, puzzle: usize) -> f64 {
        let is_last = puzzle + 1 == self.puzzles;
        match self.last_ratio {
            _ if side.is_multiple_of(2) => 1.0,
            Some(ratio) if is_last => ratio,
            _ => self.ratio,
        }
    }

    /// How much longer a setting of those that a side joins takes.
    pub fn swept(&self, variant: u32) -> f64 {
        1.0 + self.step.unwrap_or(0.0) * f64::from(variant)
    }

    /// Whether the sides do not differ on any puzzle.
    pub fn is_null(&self) -> bool {
        let [even, odd] = self.laws;
        self.ratio == 1.0
            && self.last_ratio.is_none()
            && self.interaction == 0.0
            && self.gaps == 0.0
            && even == odd
    }

    /// What a run shows that would take `time`; of values a whole number that grows with it.
    fn outcome(&self, side: usize, puzzle: usize, time: f64) -> Outcome {
        let budget = self.calls(side);
        if self.metric == Metric::BestFitness {
            let scale = match self.decades {
                0.0 => 4.0,
                decades => 10.0_f64.powf(2.0 + decades * puzzle as f64 / (self.puzzles - 1) as f64),
            };
            let fitness = (scale * time).round() as u32;
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

    /// One experiment: the runs of each folder, and how hard each puzzle is for each side.
    pub fn draw(&self, seed: u64) -> (Vec<SlotRuns>, Vec<Vec<f64>>) {
        let mut rng = StreamKey::run(seed, self.name, 0).rng();
        let difficulty = self.difficulty(&mut rng);
        let most = self.runs.iter().flatten().max().copied().unwrap_or(0);
        // What is common to the runs of a block.
        let common: Vec<f64> = (0..self.puzzles * most).map(|_| normal(&mut rng)).collect();
        let mut all = Vec::new();
        for slot in self.slots() {
            let mut runs = SlotRuns::default();
            for replicate in 0..slot.replicates {
                for puzzle in &slot.puzzles {
                    let shared = common[puzzle * most + replicate];
                    let difficulty = difficulty[slot.side][*puzzle];
                    for variant in 0..self.copies {
                        match runs.0.last() {
                            Some(copied) if variant > 0 && self.step.is_none() => runs.0.push(*copied),
                            _ => {
                                let time = self.time(&mut rng, slot.side, variant, shared) * difficulty;
                                runs.0.push(self.outcome(slot.side, *puzzle, time));
                            }
                        }
                    }
                }
            }
            all.push(runs);
        }
        (all, difficulty)
    }

    /// How much longer than its law a side takes on each puzzle; infinite where it never solves.
    fn difficulty(&self, rng: &mut RunRng) -> Vec<Vec<f64>> {
        let families: Vec<f64> = (0..self.puzzles).map(|_| (self.spread * normal(rng)).exp()).collect();
        let mut difficulty = vec![vec![0.0; self.puzzles]; self.sides];
        for (side, difficulty) in difficulty.iter_mut().enumerate() {
            // The logarithm of the ratio of two sides has the variance of two of these.
            let deviation = self.interaction / 2.0_f64.sqrt();
            let interactions: Vec<f64> = (0..self.puzzles).map(|_| (deviation * normal(rng)).exp()).collect();
            for (puzzle, difficulty) in difficulty.iter_mut().enumerate() {
                let first = puzzle / self.family * self.family;
                let interaction = interactions[if self.is_interaction_of_family { first } else { puzzle }];
                *difficulty = families[first] * interaction * self.factor(side, puzzle);
                if side % 2 == 1 && self.gaps > 0.0 && rng.unit() < self.gaps {
                    *difficulty = f64::INFINITY;
                }
            }
        }
        difficulty
    }

    /// The time of a run of one of the settings that a side joins, on a puzzle of middling difficulty.
    fn time(&self, rng: &mut RunRng, side: usize, variant: u32, shared: f64) -> f64 {
        let normal = shared * self.correlation.sqrt() + normal(rng) * (1.0 - self.correlation).sqrt();
        self.law(side, variant).quantile(normal_cdf(normal)) * self.swept(variant)
    }
}
