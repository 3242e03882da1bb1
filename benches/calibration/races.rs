//! What a race finds, and what a grid finds with as many runs.

use kenga::experiment::{Race, RaceRules};
use kenga::rng::{RunRng, StreamKey};
use kenga::stats::{holm_among, paired_differences, wilcoxon};
use rayon::prelude::*;

use super::law::Law;
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

/// What races of one kind have found.
#[derive(Clone, Copy, Default)]
struct Raced {
    /// The best setting alone is left; of equal settings some were dropped.
    decided: u64,
    /// The best was dropped.
    lost: u64,
    runs: u64,
}

/// What one race of each kind and one grid have found.
#[derive(Clone, Copy, Default)]
struct Found {
    /// The race to which blocks can always be added.
    open: Raced,
    /// The race that spends alpha up to its last block.
    planned: Raced,
    /// A grid with as many runs as the open race shows that the best is better than all others.
    same_runs: u64,
    /// The grid of all blocks does.
    whole: u64,
}

pub fn print(simulations: u64) {
    println!(
        "\n| settings | the others take | race | best dropped | runs | `last` | best dropped | runs | grid of as many runs | whole grid |\n|---|---|---|---|---|---|---|---|---|---|"
    );
    for field in &FIELDS {
        let each = (0..simulations).into_par_iter().map(|seed| field.simulate(seed));
        let sum = each.reduce(Found::default, Found::plus);
        let of = |count: u64| percent([count, simulations]);
        let grid_share = |count: u64| if field.ratio == 1.0 { "–".to_owned() } else { of(count) };
        let grid = simulations * BLOCKS * field.settings as u64;
        let raced = |Raced { decided, lost, runs }: Raced| {
            format!("{} | {} | {}", of(decided), of(lost), percent([runs, grid]))
        };
        println!(
            "| {} | {} × | {} | {} | {} | {} |",
            field.settings,
            field.ratio,
            raced(sum.open),
            raced(sum.planned),
            grid_share(sum.same_runs),
            grid_share(sum.whole)
        );
    }
}

impl Raced {
    fn of(field: &Field, race: &Race) -> Self {
        Self {
            decided: u64::from(field.is_decided(race.left())),
            lost: u64::from(!race.left().contains(&0)),
            runs: race.runs(),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            decided: self.decided + other.decided,
            lost: self.lost + other.lost,
            runs: self.runs + other.runs,
        }
    }
}

impl Found {
    fn plus(self, other: Self) -> Self {
        Self {
            open: self.open.plus(other.open),
            planned: self.planned.plus(other.planned),
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
        let open = self.race(None, &mut rng);
        let planned = self.race(Some(BLOCKS), &mut rng);
        let same = (open.runs() as f64 / self.settings as f64).round() as u64;
        Found {
            open: Raced::of(self, &open),
            planned: Raced::of(self, &planned),
            same_runs: u64::from(self.grid_shows(&mut rng, same)),
            whole: u64::from(self.grid_shows(&mut rng, BLOCKS)),
        }
    }

    /// A race that has ended.
    fn race(&self, last: Option<u64>, rng: &mut RunRng) -> Race {
        let rules = RaceRules { first: 6, last, alpha: 0.05 };
        let mut race = Race::new(rules, self.settings, BLOCKS);
        while race.next().is_some() {
            let calls: Vec<f64> = race.left().iter().map(|setting| self.calls(rng, *setting)).collect();
            race.take(&calls);
        }
        race
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
