//! Which parameters matter.

use super::super::graphic::{Anchor, Frame, Graphic, Scale, shortened, text_width, widest};
use super::super::measurements::{Factor, Measurements};
use super::{Drawing, Drawn, Figure, NotDrawn, panel_width, percent};
use kenga_core::sort::sort_by;
use kenga_lab::study::{BlockRuns, RunValue};
use kenga_stats::{Importance, ImportanceError, PartShare, importance, mean};

pub(super) const FIGURE: Figure = Figure { id: "importance", title: "Which parameters matter", draw };

/// The colours of the upper and the lower bar, which differ in print without colours too.
const BARS: [&str; 2] = ["c0", "c4"];

/// The most pairs with bars.
const PAIRS: usize = 6;

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    let factors = measurements.labels.factors();
    if factors.len() < 2 {
        return Err(NotDrawn::Silently);
    }
    let (mut drawings, mut remarks) = (Vec::new(), Vec::new());
    for (part, name) in measurements.shown_puzzles.iter().enumerate() {
        match of_part(measurements, part, &factors) {
            Ok(drawing) => drawings.push(drawing),
            Err(why) if measurements.puzzles > 1 => remarks.push(format!("{name} is left out: {why}.")),
            Err(why) => remarks.push(format!("The importance of parameters is left out: {why}.")),
        }
    }
    if drawings.is_empty() {
        return Err(remarks.into_iter().next().map_or(NotDrawn::Silently, NotDrawn::Because));
    }
    remarks.extend(measurements.parts_note());
    Ok(Drawn { remarks, ..Drawn::of(drawings) })
}

/// The importance of parameters on a puzzle.
pub(crate) struct PuzzleImportance {
    /// Of the share of runs solved.
    pub(crate) solved: Importance,
    /// Of PAR-10.
    pub(crate) calls: Importance,
}

impl PuzzleImportance {
    /// The importance of some parameters on one puzzle, or a sentence why there is none.
    pub(crate) fn new(
        measurements: &Measurements<'_>,
        part: usize,
        factors: &[Factor],
    ) -> Result<Self, String> {
        if measurements.is_by_fitness {
            return Err("the best value of the problem is unknown".to_owned());
        }
        let levels: Vec<usize> = factors.iter().map(|factor| factor.levels.len()).collect();
        let (mut settings, mut solved, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        for (setting, sample) in measurements.samples.iter().enumerate() {
            let Some(blocks) = sample.on(&measurements.shown_puzzles[part]) else { continue };
            // Blocks are in order: the first of each setting has the same start, unless their seeds or replicates differ.
            for block in blocks.iter() {
                settings.extend(factors.iter().map(|factor| factor.of[setting]));
                solved.push(block_mean(block, |run| if run.solved { 1.0 } else { 0.0 }));
                calls.push(block_mean(block, |run| run.observed.penalised(run.budget)));
            }
        }
        let of_responses = |responses: &[f64]| {
            importance(&levels, &settings, responses).map_err(|why| in_words(&why, factors))
        };
        let (solved, calls) = (of_responses(&solved)?, of_responses(&calls)?);
        if solved.variance == 0.0 && calls.variance == 0.0 {
            return Err("all settings gave equal results".to_owned());
        }
        Ok(Self { solved, calls })
    }

    /// The floors of all bars.
    fn floors(&self) -> Vec<Option<f64>> {
        let mut floors = Vec::new();
        for Importance { main, pairs, .. } in [&self.solved, &self.calls] {
            floors.extend(main.iter().map(|part| part.floor));
            floors.extend(pairs.iter().map(|pair| pair.part.floor));
        }
        floors
    }
}

/// The mean of a number over the runs of a start, of which joined settings have several.
fn block_mean(block: BlockRuns<'_>, number: impl Fn(&RunValue) -> f64) -> f64 {
    let numbers: Vec<f64> = block.runs.iter().map(number).collect();
    mean(&numbers)
}

/// The bars of one puzzle, or why there are none.
fn of_part(measurements: &Measurements<'_>, part: usize, factors: &[Factor]) -> Result<Drawing, String> {
    let found = PuzzleImportance::new(measurements, part, factors)?;
    let mut caption = "The share of the variance between settings that each parameter explains alone, and pairs beyond their two parameters, by a functional analysis of variance over the full grid; the upper bar of the share of runs solved, the lower of PAR-10: the calls to a solution, a run without one counting ten budgets. What a solution costs orders the settings, but has no value for a single start, of which the floors are made. The shares of either sum to 100 %.".to_owned();
    let floors = found.floors();
    let known = floors.iter().filter(|floor| floor.is_some()).count();
    if known > 0 {
        caption += " The line across a bar or beyond its end is its floor, from the differences between starts: if no parameter had an effect, some bar would exceed its floor in 1 of 20 experiments; likewise for pairs.";
    }
    if known == 0 {
        caption += " There are too few runs of each setting to tell a parameter from noise.";
    } else if known < floors.len() {
        caption += " Where a bar has no line there are too few runs to tell it from noise.";
    }
    let name = measurements.part_name("importance", "Variance explained by parameters", part);
    let draw = |width| shares(factors, &found, width);
    Ok(Drawing::new(name, caption, panel_width(measurements), draw))
}

/// Why there is no importance, with the values of a setting that is missing.
fn in_words(why: &ImportanceError, factors: &[Factor]) -> String {
    match why {
        ImportanceError::Missing { levels } => {
            let mut values = Vec::new();
            for (factor, level) in factors.iter().zip(levels) {
                values.push(format!("{} = {}", factor.name, factor.levels[*level]));
            }
            format!("the grid is not full: no run with {}", values.join(", "))
        }
        ImportanceError::Infinite { .. } => "without a budget PAR-10 is unknown".to_owned(),
        other => other.to_string(),
    }
}

fn shares(factors: &[Factor], PuzzleImportance { solved, calls }: &PuzzleImportance, width: f64) -> Graphic {
    let mut rows = Vec::new();
    for (index, factor) in factors.iter().enumerate() {
        rows.push(BarPair::new(factor.name.clone(), solved.main[index], calls.main[index]));
    }
    sort_by(&mut rows, |a, b| b.sum().total_cmp(&a.sum()));
    let mut pairs = Vec::new();
    for (index, shared) in solved.pairs.iter().enumerate() {
        let name = format!("{} × {}", factors[shared.first].name, factors[shared.second].name);
        pairs.push(BarPair::new(name, shared.part, calls.pairs[index].part));
    }
    sort_by(&mut pairs, |a, b| b.sum().total_cmp(&a.sum()));
    let mut rest = [solved.higher, calls.higher];
    for pair in pairs.iter().skip(PAIRS) {
        rest = [rest[0] + pair.shares[0], rest[1] + pair.shares[1]];
    }
    pairs.truncate(PAIRS);
    rows.extend(pairs);
    if factors.len() > 2 {
        rows.push(BarPair::plain("everything else".to_owned(), rest));
    }

    bars(&rows, ["of the share solved", "of PAR-10"], ("share of the variance explained", 1.0), width)
}

/// The height of a pair of bars.
const ROW: f64 = 30.0;

/// The height of the key above the bars, and of one line of it.
const HEAD: f64 = 26.0;
const LINE: f64 = 18.0;

/// A name with its two shares.
pub(super) struct BarPair {
    name: String,
    pub(super) shares: [f64; 2],
    /// The floors of the shares.
    floors: [Option<f64>; 2],
}

impl BarPair {
    /// Shares without floors.
    pub(super) fn plain(name: String, shares: [f64; 2]) -> Self {
        Self { name, shares, floors: [None; 2] }
    }

    fn new(name: String, upper: PartShare, lower: PartShare) -> Self {
        Self { name, shares: [upper.share, lower.share], floors: [upper.floor, lower.floor] }
    }

    fn sum(&self) -> f64 {
        self.shares[0] + self.shares[1]
    }
}

/// Draws a pair of bars in each row. `keys` names the upper and the lower bars; the axis has a title and ends at `top`.
pub(super) fn bars(rows: &[BarPair], keys: [&str; 2], (title, top): (&str, f64), width: f64) -> Graphic {
    let names = widest(rows.iter().map(|row| &row.name), 12.0, 60.0).min(width * 0.4);
    let left = names + 18.0;
    let height = ROW * rows.len() as f64 + 4.0;
    let mut graphic = Graphic::new(width, 0.0);
    let head = key(&mut graphic, keys, left, width);
    graphic.set_height(head + height + 46.0);
    let size = (width - left - 60.0, height);
    let frame = Frame::exact((left, head), size, Scale::linear(0.0, top), Scale::linear(0.0, 1.0));
    frame.x_axis(&mut graphic, title);
    graphic.line("axis", (left, head), (left, head + height));
    for (index, row) in rows.iter().enumerate() {
        let y = head + 2.0 + ROW * index as f64;
        graphic.text("label", (left - 8.0, y + 19.0), Anchor::End, &shortened(&row.name, 12.0, names));
        for place in 0..2 {
            let (class, y) = [(BARS[0], y + 2.0), (BARS[1], y + 14.0)][place];
            bar(&mut graphic, &frame, Bar { row, place, class, of: keys[place] }, (left, y));
        }
    }
    graphic
}

/// One of the two bars of a row.
struct Bar<'a> {
    row: &'a BarPair,
    place: usize,
    class: &'static str,
    of: &'a str,
}

/// Draws a bar with its floor and its share in words.
fn bar(graphic: &mut Graphic, frame: &Frame, Bar { row, place, class, of }: Bar<'_>, (left, y): (f64, f64)) {
    let (share, floor) = (row.shares[place], row.floors[place]);
    let end = frame.x.at(share);
    graphic.rect(class, (left, y), ((end - left).max(1.0), 11.0));
    let of_floor = floor.map_or_else(String::new, |floor| format!(", floor {}", percent(floor)));
    graphic.says(&format!("{}: {} {of}{of_floor}", row.name, percent(share)));
    let mut right = end;
    if let Some(floor) = floor {
        let x = frame.x.at(floor);
        graphic.line("whisker", (x, y - 0.5), (x, y + 11.5));
        right = right.max(x);
    }
    graphic.text("tick", (right + 5.0, y + 9.5), Anchor::Start, &percent(share));
}

/// Draws the key of the bars and returns its height.
fn key(graphic: &mut Graphic, keys: [&str; 2], left: f64, width: f64) -> f64 {
    let room = |words: &str| 24.0 + text_width(words, 12.0) + 20.0;
    let in_one_line = left + keys.map(room).iter().sum::<f64>() <= width;
    let (mut x, mut y) = if in_one_line { (left, 4.0) } else { (8.0, 4.0) };
    for (class, words) in BARS.into_iter().zip(keys) {
        graphic.rect(class, (x, y), (18.0, 11.0));
        graphic.text("legend", (x + 24.0, y + 10.0), Anchor::Start, words);
        if in_one_line { x += room(words) } else { y += LINE }
    }
    if in_one_line { HEAD } else { y + 6.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_setting_is_named_by_its_values() {
        let factor = |name: &str, levels: [&str; 2]| Factor {
            name: name.to_owned(),
            levels: levels.map(str::to_owned).to_vec(),
            of: Vec::new(),
        };
        let factors = [factor("rate", ["0.1", "0.2"]), factor("population", ["10", "20"])];
        let why = ImportanceError::Missing { levels: vec![1, 0] };
        assert_eq!(in_words(&why, &factors), "the grid is not full: no run with rate = 0.2, population = 10");
    }
}
