//! Experiments that a user can make, and the truth about them.

use kenga::rng::{RunRng, StreamKey};
use kenga::stats::Observed;
use kenga::study::{Block, Reading, Sample};

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
    };

    fn budget(&self, side: usize) -> f64 {
        let budget = self.law.quantile(self.share);
        if side % 2 == 1 { budget * self.budgets } else { budget }
    }

    fn factor(&self, side: usize) -> f64 {
        if side % 2 == 1 { self.ratio } else { 1.0 }
    }

    /// What a run shows that would take `time`.
    fn observe(&self, side: usize, time: f64) -> Observed {
        let budget = self.budget(side);
        if time <= budget { Observed::solved(time) } else { Observed::failed(budget) }
    }

    /// One experiment, and how hard its puzzles are.
    pub fn draw(&self, seed: u64) -> (Vec<Sample>, Vec<f64>) {
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
                    let one = |rng: &mut RunRng| {
                        let shared = common[puzzle * most + replicate] * self.correlation.sqrt();
                        let own = normal(rng) * (1.0 - self.correlation).sqrt();
                        let time = self.law.quantile(normal_below(shared + own)) * difficulty;
                        self.observe(side, time * self.factor(side))
                    };
                    let observed = one(&mut rng);
                    let seed = if self.is_paired { 0 } else { side as u64 };
                    let block = Block { puzzle: format!("p{puzzle}"), seed, replicate: replicate as u64 };
                    for variant in 0..self.copies {
                        let reading = Reading { variant, ..Reading::new(observed, self.budget(side)) };
                        runs.push((block.clone(), reading));
                    }
                }
            }
            let name = format!("side {side}");
            Sample::new(&name, &name, runs)
        });
        (sides.collect(), difficulty)
    }

    /// The share, the expected running time and PAR-10 of the first side on puzzles of this difficulty, in the mean.
    pub fn truth(&self, difficulty: &[f64]) -> [f64; 3] {
        let budget = self.budget(0);
        let mut sum = [0.0; 3];
        for difficulty in difficulty {
            let times =
                (0..POINTS).map(|at| self.law.quantile((at as f64 + 0.5) / POINTS as f64) * difficulty);
            let solving: Vec<f64> = times.filter(|time| *time <= budget).collect();
            let (share, spent) =
                (solving.len() as f64 / POINTS as f64, solving.iter().sum::<f64>() / POINTS as f64);
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
