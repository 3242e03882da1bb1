//! What a race finds, and what a grid finds with as many runs.

use kenga::experiment::{Race, RaceRules};
use kenga::rng::{RunRng, StreamKey};
use kenga::stats::{holm_among, normal_quantile, paired_differences, rank_order, wilcoxon};
use rayon::prelude::*;

use super::law::{Law, normal_below};
use super::percent;

/// What the filter of the program calls this table.
pub const NAME: &str = "power of races";

/// A race in which one setting is better than all others.
struct Field {
    settings: usize,
    /// How many times as long the others take.
    ratio: f64,
}

const fn field(settings: usize, ratio: f64) -> Field {
    Field { settings, ratio }
}

const FIELDS: [Field; 12] = [
    field(2, 1.0),
    field(2, 1.5),
    field(2, 2.0),
    field(2, 4.0),
    field(4, 1.0),
    field(4, 1.5),
    field(4, 2.0),
    field(4, 4.0),
    field(8, 1.0),
    field(8, 1.5),
    field(8, 2.0),
    field(8, 4.0),
];

/// Blocks of a race.
const BLOCKS: u64 = 100;

const RULES: RaceRules = RaceRules { first: 6, alpha: 0.05 };

/// What one race and one grid have found.
#[derive(Clone, Copy, Default)]
struct Found {
    /// The best setting alone is left in the race; of equal settings some were dropped.
    race: u64,
    /// The race has dropped the best.
    lost: u64,
    /// Runs of the race.
    runs: u64,
    /// The best setting alone is left in a race that spends alpha up to its last block.
    spending: u64,
    /// Runs of that race.
    spending_runs: u64,
    /// A grid with as many runs as the race shows that the best is better than all others.
    same_runs: u64,
    /// The grid of all blocks does.
    whole: u64,
}

pub fn print(simulations: u64) {
    println!(
        "\n| settings | the others take | race | best dropped | runs | spending | runs | grid of as many runs | whole grid |\n|---|---|---|---|---|---|---|---|---|"
    );
    for field in &FIELDS {
        let each = (0..simulations).into_par_iter().map(|seed| field.simulate(seed));
        let sum = each.reduce(Found::default, Found::plus);
        let of = |count: u64| percent([count, simulations]);
        let grid_share = |count: u64| if field.ratio == 1.0 { "–".to_owned() } else { of(count) };
        let grid = simulations * BLOCKS * field.settings as u64;
        println!(
            "| {} | {} × | {} | {} | {} | {} | {} | {} | {} |",
            field.settings,
            field.ratio,
            of(sum.race),
            of(sum.lost),
            percent([sum.runs, grid]),
            of(sum.spending),
            percent([sum.spending_runs, grid]),
            grid_share(sum.same_runs),
            grid_share(sum.whole)
        );
    }
}

impl Found {
    fn plus(self, other: Self) -> Self {
        Self {
            race: self.race + other.race,
            lost: self.lost + other.lost,
            runs: self.runs + other.runs,
            spending: self.spending + other.spending,
            spending_runs: self.spending_runs + other.spending_runs,
            same_runs: self.same_runs + other.same_runs,
            whole: self.whole + other.whole,
        }
    }
}

impl Field {
    /// The calls of a setting, of which the first is the best; the slowest fifth of its runs fail.
    fn calls(&self, rng: &mut RunRng, setting: usize) -> f64 {
        let time = Law::Exponential.quantile(rng.unit()) * if setting == 0 { 1.0 } else { self.ratio };
        if time <= Law::Exponential.quantile(0.8) { time * 1e4 } else { f64::INFINITY }
    }

    /// The best alone is left; of equal settings, which have no best, some were dropped.
    fn is_decided(&self, left: &[usize]) -> bool {
        if self.ratio == 1.0 { left.len() < self.settings } else { left == [0] }
    }

    fn simulate(&self, seed: u64) -> Found {
        let mut rng = StreamKey::run(seed, "power", 0).rng();
        let mut race = Race::new(RULES, self.settings, BLOCKS);
        while race.next().is_some() {
            let calls: Vec<f64> = race.left().iter().map(|setting| self.calls(&mut rng, *setting)).collect();
            race.take(&calls);
        }
        let same = (race.runs() as f64 / self.settings as f64).round() as u64;
        let (spending, spending_runs) = self.spend(&mut rng);
        Found {
            race: u64::from(self.is_decided(race.left())),
            lost: u64::from(!race.left().contains(&0)),
            runs: race.runs(),
            spending: u64::from(self.is_decided(&spending)),
            spending_runs,
            same_runs: u64::from(self.grid_shows(&mut rng, same)),
            whole: u64::from(self.grid_shows(&mut rng, BLOCKS)),
        }
    }

    /// A race with the same tests that knows its last block and spends alpha up to it like O'Brien and Fleming (K. K. G. Lan,
    /// D. L. DeMets 1983, doi:10.1093/biomet/70.3.659): the settings that are left, and its runs.
    fn spend(&self, rng: &mut RunRng) -> (Vec<usize>, u64) {
        let mut left: Vec<usize> = (0..self.settings).collect();
        let mut sides = vec![Vec::new(); self.settings];
        let mut runs = 0;
        for block in 1..=BLOCKS {
            for setting in &left {
                sides[*setting].push(self.calls(rng, *setting).max(1.0).ln());
            }
            runs += left.len() as u64;
            if block < RULES.first {
                continue;
            }
            let rows: Vec<f64> = (0..block as usize)
                .flat_map(|row| left.iter().map(move |setting| (row, *setting)))
                .map(|(row, setting)| sides[setting][row])
                .collect();
            let order: Vec<usize> =
                rank_order(&rows, left.len()).into_iter().map(|place| left[place]).collect();
            let mut p_values = Vec::new();
            for other in &order[1..] {
                let p = wilcoxon(&paired_differences(&sides[order[0]], &sides[*other])).p;
                let z = normal_quantile(1.0 - p.max(1e-15) / 2.0);
                let tail = 1.0 - normal_below(z * (block as f64 / BLOCKS as f64).sqrt());
                p_values.push((4.0 * tail).min(1.0));
            }
            let corrected = holm_among(&p_values, left.len() * (left.len() - 1) / 2);
            let dropped: Vec<usize> = order[1..]
                .iter()
                .zip(corrected)
                .filter(|(_, p)| *p < RULES.alpha)
                .map(|(one, _)| *one)
                .collect();
            left.retain(|setting| !dropped.contains(setting));
            if left.len() == 1 {
                break;
            }
        }
        (left, runs)
    }

    /// Whether the comparison of a grid shows the first setting to be better than all others: signed ranks of logarithms,
    /// corrected for all pairs.
    fn grid_shows(&self, rng: &mut RunRng, blocks: u64) -> bool {
        let mut sides = vec![Vec::new(); self.settings];
        for _ in 0..blocks {
            for (setting, side) in sides.iter_mut().enumerate() {
                side.push(self.calls(rng, setting).max(1.0).ln());
            }
        }
        let p_values: Vec<f64> =
            sides[1..].iter().map(|other| wilcoxon(&paired_differences(&sides[0], other)).p).collect();
        let corrected = holm_among(&p_values, self.settings * (self.settings - 1) / 2);
        let median = |side: &[f64]| {
            let mut sorted = side.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        };
        let is_first = sides[1..].iter().all(|other| median(&sides[0]) < median(other));
        is_first && corrected.iter().all(|p| *p < 0.05)
    }
}
