//! How many runs of each setting have solved.

use super::super::graphic::{Anchor, Frame, Graphic, Scale, is_narrow, shortened, text_width, widest};
use super::super::measurements::{Measurements, distinct};
use super::super::percent_range;
use super::{Drawn, Figure, NotDrawn, percent};
use kenga_stats::Estimate;

pub(super) const FIGURE: Figure = Figure { id: "success", title: "Success by setting", draw };

/// The most settings that are shown.
const LINES: usize = 40;

const ROW: f64 = 20.0;

/// The width of all columns of labels, beside one panel and beside several; the gap between two; the size of their text.
const COLUMNS: f64 = 390.0;
const BESIDE: f64 = 250.0;
const GAP: f64 = 14.0;
const SIZE: f64 = 12.0;

/// The height of a key where keys are stacked.
const KEY: f64 = 15.0;

/// Panels side by side.
const ACROSS: usize = 3;

/// The shares on one puzzle, or their means over all.
struct SuccessPanel {
    title: String,
    /// The share of every setting; `None` without runs.
    shares: Vec<Option<SolvedShare>>,
}

/// The share of runs that solved, and its count in words.
struct SolvedShare {
    estimate: Estimate,
    count: String,
}

impl SolvedShare {
    fn new(estimate: Estimate, solved: u64, runs: u64) -> Self {
        Self { estimate, count: format!("{solved} of {runs}") }
    }
}

/// A column of labels and its width.
struct LabelColumn {
    name: String,
    room: f64,
}

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    if measurements.is_by_fitness {
        return Err(NotDrawn::Because("Shares of runs solved are left out: the best value of the problem is unknown, so that no run counts as solved.".to_owned()));
    }
    let panels = panels(measurements);
    let noun = measurements.subject.noun();
    let mean =
        if panels.len() > 1 { format!("; that of a mean is about these {noun}s") } else { String::new() };
    let mut caption =
        format!("The share of runs that solved their {noun}, with 95 % intervals (Wilson's{mean}).");
    if measurements.order.len() > LINES {
        caption +=
            &format!(" Of {} settings the first {LINES} of the table are shown.", measurements.order.len());
    }
    if let Some(note) = measurements.parts_note() {
        caption += &format!(" {note}");
    }
    Ok(Drawn::one(measurements, "success", "Share of runs solved", caption, |width| {
        lines(measurements, &panels, width)
    }))
}

/// A panel for the mean over puzzles, where there are several, and one for each puzzle.
fn panels(measurements: &Measurements<'_>) -> Vec<SuccessPanel> {
    let mut panels = Vec::new();
    if measurements.puzzles > 1 {
        let noun = measurements.subject.noun();
        let mut mean =
            SuccessPanel { title: format!("mean of {} {noun}s", measurements.puzzles), shares: Vec::new() };
        for side in measurements.stats() {
            mean.shares.push(Some(SolvedShare::new(side.share, side.solved, side.runs)));
        }
        panels.push(mean);
    }
    for (part, name) in measurements.shown_puzzles.iter().enumerate() {
        let title = if measurements.puzzles > 1 { name.clone() } else { String::new() };
        let mut panel = SuccessPanel { title, shares: Vec::new() };
        for setting in 0..measurements.settings.len() {
            let numbers = measurements.numbers(setting, part);
            panel.shares.push(numbers.map(|one| SolvedShare::new(one.share, one.solved, one.runs)));
        }
        panels.push(panel);
    }
    panels
}

/// The settings that have lines.
fn shown<'a>(measurements: &'a Measurements<'_>) -> &'a [usize] {
    &measurements.order[..measurements.order.len().min(LINES)]
}

/// A line for each setting: its values in columns, and in every panel dot, whisker and count.
fn lines(measurements: &Measurements<'_>, panels: &[SuccessPanel], width: f64) -> Graphic {
    let shares = panels.iter().flat_map(|panel| &panel.shares).flatten();
    let count_room = widest(shares.map(|share| &share.count), SIZE, 40.0);
    let (most, across) = match panels.len() {
        _ if is_narrow(width) => (width * 0.4, 1),
        1 => (COLUMNS.min(width * 0.52), 1),
        several => (BESIDE.min(width * 0.4), several.min(ACROSS).min((width / BESIDE) as usize)),
    };
    let columns = columns(measurements, most);
    let left = columns.iter().map(|column| column.room + GAP).sum::<f64>() + 8.0;
    let has_head = !measurements.labels.heading().is_empty();
    // Keys are wider than columns on narrow screens, and are stacked there.
    let is_stacked = is_narrow(width) && columns.len() > 1;
    let head = if is_stacked {
        12.0 + KEY * (columns.len() + usize::from(panels.len() > 1)) as f64
    } else if panels.len() > 1 || has_head {
        26.0
    } else {
        10.0
    };
    let height = ROW * shown(measurements).len() as f64 + 6.0;
    let wide = (width - left) / across as f64;

    let mut graphic = Graphic::new(width, 0.0);
    let mut top = 0.0;
    for row in panels.chunks(across) {
        labels(&mut graphic, measurements, &columns, top, head, is_stacked);
        for (place, panel) in row.iter().enumerate() {
            let at = (left + wide * place as f64, top);
            let title = shortened(&panel.title, SIZE, wide - 20.0);
            graphic.text("panel", (at.0, top + head - 10.0), Anchor::Start, &title);
            let size = (wide - count_room - 30.0, height);
            let x = Scale::linear(0.0, 1.0);
            let frame = Frame::exact((at.0, top + head), size, x, Scale::linear(0.0, 1.0));
            frame
                .x_axis(&mut graphic, if panels.len() > 1 { "share solved" } else { "share of runs solved" });
            graphic.line("axis", (frame.left, frame.top), (frame.left, frame.bottom()));
            dots(&mut graphic, measurements, panel, &frame, count_room);
        }
        top += head + height + 48.0;
    }
    graphic.set_height(top - 4.0);
    graphic
}

/// The values of every setting in columns, with their keys above.
fn labels(
    graphic: &mut Graphic,
    measurements: &Measurements<'_>,
    columns: &[LabelColumn],
    top: f64,
    head: f64,
    is_stacked: bool,
) {
    let mut x = 8.0;
    for (column, LabelColumn { name, room }) in columns.iter().enumerate() {
        let (name, y) = if is_stacked {
            (&measurements.labels.columns[column], top + 16.0 + KEY * column as f64)
        } else {
            (name, top + 16.0)
        };
        graphic.text("legend-heading", (x, y), Anchor::Start, &shortened(name, SIZE, graphic.size().0 - x));
        for (row, setting) in shown(measurements).iter().enumerate() {
            let value = shortened(&measurements.labels.rows[*setting][column], SIZE, *room);
            graphic.text("label", (x, middle(top + head, row) + 4.0), Anchor::Start, &value);
        }
        x += room + GAP;
    }
}

fn dots(
    graphic: &mut Graphic,
    measurements: &Measurements<'_>,
    panel: &SuccessPanel,
    frame: &Frame,
    count_room: f64,
) {
    for (row, setting) in shown(measurements).iter().enumerate() {
        let Some(SolvedShare { estimate: share, count }) = &panel.shares[*setting] else { continue };
        let y = middle(frame.top, row);
        let [low, high] = [share.interval.low, share.interval.high].map(|end| frame.x.at(end));
        graphic.line("whisker", (low, y), (high, y));
        for end in [low, high] {
            graphic.line("whisker", (end, y - 3.5), (end, y + 3.5));
        }
        graphic.circle("dot", (frame.x.at(share.value), y), 4.2);
        let name = measurements.labels.name(*setting);
        let range = percent_range(share.interval);
        graphic.says(&format!("{name}: {} ({range} %), {count}", percent(share.value)));
        graphic.text("label", (frame.right() + 14.0 + count_room, y + 4.0), Anchor::End, count);
    }
}

fn middle(head: f64, row: usize) -> f64 {
    head + 3.0 + ROW * (row as f64 + 0.5)
}

/// The columns of labels with their widths. To leave room for the chart, keys lose their tables first, then the widest
/// columns are cut.
fn columns(measurements: &Measurements<'_>, most: f64) -> Vec<LabelColumn> {
    let labels = &measurements.labels;
    if labels.heading().is_empty() {
        let room = widest(labels.rows.iter().map(|row| &row[0]), SIZE, 12.0).min(most);
        return vec![LabelColumn { name: String::new(), room }];
    }
    let room = most - GAP * labels.columns.len() as f64;
    let mut columns = wanted_columns(&labels.columns, &labels.rows);
    if columns.iter().map(|column| column.room).sum::<f64>() > room {
        columns = wanted_columns(&last_words(&labels.columns), &labels.rows);
    }
    let mut cap = most.floor();
    while cap > 1.0 && columns.iter().map(|column| column.room.min(cap)).sum::<f64>() > room {
        cap -= 1.0;
    }
    for column in &mut columns {
        column.room = column.room.min(cap);
        column.name = shortened(&column.name, SIZE, column.room);
    }
    columns
}

/// Columns as wide as their widest value or name.
fn wanted_columns(names: &[String], rows: &[Vec<String>]) -> Vec<LabelColumn> {
    let mut columns = Vec::new();
    for (column, name) in names.iter().enumerate() {
        let values = widest(rows.iter().map(|row| &row[column]), SIZE, 12.0);
        columns.push(LabelColumn { name: name.clone(), room: values.max(text_width(name, SIZE)) });
    }
    columns
}

/// Dotted paths without their tables, unless two would be the same.
fn last_words(names: &[String]) -> Vec<String> {
    let short = names.iter().map(|name| name.rsplit('.').next().unwrap_or_default().to_owned()).collect();
    distinct(short, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_lose_their_tables_unless_they_are_then_the_same() {
        let names = ["mutation.rate", "crossover.rate", "replacement.elitism"].map(str::to_owned);
        assert_eq!(last_words(&names), ["mutation.rate", "crossover.rate", "elitism"]);
    }
}
