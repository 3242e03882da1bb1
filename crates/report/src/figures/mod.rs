//! The figures of a report: one file each, and the table of them.
//!
//! A new one draws what [`Measurements`] holds, at any width, or says in a sentence why there is nothing to draw; it is a file
//! and two lines here.
//!
//! **Invariant**: the same folders give the same bytes, so a figure has no clock and no random stream without a key. The ids of
//! sections and the names of files are addresses that others use; looks and words may change freely.

mod anytime;
mod attainment;
mod convergence;
mod heat;
mod importance;
mod migrations;
mod operators;
mod parameter;
mod ranks;
mod run_length;
mod success;
mod time_to_target;
mod tuning;

pub(super) use importance::PuzzleImportance;
pub(super) use tuning::tuning_drawings;

use super::graphic::{
    FigureFile, FigureOptions, Graphic, LegendEntry, NARROW, OTHERS, Path, Point, SERIES, Scale, WIDTH,
    is_narrow, legend, marker, setting_key, sketch, trace,
};
use super::measurements::{FigureName, Measurements};
use super::table::Table;
use super::{percent, problem_value, span};
use kenga_lab::study::RunSubject;

/// The width of one of two charts side by side.
const PANEL: f64 = 480.0;

/// A kind of figure.
pub(super) struct Figure {
    /// The anchor of its section.
    pub(super) id: &'static str,
    /// The heading of its section.
    pub(super) title: &'static str,
    /// Draws it, or says in a sentence why not; an empty sentence leaves the section out.
    pub(super) draw: fn(&Measurements<'_>) -> Result<Drawn, NotDrawn>,
}

/// The content of the section of a figure.
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
    /// What it shows, and how that was computed.
    pub(super) caption: String,
    pub(super) graphic: Graphic,
    /// The picture for the screen of a telephone, where it differs.
    narrow: Option<Graphic>,
}

impl Drawing {
    /// The picture that `draw` makes, of this width and of that of a telephone.
    pub(super) fn new(name: FigureName, caption: String, width: f64, draw: impl Fn(f64) -> Graphic) -> Self {
        let narrow = (width > NARROW).then(|| draw(NARROW));
        Self { name: name.file, title: name.title, caption, graphic: draw(width), narrow }
    }

    /// The picture as files.
    pub(super) fn files(&self, options: FigureOptions) -> [FigureFile; 2] {
        options.files(&self.name, &self.title, &self.graphic)
    }

    /// The elements of a page for both widths, of which a screen shows one.
    pub(super) fn inline(&self) -> String {
        match &self.narrow {
            None => self.graphic.inline(&self.title, ""),
            Some(narrow) => {
                self.graphic.inline(&self.title, " broad") + &narrow.inline(&self.title, " narrow")
            }
        }
    }
}

/// A figure that is not drawn.
pub(super) enum NotDrawn {
    /// Nobody misses it: it shows what these runs do not have.
    Silently,
    /// Why, in a sentence.
    Because(String),
}

/// Every figure, in the order of the report.
pub(super) static FIGURES: &[Figure] = &[
    success::FIGURE,
    convergence::FIGURE,
    convergence::POPULATION,
    anytime::FIGURE,
    run_length::FIGURE,
    time_to_target::FIGURE,
    parameter::FIGURE,
    heat::FIGURE,
    importance::FIGURE,
    ranks::FIGURE,
    operators::FIGURE,
    migrations::FIGURE,
];

impl Drawn {
    /// A single picture.
    fn one(
        measurements: &Measurements<'_>,
        name: &str,
        title: &str,
        caption: String,
        draw: impl Fn(f64) -> Graphic,
    ) -> Self {
        let name = FigureName::new(name, title);
        Self::of(vec![Drawing::new(name, caption, measurements.width(WIDTH), draw)])
    }

    /// Pictures without a table and remarks.
    pub(super) fn of(drawings: Vec<Drawing>) -> Self {
        Self { drawings, table: None, remarks: Vec::new() }
    }
}

/// The title of an axis of calls.
pub(super) fn calls_title(scale: &Scale) -> String {
    let log = if scale.is_log() { ", logarithmic" } else { "" };
    format!("calls (evaluations + moves{log})")
}

/// The vertical axis of some fitness, or of the values of a problem of the user's own, from 0 or the optimum if it is known;
/// with so much `margin` in shares of its length. The text says where the best is, in brackets after a space, if it is known.
pub(super) fn fitness_axis(subject: &RunSubject, fitness: &[f64], margin: f64) -> (Scale, String) {
    let (mut low, mut high) = span(fitness.iter().map(|fitness| subject.value(*fitness)));
    let mut note = String::new();
    match subject.scale {
        None => return (Scale::linear(0.0, high.max(1.0) * (1.0 + margin)), " (0 is solved)".to_owned()),
        Some(scale) if scale.is_optimum => {
            (low, high) = (low.min(scale.reference), high.max(scale.reference));
            note = format!(" ({} is the optimum)", problem_value(scale.reference));
        }
        Some(_) => {}
    }
    let margin = (high - low) * margin;
    (Scale::linear(low - margin, high + margin), note)
}

/// The width of a chart that every puzzle has: with several puzzles two stand side by side.
fn panel_width(measurements: &Measurements<'_>) -> f64 {
    measurements.width(if measurements.shown_puzzles.len() > 1 { PANEL } else { WIDTH })
}

/// How many of the best and of the worst of many settings are in colour.
const BEST: usize = 4;
const WORST: usize = 2;

/// Settings in the background of a narrow chart.
const FEW: usize = 60;

/// The settings in colour, each a series, and the others.
pub(super) struct ShownSettings {
    pub(super) series: Vec<usize>,
    pub(super) others: Vec<usize>,
    names: Vec<String>,
    heading: String,
}

impl ShownSettings {
    /// Chooses among the settings that have something to show.
    pub(super) fn choose(measurements: &Measurements<'_>, has: impl Fn(usize) -> bool) -> Self {
        let mut able = measurements.order.clone();
        able.retain(|setting| has(*setting));
        let few = able.len() <= SERIES;
        let mut series: Vec<usize> =
            if few { able.clone() } else { [&able[..BEST], &able[able.len() - WORST..]].concat() };
        if few {
            // The order of the study keeps neighbours of the sweep together in the legend.
            series.sort_unstable();
        }
        let mut others = able;
        others.retain(|setting| !series.contains(setting));
        let mut names = Vec::new();
        for setting in &series {
            names.push(measurements.labels.name(*setting));
        }
        Self { series, others, names, heading: measurements.labels.heading() }
    }

    /// Every setting that has something to show.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        self.series.iter().chain(&self.others).copied()
    }

    /// The settings in the background: on a narrow screen at most [`FEW`], spread evenly from the best to the worst.
    pub(super) fn background(&self, width: f64) -> impl Iterator<Item = usize> {
        let step = if is_narrow(width) { self.others.len().div_ceil(FEW).max(1) } else { 1 };
        self.others.iter().copied().step_by(step)
    }

    /// Whether all settings are in colour.
    fn is_all(&self) -> bool {
        self.others.is_empty()
    }

    /// The entries of the legend.
    fn entries(&self) -> Vec<LegendEntry<'_>> {
        let mut entries = Vec::new();
        for (series, name) in self.names.iter().enumerate() {
            entries.push(LegendEntry::Setting(series, self.series[series], name));
        }
        if !self.is_all() {
            entries.push(LegendEntry::Others("the other settings"));
        }
        entries
    }

    /// Whether there is more than one name.
    pub(super) fn has_legend(&self) -> bool {
        self.series.len() > 1 || !self.is_all()
    }

    /// Draws the legend, where there is one, and returns where the chart begins below it.
    pub(super) fn legend(&self, graphic: &mut Graphic, width: f64) -> f64 {
        if self.has_legend() {
            let left = if is_narrow(width) { 8.0 } else { 58.0 };
            legend(graphic, (left, 2.0), width - left - 14.0, &self.heading, &self.entries()) + 6.0
        } else {
            8.0
        }
    }

    /// Draws the lines of the settings in the background, thinned out on a narrow screen.
    fn others(&self, graphic: &mut Graphic, width: f64, line: impl Fn(usize) -> Vec<Point>) {
        let others: Path = self.background(width).map(|setting| sketch(line(setting))).collect();
        graphic.series("curve", OTHERS, |graphic| graphic.path("others", others));
    }

    /// Draws the line of each setting in colour, with about `marks` marks along it, at different places for each series and
    /// at least `least` points apart.
    fn lines(&self, graphic: &mut Graphic, marks: usize, least: usize, line: impl Fn(usize) -> Vec<Point>) {
        for (series, setting) in self.series.iter().enumerate() {
            let points = line(*setting);
            graphic.series("curve", &setting_key(*setting), |graphic| {
                graphic.path(&format!("series s{}", series % SERIES), trace(points.iter().copied()));
                if self.has_legend() {
                    let step = (points.len() / marks).max(least);
                    let first = (step / 2 + series * step / SERIES).min(points.len().saturating_sub(1));
                    for at in points.iter().skip(first).step_by(step) {
                        marker(graphic, series, *at, "");
                    }
                }
            });
        }
    }

    /// A sentence about the choice; empty where there was none.
    pub(super) fn in_words(&self) -> String {
        if self.is_all() {
            String::new()
        } else {
            format!(
                " Of {} settings the first {BEST} and the last {WORST} of the table are in colour, the others in grey.",
                self.series.len() + self.others.len()
            )
        }
    }
}
