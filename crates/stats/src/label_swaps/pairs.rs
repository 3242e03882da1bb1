//! Exchanges of labels on pairs.

use super::contrast::Contrast;
use super::{COUNTED, Outcome, Sums, draws_for, push};

/// The outcomes of both settings, pair by pair.
pub(super) struct Pairs {
    /// Each outcome times the weight of its pair.
    pub(super) outcomes: Vec<[Outcome; 2]>,
}

impl Pairs {
    /// Pairs that all count alike.
    pub(super) fn new(outcomes: Vec<[Outcome; 2]>) -> Self {
        Self { outcomes }
    }

    /// The pairs of all puzzles, weighted so that each puzzle counts alike.
    pub(super) fn weighted(puzzles: &[[Vec<Outcome>; 2]]) -> Self {
        let mut pairs = Self::new(Vec::new());
        let all: usize = puzzles.iter().map(|puzzle| puzzle[0].len()).sum();
        for [first, second] in puzzles {
            assert_eq!(first.len(), second.len(), "outcomes of a start stand in pairs");
            let weight = all as f64 / (puzzles.len() * first.len()) as f64;
            for (a, b) in first.iter().zip(second) {
                let pair =
                    [a, b].map(|one| Outcome { spent: one.spent * weight, solved: one.solved * weight });
                pairs.outcomes.push(pair);
            }
        }
        pairs
    }

    /// The contrast of the ratio of costs.
    pub(super) fn contrast(&self, sums: &Sums) -> Contrast {
        let n = self.outcomes.len();
        // If solutions were added to the sums, each pair has its part of them.
        let more = (sums.solved[0] - Sums::new(&self.outcomes).solved[0]) / n as f64;
        let mut contrast = Contrast::of_pairs(n);
        for [a, b] in &self.outcomes {
            let first = sums.spent[0] * (b.solved + more) + a.spent * sums.solved[1];
            let second = sums.spent[1] * (a.solved + more) + b.spent * sums.solved[0];
            contrast.add(first, second);
        }
        contrast
    }

    /// Whether a setting always solves on more than half of the pairs.
    pub(super) fn is_solved_by_most(&self, setting: usize) -> bool {
        let solved = self.outcomes.iter().filter(|pair| pair[setting].solved == 1.0).count();
        2 * solved > self.outcomes.len()
    }

    /// The same with the spread that one more failure would add: of the setting that costs less, one more start like its worst.
    /// `None` if that setting has not failed. Where failures are rare and dear, a few of them show too little of the spread, and
    /// exchanges do not protect: settings that cost the same are not alike.
    pub(super) fn careful_contrast(&self, sums: &Sums) -> Option<Contrast> {
        let cheaper = usize::from(sums.ratio()? < 1.0);
        let (spent, solved, n) = (sums.spent, sums.solved, sums.count);
        let of_cheaper = self.outcomes.iter().map(|pair| pair[cheaper]);
        let worst =
            of_cheaper.min_by(|a, b| a.solved.total_cmp(&b.solved).then(b.spent.total_cmp(&a.spent)))?;
        if worst.solved >= solved[cheaper] / n {
            return None;
        }
        let (more_spent, more_solved) =
            (worst.spent - spent[cheaper] / n, worst.solved - solved[cheaper] / n);
        let mut contrast = self.contrast(sums);
        if cheaper == 0 {
            contrast.spread(more_spent * solved[1], spent[1] * more_solved);
        } else {
            contrast.spread(spent[0] * more_solved, more_spent * solved[0]);
        }
        Some(contrast)
    }
}

/// Exchanges of labels on pairs.
pub(super) struct Swaps {
    /// Of each pair, with what is spent and solved as shares of the totals: the differences d and f of both, and w e and w m,
    /// where w is d - f, e and m the sums of what is solved and spent.
    rows: Vec<[f64; 4]>,
    /// The sums of these without an exchange.
    pub(super) sums: [f64; 4],
    squares: Squares,
}

/// Sums of products over pairs, which no exchange changes.
#[derive(Default)]
struct Squares {
    ww: f64,
    ee: f64,
    em: f64,
    mm: f64,
    dd: f64,
    ff: f64,
}

impl Swaps {
    pub(super) fn new(pairs: &[[Outcome; 2]]) -> Self {
        let Sums { spent, solved, .. } = Sums::new(pairs);
        let share = |part: f64, total: f64| if total > 0.0 { part / total } else { 0.0 };
        let (all_spent, all_solved) = (spent[0] + spent[1], solved[0] + solved[1]);
        let (mut rows, mut sums, mut squares) =
            (Vec::with_capacity(pairs.len()), [0.0; 4], Squares::default());
        for [a, b] in pairs {
            let (d, m) = (share(a.spent - b.spent, all_spent), share(a.spent + b.spent, all_spent));
            let (f, e) = (share(a.solved - b.solved, all_solved), share(a.solved + b.solved, all_solved));
            let w = d - f;
            let row = [d, f, w * e, w * m];
            for (sum, part) in sums.iter_mut().zip(row) {
                *sum += part;
            }
            squares.ww += w * w;
            squares.ee += e * e;
            squares.em += e * m;
            squares.mm += m * m;
            squares.dd += d * d;
            squares.ff += f * f;
            rows.push(row);
        }
        if all_spent == 0.0 || all_solved == 0.0 {
            // Nothing to compare a cost with: its statistic stays 0.
            squares.ww = f64::INFINITY;
        }
        Self { rows, sums, squares }
    }

    /// The statistics of the cost, of what is spent and of the share, on the scale of Student's.
    pub(super) fn statistics(&self, &[x, y, we, wm]: &[f64; 4]) -> [f64; 3] {
        let Squares { ww, ee, em, mm, dd, ff } = self.squares;
        let variance = ww + 2.0 * x * we - 2.0 * y * wm + x * x * ee - 2.0 * x * y * em + y * y * mm;
        let n = self.rows.len() as f64;
        let student = |sum: f64, squares: f64| {
            let square = if squares > 1e-300 { (sum * sum / squares).min(n) } else { 0.0 };
            // Equal parts of all pairs leave no room below n but for rounding.
            (square * (n - 1.0) / (n - square).max(n * 1e-12)).sqrt()
        };
        // The influences add up to twice D.
        [student(2.0 * (x - y), variance) / 2.0, student(x, dd), student(y, ff)]
    }

    /// The statistics of many exchanges: of the cost, what is spent, the share, and the largest of the three.
    pub(super) fn draws(&self, bits: &mut dyn FnMut() -> u64) -> [Vec<f64>; 4] {
        let n = self.rows.len();
        let count = if n <= COUNTED { 1 << (n - 1) } else { draws_for(n) };
        let mut draws: [Vec<f64>; 4] = Default::default();
        for number in 0..count {
            let mut sums = [0.0; 4];
            let mut signs = 0;
            for (place, row) in self.rows.iter().enumerate() {
                if place % 64 == 0 {
                    signs = if n <= COUNTED { number as u64 } else { bits() };
                }
                let sign = (signs & 1) << 63;
                signs >>= 1;
                for (sum, part) in sums.iter_mut().zip(row) {
                    *sum += f64::from_bits(part.to_bits() ^ sign);
                }
            }
            push(&mut draws, self.statistics(&sums));
        }
        draws
    }
}
