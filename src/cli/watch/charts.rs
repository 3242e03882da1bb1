//! Convergence: the best and the mean fitness of every generation, and the diversity below them.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::symbols::Marker;
use ratatui::text::Span;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Paragraph};

use super::scene::Scene;
use kenga_core::fitness::Scale;
use kenga_lab::experiment::{Sample, measure};
use kenga_report::short_value;

const MEAN: usize = measure("mean");
const DIVERSITY: usize = measure("diversity");

/// Fitness is drawn by the square root of its distance from the best: it falls over orders of magnitude. The best is 0, or the
/// lowest fitness so far of a problem whose optimum is not known.
struct FitnessAxis {
    scale: Option<Scale>,
    best: f64,
    /// The highest square root.
    top: f64,
}

impl FitnessAxis {
    /// The axis of some samples.
    fn new(scale: Option<Scale>, samples: &[Sample]) -> Self {
        let is_known = scale.is_none_or(|scale| scale.is_optimum);
        let best = samples.iter().map(|sample| sample.best).min().map_or(0.0, f64::from);
        let mut axis = Self { scale, best: if is_known { 0.0 } else { best }, top: 1.0 };
        for sample in samples {
            let worst = sample.value(MEAN).unwrap_or(0.0).max(f64::from(sample.best));
            axis.top = axis.top.max((worst - axis.best).max(0.0).sqrt());
        }
        axis
    }

    /// Whether the best is at the top.
    fn rises(&self) -> bool {
        self.scale.is_some_and(|scale| scale.maximise)
    }

    fn place(&self, fitness: f64) -> f64 {
        let root = (fitness - self.best).max(0.0).sqrt();
        if self.rises() { self.top - root } else { root }
    }

    /// The fitness, or the value, at the ends and in the middle.
    fn labels(&self) -> [String; 3] {
        [0.0, self.top / 2.0, self.top].map(|y| {
            let root = if self.rises() { self.top - y } else { y };
            let fitness = self.best + root * root;
            self.scale.map_or(format!("{fitness:.0}"), |scale| short_value(scale.value(fitness)))
        })
    }
}

/// Draws the charts, which share the axis of generations.
pub(super) fn draw(scene: &Scene<'_>, to: &mut Frame<'_>, area: Rect) {
    let samples = &scene.view.curve;
    if samples.is_empty() {
        return to.render_widget(Paragraph::new("no generation is complete yet"), area);
    }
    let at = scene.frame().map_or(0, |frame| frame.generation);
    let last = samples.last().map_or(0, |sample| sample.generation).max(scene.view.last.unwrap_or(0));
    let last = last.max(at).max(1) as f64;
    // Diversity needs less room than what it explains.
    let below = if area.height < 12 { 2 } else { area.height / 4 };
    let parts = Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]).split(area);
    let (mut best, mut mean, mut diversity) = (Vec::new(), Vec::new(), Vec::new());
    let axis = FitnessAxis::new(scene.runner.fitness(scene.id()).scale().copied(), samples);
    for sample in samples.iter() {
        let generation = sample.generation as f64;
        best.push((generation, axis.place(f64::from(sample.best))));
        mean.extend(sample.value(MEAN).map(|mean| (generation, axis.place(mean))));
        diversity.extend(sample.value(DIVERSITY).map(|diversity| (generation, diversity)));
    }
    let palette = scene.palette;
    let here = [(at as f64, 0.0), (at as f64, axis.top)];
    let generations = [Span::raw("0"), Span::raw(format!("generation {last}"))];
    let labels = axis.labels();
    // Labels of one width, so that the generations of both charts stand below each other.
    let room = labels.iter().map(String::len).max().unwrap_or(0).max(4);
    let padded = |label: String| format!("{label:>room$}");
    let fitness = Chart::new(vec![
        line("", Marker::Braille, palette.faint(), &here),
        line("mean", if palette.colour { Marker::Braille } else { Marker::Dot }, palette.mean(), &mean),
        line("best", Marker::Braille, palette.best(), &best),
    ])
    .x_axis(Axis::default().bounds([0.0, last]).labels(generations).style(palette.faint()))
    .y_axis(Axis::default().bounds([0.0, axis.top]).labels(labels.map(padded)).style(palette.faint()))
    .legend_position(None);
    to.render_widget(fitness, parts[0]);
    let chart = Chart::new(vec![line("diversity", Marker::Braille, palette.good(), &diversity)])
        .x_axis(Axis::default().bounds([0.0, last]).style(palette.faint()))
        .y_axis(
            Axis::default()
                .bounds([0.0, 1.0])
                .labels(["0", "1"].map(|end| padded(end.to_owned())))
                .style(palette.faint()),
        )
        .legend_position(None);
    to.render_widget(chart, parts[1]);
}

fn line<'a>(name: &'static str, marker: Marker, style: Style, points: &'a [(f64, f64)]) -> Dataset<'a> {
    Dataset::default().name(name).marker(marker).graph_type(GraphType::Line).style(style).data(points)
}
