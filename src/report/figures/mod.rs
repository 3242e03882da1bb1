//! The figures of a report: one file each, and the table of them.

mod convergence;
mod heat;
mod importance;
mod migrations;
mod operators;
mod parameter;
mod picture;
mod ranks;
mod run_length;
mod success;
mod time_to_target;
mod violations;

pub(super) use picture::{Overlay, picture};

use super::graphic::{
    Graphic, LegendEntry, NARROW, OTHERS, Path, Point, SERIES, Scale, WIDTH, legend, marker, sketch, trace,
};
use super::measurements::Measurements;
use super::percent;
use super::table::Table;

/// The width of one of two charts side by side.
const PANEL: f64 = 480.0;

/// A kind of figure.
pub(super) struct Figure {
    /// The anchor of its section, and the beginning of its files' names.
    pub(super) id: &'static str,
    /// The heading of its section.
    pub(super) title: &'static str,
    /// Draws it, or says in a sentence why there is nothing to draw; with an empty one the section is left out.
    pub(super) draw: fn(&Measurements<'_>) -> Result<Drawn, String>,
}

/// What stands in the section of a figure.
pub(super) struct Drawn {
    pub(super) drawings: Vec<Drawing>,
    /// Numbers below them, with a heading.
    pub(super) table: Option<(&'static str, Table)>,
    /// Sentences at the end.
    pub(super) remarks: Vec<String>,
}

/// One picture.
#[derive(Clone)]
pub(super) struct Drawing {
    /// The name of its file, without the ending.
    pub(super) name: String,
    pub(super) title: String,
    /// What is seen, and how it was computed.
    pub(super) caption: String,
    pub(super) graphic: Graphic,
    /// The same for the screen of a telephone, where it is another.
    narrow: Option<Graphic>,
}

impl Drawing {
    /// The picture that `draw` makes of a width: this one, and that of a telephone.
    pub(super) fn new(
        (name, title): (String, String),
        caption: String,
        width: f64,
        draw: impl Fn(f64) -> Graphic,
    ) -> Self {
        let narrow = (width > NARROW).then(|| draw(NARROW));
        Self { name, title, caption, graphic: draw(width), narrow }
    }

    /// The picture as elements of a page, of which the screen shows one.
    pub(super) fn inline(&self) -> String {
        match &self.narrow {
            None => self.graphic.inline(&self.title, ""),
            Some(narrow) => {
                self.graphic.inline(&self.title, " broad") + &narrow.inline(&self.title, " narrow")
            }
        }
    }
}

/// Every figure, in the order of the report.
pub(super) static FIGURES: &[Figure] = &[
    success::FIGURE,
    convergence::FIGURE,
    convergence::POPULATION,
    run_length::FIGURE,
    time_to_target::FIGURE,
    parameter::FIGURE,
    heat::FIGURE,
    importance::FIGURE,
    ranks::FIGURE,
    operators::FIGURE,
    migrations::FIGURE,
    violations::FIGURE,
];

impl Drawn {
    /// One picture alone.
    fn one(name: &str, title: &str, caption: String, draw: impl Fn(f64) -> Graphic) -> Self {
        Self::of(vec![Drawing::new((name.to_owned(), title.to_owned()), caption, WIDTH, draw)])
    }

    /// Pictures alone.
    fn of(drawings: Vec<Drawing>) -> Self {
        Self { drawings, table: None, remarks: Vec::new() }
    }
}

/// The title of an axis of calls.
pub(super) fn calls_title(scale: &Scale) -> String {
    let log = if scale.is_log() { ", logarithmic" } else { "" };
    format!("calls (evaluations + moves{log})")
}

/// The width of a chart of which there is one for each puzzle: of several puzzles two stand side by side.
fn panel_width(measurements: &Measurements<'_>) -> f64 {
    if measurements.parts.len() > 1 { PANEL } else { WIDTH }
}

/// Of many settings that many of the best, and of the worst, are shown in colour.
const BEST: usize = 4;
const WORST: usize = 2;

/// Settings in the background of a narrow chart.
const FEW: usize = 60;

/// Settings in colour, each a series by its place, and the rest.
pub(super) struct ShownSettings {
    pub(super) series: Vec<usize>,
    pub(super) others: Vec<usize>,
    names: Vec<String>,
    heading: String,
}

impl ShownSettings {
    /// Chooses among the settings that have anything to show.
    pub(super) fn choose(measurements: &Measurements<'_>, has: impl Fn(usize) -> bool) -> Self {
        let able: Vec<usize> = measurements.order.iter().copied().filter(|setting| has(*setting)).collect();
        let few = able.len() <= SERIES;
        let mut series: Vec<usize> = match few {
            true => able.clone(),
            false => [&able[..BEST], &able[able.len() - WORST..]].concat(),
        };
        if few {
            // In the order of the study neighbours in the sweep are neighbours in the legend.
            series.sort_unstable();
        }
        let others = able.iter().copied().filter(|setting| !series.contains(setting)).collect();
        let place = |place: usize| match (few, place) {
            (true, _) => String::new(),
            (false, place) if place < BEST => format!("best {}: ", place + 1),
            (false, place) => format!("worst {}: ", BEST + WORST - place),
        };
        let names =
            series.iter().enumerate().map(|(at, one)| place(at) + &measurements.labels.name(*one)).collect();
        Self { series, others, names, heading: measurements.labels.heading() }
    }

    /// Every setting that has anything to show.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        self.series.iter().chain(&self.others).copied()
    }

    /// The settings in the background: on a narrow screen of many some that lie evenly between the best and the worst.
    pub(super) fn background(&self, width: f64) -> impl Iterator<Item = usize> {
        let step = if width > NARROW { 1 } else { self.others.len().div_ceil(FEW).max(1) };
        self.others.iter().copied().step_by(step)
    }

    /// Nothing is left to the background.
    fn is_all(&self) -> bool {
        self.others.is_empty()
    }

    /// What the legend shows.
    fn entries(&self) -> Vec<LegendEntry<'_>> {
        let series = self.names.iter().enumerate().map(|(series, name)| LegendEntry::Series(series, name));
        let others = (!self.is_all()).then_some(LegendEntry::Others("the other settings"));
        series.chain(others).collect()
    }

    /// There is more than one name to tell apart.
    pub(super) fn has_legend(&self) -> bool {
        self.series.len() > 1 || !self.is_all()
    }

    /// Draws the legend, where there is one, and gives where the chart begins below it.
    pub(super) fn legend(&self, graphic: &mut Graphic, width: f64) -> f64 {
        match self.has_legend() {
            true => {
                let left = if width > NARROW { 58.0 } else { 8.0 };
                legend(graphic, (left, 2.0), width - left - 14.0, &self.heading, &self.entries()) + 6.0
            }
            false => 8.0,
        }
    }

    /// Draws the lines of the settings in the background, thinned out on a narrow screen.
    fn others(&self, graphic: &mut Graphic, width: f64, line: impl Fn(usize) -> Vec<Point>) {
        let others: Path = self.background(width).map(|setting| sketch(line(setting))).collect();
        graphic.series("curve", OTHERS, |graphic| graphic.path("others", others));
    }

    /// Draws the line of each setting in colour, with some `marks` along it at other places for each series, at least
    /// `least` points apart.
    fn lines(
        &self,
        graphic: &mut Graphic,
        (marks, least): (usize, usize),
        line: impl Fn(usize) -> Vec<Point>,
    ) {
        for (series, setting) in self.series.iter().enumerate() {
            let points = line(*setting);
            graphic.series("curve", &series.to_string(), |graphic| {
                graphic.path(&format!("series s{}", series % SERIES), trace(points.iter().copied()));
                if self.has_legend() {
                    let step = (points.len() / marks).max(least);
                    let first = (step / 2 + series * step / SERIES).min(points.len().saturating_sub(1));
                    points.iter().skip(first).step_by(step).for_each(|at| marker(graphic, series, *at, ""));
                }
            });
        }
    }

    /// A sentence about the choice; empty where there was none.
    pub(super) fn in_words(&self) -> String {
        match self.is_all() {
            true => String::new(),
            false => format!(
                " Of {} settings the {BEST} best and the {WORST} worst are in colour (a higher share solved, then a lower PAR-10, over all runs), the others in grey.",
                self.series.len() + self.others.len()
            ),
        }
    }
}
