//! Experiments that a user can make, and the truth about them.

use kenga::rng::{RunRng, StreamKey};
use kenga::stats::Observed;
use kenga::study::{Block, Metric, Reading, SideSample};

use super::law::{Law, normal, normal_below};

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

    /// What a run shows that would take `time`; of fitness a whole number that grows with it.
    fn read(&self, side: usize, time: f64) -> Reading {
        let budget = self.budget(side);
        let has_solved = time <= budget;
        let calls = if has_solved { Observed::solved(time) } else { Observed::failed(budget) };
        match self.metric {
            Metric::BestFitness => Reading {
                observed: Observed::solved((4.0 * time).round()),
                solved: has_solved,
                ..Reading::new(calls, f64::INFINITY)
            },
            _ => Reading::new(calls, budget),
        }
    }

    /// One experiment, and how hard its puzzles are.
    pub fn draw(&self, seed: u64) -> (Vec<SideSample>, Vec<f64>) {
        let mut rng = StreamKey::run(seed, self.name, 0).rng();
        let difficulty: Vec<f64> =
            (0..self.puzzles).map(|_| (self.spread * normal(&mut rng)).exp()).collect();
        let most = self.runs.iter().flatten().max().copied().unwrap_or(0);
        // What is common to the runs of a block.
        let common: Vec<f64> = (0..self.puzzles * most).map(|_| normal(&mut rng)).collect();
        let sides = (0..self.sides).map(|side| {
            let mut runs = Vec::new();
            for (puzzle, difficulty) in difficulty.iter().enumerate() {
                for replicate in 0..self.runs[side % 2][puzzle % 2] {
                    let one = |rng: &mut RunRng, variant: u32| {
                        let shared = common[puzzle * most + replicate] * self.correlation.sqrt();
                        let own = normal(rng) * (1.0 - self.correlation).sqrt();
                        let time = self.law.quantile(normal_below(shared + own)) * difficulty;
                        self.read(side, time * self.factor(side) * self.swept(variant))
                    };
                    let seed = if self.is_paired { 0 } else { side as u64 };
                    let block = Block { puzzle: format!("p{puzzle}"), seed, replicate: replicate as u64 };
                    let mut reading = one(&mut rng, 0);
                    for variant in 0..self.copies {
                        if self.is_swept && variant > 0 {
                            reading = one(&mut rng, variant);
                        }
                        runs.push((block.clone(), Reading { variant, ..reading }));
                    }
                }
            }
            let name = format!("side {side}");
            SideSample::new(&name, &name, runs)
        });
        (sides.collect(), difficulty)
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
    pub fn truth_of_kind(&self) -> [f64; 3] {
        let quantile = |at: usize| kenga::stats::normal_quantile((at as f64 + 0.5) / 200.0);
        let difficulty: Vec<f64> = (0..200).map(|at| (self.spread * quantile(at)).exp()).collect();
        self.truth(&difficulty)
    }
}
