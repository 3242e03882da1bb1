//! Success and running time over a number that the puzzles have in their meta, such as the share of holes; beside it the exact
//! solver's decisions.

use std::collections::BTreeMap;

use super::super::graphic::{Graphic, Scale, setting_key};
use super::super::measurements::{Factor, Level, Measurements};
use super::parameter::{HEIGHT, KeyAxis, LevelsRun, calls_scale, median_calls, share_solved};
use super::{Drawing, Drawn, Figure, ShownSettings, WIDTH};
use kenga_lab::results::Folder;
use kenga_stats::Observed;

pub(super) const FIGURE: Figure = Figure { id: "puzzle-key", title: "By a number of the puzzles", draw };

/// The fewest values of a key, and the fewest puzzles for each on average.
const VALUES: usize = 3;
const PUZZLES: usize = 2;

/// The most keys.
const KEYS: usize = 4;

/// What tells puzzles of one series apart.
const NAMES: [&str; 2] = ["seed", "number"];

/// A key of the puzzles' meta with its values, and the runs of every setting at each.
struct PuzzleKey {
    factor: Factor,
    settings: Vec<LevelsRun>,
    /// The exact solver on the puzzles; empty where it was not asked.
    exact: LevelsRun,
    /// Puzzles that the exact solver left undecided.
    undecided: usize,
}

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, String> {
    let shown = ShownSettings::choose(measurements, |_| true);
    let facts = exact_decisions(measurements);
    let keys: Vec<PuzzleKey> = factors(measurements)
        .into_iter()
        .map(|(factor, level_of)| PuzzleKey::of(measurements, &shown, &facts, (factor, &level_of)))
        .collect();
    if keys.is_empty() {
        return Err(String::new());
    }
    let drawing = |key: &PuzzleKey| {
        let name = format!("by-{}", key.factor.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
        let title = format!("Success and calls by {} of the puzzles", key.factor.name);
        Drawing::new((name, title), caption(key, &shown), WIDTH, |width| {
            chart(measurements, key, &shown, width)
        })
    };
    Ok(Drawn::of(keys.iter().map(drawing).collect()))
}

fn caption(key: &PuzzleKey, shown: &ShownSettings) -> String {
    let mut caption = format!(
        "The share of runs solved on the puzzles with each value of {}, with Wilson's 95 % interval, and the median calls to a solution with its 95 % interval from order statistics. Runs without a solution are censored: a median beyond the longest run is a hollow square at the upper edge.{}",
        key.factor.name,
        shown.in_words()
    );
    if !key.exact.is_empty() {
        caption += " At the bottom, the median decisions of the exact solver over the same puzzles, likewise";
        caption += &match key.undecided {
            0 => "; it decided all of them.".to_owned(),
            undecided => format!("; it left {undecided} of them undecided, which are censored."),
        };
    }
    caption
}

/// The decisions of the exact solver on every puzzle; censored where a limit ended it before a solution or a proof.
fn exact_decisions(measurements: &Measurements<'_>) -> BTreeMap<String, Observed> {
    let read = measurements.study.sources.iter().filter_map(|source| Folder::facts(&source.path).ok());
    let decisions = read.flatten().filter_map(|row| {
        let solved = row.solutions? > 0 || row.solutions_exact?;
        Some((row.puzzle, Observed { spent: row.nodes? as f64, solved }))
    });
    decisions.collect()
}

/// The keys that are numbers in the meta of every puzzle, with several values and several puzzles for each; and the level of
/// every puzzle.
fn factors(measurements: &Measurements<'_>) -> Vec<(Factor, BTreeMap<String, usize>)> {
    let puzzles = measurements.study.puzzles();
    let Some(first) = puzzles.first() else { return Vec::new() };
    let keys = first.meta.keys().filter(|key| !NAMES.contains(&key.as_str()));
    let factor = |key: &String| {
        let value = |puzzle: &&kenga_core::puzzle::Puzzle| puzzle.meta.get(key)?.as_f64();
        let values: Vec<f64> = puzzles.iter().map(value).collect::<Option<_>>()?;
        let mut levels = values.clone();
        levels.sort_unstable_by(f64::total_cmp);
        levels.dedup();
        let enough = levels.len() >= VALUES && levels.len() * PUZZLES <= puzzles.len();
        let level = |value: f64| levels.iter().position(|level| *level == value);
        let level_of = puzzles.iter().zip(&values);
        let level_of =
            level_of.filter_map(|(puzzle, value)| Some((puzzle.id.clone(), level(*value)?))).collect();
        let names = levels.iter().map(f64::to_string).collect();
        enough.then(|| (Factor { name: key.clone(), levels: names, of: Vec::new() }, level_of))
    };
    keys.filter_map(factor).take(KEYS).collect()
}

impl PuzzleKey {
    fn of(
        measurements: &Measurements<'_>,
        shown: &ShownSettings,
        facts: &BTreeMap<String, Observed>,
        (factor, level_of): (Factor, &BTreeMap<String, usize>),
    ) -> Self {
        let levels = |observed: &mut dyn Iterator<Item = (&String, Observed)>| -> LevelsRun {
            let mut at = vec![Vec::new(); factor.levels.len()];
            for (puzzle, one) in observed {
                at[level_of[puzzle]].push(one);
            }
            at.iter().enumerate().filter_map(|(index, runs)| Some((index, Level::of(runs)?))).collect()
        };
        let of_setting = |setting: &usize| {
            let puzzles = &measurements.sides()[*setting].puzzles;
            levels(&mut puzzles.iter().flat_map(|of| of.observed.iter().map(|one| (&of.id, *one))))
        };
        let settings = shown.series.iter().map(of_setting).collect();
        let known = || facts.iter().filter(|(puzzle, _)| level_of.contains_key(*puzzle));
        let exact = levels(&mut known().map(|(puzzle, one)| (puzzle, *one)));
        let undecided = known().filter(|(_, one)| !one.solved).count();
        Self { factor, settings, exact, undecided }
    }
}

/// A panel for the shares, one for the calls and, where it is known, one for the exact solver.
fn chart(measurements: &Measurements<'_>, key: &PuzzleKey, shown: &ShownSettings, width: f64) -> Graphic {
    let mut graphic = Graphic::new(width, 0.0);
    let top = shown.legend(&mut graphic, width);
    let axis = KeyAxis::of(&key.factor);
    let panels = if key.exact.is_empty() { 2.0 } else { 3.0 };
    graphic.set_height(top + (HEIGHT + 8.0) * panels + 8.0);
    let at = |panel: f64| (top + (HEIGHT + 8.0) * panel, width);
    let shares = ("share of runs solved", Scale::linear(0.0, 1.0));
    let curve = |series: usize| setting_key(shown.series[series]);
    axis.panel(&mut graphic, at(0.0), shares, &key.settings, &curve, &share_solved);
    let longest = measurements.longest;
    let calls = ("median calls (logarithmic)", calls_scale(&key.settings, longest));
    axis.panel(&mut graphic, at(1.0), calls, &key.settings, &curve, &|level| median_calls(level, longest));
    if panels > 2.0 {
        let exact = std::slice::from_ref(&key.exact);
        let most = key.exact.iter().map(|(_, level)| level.longest).fold(1.0, f64::max);
        let decisions = ("median decisions (logarithmic)", calls_scale(exact, most));
        axis.panel(&mut graphic, at(2.0), decisions, exact, &|_| "exact".to_owned(), &|level| {
            median_calls(level, most)
        });
    }
    graphic
}
