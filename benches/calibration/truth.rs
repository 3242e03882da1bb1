//! The truth about experiments, up to a budget.

use kenga::stats::normal_quantile;

use super::design::Design;

/// Runs by which a law is known.
const POINTS: usize = 4000;

/// Puzzles by which a kind is known.
const KIND: usize = 200;

/// Two numbers are equal if their logarithms, or two shares themselves, differ by less: the numbers in `designs.rs` that make
/// costs equal are rounded.
const EQUAL: f64 = 1e-3;

/// What a run of a side spends up to a limit, and the probability that it solves by then, in the mean over some puzzles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Means {
    pub spent: f64,
    pub solved: f64,
}

impl Means {
    /// What a solution costs.
    pub fn cost(self) -> f64 {
        self.spent / self.solved
    }

    /// PAR-10 with a budget.
    pub fn par10(self, budget: f64) -> f64 {
        self.spent + 9.0 * budget * (1.0 - self.solved)
    }

    fn mean(parts: impl Iterator<Item = Self>) -> Self {
        let (mut sum, mut count) = (Self::default(), 0.0);
        for part in parts {
            sum.spent += part.spent;
            sum.solved += part.solved;
            count += 1.0;
        }
        Self { spent: sum.spent / count, solved: sum.solved / count }
    }
}

/// How the second of two sides differs from the first.
#[derive(Clone, Copy, Debug)]
pub struct Difference {
    /// The ratio of what a solution costs.
    pub ratio: f64,
    /// The difference of shares.
    pub share: f64,
    /// The ratio of what a run spends.
    pub spent: f64,
}

impl Difference {
    pub fn new(first: Means, second: Means) -> Self {
        Self {
            ratio: second.cost() / first.cost(),
            share: second.solved - first.solved,
            spent: second.spent / first.spent,
        }
    }

    /// The signs of the differences in cost, share and what a run spends; 0 for none. Settings that interact with puzzles differ
    /// on these, if only a little.
    pub fn signs(&self, design: &Design) -> [i8; 3] {
        let equal = if design.interaction > 0.0 { 1e-9 } else { EQUAL };
        [self.ratio.ln(), self.share, self.spent.ln()]
            .map(|difference| if difference.abs() < equal { 0 } else { sign(difference) })
    }
}

/// The sign of a number.
pub fn sign(number: f64) -> i8 {
    if number == 0.0 { 0 } else { number.signum() as i8 }
}

/// The times of a law, in order, each with the sum of those before it.
struct Times(Vec<[f64; 2]>);

/// What is true of a design.
pub struct Truth<'a> {
    design: &'a Design,
    /// The times of even and odd sides, by variant.
    times: [Vec<Times>; 2],
}

impl<'a> Truth<'a> {
    pub fn new(design: &'a Design) -> Self {
        let times = [0, 1].map(|side| {
            let variants = 0..design.copies;
            variants
                .map(|variant| Times::new(|u| design.law(side, variant).quantile(u) * design.swept(variant)))
                .collect()
        });
        Self { design, times }
    }

    /// What a side spends and solves on a puzzle of this difficulty.
    fn on(&self, side: usize, difficulty: f64, limit: f64) -> Means {
        Means::mean(self.times[side % 2].iter().map(|times| times.up_to(limit, difficulty)))
    }

    /// What a side spends and solves on puzzles of these difficulties.
    pub fn these(&self, side: usize, difficulty: &[f64], limit: f64) -> Means {
        Means::mean(difficulty.iter().map(|difficulty| self.on(side, *difficulty, limit)))
    }

    /// What a side spends and solves over the kind.
    pub fn kind(&self, side: usize, limit: f64) -> Means {
        let design = self.design;
        let deviation = design.spread.hypot(design.interaction / 2.0_f64.sqrt());
        let mean = Means::mean((0..KIND).map(|at| {
            let normal = normal_quantile((at as f64 + 0.5) / KIND as f64);
            self.on(side, (deviation * normal).exp() * design.factor(side, 0), limit)
        }));
        let gaps = if side % 2 == 1 { design.gaps } else { 0.0 };
        Means { spent: mean.spent + gaps * (limit - mean.spent), solved: mean.solved * (1.0 - gaps) }
    }
}

impl Times {
    fn new(quantile: impl Fn(f64) -> f64) -> Self {
        let mut sum = 0.0;
        let mut times = Vec::with_capacity(POINTS);
        for at in 0..POINTS {
            let time = quantile((at as f64 + 0.5) / POINTS as f64);
            times.push([time, sum]);
            sum += time;
        }
        Self(times)
    }

    /// What a run spends and solves up to a limit, on a puzzle of this difficulty.
    fn up_to(&self, limit: f64, difficulty: f64) -> Means {
        let solving = self.0.partition_point(|[time, _]| time * difficulty <= limit);
        let sum = match self.0[..solving].last() {
            Some([time, before]) => (time + before) * difficulty,
            None => 0.0,
        };
        let solved = solving as f64 / POINTS as f64;
        Means { spent: sum / POINTS as f64 + limit * (1.0 - solved), solved }
    }
}
