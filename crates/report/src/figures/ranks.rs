//! The line of average ranks, on which bars join settings without a significant difference.

use super::super::graphic::{Anchor, Frame, Graphic, Scale, shortened, widest};
use super::super::measurements::Measurements;
use super::super::{decimal, p_in_words, several};
use super::{Drawn, Figure, NotDrawn};
use kenga_stats::RankLine;

pub(super) const FIGURE: Figure = Figure { id: "ranks", title: "Average ranks", draw };

/// The most settings of a line.
const MOST: usize = 40;

const ROW: f64 = 19.0;

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
            "in each of the {} of the one {noun}, so that the test is about this {noun} alone,",
            several(ranked as u64, "start")
        )
    };
    let caption = format!(
        "Settings ranked by {by} {within}, 1 the best; shown is the average. The bars on the right join settings without a significant difference: their average ranks are within the critical difference of {} (Nemenyi, 5 %). Friedman's test of any difference at all: {}.",
        decimal(line.critical_difference, 2),
        p_in_words(line.friedman.p)
    );
    Ok(Drawn::one("ranks", "Average ranks and critical difference", caption, |width| {
        chart(measurements, line, width)
    }))
}

fn chart(measurements: &Measurements<'_>, line: &RankLine, width: f64) -> Graphic {
    let names: Vec<String> = line.order.iter().map(|setting| measurements.labels.name(*setting)).collect();
    let room = widest(&names, 12.0, 60.0).min(width * 0.42);
    let left = room + 20.0;
    let bars = line.cliques.len().min(14) as f64 * 9.0 + 12.0;
    let head = if measurements.labels.heading().is_empty() { 10.0 } else { 26.0 };
    let height = ROW * names.len() as f64 + 6.0;
    let mut graphic = Graphic::new(width, head + height + 44.0);
    if head > 20.0 {
        graphic.text(
            "legend-heading",
            (8.0, 16.0),
            Anchor::Start,
            &shortened(&measurements.labels.heading(), 12.0, width - 16.0),
        );
    }
    let x = Scale::linear(1.0, names.len() as f64);
    let frame = Frame::exact((left, head), (width - left - bars - 48.0, height), x, Scale::linear(0.0, 1.0));
    frame.x_axis(&mut graphic, "average rank (1 is best)");
    graphic.line("axis", (left, head), (left, head + height));
    let middle = |row: usize| head + 3.0 + ROW * (row as f64 + 0.5);
    for (row, (name, setting)) in names.iter().zip(&line.order).enumerate() {
        let (y, rank) = (middle(row), line.average[*setting]);
        graphic.text("label", (left - 8.0, y + 4.0), Anchor::End, &shortened(name, 12.0, room));
        graphic.line("grid", (left, y), (frame.x.at(rank), y));
        graphic.rect("c0", (frame.x.at(rank) - 4.0, y - 4.0), (8.0, 8.0));
        graphic.text("tick", (frame.x.at(rank) + 8.0, y + 4.0), Anchor::Start, &decimal(rank, 2));
    }
    for (index, clique) in line.cliques.iter().take(14).enumerate() {
        let x = frame.right() + 48.0 + 9.0 * index as f64;
        graphic.line("joined", (x, middle(clique.start) - 5.0), (x, middle(clique.end - 1) + 5.0));
    }
    graphic
}
