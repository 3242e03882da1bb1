//! The diagram of average ranks, in which bars join settings without a significant difference.
//!
//! Source: J. Demšar 2006, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 1-30.

use super::super::graphic::{Anchor, Graphic, Point, Scale, shortened, text_width, trace, widest};
use super::super::measurements::Measurements;
use super::super::{decimal, p_in_words, several};
use super::{Drawn, Figure, NotDrawn};
use kenga_stats::RankLine;

pub(super) const FIGURE: Figure = Figure { id: "ranks", title: "Average ranks", draw };

/// The most settings of a line.
const MOST: usize = 40;

const ROW: f64 = 18.0;

fn draw(measurements: &Measurements<'_>) -> Result<Drawn, NotDrawn> {
    if measurements.settings.len() < 2 {
        return Err(NotDrawn::Silently);
    }
    let Some((line, ranked)) = measurements.ranks() else {
        let noun = measurements.subject.noun();
        return Err(NotDrawn::Because(format!(
            "Average ranks are left out: they need two or more settings with runs of the same {noun}s, seeds and replicates, and no race that drops settings."
        )));
    };
    if line.average.iter().all(|rank| *rank == line.average[0]) {
        return Err(NotDrawn::Because("Average ranks are left out: all settings tie.".to_owned()));
    }
    let count = line.average.len();
    if count > MOST {
        return Err(NotDrawn::Because(format!(
            "The line of average ranks is left out for {count} settings; the table has them. Two settings differ where their average ranks are more than {} apart (Nemenyi, 5 %).",
            decimal(line.critical_difference, 2)
        )));
    }
    let noun = measurements.subject.noun();
    let by = if measurements.is_by_fitness {
        measurements.subject.best()
    } else if measurements.puzzles > 1 {
        "calls per solution"
    } else {
        "calls to the solution, runs without one tying as the worst,"
    };
    let within = if measurements.puzzles > 1 {
        format!("on each of the {}", several(ranked as u64, noun))
    } else {
        format!(
            "in each of the {} of the one {noun}, so that the test is about this {noun} alone",
            several(ranked as u64, "start")
        )
    };
    let caption = format!(
        "Settings ranked by {by} {within}, 1 the best; shown is the average. Bars join settings without a significant difference: their average ranks are within the critical difference CD of {} (Nemenyi, 5 %). Friedman's test of any difference at all: {}.",
        decimal(line.critical_difference, 2),
        p_in_words(line.friedman.p)
    );
    Ok(Drawn::one(measurements, "ranks", "Average ranks and critical difference", caption, |width| {
        chart(measurements, line, width)
    }))
}

/// The length of a leader line under the average rank that stands on it.
const ON_LINE: f64 = 34.0;

/// The axis of ranks, 1 on the left, with the critical difference as a scale above it, and below it the bars. The better half
/// of the settings stands on the left, the others on the right, so that no two leader lines cross.
fn chart(measurements: &Measurements<'_>, line: &RankLine, width: f64) -> Graphic {
    let names: Vec<String> = line.order.iter().map(|setting| measurements.labels.name(*setting)).collect();
    let room = widest(&names, 12.0, 40.0).min(width * 0.28);
    let left = 8.0 + room + ON_LINE + 6.0;
    let x = Scale::linear(1.0, names.len() as f64).over(left, width - left);
    let mut graphic = Graphic::new(width, 0.0);
    let heading = measurements.labels.heading();
    let title = "average rank";
    graphic.text("axis-title", (width - 8.0, 14.0), Anchor::End, title);
    let heading = shortened(&heading, 12.0, width - 32.0 - text_width(title, 12.0));
    graphic.text("legend-heading", (8.0, 14.0), Anchor::Start, &heading);
    let top = 28.0;
    scale(&mut graphic, line.critical_difference, &x, (left, top + 8.0), width);

    let axis = top + 42.0;
    graphic.line("axis", (left, axis), (width - left, axis));
    let ticks = (((width - 2.0 * left) / 18.0) as usize).clamp(1, names.len() - 1);
    for (rank, word) in x.ticks(ticks) {
        graphic.line("axis", (x.at(rank), axis), (x.at(rank), axis - 5.0));
        graphic.text("tick", (x.at(rank), axis - 9.0), Anchor::Middle, &word);
    }
    let bars = bars(&mut graphic, line, &x, axis);

    let better = names.len().div_ceil(2);
    for (place, name) in names.iter().enumerate() {
        let rank = line.average[line.order[place]];
        // The outermost setting of either side is the highest.
        let row = if place < better { place } else { names.len() - 1 - place };
        let y = bars + ROW * (row as f64 + 0.5);
        let (outer, inner, anchor) = if place < better {
            (left - ON_LINE - 6.0, left - 8.0, Anchor::End)
        } else {
            (width - left + ON_LINE + 6.0, width - left + 8.0, Anchor::Start)
        };
        let gap = if place < better { 4.0 } else { -4.0 };
        let leader = [(x.at(rank), axis), (x.at(rank), y), (outer + gap, y)];
        graphic.path("leader", trace(leader));
        graphic.text("tick", (inner, y - 3.0), anchor, &decimal(rank, 2));
        graphic.text("label", (outer, y + 4.0), anchor, &shortened(name, 12.0, room));
    }
    graphic.set_height(bars + ROW * better as f64 + 6.0);
    graphic
}

/// Draws the critical difference in the unit of the axis; one that does not fit ends with the picture.
fn scale(graphic: &mut Graphic, difference: f64, x: &Scale, at: Point, width: f64) {
    let (left, y) = at;
    let words = format!("CD = {}", decimal(difference, 2));
    let end = (left + difference * (x.at(2.0) - x.at(1.0))).min(width - 16.0 - text_width(&words, 11.0));
    graphic.line("whisker", (left, y), (end, y));
    for edge in [left, end] {
        graphic.line("whisker", (edge, y - 4.0), (edge, y + 4.0));
    }
    graphic.text("tick", (end + 7.0, y + 4.0), Anchor::Start, &words);
}

/// Draws a bar below the axis for every group, groups that overlap in rows of their own; returns where the rows end.
fn bars(graphic: &mut Graphic, line: &RankLine, x: &Scale, axis: f64) -> f64 {
    // The settings up to which each row is taken.
    let mut rows: Vec<usize> = Vec::new();
    for group in &line.cliques {
        let free = rows.iter().position(|end| *end <= group.start);
        let row = free.unwrap_or(rows.len());
        if row == rows.len() {
            rows.push(0);
        }
        rows[row] = group.end;
        let y = axis + 9.0 + 7.0 * row as f64;
        let [from, to] = [group.start, group.end - 1].map(|place| x.at(line.average[line.order[place]]));
        graphic.line("joined", (from - 3.0, y), (to + 3.0, y));
    }
    axis + 10.0 + 7.0 * rows.len() as f64
}
