//! Runs without common starts, dealt out anew within each puzzle.

use super::contrast::Contrast;
use super::{Outcome, Sums, draws_for, push};

/// Runs of two settings that are dealt out anew within each puzzle.
pub(super) struct Dealt {
    puzzles: Vec<DealtPuzzle>,
}

/// The runs of a puzzle, those of the first setting first.
struct DealtPuzzle {
    runs: Vec<Outcome>,
    /// How many are of the first setting.
    first: usize,
    total: Moments,
}

/// Sums over runs.
#[derive(Clone, Copy, Default)]
pub(super) struct Moments {
    n: f64,
    spent: f64,
    solved: f64,
    spent_squares: f64,
    solved_squares: f64,
    products: f64,
}

impl Moments {
    fn add(&mut self, run: &Outcome) {
        self.n += 1.0;
        self.spent += run.spent;
        self.solved += run.solved;
        self.spent_squares += run.spent * run.spent;
        self.solved_squares += run.solved * run.solved;
        self.products += run.spent * run.solved;
    }

    /// The runs of `total` that are not of these.
    fn rest(&self, total: &Self) -> Self {
        Self {
            n: total.n - self.n,
            spent: total.spent - self.spent,
            solved: total.solved - self.solved,
            spent_squares: total.spent_squares - self.spent_squares,
            solved_squares: total.solved_squares - self.solved_squares,
            products: total.products - self.products,
        }
    }

    /// The variance of the mean of `x` times what is spent plus `y` times what is solved.
    fn variance(&self, x: f64, y: f64) -> f64 {
        let mean = (x * self.spent + y * self.solved) / self.n;
        let squares = x * x * self.spent_squares + 2.0 * x * y * self.products + y * y * self.solved_squares;
        ((squares / self.n - mean * mean) / (self.n - 1.0)).max(0.0)
    }
}

impl Dealt {
    pub(super) fn new(puzzles: &[[Vec<Outcome>; 2]]) -> Self {
        let mut dealt = Vec::with_capacity(puzzles.len());
        for [first, second] in puzzles {
            let runs = [first.as_slice(), second].concat();
            let mut total = Moments::default();
            runs.iter().for_each(|run| total.add(run));
            dealt.push(DealtPuzzle { runs, first: first.len(), total });
        }
        Self { puzzles: dealt }
    }

    pub(super) fn runs(&self) -> usize {
        self.puzzles.iter().map(|puzzle| puzzle.runs.len()).sum()
    }

    pub(super) fn freedom(&self) -> f64 {
        (self.runs() - 2 * self.puzzles.len()) as f64
    }

    /// Of all ways to deal the runs out, two are the most extreme.
    pub(super) fn least_p(&self) -> f64 {
        let mut ways = 1.0;
        for DealtPuzzle { runs, first, .. } in &self.puzzles {
            for place in 0..*first {
                ways *= (runs.len() - place) as f64 / (place + 1) as f64;
            }
        }
        (2.0 / ways).min(1.0)
    }

    /// The moments of the runs of the first setting, puzzle by puzzle.
    pub(super) fn first_sums(&self) -> Vec<Moments> {
        let mut sums = Vec::with_capacity(self.puzzles.len());
        for puzzle in &self.puzzles {
            let mut moments = Moments::default();
            puzzle.runs[..puzzle.first].iter().for_each(|run| moments.add(run));
            sums.push(moments);
        }
        sums
    }

    pub(super) fn statistics(&self, firsts: &[Moments]) -> [f64; 3] {
        let mut sums = Sums { spent: [0.0; 2], solved: [0.0; 2], count: 1.0 };
        for (puzzle, first) in self.puzzles.iter().zip(firsts) {
            for (setting, part) in [*first, first.rest(&puzzle.total)].iter().enumerate() {
                sums.spent[setting] += part.spent / part.n;
                sums.solved[setting] += part.solved / part.n;
            }
        }
        let Sums { spent, solved, .. } = sums;
        let (mut cost, mut of_spent, mut of_share) = (0.0, 0.0, 0.0);
        for (puzzle, first) in self.puzzles.iter().zip(firsts) {
            let second = first.rest(&puzzle.total);
            cost += first.variance(solved[1], -spent[1]) + second.variance(-solved[0], spent[0]);
            of_spent += first.variance(1.0, 0.0) + second.variance(1.0, 0.0);
            of_share += first.variance(0.0, 1.0) + second.variance(0.0, 1.0);
        }
        let differences =
            [spent[0] * solved[1] - spent[1] * solved[0], spent[0] - spent[1], solved[0] - solved[1]];
        let mut statistics = [0.0; 3];
        for (place, (difference, variance)) in
            differences.into_iter().zip([cost, of_spent, of_share]).enumerate()
        {
            // Without any spread a difference is as large as can be.
            let least = difference * difference * 1e-24;
            statistics[place] =
                if difference == 0.0 { 0.0 } else { difference.abs() / variance.max(least).sqrt() };
        }
        statistics
    }

    pub(super) fn draws(&self, bits: &mut dyn FnMut() -> u64) -> [Vec<f64>; 4] {
        let mut decks: Vec<Vec<Outcome>> = self.puzzles.iter().map(|puzzle| puzzle.runs.clone()).collect();
        let mut draws: [Vec<f64>; 4] = Default::default();
        for _ in 0..draws_for(self.runs()) {
            let mut firsts = Vec::with_capacity(decks.len());
            for (puzzle, deck) in self.puzzles.iter().zip(&mut decks) {
                let mut moments = Moments::default();
                for place in 0..puzzle.first {
                    let left = (deck.len() - place) as u128;
                    let other = place + ((u128::from(bits()) * left) >> 64) as usize;
                    deck.swap(place, other);
                    moments.add(&deck[place]);
                }
                firsts.push(moments);
            }
            push(&mut draws, self.statistics(&firsts));
        }
        draws
    }

    /// The contrast of the ratio of costs.
    pub(super) fn contrast(&self, sums: &Sums) -> Contrast {
        let (spent, solved) = (sums.spent, sums.solved);
        let mut ratios = Contrast::of_runs(spent[0] * solved[1], spent[1] * solved[0]);
        for (puzzle, first) in self.puzzles.iter().zip(self.first_sums()) {
            let second = first.rest(&puzzle.total);
            // Of r c_A S_B - s_A C_B and r s_B C_A - c_B S_A, as a quadratic form in r.
            let squares = first.variance(solved[1], 0.0) + second.variance(0.0, spent[0]);
            let second_squares = first.variance(0.0, spent[1]) + second.variance(solved[0], 0.0);
            let both = first.variance(solved[1], -spent[1]) + second.variance(-solved[0], spent[0]);
            ratios.squares += squares;
            ratios.second_squares += second_squares;
            ratios.products += (squares + second_squares - both) / 2.0;
        }
        ratios
    }
}
