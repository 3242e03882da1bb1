//! Heat maps over two keys: how often runs solve, and what a solution costs; or the best values, where no optimum is known.

use super::super::graphic::{
    Anchor, Graphic, Point, Scale, WIDTH, ink_over, is_narrow, shortened, text_width, widest,
};
use super::super::measurements::{Factor, FigureName, Level, Measurements, or_dash};
use super::super::prose::short_value;
use super::super::{rounded, several, span};
use super::{Drawing, Drawn, Figure, NotDrawn, percent};

pub(super) const FIGURE: Figure = Figure { id: "heat", title: "Two parameters at a time", draw };

/// The most levels of a key, and the bins that more numbers are grouped into.
const LEVELS: usize = 10;
const BINS: usize = 7;

/// Panels of one figure.
const PANELS: usize = 12;

/// The runs at every pair of levels of two keys.
struct Map<'a> {
    /// The key down and the key across.
    down: &'a Factor,
    across: &'a Factor,
    /// The title; empty for a single map.
    title: String,
    /// Row by row; `None` for pairs without runs.
    cells: Vec<Option<Level>>,
}

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    let factors = measurements.labels.factors();
    let is_binned = factors.iter().any(|factor| factor.levels.len() > LEVELS && factor.numbers().is_some());
    let factors: Vec<Factor> = factors.into_iter().map(few).collect();
    if factors.len() < 2 {
        return Err(NotDrawn::Silently);
    }
    if measurements.solved() == 0 && !measurements.is_by_fitness {
        let noun = measurements.subject.noun();
        return Err(NotDrawn::Because(format!(
            "Maps of two parameters are left out: no run has solved its {noun}."
        )));
    }
    // With two keys all puzzles form one group of maps; with more each puzzle has a group.
    let mut groups = Vec::new();
    if let [a, b] = &*factors {
        let noun = measurements.subject.noun();
        let how = if measurements.puzzles > 1 { format!(" A map for each {noun}.") } else { String::new() };
        let mut group = MapGroup { part: None, maps: Vec::new(), how: how.to_owned() };
        for part in 0..measurements.shown_puzzles.len() {
            group.maps.push(map(measurements, part, [a, b], None));
        }
        groups.push(group);
    } else {
        groups
            .extend((0..measurements.shown_puzzles.len()).map(|part| of_part(measurements, part, &factors)));
    }
    let drawings = groups.iter().flat_map(|group| drawings(measurements, group)).collect();
    let mut remarks = Vec::new();
    if is_binned {
        remarks.push(format!("Parameters with more than {LEVELS} values are grouped into bins of values."));
    }
    remarks.extend(measurements.parts_note());
    Ok(Drawn { remarks, ..Drawn::of(drawings) })
}

/// A key, in bins where it has many levels.
fn few(factor: Factor) -> Factor {
    if factor.levels.len() > LEVELS { factor.binned(BINS) } else { factor }
}

/// Maps of one figure.
struct MapGroup<'a> {
    /// The puzzle, where each has its own group.
    part: Option<usize>,
    maps: Vec<Map<'a>>,
    /// What distinguishes the maps, for the caption.
    how: String,
}

/// The maps of one puzzle over three keys or more.
fn of_part<'a>(measurements: &Measurements<'_>, part: usize, factors: &'a [Factor]) -> MapGroup<'a> {
    match facet(factors) {
        Some(third) if factors.len() == 3 => faceted(measurements, part, factors, third),
        _ => pairs(measurements, part, factors),
    }
}

/// The share solved and, where any run solved, the expected calls; or the best values.
fn drawings(measurements: &Measurements<'_>, of: &MapGroup<'_>) -> Vec<Drawing> {
    let MapGroup { part, maps, how } = of;
    let wide = measurements.width(WIDTH);
    let (mut low, mut high) = (f64::INFINITY, 1.0_f64);
    let (mut empty, mut never) = ("", "");
    for cell in maps.iter().flat_map(|map| &map.cells) {
        match cell {
            None => empty = " Empty cells were not run.",
            Some(level) if level.ert.is_infinite() => never = " “never”: no run solved.",
            Some(level) => (low, high) = (low.min(level.ert), high.max(level.ert)),
        }
    }
    let named = |file: &str, title: &str| match part {
        Some(part) => measurements.part_name(file, title, *part),
        None => FigureName::new(file, title),
    };
    if measurements.is_by_fitness {
        let subject = measurements.subject_on(Some(part.unwrap_or(0)));
        let rises = subject.scale.is_some_and(|scale| scale.maximise);
        let scales = if part.is_none() && maps.len() > 1 { ", each map with its own scale" } else { "" };
        let caption = format!(
            "The median of the {} at each pair of values, without failed runs; a stronger colour means a better one{scales}.{how}{empty}",
            subject.best()
        );
        let name = named("heat-value", &format!("B{} by two parameters", &subject.best()[1..]));
        return vec![Drawing::new(name, caption, wide, |width| {
            let look = |map| {
                if part.is_some() { HeatLook::values(maps, rises) } else { HeatLook::values([map], rises) }
            };
            rows_of(maps, look, width)
        })];
    }
    let name = named("heat-success", "Share of runs solved by two parameters");
    let caption =
        format!("The share of runs solved at each pair of values; a stronger colour means more.{how}{empty}");
    let mut drawings =
        vec![Drawing::new(name, caption, wide, |width| rows_of(maps, |_| HeatLook::Success, width))];
    if low.is_finite() {
        let scale = Scale::log(low.max(1.0), high);
        let caption = format!(
            "The expected running time in calls at each pair of values, all calls spent over the number of solutions; a stronger colour means more, on a logarithmic scale{}.{how}{never}{empty}",
            if maps.len() > 1 { " that all maps share" } else { "" }
        );
        let name = named("heat-calls", "Expected calls to a solution by two parameters");
        drawings.push(Drawing::new(name, caption, wide, |width| {
            rows_of(maps, |_| HeatLook::Calls(scale), width)
        }));
    }
    drawings
}

/// The map of one puzzle over two keys, of all runs or those with one value of a third key.
fn map<'a>(
    measurements: &Measurements<'_>,
    part: usize,
    [a, b]: [&'a Factor; 2],
    facet: Option<(&Factor, usize)>,
) -> Map<'a> {
    // The key with more values runs across.
    let (down, across) = if a.levels.len() > b.levels.len() { (b, a) } else { (a, b) };
    let title = match facet {
        Some((factor, level)) => format!("{} = {}", factor.name, or_dash(&factor.levels[level])),
        None if measurements.puzzles > 1 => measurements.shown_puzzles[part].clone(),
        None => String::new(),
    };
    Map {
        down,
        across,
        title,
        cells: measurements.levels(part, &[down, across], |setting| {
            facet.is_none_or(|(factor, level)| factor.of[setting] == level)
        }),
    }
}

/// The key with the fewest values, if each of them can have a map.
fn facet(factors: &[Factor]) -> Option<usize> {
    let fewest = (0..factors.len()).min_by_key(|index| factors[*index].levels.len())?;
    (factors[fewest].levels.len() <= 6).then_some(fewest)
}

fn faceted<'a>(
    measurements: &Measurements<'_>,
    part: usize,
    factors: &'a [Factor],
    third: usize,
) -> MapGroup<'a> {
    let factor = &factors[third];
    let pair = match third {
        0 => [&factors[1], &factors[2]],
        1 => [&factors[0], &factors[2]],
        _ => [&factors[0], &factors[1]],
    };
    let mut maps = Vec::new();
    for level in 0..factor.levels.len() {
        maps.push(map(measurements, part, pair, Some((factor, level))));
    }
    MapGroup { part: Some(part), maps, how: format!(" A map for each value of {}.", factor.name) }
}

fn pairs<'a>(measurements: &Measurements<'_>, part: usize, factors: &'a [Factor]) -> MapGroup<'a> {
    let mut maps = Vec::new();
    for (index, a) in factors.iter().enumerate() {
        for b in &factors[index + 1..] {
            if maps.len() < PANELS {
                // The group names its puzzle once.
                maps.push(Map { title: String::new(), ..map(measurements, part, [a, b], None) });
            }
        }
    }
    let all = factors.len() * (factors.len() - 1) / 2;
    let left = if all > PANELS { format!(", the first {PANELS} of {all}") } else { String::new() };
    let how = format!(" A map for each pair of parameters{left}, with the runs of all values of the others.");
    MapGroup { part: Some(part), maps, how }
}

/// What the cells of a map show.
#[derive(Clone, Copy)]
enum HeatLook {
    Success,
    /// The expected calls, on a scale that all maps share.
    Calls(Scale),
    /// The median of the best values, from the worst to the best.
    Values {
        worst: f64,
        best: f64,
    },
}

impl HeatLook {
    /// The values of some maps, which rise or fall to the best.
    fn values<'a>(maps: impl IntoIterator<Item = &'a Map<'a>>, rises: bool) -> Self {
        let cells = maps.into_iter().flat_map(|map| &map.cells).flatten();
        let (low, high) = span(cells.map(|level| level.median.value));
        if rises { Self::Values { worst: low, best: high } } else { Self::Values { worst: high, best: low } }
    }

    fn class(self) -> &'static str {
        match self {
            Self::Success | Self::Values { .. } => "heat",
            Self::Calls(_) => "cost",
        }
    }

    /// The strength of a cell's colour, negative for none, and its text.
    fn of(self, level: &Level) -> (f64, String) {
        match self {
            Self::Success => (level.rate(), percent(level.rate())),
            Self::Calls(_) if level.ert.is_infinite() => (-1.0, "never".to_owned()),
            Self::Calls(scale) => (scale.share(level.ert.max(1.0)), rounded(level.ert)),
            Self::Values { worst, best } => {
                let value = level.median.value;
                let share = if worst == best { 1.0 } else { (value - worst) / (best - worst) };
                (share, short_value(value))
            }
        }
    }

    /// The number of runs of a cell, in words.
    fn runs(self, level: &Level) -> String {
        match self {
            Self::Values { .. } => several(level.runs as u64, "run"),
            _ => format!("{} of {} runs solved", level.solved, level.runs),
        }
    }
}

/// Lays maps out in rows.
fn rows_of<'a>(maps: &'a [Map<'a>], look: impl Fn(&'a Map<'a>) -> HeatLook, width: f64) -> Graphic {
    let per_row = match maps {
        [_] => 1,
        _ if is_narrow(width) => 1,
        [first, ..] if first.across.levels.len() > 6 => 1,
        maps if maps.len() == 2 || maps.len() == 4 => 2,
        [first, ..] if first.across.levels.len() > 3 => 2,
        _ => 3,
    };
    let room = (width - 16.0) / per_row as f64;
    let mut graphic = Graphic::new(width, 0.0);
    let (mut y, mut tallest) = (4.0, 0.0_f64);
    for (index, map) in maps.iter().enumerate() {
        if index > 0 && index % per_row == 0 {
            y += tallest + 16.0;
            tallest = 0.0;
        }
        let x = 8.0 + room * (index % per_row) as f64;
        tallest = tallest.max(one(&mut graphic, map, (x, y), room - 14.0, look(map)));
    }
    graphic.set_height(y + tallest + 4.0);
    graphic
}

/// Draws one map and returns its height.
fn one(graphic: &mut Graphic, map: &Map<'_>, at: Point, room: f64, look: HeatLook) -> f64 {
    let (x, y) = at;
    let names = widest(&map.down.levels, 11.0, 14.0).min(room * 0.3);
    let left = x + names + 28.0;
    let (columns, rows) = (map.across.levels.len(), map.down.levels.len());
    let wide = ((room - names - 28.0) / columns as f64).min(92.0);
    let high = (wide * 0.7).clamp(24.0, 34.0);
    let head = if map.title.is_empty() { 4.0 } else { 22.0 };
    if head > 4.0 {
        graphic.text(
            "panel",
            (left, y + 14.0),
            Anchor::Start,
            &shortened(&map.title, 12.0, room - names - 28.0),
        );
    }
    let top = y + head;
    for (row, level) in map.down.levels.iter().enumerate() {
        let middle = top + high * (row as f64 + 0.5);
        graphic.text(
            "tick",
            (left - 6.0, middle + 4.0),
            Anchor::End,
            &shortened(or_dash(level), 11.0, names),
        );
        for column in 0..columns {
            let at = (left + wide * column as f64, top + high * row as f64);
            let says =
                format!("{} = {level}, {} = {}", map.down.name, map.across.name, map.across.levels[column]);
            cell(graphic, map.cells[row * columns + column].as_ref(), at, (wide, high), look, &says);
        }
    }
    let bottom = top + high * rows as f64;
    for (column, level) in map.across.levels.iter().enumerate() {
        let middle = left + wide * (column as f64 + 0.5);
        graphic.text(
            "tick",
            (middle, bottom + 15.0),
            Anchor::Middle,
            &shortened(or_dash(level), 11.0, wide - 4.0),
        );
    }
    let across = wide * columns as f64;
    let title = shortened(&map.across.name, 12.0, across.max(room - names - 28.0));
    graphic.text(
        "axis-title",
        (left + (across / 2.0).max(text_width(&title, 12.0) / 2.0), bottom + 33.0),
        Anchor::Middle,
        &title,
    );
    let down = shortened(&map.down.name, 12.0, (high * rows as f64).max(60.0));
    graphic.upward_text("axis-title", (x + 11.0, top + (high * rows as f64 / 2.0).max(30.0)), &down);
    (bottom + 38.0 - y).max(head + 66.0)
}

fn cell(graphic: &mut Graphic, level: Option<&Level>, at: Point, size: Point, look: HeatLook, says: &str) {
    let ((x, y), (wide, high)) = (at, size);
    graphic.rect("cell", (x, y), (wide, high));
    let Some(level) = level else { return };
    let (share, word) = look.of(level);
    let says = format!("{says}: {word}, {}", look.runs(level));
    if share >= 0.0 {
        graphic.heat(look.class(), (x + 1.0, y + 1.0), (wide - 2.0, high - 2.0), share, &says);
    } else {
        graphic.rect("never", (x + 2.5, y + 2.5), (wide - 5.0, high - 5.0));
    }
    let size = (11.5 * (wide - 4.0) / text_width(&word, 11.5)).min(11.5);
    let text = ink_over(share);
    graphic.sized_text(text, (x + wide / 2.0, y + high / 2.0 + 4.0), Anchor::Middle, size, &word);
}
