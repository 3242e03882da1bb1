//! Which parameters matter.

use super::super::graphic::{Anchor, Frame, Graphic, Scale, shortened, text_width, widest};
use super::super::measurements::{Factor, Measurements};
use super::{Drawing, Drawn, Figure, NotDrawn, panel_width, percent};
use kenga_core::rng::StreamKey;
use kenga_core::sort::sort_by;
use kenga_lab::study::PuzzleStats;
use kenga_stats::{Importance, ImportanceError, ImportanceFloors, importance, importance_floors};

pub(super) const FIGURE: Figure = Figure { id: "importance", title: "Which parameters matter", draw };

/// The colours of the upper and the lower bar, which differ in print without colours too.
const BARS: [&str; 2] = ["c0", "c4"];

/// About how many steps the shuffles take.
const STEPS: usize = 20_000_000;

/// The most shuffles.
const MOST_SHUFFLES: usize = 599;

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

/// What the parameters explain of a response, and the floors of that.
pub(crate) struct Explained {
    pub(crate) shares: Importance,
    floors: ImportanceFloors,
}

impl Explained {
    /// What a parameter explains alone.
    pub(crate) fn alone(&self, factor: usize) -> PartShare {
        PartShare { share: self.shares.main[factor], floor: Some(self.floors.main[factor]) }
    }

    /// What a pair explains beyond its parameters.
    pub(crate) fn pair(&self, pair: usize) -> PartShare {
        // With two parameters their pair is all that is left: noise cannot be told from it.
        let floor = (self.floors.main.len() > 2).then(|| self.floors.pairs[pair].share);
        PartShare { share: self.shares.pairs[pair].share, floor }
    }
}

/// A share of the variance, and the share that a parameter without effect rarely exceeds.
#[derive(Clone, Copy)]
pub(crate) struct PartShare {
    pub(crate) share: f64,
    pub(crate) floor: Option<f64>,
}

impl PartShare {
    /// Whether it is more than a parameter without effect explains; `None` where there is no floor.
    pub(crate) fn exceeds(self) -> Option<bool> {
        // Shuffles that change nothing may differ by rounding.
        self.floor.map(|floor| self.share > floor + 1e-9)
    }
}

/// The importance of parameters on a puzzle.
pub(crate) struct PuzzleImportance {
    /// Of the share of runs solved.
    pub(crate) solved: Explained,
    /// Of PAR-10.
    pub(crate) calls: Explained,
}

impl PuzzleImportance {
    /// The importance of some parameters on one puzzle, or a sentence why there is none.
    pub(crate) fn of(
        measurements: &Measurements<'_>,
        part: usize,
        factors: &[Factor],
    ) -> Result<Self, String> {
        if measurements.is_by_fitness {
            return Err("the best value of the problem is unknown".to_owned());
        }
        let solved = explained(measurements, part, factors, |one| one.share.value)?;
        let calls = explained(measurements, part, factors, |one| {
            one.par10.map_or(f64::INFINITY, |par10| par10.value)
        })?;
        if solved.shares.variance == 0.0 && calls.shares.variance == 0.0 {
            return Err("all settings gave equal results".to_owned());
        }
        Ok(Self { solved, calls })
    }
}

fn explained(
    measurements: &Measurements<'_>,
    part: usize,
    factors: &[Factor],
    response: impl Fn(&PuzzleStats) -> f64,
) -> Result<Explained, String> {
    let levels: Vec<usize> = factors.iter().map(|factor| factor.levels.len()).collect();
    let (mut settings, mut responses) = (Vec::new(), Vec::new());
    for setting in 0..measurements.settings.len() {
        if let Some(one) = measurements.numbers(setting, part) {
            settings.extend(factors.iter().map(|factor| factor.of[setting]));
            responses.push(response(one));
        }
    }
    // As many shuffles as the time allows, but enough for a floor at all.
    let fewest = ImportanceFloors::fewest_shuffles(levels.len());
    let shuffles =
        (STEPS / (levels.len().pow(2) * responses.len()).max(1)).clamp(fewest, MOST_SHUFFLES.max(fewest));
    let mut rng = StreamKey::run(0, "importance", 0).child(&measurements.shown_puzzles[part]).rng();
    let shares = importance(&levels, &settings, &responses).map_err(|why| in_words(&why, factors))?;
    let floors = importance_floors(&levels, &settings, &responses, shuffles, &mut |n| rng.below(n))
        .map_err(|why| in_words(&why, factors))?;
    Ok(Explained { shares, floors })
}

/// The bars of one puzzle, or why there are none.
fn of_part(measurements: &Measurements<'_>, part: usize, factors: &[Factor]) -> Result<Drawing, String> {
    let found = PuzzleImportance::of(measurements, part, factors)?;
    let pairs = if factors.len() > 2 {
        "; likewise for pairs."
    } else {
        ". A pair of only two parameters has no floor: noise cannot be told from it."
    };
    let caption = format!(
        "The share of the variance between settings that each parameter explains alone, and pairs beyond their two parameters, by a functional analysis of variance over the full grid; the upper bar of the share of runs solved, the lower of the penalised average calls, PAR-10. The shares of either sum to 100 %. The line across a bar is its floor: if no parameter had an effect, some bar would exceed its floor in 1 of 20 experiments{pairs}"
    );
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
        rows.push(BarPair::new(factor.name.clone(), solved.alone(index), calls.alone(index)));
    }
    sort_by(&mut rows, |a, b| b.sum().total_cmp(&a.sum()));
    let mut pairs = Vec::new();
    for (index, shared) in solved.shares.pairs.iter().enumerate() {
        let name = format!("{} × {}", factors[shared.first].name, factors[shared.second].name);
        pairs.push(BarPair::new(name, solved.pair(index), calls.pair(index)));
    }
    sort_by(&mut pairs, |a, b| b.sum().total_cmp(&a.sum()));
    let mut rest = [solved.shares.higher, calls.shares.higher];
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
